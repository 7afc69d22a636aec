/* SPDX-License-Identifier: MIT */
#include "leaf_look.h"

#include <string.h>

#include "../query/search/point_local.h"
#include "../pair/refine.h"

enum {
    STEPS = 8,  /* of Newton */
    CELLS = 24, /* looked at, at most */
    DEPTH = 8   /* halvings */
};
#define ENOUGH_REST 0.125 /* of its extent: a cell that is harmless for so far is not halved any more */
#define ENOUGH 1e-7       /* of the size: a step of Newton that is the last. Distances are then right to its square */

static point_cell cell_of(const wit_body* b, const tree_node* n)
{
    const leaf_bounds* l = &body_leaf_bounds(b)[n->bounds];
    point_cell c = {.lo = {n->u.lo, n->v.lo}, .hi = {n->u.hi, n->v.hi}, .feature = n->feature, .kind = n->kind};
    memcpy(c.d1, l->d1, sizeof c.d1);
    memcpy(c.d2, l->d2, sizeof c.d2);
    memcpy(c.d3, l->d3, sizeof c.d3);
    if (n->kind == WIT_EDGE) {
        c.lo[1] = c.hi[1] = 0;
        c.d1[1] = c.d2[1] = c.d2[2] = c.d3[1] = c.d3[2] = c.d3[3] = 0;
    }
    c.pieces = made_of_pieces(b, (wit_feature_kind)n->kind, n->feature);
    return c;
}

/* How far the point may move until some slope can vanish in the cell. */
static double slope_hold(const point_cell* c, const model* m)
{
    spread e;
    double hold = 0;
    wi_point_spread(c, m->h, &e);
    for (int i = 0; i < (c->kind == WIT_FACE ? 2 : 1); ++i) {
        double margin =
            fabs(m->at.g[i]) - m->h[0] * fabs(m->at.h[i]) - m->h[1] * fabs(m->at.h[i + 1]) - m->g_remainder[i];
        double rate = c->d1[i] + m->h[0] * c->d2[i] + m->h[1] * c->d2[i + 1] +
                      0.5 * (m->h[0] * e.e3ij[i] + m->h[1] * e.e3ij[i + 1]) + CREASE * c->d1[i];
        if (margin > 0 && rate > 0) hold = larger(hold, margin / rate);
    }
    return hold;
}

static void descend(const side* body, wit_vec3 q, const tree_node* n, const double x[2], double size, refined* at)
{
    side point = wi_side_of_point(q);
    place a = place_at(n->kind, n->feature, x[0], x[1], vec3(0, 0, 0)), b = {.kind = WIT_POINT, .id = -1};
    refine_bounds bounds = {{n->u, n->v}, {{0, 0}, {0, 0}}};
    wi_refine_pair(body, &a, &point, &b, &bounds, (refine_effort){STEPS, ENOUGH * size}, at);
}

/* A foot at the border of the leaf may be a place on the way to the next one, and the leaf have another. */
static void find_foot(const side* body, wit_vec3 q, const tree_node* n, const double* x, double size, leaf_view* out)
{
    bool face = n->kind == WIT_FACE;
    double middle[2] = {iv_mid(n->u), face ? iv_mid(n->v) : 0};
    refined at, other;
    descend(body, q, n, x ? x : middle, size, &at);
    if (at.held) {
        /* from the middle, or from beyond it as seen from the foot */
        double part = x ? 0 : 0.5;
        middle[0] += part * (middle[0] - at.x[0]);
        if (face) middle[1] += part * (middle[1] - at.x[1]);
        descend(body, q, n, middle, size, &other);
        if (other.distance < at.distance) at = other;
    }
    out->foot = true;
    out->x[0] = at.x[0];
    out->x[1] = face ? at.x[1] : 0;
    out->p = at.a.p;
    out->bound = at.distance;
}

/* How far the point may move while the cell is harmless; 0: it may matter now. *bound: of its distance. */
static double cell_rest(point_run* run, point_cell* c, double distance, double* bound, double* extent)
{
    model m;
    double square = 0, d[2];
    wi_point_model(run, c, false, &m, &square);
    double least = 2 * (m.at.f + wi_point_least_quadratic(&m.at, m.h, d) - m.f_remainder);
    *bound = sqrt(larger(square, larger(least, 0)));
    *extent = m.h[0] * c->d1[0] + m.h[1] * c->d1[1];
    c->split = m.h[0] * c->d1[0] >= m.h[1] * c->d1[1] ? 0 : 1;
    return larger(0, larger(0.5 * (*bound - distance), slope_hold(c, &m)));
}

/* Cell by cell. False: one is not harmless, or there are too many. */
static bool all_harmless(const side* body, wit_vec3 q, const tree_node* n, double distance, leaf_view* out)
{
    wit_work none = {0};
    wit_work* work = body->work ? body->work : &none;
    point_run run = {.body = body->body, .q = q, .keep = INFINITY, .work = work};
    int64_t before = work->jets;
    point_cell stack[DEPTH + 2];
    int count = 0;
    stack[count++] = cell_of(body->body, n);
    out->rest = out->bound = INFINITY;
    while (count) {
        point_cell c = stack[--count];
        double bound, extent, rest = cell_rest(&run, &c, distance, &bound, &extent);
        bool last = c.depth == DEPTH || work->jets - before + count + 2 > CELLS;
        if (rest < ENOUGH_REST * extent && !last) {
            point_cell half = c;
            double middle = 0.5 * (c.lo[c.split] + c.hi[c.split]);
            half.depth = ++c.depth;
            half.lo[c.split] = c.hi[c.split] = middle;
            stack[count++] = half;
            stack[count++] = c;
            continue;
        }
        if (!(rest > 0)) return false;
        out->rest = smaller(out->rest, rest);
        out->bound = smaller(out->bound, bound);
    }
    return true;
}

void wi_leaf_look(const side* body, wit_vec3 q, const tree_node* n, const double* x, double distance, double size,
                  leaf_view* out)
{
    memset(out, 0, sizeof *out);
    if (n->kind == WIT_VERTEX) {
        out->foot = true;
        out->p = body_vertices(body->body)[n->feature].point;
        out->bound = norm3(sub3(q, out->p));
        return;
    }
    if (all_harmless(body, q, n, distance, out)) return;
    out->rest = 0;
    find_foot(body, q, n, x, size, out);
}
