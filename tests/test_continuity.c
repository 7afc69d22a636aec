/* SPDX-License-Identifier: MIT */
/* How cells meet is measured, not counted from multiplicities. */
#include "../include/witness/body.h"
#include "analytic.h"
#include "campaign.h"
#include "random_spline.h"

/* The patch of Table I (degree 2, simple knots at 1/3 and 2/3): C1 and not C2 there, in both directions. */
static void table1_is_c1_only_at_its_knots(void** state)
{
    (void)state;
    static const double rows[5][5][3] = {{{0, 0, 0}, {3, 0, 2}, {5, 0, 3}, {8, 0, 3}, {10, 0, 0}},
                                         {{1, 3, 3}, {3, 3, 5}, {5, 3, 6}, {8, 3, 5}, {9, 3, 3}},
                                         {{2, 5, 5}, {3, 5, 7}, {5, 5, 8}, {8, 5, 7}, {8, 5, 5}},
                                         {{1, 8, 3}, {3, 8, 5}, {5, 8, 6}, {8, 8, 5}, {9, 8, 3}},
                                         {{0, 10, 0}, {3, 10, 2}, {5, 10, 3}, {8, 10, 2}, {10, 10, 0}}};
    static const double knots[8] = {0, 0, 0, 1.0 / 3, 2.0 / 3, 1, 1, 1};
    double points[75];
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j) memcpy(points + 3 * (5 * i + j), rows[j][i], sizeof rows[j][i]);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 2;
    d.count_u = d.count_v = 5;
    d.knot_count_u = d.knot_count_v = 8;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    wit_surface* s = surface_made(&d);
    for (int direction = 0; direction < 2; ++direction) {
        wit_continuity c;
        for (int k = 1; k <= 2; ++k) {
            assert_true(wit_surface_continuity(s, (wit_direction)direction, k, &c));
            assert_int_equal(c.order, 1);
            assert_true(c.tangent);
            assert_true(c.value == knots[2 + k]);
            assert_true(c.jump1 < 1e-13 && c.jump2 > 0.1);
        }
        assert_false(wit_surface_continuity(s, (wit_direction)direction, 0, &c)); /* not closed */
        assert_false(wit_surface_continuity(s, (wit_direction)direction, 3, &c));
        assert_false(wit_surface_continuity(s, (wit_direction)direction, -1, &c));
    }
    wit_surface_destroy(s);
}

static wit_curve* quadratic(const double* knots, int knot_count, const double* points, const double* weights)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
    d.degree = 2;
    d.count = knot_count - 3;
    d.knot_count = knot_count;
    d.knots = knots;
    d.points = points;
    d.weights = weights;
    return curve_made(&d);
}

/* The nine-point circle has double knots, so multiplicity says C0; the curve itself is C1 (and G1, also at the seam). */
static void rational_circle_is_smoother_than_its_knots(void** state)
{
    (void)state;
    const double h = sqrt(0.5), knots[12] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    static const double points[27] = {1, 0,  0,  1, 1, 0,  0, 1, 0,  -1, 1, 0, -1, 0,
                                      0, -1, -1, 0, 0, -1, 0, 1, -1, 0,  1, 0, 0};
    const double weights[9] = {1, h, 1, h, 1, h, 1, h, 1};
    wit_curve* c = quadratic(knots, 12, points, weights);
    assert_true(wit_curve_describe(c).closed);
    for (int k = 0; k < 4; ++k) {
        wit_continuity m;
        assert_true(wit_curve_continuity(c, k, &m));
        assert_int_equal(m.order, 1);
        assert_true(m.tangent);
    }
    wit_curve_destroy(c);
}

/* A knot inserted into a parabola changes nothing: C2. A corner is C0 and not G1. Equal directions at unequal speed: C0 but G1. */
static void inserted_knot_is_c2_and_a_corner_is_c0(void** state)
{
    (void)state;
    static const double simple[7] = {0, 0, 0, 0.5, 1, 1, 1}, twice[8] = {0, 0, 0, 0.5, 0.5, 1, 1, 1};
    static const double parabola[12] = {0, 0, 0, 0.25, 0, 0, 0.75, 0.5, 0, 1, 1, 0};
    static const double corner[15] = {0, 0, 0, 0.5, 0, 0, 1, 0, 0, 1, 0.5, 0, 1, 1, 0};
    static const double straight[15] = {0, 0, 0, 0.5, 0, 0, 1, 0, 0, 3, 0, 0, 5, 1, 0};
    wit_continuity m;
    wit_curve* c = quadratic(simple, 7, parabola, NULL);
    assert_true(wit_curve_continuity(c, 1, &m));
    assert_int_equal(m.order, 2);
    wit_curve_destroy(c);
    c = quadratic(twice, 8, corner, NULL);
    assert_true(wit_curve_continuity(c, 1, &m));
    assert_int_equal(m.order, 0);
    assert_false(m.tangent);
    wit_curve_destroy(c);
    c = quadratic(twice, 8, straight, NULL);
    assert_true(wit_curve_continuity(c, 1, &m));
    assert_int_equal(m.order, 0);
    assert_true(m.tangent);
    wit_curve_destroy(c);
}

