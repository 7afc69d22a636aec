/* SPDX-License-Identifier: MIT */
/*
 * The closest pair: what the caller gave is checked and brought into one frame, a search runs, and what it found is
 * signed, looked at for closest sets that are not a point, and brought back into the world.
 *
 * Two bodies are put in an order that depends on them and not on the call, so swapping them changes no bit.
 */
#include <string.h>

#include "../base/pose.h"
#include "sign/contain.h"
#include "half_space.h"
#include "query_record.h"
#include "search/first_pair.h"
#include "search/point_search.h"
#include "search/pair_search.h"
#include "search/answer_set.h"
#include "sign/sign.h"
#include "depth/penetration_answer.h"
#include "depth/separation.h"

/* ---- checks -------------------------------------------------------------------------------- */

static wit_status check_point(wit_vec3 p)
{
    if (!finite3(p)) return WIT_ERROR_NUMBER;
    double m = larger(fabs(p.x), larger(fabs(p.y), fabs(p.z)));
    return m <= WIT_MAX_COORDINATE ? WIT_OK : WIT_ERROR_NUMBER;
}

static wit_status check_placed(const wit_placed* p)
{
    if (!p || !p->body) return WIT_ERROR_ARGUMENT;
    wit_status status = wit_pose_check(&p->pose);
    return status ? status : check_point(p->pose.position);
}

/* How far off the plane of a planar body a thing may be: of its size. */
#define PLANE_SLACK 1e-9

static const shape_frame* plane_of(const side* s)
{
    return &body_surface(s->body, 0)->frame;
}

static bool off_plane(const side* s, wit_vec3 p)
{
    double height = dot3(sub3(side_unpoint(s, p), plane_of(s)->o), plane_of(s)->z);
    return fabs(height) > PLANE_SLACK * s->body->size;
}

static wit_status check_planes(const side* a, const side* b)
{
    bool planar_a = a->body->planar, planar_b = b->body && b->body->planar;
    if (!planar_a && !planar_b) return WIT_OK;
    if (!b->body) return off_plane(a, b->t) ? WIT_ERROR_RANGE : WIT_OK;
    if (!planar_a || !planar_b) return WIT_ERROR_RANGE;
    wit_vec3 na = side_vector(a, plane_of(a)->z), nb = side_vector(b, plane_of(b)->z), across = cross3(na, nb);
    if (norm3(across) > PLANE_SLACK || off_plane(a, side_point(b, plane_of(b)->o))) return WIT_ERROR_RANGE;
    return WIT_OK;
}

/* ---- the task ------------------------------------------------------------------------------ */

static double largest_coordinate(const wit_box* b)
{
    double lo = larger(fabs(b->lo.x), larger(fabs(b->lo.y), fabs(b->lo.z)));
    double hi = larger(fabs(b->hi.x), larger(fabs(b->hi.y), fabs(b->hi.z)));
    return larger(lo, hi);
}

/* The rounding of a distance between points with coordinates up to `reach`: evaluation and the difference leave some ten
 * units in the last place. Rigorous bounds of them are wider: enclosures keep some 1e-14 on each side. Nothing smaller than
 * the errors of the poses can be told from zero either. */
#define FLOOR_UNITS 64
#define FLOOR_UNITS_RIGOROUS 256

static double side_reach(const side* s)
{
    wit_box box = wi_side_box(s);
    return larger(largest_coordinate(&box), larger(fabs(s->t.x), larger(fabs(s->t.y), fabs(s->t.z))));
}

