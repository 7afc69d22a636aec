/* SPDX-License-Identifier: MIT */
/*
 * Best first over cells of directions. A cell is the cone about its corners n_k: four of them, of planar bodies two. For any p
 * = x - y, x in a, y in b, s(n) = h_a(n) + h_b(-n) >= p.n, and over the cell p.n >= min p.n_k where that is not
 * negative (a positive combination of unit vectors with weights of sum 1 is no longer than 1). The best p among
 * combinations of known support points gives the bound of the cell (direction_game.c).
 */
#include "penetration.h"

#include <string.h>

#include "../../base/open_list.h"
#include "../half_space.h"
#include "penetration_search.h"
#include "direction_game.h"

typedef struct direction_cell {
    double bound;
    wit_vec3 n[GAME_CORNERS];
    wit_vec3 p[GAME_CORNERS];
} direction_cell;

static const heap_kind OPEN_CELLS = {sizeof(direction_cell), open_item_before};

typedef struct front {
    depth_search* d;
    open_list open;
    double tolerance;
} front;

static void insert(front* f, const direction_cell* c)
{
    if (c->bound >= f->d->best - 0.5 * f->tolerance)
        open_leave_out(&f->open, c->bound);
    else if (open_push(&f->open, &OPEN_CELLS, c))
        work_open(f->d->work, f->open.queue.count);
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
    d->spent = d->spent || !task_may(d->task, d->work);
    if (d->spent) return;
    work_nodes(d->work, 1);
    for (int k = 0; k < corners; ++k) p[count++] = c->p[k];
    p[count++] = wi_depth_at(d, middle(c->n, corners));
    for (int k = 0; k < d->recent_count; ++k) p[count++] = d->recent[k];
    wit_vec3 toward;
    double least = wi_direction_game(count, p, corners, c->n, w, &toward) - DEPTH_ROUNDING * d->task->floor;
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
    int64_t keep = d->task->in_step ? 0 : d->task->units / 4;
    return task_may_spend(d->task, d->work, keep > PAIR_UNITS ? keep : PAIR_UNITS);
}

/* Returns the lower bound that was reached. */
static double search_cells(depth_search* d, double tolerance)
{
    size_t fits = d->task->memory.bytes / sizeof(direction_cell);
    int capacity = fits < (size_t)1 << 26 ? (int)fits : 1 << 26;
    front f = {.d = d, .open = open_list_over(d->task->memory.memory, capacity), .tolerance = tolerance};
    if (d->corners == 2)
        begin_arcs(&f);
    else
        begin_quads(&f);
    while (f.open.queue.count) {
        if (d->spent || d->best < d->least || open_least(&f.open) >= d->best - 0.5 * tolerance || !may_go_on(d)) break;
        direction_cell c;
        open_pop(&f.open, &OPEN_CELLS, &c);
        if (d->corners == 2)
            split_arc(&f, &c);
        else
            split_quad(&f, &c);
    }
    return larger(0, smaller(open_lower_bound(&f.open), d->best));
}

/* The plane of planar bodies, in the frame of the search; or one through the common axis of two bodies of revolution, where
 * s(n) is the same all round. */
void wi_depth_plane(depth_search* d)
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
bool wi_plane_between(const search_task* t, wit_work* work, wit_vec3* normal)
{
    enum { STEPS = 16 };
    *normal = vec3(0, 0, 0);
    if (t->a.body->unbounded || t->b.body->unbounded) return false;
    wit_box a = wi_side_box(&t->a), b = wi_side_box(&t->b);
    wit_vec3 v = scale3(0.5, sub3(add3(b.lo, b.hi), add3(a.lo, a.hi)));
    double slack = t->a.body->tolerance + t->b.body->tolerance + t->floor;
    if (boxes_apart(&a, &b, slack)) return true;
    for (int k = 0; k < STEPS && task_may(t, work); ++k) {
        wit_vec3 n = unit3(v);
        if (!(dot3(n, n) > 0)) return false;
        support x = wi_support_of(&t->a, n, work), y = wi_support_of(&t->b, scale3(-1, n), work);
        if (x.partial || y.partial) return false;
        if (x.value + y.value < -slack) {
            *normal = n;
            return true;
        }
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
    int64_t before = d->work->jets, left = work_left(d->work, t->units);
    wi_depth_at(d, d->corners == 2 ? d->plane[0] : vec3(0, 0, 1));
    return !d->spent && (d->work->jets - before) * PAIRS_OF_SUPPORTS < left + BEYOND;
}

static int64_t smaller_count(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

depth_end wi_penetration_above(const search_task* task, wit_vec3 toward, double least, double tolerance, wit_work* work,
                               penetration* out)
{
    const wit_body *a = task->a.body, *b = task->b.body;
    depth_search d = {.task = task, .work = work, .best = INFINITY, .least = least};
    wi_depth_plane(&d);
    if (!affordable(&d)) return DEPTH_SPENT;
    double slack = a->tolerance + b->tolerance + DEPTH_ROUNDING * task->floor;
    if (dot3(toward, toward) > 0.5) wi_depth_at(&d, toward);
    double lower = search_cells(&d, tolerance);
    if (d.spent) return DEPTH_SPENT;
    *out = (penetration){.normal = d.normal, .apart = d.best < 0};
    if (d.best < least) return DEPTH_BELOW;
    wi_depth_places(&d, out);
    wit_vec3 n = out->normal, back = scale3(-1, n);
    double room = larger(0.125 * tolerance, 0.5 * task->floor);
    support sa = wi_support_of(&task->a, n, work), sb = wi_support_of(&task->b, back, work);
    if (d.spent) return DEPTH_SPENT;
    int64_t cuts = (task->budget - work->nodes) / 2;
    if (task->units) cuts = smaller_count(cuts, work_left(work, task->units) / 2);
    double upper = wi_support_upper(&task->a, n, sa.value, room, cuts, work);
    upper += wi_support_upper(&task->b, back, sb.value, room, cuts, work);
    out->lower = larger(0, smaller(lower - slack, out->depth));
    out->upper = larger(upper + slack, out->depth);
    out->closed = out->upper - out->lower <= tolerance;
    return DEPTH_FOUND;
}

bool wi_penetration_search(const search_task* task, double exceed, double tolerance, wit_work* work, penetration* out)
{
    const wit_body *a = task->a.body, *b = task->b.body;
    if (a->unbounded) return wi_half_space_depth(task, true, tolerance, work, out);
    if (b->unbounded) return wi_half_space_depth(task, false, tolerance, work, out);
    if (exceed < INFINITY && wi_ball_depth(task, tolerance, work, out)) {
        out->upper += exceed;
        return true;
    }
    if (wi_penetration_above(task, vec3(0, 0, 0), 0, tolerance, work, out) == DEPTH_SPENT) return false;
    /* Directions as good as the tolerance need not have a pair: the plane of a face may be left by the other body beside that
     * face. Then the search is narrowed, where the bodies are their hulls. */
    for (double narrow = tolerance / 64; exceed < INFINITY && narrow >= task->floor; narrow /= 64) {
        penetration again;
        if (out->apart || penetration_is_pair(task, out)) break;
        if (wi_penetration_above(task, out->normal, 0, narrow, work, &again) != DEPTH_FOUND) break;
        again.closed = again.upper - again.lower <= tolerance;
        *out = again;
    }
    return true;
}
