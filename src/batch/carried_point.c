/* SPDX-License-Identifier: MIT */
#include "../geom/parameter.h"

#include <string.h>

#include "../base/pose.h"
#include "carried_point.h"
#include "../pair/lowest_place.h"

enum {
    NEWTON_MOST = 12,
    PLACES_MOST = 6,   /* that the front may show in turn for one point */
    UNIT_COST = 3,     /* what a unit of the front takes, in units of a search: jets and blocks */
    TEST_COST = 12,    /* and an enclosure besides */
    START_PART = 64,   /* of the points of a run: so many searches are put into building up the front */
    LEAST_UNITS = 200, /* what is not begun with less left of the budget */
    UNCLEAR = 64,
    FRONT_UNITS = 4000 /* a point costs its front no more */
};
#define ARRIVED 1e-11 /* of the size: a step that is shorter is not taken */
#define SHARE 0.5     /* of the tolerance: what pieces may be nearer than the foot by */
#define BENT 1e-4
#define DEFINITE 1e-9 /* of the squares of the speeds: a smaller determinant says nothing */

bool wi_point_run_carries(const wit_query* query, const wit_placed* a)
{
    return !a->mask && !query->def.rigorous && wi_point_front_has(a->body) && !(a->body->shape_tolerance > 0);
}

void wi_point_run_start(point_run* run, const point_run_def* def)
{
    memset(run, 0, sizeof *run);
    run->query = def->query;
    run->a = def->a;
    run->points = def->points;
    if (def->front) run->front = wi_point_front_start(def->front, def->capacity, def->a->body);
}

/* ---- the foot ------------------------------------------------------------------------------ */

static void look(point_run* run, const side* s)
{
    wit_interval range[2];
    bool closed[2];
    wi_side_range(s, run->at.kind, run->at.id, range, closed);
    unsigned below = run->at.x[0] >= range[0].hi ? (unsigned)WIT_KNOT_U_BELOW : 0U; /* of an edge: T_BELOW, the same */
    if (run->at.kind == WIT_FACE && run->at.x[1] >= range[1].hi) below |= (unsigned)WIT_KNOT_V_BELOW;
    wi_side_jet(s, &run->at, run->at.kind == WIT_VERTEX ? 0U : below, &run->hint, &run->jet);
    run->at.p = run->jet.p;
}

static void go_to(point_run* run, const search_task* t, const place* at)
{
    if (at->kind != run->at.kind || at->id != run->at.id) memset(&run->hint, 0, sizeof run->hint);
    run->at = *at;
    look(run, &t->a);
}

/* Newton's step to the foot from the jet. False: the distance does not bend up there. */
static bool newton(const point_run* run, wit_vec3 q, double d[2], double* length)
{
    const wit_surface_jet* j = &run->jet;
    wit_vec3 r = sub3(j->p, q);
    double g0 = dot3(r, j->du), e = dot3(j->du, j->du), a = e + dot3(r, j->duu);
    d[0] = d[1] = *length = 0;
    if (run->at.kind == WIT_VERTEX) return true;
    if (!(a > DEFINITE * e)) return false;
    if (run->at.kind == WIT_EDGE) {
        d[0] = -g0 / a;
        *length = sqrt(e) * fabs(d[0]);
        return true;
    }
    double g1 = dot3(r, j->dv), f = dot3(j->du, j->dv), g = dot3(j->dv, j->dv);
    double b = f + dot3(r, j->duv), c = g + dot3(r, j->dvv), det = a * c - b * b;
    if (!(det > DEFINITE * e * g)) return false;
    d[0] = (b * g1 - c * g0) / det;
    d[1] = (b * g0 - a * g1) / det;
    *length = sqrt(larger(0, e * d[0] * d[0] + 2 * f * d[0] * d[1] + g * d[1] * d[1]));
    return true;
}

/* On a face: by the share of its bend on a flat face that the search asks for too (point_descent.c). */
static bool bends_up(const point_run* run, wit_vec3 q)
{
    const wit_surface_jet* j = &run->jet;
    wit_vec3 r = sub3(j->p, q);
    double flat = 1 - BENT, a = flat * dot3(j->du, j->du) + dot3(r, j->duu);
    double b = flat * dot3(j->du, j->dv) + dot3(r, j->duv), c = flat * dot3(j->dv, j->dv) + dot3(r, j->dvv);
    return a > 0 && c > 0 && a * c > b * b;
}

