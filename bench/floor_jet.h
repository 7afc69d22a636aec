/* SPDX-License-Identifier: MIT */
/* The jet of a NURBS cell with everything but the arithmetic left out; see floor.c. Cells are polynomials of
 * (x, y, z, w) in powers of (u - middle), one record per cell: middle u, middle v, 0, 0, then 4 (degree + 1)^2
 * coefficients. */
#ifndef BENCH_FLOOR_JET_H
#define BENCH_FLOOR_JET_H

#include <stdbool.h>
#include <string.h>

#include "../include/witness/geom.h"

typedef long double poly[4]; /* in powers of x - middle */

static inline int floor_spans(const double* knots, int degree, int count, int* list)
{
    int n = 0;
    for (int k = degree; k < count; k++)
        if (knots[k] < knots[k + 1]) list[n++] = k;
    return n;
}

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define INLINE static inline __attribute__((always_inline)) TARGET

typedef __m256d v4;

static inline long floor_stride(int degree)
{
    return 4 + 4 * (degree + 1) * (degree + 1);
}

/* The functions of degree `degree` that do not vanish on span k, as polynomials: the recursion of Cox and de Boor. */
static inline void floor_basis(const double* t, int degree, int k, poly out[4])
{
    long double middle = 0.5L * ((long double)t[k] + t[k + 1]);
    memset(out, 0, 4 * sizeof *out);
    out[0][0] = 1;
    for (int q = 1; q <= degree; q++)
        for (int b = q; b >= 0; b--) { /* N_i,q with i = k - q + b from N_i,q-1 at b - 1 and N_i+1,q-1 at b */
            int i = k - q + b;
            poly r = {0, 0, 0, 0};
            long double left = (long double)t[i + q] - t[i], right = (long double)t[i + q + 1] - t[i + 1];
            for (int e = 0; e < 4; e++) {
                if (b > 0) r[e] += (middle - t[i]) / left * out[b - 1][e];
                if (b > 0 && e > 0) r[e] += out[b - 1][e - 1] / left;
                if (b < q) r[e] += (t[i + q + 1] - middle) / right * out[b][e];
                if (b < q && e > 0) r[e] -= out[b][e - 1] / right;
            }
            memcpy(out[b], r, sizeof r);
        }
}

static inline void floor_cell(const wit_surface_def* d, int ku, int kv, double* record)
{
    int p = d->degree_u;
    poly bu[4], bv[4];
    floor_basis(d->knots_u, p, ku, bu);
    floor_basis(d->knots_v, p, kv, bv);
    record[0] = 0.5 * (d->knots_u[ku] + d->knots_u[ku + 1]);
    record[1] = 0.5 * (d->knots_v[kv] + d->knots_v[kv + 1]);
    for (int e = 0; e <= p; e++)
        for (int f = 0; f <= p; f++) {
            long double sum[4] = {0, 0, 0, 0};
            for (int i = 0; i <= p; i++)
                for (int j = 0; j <= p; j++) {
                    int m = (ku - p + i) * d->count_v + kv - p + j;
                    long double n = bu[i][e] * bv[j][f] * (d->weights ? d->weights[m] : 1);
                    for (int c = 0; c < 3; c++) sum[c] += n * d->points[3 * m + c];
                    sum[3] += n;
                }
            for (int c = 0; c < 4; c++) record[4 + 4 * (e * (p + 1) + f) + c] = (double)sum[c];
        }
}

/* Value, first derivative and half the second of c0 + c1 t + ... */
INLINE void horner(int p, const v4* c, v4 t, v4* f, v4* f1, v4* f2)
{
    v4 a = _mm256_fmadd_pd(c[p], t, c[p - 1]), b = _mm256_fmadd_pd(c[p], t, a);
    if (p == 2) {
        *f = _mm256_fmadd_pd(a, t, c[0]);
        *f1 = b;
        *f2 = c[2];
    } else {
        v4 e = _mm256_fmadd_pd(a, t, c[1]);
        *f = _mm256_fmadd_pd(e, t, c[0]);
        *f1 = _mm256_fmadd_pd(b, t, e);
        *f2 = _mm256_fmadd_pd(c[3], t, b);
    }
}

INLINE v4 weight(v4 a)
{
    return _mm256_permute4x64_pd(a, 0xff);
}

INLINE void floor_jet(int p, bool rational, const double* record, double u, double v, double* out)
{
    const v4* c = (const v4*)(const void*)(record + 4);
    v4 s = _mm256_set1_pd(u - record[0]), t = _mm256_set1_pd(v - record[1]), r0[4], r1[4], r2[4];
    v4 f, fs, fss, ft, fst, ftt, unused;
    for (int i = 0; i <= p; i++) horner(p, c + i * (p + 1), t, &r0[i], &r1[i], &r2[i]);
    horner(p, r0, s, &f, &fs, &fss);
    horner(p, r1, s, &ft, &fst, &unused);
    horner(p, r2, s, &ftt, &unused, &unused);
    if (rational) {
        v4 ws = weight(fs), wt = weight(ft), iw = _mm256_div_pd(_mm256_set1_pd(1), weight(f));
        f = _mm256_mul_pd(f, iw);
        v4 ss = _mm256_fnmadd_pd(weight(fss), f, fss), st = _mm256_fnmadd_pd(weight(fst), f, fst);
        v4 tt = _mm256_fnmadd_pd(weight(ftt), f, ftt);
        fs = _mm256_mul_pd(_mm256_fnmadd_pd(ws, f, fs), iw);
        ft = _mm256_mul_pd(_mm256_fnmadd_pd(wt, f, ft), iw);
        fss = _mm256_mul_pd(_mm256_fnmadd_pd(ws, fs, ss), iw);
        ftt = _mm256_mul_pd(_mm256_fnmadd_pd(wt, ft, tt), iw);
        fst = _mm256_mul_pd(_mm256_fnmadd_pd(wt, fs, _mm256_fnmadd_pd(ws, ft, st)), iw);
    }
    _mm256_storeu_pd(out, f); /* the fourth lane is overwritten by the next store, the last by the next jet */
    _mm256_storeu_pd(out + 3, fs);
    _mm256_storeu_pd(out + 6, ft);
    _mm256_storeu_pd(out + 9, _mm256_add_pd(fss, fss));
    _mm256_storeu_pd(out + 12, fst);
    _mm256_storeu_pd(out + 15, _mm256_add_pd(ftt, ftt));
}

#endif

#endif
