/* SPDX-License-Identifier: MIT */
/*
 * Exact ranges of functions of one variable over an interval: p cos x + q sin x + r, quadratics,
 * p cosh x + q sinh x. "Exact" up to rounding: none of them rounds outwards. The caller widens once, by
 * some 16 eps of the magnitudes summed plus, for angles, the span's noise.
 */
#ifndef GEOM_TRIG_RANGE_H
#define GEOM_TRIG_RANGE_H

#include "../base/interval.h"

/* An interval of angles with the sines and cosines of its ends: one evaluation serves many forms. */
typedef struct angle_span {
    wit_interval x;
    double sin_lo, cos_lo, sin_hi, cos_hi;
    double noise; /* |lo| + |hi|: in units of eps, what wrapping an angle into its range may turn it by */
} angle_span;

angle_span wi_angle_span_of(wit_interval x);
/* p cos x + q sin x + r. */
wit_interval wi_trig_range(const angle_span* span, double p, double q, double r);
/* a + b x + c x^2. */
wit_interval wi_quadratic_range(wit_interval x, double a, double b, double c);

/* The same for hyperbolic angles. */
typedef struct hyperbolic_span {
    wit_interval x;
    double sinh_lo, cosh_lo, sinh_hi, cosh_hi;
} hyperbolic_span;

hyperbolic_span wi_hyperbolic_span_of(wit_interval x);
/* p cosh x + q sinh x. */
wit_interval wi_hyperbolic_range(const hyperbolic_span* span, double p, double q);

#endif
