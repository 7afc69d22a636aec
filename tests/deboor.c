/* SPDX-License-Identifier: MIT */
#include "deboor.h"

#include <math.h>
#include <string.h>

enum { ORDERS = DEBOOR_ORDERS, FUNCTIONS = WIT_MAX_DEGREE + 1 };

/* One parameter direction of a def. */
typedef struct axis {
    int degree, count;
    bool periodic;
    const double* knots;
} axis;

/* The functions that do not vanish on one span, N_first .. N_first+degree; value[k][a] is the k-th
 * derivative of N_first+a. */
typedef struct basis {
    int first;
    long double value[ORDERS][FUNCTIONS];
} basis;

static int wrap(int i, int count)
{
    int r = i % count;
    return r < 0 ? r + count : r;
}

static long double knot(const axis* a, int i)
{
    if (!a->periodic) return a->knots[i];
    int r = wrap(i, a->count);
    long double period = (long double)a->knots[a->count] - a->knots[0];
    return a->knots[r] + (long double)((i - r) / a->count) * period;
}

static long double into_period(const axis* a, double x, bool below)
{
    if (!a->periodic) return x;
    long double lo = a->knots[0], hi = a->knots[a->count], period = hi - lo, y = x;
    if (y < lo || y > hi) y -= floorl((y - lo) / period) * period;
    return below && y == lo ? hi : y;
}

/* The span [t_k, t_k+1], not empty, that holds x: the last with t_k <= x, or with t_k < x from below. */
static int span(const axis* a, long double x, bool below)
{
    int first = a->periodic ? 0 : a->degree, end = a->count, found = -1;
    for (int k = first; k < end; k++) {
        if (!(knot(a, k) < knot(a, k + 1))) continue;
        if (found < 0 || knot(a, k) < x || (!below && knot(a, k) == x)) found = k;
    }
    return found;
}

static long double ratio(long double numerator, long double denominator)
{
    return denominator > 0 ? numerator / denominator : 0;
}

/* One step of the recursion for N_i,q, all orders of derivative: `low` holds N_.,q-1, with `low[.][c]` for N_i and
 * c + 1 for N_i+1, either of which may fall outside the list of those that do not vanish. */
static void lift(const axis* a, int i, int q, long double x, long double low[ORDERS][FUNCTIONS + 2], int c,
                 long double out[ORDERS])
{
    long double left = knot(a, i + q) - knot(a, i), right = knot(a, i + q + 1) - knot(a, i + 1);
    out[0] = ratio(x - knot(a, i), left) * low[0][c] + ratio(knot(a, i + q + 1) - x, right) * low[0][c + 1];
    for (int k = 1; k < ORDERS; k++) out[k] = ratio(q, left) * low[k - 1][c] - ratio(q, right) * low[k - 1][c + 1];
}

static basis basis_at(const axis* a, long double x, int k)
{
    /* low[.][1 + b] is N_k-q+b,q; a zero stands on either side. */
    long double low[ORDERS][FUNCTIONS + 2], next[ORDERS][FUNCTIONS + 2];
    memset(low, 0, sizeof low);
    low[0][1] = 1;
    for (int q = 1; q <= a->degree; q++) {
        memset(next, 0, sizeof next);
        for (int b = 0; b <= q; b++) {
            long double d[ORDERS];
            lift(a, k - q + b, q, x, low, b, d); /* N_i,q-1 with i = k - q + b stands at 1 + (b - 1) */
            for (int o = 0; o < ORDERS; o++) next[o][1 + b] = d[o];
        }
        memcpy(low, next, sizeof low);
    }
    basis r;
    r.first = k - a->degree;
    for (int o = 0; o < ORDERS; o++)
        for (int b = 0; b < FUNCTIONS; b++) r.value[o][b] = b <= a->degree ? low[o][1 + b] : 0;
    return r;
}

static int index_of(const axis* a, int i)
{
    return a->periodic ? wrap(i, a->count) : i;
}

static axis curve_axis(const wit_curve_def* def)
{
    axis a = {def->degree, def->count, def->periodic, def->knots};
    return a;
}

static axis surface_axis(const wit_surface_def* def, wit_direction direction)
{
    axis u = {def->degree_u, def->count_u, def->periodic_u, def->knots_u};
    axis v = {def->degree_v, def->count_v, def->periodic_v, def->knots_v};
    return direction == WIT_U ? u : v;
}

static long double binomial(int n, int k)
{
    static const int table[ORDERS][ORDERS] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 1, 0}, {1, 3, 3, 1}};
    return table[n][k];
}

/*
 * From the homogeneous derivatives h (x, y, z times weight, and the weight) to those of the quotient,
 * in place: S_kl = (h_kl - sum over (i, j) != (0, 0) of C(k,i) C(l,j) w_ij S_k-i,l-j) / w_00.
 */
