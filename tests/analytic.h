/* SPDX-License-Identifier: MIT */
/* Random frames and defs of the analytic kinds, and the small arithmetic that their tests share. */
#ifndef TESTS_ANALYTIC_H
#define TESTS_ANALYTIC_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../src/geom/shape.h"
#include "random.h"

#define EPS 2.220446049250313e-16

static inline wit_vec3 random_unit(rng* r)
{
    for (;;) {
        /* One draw per statement: the order of arguments differs between compilers. */
        double x = rng_range(r, -1, 1);
        double y = rng_range(r, -1, 1);
        wit_vec3 v = vec3(x, y, rng_range(r, -1, 1));
        double n = norm3(v);
        if (n > 0.1 && n < 1) return scale3(1 / n, v);
    }
}

static inline wit_vec3 random_vector(rng* r, double shortest, double longest)
{
    double length = rng_range(r, shortest, longest);
    return scale3(length, random_unit(r));
}

static inline wit_frame random_frame(rng* r, double size)
{
    wit_frame f;
    f.origin = random_vector(r, 0, 3 * size);
    f.z = random_vector(r, 0.5, 2);
    do f.x = random_vector(r, 0.5, 2);
    while (norm3(cross3(unit3(f.x), unit3(f.z))) < 0.1);
    return f;
}

static inline void random_axes(rng* r, wit_vec3 axes[3])
{
    axes[2] = random_unit(r);
    complete3(axes[2], &axes[0], &axes[1]);
    double s = sin(rng_range(r, 0, 6)), c = sqrt(1 - s * s);
    wit_vec3 x = addscaled3(scale3(c, axes[0]), s, axes[1]);
    axes[1] = cross3(axes[2], x);
    axes[0] = x;
}

static inline wit_interval random_part(rng* r, double lo, double hi)
{
    double a = rng_range(r, lo, hi), b = rng_range(r, lo, hi);
    if (fabs(a - b) < 0.05 * (hi - lo)) return iv(lo, hi);
    return iv(fmin(a, b), fmax(a, b));
}

/* LINE to HYPERBOLA, of the given size. */
static inline wit_curve_def random_conic(rng* r, wit_curve_kind kind, double size)
{
    wit_curve_def d = wit_curve_default_def(kind);
    d.frame = random_frame(r, size);
    d.radius = size * rng_range(r, 0.2, 2);
    d.semi_x = size * rng_range(r, 0.2, 2);
    d.semi_y = size * rng_range(r, 0.2, 2);
    d.focal = size * rng_range(r, 0.2, 2);
    switch (kind) {
    case WIT_CURVE_LINE:
    case WIT_CURVE_PARABOLA:
        d.range = random_part(r, -2 * size, 3 * size);
        break;
    case WIT_CURVE_HYPERBOLA:
        d.range = random_part(r, -2, 2.5);
        break;
    default:
        if (rng_int(r, 2)) d.range = random_part(r, -3, 3);
        break;
    }
    return d;
}

/* PLANE to PARABOLOID, of the given size. */
static inline wit_surface_def random_quadric(rng* r, wit_surface_kind kind, double size)
{
    wit_surface_def d = wit_surface_default_def(kind);
    d.frame = random_frame(r, size);
    d.radius = size * rng_range(r, 1, 2);
    d.minor = size * rng_range(r, 0.2, 0.9);
    d.semi_x = size * rng_range(r, 0.3, 2);
    d.semi_y = size * rng_range(r, 0.3, 2);
    d.semi_z = size * rng_range(r, 0.3, 2);
    d.angle = rng_range(r, 0.1, 1.4);
    if (rng_int(r, 2)) d.angle = -d.angle;
    bool whole = rng_int(r, 2);
    if (!whole) d.range_u = random_part(r, -3, 3);
    switch (kind) {
    case WIT_SURFACE_PLANE:
        d.range_u = random_part(r, -2 * size, 2 * size);
        d.range_v = random_part(r, -2 * size, 2 * size);
        break;
    case WIT_SURFACE_CYLINDER:
        d.range_v = random_part(r, -2 * size, 2 * size);
        break;
    case WIT_SURFACE_CONE: {
        double apex = -d.radius / sin(d.angle), length = size * rng_range(r, 0.5, 3);
        double other = rng_int(r, 2) ? apex + length : apex - length;
        d.range_v = iv(fmin(apex, other), fmax(apex, other));
        break;
    }
    case WIT_SURFACE_PARABOLOID:
        if (!whole) d.range_v.lo = rng_range(r, 0, 0.5);
        if (!whole) d.range_v.hi = rng_range(r, 0.6, 2);
        break;
    case WIT_SURFACE_TORUS:
        if (!whole) d.range_v = random_part(r, -3, 3);
        break;
    default:
        if (!whole) d.range_v = random_part(r, -1.5707963267948966, 1.5707963267948966);
        break;
    }
    return d;
}

