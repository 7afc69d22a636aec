/* SPDX-License-Identifier: MIT */
/*
 * Interval arithmetic in round-to-nearest. The operations do not round outwards: whoever needs a
 * bound that counts rounding calls iv_widen once at the end with the magnitude of what was added up.
 */
#ifndef BASE_INTERVAL_H
#define BASE_INTERVAL_H

#include <float.h>
#include <math.h>

#include "../../include/witness/base.h"

/* Comparisons, not fmin and fmax: those are calls, and no interval here holds a NaN. */
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline wit_interval iv(double lo, double hi)
{
    wit_interval r = {lo, hi};
    return r;
}

static inline wit_interval iv_point(double x)
{
    return iv(x, x);
}

static inline wit_interval iv_add(wit_interval a, wit_interval b)
{
    return iv(a.lo + b.lo, a.hi + b.hi);
}

static inline wit_interval iv_sub(wit_interval a, wit_interval b)
{
    return iv(a.lo - b.hi, a.hi - b.lo);
}

static inline wit_interval iv_scale(double s, wit_interval a)
{
    return s >= 0 ? iv(s * a.lo, s * a.hi) : iv(s * a.hi, s * a.lo);
}

static inline wit_interval iv_mul(wit_interval a, wit_interval b)
{
    double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
    return iv(smaller(smaller(p, q), smaller(r, s)), larger(larger(p, q), larger(r, s)));
}

static inline wit_interval iv_square(wit_interval a)
{
    double p = a.lo * a.lo, q = a.hi * a.hi;
    return iv(a.lo <= 0 && a.hi >= 0 ? 0 : smaller(p, q), larger(p, q));
}

static inline wit_interval iv_union(wit_interval a, wit_interval b)
{
    return iv(smaller(a.lo, b.lo), larger(a.hi, b.hi));
}

static inline double iv_mag(wit_interval a) /* largest absolute value */
{
    return larger(fabs(a.lo), fabs(a.hi));
}

static inline double iv_mig(wit_interval a) /* smallest absolute value */
{
    return a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0;
}

static inline double iv_mid(wit_interval a)
{
    return 0.5 * (a.lo + a.hi);
}

static inline double iv_width(wit_interval a)
{
    return a.hi - a.lo;
}

/* Outwards by `margin` and one unit in the last place. */
static inline wit_interval iv_widen(wit_interval a, double margin)
{
    return iv(a.lo - margin - DBL_EPSILON * fabs(a.lo), a.hi + margin + DBL_EPSILON * fabs(a.hi));
}

#endif
