/* SPDX-License-Identifier: MIT */
#include "solve.h"

#include <stdint.h>
#include <string.h>

#include "interval.h"

static bool all_finite(int n, const double* m)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(m[i])) return false;
    }
    return true;
}

/* The power of two s with 1 <= s x < 2, for finite x > 0. Kept within 2^+-1000, so that its inverse exists. */
static double scale_to_one(double x)
{
    if (!(x > 0x1p-1000)) return 0x1p1000;
    if (x >= 0x1p1000) return 0x1p-1000;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = ((uint64_t)2046 << 52) - (bits & (uint64_t)2047 << 52);
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void swap(double* a, double* b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

/* ---- LU ------------------------------------------------------------------------------------ */

static bool lu_singular(lu* f)
{
    f->ratio = 0;
    return false;
}

/* Largest entries of the rows and columns. False for a zero row or column or a NaN. */
static bool lu_extent(const lu* f, double* rows, double* columns)
{
    int n = f->n;
    bool good = true;
    for (int i = 0; i < n; i++) rows[i] = columns[i] = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double size = fabs(f->a[i * n + j]);
            if (!(size <= DBL_MAX)) good = false;
            rows[i] = larger(rows[i], size);
            columns[j] = larger(columns[j], size);
        }
    }
    for (int i = 0; i < n; i++) good = good && rows[i] > 0 && columns[i] > 0;
    return good;
}

/* All within a factor of 8 of each other, and far from overflow and underflow? */
static bool lu_even(int n, const double* rows, const double* columns)
{
    double least = rows[0], most = rows[0];
    for (int i = 0; i < n; i++) {
        least = smaller(least, smaller(rows[i], columns[i]));
        most = larger(most, larger(rows[i], columns[i]));
    }
    return most <= 8 * least && least > 0x1p-400 && most < 0x1p400;
}

/*
 * Rows and columns are divided by the roots of their largest entries, as powers of two, until all are of one size.
 * Each pass halves the exponents of what is uneven; a matrix that is even already costs one look.
 */
static bool lu_scale(lu* f, double* columns)
{
    enum { PASSES = 12 };
    int n = f->n;
    double rows[SOLVE_MAX];
    for (int i = 0; i < n; i++) f->scale[i] = f->unscale[i] = 1;
    for (int pass = 0; pass < PASSES; pass++) {
        if (!lu_extent(f, rows, columns)) return false;
        if (lu_even(n, rows, columns)) return true;
        for (int i = 0; i < n; i++) {
            rows[i] = scale_to_one(sqrt(rows[i]));
            columns[i] = scale_to_one(sqrt(columns[i]));
            f->scale[i] *= rows[i];
            f->unscale[i] *= columns[i];
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) f->a[i * n + j] *= rows[i] * columns[j];
        }
    }
    return lu_extent(f, rows, columns);
}

bool wi_lu_factor(lu* f, int n, const double* m)
{
    double* a = f->a;
    double column[SOLVE_MAX];
    for (int i = 0; i < n; i++) f->row[i] = i;
    f->n = n;
    f->ratio = 1;
    memcpy(a, m, (size_t)(n * n) * sizeof *a);
    if (!lu_scale(f, column)) return lu_singular(f);
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++) {
            if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
        }
        double pivot = a[p * n + k];
        /* A small pivot before has magnified the noise of what follows. */
        if (!(fabs(pivot) * f->ratio > SOLVE_NOISE * column[k])) return lu_singular(f);
        f->ratio = smaller(f->ratio, fabs(pivot) / column[k]);
        if (p != k) {
            for (int j = 0; j < n; j++) swap(&a[p * n + j], &a[k * n + j]);
            int row = f->row[p];
            f->row[p] = f->row[k];
            f->row[k] = row;
        }
        double inverse = a[k * n + k] = 1 / pivot; /* kept in place of the pivot */
        for (int i = k + 1; i < n; i++) {
            double l = a[i * n + k] *= inverse;
            for (int j = k + 1; j < n; j++) a[i * n + j] -= l * a[k * n + j];
        }
    }
    return true;
}

void wi_lu_solve(const lu* f, const double* b, double* x)
{
    int n = f->n;
    double y[SOLVE_MAX];
    for (int i = 0; i < n; i++) {
        y[i] = f->scale[f->row[i]] * b[f->row[i]];
        for (int j = 0; j < i; j++) y[i] -= f->a[i * n + j] * y[j];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) y[i] -= f->a[i * n + j] * y[j];
        y[i] *= f->a[i * n + i];
    }
    for (int i = 0; i < n; i++) x[i] = f->unscale[i] * y[i];
}

