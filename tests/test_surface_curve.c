/* SPDX-License-Identifier: MIT */
/* Isoparametric curves and curves on surfaces. */
#include "analytic.h"

static const double SIZES[3] = {1e-6, 1, 1e6};

static wit_curve* parameter_line(double u0, double v0, double u1, double v1)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_LINE);
    d.frame.origin = vec3(u0, v0, 0);
    d.frame.x = vec3(u1 - u0, v1 - v0, 0);
    d.range = iv(0, norm3(d.frame.x));
    return curve_made(&d);
}

static wit_curve* on_surface(const wit_surface* s, const wit_curve* parameter)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_ON_SURFACE);
    d.surface = s;
    d.parameter_curve = parameter;
    return curve_made(&d);
}

/* Degree 1 along u, bent at u = 1; degree 1 along v, bent at v = 1. Ranges 0..2. */
static wit_surface* roof(void)
{
    static const double knots[5] = {0, 0, 1, 2, 2};
    static const double points[27] = {0, 0, 0, 0, 1, 1, 0, 2, 0, 1, 0, 1, 1, 1, 2, 1, 2, 1, 2, 0, 0, 2, 1, 1, 2, 2, 0};
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 1;
    d.count_u = d.count_v = 3;
    d.knot_count_u = d.knot_count_v = 5;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    return surface_made(&d);
}

static void iso_curve_is_the_surface_at_one_parameter(void** state)
{
    (void)state;
    rng r = rng_seed(51);
    for (int n = 0; n < 2100; n++) {
        wit_surface_def d = random_quadric(&r, (wit_surface_kind)(n % 7), SIZES[n % 3]);
        wit_surface* s = surface_made(&d);
        wit_curve_def c = wit_curve_default_def(WIT_CURVE_ISO);
        c.surface = s;
        c.fixed = rng_int(&r, 2) ? WIT_U : WIT_V;
        bool u_fixed = c.fixed == WIT_U;
        wit_interval held = u_fixed ? s->u : s->v, run = u_fixed ? s->v : s->u;
        c.value = rng_range(&r, held.lo, held.hi);
        wit_curve* iso = curve_made(&c);
        wit_curve_info info = wit_curve_describe(iso);
        assert_true(info.range.lo == run.lo && info.range.hi == run.hi);
        assert_int_equal(info.closed, u_fixed ? s->closed_v : s->closed_u);
        double t = rng_range(&r, run.lo, run.hi);
        wit_surface_jet a;
        wit_curve_jet b;
        wit_surface_eval(s, u_fixed ? c.value : t, u_fixed ? t : c.value, 0, NULL, &a);
        wit_surface_destroy(s);
        wit_curve_eval(iso, t, 0, NULL, &b);
        near3(b.p, a.p, 0, "p");
        near3(b.d1, u_fixed ? a.dv : a.du, 0, "d1");
        near3(b.d2, u_fixed ? a.dvv : a.duu, 0, "d2");
        wit_curve_destroy(iso);
    }
}

/* A straight line in the parameters of a cylinder: curvature r / (r^2 + c^2), c the rise per radian. */
static void line_on_cylinder_is_a_helix(void** state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        double size = SIZES[k], R = 2 * size, rise = 0.7 * size;
        wit_surface_def d = wit_surface_default_def(WIT_SURFACE_CYLINDER);
        d.radius = R;
        d.range_v = iv(-5 * size, 5 * size);
        wit_surface* s = surface_made(&d);
        wit_curve* p = parameter_line(5, 0, 9, 4 * rise); /* over the seam at 2 pi */
        wit_curve* c = on_surface(s, p);
        for (int i = 0; i <= 50; i++) {
            wit_curve_jet j;
            double t = iv_width(c->range) * i / 50, du = 4 / iv_width(c->range), u = 5 + du * t;
            wit_curve_eval(c, t, 0, NULL, &j);
            near1(wit_curve_curvature(&j) * size, R * size / (R * R + rise * rise), 64 * EPS, "curvature");
            near3(j.p, vec3(R * cos(u), R * sin(u), rise * du * t), 64 * EPS * size, "helix");
        }
        wit_curve_destroy(c);
        wit_curve_destroy(p);
        wit_surface_destroy(s);
    }
}

