/* SPDX-License-Identifier: MIT */
#include "taylor_shape.h"

#include <string.h>

#include "polar.h"
#include "nurbs.h"

#define UNIT (0.505 * DBL_EPSILON)

enum { ROW = WIT_MAX_DEGREE + 1 };

/* ---- parameters ------------------------------------------------------------------------------ */

/* Where the polynomial passes the value, if it does so inside. */
static void cut_at(const taylor* t, double value, taylor_path* path)
{
    double lo = -1, hi = 1, a = wi_taylor_at(t, lo) - value, b = wi_taylor_at(t, hi) - value;
    if (!(a * b < 0)) return;
    for (int k = 0; k < 54; ++k) {
        double m = 0.5 * (lo + hi);
        if ((wi_taylor_at(t, m) - value < 0) == (a < 0))
            lo = m;
        else
            hi = m;
    }
    if (fabs(lo) < 1 - 1e-6) path->cut = lo;
}

/* Whole periods off, as the evaluator takes them; held at the ends of a range that is not closed. */
static taylor in_range(const taylor* t, wit_interval range, bool closed, taylor_path* path)
{
    taylor p = *t;
    double period = iv_width(range), middle = t->c[0];
    if (closed && !(middle >= range.lo && middle <= range.hi)) {
        p.c[0] -= period * floor((middle - range.lo) / period);
        p.r += 2 * DBL_EPSILON * (fabs(middle) + fabs(p.c[0]) + iv_mag(range));
    }
    if (closed) return p;
    wit_interval all = wi_taylor_range(t);
    if (all.lo >= range.hi) return wi_taylor_constant(range.hi);
    if (all.hi <= range.lo) return wi_taylor_constant(range.lo);
    double below = range.lo - all.lo, above = all.hi - range.hi, out = larger(below, above);
    if (!(out > 0)) return p;
    if (out > 8 * DBL_EPSILON * (fabs(range.lo) + fabs(range.hi))) cut_at(t, above > below ? range.hi : range.lo, path);
    p.r += out;
    return p;
}

/*
 * A part of one cell of an axis, s in [lo, hi] of [0, 1], and x with s = (lo + hi) / 2 + x (hi - lo) / 2. `growth` bounds by
 * what factor a polynomial of the axis' degree that is at most 1 for |x| <= 1 grows to where x reaches.
 */
typedef struct cell_part {
    int cell;
    double lo, hi, growth;
    taylor x;
    double outside; /* how far the parameter leaves the cell, so little that it is held at the border */
    int next;       /* the cell that it enters there */
} cell_part;

/* An axis of a spline: of which shape, is it closed, and how far a parameter may leave a cell to be held at its border. */
typedef struct axis_view {
    const spline_axis* axis;
    const void* base;
    bool closed;
    double hold;
} axis_view;

/* The cell that the path chooses: the one of the middle, or its neighbour over the border that the parameter passes.
 * t goes into the range of that cell's period. */
static bool choose_cell(const axis_view* view, taylor* t, cell_part* p, taylor_path* path)
{
    const spline_axis* axis = view->axis;
    const void* base = view->base;
    const double* b = axis_breaks(axis, base);
    double lo = b[p->cell], hi = b[p->cell + 1], period = b[axis->cells] - b[0];
    wit_interval all = wi_taylor_range(t);
    double below = lo - all.lo, above = all.hi - hi, out = larger(below, above);
    unsigned bit = 1U << (path->axes++ % 31);
    if (!(out > 0)) return true;
    int next = p->cell + (above > below ? 1 : -1);
    double turn = next < 0 ? period : next == axis->cells ? -period : 0;
    if (turn != 0 && !view->closed) return true; /* the range ends there, and the parameter is held */
    next = turn > 0 ? axis->cells - 1 : turn < 0 ? 0 : next;
    if (out <= larger(64 * DBL_EPSILON * (fabs(lo) + fabs(hi)), view->hold)) {
        p->outside = out;
        p->next = next;
        t->r += out;
        return true;
    }
    cut_at(t, above > below ? hi : lo, path);
    if (!(smaller(below, above) <= 0 && out <= 0.25 * (hi - lo))) return false;
    path->met |= bit;
    if (!(path->choose & bit)) return true;
    p->cell = next;
    t->c[0] += turn;
    t->r += turn != 0 ? UNIT * (fabs(t->c[0]) + period) : 0;
    return true;
}

