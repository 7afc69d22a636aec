/* SPDX-License-Identifier: MIT */
/*
 * What a pair does. Where the boxes do not prove it apart, sweeps go from one time at or below the threshold to the next
 * that is above, and so on; the end of an interval is found by a sweep backwards in time, from a moment that is above.
 */
#include "../base/error.h"
#include "../base/interval.h"
#include "assembly_check.h"
#include "pair_watch.h"

/* Where intervals go. */
typedef struct interval_list {
    wit_pair_interval* out; /* null: they are not kept */
    int capacity, count;
    bool lost; /* one more than there was room for */
    bool met;  /* at or below the threshold at some time */
    wit_interval first;
} interval_list;

static void keep(interval_list* l, const wit_pair_interval* x)
{
    if (l->out && l->count < l->capacity)
        l->out[l->count++] = *x;
    else if (l->out)
        l->lost = true;
}

/* Nothing is known from t to the end of what was asked. */
static void keep_open(const pair_watch* w, interval_list* l, double t, double to)
{
    wit_pair_interval x = {iv(t, t), iv(to, to), t <= w->def->from, to >= w->def->to, true};
    keep(l, &x);
}

/* It was above at the very moment at which the sweep ended: it only grazed. */
static double pass_graze(const pair_watch* w, double from, double at, double to, wit_pair_interval* x)
{
    double next = at > from ? at : smaller(to, at + w->step);
    x->leaves = iv(at, next);
    return next;
}

/* From where a sweep from `from` on ended below the threshold: the interval, and in *next the moment from which to go on;
 * false: there is none before `to`. */
static bool follow_below(pair_watch* w, const wit_impact* hit, double from, double to, double threshold,
                         interval_list* list, double* next)
{
    const wit_assembly_def* d = w->def;
    wit_pair_interval x = {.enters = hit->time, .from_start = hit->at_start && hit->time.lo <= d->from};
    pair_moment start, above, last;
    wit_impact back;
    if (!list->met) list->first = hit->time;
    list->met = true;
    bool seen = wi_watch_look(w, hit->time.hi, &start);
    if (seen && start.lower > threshold) {
        *next = pass_graze(w, from, hit->time.hi, to, &x);
        keep(list, &x);
        return *next < to;
    }
    if (!seen || !wi_watch_until_above(w, start, to, threshold, &above, &last)) {
        x.leaves = iv(to, to);
        x.to_end = to >= d->to;
        x.open = !seen || last.t < to;
        keep(list, &x);
        return false;
    }
    x.leaves = iv(last.t, above.t);
    bool back_found = wi_watch_first(w, last.t, above.t, threshold, true, &back);
    if (back_found && (back.outcome == WIT_SWEEP_REACHED || back.outcome == WIT_SWEEP_TOUCHING)) x.leaves = back.time;
    if (threshold == 0 && x.leaves.lo > x.enters.hi) wi_watch_look(w, 0.5 * (x.enters.hi + x.leaves.lo), &last);
    keep(list, &x);
    *next = above.t;
    return true;
}

/* All times at or below the threshold from `from` to `to`. */
static void find_intervals(pair_watch* w, double from, double to, double threshold, interval_list* list)
{
    for (double t = from;;) {
        wit_impact hit;
        if (!wi_watch_first(w, t, to, threshold, false, &hit)) {
            keep_open(w, list, t, to);
            return;
        }
        if (hit.lower_bound > threshold && threshold == w->def->threshold)
            w->lower = smaller(w->lower, hit.lower_bound);
        if (hit.outcome == WIT_SWEEP_CLEAR) return;
        if (hit.outcome == WIT_SWEEP_OPEN) {
            keep_open(w, list, hit.time.lo, to);
            return;
        }
        if (!follow_below(w, &hit, t, to, threshold, list, &t)) return;
    }
}

/* One moment says all: at one time, or of one link. */
static void look_once(pair_watch* w, interval_list* list)
{
    const wit_assembly_def* d = w->def;
    pair_moment at;
    wit_pair_interval x = {iv(d->from, d->from), iv(d->to, d->to), true, true, false};
    w->lower = 0;
    if (!wi_watch_look(w, d->from, &at)) {
        keep_open(w, list, d->from, d->to);
        return;
    }
    w->lower = at.lower;
    if (at.lower > d->threshold) return;
    list->met = at.upper <= d->threshold || w->touching || w->report.closest.certified;
    list->first = iv(d->from, d->from);
    if (!list->met) {
        w->open = x.open = true;
        w->report.reason = w->report.closest.reason;
    }
    keep(list, &x);
}

/* Of a part of the time in which the pair came near: the least distance, and the touches. */
static void measure(pair_watch* w, double from, double to, interval_list* touches)
{
    wit_least least;
    bool known = wi_watch_least(w, from, to, &least);
    w->lower = smaller(w->lower, known ? larger(0, least.lower_bound) : 0);
    if (!known || least.touched || !(least.lower_bound > 0)) find_intervals(w, from, to, 0, touches);
}

