/* SPDX-License-Identifier: MIT */
/* A random surface of any kind: quadrics from analytic.h, swept ones with a random spline as profile, splines. */
#ifndef TESTS_RANDOM_SURFACE_H
#define TESTS_RANDOM_SURFACE_H

#include "analytic.h"
#include "random_spline.h"

static inline wit_surface* random_swept(rng* r, wit_surface_kind kind, double size)
{
    random_curve* profile = test_malloc(sizeof *profile);
    int degree = 1 + rng_int(r, 4);
    random_curve_make(r, degree, size, profile);
    wit_curve* c = curve_made(&profile->def);
    wit_surface_def d = wit_surface_default_def(kind);
    d.frame = random_frame(r, size);
    d.profile = c;
    if (kind == WIT_SURFACE_REVOLUTION && rng_int(r, 2)) d.range_u = random_part(r, -3, 3);
    d.direction = random_unit(r);
    if (kind == WIT_SURFACE_EXTRUSION) d.range_v = random_part(r, -2 * size, 2 * size);
    wit_surface* s = surface_made(&d);
    wit_curve_destroy(c);
    test_free(profile);
    return s;
}

static inline wit_surface* random_any_surface(rng* r, wit_surface_kind kind, double size)
{
    if (kind == WIT_SURFACE_REVOLUTION || kind == WIT_SURFACE_EXTRUSION) return random_swept(r, kind, size);
    if (kind != WIT_SURFACE_NURBS) {
        wit_surface_def d = random_quadric(r, kind, size);
        return surface_made(&d);
    }
    random_surface* spline = test_malloc(sizeof *spline);
    int p = 1 + rng_int(r, 5);
    int q = 1 + rng_int(r, 5);
    random_surface_make(r, p, q, size, spline);
    wit_surface* s = surface_made(&spline->def);
    test_free(spline);
    return s;
}

#endif
