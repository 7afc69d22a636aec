/* SPDX-License-Identifier: MIT */
#include "point_proof.h"

#include <string.h>

#include "../base/pose.h"
#include "../pair/refine.h"
#include "../query/query_record.h"
#include "../query/sign/sign.h"
#include "carried_bound.h"
#include "law_methods.h"
#include "result.h"

enum {
    OWN_STEPS = 8, /* of Newton, to the foot of a law that is on its way */
    OWN_COST = 100,
    SIDE_LEAST = 256,         /* units without which the side is not asked for */
    JUMP_COST = 8 * LOOK_MOST /* and those without which no other place is followed */
};
#define SHARE 0.5 /* of `certify`: what pieces may be nearer than the witness by */

static point_front* front_of(wit_tracker* t)
{
    return tracker_at(t, t->point_front_at);
}

size_t wi_point_proof_bytes(const wit_body* a, const wit_body* b, const wit_track_def* def)
{
    if (b || !def->front || def->keep_features || !wi_point_front_has(a)) return 0;
    return wi_point_front_bytes(def->front);
}

void wi_point_proof_forget(wit_tracker* t)
{
    if (t->point_front_at) wi_point_front_start(front_of(t), t->def.front, t->body[0]);
}

/* ---- the side ------------------------------------------------------------------------------ */

/* Of the point and of the ball in which its side is known, both as computed. */
static double coordinate_error(const wit_tracker* t, wit_vec3 q)
{
    return 64 * DBL_EPSILON * (t->reach + fabs(q.x) + fabs(q.y) + fabs(q.z));
}

static bool keeps_side(const wit_body* b)
{
    return b->kind == WIT_BODY_SOLID && b->closed;
}

static int side_carried(const wit_tracker* t, wit_vec3 q)
{
    double way = norm3(sub3(q, t->side_at)) + coordinate_error(t, q) + coordinate_error(t, t->side_at);
    return t->side && way < t->side_room ? t->side : 0;
}

static void remember_side(wit_tracker* t, wit_vec3 q, int proved, double room)
{
    if (!keeps_side(t->body[0])) return;
    t->side = proved;
    t->side_at = q;
    t->side_room = room;
}

void wi_point_proof_outside(wit_tracker* t, wit_vec3 q, double room)
{
    remember_side(t, q, 1, room);
}

static bool outside_box(const wit_body* b, wit_vec3 q)
{
    return b->bounded && !b->unbounded && box_square(&b->box, q) > 0;
}

/* Is the foot of the witness, `distance` away but for `off`, the only place that may be closest? */
static bool alone(const wit_tracker* t, wit_vec3 q, double distance, double off, const front_answer* f)
{
    return f->others - f->loose > distance + off + coordinate_error(t, q);
}

/* The side of the body that the front tells of the foot, on a face; 0: none. */
static int told_side(const wit_tracker* t, const front_witness* w, const front_answer* f)
{
    if (w->kind != WIT_FACE) return 0;
    return body_faces(t->body[0])[w->id].reversed ? -f->side : f->side;
}

/* As the cold query proves it, from the bracket of the front. */
static int ask_side(step* s, double distance)
{
    wit_tracker* t = s->t;
    wit_query_def def = wit_query_default_def();
    wit_query* query;
    search_task task;
    wit_vec3 q = s->now.side[1].t;
    wit_placed a = wit_placed_at(t->body[0], wit_pose_identity());
    int64_t left = (step_left(s) - STEP_RESERVE) / 2;
    if (!t->query_at || left < SIDE_LEAST) return 0;
    def.capacity = t->def.capacity;
    def.budget = left;
    if (wit_query_init(tracker_at(t, t->query_at), t->query_bytes, &def, &query, NULL)) return 0;
    query->units = left;
    if (wi_task_of_point(query, &a, q, &task)) return 0;
    search_answer f = {.end = SEARCH_CLOSED, .upper = distance, .slack = s->front.loose};
    f.lower = smaller(distance, larger(0, s->front.lower - s->front.loose));
    f.a = place_at(t->at[0].kind, t->at[0].id, t->at[0].x[0], t->at[0].x[1], s->at[0].p);
    f.b = place_at(WIT_POINT, -1, 0, 0, q);
    point_sign r = wi_point_sign(&task, &task.a, q, &f, task.work);
    work_spend(&s->work, task.work);
    return r.proved ? r.sign : 0;
}

