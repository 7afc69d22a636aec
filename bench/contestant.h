/* SPDX-License-Identifier: MIT */
/* What is measured: an evaluator of jets (value and the five derivatives to order 2) of a NURBS surface. */
#ifndef BENCH_CONTESTANT_H
#define BENCH_CONTESTANT_H

#include "../include/witness/geom.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { JET = 18 }; /* p, du, dv, duu, duv, dvv, three doubles each, as in wit_surface_jet */

/* Parameters u, v in pairs. `known` is what an evaluator that is told the cell may use: see floor.c. */
typedef struct bench_input {
    long count;
    const double* uv;
    const int32_t* known;
} bench_input;

typedef struct contestant {
    const char* name;
    const char* key; /* one word, for the table of instruction counts */
    /* Null when this machine or build does not have it. The def outlives the result. */
    void* (*create)(const wit_surface_def* def);
    void (*destroy)(void* self);
    /* All jets of the input, one after the other; each is left in memory where the next may overwrite it. */
    void (*run)(void* self, const bench_input* input);
    /* The jet of input k, for checking. */
    void (*jet)(void* self, const bench_input* input, long k, double out[JET]);
} contestant;

extern const contestant witness_avx2, witness_portable, floor_avx2;
extern const contestant sisl_s1421;              /* with BENCH_SISL */
extern const contestant occt_plain, occt_cached; /* with BENCH_OCCT */

/* The cells of floor.c for each pair of uv: what "the cell is known" means. */
void floor_know(const wit_surface_def* def, long count, const double* uv, int32_t* known);

#ifdef __cplusplus
}
#endif

#endif
