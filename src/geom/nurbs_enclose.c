/* SPDX-License-Identifier: MIT */
/*
 * Every derivative of a polynomial cell is a Bezier net of its own (differences of neighbouring
 * points); cut to the part asked for by de Casteljau's rule, its hull holds the derivative. Nets are
 * differenced before they are cut: the other order would lose digits as the part shrinks.
 *
 * Rational cells: with A = w S, a centre c near the part and F = A - c w = w (S - c), Leibniz' rule gives
 *   D_ab S = (D_ab F - sum_(i,j) != (0,0) C(a,i) C(b,j) D_ij w  D_(a-i)(b-j) (S - c)) / w,
 * evaluated in intervals. |S - c| is of the size of the part, so the result converges as the part shrinks.
 *
 * A curve is a net with one column.
 */
#include "nurbs_enclose.h"

#include <string.h>

#include "nurbs.h"

enum { NET = (WIT_MAX_DEGREE + 1) * (WIT_MAX_DEGREE + 1) * 4 };

/* Orders (a, b) of the derivatives, as in the enum of shape.h. */
static const int ORDER_U[SURFACE_DERIVATIVES] = {0, 1, 0, 2, 1, 0, 3, 2, 1, 0};
static const int ORDER_V[SURFACE_DERIVATIVES] = {0, 0, 1, 0, 1, 2, 0, 1, 2, 3};
/* Where D_ab stands in that order, -1 above order 3. */
static const int INDEX[4][4] = {{D00, D01, D02, D03}, {D10, D11, D12, -1}, {D20, D21, -1, -1}, {D30, -1, -1, -1}};
static const double CHOOSE[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 1, 0}, {1, 3, 3, 1}};

/* Part s x t of one cell, both within [0, 1]. */
typedef struct part {
    const double* net; /* (p + 1) x (q + 1) x 4 */
    int p, q;
    bool rational;
    double inverse_u, inverse_v;
    wit_interval s, t;
} part;

/* Cuts the n + 1 points that stand `stride` doubles apart to the piece [lo, hi] of [0, 1]. */
static void cut_line(double* c, int n, int stride, wit_interval piece)
{
    if (piece.hi < 1)
        for (int level = 1; level <= n; ++level)
            for (int i = n; i >= level; --i)
                for (int x = 0; x < 4; ++x) {
                    double below = c[(i - 1) * stride + x];
                    c[i * stride + x] = below + piece.hi * (c[i * stride + x] - below);
                }
    if (piece.lo > 0) {
        double f = piece.hi > 0 ? smaller(piece.lo / piece.hi, 1) : 0;
        for (int level = 1; level <= n; ++level)
            for (int i = 0; i <= n - level; ++i)
                for (int x = 0; x < 4; ++x) {
                    double below = c[i * stride + x];
                    c[i * stride + x] = below + f * (c[(i + 1) * stride + x] - below);
                }
    }
}

/* Net of the derivative (a, b), cut to the part. Degrees in *p, *q. False: the derivative vanishes. */
static bool derivative_net(const part* part_, int a, int b, double* out, int* p, int* q)
{
    int n = part_->p, m = part_->q;
    if (a > n || b > m) return false;
    memcpy(out, part_->net, (size_t)((n + 1) * (m + 1)) * 4 * sizeof(double));
    int row = (m + 1) * 4;
    for (; a > 0; --a, --n)
        for (int i = 0; i < n; ++i)
            for (int x = 0; x < row; ++x)
                out[i * row + x] = (out[(i + 1) * row + x] - out[i * row + x]) * n * part_->inverse_u;
    for (; b > 0; --b, --m)
        for (int i = 0; i <= n; ++i)
            for (int x = 0; x < m * 4; ++x)
                out[i * row + x] = (out[i * row + x + 4] - out[i * row + x]) * m * part_->inverse_v;
    for (int j = 0; j <= m; ++j) cut_line(out + 4 * j, n, row, part_->s);
    for (int i = 0; i <= n; ++i) cut_line(out + i * row, m, 4, part_->t);
    if (m < part_->q) /* close up the rows */
        for (int i = 1; i <= n; ++i)
            memmove(out + i * (m + 1) * 4, out + i * row, (size_t)(m + 1) * 4 * sizeof(double));
    *p = n;
    *q = m;
    return true;
}

