/* SPDX-License-Identifier: MIT */
/*
 * max over w of min over k of sum w_i m_ik, m_ik = p_i.n_k, w >= 0, sum w = 1. Shifted so that all m_ik > 0 this is the
 * dual of: maximise sum x_k, sum_k m_ik x_k <= 1, x >= 0, which the simplex method solves from x = 0.
 */
#include <string.h>

#include "penetration.h"
#include "direction_game.h"

enum { PIVOTS = 40 };

typedef struct tableau {
    int rows, columns;
    double t[GAME_POINTS + 1][GAME_CORNERS + 1]; /* last row: objective; last column: right sides */
    int basic[GAME_POINTS]; /* variable of a row: k < corners: x_k, else slack of point k - corners */
    int free[GAME_CORNERS];
} tableau;

static void pivot(tableau* a, int r, int c)
{
    double d = 1 / a->t[r][c];
    for (int i = 0; i <= a->rows; ++i) {
        if (i == r) continue;
        double f = a->t[i][c] * d;
        for (int k = 0; k <= a->columns; ++k)
            if (k != c) a->t[i][k] -= f * a->t[r][k];
        a->t[i][c] = -f;
    }
    for (int k = 0; k <= a->columns; ++k) a->t[r][k] *= d;
    a->t[r][c] = d;
    int v = a->basic[r];
    a->basic[r] = a->free[c];
    a->free[c] = v;
}

/* False at the optimum. */
static bool improve(tableau* a)
{
    int c = -1, r = -1;
    double least = -1e-15, ratio = INFINITY;
    for (int k = 0; k < a->columns; ++k)
        if (a->t[a->rows][k] < least) least = a->t[a->rows][k], c = k;
    if (c < 0) return false;
    for (int i = 0; i < a->rows; ++i) {
        if (!(a->t[i][c] > 1e-14)) continue;
        double q = a->t[i][a->columns] / a->t[i][c];
        if (q < ratio) ratio = q, r = i;
    }
    if (r < 0) return false;
    pivot(a, r, c);
    return true;
}

static double least_over(const wit_vec3* n, int corners, wit_vec3 p)
{
    double least = INFINITY;
    for (int k = 0; k < corners; ++k) least = smaller(least, dot3(p, n[k]));
    return least;
}

static wit_vec3 weighted(int points, const wit_vec3* p, const double* w)
{
    wit_vec3 r = {0, 0, 0};
    for (int i = 0; i < points; ++i) r = addscaled3(r, w[i], p[i]);
    return r;
}

static wit_vec3 answer_of(const tableau* a, const wit_vec3* n)
{
    wit_vec3 r = {0, 0, 0};
    for (int i = 0; i < a->rows; ++i)
        if (a->basic[i] < a->columns) r = addscaled3(r, larger(0, a->t[i][a->columns]), n[a->basic[i]]);
    return unit3(r);
}

double wi_direction_game(int points, const wit_vec3* p, int corners, const wit_vec3* n, double* weights,
                         wit_vec3* toward)
{
    tableau a = {.rows = points, .columns = corners};
    double lo = INFINITY, hi = -INFINITY, single = -INFINITY, sum = 0;
    int best = 0;
    for (int i = 0; i < points; ++i) {
        double least = least_over(n, corners, p[i]);
        if (least > single) single = least, best = i;
        for (int k = 0; k < corners; ++k) {
            a.t[i][k] = dot3(p[i], n[k]);
            lo = smaller(lo, a.t[i][k]);
            hi = larger(hi, a.t[i][k]);
        }
        a.t[i][corners] = 1;
        a.basic[i] = corners + i;
    }
    /* all entries between 1 and 2 */
    double scale = hi > lo ? 1 / (hi - lo) : 1;
    for (int i = 0; i < points; ++i)
        for (int k = 0; k < corners; ++k) a.t[i][k] = 1 + (a.t[i][k] - lo) * scale;
    for (int k = 0; k < corners; ++k) a.t[points][k] = -1, a.free[k] = k;
    for (int k = 0; k < PIVOTS && improve(&a); ++k) {
    }
    if (toward) *toward = answer_of(&a, n);
    memset(weights, 0, (size_t)points * sizeof *weights);
    for (int k = 0; k < corners; ++k)
        if (a.free[k] >= corners) weights[a.free[k] - corners] = larger(0, a.t[points][k]);
    for (int i = 0; i < points; ++i) sum += weights[i];
    for (int i = 0; i < points; ++i) weights[i] = sum > 0 ? weights[i] / sum : 0;
    double value = sum > 0 ? least_over(n, corners, weighted(points, p, weights)) : -INFINITY;
    if (value >= single) return value;
    memset(weights, 0, (size_t)points * sizeof *weights);
    weights[best] = 1;
    return single;
}
