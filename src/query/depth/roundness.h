/* SPDX-License-Identifier: MIT */
/*
 * How round a convex body is: the largest r known such that it is the sum of a convex body and a ball of radius r. A convex body
 * with a smooth boundary whose radii of curvature are all at least r is such a sum (Blaschke's rolling theorem). Then h(n) = r +
 * h_core(n) for unit n, and what is bounded by planes through points of the core is bounded exactly where all directions are
 * alike: balls, capsules, bodies nearly concentric.
 */
#ifndef QUERY_ROUNDNESS_H
#define QUERY_ROUNDNESS_H

#include "../../body/body_record.h"

/* Of a ball, an ellipsoid, and what is put together smoothly of balls and cylinders of one radius; 0 of others. */
double wi_roundness(const wit_body* body);

#endif
