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

#include "floor_jet.h"

void floor_know(const wit_surface_def* def, long count, const double* uv, int32_t* known)
{
    int ku[64], kv[64], nu = floor_spans(def->knots_u, def->degree_u, def->count_u, ku);
    int nv = floor_spans(def->knots_v, def->degree_v, def->count_v, kv);
    for (long m = 0; m < count; m++) {
        int i = nu - 1, j = nv - 1;
        while (i > 0 && uv[2 * m] < def->knots_u[ku[i]]) i--;
        while (j > 0 && uv[2 * m + 1] < def->knots_v[kv[j]]) j--;
        known[m] = i * nv + j;
    }
}

#if defined(__x86_64__)

enum { RING = 16 };

typedef struct floor_state {
    int degree, cells_u, cells_v;
    bool rational;
    long stride;   /* doubles per record: middle u, middle v, 0, 0, then 4 (degree + 1)^2 coefficients */
    double* cells; /* aligned to 32 bytes inside block */
    void* block;
    double ring[RING * JET + 4];
} floor_state;

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
    s->cells_u = floor_spans(def->knots_u, def->degree_u, def->count_u, ku);
    s->cells_v = floor_spans(def->knots_v, def->degree_v, def->count_v, kv);
    s->stride = floor_stride(s->degree);
    size_t doubles = (size_t)(s->cells_u * s->cells_v * s->stride);
    s->block = malloc((doubles + 4) * sizeof(double));
    if (!s->block) {
        floor_destroy(s);
        return NULL;
    }
    s->cells = (double*)(void*)(((uintptr_t)s->block + 31) & ~(uintptr_t)31);
    memset(s->cells, 0, doubles * sizeof(double));
    for (int i = 0; i < s->cells_u; i++)
        for (int j = 0; j < s->cells_v; j++) floor_cell(def, ku[i], kv[j], s->cells + (i * s->cells_v + j) * s->stride);
    return s;
}

INLINE void floor_loop(int p, bool rational, floor_state* s, const bench_input* in)
{
    const bench_input i = *in;
    const double* cells = s->cells;
    for (long k = 0; k < i.count; k++) {
        floor_jet(p, rational, cells + i.known[k] * floor_stride(p), i.uv[2 * k], i.uv[2 * k + 1],
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
