/* SPDX-License-Identifier: MIT */
/*
 * Best first over cells of directions. A cell is the cone about its corners n_k: four of them, of planar bodies two. For any p
 * = x - y, x in a, y in b, s(n) = h_a(n) + h_b(-n) >= p.n, and over the cell p.n >= min p.n_k where that is not
 * negative (a positive combination of unit vectors with weights of sum 1 is no longer than 1). The best p among
 * combinations of known support points gives the bound of the cell (wi_direction_game.c).
 */
#include "penetration.h"

#include <string.h>

#include "penetration_search.h"

/* Room that rounding of support points takes from a bound: of task->floor. */
#define ROUNDING 0.25

typedef struct direction_cell {
    double bound;
    wit_vec3 n[GAME_CORNERS];
    wit_vec3 p[GAME_CORNERS];
} direction_cell;

typedef struct front {
    depth_search* d;
    direction_cell* heap; /* least bound first */
    int count, capacity;
    double closed; /* least bound of the cells that were let go */
    double tolerance;
} front;

/* ---- the heap ------------------------------------------------------------------------------- */

static void let_go(front* f, double bound)
{
    f->closed = smaller(f->closed, bound);
}

static void insert(front* f, const direction_cell* c)
{
    if (c->bound >= f->d->best - 0.5 * f->tolerance || f->count == f->capacity) {
        let_go(f, c->bound);
        return;
    }
    int i = f->count++;
    while (i > 0 && f->heap[(i - 1) / 2].bound > c->bound) {
        f->heap[i] = f->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    f->heap[i] = *c;
    f->d->work->peak = f->d->work->peak < f->count ? f->count : f->d->work->peak;
}

static direction_cell take(front* f)
{
    direction_cell top = f->heap[0], last = f->heap[--f->count];
    int i = 0;
    for (;;) {
        int c = 2 * i + 1;
        if (c >= f->count) break;
        if (c + 1 < f->count && f->heap[c + 1].bound < f->heap[c].bound) c++;
        if (f->heap[c].bound >= last.bound) break;
        f->heap[i] = f->heap[c];
        i = c;
    }
    f->heap[i] = last;
    return top;
}

/* ---- cells ---------------------------------------------------------------------------------- */

static wit_vec3 middle(const wit_vec3* n, int count)
{
    wit_vec3 sum = {0, 0, 0};
    for (int k = 0; k < count; ++k) sum = add3(sum, n[k]);
    return unit3(sum);
}

/* The bound of a cell, from its corners, its middle and what was best so far; and the direction that it points to. */
static void bound_cell(front* f, direction_cell* c)
{
    depth_search* d = f->d;
    wit_vec3 p[GAME_POINTS];
    double w[GAME_POINTS];
    int corners = d->corners, count = 0;
    d->work->nodes++;
    for (int k = 0; k < corners; ++k) p[count++] = c->p[k];
    p[count++] = wi_depth_at(d, middle(c->n, corners));
    for (int k = 0; k < d->recent_count; ++k) p[count++] = d->recent[k];
    wit_vec3 toward;
    double least = wi_direction_game(count, p, corners, c->n, w, &toward) - ROUNDING * d->task->floor;
    c->bound = larger(c->bound, least);
    if (c->bound < d->best - 0.5 * f->tolerance && dot3(toward, toward) > 0) wi_depth_at(d, toward);
}

static void split_quad(front* f, const direction_cell* c)
{
    depth_search* d = f->d;
    wit_vec3 n[5], p[5];
    for (int k = 0; k < 4; ++k) n[k] = unit3(add3(c->n[k], c->n[(k + 1) % 4]));
    n[4] = middle(c->n, 4);
    for (int k = 0; k < 5; ++k) p[k] = wi_depth_at(d, n[k]);
    for (int k = 0; k < 4; ++k) {
        int before = (k + 3) % 4;
        direction_cell child = {c->bound, {c->n[k], n[k], n[4], n[before]}, {c->p[k], p[k], p[4], p[before]}};
        bound_cell(f, &child);
        insert(f, &child);
    }
}

static void split_arc(front* f, const direction_cell* c)
{
    wit_vec3 n = middle(c->n, 2), p = wi_depth_at(f->d, n);
    for (int k = 0; k < 2; ++k) {
        direction_cell child = {c->bound, {c->n[k], n}, {c->p[k], p}};
        bound_cell(f, &child);
        insert(f, &child);
    }
}

/* ---- the search ----------------------------------------------------------------------------- */

static void begin_quads(front* f)
{
    const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 6; ++k) {
        wit_vec3 m = scale3(k & 1 ? -1 : 1, axes[k / 2]), x = axes[(k / 2 + 1) % 3], y = axes[(k / 2 + 2) % 3];
        direction_cell c = {0};
        for (int i = 0; i < 4; ++i) {
            wit_vec3 side_x = scale3(i == 0 || i == 3 ? -1 : 1, x), side_y = scale3(i < 2 ? -1 : 1, y);
            c.n[i] = unit3(add3(m, add3(side_x, side_y)));
            c.p[i] = wi_depth_at(f->d, c.n[i]);
        }
        bound_cell(f, &c);
        insert(f, &c);
    }
}

