/* SPDX-License-Identifier: MIT */
/* Surfaces of revolution and linear extrusions. */
#include "analytic.h"

static const double SIZES[3] = {1e-6, 1, 1e6};

static wit_curve* line(wit_vec3 from, wit_vec3 to)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_LINE);
    d.frame.origin = from;
    d.frame.x = sub3(to, from);
    d.range = iv(0, norm3(d.frame.x));
    return curve_made(&d);
}

/* x z plane; weights null. Degree 2 with a C0 knot in the middle of 0..2. */
static wit_curve* kinked(double size)
{
    static const double knots[8] = {0, 0, 0, 1, 1, 2, 2, 2};
    double points[15] = {1, 0, 0, 1.5, 0, 0.5, 1, 0, 1, 2, 0, 1.5, 1, 0, 2};
    for (int i = 0; i < 15; i++) points[i] *= size;
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
    d.degree = 2;
    d.count = 5;
    d.knot_count = 8;
    d.knots = knots;
    d.points = points;
    return curve_made(&d);
}

static wit_surface* revolved(const wit_curve* profile, wit_interval u, wit_interval v)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_REVOLUTION);
    d.profile = profile;
    d.range_u = u;
    d.range_v = v;
    return surface_made(&d);
}

static const wit_interval NATURAL = {0, 0};

static void jets_agree(const wit_surface_jet* a, const wit_surface_jet* b, double size, double tolerance)
{
    near3(a->p, b->p, tolerance * size, "p");
    near3(a->du, b->du, tolerance * size, "du");
    near3(a->dv, b->dv, tolerance * size, "dv");
    near3(a->duu, b->duu, tolerance * size, "duu");
    near3(a->duv, b->duv, tolerance * size, "duv");
    near3(a->dvv, b->dvv, tolerance * size, "dvv");
}

/* Half a circle in the x z plane, turned: the sphere with the same parameters, poles and all. */
static void revolution_of_half_circle_is_the_sphere(void** state)
{
    (void)state;
    rng r = rng_seed(41);
    for (int k = 0; k < 3; k++) {
        double size = SIZES[k];
        wit_curve_def c = wit_curve_default_def(WIT_CURVE_CIRCLE);
        c.radius = size;
        c.frame.x = vec3(1, 0, 0);
        c.frame.z = vec3(0, -1, 0); /* y = z cross x = (0, 0, 1): t is the latitude */
        c.range = iv(-PI / 2, PI / 2);
        wit_curve* profile = curve_made(&c);
        wit_surface* s = revolved(profile, NATURAL, NATURAL);
        wit_surface_def d = wit_surface_default_def(WIT_SURFACE_SPHERE);
        d.radius = size;
        wit_surface* sphere = surface_made(&d);
        assert_true(wit_surface_describe(s).degenerate && wit_surface_describe(s).closed_u);
        assert_false(wit_surface_describe(s).closed_v);
        assert_true(s->meridian);
        for (int n = 0; n < 2000; n++) {
            double u = rng_range(&r, 0, TWO_PI), v = n % 100 ? rng_range(&r, -PI / 2, PI / 2) : PI / 2;
            wit_surface_jet a, b;
            assert_int_equal(wit_surface_eval(s, u, v, 0, NULL, &a), wit_surface_eval(sphere, u, v, 0, NULL, &b));
            jets_agree(&a, &b, size, 16 * EPS);
        }
        wit_surface_destroy(s);
        wit_surface_destroy(sphere);
        wit_curve_destroy(profile);
    }
}

/* A line that does not meet the axis sweeps x^2 + y^2 = a^2 (1 + z^2 / c^2), one sheet. */
static void revolution_of_skew_line_is_a_hyperboloid(void** state)
{
    (void)state;
    rng r = rng_seed(42);
    for (int k = 0; k < 3; k++) {
        double size = SIZES[k];
        wit_curve* profile = line(vec3(2 * size, -size, -size), vec3(2 * size, size, size));
        wit_surface* s = revolved(profile, NATURAL, NATURAL);
        assert_false(s->meridian);
        assert_false(wit_surface_describe(s).degenerate);
        for (int n = 0; n < 2000; n++) {
            wit_surface_jet j;
            double u = rng_range(&r, 0, TWO_PI), v = rng_range(&r, s->v.lo, s->v.hi);
            assert_int_equal(wit_surface_eval(s, u, v, 0, NULL, &j), 0);
            double x = j.p.x / size, y = j.p.y / size, z = j.p.z / size;
            near1(x * x + y * y, 4 + z * z, 64 * EPS, "hyperboloid");
        }
        wit_surface_destroy(s);
        wit_curve_destroy(profile);
    }
}

