/* SPDX-License-Identifier: MIT */
/* An interval halved where a question about it is open, the lower halves first, down to a depth and as far as the work goes. */
#ifndef GEOM_BISECTION_H
#define GEOM_BISECTION_H

#include "../base/interval.h"

enum { BISECTION_DEPTH = 30, BISECTION_WORK = 20000 };

typedef struct bisection {
    struct {
        wit_interval x;
        int depth;
    } open[BISECTION_DEPTH + 2];
    int count, depth, work; /* depth of the interval that was taken last; work that is left */
} bisection;

static inline void bisection_start(bisection* b, wit_interval all)
{
    b->open[0].x = all;
    b->open[0].depth = b->depth = 0;
    b->count = 1;
    b->work = BISECTION_WORK;
}

/* The next open interval; false: none is left. */
static inline bool bisection_next(bisection* b, wit_interval* x)
{
    if (b->count == 0) return false;
    *x = b->open[--b->count].x;
    b->depth = b->open[b->count].depth;
    return true;
}

/* Opens both halves of x, the interval that was taken last. False: it is too small, or the work has run out. */
static inline bool bisection_halve(bisection* b, wit_interval x)
{
    if (b->depth == BISECTION_DEPTH || --b->work == 0) return false;
    double middle = iv_mid(x);
    const wit_interval half[2] = {iv(middle, x.hi), iv(x.lo, middle)};
    for (int k = 0; k < 2; ++k) {
        b->open[b->count].x = half[k];
        b->open[b->count++].depth = b->depth + 1;
    }
    return true;
}

#endif
