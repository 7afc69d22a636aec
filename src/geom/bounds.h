/* SPDX-License-Identifier: MIT */
#ifndef GEOM_BOUNDS_H
#define GEOM_BOUNDS_H

#include "shape.h"

/* A cone that holds every normal of the box. False, with angle pi, when none narrower than a half-space was found: then the
 * box may hold a degenerate place. */
bool wi_surface_normal_cone(const wit_surface* surface, wit_interval u, wit_interval v, wit_cone* out);
/* A cone about two: the smallest with an axis in their plane, rounded outwards; angle pi when there is none. */
wit_cone wi_cone_unite(wit_cone a, wit_cone b);
/* Upper bounds of |S_u| and |S_v| over the whole range. */
void wi_surface_speeds(const wit_surface* surface, double* speed_u, double* speed_v);

#endif
