/* SPDX-License-Identifier: MIT */
/*
 * The nearest place of a body to a point, best first: a heap of nodes of the bounding tree and of pieces of leaves, by
 * lower bounds of their squared distance. It ends when no open bound is below the upper bound less the tolerance.
 */
#include <string.h>

#include "../half_space.h"
#include "point_local.h"
#include "../../pair/lowest_place.h"
#include "point_search.h"
#include "closed_bound.h"

enum {
    DEPTH_MOST = 120,
    BOUND_AGAIN = 16,       /* halvings after which the derivatives are bounded again */
    BOUND_AGAIN_UNEVEN = 2, /* the same near poles, where they vanish, and where they change much */
};

/* An open node: ref >= 0 a node of the tree, else the cell ~ref. */
typedef struct open_node {
    double bound;
    int32_t ref;
} open_node;

static const heap_kind OPEN_NODES = {sizeof(open_node), open_item_before};

/* Cells that are in use and those that are free again. */
typedef struct cell_store {
    point_cell* cells;
    int count, capacity, free; /* used so far; room; first free one, -1: none */
} cell_store;

static size_t entry_bytes(void)
{
    return sizeof(open_node) + sizeof(point_cell);
}

size_t wi_point_search_bytes(int capacity)
{
    return (size_t)capacity * entry_bytes();
}

static void lay_out(const scratch* memory, cell_store* h, open_list* open)
{
    size_t room = memory->bytes / entry_bytes();
    int capacity = room < INT32_MAX / 2 ? (int)room : INT32_MAX / 2;
    *h = (cell_store){memory->memory, 0, capacity, -1};
    *open = open_list_over((char*)memory->memory + (size_t)capacity * sizeof(point_cell), capacity);
}

static bool push(point_run* s, double bound, int32_t ref)
{
    const open_node n = {bound, ref};
    return open_push(&s->open, &OPEN_NODES, &n);
}

/* A free cell, or -1. */
static int cell_take(cell_store* h)
{
    int i = h->free;
    if (i >= 0)
        h->free = h->cells[i].next;
    else if (h->count < h->capacity)
        i = h->count++;
    return i;
}

static void cell_give(cell_store* h, int i)
{
    h->cells[i].next = h->free;
    h->free = i;
}

/* ---- cells --------------------------------------------------------------------------------- */

/* Examines cell i; keeps it open or gives it back. Without room its bound is retained. */
static void try_cell(point_run* s, cell_store* h, int i, double bound)
{
    double own = bound;
    if (run_spent(s, EXAMINE_UNITS) || wi_point_examine(s, &h->cells[i], bound, &own)) {
        if (push(s, own, ~i)) return;
    }
    cell_give(h, i);
}

static void bound_again(const point_run* s, point_cell* c)
{
    wit_interval u = iv(c->lo[0], c->hi[0]), v = iv(c->lo[1], c->hi[1]);
    if (c->depth % (c->uneven ? BOUND_AGAIN_UNEVEN : BOUND_AGAIN) || run_spent(s, 1)) return;
    if (c->kind == WIT_EDGE) {
        wit_curve_bounds b;
        work_tests(s->work, 1);
        wit_curve_bound(body_curve(s->body, c->feature), u, &b);
        c->d1[0] = smaller(c->d1[0], b.d1);
        c->d2[0] = smaller(c->d2[0], b.d2);
        c->d3[0] = smaller(c->d3[0], b.d3);
        return;
    }
    const wit_surface* surface = body_surface(s->body, c->feature);
    wit_surface_bounds b;
    work_tests(s->work, 1);
    wit_surface_bound(surface, u, v, &b);
    const double d1[2] = {b.du, b.dv}, d2[3] = {b.duu, b.duv, b.dvv}, d3[4] = {b.duuu, b.duuv, b.duvv, b.dvvv};
    for (int i = 0; i < 2; ++i) c->d1[i] = smaller(c->d1[i], d1[i]);
    for (int i = 0; i < 3; ++i) c->d2[i] = smaller(c->d2[i], d2[i]);
    for (int i = 0; i < 4; ++i) c->d3[i] = smaller(c->d3[i], d3[i]);
}

