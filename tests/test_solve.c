/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "../src/base/solve.h"
#include "campaign.h"
#include "random.h"

#define EPS DBL_EPSILON

static void random_matrix(rng* r, int n, double* m)
{
    for (int i = 0; i < n * n; i++) m[i] = rng_range(r, -1, 1);
}

static void make_symmetric(int n, double* m)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) m[j * n + i] = m[i * n + j];
    }
}

/* B B^T plus `least` on the diagonal. */
static void random_definite(rng* r, int n, double least, double* m)
{
    double b[16];
    random_matrix(r, n, b);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            m[i * n + j] = i == j ? least : 0;
            for (int k = 0; k < n; k++) m[i * n + j] += b[i * n + k] * b[j * n + k];
        }
    }
}

/* As if each parameter had a unit of its own, 1e-6 to 1e6. */
static void random_units(rng* r, int n, double* units)
{
    for (int i = 0; i < n; i++) units[i] = pow(10, rng_range(r, -6, 6));
}

static void scale_matrix(int n, const double* rows, const double* columns, double* m)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) m[i * n + j] *= rows[i] * columns[j];
    }
}

/*
 * The backward error, in units of EPS: |m x - b| over |x| + |b|, all in the units in which the entries of m are at most 1.
 * Elimination with pivoting keeps it below about n^2 times the growth of the entries; mostly it is below 2.
 */
static double backward_error(int n, const double* m, const double* x, const double* b, const double* rows,
                             const double* columns)
{
    double residual = 0, size = 0;
    for (int i = 0; i < n; i++) {
        long double sum = -(long double)b[i];
        for (int j = 0; j < n; j++) sum += (long double)m[i * n + j] * x[j];
        residual = fmax(residual, (double)fabsl(sum) / rows[i]);
        size = fmax(size, fmax(fabs(x[i]) * columns[i], fabs(b[i]) / rows[i]));
    }
    return residual > 0 ? residual / size / EPS : 0;
}

/* The units in which wi_lu_factor sees the matrix with all rows and columns of one size. Which these are is not a matter of
 * the diagonal scalings a test put on: diag(1, 1) with small corners has many that are as good. */
static double backward_error_scaled(int n, const double* m, const double* x, const double* b)
{
    lu f;
    double rows[4], columns[4], largest = 0;
    assert_true(wi_lu_factor(&f, n, m));
    for (int i = 0; i < n * n; i++) largest = fmax(largest, fabs(m[i]) * f.scale[i / n] * f.unscale[i % n]);
    for (int i = 0; i < n; i++) {
        rows[i] = largest / f.scale[i];
        columns[i] = 1 / f.unscale[i];
    }
    return backward_error(n, m, x, b, rows, columns);
}

static void hilbert(int n, double* m)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) m[i * n + j] = 1.0 / (i + j + 1);
    }
}

static void solve2_has_small_residuals(void** state)
{
    (void)state;
    rng r = rng_seed(31);
    for (long i = campaign(300000); i > 0; i--) {
        double m[4], b[2], x[2], units[2], others[2];
        random_matrix(&r, 2, m);
        if (i % 3 == 0) m[3] = m[1] * m[2] / m[0] * (1 + pow(10, rng_range(&r, -12, 0))); /* nearly singular */
        if (fabs(m[3]) > 1) continue;
        random_units(&r, 2, units);
        random_units(&r, 2, others);
        scale_matrix(2, units, others, m);
        b[0] = units[0] * rng_range(&r, -1, 1);
        b[1] = units[1] * rng_range(&r, -1, 1);
        if (wi_solve2(m, b, x)) assert_true(backward_error_scaled(2, m, x, b) < 8);
    }
}

static void solve2_symmetric_has_small_residuals(void** state)
{
    (void)state;
    rng r = rng_seed(41);
    long definite = 0;
    for (long i = campaign(300000); i > 0; i--) {
        double m[4], b[2], x[2], units[2];
        random_matrix(&r, 2, m);
        if (i % 3 == 0) m[3] = m[2] * m[2] / m[0] * (1 + pow(10, rng_range(&r, -12, 0)));
        if (fabs(m[3]) > 1) continue;
        make_symmetric(2, m);
        random_units(&r, 2, units);
        scale_matrix(2, units, units, m);
        b[0] = units[0] * rng_range(&r, -1, 1);
        b[1] = units[1] * rng_range(&r, -1, 1);
        if (wi_solve2_symmetric(m[0], m[1], m[3], b, x)) assert_true(backward_error_scaled(2, m, x, b) < 8);
        if (solve2_definite(m[0], m[1], m[3], b, x)) {
            assert_true(m[0] > 0 && m[3] > 0);
            double roots[2] = {sqrt(m[0]), sqrt(m[3])};
            assert_true(backward_error(2, m, x, b, roots, roots) < 8);
            definite++;
        }
    }
    assert_true(definite > 0);
}

