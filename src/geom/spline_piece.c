/* SPDX-License-Identifier: MIT */
/*
 * The net of the cell is cut to the part once and differenced then. What rounding does to a point of the net the differences
 * make larger, by 2 p / (width of the part) each: so parts of less than NARROWEST of their cell are left to nurbs_enclose.c,
 * which differences first. With A = w S, a centre c near the part and F = A - c w = w (S - c) Leibniz' rule gives
 *
 *   D_u S = (D_u F - D_u w (S - c)) / w,      D_uv S = (D_uv F - D_uv w (S - c) - D_u w D_v S - D_v w D_u S) / w,
 *
 * in intervals. The net's hull holds each derivative, since the Bernstein polynomials are not negative and add up to 1.
 */
#include "spline_piece.h"

#include <string.h>

#include "nurbs.h"

#define NARROWEST (1.0 / 1024)

static const double BINOMIAL[PIECE_DEGREE + 1][PIECE_DEGREE + 1] = {
    {1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}};
static const int ORDER[PIECE_DERIVATIVES][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};

/* The part of its cell that the interval is, and which cell. */
static bool one_cell(const spline_axis* axis, const void* base, wit_interval x, int* cell, wit_interval* part)
{
    const double* b = axis_breaks(axis, base);
    if (!(x.lo >= b[0] && x.hi <= b[axis->cells])) return false;
    *cell = axis_locate(axis, base, iv_mid(x), 0);
    if (!(x.lo >= b[*cell] && x.hi <= b[*cell + 1])) return false;
    double inverse = axis_inverse(axis, base)[*cell];
    *part = iv(smaller(larger((x.lo - b[*cell]) * inverse, 0), 1), smaller(larger((x.hi - b[*cell]) * inverse, 0), 1));
    return part->hi - part->lo >= NARROWEST;
}

/* n + 1 rows of `width` doubles, cut to the piece of [0, 1] along their number. */
static void cut_rows(double* c, int n, int width, wit_interval piece)
{
    if (piece.hi < 1)
        for (int level = 1; level <= n; ++level)
            for (int i = n; i >= level; --i)
                for (int x = 0; x < width; ++x) {
                    double below = c[(i - 1) * width + x];
                    c[i * width + x] = below + piece.hi * (c[i * width + x] - below);
                }
    if (piece.lo > 0) {
        double f = smaller(piece.lo / piece.hi, 1);
        for (int level = 1; level <= n; ++level)
            for (int i = 0; i <= n - level; ++i)
                for (int x = 0; x < width; ++x) {
                    double below = c[i * width + x];
                    c[i * width + x] = below + f * (c[(i + 1) * width + x] - below);
                }
    }
}

/* Differences of net `from`, of (n + 1) x (m + 1) points, along u (k = 0) or v, times `scale`. */
static void difference(spline_piece* s, int from, int n, int m, int k, double scale, int to)
{
    const double(*a)[4] = (const double(*)[4])s->net[from];
    double(*d)[4] = s->net[to];
    int rows = n + 1 - (k == 0), columns = m + 1 - (k == 1), step = k == 0 ? m + 1 : 1;
    s->count[to] = 0;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j, ++d, ++s->count[to]) {
            const double* at = a[i * (m + 1) + j];
            for (int x = 0; x < 4; ++x) (*d)[x] = scale * (at[4 * step + x] - at[x]);
        }
}

/* Sizes and weights of the whole cell: what rounding is measured by. */
static void measure(const double* net, int n, spline_piece* out)
{
    double least = net[3], most = net[3], square = 0;
    for (int i = 0; i < n; ++i) {
        const double *h = net + 4 * i, w = h[3];
        least = smaller(least, w);
        most = larger(most, w);
        double here = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
        square = larger(square, w == 1 ? here : here / (w * w));
    }
    out->size = sqrt(square) * (1 + 8 * DBL_EPSILON);
    out->ratio = most / least;
}

