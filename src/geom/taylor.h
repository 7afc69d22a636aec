/* SPDX-License-Identifier: MIT */
/*
 * Taylor models: a function of x in [-1, 1] is held as a polynomial and the length r that it may be off by. What two
 * functions have in common cancels in their polynomials, so that their difference is bounded as sharply as its own
 * size allows, which intervals of each cannot do.
 *
 * Every operation adds to r what it leaves out and what it rounds: with u = eps / 2, a sum of k products that is computed in
 * double is off by at most 1.01 k u times the sum of their magnitudes. The sums that make up r itself round, too:
 * taylor_range and taylor_reach, which are what leaves this file, allow for 1e-9 of them. No number or infinity: nothing is known.
 */
#ifndef GEOM_TAYLOR_H
#define GEOM_TAYLOR_H

#include "../base/interval.h"

enum { TAYLOR_ORDER = 12 };

typedef struct taylor {
    double c[TAYLOR_ORDER + 1]; /* of x^k; zero above n */
    double r;
    int n; /* degree of the polynomial */
} taylor;

taylor wi_taylor_constant(double value);
/* a at x = -1, b at x = 1; covers all of [a, b] in spite of rounding. */
taylor wi_taylor_between(double a, double b);

/* a + scale b; `out` may be either of them. */
void wi_taylor_add(const taylor* a, double scale, const taylor* b, taylor* out);
void wi_taylor_scale(double scale, const taylor* a, taylor* out);
/* `out` is neither a nor b. */
void wi_taylor_mul(const taylor* a, const taylor* b, taylor* out);
/* 1 / a; nothing is known where a may vanish. */
void wi_taylor_inverse(const taylor* a, taylor* out);
void wi_taylor_sincos(const taylor* a, taylor* sine, taylor* cosine);
void wi_taylor_sinhcosh(const taylor* a, taylor* sine, taylor* cosine);
/* sum of c[k * stride] a^k, k = 0 .. n. */
void wi_taylor_polynomial(const double* c, int n, int stride, const taylor* a, taylor* out);

/* The value at x of the polynomial alone. */
double wi_taylor_at(const taylor* a, double x);
/* All values for |x| <= 1 lie in it: sharp where the polynomial is monotone; else its quadratic part is. */
wit_interval wi_taylor_range(const taylor* a);
/* Upper bound of |a|, for all x. */
double wi_taylor_reach(const taylor* a);

#endif
