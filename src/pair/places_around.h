/* SPDX-License-Identifier: MIT */
/* Features that meet at a place: itself, the faces of its edge, the edges of its vertex and their faces. A set of closest pairs
 * through the place may lie on any of them. */
#ifndef PAIR_PLACES_AROUND_H
#define PAIR_PLACES_AROUND_H

#include "tangent_chart.h"

enum { AROUND_MOST = 16 };

typedef struct places_around {
    int count;
    place at[AROUND_MOST]; /* the place itself first; of the others the point is unset until they are kept */
    tangent_chart chart[AROUND_MOST];
} places_around;

/* Features that count; charts unset. */
void wi_places_around(const side* s, const place* at, places_around* out);
/* One more, unless it is there already or does not count. */
void wi_places_add(const side* s, places_around* list, wit_feature_kind kind, int id, double u, double v);

/* Units that a look at all that meets at the place takes at most: normals, sectors and charts of every feature around. */
int64_t wi_places_cost(const side* s, const place* at);

/* Is w across all tangents of a chart, up to `level`, |w| times a sine? */
static inline bool chart_is_across(const tangent_chart* c, wit_vec3 w, double level)
{
    for (int i = 0; i < c->n; ++i)
        if (!(fabs(dot3(w, c->e[i])) <= level)) return false;
    return true;
}

#endif
