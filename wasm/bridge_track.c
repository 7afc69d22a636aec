/* SPDX-License-Identifier: MIT */
/* Trackers. */
#include <math.h>
#include <string.h>

#include "bridge.h"

void bridge_put_result(double* to, const wit_result* r)
{
    double* end = to + RESULT_SIZE;
    *to++ = r->distance;
    *to++ = r->lower_bound;
    *to++ = r->model_tolerance;
    *to++ = r->rate;
    to = bridge_put_vec(to, r->normal);
    to = bridge_put_witness(to, &r->a);
    to = bridge_put_witness(to, &r->b);
    *to++ = r->outcome;
    *to++ = r->flags;
    *to++ = r->reason;
    *to++ = r->kind;
    *to++ = r->residual;
    *to++ = r->count_a;
    *to++ = r->count;
    for (int i = 0; i < WIT_MAX_PARAMETERS; i++) *to++ = i < r->count ? r->error[i] : NAN;
    *to++ = r->held;
    *to++ = r->drift;
    *to++ = r->gain;
    *to++ = r->switches;
    *to++ = r->iterations;
    *to++ = (double)r->work.units;
    while (to < end) *to++ = 0;
}

/* As `witness track` does when a law is named: what the law does not take goes back to its default. */
static void settle(wit_track_def* def, wit_law_def* law)
{
    wit_law_def plain = wit_law_default_def(law->kind);
    if (!wit_law_is_flow(law->kind)) {
        law->integrator = WIT_INTEGRATOR_DEFAULT;
        law->gain = plain.gain;
        law->switching = plain.switching;
    }
    if (law->kind == WIT_LAW_EXPONENTIAL) law->gain = plain.gain;
    if (law->kind != WIT_LAW_LINEARIZING) law->feedback = WIT_FEEDBACK_DIRECT;
    bool gradient = wit_law_is_flow(law->kind) && law->kind != WIT_LAW_LINEARIZING && law->kind != WIT_LAW_OWN;
    if (gradient) def->form = WIT_FORM_PAPERS;
}

void bridge_settings(const double* s, wit_track_def* def, wit_law_def* law)
{
    if (!isnan(s[SET_LAW])) {
        law->kind = (wit_law_kind)s[SET_LAW];
        law->table = wit_law_default_def(law->kind).table;
        settle(def, law);
    }
    if (!isnan(s[SET_FORM])) def->form = (wit_form)s[SET_FORM];
    if (!isnan(s[SET_INTEGRATOR])) law->integrator = (wit_integrator)s[SET_INTEGRATOR];
    if (!isnan(s[SET_GAIN])) {
        law->gain = wit_law_default_def(law->kind).gain;
        law->gain.kind = s[SET_GAIN] < 0 ? WIT_GAIN_AUTO : WIT_GAIN_SCALAR;
        if (s[SET_GAIN] >= 0) law->gain.value = s[SET_GAIN];
    }
    if (!isnan(s[SET_FEEDBACK])) law->feedback = (wit_feedback)s[SET_FEEDBACK];
    if (!isnan(s[SET_SWITCHING])) law->switching = (wit_switching)s[SET_SWITCHING];
    if (!isnan(s[SET_PREDICTION])) def->prediction = (wit_prediction)s[SET_PREDICTION];
    if (!isnan(s[SET_TOLERANCE])) def->tolerance = s[SET_TOLERANCE];
    if (!isnan(s[SET_CERTIFY])) def->certify = s[SET_CERTIFY];
    if (!isnan(s[SET_WITHIN])) def->within = s[SET_WITHIN];
    if (!isnan(s[SET_BUDGET])) def->budget = (int64_t)s[SET_BUDGET];
    if (!isnan(s[SET_REACQUIRE])) def->reacquire = s[SET_REACQUIRE] != 0;
    if (!isnan(s[SET_FRONT])) def->front = (int)s[SET_FRONT];
    if (!isnan(s[SET_KEEP_FEATURES])) def->keep_features = s[SET_KEEP_FEATURES] != 0;
    if (!isnan(s[SET_STRICT])) def->strict = s[SET_STRICT] != 0;
    if (!isnan(s[SET_BALL])) law->ball = s[SET_BALL];
    if (!isnan(s[SET_CAP])) law->cap = s[SET_CAP];
}

/* `b` null: a point. `scene` null: the defaults; else its settings, and its start where it has one. */
EXPORT(wb_tracker_create)
wit_tracker* wb_tracker_create(const wit_body* a, const wit_body* b, const wit_scene* scene, const double* settings)
{
    wit_track_def def = wit_scene_track_def(scene);
    wit_law_def law = wit_scene_law_def(scene);
    bridge_settings(settings, &def, &law);
    def.law = &law;
    wit_error* error = bridge_error();
    wit_tracker* tracker = wit_tracker_create(a, b, &def, NULL, error);
    wit_witness start[2];
    if (tracker && scene && wit_scene_start(scene, &start[0], &start[1])) {
        wit_status status = wit_tracker_place(tracker, &start[0], b ? &start[1] : NULL);
        if (status) {
            wit_tracker_destroy(tracker);
            bridge_fail(status, "start", "");
            return NULL;
        }
    }
    return tracker;
}

