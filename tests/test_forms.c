/* SPDX-License-Identifier: MIT */
/* Fundamental forms, curvatures, normals at regular and degenerate places. */
#include "analytic.h"

static const double SIZES[3] = {1e-6, 1, 1e6};

static wit_surface_forms forms_at(const wit_surface* s, double u, double v)
{
    wit_surface_jet j;
    wit_surface_eval(s, u, v, 0, NULL, &j);
    return wit_surface_forms_of(&j);
}

/* Outward normals: a convex shape bends away from them, so its curvatures are negative. */
static void curvatures_match_closed_forms(void** state)
{
    (void)state;
    rng r = rng_seed(61);
    for (int n = 0; n < 3000; n++) {
        double size = SIZES[n % 3];
        wit_surface_kind kind = (wit_surface_kind)(n / 3 % 7);
        wit_surface_def d = random_quadric(&r, kind, size);
        wit_surface* s = surface_made(&d);
        double u = rng_range(&r, s->u.lo, s->u.hi), v = rng_range(&r, s->v.lo, s->v.hi), k1 = 0, k2 = 0, c = cos(v);
        wit_surface_jet j;
        if (wit_surface_eval(s, u, v, 0, NULL, &j)) {
            wit_surface_destroy(s);
            continue;
        }
        wit_surface_forms f = wit_surface_forms_of(&j);
        assert_true(f.has_normal && f.has_curvature);
        double rho = d.radius + d.minor * c, cone = d.radius + v * sin(d.angle);
        switch (kind) {
        case WIT_SURFACE_CYLINDER:
            k2 = -1 / d.radius;
            break;
        case WIT_SURFACE_CONE: /* normal turns with the sign of the radius */
            k2 = -cos(d.angle) / fabs(cone);
            break;
        case WIT_SURFACE_SPHERE:
            k1 = k2 = -1 / d.radius;
            break;
        case WIT_SURFACE_TORUS:
            k1 = -fmin(1 / d.minor, c / rho);
            k2 = -fmax(1 / d.minor, c / rho);
            break;
        case WIT_SURFACE_ELLIPSOID: { /* K = 1 / (abc (x^2/a^4 + y^2/b^4 + z^2/c^4))^2 */
            double a = d.semi_x, b = d.semi_y, e = d.semi_z, x = c * cos(u), y = c * sin(u), z = sin(v);
            double q = x * x / (a * a) + y * y / (b * b) + z * z / (e * e);
            double K = 1 / (a * b * e * q) / (a * b * e * q);
            near1(f.gauss * size * size, K * size * size, 1e-11 * (1 + K * size * size) * (1 + 1 / (c * c)), "gauss");
            assert_true(f.k1 < 0);
            break;
        }
        case WIT_SURFACE_PARABOLOID: /* du x dv points down, out of the bowl: it bends away */
            assert_true(f.k1 < 0 && f.gauss > 0);
            break;
        default:
            break;
        }
        if (kind != WIT_SURFACE_ELLIPSOID && kind != WIT_SURFACE_PARABOLOID) {
            /* Rounding of the second form over |du|^2. */
            double tolerance = 256 * EPS * (1 + s->speed_u * s->speed_u / f.E) * (1 + fabs(k2) * size);
            near1(f.k1 * size, k1 * size, tolerance, wit_surface_kind_name(kind));
            near1(f.k2 * size, k2 * size, tolerance, wit_surface_kind_name(kind));
            near1(f.mean * size, 0.5 * (k1 + k2) * size, tolerance, "mean");
            near1(f.gauss * size * size, k1 * k2 * size * size, tolerance * (1 + fabs(k2) * size), "gauss");
        }
        wit_surface_destroy(s);
    }
}

/* Along direction1 the surface bends by k1, across it by k2, for any jet, however skew its parameters. */
static void principal_directions_bend_by_principal_curvatures(void** state)
{
    (void)state;
    rng r = rng_seed(62);
    for (int n = 0; n < 20000; n++) {
        double size = SIZES[n % 3], su = pow(10, rng_range(&r, -3, 3)), sv = pow(10, rng_range(&r, -3, 3));
        wit_surface_jet j;
        j.p = scale3(size, random_unit(&r));
        j.du = scale3(size * su, random_unit(&r));
        j.dv = scale3(size * sv, random_unit(&r));
        j.duu = scale3(size * su * su, random_unit(&r));
        j.duv = scale3(size * su * sv, random_unit(&r));
        j.dvv = scale3(size * sv * sv, random_unit(&r));
        double skew = norm3(cross3(unit3(j.du), unit3(j.dv)));
        if (skew < 0.05) continue;
        wit_surface_forms f = wit_surface_forms_of(&j);
        assert_true(f.has_curvature);
        assert_true(f.k1 >= f.k2);
        near1(norm3(f.direction1), 1, 8 * EPS, "unit");
        near1(dot3(f.direction1, f.normal), 0, 8 * EPS / skew, "tangent");
        wit_vec3 d2 = cross3(f.normal, f.direction1);
        for (int k = 0; k < 2; k++) {
            /* t = a du + b dv; II(t, t) = a^2 L + 2ab M + b^2 N */
            wit_vec3 t = k ? d2 : f.direction1;
            double det = f.E * f.G - f.F * f.F, x = dot3(t, j.du), y = dot3(t, j.dv);
            double a = (x * f.G - y * f.F) / det, b = (y * f.E - x * f.F) / det;
            double bend = a * a * f.L + 2 * a * b * f.M + b * b * f.N;
            near1(bend * size, (k ? f.k2 : f.k1) * size, 2000 * EPS / (skew * skew * skew * skew), "bend");
        }
        near1(f.gauss * size * size, f.k1 * f.k2 * size * size, 2000 * EPS / (skew * skew * skew * skew), "gauss");
    }
}

