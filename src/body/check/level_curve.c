/* SPDX-License-Identifier: MIT */
#include "level_curve.h"

#include "../../base/solve.h"

/* A box is cut 2^-20 fine at most: there g ~ (1e-6)^2 beside a double zero, still above its rounding. */
enum { MAX_DEPTH = 20, MAX_ACTIVE = 16384, BORDER_DEPTH = 7, SIDE_DEPTH = 24 };
/* Boxes are cut a little off their middle: symmetric shapes have their zero sets through the middles. */
#define CUT 0.4837
/* Ends of arcs that meet, relative to the cell. A side that is grazed gives its root to half the digits only. */
#define MEET 1e-6

typedef struct doubt {
    wit_interval u, v;
    int cluster;
    bool border; /* beside a border along which K = 0: given up early */
} doubt;

typedef struct cluster {
    wit_interval u, v;
    int ends; /* arcs that end there */
    bool border;
    double centre[2];
} cluster;

typedef struct tracer {
    level_cell cell;
    level_curves* out;
    double w[2];
    list active, next; /* doubt */
    list doubts, clusters, arcs;
    list order; /* int */
    bool failed;
} tracer;

static void* add(tracer* t, list* l, size_t bytes)
{
    void* p = list_add(l, bytes, &t->out->memory);
    if (!p) t->failed = true;
    return p;
}

/* ---- roots ----------------------------------------------------------------------------------- */

/* g along a line: u = value (k = 1 runs) or v = value (k = 0 runs). */
static double along_line(const level_cell* c, int k, double value, double x)
{
    return k == 0 ? wi_level_value(c, x, value) : wi_level_value(c, value, x);
}

/* Illinois' rule with bisection: [a, b] holds a change of sign. */
static double bracketed_root(const level_cell* c, int k, double value, double a, double b)
{
    double fa = along_line(c, k, value, a), fb = along_line(c, k, value, b);
    if (fa == 0) return a;
    if (fb == 0) return b;
    if ((fa > 0) == (fb > 0)) return fabs(fa) < fabs(fb) ? a : b;
    for (int i = 0; i < 200; ++i) {
        double x = i % 3 == 2 ? 0.5 * (a + b) : (a * fb - b * fa) / (fb - fa);
        if (!(x > smaller(a, b) && x < larger(a, b))) x = 0.5 * (a + b);
        if (x == a || x == b) break;
        double fx = along_line(c, k, value, x);
        if (fx == 0) return x;
        if ((fx > 0) == (fb > 0)) {
            fa *= 0.5;
        } else {
            a = b;
            fa = fb;
        }
        b = x;
        fb = fx;
        if (fabs(b - a) <= 2 * DBL_EPSILON * larger(fabs(a), fabs(b))) break;
    }
    return b;
}

double wi_level_solve(const level_cell* c, const level_arc* arc, double along)
{
    int k = arc->along == WIT_U ? 1 : 0; /* the coordinate that is sought */
    wit_interval r = k == 1 ? arc->v : arc->u;
    return bracketed_root(c, k, along, r.lo, r.hi);
}

typedef struct side_root {
    double p[2];
    bool terminal;
} side_root;

enum { MAX_SIDE_ROOTS = 32 };
typedef struct side_roots {
    side_root at[MAX_SIDE_ROOTS];
    int count;
} side_roots;

static void add_root(side_roots* r, int k, double value, double x, bool terminal)
{
    if (r->count == MAX_SIDE_ROOTS) return;
    side_root* s = &r->at[r->count++];
    s->p[k] = x;
    s->p[1 - k] = value;
    s->terminal = terminal;
}

/* Parameter k runs from `from` to `to` along a side of a box, the other stands at `value`. */
typedef struct side_part {
    int k;
    double value, from, to;
    bool steady;   /* g is monotone along it */
    bool terminal; /* the side is on the border of the cell */
} side_part;

/* Changes of sign along a part of a side. Zero counts as positive (g + tiny):
 * the same point gives the same sign in every box it belongs to. */
