/* SPDX-License-Identifier: MIT */
/*
 * Numbers as an unevaluated sum hi + lo of two doubles, about 106 bits, from IEEE operations alone
 * (Dekker, Knuth): the same bits on every machine. Used while building, where rounding would otherwise
 * be amplified. Needs -ffp-contract=off.
 */
#ifndef BASE_TWOFOLD_H
#define BASE_TWOFOLD_H

typedef struct twofold {
    double hi, lo;
} twofold;

static inline twofold two(double x)
{
    twofold r = {x, 0};
    return r;
}

/* a + b exactly. */
static inline twofold two_sum(double a, double b)
{
    double s = a + b, bb = s - a;
    twofold r = {s, (a - (s - bb)) + (b - bb)};
    return r;
}

/* The same for |a| >= |b|. */
static inline twofold two_fast_sum(double a, double b)
{
    double s = a + b;
    twofold r = {s, b - (s - a)};
    return r;
}

/* a b exactly, for |a|, |b| below 1e290: split each factor in halves of 26 bits. */
static inline twofold two_product(double a, double b)
{
    const double split = 134217729; /* 2^27 + 1 */
    double p = a * b, ta = split * a, tb = split * b;
    double ah = ta - (ta - a), al = a - ah, bh = tb - (tb - b), bl = b - bh;
    twofold r = {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
    return r;
}

static inline twofold two_add(twofold a, twofold b)
{
    twofold s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    s = two_fast_sum(s.hi, s.lo + t.hi);
    return two_fast_sum(s.hi, s.lo + t.lo);
}

static inline twofold two_neg(twofold a)
{
    twofold r = {-a.hi, -a.lo};
    return r;
}

static inline twofold two_mul(twofold a, twofold b)
{
    twofold p = two_product(a.hi, b.hi);
    return two_fast_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline twofold two_div(twofold a, twofold b)
{
    double q = a.hi / b.hi;
    twofold r = two_add(a, two_neg(two_mul(two(q), b)));
    return two_fast_sum(q, r.hi / b.hi);
}

#endif