static bool solve_general(int n, const double* m, const double* b, double* x)
{
    lu f;
    if (!wi_lu_factor(&f, n, m)) return false;
    wi_lu_solve(&f, b, x);
    return true;
}

bool wi_solve2(const double m[4], const double b[2], double x[2])
{
    return solve_general(2, m, b, x);
}

bool wi_solve2_symmetric(double a, double b, double c, const double g[2], double x[2])
{
    double m[4] = {a, b, b, c};
    return solve_general(2, m, g, x);
}

bool wi_solve3_symmetric(const double m[9], const double b[3], double x[3])
{
    double full[9] = {m[0], m[3], m[6], m[3], m[4], m[7], m[6], m[7], m[8]};
    return solve_general(3, full, b, x);
}

/* ---- Cholesky ------------------------------------------------------------------------------ */

/* t_j = l_ij d_j is kept beside l_ij, so that each column costs one division and no root. */
bool wi_cholesky_factor(int n, const double* m, double* l)
{
    double ratio = 1;
    for (int i = 0; i < n; i++) {
        double t[SOLVE_MAX], diagonal = m[i * n + i], pivot = diagonal;
        for (int j = 0; j < i; j++) {
            double sum = m[i * n + j];
            for (int k = 0; k < j; k++) sum -= t[k] * l[j * n + k];
            t[j] = sum;
            l[i * n + j] = sum * l[j * n + j];
            pivot -= sum * l[i * n + j];
        }
        /* A small pivot before has magnified the noise of what follows. */
        if (!(diagonal > 0 && pivot * ratio > SOLVE_NOISE * diagonal && pivot <= DBL_MAX)) return false;
        ratio = smaller(ratio, pivot / diagonal);
        l[i * n + i] = 1 / pivot;
    }
    return true;
}

void wi_cholesky_solve(int n, const double* l, const double* b, double* x)
{
    for (int i = 0; i < n; i++) {
        double sum = b[i];
        for (int j = 0; j < i; j++) sum -= l[i * n + j] * x[j];
        x[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = x[i] * l[i * n + i];
        for (int j = i + 1; j < n; j++) sum -= l[j * n + i] * x[j];
        x[i] = sum;
    }
}

/* ---- Jacobi -------------------------------------------------------------------------------- */

/* One rotation in the plane (p, q) that makes a[p][q] zero; rows of v turn along. */
static void jacobi_rotate(int n, double* a, double* v, int p, int q)
{
    double apq = a[p * n + q];
    /* tan of the smaller angle: t^2 + 2 theta t - 1 = 0 */
    double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
    double t = fabs(theta) > 0x1p500 ? 0.5 / theta : (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < n; k++) {
        double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
        x = v[p * n + k];
        y = v[q * n + k];
        v[p * n + k] = c * x - s * y;
        v[q * n + k] = s * x + c * y;
    }
    a[p * n + q] = a[q * n + p] = 0;
}

/* Ascending, vectors along. */
static void sort_values(int n, double* a, double* v)
{
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++) {
            if (a[j * n + j] < a[least * n + least]) least = j;
        }
        if (least == i) continue;
        swap(&a[i * n + i], &a[least * n + least]);
        for (int k = 0; k < n; k++) swap(&v[i * n + k], &v[least * n + k]);
    }
}

bool wi_eigen_symmetric(int n, const double* m, double* values, double* vectors)
{
    enum { SWEEPS = 30 }; /* convergence is quadratic: 4 x 4 takes 3 to 6 */
    double a[SOLVE_MAX * SOLVE_MAX], v[SOLVE_MAX * SOLVE_MAX], largest = 0;
    for (int i = 0; i < n; i++) {
        if (!all_finite(i + 1, m + i * n)) return false;
        for (int j = 0; j <= i; j++) largest = larger(largest, fabs(m[i * n + j]));
    }
    double scale = scale_to_one(largest);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i * n + j] = scale * (j <= i ? m[i * n + j] : m[j * n + i]);
            v[i * n + j] = i == j;
        }
    }
    bool turned = true;
    for (int sweep = 0; turned && sweep < SWEEPS; sweep++) {
        turned = false;
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                /* An entry left out moves a value by its own size at most; relative to both diagonals, so that a
                 * graded positive definite matrix keeps its small values. */
                double noise = 0.125 * DBL_EPSILON * sqrt(fabs(a[p * n + p])) * sqrt(fabs(a[q * n + q]));
                if (!(fabs(a[p * n + q]) > larger(noise, 0x1p-1000))) continue;
                jacobi_rotate(n, a, v, p, q);
                turned = true;
            }
        }
    }
    sort_values(n, a, v);
    for (int i = 0; i < n; i++) values[i] = a[i * n + i] / scale;
    if (vectors) memcpy(vectors, v, (size_t)(n * n) * sizeof *v);
    return true;
}

