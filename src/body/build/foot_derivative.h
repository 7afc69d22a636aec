/* SPDX-License-Identifier: MIT */
/* How the foot of a curve on a surface, the place of the surface that is closest to C(t), moves with t. */
#ifndef BODY_FOOT_DERIVATIVE_H
#define BODY_FOOT_DERIVATIVE_H

#include "../../geom/shape.h"

/* The foot of C(t) on a surface, as seen from one side. */
typedef struct foot_at {
    const wit_curve* curve;
    const wit_surface* surface;
    double t;
    const double* x;        /* (u, v) of the foot */
    double toward;          /* another t: the side it is seen from */
    const double* toward_x; /* and (u, v) there */
    double blur;            /* a length: directions whose whole extent is no longer count as collapsed */
} foot_at;

/* Its derivatives along t. False where the surface is degenerate. */
bool wi_foot_derivatives(const foot_at* foot, double d1[2], double d2[2]);

#endif
