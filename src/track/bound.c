/* SPDX-License-Identifier: MIT */
#include "bound.h"

static void rows_of(const side* b, wit_vec3 rows[3])
{
    rows[0] = b->moved ? b->x : vec3(1, 0, 0);
    rows[1] = b->moved ? b->y : vec3(0, 1, 0);
    rows[2] = b->moved ? b->z : vec3(0, 0, 1);
}

void bound_set(wit_tracker* t, double lower, const stage* now)
{
    t->bound = lower;
    t->bound_shift = now->side[1].t;
    rows_of(&now->side[1], t->bound_turn);
}

double bound_now(const wit_tracker* t, const stage* now)
{
    wit_vec3 rows[3];
    rows_of(&now->side[1], rows);
    return bound_at(t, rows, now->side[1].t);
}