static void look_over_time(pair_watch* w, uint64_t pieces, interval_list* list, interval_list* touches)
{
    const wit_assembly_def* d = w->def;
    for (int k = 0; k < d->pieces; ++k) {
        int first = k;
        if (!(pieces >> k & 1)) { /* proved by the boxes */
            w->lower = smaller(w->lower, d->threshold);
            continue;
        }
        while (k + 1 < d->pieces && pieces >> (k + 1) & 1) ++k;
        double from = wi_assembly_piece(d, first), to = wi_assembly_piece(d, k + 1);
        bool met = list->met, open = w->open;
        wit_interval began = list->first;
        list->met = w->open = false;
        w->step = (wi_assembly_piece(d, first + 1) - from) / d->samples;
        find_intervals(w, from, to, d->threshold, list);
        if (list->met && d->threshold > 0) measure(w, from, to, touches);
        if (w->open || (list->met && d->threshold == 0)) w->lower = 0;
        if (met) list->first = began;
        list->met = list->met || met;
        w->open = w->open || open;
    }
}

static wit_pair_status status_of(const pair_watch* w, bool met, bool touched)
{
    if (w->clash) return WIT_PAIR_CLASH;
    if (touched) return WIT_PAIR_CONTACT;
    if (met || w->report.upper_bound <= w->def->threshold) return WIT_PAIR_CLEARANCE;
    return w->open ? WIT_PAIR_NOT_CHECKED : WIT_PAIR_CLEAR;
}

static void conclude(pair_watch* w, const interval_list* list, const interval_list* touches)
{
    wit_pair_report* r = &w->report;
    const interval_list* first = w->def->threshold > 0 ? touches : list;
    bool met = first->met && w->step > 0;
    r->touched = w->touching || w->clash || met;
    r->status = status_of(w, list->met, r->touched);
    /* seen by a query, and no sweep came as far: some time until then */
    r->first_touch = met ? first->first : r->touched ? iv(w->def->from, r->time) : iv(0, 0);
    r->lower_bound = r->touched ? 0 : larger(0, smaller(w->lower, r->upper_bound));
    r->interval_count = list->count;
    r->complete = !w->open && !list->lost;
    if (r->complete) r->reason = WIT_REASON_NONE;
}

wit_status wit_assembly_check(wit_query* query, const wit_assembly_def* def, const wit_assembly_pair* pair,
                              wit_pair_interval* intervals, int capacity, wit_pair_report* out, wit_error* error)
{
    wit_status status = wi_assembly_check_numbers(def, error);
    if (status) return status;
    if (!query || !pair || !intervals || !out || capacity < 1)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "query, pair, intervals and out must not be null");
    uint64_t all = def->pieces < WIT_ASSEMBLY_PIECES ? (UINT64_C(1) << def->pieces) - 1 : UINT64_MAX;
    if (pair->a < 0 || pair->b <= pair->a || pair->b >= def->body_count || (pair->pieces & ~all))
        return wi_error_fill(error, WIT_ERROR_RANGE, "pair", "two bodies a < b of the list, and pieces of its time");
    pair_watch w = {.query = query, .def = def, .lower = INFINITY};
    interval_list list = {.out = intervals, .capacity = capacity}, touches = {.out = NULL};
    w.report.a = pair->a;
    w.report.b = pair->b;
    w.report.upper_bound = INFINITY;
    wi_sweep_side(&def->bodies[pair->a].moving, &w.side[0]);
    wi_sweep_side(&def->bodies[pair->b].moving, &w.side[1]);
    if (!(def->from < def->to) || one_link(def, pair->a, pair->b))
        look_once(&w, &list);
    else
        look_over_time(&w, pair->pieces, &list, &touches);
    conclude(&w, &list, &touches);
    *out = w.report;
    return WIT_OK;
}

/* ---- many pairs ------------------------------------------------------------------------------ */

typedef struct assembly_run {
    const wit_assembly_def* def;
    const wit_assembly_pair* pairs;
    const wit_assembly_workers* workers;
    wit_pair_report* reports;
    wit_pair_interval* intervals;
    int room;
} assembly_run;

static void check_one(void* work, int64_t index, int worker)
{
    assembly_run* r = work;
    wit_pair_report* out = &r->reports[index];
    wit_status status = wit_assembly_check(r->workers->queries[worker], r->def, &r->pairs[index],
                                           r->intervals + index * r->room, r->room, out, NULL);
    if (!status) return;
    *out = (wit_pair_report){.status = WIT_PAIR_NOT_CHECKED, .refused = status, .upper_bound = INFINITY};
    out->a = r->pairs[index].a;
    out->b = r->pairs[index].b;
}

wit_status wit_assembly_run(const wit_assembly_def* def, const wit_assembly_pair* pairs, int64_t count,
                            const wit_assembly_workers* workers, const wit_assembly_out* out, wit_error* error)
{
    wit_status status = wi_assembly_check_def(def, error);
    if (status) return status;
    if (!workers || !out || count < 0 || out->room < 1 || (count && (!pairs || !out->reports || !out->intervals)))
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "pairs, workers and room for what is found are needed");
    if (workers->count < 1 || !workers->queries)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "workers", "one query per worker, and one worker at least");
    for (int i = 0; i < workers->count; ++i)
        if (!workers->queries[i]) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "workers", "a query is null");
    assembly_run r = {def, pairs, workers, out->reports, out->intervals, out->room};
    if (workers->run) {
        workers->run(workers->user, count, check_one, &r);
        return WIT_OK;
    }
    for (int64_t i = 0; i < count; ++i) check_one(&r, i, 0);
    return WIT_OK;
}
