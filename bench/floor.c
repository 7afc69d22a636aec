/* SPDX-License-Identifier: MIT */
/*
 * The floor: how fast a jet can be when everything but the arithmetic is left out. The cell is known
 * beforehand, its polynomial is in powers of (u - middle), unscaled, one record per cell; parameters are
 * not checked, nothing is wrapped, no degenerate place is looked for; the degree is a constant and all loops
 * are inlined into the caller. It answers for degree 2 polynomials and degrees 2 and 3 rational, no more.
 */
#include "contestant.h"

#include <stdlib.h>
#include <string.h>

typedef long double poly[4]; /* in powers of x - middle */

static int spans(const double* knots, int degree, int count, int* list)
{
    int n = 0;
    for (int k = degree; k < count; k++)
        if (knots[k] < knots[k + 1]) list[n++] = k;
    return n;
}

void floor_know(const wit_surface_def* def, long count, const double* uv, int32_t* known)
{
    int ku[64], kv[64], nu = spans(def->knots_u, def->degree_u, def->count_u, ku);
    int nv = spans(def->knots_v, def->degree_v, def->count_v, kv);
    for (long m = 0; m < count; m++) {
        int i = nu - 1, j = nv - 1;
        while (i > 0 && uv[2 * m] < def->knots_u[ku[i]]) i--;
        while (j > 0 && uv[2 * m + 1] < def->knots_v[kv[j]]) j--;
        known[m] = i * nv + j;
    }
}

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define INLINE static inline __attribute__((always_inline)) TARGET
enum { RING = 16 };

typedef __m256d v4;

typedef struct floor_state {
    int degree, cells_u, cells_v;
    bool rational;
    long stride;   /* doubles per record: middle u, middle v, 0, 0, then 4 (degree + 1)^2 coefficients */
    double* cells; /* aligned to 32 bytes inside block */
    void* block;
    double ring[RING * JET + 4];
} floor_state;

/* The functions of degree `degree` that do not vanish on span k, as polynomials: the recursion of Cox and de Boor. */
static void basis(const double* t, int degree, int k, poly out[4])
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

static void build_cell(const wit_surface_def* d, int ku, int kv, double* record)
{
    int p = d->degree_u;
    poly bu[4], bv[4];
    basis(d->knots_u, p, ku, bu);
    basis(d->knots_v, p, kv, bv);
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

static void floor_destroy(void* self)
{
    floor_state* s = self;
    if (s) free(s->block);
    free(s);
}

static void* floor_create(const wit_surface_def* def)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return NULL;
    floor_state* s = calloc(1, sizeof *s);
    if (!s) return NULL;
    int ku[64], kv[64];
    s->degree = def->degree_u;
    s->rational = def->weights;
    s->cells_u = spans(def->knots_u, def->degree_u, def->count_u, ku);
    s->cells_v = spans(def->knots_v, def->degree_v, def->count_v, kv);
    s->stride = 4 + 4 * (s->degree + 1) * (s->degree + 1);
    size_t doubles = (size_t)(s->cells_u * s->cells_v * s->stride);
    s->block = malloc((doubles + 4) * sizeof(double));
    if (!s->block) {
        floor_destroy(s);
        return NULL;
    }
    s->cells = (double*)(void*)(((uintptr_t)s->block + 31) & ~(uintptr_t)31);
    memset(s->cells, 0, doubles * sizeof(double));
    for (int i = 0; i < s->cells_u; i++)
        for (int j = 0; j < s->cells_v; j++) build_cell(def, ku[i], kv[j], s->cells + (i * s->cells_v + j) * s->stride);
    return s;
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

INLINE void floor_loop(int p, bool rational, floor_state* s, const bench_input* in)
{
    const bench_input i = *in;
    const double* cells = s->cells;
    for (long k = 0; k < i.count; k++) {
        floor_jet(p, rational, cells + i.known[k] * (4 + 4 * (p + 1) * (p + 1)), i.uv[2 * k], i.uv[2 * k + 1],
                  s->ring + (k & (RING - 1)) * JET);
        __asm__ volatile("" ::: "memory");
    }
}

TARGET static void floor_run(void* self, const bench_input* in)
{
    floor_state* s = self;
    if (!s->rational)
        floor_loop(2, false, s, in);
    else if (s->degree == 2)
        floor_loop(2, true, s, in);
    else
        floor_loop(3, true, s, in);
}

static void floor_one(void* self, const bench_input* in, long k, double out[JET])
{
    floor_state* s = self;
    bench_input one = {1, in->uv + 2 * k, in->known + k};
    floor_run(s, &one);
    memcpy(out, s->ring, JET * sizeof(double));
}

#else

static void* floor_create(const wit_surface_def* def)
{
    (void)def;
    return NULL;
}

static void floor_destroy(void* self)
{
    (void)self;
}

static void floor_run(void* self, const bench_input* in)
{
    (void)self;
    (void)in;
}

static void floor_one(void* self, const bench_input* in, long k, double out[JET])
{
    (void)self;
    (void)in;
    (void)k;
    memset(out, 0, JET * sizeof(double));
}

#endif

const contestant floor_avx2 = {"bare floor, AVX2+FMA", "floor", floor_create, floor_destroy, floor_run, floor_one};
