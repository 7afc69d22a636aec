/* SPDX-License-Identifier: MIT */
#include "taylor.h"

#include <string.h>

#include "../../include/witness/base.h"
#include "../base/twofold.h"

#define UNIT (0.505 * DBL_EPSILON) /* one rounding, and what higher powers of it add up to */
#define FAR 2.0                    /* angles that vary by more: the series would be of no use */

taylor wi_taylor_constant(double value)
{
    taylor a = {.c = {value}};
    return a;
}

taylor wi_taylor_between(double a, double b)
{
    double middle = a + 0.5 * (b - a);
    taylor t = {.c = {middle, larger(fabs(b - middle), fabs(middle - a)) * (1 + DBL_EPSILON)}, .n = 1};
    if (b < a) t.c[1] = -t.c[1];
    return t;
}

static double size_from(const taylor* a, int first)
{
    double sum = 0;
    for (int k = first; k <= a->n; ++k) sum += fabs(a->c[k]);
    return sum;
}

wit_interval wi_taylor_range(const taylor* a)
{
    double bend = 0, rest = a->r * (1 + 1e-9);
    if (a->n == 0) return iv(a->c[0] - rest, a->c[0] + rest);
    for (int k = 2; k <= a->n; ++k) bend += k * fabs(a->c[k]);
    if (fabs(a->c[1]) > bend * (1 + 1e-12)) { /* monotone */
        double lo = wi_taylor_at(a, -1), hi = wi_taylor_at(a, 1);
        rest += (a->n + 1) * DBL_EPSILON * size_from(a, 0);
        return iv(smaller(lo, hi) - rest, larger(lo, hi) + rest);
    }
    double up = a->c[2] + a->c[1], down = a->c[2] - a->c[1];
    wit_interval q = iv(smaller(0, smaller(up, down)), larger(0, larger(up, down)));
    if (fabs(a->c[1]) >= 2 * fabs(a->c[2])) /* no turn inside, where it would be at -c1 / (2 c2) */
        q = iv(smaller(up, down), larger(up, down));
    else if (a->c[2] > 0)
        q.lo = -0.25 * a->c[1] * a->c[1] / a->c[2];
    else
        q.hi = -0.25 * a->c[1] * a->c[1] / a->c[2];
    rest += size_from(a, 3) + 4 * DBL_EPSILON * size_from(a, 0);
    return iv(a->c[0] + q.lo - rest, a->c[0] + q.hi + rest);
}

double wi_taylor_reach(const taylor* a)
{
    return size_from(a, 0) * (1 + 16 * DBL_EPSILON) + a->r * (1 + 1e-9);
}

double wi_taylor_at(const taylor* a, double x)
{
    double sum = 0;
    for (int k = a->n; k >= 0; --k) sum = sum * x + a->c[k];
    return sum;
}

static void trim(taylor* a)
{
    while (a->n > 0 && a->c[a->n] == 0) --a->n;
}

void wi_taylor_scale(double scale, const taylor* a, taylor* out)
{
    double size = 0;
    *out = *a;
    for (int k = 0; k <= a->n; ++k) size += fabs(out->c[k] = scale * a->c[k]);
    out->r = fabs(scale) * a->r + UNIT * size;
}

void wi_taylor_add(const taylor* a, double scale, const taylor* b, taylor* out)
{
    int n = a->n > b->n ? a->n : b->n;
    double size = 0, r = a->r + fabs(scale) * b->r;
    /* Constants may be large and cancel: what is rounded there is known exactly. */
    twofold p0 = two_product(scale, b->c[0]), s0 = two_sum(a->c[0], p0.hi);
    r += fabs(p0.lo) + fabs(s0.lo);
    out->c[0] = s0.hi;
    for (int k = 1; k <= n; ++k) {
        double p = scale * b->c[k], s = a->c[k] + p;
        size += fabs(p) + fabs(s);
        out->c[k] = s;
    }
    for (int k = n + 1; k <= TAYLOR_ORDER; ++k) out->c[k] = 0;
    out->n = n;
    out->r = r + UNIT * size;
    trim(out);
}

void wi_taylor_mul(const taylor* a, const taylor* b, taylor* out)
{
    double size_a = size_from(a, 0), size_b = size_from(b, 0), left = 0;
    int all = a->n + b->n, n = all < TAYLOR_ORDER ? all : TAYLOR_ORDER, terms = 1 + (a->n < b->n ? a->n : b->n);
    memset(out->c, 0, sizeof out->c);
    for (int i = 0; i <= a->n; ++i) {
        int last = b->n < n - i ? b->n : n - i;
        double f = a->c[i], *c = out->c + i;
        for (int j = 0; j <= last; ++j) c[j] += f * b->c[j];
        if (last < b->n) left += fabs(f) * size_from(b, last + 1);
    }
    out->n = n;
    out->r = a->r * (size_b + b->r) + size_a * b->r + left + terms * UNIT * size_a * size_b;
    trim(out);
}

