/* SPDX-License-Identifier: MIT */
/* What the check says of faces, against shapes whose curvature, normals and area are known in closed form. */
#include "../src/body/check/check.h"
#include "analytic.h"
#include "campaign.h"

static const double BEZIER[4][8] = {{0}, {0, 0, 1, 1}, {0, 0, 0, 1, 1, 1}, {0, 0, 0, 0, 1, 1, 1, 1}};

/* A Bezier patch of degree n by n from its control points. */
static wit_surface* bezier(int n, const double* points)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = n;
    d.count_u = d.count_v = n + 1;
    d.knot_count_u = d.knot_count_v = 2 * n + 2;
    d.knots_u = d.knots_v = BEZIER[n];
    d.points = points;
    return surface_made(&d);
}

static wit_face_check checked(const wit_surface* s, bool reversed)
{
    wit_face_check c = {0};
    double flux;
    check_region r = wi_check_region_of(s);
    r.reversed = reversed;
    wi_check_region_face(&r, vec3(0, 0, 0), &c, &flux);
    return c;
}

/* (x, y, (a x^2 + 2 b x y + c y^2) / 2) over [-1, 1]^2, turned and scaled: the Gaussian curvature has the sign of
 * a c - b^2 everywhere, and k = det / (1 + |grad|^2)^2. Control points by the blossom of the quadratic. */
static wit_surface* quadratic_patch(rng* r, double a, double b, double c, double size)
{
    static const double at[3][2] = {{-1, -1}, {-1, 1}, {1, 1}};
    double points[27];
    wit_vec3 axes[3], o = random_vector(r, 0, 2 * size);
    random_axes(r, axes);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double x = 0.5 * (at[i][0] + at[i][1]), y = 0.5 * (at[j][0] + at[j][1]);
            double z = 0.5 * (a * at[i][0] * at[i][1] + 2 * b * x * y + c * at[j][0] * at[j][1]);
            wit_vec3 p = addscaled3(addscaled3(scale3(x, axes[0]), y, axes[1]), z, axes[2]);
            p = addscaled3(o, size, p);
            double* to = points + 3 * (3 * i + j);
            to[0] = p.x;
            to[1] = p.y;
            to[2] = p.z;
        }
    return bezier(2, points);
}

static void quadratic_graphs_bend_as_their_matrix_and_it_is_proved(void** state)
{
    (void)state;
    rng r = rng_seed(301);
    static const double scales[3] = {1e-6, 1, 1e6};
    int kinds[WIT_BEND_COUNT] = {0};
    for (long n = 0; n < campaign_from(40, 2000); n++) {
        double a = rng_range(&r, -2, 2), b = rng_range(&r, -1.5, 1.5), c = rng_range(&r, -2, 2), det = a * c - b * b;
        if (fabs(det) < 0.01) continue;
        bool reversed = rng_int(&r, 2);
        double size = scales[rng_int(&r, 3)];
        wit_surface* s = quadratic_patch(&r, a, b, c, size);
        wit_face_check f = checked(s, reversed);
        /* a > 0 opens towards the normal: concave; the other side is convex. */
        wit_bend want = det < 0               ? WIT_BEND_SADDLE
                        : (a > 0) != reversed ? WIT_BEND_STRICTLY_CONCAVE
                                              : WIT_BEND_STRICTLY_CONVEX;
        assert_int_equal(f.bend, want);
        assert_true(f.bend_proved);
        assert_true(f.negative_share == (det < 0 ? 1 : 0));
        /* In the middle the principal curvatures are the eigenvalues. */
        double mean = 0.5 * (a + c), spread = sqrt(0.25 * (a - c) * (a - c) + b * b), sign = reversed ? 1 : -1;
        double lo = fmin(sign * (mean - spread), sign * (mean + spread)),
               hi = fmax(sign * (mean - spread), sign * (mean + spread));
        assert_true(f.bend_min * size <= lo + 1e-9 && f.bend_max * size >= hi - 1e-9);
        kinds[f.bend]++;
        wit_surface_destroy(s);
    }
    assert_true(kinds[WIT_BEND_SADDLE] > 5 && kinds[WIT_BEND_STRICTLY_CONVEX] > 5 &&
                kinds[WIT_BEND_STRICTLY_CONCAVE] > 5);
}

/* z = x^3 - y^2 over [lo, hi] x [0, 1]: negative Gaussian curvature exactly where x > 0. The border runs along samples'
 * columns: undecided boxes are 1/32 wide and sampled 12 times, so the share is good to 1 / (2 * 12 * 32). */