static void settle_task(wit_query* q, search_task* t)
{
    double reach = larger(side_reach(&t->a), side_reach(&t->b));
    double size_a = t->a.body->size, size_b = t->b.body ? t->b.body->size : 0;
    wi_side_clip(&t->a, &t->b);
    if (t->b.body) wi_side_clip(&t->b, &t->a);
    /* unbounded bodies and points have no size of their own to measure by */
    t->size = size_a > 0 && size_b > 0 ? smaller(size_a, size_b) : larger(size_a, size_b);
    if (!(t->size > 0)) t->size = reach;
    t->floor = (q->def.rigorous ? FLOOR_UNITS_RIGOROUS : FLOOR_UNITS) * DBL_EPSILON * reach;
    const wit_body* both[2] = {t->a.body, t->b.body};
    double counted = 0, hidden = 0;
    for (int i = 0; i < 2 && both[i]; ++i) {
        counted += both[i]->vertex_error + both[i]->gape;
        hidden += both[i]->hidden_gap;
    }
    t->model_error = q->def.rigorous || counted > t->floor ? counted : 0;
    if (q->def.rigorous || hidden > 0.1 * q->def.tolerance * t->size) t->model_error += hidden;
    t->floor = larger(t->floor, task_error(t));
    t->tolerance = q->def.tolerance;
    t->within = q->def.within;
    t->rigorous = q->def.rigorous;
    t->strict = q->def.strict;
    t->budget = q->def.budget;
    t->in_step = q->units != 0;
    t->units = q->units ? q->units : q->def.budget;
    if (t->units < WIT_BUDGET_LEAST) t->units = WIT_BUDGET_LEAST;
    t->memory = q->memory;
    memset(&q->work, 0, sizeof q->work);
    t->work = t->a.work = t->b.work = &q->work;
    t->a.units = t->b.units = t->units;
}

/* Could the error cost the certificate, of bodies of this size? Then it is worth measuring. */
static bool matters(const wit_query* q, double error, const wit_body* a, const wit_body* b)
{
    double size = b && b->size > 0 && (b->size < a->size || !(a->size > 0)) ? b->size : a->size;
    return 20 * error > q->def.tolerance * size;
}

/* The constants of pose.h leave room for the rounding of evaluations, which only rigorous mode counts by itself. */
static double evaluating(const wit_query* q, double reach)
{
    return q->def.rigorous ? 0 : 6 * DBL_EPSILON * reach;
}

wit_status wi_task_of_next_point(wit_query* q, const wit_placed* a, wit_vec3 point, search_task* t)
{
    wit_status status = check_point(point);
    if (status) return status;
    t->b.t = wit_pose_unpoint(&a->pose, point);
    t->b.error = point_turn_error(t->b.t);
    if (matters(q, t->b.error, a->body, NULL))
        t->b.error =
            smaller(t->b.error, wi_point_turn_measured(&a->pose, point, t->b.t) + evaluating(q, norm3(t->b.t)));
    status = check_planes(&t->a, &t->b);
    if (!status) settle_task(q, t);
    return status;
}

wit_status wi_task_of_point(wit_query* q, const wit_placed* a, wit_vec3 point, search_task* t)
{
    if (!q) return WIT_ERROR_ARGUMENT;
    wit_status status = check_placed(a);
    if (!status) status = check_point(point);
    if (status) return status;
    if (a->mask && wi_side_flag_bytes(a->body) > q->flag_bytes) return WIT_ERROR_MEMORY;
    memset(t, 0, sizeof *t);
    t->a = wi_side_of(a, &a->pose, q->flags);
    t->b = wi_side_of_point(vec3(0, 0, 0));
    return wi_task_of_next_point(q, a, point, t);
}

void wi_task_of_sides(wit_query* q, const side* a, const side* b, search_task* t)
{
    memset(t, 0, sizeof *t);
    t->a = *a;
    t->b = *b;
    settle_task(q, t);
}

static int compare_numbers(const double* x, const double* y, int n)
{
    for (int k = 0; k < n; ++k)
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    return 0;
}

/* Of one body: by the first feature that only one of the two lists. */
static int compare_masks(const wit_body* b, const wit_mask* x, const wit_mask* y)
{
    const int counts[WIT_FEATURE_KIND_COUNT] = {b->face_count, b->edge_count, b->vertex_count};
    if (!x || !y) return (x != NULL) - (y != NULL);
    for (int kind = WIT_FACE; kind < WIT_FEATURE_KIND_COUNT; ++kind)
        for (int i = 0; i < counts[kind]; ++i) {
            int c = mask_lists(x, (wit_feature_kind)kind, i) - mask_lists(y, (wit_feature_kind)kind, i);
            if (c) return c;
        }
    return 0;
}

