/* SPDX-License-Identifier: MIT */
/* Tangents and curvatures of a feature at a place, in arc length, and the Hessian of the distance between two. */
#ifndef PAIR_TANGENT_CHART_H
#define PAIR_TANGENT_CHART_H

#include "side.h"

/*
 * Unit tangents of a feature and its second derivatives by arc length (of a face: n times the second form), at a
 * place of it: what the joint Hessian needs.
 */
typedef struct tangent_chart {
    int n;         /* 2, 1, 0 */
    wit_vec3 e[2]; /* orthonormal */
    wit_vec3 k[3]; /* of (e0, e0), (e0, e1), (e1, e1) */
    bool rough;    /* taken beside a pole: k is right to some 1e-4 only */
} tangent_chart;

/* From a jet; n is 0 where it spans too little. */
tangent_chart wi_chart_of_jet(wit_feature_kind kind, const wit_surface_jet* j);
tangent_chart wi_chart_at(const side* s, const place* at, unsigned below);

/* The Hessian of |a - b|^2 / 2 with respect to the tangents of both charts, gap = a - b; returns its order. */
int wi_joint_hessian(const tangent_chart* a, const tangent_chart* b, wit_vec3 gap, double* h);

/* A parameter a little off one end of its range, where a pole or the tip of a cone may be: towards the middle. */
static inline double beside_pole(wit_interval range, double x)
{
    return x + (x < iv_mid(range) ? 1 : -1) * 1e-5 * iv_width(range);
}

#endif