static void swept_jets_match_finite_differences(void** state)
{
    (void)state;
    rng r = rng_seed(43);
    for (int n = 0; n < 3000; n++) {
        double size = SIZES[n % 3];
        wit_surface_def d = wit_surface_default_def(n & 1 ? WIT_SURFACE_REVOLUTION : WIT_SURFACE_EXTRUSION);
        wit_curve_def c = random_conic(&r, (wit_curve_kind)(n % 5), size);
        wit_curve* profile = curve_made(&c);
        d.frame = random_frame(&r, size);
        d.profile = profile;
        d.direction = random_unit(&r);
        if (!(n & 1)) d.range_v = iv(-size, size);
        wit_surface* s = surface_made(&d);
        double wu = iv_width(s->u), wv = iv_width(s->v);
        double u = rng_range(&r, s->u.lo + 0.01 * wu, s->u.hi - 0.01 * wu);
        double v = rng_range(&r, s->v.lo + 0.01 * wv, s->v.hi - 0.01 * wv);
        surface_differences_agree(s, u, v, 1e-4 * wu, 1e-4 * wv, 40 * size, wit_curve_kind_name(c.kind));
        /* S(0, v) is the profile itself, for both kinds as far as 0 is in the range. */
        wit_surface_jet j;
        wit_curve_jet p;
        wit_surface_eval(s, n & 1 ? 0 : u, n & 1 ? v : 0, 0, NULL, &j);
        wit_curve_eval(profile, n & 1 ? v : u, 0, NULL, &p);
        near3(j.p, p.p, 64 * EPS * 10 * size, "profile");
        wit_surface_destroy(s);
        wit_curve_destroy(profile);
    }
}

/* Profile on either side of the axis, either way along: the field of normals follows du x dv. */
static void revolution_normal_field_agrees_with_tangents(void** state)
{
    (void)state;
    rng r = rng_seed(44);
    for (int n = 0; n < 400; n++) {
        double a = rng_range(&r, -2, 2), b = rng_range(&r, -2, 2), turn = rng_range(&r, 0, 6);
        wit_vec3 across = vec3(cos(turn), sin(turn), 0);
        double low = rng_range(&r, -1, 1), high = rng_range(&r, -1, 1);
        wit_curve* profile = line(addscaled3(vec3(0, 0, low), a, across), addscaled3(vec3(0, 0, high), b, across));
        wit_surface* s = revolved(profile, NATURAL, NATURAL);
        assert_true(s->meridian);
        assert_int_equal(wit_surface_describe(s).degenerate, a * b < 0);
        const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int k = 0; k < 10; k++) {
            double u = rng_range(&r, 0, TWO_PI), v = rng_range(&r, s->v.lo, s->v.hi);
            wit_surface_jet j;
            wit_interval f[3];
            if (wit_surface_eval(s, u, v, 0, NULL, &j)) continue;
            assert_true(s->ops->normals(s, iv_point(u), iv_point(v), axes, f));
            wit_vec3 m = unit3(vec3(iv_mid(f[0]), iv_mid(f[1]), iv_mid(f[2])));
            near3(m, unit3(cross3(j.du, j.dv)), 256 * EPS * (1 + s->speed_u / norm3(j.du)), "normal");
        }
        wit_surface_destroy(s);
        wit_curve_destroy(profile);
    }
}