static void solve2_reports_singular_matrices(void** state)
{
    (void)state;
    const double b[2] = {1, 2};
    double x[2] = {7, 8};
    const double singular[][4] = {{0, 0, 0, 0},   {1, 2, 2, 4},        {1e-6, 1e6, 1e-12, 1}, {0, 0, 0, 1},
                                  {NAN, 0, 0, 1}, {INFINITY, 0, 0, 1}, {1, 1, 1, 1 + 4e-16}};
    for (size_t i = 0; i < sizeof singular / sizeof singular[0]; i++) assert_false(wi_solve2(singular[i], b, x));
    assert_false(wi_solve2_symmetric(1, 3, 9, b, x));
    assert_false(solve2_definite(1, 2, 1, b, x)); /* indefinite */
    assert_false(solve2_definite(-1, 0, -1, b, x));
    assert_false(solve2_definite(1, 1, 1, b, x));
    assert_false(solve2_definite(NAN, 0, 1, b, x) || solve2_definite(1, NAN, 1, b, x));
    assert_true(x[0] == 7 && x[1] == 8);
    /* Regular, though tiny or of mixed units: the verdict is relative. */
    assert_true(solve2_definite(1e-200, 0, 1e200, b, x));
    const double tiny[4] = {1e-12, 0, 0, 1e12}, swap[4] = {0, 1e-9, 1e9, 0};
    assert_true(wi_solve2(tiny, b, x) && wi_solve2(swap, b, x));
    assert_true(wi_solve2_symmetric(0, 1, 0, b, x) && x[0] == 2 && x[1] == 1);
}

static void solve3_symmetric_has_small_residuals(void** state)
{
    (void)state;
    rng r = rng_seed(32);
    long solved = 0, all = campaign(200000);
    for (long i = all; i > 0; i--) {
        double m[9], b[3], x[3], units[3], lower[9];
        random_matrix(&r, 3, m);
        make_symmetric(3, m);
        random_units(&r, 3, units);
        scale_matrix(3, units, units, m);
        for (int k = 0; k < 3; k++) b[k] = units[k] * rng_range(&r, -1, 1);
        memcpy(lower, m, sizeof m);
        lower[1] = lower[2] = lower[5] = NAN; /* never read */
        if (!wi_solve3_symmetric(lower, b, x)) continue;
        solved++;
        assert_true(backward_error_scaled(3, m, x, b) < 12);
    }
    assert_true(solved > all * 99 / 100);
    const double rank2[9] = {1, 2, 3, 2, 5, 7, 3, 7, 10}, b[3] = {1, 1, 1};
    double x[3];
    assert_false(wi_solve3_symmetric(rank2, b, x));
}

static void cholesky_has_small_residuals_in_any_units(void** state)
{
    (void)state;
    rng r = rng_seed(33);
    for (long i = campaign(200000); i > 0; i--) {
        int n = 1 + rng_int(&r, 4);
        double m[16], l[16], b[4], x[4], units[4];
        random_definite(&r, n, pow(10, rng_range(&r, -10, 0)), m);
        random_units(&r, n, units);
        scale_matrix(n, units, units, m);
        for (int k = 0; k < n; k++) b[k] = units[k] * rng_range(&r, -1, 1);
        assert_true(wi_cholesky_factor(n, m, l));
        wi_cholesky_solve(n, l, b, x);
        assert_true(backward_error(n, m, x, b, units, units) < 48); /* entries up to 5, no growth */
    }
}

static void cholesky_tells_definite_from_not(void** state)
{
    (void)state;
    rng r = rng_seed(34);
    long definite = 0, not = 0;
    for (long i = campaign(200000); i > 0; i--) {
        int n = 1 + rng_int(&r, 4);
        double m[16], l[16], values[4], units[4];
        random_matrix(&r, n, m);
        make_symmetric(n, m);
        for (int k = 0; k < n; k++) m[k * n + k] += 1;
        assert_true(wi_eigen_symmetric(n, m, values, NULL));
        if (fabs(values[0]) < 1e-13) continue; /* undecided */
        random_units(&r, n, units);
        scale_matrix(n, units, units, m); /* a congruence: the verdict must not change */
        bool found = wi_cholesky_factor(n, m, l);
        assert_true(found == (values[0] > 0));
        definite += found;
        not += !found;
    }
    assert_true(definite > 0 && not > 0);
    const double bad[][4] = {{0, 0, 0, 0},   {1, 1, 1, 1},   {-1, 0, 0, 1},
                             {NAN, 0, 0, 1}, {1, 0, NAN, 1}, {INFINITY, 0, 0, 1}};
    double l[4];
    for (int i = 0; i < 6; i++) assert_false(wi_cholesky_factor(2, bad[i], l));
}