static void share_of_negative_curvature_is_where_the_second_derivative_changes_sign(void** state)
{
    (void)state;
    rng r = rng_seed(302);
    for (long n = 0; n < campaign(200); n++) {
        double lo = -rng_range(&r, 0.3, 1), hi = rng_range(&r, 0.3, 1), points[48];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                double cube = (i < 1 ? lo : hi) * (i < 2 ? lo : hi) * (i < 3 ? lo : hi), square = j < 2 ? 0 : j - 2;
                double* to = points + 3 * (4 * i + j);
                to[0] = lo + (hi - lo) * i / 3;
                to[1] = j / 3.0;
                to[2] = cube - (j == 2 ? 1.0 / 3 : square); /* y^2 in degree 3: 0, 0, 1/3, 1 */
            }
        wit_surface* s = bezier(3, points);
        wit_face_check f = checked(s, false);
        assert_int_equal(f.bend, WIT_BEND_MIXED);
        assert_true(f.bend_proved);
        assert_true(fabs(f.negative_share - hi / (hi - lo)) <= 1.0 / (2 * 12 * 32) + 1e-12);
        wit_surface_destroy(s);
    }
}

/* A spherical cap around a pole, latitude from v0: the normals fill the cone of half angle pi/2 - v0 about the axis. Nice
 * if and only if v0 > 0. */
static void caps_are_nice_until_the_hemisphere_is_full(void** state)
{
    (void)state;
    rng r = rng_seed(303);
    for (long n = 0; n < campaign(300); n++) {
        wit_surface_def d = random_quadric(&r, WIT_SURFACE_SPHERE, 1);
        bool reversed = rng_int(&r, 2);
        double v0 = rng_range(&r, -1, 1.3);
        if (fabs(v0) < 1e-3) continue;
        d.range_u = iv(0, 0);
        d.range_v = iv(v0, 0.5 * PI);
        wit_surface* s = surface_made(&d);
        wit_face_check f = checked(s, reversed);
        assert_true(f.nice == (v0 > 0));
        assert_true(f.nice_proved);
        assert_int_equal(f.poles, 1);
        assert_int_equal(f.apexes, 0);
        double area = TWO_PI * d.radius * d.radius * (1 - sin(v0));
        assert_true(fabs(f.area - area) <= 1e-10 * area);
        if (f.nice) {
            wit_vec3 z = unit3(d.frame.z);
            assert_true(dot3(f.normals.axis, z) * (reversed ? -1 : 1) > 1 - 1e-6);
            assert_true(fabs(f.normals.angle - (0.5 * PI - v0)) < 1e-3);
            assert_true(f.normals_bound >= 0.5 * PI - v0 && f.normals_bound <= f.normals.angle + 0.021);
        }
        wit_surface_destroy(s);
    }
}

/* The bound holds for normals that the check has not seen. */
static void normals_stay_within_the_proved_cone(void** state)
{
    (void)state;
    rng r = rng_seed(304);
    int proved = 0;
    for (long n = 0; n < campaign(300); n++) {
        double points[48];
        for (int i = 0; i < 48; i++) points[i] = rng_range(&r, -0.4, 0.4);
        for (int i = 0; i < 16; i++) {
            points[3 * i] += i / 4;
            points[3 * i + 1] += i % 4;
        }
        wit_surface* s = bezier(3, points);
        wit_face_check f = checked(s, false);
        proved += f.nice && f.nice_proved;
        for (int k = 0; k < 200; k++) {
            double u = rng_double(&r);
            double v = rng_double(&r);
            wit_vec3 normal;
            assert_true(wit_surface_normal(s, u, v, &normal));
            double angle = atan2(norm3(cross3(normal, f.normals.axis)), dot3(normal, f.normals.axis));
            assert_true(angle <= f.normals_bound + 1e-12);
            if (f.nice && f.nice_proved) assert_true(dot3(normal, f.normals.axis) > 0);
        }
        wit_surface_destroy(s);
    }
    assert_true(proved > 0);
}

