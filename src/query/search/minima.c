/* SPDX-License-Identifier: MIT */
/*
 * Every local minimum: branch and bound over pairs of cells, nothing left out for being farther than the best.
 *
 * A pair of cells ends when its lower bound is above the cut-off; when no minimum can lie in it (a slope or a curvature
 * has one sign; normals that would have to be parallel are not; the way to the other body begins in the body's own inside);
 * or when the squared distance is convex over it: then the descent within the cells finds the one stationary set or its
 * absence. The rest is halved, nearest first down to COARSE, then largest first, until it is decided or so small that two
 * minima in it would be one (RESOLUTION): what is left there is degenerate, and where its descent ends is taken without a proof; if
 * that is nowhere, the list is not called complete.
 *
 * Where the closest set is a curve or an area the halving would not end. Pairs below COARSE whose descent ends on a
 * continuum that is known end there. That is a decision only if a closed form confirms the distance for the whole
 * shapes; else the list is not called complete.
 */
#include <string.h>

#include "../../base/arena.h"
#include "../../base/heap.h"
#include "minima_cone.h"
#include "minima_list.h"
#include "pair_bound.h"
#include "../../pair/places_around.h"
#include "../../pair/refine.h"
#include "../../pair/lowest_place.h"
#include "point_search.h"
#include "pair_search.h"
#include "minima.h"

/* Units that a pair of cells takes before its descents, which look at the account: a node, cones, trims; and halving. */
enum { MEET_UNITS = 3, HALVE_UNITS = 2 * CELL_SPLIT_UNITS + 2 };
enum { STEPS = 60, PROBE_STEPS = 8, POLISH = 12, BEYOND_STEPS = 20, PROBE_EVERY = 6, VISITED = 32 };
#define COARSE 0.05     /* of the size */
#define RESOLUTION 1e-6 /* of the size */
#define STRIP 1e-2      /* of the size: pieces of flat faces along their trims are cut no finer */
#define BORDER 1e-6     /* of a cell: how far the descent may step over its border */
#define FLAT 1e-9       /* eigenvalue of the Hessian that counts as zero */
#define LEVEL_AXIS 1e-4 /* eigenvalue */
#define CLUSTER                                                                                                        \
    1e-4            /* of the size: the smallest pairs so near to one that has been looked at are not looked at again */
#define BEYOND 4e-3 /* of the size: a fall by the fourth power shows there */
#define FALL 1e-13  /* of the distance or the size */
#define STRAIGHT 1e-13 /* of the reach: second-order terms that count as none */

typedef struct open_pair {
    double key;
    int32_t a, b;
    int32_t stage; /* 0: by the lower bound; 1: below COARSE, by size */
    int32_t next;  /* halvings until the next probe */
} open_pair;

typedef struct minima_run {
    const search_task* task;
    cell_pool pool;
    cone_store cones;
    heap open;
    minima_list list;
    bool unresolved;           /* some pair ended undecided */
    place visited[VISITED][2]; /* where the last descents from the smallest pairs ended */
    int visits;
    wit_work* work; /* the task's */
} minima_run;

/* ---- what is open ---------------------------------------------------------------------------------- */

