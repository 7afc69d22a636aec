/* SPDX-License-Identifier: MIT */
/* A spline patch in long double, by basis functions: sums of positive terms, so that the rounding of a point is a few ULP of
 * the largest control coordinate, whatever the weights are. */
#ifndef ADVERSARY_PATCH_H
#define ADVERSARY_PATCH_H

#include "exact.h"

enum { NET = 8, KNOTS = 24 };

typedef struct patch {
    int degree[2], count[2];
    double knots[2][KNOTS];
    double point[NET * NET * 3], weight[NET * NET]; /* (i, j) at i * count[1] + j */
    LD reach;                                       /* largest |coordinate| */
} patch;

void patch_range(const patch* p, int k, LD* lo, LD* hi);
/* S(u, v) and its first derivatives; off by patch_error at most (the point). */
void patch_at(const patch* p, LD u, LD v, v3 out[3]);
LD patch_error(const patch* p);
/* The nearest point that a walk from (u, v) finds: a point of the patch, so its distance is a bound from above. */
LD patch_nearest(const patch* p, v3 x, LD* u, LD* v);
/* The least of the walks from a grid of starts. */
LD patch_distance(const patch* p, v3 x, int starts);
/* Two patches where they stand; the offset is q's position seen from p's. */
typedef struct patch_pair {
    const patch *p, *q;
    place at, to;
    v3 offset;
} patch_pair;
LD patch_pair_distance(const patch_pair* h, int starts);

#endif
