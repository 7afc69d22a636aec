/* SPDX-License-Identifier: MIT */
#ifndef GEOM_BOUNDS_H
#define GEOM_BOUNDS_H

#include "shape.h"

/* Enclosures as in shape.h, of at least the first `derivatives` entries (D10, or 1 of a curve: points alone). */
void wi_curve_enclose_to(const wit_curve* curve, wit_interval t, const wit_vec3 axes[3], int derivatives,
                         curve_enclosure* out);
void wi_surface_enclose_to(const wit_surface* surface, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                           int derivatives, surface_enclosure* out);
/* A cone that holds every normal of the box. False, with angle pi, when none narrower than a half-space was found: then the
 * box may hold a degenerate place. */
bool wi_surface_normal_cone(const wit_surface* surface, wit_interval u, wit_interval v, wit_cone* out);
/* The same from intervals of the derivatives in a frame whose third axis is `normal`. */
bool wi_cone_of_products(const wit_interval (*d)[3], wit_vec3 normal, wit_cone* out);
/* A cone about two: the smallest with an axis in their plane, rounded outwards; angle pi when there is none. */
wit_cone wi_cone_unite(wit_cone a, wit_cone b);
/* How far the points of the line u (or v: `fixed`) = value, over t of the other parameter, are from one of them at most. */
double wi_surface_line_reach(const wit_surface* surface, wit_direction fixed, double value, wit_interval t);
/* Upper bounds of |S_u| and |S_v| over the whole range. */
void wi_surface_speeds(const wit_surface* surface, double* speed_u, double* speed_v);

#endif