/* Which body comes first: the larger one, whatever the order of the call. Equal bodies: by their poses. */
static bool in_order(const wit_placed* a, const wit_placed* b)
{
    const wit_body *x = a->body, *y = b->body;
    double of_x[4] = {x->unbounded, x->size, (double)x->node_count, (double)x->bytes};
    double of_y[4] = {y->unbounded, y->size, (double)y->node_count, (double)y->bytes};
    int c = compare_numbers(of_x, of_y, 4);
    if (c) return c > 0;
    const wit_pose *p = &a->pose, *r = &b->pose;
    double at_x[7] = {p->position.x, p->position.y, p->position.z, p->rotation.w,
                      p->rotation.x, p->rotation.y, p->rotation.z};
    double at_y[7] = {r->position.x, r->position.y, r->position.z, r->rotation.w,
                      r->rotation.x, r->rotation.y, r->rotation.z};
    c = compare_numbers(at_x, at_y, 7);
    return c ? c > 0 : compare_masks(x, a->mask, b->mask) >= 0;
}

wit_status wi_task_of_pair(wit_query* q, const wit_placed* a, const wit_placed* b, search_task* t)
{
    if (!q) return WIT_ERROR_ARGUMENT;
    wit_status status = check_placed(a);
    if (!status) status = check_placed(b);
    if (status) return status;
    bool swapped = !in_order(a, b);
    const wit_placed *first = swapped ? b : a, *second = swapped ? a : b;
    size_t flags = first->mask ? wi_side_flag_bytes(first->body) : 0;
    if (flags + (second->mask ? wi_side_flag_bytes(second->body) : 0) > q->flag_bytes) return WIT_ERROR_MEMORY;
    memset(t, 0, sizeof *t);
    t->swapped = swapped;
    t->a = wi_side_of(first, &first->pose, q->flags);
    t->b = wi_side_of(second, &first->pose, q->flags + flags);
    if (matters(q, t->b.error, first->body, second->body)) {
        relative_rows rows = {t->b.x, t->b.y, t->b.z, t->b.t};
        double reach = box_reach(&second->body->box), far = reach + box_reach(&first->body->box) + norm3(t->b.t);
        double measured = wi_pose_measured(&first->pose, &second->pose, &rows, reach);
        t->b.error = smaller(t->b.error, measured + evaluating(q, far));
    }
    status = check_planes(&t->a, &t->b);
    if (status) return status;
    /* no box to search in; two half-spaces have a closed form */
    bool both = t->a.body->unbounded && t->b.body->unbounded;
    if (both && !wi_half_space_both(t)) return WIT_ERROR_UNSUPPORTED;
    settle_task(q, t);
    return WIT_OK;
}

/* ---- the answer ---------------------------------------------------------------------------- */

wit_witness wi_witness_of(const place* p, const wit_pose* frame)
{
    wit_witness w = {p->kind, p->id, p->u, p->v, wit_pose_point(frame, p->p)};
    return w;
}

/* The direction from a to b where they touch: the outward normal of a face that is there, or across two edges. */
static wit_vec3 touching_normal(const search_task* t, const search_answer* f)
{
    wit_vec3 n;
    if (side_spent(&t->a, 2)) return vec3(0, 0, 0);
    if (f->a.kind == WIT_FACE && wi_side_normal(&t->a, f->a.id, f->a.u, f->a.v, &n)) return n;
    if (f->b.kind == WIT_FACE && wi_side_normal(&t->b, f->b.id, f->b.u, f->b.v, &n)) return scale3(-1, n);
    if (f->a.kind == WIT_EDGE && f->b.kind == WIT_EDGE) {
        wit_surface_jet ja, jb;
        side_edge_jet(&t->a, f->a.id, f->a.u, WIT_KNOT_DEFAULT, &ja);
        side_edge_jet(&t->b, f->b.id, f->b.u, WIT_KNOT_DEFAULT, &jb);
        return unit3(cross3(unit3(ja.du), unit3(jb.du)));
    }
    return vec3(0, 0, 0);
}

static wit_vec3 normal_of(const search_task* t, const search_answer* f)
{
    wit_vec3 gap = sub3(f->b.p, f->a.p);
    if (f->upper > t->floor) return unit3(gap);
    wit_vec3 n = touching_normal(t, f);
    return dot3(n, n) > 0 ? n : unit3(gap);
}

