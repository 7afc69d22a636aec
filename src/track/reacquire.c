/* SPDX-License-Identifier: MIT */
/* The global search inside a step: the cold query in memory of the tracker's own, with what is left of the budget. */
#include <string.h>

#include "reacquire.h"

#include "../query/query_record.h"
#include "carried_bound.h"

/* Less is not worth while. Half of what is left is for the query, the other half for the step that goes on from there. */
enum { QUERY_LEAST = 256 };

bool wi_reacquire_ask(step* s, int64_t units, double within, wit_closest* out)
{
    wit_tracker* t = s->t;
    if (!t->query_at) return false;
    wit_query_def def = wit_query_default_def();
    def.capacity = t->def.capacity;
    def.within = within;
    def.tolerance = fmax(1e-15, fmin(t->def.certify * 0.5, 1e-9));
    if (units < QUERY_LEAST) return false;
    def.budget = units;
    wit_query* q;
    if (wit_query_init(tracker_at(t, t->query_at), t->query_bytes, &def, &q, NULL)) return false;
    q->units = units;
    wit_placed a = wit_placed_at(t->body[0], s->motion[0].pose);
    wit_status status;
    if (t->body[1]) {
        wit_placed b = wit_placed_at(t->body[1], s->motion[1].pose);
        status = wit_closest_pair(q, &a, &b, out);
    } else {
        status = wit_closest_point(q, &a, s->motion[1].pose.position, out);
    }
    if (status) return false;
    work_spend(&s->work, &out->work);
    return true;
}

static bool usable(const wit_closest* c)
{
    return c->outcome == WIT_OUTCOME_CONVERGED || c->outcome == WIT_OUTCOME_NOT_UNIQUE ||
           c->outcome == WIT_OUTCOME_TOUCHING || c->outcome == WIT_OUTCOME_BUDGET ||
           c->outcome == WIT_OUTCOME_OVERLAPPING;
}

bool wi_reacquire(step* s)
{
    wit_tracker* t = s->t;
    wit_closest c;
    if (!t->def.reacquire || !wi_reacquire_ask(s, (step_left(s) - STEP_RESERVE) / 2, t->def.within, &c)) return false;
    wi_carried_bound_set(t, &c, &s->now);
    bound_watch(t, c.distance, c.lower_bound);
    if (c.outcome == WIT_OUTCOME_OVERLAPPING) {
        t->bound = -INFINITY;
        t->above = t->watch = INFINITY;
        s->flags |= WIT_FLAG_OVERLAPPING;
        /* the way out that it knows is a contact to follow; one that is followed already is kept */
        bool contact = t->def.form == WIT_FORM_CONTACT && c.distance < 0 && c.b.feature <= WIT_VERTEX;
        if (!contact || s->outcome == WIT_OUTCOME_CONVERGED) return false;
    }
    if (!usable(&c) || c.a.feature > WIT_VERTEX) return false;
    if (c.outcome == WIT_OUTCOME_NOT_UNIQUE) s->flags |= WIT_FLAG_NOT_UNIQUE;
    double before = INFINITY;
    if (t->placed && s->fresh) {
        /* what is tracked is as good: no need to jump */
        before = norm3(sub3(s->at[0].p, s->at[1].p));
        double slack = fmax(t->def.tolerance, 1e-13) * step_scale(s, c.distance);
        if (s->outcome == WIT_OUTCOME_CONVERGED && before <= fabs(c.distance) + slack) return false;
    }
    const wit_witness* w[2] = {&c.a, &c.b};
    for (int i = 0; i < 2; ++i) {
        place from = t->at[i];
        t->at[i].kind = w[i]->feature;
        t->at[i].id = w[i]->id;
        t->at[i].x[0] = w[i]->u;
        t->at[i].x[1] = w[i]->v;
        memset(&t->hint[i], 0, sizeof t->hint[i]);
        bool other = from.kind != t->at[i].kind || from.id != t->at[i].id;
        if (t->placed && other) wi_step_switched(s, i, &from, before, fabs(c.distance), true, t->time);
    }
    if (t->placed) s->flags |= WIT_FLAG_JUMPED;
    t->placed = true;
    t->history = 0;
    s->flags |= WIT_FLAG_REACQUIRED;
    s->fresh = false;
    return true;
}