static void quotient(long double h[ORDERS][ORDERS][4])
{
    for (int n = 0; n < ORDERS; n++)
        for (int k = n, l = 0; k >= 0; k--, l++)
            for (int c = 0; c < 3; c++) {
                long double sum = h[k][l][c];
                for (int i = 0; i <= k; i++)
                    for (int j = 0; j <= l; j++)
                        if (i + j > 0) sum -= binomial(k, i) * binomial(l, j) * h[i][j][3] * h[k - i][l - j][c];
                h[k][l][c] = sum / h[0][0][3];
            }
}

static void accumulate(long double h[4], long double n, const double* point, double weight)
{
    for (int c = 0; c < 3; c++) h[c] += n * weight * point[c];
    h[3] += n * weight;
}

void deboor_curve(const wit_curve_def* def, double t, unsigned side, long double d[ORDERS][3])
{
    axis a = curve_axis(def);
    bool below = side & WIT_KNOT_T_BELOW;
    long double x = into_period(&a, t, below), h[ORDERS][ORDERS][4];
    basis b = basis_at(&a, x, span(&a, x, below));
    memset(h, 0, sizeof h);
    for (int i = 0; i <= a.degree; i++) {
        int m = index_of(&a, b.first + i);
        for (int k = 0; k < ORDERS; k++)
            accumulate(h[k][0], b.value[k][i], def->points + 3 * m, def->weights ? def->weights[m] : 1);
    }
    quotient(h);
    for (int k = 0; k < ORDERS; k++)
        for (int c = 0; c < 3; c++) d[k][c] = h[k][0][c];
}

void deboor_surface(const wit_surface_def* def, double u, double v, unsigned side, long double d[ORDERS][ORDERS][3])
{
    axis au = surface_axis(def, WIT_U), av = surface_axis(def, WIT_V);
    bool below_u = side & WIT_KNOT_U_BELOW, below_v = side & WIT_KNOT_V_BELOW;
    long double x = into_period(&au, u, below_u), y = into_period(&av, v, below_v), h[ORDERS][ORDERS][4];
    basis bu = basis_at(&au, x, span(&au, x, below_u));
    basis bv = basis_at(&av, y, span(&av, y, below_v));
    memset(h, 0, sizeof h);
    for (int i = 0; i <= au.degree; i++)
        for (int j = 0; j <= av.degree; j++) {
            int m = index_of(&au, bu.first + i) * def->count_v + index_of(&av, bv.first + j);
            for (int k = 0; k < ORDERS; k++)
                for (int l = 0; k + l < ORDERS; l++)
                    accumulate(h[k][l], bu.value[k][i] * bv.value[l][j], def->points + 3 * m,
                               def->weights ? def->weights[m] : 1);
        }
    quotient(h);
    for (int k = 0; k < ORDERS; k++)
        for (int l = 0; l < ORDERS; l++)
            for (int c = 0; c < 3; c++) d[k][l][c] = k + l < ORDERS ? h[k][l][c] : 0;
}

static double net_size(const double* points, int count)
{
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        double lo = points[c], hi = points[c];
        for (int i = 1; i < count; i++) {
            lo = fmin(lo, points[3 * i + c]);
            hi = fmax(hi, points[3 * i + c]);
        }
        sum += (hi - lo) * (hi - lo);
    }
    return sqrt(sum);
}

deboor_cell deboor_curve_cell(const wit_curve_def* def, double t, unsigned side)
{
    axis a = curve_axis(def);
    bool below = side & WIT_KNOT_T_BELOW;
    int k = span(&a, into_period(&a, t, below), below);
    deboor_cell r = {(double)knot(&a, k), (double)knot(&a, k + 1), 0, 0, net_size(def->points, def->count), 1};
    double least = INFINITY, most = 0;
    for (int i = k - a.degree; def->weights && i <= k; i++) {
        double w = def->weights[index_of(&a, i)];
        least = fmin(least, w);
        most = fmax(most, w);
    }
    if (def->weights) r.weight_ratio = most / least;
    return r;
}

deboor_cell deboor_surface_cell(const wit_surface_def* def, double u, double v, unsigned side)
{
    axis au = surface_axis(def, WIT_U), av = surface_axis(def, WIT_V);
    bool below_u = side & WIT_KNOT_U_BELOW, below_v = side & WIT_KNOT_V_BELOW;
    int ku = span(&au, into_period(&au, u, below_u), below_u);
    int kv = span(&av, into_period(&av, v, below_v), below_v);
    deboor_cell r = {(double)knot(&au, ku),
                     (double)knot(&au, ku + 1),
                     (double)knot(&av, kv),
                     (double)knot(&av, kv + 1),
                     net_size(def->points, def->count_u * def->count_v),
                     1};
    double least = INFINITY, most = 0;
    for (int i = ku - au.degree; def->weights && i <= ku; i++)
        for (int j = kv - av.degree; j <= kv; j++) {
            double w = def->weights[index_of(&au, i) * def->count_v + index_of(&av, j)];
            least = fmin(least, w);
            most = fmax(most, w);
        }
    if (def->weights) r.weight_ratio = most / least;
    return r;
}