static void lu_has_small_residuals(void** state)
{
    (void)state;
    rng r = rng_seed(35);
    for (long i = campaign(200000); i > 0; i--) {
        int n = 1 + rng_int(&r, 4);
        double m[16], b[4], x[4], rows[4], columns[4];
        random_matrix(&r, n, m);
        if (i % 4 == 0) hilbert(n, m);
        random_units(&r, n, rows);
        random_units(&r, n, columns);
        scale_matrix(n, rows, columns, m);
        for (int k = 0; k < n; k++) b[k] = rows[k] * rng_range(&r, -1, 1);
        lu f;
        if (!wi_lu_factor(&f, n, m)) continue;
        wi_lu_solve(&f, b, x);
        assert_true(backward_error_scaled(n, m, x, b) < 16);
    }
}

/* The 4 x 4 Hilbert matrix has the inverse of integers 16 .. 6480 and condition 1.5e4. */
static void lu_and_cholesky_solve_hilbert_to_its_condition(void** state)
{
    (void)state;
    double h[16], l[16], x[4], b[4] = {1, 0, 0, 0};
    const double column[4] = {16, -120, 240, -140};
    hilbert(4, h);
    lu f;
    assert_true(wi_lu_factor(&f, 4, h));
    assert_true(f.ratio > 1e-5 && f.ratio < 1e-2);
    wi_lu_solve(&f, b, x);
    for (int i = 0; i < 4; i++) assert_true(fabs(x[i] - column[i]) < 1.6e4 * 8 * EPS * 240);
    assert_true(wi_cholesky_factor(4, h, l));
    wi_cholesky_solve(4, l, b, b); /* in place */
    for (int i = 0; i < 4; i++) assert_true(fabs(b[i] - column[i]) < 1.6e4 * 8 * EPS * 240);
}

static void lu_reports_singular_in_any_units(void** state)
{
    (void)state;
    rng r = rng_seed(36);
    for (long i = campaign(100000); i > 0; i--) {
        int n = 2 + rng_int(&r, 3);
        double m[16], rows[4], columns[4];
        /* Small integers, the last row a sum of two others or twice one: singular without rounding. */
        for (int k = 0; k < n * n; k++) m[k] = rng_int(&r, 9) - 4;
        for (int k = 0; k < n; k++) m[(n - 1) * n + k] = n > 2 ? m[k] + m[n + k] : 2 * m[k];
        for (int k = 0; k < n; k++) { /* powers of two keep it so */
            rows[k] = ldexp(1, rng_int(&r, 41) - 20);
            columns[k] = ldexp(1, rng_int(&r, 41) - 20);
        }
        scale_matrix(n, rows, columns, m);
        lu f;
        assert_false(wi_lu_factor(&f, n, m));
        assert_true(f.ratio == 0);
    }
}

static void lu_verdict_does_not_depend_on_units(void** state)
{
    (void)state;
    rng r = rng_seed(37);
    for (long i = campaign(100000); i > 0; i--) {
        double m[16], rows[4], columns[4];
        random_matrix(&r, 4, m);
        lu f, g;
        if (!wi_lu_factor(&f, 4, m) || f.ratio < 1e-6) continue;
        random_units(&r, 4, rows);
        random_units(&r, 4, columns);
        scale_matrix(4, rows, columns, m);
        assert_true(wi_lu_factor(&g, 4, m));
    }
}

