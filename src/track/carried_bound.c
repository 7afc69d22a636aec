/* SPDX-License-Identifier: MIT */
#include "carried_bound.h"

static void rows_of(const side* b, wit_vec3 rows[3])
{
    rows[0] = b->moved ? b->x : vec3(1, 0, 0);
    rows[1] = b->moved ? b->y : vec3(0, 1, 0);
    rows[2] = b->moved ? b->z : vec3(0, 0, 1);
}

void wi_carried_bound_set(wit_tracker* t, const wit_closest* c, const pair_motion* now)
{
    /* the signed distance to a one-sided sheet jumps beyond its border: it is not carried along */
    bool sheet = !t->body[1] && t->body[0]->kind == WIT_BODY_SHEET;
    t->bound = sheet ? -INFINITY : c->lower_bound;
    t->above = sheet ? INFINITY : c->upper_bound;
    t->model_tolerance = c->model_tolerance;
    t->reason = c->reason;
    t->bound_shift = now->side[1].t;
    rows_of(&now->side[1], t->bound_turn);
}

carried wi_carried_bound(const wit_tracker* t, const pair_motion* now)
{
    wit_vec3 rows[3];
    rows_of(&now->side[1], rows);
    return bound_carried(t, rows, now->side[1].t);
}
