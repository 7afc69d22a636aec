/* SPDX-License-Identifier: MIT */
/* The figures of a run as one JSON object. */
#include <math.h>

#include "lab_law.h"
#include "track.h"

static void put_gain(out* o, const wit_gain* g)
{
    out_open(o, "gain", '{');
    out_put_string(o, "kind", wit_gain_kind_name(g->kind));
    if (g->kind == WIT_GAIN_SCALAR) out_put_number(o, "value", g->value);
    if (g->kind == WIT_GAIN_EACH) {
        out_put_numbers(o, "side", g->side, 2);
        out_put_numbers(o, "parameter", g->parameter, 4);
    }
    if (g->kind == WIT_GAIN_MATRIX) out_put_numbers(o, "matrix", g->matrix, g->count * g->count);
    out_close(o, '}');
}

static void put_settings(out* o, const wit_track_def* d, const wit_law_def* law)
{
    out_open(o, "track", '{');
    out_put_string(o, "law", wit_law_name(law->kind));
    out_put_string(o, "form", wit_form_name(d->form));
    if (wit_law_is_flow(law->kind)) {
        out_put_string(o, "integrator", wit_integrator_name(law->integrator));
        if (law->kind == WIT_LAW_EXPONENTIAL) {
            out_put_number(o, "ball", law->ball);
            if (isfinite(law->cap))
                out_put_number(o, "cap", law->cap);
            else
                out_put_string(o, "cap", "infinity");
        } else {
            put_gain(o, &law->gain);
        }
        out_put_string(o, "feedback", wit_feedback_name(law->feedback));
    }
    out_put_string(o, "switching", law_switching_of(d, law));
    out_put_string(o, "prediction", wit_prediction_name(d->prediction));
    out_put_number(o, "tolerance", d->tolerance);
    out_put_number(o, "certify", d->certify);
    out_put_integer(o, "budget", d->budget);
    out_put_bool(o, "reacquire", d->reacquire);
    out_close(o, '}');
}

static void put_transition(out* o, const track_task* task, const wit_transition* t)
{
    char from[64], to[64];
    const wit_body* body = task->body[t->side];
    track_feature(body, t->from, t->from_id, from, sizeof from);
    track_feature(body, t->to, t->to_id, to, sizeof to);
    out_open(o, NULL, '{');
    out_put_number(o, "time", t->time);
    out_put_string(o, "side", t->side ? "b" : "a");
    out_put_string(o, "from", from);
    out_put_string(o, "from_feature", wit_feature_kind_name(t->from));
    out_put_integer(o, "from_id", t->from_id);
    out_put_string(o, "to", to);
    out_put_string(o, "to_feature", wit_feature_kind_name(t->to));
    out_put_integer(o, "to_id", t->to_id);
    out_put_number(o, "before", t->before);
    out_put_number(o, "after", t->after);
    out_put_bool(o, "jumped", t->jumped);
    out_close(o, '}');
}

/* The time between frames, and the bracket of the first touch that begins there. */
static void put_between(out* o, const track_gaps* g, bool found)
{
    int64_t all = 0;
    if (found) {
        const double bracket[2] = {g->touch.lo, g->touch.hi};
        out_put_numbers(o, "first_touch_bracket", bracket, 2);
        out_put_string(o, "first_touch_outcome", wit_sweep_outcome_name(g->touch_outcome));
        out_put_bool(o, "first_touch_certified", g->touch_certified);
        out_put_bool(o, "first_touch_proved", g->touch_proved);
    }
    out_open(o, "between", '{');
    for (int i = TRACK_GAP_CLEAR; i < TRACK_GAPS; i++) {
        out_put_integer(o, track_gap_name((track_gap)i), g->count[i]);
        all += g->count[i];
    }
    out_put_number(o, "proved", all ? 1 - (double)g->count[TRACK_GAP_OPEN] / (double)all : NAN);
    out_put_number(o, "work", g->work);
    out_put_number(o, "queries", g->queries);
    out_close(o, '}');
}