static void quadrics_are_what_they_are(void** state)
{
    (void)state;
    static const wit_bend want[] = {
        WIT_BEND_FLAT,  WIT_BEND_CONVEX,         WIT_BEND_CONVEX, WIT_BEND_STRICTLY_CONVEX, WIT_BEND_STRICTLY_CONVEX,
        WIT_BEND_COUNT, WIT_BEND_STRICTLY_CONVEX};
    static const wit_bend turned[] = {WIT_BEND_FLAT, WIT_BEND_STRICTLY_CONCAVE, WIT_BEND_CONCAVE,
                                      WIT_BEND_STRICTLY_CONVEX, WIT_BEND_CONVEX};
    rng r = rng_seed(305);
    for (int kind = WIT_SURFACE_PLANE; kind <= WIT_SURFACE_PARABOLOID; kind++)
        for (long n = 0; n < campaign(100); n++) {
            wit_surface_def d = random_quadric(&r, (wit_surface_kind)kind, n % 2 ? 1e-6 : 1e6);
            wit_surface* s = surface_made(&d);
            if (want[kind] != WIT_BEND_COUNT) {
                wit_face_check a = checked(s, false), b = checked(s, true);
                assert_int_equal(a.bend, want[kind]);
                assert_int_equal(b.bend, turned[want[kind]]);
                assert_true(a.bend_proved && b.bend_proved);
                assert_true(a.negative_share == 0);
                assert_true(a.bend_min >= 0 && b.bend_max <= 0);
                assert_int_equal(a.continuity, 2);
                assert_true(fabs(a.area - b.area) <= 1e-12 * a.area);
            }
            wit_surface_destroy(s);
        }
}

/* Gaussian curvature of a torus has the sign of cos v: the share is that of |v| > pi/2 in the range. */
static void torus_is_a_saddle_inside(void** state)
{
    (void)state;
    static const struct {
        double lo, hi, share;
        wit_bend bend;
    } cases[] = {{0, 0, 0.5, WIT_BEND_MIXED},
                 {-1, 1, 0, WIT_BEND_STRICTLY_CONVEX},
                 {-0.5 * PI, 0.5 * PI, 0, WIT_BEND_CONVEX},
                 {1.7, 4, 1, WIT_BEND_SADDLE},
                 {0, 0.75 * PI, 1.0 / 3, WIT_BEND_MIXED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        wit_surface_def d = wit_surface_default_def(WIT_SURFACE_TORUS);
        d.radius = 2;
        d.minor = 0.5;
        d.range_v = iv(cases[i].lo, cases[i].hi);
        wit_surface* s = surface_made(&d);
        wit_face_check f = checked(s, false);
        assert_int_equal(f.bend, cases[i].bend);
        assert_true(f.bend_proved);
        assert_true(fabs(f.negative_share - cases[i].share) < 2e-3);
        wit_surface_destroy(s);
    }
}

/* Extrusions and revolutions of a line: curved one way only, proved without boxes. An extruded S is mixed. */
static void swept_lines_and_circles_are_convex_one_way(void** state)
{
    (void)state;
    wit_curve_def cd = wit_curve_default_def(WIT_CURVE_CIRCLE);
    cd.radius = 2;
    cd.range = iv(0.2, 3);
    wit_curve* circle = curve_made(&cd);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_EXTRUSION);
    d.profile = circle;
    d.direction = vec3(0.2, 0, 1);
    d.range_v = iv(-1, 2);
    wit_surface* s = surface_made(&d);
    wit_face_check f = checked(s, false), g = checked(s, true);
    assert_int_equal(f.bend, WIT_BEND_CONVEX);
    assert_int_equal(g.bend, WIT_BEND_CONCAVE);
    assert_true(f.bend_proved && g.bend_proved);
    wit_surface_destroy(s);
    wit_curve_destroy(circle);

    cd = wit_curve_default_def(WIT_CURVE_NURBS);
    static const double points[12] = {0, 0, 0, 1, 2, 0, 2, -2, 0, 3, 0, 0};
    cd.degree = 3;
    cd.count = 4;
    cd.knot_count = 8;
    cd.knots = BEZIER[3];
    cd.points = points;
    wit_curve* bend = curve_made(&cd);
    d.profile = bend;
    s = surface_made(&d);
    f = checked(s, false);
    assert_int_equal(f.bend, WIT_BEND_MIXED);
    assert_true(f.bend_proved && f.negative_share == 0);
    wit_surface_destroy(s);
    wit_curve_destroy(bend);

    cd = wit_curve_default_def(WIT_CURVE_LINE);
    cd.frame.origin = vec3(1, 0, 0);
    cd.frame.x = vec3(0.5, 0, 1);
    cd.frame.z = vec3(0, 1, 0);
    cd.range = iv(0, 2);
    wit_curve* line = curve_made(&cd);
    d = wit_surface_default_def(WIT_SURFACE_REVOLUTION);
    d.profile = line;
    s = surface_made(&d);
    f = checked(s, false);
    g = checked(s, true);
    assert_int_equal(f.bend, WIT_BEND_CONVEX);
    assert_int_equal(g.bend, WIT_BEND_CONCAVE);
    assert_true(f.bend_proved && g.bend_proved);
    wit_surface_destroy(s);
    wit_curve_destroy(line);
}

