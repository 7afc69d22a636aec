/* SPDX-License-Identifier: MIT */
/*
 * Small dense systems, n <= 4. Matrices are row-major, n * n doubles; symmetric ones are read from their
 * lower triangle. Nothing allocates; inputs are never changed. A matrix with a NaN or an infinity in it is
 * reported as singular or not positive definite.
 *
 * Thresholds do not depend on the units of the parameters: a symmetric matrix is judged against its own diagonal, a
 * general one after its rows and columns were brought to one size.
 */
#ifndef BASE_SOLVE_H
#define BASE_SOLVE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define SOLVE_MAX 4
/* A pivot below this times its scale is rounding noise: n <= 4 steps of elimination leave at most about 2 n
 * half units in the last place of the entries it was made from. */
#define SOLVE_NOISE (16 * DBL_EPSILON)

/*
 * [a b; b c] x = g for a positive definite matrix. False, with x untouched, unless a, c > 0 and
 * a c - b^2 > noise a c.
 */
static inline bool solve2_definite(double a, double b, double c, const double g[2], double x[2])
{
    if (!(a > 0 && c > 0 && a <= DBL_MAX && c <= DBL_MAX)) return false;
    double l = b / a, pivot = c - l * b;
    if (!(pivot > SOLVE_NOISE * c)) return false;
    double x1 = (g[1] - l * g[0]) / pivot;
    x[0] = (g[0] - b * x1) / a;
    x[1] = x1;
    return true;
}

/* [a b; b c] x = g, indefinite allowed. False, with x untouched, when singular to rounding. */
bool wi_solve2_symmetric(double a, double b, double c, const double g[2], double x[2]);

/* m x = b for any 2 x 2 matrix; the same. */
bool wi_solve2(const double m[4], const double b[2], double x[2]);

/* m x = b for a symmetric 3 x 3 matrix, indefinite allowed; the same. */
bool wi_solve3_symmetric(const double m[9], const double b[3], double x[3]);

/*
 * Cholesky without roots: m = L D L^T, L with a unit diagonal. l gets L below its diagonal and 1/D on it. False when
 * a pivot is not above the noise of the diagonal entry it came from: not positive definite, or not to be told from
 * singular. l is then unusable.
 */
bool wi_cholesky_factor(int n, const double* m, double* l);
void wi_cholesky_solve(int n, const double* l, const double* b, double* x); /* x may be b */

/*
 * LU with partial pivoting, after rows and columns of uneven size were scaled by powers of two (exact). `ratio` is the
 * smallest |pivot| over the largest entry of its column: 1 at best, 0 when singular.
 */
typedef struct lu {
    int n;
    int row[SOLVE_MAX];              /* row[i]: which row of m became row i */
    double scale[SOLVE_MAX];         /* of the rows of m */
    double unscale[SOLVE_MAX];       /* of the columns: x = unscale * solution of the scaled system */
    double a[SOLVE_MAX * SOLVE_MAX]; /* L below the diagonal, U above it, 1/U on it */
    double ratio;
} lu;

/* False when a pivot times the ratio before it is not above SOLVE_NOISE of its column: no digit of a solution
 * would be right. ratio is then 0 and the factors are unusable. */
bool wi_lu_factor(lu* f, int n, const double* m);
void wi_lu_solve(const lu* f, const double* b, double* x); /* x may be b */

/*
 * m = sum over k of values[k] v_k v_k^T, values ascending, v_k = row k of vectors, orthonormal. Each value is within
 * about 4 n DBL_EPSILON of the largest one in size. vectors may be null. False, with nothing written, for NaN or
 * infinity.
 */
bool wi_eigen_symmetric(int n, const double* m, double* values, double* vectors);

typedef enum bounded_kind {
    BOUNDED_NEWTON, /* the minimiser over the box; all KKT conditions hold to rounding */
    BOUNDED_CAUCHY, /* H is not positive definite: the first minimum along the bent path of steepest descent */
    BOUNDED_REFUSED /* lo > hi somewhere, or a NaN: d is zero */
} bounded_kind;

typedef struct bounded_step {
    double d[SOLVE_MAX];
    unsigned at_lo; /* bit i: d[i] = lo[i], and the gradient there does not push inwards */
    unsigned at_hi; /* likewise at hi; a parameter with lo = hi has its bit in at_lo */
    bounded_kind kind;
    int factors; /* matrices factored: the work done */
} bounded_step;

/*
 * Minimise q(d) = d.H d / 2 + g.d over lo <= d <= hi. Bounds may be infinite. The box need not contain 0; the
 * Cauchy path starts from its point nearest to 0. Masks are those of the KKT point; for a
 * Cauchy step, those of the bounds it stopped at.
 */
bounded_step wi_bounded_minimum(int n, const double* H, const double* g, const double* lo, const double* hi);

#endif