static void put_distance(out* o, const track_task* task, const track_sum* s)
{
    char feature[64];
    out_open(o, "distance", '{');
    out_put_number(o, "least", s->least);
    out_put_number(o, "least_at", s->least_at);
    for (int i = 0; i < 2; i++) {
        track_feature(task->body[i], s->least_pair[i].feature, s->least_pair[i].id, feature, sizeof feature);
        out_put_string(o, i ? "least_b" : "least_a", feature);
    }
    out_put_number(o, "largest", s->largest);
    out_put_number(o, "largest_at", s->largest_at);
    out_close(o, '}');
    const track_gaps* g = task->between ? track_between_sum(task->between) : NULL;
    bool found = g && !isnan(g->touch.hi) && !(s->touched && s->touched_at < g->touch.lo);
    out_put_number(o, "first_touch", found ? g->touch.hi : s->touched ? s->touched_at : NAN);
    if (g) put_between(o, g, found);
}

static void put_counts(out* o, const track_sum* s)
{
    double n = (double)s->frames;
    out_open(o, "ended", '{');
    for (int i = 0; i < TRACK_OUTCOMES; i++)
        out_put_integer(o, wit_outcome_name(track_outcomes[i]), s->ended[track_outcomes[i]]);
    out_close(o, '}');
    out_open(o, "flags", '{');
    for (int i = 0; i < WIT_FLAG_COUNT; i++) out_put_integer(o, wit_flag_name(1u << i), s->flags[i]);
    out_close(o, '}');
    out_open(o, "uncertified", '{');
    for (int i = WIT_REASON_NONE + 1; i < WIT_REASON_COUNT; i++)
        out_put_integer(o, wit_reason_name((wit_reason)i), s->reasons[i]);
    out_close(o, '}');
    out_put_number(o, "model_tolerance", s->model_tolerance);
    out_open(o, "shares", '{');
    out_put_number(o, "converged", (double)s->ended[WIT_OUTCOME_CONVERGED] / n);
    static const wit_flag shown[] = {WIT_FLAG_FELL_BACK, WIT_FLAG_REACQUIRED, WIT_FLAG_CERTIFIED, WIT_FLAG_LOCAL};
    for (int i = 0; i < 4; i++) out_put_number(o, wit_flag_name(shown[i]), (double)track_flagged(s, shown[i]) / n);
    out_close(o, '}');
}

static void put_work(out* o, const track_task* task, const track_sum* s)
{
    double n = (double)s->frames;
    out_open(o, "work", '{');
    out_put_number(o, "mean", s->work / n);
    out_put_integer(o, "worst", s->work_worst);
    out_put_number(o, "worst_at", s->work_worst_at);
    out_put_integer(o, "median", s->work_median);
    out_put_integer(o, "per_999", s->work_999);
    out_close(o, '}');
    out_open(o, "iterations", '{');
    out_put_number(o, "mean", s->iterations / n);
    out_put_integer(o, "most", s->iterations_most);
    out_close(o, '}');
    if (task->law.kind == WIT_LAW_FINDMIN) {
        out_open(o, "findmin", '{');
        out_put_number(o, "mean_iterations", s->findmin_iterations / n);
        out_put_number(o, "mean_pairs", s->findmin_pairs / n);
        out_put_integer(o, "most_iterations_of_a_pair", s->findmin_most);
        out_put_number(o, "saddles", s->findmin_saddles);
        out_close(o, '}');
    }
    out_open(o, "residual", '{');
    out_put_number(o, "largest", s->residual);
    out_put_number(o, "largest_at", s->residual_at);
    out_close(o, '}');
    out_put_number(o, "bracket", track_flagged(s, WIT_FLAG_CERTIFIED) ? s->bracket : NAN);
    if (task->law.feedback == WIT_FEEDBACK_INTEGRATED) out_put_number(o, "drift", s->drift);
}

void track_json(out* o, const track_task* task, const track_sum* s)
{
    out_open(o, NULL, '{');
    out_put_string(o, "scene", task->name);
    out_put_string(o, "a", task->side[0]);
    out_put_string(o, "b", task->side[1]);
    out_put_string(o, "unit", task->unit[0] ? task->unit : "none");
    put_settings(o, &task->def, &task->law);
    out_put_number(o, "rate", task->rate);
    out_put_number(o, "duration", track_time(task, task->frames));
    out_put_integer(o, "frames", s->frames);
    put_distance(o, task, s);
    out_put_integer(o, "switches", s->switches);
    put_counts(o, s);
    put_work(o, task, s);
    if (task->world) track_world_json(o, task->world);
    out_open(o, "transitions", '[');
    for (int64_t i = 0; i < s->transition_count; i++) put_transition(o, task, &s->transitions[i]);
    out_close(o, ']');
    out_close(o, '}');
    out_text(o, "\n");
}