/* ---- bounded step -------------------------------------------------------------------------- */

typedef struct box_problem {
    int n;
    const double *H, *g, *lo, *hi;
} box_problem;

static double entry(const box_problem* p, int i, int j)
{
    return i >= j ? p->H[i * p->n + j] : p->H[j * p->n + i];
}

/* (H d + g)_i, and the size of its rounding error. */
static double slope(const box_problem* p, const double* d, int i, double* error)
{
    double sum = p->g[i], size = fabs(p->g[i]);
    for (int j = 0; j < p->n; j++) {
        double term = entry(p, i, j) * d[j];
        sum += term;
        size += fabs(term);
    }
    *error = 8 * DBL_EPSILON * size;
    return sum;
}

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

static bool box_valid(const box_problem* p)
{
    if (!all_finite(p->n, p->g)) return false;
    for (int i = 0; i < p->n; i++) {
        if (!all_finite(i + 1, p->H + i * p->n)) return false;
        if (!(p->lo[i] <= p->hi[i]) || p->lo[i] == INFINITY || p->hi[i] == -INFINITY) return false;
    }
    return true;
}

/* target = minimiser over the free parameters with the others held at d. False when not positive definite. */
static bool minimise_free(const box_problem* p, unsigned held, const double* d, double* target)
{
    int index[SOLVE_MAX], m = 0;
    double a[SOLVE_MAX * SOLVE_MAX], l[SOLVE_MAX * SOLVE_MAX], b[SOLVE_MAX];
    for (int i = 0; i < p->n; i++) {
        target[i] = d[i];
        if (!(held >> i & 1)) index[m++] = i;
    }
    for (int r = 0; r < m; r++) {
        b[r] = -p->g[index[r]];
        for (int j = 0; j < p->n; j++) {
            if (held >> j & 1) b[r] -= entry(p, index[r], j) * d[j];
        }
        for (int c = 0; c < m; c++) a[r * m + c] = entry(p, index[r], index[c]);
    }
    if (!wi_cholesky_factor(m, a, l)) return false;
    wi_cholesky_solve(m, l, b, b);
    for (int r = 0; r < m; r++) target[index[r]] = b[r];
    return true;
}

/* Moves d towards target until the first bound. Returns its bit, 0 when target is reached. */
static unsigned move_to_bound(const box_problem* p, unsigned held, const double* target, bounded_step* step)
{
    double part = 1;
    int block = -1;
    for (int i = 0; i < p->n; i++) {
        if (held >> i & 1) continue;
        double bound = target[i] < p->lo[i] ? p->lo[i] : p->hi[i];
        if (target[i] >= p->lo[i] && target[i] <= p->hi[i]) continue;
        double reach = (bound - step->d[i]) / (target[i] - step->d[i]);
        if (block < 0 || reach < part) {
            part = reach;
            block = i;
        }
    }
    for (int i = 0; i < p->n; i++) {
        if (held >> i & 1) continue;
        double moved = block < 0 ? target[i] : step->d[i] + part * (target[i] - step->d[i]);
        step->d[i] = clamp(moved, p->lo[i], p->hi[i]);
    }
    if (block < 0) return 0;
    bool low = target[block] < p->lo[block];
    step->d[block] = low ? p->lo[block] : p->hi[block];
    if (low)
        step->at_lo |= 1u << block;
    else
        step->at_hi |= 1u << block;
    return 1u << block;
}

/* Releases the held bound whose gradient pushes inwards most, weighed by its own curvature. False: KKT holds. */
static bool release_bound(const box_problem* p, bounded_step* step)
{
    double most = 0;
    int leave = -1;
    for (int i = 0; i < p->n; i++) {
        if (!((step->at_lo | step->at_hi) >> i & 1) || p->lo[i] == p->hi[i]) continue;
        double error, down = slope(p, step->d, i, &error);
        if (step->at_lo >> i & 1) down = -down; /* at lo the slope must not be negative, at hi not positive */
        double gain = down / sqrt(entry(p, i, i));
        if (down > error && gain > most) {
            most = gain;
            leave = i;
        }
    }
    if (leave < 0) return false;
    step->at_lo &= ~(1u << leave);
    step->at_hi &= ~(1u << leave);
    return true;
}

/*
 * Primal active set. Between two visits of "target reached" q falls strictly, so no set of held bounds comes
 * back: at most 3^n sets, each after at most n bounds. Rounding could only make it circle within the
 * error of the slopes; the count stops it there.
 */