bool wi_spline_piece_make(const wit_surface* s, wit_interval u, wit_interval v, spline_piece* out)
{
    const surface_spline* n = &s->spline;
    int p = n->u.degree, q = n->v.degree, i, j;
    wit_interval part[2];
    if (s->kind != WIT_SURFACE_NURBS || p > PIECE_DEGREE || q > PIECE_DEGREE) return false;
    if (!one_cell(&n->u, s, u, &i, &part[0]) || !one_cell(&n->v, s, v, &j, &part[1])) return false;
    size_t cell = (size_t)i * (size_t)n->v.cells + (size_t)j, points = (size_t)(p + 1) * (size_t)(q + 1);
    const double* net = (const double*)(const void*)((const char*)s + n->bernstein) + 4 * cell * points;
    out->rational = n->rational;
    out->p = p, out->q = q;
    out->count[D00] = (int)points;
    measure(net, (int)points, out);
    /* extraction, cuts at rounded places, differences over rounded widths, the dot product */
    out->rounding = 8 * (p + q + 4) * DBL_EPSILON;
    double* at = &out->net[D00][0][0];
    memcpy(at, net, 4 * points * sizeof *at);
    cut_rows(at, p, 4 * (q + 1), part[0]);
    for (int r = 0; r <= p; ++r) cut_rows(at + 4 * r * (q + 1), q, 4, part[1]);
    double fu = axis_inverse(&n->u, s)[i] / iv_width(part[0]), fv = axis_inverse(&n->v, s)[j] / iv_width(part[1]);
    difference(out, D00, p, q, 0, p * fu, D10);
    difference(out, D00, p, q, 1, q * fv, D01);
    difference(out, D10, p - 1, q, 1, q * fv, D11);
    out->count[D20] = out->count[D02] = 0;
    if (p > 1) difference(out, D10, p - 1, q, 0, (p - 1) * fu, D20);
    if (q > 1) difference(out, D01, p, q - 1, 1, (q - 1) * fv, D02);
    for (int e = D00; e < PIECE_DERIVATIVES; ++e) {
        out->growth[e] = 1;
        for (int k = 0; k < ORDER[e][0]; ++k) out->growth[e] *= 2 * p * fu;
        for (int k = 0; k < ORDER[e][1]; ++k) out->growth[e] *= 2 * q * fv;
    }
    for (size_t r = 0; r < points; ++r) {
        const double* h = out->net[D00][r];
        double inverse = out->rational ? 1 / h[3] : 1;
        for (int k = 0; k < 3; ++k) out->point[r][k] = h[k] * inverse;
    }
    out->shift = DBL_EPSILON * (iv_mag(u) * out->growth[D10] + iv_mag(v) * out->growth[D01]);
    return true;
}

/* ---- quotients ----------------------------------------------------------------------------- */

/* D_e F along three axes, and D_e w. */
typedef struct parts {
    wit_interval f[PIECE_DERIVATIVES][3], w[PIECE_DERIVATIVES];
} parts;

static wit_interval minus(wit_interval a, double factor, wit_interval w, wit_interval d)
{
    return iv_sub(a, iv_scale(factor, iv_mul(w, d)));
}

/* Derivatives of S from those of F and w; d[D00] is S - c. */
static void divide(const parts* a, int derivatives, wit_interval (*d)[3])
{
    wit_interval inverse = iv(1 / a->w[D00].hi, 1 / larger(a->w[D00].lo, 0.5 * DBL_EPSILON));
    for (int e = D10; e < derivatives; ++e)
        for (int k = 0; k < 3; ++k) {
            wit_interval r = minus(a->f[e][k], 1, a->w[e], d[D00][k]);
            if (e == D20) r = minus(r, 2, a->w[D10], d[D10][k]);
            if (e == D02) r = minus(r, 2, a->w[D01], d[D01][k]);
            if (e == D11) r = minus(minus(r, 1, a->w[D10], d[D01][k]), 1, a->w[D01], d[D10][k]);
            r = iv_mul(r, inverse);
            d[e][k] = iv_widen(r, 16 * DBL_EPSILON * iv_mag(r));
        }
}

/* ---- what is read off ---------------------------------------------------------------------- */

/* The middle of net e: p x q degrees of it. */
static void middle_of(const spline_piece* s, int e, int p, int q, double out[4])
{
    double scale = 1.0 / (double)(1 << (p + q));
    for (int x = 0; x < 4; ++x) out[x] = 0;
    for (int i = 0, r = 0; i <= p; ++i)
        for (int j = 0; j <= q; ++j, ++r) {
            double f = scale * BINOMIAL[p][i] * BINOMIAL[q][j];
            for (int x = 0; x < 4; ++x) out[x] += f * s->net[e][r][x];
        }
}

