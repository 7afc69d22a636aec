/* SPDX-License-Identifier: MIT */
/* What a small step along a feature needs to know of it: how far a second-order Taylor point may be off, and where its
 * parameters break down. */
#ifndef BODY_STEP_BOUNDS_H
#define BODY_STEP_BOUNDS_H

#include "../../geom/shape.h"

/* Borders of a face that are one point with a tangent plane there. */
enum { POLE_U_LO = 1, POLE_U_HI = 2, POLE_V_LO = 4, POLE_V_HI = 8 };

/* Third derivatives in arc length: |D^3 S[d,d,d]| <= third (speed_u |du| + speed_v |dv|)^3 within one cell, the speeds
 * being those of the record. Infinite where no bound is known. */
double wi_surface_third(const wit_surface* s, wit_interval u, wit_interval v);
double wi_curve_third(const wit_curve* c, wit_interval t);

unsigned wi_surface_poles(const wit_surface* s, wit_interval u, wit_interval v);

#endif
