/* SPDX-License-Identifier: MIT */
/* SISL's s1421, which returns the normal as well. Its span hints are kept from call to call. */
#include "peer_sisl.h"

#include <stdlib.h>
#include <string.h>

#include "contestant.h"

enum { RING = 16 };

typedef struct sisl_state {
    SISLSurf* surface;
    int left_u, left_v;
    double ring[RING][JET], normal[3];
} sisl_state;

/* SISL takes u fastest and, for rational surfaces (kind 2), points multiplied by their weights. */
SISLSurf* sisl_surface(const wit_surface_def* d)
{
    int nu = d->count_u, nv = d->count_v, dim = d->weights ? 4 : 3;
    SISLSurf* s = NULL;
    double* c = malloc((size_t)(nu * nv * dim) * sizeof *c);
    double* ku = malloc((size_t)d->knot_count_u * sizeof *ku);
    double* kv = malloc((size_t)d->knot_count_v * sizeof *kv);
    if (c && ku && kv) {
        memcpy(ku, d->knots_u, (size_t)d->knot_count_u * sizeof *ku);
        memcpy(kv, d->knots_v, (size_t)d->knot_count_v * sizeof *kv);
        for (int i = 0; i < nu; i++)
            for (int j = 0; j < nv; j++) {
                double w = d->weights ? d->weights[i * nv + j] : 1, *to = c + (j * nu + i) * dim;
                for (int k = 0; k < 3; k++) to[k] = w * d->points[3 * (i * nv + j) + k];
                if (dim == 4) to[3] = w;
            }
        s = newSurf(nu, nv, d->degree_u + 1, d->degree_v + 1, ku, kv, c, d->weights ? 2 : 1, 3, 1);
    }
    free(c);
    free(ku);
    free(kv);
    return s;
}

static void* create(const wit_surface_def* d)
{
    sisl_state* s = calloc(1, sizeof *s);
    if (s) s->surface = sisl_surface(d);
    if (s && s->surface) return s;
    free(s);
    return NULL;
}

static void destroy(void* self)
{
    sisl_state* s = self;
    if (s) freeSurf(s->surface);
    free(s);
}

static void run(void* self, const bench_input* in)
{
    sisl_state* s = self;
    for (long k = 0; k < in->count; k++) {
        double at[2] = {in->uv[2 * k], in->uv[2 * k + 1]};
        int status;
        s1421(s->surface, 2, at, &s->left_u, &s->left_v, s->ring[k & (RING - 1)], s->normal, &status);
    }
}

static void jet(void* self, const bench_input* in, long k, double out[JET])
{
    sisl_state* s = self;
    bench_input one = {1, in->uv + 2 * k, NULL};
    run(s, &one);
    memcpy(out, s->ring[0], JET * sizeof(double));
}

const contestant sisl_s1421 = {"SISL s1421", "sisl", create, destroy, run, jet};