static void eigen_rebuilds_the_matrix(void** state)
{
    (void)state;
    rng r = rng_seed(38);
    for (long i = campaign(100000); i > 0; i--) {
        int n = 1 + rng_int(&r, 4);
        double m[16], w[4], v[16], size = pow(10, rng_range(&r, -6, 6));
        random_matrix(&r, n, m);
        make_symmetric(n, m);
        if (i % 5 == 0) { /* rank one: equal values */
            double v0[4];
            memcpy(v0, m, sizeof v0);
            for (int p = 0; p < n * n; p++) m[p] = v0[p / n] * v0[p % n];
        }
        if (i % 7 == 0) hilbert(n, m);
        for (int p = 0; p < n * n; p++) m[p] *= size;
        assert_true(wi_eigen_symmetric(n, m, w, v));
        for (int p = 0; p < n; p++) {
            if (p > 0) assert_true(w[p - 1] <= w[p]);
            for (int q = 0; q < n; q++) {
                double product = 0, sum = 0;
                for (int k = 0; k < n; k++) {
                    product += v[p * n + k] * v[q * n + k];
                    sum += v[k * n + p] * w[k] * v[k * n + q];
                }
                assert_true(fabs(product - (p == q)) < 40 * EPS);
                assert_true(fabs(sum - m[p * n + q]) < 60 * EPS * n * size);
            }
        }
    }
}

static void eigen_closed_forms(void** state)
{
    (void)state;
    const double a[4] = {0, 99, 1, 0}; /* the upper triangle is not read */
    double w[4], v[16];
    assert_true(wi_eigen_symmetric(2, a, w, v));
    assert_true(fabs(w[0] + 1) < 4 * EPS && fabs(w[1] - 1) < 4 * EPS);
    const double zero[16] = {0};
    assert_true(wi_eigen_symmetric(4, zero, w, v));
    assert_true(w[0] == 0 && w[3] == 0 && v[0] == 1);
    /* Graded and definite: the small value keeps its digits. (1 - 1e-20 - ..., 1e-20 (1 - 1/4)) */
    const double graded[4] = {1, 0, 0.5e-10, 1e-20};
    assert_true(wi_eigen_symmetric(2, graded, w, NULL));
    assert_true(fabs(w[0] - 0.75e-20) < 8 * EPS * 1e-20);
    const double bad[4] = {1, 0, NAN, 1};
    w[0] = 5;
    assert_false(wi_eigen_symmetric(2, bad, w, NULL));
    assert_true(w[0] == 5);
}

static double value_of(int n, const double* H, const double* g, const double* d)
{
    double q = 0;
    for (int i = 0; i < n; i++) {
        q += g[i] * d[i];
        for (int j = 0; j < n; j++) q += 0.5 * d[i] * H[i * n + j] * d[j];
    }
    return q;
}

/* Every parameter free, at lo or at hi: 3^n cases; the best feasible one is the minimiser. */
static double best_by_enumeration(int n, const double* H, const double* g, const double* lo, const double* hi,
                                  double* best)
{
    double least = INFINITY;
    int cases = 1;
    for (int i = 0; i < n; i++) cases *= 3;
    for (int c = 0; c < cases; c++) {
        /* Held parameters get the equation d_i = bound, and no other equation contains them. */
        double m[16], b[4], d[4], bound[4];
        bool possible = true, held[4];
        for (int i = 0, digits = c; i < n; i++, digits /= 3) {
            held[i] = digits % 3 != 0;
            bound[i] = digits % 3 == 1 ? lo[i] : hi[i];
            if (held[i] && !isfinite(bound[i])) possible = false;
        }
        for (int i = 0; i < n; i++) {
            b[i] = held[i] ? bound[i] : -g[i];
            for (int j = 0; j < n; j++) {
                m[i * n + j] = held[i] || held[j] ? i == j : H[i * n + j];
                if (!held[i] && held[j]) b[i] -= H[i * n + j] * bound[j];
            }
        }
        lu f;
        if (!possible || !wi_lu_factor(&f, n, m)) continue;
        wi_lu_solve(&f, b, d);
        for (int i = 0; i < n; i++) {
            double slack = 1e-12 * (fabs(d[i]) + 1e-3 * (isfinite(hi[i] - lo[i]) ? hi[i] - lo[i] : 0));
            if (d[i] < lo[i] - slack || d[i] > hi[i] + slack) possible = false;
        }
        double q = value_of(n, H, g, d);
        if (possible && q < least) {
            least = q;
            memcpy(best, d, sizeof *d * (size_t)n);
        }
    }
    return least;
}

