/* SPDX-License-Identifier: MIT */
/* The long-double reference against identities and closed forms that need no spline code at all. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "campaign.h"
#include "deboor.h"
#include "random.h"

#define EPS LDBL_EPSILON
enum { MAX_COUNT = 40, MAX_KNOTS = MAX_COUNT + WIT_MAX_DEGREE + 1 };

typedef struct spline {
    double knots[MAX_KNOTS], points[3 * MAX_COUNT], weights[MAX_COUNT];
    wit_curve_def def;
} spline;

static void assert_near(long double a, long double b, long double tolerance)
{
    if (!(fabsl(a - b) <= tolerance))
        fail_msg("%.20Lg and %.20Lg differ by %.3Lg, more than %.3Lg", a, b, a - b, tolerance);
}

/* Random legal knots: clamped or not, multiplicities up to the degree, spans from 0.25 to 1. */
static void random_spline(rng* r, spline* s, int degree, bool periodic)
{
    memset(s, 0, sizeof *s);
    int count = periodic ? 1 + rng_int(r, 12) : degree + 1 + rng_int(r, 8);
    int knots = periodic ? count + 1 : count + degree + 1, run = 1;
    bool clamped = !periodic && rng_int(r, 2);
    s->knots[0] = rng_range(r, -1, 1);
    for (int i = 1; i < knots; i++) {
        bool repeat = run < degree && rng_int(r, 3) == 0 && i != count;
        if (clamped && (i <= degree || i > count)) repeat = true;
        if (clamped && (i == degree + 1 || i == count)) repeat = false;
        run = repeat ? run + 1 : 1;
        s->knots[i] = repeat ? s->knots[i - 1] : s->knots[i - 1] + rng_range(r, 0.25, 1);
    }
    for (int i = 0; i < 3 * count; i++) s->points[i] = rng_range(r, -1, 1);
    for (int i = 0; i < count; i++) s->weights[i] = rng_range(r, 0.5, 2);
    s->def.kind = WIT_CURVE_NURBS;
    s->def.degree = degree;
    s->def.count = count;
    s->def.periodic = periodic;
    s->def.knot_count = knots;
    s->def.knots = s->knots;
    s->def.points = s->points;
}

static double lowest(const wit_curve_def* def)
{
    return def->periodic ? def->knots[0] : def->knots[def->degree];
}

static double random_parameter(rng* r, const wit_curve_def* def)
{
    return rng_range(r, lowest(def), def->knots[def->count]);
}

static long double falling(int p, int k)
{
    long double f = 1;
    for (int i = 0; i < k; i++) f *= p - i;
    return f;
}

/* Without inner knots N_i is the Bernstein polynomial C(p, i) t^i (1 - t)^(p - i). */
static void deboor_without_inner_knots_is_bernstein(void** state)
{
    (void)state;
    rng r = rng_seed(1);
    for (int p = 1; p <= WIT_MAX_DEGREE; p++)
        for (int i = 0; i <= p; i++) {
            spline s;
            memset(&s, 0, sizeof s);
            for (int k = 0; k <= p; k++) s.knots[p + 1 + k] = 1;
            s.points[3 * i] = 1;
            s.def = (wit_curve_def){.kind = WIT_CURVE_NURBS, .degree = p, .count = p + 1, .knots = s.knots};
            s.def.points = s.points;
            double t = rng_double(&r);
            long double d[DEBOOR_ORDERS][3], x = t, expected = 1;
            deboor_curve(&s.def, t, 0, d);
            for (int k = 0; k < p - i; k++)
                expected *= (1 - x) * (p - k) / (p - i - k); /* C(p, p - i) (1 - t)^(p - i) */
            for (int k = 0; k < i; k++) expected *= x;
            assert_near(d[0][0], expected, 8 * p * EPS);
        }
}

/* Marsden: (x - y)^p = sum over i of N_i(x) (t_i+1 - y) ... (t_i+p - y), for any knots. Its coefficients put every
 * function and every knot to use. The knots span less than 24, so the terms stay below 24^p / p!. */