static void swept_side_and_hint_reach_the_profile(void** state)
{
    (void)state;
    wit_curve* profile = kinked(1);
    wit_surface* s = revolved(profile, NATURAL, NATURAL);
    wit_curve_jet below, above;
    wit_surface_jet a, b;
    wit_hint hint = {{1, 0, 0}};
    wit_curve_eval(profile, 1, WIT_KNOT_T_BELOW, NULL, &below);
    wit_curve_eval(profile, 1, 0, NULL, &above);
    assert_true(norm3(sub3(below.d1, above.d1)) > 0.1);
    wit_surface_eval(s, 0, 1, WIT_KNOT_V_BELOW, &hint, &a);
    wit_surface_eval(s, 0, 1, WIT_KNOT_U_BELOW, &hint, &b);
    near3(a.dv, below.d1, 8 * EPS, "below");
    near3(b.dv, above.d1, 8 * EPS, "above");
    wit_surface_eval(s, 0, 1.5, 0, &hint, &a);
    assert_int_equal(hint.cell[0], 1);
    wit_surface_destroy(s);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_EXTRUSION);
    d.profile = profile;
    d.direction = vec3(0, 7, 0);
    d.range_v = iv(0, 3);
    s = surface_made(&d);
    wit_surface_eval(s, 1, 2, WIT_KNOT_U_BELOW, &hint, &a);
    wit_surface_eval(s, 1, 2, WIT_KNOT_V_BELOW, &hint, &b);
    near3(a.du, below.d1, 0, "below");
    near3(b.du, above.d1, 0, "above");
    near3(a.p, add3(below.p, vec3(0, 2, 0)), 0, "v is a length");
    wit_surface_destroy(s);
    wit_curve_destroy(profile);
}

static void swept_ranges_follow_the_profile(void** state)
{
    (void)state;
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_CIRCLE);
    c.radius = 1;
    c.frame.origin = vec3(3, 0, 0);
    c.frame.z = vec3(0, 1, 0);
    wit_curve* circle = curve_made(&c);
    wit_surface* s = revolved(circle, NATURAL, NATURAL);
    assert_true(s->closed_u && s->closed_v);
    wit_surface_destroy(s);
    /* A part of a closed profile may run over its seam. */
    s = revolved(circle, iv(0, 1), iv(5, 7));
    assert_false(s->closed_u || s->closed_v);
    wit_surface_jet a, b;
    assert_int_equal(wit_surface_eval(s, 0.5, 6.9, 0, NULL, &a), 0);
    wit_surface_destroy(s);
    s = revolved(circle, iv(0, 1), NATURAL);
    wit_surface_eval(s, 0.5, 6.9 - TWO_PI, 0, NULL, &b);
    near3(a.p, b.p, 32 * EPS, "seam");
    wit_surface_destroy(s);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_EXTRUSION);
    d.profile = circle;
    d.direction = vec3(0, 1, 0);
    d.range_v = iv(-1, 1);
    s = surface_made(&d);
    assert_true(s->closed_u && !s->closed_v && !s->degenerate);
    wit_surface_destroy(s);
    d.direction = vec3(1, 0, 0); /* in the plane of the circle: tangent to it at two places */
    s = surface_made(&d);
    assert_true(wit_surface_describe(s).degenerate);
    wit_surface_destroy(s);
    wit_curve_destroy(circle);
}

/* The copy stands alone: it works after the profile is gone and when moved in memory. */
static void swept_surface_owns_its_profile(void** state)
{
    (void)state;
    wit_curve* profile = kinked(1);
    wit_surface* s = revolved(profile, NATURAL, NATURAL);
    wit_surface_jet a, b;
    wit_surface_eval(s, 1, 0.7, 0, NULL, &a);
    wit_curve_destroy(profile);
    void* moved = test_malloc(s->bytes);
    memcpy(moved, s, s->bytes);
    wit_surface_destroy(s);
    wit_surface_eval((const wit_surface*)moved, 1, 0.7, 0, NULL, &b);
    jets_agree(&a, &b, 1, 0);
    test_free(moved);
}