/* The seam of every closed analytic shape is smooth; an extruded corner is a crease of the surface. */
static void seams_are_smooth_and_creases_are_inherited(void** state)
{
    (void)state;
    rng r = rng_seed(41);
    for (int kind = WIT_SURFACE_CYLINDER; kind <= WIT_SURFACE_PARABOLOID; ++kind)
        for (int n = 0; n < 20; ++n) {
            wit_surface_def d = random_quadric(&r, (wit_surface_kind)kind, 1);
            d.range_u = iv(0, 0);
            wit_surface* s = surface_made(&d);
            wit_continuity m;
            assert_true(wit_surface_continuity(s, WIT_U, 0, &m));
            assert_int_equal(m.order, 2);
            assert_true(m.tangent);
            wit_surface_destroy(s);
        }
    static const double twice[8] = {0, 0, 0, 0.5, 0.5, 1, 1, 1};
    static const double corner[15] = {0, 0, 0, 0.5, 0, 0, 1, 0, 0, 1, 0.5, 0, 1, 1, 0};
    wit_curve* c = quadratic(twice, 8, corner, NULL);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_EXTRUSION);
    d.profile = c;
    d.direction = vec3(0, 0, 1);
    d.range_v = iv(0, 1);
    wit_surface* s = surface_made(&d);
    wit_continuity m;
    assert_int_equal(wit_surface_describe(s).cells_u, 2);
    assert_true(wit_surface_continuity(s, WIT_U, 1, &m));
    assert_int_equal(m.order, 0);
    assert_false(m.tangent);
    wit_surface_destroy(s);
    wit_curve_destroy(c);
}

/* Simple knots of random splines of degree p are C(p - 1): C2 or better from degree 3 on. */
static void random_simple_knots_have_full_continuity(void** state)
{
    (void)state;
    rng r = rng_seed(42);
    static random_curve spline;
    int seen = 0;
    for (long n = campaign(20000); n-- > 0;) {
        random_curve_make(&r, 1 + rng_int(&r, 9), pow(10, 6 * (rng_int(&r, 3) - 1)), &spline);
        if (spline.def.periodic) continue;
        wit_curve* c = curve_made(&spline.def);
        int count;
        const double* b = wit_curve_breaks(c, &count);
        for (int k = 1; k + 1 < count; ++k) {
            int multiplicity = 0, p = spline.def.degree;
            for (int i = 0; i < spline.def.knot_count; ++i) multiplicity += spline.knots[i] == b[k];
            wit_continuity m;
            assert_true(wit_curve_continuity(c, k, &m));
            int least = p - multiplicity > 2 ? 2 : p - multiplicity;
            if (m.order != least)
                fail_msg("degree %d, multiplicity %d: C%d, jumps %g %g", p, multiplicity, m.order, m.jump1, m.jump2);
            ++seen;
        }
        wit_curve_destroy(c);
    }
    assert_true(seen > campaign(10000));
}

/* Weights from 1e-3 to 1e3 make parts of a surface slower than others by many powers of ten. A knot of full multiplicity
 * between random points is a crease there too; one of less is none: the tangent plane goes on. */
static void unlike_weights_hide_no_crease_and_make_none(void** state)
{
    (void)state;
    rng r = rng_seed(43);
    static random_surface spline;
    long creases = 0, smooth = 0, missed = 0, made = 0, wrong_order = 0;
    for (long n = campaign(40000); n-- > 0;) {
        int p = 1 + rng_int(&r, 3);
        int q = 1 + rng_int(&r, 3);
        double decades = rng_range(&r, 0, 3);
        random_surface_make(&r, p, q, pow(10, 6 * (rng_int(&r, 3) - 1)), &spline);
        if (spline.def.periodic_u || spline.def.periodic_v) continue;
        for (int i = 0; i < spline.def.count_u * spline.def.count_v; ++i)
            spline.weights[i] = pow(10, rng_range(&r, -decades, decades));
        spline.def.weights = spline.weights;
        wit_surface* s = surface_made(&spline.def);
        for (int direction = 0; direction < 2; ++direction) {
            int count, degree = direction ? q : p;
            const double* b = wit_surface_breaks(s, (wit_direction)direction, &count);
            const double* knots = direction ? spline.knots_v : spline.knots_u;
            int knot_count = direction ? spline.def.knot_count_v : spline.def.knot_count_u;
            for (int k = 1; k + 1 < count; ++k) {
                int multiplicity = 0;
                for (int i = 0; i < knot_count; ++i) multiplicity += knots[i] == b[k];
                wit_continuity m;
                assert_true(wit_surface_continuity(s, (wit_direction)direction, k, &m));
                bool crease = multiplicity == degree;
                int order = degree - multiplicity > 2 ? 2 : degree - multiplicity;
                creases += crease;
                smooth += !crease;
                missed += crease && m.tangent;
                made += !crease && !m.tangent;
                wrong_order += m.order != order;
            }
        }
        wit_surface_destroy(s);
    }
    print_message("  %ld creases, %ld missed; %ld smooth borders, %ld taken for creases; %ld of wrong order\n", creases,
                  missed, smooth, made, wrong_order);
    assert_true(creases > campaign(10000) && smooth > campaign(10000));
    assert_int_equal(missed + made + wrong_order, 0);
}