static void deboor_reproduces_polynomials_on_any_knots(void** state)
{
    (void)state;
    rng r = rng_seed(2);
    for (long n = campaign(20000); n > 0; n--) {
        spline s;
        int p = 1 + rng_int(&r, WIT_MAX_DEGREE);
        random_spline(&r, &s, p, false);
        double t = random_parameter(&r, &s.def), y = rng_range(&r, lowest(&s.def), s.knots[s.def.count]);
        double largest = 0;
        for (int i = 0; i < s.def.count; i++) {
            long double product = 1;
            for (int j = 1; j <= p; j++) product *= (long double)s.knots[i + j] - y;
            s.points[3 * i] = (double)product;
            s.points[3 * i + 1] = 1;
            largest = fmax(largest, fabs(s.points[3 * i]));
        }
        long double d[DEBOOR_ORDERS][3];
        deboor_curve(&s.def, t, 0, d);
        for (int k = 0; k < DEBOOR_ORDERS; k++) {
            long double expected = k <= p ? falling(p, k) * powl((long double)t - y, p - k) : 0;
            /* the coefficients are rounded to double; each order takes p differences over spans of at least 0.25 */
            long double tolerance = largest * DBL_EPSILON * powl(8 * p, k);
            assert_near(d[k][0], expected, tolerance);
            assert_near(d[k][1], k == 0, 64 * p * EPS * powl(8 * p, k)); /* partition of unity */
        }
    }
}

/* Four quarters, double knots: |C| = 1, and so C.C' = 0, C'.C' + C.C'' = 0, 3 C'.C'' + C.C''' = 0. The weight
 * sqrt(1/2) is rounded, which moves the arc by 1e-16. */
static void deboor_rational_circle_is_round(void** state)
{
    (void)state;
    const double w = 0.70710678118654752440;
    const double knots[] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    const double points[] = {1, 0, 0, 1, 1, 0, 0, 1, 0, -1, 1, 0, -1, 0, 0, -1, -1, 0, 0, -1, 0, 1, -1, 0, 1, 0, 0};
    const double weights[] = {1, w, 1, w, 1, w, 1, w, 1};
    wit_curve_def def = {.kind = WIT_CURVE_NURBS, .degree = 2, .count = 9, .knots = knots, .points = points};
    def.weights = weights;
    rng r = rng_seed(3);
    for (int n = 0; n < 1000; n++) {
        double t = rng_range(&r, 0, 4);
        long double d[DEBOOR_ORDERS][3], dot[4] = {0, 0, 0, 0};
        deboor_curve(&def, t, 0, d);
        for (int c = 0; c < 3; c++) {
            dot[0] += d[0][c] * d[0][c];
            dot[1] += d[0][c] * d[1][c];
            dot[2] += d[1][c] * d[1][c] + d[0][c] * d[2][c];
            dot[3] += 3 * d[1][c] * d[2][c] + d[0][c] * d[3][c];
        }
        assert_near(dot[0], 1, 4e-16L);
        for (int k = 1; k < 4; k++) assert_near(dot[k], 0, 4e-16L * powl(8, k));
        /* tan(angle / 2) within a quarter is s w / (1 - s + s w): the arc starts, ends and halves where it should. */
        long double s = t - floor(t), half = s * w / (1 - s + s * w);
        long double angle = 2 * atanl(half) + floor(t) * 1.57079632679489661923L;
        assert_near(d[0][0], cosl(angle), 4e-16L);
        assert_near(d[0][1], sinl(angle), 4e-16L);
    }
}

/* Central differences of order 4 of the derivative one order lower, in long double: truncation h^4 / 30 times the
 * fifth derivative, rounding EPS / h. */