/* Two bodies with nothing between them that could be told from zero. */
static bool touching(const search_task* t, const search_answer* f)
{
    return f->end == SEARCH_CLOSED && t->b.body && !(f->lower > t->floor) &&
           f->upper <= task_tolerance(t, f->upper) + f->slack;
}

static wit_outcome outcome_of(const search_task* t, const search_answer* f)
{
    switch (f->end) {
    case SEARCH_BEYOND:
        return WIT_OUTCOME_BEYOND;
    case SEARCH_EMPTY:
        return WIT_OUTCOME_EMPTY;
    case SEARCH_CROSSING:
        return WIT_OUTCOME_OVERLAPPING;
    case SEARCH_CLOSED:
        break;
    case SEARCH_BUDGET:
        return WIT_OUTCOME_BUDGET;
    }
    return touching(t, f) ? WIT_OUTCOME_TOUCHING : WIT_OUTCOME_CONVERGED;
}

static void turn_set(wit_closest_set* set, const wit_pose* frame)
{
    for (int k = 0; k < set->dimension; ++k) set->direction[k] = wit_pose_vector(frame, set->direction[k]);
}

/* All but the sign, in the order of the search. */
static void answer(const search_task* t, search_answer* f, const wit_pose* frame, wit_closest* out)
{
    memset(out, 0, sizeof *out);
    out->outcome = outcome_of(t, f);
    out->distance = out->lower_bound = f->lower;
    out->upper_bound = INFINITY;
    out->a.id = out->b.id = -1;
    out->a.feature = out->b.feature = WIT_POINT;
    if (f->end == SEARCH_EMPTY) out->distance = out->lower_bound = INFINITY;
    if (f->end == SEARCH_BEYOND || f->end == SEARCH_EMPTY) return;
    if (!(f->upper < INFINITY) && f->end == SEARCH_BUDGET) return; /* no place was reached */
    if (f->end == SEARCH_CROSSING) {
        f->lower = 0;
    } else if (f->upper < INFINITY) {
        double tolerance = task_tolerance(t, f->upper);
        bool spread = wi_closest_set(t, f, tolerance, &out->set);
        if (spread && out->outcome != WIT_OUTCOME_TOUCHING) out->outcome = WIT_OUTCOME_NOT_UNIQUE;
        turn_set(&out->set, frame);
        out->certified = task_certifies(t, f->upper - f->lower, f->upper, f->slack);
        out->model_tolerance = f->slack;
    }
    out->distance = norm3(sub3(f->b.p, f->a.p));
    out->upper_bound = larger(f->upper, out->distance);
    out->lower_bound = f->lower;
    out->a = wi_witness_of(&f->a, frame);
    out->b = wi_witness_of(&f->b, frame);
    out->normal = wit_pose_vector(frame, normal_of(t, f));
}

/* How deep a point may be in the solid: as its box allows. A one-sided sheet has no such limit. */
static double deepest_inside(const search_task* t)
{
    const wit_box* box = &t->a.body->box;
    wit_vec3 p = side_unpoint(&t->a, t->b.t), over = sub3(box->hi, p), under = sub3(p, box->lo);
    double deep = smaller(smaller(smaller(over.x, under.x), smaller(over.y, under.y)), smaller(over.z, under.z));
    bool limited = t->a.body->kind == WIT_BODY_SOLID && t->a.body->bounded;
    if (t->a.body->planar) deep = 0.5 * t->a.body->size; /* its box is flat */
    return limited ? larger(0, deep) + t->a.body->tolerance : INFINITY;
}

/* The work ended before any place was met, so that the side is not known. */
static void allow_inside(const search_task* t, wit_closest* r)
{
    r->lower_bound = smaller(r->lower_bound, -deepest_inside(t));
    r->distance = r->lower_bound;
    r->reason = WIT_REASON_BUDGET;
}

/* The signed bracket: inside, the true value lies between -upper and -lower. Where the side is not known (at the rounding
 * floor; the work ended before) it is either. */
