/* SPDX-License-Identifier: MIT */
/* Witness itself, through its public header, in each set of kernels. */
#include "contestant.h"

#include <stdlib.h>
#include <string.h>

enum { RING = 16 };

typedef struct witness_state {
    wit_surface* surface;
    wit_hint hint;
    wit_surface_jet ring[RING];
} witness_state;

static void* create(const wit_surface_def* def, wit_kernel kernel)
{
    witness_state* s = wit_kernel_available(kernel) ? calloc(1, sizeof *s) : NULL;
    if (!s) return NULL;
    wit_surface_def d = *def;
    d.kernel = kernel;
    s->surface = wit_surface_create(&d, NULL, NULL);
    if (s->surface) return s;
    free(s);
    return NULL;
}

static void* create_avx2(const wit_surface_def* def)
{
    return create(def, WIT_KERNEL_AVX2_FMA);
}

static void* create_portable(const wit_surface_def* def)
{
    return create(def, WIT_KERNEL_PORTABLE);
}

static void destroy(void* self)
{
    witness_state* s = self;
    if (s) wit_surface_destroy(s->surface);
    free(s);
}

static void run(void* self, const bench_input* in)
{
    witness_state* s = self;
    for (long k = 0; k < in->count; k++)
        wit_surface_eval(s->surface, in->uv[2 * k], in->uv[2 * k + 1], 0, &s->hint, &s->ring[k & (RING - 1)]);
}

static void jet(void* self, const bench_input* in, long k, double out[JET])
{
    witness_state* s = self;
    wit_surface_eval(s->surface, in->uv[2 * k], in->uv[2 * k + 1], 0, &s->hint, &s->ring[0]);
    memcpy(out, &s->ring[0], JET * sizeof(double));
}

const contestant witness_avx2 = {"Witness, AVX2+FMA", "witness_avx2", create_avx2, destroy, run, jet};
const contestant witness_portable = {"Witness, portable", "witness_portable", create_portable, destroy, run, jet};
