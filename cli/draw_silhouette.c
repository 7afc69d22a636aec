/* SPDX-License-Identifier: MIT */
/*
 * Silhouettes: f(u, v) = normal . toward = 0. On the grid of the face each grid line between nodes of different sign
 * carries one point, found by bisection; cells join them to chains; where a chain is farther than 0.1 pixel from
 * straight, points between are found by bisection across it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

typedef struct chain_point {
    double u, v;
    spot s;
} chain_point;

typedef struct chain {
    const patch* p;
    const view* view;
    chain_point* points;
    size_t count, room;
    bool failed;
} chain;

/* A flat or ruled face seen edge-on has f = rounding everywhere: it counts as one sign. */
static bool positive(double f)
{
    return f > 1e-9;
}

static chain_point point_at(const chain* c, double u, double v)
{
    wit_surface_jet jet;
    wit_surface_eval(c->p->surface, u, v, 0, NULL, &jet);
    chain_point q = {u, v, view_point(c->view, jet.p)};
    return q;
}

/* Between (u0, v0) and (u1, v1), whose signs differ. */
static chain_point bisect(const chain* c, double u0, double v0, double u1, double v1)
{
    bool low = positive(patch_facing(c->p, c->view, u0, v0));
    double a = 0, b = 1;
    for (int i = 0; i < 40; i++) {
        double m = (a + b) / 2;
        if (positive(patch_facing(c->p, c->view, u0 + m * (u1 - u0), v0 + m * (v1 - v0))) == low)
            a = m;
        else
            b = m;
    }
    double m = (a + b) / 2;
    return point_at(c, u0 + m * (u1 - u0), v0 + m * (v1 - v0));
}

static void append(chain* c, chain_point q)
{
    if (c->count == c->room) {
        size_t room = 2 * c->room + 64;
        chain_point* grown = realloc(c->points, room * sizeof *grown);
        if (!grown) {
            c->failed = true;
            return;
        }
        c->points = grown;
        c->room = room;
    }
    c->points[c->count++] = q;
}

/* Appends points after a up to and with b. */
static void append_refined(chain* c, chain_point a, chain_point b, int depth)
{
    double du = b.u - a.u, dv = b.v - a.v, mu = (a.u + b.u) / 2, mv = (a.v + b.v) / 2;
    double length = sqrt((b.s.x - a.s.x) * (b.s.x - a.s.x) + (b.s.y - a.s.y) * (b.s.y - a.s.y));
    if (depth < 5 && length > 1) {
        /* Across the chain, in units of cells: half its length to both sides. */
        double wu = (c->p->u.hi - c->p->u.lo) / c->p->cells_u, wv = (c->p->v.hi - c->p->v.lo) / c->p->cells_v;
        double nu = -dv / wv * wu / 2, nv = du / wu * wv / 2;
        double u0 = fmin(fmax(mu - nu, c->p->u.lo), c->p->u.hi), u1 = fmin(fmax(mu + nu, c->p->u.lo), c->p->u.hi);
        double v0 = fmin(fmax(mv - nv, c->p->v.lo), c->p->v.hi), v1 = fmin(fmax(mv + nv, c->p->v.lo), c->p->v.hi);
        bool differ = positive(patch_facing(c->p, c->view, u0, v0)) != positive(patch_facing(c->p, c->view, u1, v1));
        chain_point m = differ ? bisect(c, u0, v0, u1, v1) : point_at(c, mu, mv);
        double off = fabs((m.s.x - a.s.x) * (b.s.y - a.s.y) - (m.s.y - a.s.y) * (b.s.x - a.s.x)) / length;
        if (off > 0.05) {
            append_refined(c, a, m, depth + 1);
            append_refined(c, m, b, depth + 1);
            return;
        }
    }
    append(c, b);
}

/* ---- cells ------------------------------------------------------------------------------------------ */

/* Links between grid lines: each line segment of the grid is crossed once at most, and joins two cells at most. */
typedef struct crossings {
    int nu, nv;
    int* link; /* two per segment; -1: none */
} crossings;

static int segment_u(const crossings* x, int i, int j) /* from node (i, j) to (i + 1, j) */
{
    return i * (x->nv + 1) + j;
}

static int segment_v(const crossings* x, int i, int j) /* from node (i, j) to (i, j + 1) */
{
    return x->nu * (x->nv + 1) + i * x->nv + j;
}

static void join(crossings* x, int a, int b)
{
    x->link[x->link[2 * a] < 0 ? 2 * a : 2 * a + 1] = b;
    x->link[x->link[2 * b] < 0 ? 2 * b : 2 * b + 1] = a;
}