static bool part_of(const axis_view* view, const taylor* given, cell_part* p, taylor_path* path)
{
    const spline_axis* axis = view->axis;
    const void* base = view->base;
    const double* b = axis_breaks(axis, base);
    taylor s = *given;
    memset(p, 0, sizeof *p);
    p->cell = axis_locate(axis, base, smaller(larger(given->c[0], b[0]), b[axis->cells]), 0);
    if (!choose_cell(view, &s, p, path)) return false;
    s.c[0] -= b[p->cell];
    s.r += UNIT * fabs(s.c[0]);
    wi_taylor_scale(axis_inverse(axis, base)[p->cell], &s, &s);
    s.r += 2 * DBL_EPSILON;
    /* The part is cut from within the cell, and where the parameter leaves that, at least as long as it does so. */
    wit_interval all = wi_taylor_range(&s);
    double lo = all.lo - 16 * DBL_EPSILON, hi = all.hi + 16 * DBL_EPSILON;
    p->lo = smaller(larger(lo, 0), smaller(1 - 16 * DBL_EPSILON, 1 - 2 * (hi - 1)));
    p->hi = larger(smaller(hi, 1), larger(16 * DBL_EPSILON, -2 * lo));
    p->lo = larger(p->lo, 0);
    p->hi = smaller(p->hi, 1);
    double half = 0.5 * (p->hi - p->lo), centre = 0.5 * (p->lo + p->hi);
    s.c[0] -= centre;
    s.r += UNIT * fabs(s.c[0]) + DBL_EPSILON;
    wi_taylor_scale(1 / half, &s, &p->x);
    p->x.r += UNIT * wi_taylor_reach(&p->x);
    all = wi_taylor_range(&p->x);
    /* Chebyshev: T_n(x) = cosh(n arcosh x) <= (x + sqrt(x^2 - 1))^n */
    double far = larger(1, iv_mag(all)), base_growth = far + sqrt(far * far - 1);
    p->growth = 1;
    for (int k = 0; k < axis->degree; ++k) p->growth *= base_growth;
    return far < 8;
}

/* ---- Bezier nets ----------------------------------------------------------------------------- */

/* Points of a net that stand `stride` doubles apart, 4 numbers each, cut to the part. Weights are positive: each sum is
 * off by 3 roundings of what it adds up, one of the factor, one of the product, one of itself. */
static void cut_net(double* c, int n, int stride, double lo, double hi)
{
    for (int level = 1; level <= n && hi < 1; ++level)
        for (int i = n; i >= level; --i)
            for (int x = 0; x < 4; ++x) {
                double* at = c + i * stride + x;
                *at = (1 - hi) * at[-stride] + hi * *at;
            }
    double f = lo / hi, g = (hi - lo) / hi;
    for (int level = 1; level <= n && lo > 0; ++level)
        for (int i = 0; i <= n - level; ++i)
            for (int x = 0; x < 4; ++x) {
                double* at = c + i * stride + x;
                *at = g * *at + f * at[stride];
            }
}

/*
 * Bernstein coefficients on [-1, 1] to powers of x, by de Casteljau's rule with polynomials: f <- ((1 - x) f_i + (1 + x)
 * f_(i+1)) / 2. Errors of the f_i pass on as convex combinations; each step adds at most 4 roundings of the largest f. Returns
 * the bound of the error for |x| <= 1.
 */
static double to_powers(double* c, int n, int stride)
{
    double f[ROW][ROW], error = 0, most = 0;
    for (int i = 0; i <= n; ++i) {
        f[i][0] = c[i * stride];
        most = larger(most, fabs(f[i][0]));
    }
    for (int level = 1; level <= n; ++level) {
        error += 4 * UNIT * most;
        most = 0;
        for (int i = 0; i <= n - level; ++i) {
            double size = 0, *a = f[i], *b = f[i + 1];
            a[level] = 0;
            for (int k = level; k >= 0; --k) {
                double here = k < level ? a[k] + b[k] : 0, before = k > 0 ? b[k - 1] - a[k - 1] : 0;
                a[k] = 0.5 * (here + before);
                size += fabs(a[k]);
            }
            most = larger(most, size);
        }
    }
    for (int k = 0; k <= n; ++k) c[k * stride] = f[0][k];
    return error;
}

/* A net whose points are taken from a centre, c - w centre, and what that and all before has rounded, as a share of the
 * heaviest weight. */
typedef struct local_net {
    double h[ROW * ROW * 4];
    double centre[3], rounding[3];
} local_net;