static inline wit_curve* curve_made(const wit_curve_def* def)
{
    wit_error e = {0};
    wit_curve* c = wit_curve_create(def, NULL, &e);
    if (!c) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(c);
    return c;
}

static inline wit_surface* surface_made(const wit_surface_def* def)
{
    wit_error e = {0};
    wit_surface* s = wit_surface_create(def, NULL, &e);
    if (!s) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(s);
    return s;
}

static inline void curve_refused(const wit_curve_def* def, wit_status status, const char* item)
{
    wit_error e = {0};
    wit_curve* c = wit_curve_create(def, NULL, &e);
    if (c || e.status != status || strcmp(e.item, item))
        print_error("wanted %s at %s, got %s at '%s': %s\n", wit_status_name(status), item, wit_status_name(e.status),
                    e.item, e.text);
    assert_null(c);
    assert_int_equal(e.status, status);
    assert_string_equal(e.item, item);
    assert_true(strlen(e.text) > 10);
}

static inline void surface_refused(const wit_surface_def* def, wit_status status, const char* item)
{
    wit_error e = {0};
    wit_surface* s = wit_surface_create(def, NULL, &e);
    if (s || e.status != status || strcmp(e.item, item))
        print_error("wanted %s at %s, got %s at '%s': %s\n", wit_status_name(status), item, wit_status_name(e.status),
                    e.item, e.text);
    assert_null(s);
    assert_int_equal(e.status, status);
    assert_string_equal(e.item, item);
    assert_true(strlen(e.text) > 10);
}

/* |a - b| <= tolerance, with the numbers in the failure. */
static inline void near3(wit_vec3 a, wit_vec3 b, double tolerance, const char* what)
{
    double gap = norm3(sub3(a, b));
    if (!(gap <= tolerance)) print_error("%s: off by %g, allowed %g\n", what, gap, tolerance);
    assert_true(gap <= tolerance);
}

static inline void near1(double a, double b, double tolerance, const char* what)
{
    if (!(fabs(a - b) <= tolerance))
        print_error("%s: %.17g against %.17g, off by %g, allowed %g\n", what, a, b, a - b, tolerance);
    assert_true(fabs(a - b) <= tolerance);
}

/*
 * Jets against central differences of the next lower derivative at t -+ h. The error of a difference is at most
 * h^2/6 times the bound of the derivative two orders up, plus rounding of the values, 16 eps size / h.
 * For second derivatives the fourth is not bounded; over one step the third bounds the change: h times it.
 */
static inline void curve_differences_agree(const wit_curve* c, double t, double h, double size, const char* what)
{
    wit_curve_jet a, b, m;
    wit_curve_bounds bounds;
    wit_curve_eval(c, t - h, 0, NULL, &a);
    wit_curve_eval(c, t + h, 0, NULL, &b);
    wit_curve_eval(c, t, 0, NULL, &m);
    wit_curve_bound(c, iv(t - h, t + h), &bounds);
    double half = 1 / ((t + h) - (t - h)); /* the step taken, as rounded */
    near3(scale3(half, sub3(b.p, a.p)), m.d1, h * h / 6 * bounds.d3 + 16 * EPS * size / h, what);
    near3(scale3(half, sub3(b.d1, a.d1)), m.d2, h * bounds.d3 + 16 * EPS * c->speed / h, what);
}

static inline void surface_differences_agree(const wit_surface* s, double u, double v, double hu, double hv,
                                             double size, const char* what)
{
    wit_surface_jet a, b, m;
    wit_surface_bounds n;
    wit_surface_eval(s, u, v, 0, NULL, &m);
    wit_surface_bound(s, iv(u - hu, u + hu), iv(v - hv, v + hv), &n);
    wit_surface_eval(s, u - hu, v, 0, NULL, &a);
    wit_surface_eval(s, u + hu, v, 0, NULL, &b);
    double half = 1 / ((u + hu) - (u - hu)), dirt = 16 * EPS / hu;
    near3(scale3(half, sub3(b.p, a.p)), m.du, hu * hu / 6 * n.duuu + dirt * size, what);
    near3(scale3(half, sub3(b.du, a.du)), m.duu, hu * n.duuu + dirt * s->speed_u, what);
    near3(scale3(half, sub3(b.dv, a.dv)), m.duv, hu * n.duuv + dirt * s->speed_v, what);
    wit_surface_eval(s, u, v - hv, 0, NULL, &a);
    wit_surface_eval(s, u, v + hv, 0, NULL, &b);
    half = 1 / ((v + hv) - (v - hv));
    dirt = 16 * EPS / hv;
    near3(scale3(half, sub3(b.p, a.p)), m.dv, hv * hv / 6 * n.dvvv + dirt * size, what);
    near3(scale3(half, sub3(b.du, a.du)), m.duv, hv * n.duvv + dirt * s->speed_u, what);
    near3(scale3(half, sub3(b.dv, a.dv)), m.dvv, hv * n.dvvv + dirt * s->speed_v, what);
}

#endif
