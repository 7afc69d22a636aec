/* SPDX-License-Identifier: MIT */
/*
 * Spline jets against the definition in long double (deboor.h). Errors are relative to
 * (size of the net / span length^order) x (largest / smallest weight of the cell)^order.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/geom.h"
#include "campaign.h"
#include "deboor.h"
#include "random_spline.h"

static const double LIMIT[3] = {1e-13, 1e-12, 1e-11};

static double error3(wit_vec3 got, const long double want[3])
{
    long double x = got.x - want[0], y = got.y - want[1], z = got.z - want[2];
    return (double)sqrtl(x * x + y * y + z * z);
}

static void keep(double* worst, double error, double unit)
{
    double e = error / unit;
    assert_true(e == e);
    if (e > *worst) *worst = e;
}

static void surface_errors(const wit_surface* s, const wit_surface_def* def, double u, double v, unsigned side,
                           wit_hint* hint, double worst[3])
{
    wit_surface_jet jet;
    long double d[DEBOOR_ORDERS][DEBOOR_ORDERS][3];
    assert_int_equal(wit_surface_eval(s, u, v, side, hint, &jet) & ~(unsigned)WIT_EVAL_DEGENERATE, 0);
    deboor_surface(def, u, v, side, d);
    deboor_cell c = deboor_surface_cell(def, u, v, side);
    double hu = c.hi_u - c.lo_u, hv = c.hi_v - c.lo_v, w = c.weight_ratio;
    keep(&worst[0], error3(jet.p, d[0][0]), c.size);
    keep(&worst[1], error3(jet.du, d[1][0]), c.size / hu * w);
    keep(&worst[1], error3(jet.dv, d[0][1]), c.size / hv * w);
    keep(&worst[2], error3(jet.duu, d[2][0]), c.size / (hu * hu) * w * w);
    keep(&worst[2], error3(jet.duv, d[1][1]), c.size / (hu * hv) * w * w);
    keep(&worst[2], error3(jet.dvv, d[0][2]), c.size / (hv * hv) * w * w);
}

static void curve_errors(const wit_curve* s, const wit_curve_def* def, double t, unsigned side, wit_hint* hint,
                         double worst[3])
{
    wit_curve_jet jet;
    long double d[DEBOOR_ORDERS][3];
    assert_int_equal(wit_curve_eval(s, t, side, hint, &jet) & ~(unsigned)WIT_EVAL_DEGENERATE, 0);
    deboor_curve(def, t, side, d);
    deboor_cell c = deboor_curve_cell(def, t, side);
    double h = c.hi_u - c.lo_u, w = c.weight_ratio;
    keep(&worst[0], error3(jet.p, d[0]), c.size);
    keep(&worst[1], error3(jet.d1, d[1]), c.size / h * w);
    keep(&worst[2], error3(jet.d2, d[2]), c.size / (h * h) * w * w);
}

/* The lower end of a closed shape has a piece below it only when the def says periodic. */
static unsigned legal_side(unsigned side, double u, double v, const wit_surface_def* def, const wit_surface* s)
{
    wit_surface_info info = wit_surface_describe(s);
    if (!def->periodic_u && u == info.range_u.lo) side &= ~(unsigned)WIT_KNOT_U_BELOW;
    if (!def->periodic_v && v == info.range_v.lo) side &= ~(unsigned)WIT_KNOT_V_BELOW;
    return side;
}

static void surface_campaign(wit_kernel kernel, long samples, double worst[10][3])
{
    rng r = rng_seed(1 + (uint64_t)kernel);
    static random_surface spline;
    const long per_surface = 50;
    for (long n = 0; n < samples / per_surface; ++n) {
        int p = 1 + (int)(n % 9), q = rng_int(&r, 4) ? p : 1 + rng_int(&r, 9);
        random_surface_make(&r, p, q, pow(10, 6 * (rng_int(&r, 3) - 1)), &spline);
        spline.def.kernel = kernel;
        wit_error error;
        wit_surface* s = wit_surface_create(&spline.def, NULL, &error);
        if (!s) fail_msg("%s: %s", error.item, error.text);
        int nu, nv;
        const double* bu = wit_surface_breaks(s, WIT_U, &nu);
        const double* bv = wit_surface_breaks(s, WIT_V, &nv);
        wit_hint hint = {{0, 0, 0}};
        for (long k = 0; k < per_surface; ++k) {
            double u = random_parameter(&r, bu, nu), v = random_parameter(&r, bv, nv);
            unsigned side = legal_side((unsigned)rng_int(&r, 4), u, v, &spline.def, s);
            surface_errors(s, &spline.def, u, v, side, k % 2 ? &hint : NULL, worst[p > q ? p : q]);
        }
        wit_surface_destroy(s);
    }
}