static double dot4(wit_vec3 axis, const double* c)
{
    return axis.x * c[0] + axis.y * c[1] + axis.z * c[2];
}

static double dot4_abs(wit_vec3 axis, const double* c)
{
    return fabs(axis.x * c[0]) + fabs(axis.y * c[1]) + fabs(axis.z * c[2]);
}

/* Roundings a coefficient goes through: extraction, differencing, two cuts at rounded places, the dot product. */
static double rounding(const part* c)
{
    return 3 * (c->p + c->q + 4) * DBL_EPSILON;
}

/* Weighted mean of the cut net along each axis: a point near the part. Zero for polynomial cells, which need none. */
static void centre_of(const part* c, const double* net, const wit_vec3 axes[3], double centre[3])
{
    double sum[3] = {0, 0, 0}, weight = 0;
    for (int r = 0; r < (c->p + 1) * (c->q + 1); ++r) {
        for (int k = 0; k < 3; ++k) sum[k] += dot4(axes[k], net + 4 * r);
        weight += net[4 * r + 3];
    }
    for (int k = 0; k < 3; ++k) centre[k] = c->rational ? sum[k] / weight : 0;
}

/* Hull of the points themselves: positive weights make S a convex combination of the c / w. */
static wit_interval hull_of(const part* c, const double* net, wit_vec3 axis, double margin)
{
    wit_interval r = iv(INFINITY, -INFINITY);
    for (int i = 0; i < (c->p + 1) * (c->q + 1); ++i) {
        double x = dot4(axis, net + 4 * i) / net[4 * i + 3];
        r = iv_union(r, iv_point(x));
    }
    return iv_widen(r, margin);
}

/* Largest |axis . point| over the uncut cell: what rounding is measured by. */
static double magnitude(const part* c, wit_vec3 axis)
{
    double m = 0;
    for (int i = 0; i < (c->p + 1) * (c->q + 1); ++i) m = larger(m, dot4_abs(axis, c->net + 4 * i) / c->net[4 * i + 3]);
    return m;
}

/* Largest to smallest weight of the cell: by so much does the quotient amplify rounding of the large ones. */
static double weight_ratio(const part* c)
{
    double least = c->net[3], most = c->net[3];
    for (int i = 1; i < (c->p + 1) * (c->q + 1); ++i) {
        least = smaller(least, c->net[4 * i + 3]);
        most = larger(most, c->net[4 * i + 3]);
    }
    return most / least;
}

/* One corner of the cell: a point of the net, which is not cut. Both A and w are sums of terms of one sign of weight, so that
 * nothing is amplified. */
static bool is_corner(const part* c)
{
    bool s = c->s.lo == c->s.hi && (c->s.lo == 0 || c->s.lo == 1),
         t = c->t.lo == c->t.hi && (c->t.lo == 0 || c->t.lo == 1);
    return s && (t || c->q == 0);
}

/* The axes that a part is seen along; along each the middle of the part and the largest size of its points. */
typedef struct seen_along {
    const wit_vec3* axes;
    double centre[3], mag[3];
} seen_along;

/* Enclosures of D_ab F along the axes and of D_ab w. `grow` is the factor by which differencing amplifies rounding. */
static void enclose_homogeneous(const part* c, const seen_along* s, const double* net, int n, double grow,
                                wit_interval F[3], wit_interval* w)
{
    const wit_vec3* axes = s->axes;
    const double *centre = s->centre, *mag = s->mag;
    wit_interval f[3] = {iv(INFINITY, -INFINITY), iv(INFINITY, -INFINITY), iv(INFINITY, -INFINITY)};
    *w = iv(INFINITY, -INFINITY);
    for (int r = 0; r < n; ++r) {
        const double* h = net + 4 * r;
        for (int k = 0; k < 3; ++k) f[k] = iv_union(f[k], iv_point(dot4(axes[k], h) - centre[k] * h[3]));
        *w = iv_union(*w, iv_point(h[3]));
    }
    for (int k = 0; k < 3; ++k) F[k] = iv_widen(f[k], rounding(c) * grow * (mag[k] + fabs(centre[k])));
    *w = iv_widen(*w, rounding(c) * grow); /* the largest weight is 1 */
}