static void forms_of_degenerate_jets_are_zero(void** state)
{
    (void)state;
    wit_surface_jet j;
    memset(&j, 0, sizeof j);
    wit_surface_forms f = wit_surface_forms_of(&j);
    assert_false(f.has_normal || f.has_curvature);
    j.du = vec3(1, 2, 3);
    j.dv = vec3(-2, -4, -6);
    f = wit_surface_forms_of(&j);
    assert_false(f.has_normal || f.has_curvature);
    near3(f.normal, vec3(0, 0, 0), 0, "normal");
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_SPHERE);
    d.radius = 3;
    wit_surface* s = surface_made(&d);
    assert_false(forms_at(s, 1, PI / 2).has_normal);
    assert_true(forms_at(s, 1, PI / 2 - 1e-6).has_normal);
    wit_surface_destroy(s);
}

static void normal_exists(const wit_surface* s, double u, double v, wit_vec3 expected)
{
    wit_vec3 n;
    assert_true(wit_surface_normal(s, u, v, &n));
    near3(n, expected, 1e-12, "normal");
}

static void normal_is_missing(const wit_surface* s, double u, double v)
{
    wit_vec3 n = vec3(1, 1, 1);
    assert_false(wit_surface_normal(s, u, v, &n));
    near3(n, vec3(0, 0, 0), 0, "zero");
}

static void normal_at_smooth_poles_is_the_limit(void** state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        wit_surface_def d = wit_surface_default_def(WIT_SURFACE_SPHERE);
        d.radius = d.semi_x = d.semi_z = SIZES[k];
        d.semi_y = 2 * SIZES[k];
        d.frame.origin = vec3(SIZES[k], 0, 3 * SIZES[k]);
        wit_surface* s = surface_made(&d);
        normal_exists(s, 1, PI / 2, vec3(0, 0, 1));
        normal_exists(s, 4, -PI / 2, vec3(0, 0, -1));
        normal_exists(s, 4, -9, vec3(0, 0, -1)); /* held at the end */
        normal_exists(s, 0, 0, vec3(1, 0, 0));
        wit_surface_destroy(s);
        d.kind = WIT_SURFACE_ELLIPSOID;
        s = surface_made(&d);
        normal_exists(s, 1, PI / 2, vec3(0, 0, 1));
        normal_exists(s, PI / 2, 0, vec3(0, 1, 0));
        wit_surface_destroy(s);
        d.kind = WIT_SURFACE_PARABOLOID;
        s = surface_made(&d);
        normal_exists(s, 1, 0, vec3(0, 0, -1));
        wit_surface_destroy(s);
    }
}

static void normal_at_apex_is_missing(void** state)
{
    (void)state;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_CONE);
    d.radius = 1;
    d.angle = -0.3;
    d.range_v = iv(0, -1 / sin(-0.3));
    wit_surface* s = surface_made(&d);
    normal_is_missing(s, 1, d.range_v.hi);
    normal_exists(s, 0, 0, vec3(cos(0.3), 0, sin(0.3)));
    wit_surface_destroy(s);
    d = wit_surface_default_def(WIT_SURFACE_TORUS);
    d.radius = 1;
    d.minor = 2;
    d.range_v = iv(-1, acos(-0.5));
    s = surface_made(&d);
    normal_is_missing(s, 1, d.range_v.hi);
    wit_surface_destroy(s);
}

