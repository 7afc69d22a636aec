/* SPDX-License-Identifier: MIT */
#include "trig_range.h"

#define HALF_TURN 3.1415926535897932384626433832795

angle_span wi_angle_span_of(wit_interval x)
{
    angle_span s;
    s.x = x;
    wit_sincos(x.lo, &s.sin_lo, &s.cos_lo);
    wit_sincos(x.hi, &s.sin_hi, &s.cos_hi);
    s.noise = fabs(x.lo) + fabs(x.hi);
    return s;
}

/*
 * Is the maximum of f = A cos(x - phi) inside the span? Let d = phi - lo (mod 2 pi) and w the width; inside
 * means d <= w. For w <= pi that is f'(lo) >= 0, f'(hi) <= 0 and, to tell a maximum from a minimum on
 * tiny spans, f(lo) + f(hi) = 2 A cos(w/2) cos(d - w/2) >= 0. For w > pi the same question is asked of the
 * complement, which is shorter than pi. Doubt within `tolerance` counts as inside: A is an upper bound anyway.
 */
static bool maximum_inside(double w, double f_lo, double f_hi, double slope_lo, double slope_hi, double tolerance)
{
    if (w <= HALF_TURN) return slope_lo >= -tolerance && slope_hi <= tolerance && f_lo + f_hi >= -tolerance;
    if (w >= 2 * HALF_TURN) return true;
    return !(slope_hi > tolerance && slope_lo < -tolerance && f_lo + f_hi > tolerance);
}

wit_interval wi_trig_range(const angle_span* s, double p, double q, double r)
{
    double f_lo = p * s->cos_lo + q * s->sin_lo, f_hi = p * s->cos_hi + q * s->sin_hi;
    double slope_lo = q * s->cos_lo - p * s->sin_lo, slope_hi = q * s->cos_hi - p * s->sin_hi;
    double tolerance = 8 * DBL_EPSILON * (fabs(p) + fabs(q)), w = iv_width(s->x);
    wit_interval range = iv(smaller(f_lo, f_hi), larger(f_lo, f_hi));
    bool top = maximum_inside(w, f_lo, f_hi, slope_lo, slope_hi, tolerance);
    bool bottom = maximum_inside(w, -f_lo, -f_hi, -slope_lo, -slope_hi, tolerance);
    if (top || bottom) {
        double amplitude = sqrt(p * p + q * q);
        if (top) range.hi = larger(range.hi, amplitude);
        if (bottom) range.lo = smaller(range.lo, -amplitude);
    }
    return iv(r + range.lo, r + range.hi);
}

wit_interval wi_quadratic_range(wit_interval x, double a, double b, double c)
{
    double f_lo = a + x.lo * (b + c * x.lo), f_hi = a + x.hi * (b + c * x.hi);
    wit_interval range = iv(smaller(f_lo, f_hi), larger(f_lo, f_hi));
    if (c != 0) {
        double top = -0.5 * b / c;
        if (top > x.lo && top < x.hi) range = iv_union(range, iv_point(a + 0.5 * b * top));
    }
    return range;
}

hyperbolic_span wi_hyperbolic_span_of(wit_interval x)
{
    hyperbolic_span s;
    s.x = x;
    wit_sinhcosh(x.lo, &s.sinh_lo, &s.cosh_lo);
    wit_sinhcosh(x.hi, &s.sinh_hi, &s.cosh_hi);
    return s;
}

/* f = p cosh x + q sinh x. For |p| > |q| it is convex (p > 0) or concave with the extreme value
 * sign(p) sqrt(p^2 - q^2); otherwise it is monotone. The extreme value bounds f everywhere, so doubt about
 * where it stands may count it in. */
wit_interval wi_hyperbolic_range(const hyperbolic_span* s, double p, double q)
{
    double f_lo = p * s->cosh_lo + q * s->sinh_lo, f_hi = p * s->cosh_hi + q * s->sinh_hi;
    wit_interval range = iv(smaller(f_lo, f_hi), larger(f_lo, f_hi));
    if (fabs(p) > fabs(q)) {
        double slope_lo = p * s->sinh_lo + q * s->cosh_lo, slope_hi = p * s->sinh_hi + q * s->cosh_hi;
        double sign = p > 0 ? 1 : -1, size = fabs(p) + fabs(q);
        if (sign * slope_lo <= 8 * DBL_EPSILON * size * s->cosh_lo &&
            sign * slope_hi >= -8 * DBL_EPSILON * size * s->cosh_hi)
            range = iv_union(range, iv_point(sign * sqrt((fabs(p) - fabs(q)) * (fabs(p) + fabs(q)))));
    }
    return range;
}
