/* SPDX-License-Identifier: MIT */
#include "pair_proof.h"

#include <string.h>

#include "../query/query_record.h"
#include "../query/sign/contain.h"
#include "carried_bound.h"
#include "point_proof.h"
#include "result.h"

#define SHARE 0.5 /* of `certify`: what pairs may be nearer than the witness by */
enum {
    PAIR_JUMP_COST = 16 * LOOK_MOST,
    HOLDING_LEAST = 128
}; /* without which no other pair is followed; nor asked who holds whom */

static pair_front* front_of(wit_tracker* t)
{
    return tracker_at(t, t->pair_front_at);
}

size_t wi_pair_proof_bytes(const wit_body* a, const wit_body* b, const wit_track_def* def)
{
    if (!b || !def->front || def->keep_features || !wi_pair_front_has(a, b)) return 0;
    return wi_pair_front_bytes(def->front);
}

void wi_pair_proof_forget(wit_tracker* t)
{
    if (t->pair_front_at) wi_pair_front_start(front_of(t), t->def.front, t->body[0], t->body[1]);
}

static bool has_inside(const wit_tracker* t)
{
    return t->body[0]->kind == WIT_BODY_SOLID || t->body[1]->kind == WIT_BODY_SOLID;
}

/* What was proved before is kept where it says more. */
static void set_bounds(wit_tracker* t, const wit_vec3 rows[3], wit_vec3 origin, double distance, const pair_answer* f)
{
    double shape = t->body[0]->shape_tolerance + t->body[1]->shape_tolerance;
    carried_proof now = {.lower = larger(0, f->lower - f->loose - shape), .above = distance + shape};
    now.model_tolerance = f->loose + 2 * shape;
    now.reason = wi_reason_of_front(t, f->want, f->loose, true);
    wi_carried_bound_raise(t, &now, rows, origin);
}

/* Are the boundaries proved to be apart? */
static bool met_nowhere(const wit_tracker* t, wit_vec3 origin, const pair_answer* f)
{
    double shape = t->body[0]->shape_tolerance + t->body[1]->shape_tolerance;
    return f->lower - f->loose - shape > step_rounding(t, 0, origin);
}

static double slack_of(const wit_tracker* t, double distance)
{
    return SHARE * t->def.certify * larger(distance, t->size);
}

/* By jets of its own: beside a pole the step has other derivatives. */
static void witness_of(step* s, pair_witness* w)
{
    wit_surface_jet j[2];
    memset(w, 0, sizeof *w);
    for (int k = 0; k < 2; ++k) {
        const place* at = &s->t->at[k];
        wit_interval range[2] = {{0, 0}, {0, 0}};
        bool closed[2];
        w->at[k] = *at;
        pair_motion_range(&s->now, k, at, range, closed);
        unsigned below = at->kind == WIT_EDGE && at->x[0] >= range[0].hi ? (unsigned)WIT_KNOT_T_BELOW : 0U;
        if (at->kind == WIT_FACE)
            below = (at->x[0] >= range[0].hi ? (unsigned)WIT_KNOT_U_BELOW : 0U) |
                    (at->x[1] >= range[1].hi ? (unsigned)WIT_KNOT_V_BELOW : 0U);
        wi_side_jet(&s->now.side[k], at, below, NULL, &j[k]);
    }
    w->r = sub3(j[0].p, j[1].p);
    w->distance = norm3(w->r);
    for (int k = 0, i = 0; k < 2; ++k)
        for (int d = 0; d < place_count(&w->at[k]); ++d, ++i)
            w->g[i] = (k ? -1 : 1) * dot3(w->r, d ? j[k].dv : j[k].du);
}

static void jump_to(step* s, double before)
{
    wit_tracker* t = s->t;
    for (int k = 0; k < 2; ++k) {
        place from = t->at[k];
        t->at[k] = s->pair.at[k];
        memset(&t->hint[k], 0, sizeof t->hint[k]);
        bool other = from.kind != t->at[k].kind || from.id != t->at[k].id;
        if (other) wi_step_switched(s, k, &from, before, s->pair.distance, true, s->clock);
    }
    s->flags |= WIT_FLAG_JUMPED;
    t->history = 0;
    s->fresh = false;
    s->held = 0;
}

bool wi_pair_proof_planes(wit_tracker* t, const wit_vec3 rows[3], wit_vec3 origin, double distance, double lower,
                          double rounding)
{
    if (!planes_suffice(t, distance, lower, rounding)) return false;
    carried_proof now = {.lower = lower, .above = INFINITY};
    if (bound_carried(t, rows, origin).lower < 0.5 * lower) wi_carried_bound_raise(t, &now, rows, origin);
    return true;
}