/* A line from (0, 0, 0) to (1, 0, rise): a disc for rise 0, else a cone. */
static void normal_of_revolution_at_axis_needs_a_right_angle(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        wit_curve_def c = wit_curve_default_def(WIT_CURVE_LINE);
        c.frame.x = vec3(k & 1 ? -1 : 1, 0, k & 2 ? 0.5 : 0);
        c.range = iv(0, 1);
        wit_curve* profile = curve_made(&c);
        wit_surface_def d = wit_surface_default_def(WIT_SURFACE_REVOLUTION);
        d.profile = profile;
        wit_surface* s = surface_made(&d);
        if (k & 2)
            normal_is_missing(s, 1, 0);
        else
            normal_exists(s, 1, 0, vec3(0, 0, -1)); /* du x dv = e' x e */
        wit_vec3 n, m;
        assert_true(wit_surface_normal(s, 1, 1e-3, &n));
        assert_true(wit_surface_normal(s, 1, 0.5, &m));
        near3(n, m, 1e-12, "along the ruling");
        wit_surface_destroy(s);
        wit_curve_destroy(profile);
    }
}

/* Bilinear in u, degree 2 in v, one border drawn together: flat fan, cone. */
static void normal_at_collapsed_spline_border(void** state)
{
    (void)state;
    static const double u_knots[4] = {0, 0, 1, 1}, arc_knots[6] = {0, 0, 0, 1, 1, 1};
    for (int k = 0; k < 4; k++) {
        double z = k & 1 ? 1 : 0; /* the rim is lifted: no longer flat */
        int pole = k & 2 ? 1 : 0; /* which end of v is the pole */
        double points[18], rim[9] = {1, 0, z, 1, 1, z, 0, 1, z};
        const double weights_of[3] = {1, 0.70710678118654752, 1};
        double weights[6];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 2; j++) {
                for (int x = 0; x < 3; x++) points[3 * (2 * i + j) + x] = j == pole ? 0 : rim[3 * i + x];
                weights[2 * i + j] = weights_of[i];
            }
        wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
        d.degree_u = 2;
        d.degree_v = 1;
        d.count_u = 3;
        d.count_v = 2;
        d.knot_count_u = 6;
        d.knot_count_v = 4;
        d.knots_u = arc_knots;
        d.knots_v = u_knots;
        d.points = points;
        d.weights = weights;
        wit_surface* s = surface_made(&d);
        wit_surface_jet j;
        assert_true(wit_surface_eval(s, 0.3, pole, 0, NULL, &j) & WIT_EVAL_DEGENERATE);
        if (z > 0)
            normal_is_missing(s, 0.3, pole);
        else
            normal_exists(s, 0.3, pole, vec3(0, 0, pole ? 1 : -1));
        wit_surface_destroy(s);
    }
}

/* An extrusion in the plane of a circle folds where the tangent is along the direction: the two sides disagree. */
static void normal_at_fold_is_missing(void** state)
{
    (void)state;
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_CIRCLE);
    c.radius = 1;
    wit_curve* circle = curve_made(&c);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_EXTRUSION);
    d.profile = circle;
    d.direction = vec3(1, 0, 0);
    d.range_v = iv(0, 1);
    wit_surface* s = surface_made(&d);
    normal_is_missing(s, PI / 2, 0.5);
    normal_exists(s, 0.1, 0.5, vec3(0, 0, -1));
    normal_exists(s, 3, 0.5, vec3(0, 0, 1)); /* past the fold */
    normal_exists(s, 5, 0.5, vec3(0, 0, -1));
    wit_surface_destroy(s);
    wit_curve_destroy(circle);
}

static void curve_curvature_matches_closed_forms(void** state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        double size = SIZES[k];
        wit_curve_def d = wit_curve_default_def(WIT_CURVE_ELLIPSE);
        d.semi_x = 3 * size;
        d.semi_y = 2 * size;
        wit_curve* c = curve_made(&d);
        wit_curve_jet j;
        for (int i = 0; i < 20; i++) {
            double t = 0.3 * i, a = d.semi_x, b = d.semi_y, w = hypot(a * sin(t), b * cos(t));
            wit_curve_eval(c, t, 0, NULL, &j);
            near1(wit_curve_curvature(&j) * size, a / w * (b / w) * (size / w), 32 * EPS, "ellipse");
        }
        wit_curve_destroy(c);
    }
    wit_curve_jet still = {{1, 2, 3}, {0, 0, 0}, {1, 0, 0}};
    near1(wit_curve_curvature(&still), 0, 0, "still");
    still.d1.x = 1e-300;
    assert_true(isfinite(wit_curve_curvature(&still)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curvatures_match_closed_forms),
        cmocka_unit_test(principal_directions_bend_by_principal_curvatures),
        cmocka_unit_test(forms_of_degenerate_jets_are_zero),
        cmocka_unit_test(normal_at_smooth_poles_is_the_limit),
        cmocka_unit_test(normal_at_apex_is_missing),
        cmocka_unit_test(normal_of_revolution_at_axis_needs_a_right_angle),
        cmocka_unit_test(normal_at_collapsed_spline_border),
        cmocka_unit_test(normal_at_fold_is_missing),
        cmocka_unit_test(curve_curvature_matches_closed_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
