/* SPDX-License-Identifier: MIT */
#include "pair_watch.h"

#include "../base/interval.h"
#include "../base/work.h"
#include "../query/query_record.h"

/* Width of the bracket of the least distance, of the size of the smaller body: what a report shows. */
#define LEAST_SHOWN 1e-6

bool wi_watch_may(const pair_watch* w)
{
    return !w->report.refused && w->report.work.units + 16 * WIT_BUDGET_LEAST <= w->def->budget;
}

static void add_work(wit_work* to, const wit_work* more)
{
    to->units += more->units;
    to->nodes += more->nodes;
    to->jets += more->jets;
    to->tests += more->tests;
    to->boxes += more->boxes;
    to->solves += more->solves;
    to->peak = to->peak > more->peak ? to->peak : more->peak;
}

static bool leave(pair_watch* w, wit_status status, wit_reason reason)
{
    w->open = true;
    if (status && !w->report.refused) w->report.refused = status;
    if (!w->report.reason) w->report.reason = reason;
    return false;
}

/* What a query says of a moment, for the report. */
static void note(pair_watch* w, double t, const wit_closest* c)
{
    wit_pair_report* r = &w->report;
    if (c->outcome == WIT_OUTCOME_BEYOND || c->outcome == WIT_OUTCOME_EMPTY) return;
    double depth = -c->distance;
    bool overlap = c->outcome == WIT_OUTCOME_OVERLAPPING;
    if (overlap && !(depth > 0 && depth <= w->def->contact)) {
        if (!w->clash || depth > w->deepest) {
            w->deepest = depth;
            r->closest = *c;
            r->time = t;
        }
        w->clash = true;
    }
    if (overlap || c->outcome == WIT_OUTCOME_TOUCHING) w->touching = true;
    double upper = larger(0, c->upper_bound);
    if (!(upper < r->upper_bound)) return;
    r->upper_bound = upper;
    if (w->clash) return;
    r->closest = *c;
    r->time = t;
}

bool wi_watch_look(pair_watch* w, double t, pair_moment* out)
{
    sweep_poses at;
    wit_closest c;
    if (!wi_watch_may(w)) return leave(w, WIT_OK, WIT_REASON_BUDGET);
    wit_status status = wi_sweep_poses(w->side, t, &at);
    if (status) return leave(w, status, WIT_REASON_NONE);
    const wit_moving_body *a = w->side[0].moving, *b = w->side[1].moving;
    wit_placed pa = {a->body, at.motion[0].pose, a->mask}, pb = {b->body, at.motion[1].pose, b->mask};
    wit_query_def asked = w->query->def;
    int64_t left = w->def->budget - w->report.work.units;
    w->query->def.within = INFINITY;
    w->query->def.budget = left < asked.budget ? left : asked.budget;
    status = wit_closest_pair(w->query, &pa, &pb, &c);
    w->query->def = asked;
    if (status) return leave(w, status, WIT_REASON_NONE);
    w->report.queries++;
    add_work(&w->report.work, &c.work);
    note(w, t, &c);
    *out = (pair_moment){t, c.lower_bound, c.outcome == WIT_OUTCOME_EMPTY ? INFINITY : c.upper_bound};
    return true;
}

/* ---- backwards ------------------------------------------------------------------------------ */

static wit_status backwards_at(const void* user, double time, wit_motion* out)
{
    wit_status status = wi_sweep_at(user, -time, out);
    out->twist.velocity = scale3(-1, out->twist.velocity);
    out->twist.angular = scale3(-1, out->twist.angular);
    return status;
}

static wit_status backwards_bounds(const void* user, double from, double to, wit_motion_bounds* out)
{
    const sweep_side* s = user;
    return s->moving->bounds(s->moving->user, -to, -from, out);
}