static void join_cell(crossings* x, const patch* p, const view* eye, int i, int j)
{
    int n = x->nv + 1;
    bool c00 = positive(p->facing[i * n + j]), c10 = positive(p->facing[(i + 1) * n + j]);
    bool c01 = positive(p->facing[i * n + j + 1]), c11 = positive(p->facing[(i + 1) * n + j + 1]);
    int low = segment_u(x, i, j), high = segment_u(x, i, j + 1), left = segment_v(x, i, j);
    int right = segment_v(x, i + 1, j), cut[4], count = 0;
    if (c00 != c10) cut[count++] = low;
    if (c10 != c11) cut[count++] = right;
    if (c01 != c11) cut[count++] = high;
    if (c00 != c01) cut[count++] = left;
    if (count == 2) join(x, cut[0], cut[1]);
    if (count == 4) {
        /* A saddle: the middle tells which corners hang together. */
        double u = p->u.lo + (p->u.hi - p->u.lo) * (i + 0.5) / x->nu;
        double v = p->v.lo + (p->v.hi - p->v.lo) * (j + 0.5) / x->nv;
        bool together = positive(patch_facing(p, eye, u, v)) == c00;
        join(x, low, together ? right : left);
        join(x, high, together ? left : right);
    }
}

static chain_point crossing(const chain* c, const crossings* x, int segment)
{
    const patch* p = c->p;
    bool along_u = segment < x->nu * (x->nv + 1);
    int k = along_u ? segment : segment - x->nu * (x->nv + 1), rows = along_u ? x->nv + 1 : x->nv;
    int i = k / rows, j = k % rows;
    double u0 = p->u.lo + (p->u.hi - p->u.lo) * i / x->nu, v0 = p->v.lo + (p->v.hi - p->v.lo) * j / x->nv;
    double u1 = along_u ? p->u.lo + (p->u.hi - p->u.lo) * (i + 1) / x->nu : u0;
    double v1 = along_u ? v0 : p->v.lo + (p->v.hi - p->v.lo) * (j + 1) / x->nv;
    return bisect(c, u0, v0, u1, v1);
}

/* Follows the links from one segment on, cutting each as it is used. */
static void follow(chain* c, crossings* x, int segment)
{
    c->count = 0;
    chain_point last = crossing(c, x, segment);
    append(c, last);
    for (;;) {
        int side = x->link[2 * segment] >= 0 ? 0 : 1, next = x->link[2 * segment + side];
        if (next < 0) return;
        x->link[2 * segment + side] = -1;
        x->link[2 * next + (x->link[2 * next] == segment ? 0 : 1)] = -1;
        chain_point q = crossing(c, x, next);
        append_refined(c, last, q, 0);
        last = q;
        segment = next;
    }
}

/* ---- drawing ---------------------------------------------------------------------------------------- */

static spot chain_at(const void* context, double t, unsigned side, spot* derivative)
{
    const chain* c = context;
    (void)side;
    size_t k = t <= 0 ? 0 : (size_t)t;
    if (k + 2 > c->count) k = c->count - 2;
    double q = t - (double)k;
    spot a = c->points[k].s, b = c->points[k + 1].s;
    *derivative = (spot){b.x - a.x, b.y - a.y, b.z - a.z};
    spot s = {a.x + q * (b.x - a.x), a.y + q * (b.y - a.y), a.z + q * (b.z - a.z)};
    return s;
}

static bool chain_inside(const void* context, double t)
{
    const chain* c = context;
    size_t k = t <= 0 ? 0 : (size_t)t;
    if (k + 2 > c->count) k = c->count - 2;
    double q = t - (double)k;
    const chain_point *a = &c->points[k], *b = &c->points[k + 1];
    return patch_contains(c->p, a->u + q * (b->u - a->u), a->v + q * (b->v - a->v));
}

static void draw_chain(picture* pic, const chain* c)
{
    if (c->failed) pic->failed = true;
    if (c->failed || c->count < 2) return;
    double* breaks = malloc(c->count * sizeof *breaks);
    if (!breaks) {
        pic->failed = true;
        return;
    }
    for (size_t i = 0; i < c->count; i++) breaks[i] = (double)i;
    trace t = {chain_at, c->p->body ? chain_inside : NULL, c, {0, (double)(c->count - 1)}, breaks, (int)c->count, true};
    draw_trace(pic, &t, STROKE_SILHOUETTE, c->p->label);
    free(breaks);
}

void draw_silhouette(picture* pic, const patch* p)
{
    if (p->flat) return;
    crossings x = {p->cells_u, p->cells_v, NULL};
    int segments = x.nu * (x.nv + 1) + (x.nu + 1) * x.nv;
    x.link = malloc(2 * (size_t)segments * sizeof *x.link);
    if (!x.link) {
        pic->failed = true;
        return;
    }
    memset(x.link, 0xff, 2 * (size_t)segments * sizeof *x.link);
    for (int i = 0; i < x.nu; i++)
        for (int j = 0; j < x.nv; j++) join_cell(&x, p, &pic->view, i, j);
    chain c = {p, &pic->view, NULL, 0, 0, false};
    /* First the chains with ends, at borders of the grid; what is left are rings. */
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < segments; k++) {
            bool first = x.link[2 * k] >= 0, second = x.link[2 * k + 1] >= 0;
            if ((!first && !second) || (pass == 0 && first && second)) continue;
            follow(&c, &x, k);
            draw_chain(pic, &c);
        }
    }
    free(c.points);
    free(x.link);
}