static void curve_campaign(wit_kernel kernel, long samples, double worst[10][3])
{
    rng r = rng_seed(100 + (uint64_t)kernel);
    static random_curve spline;
    const long per_curve = 50;
    for (long n = 0; n < samples / per_curve; ++n) {
        int p = 1 + (int)(n % 9);
        random_curve_make(&r, p, pow(10, 6 * (rng_int(&r, 3) - 1)), &spline);
        spline.def.kernel = kernel;
        wit_error error;
        wit_curve* c = wit_curve_create(&spline.def, NULL, &error);
        if (!c) fail_msg("%s: %s", error.item, error.text);
        int nt;
        const double* b = wit_curve_breaks(c, &nt);
        wit_hint hint = {{0, 0, 0}};
        for (long k = 0; k < per_curve; ++k) {
            double t = random_parameter(&r, b, nt);
            unsigned side = (unsigned)rng_int(&r, 2);
            if (!spline.def.periodic && t == b[0]) side = 0;
            curve_errors(c, &spline.def, t, side, k % 2 ? &hint : NULL, worst[p]);
        }
        wit_curve_destroy(c);
    }
}

static void report_and_judge(const char* what, wit_kernel kernel, long samples, double worst[10][3])
{
    printf("%s, %s, %ld samples: largest error of value, first, second derivative\n", what, wit_kernel_name(kernel),
           samples);
    for (int p = 1; p <= 9; ++p) printf("  degree %d   %.1e  %.1e  %.1e\n", p, worst[p][0], worst[p][1], worst[p][2]);
    for (int p = 1; p <= 9; ++p)
        for (int k = 0; k < 3; ++k) assert_true(worst[p][k] <= LIMIT[k]);
}

/* Beyond the powers: the same limits, times degree / 9. */
static void high_degrees_match_long_double_de_boor(void** state)
{
    (void)state;
    static random_surface surface;
    static random_curve curve;
    long shapes = campaign(800);
    for (int kernel = WIT_KERNEL_PORTABLE; kernel <= WIT_KERNEL_AVX2_FMA; ++kernel) {
        if (!wit_kernel_available((wit_kernel)kernel)) continue;
        rng r = rng_seed(200 + (uint64_t)kernel);
        double worst[WIT_MAX_DEGREE + 1][3] = {{0}};
        for (long n = 0; n < shapes; ++n) {
            int p = 10 + (int)(n % (WIT_MAX_DEGREE - 9)), q = rng_int(&r, 3) ? 1 + rng_int(&r, WIT_MAX_DEGREE) : p;
            int most = p > q ? p : q;
            double size = pow(10, 6 * (rng_int(&r, 3) - 1));
            random_surface_make(&r, p, q, size, &surface);
            random_curve_make(&r, p, size, &curve);
            surface.def.kernel = curve.def.kernel = (wit_kernel)kernel;
            wit_error e = {0};
            wit_surface* s = wit_surface_create(&surface.def, NULL, &e);
            wit_curve* c = wit_curve_create(&curve.def, NULL, &e);
            if (!s || !c) fail_msg("%s: %s", e.item, e.text);
            int nu, nv, nt;
            const double *bu = wit_surface_breaks(s, WIT_U, &nu), *bv = wit_surface_breaks(s, WIT_V, &nv);
            const double* bt = wit_curve_breaks(c, &nt);
            for (int k = 0; k < 20; ++k) {
                double u = random_parameter(&r, bu, nu), v = random_parameter(&r, bv, nv);
                unsigned side = legal_side((unsigned)rng_int(&r, 4), u, v, &surface.def, s);
                surface_errors(s, &surface.def, u, v, side, NULL, worst[most]);
                curve_errors(c, &curve.def, random_parameter(&r, bt, nt), 0, NULL, worst[p]);
            }
            wit_surface_destroy(s);
            wit_curve_destroy(c);
        }
        for (int p = 10; p <= WIT_MAX_DEGREE; ++p) {
            printf("  degree %d   %.1e  %.1e  %.1e\n", p, worst[p][0], worst[p][1], worst[p][2]);
            for (int k = 0; k < 3; ++k) assert_true(worst[p][k] <= LIMIT[k] * p / 9);
        }
    }
}

