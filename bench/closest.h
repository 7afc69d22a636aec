/* SPDX-License-Identifier: MIT */
/* What is measured: cold closest points, from a point to a surface and between two bodies. */
#ifndef BENCH_CLOSEST_H
#define BENCH_CLOSEST_H

#include <stdbool.h>

#include "../include/witness/query.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct closest_answer {
    bool found; /* false: it said that there is none */
    bool certified;
    bool crossing; /* pairs: it says that the bodies overlap */
    double distance;
    double lower, upper; /* where a bracket is given; else 0 and infinity */
    wit_vec3 a, b;       /* the closest points; b of a point query is the point */
    wit_work work;
} closest_answer;

/* From a point to a NURBS surface with its borders. */
typedef struct point_contestant {
    const char* name;
    int stride; /* gets every so many-th point: the slow ones fewer */
    /* Null when it cannot. The def outlives the result. */
    void* (*create)(const wit_surface_def* def);
    void (*destroy)(void* self);
    void (*query)(void* self, wit_vec3 point, closest_answer* out);
} point_contestant;

/* Between the pen and the bowl, each at a pose. */
typedef struct pair_contestant {
    const char* name;
    int stride;
    void* (*create)(const wit_body* pen, const wit_body* bowl); /* peers build their own from the same numbers */
    void (*destroy)(void* self);
    void (*query)(void* self, const wit_pose* pen, const wit_pose* bowl, closest_answer* out);
} pair_contestant;

extern const point_contestant point_witness, point_rigorous, point_far_phase;
extern const point_contestant point_s1954, point_s1958;  /* with BENCH_SISL */
extern const point_contestant point_project, point_brep; /* with BENCH_OCCT */
extern const pair_contestant pair_witness, pair_rigorous, pair_far_phase;
extern const pair_contestant pair_brep; /* with BENCH_OCCT */

/* A body of one face with its natural borders; null if refused. */
wit_body* closest_body(const wit_surface_def* def);

#ifdef __cplusplus
}
#endif

#endif