static void put_sign(const search_task* t, const search_answer* f, const point_sign* told, wit_closest* out)
{
    point_sign s = told ? *told : wi_point_sign(t, &t->a, t->b.t, f, t->work);
    double upper = out->upper_bound;
    out->sign = s.how;
    if (s.sign < 0) {
        out->distance = -out->distance;
        out->upper_bound = -f->lower;
        out->lower_bound = -upper;
        /* along the gap it turns with the sign; that of a face at the rounding floor is the outward one already */
        if (f->upper > t->floor || f->a.kind != WIT_FACE) out->normal = scale3(-1, out->normal);
    }
    if (!s.sign || (s.proved && upper > t->floor)) return;
    double deep = s.deeper < INFINITY ? s.deeper : deepest_inside(t);
    out->lower_bound = -larger(upper, deep);
    out->upper_bound = upper;
    out->certified = task_certifies(t, upper - out->lower_bound, upper, f->slack);
    if (out->certified) return;
    if (f->end == SEARCH_CLOSED) out->reason = WIT_REASON_SIGN;
    if (upper > t->floor) out->outcome = WIT_OUTCOME_BUDGET;
}

/* Why the answer is not certified, unless that is known already. */
static wit_reason reason_of(const search_task* t, const search_answer* f, const wit_closest* r)
{
    if (r->certified || r->outcome == WIT_OUTCOME_BEYOND || r->outcome == WIT_OUTCOME_EMPTY) return WIT_REASON_NONE;
    if (r->reason) return r->reason;
    double width = r->upper_bound - r->lower_bound, tolerance = task_tolerance(t, f->upper);
    if (width <= tolerance + r->model_tolerance) return WIT_REASON_MODEL;
    if (r->outcome == WIT_OUTCOME_NOT_UNIQUE) return WIT_REASON_SPREAD;
    if (f->full) return WIT_REASON_MEMORY;
    return task_may_spend(t, t->work, SEARCH_END_UNITS) ? WIT_REASON_ROUNDING : WIT_REASON_BUDGET;
}

/* The last word on the certificate: what rests on an estimate has none. */
static void put_reason(const search_task* t, const search_answer* f, wit_closest* r)
{
    bool estimate = r->certified && task_is_estimate(t);
    if (estimate) r->certified = false;
    r->reason = estimate ? WIT_REASON_MODEL : reason_of(t, f, r);
}

/* Could the point have a negative distance? Outside the box of a closed solid it has none. */
static bool may_be_inside(const search_task* t)
{
    const wit_body* b = t->a.body;
    if (t->a.faces || b->kind == WIT_BODY_SHEET2) return false;
    return b->kind == WIT_BODY_SHEET || side_may_hold(&t->a, t->b.t);
}

/*
 * By how much either end of the bracket moves for the errors of the task. The truth is within `error` of a bracket of this width,
 * so the distance is within width + error of it. Where that is within `asked`, but a bracket with the errors on both sides
 * is not, it is made as wide as was asked for: by default it may miss the truth by less than that.
 */
static double charged(const search_task* t, double error, double width, double asked, double allowed)
{
    bool near = !t->rigorous && error <= asked && width + error <= allowed;
    return near ? smaller(error, 0.5 * (allowed - width)) : error;
}

/* See task_error. Bodies that are proved to overlap have no positive distance; sheets that cross, where the proof has
 * counted the poses, none but zero. `may_be_negative`: the distance has a sign. */
static void count_errors(const search_task* t, bool may_be_negative, wit_closest* r)
{
    bool overlap = r->outcome == WIT_OUTCOME_OVERLAPPING;
    if (r->outcome == WIT_OUTCOME_EMPTY || (overlap && !may_be_negative)) return;
    /* Surfaces that only stand for others: the true ones may be that much nearer or farther. */
    double shape = t->a.body->shape_tolerance + (t->b.body ? t->b.body->shape_tolerance : 0);
    double error = task_error(t) + shape;
    r->model_tolerance += 2 * shape;
    double scale = larger(fabs(r->lower_bound), fabs(r->upper_bound)), asked = task_asked(t, scale);
    double allowed = asked + (t->strict ? 0 : r->model_tolerance), last = DBL_EPSILON * scale;
    error = charged(t, error, r->upper_bound - r->lower_bound + 4 * last, asked, allowed);
    r->lower_bound -= error + DBL_EPSILON * fabs(r->lower_bound);
    r->upper_bound += error + DBL_EPSILON * fabs(r->upper_bound);
    if (!may_be_negative) r->lower_bound = larger(0, r->lower_bound);
    if (overlap) r->upper_bound = smaller(0, r->upper_bound);
    r->certified = r->certified && r->upper_bound - r->lower_bound <= allowed;
}

