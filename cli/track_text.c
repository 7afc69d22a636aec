/* SPDX-License-Identifier: MIT */
/* The figures of a run for people. */
#include <math.h>
#include <string.h>

#include "lab_law.h"
#include "track.h"

enum { LISTED = 16 };

static const char* space(const track_task* task)
{
    return task->unit[0] ? " " : "";
}

static void put_share(out* o, const char* name, int64_t count, int64_t all, bool* any)
{
    if (count == 0) return;
    double percent = 100 * (double)count / (double)all;
    out_text(o, "%s%s %lld (", *any ? ", " : "", name, (long long)count);
    /* Rounding never makes all of some, nor none. */
    if (count < all && percent >= 99.95)
        out_text(o, "> 99.9 %%)");
    else if (percent < 0.05)
        out_text(o, "< 0.1 %%)");
    else
        out_text(o, "%.4g %%)", percent < 99.95 ? round(10 * percent) / 10 : 100);
    *any = true;
}

static void put_settings(out* o, const track_task* task)
{
    const wit_track_def* d = &task->def;
    char law[128];
    law_describe(&task->law, law, sizeof law);
    out_text(o, "  law          %s; %s form, switching %s", law, wit_form_name(d->form),
             law_switching_of(d, &task->law));
    if (task->law.kind == WIT_LAW_DEADBEAT) out_text(o, ", prediction %s", wit_prediction_name(d->prediction));
    if (task->law.feedback != WIT_FEEDBACK_DIRECT) out_text(o, ", feedback %s", wit_feedback_name(task->law.feedback));
    out_text(o, "%s\n", d->reacquire ? "" : ", never searches globally");
}

/* A time with as many digits as its bracket has. */
static void put_bracket(out* o, wit_interval t)
{
    if (t.hi - t.lo > 0)
        out_text(o, "%.10g s, within %.1g s", t.hi, t.hi - t.lo);
    else
        out_text(o, "%.10g s", t.hi);
}

static void put_touch(out* o, const track_task* task, const track_sum* s)
{
    const track_gaps* g = task->between ? track_between_sum(task->between) : NULL;
    bool found = g && !isnan(g->touch.hi) && !(s->touched && s->touched_at < g->touch.lo);
    out_text(o, "  first touch  ");
    if (s->touched && s->touched_at == 0) {
        out_text(o, "touching or inside from the start");
    } else if (found) {
        put_bracket(o, g->touch);
        if (g->touch_outcome == WIT_SWEEP_TOUCHING) out_text(o, "; it grazes");
        if (g->touch_proved) out_text(o, "; proved: none before");
    } else if (s->touched) {
        out_text(o, "%.6g s", s->touched_at);
    } else {
        out_text(o, "none");
        if (g && g->count[TRACK_GAP_OPEN] == 0) out_text(o, ", between frames neither: proved");
    }
    out_text(o, "\n");
}

/* Shares of the intervals between frames. */
static void put_between(out* o, const track_task* task)
{
    if (!task->between) return;
    const track_gaps* g = track_between_sum(task->between);
    int64_t all = 0;
    bool any = false;
    for (int i = TRACK_GAP_CLEAR; i < TRACK_GAPS; i++) all += g->count[i];
    if (all == 0) return;
    out_text(o, "  between      ");
    for (int i = TRACK_GAP_CLEAR; i < TRACK_GAPS; i++)
        put_share(o, track_gap_name((track_gap)i), g->count[i], all, &any);
    out_text(o, "; %.4g units, %.4g queries\n", g->work, g->queries);
}

static void put_distance(out* o, const track_task* task, const track_sum* s)
{
    if (!isfinite(s->least)) {
        out_text(o,
                 s->unknown ? "  distance     not known in any frame\n" : "  distance     always beyond the cut-off\n");
        return;
    }
    char feature[2][64];
    for (int i = 0; i < 2; i++)
        track_feature(task->body[i], s->least_pair[i].feature, s->least_pair[i].id, feature[i], sizeof feature[i]);
    out_text(o, "  distance     least %.10g%s%s at %.6g s: %s of %s", s->least + 0.0, space(task), task->unit,
             s->least_at, feature[0], task->side[0]);
    if (task->body[1])
        out_text(o, ", %s of %s\n", feature[1], task->side[1]);
    else
        out_text(o, "\n");
    out_text(o, "               largest %.10g%s%s at %.6g s\n", s->largest + 0.0, space(task), task->unit,
             s->largest_at);
    if (s->unknown)
        out_text(o, "               without %lld frames in which they overlap and no depth was found\n",
                 (long long)s->unknown);
    put_touch(o, task, s);
    put_between(o, task);
}