static wit_interval iv_divide(wit_interval a, wit_interval positive)
{
    return iv_mul(a, iv(1 / positive.hi, 1 / positive.lo));
}

static void enclose_part(const part* c, const wit_vec3 axes[3], int derivatives, wit_interval out[][3])
{
    double net[NET];
    seen_along seen = {.axes = axes};
    double *centre = seen.centre, *mag = seen.mag;
    wit_interval F[SURFACE_DERIVATIVES][3], w[SURFACE_DERIVATIVES], d[SURFACE_DERIVATIVES][3];
    double ratio = weight_ratio(c);
    if (ratio > 8 && is_corner(c)) ratio = 1;
    int p, q;
    derivative_net(c, 0, 0, net, &p, &q);
    centre_of(c, net, axes, centre);
    for (int k = 0; k < 3; ++k) {
        mag[k] = magnitude(c, axes[k]);
        out[D00][k] = hull_of(c, net, axes[k], rounding(c) * mag[k] * ratio);
        d[D00][k] = iv_sub(out[D00][k], iv_point(centre[k]));
    }
    enclose_homogeneous(c, &seen, net, (p + 1) * (q + 1), 1, F[D00], &w[D00]);
    wit_interval w0 = iv(larger(w[D00].lo, 0.5 * DBL_EPSILON), w[D00].hi);

    for (int e = D10; e < derivatives; ++e) {
        int a = ORDER_U[e], b = ORDER_V[e];
        if (derivative_net(c, a, b, net, &p, &q)) {
            double grow = 1;
            for (int i = 0; i < a; ++i) grow *= 2 * c->p * c->inverse_u;
            for (int i = 0; i < b; ++i) grow *= 2 * c->q * c->inverse_v;
            enclose_homogeneous(c, &seen, net, (p + 1) * (q + 1), grow, F[e], &w[e]);
        } else {
            F[e][0] = F[e][1] = F[e][2] = w[e] = iv_point(0);
        }
        for (int k = 0; k < 3; ++k) {
            wit_interval r = F[e][k];
            if (c->rational) {
                for (int i = 0; i <= a; ++i)
                    for (int j = 0; j <= b; ++j)
                        if (i + j > 0) {
                            wit_interval term = iv_mul(w[INDEX[i][j]], d[INDEX[a - i][b - j]][k]);
                            r = iv_sub(r, iv_scale(CHOOSE[a][i] * CHOOSE[b][j], term));
                        }
                r = iv_divide(r, w0);
                r = iv_widen(r, 16 * DBL_EPSILON * iv_mag(r));
            }
            out[e][k] = d[e][k] = r;
        }
    }
}

/* The nets of a spline curve (axis_v null) or surface. */
typedef struct spline_nets {
    const spline_axis *axis_u, *axis_v;
    const void* base;
    bool rational;
} spline_nets;

/* The net of cell (i, j) of a surface. */
static const double* cell_net(const spline_nets* n, size_t bernstein, int i, int j)
{
    size_t cell = (size_t)i * (size_t)n->axis_v->cells + (size_t)j;
    return (const double*)(const void*)((const char*)n->base + bernstein) +
           cell * (size_t)((n->axis_u->degree + 1) * (n->axis_v->degree + 1)) * 4;
}

