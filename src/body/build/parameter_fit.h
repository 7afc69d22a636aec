/* SPDX-License-Identifier: MIT */
/*
 * The foot of a curve on a surface as a spline of degree 5 in the (u, v) plane.
 *
 * Each piece takes place, first and second derivative from its two ends (Hermite, C2 where the foot is), so the error falls with
 * the sixth power of the piece's length; pieces are cut until the lifted error along the surface, measured at seven
 * places, is within the accuracy. Cuts are made where the foot crosses a break of the surface, else in the middle.
 */
#ifndef BODY_PARAMETER_FIT_H
#define BODY_PARAMETER_FIT_H

#include "../../geom/shape.h"

enum { FIT_PIECES = 4096 }; /* beyond it pieces are taken as they are */

/* `accuracy` > 0. The start lies in the surface's range. Errors are those of memory. */
wit_status wi_parameter_fit(const wit_curve* curve, wit_interval range, const wit_surface* surface, double accuracy,
                            const wit_allocator* allocator, wit_curve** out, wit_error* error);

/* The period to take off so that a parameter that starts at x and is at `inside` halfway lies in the range. */
double wi_start_shift(double x, double inside, wit_interval range, bool closed);

/* Which kernels evaluate what is made from the two. */
wit_kernel wi_kernel_like(const wit_curve* curve, const wit_surface* surface);

#endif