static void on_surface_jets_match_finite_differences(void** state)
{
    (void)state;
    rng r = rng_seed(52);
    for (int n = 0; n < 2000; n++) {
        double size = SIZES[n % 3];
        wit_surface_def d = random_quadric(&r, n & 1 ? WIT_SURFACE_ELLIPSOID : WIT_SURFACE_TORUS, size);
        wit_surface* s = surface_made(&d);
        wit_curve_def e = wit_curve_default_def(WIT_CURVE_ELLIPSE);
        e.frame.origin = vec3(iv_mid(s->u), iv_mid(s->v), 3);
        e.semi_x = 0.45 * iv_width(s->u);
        e.semi_y = 0.45 * iv_width(s->v);
        wit_curve* p = curve_made(&e);
        wit_curve* c = on_surface(s, p);
        assert_true(c->closed);
        curve_differences_agree(c, rng_range(&r, 0.1, 6), 1e-4, 20 * size, "on surface");
        wit_curve_destroy(c);
        wit_curve_destroy(p);
        wit_surface_destroy(s);
    }
}

/* At a knot line of the surface the derivative is that of the piece the curve comes from or goes to. */
static void on_surface_side_follows_the_motion(void** state)
{
    (void)state;
    wit_surface* s = roof();
    static const double ends[4][4] = {{0, 0, 2, 2}, {2, 2, 0, 0}, {0, 2, 2, 0}, {2, 0, 0, 2}};
    for (int k = 0; k < 4; k++) {
        wit_curve* p = parameter_line(ends[k][0], ends[k][1], ends[k][2], ends[k][3]);
        wit_curve* c = on_surface(s, p);
        double middle = 0.5 * iv_width(c->range);
        wit_hint hint = {{0, 0, 0}};
        wit_curve_jet at, aside;
        wit_curve_jet kink;
        wit_curve_eval(p, middle, 0, NULL, &kink);
        assert_true(kink.p.x == 1 && kink.p.y == 1);
        wit_curve_eval(c, middle, WIT_KNOT_T_BELOW, &hint, &at);
        wit_curve_eval(c, middle - 1e-3, 0, &hint, &aside);
        near3(at.d1, addscaled3(aside.d1, 1e-3, aside.d2), 1e-9, "before");
        wit_curve_eval(c, middle, 0, &hint, &at);
        wit_curve_eval(c, middle + 1e-3, 0, &hint, &aside);
        near3(at.d1, addscaled3(aside.d1, -1e-3, aside.d2), 1e-9, "after");
        assert_int_equal(hint.cell[0], ends[k][2] > 1 ? 1 : 0);
        assert_int_equal(hint.cell[1], ends[k][3] > 1 ? 1 : 0);
        /* The enclosure over the kink knows both sides, and its centre form does not step over it. */
        const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        curve_enclosure e;
        wi_curve_enclose(c, iv(middle - 0.3, middle + 0.2), axes, &e);
        for (int i = 0; i <= 100; i++) {
            wit_curve_eval(c, middle - 0.3 + 0.005 * i, 0, NULL, &at);
            const wit_vec3 parts[3] = {at.p, at.d1, at.d2};
            for (int m = 0; m < 3; m++) {
                assert_true(e.d[m][0].lo <= parts[m].x && parts[m].x <= e.d[m][0].hi);
                assert_true(e.d[m][1].lo <= parts[m].y && parts[m].y <= e.d[m][1].hi);
                assert_true(e.d[m][2].lo <= parts[m].z && parts[m].z <= e.d[m][2].hi);
            }
        }
        wit_curve_destroy(c);
        wit_curve_destroy(p);
    }
    wit_surface_destroy(s);
}

static void latitude_as_parameter_line_is_closed(void** state)
{
    (void)state;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_SPHERE);
    d.radius = 1;
    wit_surface* s = surface_made(&d);
    wit_curve* p = parameter_line(1, 0.5, 1 + TWO_PI, 0.5);
    wit_curve* c = on_surface(s, p);
    assert_true(wit_curve_describe(c).closed);
    wit_curve_jet a, b;
    assert_int_equal(wit_curve_eval(c, -0.25, 0, NULL, &a), 0);
    wit_curve_eval(c, TWO_PI - 0.25, 0, NULL, &b);
    near3(a.p, b.p, 16 * EPS, "wrapped");
    wit_curve_bounds bounds;
    wit_curve_bound(c, iv(-0.25, 0.25), &bounds);
    near1(norm3(sub3(bounds.box.hi, bounds.box.lo)), 2 * cos(0.5) * sin(0.25), 0.15, "bound over the seam");
    wit_curve_destroy(c);
    wit_curve_destroy(p);
    p = parameter_line(1, 0.5, 6, 0.5);
    c = on_surface(s, p);
    assert_false(wit_curve_describe(c).closed);
    wit_curve_destroy(c);
    wit_curve_destroy(p);
    wit_surface_destroy(s);
}