/* The part of cell (i, j) that the box touches. */
static part cell_part(const spline_nets* n, const double* net, int i, int j, wit_interval u, wit_interval v)
{
    const spline_axis *axis_u = n->axis_u, *axis_v = n->axis_v;
    const void* base = n->base;
    part c = {0};
    c.p = axis_u->degree;
    c.q = axis_v ? axis_v->degree : 0;
    c.rational = n->rational;
    c.net = net;
    double lo = axis_breaks(axis_u, base)[i];
    c.inverse_u = axis_inverse(axis_u, base)[i];
    c.s = iv(smaller(larger((u.lo - lo) * c.inverse_u, 0), 1), smaller(larger((u.hi - lo) * c.inverse_u, 0), 1));
    c.t = iv(0, 1);
    if (axis_v) {
        lo = axis_breaks(axis_v, base)[j];
        c.inverse_v = axis_inverse(axis_v, base)[j];
        c.t = iv(smaller(larger((v.lo - lo) * c.inverse_v, 0), 1), smaller(larger((v.hi - lo) * c.inverse_v, 0), 1));
    }
    return c;
}

/* First and last cell of the interval. At a knot that is an end of it only the side within it counts; an interval that
 * is one knot has both sides. */
static void cells_of(const spline_axis* axis, const void* base, wit_interval x, int* first, int* last)
{
    const double* b = axis_breaks(axis, base);
    *first = axis_locate(axis, base, x.lo, 0);
    *last = axis_locate(axis, base, x.hi, *first);
    if (x.lo < x.hi) {
        if (*last > *first && x.hi == b[*last]) --*last;
    } else if (*first > 0 && x.lo == b[*first]) {
        --*first;
    }
}

static void merge(wit_interval out[][3], wit_interval more[][3], int derivatives, bool first)
{
    for (int e = 0; e < derivatives; ++e)
        for (int k = 0; k < 3; ++k) out[e][k] = first ? more[e][k] : iv_union(out[e][k], more[e][k]);
}

void wi_nurbs_surface_enclose_to(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                                 int derivatives, surface_enclosure* out)
{
    const surface_spline* n = &s->spline;
    const spline_nets nets = {&n->u, &n->v, s, n->rational};
    int i0, i1, j0, j1;
    cells_of(&n->u, s, u, &i0, &i1);
    cells_of(&n->v, s, v, &j0, &j1);
    for (int i = i0; i <= i1; ++i)
        for (int j = j0; j <= j1; ++j) {
            part c = cell_part(&nets, cell_net(&nets, n->bernstein, i, j), i, j, u, v);
            wit_interval d[SURFACE_DERIVATIVES][3];
            enclose_part(&c, axes, derivatives, d);
            merge(out->d, d, derivatives, i == i0 && j == j0);
        }
}

void wi_nurbs_surface_enclose(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                              surface_enclosure* out)
{
    wi_nurbs_surface_enclose_to(s, u, v, axes, SURFACE_DERIVATIVES, out);
}

void wi_nurbs_curve_enclose_to(const wit_curve* curve, wit_interval t, const wit_vec3 axes[3], int derivatives,
                               curve_enclosure* out)
{
    const curve_spline* n = &curve->spline;
    const spline_nets nets = {&n->t, NULL, curve, n->rational};
    static const int along[CURVE_DERIVATIVES] = {D00, D10, D20, D30};
    int i0, i1;
    cells_of(&n->t, curve, t, &i0, &i1);
    for (int i = i0; i <= i1; ++i) {
        curve_net room;
        part c = cell_part(&nets, wi_curve_net(curve, i, room), i, 0, t, t);
        wit_interval d[SURFACE_DERIVATIVES][3], pure[CURVE_DERIVATIVES][3];
        enclose_part(&c, axes, along[derivatives - 1] + 1, d);
        for (int e = 0; e < derivatives; ++e) memcpy(pure[e], d[along[e]], sizeof pure[e]);
        merge(out->d, pure, derivatives, i == i0);
    }
}

void wi_nurbs_curve_enclose(const wit_curve* curve, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out)
{
    wi_nurbs_curve_enclose_to(curve, t, axes, CURVE_DERIVATIVES, out);
}