/* Feasible, masks at their bounds, the slope zero where free and pushing outwards where held. */
static void assert_kkt(int n, const double* H, const double* g, const double* lo, const double* hi,
                       const bounded_step* step)
{
    assert_int_equal(step->at_lo & step->at_hi, 0);
    for (int i = 0; i < n; i++) {
        double slope = g[i], size = fabs(g[i]);
        for (int j = 0; j < n; j++) {
            slope += H[i * n + j] * step->d[j];
            /* the error of a Cholesky solution is relative to the diagonals of both parameters */
            size += sqrt(H[i * n + i]) * sqrt(H[j * n + j]) * fabs(step->d[j]);
        }
        assert_true(step->d[i] >= lo[i] && step->d[i] <= hi[i]);
        bool low = step->at_lo >> i & 1, high = step->at_hi >> i & 1;
        if (low) assert_true(step->d[i] == lo[i]);
        if (high) assert_true(step->d[i] == hi[i]);
        if (lo[i] == hi[i]) {
            assert_true(low);
            continue;
        }
        if (!low) assert_true(slope < 200 * EPS * size);
        if (!high) assert_true(slope > -200 * EPS * size);
    }
}

typedef struct problem {
    int n;
    double H[16], g[4], lo[4], hi[4];
} problem;

static problem random_problem(rng* r, bool definite)
{
    problem p;
    p.n = 1 + rng_int(r, 4);
    if (definite) {
        random_definite(r, p.n, pow(10, rng_range(r, -4, 0)), p.H);
    } else {
        random_matrix(r, p.n, p.H);
        make_symmetric(p.n, p.H);
    }
    double units[4];
    random_units(r, p.n, units);
    scale_matrix(p.n, units, units, p.H);
    make_symmetric(p.n, p.H);
    for (int i = 0; i < p.n; i++) {
        p.g[i] = units[i] * rng_range(r, -1, 1);
        p.lo[i] = -rng_range(r, rng_int(r, 8) ? 0 : -1, 1) / units[i];
        p.hi[i] = p.lo[i] + rng_range(r, 0, 2) / units[i];
        switch (rng_int(r, 16)) {
        case 0:
            p.lo[i] = -INFINITY;
            break;
        case 1:
            p.hi[i] = INFINITY;
            break;
        case 2:
            p.hi[i] = p.lo[i];
            break;
        case 3:
            p.lo[i] = 0;
            p.hi[i] = 1 / units[i];
            break; /* starts at its bound */
        default:
            break;
        }
    }
    return p;
}

static void bounded_minimum_agrees_with_enumeration(void** state)
{
    (void)state;
    rng r = rng_seed(39);
    long bound = 0, most = 0;
    for (long i = campaign(200000); i > 0; i--) {
        problem p = random_problem(&r, true);
        bounded_step step = wi_bounded_minimum(p.n, p.H, p.g, p.lo, p.hi);
        assert_int_equal(step.kind, BOUNDED_NEWTON);
        assert_kkt(p.n, p.H, p.g, p.lo, p.hi, &step);
        double best[4], least = best_by_enumeration(p.n, p.H, p.g, p.lo, p.hi, best);
        double q = value_of(p.n, p.H, p.g, step.d), size = 0;
        for (int k = 0; k < p.n; k++) size += fabs(p.g[k] * step.d[k]) + p.H[k * p.n + k] * step.d[k] * step.d[k];
        assert_true(fabs(q - least) <= 1e-11 * size); /* the enumeration may leave the box by 1e-12 */
        bound += (step.at_lo | step.at_hi) != 0;
        if (step.factors > most) most = step.factors;
    }
    print_message("bounds active in %ld problems, at most %ld factorisations\n", bound, most);
    assert_true(bound > 0);
}

static void bounded_minimum_is_newton_inside_the_box(void** state)
{
    (void)state;
    const double H[4] = {4, 1, 1, 3}, g[2] = {1, 2}, lo[2] = {-1, -1}, hi[2] = {1, 1};
    bounded_step step = wi_bounded_minimum(2, H, g, lo, hi);
    assert_int_equal(step.kind, BOUNDED_NEWTON);
    assert_int_equal(step.at_lo | step.at_hi, 0);
    assert_int_equal(step.factors, 1);
    assert_true(fabs(step.d[0] + 1.0 / 11) < 4 * EPS && fabs(step.d[1] + 7.0 / 11) < 4 * EPS);
}

