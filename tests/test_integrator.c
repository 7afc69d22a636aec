/* SPDX-License-Identifier: MIT */
/* What is said about the integrators on y' = -lambda y, against the recursions themselves; and the adaptive one's order. */
#include "analytic.h"

#include "../src/laws/dopri5.h"
#include "../src/laws/integrator.h"

static double largest_of(const double y[4])
{
    return fmax(fmax(fabs(y[0]), fabs(y[1])), fmax(fabs(y[2]), fabs(y[3])));
}

/* The factor per step in the long run, from generic old values: the largest root of the recursion. */
static double recursion(wit_integrator method, double z)
{
    const double* w;
    int order = wi_integrator_ab(method, &w);
    const rk_table* rk = wi_integrator_rk(method);
    double theta = wi_integrator_theta(method), y[4] = {1, -0.7, 0.43, 0.2}, first = 0;
    const int skip = 2000, steps = 4000;
    double log_size = 0;
    for (int n = 0; n < steps; ++n) {
        double next = y[0];
        if (order) {
            for (int j = 0; j < order; ++j) next -= z * w[j] * y[j];
        } else if (rk) {
            double k[INTEGRATOR_STAGES];
            for (int i = 0; i < rk->stages; ++i) {
                k[i] = y[0];
                for (int j = 0; j < i; ++j) k[i] -= z * rk->a[i][j] * k[j];
            }
            for (int i = 0; i < rk->stages; ++i) next -= z * rk->b[i] * k[i];
        } else {
            next = y[0] * (1 - z * (1 - theta)) / (1 + z * theta);
        }
        for (int j = 3; j > 0; --j) y[j] = y[j - 1];
        y[0] = next;
        double size = largest_of(y);
        if (size == 0) return 0;
        for (int j = 0; j < 4; ++j) y[j] /= size;
        log_size += log(size);
        if (n == skip) first = log_size;
    }
    return exp((log_size - first) / (steps - 1 - skip));
}

static void factors_are_those_of_the_recursions(void** state)
{
    (void)state;
    double worst = 0;
    for (int i = WIT_INTEGRATOR_EULER; i <= WIT_INTEGRATOR_TRAPEZOID; ++i) {
        double limit = wi_integrator_limit((wit_integrator)i), top = isfinite(limit) ? limit : 40;
        for (int k = 1; k <= 50; ++k) {
            double z = 1.1 * top * k / 50, said = wi_integrator_factor((wit_integrator)i, z);
            double found = recursion((wit_integrator)i, z);
            if (found < 1e-6) continue; /* a step to zero */
            worst = fmax(worst, fabs(found - said));
            if (fabs(found - said) > 2e-3)
                fail_msg("%s z = %g: %g, said %g", wit_integrator_name((wit_integrator)i), z, found, said);
        }
        if (isfinite(limit)) assert_true(fabs(wi_integrator_factor((wit_integrator)i, limit) - 1) < 1e-9);
    }
    print_message("  factors within %.1g of long recursions\n", worst);
}

static void fastest_gain_beats_all_others(void** state)
{
    (void)state;
    static const double most[3] = {1, 2.5, 30};
    for (int i = WIT_INTEGRATOR_EULER; i <= WIT_INTEGRATOR_TRAPEZOID; ++i)
        for (int m = 0; m < 3; ++m) {
            wit_integrator method = (wit_integrator)i;
            double K = wi_integrator_fastest(method, 1, most[m]);
            if (!isfinite(K)) {
                assert_int_equal(i, WIT_INTEGRATOR_BACKWARD_EULER);
                continue;
            }
            double best = fmax(wi_integrator_factor(method, K), wi_integrator_factor(method, K * most[m]));
            assert_true(best < 1);
            for (int k = 1; k < 400; ++k) {
                double other = K * k / 100;
                if (fmax(wi_integrator_factor(method, other), wi_integrator_factor(method, other * most[m])) <
                    best - 1e-9)
                    fail_msg("%s, modes 1 to %g: %g beats %g", wit_integrator_name(method), most[m], other, K);
            }
        }
    /* of a single mode: factor per step */
    static const double known[][2] = {
        {1, 0}, {1, 0}, {1, 0.5}, {1.5960716, 0}, {1.5960716, 0.2703948}, {2.0 / 3, 0.5773503}};
    for (int i = WIT_INTEGRATOR_EULER; i <= WIT_INTEGRATOR_AB2; ++i) {
        double K = wi_integrator_fastest((wit_integrator)i, 1, 1);
        assert_true(fabs(K - known[i][0]) < 1e-6);
        assert_true(fabs(wi_integrator_factor((wit_integrator)i, K) - known[i][1]) < 1e-6);
    }
}

/* y'' = -y and y' = t y: exact solutions cos t, exp(t^2 / 2). */
static bool swing(void* user, double t, const double* y, double* slope)
{
    (void)user;
    slope[0] = y[1];
    slope[1] = -y[0];
    slope[2] = t * y[2];
    return true;
}

static void dopri5_has_order_five_and_four_inside(void** state)
{
    (void)state;
    double end[2], inside[2], estimate[2];
    for (int k = 0; k < 2; ++k) {
        const double h = k ? 0.1 : 0.2, y[3] = {1, 0, 1};
        dopri5 d = {.n = 3, .slope = swing, .scale = {1, 1, 1}};
        assert_true(wi_dopri5_try(&d, 0, h, y));
        estimate[k] = d.error;
        end[k] = fmax(fabs(d.to[0] - cos(h)), fabs(d.to[2] - exp(h * h / 2)));
        double z[3];
        inside[k] = 0;
        for (int p = 1; p < 10; ++p) {
            wi_dopri5_inside(&d, p / 10.0, z);
            inside[k] = fmax(inside[k], fmax(fabs(z[0] - cos(h * p / 10)), fabs(z[1] + sin(h * p / 10))));
        }
        wi_dopri5_inside(&d, 1, z);
        for (int i = 0; i < 3; ++i) assert_true(fabs(z[i] - d.to[i]) <= 4 * EPS);
        wi_dopri5_inside(&d, 0, z);
        for (int i = 0; i < 3; ++i) assert_true(z[i] == y[i]);
    }
    print_message("  local errors fall by %.0f (64), inside by %.0f (32), the estimate by %.0f (32)\n", end[0] / end[1],
                  inside[0] / inside[1], estimate[0] / estimate[1]);
    assert_true(end[0] / end[1] > 50);
    assert_true(inside[0] / inside[1] > 25);
    assert_true(estimate[0] / estimate[1] > 25);
}

static void dopri5_step_follows_the_fifth_root(void** state)
{
    (void)state;
    for (int k = -60; k < 40; ++k) {
        double error = pow(10, k / 10.0), exact = fmin(5, fmax(0.2, 0.9 * pow(error, -0.2)));
        assert_true(fabs(wi_dopri5_next(3, error) / (3 * exact) - 1) < 1e-9);
    }
    assert_true(wi_dopri5_next(1, 0) == 5);
    assert_true(wi_dopri5_next(1, INFINITY) == 0.2);
    assert_true(wi_dopri5_next(1, NAN) == 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_are_those_of_the_recursions),
        cmocka_unit_test(fastest_gain_beats_all_others),
        cmocka_unit_test(dopri5_has_order_five_and_four_inside),
        cmocka_unit_test(dopri5_step_follows_the_fifth_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
