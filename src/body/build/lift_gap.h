/* SPDX-License-Identifier: MIT */
/*
 * How far a curve in space is from a parameter curve on a surface, S(c(s)), at the same parameter up to s = shift + scale t.
 * So it bounds the distance of either curve from the other.
 */
#ifndef BODY_LIFT_GAP_H
#define BODY_LIFT_GAP_H

#include "../../geom/shape.h"

typedef struct lift_pair {
    const wit_curve* curve;
    wit_interval range; /* of t */
    const wit_surface* surface;
    const wit_curve* parameter_curve;
    double scale, shift;
} lift_pair;

/* `along`: the largest part of it that is along the surface (all of it where the surface is degenerate): what is left when
 * the curve is off the surface but the parameter curve is its foot. */
typedef struct lift_gap {
    double all, along; /* met at some t: lower bounds of the largest */
    double hidden;     /* by how much wi_lift_bound has proved less than it returned */
} lift_gap;

/*
 * The largest gap that is met by samples, t in range: 8 between any two neighbouring breaks of either curve (at least 32
 * in all), and a golden section search about every local maximum among them that is more than half the largest so far.
 */
lift_gap wi_lift_measure(const lift_pair* pair);

/*
 * A bound: nowhere is the gap larger. The difference of both curves is held as Taylor models (taylor.h), on pieces that are
 * cut until the bound over each is within 1/64 of the largest gap met anywhere, or at most `rounding`. Pieces that do not
 * close within the work that is given to them (400 between two breaks, 20,000 in all) count with the bound they have
 * reached. *met is what wi_lift_measure gave; what is met on the way goes into it.
 *
 * `rounding` is a length that whoever evaluates the two curves is off by anyway. Where the bound is not above it the gap is
 * nothing but that, and what was met is returned; met->hidden is what the bound is above it.
 */
double wi_lift_bound(const lift_pair* pair, double rounding, lift_gap* met);

/* C - S at (u, v), and the length of its part along the surface. */
wit_vec3 wi_lift_error(const wit_surface* surface, const double uv[2], wit_vec3 p, double* along);

#endif