static void set_beyond(wit_closest* r)
{
    wit_closest beyond = {.outcome = WIT_OUTCOME_BEYOND, .lower_bound = r->lower_bound};
    beyond.distance = r->lower_bound;
    beyond.upper_bound = INFINITY;
    beyond.a.feature = beyond.b.feature = WIT_POINT;
    beyond.a.id = beyond.b.id = -1;
    *r = beyond;
}

void wi_point_answer(const search_task* task, search_answer* f, const point_sign* told, const wit_placed* a,
                     wit_vec3 point, double within, wit_closest* out)
{
    wit_closest r;
    answer(task, f, &a->pose, &r);
    if (f->end == SEARCH_CLOSED || f->end == SEARCH_BUDGET) {
        r.b.point = point;
        if (!a->mask && f->upper < INFINITY) put_sign(task, f, told, &r);
        if (!(f->upper < INFINITY) && may_be_inside(task)) allow_inside(task, &r);
        if (r.lower_bound > within) set_beyond(&r);
    }
    count_errors(task, !a->mask && a->body->kind != WIT_BODY_SHEET2, &r);
    r.work = *task->work;
    put_reason(task, f, &r);
    *out = r;
}

wit_status wit_closest_point(wit_query* query, const wit_placed* a, wit_vec3 point, wit_closest* out)
{
    search_task task;
    if (!out) return WIT_ERROR_ARGUMENT;
    wit_status status = wi_task_of_point(query, a, point, &task);
    if (status) return status;
    /* a point deep inside is not beyond: its distance is negative */
    if (may_be_inside(&task)) task.within = INFINITY;
    search_answer f;
    search_task most = task_keeping(&task, task.work);
    wi_point_search(&most, &f);
    work_add(task.work, &f.work);
    wi_point_answer(&task, &f, NULL, a, point, query->def.within, out);
    return WIT_OK;
}

/* ---- pairs --------------------------------------------------------------------------------- */

/* One solid inside the other, boundaries apart or not: a point of the one that is in the other shows it. */
static holding contained(const search_task* t, search_answer* f, wit_work* work)
{
    holding in = wi_solid_holds(t, &t->a, &t->b, work, &f->a, &f->b);
    return in == HOLDS ? in : holding_of_both(in, wi_solid_holds(t, &t->b, &t->a, work, &f->b, &f->a));
}

/*
 * The boundaries where nothing is known to be inside the other. What faces away from the other body is left out, which
 * supposes that neither holds the other: as long as that is not proved, nothing is left out, and nothing is beyond.
 */
static void search_boundaries(const search_task* task, holding in, const wit_work* before, search_answer* f)
{
    search_task t = task_keeping(task, before);
    t.apart = in != HOLDS_PERHAPS;
    if (in != HOLDS_NOT) t.within = INFINITY;
    wi_pair_search(&t, f);
}

/* May the bodies share inner points, or one be in the other, by all that was proved? A gap within the errors of the poses
 * excludes nothing, and what solids that are not convex would have to move then is no small thing: a peg in its hole. */
static bool may_overlap(const search_task* t, const search_answer* f, holding in)
{
    if (f->end == SEARCH_CROSSING || f->end == SEARCH_EMPTY) return false;
    if (in != HOLDS_NOT) return true;
    return side_has_inside(&t->a) && side_has_inside(&t->b) && !(f->lower > t->floor);
}

/* Bodies that touch: does b, moved a little along n, come free of a? Returns that little, or infinity. */
static double freed_by(const search_task* task, wit_vec3 n, wit_work* work)
{
    search_task t = *task;
    double by = larger(0.5 * task_tolerance(task, 0), 4 * task->floor);
    search_answer f;
    if (!task_may(task, work) || !(dot3(n, n) > 0)) return INFINITY;
    t.b.moved = true;
    t.b.t = addscaled3(t.b.t, by, n);
    t.tolerance *= 0.1;
    t.within = INFINITY;
    t.apart = true;
    if (contained(&t, &f, work) != HOLDS_NOT || !task_may(task, work)) return INFINITY;
    search_task rest = task_share(task, work, task->units / 4);
    t.budget = rest.budget;
    t.units = rest.units;
    wi_pair_search(&t, &f);
    work_add(work, &f.work);
    return (f.end == SEARCH_CLOSED || f.end == SEARCH_BUDGET) && f.lower > t.floor ? by : INFINITY;
}

