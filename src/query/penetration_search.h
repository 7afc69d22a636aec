/* SPDX-License-Identifier: MIT */
/* The state of a search for the depth: the support sum s(n) = h_a(n) + h_b(-n) and the best direction so far. */
#ifndef QUERY_PENETRATION_SEARCH_H
#define QUERY_PENETRATION_SEARCH_H

#include "penetration.h"
#include "support.h"

enum { DEPTH_RECENT = 4 };

typedef struct depth_search {
    const search_task* task;
    wit_work* work;
    int corners;                   /* of a cell of directions: 4; of planar bodies 2 */
    wit_vec3 plane[2];             /* planar bodies: two unit vectors across each other */
    double best;                   /* the least s(n) so far */
    wit_vec3 normal;               /* there */
    wit_vec3 recent[DEPTH_RECENT]; /* support points x - y of the last best directions */
    int recent_count, recent_next;
} depth_search;

/* penetration_polish.c */

/* x - y of the supports along n; counts if it is the best. */
wit_vec3 depth_at(depth_search* d, wit_vec3 n);

/* The pair of places of the best direction, which is polished: out->normal, a, b, depth. */
void depth_places(depth_search* d, penetration* out);

#endif
