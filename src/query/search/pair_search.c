/* SPDX-License-Identifier: MIT */
/*
 * The closest pair of two bodies: best first over pairs of cells. A pair is left out when a bound lies above the
 * best distance known (less the tolerance), or when it holds no minimum in the inside of both features; where F is
 * convex over the pair its minimum there is its bound. What is left is cut: the larger of the two cells.
 */
#include <string.h>

#include "../../base/arena.h"
#include "../../base/open_list.h"
#include "../search_task.h"
#include "pair_bound.h"
#include "../../pair/refine.h"
#include "../../pair/lowest_place.h"
#include "../../pair/walk.h"
#include "pair_search.h"
#include "closed_bound.h"
#include "crossing.h"
#include "first_pair.h"

typedef struct entry {
    double bound;
    int32_t a, b;
} entry;

typedef struct search {
    const search_task* task;
    cell_pool pool;
    open_list open;
    double upper; /* attained by `best` */
    double limit; /* pairs with a bound from here on need not be looked at */
    int stage;
    int64_t improve_at; /* nodes */
    double loose_out;   /* as open.left_out, but less the tolerances: see settle */
    bool known;         /* best is set */
    bool fresh;         /* and not yet improved */
    bool crossed;
    double off; /* crossed: how far apart the planes of planar bodies are there */
    refined best;
    wit_vec3 along; /* unit, from b to a at the best pair */
    int32_t turns;  /* how often that changed */
    wit_work* work; /* the task's */
} search;

/* ---- heap ---------------------------------------------------------------------------------- */

