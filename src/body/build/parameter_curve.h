/* SPDX-License-Identifier: MIT */
/*
 * Parameter curves (x = u, y = v, z = 0) of curves in space that lie on a surface.
 *
 * Both run over the same parameter t, so that S(c(t)) = C(t). Exact forms are looked for first: straight parameter lines
 * (rulings, circles of latitude, isoparametric curves, borders, with the surface's own speed), conics and splines on
 * a plane, the parameter curve of a curve that was itself made on that surface. Everything else is
 * fitted: parameter_fit.h.
 */
#ifndef BODY_PARAMETER_CURVE_H
#define BODY_PARAMETER_CURVE_H

#include "../../geom/shape.h"

/* Which curve on which surface, and how near. */
typedef struct parameter_request {
    const wit_curve* curve;
    wit_interval range;
    const wit_surface* surface;
    double accuracy;
    double rounding; /* a length; see lift_gap.h */
    double* hidden;  /* or null: raised to what the deviation does not tell (lift_gap.h) */
} parameter_request;

/*
 * Makes the parameter curve of `curve` over exactly `range` (a part of the curve's; over the seam if that is closed).
 * Closed parameters of the surface are unrolled: the start lies in the surface's range, the rest may run past its ends.
 *
 * `accuracy` is a length: the lifted curve is that near to the foot of C(t) on the surface. So where the curve lies
 * on the surface the deviation is within it. *deviation (may be null) is a bound of |S(c(t)) - C(t)| for all t, from
 * wi_lift_bound with `rounding`: when the curve is off the surface, or the fit ran out of pieces, it says so, and the
 * curve made is still the best one. An accuracy below rounding is raised to it.
 *
 * A status other than WIT_OK comes only from a bad call or the lack of memory; *out is null then.
 */
wit_status wi_parameter_curve_make(const parameter_request* request, const wit_allocator* allocator, wit_curve** out,
                                   double* deviation, wit_error* error);

/* The straight parameter curve from uv0 at range.lo to uv1 at range.hi: a LINE where its speed is 1, else a spline of
 * degree 1. Equal ends are allowed. */
wit_status wi_parameter_curve_line(const double uv0[2], const double uv1[2], wit_interval range,
                                   const wit_allocator* allocator, wit_curve** out, wit_error* error);

#endif