int wi_point_proof_side(step* s, double distance)
{
    wit_tracker* t = s->t;
    const wit_body* b = t->body[0];
    wit_vec3 q = s->now.side[1].t;
    if (!s->fronted || b->kind == WIT_BODY_SHEET2) return 0;
    if (b->kind == WIT_BODY_SOLID && outside_box(b, q)) return 1;
    if (b->kind == WIT_BODY_SOLID && !b->closed) return 0; /* its winding number would be asked in every frame */
    int proved = keeps_side(b) ? side_carried(t, q) : 0;
    if (proved) return proved;
    const front_witness* w = &s->asked;
    if (alone(t, q, distance, 0, &s->front)) {
        place at = place_at(w->kind, w->id, w->x[0], w->x[1], add3(q, w->r));
        proved = told_side(t, w, &s->front);
        if (proved) return proved;
        if (s->front.foot_off < INFINITY && step_left(s) >= wi_point_sign_cost(b, &at) + STEP_RESERVE)
            proved = wi_place_side(&s->now.side[0], q, &at, w->distance, s->front.foot_off);
    }
    return proved ? proved : ask_side(s, distance);
}

/* ---- bounds -------------------------------------------------------------------------------- */

wit_reason wi_reason_of_front(const wit_tracker* t, front_want want, double loose, bool sided)
{
    switch (want) {
    case FRONT_WANTS_WORK:
        return WIT_REASON_BUDGET;
    case FRONT_WANTS_ROOM:
        return WIT_REASON_MEMORY;
    case FRONT_WANTS_END:
        return WIT_REASON_SPREAD;
    case FRONT_WANTS_NOTHING:
        break;
    }
    if (!sided) return WIT_REASON_SIGN;
    return t->def.strict && loose > 0 ? WIT_REASON_MODEL : WIT_REASON_ROUNDING;
}

/* What the front says of the signed distance, and what was known of it before: both hold. */
static void set_bounds(wit_tracker* t, wit_vec3 q, double distance, int proved, const front_answer* f)
{
    const wit_body* b = t->body[0];
    bool signless = b->kind == WIT_BODY_SHEET2;
    double error = b->shape_tolerance + pose_error(0, scale3(2, q));
    double low = larger(0, f->lower - f->loose - error), high = distance + error;
    carried now = {proved > 0 || signless ? low : -high, proved < 0 ? -low : high};
    carried before = {-INFINITY, INFINITY};
    if (b->kind != WIT_BODY_SHEET) before = bound_carried(t, NULL, q);
    double model = f->loose + 2 * b->shape_tolerance;
    if (before.lower > now.lower || before.above < now.above) model = larger(model, t->model_tolerance);
    t->bound = larger(before.lower, now.lower);
    t->above = smaller(before.above, now.above);
    t->bound_shift = q;
    t->model_tolerance = model;
    t->reason = wi_reason_of_front(t, f->want, f->loose, proved || signless);
    if (proved) remember_side(t, q, proved, low);
}

void wi_point_proof_end(step* s, double distance, int proved)
{
    if (s->fronted) set_bounds(s->t, s->now.side[1].t, distance, proved, &s->front);
}

bool wi_point_proof_holds(const step* s)
{
    const wit_tracker* t = s->t;
    double distance = norm3(sub3(s->at[0].p, s->now.side[1].t)), slack = t->def.certify * step_scale(s, distance);
    return s->fronted && !s->front.nearer && distance - s->front.lower <= slack;
}

/* ---- the front ----------------------------------------------------------------------------- */

static front_ask ask_of(wit_tracker* t, wit_vec3 q, const front_witness* w)
{
    front_ask ask = {.q = q, .witness = *w};
    ask.alone = t->body[0]->kind == WIT_BODY_SHEET || (keeps_side(t->body[0]) && !side_carried(t, q));
    ask.slack = SHARE * t->def.certify * larger(w->distance, t->size);
    return ask;
}

/* Where the witness stands; of a law that is on its way the foot that it leads to. */
static place standing(step* s)
{
    wit_tracker* t = s->t;
    place at = place_at(t->at[0].kind, t->at[0].id, t->at[0].x[0], t->at[0].x[1], vec3(0, 0, 0));
    bool there = !t->law || s->outcome == WIT_OUTCOME_CONVERGED;
    if (there || step_left(s) < OWN_COST + STEP_RESERVE) return at;
    side point = wi_side_of_point(s->now.side[1].t);
    place b = {.kind = WIT_POINT, .id = -1};
    refine_bounds bounds = wi_refine_bounds_of(&s->now.side[0], &at, &point, &b);
    refined own;
    wi_refine_pair(&s->now.side[0], &at, &point, &b, &bounds, (refine_effort){OWN_STEPS, 0}, &own);
    return own.distance < INFINITY ? own.a : at;
}

