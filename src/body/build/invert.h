/* SPDX-License-Identifier: MIT */
/* From a point in space to parameters of a surface: the nearest point of the surface within its range. */
#ifndef BODY_INVERT_H
#define BODY_INVERT_H

#include "../../geom/shape.h"

/*
 * The nearest surface point to p, over the whole range. Closed forms for plane, cylinder, cone, sphere and torus; for the
 * others best-first branch and bound with Newton, to 1e-9 of the distance and 1e-12 of the surface's size.
 *
 * `guess_uv` may be null. With it the answer is never farther than the guess; of several answers that are equally near
 * to those tolerances the one that Newton reaches from the guess is taken; a closed parameter gets the period nearest to
 * the guess, so it may lie outside the range; where a parameter is arbitrary (at a pole, on an axis) it is the guess's.
 * Without a guess closed parameters come in range.
 *
 * uv and *distance (may be null) are filled unless p has a NaN or an infinity. False then, and when the work ran out
 * before the answer was proved: uv is the best found.
 */
bool wi_surface_invert(const wit_surface* s, wit_vec3 p, const double* guess_uv, double uv[2], double* distance);

/* The same from the guess alone: the local minimum that Newton with bounds reaches (for the five closed forms still the
 * global one). True when it converged. */
bool wi_surface_invert_local(const wit_surface* s, wit_vec3 p, const double guess_uv[2], double uv[2],
                             double* distance);

/* A closed parameter wrapped into its range, to the last bit where it is in it already; others unchanged. */
double wi_surface_wrap(double x, wit_interval range, bool closed);

/* An upper estimate of the surface's extent: what lengths are measured against. */
double wi_surface_size(const wit_surface* s);

#endif