void wi_spline_piece_middle(const spline_piece* s, wit_interval (*out)[3])
{
    double h[3][4];
    parts a;
    for (int e = D00; e <= D01; ++e) middle_of(s, e, s->p - (e == D10), s->q - (e == D01), h[e]);
    double w = s->rational ? h[D00][3] : 1;
    for (int e = D00; e <= D01; ++e) {
        double off = (s->rounding + s->shift) * s->growth[e], error = 2 * off * s->size;
        a.w[e] = iv_widen(iv_point(s->rational ? h[e][3] : e == D00), s->rational ? off : 0);
        for (int k = 0; k < 3; ++k) {
            double f = h[e][k] - (s->rational && e > D00 ? h[D00][k] / w * h[e][3] : 0); /* centre: the point itself */
            a.f[e][k] = iv_widen(iv_point(f), error);
        }
    }
    double off = (s->rounding + s->shift) * s->size * s->ratio;
    wit_interval d[3][3];
    for (int k = 0; k < 3; ++k) {
        out[D00][k] = iv_widen(iv_point(h[D00][k] / w), off);
        d[D00][k] = iv(-off, off);
    }
    if (s->rational) divide(&a, D20, d);
    for (int e = D10; e <= D01; ++e)
        for (int k = 0; k < 3; ++k) out[e][k] = s->rational ? d[e][k] : a.f[e][k];
}

void wi_spline_piece_box(const spline_piece* s, wit_interval out[3])
{
    for (int k = 0; k < 3; ++k) {
        double lo = s->point[0][k], hi = lo;
        for (int r = 1; r < s->count[D00]; ++r) {
            lo = smaller(lo, s->point[r][k]);
            hi = larger(hi, s->point[r][k]);
        }
        out[k] = iv_widen(iv(lo, hi), s->rounding * s->size * s->ratio);
    }
}

/* All points of the net along the axes, and their weights: less the centre of a rational part. */
static void hulls(const spline_piece* s, const wit_vec3 axes[3], const double centre[3], int e, wit_interval f[3],
                  wit_interval* w)
{
    double lo[4] = {INFINITY, INFINITY, INFINITY, INFINITY}, hi[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (int r = 0; r < s->count[e]; ++r) {
        const double* h = s->net[e][r];
        wit_vec3 at = vec3(h[0] - centre[0] * h[3], h[1] - centre[1] * h[3], h[2] - centre[2] * h[3]);
        const double x[4] = {dot3(axes[0], at), dot3(axes[1], at), dot3(axes[2], at), h[3]};
        for (int k = 0; k < 4; ++k) {
            lo[k] = smaller(lo[k], x[k]);
            hi[k] = larger(hi[k], x[k]);
        }
    }
    double off = s->rounding * s->growth[e];
    for (int k = 0; k < 3; ++k) f[k] = s->count[e] ? iv_widen(iv(lo[k], hi[k]), 2 * off * s->size) : iv_point(0);
    *w = s->count[e] ? iv_widen(iv(lo[3], hi[3]), off) : iv_point(0);
}

/* The points themselves: positive weights make S a convex combination of them. */
static void points_along(const spline_piece* s, const wit_vec3 axes[3], wit_interval out[3])
{
    for (int k = 0; k < 3; ++k) {
        double lo = INFINITY, hi = -INFINITY;
        for (int r = 0; r < s->count[D00]; ++r) {
            const double* x = s->point[r];
            double along = axes[k].x * x[0] + axes[k].y * x[1] + axes[k].z * x[2];
            lo = smaller(lo, along);
            hi = larger(hi, along);
        }
        out[k] = iv_widen(iv(lo, hi), s->rounding * s->size * s->ratio);
    }
}

void wi_spline_piece_enclose(const spline_piece* s, const wit_vec3 axes[3], wit_interval (*out)[3])
{
    parts a;
    double centre[3] = {0, 0, 0}, h[4];
    points_along(s, axes, out[D00]);
    if (!s->rational) {
        for (int e = D10; e < PIECE_DERIVATIVES; ++e) hulls(s, axes, centre, e, out[e], &a.w[e]);
        return;
    }
    wit_interval d[PIECE_DERIVATIVES][3];
    middle_of(s, D00, s->p, s->q, h);
    for (int k = 0; k < 3; ++k) centre[k] = h[k] / h[3];
    for (int k = 0; k < 3; ++k) {
        double at = axes[k].x * centre[0] + axes[k].y * centre[1] + axes[k].z * centre[2];
        d[D00][k] = iv_widen(iv_sub(out[D00][k], iv_point(at)), 8 * DBL_EPSILON * s->size);
    }
    for (int e = D00; e < PIECE_DERIVATIVES; ++e) hulls(s, axes, centre, e, a.f[e], &a.w[e]);
    divide(&a, PIECE_DERIVATIVES, d);
    for (int e = D10; e < PIECE_DERIVATIVES; ++e)
        for (int k = 0; k < 3; ++k) out[e][k] = d[e][k];
}