static void begin_arcs(front* f)
{
    const wit_vec3* e = f->d->plane;
    for (int k = 0; k < 4; ++k) {
        direction_cell c = {0};
        for (int i = 0; i < 2; ++i) {
            int q = (k + i) % 4;
            c.n[i] = scale3(q < 2 ? 1 : -1, e[q & 1]);
            c.p[i] = wi_depth_at(f->d, c.n[i]);
        }
        bound_cell(f, &c);
        insert(f, &c);
    }
}

/* What has to be left for the pair when work is counted by units: supports around the best direction, naming, Newton. */
enum { PAIR_UNITS = 1500 };

static bool may_go_on(const depth_search* d)
{
    const wit_work* w = d->work;
    return task_may(d->task, w) && (!d->task->units || w->nodes + w->jets + PAIR_UNITS < d->task->units);
}

/* Returns the lower bound that was reached. */
static double search_cells(depth_search* d, double tolerance)
{
    front f = {.d = d, .tolerance = tolerance, .closed = INFINITY};
    f.heap = d->task->memory.memory;
    size_t fits = d->task->memory.bytes / sizeof(direction_cell);
    f.capacity = fits < (size_t)1 << 26 ? (int)fits : 1 << 26;
    if (d->corners == 2)
        begin_arcs(&f);
    else
        begin_quads(&f);
    while (f.count) {
        if (d->best < 0 || f.heap[0].bound >= d->best - 0.5 * tolerance || !may_go_on(d)) break;
        direction_cell c = take(&f);
        if (d->corners == 2)
            split_arc(&f, &c);
        else
            split_quad(&f, &c);
    }
    if (f.count) let_go(&f, f.heap[0].bound);
    return larger(0, smaller(f.closed, d->best));
}

/* The plane of planar bodies, in the frame of the search; or one through the common axis of two bodies of revolution, where
 * s(n) is the same all round. */
static void span_plane(depth_search* d)
{
    const side* s = &d->task->a;
    wit_vec3 z, other;
    d->corners = 4;
    if (s->body->planar) {
        const shape_frame* frame = &body_surface(s->body, 0)->frame;
        d->plane[0] = side_vector(s, frame->x);
        d->plane[1] = side_vector(s, frame->y);
        d->planar = true;
        d->corners = 2;
    } else if (wi_common_axis(d->task, &z)) {
        complete3(z, &d->plane[1], &other);
        d->plane[0] = z;
        d->corners = 2;
    }
}

/* ---- half-spaces ---------------------------------------------------------------------------- */

static bool is_half_space(const side* s)
{
    const wit_body* b = s->body;
    return b->unbounded && b->face_count == 1 && !b->edge_count && !b->vertex_count &&
           body_surface(b, 0)->kind == WIT_SURFACE_PLANE;
}

/* One direction is left: that of the plane. */
static bool half_space_depth(const search_task* t, bool first, double tolerance, wit_work* work, penetration* out)
{
    const side *plane = first ? &t->a : &t->b, *body = first ? &t->b : &t->a;
    const shape_frame* f = &body_surface(plane->body, 0)->frame;
    wit_vec3 m;
    if (body->body->unbounded || !is_half_space(plane) || !wi_side_normal(plane, 0, 0, 0, &m)) return false;
    wit_vec3 down = scale3(-1, m);
    support s = wi_support_of(body, down, work);
    double height = dot3(m, side_point(plane, f->o));
    double value = height + s.value;
    double upper = height + wi_support_upper(body, down, s.value, larger(0.25 * tolerance, t->floor),
                                             t->units ? 64 : t->budget, work);
    wit_vec3 foot = addscaled3(s.at.p, value, m), r = sub3(side_unpoint(plane, foot), f->o);
    place on_plane = place_at(WIT_FACE, 0, dot3(r, f->x), dot3(r, f->y), foot);
    place on_body = wi_side_lowest(body, &s.at, t->floor);
    *out = (penetration){.normal = first ? m : down, .depth = value};
    out->a = first ? on_plane : on_body;
    out->b = first ? on_body : on_plane;
    double slack = body->body->tolerance + ROUNDING * t->floor;
    out->lower = larger(0, value - slack);
    out->upper = upper + slack;
    out->closed = out->upper - out->lower <= tolerance;
    return true;
}