/* What part of a trimmed face the cell is. */
static void tag_again(const point_run* s, point_cell* c)
{
    if (c->tag != TRIM_MIXED || run_spent(s, 1)) return;
    const body_face* f = &body_faces(s->body)[c->feature];
    trim_curves curves = body_trim_curves(s->body, f);
    curves.work = s->work;
    curves.units = s->task->units;
    work_tests(s->work, 1);
    c->tag = (uint8_t)wi_trim_classify(&f->trim, body_at(s->body, f->trim_block), &curves, iv(c->lo[0], c->hi[0]),
                                       iv(c->lo[1], c->hi[1]));
}

static void split_cell(point_run* s, cell_store* h, int i, double bound)
{
    int other = cell_take(h), k = h->cells[i].split;
    point_cell *low = &h->cells[i], *high = &h->cells[other < 0 ? 0 : other];
    double middle = 0.5 * (low->lo[k] + low->hi[k]);
    bool thin = !(middle > low->lo[k] && middle < low->hi[k]) || low->depth >= DEPTH_MOST;
    if (other < 0 || thin) {
        run_drop(s, bound);
        if (other >= 0) cell_give(h, other);
        cell_give(h, i);
        return;
    }
    ++low->depth;
    *high = *low;
    low->hi[k] = high->lo[k] = middle;
    int both[2] = {i, other};
    for (int n = 0; n < 2; ++n) {
        point_cell* c = &h->cells[both[n]];
        tag_again(s, c);
        if (c->tag == TRIM_OUT) {
            cell_give(h, both[n]);
            continue;
        }
        bound_again(s, c);
        try_cell(s, h, both[n], bound);
    }
}

/* ---- the tree ------------------------------------------------------------------------------ */

/*
 * Where the tangent of an edge breaks, inside or at the seam of a ring, the nearest place can be without a vertex to carry
 * it, and neither piece has a stationary place. Each piece answers for its lower end. Where nothing breaks it is a place like
 * any other.
 */
static void try_start(point_run* s, const tree_node* n)
{
    const body_edge* e = &body_edges(s->body)[n->feature];
    bool vertex = n->u.lo <= e->range.lo && e->start >= 0;
    if (vertex || !made_of_pieces(s->body, WIT_EDGE, n->feature)) return;
    double x[2] = {n->u.lo, 0};
    noisy_jet j = {.p = 0};
    if (s->rigorous)
        wi_point_enclosed_jet(s, WIT_EDGE, n->feature, x, &j);
    else
        plain_jet(s, WIT_EDGE, n->feature, x, WIT_KNOT_DEFAULT, &j.j);
    wit_vec3 r = sub3(j.j.p, s->q);
    double least = larger(0, norm3(r) * (1 - ROUNDING) - j.p);
    wi_point_offer(s, WIT_EDGE, n->feature, x[0], 0, dot3(r, r));
    run_drop(s, least * least * (1 - ROUNDING));
}

static void try_leaf(point_run* s, cell_store* h, const tree_node* n, double bound)
{
    const search_task* t = s->task;
    wit_feature_kind kind = (wit_feature_kind)n->kind;
    if (!side_counts(&t->a, kind, n->feature)) return;
    if (kind == WIT_VERTEX) {
        wit_vec3 r = sub3(body_vertices(s->body)[n->feature].point, s->q);
        work_nodes(s->work, 1);
        wi_point_offer(s, kind, n->feature, 0, 0, dot3(r, r));
        run_drop(s, bound);
        return;
    }
    double closed = wi_closed_bound_point(&t->a, kind, n->feature, t->b.t);
    bound = larger(bound, closed * closed * (1 - 8 * DBL_EPSILON));
    if (bound >= s->keep) {
        run_drop(s, bound);
        return;
    }
    if (kind == WIT_EDGE) try_start(s, n);
    int i = cell_take(h);
    if (i < 0) {
        run_drop(s, bound);
        return;
    }
    point_cell* c = &h->cells[i];
    wit_interval range[2] = {n->u, n->v};
    bool clipped = s->body->unbounded && wi_half_space_clip(&t->a, n, range);
    wit_interval u = range[0], v = range[1];
    if (clipped && !(u.lo <= u.hi && v.lo <= v.hi)) {
        cell_give(h, i);
        return;
    }
    c->lo[0] = u.lo, c->hi[0] = u.hi, c->lo[1] = v.lo, c->hi[1] = v.hi;
    const leaf_bounds* b = &body_leaf_bounds(s->body)[n->bounds];
    memcpy(c->d1, b->d1, sizeof c->d1);
    memcpy(c->d2, b->d2, sizeof c->d2);
    memcpy(c->d3, b->d3, sizeof c->d3);
    c->feature = n->feature;
    c->kind = n->kind;
    c->tag = n->tag;
    c->depth = c->split = 0;
    c->uneven = false;
    c->pieces = made_of_pieces(s->body, kind, n->feature);
    if (!wi_point_turned_away(s, c, &n->box, &b->cone)) {
        try_cell(s, h, i, bound);
        return;
    }
    work_nodes(s->work, 1);
    cell_give(h, i);
}