/* Takes the points from a point among them: what is rounded after this is small where the net is. */
static void recentre(local_net* n, int count)
{
    const double* middle = n->h + 4 * (count / 2);
    for (int x = 0; x < 3; ++x) {
        double by = middle[x] / middle[3], most = 0;
        for (int i = 0; i < count; ++i) {
            double* h = n->h + 4 * i;
            most = larger(most, fabs(h[x]) / h[3]);
            h[x] -= by * h[3];
        }
        n->rounding[x] += 2 * UNIT * (most + fabs(by)) + UNIT * fabs(n->centre[x]);
        n->centre[x] += by;
    }
}

static int cut_roundings(const cell_part* p, int degree)
{
    return 3 * degree * ((p->hi < 1) + (p->lo > 0));
}

/* Cutting takes at most `steps` roundings of any point. */
static void count_cuts(local_net* n, int count, int steps)
{
    for (int x = 0; x < 3; ++x) {
        double most = 0;
        for (int i = 0; i < count; ++i) most = larger(most, fabs(n->h[4 * i + x]) / n->h[4 * i + 3]);
        n->rounding[x] += steps * UNIT * most;
    }
}

static double heaviest(const local_net* n, int count)
{
    double most = 0;
    for (int i = 0; i < count; ++i) most = larger(most, n->h[4 * i + 3]);
    return most;
}

/* Points from the homogeneous polynomials; a polynomial net has weights 1. */
static void projected(const local_net* n, const taylor h[4], bool rational, taylor out[3])
{
    taylor inverse;
    if (rational) wi_taylor_inverse(&h[3], &inverse);
    for (int i = 0; i < 3; ++i) {
        taylor centre = wi_taylor_constant(n->centre[i]), p = h[i];
        if (rational) wi_taylor_mul(&h[i], &inverse, &p);
        wi_taylor_add(&centre, 1, &p, &out[i]);
    }
}

static void nothing_known(taylor out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = wi_taylor_constant(0);
        out[i].r = INFINITY;
    }
}

/* Bound of |derivative| of one coordinate of a cell (Floater): n times the largest ratio of weights times what the points span. */
static double steepest(const double* net, int degree, double inverse, int x)
{
    wit_interval w = iv_point(net[3]), points = iv_point(net[x] / net[3]);
    for (int i = 1; i <= degree; ++i) {
        const double* h = net + 4 * i;
        w = iv_union(w, iv_point(h[3]));
        points = iv_union(points, iv_point(h[x] / h[3]));
    }
    return degree * inverse * (w.hi / w.lo) * (iv_width(points) + DBL_EPSILON * iv_mag(points)) * (1 + 1e-12);
}

static void spline_curve(const wit_curve* c, const taylor* t, taylor out[3], taylor_path* path)
{
    const curve_spline* n = &c->spline;
    int degree = n->t.degree, all = degree + 1;
    const axis_view view = {&n->t, c, c->closed, 0};
    cell_part p;
    if (!part_of(&view, t, &p, path)) {
        nothing_known(out);
        return;
    }
    int steps = cut_roundings(&p, degree) + 2;
    curve_net room;
    local_net net;
    memset(net.centre, 0, sizeof net.centre);
    memset(net.rounding, 0, sizeof net.rounding);
    memcpy(net.h, wi_curve_net(c, p.cell, room), (size_t)all * 4 * sizeof(double));
    recentre(&net, all);
    count_cuts(&net, all, steps);
    cut_net(net.h, degree, 4, p.lo, p.hi);
    recentre(&net, all);
    double heavy = heaviest(&net, all);
    taylor h[4];
    for (int x = 0; x < (n->rational ? 4 : 3); ++x) {
        double error = to_powers(net.h + x, degree, 4);
        wi_taylor_polynomial(net.h + x, degree, 4, &p.x, &h[x]);
        h[x].r += p.growth * (error + heavy * (x < 3 ? net.rounding[x] : steps * UNIT));
    }
    projected(&net, h, n->rational, out);
    const double* next = wi_curve_net(c, p.next, room);
    for (int x = 0; x < 3 && p.outside > 0; ++x)
        out[x].r += p.outside * steepest(next, degree, axis_inverse(&n->t, c)[p.next], x);
}

/* sum of x^i y^j c[i][j]. */
static void tensor(const double* c, const int degree[2], const taylor* x, const taylor* y, taylor* out)
{
    int row = (degree[1] + 1) * 4;
    taylor s, p, inner;
    wi_taylor_polynomial(c + degree[0] * row, degree[1], 4, y, &s);
    for (int i = degree[0] - 1; i >= 0; --i) {
        wi_taylor_mul(&s, x, &p);
        wi_taylor_polynomial(c + i * row, degree[1], 4, y, &inner);
        wi_taylor_add(&p, 1, &inner, &s);
    }
    *out = s;
}