static wit_moving_body reversed(const sweep_side* s)
{
    wit_moving_body m = *s->moving;
    if (s->screw) {
        m.since = -m.since;
        m.motion.twist.velocity = scale3(-1, m.motion.twist.velocity);
        m.motion.twist.angular = scale3(-1, m.motion.twist.angular);
        return m;
    }
    m.at = backwards_at;
    m.bounds = backwards_bounds;
    m.user = s;
    return m;
}

bool wi_watch_first(pair_watch* w, double from, double to, double threshold, bool backwards, wit_impact* out)
{
    if (!wi_watch_may(w)) return leave(w, WIT_OK, WIT_REASON_BUDGET);
    wit_sweep_def d = wit_sweep_default_def();
    d.a = backwards ? reversed(&w->side[0]) : *w->side[0].moving;
    d.b = backwards ? reversed(&w->side[1]) : *w->side[1].moving;
    d.from = backwards ? -to : from;
    d.to = backwards ? -from : to;
    d.threshold = threshold;
    d.time_tolerance = w->def->time_tolerance;
    d.tolerance = w->def->tolerance;
    d.budget = w->def->budget - w->report.work.units;
    wit_status status = wit_sweep_first(w->query, &d, out, NULL);
    if (status) return leave(w, status, WIT_REASON_NONE);
    w->report.queries += out->queries;
    add_work(&w->report.work, &out->work);
    if (backwards) out->time = iv(-out->time.hi, -out->time.lo);
    double seen = out->outcome == WIT_SWEEP_CLEAR ? (backwards ? from : to) : (backwards ? out->time.lo : out->time.hi);
    note(w, seen, &out->closest);
    if (out->outcome == WIT_SWEEP_OPEN) leave(w, WIT_OK, out->reason);
    return true;
}

bool wi_watch_least(pair_watch* w, double from, double to, wit_least* out)
{
    if (!wi_watch_may(w)) return leave(w, WIT_OK, WIT_REASON_BUDGET);
    wit_sweep_def d = wit_sweep_default_def();
    d.a = *w->side[0].moving;
    d.b = *w->side[1].moving;
    d.from = from;
    d.to = to;
    d.time_tolerance = w->def->time_tolerance;
    d.tolerance = larger(w->def->tolerance, LEAST_SHOWN);
    d.budget = w->def->budget - w->report.work.units;
    wit_status status = wit_sweep_least(w->query, &d, out, NULL);
    if (status) return leave(w, status, WIT_REASON_NONE);
    w->report.queries += out->queries;
    add_work(&w->report.work, &out->work);
    note(w, out->time, &out->closest);
    return true;
}

/* ---- until it is above ---------------------------------------------------------------------- */

/*
 * Between two moments the distance is at most (d0 + d1 + L h) / 2, h the time between and L the speed at which it can change:
 * it rises from one no steeper than it has to fall to the other.
 */
static bool proved_below(pair_watch* w, const pair_moment* a, const pair_moment* b, double threshold)
{
    sweep_poses at;
    sweep_speeds v;
    double h = b->t - a->t;
    if (!(a->upper <= threshold && b->upper <= threshold)) return false;
    if (wi_sweep_poses(w->side, a->t, &at) || wi_sweep_speeds(w->side, a->t, h, &at, &v)) return false;
    return 0.5 * (a->upper + b->upper + v.way * h) * (1 + 4 * DBL_EPSILON) <= threshold;
}

bool wi_watch_until_above(pair_watch* w, pair_moment from, double to, double threshold, pair_moment* above,
                          pair_moment* last)
{
    double step = 8 * w->step;
    *last = from;
    while (last->t < to) {
        double t = last->t + step < to ? last->t + step : to;
        if (!wi_watch_look(w, t, above)) return false;
        if (above->lower > threshold) return true;
        bool proved = proved_below(w, last, above, threshold);
        if (!proved && step > w->step) { /* look nearer before anything is passed over */
            step = larger(0.25 * step, w->step);
            continue;
        }
        *last = *above;
        if (proved) step *= 2;
    }
    return false;
}