/* Down from a node, the nearer child first, as long as it is the nearest of all that is open. */
static void try_node(point_run* s, cell_store* h, int32_t node, double bound)
{
    const tree_node* nodes = body_nodes(s->body);
    enum { LEAST = 8 }; /* two nodes, and a look at a leaf */
    while (nodes[node].child[0] >= 0) {
        if (run_spent(s, LEAST)) {
            push(s, bound, node);
            return;
        }
        const int32_t* child = nodes[node].child;
        double d[2] = {box_square(&nodes[child[0]].box, s->q), box_square(&nodes[child[1]].box, s->q)};
        int near = d[1] < d[0];
        work_nodes(s->work, 2);
        if (d[1 - near] >= s->keep)
            run_drop(s, d[1 - near]);
        else
            push(s, d[1 - near], child[1 - near]);
        node = child[near];
        bound = d[near];
        if (bound >= s->keep) {
            run_drop(s, bound);
            return;
        }
        if (open_least(&s->open) < bound) {
            push(s, bound, node);
            return;
        }
    }
    try_leaf(s, h, &nodes[node], bound);
}

/* ---- the search ---------------------------------------------------------------------------- */

/* What is kept for the end: the jet of the place that is named; in rigorous mode its enclosure. */
enum { NAMED = 1, ENCLOSED = 1 };

static int64_t kept_for_end(const search_task* t)
{
    return NAMED + (t->rigorous ? ENCLOSED : 0);
}

static void name_place(const point_run* s, search_answer* out)
{
    const search_task* t = s->task;
    const point_best* b = &s->best;
    place at = place_at(b->kind, b->id, b->u, b->v, vec3(0, 0, 0));
    wit_surface_jet j;
    wi_side_jet(&t->a, &at, WIT_KNOT_DEFAULT, NULL, &j);
    at.p = j.p;
    double here = norm3(sub3(j.p, t->b.t));
    place lowest = wi_lowest_place(&t->a, &at, 2 * t->floor);
    double there = norm3(sub3(lowest.p, t->b.t));
    bool same = fabs(there - here) <= 2 * t->floor;
    out->a = same ? lowest : at;
    out->upper = same ? there : here;
}

/* The largest distance of q from a point of the body's box. */
static double farthest(const point_run* s)
{
    const wit_box* b = &s->body->box;
    wit_box about = {sub3(b->lo, s->q), sub3(b->hi, s->q)};
    return box_reach(&about) * (1 + 4 * DBL_EPSILON);
}

/* No place was tried: any there is. False: none counts, or one is not to be had within the work. */
static bool stored_place(const point_run* s, search_answer* out)
{
    if (!wi_side_any_place(&s->task->a, &out->a)) return false;
    out->upper = norm3(sub3(out->a.p, s->task->b.t));
    if (s->rigorous && side_spent(&s->task->a, ENCLOSED)) out->upper = larger(out->upper, farthest(s));
    return true;
}

/* The nearest place, named; in rigorous mode its error is added. */
static void write_place(point_run* s, search_task* own, int64_t units, search_answer* out)
{
    out->b = place_at(WIT_POINT, -1, 0, 0, own->b.t);
    bool isolated = s->best.square < INFINITY && wi_point_polish(s);
    task_limit(own, units, own->rigorous ? ENCLOSED : 0);
    if (s->best.square < INFINITY)
        name_place(s, out);
    else if (!stored_place(s, out))
        return;
    out->isolated = isolated && out->a.kind == WIT_FACE;
    task_limit(own, units, 0);
    /* the place itself is known up to an error, which the upper bound must hold */
    if (s->rigorous && !side_spent(&own->a, ENCLOSED))
        out->upper = (out->upper + wi_side_place_error(&own->a, &out->a)) * (1 + 8 * DBL_EPSILON);
}

/* Some place of a leaf: its middle, and where a descent from there ends. A trimmed face has edges, which tell without a
 * question. */
