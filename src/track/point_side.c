/* SPDX-License-Identifier: MIT */
#include "point_side.h"

#include "reacquire.h"

int wi_point_side(step* s)
{
    wit_tracker* t = s->t;
    const wit_body* b = t->body[0];
    wit_vec3 q = s->now.side[1].t;
    /* the coordinates of both points, the query's as well, are rounded */
    double way = norm3(sub3(q, t->side_at)) + 64 * DBL_EPSILON * (t->reach + norm3(q) + norm3(t->side_at));
    if (t->side && way < t->side_room) return t->side;
    t->side = 0;
    wit_closest c;
    if (!wi_reacquire_ask(s, &c)) return 0;
    double room = fmax(c.lower_bound, -c.upper_bound);
    if (b->kind == WIT_BODY_SOLID && b->closed && room > 0) {
        t->side = c.distance < 0 ? -1 : 1;
        t->side_at = q;
        t->side_room = room;
    }
    return c.distance < 0 ? -1 : 1;
}