/* With q the first terms of the series of 1 / a and d = 1 - a q: 1 / a = q / (1 - d). */
void wi_taylor_inverse(const taylor* a, taylor* out)
{
    taylor q = {.n = TAYLOR_ORDER}, d;
    q.c[0] = 1 / a->c[0];
    for (int k = 1; k <= TAYLOR_ORDER; ++k) {
        double sum = 0;
        for (int i = 1; i <= k && i <= a->n; ++i) sum += a->c[i] * q.c[k - i];
        q.c[k] = -q.c[0] * sum;
    }
    if (a->n == 0) q.n = 0;
    wi_taylor_mul(a, &q, &d);
    d.c[0] -= 1;
    double off = wi_taylor_reach(&d) + DBL_EPSILON;
    *out = q;
    out->r = off < 0.5 ? wi_taylor_reach(&q) * off / (1 - off) : INFINITY;
}

void wi_taylor_polynomial(const double* c, int n, int stride, const taylor* a, taylor* out)
{
    taylor s = wi_taylor_constant(c[n * stride]), p;
    for (int k = n - 1; k >= 0; --k) {
        wi_taylor_mul(&s, a, &p);
        p.c[0] += c[k * stride];
        p.r += UNIT * fabs(p.c[0]);
        s = p;
    }
    *out = s;
}

/* sin d / d and cos d (hyperbolic: sign = 1) as power series of d^2, d = a - a.c[0] without its remainder. */
static void series_of(const taylor* a, double sign, taylor* sine, taylor* cosine)
{
    double c[TAYLOR_ORDER / 2 + 1], s[TAYLOR_ORDER / 2 + 1], f = 1;
    taylor d = *a, dd, ratio;
    d.c[0] = d.r = 0;
    for (int k = 0; 2 * k <= TAYLOR_ORDER; ++k) {
        c[k] = k ? f *= sign / (2 * k) : f;
        s[k] = f *= 1.0 / (2 * k + 1);
    }
    wi_taylor_mul(&d, &d, &dd);
    wi_taylor_polynomial(c, TAYLOR_ORDER / 2, 1, &dd, cosine);
    wi_taylor_polynomial(s, TAYLOR_ORDER / 2 - 1, 1, &dd, &ratio); /* up to d^11 */
    wi_taylor_mul(&ratio, &d, sine);
    double reach = wi_taylor_reach(&d), rest = 1; /* the first term left out, and what follows: at most the double */
    for (int k = 1; k <= TAYLOR_ORDER + 1; ++k) rest *= reach / k;
    sine->r += 2 * rest + 8 * UNIT * reach; /* coefficients are off by some units */
    cosine->r += 2 * rest * reach + 8 * UNIT * reach * reach;
}

/* sin(m + d) = sin m cos d + cos m sin d, and so on. What a is off by, the sine and cosine are off by at most. */
void wi_taylor_sincos(const taylor* a, taylor* sine, taylor* cosine)
{
    taylor s, c;
    double sm, cm, noise = 2.2e-16;
    wit_sincos(a->c[0], &sm, &cm);
    if (a->n == 0) {
        *sine = wi_taylor_constant(sm);
        *cosine = wi_taylor_constant(cm);
    } else if (!(size_from(a, 1) <= FAR) || fabs(a->c[0]) > 1e6) {
        *sine = *cosine = wi_taylor_constant(0);
        sine->r = cosine->r = 1;
        return;
    } else {
        series_of(a, -1, &s, &c);
        wi_taylor_scale(sm, &c, sine);
        wi_taylor_add(sine, cm, &s, sine);
        wi_taylor_scale(cm, &c, cosine);
        wi_taylor_add(cosine, -sm, &s, cosine);
    }
    sine->r += a->r + noise;
    cosine->r += a->r + noise;
}

void wi_taylor_sinhcosh(const taylor* a, taylor* sine, taylor* cosine)
{
    taylor s, c;
    double sm, cm, steepest, other;
    wit_sinhcosh(a->c[0], &sm, &cm);
    wit_sinhcosh(wi_taylor_reach(a), &other, &steepest);
    series_of(a, 1, &s, &c);
    wi_taylor_scale(sm, &c, sine);
    wi_taylor_add(sine, cm, &s, sine);
    wi_taylor_scale(cm, &c, cosine);
    wi_taylor_add(cosine, sm, &s, cosine);
    double more = steepest * (a->r + 4 * DBL_EPSILON);
    sine->r = (size_from(a, 1) <= FAR ? sine->r : INFINITY) + more;
    cosine->r = (size_from(a, 1) <= FAR ? cosine->r : INFINITY) + more;
}
