/* SPDX-License-Identifier: MIT */
#include "lift_exact.h"

#include "../../geom/taylor_shape.h"

wit_vec3 wi_lift_error(const wit_surface* s, const double uv[2], wit_vec3 p, double* along)
{
    wit_surface_jet j;
    unsigned place = wit_surface_eval(s, uv[0], uv[1], WIT_KNOT_DEFAULT, NULL, &j);
    wit_vec3 e = sub3(p, j.p), n = unit3(cross3(j.du, j.dv));
    *along = place & WIT_EVAL_DEGENERATE ? norm3(e) : norm3(addscaled3(e, -dot3(e, n), n));
    return e;
}

typedef struct lift {
    const lift_pair* pair;
    wit_hint hint[2];
    lift_gap worst;
} lift;

static double lift_at(lift* l, double t)
{
    const lift_pair* k = l->pair;
    wit_curve_jet c, x;
    wit_curve_eval(k->curve, t, WIT_KNOT_DEFAULT, &l->hint[0], &c);
    wit_curve_eval(k->parameter_curve, k->shift + k->scale * t, WIT_KNOT_DEFAULT, &l->hint[1], &x);
    double uv[2] = {x.p.x, x.p.y}, along;
    double all = norm3(wi_lift_error(k->surface, uv, c.p, &along));
    l->worst.all = larger(l->worst.all, all);
    l->worst.along = larger(l->worst.along, along);
    return all;
}

static void climb(lift* l, double lo, double hi)
{
    enum { STEPS = 12 };
    const double gold = 0.6180339887498949;
    double a = hi - gold * (hi - lo), b = lo + gold * (hi - lo), fa = lift_at(l, a), fb = lift_at(l, b);
    for (int i = 0; i < STEPS; ++i) {
        if (fa > fb) {
            hi = b;
            b = a;
            fb = fa;
            fa = lift_at(l, a = hi - gold * (hi - lo));
        } else {
            lo = a;
            a = b;
            fa = fb;
            fb = lift_at(l, b = lo + gold * (hi - lo));
        }
    }
}

/* The next break of a curve above x (below with direction -1); infinite if there is none. */
static double next_break(const wit_curve* c, double x, double direction)
{
    int count;
    const double* b = wit_curve_breaks(c, &count);
    double period = iv_width(c->range), offset = c->closed ? period * floor((x - c->range.lo) / period) : 0;
    double best = INFINITY, near = 1e-12 * period;
    for (int turn = c->closed ? -1 : 0; turn <= (c->closed ? 1 : 0); ++turn) {
        double from = offset + turn * period;
        int lo = -1, hi = count; /* b[lo] <= x, b[hi] > x */
        while (hi - lo > 1) {
            int mid = (lo + hi) / 2;
            if (b[mid] + from <= x)
                lo = mid;
            else
                hi = mid;
        }
        for (int i = lo - 1; i <= hi + 1; ++i) {
            if (i < 0 || i >= count) continue;
            double gap = (b[i] + from - x) * direction;
            if (gap > near && gap < best) best = gap;
        }
    }
    return x + direction * best;
}

/* Where the smooth part that begins at t ends; at least four parts in all. */
static double span_end(const lift_pair* k, double t)
{
    enum { LEAST = 4 };
    double direction = k->scale < 0 ? -1 : 1, longest = iv_width(k->range) / LEAST, other = INFINITY;
    if (k->scale != 0)
        other = (next_break(k->parameter_curve, k->shift + k->scale * t, direction) - k->shift) / k->scale;
    double stop = smaller(smaller(next_break(k->curve, t, 1), other), smaller(t + longest, k->range.hi));
    return stop > t ? stop : k->range.hi;
}

lift_gap wi_lift_measure(const lift_pair* pair)
{
    enum { SAMPLES = 8 };
    lift l = {pair, {{{0}}, {{0}}}, {0, 0, 0}};
    double t = pair->range.lo, f0 = 0, f1 = lift_at(&l, t);
    double t0 = t, t1 = t;
    while (t < pair->range.hi) {
        double stop = span_end(pair, t);
        for (int i = 1; i <= SAMPLES; ++i) {
            double t2 = i == SAMPLES ? stop : t + (stop - t) * i / SAMPLES, f2 = lift_at(&l, t2);
            if (t0 < t1 && f1 >= f0 && f1 >= f2 && f1 > 0.5 * l.worst.all) climb(&l, t0, t2);
            t0 = t1;
            f0 = f1;
            t1 = t2;
            f1 = f2;
        }
        t = stop;
    }
    return l.worst;
}

/* ---- the bound ------------------------------------------------------------------------------- */

enum {
    DEPTH = 64,        /* pieces that wait */
    SPAN_WORK = 400,   /* pieces looked at between two breaks */
    EDGE_WORK = 20000, /* and in all, beyond one for each span */
    PATIENCE = 2,      /* halvings that do not narrow the bound: what is left is rounding */
};
#define CLOSE_ENOUGH (1 + 1.0 / 64)

/* A piece of t. excess: how far the bound stood above what was met in the piece that it is a part of. */
typedef struct lift_piece {
    wit_interval t;
    double excess;
    int stale;
} lift_piece;

