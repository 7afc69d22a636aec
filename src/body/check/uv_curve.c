/* SPDX-License-Identifier: MIT */
#include "uv_curve.h"

static const wit_vec3 COORDINATES[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

void wi_uv_curve_point(const uv_curve* s, double t, double p[2])
{
    wit_curve_jet j;
    wit_curve_eval(s->curve, s->offset + s->scale * t, WIT_KNOT_DEFAULT, NULL, &j);
    p[0] = j.p.x + s->shift[0];
    p[1] = j.p.y + s->shift[1];
}

void wi_uv_curve_tangent(const uv_curve* s, double t, double d[2])
{
    wit_curve_jet j;
    wit_curve_eval(s->curve, s->offset + s->scale * t, WIT_KNOT_DEFAULT, NULL, &j);
    d[0] = s->scale * j.d1.x;
    d[1] = s->scale * j.d1.y;
}

void wi_uv_curve_enclose(const uv_curve* s, double lo, double hi, wit_interval p[2], wit_interval d[2])
{
    curve_enclosure e;
    wi_curve_enclose(s->curve, iv(s->offset + s->scale * lo, s->offset + s->scale * hi), COORDINATES, &e);
    for (int k = 0; k < 2; ++k) {
        p[k] = iv_add(e.d[0][k], iv_point(s->shift[k]));
        d[k] = iv_scale(s->scale, e.d[1][k]);
    }
}

static double distance(const double a[2], const double b[2], const double w[2])
{
    double x = (a[0] - b[0]) / w[0], y = (a[1] - b[1]) / w[1];
    return sqrt(x * x + y * y);
}

/* ---- projection ------------------------------------------------------------------------------ */

typedef struct projection {
    const uv_curve* s;
    const double *p, *w;
    double best, t; /* distance found so far */
    int budget;
} projection;

/* One Newton descent on the squared distance, first order in the curvature; held inside [lo, hi]. */
static void polish(projection* q, double lo, double hi)
{
    double t = 0.5 * (lo + hi);
    for (int i = 0; i < 12; ++i) {
        double c[2], d[2], num = 0, den = 0;
        wi_uv_curve_point(q->s, t, c);
        wi_uv_curve_tangent(q->s, t, d);
        for (int k = 0; k < 2; ++k) {
            num += (q->p[k] - c[k]) / q->w[k] * d[k] / q->w[k];
            den += d[k] / q->w[k] * d[k] / q->w[k];
        }
        double step = den > 0 ? num / den : 0, next = smaller(larger(t + step, lo), hi);
        if (fabs(next - t) <= 4 * DBL_EPSILON * larger(fabs(t), hi - lo)) break;
        t = next;
    }
    double c[2], e = 0;
    for (int i = 0; i < 3; ++i) { /* the ends count too: they are what touches most often */
        double x = i == 0 ? t : i == 1 ? lo : hi;
        wi_uv_curve_point(q->s, x, c);
        e = distance(c, q->p, q->w);
        if (e < q->best) {
            q->best = e;
            q->t = x;
        }
    }
}

static void project(projection* q, double lo, double hi, int depth)
{
    wit_interval p[2], d[2];
    wi_uv_curve_enclose(q->s, lo, hi, p, d);
    double gap = 0, size = 0;
    for (int k = 0; k < 2; ++k) {
        double outside = larger(larger(p[k].lo - q->p[k], q->p[k] - p[k].hi), 0) / q->w[k];
        gap = larger(gap, outside);
        size = larger(size, iv_width(p[k]) / q->w[k]);
    }
    if (gap >= q->best || --q->budget < 0) return;
    /* One direction all along: a single foot. */
    bool straight = iv_mig(d[0]) > 0 || iv_mig(d[1]) > 0;
    if (depth == 40 || size < 1e-13 || (straight && size < 1e-2)) {
        polish(q, lo, hi);
        if (size < 1e-6 || depth == 40 || q->best < 1e-12) return;
    }
    double m = 0.5 * (lo + hi);
    project(q, lo, m, depth + 1);
    project(q, m, hi, depth + 1);
}

bool wi_uv_curve_project(const uv_curve* s, const double p[2], const double width[2], double tolerance, double* t)
{
    projection q = {s, p, width, tolerance, s->from, 4000};
    project(&q, s->from, s->to, 0);
    *t = q.t;
    return q.best < tolerance;
}

/* ---- crossing -------------------------------------------------------------------------------- */

typedef struct crossing {
    const uv_curve* s[2];
    const double* w;
    double tolerance;
    uv_hits* out;
    int budget;
} crossing;

static bool known_hit(const crossing* c, double ta, double near)
{
    double p[2], q[2];
    wi_uv_curve_point(c->s[0], ta, p);
    for (int i = 0; i < c->out->count; ++i) {
        wi_uv_curve_point(c->s[0], c->out->at[i].t[0], q);
        if (distance(p, q, c->w) < near) return true;
    }
    return false;
}

static void add_hit(crossing* c, double ta, double tb, double near)
{
    if (known_hit(c, ta, near)) return;
    if (c->out->count == UV_HITS) {
        c->out->overflow = true;
        return;
    }
    uv_hit* h = &c->out->at[c->out->count++];
    h->t[0] = ta;
    h->t[1] = tb;
}

/* a(s) = b(t) from the middles. False when it leaves the ranges or does not settle. */
static bool newton(const crossing* c, const double lo[2], const double hi[2], double t[2])
{
    t[0] = 0.5 * (lo[0] + hi[0]);
    t[1] = 0.5 * (lo[1] + hi[1]);
    for (int i = 0; i < 30; ++i) {
        double p[2], q[2], a[2], b[2];
        wi_uv_curve_point(c->s[0], t[0], p);
        wi_uv_curve_point(c->s[1], t[1], q);
        wi_uv_curve_tangent(c->s[0], t[0], a);
        wi_uv_curve_tangent(c->s[1], t[1], b);
        double det = a[1] * b[0] - a[0] * b[1], fx = q[0] - p[0], fy = q[1] - p[1];
        if (det == 0) return false;
        double d0 = (fy * b[0] - fx * b[1]) / det, d1 = (a[0] * fy - a[1] * fx) / det;
        double n0 = smaller(larger(t[0] + d0, lo[0]), hi[0]), n1 = smaller(larger(t[1] + d1, lo[1]), hi[1]);
        double move = fabs(n0 - t[0]) / (hi[0] - lo[0]) + fabs(n1 - t[1]) / (hi[1] - lo[1]);
        t[0] = n0;
        t[1] = n1;
        if (move < 1e-14) break;
    }
    double p[2], q[2];
    wi_uv_curve_point(c->s[0], t[0], p);
    wi_uv_curve_point(c->s[1], t[1], q);
    /* Held at the end of a piece beside a near miss, it would stop short of the tolerance; a crossing is met exactly. */
    return distance(p, q, c->w) < 1e-3 * c->tolerance;
}

/* A touching near ta: the nearest point of the first to the second, by golden section over +- reach. */
static void add_touch(crossing* c, double ta, double reach)
{
    const double golden = 0.6180339887498949;
    double lo = larger(ta - reach, c->s[0]->from), hi = smaller(ta + reach, c->s[0]->to), t[2], d[2], x[2], p[2];
    for (int i = 0; i < 40; ++i) {
        for (int k = 0; k < 2; ++k) {
            double q[2];
            x[k] = k ? lo + golden * (hi - lo) : hi - golden * (hi - lo);
            wi_uv_curve_point(c->s[0], x[k], p);
            d[k] = INFINITY;
            if (!wi_uv_curve_project(c->s[1], p, c->w, 1e3 * c->tolerance, &t[k])) continue;
            wi_uv_curve_point(c->s[1], t[k], q);
            d[k] = distance(p, q, c->w);
        }
        if (d[0] <= d[1])
            hi = x[1];
        else
            lo = x[0];
    }
    int best = d[1] < d[0];
    if (d[best] < c->tolerance) add_hit(c, x[best], t[best], 1e-3);
}

static void cross(crossing* c, const double lo[2], const double hi[2], int depth)
{
    wit_interval p[2][2], d[2][2];
    double size[2] = {0, 0};
    if (--c->budget < 0) {
        c->out->overflow = true;
        return;
    }
    for (int i = 0; i < 2; ++i) {
        wi_uv_curve_enclose(c->s[i], lo[i], hi[i], p[i], d[i]);
        for (int k = 0; k < 2; ++k) size[i] = larger(size[i], iv_width(p[i][k]) / c->w[k]);
    }
    for (int k = 0; k < 2; ++k) {
        double slack = c->tolerance * c->w[k];
        if (p[0][k].lo > p[1][k].hi + slack || p[1][k].lo > p[0][k].hi + slack) return;
    }
    double t[2];
    wit_interval det = iv_sub(iv_mul(d[0][0], d[1][1]), iv_mul(d[0][1], d[1][0]));
    bool transversal = det.lo > 0 || det.hi < 0; /* then they meet at most once */
    if (transversal && newton(c, lo, hi, t)) {
        add_hit(c, t[0], t[1], 4 * c->tolerance);
        return;
    }
    if (larger(size[0], size[1]) < 1e-5 || depth == 80) {
        if (transversal) return; /* a crossing would have been met */
        double m[2], ta = 0.5 * (lo[0] + hi[0]);
        uv_curve part = *c->s[1];
        part.from = lo[1];
        part.to = hi[1];
        wi_uv_curve_point(c->s[0], ta, m);
        if (!known_hit(c, ta, 1e-3) && wi_uv_curve_project(&part, m, c->w, c->tolerance, &t[1]))
            add_touch(c, ta, 16 * (hi[0] - lo[0]));
        return;
    }
    int longer = size[1] > size[0];
    double m = 0.5 * (lo[longer] + hi[longer]), mlo[2] = {lo[0], lo[1]}, mhi[2] = {hi[0], hi[1]};
    mhi[longer] = m;
    cross(c, mlo, mhi, depth + 1);
    mhi[longer] = hi[longer];
    mlo[longer] = m;
    cross(c, mlo, mhi, depth + 1);
}

/* Do they run together between two hits? Seven points of the first between them lie on the second. */
static bool together(const crossing* c, const uv_hit* a, const uv_hit* b)
{
    if (a->t[0] == b->t[0]) return false;
    for (int i = 1; i < 8; ++i) {
        double p[2], t;
        wi_uv_curve_point(c->s[0], a->t[0] + (b->t[0] - a->t[0]) * i / 8, p);
        if (!wi_uv_curve_project(c->s[1], p, c->w, 4 * c->tolerance, &t)) return false;
    }
    return true;
}

void wi_uv_curve_cross(const uv_curve* a, const uv_curve* b, const double width[2], double tolerance, uv_hits* out)
{
    crossing c = {{a, b}, width, tolerance, out, 100000};
    out->count = 0;
    out->overlap = out->overflow = false;
    wit_interval pa[2], pb[2], d[2];
    wi_uv_curve_enclose(a, a->from, a->to, pa, d);
    wi_uv_curve_enclose(b, b->from, b->to, pb, d);
    for (int k = 0; k < 2; ++k) {
        double slack = tolerance * width[k];
        if (pa[k].lo > pb[k].hi + slack || pb[k].lo > pa[k].hi + slack) return;
    }
    for (int i = 0; i < 4; ++i) {
        const uv_curve *from = i < 2 ? a : b, *to = i < 2 ? b : a;
        double end = i % 2 ? from->to : from->from, p[2], t;
        wi_uv_curve_point(from, end, p);
        if (wi_uv_curve_project(to, p, width, tolerance, &t))
            add_hit(&c, i < 2 ? end : t, i < 2 ? t : end, 4 * tolerance);
    }
    for (int i = 0; i < out->count; ++i)
        for (int j = i + 1; j < out->count; ++j)
            if (together(&c, &out->at[i], &out->at[j])) out->overlap = true;
    if (out->overlap) return;
    double lo[2] = {a->from, b->from}, hi[2] = {a->to, b->to};
    cross(&c, lo, hi, 0);
}

/* ---- winding and area ------------------------------------------------------------------------ */

static double turn(const uv_curve* s, double lo, double hi, const double p[2], int depth)
{
    wit_interval q[2], d[2];
    wi_uv_curve_enclose(s, lo, hi, q, d);
    bool around = q[0].lo <= p[0] && q[0].hi >= p[0] && q[1].lo <= p[1] && q[1].hi >= p[1];
    if (around && depth < 50) {
        double m = 0.5 * (lo + hi);
        return turn(s, lo, m, p, depth + 1) + turn(s, m, hi, p, depth + 1);
    }
    double a[2], b[2];
    wi_uv_curve_point(s, lo, a);
    wi_uv_curve_point(s, hi, b);
    for (int k = 0; k < 2; ++k) {
        a[k] -= p[k];
        b[k] -= p[k];
    }
    return wit_atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
}

double wi_uv_curve_turn(const uv_curve* s, double lo, double hi, const double p[2])
{
    return turn(s, lo, hi, p, 0);
}

double wi_uv_curve_area(const uv_curve* s, double lo, double hi, const double origin[2])
{
    /* Gauss, 5 points: exact for splines of degree 3 within a cell; the breaks of the curve cut the range. */
    static const double at[5] = {0.046910077030668004, 0.23076534494715845, 0.5, 0.76923465505284155,
                                 0.953089922969332};
    static const double weight[5] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324,
                                     0.11846344252809454};
    int count;
    const double* breaks = wit_curve_breaks(s->curve, &count);
    int parts = count > 2 ? 1 : 16;
    double sum = 0, a = lo;
    for (int i = 1; i <= count && a < hi; ++i) {
        double b = i < count ? (breaks[i] - s->offset) / s->scale : hi;
        b = smaller(b, hi);
        if (!(b > a)) continue;
        for (int j = 0; j < parts; ++j)
            for (int k = 0; k < 5; ++k) {
                double p[2], d[2], t = a + (b - a) * (j + at[k]) / parts;
                wi_uv_curve_point(s, t, p);
                wi_uv_curve_tangent(s, t, d);
                sum += weight[k] * (b - a) / parts * (p[0] - origin[0]) * d[1];
            }
        a = b;
    }
    return sum;
}
