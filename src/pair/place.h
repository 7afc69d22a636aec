/* SPDX-License-Identifier: MIT */
/* A place on a feature: which one, its parameters, and the point there. For a bare point: WIT_POINT, -1. */
#ifndef PAIR_PLACE_H
#define PAIR_PLACE_H

#include "../../include/witness/query.h"

typedef struct place {
    wit_feature_kind kind;
    int32_t id;
    union {
        struct {
            double u, v; /* of a face; u is also the parameter of an edge */
        };
        double x[2]; /* the same */
    };
    wit_vec3 p; /* the point there, in the frame of the search; a place that is only followed leaves it unset */
} place;

static inline place place_at(wit_feature_kind kind, int32_t id, double u, double v, wit_vec3 p)
{
    place at = {.kind = kind, .id = id, .u = u, .v = v, .p = p};
    return at;
}

/* How many parameters a feature has: 2, 1, 0. */
static inline int kind_dimension(wit_feature_kind kind)
{
    return kind == WIT_FACE ? 2 : kind == WIT_EDGE ? 1 : 0;
}

/* Number of parameters of a place. */
static inline int place_count(const place* at)
{
    return kind_dimension(at->kind);
}

#endif