static void nurbs_jets_match_long_double_de_boor(void** state)
{
    (void)state;
    for (int kernel = WIT_KERNEL_PORTABLE; kernel < WIT_KERNEL_COUNT; ++kernel) {
        if (!wit_kernel_available((wit_kernel)kernel)) {
            printf("skipped: %s cannot run here\n", wit_kernel_name((wit_kernel)kernel));
            continue;
        }
        double surfaces[10][3] = {{0}}, curves[10][3] = {{0}};
        long samples = campaign(1000000);
        surface_campaign((wit_kernel)kernel, samples, surfaces);
        report_and_judge("surfaces", (wit_kernel)kernel, samples, surfaces);
        curve_campaign((wit_kernel)kernel, samples, curves);
        report_and_judge("curves", (wit_kernel)kernel, samples, curves);
    }
}

static void nurbs_hint_never_changes_answer(void** state)
{
    (void)state;
    rng r = rng_seed(7);
    static random_surface spline;
    for (int n = 0; n < 200; ++n) {
        random_surface_make(&r, 1 + rng_int(&r, 5), 1 + rng_int(&r, 5), 1, &spline);
        wit_surface* s = wit_surface_create(&spline.def, NULL, NULL);
        assert_non_null(s);
        int nu, nv;
        const double* bu = wit_surface_breaks(s, WIT_U, &nu);
        const double* bv = wit_surface_breaks(s, WIT_V, &nv);
        for (int k = 0; k < 50; ++k) {
            double u = random_parameter(&r, bu, nu), v = random_parameter(&r, bv, nv);
            unsigned side = (unsigned)rng_int(&r, 4);
            wit_hint hint = {{(int32_t)rng_u64(&r), (int32_t)rng_u64(&r), (int32_t)rng_u64(&r)}};
            if (k % 2)
                for (int i = 0; i < 3; ++i) hint.cell[i] = rng_int(&r, 6) - 1;
            wit_surface_jet a, b;
            unsigned pa = wit_surface_eval(s, u, v, side, NULL, &a), pb = wit_surface_eval(s, u, v, side, &hint, &b);
            assert_int_equal(pa, pb);
            assert_memory_equal(&a, &b, sizeof a);
        }
        wit_surface_destroy(s);
    }
}

static void nurbs_bulk_equals_single(void** state)
{
    (void)state;
    rng r = rng_seed(8);
    static random_surface spline;
    random_surface_make(&r, 3, 2, 1, &spline);
    wit_surface* s = wit_surface_create(&spline.def, NULL, NULL);
    wit_surface_info info = wit_surface_describe(s);
    enum { N = 500 };
    static double uv[2 * N];
    static wit_surface_jet many[N];
    static uint8_t places[N];
    for (int i = 0; i < N; ++i) {
        uv[2 * i] = rng_range(&r, info.range_u.lo - 0.5, info.range_u.hi + 0.5);
        uv[2 * i + 1] = rng_range(&r, info.range_v.lo - 0.5, info.range_v.hi + 0.5);
    }
    unsigned all = wit_surface_eval_many(s, N, uv, many, places), seen = 0;
    for (int i = 0; i < N; ++i) {
        wit_surface_jet one;
        unsigned place = wit_surface_eval(s, uv[2 * i], uv[2 * i + 1], WIT_KNOT_DEFAULT, NULL, &one);
        assert_memory_equal(&one, &many[i], sizeof one);
        assert_int_equal(place, places[i]);
        seen |= place;
    }
    assert_int_equal(all, seen);
    wit_surface_destroy(s);
}

static void nurbs_periodic_wraps_and_others_clamp(void** state)
{
    (void)state;
    rng r = rng_seed(9);
    static random_curve spline;
    int closed = 0, open = 0;
    for (int n = 0; n < 200; ++n) {
        random_curve_make(&r, 1 + rng_int(&r, 5), 1, &spline);
        wit_curve* c = wit_curve_create(&spline.def, NULL, NULL);
        wit_curve_info info = wit_curve_describe(c);
        assert_int_equal(info.closed, spline.def.periodic);
        double period = info.range.hi - info.range.lo;
        wit_curve_jet a, b;
        if (info.closed) {
            double t = rng_range(&r, info.range.lo, info.range.hi);
            wit_curve_eval(c, t, 0, NULL, &a);
            assert_int_equal(wit_curve_eval(c, t + 3 * period, 0, NULL, &b) & WIT_EVAL_CLAMPED, 0);
            assert_true(fabs(a.p.x - b.p.x) < 1e-12 && fabs(a.p.y - b.p.y) < 1e-12);
            wit_curve_eval(c, t - 5 * period, 0, NULL, &b);
            assert_true(fabs(a.p.x - b.p.x) < 1e-12 && fabs(a.p.y - b.p.y) < 1e-12);
            ++closed;
        } else {
            wit_curve_eval(c, info.range.hi, 0, NULL, &a);
            assert_int_equal(wit_curve_eval(c, info.range.hi + 1, 0, NULL, &b) & WIT_EVAL_CLAMPED, WIT_EVAL_CLAMPED);
            assert_memory_equal(&a, &b, sizeof a);
            ++open;
        }
        wit_curve_destroy(c);
    }
    assert_true(closed > 20 && open > 20);
}

