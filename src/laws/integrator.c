/* SPDX-License-Identifier: MIT */
#include "integrator.h"

#include <math.h>

static const rk_table euler = {1, {{0}}, {1}, {0}};
static const rk_table midpoint = {2, {{0}, {0.5}}, {0, 1}, {0, 0.5}};
static const rk_table kutta3 = {3, {{0}, {0.5}, {-1, 2}}, {1.0 / 6, 4.0 / 6, 1.0 / 6}, {0, 0.5, 1}};
static const rk_table classic4 = {
    4, {{0}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 2.0 / 6, 2.0 / 6, 1.0 / 6}, {0, 0.5, 0.5, 1}};

const rk_table* wi_integrator_rk(wit_integrator method)
{
    switch (method) {
    case WIT_INTEGRATOR_EULER:
        return &euler;
    case WIT_INTEGRATOR_DEFAULT:
    case WIT_INTEGRATOR_RK2:
        return &midpoint;
    case WIT_INTEGRATOR_RK3:
        return &kutta3;
    case WIT_INTEGRATOR_RK4:
        return &classic4;
    default:
        return NULL;
    }
}

int wi_integrator_ab(wit_integrator method, const double** weights)
{
    static const double ab2[] = {3.0 / 2, -1.0 / 2};
    static const double ab3[] = {23.0 / 12, -16.0 / 12, 5.0 / 12};
    static const double ab4[] = {55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24};
    switch (method) {
    case WIT_INTEGRATOR_AB2:
        *weights = ab2;
        return 2;
    case WIT_INTEGRATOR_AB3:
        *weights = ab3;
        return 3;
    case WIT_INTEGRATOR_AB4:
        *weights = ab4;
        return 4;
    default:
        return 0;
    }
}

double wi_integrator_theta(wit_integrator method)
{
    return method == WIT_INTEGRATOR_BACKWARD_EULER ? 1 : method == WIT_INTEGRATOR_TRAPEZOID ? 0.5 : 0;
}

/* Rounded to nearest: the real roots of |R(z)| = 1, and for Adams-Bashforth of a root -1 of the characteristic
 * polynomial. */
static const double limits[WIT_INTEGRATOR_COUNT] = {2,        2,   2,        2.5127453266183286, 2.785293563405282, 1,
                                                    6.0 / 11, 0.3, INFINITY, INFINITY,           INFINITY};

/* Where a single mode decays fastest. rk3 and rk4: the root of 1 - z + z^2/2 - z^3/6, for rk4 where its factor is
 * least. Adams-Bashforth: where the roots +r and -r are of one size. */
static const double best[WIT_INTEGRATOR_COUNT] = {
    1,        1, 1,       1.5960716379833215, 1.5960716379833215, 2.0 / 3, 0.358695652173913, 0.214644338596127,
    INFINITY, 2, INFINITY};

/* Of Runge-Kutta methods the first root of the factor, where it has one; of Adams-Bashforth where +r and -r are of one size;
 * of the trapezoid where 1 - z / 2 turns. */
static const double calm[WIT_INTEGRATOR_COUNT] = {INFINITY, 1,       INFINITY,          1.5960716379833215,
                                                  INFINITY, 2.0 / 3, 0.358695652173913, 0.214644338596127,
                                                  INFINITY, 2,       INFINITY};

double wi_integrator_calm(wit_integrator method)
{
    return (unsigned)method < WIT_INTEGRATOR_COUNT ? calm[method] : 0;
}

double wi_integrator_limit(wit_integrator method)
{
    return (unsigned)method < WIT_INTEGRATOR_COUNT ? limits[method] : 0;
}

/* y^n - y^(n-1) + z sum w_j y^(n-1-j) and its real root next to `at`, by Newton from outside of them all. */
static double ab_root(int order, const double* w, double z, double at)
{
    for (int k = 0; k < 60; ++k) {
        double p = 1, d = 0;
        for (int j = 0; j < order; ++j) {
            double c = z * w[j] - (j == 0 ? 1 : 0);
            d = d * at + p;
            p = p * at + c;
        }
        double step = p / d;
        if (!isfinite(step)) break;
        at -= step;
        if (fabs(step) <= 1e-15) break;
    }
    return fabs(at);
}

double wi_integrator_factor(wit_integrator method, double z)
{
    const double* w;
    int order = wi_integrator_ab(method, &w);
    if (order) /* the largest roots are both real: the principal one, and a negative one that grows with z */
        return fmax(z < 1 ? ab_root(order, w, z, 1) : 0, ab_root(order, w, z, -1 - 4 * z));
    switch (method) {
    case WIT_INTEGRATOR_EULER:
        return fabs(1 - z);
    case WIT_INTEGRATOR_RK3:
        return fabs(1 - z * (1 - z / 2 * (1 - z / 3)));
    case WIT_INTEGRATOR_RK4:
        return fabs(1 - z * (1 - z / 2 * (1 - z / 3 * (1 - z / 4))));
    case WIT_INTEGRATOR_BACKWARD_EULER:
        return 1 / (1 + z);
    case WIT_INTEGRATOR_TRAPEZOID:
        return fabs((1 - z / 2) / (1 + z / 2));
    case WIT_INTEGRATOR_DOPRI5:
        return wit_exp(-z);
    default:
        return fabs(1 - z * (1 - z / 2));
    }
}

double wi_integrator_fastest(wit_integrator method, double least, double most)
{
    double z = (unsigned)method < WIT_INTEGRATOR_COUNT ? best[method] : 1;
    if (!isfinite(z)) return z;
    /* The factor falls up to z and rises after it: the best is where the slow mode and the fast one are level. */
    double lo = z / most, hi = fmin(z / least, fmin(wi_integrator_limit(method) / most, 1e3 * z / most));
    for (int k = 0; k < 50 && lo < hi; ++k) {
        double mid = lo + (hi - lo) / 2;
        if (mid <= lo || mid >= hi) break;
        if (wi_integrator_factor(method, mid * most) < wi_integrator_factor(method, mid * least))
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}