/* Flat and ruled splines: rounding of second derivatives is not curvature. */
static void flat_splines_are_flat_and_bent_sheets_have_no_saddle(void** state)
{
    (void)state;
    rng r = rng_seed(306);
    for (long n = 0; n < campaign(200); n++) {
        double size = n % 3 == 0 ? 1e-6 : n % 3 == 1 ? 1 : 1e6;
        wit_vec3 axes[3], o = random_vector(&r, 0, 10 * size);
        random_axes(&r, axes);
        double points[2][48];
        for (int i = 0; i < 16; i++) {
            double x = i / 4 + rng_range(&r, -0.3, 0.3);
            double y = i % 4 + rng_range(&r, -0.3, 0.3);
            wit_vec3 p = addscaled3(addscaled3(o, size * x, axes[0]), size * y, axes[1]);
            wit_vec3 q = addscaled3(addscaled3(o, size * (i / 4), axes[0]), size * (i % 4), axes[1]);
            q = addscaled3(q, size * (i / 4 == 1 || i / 4 == 2 ? 0.5 : 0), axes[2]);
            memcpy(points[0] + 3 * i, &p, sizeof p);
            memcpy(points[1] + 3 * i, &q, sizeof q);
        }
        wit_surface* s = bezier(3, points[0]);
        wit_face_check f = checked(s, false);
        assert_int_equal(f.bend, WIT_BEND_FLAT);
        assert_true(f.bend_proved && f.nice && f.nice_proved && f.normals.angle < 1e-6);
        wit_surface_destroy(s);
        s = bezier(3, points[1]);
        f = checked(s, false);
        assert_int_equal(f.bend, WIT_BEND_CONVEX);
        assert_true(f.negative_share == 0);
        wit_surface_destroy(s);
    }
}

static void poles_and_apexes_are_told_apart(void** state)
{
    (void)state;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_CONE);
    d.angle = 0.4;
    d.range_v = iv(0, 3);
    wit_surface* s = surface_made(&d);
    wit_face_check f = checked(s, false);
    assert_int_equal(f.apexes, 1);
    assert_int_equal(f.poles + f.singular, 0);
    assert_false(f.regular);
    assert_true(f.nice && f.nice_proved);
    assert_true(fabs(f.normals.angle - (0.5 * PI - 0.4)) < 1e-3);
    wit_surface_destroy(s);
    /* A border of a spline drawn together, in a plane: a pole. */
    static const double points[27] = {0, 0, 0, 0, 0, 0,  0, 0,   0, 1, -1, 0, 1.2, 0,
                                      0, 1, 1, 0, 2, -2, 0, 2.4, 0, 0, 2,  2, 0};
    s = bezier(2, points);
    f = checked(s, false);
    assert_int_equal(f.poles, 1);
    assert_int_equal(f.apexes + f.singular, 0);
    assert_int_equal(f.bend, WIT_BEND_FLAT);
    wit_surface_destroy(s);
    /* A corner where du and dv are parallel: singular, not collapsed. */
    static const double corner[27] = {0, 0, 0, 1, 0, 0, 2, 0.5, 0, 1, 0, 0, 1.2, 1,
                                      0, 2, 1, 0, 2, 2, 0, 2.4, 3, 0, 4, 4, 0};
    s = bezier(2, corner);
    f = checked(s, false);
    assert_true(f.singular > 0);
    assert_int_equal(f.poles + f.apexes, 0);
    wit_surface_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadratic_graphs_bend_as_their_matrix_and_it_is_proved),
        cmocka_unit_test(share_of_negative_curvature_is_where_the_second_derivative_changes_sign),
        cmocka_unit_test(caps_are_nice_until_the_hemisphere_is_full),
        cmocka_unit_test(normals_stay_within_the_proved_cone),
        cmocka_unit_test(quadrics_are_what_they_are),
        cmocka_unit_test(torus_is_a_saddle_inside),
        cmocka_unit_test(swept_lines_and_circles_are_convex_one_way),
        cmocka_unit_test(flat_splines_are_flat_and_bent_sheets_have_no_saddle),
        cmocka_unit_test(poles_and_apexes_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