/* The boundaries do not meet, by the front: then neither holds the other if no part of either is inside the other. */
static bool neither_holds(step* s)
{
    wit_tracker* t = s->t;
    wit_query_def def = wit_query_default_def();
    wit_query* query;
    search_task task;
    place in_solid, in_other;
    int64_t left = (step_left(s) - STEP_RESERVE) / 2;
    if (!t->query_at || left < HOLDING_LEAST) return false;
    def.capacity = t->def.capacity;
    def.budget = left;
    if (wit_query_init(tracker_at(t, t->query_at), t->query_bytes, &def, &query, NULL)) return false;
    query->units = left;
    wi_task_of_sides(query, &s->now.side[0], &s->now.side[1], &task);
    bool apart = true;
    for (int k = 0; k < 2 && apart; ++k)
        apart = wi_solid_holds(&task, k ? &task.b : &task.a, k ? &task.a : &task.b, task.work, &in_solid, &in_other) ==
                HOLDS_NOT;
    work_spend(&s->work, task.work);
    return apart;
}

/* By the normal of the face, as the result has it (result.c): a two-sided sheet has no inside. */
static bool is_inside(const step* s)
{
    const wit_tracker* t = s->t;
    int face = pair_face(&s->at[0], &s->at[1]);
    double along;
    if (t->def.form != WIT_FORM_CONTACT || face < 0 || t->body[face]->kind == WIT_BODY_SHEET2) return false;
    wi_condition_normal(&s->at[0], &s->at[1], t->def.form, &along);
    return !(along > 0);
}

/* The sides of a step, for the front: contacts come after it, and are left most of the work. */
static void sides_of(const step* s, side out[2])
{
    int64_t share = s->t->def.contacts ? step_left(s) / 4 : step_left(s);
    for (int k = 0; k < 2; ++k) {
        out[k] = s->now.side[k];
        int64_t most = s->work.units + share;
        if (out[k].work == &s->work && most < out[k].units) out[k].units = most;
    }
}

bool wi_pair_proof_jump(step* s)
{
    wit_tracker* t = s->t;
    if (!t->pair_front_at || step_left(s) < STEP_RESERVE + 2 * LOOK_MOST) return false;
    if (!s->fresh) wi_step_look(s);
    const side* b = &s->now.side[1];
    const wit_vec3 rows[3] = {b->x, b->y, b->z};
    double gap = norm3(sub3(s->at[1].p, s->at[0].p)), rounding = step_rounding(t, gap, b->t);
    if (wi_pair_proof_planes(t, rows, b->t, gap, wi_result_planes(s, rounding), rounding)) return false;
    if (is_inside(s)) return false;
    side sides[2];
    sides_of(s, sides);
    pair_ask ask = {.side = {&sides[0], &sides[1]}};
    ask.apart = wi_carried_bound(t, &s->now).lower > 0;
    witness_of(s, &ask.witness);
    ask.slack = slack_of(t, ask.witness.distance);
    wi_pair_front_step(front_of(t), &ask, &s->pair);
    if (!s->pair.nearer) {
        bool parted = !has_inside(t) || ask.apart || (met_nowhere(t, b->t, &s->pair) && neither_holds(s));
        if (parted) set_bounds(t, rows, b->t, ask.witness.distance, &s->pair);
        return false;
    }
    if (step_left(s) < STEP_RESERVE + PAIR_JUMP_COST) {
        s->flags |= WIT_FLAG_LOCAL;
        return false;
    }
    jump_to(s, ask.witness.distance);
    return true;
}

bool wi_pair_proof_usual(wit_tracker* t, const wit_vec3 rows[3], wit_vec3 origin, const pair_witness* w, wit_work* work)
{
    wit_work own = {0};
    pair_answer f;
    side a = {.body = t->body[0], .work = &own, .units = t->def.budget / (t->def.contacts ? 4 : 2)}, b = a;
    b.body = t->body[1];
    b.moved = true;
    b.x = rows[0], b.y = rows[1], b.z = rows[2], b.t = origin;
    pair_ask ask = {.side = {&a, &b}, .witness = *w, .slack = slack_of(t, w->distance)};
    ask.apart = bound_carried(t, rows, origin).lower > 0;
    wi_pair_front_step(front_of(t), &ask, &f);
    bool parted = !has_inside(t) || ask.apart;
    if (f.nearer || (!parted && t->query_at && met_nowhere(t, origin, &f))) {
        t->spent = own;
        return false;
    }
    if (parted) set_bounds(t, rows, origin, w->distance + w->off, &f);
    *work = own;
    return true;
}