static void swept_bad_defs_are_refused(void** state)
{
    (void)state;
    wit_curve* profile = kinked(1);
    wit_curve* axis = line(vec3(0, 0, 0), vec3(0, 0, 1));
    wit_surface_def good = wit_surface_default_def(WIT_SURFACE_REVOLUTION), d;
    good.profile = profile;
    wit_surface_def push = wit_surface_default_def(WIT_SURFACE_EXTRUSION);
    push.profile = profile;
    push.direction = vec3(0, 1, 0);
    push.range_v = iv(0, 1);
    wit_surface_destroy(surface_made(&good));
    wit_surface_destroy(surface_made(&push));
#define REFUSED(from, change, status, item)                                                                            \
    d = from;                                                                                                          \
    change;                                                                                                            \
    surface_refused(&d, status, item)
    REFUSED(good, d.profile = NULL, WIT_ERROR_ARGUMENT, "profile");
    REFUSED(good, d.profile = axis, WIT_ERROR_RANGE, "profile");
    REFUSED(good, d.frame.origin.x = NAN, WIT_ERROR_NUMBER, "frame.origin");
    REFUSED(good, d.frame.z = vec3(0, INFINITY, 0), WIT_ERROR_NUMBER, "frame.z");
    REFUSED(good, d.frame.z = vec3(0, 0, 0), WIT_ERROR_FRAME, "frame.z");
    REFUSED(good, d.range_u = iv(0, 7), WIT_ERROR_RANGE, "range_u");
    REFUSED(good, d.range_u = iv(1, NAN), WIT_ERROR_NUMBER, "range_u");
    REFUSED(good, d.range_v = iv(0, 2.1), WIT_ERROR_RANGE, "range_v");
    REFUSED(good, d.range_v = iv(-0.1, 1), WIT_ERROR_RANGE, "range_v");
    REFUSED(good, d.range_v = iv(1, 1), WIT_ERROR_RANGE, "range_v");
    REFUSED(push, d.profile = NULL, WIT_ERROR_ARGUMENT, "profile");
    REFUSED(push, d.direction = vec3(0, 0, 0), WIT_ERROR_RANGE, "direction");
    REFUSED(push, d.direction = vec3(0, NAN, 0), WIT_ERROR_NUMBER, "direction");
    REFUSED(push, d.range_v = iv(0, 0), WIT_ERROR_RANGE, "range_v");
    REFUSED(push, d.range_v = iv(0, INFINITY), WIT_ERROR_NUMBER, "range_v");
    REFUSED(push, d.range_u = iv(0, 3), WIT_ERROR_RANGE, "range_u");
    REFUSED(push, d.range_u = iv(1, 0.5), WIT_ERROR_RANGE, "range_u");
#undef REFUSED
    wit_curve_destroy(profile);
    wit_curve_destroy(axis);
}

/* A profile on a surface of a profile ...: refused once it is absurd, so that no stack runs out. */
static void nesting_is_limited(void** state)
{
    (void)state;
    wit_curve* c = line(vec3(1, 0, 0), vec3(2, 0, 1));
    wit_error error = {0};
    int depth = 0;
    for (; depth < 20; depth++) {
        wit_surface_def d = wit_surface_default_def(WIT_SURFACE_EXTRUSION);
        d.profile = c;
        d.direction = vec3(0, 1, 0);
        d.range_v = iv(0, 1);
        wit_surface* s = wit_surface_create(&d, NULL, &error);
        wit_curve_destroy(c);
        c = NULL;
        if (!s) break;
        wit_curve_def iso = wit_curve_default_def(WIT_CURVE_ISO);
        iso.surface = s;
        iso.fixed = WIT_V;
        iso.value = 0.5;
        c = wit_curve_create(&iso, NULL, &error);
        wit_surface_destroy(s);
        if (!c) break;
        wit_curve_jet j;
        assert_int_equal(wit_curve_eval(c, 0.5, 0, NULL, &j), 0);
    }
    assert_true(depth > 1 && depth < 10);
    assert_int_equal(error.status, WIT_ERROR_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(revolution_of_half_circle_is_the_sphere),
        cmocka_unit_test(revolution_of_skew_line_is_a_hyperboloid),
        cmocka_unit_test(swept_jets_match_finite_differences),
        cmocka_unit_test(revolution_normal_field_agrees_with_tangents),
        cmocka_unit_test(swept_side_and_hint_reach_the_profile),
        cmocka_unit_test(swept_ranges_follow_the_profile),
        cmocka_unit_test(swept_surface_owns_its_profile),
        cmocka_unit_test(swept_bad_defs_are_refused),
        cmocka_unit_test(nesting_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
