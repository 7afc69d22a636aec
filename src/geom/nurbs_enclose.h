/* SPDX-License-Identifier: MIT */
/* Bounds of splines over any part of their range, from the Bezier nets of the cells. */
#ifndef GEOM_NURBS_ENCLOSE_H
#define GEOM_NURBS_ENCLOSE_H

#include "shape.h"

void wi_nurbs_curve_enclose(const wit_curve* curve, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out);
void wi_nurbs_surface_enclose(const wit_surface* surface, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                              surface_enclosure* out);

/* The first `derivatives` entries only (surface D10 or curve 1: points alone), at a fraction of the cost. */
void wi_nurbs_curve_enclose_to(const wit_curve* curve, wit_interval t, const wit_vec3 axes[3], int derivatives,
                               curve_enclosure* out);
void wi_nurbs_surface_enclose_to(const wit_surface* surface, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                                 int derivatives, surface_enclosure* out);

#endif