static void offer_leaf(point_run* s, const tree_node* n)
{
    wit_feature_kind kind = (wit_feature_kind)n->kind;
    const side* a = &s->task->a;
    if (!side_counts(a, kind, n->feature) || (kind == WIT_FACE && n->tag == TRIM_MIXED)) return;
    wit_interval range[2] = {n->u, n->v};
    bool closed[2];
    if (kind == WIT_FACE && body_faces(s->body)[n->feature].unbounded)
        wi_side_range(a, kind, n->feature, range, closed);
    double u = kind == WIT_VERTEX ? 0 : iv_mid(range[0]), v = kind == WIT_FACE ? iv_mid(range[1]) : 0;
    wit_surface_jet j;
    wi_side_jet(a, &(place){.kind = kind, .id = n->feature, .u = u, .v = v}, WIT_KNOT_DEFAULT, NULL, &j);
    wit_vec3 r = sub3(j.p, s->task->b.t);
    /* of a leaf that no trim runs through there is nothing to ask */
    s->best = (point_best){dot3(r, r), kind, n->feature, u, v};
    wi_point_keep(s);
    if (kind != WIT_VERTEX) wi_point_descend(s, kind, n->feature, u, v, 1e-3 * task_tolerance(s->task, 0));
}

/* The work ended before any place was tried: the first there is, nearer boxes first, if one is found within the work. */
static void any_place(point_run* s)
{
    const tree_node* nodes = body_nodes(s->body);
    tree_walk walk;
    for (tree_walk_start(&walk, 1); walk.count && !(s->best.square < INFINITY) && !run_spent(s, 2);) {
        const tree_node* n = &nodes[tree_walk_next(&walk)];
        work_boxes(s->work, 1);
        if (n->child[0] < 0)
            offer_leaf(s, n);
        else
            tree_walk_down(&walk, n,
                           box_square(&nodes[n->child[1]].box, s->q) < box_square(&nodes[n->child[0]].box, s->q));
    }
}

static void finish(point_run* s, search_task* own, int64_t units, search_answer* out)
{
    const search_task* t = s->task;
    double low = sqrt(open_lower_bound(&s->open)), before;
    if (s->rigorous)
        low *= 1 - 4 * DBL_EPSILON;
    else
        low -= 0.25 * t->floor;
    before = low;
    if (s->border_tolerance > 0 && low < INFINITY) {
        double border = larger(sqrt(s->border_least) * (1 - 4 * DBL_EPSILON), low - s->border_tolerance);
        low = smaller(low, border);
    }
    out->full = s->open.full;
    out->upper = INFINITY;
    out->lower = larger(0, low);
    bool beyond = !(low < t->within) && !(s->best.square < INFINITY), empty = wi_side_empty(&t->a);
    if (beyond || empty) {
        out->end = empty ? SEARCH_EMPTY : SEARCH_BEYOND;
        if (empty) out->lower = INFINITY;
        return;
    }
    if (!(s->best.square < INFINITY)) any_place(s);
    write_place(s, own, units, out);
    if (out->lower > out->upper) out->lower = out->upper;
    if (before > out->upper) before = out->upper;
    out->slack = larger(0, before - low);
    if (low > t->within && out->upper > t->within)
        out->end = SEARCH_BEYOND;
    else
        out->end = out->upper - before <= task_tolerance(t, out->upper) ? SEARCH_CLOSED : SEARCH_BUDGET;
}

void wi_point_search(const search_task* task, search_answer* out)
{
    cell_store cells;
    point_run s;
    memset(out, 0, sizeof *out);
    memset(&s, 0, sizeof s);
    search_task own = task_of_search(task, &out->work);
    s.task = &own;
    s.body = task->a.body;
    s.work = &out->work;
    s.q = side_unpoint(&task->a, task->b.t);
    s.rigorous = task->rigorous;
    s.best.square = s.border_least = INFINITY;
    s.eager = true;
    task_limit(&own, task->units, kept_for_end(task));
    wi_point_keep(&s);
    lay_out(&task->memory, &cells, &s.open);
    push(&s, box_square(&body_nodes(s.body)[0].box, s.q), 0);
    while (s.open.queue.count) {
        wi_point_relax(&s);
        if (open_least(&s.open) >= s.keep || !task_may_spend(task, s.work, SEARCH_END_UNITS)) break;
        work_open(s.work, s.open.queue.count);
        open_node n;
        open_pop(&s.open, &OPEN_NODES, &n);
        if (n.ref >= 0)
            try_node(&s, &cells, n.ref, n.bound);
        else
            split_cell(&s, &cells, ~n.ref, n.bound);
    }
    finish(&s, &own, task->units, out);
}
