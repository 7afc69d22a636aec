/* SPDX-License-Identifier: MIT */
/* How much the first derivative across a border of two cells may jump there: a bound, not a measurement. */
#ifndef GEOM_TANGENT_JUMP_H
#define GEOM_TANGENT_JUMP_H

#include "shape.h"

/* The jump of S_u (direction u) across border k of the cells along u, 0 < k < cells, or k = 0: the seam of a closed
 * parameter; for all v. Infinite where it is not known. */
double wi_surface_tangent_jump(const wit_surface* surface, wit_direction direction, int k);
double wi_curve_tangent_jump(const wit_curve* curve, int k);

#endif