/* Follows the foot as far as it stays within its feature; where it does not, the place is left where it was. */
static void follow(point_run* run, const search_task* t)
{
    const place from = run->at;
    wit_interval range[2];
    bool closed[2];
    wi_side_range(&t->a, from.kind, from.id, range, closed);
    for (int k = 0; k < NEWTON_MOST && !side_spent(&t->a, LEAST_UNITS); ++k) {
        double d[2], length;
        if (!newton(run, t->b.t, d, &length)) break;
        if (length <= ARRIVED * t->size) {
            if (k && !wi_side_contains(&t->a, run->at.kind, run->at.id, run->at.u, run->at.v)) break;
            return;
        }
        for (int i = 0; i < kind_dimension(from.kind); ++i) {
            unsigned held = 0;
            run->at.x[i] = parameter_in_range(run->at.x[i] + d[i], range[i], closed[i], &held);
        }
        look(run, &t->a);
    }
    go_to(run, t, &from);
}

/* ---- its proof ----------------------------------------------------------------------------- */

static void witness_of(const point_run* run, wit_vec3 q, front_witness* w)
{
    *w = (front_witness){.kind = run->at.kind, .id = run->at.id, .x = {run->at.x[0], run->at.x[1]}};
    w->r = sub3(run->jet.p, q);
    w->distance = norm3(w->r);
    int n = kind_dimension(run->at.kind);
    if (n > 0) w->g[0] = dot3(w->r, run->jet.du);
    if (n > 1) w->g[1] = dot3(w->r, run->jet.dv);
}

/* From place to place that the front shows, until it shows none. */
static bool prove(point_run* run, const search_task* t, bool alone, int64_t units, front_answer* out)
{
    for (int k = 0; k < PLACES_MOST; ++k) {
        front_witness w;
        follow(run, t);
        witness_of(run, t->b.t, &w);
        front_ask ask = {.q = t->b.t, .witness = w, .alone = alone, .work = t->work, .units = units};
        ask.slack = SHARE * task_tolerance(t, w.distance);
        wi_point_front_step(run->front, run->a->body, &ask, out);
        if (!out->nearer) return w.distance - out->lower <= task_tolerance(t, w.distance);
        go_to(run, t, &out->at);
        if (work_left(t->work, units) < LEAST_UNITS) return false;
    }
    return false;
}

/* How near the boxes of edges and vertices come to p. */
static double room_about(const search_task* t, wit_vec3 p)
{
    const wit_body* b = t->a.body;
    const tree_node* nodes = body_nodes(b);
    tree_walk walk;
    double least = INFINITY;
    for (tree_walk_start(&walk, b->node_count); walk.count;) {
        const tree_node* n = &nodes[tree_walk_next(&walk)];
        work_boxes(t->work, 1);
        double square = box_square(&n->box, p);
        if (!(n->kinds_below & (1U << WIT_EDGE | 1U << WIT_VERTEX)) || square >= least) continue;
        if (n->child[0] < 0) {
            least = square;
        } else {
            double first = box_square(&nodes[n->child[0]].box, p), other = box_square(&nodes[n->child[1]].box, p);
            if (!tree_walk_down(&walk, n, other < first)) return 0;
        }
    }
    return sqrt(least);
}

/*
 * The place named by the lowest feature that it lies on. Where no edge comes near to where the last one was asked, nothing needs to
 * be asked; where one does, boxes do not help, and the next few points are not asked about their room.
 */
static place named(point_run* run, const search_task* t)
{
    double slack = 2 * t->floor;
    if (run->at.kind == WIT_FACE) {
        if (norm3(sub3(run->at.p, run->clear)) + 2 * slack < run->clear_room) return run->at;
        if (!run->unclear) {
            run->clear = run->at.p;
            run->clear_room = room_about(t, run->at.p);
            if (run->clear_room > 2 * slack) return run->at;
            run->unclear = UNCLEAR;
        }
        --run->unclear;
    }
    return wi_lowest_place(&t->a, &run->at, slack);
}

