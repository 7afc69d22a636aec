/* SPDX-License-Identifier: MIT */
/* A local search from a given start, to see where the papers' far phase leads: what follows it there is local too. */
#ifndef BENCH_NEAR_PHASE_H
#define BENCH_NEAR_PHASE_H

#include "../include/witness/query.h"

typedef struct near_place {
    const wit_placed* at; /* null: the point p */
    wit_feature_kind kind;
    int id;
    double u, v;
    wit_vec3 p; /* world */
} near_place;

near_place near_point(wit_vec3 point);
near_place near_start(const wit_placed* at, const wit_witness* start);

/*
 * Newton on the joint system of the free parameters, held at the borders of the faces (saturated), Gauss-Newton where the
 * matrix is not positive definite, steps halved until the distance falls: it never leaves the basin upwards. A foot
 * outside the loops of its face goes over to the nearest of the face's edges. Returns the distance reached.
 */
double near_search(near_place* a, near_place* b);

#endif