static wit_body* sheet_of(const wit_surface* s)
{
    wit_face_def face = {.surface = s};
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET2);
    def.face_count = 1;
    def.faces = &face;
    wit_error error = {0};
    wit_body* b = wit_body_create(&def, NULL, &error);
    if (!b) fail_msg("%s: %s", error.item, error.text);
    return b;
}

/* A ridge whose every sample is slow: the weights of the roof make it up to 1e12 times slower than the rest. */
static void slow_ridge_is_a_crease(void** state)
{
    (void)state;
    static const double knots_u[6] = {0, 0, 1, 2, 3, 3}, knots_v[4] = {0, 0, 1, 1};
    static const double x[4] = {-1, 0, 1, 30}, z[4] = {-1, 0, -1, -40};
    for (int e = 0; e <= 12; ++e)
        for (int k = 0; k < 4; ++k) {
            double w = pow(10, 0.25 * e), points[24], weights[8];
            const double all[4][4] = {
                {w, 1 / w, w, 1 / w}, {1, 1, w, 1 / w}, {1 / w, 1 / w, 1 / w, w}, {1 / w, 1 / w, w, 1}};
            for (int i = 0; i < 8; ++i) {
                memcpy(points + 3 * i, (double[3]){x[i / 2], 2 * (i % 2) - 1, z[i / 2]}, 3 * sizeof(double));
                weights[i] = all[k][i / 2];
            }
            wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
            d.degree_u = d.degree_v = 1;
            d.count_u = 4;
            d.count_v = 2;
            d.knot_count_u = 6;
            d.knot_count_v = 4;
            d.knots_u = knots_u;
            d.knots_v = knots_v;
            d.points = points;
            d.weights = weights;
            wit_surface* s = surface_made(&d);
            for (int border = 1; border < 3; ++border) {
                wit_continuity m;
                assert_true(wit_surface_continuity(s, WIT_U, border, &m));
                assert_int_equal(m.order, 0);
                assert_false(m.tangent);
            }
            wit_body* b = sheet_of(s); /* each slope is a face, however slow */
            assert_int_equal(wit_body_describe(b).face_count, 3);
            wit_body_destroy(b);
            wit_surface_destroy(s);
        }
}

/* Unlike weights along one border make its tangent small where it is asked for. It is still a line, not a point. */
static void slow_border_is_an_edge(void** state)
{
    (void)state;
    static const double knots[4] = {0, 0, 1, 1}, points[12] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0.3};
    for (int e = 0; e <= 12; ++e) {
        double w = pow(10, 0.25 * e), weights[4] = {w, 1 / w, 1, 1};
        wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
        d.degree_u = d.degree_v = 1;
        d.count_u = d.count_v = 2;
        d.knot_count_u = d.knot_count_v = 4;
        d.knots_u = d.knots_v = knots;
        d.points = points;
        d.weights = weights;
        wit_surface* s = surface_made(&d);
        wit_body* b = sheet_of(s);
        assert_int_equal(wit_body_describe(b).edge_count, 4);
        assert_int_equal(wit_body_describe(b).vertex_count, 4);
        wit_body_destroy(b);
        wit_surface_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table1_is_c1_only_at_its_knots),
        cmocka_unit_test(rational_circle_is_smoother_than_its_knots),
        cmocka_unit_test(inserted_knot_is_c2_and_a_corner_is_c0),
        cmocka_unit_test(seams_are_smooth_and_creases_are_inherited),
        cmocka_unit_test(random_simple_knots_have_full_continuity),
        cmocka_unit_test(unlike_weights_hide_no_crease_and_make_none),
        cmocka_unit_test(slow_ridge_is_a_crease),
        cmocka_unit_test(slow_border_is_an_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
