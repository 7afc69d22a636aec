/* SPDX-License-Identifier: MIT */
#include "carried_bound.h"

#include "../base/pose.h"

static void rows_of(const side* b, wit_vec3 rows[3])
{
    rows[0] = b->moved ? b->x : vec3(1, 0, 0);
    rows[1] = b->moved ? b->y : vec3(0, 1, 0);
    rows[2] = b->moved ? b->z : vec3(0, 0, 1);
}

/*
 * Rows and origin of b, then and now, are off by their rounding (base/pose.h), and so is the way between them: by 2 (40 reach +
 * 20 |t|) units at most, and with |t| <= |t_0| + moved + 2 reach by what is taken off here and 40 units of the way, which
 * bound_moved has room for.
 */
static double way_rounding(const wit_tracker* t, wit_vec3 origin)
{
    const wit_body* b = t->body[1];
    return pose_error(b ? 4 * box_reach(&b->box) : 0, scale3(2, origin));
}

void wi_carried_bound_set(wit_tracker* t, const wit_closest* c, const pair_motion* now)
{
    /* the signed distance to a one-sided sheet jumps beyond its border: it is not carried along */
    bool sheet = !t->body[1] && t->body[0]->kind == WIT_BODY_SHEET;
    double rounding = way_rounding(t, now->side[1].t);
    t->bound = sheet ? -INFINITY : c->lower_bound - rounding;
    t->above = sheet ? INFINITY : c->upper_bound + rounding;
    t->model_tolerance = c->model_tolerance;
    t->reason = c->reason;
    t->bound_shift = now->side[1].t;
    rows_of(&now->side[1], t->bound_turn);
}

void wi_carried_bound_raise(wit_tracker* t, const carried_proof* proof, const wit_vec3 rows[3], wit_vec3 origin)
{
    carried before = bound_carried(t, rows, origin);
    double rounding = way_rounding(t, origin), lower = proof->lower - rounding, above = proof->above + rounding;
    t->reason = proof->reason;
    if (before.lower > lower) return;
    t->bound = lower;
    t->above = smaller(above, before.above);
    t->model_tolerance = proof->model_tolerance;
    t->bound_shift = origin;
    for (int k = 0; k < 3; ++k) t->bound_turn[k] = rows[k];
}

void wi_carried_bound_found(wit_tracker* t, const wit_closest* c, const pair_motion* now)
{
    wit_vec3 rows[3];
    rows_of(&now->side[1], rows);
    carried_proof proof = {c->lower_bound, INFINITY, c->model_tolerance, c->reason};
    if (c->lower_bound > 0) wi_carried_bound_raise(t, &proof, rows, now->side[1].t);
}

carried wi_carried_bound(const wit_tracker* t, const pair_motion* now)
{
    wit_vec3 rows[3];
    rows_of(&now->side[1], rows);
    return bound_carried(t, rows, now->side[1].t);
}

bool wi_still_clear(const wit_tracker* t, const pair_motion* now)
{
    wit_vec3 rows[3];
    rows_of(&now->side[1], rows);
    return still_clear(t, rows, now->side[1].t);
}

void wi_clear_set(wit_tracker* t, double apart, const pair_motion* now)
{
    t->clear = apart - way_rounding(t, now->side[1].t);
    t->clear_shift = now->side[1].t;
    rows_of(&now->side[1], t->clear_turn);
}