static bool before(const void* first, const void* second)
{
    const open_pair *x = first, *y = second;
    if (x->stage != y->stage) return x->stage < y->stage;
    if (x->key != y->key) return x->key < y->key;
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static const heap_kind OPEN_PAIRS = {sizeof(open_pair), before};

static void push(minima_run* s, open_pair p)
{
    if (!heap_push(&s->open, &OPEN_PAIRS, &p)) s->unresolved = true;
    work_open(s->work, s->open.count);
}

/* ---- no minimum ---------------------------------------------------------------------------- */

/* How far entry (i, j) of the Hessian can be from that at the middles. */
static double spread_of(const cell* a, const cell* b, const pair_form* form, int i, int j)
{
    const cell *c = i < form->na ? a : b, *d = j < form->na ? a : b;
    int p = i < form->na ? i : i - form->na, q = j < form->na ? j : j - form->na;
    double x = c->len[p] * d->t[q] + d->len[q] * c->t[p] + c->t[p] * d->t[q];
    if (c == d) x += form->length * c->s[p + q] + (form->lin + form->e2) * c->d2[p + q];
    double size = c->d1[p] * d->d1[q] + (c == d ? form->length * c->d2[p + q] : 0);
    return x + 64 * DBL_EPSILON * size;
}

/* All over the pair the second derivative along the steepest fall of the Hessian (in arc length) is negative. */
static bool is_saddle(const cell* a, const cell* b, const pair_form* form)
{
    int n = form->n;
    double h[SOLVE_MAX * SOLVE_MAX], values[SOLVE_MAX], vectors[SOLVE_MAX * SOLVE_MAX], sum = 0;
    if (n < 2) return false;
    for (int i = 0; i < n; ++i)
        if (!(form->w[i] > 0)) return false;
    for (int i = 0; i < n * n; ++i) h[i] = form->H[i] / (form->w[i / n] * form->w[i % n]);
    if (wi_cholesky_factor(n, h, vectors) || !wi_eigen_symmetric(n, h, values, vectors) || !(values[0] < 0))
        return false;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            sum += fabs(vectors[i] * vectors[j]) * spread_of(a, b, form, i, j) / (form->w[i] * form->w[j]);
    return values[0] + sum < 0;
}

/* ---- descents ------------------------------------------------------------------------------ */

/* A cell's parameters widened by `share` of it, held in the range of the feature unless that is closed. */
static void bounds_about(const side* s, const cell* c, double share, wit_interval out[2])
{
    wit_interval range[2];
    bool closed[2];
    out[0] = iv_point(c->mid[0]);
    out[1] = iv_point(c->mid[1]);
    if (!s->body) return;
    wi_side_range(s, (wit_feature_kind)c->kind, c->id, range, closed);
    for (int i = 0; i < c->count; ++i) {
        out[i] = iv(c->mid[i] - (1 + share) * c->h[i], c->mid[i] + (1 + share) * c->h[i]);
        if (!closed[i]) out[i] = iv(larger(out[i].lo, range[i].lo), smaller(out[i].hi, range[i].hi));
    }
}

static void descend(minima_run* s, const cell* a, const cell* b, double share, int steps, refine_bounds* box,
                    refined* r)
{
    place pa = wi_cell_place(a), pb = wi_cell_place(b);
    bounds_about(&s->task->a, a, share, box->a);
    bounds_about(&s->task->b, b, share, box->b);
    wi_refine_pair(&s->task->a, &pa, &s->task->b, &pb, box, (refine_effort){steps, 0}, r);
    work_solves(s->work, 1);
}

typedef enum slope { SLOPE_NONE, SLOPE_HELD, SLOPE_FREE } slope;

/* Whether the slopes vanish, or those that do not push against a bound, or neither. */
static slope slope_of(const minima_run* s, const refined* r, const refine_bounds* box)
{
    double level = wi_minimum_level(&s->task->pair, r->distance);
    slope all = SLOPE_NONE;
    for (int i = 0; i < r->n; ++i) {
        wit_interval x = i < r->na ? box->a[i] : box->b[i - r->na];
        if (!(x.lo < x.hi) || !(fabs(r->g[i]) > level * r->w[i])) continue; /* a kink has no slope of its own */
        bool held = r->g[i] > 0 ? r->x[i] <= x.lo : r->x[i] >= x.hi;
        if (!held) return SLOPE_FREE;
        all = SLOPE_HELD;
    }
    return all;
}

typedef struct ending {
    bool inside; /* the place lies in both faces */
    minimum_kind kind;
    int entry; /* in the list, -1: none */
    place a, b;
} ending;

/*
 * Steps of Newton's over the directions in which the Hessian is clearly positive, the others left alone: lands on a
 * continuum where the descent only creeps.
 */
static void polish(minima_run* s, const refine_bounds* box, refined* r)
{
    const search_task* t = s->task;
    double before = INFINITY;
    for (int step = 0; step < POLISH; ++step) {
        double values[SOLVE_MAX], vectors[SOLVE_MAX * SOLVE_MAX], length = 0;
        int count = wi_refine_spectrum(r, box, values, vectors);
        place from[2] = {r->a, r->b};
        double* x[SOLVE_MAX] = {&from[0].u, &from[0].v, &from[1].u, &from[1].v};
        double move[SOLVE_MAX] = {0};
        for (int k = 0; k < count; ++k) {
            if (!(values[k] > LEVEL_AXIS)) continue;
            double along = 0;
            for (int i = 0; i < r->n; ++i) along += vectors[k * r->n + i] * r->g[i];
            for (int i = 0; i < r->n; ++i) move[i] -= along / values[k] * vectors[k * r->n + i];
            length = larger(length, fabs(along / values[k]));
        }
        if (!(length > t->floor) || !(length < 0.5 * before)) return;
        before = length;
        for (int i = 0; i < r->n; ++i) *x[i < r->na ? i : 2 + i - r->na] = r->x[i] + move[i];
        refined next;
        wi_refine_pair(&t->a, &from[0], &t->b, &from[1], box, (refine_effort){0, 0}, &next);
        if (next.distance > r->distance + 8 * t->floor) return;
        *r = next;
    }
}

/* Where the Hessian says nothing: is there a closer pair one step BEYOND along a level direction of the two features? */
static bool falls_beyond(minima_run* s, const refined* r)
{
    const search_task* t = s->task;
    double values[SOLVE_MAX], vectors[SOLVE_MAX * SOLVE_MAX], step = BEYOND * t->size;
    refine_bounds all = wi_refine_bounds_of(&t->a, &r->a, &t->b, &r->b), box = all;
    for (int i = 0; i < r->n; ++i) {
        if (!(r->w[i] > 0)) return false;
        wit_interval* x = i < r->na ? &box.a[i] : &box.b[i - r->na];
        *x = iv(larger(x->lo, r->x[i] - 2 * step / r->w[i]), smaller(x->hi, r->x[i] + 2 * step / r->w[i]));
    }
    int count = wi_refine_spectrum(r, &all, values, vectors);
    double least = r->distance - FALL * larger(r->distance, t->size) - 4 * t->floor;
    for (int k = 0; k < count && values[k] <= FLAT; ++k)
        for (int sign = -1; sign <= 1; sign += 2) {
            place from[2] = {r->a, r->b};
            double* x[SOLVE_MAX] = {&from[0].u, &from[0].v, &from[1].u, &from[1].v};
            for (int i = 0; i < r->n; ++i)
                *x[i < r->na ? i : 2 + i - r->na] = r->x[i] + sign * step * vectors[k * r->n + i];
            refined other;
            wi_refine_pair(&t->a, &from[0], &t->b, &from[1], &box, (refine_effort){BEYOND_STEPS, 0}, &other);
            if (other.distance < least && wi_side_contains(&t->a, other.a.kind, other.a.id, other.a.u, other.a.v) &&
                wi_side_contains(&t->b, other.b.kind, other.b.id, other.b.u, other.b.v))
                return true;
        }
    return false;
}

static int64_t around_cost(const search_task* t, const place* a, const place* b)
{
    return wi_places_cost(&t->a, a) + wi_places_cost(&t->b, b);
}

/* Names the places, tests them against their surroundings and lists them. */
static ending list_pair(minima_run* s, const refined* r, bool proved)
{
    const search_task* t = s->task;
    ending e = {.entry = -1};
    double slack = wi_minimum_slack(&t->pair);
    e.a = wi_lowest_place(&t->a, &r->a, slack);
    e.b = t->b.body ? wi_lowest_place(&t->b, &r->b, slack) : r->b;
    e.inside = (e.a.kind != WIT_FACE || wi_side_contains(&t->a, WIT_FACE, e.a.id, e.a.u, e.a.v)) &&
               (e.b.kind != WIT_FACE || wi_side_contains(&t->b, WIT_FACE, e.b.id, e.b.u, e.b.v));
    if (!e.inside) return e;
    double moved = norm3(sub3(e.a.p, r->a.p)) + norm3(sub3(e.b.p, r->b.p));
    e.kind = wi_local_minimum(&t->pair, &e.a, &e.b, moved);
    if (side_spent(&t->a, around_cost(t, &e.a, &e.b))) s->unresolved = true; /* perhaps it was not looked at */
    if (e.kind == MINIMUM_FLAT && falls_beyond(s, r)) e.kind = MINIMUM_NONE;
    if (e.kind != MINIMUM_NONE && norm3(sub3(e.a.p, e.b.p)) <= t->within)
        e.entry = wi_minima_add(&s->list, &e.a, &e.b, e.kind, proved);
    return e;
}

/*
 * A convex pair. The only stationary set, if there is one, is where the descent ends. A flat one may lie across the
 * trims of a face: then the pair stays open down to STRIP. What such a strip holds hangs together with
 * the strip's edge or with what is beside it, which has pairs of its own; if nothing is known there it stays undecided.
 */
static bool list_convex_pair(minima_run* s, const cell* a, const cell* b)
{
    refined r;
    refine_bounds box;
    double values[SOLVE_MAX];
    descend(s, a, b, BORDER, STEPS, &box, &r);
    slope at = slope_of(s, &r, &box);
    if (!r.converged || at == SLOPE_FREE) return false;
    if (at == SLOPE_HELD) return true;
    ending e = list_pair(s, &r, true);
    bool trimmed = a->tag == TRIM_MIXED || b->tag == TRIM_MIXED;
    if (e.inside || !trimmed || !wi_refine_spectrum(&r, &box, values, NULL) || values[0] > FLAT) return true;
    if (larger(a->reach, b->reach) > STRIP * s->task->size) return false;
    if (!wi_minima_known_beside(&s->list, &e.a, &e.b, r.distance)) s->unresolved = true;
    return true;
}

static bool was_here(minima_run* s, const cell* a, const cell* b)
{
    double near = CLUSTER * s->task->size;
    for (int i = 0; i < s->visits && i < VISITED; ++i)
        if (norm3(sub3(s->visited[i][0].p, a->jet.p)) <= near && norm3(sub3(s->visited[i][1].p, b->jet.p)) <= near &&
            s->visited[i][0].kind == a->kind && s->visited[i][1].kind == b->kind)
            return true;
    return false;
}

static void note_visit(minima_run* s, const refined* r)
{
    s->visited[s->visits % VISITED][0] = r->a;
    s->visited[s->visits++ % VISITED][1] = r->b;
}

/* A pair that is not decided: descends from its middle, for the list and to see a continuum. True: it ends. */
static bool probe(minima_run* s, int ia, int ib, bool last)
{
    const cell *a = &s->pool.cells[ia], *b = &s->pool.cells[ib];
    refined r;
    refine_bounds box;
    place pa = wi_cell_place(a), pb = wi_cell_place(b);
    bool room = !side_spent(&s->task->a, around_cost(s->task, &pa, &pb));
    if ((room && wi_cones_lead_aside(&s->cones, ia, ib)) || (last && was_here(s, a, b))) return true;
    descend(s, a, b, 1, last ? STEPS : PROBE_STEPS, &box, &r);
    if (last) note_visit(s, &r);
    if (!r.converged) polish(s, &box, &r);
    if (slope_of(s, &r, &box) != SLOPE_NONE) {
        if (last) s->unresolved = true;
        return last;
    }
    ending e = list_pair(s, &r, false);
    if (last || e.entry < 0 || !s->list.entries[e.entry].flat) return last;
    int known = wi_minima_continuum(&s->list, &e.a, &e.b, r.distance);
    if (known < 0) return false;
    if (wi_minima_closed(&s->list, &e.a, &e.b, r.distance))
        s->list.entries[known].proved = true;
    else
        s->unresolved = true;
    return true;
}

/* ---- one pair ------------------------------------------------------------------------------ */

/* The feature is flat over the cell, so far as doubles tell. */
static bool straight(const cell* c)
{
    double a = c->h[0], b = c->h[1];
    return c->d2[0] * a * a + 2 * c->d2[1] * a * b + c->d2[2] * b * b <= STRAIGHT * c->reach;
}

static void meet(minima_run* s, int ia, int ib, int next)
{
    const cell *a = &s->pool.cells[ia], *b = &s->pool.cells[ib];
    const search_task* t = s->task;
    if (a->tag == TRIM_OUT || b->tag == TRIM_OUT) return;
    if (side_spent(&t->a, MEET_UNITS)) {
        push(s, (open_pair){0, ia, ib, 0, next});
        return;
    }
    work_nodes(s->work, 1);
    double bound = wi_pair_box_bound(a, b), reach = larger(a->reach, b->reach);
    if (bound > t->within || wi_cones_turned_away(&s->cones, ia, ib)) return;
    if (a->inner || b->inner) {
        push(s, (open_pair){bound, ia, ib, 0, 0});
        return;
    }
    pair_form form;
    pair_form_begin(a, b, &form);
    bound = larger(bound, pair_ball_bound(a, b, &form));
    if (bound > t->within) return;
    wi_pair_form_slopes(a, b, &form);
    bound = larger(bound, wi_pair_slab_bound(a, b, &form));
    if (bound > t->within) return;
    wi_pair_form_hessian(a, b, &form);
    if (wi_pair_has_no_minimum(a, b, &form, true)) return;
    if (!wi_cell_trim(&s->pool, ia) || !wi_cell_trim(&s->pool, ib)) return;
    if ((straight(a) && straight(b)) || wi_pair_is_convex(a, b, &form)) {
        if (list_convex_pair(s, a, b)) return;
    } else if (is_saddle(a, b, &form)) {
        return;
    }
    bool last = reach <= RESOLUTION * t->size || (a->whole && b->whole);
    if (reach > COARSE * t->size && !last) {
        push(s, (open_pair){bound, ia, ib, 0, 0});
        return;
    }
    if ((last || next <= 0) && probe(s, ia, ib, last)) return;
    push(s, (open_pair){-reach, ia, ib, 1, next <= 0 ? PROBE_EVERY : next - 1});
}

/* Bounds of derivatives come down from the leaf; those of rational splines may be far too wide for small parts of it. Every
 * fourth halving they are made anew, before the halves take them over. */
static void tighten(const side* s, cell* c)
{
    if (c->inner || c->split || c->count == 0) return;
    const tree_node* n = &body_nodes(s->body)[c->node];
    wit_interval x[2] = {iv(c->mid[0] - c->h[0], c->mid[0] + c->h[0]), iv(c->mid[1] - c->h[1], c->mid[1] + c->h[1])};
    double share = iv_width(n->u) / iv_width(x[0]);
    if (c->kind == WIT_FACE) share *= iv_width(n->v) / iv_width(x[1]);
    if (!(share > 2 && share < DBL_MAX) || ilogb(1.001 * share) % 4 != 0) return;
    wi_cell_bound_anew(s, c);
}

/* The larger cell is halved; of two inner nodes both, unless one is much larger. */
static void halve(minima_run* s, const open_pair* p)
{
    const cell *a = &s->pool.cells[p->a], *b = &s->pool.cells[p->b];
    bool first = a->inner != b->inner ? a->inner : !a->whole && (b->whole || a->reach >= b->reach), second = !first;
    if (a->inner && b->inner && a->reach < 2 * b->reach && b->reach < 2 * a->reach) first = second = true;
    if (first) tighten(&s->task->a, &s->pool.cells[p->a]);
    if (second) tighten(&s->task->b, &s->pool.cells[p->b]);
    if ((first && !wi_cell_split(&s->pool, p->a)) || (second && !wi_cell_split(&s->pool, p->b))) {
        if (!a->inner && !b->inner) probe(s, p->a, p->b, true);
        s->unresolved = true;
        return;
    }
    for (int i = 0; i < (first ? 2 : 1); ++i)
        for (int k = 0; k < (second ? 2 : 1); ++k) {
            int ia = first ? a->child[i] : p->a, ib = second ? b->child[k] : p->b;
            if (ia != CELL_NONE && ib != CELL_NONE) meet(s, ia, ib, p->next);
        }
}

/* ---- the search ---------------------------------------------------------------------------- */

static void lay_out(arena* memory, int capacity, minima_run* s, cell** cells)
{
    /* cones of inner nodes only where there is room for a tree as large */
    int entries = capacity / 16 + 16;
    *cells = wi_arena_take(memory, (size_t)capacity, sizeof **cells);
    s->open = (heap){wi_arena_take(memory, 2 * (size_t)capacity, sizeof(open_pair)), 0, 2 * capacity};
    s->list.entries = wi_arena_take(memory, (size_t)entries, sizeof *s->list.entries);
    s->list.ranks = wi_arena_take(memory, (size_t)entries, sizeof *s->list.ranks);
    for (int k = 0; k < 2; ++k) s->cones.nodes[k] = wi_arena_take(memory, (size_t)capacity, sizeof(wit_cone));
    s->cones.cells = wi_arena_take(memory, (size_t)capacity, sizeof(wit_cone));
    s->list.capacity = entries;
}

size_t wi_minima_search_bytes(int capacity)
{
    arena memory = wi_arena_measure();
    minima_run s;
    cell* cells;
    lay_out(&memory, capacity, &s, &cells);
    return arena_ok(&memory) ? memory.used : SIZE_MAX;
}

/* The most that the memory serves. */
static int capacity_of(size_t bytes)
{
    int lo = 0, hi = 1 << 26;
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (wi_minima_search_bytes(mid) <= bytes)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* The global pair first: it tells a crossing, the lower bound of all, and whether there is anything at all. */
static bool begin(minima_run* s, const search_task* task, search_answer* f)
{
    search_task half = *task;
    half.budget = (task->budget + 1) / 2;
    if (task->b.body)
        wi_pair_search(&half, f);
    else
        wi_point_search(&half, f);
    s->work = task->work;
    work_add(s->work, &f->work);
    if (f->end == SEARCH_EMPTY || f->end == SEARCH_BEYOND) return false;
    cell* cells;
    arena memory = wi_arena_over(task->memory.memory, task->memory.bytes);
    int capacity = capacity_of(task->memory.bytes);
    lay_out(&memory, capacity, s, &cells);
    s->task = s->list.task = task;
    wi_cell_pool_start(&s->pool, &task->a, &task->b, task->rigorous, cells, capacity);
    wit_cone* nodes[2] = {s->cones.nodes[0], s->cones.nodes[1]};
    if (task->a.body->node_count > capacity) nodes[0] = NULL;
    if (!task->b.body || task->b.body->node_count > capacity) nodes[1] = NULL;
    wi_cone_store_start(&s->cones, &s->pool, nodes[0], nodes[1], s->cones.cells);
    if (f->end == SEARCH_CROSSING || !(f->upper < INFINITY)) return true;
    minimum_kind kind = wi_local_minimum(&task->pair, &f->a, &f->b, wi_minimum_slack(&task->pair));
    if (kind != MINIMUM_NONE && f->upper <= task->within) wi_minima_add(&s->list, &f->a, &f->b, kind, false);
    return true;
}

void wi_minima_search(const search_task* asked, wit_minimum* out, int capacity, wit_minima_summary* summary)
{
    minima_run s;
    search_answer f;
    memset(&s, 0, sizeof s);
    memset(&f, 0, sizeof f);
    memset(summary, 0, sizeof *summary);
    search_task own = task_of_search(asked, &summary->work);
    const search_task* task = &own;
    if (!begin(&s, task, &f)) {
        summary->complete = true;
        summary->lower_bound = f.end == SEARCH_EMPTY ? INFINITY : larger(0, f.lower - task_error(task));
        return;
    }
    int a = CELL_NONE, b = CELL_NONE;
    if (task_may_spend(task, s.work, HALVE_UNITS))
        a = wi_cell_root(&s.pool, 0), b = wi_cell_root(&s.pool, 1);
    else
        s.unresolved = true;
    if (a != CELL_NONE && b != CELL_NONE) meet(&s, a, b, 0);
    while (s.open.count && task_may_spend(task, s.work, HALVE_UNITS)) {
        open_pair p;
        heap_pop(&s.open, &OPEN_PAIRS, &p);
        halve(&s, &p);
    }
    summary->overlapping = f.end == SEARCH_CROSSING;
    summary->lower_bound = f.end == SEARCH_CROSSING ? 0 : larger(0, f.lower - task_error(task));
    summary->count = wi_minima_write(&s.list, summary->overlapping ? wi_minimum_slack(&task->pair) : -1, out, capacity);
    summary->complete = !s.open.count && !s.unresolved && !s.list.full && summary->count <= capacity;
}