static void spline_surface(const wit_surface* s, const taylor* u, const taylor* v, taylor out[3], taylor_path* path)
{
    const surface_spline* n = &s->spline;
    const int degree[2] = {n->u.degree, n->v.degree};
    int row = (degree[1] + 1) * 4, all = (degree[0] + 1) * (degree[1] + 1);
    const axis_view across = {&n->u, s, s->closed_u, path->slack / larger(s->speed_u, DBL_MIN)};
    const axis_view up = {&n->v, s, s->closed_v, path->slack / larger(s->speed_v, DBL_MIN)};
    cell_part p, q;
    bool found = part_of(&across, u, &p, path);
    if (!part_of(&up, v, &q, path) || !found) {
        nothing_known(out);
        return;
    }
    int steps = cut_roundings(&p, degree[0]) + cut_roundings(&q, degree[1]) + 2;
    size_t cell = (size_t)p.cell * (size_t)n->v.cells + (size_t)q.cell;
    const double* from = (const double*)(const void*)((const char*)s + n->bernstein) + cell * (size_t)all * 4;
    local_net net;
    memset(net.centre, 0, sizeof net.centre);
    memset(net.rounding, 0, sizeof net.rounding);
    memcpy(net.h, from, (size_t)all * 4 * sizeof *from);
    recentre(&net, all);
    count_cuts(&net, all, steps);
    for (int j = 0; j <= degree[1]; ++j) cut_net(net.h + 4 * j, degree[0], row, p.lo, p.hi);
    for (int i = 0; i <= degree[0]; ++i) cut_net(net.h + i * row, degree[1], 4, q.lo, q.hi);
    recentre(&net, all);
    double heavy = heaviest(&net, all);
    taylor h[4];
    for (int x = 0; x < (n->rational ? 4 : 3); ++x) {
        double along_u = 0, along_v = 0, *c = net.h + x;
        for (int j = 0; j <= degree[1]; ++j) along_u = larger(along_u, to_powers(c + 4 * j, degree[0], row));
        for (int i = 0; i <= degree[0]; ++i) along_v += to_powers(c + i * row, degree[1], 4);
        tensor(c, degree, &p.x, &q.x, &h[x]);
        h[x].r += p.growth * q.growth * (along_u + along_v + heavy * (x < 3 ? net.rounding[x] : steps * UNIT));
    }
    projected(&net, h, n->rational, out);
    for (int i = 0; i < 3; ++i) out[i].r += p.outside * s->speed_u + q.outside * s->speed_v;
}

/* ---- closed forms ---------------------------------------------------------------------------- */

static double part_of_vector(wit_vec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

/* o + sum of f[k] e[k]. */
static void combine(wit_vec3 o, const taylor* f, const wit_vec3* e, int count, taylor out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = wi_taylor_constant(part_of_vector(o, i));
        for (int k = 0; k < count; ++k) wi_taylor_add(&out[i], part_of_vector(e[k], i), &f[k], &out[i]);
    }
}

static void conic(const wit_curve* c, const taylor* t, taylor out[3])
{
    const shape_frame* f = &c->frame;
    const wit_vec3 e[2] = {f->x, f->y};
    taylor xy[2];
    if (c->kind == WIT_CURVE_LINE) {
        combine(f->o, t, e, 1, out);
        return;
    }
    if (c->kind == WIT_CURVE_PARABOLA) {
        wi_taylor_mul(t, t, &xy[0]);
        xy[1] = *t;
    } else if (c->kind == WIT_CURVE_HYPERBOLA) {
        wi_taylor_sinhcosh(t, &xy[1], &xy[0]);
    } else {
        wi_taylor_sincos(t, &xy[1], &xy[0]);
    }
    wi_taylor_scale(c->a, &xy[0], &xy[0]);
    if (c->kind != WIT_CURVE_PARABOLA) wi_taylor_scale(c->b, &xy[1], &xy[1]);
    combine(f->o, xy, e, 2, out);
}

static void form_of(const form* f, const taylor g[2], taylor* out)
{
    taylor c = wi_taylor_constant(f->c[0]);
    wi_taylor_add(&c, f->c[1], &g[0], &c);
    wi_taylor_add(&c, f->c[2], &g[1], out);
}

