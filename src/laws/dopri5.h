/* SPDX-License-Identifier: MIT */
/* The embedded pair 5(4) of Dormand and Prince (1980), with its continuous extension of order 4. */
#ifndef LAWS_DOPRI5_H
#define LAWS_DOPRI5_H

#include <stdbool.h>

enum { DOPRI5_STATE = 8, DOPRI5_STAGES = 7 };

/* y' at t; false: give up. */
typedef bool dopri5_slope(void* user, double t, const double* y, double* slope);

typedef struct dopri5 {
    /* what is integrated: set by the caller */
    int n;
    dopri5_slope* slope;
    void* user;
    double scale[DOPRI5_STATE]; /* of the error of each component */
    /* the step that was tried last */
    double t, h;
    double error; /* the difference of both orders, each component over its scale, the largest */
    double from[DOPRI5_STATE], to[DOPRI5_STATE];
    double k[DOPRI5_STAGES][DOPRI5_STATE];
} dopri5;

/* One step of size h from (t, y): d->to, d->error. False: a slope gave up. */
bool wi_dopri5_try(dopri5* d, double t, double h, const double* y);
/* Inside the step just tried, 0 <= part <= 1. */
void wi_dopri5_inside(const dopri5* d, double part, double* y);
/* The size that the next step should have, `error` over what is allowed. */
double wi_dopri5_next(double h, double error);

#endif
