/* SPDX-License-Identifier: MIT */
/*
 * With homogeneous coordinates X = (w S, w), S_u = (X_u - S w_u) / w. S and w are the same on both sides of a border, so that
 *
 *   jump S_u = (jump(w S)_u - c jump w_u - (S - c) jump w_u) / w
 *
 * for any point c; along the border all of these are Bernstein polynomials in the other parameter, and no larger than their
 * largest coefficient.
 */
#include "tangent_jump.h"

#include "nurbs.h"

#define ROUNDING (16 * DBL_EPSILON) /* of a coefficient of the nets, as it was made */

/* One row of coefficients across the border: cells `low` and `high` of an axis of degree p, one behind the other in a net
 * whose coefficients stand `stride` doubles apart along that axis. */
typedef struct border_row {
    const double *low, *high; /* last coefficient of the one, first of the other */
    size_t stride;
    double from_low, from_high; /* p / length of the cell */
} border_row;

typedef struct row_sums {
    double first, weight, spread, least; /* largest jump of (w S)_u - c w_u, of w_u; largest |S - c|; least w */
} row_sums;

static wit_vec3 point_of(const double* x)
{
    return scale3(1 / x[3], vec3(x[0], x[1], x[2]));
}

static void add_row(const border_row* r, wit_vec3 c, row_sums* sum)
{
    double jump[4], size = 0;
    for (int a = 0; a < 4; ++a) {
        const double *l = r->low + a, *h = r->high + a;
        jump[a] = r->from_high * (h[r->stride] - h[0]) - r->from_low * (l[0] - *(l - r->stride));
        size += r->from_high * (fabs(h[r->stride]) + fabs(h[0])) + r->from_low * (fabs(l[0]) + fabs(*(l - r->stride)));
    }
    wit_vec3 first = addscaled3(vec3(jump[0], jump[1], jump[2]), -jump[3], c);
    sum->first = larger(sum->first, norm3(first) + ROUNDING * size * (1 + norm3(c)));
    sum->weight = larger(sum->weight, fabs(jump[3]) + ROUNDING * size);
    sum->spread = larger(sum->spread, norm3(sub3(point_of(r->low), c)));
    sum->least = smaller(sum->least, smaller(r->low[3], r->high[3]));
}

static double jump_of(const row_sums* sum)
{
    if (!(sum->least > 0)) return INFINITY;
    return (sum->first + sum->spread * sum->weight) / sum->least * (1 + 1e-12);
}

/* Cells before and after border k. */
static bool cells_at(const spline_axis* axis, bool closed, int k, int* low, int* high)
{
    if (k < 0 || k >= axis->cells || (k == 0 && !closed) || axis->degree < 1) return false;
    *low = k == 0 ? axis->cells - 1 : k - 1;
    *high = k;
    return true;
}

static double spline_surface_jump(const wit_surface* s, bool along_u, int k)
{
    const surface_spline* n = &s->spline;
    const spline_axis *axis = along_u ? &n->u : &n->v, *other = along_u ? &n->v : &n->u;
    int low, high, p = axis->degree, q = other->degree;
    if (!cells_at(axis, along_u ? s->closed_u : s->closed_v, k, &low, &high)) return INFINITY;
    size_t cell = (size_t)((n->u.degree + 1) * (n->v.degree + 1)) * 4;
    size_t stride = along_u ? (size_t)(n->v.degree + 1) * 4 : 4, across = along_u ? 4 : (size_t)(n->v.degree + 1) * 4;
    const double *net = (const double*)(const void*)((const char*)s + n->bernstein), *inverse = axis_inverse(axis, s);
    double most = 0;
    for (int j = 0; j < other->cells; ++j) {
        size_t a = (size_t)(along_u ? low * n->v.cells + j : j * n->v.cells + low);
        size_t b = (size_t)(along_u ? high * n->v.cells + j : j * n->v.cells + high);
        border_row r = {net + a * cell + (size_t)p * stride, net + b * cell, stride, p * inverse[low],
                        p * inverse[high]};
        wit_vec3 c = point_of(r.low);
        row_sums sum = {0, 0, 0, INFINITY};
        for (int i = 0; i <= q; ++i, r.low += across, r.high += across) add_row(&r, c, &sum);
        most = larger(most, jump_of(&sum));
    }
    return most;
}

double wi_curve_tangent_jump(const wit_curve* curve, int k)
{
    const spline_axis* axis = &curve->spline.t;
    int low, high, p = axis->degree;
    if (curve->kind < WIT_CURVE_NURBS) return 0;
    if (curve->kind != WIT_CURVE_NURBS || !cells_at(axis, curve->closed, k, &low, &high)) return INFINITY;
    curve_net below, above;
    const double* inverse = axis_inverse(axis, curve);
    border_row r = {wi_curve_net(curve, low, below) + (size_t)p * 4, wi_curve_net(curve, high, above), 4,
                    p * inverse[low], p * inverse[high]};
    row_sums sum = {0, 0, 0, INFINITY};
    add_row(&r, point_of(r.low), &sum);
    return jump_of(&sum);
}

double wi_surface_tangent_jump(const wit_surface* s, wit_direction direction, int k)
{
    if (s->kind == WIT_SURFACE_NURBS) return spline_surface_jump(s, direction == WIT_U, k);
    bool smooth = s->kind < WIT_SURFACE_REVOLUTION || (s->kind == WIT_SURFACE_REVOLUTION && direction == WIT_U);
    return smooth ? 0 : INFINITY;
}