/* By a jet of its own: beside a pole the step has other derivatives. */
static front_witness witness_of(step* s)
{
    place at = standing(s);
    front_witness w = {.kind = at.kind, .id = at.id, .x = {at.x[0], at.x[1]}};
    wit_interval range[2] = {{0, 0}, {0, 0}};
    bool closed[2];
    wit_surface_jet j;
    pair_motion_range(&s->now, 0, &at, range, closed);
    unsigned below = at.kind == WIT_EDGE && at.x[0] >= range[0].hi ? (unsigned)WIT_KNOT_T_BELOW : 0U;
    if (at.kind == WIT_FACE)
        below = (at.x[0] >= range[0].hi ? (unsigned)WIT_KNOT_U_BELOW : 0U) |
                (at.x[1] >= range[1].hi ? (unsigned)WIT_KNOT_V_BELOW : 0U);
    wi_side_jet(&s->now.side[0], &at, below, NULL, &j);
    w.r = sub3(j.p, s->now.side[1].t);
    w.distance = norm3(w.r);
    w.g[0] = place_count(&at) > 0 ? dot3(w.r, j.du) : 0;
    w.g[1] = place_count(&at) > 1 ? dot3(w.r, j.dv) : 0;
    return w;
}

/* Outside a convex body tangent planes prove the witness at no cost. */
static bool planes_prove(step* s)
{
    if (!s->t->supported || (s->t->law && s->outcome != WIT_OUTCOME_CONVERGED)) return false;
    wit_vec3 q = s->now.side[1].t;
    double distance = norm3(sub3(s->at[0].p, q)), rounding = step_rounding(s->t, distance, q);
    double lower = wi_result_planes(s, rounding);
    if (!planes_suffice(s->t, distance, lower, rounding)) return false;
    wi_point_proof_outside(s->t, q, lower);
    return true;
}

static void jump_to(step* s, const front_witness* from_foot)
{
    wit_tracker* t = s->t;
    place from = t->at[0], to = s->front.at;
    t->at[0] = to;
    memset(&t->hint[0], 0, sizeof t->hint[0]);
    s->fresh = false;
    s->held = 0;
    s->front.others = 0; /* was of another witness */
    double time = t->law && t->law->jump_time ? t->law->jump_time(s, 0, &from, &to) : s->clock;
    wi_step_switched(s, 0, &from, from_foot->distance, s->front.distance, true, time);
}

bool wi_point_proof_jump(step* s)
{
    wit_tracker* t = s->t;
    s->fronted = false;
    if (!t->point_front_at || step_left(s) < STEP_RESERVE + LOOK_MOST || planes_prove(s)) return false;
    front_witness w = s->asked = witness_of(s);
    front_ask ask = ask_of(t, s->now.side[1].t, &w);
    ask.work = &s->work;
    ask.units = step_limit(s);
    wi_point_front_step(front_of(t), t->body[0], &ask, &s->front);
    s->fronted = true;
    if (!s->front.nearer) return false;
    if (step_left(s) < STEP_RESERVE + JUMP_COST) {
        s->flags |= WIT_FLAG_LOCAL;
        return false;
    }
    jump_to(s, &w);
    return true;
}

/* ---- a usual step -------------------------------------------------------------------------- */

/* The proved side, as far as that is told by what is known; *sure false: the general step has to ask. */
static int usual_side(const wit_tracker* t, wit_vec3 q, const front_witness* w, int told, const front_answer* f,
                      bool* sure)
{
    const wit_body* b = t->body[0];
    int proved = 0;
    *sure = true;
    if (b->kind == WIT_BODY_SHEET2) return 0;
    if (b->kind != WIT_BODY_SHEET) {
        proved = b->closed ? side_carried(t, q) : 0;
        if (!proved && outside_box(b, q)) proved = 1;
        if (!b->closed && !proved) return 0;
    }
    if (!proved && alone(t, q, w->distance, w->off, f)) proved = told_side(t, w, f);
    *sure = proved == told;
    return proved;
}

bool wi_point_proof_usual(wit_tracker* t, wit_vec3 q, const front_witness* w, int told, wit_work* work)
{
    wit_work own = {0};
    front_answer f;
    front_ask ask = ask_of(t, q, w);
    ask.work = &own;
    ask.units = t->def.budget / 2; /* the rest is for the general step */
    wi_point_front_step(front_of(t), t->body[0], &ask, &f);
    bool sure;
    int proved = usual_side(t, q, w, told, &f, &sure);
    if (f.nearer || !sure) {
        t->spent = own;
        return false;
    }
    set_bounds(t, q, w->distance + w->off, proved, &f);
    *work = own;
    return true;
}