/*
 * The lower bound for bodies that may overlap: minus a translation that surely separates them. Of sheets, and of features of
 * masks, the distance is never below 0.
 */
static void lower_for_overlap(const search_task* t, search_answer* f, wit_closest* out)
{
    double by = 0;
    if (side_has_inside(&t->a) && side_has_inside(&t->b)) {
        bool touch = out->outcome == WIT_OUTCOME_TOUCHING;
        /* across a short gap the direction of the gap is mostly rounding: that of the surfaces is not */
        const wit_vec3 ways[2] = {normal_of(t, f), touch ? touching_normal(t, f) : vec3(0, 0, 0)};
        by = larger(0, wi_separation(t, wi_way_out(t, ways[0]), t->work));
        for (int k = 1; k < 6 && touch; ++k) { /* planes first: they are cheap */
            wit_vec3 n = wi_way_out(t, scale3(k == 2 || k == 3 ? -1 : 1, ways[k % 2]));
            if (task_certifies(t, out->upper_bound + by, out->upper_bound, out->model_tolerance)) break;
            if (dot3(n, n) > 0)
                by = smaller(by, k < 4 ? larger(0, wi_separation(t, n, t->work)) : freed_by(t, n, t->work));
        }
    }
    if (!(-by < out->lower_bound)) return;
    out->lower_bound = -by;
    if (task_certifies(t, out->upper_bound + by, out->upper_bound, out->model_tolerance)) return;
    out->certified = false;
    if (task_may(t, t->work)) out->reason = WIT_REASON_PREMISE; /* no convexity that would bound the overlap */
    if (out->outcome != WIT_OUTCOME_TOUCHING || !task_may(t, t->work)) out->outcome = WIT_OUTCOME_BUDGET;
}

wit_status wit_closest_pair(wit_query* query, const wit_placed* a, const wit_placed* b, wit_closest* out)
{
    search_task task;
    if (!out) return WIT_ERROR_ARGUMENT;
    wit_status status = wi_task_of_pair(query, a, b, &task);
    if (status) return status;
    search_answer f;
    memset(&f, 0, sizeof f);
    bool half_spaces = wi_half_space_both(&task);
    penetration deep;
    holding in = HOLDS_NOT;
    int64_t units = task.units;
    task_limit(&task, units, STORED_PAIR_UNITS);
    bool inside = !half_spaces && wi_overlap_first(&task, task.work, &deep);
    if (half_spaces) {
        wi_half_space_pair(&task, &f);
    } else if (inside) {
        f.end = SEARCH_CROSSING;
        f.a = deep.a;
        f.b = deep.b;
    } else {
        in = contained(&task, &f, task.work);
        task_limit(&task, units, 0);
        if (in == HOLDS)
            f.end = SEARCH_CROSSING;
        else
            search_boundaries(&task, in, task.work, &f);
    }
    task_limit(&task, units, 0);
    work_add(task.work, &f.work);
    if (touching(&task, &f) && wi_solids_share_inside(&task, task.work, &f.a, &f.b)) f.end = SEARCH_CROSSING;
    const wit_pose* frame = task.swapped ? &b->pose : &a->pose;
    bool perhaps = !half_spaces && may_overlap(&task, &f, in);
    wit_closest r;
    answer(&task, &f, frame, &r);
    if (f.end == SEARCH_CROSSING) wi_overlap_answer(&task, f.upper, inside ? &deep : NULL, frame, &r);
    if (perhaps) lower_for_overlap(&task, &f, &r);
    count_errors(&task, side_has_inside(&task.a) && side_has_inside(&task.b), &r);
    if (half_spaces && r.outcome == WIT_OUTCOME_CONVERGED) wi_half_space_closest_set(&task, frame, &r);
    r.work = *task.work;
    put_reason(&task, &f, &r);
    in_order_of_caller(&task, &r.a, &r.b, &r.normal);
    *out = r;
    return WIT_OK;
}