static void polar_surface(const wit_surface* s, const taylor* u, const taylor* v, taylor out[3])
{
    polar p = wi_polar_of(s);
    const wit_vec3 e[3] = {s->frame.x, s->frame.y, s->frame.z};
    taylor sine, cosine, g[2], r, f[3];
    wi_taylor_sincos(u, &sine, &cosine);
    if (p.trig) {
        wi_taylor_sincos(v, &g[1], &g[0]);
    } else {
        g[0] = *v;
        wi_taylor_mul(v, v, &g[1]);
    }
    form_of(&p.r, g, &r);
    form_of(&p.z, g, &f[2]);
    wi_taylor_mul(&cosine, &r, &f[0]);
    wi_taylor_scale(p.A, &f[0], &f[0]);
    wi_taylor_mul(&sine, &r, &f[1]);
    wi_taylor_scale(p.B, &f[1], &f[1]);
    combine(s->frame.o, f, e, 3, out);
}

/* With q = C(v) - o, h = q.z, m = q - h z: S = o + h z + cos u m + sin u z x m. */
static void revolution(const wit_surface* s, const taylor* u, const taylor* v, taylor out[3], taylor_path* path)
{
    wit_vec3 o = s->frame.o, z = s->frame.z;
    taylor q[3], m[3], w[3], sine, cosine, h = wi_taylor_constant(0), p;
    wi_curve_taylor(surface_profile(s), v, q, path);
    wi_taylor_sincos(u, &sine, &cosine);
    for (int i = 0; i < 3; ++i) {
        taylor c = wi_taylor_constant(part_of_vector(o, i));
        wi_taylor_add(&q[i], -1, &c, &q[i]);
        wi_taylor_add(&h, part_of_vector(z, i), &q[i], &h);
    }
    for (int i = 0; i < 3; ++i) wi_taylor_add(&q[i], -part_of_vector(z, i), &h, &m[i]);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        wi_taylor_scale(part_of_vector(z, j), &m[k], &w[i]);
        wi_taylor_add(&w[i], -part_of_vector(z, k), &m[j], &w[i]);
    }
    for (int i = 0; i < 3; ++i) {
        out[i] = wi_taylor_constant(part_of_vector(o, i));
        wi_taylor_add(&out[i], part_of_vector(z, i), &h, &out[i]);
        wi_taylor_mul(&cosine, &m[i], &p);
        wi_taylor_add(&out[i], 1, &p, &out[i]);
        wi_taylor_mul(&sine, &w[i], &p);
        wi_taylor_add(&out[i], 1, &p, &out[i]);
    }
}

/* ---- all kinds ------------------------------------------------------------------------------- */

void wi_curve_taylor(const wit_curve* c, const taylor* given, taylor out[3], taylor_path* path)
{
    taylor t = in_range(given, c->range, c->closed, path);
    if (c->kind == WIT_CURVE_NURBS) {
        spline_curve(c, &t, out, path);
    } else if (c->kind == WIT_CURVE_ISO) {
        taylor value = wi_taylor_constant(c->value);
        bool u_fixed = c->fixed == WIT_U;
        wi_surface_taylor(curve_surface(c), u_fixed ? &value : &t, u_fixed ? &t : &value, out, path);
    } else if (c->kind == WIT_CURVE_ON_SURFACE) {
        taylor uv[3];
        wi_curve_taylor(curve_parameter_curve(c), &t, uv, path);
        wi_surface_taylor(curve_surface(c), &uv[0], &uv[1], out, path);
    } else {
        conic(c, &t, out);
    }
}

void wi_surface_taylor(const wit_surface* s, const taylor* given_u, const taylor* given_v, taylor out[3],
                       taylor_path* path)
{
    taylor u = in_range(given_u, s->u, s->closed_u, path), v = in_range(given_v, s->v, s->closed_v, path);
    const wit_vec3 e[2] = {s->frame.x, s->frame.y};
    taylor uv[2] = {u, v};
    switch (s->kind) {
    case WIT_SURFACE_PLANE:
        combine(s->frame.o, uv, e, 2, out);
        break;
    case WIT_SURFACE_NURBS:
        spline_surface(s, &u, &v, out, path);
        break;
    case WIT_SURFACE_REVOLUTION:
        revolution(s, &u, &v, out, path);
        break;
    case WIT_SURFACE_EXTRUSION:
        wi_curve_taylor(surface_profile(s), &u, out, path);
        for (int i = 0; i < 3; ++i) wi_taylor_add(&out[i], part_of_vector(s->frame.z, i), &v, &out[i]);
        break;
    default:
        polar_surface(s, &u, &v, out);
        break;
    }
}
