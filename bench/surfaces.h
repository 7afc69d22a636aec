/* SPDX-License-Identifier: MIT */
/* The surfaces and the parameters that everybody is measured on. */
#ifndef BENCH_SURFACES_H
#define BENCH_SURFACES_H

#include "../include/witness/geom.h"

enum { BENCH_SURFACES = 3, BENCH_MAX_COUNT = 20, BENCH_MAX_KNOTS = BENCH_MAX_COUNT + WIT_MAX_DEGREE + 1 };

typedef struct bench_surface {
    const char* name;
    const char* key;
    wit_surface_def def; /* points into the arrays below: do not copy the struct */
    double knots_u[BENCH_MAX_KNOTS], knots_v[BENCH_MAX_KNOTS];
    double points[3 * BENCH_MAX_COUNT * BENCH_MAX_COUNT];
    double weights[BENCH_MAX_COUNT * BENCH_MAX_COUNT];
} bench_surface;

/* 0: Table I, degree 2 polynomial, 5x5 points. 1: degree 3 rational, 20x20. 2: rational torus, degree 2, 9x9. */
void bench_surface_make(int which, bench_surface* out);

/* Pairs u, v along a smooth closed curve through the parameter rectangle, steps of about 1e-3 of the range... */
void bench_path(const bench_surface* s, long count, double* uv);
/* ...and anywhere in it. */
void bench_random(const bench_surface* s, long count, double* uv);

#endif