static void put_transitions(out* o, const track_task* task, const track_sum* s)
{
    out_text(o, "  hand-overs   %lld\n", (long long)s->switches);
    int64_t shown = s->transition_count < LISTED ? s->transition_count : LISTED;
    for (int64_t i = 0; i < shown; i++) {
        const wit_transition* t = &s->transitions[i];
        char from[64], to[64];
        track_feature(task->body[t->side], t->from, t->from_id, from, sizeof from);
        track_feature(task->body[t->side], t->to, t->to_id, to, sizeof to);
        bool alike = !strcmp(from, to); /* a face and its rim of one name */
        out_text(o, "    %9.6g s  %s: %s%s%s > %s%s%s at %.6g%s%s%s\n", t->time, task->side[t->side],
                 alike ? wit_feature_kind_name(t->from) : "", alike ? " " : "", from,
                 alike ? wit_feature_kind_name(t->to) : "", alike ? " " : "", to, t->after + 0.0, space(task),
                 task->unit, t->jumped ? " (jumped)" : "");
    }
    if (shown < s->transition_count)
        out_text(o, "    ... and %lld more: --json lists them all\n", (long long)(s->transition_count - shown));
}

void track_text(out* o, const track_task* task, const track_sum* s)
{
    out_text(o, "%s: %s and %s\n", task->name, task->side[0], task->side[1]);
    put_settings(o, task);
    out_text(o, "  frames       %lld at %g Hz, %g s\n", (long long)s->frames, task->rate,
             track_time(task, task->frames));
    put_distance(o, task, s);
    if (task->world) track_world_text(o, task->world, s);
    put_transitions(o, task, s);
    bool any = false;
    out_text(o, "  ended        ");
    for (int i = 0; i < TRACK_OUTCOMES; i++)
        put_share(o, wit_outcome_name(track_outcomes[i]), s->ended[track_outcomes[i]], s->frames, &any);
    out_text(o, "\n  frames with  ");
    any = false;
    for (int i = 0; i < WIT_FLAG_COUNT; i++) put_share(o, wit_flag_name(1u << i), s->flags[i], s->frames, &any);
    out_text(o, "%s\n", any ? "" : "no flags");
    any = false;
    out_text(o, "  certified    ");
    put_share(o, "frames", track_flagged(s, WIT_FLAG_CERTIFIED), s->frames, &any);
    out_text(o, "%s\n", any ? "" : "none");
    any = false;
    if (s->reasons[WIT_REASON_NONE] < s->frames) {
        out_text(o, "  uncertified  ");
        for (int i = WIT_REASON_NONE + 1; i < WIT_REASON_COUNT; i++)
            put_share(o, wit_reason_name((wit_reason)i), s->reasons[i], s->frames, &any);
        out_text(o, "\n");
    }
    out_text(o, "  work         %.4g units a step: %lld by the median, %lld in 999 of 1000, %lld at worst (%.6g s)\n",
             s->work / (double)s->frames, (long long)s->work_median, (long long)s->work_999, (long long)s->work_worst,
             s->work_worst_at);
    if (task->law.kind != WIT_LAW_FINDMIN)
        out_text(o, "  iterations   %.3g a step, %d at most\n", s->iterations / (double)s->frames, s->iterations_most);
    else
        out_text(o, "  findmin      %.3g iterations a step over %.3g pairs, %d at most for one pair; %g saddles left\n",
                 s->findmin_iterations / (double)s->frames, s->findmin_pairs / (double)s->frames, s->findmin_most,
                 s->findmin_saddles);
    out_text(o, "  residual     %.2g at most (%.6g s)\n", s->residual, s->residual_at);
    if (track_flagged(s, WIT_FLAG_CERTIFIED))
        out_text(o, "  bracket      %.2g%s%s at most where certified\n", s->bracket, space(task), task->unit);
    if (s->model_tolerance > 0)
        out_text(o, "  model        edges are off their faces by up to %.2g%s%s there\n", s->model_tolerance,
                 space(task), task->unit);
    if (task->law.feedback == WIT_FEEDBACK_INTEGRATED) out_text(o, "  drift        %.2g at most\n", s->drift);
}