static void surface_curve_bad_defs_are_refused(void** state)
{
    (void)state;
    wit_surface_def sphere = wit_surface_default_def(WIT_SURFACE_SPHERE);
    sphere.radius = 1;
    wit_surface* s = surface_made(&sphere);
    wit_curve* fits = parameter_line(-1, -1.5, 8, 1.5);
    wit_curve* leaves = parameter_line(0, 0, 1, 1.6);
    wit_curve_def circle = wit_curve_default_def(WIT_CURVE_CIRCLE);
    circle.radius = 1.571; /* sticks out at one place only, by 2e-4 */
    wit_curve* sticks_out = curve_made(&circle);
    circle.radius = PI / 2;
    wit_curve* touches = curve_made(&circle);
    wit_curve_def iso = wit_curve_default_def(WIT_CURVE_ISO), on = wit_curve_default_def(WIT_CURVE_ON_SURFACE), d;
    iso.surface = on.surface = s;
    on.parameter_curve = fits;
    wit_curve_destroy(curve_made(&iso));
    wit_curve_destroy(curve_made(&on));
#define REFUSED(from, change, status, item)                                                                            \
    d = from;                                                                                                          \
    change;                                                                                                            \
    curve_refused(&d, status, item)
    REFUSED(iso, d.surface = NULL, WIT_ERROR_ARGUMENT, "surface");
    REFUSED(iso, d.fixed = (wit_direction)2, WIT_ERROR_ARGUMENT, "fixed");
    REFUSED(iso, d.value = NAN, WIT_ERROR_NUMBER, "value");
    REFUSED(iso, d.value = 2e12, WIT_ERROR_NUMBER, "value");
    REFUSED(iso, d.fixed = WIT_V; d.value = 1.6, WIT_ERROR_RANGE, "value");
    REFUSED(iso, d.fixed = WIT_V; d.value = -1.6, WIT_ERROR_RANGE, "value");
    REFUSED(iso, d.range = iv(0, 1.6), WIT_ERROR_RANGE, "range");
    REFUSED(iso, d.range = iv(1, 1), WIT_ERROR_RANGE, "range");
    REFUSED(iso, d.range = iv(0, NAN), WIT_ERROR_NUMBER, "range");
    REFUSED(iso, d.fixed = WIT_V; d.range = iv(0, 7), WIT_ERROR_RANGE, "range");
    REFUSED(on, d.surface = NULL, WIT_ERROR_ARGUMENT, "surface");
    REFUSED(on, d.parameter_curve = NULL, WIT_ERROR_ARGUMENT, "parameter_curve");
    REFUSED(on, d.parameter_curve = leaves, WIT_ERROR_RANGE, "parameter_curve");
    REFUSED(on, d.parameter_curve = sticks_out, WIT_ERROR_RANGE, "parameter_curve");
    REFUSED(on, d.range = iv(0, 20), WIT_ERROR_RANGE, "range");
    REFUSED(on, d.range = iv(0, INFINITY), WIT_ERROR_NUMBER, "range");
#undef REFUSED
    on.parameter_curve = leaves; /* the part that stays inside is fine */
    on.range = iv(0, 1);
    wit_curve_destroy(curve_made(&on));
    on.parameter_curve = touches;
    on.range = iv(0, 0);
    wit_curve_destroy(curve_made(&on));
    wit_curve_destroy(fits);
    wit_curve_destroy(leaves);
    wit_curve_destroy(sticks_out);
    wit_curve_destroy(touches);
    wit_surface_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iso_curve_is_the_surface_at_one_parameter),
        cmocka_unit_test(line_on_cylinder_is_a_helix),
        cmocka_unit_test(on_surface_jets_match_finite_differences),
        cmocka_unit_test(on_surface_side_follows_the_motion),
        cmocka_unit_test(latitude_as_parameter_line_is_closed),
        cmocka_unit_test(surface_curve_bad_defs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