static void deboor_derivatives_match_finite_differences(void** state)
{
    (void)state;
    rng r = rng_seed(4);
    const double h = 0x1p-13;
    for (long n = campaign(5000); n > 0; n--) {
        spline a, b;
        random_spline(&r, &a, 1 + rng_int(&r, 5), false);
        random_spline(&r, &b, 1 + rng_int(&r, 5), rng_int(&r, 2));
        double points[3 * MAX_COUNT * MAX_COUNT], weights[MAX_COUNT * MAX_COUNT];
        for (int i = 0; i < 3 * a.def.count * b.def.count; i++) points[i] = rng_range(&r, -1, 1);
        for (int i = 0; i < a.def.count * b.def.count; i++) weights[i] = rng_range(&r, 0.7, 1.4);
        wit_surface_def def = {.kind = WIT_SURFACE_NURBS, .degree_u = a.def.degree, .degree_v = b.def.degree};
        def.count_u = a.def.count, def.count_v = b.def.count;
        def.periodic_v = b.def.periodic;
        def.knots_u = a.knots, def.knots_v = b.knots;
        def.points = points, def.weights = weights;
        double u = random_parameter(&r, &a.def), v = random_parameter(&r, &b.def);
        deboor_cell cell = deboor_surface_cell(&def, u, v, 0);
        assert_true(cell.lo_u <= u && u <= cell.hi_u && cell.lo_v <= v && v <= cell.hi_v);
        u = fmin(fmax(u, cell.lo_u + 4 * h), cell.hi_u - 4 * h);
        v = fmin(fmax(v, cell.lo_v + 4 * h), cell.hi_v - 4 * h);
        long double d[4][4][3], du[4][4][4][3], dv[4][4][4][3], scale = 0;
        deboor_surface(&def, u, v, 0, d);
        static const int offset[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
        for (int m = 0; m < 4; m++) {
            deboor_surface(&def, u + h * offset[m], v, 0, du[m]);
            deboor_surface(&def, u, v + h * offset[m], 0, dv[m]);
        }
        for (int k = 0; k < 4; k++)
            for (int l = 0; k + l < 4; l++)
                for (int c = 0; c < 3; c++) scale = fmaxl(scale, fabsl(d[k][l][c]));
        for (int k = 0; k < 3; k++)
            for (int l = 0; k + l < 3; l++)
                for (int c = 0; c < 3; c++) {
                    long double by_u = 0, by_v = 0;
                    for (int m = 0; m < 4; m++) {
                        by_u += weight[m] * du[m][k][l][c];
                        by_v += weight[m] * dv[m][k][l][c];
                    }
                    /* h^4 = 2.2e-16; derivatives grow by up to 60 per order on spans of 0.25: 60^4 h^4 / 30 */
                    assert_near(by_u / (12 * h), d[k + 1][l][c], 1e-10L * (1 + scale));
                    assert_near(by_v / (12 * h), d[k][l + 1][c], 1e-10L * (1 + scale));
                }
    }
}

/* The periodic form means: knots and points repeated by hand, degree of them in front. */
static void deboor_periodic_is_the_repeated_spline(void** state)
{
    (void)state;
    rng r = rng_seed(5);
    for (int n = 0; n < 2000; n++) {
        spline s;
        random_spline(&r, &s, 1 + rng_int(&r, WIT_MAX_DEGREE), true);
        s.def.weights = s.weights;
        int p = s.def.degree, count = s.def.count;
        double knots[MAX_COUNT + 3 * WIT_MAX_DEGREE], points[3 * (MAX_COUNT + WIT_MAX_DEGREE)];
        double weights[MAX_COUNT + WIT_MAX_DEGREE], period = s.knots[count] - s.knots[0];
        for (int i = 0; i < count + 2 * p + 1; i++) {
            int from = i - p, turns = 0;
            for (; from < 0; from += count) turns--;
            for (; from >= count; from -= count) turns++;
            knots[i] = s.knots[from] + turns * period;
            if (i >= count + p) continue;
            memcpy(points + 3 * i, s.points + 3 * from, 3 * sizeof *points);
            weights[i] = s.weights[from];
        }
        wit_curve_def flat = {.kind = WIT_CURVE_NURBS, .degree = p, .count = count + p, .knots = knots};
        flat.points = points, flat.weights = weights;
        double t = random_parameter(&r, &s.def);
        long double a[DEBOOR_ORDERS][3], b[DEBOOR_ORDERS][3];
        deboor_curve(&s.def, t, 0, a);
        deboor_curve(&flat, t, 0, b);
        /* The repeated knots are rounded to double: 1e-15 of the shortest span, 0.25, times p per order. */
        for (int k = 0; k < DEBOOR_ORDERS; k++)
            for (int c = 0; c < 3; c++) assert_near(a[k][c], b[k][c], 1e-13L * powl(16 * p, k));
        /* below the seam is the last piece, at the other end of the range */
        deboor_curve(&s.def, s.knots[0], WIT_KNOT_T_BELOW, b);
        long double last[DEBOOR_ORDERS][3];
        deboor_curve(&s.def, s.knots[count], WIT_KNOT_T_BELOW, last);
        for (int c = 0; c < 3; c++) assert_near(b[1][c], last[1][c], 0);
        deboor_curve(&s.def, t + 4 * period, 0, b); /* whole periods on: the same to the rounding of t */
        for (int c = 0; c < 3; c++) assert_near(a[0][c], b[0][c], 1e-12L * p);
    }
}

/* A polyline bends at its knots: the two sides are the slopes before and after; ends have one side only. */
static void deboor_sides_choose_the_piece(void** state)
{
    (void)state;
    const double knots[] = {0, 0, 1, 3, 4, 4}, points[] = {0, 0, 0, 2, 0, 0, 3, 8, 0, 3, 8, 5};
    wit_curve_def def = {.kind = WIT_CURVE_NURBS, .degree = 1, .count = 4, .knots = knots, .points = points};
    static const struct {
        double t;
        unsigned side;
        double slope[3];
    } rows[] = {
        {0, WIT_KNOT_DEFAULT, {2, 0, 0}},     {0, WIT_KNOT_T_BELOW, {2, 0, 0}}, {1, WIT_KNOT_DEFAULT, {0.5, 4, 0}},
        {1, WIT_KNOT_T_BELOW, {2, 0, 0}},     {3, WIT_KNOT_DEFAULT, {0, 0, 5}}, {3, WIT_KNOT_T_BELOW, {0.5, 4, 0}},
        {4, WIT_KNOT_DEFAULT, {0, 0, 5}},     {4, WIT_KNOT_T_BELOW, {0, 0, 5}}, {2.5, WIT_KNOT_T_BELOW, {0.5, 4, 0}},
        {2.5, WIT_KNOT_DEFAULT, {0.5, 4, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        long double d[DEBOOR_ORDERS][3];
        deboor_curve(&def, rows[i].t, rows[i].side, d);
        for (int c = 0; c < 3; c++) assert_near(d[1][c], rows[i].slope[c], 8 * EPS);
    }
}

/* A surface that is the sum of a curve in u and a curve in v has these curves' derivatives and no mixed ones; and
 * swapping u with v swaps the orders. */
static void deboor_surface_of_two_curves_separates(void** state)
{
    (void)state;
    rng r = rng_seed(6);
    for (int n = 0; n < 500; n++) {
        spline a, b;
        random_spline(&r, &a, 1 + rng_int(&r, WIT_MAX_DEGREE), rng_int(&r, 2));
        random_spline(&r, &b, 1 + rng_int(&r, WIT_MAX_DEGREE), false);
        double points[3 * MAX_COUNT * MAX_COUNT];
        for (int i = 0; i < a.def.count; i++)
            for (int j = 0; j < b.def.count; j++)
                for (int c = 0; c < 3; c++) {
                    a.points[3 * i + c] = (float)a.points[3 * i + c]; /* so that the sums are exact */
                    b.points[3 * j + c] = (float)b.points[3 * j + c];
                    points[3 * (i * b.def.count + j) + c] = a.points[3 * i + c] + b.points[3 * j + c];
                }
        wit_surface_def def = {.kind = WIT_SURFACE_NURBS, .degree_u = a.def.degree, .degree_v = b.def.degree};
        def.count_u = a.def.count, def.count_v = b.def.count, def.periodic_u = a.def.periodic;
        def.knots_u = a.knots, def.knots_v = b.knots, def.points = points;
        double u = random_parameter(&r, &a.def), v = random_parameter(&r, &b.def);
        long double d[4][4][3], cu[4][3], cv[4][3];
        deboor_surface(&def, u, v, 0, d);
        deboor_curve(&a.def, u, 0, cu);
        deboor_curve(&b.def, v, 0, cv);
        for (int k = 0; k < 4; k++)
            for (int l = 0; k + l < 4; l++)
                for (int c = 0; c < 3; c++) {
                    long double expected = k && l ? 0 : k ? cu[k][c] : l ? cv[l][c] : cu[0][c] + cv[0][c];
                    assert_near(d[k][l][c], expected, 1e-16L * powl(64, k + l));
                }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deboor_without_inner_knots_is_bernstein),
        cmocka_unit_test(deboor_reproduces_polynomials_on_any_knots),
        cmocka_unit_test(deboor_rational_circle_is_round),
        cmocka_unit_test(deboor_derivatives_match_finite_differences),
        cmocka_unit_test(deboor_periodic_is_the_repeated_spline),
        cmocka_unit_test(deboor_sides_choose_the_piece),
        cmocka_unit_test(deboor_surface_of_two_curves_separates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
