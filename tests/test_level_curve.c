/* SPDX-License-Identifier: MIT */
/* Curves of K = 0 on patches whose curvature is known in closed form. */
#include "../src/body/check/level_curve.h"
#include "campaign.h"
#include "polynomial_patch.h"

#define ACCURACY 1e-9

static level_curves trace(const wit_surface* s)
{
    level_curves c;
    assert_int_equal(wi_level_trace(s, iv(0, 1), iv(0, 1), ACCURACY, NULL, &c), WIT_OK);
    return c;
}

static const wit_curve* curve_of(const level_curves* c, int i)
{
    return *LIST_AT(wit_curve*, c->curves, i);
}

/* z = h(r), h = r^2/2 - r^4/4: K has the sign of h' h'' = (r - r^3)(1 - 3 r^2): zero on the circles r^2 = 1/3 and 1. */
static void circles_of_zero_curvature_are_found_at_every_scale(void** state)
{
    (void)state;
    double a[5][5] = {{0}};
    a[2][0] = a[0][2] = 0.5;
    a[4][0] = a[0][4] = -0.25;
    a[2][2] = -0.5;
    for (double scale = 1e-6; scale < 1e7; scale *= 1e6) {
        wit_surface* s = polynomial_patch(a, -1.2, 1.3, -1.15, 1.25, scale);
        level_curves c = trace(s);
        assert_int_equal(c.curves.count, 2);
        assert_int_equal(c.unresolved + c.singular + c.touching, 0);
        assert_true(c.error <= ACCURACY);
        for (int i = 0; i < 2; ++i) {
            const wit_curve* k = curve_of(&c, i);
            wit_curve_jet j;
            double r0 = 0, turn = 0, last = 0;
            for (int n = 0; n <= 1000; ++n) {
                wit_curve_eval(k, k->range.lo + iv_width(k->range) * n / 1000, 0, NULL, &j);
                double x = -1.2 + 2.5 * j.p.x, y = -1.15 + 2.4 * j.p.y, r = sqrt(x * x + y * y), angle = atan2(y, x);
                if (n == 0) r0 = r < 0.8 ? sqrt(1.0 / 3) : 1;
                /* Accuracy is relative to the cell: 2.5 wide. */
                near1(r, r0, 2.5 * ACCURACY, "radius");
                if (n > 0) turn += remainder(angle - last, TWO_PI);
                last = angle;
            }
            near1(fabs(turn), TWO_PI, 1e-6, "once around");
        }
        assert_true(fabs(curve_of(&c, 0)->range.hi - curve_of(&c, 1)->range.hi) > 0.1); /* not the same one twice */
        wi_level_drop(&c);
        wit_surface_destroy(s);
    }
}

/* z = x^3 + x y^2: det of the Hessian = 12 x^2 - 4 y^2: two lines that cross at the origin. */
static void crossing_branches_end_at_the_singular_point(void** state)
{
    (void)state;
    double a[5][5] = {{0}};
    a[3][0] = a[1][2] = 1;
    static const double box[3][4] = {{-1, 1.3, -1.1, 0.9}, {-1, 1, -1, 1}, {-0.3, 2, -0.7, 0.71}};
    for (int b = 0; b < 3; ++b) {
        double x0 = box[b][0], w = box[b][1] - x0, y0 = box[b][2], h = box[b][3] - y0;
        wit_surface* s = polynomial_patch(a, x0, box[b][1], y0, box[b][3], 1);
        level_curves c = trace(s);
        assert_int_equal(c.curves.count, 4);
        assert_int_equal(c.singular, 1);
        assert_int_equal(c.unresolved, 0);
        for (int i = 0; i < 4; ++i) {
            const wit_curve* k = curve_of(&c, i);
            wit_curve_jet j;
            wit_curve_eval(k, k->range.hi, 0, NULL, &j);
            near1(x0 + w * j.p.x, 0, 1e-8, "singular x");
            near1(y0 + h * j.p.y, 0, 1e-8, "singular y");
            for (int n = 0; n <= 100; ++n) {
                wit_curve_eval(k, k->range.hi * n / 100, 0, NULL, &j);
                double x = x0 + w * j.p.x, y = y0 + h * j.p.y;
                near1(fabs(y), sqrt(3) * fabs(x), 4 * ACCURACY, "on a branch");
            }
        }
        wi_level_drop(&c);
        wit_surface_destroy(s);
    }
}

static void places_where_k_only_touches_zero_are_counted_not_cut(void** state)
{
    (void)state;
    double monkey[5][5] = {{0}}, trough[5][5] = {{0}};
    monkey[3][0] = 1; /* K < 0 but at the origin */
    monkey[1][2] = -3;
    trough[4][0] = trough[0][2] = 1; /* K ~ x^2: zero along a line, positive on both sides */
    for (int i = 0; i < 2; ++i) {
        wit_surface* s = polynomial_patch(i ? trough : monkey, -1, 1.3, -1.1, 0.9, 1);
        level_curves c = trace(s);
        assert_int_equal(c.curves.count, 0);
        assert_int_equal(c.touching, 1);
        assert_int_equal(c.unresolved, 0);
        assert_true(c.boxes < 200000); /* bounded work: it ends */
        wi_level_drop(&c);
        wit_surface_destroy(s);
    }
}