/* ---- a plane between -------------------------------------------------------------------------- */

/* The point of the segment from v to p that is nearest to the origin. */
static wit_vec3 nearest_to_origin(wit_vec3 v, wit_vec3 p)
{
    wit_vec3 w = sub3(p, v);
    double square = dot3(w, w), x = square > 0 ? -dot3(v, w) / square : 0;
    return addscaled3(v, smaller(1, larger(0, x)), w);
}

static bool boxes_apart(const wit_box* a, const wit_box* b, double slack)
{
    return a->hi.x + slack < b->lo.x || b->hi.x + slack < a->lo.x || a->hi.y + slack < b->lo.y ||
           b->hi.y + slack < a->lo.y || a->hi.z + slack < b->lo.z || b->hi.z + slack < a->lo.z;
}

/* Towards the point v of b - a, made of support points, that is nearest to the origin: while v is not zero, b - a lies
 * beyond a plane across it once the support there does. */
bool wi_plane_between(const search_task* t, wit_work* work)
{
    enum { STEPS = 16 };
    if (t->a.body->unbounded || t->b.body->unbounded) return false;
    wit_box a = wi_side_box(&t->a), b = wi_side_box(&t->b);
    wit_vec3 v = scale3(0.5, sub3(add3(b.lo, b.hi), add3(a.lo, a.hi)));
    double slack = t->a.body->tolerance + t->b.body->tolerance + t->floor;
    if (boxes_apart(&a, &b, slack)) return true;
    for (int k = 0; k < STEPS && task_may(t, work); ++k) {
        wit_vec3 n = unit3(v);
        if (!(dot3(n, n) > 0)) return false;
        support x = wi_support_of(&t->a, n, work), y = wi_support_of(&t->b, scale3(-1, n), work);
        if (x.value + y.value < -slack) return true;
        wit_vec3 p = sub3(y.at.p, x.at.p);
        v = k ? nearest_to_origin(v, p) : p;
    }
    return false;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Where work is counted by units: does what begins the search and what ends it fit, at what a pair of supports costs here? */
static bool affordable(depth_search* d)
{
    enum { PAIRS_OF_SUPPORTS = 96, BEYOND = 700 };
    const search_task* t = d->task;
    if (!t->units) return true;
    int64_t before = d->work->jets, left = t->units - d->work->nodes - before;
    wi_depth_at(d, d->corners == 2 ? d->plane[0] : vec3(0, 0, 1));
    return (d->work->jets - before) * PAIRS_OF_SUPPORTS < left + BEYOND;
}

static int64_t smaller_count(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

bool wi_penetration_search(const search_task* task, bool convex, double tolerance, wit_work* work, penetration* out)
{
    const wit_body *a = task->a.body, *b = task->b.body;
    if (a->unbounded) return half_space_depth(task, true, tolerance, work, out);
    if (b->unbounded) return half_space_depth(task, false, tolerance, work, out);
    if (convex && wi_ball_depth(task, tolerance, work, out)) return true;
    depth_search d = {.task = task, .work = work, .best = INFINITY};
    span_plane(&d);
    if (!affordable(&d)) return false;
    double slack = a->tolerance + b->tolerance + ROUNDING * task->floor;
    double lower = search_cells(&d, tolerance);
    *out = (penetration){.normal = d.normal, .apart = d.best < 0};
    if (out->apart) return true;
    wi_depth_places(&d, out);
    wit_vec3 n = out->normal, back = scale3(-1, n);
    double room = larger(0.125 * tolerance, 0.5 * task->floor);
    support sa = wi_support_of(&task->a, n, work), sb = wi_support_of(&task->b, back, work);
    int64_t cuts = (task->budget - work->nodes) / 2;
    if (task->units) cuts = smaller_count(cuts, (task->units - work->nodes - work->jets) / 2);
    double upper = wi_support_upper(&task->a, n, sa.value, room, cuts, work);
    upper += wi_support_upper(&task->b, back, sb.value, room, cuts, work);
    out->lower = larger(0, smaller(lower - slack, out->depth));
    out->upper = larger(upper + slack, out->depth);
    out->closed = out->upper - out->lower <= tolerance;
    return true;
}
