/* SPDX-License-Identifier: MIT */
#ifndef BODY_LIFT_EXACT_H
#define BODY_LIFT_EXACT_H

#include "lift_gap.h"

/*
 * The bound of wi_lift_bound in closed form, to 1e-9 of itself: lines on planes, circles and ellipses on planes, circles of
 * latitude of cylinders, cones, spheres and tori. Infinite where there is none.
 */
double wi_lift_exact(const lift_pair* pair);

/* |C(t) - p| of a line, no less and more by 1e-9 of itself at most, beside 2^-90 of the coordinates. */
double wi_line_off(const wit_curve* line, double t, wit_vec3 p);

#endif