/* Pairs of one bound in the order in which their cells were made. */
static bool before(const void* first, const void* second)
{
    const entry *x = first, *y = second;
    if (x->bound != y->bound) return x->bound < y->bound;
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static const heap_kind OPEN_PAIRS = {sizeof(entry), before};

/*
 * Edges stand for the borders of faces and vertices for the ends of edges, each up to a tolerance. A pair of cells that holds
 * no minimum, or faces away, is given up because what is closest in it lies on such a border: so what is nearer than `bound` less
 * the tolerances is excluded by edges and vertices that were settled at `bound`, and by no others.
 */
static void settle(search* s, double bound, int a, int b)
{
    s->loose_out = smaller(s->loose_out, bound - s->pool.cells[a].tolerance - s->pool.cells[b].tolerance);
}

static void push(search* s, double bound, int a, int b)
{
    const entry e = {bound, a, b};
    if (!open_push(&s->open, &OPEN_PAIRS, &e)) settle(s, bound, a, b);
    work_open(s->work, s->open.queue.count);
}

/* ---- upper bounds -------------------------------------------------------------------------- */

/*
 * A pair that is left out may be nearer than the best by the width that is pruned with, and mostly a fine width costs
 * nothing: all searches begin with that, whatever was asked, and relax where there is much to do.
 */
static const struct stage {
    int64_t nodes; /* it lasts until so many were seen */
    double width;  /* relative, as a tolerance */
} STAGES[] = {{4000, 1e-12}, {20000, 1e-9}, {INT64_MAX, INFINITY}};

/* What is as far as the cut-off still counts: what is left out for it is farther, by more than rounding. */
static double cut_off(const search_task* t)
{
    return t->within + 2 * t->floor;
}

/* Half of the width is kept for the polish and the naming at the end. */
static void set_limit(search* s)
{
    search_task fine = *s->task;
    fine.tolerance = smaller(fine.tolerance, STAGES[s->stage].width);
    double limit = s->upper - 0.5 * task_tolerance(&fine, s->upper);
    s->limit = smaller(limit, cut_off(s->task));
}

static bool contained(const search* s, const refined* at)
{
    return wi_side_contains(&s->task->a, at->a.kind, at->a.id, at->a.u, at->a.v) &&
           wi_side_contains(&s->task->b, at->b.kind, at->b.id, at->b.u, at->b.v);
}

/* Two surfaces, or a curve and a surface, or two curves of one plane, that meet at an angle: they cross there. */
static bool transversal(const search* s, const refined* at)
{
    const double least = 1e-4;
    const side *sa = &s->task->a, *sb = &s->task->b;
    wit_vec3 n, m;
    const place *a = &at->a, *b = &at->b;
    if (a->kind == WIT_FACE && b->kind == WIT_FACE)
        return wi_side_normal(sa, a->id, a->u, a->v, &n) && wi_side_normal(sb, b->id, b->u, b->v, &m) &&
               norm3(cross3(n, m)) > least;
    if (a->kind == WIT_FACE && b->kind == WIT_EDGE)
        return wi_side_normal(sa, a->id, a->u, a->v, &n) && fabs(dot3(n, unit3(at->jet_b.du))) > least;
    if (a->kind == WIT_EDGE && b->kind == WIT_FACE)
        return wi_side_normal(sb, b->id, b->u, b->v, &m) && fabs(dot3(m, unit3(at->jet_a.du))) > least;
    if (a->kind == WIT_EDGE && b->kind == WIT_EDGE && sa->body->planar && sb->body && sb->body->planar)
        return norm3(cross3(unit3(at->jet_a.du), unit3(at->jet_b.du))) > least;
    return false;
}

/* Not at a border: where bodies only touch, faces that stand on each other meet others at their edges. */
static bool is_inside(const search* s, const refined* at)
{
    double slack = 16 * s->task->floor;
    return wi_lowest_place(&s->task->a, &at->a, slack).kind == at->a.kind &&
           wi_lowest_place(&s->task->b, &at->b, slack).kind == at->b.kind;
}

/* Surfaces this near each other may cross there or only come close: what is not proved does not cross. */
static bool crosses(search* s, const refined* at)
{
    enum { COST = 16 }; /* two normals; two jets, four enclosures, a look at the trims of both */
    if (!(at->distance <= s->task->floor) || at->held || side_spent(&s->task->a, COST)) return false;
    if (!transversal(s, at) || !is_inside(s, at) || side_spent(&s->task->a, COST)) return false;
    return wi_crossing_proved(s->task, &at->a, &at->b, &s->off);
}

/* From b to a. Close to touch the gap has few digits left: there the normal of a face says it better. */
static wit_vec3 gap_direction(const refined* at)
{
    wit_vec3 r = unit3(sub3(at->a.p, at->b.p));
    const wit_surface_jet* j = at->a.kind == WIT_FACE ? &at->jet_a : &at->jet_b;
    if (at->a.kind != WIT_FACE && at->b.kind != WIT_FACE) return r;
    wit_vec3 n = unit3(cross3(j->du, j->dv));
    double c = dot3(n, r);
    return fabs(c) > 1 - 1e-6 ? scale3(c < 0 ? -1 : 1, n) : r;
}

static void offer(search* s, const refined* at)
{
    if (!(at->distance < s->upper) || !contained(s, at)) return;
    s->best = *at;
    s->upper = at->distance;
    s->known = s->fresh = true;
    s->along = gap_direction(at);
    ++s->turns;
    set_limit(s);
    s->crossed = crosses(s, at);
}

static void descend(search* s, const place* a, const place* b, const refine_bounds* bounds, int steps, refined* out)
{
    double enough = smaller(1e-3 * task_tolerance(s->task, s->upper), 1e-12 * s->task->size);
    wi_refine_pair(&s->task->a, a, &s->task->b, b, bounds, (refine_effort){steps, enough}, out);
    work_solves(s->work, 1);
    offer(s, out);
}

/* From the middles of a pair that is nearer than anything known. */
static void look_from(search* s, const cell* ca, const cell* cb)
{
    place a = wi_cell_place(ca), b = wi_cell_place(cb);
    refine_bounds bounds = wi_refine_bounds_of(&s->task->a, &a, &s->task->b, &b);
    refined r;
    double before_it = s->upper;
    descend(s, &a, &b, &bounds, 30, &r);
    if (s->upper < before_it || !(norm3(sub3(a.p, b.p)) < s->upper)) return;
    /* it ran out of a trimmed face: the middles themselves may do */
    wi_refine_pair(&s->task->a, &a, &s->task->b, &b, &bounds, (refine_effort){0, 0}, &r);
    offer(s, &r);
}

/*
 * The best pair down to rounding: by the parameters, over to neighbours, then in the tangent planes, over poles and down to contact. No bound
 * can exclude what is left around a pair that is not the closest.
 */
static void improve(search* s)
{
    enum { STEPS = 40, JETS = 200 };
    const side *sa = &s->task->a, *sb = &s->task->b;
    refined r;
    refine_bounds bounds = wi_refine_bounds_of(sa, &s->best.a, sb, &s->best.b);
    wi_refine_pair(sa, &s->best.a, sb, &s->best.b, &bounds, (refine_effort){STEPS, 0}, &r);
    wi_refine_across(sa, sb, STEPS, &r);
    offer(s, &r);
    s->fresh = false;
    if (side_spent(sa, WALK_UNITS)) return;
    walk w;
    walk_state state;
    wi_walk_start(&s->task->pair, &s->best.a, &s->best.b, &w);
    w.limit = JETS;
    wi_walk_at(&w, &s->best.a, &s->best.b, &state);
    wi_walk_relax(&w, &state);
    work_solves(s->work, 2);
    if (state.distance < s->upper) {
        place a = wi_walk_place(&w, &state, 0), b = wi_walk_place(&w, &state, 1);
        bounds = wi_refine_bounds_of(sa, &a, sb, &b);
        wi_refine_pair(sa, &a, sb, &b, &bounds, (refine_effort){0, 0}, &r);
        offer(s, &r);
        s->fresh = false;
    }
}

/* ---- a pair to begin with ------------------------------------------------------------------ */

/* So that there is a pair whatever ends the search. False: the work ends before. */
static bool begin(search* s)
{
    const side *sa = &s->task->a, *sb = &s->task->b;
    wit_box box = wi_side_box(sb);
    wit_vec3 middle = scale3(0.5, add3(box.lo, box.hi));
    place a, b;
    if (!finite3(middle)) middle = sb->t;
    if (!wi_first_place(sa, middle, &a) || !wi_first_place(sb, a.p, &b)) return false;
    wi_first_place(sa, b.p, &a);
    refine_bounds bounds = wi_refine_bounds_of(sa, &a, sb, &b);
    refined r;
    wi_refine_pair(sa, &a, sb, &b, &bounds, (refine_effort){0, 0}, &r);
    offer(s, &r);
    descend(s, &a, &b, &bounds, 30, &r);
    return true;
}

/* ---- one pair ------------------------------------------------------------------------------ */

static bool leave_out(search* s, double bound, int a, int b)
{
    if (!(bound >= s->limit)) return false;
    open_leave_out(&s->open, bound);
    settle(s, bound, a, b);
    return true;
}

static wit_interval part(const cell* c, int i)
{
    return iv(c->mid[i] - c->h[i], c->mid[i] + c->h[i]);
}

static bool holds(const cell* c, const place* p)
{
    if (p->kind != (wit_feature_kind)c->kind || p->id != c->id) return false;
    return (c->count < 1 || fabs(p->u - c->mid[0]) <= c->h[0]) && (c->count < 2 || fabs(p->v - c->mid[1]) <= c->h[1]);
}

/* The bound of a pair over which F is convex: from the best pair if it lies there, else from the minimum over the
 * pair. */
static double convex_bound(search* s, const cell* a, const cell* b, const pair_form* form)
{
    refined r;
    if (s->known && holds(a, &s->best.a) && holds(b, &s->best.b)) {
        r = s->best;
    } else {
        refine_bounds bounds = {{part(a, 0), part(a, 1)}, {part(b, 0), part(b, 1)}};
        place pa = wi_cell_place(a), pb = wi_cell_place(b);
        descend(s, &pa, &pb, &bounds, 30, &r);
        if (!(r.distance < INFINITY)) return 0;
    }
    double x[SOLVE_MAX] = {r.a.u, r.a.v}, d[SOLVE_MAX];
    x[form->na] = r.b.u;
    if (form->n > form->na + 1) x[form->na + 1] = r.b.v;
    for (int i = 0; i < form->n; ++i) d[i] = x[i] - (i < form->na ? a->mid[i] : b->mid[i - form->na]);
    /* roundings of the points count in the distance and in the slopes */
    double rounding = a->error + b->error + 8 * DBL_EPSILON * r.distance;
    for (int i = 0; i < form->n; ++i) r.g[i] += (r.g[i] < 0 ? -rounding : rounding) * form->w[i];
    return wi_pair_convex_bound(form, d, larger(0, r.distance - rounding), r.g);
}

static bool is_kink(const cell* c)
{
    return c->count < kind_dimension((wit_feature_kind)c->kind);
}

/* Where surfaces cross, nothing need face anything: only cells that are apart. */
static bool faces_away(const search* s, const cell* a, const cell* b, double bound)
{
    return bound > s->task->floor && wi_pair_faces_away(a, b);
}

/* The least of the points of a cell along the best pair's direction, made once per direction. */
static double least_of(search* s, cell* c)
{
    if (c->stamp != s->turns) {
        c->stamp = s->turns;
        c->least = wi_cell_least(s->pool.side[c->side], c, c->side ? scale3(-1, s->along) : s->along);
    }
    return c->least;
}

static double along_bound(search* s, int ia, int ib)
{
    cell *a = &s->pool.cells[ia], *b = &s->pool.cells[ib];
    return pair_least(a, b, least_of(s, a), least_of(s, b));
}

/* At least one is an inner node. */
static void consider_boxes(search* s, int ia, int ib, double bound)
{
    const cell *a = &s->pool.cells[ia], *b = &s->pool.cells[ib];
    bound = larger(bound, wi_pair_box_bound(a, b));
    if (leave_out(s, bound, ia, ib) || faces_away(s, a, b, bound)) return;
    wit_vec3 n = unit3(sub3(a->inner ? a->centre : a->jet.p, b->inner ? b->centre : b->jet.p));
    double least_a = wi_cell_least(s->pool.side[0], a, n), least_b = wi_cell_least(s->pool.side[1], b, scale3(-1, n));
    bound = larger(bound, pair_least(a, b, least_a, least_b));
    if (!leave_out(s, bound, ia, ib)) push(s, bound, ia, ib);
}

/* Bounds a pair of cells and keeps it if it may hold something nearer. */
static void consider(search* s, int ia, int ib, double bound)
{
    const cell *a = &s->pool.cells[ia], *b = &s->pool.cells[ib];
    if (a->tag == TRIM_OUT || b->tag == TRIM_OUT) return;
    if (side_spent(&s->task->a, 1)) {
        push(s, bound, ia, ib);
        return;
    }
    work_nodes(s->work, 1);
    bound = larger(bound, along_bound(s, ia, ib));
    if (leave_out(s, bound, ia, ib)) return;
    if (a->inner || b->inner) {
        consider_boxes(s, ia, ib, bound);
        return;
    }
    pair_form form;
    pair_form_begin(a, b, &form);
    bound = larger(bound, pair_ball_bound(a, b, &form));
    if (leave_out(s, bound, ia, ib) || faces_away(s, a, b, bound)) return;
    if (a->leaf && b->leaf) {
        bound = larger(bound, wi_pair_box_bound(a, b));
        if (leave_out(s, bound, ia, ib)) return;
        bound = larger(bound, wi_closed_bound(&s->task->a, (wit_feature_kind)a->kind, a->id, &s->task->b,
                                              (wit_feature_kind)b->kind, b->id));
        if (leave_out(s, bound, ia, ib)) return;
    }
    wi_pair_form_slopes(a, b, &form);
    bound = larger(bound, wi_pair_slab_bound(a, b, &form));
    if (leave_out(s, bound, ia, ib)) return;
    if (form.length < s->upper) {
        look_from(s, a, b);
        if (s->crossed) return;
        bound = larger(bound, along_bound(s, ia, ib));
        if (leave_out(s, bound, ia, ib)) return;
    }
    wi_pair_form_hessian(a, b, &form);
    if (wi_pair_has_no_minimum(a, b, &form, true)) return;
    double floor_bound;
    if (wi_pair_convex_floor(a, b, &form, &floor_bound)) {
        bound = larger(bound, floor_bound);
        if (leave_out(s, bound, ia, ib)) return;
        if (!is_kink(a) && !is_kink(b)) bound = larger(bound, convex_bound(s, a, b, &form));
        if (leave_out(s, bound, ia, ib)) return;
    }
    if ((cell_is_sector(a) || cell_is_sector(b)) && !side_spent(&s->task->a, 2)) {
        bound = larger(bound, wi_pair_sector_bound(s->pool.side, a, b, s->along));
        if (leave_out(s, bound, ia, ib)) return;
    }
    if (wi_cell_trim(&s->pool, ia) && wi_cell_trim(&s->pool, ib)) push(s, bound, ia, ib);
}

/* Halves of a cell, or the cell itself where it is not to be cut. Returns how many; 0: it cannot be cut. */
static int parts_of(search* s, int index, bool cut, int out[2])
{
    out[0] = index;
    if (!cut) return 1;
    if (!wi_cell_split(&s->pool, index)) return 0;
    const cell* c = &s->pool.cells[index];
    int n = 0;
    for (int k = 0; k < 2; ++k)
        if (c->child[k] != CELL_NONE) out[n++] = c->child[k];
    return n ? n : -1;
}

/* The larger cell is cut; of two inner nodes both, unless one is much larger. */
static void cut(search* s, const entry* e)
{
    const cell *a = &s->pool.cells[e->a], *b = &s->pool.cells[e->b];
    if (leave_out(s, larger(e->bound, along_bound(s, e->a, e->b)), e->a, e->b)) return;
    bool first = a->inner != b->inner ? a->inner : b->whole || (!a->whole && a->reach >= b->reach), second = !first;
    if (a->inner && b->inner && a->reach < 2 * b->reach && b->reach < 2 * a->reach) first = second = true;
    int of_a[2], of_b[2];
    int na = parts_of(s, e->a, first, of_a), nb = na ? parts_of(s, e->b, second, of_b) : 0;
    if (!na || !nb) {
        s->open.full |= !(na ? b : a)->whole;
        open_leave_out(&s->open, e->bound);
        settle(s, e->bound, e->a, e->b);
        return;
    }
    for (int i = 0; i < na; ++i)
        for (int k = 0; k < nb && !s->crossed; ++k) consider(s, of_a[i], of_b[k], e->bound);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void lay_out(arena* a, int capacity, search* s)
{
    s->open = open_list_over(wi_arena_take(a, (size_t)capacity, sizeof(entry)), capacity);
    s->pool.cells = wi_arena_take(a, (size_t)capacity, sizeof(cell));
}

size_t wi_pair_search_bytes(int capacity)
{
    arena a = wi_arena_measure();
    search s;
    lay_out(&a, capacity, &s);
    return arena_ok(&a) ? a.used : 0;
}

static int capacity_of(size_t bytes)
{
    size_t each = sizeof(entry) + sizeof(cell),
           n = bytes > 2 * ARENA_ALIGNMENT ? (bytes - 2 * ARENA_ALIGNMENT) / each : 0;
    return n > (1 << 24) ? 1 << 24 : (int)n;
}

/* Down to rounding, then named by the lowest features, and once more on those: a face that is left through its border ends
 * on an edge. What is not in its face and on no border of it is not taken. */
static void polish(search* s)
{
    enum { ROUNDS = 4, STEPS = 40 };
    const side *sa = &s->task->a, *sb = &s->task->b;
    double slack = larger(16 * s->task->floor, 1e-12 * s->task->size);
    for (int round = 0; round < ROUNDS && !side_spent(sa, 2); ++round) {
        refine_bounds bounds = wi_refine_bounds_of(sa, &s->best.a, sb, &s->best.b);
        refined r, named;
        wi_refine_pair(sa, &s->best.a, sb, &s->best.b, &bounds, (refine_effort){STEPS, 0}, &r);
        wi_refine_to_minimum(sa, sb, &bounds, &r);
        work_solves(s->work, 1);
        if (contained(s, &r)) s->best = r;
        place a = wi_lowest_place(sa, &r.a, slack), b = wi_lowest_place(sb, &r.b, slack);
        if (a.kind == r.a.kind && b.kind == r.b.kind) return;
        bounds = wi_refine_bounds_of(sa, &a, sb, &b);
        wi_refine_pair(sa, &a, sb, &b, &bounds, (refine_effort){0, 0}, &named);
        double off = wi_side_tolerance(sa, a.kind, a.id) + wi_side_tolerance(sb, b.kind, b.id);
        if (!contained(s, &named) || !(named.distance <= s->best.distance + 2 * slack + off)) return;
        s->best = named;
    }
}

/* Of all, tolerances counted. */
static double loose_lower_bound(search* s)
{
    const entry* open = s->open.queue.items;
    for (int i = 0; i < s->open.queue.count; ++i) settle(s, open[i].bound, open[i].a, open[i].b);
    return s->loose_out;
}

static bool is_loose(const side* s)
{
    return s->body && s->body->looseness > 0;
}

static void write_answer(search* s, search_task* own, int64_t units, search_answer* out)
{
    double lower = open_lower_bound(&s->open), loose = lower;
    if (is_loose(&s->task->a) || is_loose(&s->task->b)) loose = loose_lower_bound(s);
    out->full = s->open.full;
    if (s->known) {
        if (!s->crossed) {
            polish(s);
            s->crossed = crosses(s, &s->best);
        }
        out->a = s->best.a;
        out->b = s->best.b;
        out->upper = s->best.distance;
        task_limit(own, units, 0);
        if (own->rigorous) out->upper = wi_with_place_errors(own, out, out->upper);
    } else {
        task_limit(own, units, 0);
        wi_stored_pair(own, out);
    }
    if (s->crossed) out->upper = s->off;
    lower = larger(0, smaller(lower, out->upper));
    out->lower = s->crossed ? 0 : larger(0, smaller(lower, loose));
    out->slack = s->crossed ? 0 : lower - out->lower;
    bool beyond = out->upper > s->task->within && out->lower > s->task->within;
    bool wide = out->upper - lower > task_tolerance(s->task, out->upper);
    out->end = s->crossed ? SEARCH_CROSSING : beyond ? SEARCH_BEYOND : wide ? SEARCH_BUDGET : SEARCH_CLOSED;
}

/*
 * Of a solid that does not hold the other side, the way from a closest place to the other goes outwards: else it would leave
 * the solid at a place that is closer.
 */
static bool looks_outwards(const side* s)
{
    return s->body && s->body->outward && side_has_inside(s);
}

void wi_pair_search(const search_task* task, search_answer* out)
{
    enum { IMPROVE = 400 };
    memset(out, 0, sizeof *out);
    out->end = SEARCH_EMPTY;
    out->lower = out->upper = INFINITY;
    search_task own = task_of_search(task, &out->work);
    task_limit(&own, task->units, STORED_PAIR_UNITS);
    search s = {.task = &own, .work = &out->work, .upper = INFINITY, .limit = cut_off(task), .loose_out = INFINITY};
    s.improve_at = IMPROVE;
    arena block = wi_arena_over(task->memory.memory, task->memory.bytes);
    lay_out(&block, capacity_of(task->memory.bytes), &s);
    if (!arena_ok(&block)) s.open.queue.capacity = 0;
    wi_cell_pool_start(&s.pool, &own.a, &own.b, task->rigorous, s.pool.cells, s.open.queue.capacity);
    s.pool.facing[0] = task->apart && looks_outwards(&task->a);
    s.pool.facing[1] = task->apart && looks_outwards(&task->b);
    if (wi_side_empty(&own.a) || wi_side_empty(&own.b)) return;
    int a = CELL_NONE, b = CELL_NONE;
    bool begun = begin(&s);
    if (s.known) task_limit(&own, task->units, wi_kept_for_places(task));
    if (begun && !side_spent(&own.a, 2 * CELL_SPLIT_UNITS)) a = wi_cell_root(&s.pool, 0), b = wi_cell_root(&s.pool, 1);
    if (a == CELL_NONE || b == CELL_NONE)
        open_leave_out(&s.open, s.loose_out = 0);
    else
        consider(&s, a, b, 0);
    while (s.open.queue.count && !s.crossed && open_least(&s.open) < s.limit &&
           task_may_spend(task, s.work, SEARCH_END_UNITS)) {
        if (s.work->nodes >= STAGES[s.stage].nodes) {
            ++s.stage;
            set_limit(&s);
            continue;
        }
        if (s.fresh && s.work->nodes >= s.improve_at) {
            improve(&s);
            s.improve_at = 4 * s.work->nodes;
            continue;
        }
        entry e;
        open_pop(&s.open, &OPEN_PAIRS, &e);
        cut(&s, &e);
    }
    write_answer(&s, &own, task->units, out);
}