/* What is proved, as a search would hand it back. */
static void found(point_run* run, const search_task* t, const front_answer* front, search_answer* f)
{
    memset(f, 0, sizeof *f);
    f->end = SEARCH_CLOSED;
    f->b = place_at(WIT_POINT, -1, 0, 0, t->b.t);
    place lowest = named(run, t);
    double here = norm3(sub3(run->at.p, t->b.t)), there = norm3(sub3(lowest.p, t->b.t));
    bool same = fabs(there - here) <= 2 * t->floor;
    f->a = same ? lowest : run->at;
    f->upper = same ? there : here;
    f->lower = smaller(f->upper, larger(0, front->lower - front->loose));
    f->slack = larger(0, smaller(f->upper, front->lower) - f->lower);
    f->isolated = f->a.kind == WIT_FACE && bends_up(run, t->b.t);
}

/* The side, where the normal of the one place that may be closest tells it. */
static bool told(const point_run* run, const search_task* t, const search_answer* f, const front_answer* front,
                 point_sign* s)
{
    const wit_body* b = run->a->body;
    double rounding = 64 * DBL_EPSILON * (box_reach(&b->box) + norm3(t->b.t));
    if (f->a.kind != WIT_FACE || !front->side || !(f->upper > t->floor)) return false;
    if (b->kind == WIT_BODY_SOLID && !b->closed) return false;
    if (!(front->others - front->loose > f->upper + rounding)) return false;
    bool back = body_faces(b)[f->a.id].reversed;
    *s = (point_sign){.sign = back ? -front->side : front->side, .how = WIT_SIGN_NORMAL, .proved = true};
    s->deeper = INFINITY;
    return true;
}

/* ---- one point ----------------------------------------------------------------------------- */

static bool carry(point_run* run, wit_vec3 point, search_task* t, wit_closest* out)
{
    const wit_body* b = run->a->body;
    bool sided = b->kind != WIT_BODY_SHEET2;
    int64_t share = FRONT_UNITS;
    front_answer front;
    search_answer f;
    point_sign sign;
    if (share > t->units / 2) share = t->units / 2;
    if (share < 2 * LEAST_UNITS) return false;
    task_limit(t, share, 0);
    bool proved = prove(run, t, sided, share, &front) && norm3(sub3(run->at.p, t->b.t)) <= t->within;
    task_limit(t, run->query->def.budget, 0);
    if (!proved) return false;
    found(run, t, &front, &f);
    bool known = !sided || told(run, t, &f, &front, &sign);
    if (!sided) sign = (point_sign){.proved = true, .deeper = INFINITY};
    wi_point_answer(t, &f, known ? &sign : NULL, run->a, point, INFINITY, out);
    return out->certified;
}

/* From nothing, with what is left of the budget; the place found is the next one to go on from. */
static wit_status search(point_run* run, wit_vec3 point, const wit_work* spent, wit_closest* out)
{
    const int64_t budget = run->query->def.budget;
    run->query->def.budget = budget - spent->units;
    wit_status status = wit_closest_point(run->query, run->a, point, out);
    run->query->def.budget = budget;
    if (status) return status;
    run->searches += 1;
    run->searched += out->work.units;
    work_add(&out->work, spent);
    run->known = run->front && out->a.id >= 0 && out->upper_bound < INFINITY;
    if (run->known) {
        side s = {.body = run->a->body};
        memset(&run->hint, 0, sizeof run->hint);
        run->at = place_at(out->a.feature, out->a.id, out->a.u, out->a.v, vec3(0, 0, 0));
        look(run, &s);
    }
    return WIT_OK;
}

wit_status wi_point_run_ask(point_run* run, wit_vec3 point, wit_closest* out)
{
    wit_work spent = {0};
    if (run->known && run->account > 0) {
        search_task* task = &run->task;
        wit_status status = (run->begun ? wi_task_of_next_point : wi_task_of_point)(run->query, run->a, point, task);
        run->begun = true;
        if (status) return status;
        bool carried = carry(run, point, task, out);
        spent = *task->work;
        run->account -= UNIT_COST * spent.units + TEST_COST * spent.tests;
        if (carried) {
            run->carried += 1;
            run->account += run->searched / run->searches;
            return WIT_OK;
        }
    }
    wit_status status = search(run, point, &spent, out);
    if (!status && run->searches == 1) run->account = run->points / START_PART * out->work.units;
    return status;
}