EXPORT(wb_tracker_free) void wb_tracker_free(wit_tracker* tracker)
{
    wit_tracker_destroy(tracker);
}

EXPORT(wb_tracker_reset) void wb_tracker_reset(wit_tracker* tracker)
{
    wit_tracker_reset(tracker);
}

/* Two witnesses, 14 doubles. */
EXPORT(wb_tracker_place) int wb_tracker_place(wit_tracker* tracker, const double* places, int point)
{
    wit_witness w[2];
    for (int i = 0; i < 2; i++) {
        const double* p = places + WITNESS_SIZE * i;
        w[i] = (wit_witness){(wit_feature_kind)p[0], (int)p[1], p[2], p[3], bridge_vec(p + 4)};
    }
    wit_status status = wit_tracker_place(tracker, &w[0], point ? NULL : &w[1]);
    return status ? (int)bridge_fail(status, "place", "") : 0;
}

/* `count` steps: rows of two motions; results in rows of RESULT_SIZE. Returns how many were made; fewer: see the error. */
EXPORT(wb_tracker_steps)
int wb_tracker_steps(wit_tracker* tracker, int count, const double* motions, double dt, double* to)
{
    for (int i = 0; i < count; i++) {
        const double* row = motions + 2 * MOTION_SIZE * i;
        wit_motion a = bridge_motion(row), b = bridge_motion(row + MOTION_SIZE);
        wit_result r;
        wit_status status = wit_tracker_step(tracker, &a, &b, dt, &r);
        if (status) {
            bridge_fail(status, "step", "");
            return i;
        }
        bridge_put_result(to + (size_t)RESULT_SIZE * (size_t)i, &r);
    }
    return count;
}

/* The same along the motions of a scene, frames `first` to first + count - 1 at `rate` frames per second. */
EXPORT(wb_tracker_follow)
int wb_tracker_follow(wit_tracker* tracker, const wit_scene* scene, int first, int count, double rate, double* to)
{
    double dt = 1 / rate;
    for (int i = 0; i < count; i++) {
        wit_motion m[2];
        double time = (double)(first + i) / rate;
        wit_status status = wit_scene_motion(scene, 0, time, &m[0]);
        if (!status) status = wit_scene_motion(scene, 1, time, &m[1]);
        wit_result r;
        if (!status) status = wit_tracker_step(tracker, &m[0], &m[1], dt, &r);
        if (status) {
            bridge_fail(status, "step", "");
            return i;
        }
        bridge_put_result(to + (size_t)RESULT_SIZE * (size_t)i, &r);
    }
    return count;
}

/* The last hand-overs, 8 doubles each: time, side, from kind, from id, to kind, to id, before, after. Returns how many there
 * were in all. */
EXPORT(wb_tracker_transitions) int wb_tracker_transitions(const wit_tracker* tracker, int capacity, double* to)
{
    enum { MOST = 64 };
    wit_transition t[MOST];
    if (capacity > MOST) capacity = MOST;
    int64_t all = wit_tracker_transitions(tracker, t, capacity);
    for (int i = 0; i < capacity && i < all; i++) {
        const double row[8] = {t[i].time,       t[i].side,  (double)t[i].from, t[i].from_id,
                               (double)t[i].to, t[i].to_id, t[i].before,       t[i].after};
        memcpy(to + 8 * i, row, sizeof row);
    }
    return (int)all;
}

/*
 * What a law allows at a pair of places in motion: upper, lower, lag, fastest (wit_gain_limit). Places: feature, id, u, v
 * of a, then of b (a point: feature 3), then both motions.
 */
EXPORT(wb_gain_limits)
int wb_gain_limits(const wit_body* a, const wit_body* b, const double* settings, const double* places, double dt,
                   double* to)
{
    wit_track_def def = wit_track_default_def();
    wit_law_def law = wit_law_default_def(WIT_LAW_LINEARIZING);
    bridge_settings(settings, &def, &law);
    def.law = &law;
    wit_moving_place p[2];
    for (int i = 0; i < 2; i++) {
        const double* w = places + 4 * i;
        p[i] = (wit_moving_place){
            i ? b : a, (wit_feature_kind)w[0], (int)w[1], w[2], w[3], bridge_motion(places + 8 + MOTION_SIZE * i)};
    }
    wit_gain_limit limit;
    wit_status status = wit_gain_limits(&p[0], &p[1], &def, dt, &limit);
    if (status) return (int)bridge_fail(status, "gain", "");
    to[0] = limit.upper;
    to[1] = limit.lower;
    to[2] = limit.lag;
    to[3] = limit.fastest;
    return 0;
}