/* Descends, stays in the box, and is a first minimum along its path: no worse than a short way along it. */
static void bounded_minimum_falls_back_to_a_cauchy_step(void** state)
{
    (void)state;
    rng r = rng_seed(40);
    long seen = 0;
    for (long i = campaign(200000); i > 0; i--) {
        problem p = random_problem(&r, false);
        double l[16], start[4], size = 0;
        bounded_step step = wi_bounded_minimum(p.n, p.H, p.g, p.lo, p.hi);
        assert_int_equal(step.kind, wi_cholesky_factor(p.n, p.H, l) ? BOUNDED_NEWTON : BOUNDED_CAUCHY);
        if (step.kind == BOUNDED_NEWTON) continue;
        seen++;
        bool free = false; /* is there a slope at the start that does not push out of the box? */
        for (int k = 0; k < p.n; k++) start[k] = fmin(fmax(0, p.lo[k]), p.hi[k]);
        for (int k = 0; k < p.n; k++) {
            double slope = p.g[k], terms = fabs(p.g[k]);
            for (int j = 0; j < p.n; j++) {
                slope += p.H[k * p.n + j] * start[j];
                terms += fabs(p.H[k * p.n + j] * start[j]);
            }
            if (fabs(slope) > 1e-9 * terms && (slope > 0 ? start[k] > p.lo[k] : start[k] < p.hi[k])) free = true;
            assert_true(step.d[k] >= p.lo[k] && step.d[k] <= p.hi[k]);
            assert_true(!(step.at_lo >> k & 1) || step.d[k] == p.lo[k]);
            assert_true(!(step.at_hi >> k & 1) || step.d[k] == p.hi[k]);
            size += terms * (fabs(start[k]) + fabs(step.d[k]));
        }
        double before = value_of(p.n, p.H, p.g, start), after = value_of(p.n, p.H, p.g, step.d);
        assert_true(after <= before + 8 * EPS * size);
        if (free) assert_true(memcmp(start, step.d, sizeof *start * (size_t)p.n) != 0);
    }
    assert_true(seen > 0);
    /* Negative curvature: on to the bound downhill. */
    const double H[1] = {-1}, g[1] = {1e-3}, lo[1] = {-2}, hi[1] = {3}, far[1] = {-INFINITY};
    bounded_step step = wi_bounded_minimum(1, H, g, lo, hi);
    assert_true(step.kind == BOUNDED_CAUCHY && step.d[0] == -2 && step.at_lo == 1);
    step = wi_bounded_minimum(1, H, g, far, hi); /* falls for ever */
    assert_true(step.kind == BOUNDED_CAUCHY && step.d[0] < 0 && isfinite(step.d[0]));
}

static void bounded_minimum_refuses_what_has_no_answer(void** state)
{
    (void)state;
    const double H[1] = {1}, g[1] = {1}, zero[1] = {0}, one[1] = {1}, nan[1] = {NAN}, inf[1] = {INFINITY};
    assert_int_equal(wi_bounded_minimum(1, H, g, one, zero).kind, BOUNDED_REFUSED);
    assert_int_equal(wi_bounded_minimum(1, nan, g, zero, one).kind, BOUNDED_REFUSED);
    assert_int_equal(wi_bounded_minimum(1, H, nan, zero, one).kind, BOUNDED_REFUSED);
    assert_int_equal(wi_bounded_minimum(1, H, g, nan, one).kind, BOUNDED_REFUSED);
    assert_int_equal(wi_bounded_minimum(1, H, g, inf, inf).kind, BOUNDED_REFUSED);
    assert_int_equal(wi_bounded_minimum(0, H, g, zero, one).kind, BOUNDED_REFUSED);
    assert_int_equal(wi_bounded_minimum(5, H, g, zero, one).kind, BOUNDED_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solve2_has_small_residuals),
        cmocka_unit_test(solve2_symmetric_has_small_residuals),
        cmocka_unit_test(solve2_reports_singular_matrices),
        cmocka_unit_test(solve3_symmetric_has_small_residuals),
        cmocka_unit_test(cholesky_has_small_residuals_in_any_units),
        cmocka_unit_test(cholesky_tells_definite_from_not),
        cmocka_unit_test(lu_has_small_residuals),
        cmocka_unit_test(lu_and_cholesky_solve_hilbert_to_its_condition),
        cmocka_unit_test(lu_reports_singular_in_any_units),
        cmocka_unit_test(lu_verdict_does_not_depend_on_units),
        cmocka_unit_test(eigen_rebuilds_the_matrix),
        cmocka_unit_test(eigen_closed_forms),
        cmocka_unit_test(bounded_minimum_agrees_with_enumeration),
        cmocka_unit_test(bounded_minimum_is_newton_inside_the_box),
        cmocka_unit_test(bounded_minimum_falls_back_to_a_cauchy_step),
        cmocka_unit_test(bounded_minimum_refuses_what_has_no_answer),
    };
    return cmocka_run_group_tests_name("solve", tests, NULL, NULL);
}