static bool active_set(const box_problem* p, bounded_step* step)
{
    enum { LIMIT = 400 };
    double target[SOLVE_MAX];
    for (int i = 0; i < p->n; i++) {
        if (p->lo[i] == p->hi[i]) step->at_lo |= 1u << i;
    }
    for (int count = 0; count < LIMIT; count++) {
        step->factors++;
        if (!minimise_free(p, step->at_lo | step->at_hi, step->d, target)) return false;
        if (move_to_bound(p, step->at_lo | step->at_hi, target, step)) continue;
        if (!release_bound(p, step)) break;
    }
    return true;
}

/* False when H is not positive definite. The usual case, all bounds inactive, needs one factorisation. */
static bool newton(const box_problem* p, bounded_step* step)
{
    double l[SOLVE_MAX * SOLVE_MAX], target[SOLVE_MAX];
    step->factors = 1;
    if (!wi_cholesky_factor(p->n, p->H, l)) return false;
    for (int i = 0; i < p->n; i++) target[i] = -p->g[i];
    wi_cholesky_solve(p->n, l, target, target);
    for (int i = 0; i < p->n; i++) {
        if (!(target[i] > p->lo[i] && target[i] < p->hi[i])) return active_set(p, step);
    }
    memcpy(step->d, target, sizeof *target * (size_t)p->n);
    return true;
}

/* Direction of the Cauchy path: steepest descent with each parameter measured by its own curvature. */
static void descent(const box_problem* p, const double* d, double* direction)
{
    double largest = 0;
    for (int i = 0; i < p->n; i++) largest = larger(largest, fabs(entry(p, i, i)));
    for (int i = 0; i < p->n; i++) {
        double error, s = slope(p, d, i, &error), curvature = fabs(entry(p, i, i)), width = p->hi[i] - p->lo[i];
        bool blocked = (d[i] <= p->lo[i] && s > 0) || (d[i] >= p->hi[i] && s < 0);
        if (blocked || fabs(s) <= error)
            direction[i] = 0;
        else if (curvature > 0)
            direction[i] = -s / curvature;
        else if (width <= DBL_MAX)
            direction[i] = s < 0 ? width : -width;
        else
            direction[i] = -s / (largest > 0 ? largest : 1);
    }
}

/* Time at which parameter i reaches the bound it moves to. */
static double arrival(const box_problem* p, const double* d, const double* direction, int i)
{
    if (direction[i] == 0) return INFINITY;
    return ((direction[i] > 0 ? p->hi[i] : p->lo[i]) - d[i]) / direction[i];
}

/* First minimum of q along the path d(t) = clamp(start + t direction), segment by segment. */
static void cauchy(const box_problem* p, bounded_step* step)
{
    double direction[SOLVE_MAX];
    descent(p, step->d, direction);
    for (int segment = 0; segment <= p->n; segment++) {
        double fall = 0, bend = 0, end = INFINITY, error;
        for (int i = 0; i < p->n; i++) {
            fall -= direction[i] * slope(p, step->d, i, &error);
            for (int j = 0; j < p->n; j++) bend += direction[i] * entry(p, i, j) * direction[j];
            end = smaller(end, arrival(p, step->d, direction, i));
        }
        if (!(fall > 0)) return;
        double t = bend > 0 ? fall / bend : INFINITY;
        bool stop = t < end;
        t = smaller(t, end);
        if (!(t <= DBL_MAX)) { /* falls for ever: one step of the scaled gradient */
            t = 1;
            stop = true;
        }
        for (int i = 0; i < p->n; i++) {
            bool arrives = direction[i] != 0 && !stop && arrival(p, step->d, direction, i) <= t;
            step->d[i] = arrives ? (direction[i] > 0 ? p->hi[i] : p->lo[i])
                                 : clamp(step->d[i] + t * direction[i], p->lo[i], p->hi[i]);
            if (arrives) direction[i] = 0;
        }
        if (stop) return;
    }
}

bounded_step wi_bounded_minimum(int n, const double* H, const double* g, const double* lo, const double* hi)
{
    box_problem p = {n, H, g, lo, hi};
    bounded_step step = {{0, 0, 0, 0}, 0, 0, BOUNDED_NEWTON, 0};
    if (n < 1 || n > SOLVE_MAX || !box_valid(&p)) {
        step.kind = BOUNDED_REFUSED;
        return step;
    }
    for (int i = 0; i < n; i++) step.d[i] = clamp(0, lo[i], hi[i]);
    bounded_step start = step;
    if (newton(&p, &step)) return step;

    step = start;
    step.kind = BOUNDED_CAUCHY;
    cauchy(&p, &step);
    for (int i = 0; i < n; i++) {
        if (step.d[i] == lo[i])
            step.at_lo |= 1u << i;
        else if (step.d[i] == hi[i])
            step.at_hi |= 1u << i;
    }
    return step;
}
