/* SPDX-License-Identifier: MIT */
/* A set of pairs that has been walked: where it ends both ways along its directions, and moves within it. */
#ifndef PAIR_WALKED_SET_H
#define PAIR_WALKED_SET_H

#include "walk.h"

#define WALK_SHORTEST 1e-6 /* of the size: below this a set is a point */
#define WALK_FINE 1e-13    /* of the size: the finest resolution of an end */

typedef struct walked_set {
    walk w;
    walk_state s;
    double length[2][2]; /* arc length back and on, per direction; of a closed one half of the way round */
    walk_state end[2][2];
    bool closed[2];
} walked_set;

/* Back and on along direction k. False: no set that way. */
bool wi_set_measure(walked_set* c, int k, double resolution);
/* Moves by an arc length along direction k, in as many steps as it takes. */
void wi_set_go(walked_set* c, int k, double arc);
/* To the middle of a direction that has been measured and is open. Returns the way. */
double wi_set_to_middle(walked_set* c, int k);

/* The state with its directions turned by an angle in the carrier's tangent plane. */
walk_state wi_set_turned(const walk_state* s, double angle);
/* The longest of `ways` ways through an area from where it is, one that closes not counted but told; *from: turned along it. */
double wi_set_longest_way(walked_set* c, int ways, double resolution, walk_state* from, bool* closes);

#endif