/* NaN or infinite parameters are answered by the start of the range and a flag. */
static void nurbs_nan_parameter_is_flagged_and_finite(void** state)
{
    (void)state;
    rng r = rng_seed(10);
    static random_surface spline;
    random_surface_make(&r, 3, 3, 1, &spline);
    wit_surface* s = wit_surface_create(&spline.def, NULL, NULL);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        wit_surface_jet jet;
        assert_true(wit_surface_eval(s, bad[i], 0, 0, NULL, &jet) & WIT_EVAL_INVALID);
        assert_true(isfinite(jet.p.x) && isfinite(jet.dvv.z));
    }
    wit_surface_destroy(s);
}

/* An octant of the unit sphere: the border v = 1 is the pole. Not smooth, the surface comes to a point there. */
static wit_surface* octant(bool smooth)
{
    static const double knots[6] = {0, 0, 0, 1, 1, 1}, cx[3] = {1, 1, 0}, cy[3] = {0, 1, 1};
    const double r[3] = {1, 1, 0}, z[3] = {0, smooth ? 1 : 0.3, 1}, w[3] = {1, sqrt(0.5), 1};
    double points[27], weights[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double* p = points + 3 * (3 * i + j);
            p[0] = r[j] * cx[i];
            p[1] = r[j] * cy[i];
            p[2] = z[j];
            weights[3 * i + j] = w[i] * w[j];
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 2;
    d.count_u = d.count_v = 3;
    d.knot_count_u = d.knot_count_v = 6;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    d.weights = weights;
    wit_surface* s = wit_surface_create(&d, NULL, NULL);
    assert_non_null(s);
    return s;
}

static void collapsed_border_is_reported_and_has_a_normal(void** state)
{
    (void)state;
    wit_surface* s = octant(true);
    assert_true(wit_surface_describe(s).degenerate);
    wit_surface_jet jet;
    assert_true(wit_surface_eval(s, 0.3, 1, 0, NULL, &jet) & WIT_EVAL_DEGENERATE);
    assert_false(wit_surface_eval(s, 0.3, 0.5, 0, NULL, &jet) & WIT_EVAL_DEGENERATE);
    wit_vec3 n;
    assert_true(wit_surface_normal(s, 0.3, 1, &n));
    assert_true(fabs(n.x) < 1e-12 && fabs(n.y) < 1e-12 && fabs(n.z - 1) < 1e-12);
    wit_surface_destroy(s);
    s = octant(false);
    assert_false(wit_surface_normal(s, 0.3, 1, &n));
    assert_true(n.x == 0 && n.y == 0 && n.z == 0);
    wit_surface_destroy(s);
}

static void nurbs_record_may_be_copied_with_memcpy(void** state)
{
    (void)state;
    rng r = rng_seed(11);
    static random_surface spline;
    random_surface_make(&r, 3, 3, 1, &spline);
    wit_surface* s = wit_surface_create(&spline.def, NULL, NULL);
    size_t bytes = wit_surface_describe(s).bytes;
    wit_surface* copy = malloc(bytes);
    memcpy(copy, s, bytes);
    wit_surface_info info = wit_surface_describe(s);
    wit_surface_jet a, b;
    wit_surface_eval(s, info.range_u.hi, info.range_v.lo, 0, NULL, &a);
    wit_surface_destroy(s);
    wit_surface_eval(copy, info.range_u.hi, info.range_v.lo, 0, NULL, &b);
    assert_memory_equal(&a, &b, sizeof a);
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nurbs_jets_match_long_double_de_boor),
        cmocka_unit_test(high_degrees_match_long_double_de_boor),
        cmocka_unit_test(nurbs_hint_never_changes_answer),
        cmocka_unit_test(nurbs_bulk_equals_single),
        cmocka_unit_test(nurbs_periodic_wraps_and_others_clamp),
        cmocka_unit_test(nurbs_nan_parameter_is_flagged_and_finite),
        cmocka_unit_test(collapsed_border_is_reported_and_has_a_normal),
        cmocka_unit_test(nurbs_record_may_be_copied_with_memcpy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