static void roots_along(const level_cell* c, const side_part* s, int depth, side_roots* out)
{
    int k = s->k;
    double value = s->value, a = s->from, b = s->to;
    bool change = (along_line(c, k, value, a) >= 0) != (along_line(c, k, value, b) >= 0);
    if (!s->steady && depth < SIDE_DEPTH) {
        level_bound g;
        wit_interval x = iv(a, b), y = iv_point(value);
        wi_level_enclose(c, k == 0 ? x : y, k == 0 ? y : x, &g);
        if (g.g.lo > 0 || g.g.hi < 0) return;
        wit_interval d = k == 0 ? g.gu : g.gv;
        if (!(d.lo > 0 || d.hi < 0)) {
            double m = a + CUT * (b - a);
            roots_along(c, &(side_part){k, value, a, m, false, s->terminal}, depth + 1, out);
            roots_along(c, &(side_part){k, value, m, b, false, s->terminal}, depth + 1, out);
            return;
        }
    }
    if (change) add_root(out, k, value, bracketed_root(c, k, value, a, b), s->terminal);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static bool touches_border(const level_cell* c, wit_interval u, wit_interval v, unsigned borders)
{
    return ((borders & 1) && u.lo == c->u.lo) || ((borders & 2) && u.hi == c->u.hi) ||
           ((borders & 4) && v.lo == c->v.lo) || ((borders & 8) && v.hi == c->v.hi);
}

static void sort_roots(side_roots* r, int k)
{
    for (int i = 1; i < r->count; ++i) {
        side_root x = r->at[i];
        int j = i;
        for (; j > 0 && r->at[j - 1].p[k] > x.p[k]; --j) r->at[j] = r->at[j - 1];
        r->at[j] = x;
    }
}

/* The zero set inside a box where g is monotone across `along`. */
static void arcs_of_box(tracer* t, wit_interval u, wit_interval v, wit_direction along)
{
    const level_cell* c = &t->cell;
    /* Monotone away from a border along which g = 0: that border is all of it. */
    unsigned across = along == WIT_U ? 12 : 3;
    if (touches_border(c, u, v, c->zero_borders & across)) return;
    int k = along == WIT_U ? 0 : 1;
    wit_interval r = k == 0 ? u : v, q = k == 0 ? v : u, whole_r = k == 0 ? c->u : c->v, whole_q = k == 0 ? c->v : c->u;
    side_roots roots = {.count = 0};
    const side_part sides[4] = {{k, q.lo, r.lo, r.hi, false, q.lo == whole_q.lo},
                                {k, q.hi, r.lo, r.hi, false, q.hi == whole_q.hi},
                                {1 - k, r.lo, q.lo, q.hi, true, r.lo == whole_r.lo},
                                {1 - k, r.hi, q.lo, q.hi, true, r.hi == whole_r.hi}};
    for (int i = 0; i < 4; ++i) roots_along(c, &sides[i], 0, &roots);
    sort_roots(&roots, k);
    for (int i = 0; i + 1 < roots.count; i += 2) {
        level_arc* a = add(t, &t->arcs, sizeof *a);
        if (!a) return;
        a->u = u;
        a->v = v;
        a->along = along;
        for (int e = 0; e < 2; ++e) {
            memcpy(a->p[e], roots.at[i + e].p, sizeof a->p[e]);
            a->terminal[e] = roots.at[i + e].terminal;
            a->next[e] = -1;
        }
    }
}

static void divide(tracer* t, const doubt* b)
{
    double um = b->u.lo + CUT * iv_width(b->u), vm = b->v.lo + CUT * iv_width(b->v);
    for (int i = 0; i < 4; ++i) {
        doubt* d = add(t, &t->next, sizeof *d);
        if (!d) return;
        d->u = i & 1 ? iv(um, b->u.hi) : iv(b->u.lo, um);
        d->v = i & 2 ? iv(vm, b->v.hi) : iv(b->v.lo, vm);
    }
}

/* True when the box needs no more cutting. */
static bool trace_box(tracer* t, const doubt* b)
{
    level_bound g;
    t->out->boxes += 1;
    wi_level_enclose(&t->cell, b->u, b->v, &g);
    if (g.g.lo > 0 || g.g.hi < 0) return true;
    double mu = iv_mig(g.gu) * t->w[0], mv = iv_mig(g.gv) * t->w[1];
    if (mu == 0 && mv == 0) return false;
    /* A graph over the direction in which g changes less: gentle slopes. */
    arcs_of_box(t, b->u, b->v, mv >= mu ? WIT_U : WIT_V);
    return true;
}

static void give_up(tracer* t, const doubt* b, bool border)
{
    doubt* d = add(t, &t->doubts, sizeof *d);
    if (!d) return;
    *d = *b;
    d->border = border;
}

static void subdivide(tracer* t)
{
    doubt* root = add(t, &t->active, sizeof *root);
    if (!root) return;
    root->u = t->cell.u;
    root->v = t->cell.v;
    for (int depth = 0; t->active.count > 0 && !t->failed; ++depth) {
        bool last = depth == MAX_DEPTH || t->active.count > MAX_ACTIVE;
        t->next.count = 0;
        for (int i = 0; i < t->active.count && !t->failed; ++i) {
            const doubt* b = LIST_AT(doubt, t->active, i);
            if (trace_box(t, b)) continue;
            bool border = depth >= BORDER_DEPTH && touches_border(&t->cell, b->u, b->v, t->cell.zero_borders);
            if (last || border)
                give_up(t, b, border);
            else
                divide(t, b);
        }
        list swap = t->active;
        t->active = t->next;
        t->next = swap;
    }
}

/* ---- clusters -------------------------------------------------------------------------------- */

static bool overlap(wit_interval a, wit_interval b, double slack)
{
    return a.lo <= b.hi + slack && b.lo <= a.hi + slack;
}

/* A critical point of g near the middle of a small cluster: Newton on the gradient, its derivatives from differences
 * over 1e-4 of the cell (error 1e-8 relative: linear convergence by that factor). */
static void polish(const tracer* t, double p[2])
{
    double x[2] = {p[0], p[1]}, first[2] = {p[0], p[1]}, h[2] = {1e-4 * t->w[0], 1e-4 * t->w[1]};
    for (int step = 0; step < 6; ++step) {
        double g[2], a[2], b[2], m[4], d[2];
        for (int k = 0; k < 2; ++k) {
            double lo[2] = {x[0], x[1]}, hi[2] = {x[0], x[1]};
            lo[k] -= h[k];
            hi[k] += h[k];
            wi_level_gradient(&t->cell, lo[0], lo[1], a);
            wi_level_gradient(&t->cell, hi[0], hi[1], b);
            for (int r = 0; r < 2; ++r) m[2 * r + k] = (b[r] - a[r]) / (2 * h[k]);
        }
        wi_level_gradient(&t->cell, x[0], x[1], g);
        if (!wi_solve2(m, g, d)) return;
        for (int k = 0; k < 2; ++k) {
            x[k] -= d[k];
            if (!(fabs(x[k] - first[k]) < h[k])) return;
        }
    }
    memcpy(p, x, sizeof x);
}

/* Boxes in doubt that touch are one cluster: passes over growing bounding boxes. */
static void cluster_up(tracer* t)
{
    for (int i = 0; i < t->doubts.count && !t->failed; ++i) {
        const doubt* b = LIST_AT(doubt, t->doubts, i);
        cluster* home = NULL;
        for (int k = 0; k < t->clusters.count; ++k) {
            cluster* c = LIST_AT(cluster, t->clusters, k);
            if (!overlap(c->u, b->u, 1e-12 * t->w[0]) || !overlap(c->v, b->v, 1e-12 * t->w[1])) continue;
            if (!home) {
                home = c;
                home->u = iv_union(home->u, b->u);
                home->v = iv_union(home->v, b->v);
                home->border |= b->border;
            } else { /* the box joins two */
                home->u = iv_union(home->u, c->u);
                home->v = iv_union(home->v, c->v);
                home->border |= c->border;
                *c = *LIST_AT(cluster, t->clusters, --t->clusters.count);
                --k;
            }
        }
        if (home) continue;
        cluster* c = add(t, &t->clusters, sizeof *c);
        if (!c) return;
        c->u = b->u;
        c->v = b->v;
        c->border = b->border;
    }
    for (int k = 0; k < t->clusters.count; ++k) {
        cluster* c = LIST_AT(cluster, t->clusters, k);
        const level_cell* cell = &t->cell;
        c->centre[0] = c->u.lo == cell->u.lo ? c->u.lo : c->u.hi == cell->u.hi ? c->u.hi : iv_mid(c->u);
        c->centre[1] = c->v.lo == cell->v.lo ? c->v.lo : c->v.hi == cell->v.hi ? c->v.hi : iv_mid(c->v);
        bool inner = c->u.lo > cell->u.lo && c->u.hi < cell->u.hi && c->v.lo > cell->v.lo && c->v.hi < cell->v.hi;
        if (inner && larger(iv_width(c->u) / t->w[0], iv_width(c->v) / t->w[1]) < 1e-4) polish(t, c->centre);
    }
}

/* ---- chains ---------------------------------------------------------------------------------- */

static double gap(const tracer* t, const double* a, const double* b)
{
    return larger(fabs(a[0] - b[0]) / t->w[0], fabs(a[1] - b[1]) / t->w[1]);
}

static level_arc* arc_at(const tracer* t, int i)
{
    return LIST_AT(level_arc, t->arcs, i);
}

static bool holds(wit_interval x, double value, double slack)
{
    return value >= x.lo - slack && value <= x.hi + slack;
}

/* The cluster that the end of an arc touches, or null: it then lies on a side of one of its boxes. */
static cluster* cluster_at(const tracer* t, const double* p)
{
    double su = 1e-9 * t->w[0], sv = 1e-9 * t->w[1];
    for (int i = 0; i < t->doubts.count; ++i) {
        const doubt* d = LIST_AT(doubt, t->doubts, i);
        if (!holds(d->u, p[0], su) || !holds(d->v, p[1], sv)) continue;
        for (int k = 0; k < t->clusters.count; ++k) {
            cluster* c = LIST_AT(cluster, t->clusters, k);
            if (holds(c->u, iv_mid(d->u), 0) && holds(c->v, iv_mid(d->v), 0)) return c;
        }
    }
    return NULL;
}

/* Each inner end meets a cluster or the nearest other inner end. */
static void join_ends(tracer* t)
{
    for (int i = 0; i < 2 * t->arcs.count; ++i) {
        level_arc* a = arc_at(t, i / 2);
        a->clustered[i % 2] = !a->terminal[i % 2] && cluster_at(t, a->p[i % 2]);
    }
    for (int i = 0; i < 2 * t->arcs.count; ++i) {
        level_arc* a = arc_at(t, i / 2);
        if (a->terminal[i % 2] || a->clustered[i % 2] || a->next[i % 2] >= 0) continue;
        int best = -1;
        double least = MEET;
        for (int j = i + 1; j < 2 * t->arcs.count; ++j) {
            const level_arc* b = arc_at(t, j / 2);
            if (b->terminal[j % 2] || b->clustered[j % 2] || b->next[j % 2] >= 0) continue;
            double g = gap(t, a->p[i % 2], b->p[j % 2]);
            if (g < least) {
                least = g;
                best = j;
            }
        }
        if (best < 0) continue;
        a->next[i % 2] = best;
        arc_at(t, best / 2)->next[best % 2] = i;
    }
}

static void leave_open(tracer* t, const double* p)
{
    if (t->out->unresolved++ > 0) return;
    t->out->doubt_u = p[0];
    t->out->doubt_v = p[1];
}

/* How a chain goes on beyond its end: to the middle of a small cluster, straight through the strip beside a border with
 * K = 0, or not at all. */
static level_end open_end(tracer* t, int end)
{
    level_end e = {LEVEL_ENDS, {0, 0}, WIT_U};
    const level_arc* a = arc_at(t, end / 2);
    const double* p = a->p[end % 2];
    if (a->terminal[end % 2]) return e;
    cluster* c = a->clustered[end % 2] ? cluster_at(t, p) : NULL;
    if (!c) {
        leave_open(t, p);
        return e;
    }
    c->ends += 1;
    if (larger(iv_width(c->u) / t->w[0], iv_width(c->v) / t->w[1]) < 1e-4) {
        e.kind = LEVEL_CENTRE;
        memcpy(e.p, c->centre, sizeof e.p);
        return e;
    }
    if (c->border)
        for (int b = 0; b < 4; ++b) {
            wit_interval r = b < 2 ? t->cell.u : t->cell.v;
            double value = b % 2 ? r.hi : r.lo, w = b < 2 ? t->w[0] : t->w[1];
            if (!(t->cell.zero_borders & (1U << b)) || fabs(p[b / 2] - value) > 3 * w / (1 << BORDER_DEPTH)) continue;
            e.kind = LEVEL_BORDER;
            e.across = b < 2 ? WIT_U : WIT_V;
            e.p[0] = value;
            return e;
        }
    leave_open(t, p);
    return e;
}

static void make_chain(tracer* t, int start, bool closed, double accuracy)
{
    t->order.count = 0;
    int at = start, last = start;
    do {
        int* o = add(t, &t->order, sizeof *o);
        if (!o) return;
        *o = at;
        arc_at(t, at / 2)->taken = true;
        last = at ^ 1;
        at = arc_at(t, last / 2)->next[last % 2];
    } while (at >= 0 && !arc_at(t, at / 2)->taken);
    level_end ends[2] = {{LEVEL_ENDS, {0, 0}, WIT_U}, {LEVEL_ENDS, {0, 0}, WIT_U}};
    if (!closed) {
        ends[0] = open_end(t, start);
        ends[1] = open_end(t, last);
    } else { /* the same bits at both ends */
        memcpy(arc_at(t, last / 2)->p[last % 2], arc_at(t, start / 2)->p[start % 2], 2 * sizeof(double));
    }
    double error = 0, length = 0;
    for (int i = 0; i < t->order.count; ++i) {
        const level_arc* a = arc_at(t, *LIST_AT(int, t->order, i) / 2);
        length += gap(t, a->p[0], a->p[1]);
    }
    if (length < MEET && ends[0].kind == ends[1].kind) return; /* a corner of the cell or a cluster, grazed */
    const level_chain chain = {t->arcs.items, t->order.items, t->order.count};
    wit_curve* c = wi_level_fit(&t->cell, &chain, ends, accuracy, &t->out->memory, &error);
    for (int e = 0; e < 2; ++e)
        if (ends[e].kind == LEVEL_LOST) leave_open(t, ends[e].p);
    wit_curve** place = c ? add(t, &t->out->curves, sizeof *place) : NULL;
    if (!place) {
        wit_curve_destroy(c);
        t->failed = true;
        return;
    }
    *place = c;
    t->out->error = larger(t->out->error, error);
}

static void chain_up(tracer* t, double accuracy)
{
    join_ends(t);
    for (int pass = 0; pass < 2; ++pass) /* open chains first; what is left is closed */
        for (int i = 0; i < t->arcs.count && !t->failed; ++i)
            for (int e = 0; e < 2; ++e) {
                const level_arc* a = arc_at(t, i);
                if (a->taken || (pass == 0 && a->next[e] >= 0)) continue;
                make_chain(t, 2 * i + e, pass == 1, accuracy);
            }
    for (int k = 0; k < t->clusters.count; ++k) {
        const cluster* c = LIST_AT(cluster, t->clusters, k);
        if (c->ends > 0)
            t->out->singular += 1;
        else
            t->out->touching += 1;
    }
}

wit_status wi_level_trace(const wit_surface* surface, wit_interval u, wit_interval v, double accuracy,
                          const wit_allocator* allocator, level_curves* out)
{
    tracer t;
    memset(&t, 0, sizeof t);
    memset(out, 0, sizeof *out);
    out->memory = wi_allocator_or_default(allocator);
    t.out = out;
    t.w[0] = iv_width(u);
    t.w[1] = iv_width(v);
    wi_level_cell_init(&t.cell, surface, u, v);
    out->flat = t.cell.flat;
    out->zero_borders = t.cell.zero_borders;
    if (out->flat) return WIT_OK;
    subdivide(&t);
    if (!t.failed) cluster_up(&t);
    if (!t.failed) chain_up(&t, larger(accuracy, 1e-12));
    list_drop(&t.active, sizeof(doubt), &out->memory);
    list_drop(&t.next, sizeof(doubt), &out->memory);
    list_drop(&t.doubts, sizeof(doubt), &out->memory);
    list_drop(&t.clusters, sizeof(cluster), &out->memory);
    list_drop(&t.arcs, sizeof(level_arc), &out->memory);
    list_drop(&t.order, sizeof(int), &out->memory);
    if (!t.failed) return WIT_OK;
    wi_level_drop(out);
    return WIT_ERROR_MEMORY;
}

void wi_level_drop(level_curves* c)
{
    for (int i = 0; i < c->curves.count; ++i) wit_curve_destroy(*LIST_AT(wit_curve*, c->curves, i));
    list_drop(&c->curves, sizeof(wit_curve*), &c->memory);
}
