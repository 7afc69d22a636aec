/* SPDX-License-Identifier: MIT */
#include "law_side.h"

#include "carried_bound.h"
#include "reacquire.h"

enum { FIRST_SHARE = 3, FIRST_LEAST = 8192 }; /* of the work: for the whole answer */
#define CUT_OFF 0.25

/* How far b may move before the answer has to be asked for again. */
static double room_of(const wit_tracker* t, const wit_closest* c)
{
    const wit_body *a = t->body[0], *b = t->body[1];
    if (!b) return a->kind == WIT_BODY_SOLID && a->closed ? fmax(c->lower_bound, -c->upper_bound) : 0;
    if (c->lower_bound > 0) return c->lower_bound;
    bool by_hulls = a->unbounded || (a->facts.hull_within < INFINITY && b->facts.hull_within < INFINITY);
    return by_hulls && c->outcome == WIT_OUTCOME_OVERLAPPING ? -c->upper_bound : 0;
}

/* Two solids share inner points only where the query says so. */
static int told_by(const wit_tracker* t, const wit_closest* c)
{
    if (!t->body[1]) return c->distance < 0 ? -1 : 1;
    if (c->outcome == WIT_OUTCOME_OVERLAPPING) return -1;
    return c->outcome == WIT_OUTCOME_BUDGET && !(c->lower_bound > 0) ? 0 : 1;
}

/*
 * What the query says. In a tight fit, a peg in its hole, the walls are near each other all over, and the closest of all these places
 * is far more work than that none of them meet: a quarter of the way to the nearest that was found is looked into then.
 */
static int ask(step* s, wit_closest* c)
{
    wit_tracker* t = s->t;
    int64_t left = step_left(s) - STEP_RESERVE;
    int64_t first = left / FIRST_SHARE > FIRST_LEAST ? left / FIRST_SHARE : left;
    if (!wi_reacquire_ask(s, t->body[1] ? first : left, t->def.within, c)) return 0;
    int told = told_by(t, c);
    bool found = t->body[1] && !told && c->upper_bound > 0 && c->upper_bound < INFINITY;
    if (!found || !wi_reacquire_ask(s, step_left(s) - STEP_RESERVE, CUT_OFF * c->upper_bound, c)) return told;
    return told_by(t, c);
}

int wi_law_side(step* s)
{
    wit_tracker* t = s->t;
    const side* b = &s->now.side[1];
    const wit_vec3 rows[3] = {b->x, b->y, b->z};
    if (t->body[1] && wi_carried_bound(t, &s->now).lower > 0) return 1;
    /* poses and coordinates, then and now, are rounded */
    double way = moved_from(t->body[1], t->side_turn, t->side_at, rows, b->t) +
                 128 * DBL_EPSILON * (t->reach + norm3(b->t) + norm3(t->side_at));
    if (t->side && way < t->side_room) return t->side;
    t->side = 0;
    wit_closest c;
    int told = ask(s, &c);
    double room = told ? room_of(t, &c) : 0;
    if (room > 0) {
        t->side = told;
        t->side_at = b->t;
        for (int k = 0; k < 3; ++k) t->side_turn[k] = rows[k];
        t->side_room = room;
    }
    return told;
}
