/* SPDX-License-Identifier: MIT */
/* Random legal NURBS defs: every degree, multiplicity up to C0, clamped, unclamped and periodic knots, weights 0.1 to 10. */
#ifndef TESTS_RANDOM_SPLINE_H
#define TESTS_RANDOM_SPLINE_H

#include <math.h>

#include "../include/witness/geom.h"
#include "random.h"

enum { SPLINE_POINTS = 56, SPLINE_KNOTS = 2 * SPLINE_POINTS };

/* No more than these; fewer for the degrees of the fast kernels, of which many are made. */
static inline int random_points_most(int degree)
{
    return degree <= 9 ? 24 : SPLINE_POINTS;
}

typedef struct random_surface {
    wit_surface_def def;
    double knots_u[SPLINE_KNOTS], knots_v[SPLINE_KNOTS];
    double points[3 * SPLINE_POINTS * SPLINE_POINTS], weights[SPLINE_POINTS * SPLINE_POINTS];
} random_surface;

typedef struct random_curve {
    wit_curve_def def;
    double knots[SPLINE_KNOTS], points[3 * SPLINE_POINTS], weights[SPLINE_POINTS];
} random_curve;

/* Distinct inner knots with random multiplicities up to `degree` (C0). Returns the number of points. */
static inline int random_knots(rng* r, int degree, bool periodic, double* knots, int* count)
{
    int n = 0, spans = 1 + rng_int(r, 4), most = random_points_most(degree);
    double x = rng_range(r, -1, 1);
    if (periodic) {
        for (int s = 0; s < spans + 1 || n < degree + 1; ++s, x += rng_range(r, 0.2, 2))
            for (int m = 1 + rng_int(r, degree); m > 0 && n < most - 1; --m) knots[n++] = x;
        knots[n] = x;
        *count = n + 1;
        return n;
    }
    bool clamped = rng_int(r, 3) > 0;
    for (int i = 0; i <= degree; ++i) {
        knots[n++] = x;
        if (!clamped) x += rng_range(r, 0.2, 2);
    }
    if (clamped) x += rng_range(r, 0.2, 2);
    for (int s = 1; s < spans; ++s, x += rng_range(r, 0.2, 2))
        for (int m = rng_int(r, 3) ? 1 : 1 + rng_int(r, degree); m > 0 && n < most; --m) knots[n++] = x;
    for (int i = 0; i <= degree; ++i) {
        knots[n++] = x;
        if (!clamped) x += rng_range(r, 0.2, 2);
    }
    *count = n;
    return n - degree - 1;
}

static inline void random_points(rng* r, int n, double scale, double* points)
{
    wit_vec3 centre; /* one draw per statement: C does not order those of one expression */
    centre.x = rng_range(r, -1, 1);
    centre.y = rng_range(r, -1, 1);
    centre.z = rng_range(r, -1, 1);
    for (int i = 0; i < n; ++i) {
        points[3 * i] = scale * (centre.x + rng_range(r, -1, 1));
        points[3 * i + 1] = scale * (centre.y + rng_range(r, -1, 1));
        points[3 * i + 2] = scale * (centre.z + rng_range(r, -1, 1));
    }
}

static inline void random_weights(rng* r, int n, double* weights)
{
    for (int i = 0; i < n; ++i) weights[i] = pow(10, rng_range(r, -1, 1));
}

static inline void random_surface_make(rng* r, int degree_u, int degree_v, double scale, random_surface* out)
{
    wit_surface_def* d = &out->def;
    *d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d->degree_u = degree_u;
    d->degree_v = degree_v;
    d->periodic_u = rng_int(r, 4) == 0;
    d->periodic_v = rng_int(r, 4) == 0;
    d->count_u = random_knots(r, degree_u, d->periodic_u, out->knots_u, &d->knot_count_u);
    d->count_v = random_knots(r, degree_v, d->periodic_v, out->knots_v, &d->knot_count_v);
    d->knots_u = out->knots_u;
    d->knots_v = out->knots_v;
    random_points(r, d->count_u * d->count_v, scale, out->points);
    d->points = out->points;
    random_weights(r, d->count_u * d->count_v, out->weights);
    d->weights = rng_int(r, 3) ? out->weights : NULL;
}

static inline void random_curve_make(rng* r, int degree, double scale, random_curve* out)
{
    wit_curve_def* d = &out->def;
    *d = wit_curve_default_def(WIT_CURVE_NURBS);
    d->degree = degree;
    d->periodic = rng_int(r, 4) == 0;
    d->count = random_knots(r, degree, d->periodic, out->knots, &d->knot_count);
    d->knots = out->knots;
    random_points(r, d->count, scale, out->points);
    d->points = out->points;
    random_weights(r, d->count, out->weights);
    d->weights = rng_int(r, 3) ? out->weights : NULL;
}

/* A parameter of the range, sometimes a knot or an end. */
static inline double random_parameter(rng* r, const double* breaks, int count)
{
    int k = rng_int(r, count);
    if (rng_int(r, 4) == 0) return breaks[k];
    return rng_range(r, breaks[0], breaks[count - 1]);
}

#endif