static void developable_patches_count_as_one_sign(void** state)
{
    (void)state;
    double plane[5][5] = {{0}}, gutter[5][5] = {{0}};
    plane[1][0] = 0.3;
    plane[0][1] = -0.7;
    gutter[2][0] = 1;
    gutter[4][0] = 0.3;
    for (int i = 0; i < 2; ++i)
        for (double scale = 1e-6; scale < 1e7; scale *= 1e6) {
            wit_surface* s = polynomial_patch(i ? gutter : plane, -1, 1.3, -1.1, 0.9, scale);
            level_curves c = trace(s);
            assert_true(c.flat);
            assert_int_equal(c.curves.count, 0);
            wi_level_drop(&c);
            wit_surface_destroy(s);
        }
}

/* z = x^3 + y^2: K = 0 along x = 0, which is a border of the second patch. */
static void zero_line_along_a_border_is_told_as_such(void** state)
{
    (void)state;
    double a[5][5] = {{0}};
    a[3][0] = a[0][2] = 1;
    wit_surface* s = polynomial_patch(a, -1, 3, -1.1, 0.9, 1);
    level_curves c = trace(s);
    assert_int_equal(c.curves.count, 1);
    assert_int_equal(c.zero_borders, 0);
    wit_curve_jet j;
    wit_curve_eval(curve_of(&c, 0), 0.5, 0, NULL, &j);
    near1(j.p.x, 0.25, ACCURACY, "x = 0");
    wi_level_drop(&c);
    wit_surface_destroy(s);
    s = polynomial_patch(a, 0, 1, -1.1, 0.9, 1);
    c = trace(s);
    assert_int_equal(c.curves.count, 0);
    assert_int_equal(c.zero_borders, 1);
    assert_int_equal(c.touching + c.unresolved, 0);
    wi_level_drop(&c);
    wit_surface_destroy(s);
}

/* Random quartics: the curves separate the signs. Along any line the sign of g changes exactly where a curve is. */
static void random_patches_change_sign_only_at_curves(void** state)
{
    (void)state;
    rng r = rng_seed(21);
    long unresolved = 0, curves = 0;
    for (long trial = 0; trial < campaign(200); ++trial) {
        double a[5][5];
        for (int i = 0; i < 25; ++i) a[i / 5][i % 5] = rng_range(&r, -1, 1);
        wit_surface* s = polynomial_patch(a, -1, 1, -1, 1, 1);
        level_curves c = trace(s);
        level_cell cell;
        wi_level_cell_init(&cell, s, iv(0, 1), iv(0, 1));
        unresolved += c.unresolved;
        curves += c.curves.count;
        assert_true(c.error <= ACCURACY);
        for (int line = 0; line < 20 && !c.unresolved; ++line) {
            double v = rng_double(&r);
            int changes = 0, last = 0;
            for (int i = 0; i <= 4000; ++i) {
                int sign = wi_level_value(&cell, i / 4000.0, v) > 0 ? 1 : -1;
                changes += last && sign != last;
                last = sign;
            }
            int crossings = 0;
            for (int k = 0; k < c.curves.count; ++k) {
                const wit_curve* q = curve_of(&c, k);
                int n, side = 0;
                const double* b = wit_curve_breaks(q, &n);
                for (int i = 0; i + 1 < n; ++i)
                    for (int m = 0; m <= 8; ++m) {
                        wit_curve_jet j;
                        wit_curve_eval(q, b[i] + (b[i + 1] - b[i]) * m / 8, 0, NULL, &j);
                        int now = j.p.y > v ? 1 : -1;
                        crossings += side && now != side;
                        side = now;
                    }
            }
            /* Two changes closer than 1/4000 go unseen together. */
            assert_true(crossings >= changes && (crossings - changes) % 2 == 0);
            if (crossings != changes) assert_true(crossings - changes <= 2);
        }
        wi_level_drop(&c);
        wit_surface_destroy(s);
    }
    print_message("%ld curves, %ld ends not resolved\n", curves, unresolved);
    assert_true(unresolved == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circles_of_zero_curvature_are_found_at_every_scale),
        cmocka_unit_test(crossing_branches_end_at_the_singular_point),
        cmocka_unit_test(places_where_k_only_touches_zero_are_counted_not_cut),
        cmocka_unit_test(developable_patches_count_as_one_sign),
        cmocka_unit_test(zero_line_along_a_border_is_told_as_such),
        cmocka_unit_test(random_patches_change_sign_only_at_curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