typedef struct bounding {
    lift gap;
    double floor, upper; /* of no interest below; proved so far */
    int work;
} bounding;

/* |C - S| over boxes, for pieces where nothing better is known. */
static double box_bound(const lift_pair* l, wit_interval t)
{
    static const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    curve_enclosure c, x;
    surface_enclosure s;
    double a = l->shift + l->scale * t.lo, b = l->shift + l->scale * t.hi, sum = 0;
    wit_interval own = iv_widen(iv(smaller(a, b), larger(a, b)), DBL_EPSILON * (fabs(l->shift) + fabs(a) + fabs(b)));
    wi_curve_enclose(l->curve, t, axes, &c);
    wi_curve_enclose(l->parameter_curve, own, axes, &x);
    wi_surface_enclose(l->surface, x.d[0][0], x.d[0][1], axes, &s);
    for (int i = 0; i < 3; ++i) {
        double part = iv_mag(iv_sub(c.d[0][i], s.d[D00][i]));
        sum += part * part;
    }
    return sqrt(sum) * (1 + 8 * DBL_EPSILON);
}

/* Upper bound of the gap over t with the cells that the path chooses: the difference of both curves as Taylor models. */
static double path_bound(const lift_pair* l, wit_interval t, taylor_path* path)
{
    taylor own = wi_taylor_between(t.lo, t.hi), start = wi_taylor_constant(l->shift), s, x[3], c[3], p[3];
    double sum = 0;
    wi_taylor_add(&start, l->scale, &own, &s);
    wi_curve_taylor(l->curve, &own, c, path);
    wi_curve_taylor(l->parameter_curve, &s, x, path);
    wi_surface_taylor(l->surface, &x[0], &x[1], p, path);
    for (int i = 0; i < 3; ++i) {
        taylor d;
        wi_taylor_add(&c[i], -1, &p[i], &d);
        double part = wi_taylor_reach(&d);
        sum += part * part;
    }
    return isfinite(sum) ? sqrt(sum) * (1 + 8 * DBL_EPSILON) : INFINITY;
}

/* The same over all choices that may be right somewhere; nothing is known if there are too many. *cut is where t had better be
 * cut. */
static double taylor_bound(const lift_pair* l, wit_interval t, double slack, double* cut)
{
    taylor_path path = {.slack = slack};
    double bound = path_bound(l, t, &path);
    unsigned met = path.met;
    *cut = iv_mid(t) + 0.5 * iv_width(t) * path.cut;
    int borders = 0;
    for (unsigned left = met; left; left &= left - 1) ++borders;
    if (borders > 2) return INFINITY;
    for (unsigned choose = met; choose && bound < INFINITY; choose = (choose - 1) & met) {
        taylor_path other = {.choose = choose, .slack = slack};
        bound = larger(bound, path_bound(l, t, &other));
        if (other.met & ~met) return INFINITY;
    }
    return bound;
}

/* True when the bound over the piece is as good as it gets. Otherwise the piece is to be cut at *cut. */
static bool piece_done(bounding* b, lift_piece* p, bool last, double* cut)
{
    double goal = larger(CLOSE_ENOUGH * b->gap.worst.all, b->floor), slack = goal / 256;
    double bound = taylor_bound(b->gap.pair, p->t, slack, cut);
    if (bound > goal) {
        double excess = bound - lift_at(&b->gap, *cut);
        p->stale = excess > 0.75 * p->excess ? p->stale + 1 : 0;
        p->excess = excess;
        bool open = bound > larger(CLOSE_ENOUGH * b->gap.worst.all, b->floor);
        if (open && !last && *cut > p->t.lo && *cut < p->t.hi && p->stale < PATIENCE) return false;
        if (open) bound = smaller(bound, box_bound(b->gap.pair, p->t));
    }
    b->upper = larger(b->upper, bound);
    return true;
}

static void bound_span(bounding* b, double from, double to)
{
    lift_piece open[DEPTH] = {{iv(from, to), INFINITY, 0}};
    int count = 1, left = SPAN_WORK;
    while (count > 0) {
        lift_piece p = open[--count];
        double cut;
        bool last = --left <= 0 || b->work <= 0 || count + 2 > DEPTH;
        if (piece_done(b, &p, last, &cut)) continue;
        b->work -= 2;
        open[count] = open[count + 1] = p;
        open[count++].t = iv(cut, p.t.hi);
        open[count++].t = iv(p.t.lo, cut);
    }
}

double wi_lift_bound(const lift_pair* pair, double rounding, lift_gap* met)
{
    double gap = wi_lift_exact(pair);
    if (gap < INFINITY) {
        *met = (lift_gap){smaller(met->all, gap), smaller(met->along, gap), 0};
        if (gap > rounding) return gap;
        met->hidden = gap - met->all;
        return met->all;
    }
    bounding b = {{pair, {{{0}}, {{0}}}, *met}, rounding, 0, EDGE_WORK};
    for (double t = pair->range.lo; t < pair->range.hi;) {
        double stop = span_end(pair, t);
        bound_span(&b, t, stop);
        t = stop;
    }
    *met = b.gap.worst;
    met->hidden = b.upper > rounding ? 0 : larger(0, b.upper - met->all);
    return b.upper > rounding ? larger(b.upper, met->all) : met->all;
}
