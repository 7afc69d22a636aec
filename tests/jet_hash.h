/* SPDX-License-Identifier: MIT */
/* A hash of the jets of random splines in one kernel set: equal on every machine, or the set does not keep its word. */
#ifndef TESTS_JET_HASH_H
#define TESTS_JET_HASH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "random_spline.h"

/* pow differs between C libraries; weights from a table keep the input equal everywhere. */
static inline void exact_weights(rng* r, int n, double* weights)
{
    static const double choice[5] = {0.125, 0.5, 1, 3, 8};
    for (int i = 0; i < n; ++i) weights[i] = choice[rng_int(r, 5)];
}

static inline uint64_t fnv(uint64_t hash, const void* data, size_t bytes)
{
    const unsigned char* p = data;
    for (size_t i = 0; i < bytes; ++i) hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

static inline void jet_hash_needs(bool good)
{
    if (good) return;
    fputs("a spline of the hash could not be built\n", stderr);
    exit(1);
}

static inline uint64_t hash_of_jets(wit_kernel kernel)
{
    rng r = rng_seed(31);
    static random_surface spline;
    static random_curve line;
    uint64_t hash = 0xcbf29ce484222325u;
    for (int n = 0; n < 300; ++n) {
        random_surface_make(&r, 1 + n % 9, 1 + rng_int(&r, 9), 1, &spline);
        exact_weights(&r, spline.def.count_u * spline.def.count_v, spline.weights);
        spline.def.kernel = kernel;
        wit_surface* s = wit_surface_create(&spline.def, NULL, NULL);
        jet_hash_needs(s != NULL);
        jet_hash_needs(wit_surface_describe(s).kernel == kernel);
        wit_surface_info info = wit_surface_describe(s);
        for (int k = 0; k < 30; ++k) {
            wit_surface_jet jet;
            double u = rng_range(&r, info.range_u.lo, info.range_u.hi),
                   v = rng_range(&r, info.range_v.lo, info.range_v.hi);
            wit_surface_eval(s, u, v, 0, NULL, &jet);
            hash = fnv(hash, &jet, sizeof jet);
        }
        wit_surface_destroy(s);

        random_curve_make(&r, 1 + n % 9, 1, &line);
        exact_weights(&r, line.def.count, line.weights);
        line.def.kernel = kernel;
        wit_curve* c = wit_curve_create(&line.def, NULL, NULL);
        jet_hash_needs(c != NULL);
        wit_interval range = wit_curve_describe(c).range;
        for (int k = 0; k < 30; ++k) {
            wit_curve_jet jet;
            wit_curve_eval(c, rng_range(&r, range.lo, range.hi), 0, NULL, &jet);
            hash = fnv(hash, &jet, sizeof jet);
        }
        wit_curve_destroy(c);
    }
    return hash;
}

#endif
