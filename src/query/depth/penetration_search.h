/* SPDX-License-Identifier: MIT */
/* The state of a search for the depth: the support sum s(n) = h_a(n) + h_b(-n) and the best direction so far. */
#ifndef QUERY_PENETRATION_SEARCH_H
#define QUERY_PENETRATION_SEARCH_H

#include "penetration.h"
#include "support.h"

/* Room that rounding of support points takes from a bound: of task->floor. */
#define DEPTH_ROUNDING 0.25

enum { DEPTH_RECENT = 4 };

typedef struct depth_search {
    const search_task* task;
    wit_work* work;
    int corners;                   /* of a cell of directions: 4; if one plane of them suffices 2 */
    wit_vec3 plane[2];             /* then: two unit vectors across each other */
    bool planar;                   /* the bodies lie in that plane */
    double best;                   /* the least s(n) so far */
    double least;                  /* what is below it is not looked into */
    wit_vec3 normal;               /* there */
    wit_vec3 recent[DEPTH_RECENT]; /* support points x - y of the last best directions */
    int recent_count, recent_next;
    bool spent; /* some support was not seen to its end: nothing that rests on it holds */
} depth_search;

/* penetration.c: corners, plane and planar of a search that begins. */
void wi_depth_plane(depth_search* d);

/* penetration_polish.c */

/* x - y of the supports along n; counts if it is the best. */
wit_vec3 wi_depth_at(depth_search* d, wit_vec3 n);

/* The pair of places of the best direction, which is polished: out->normal, a, b, depth. */
void wi_depth_places(depth_search* d, penetration* out);

/* penetration_round.c */

/* Both are bodies of revolution about one and the same axis, to less than the rounding floor: its direction. */
bool wi_common_axis(const search_task* task, wit_vec3* out);

#endif
