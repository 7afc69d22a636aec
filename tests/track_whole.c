/* SPDX-License-Identifier: MIT */
#include "track_whole.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "analytic.h"

#define TURN 6.283185307179586
enum { UNKNOWN = -2 }; /* id: the feature before the first frame */

/* ---- paths --------------------------------------------------------------------------------- */

static wit_vec3 random_in(rng* r, wit_vec3 half)
{
    /* one draw per statement: the order of arguments differs between compilers */
    double x = rng_range(r, -half.x, half.x);
    double y = rng_range(r, -half.y, half.y);
    return vec3(x, y, rng_range(r, -half.z, half.z));
}

smooth_path smooth_random(rng* r, wit_vec3 centre, wit_vec3 half, double speed)
{
    smooth_path p = {.centre = centre};
    double reach = norm3(half);
    for (int k = 0; k < 3; ++k) {
        p.rate[k] = speed / reach * rng_range(r, 0.5, 2.5);
        p.amplitude[k] = scale3(0.6, random_in(r, half));
        p.phase[k] = random_in(r, vec3(TURN / 2, TURN / 2, TURN / 2));
    }
    do p.axis = random_in(r, vec3(1, 1, 1));
    while (!(norm3(p.axis) > 0.1));
    p.turn = rng_range(r, 0, TURN);
    p.spin = speed / reach * rng_range(r, -2, 2);
    return p;
}

wit_vec3 smooth_point(const smooth_path* p, double t)
{
    wit_vec3 x = p->centre;
    for (int k = 0; k < 3; ++k) {
        double s = p->rate[k] * t;
        x.x += p->amplitude[k].x * sin(s + p->phase[k].x);
        x.y += p->amplitude[k].y * sin(s + p->phase[k].y);
        x.z += p->amplitude[k].z * sin(s + p->phase[k].z);
    }
    return x;
}

wit_motion smooth_motion(const smooth_path* p, double t, bool turning)
{
    wit_pose pose = wit_pose_identity();
    pose.position = smooth_point(p, t);
    if (turning) pose.rotation = wit_quat_about(p->axis, p->turn + p->spin * t);
    wit_motion m = wit_motion_at_rest(pose);
    m.twist_known = false;
    return m;
}

/* ---- runs ---------------------------------------------------------------------------------- */

whole_run whole_start(const wit_body* a, const wit_body* b, const wit_track_def* def)
{
    whole_run w = {.a = a, .b = b, .tolerance = WHOLE_TOLERANCE};
    w.last[0].id = w.last[1].id = UNKNOWN;
    wit_error e = {0};
    w.size = wit_body_describe(a).size;
    if (b) w.size = fmin(w.size, wit_body_describe(b).size);
    w.slack = wit_body_describe(a).tolerance + (b ? wit_body_describe(b).tolerance : 0);
    w.tracker = wit_tracker_create(a, b, def, NULL, &e);
    if (!w.tracker) fail_msg("tracker: %s: %s", e.item, e.text);
    wit_query_def q = wit_query_default_def();
    q.tolerance = 1e-12;
    q.budget = 2000000;
    w.query = wit_query_create(&q, NULL, &e);
    if (!w.query) fail_msg("query: %s: %s", e.item, e.text);
    return w;
}

void whole_end(whole_run* w)
{
    wit_tracker_destroy(w->tracker);
    wit_query_destroy(w->query);
}

void whole_again(whole_run* w)
{
    wit_tracker_reset(w->tracker);
    w->seen = 0;
    w->last[0].id = w->last[1].id = UNKNOWN;
}

static void say(const whole_run* w, const char* what)
{
    const wit_result* r = &w->result;
    const wit_closest* c = &w->cold;
    if (w->quiet || w->tally.wrong + w->tally.other > 12) return;
    print_message("  frame %ld %s: tracked %.15g on %s %d (%.6g %.6g) / %s %d, %s, flags %x, residual %.1e; cold %.15g "
                  "on %s %d (%.6g %.6g) / %s %d, %s\n",
                  w->tally.frames, what, r->distance, wit_feature_kind_name(r->a.feature), r->a.id, r->a.u, r->a.v,
                  wit_feature_kind_name(r->b.feature), r->b.id, wit_outcome_name(r->outcome), r->flags, r->residual,
                  c->distance, wit_feature_kind_name(c->a.feature), c->a.id, c->a.u, c->a.v,
                  wit_feature_kind_name(c->b.feature), c->b.id, wit_outcome_name(c->outcome));
}

static double transition_tolerance(const wit_body* b, const wit_transition* t)
{
    double x = 0;
    if (t->from == WIT_EDGE) x += wit_body_edge(b, t->from_id).tolerance;
    if (t->to == WIT_EDGE) x += wit_body_edge(b, t->to_id).tolerance;
    if (t->from == WIT_VERTEX) x += wit_body_vertex(b, t->from_id).tolerance;
    if (t->to == WIT_VERTEX) x += wit_body_vertex(b, t->to_id).tolerance;
    return x;
}

/* The hand-overs of the last frame: none raises the distance, and each starts from where its side was. */
static void judge_transitions(whole_run* w)
{
    enum { MOST = 64 };
    wit_transition t[MOST];
    whole_tally* y = &w->tally;
    int64_t all = wit_tracker_transitions(w->tracker, t, MOST), fresh = all - w->seen, kept = all < MOST ? all : MOST;
    for (int64_t k = kept - (fresh < kept ? fresh : kept); k < kept; ++k) {
        const wit_body* body = t[k].side ? w->b : w->a;
        wit_witness* last = &w->last[t[k].side];
        /* of a point the unsigned distance falls, inside as outside */
        double before = w->b ? t[k].before : fabs(t[k].before), after = w->b ? t[k].after : fabs(t[k].after);
        double scale = fmax(w->size, fabs(before)), tolerance = transition_tolerance(body, &t[k]) + 1e-13 * scale;
        if (last->id != UNKNOWN && (last->feature != t[k].from || last->id != t[k].from_id)) ++y->broken;
        last->feature = t[k].to;
        last->id = t[k].to_id;
        if (t[k].jumped) y->jump_gap = fmax(y->jump_gap, fabs(after - before) / scale);
        if (after <= before + tolerance) continue;
        ++y->raised;
        if (y->raised < 6 && !w->quiet)
            print_message("  %s %d -> %s %d raises %.15g to %.15g, tolerance %.1e\n", wit_feature_kind_name(t[k].from),
                          t[k].from_id, wit_feature_kind_name(t[k].to), t[k].to_id, before, after, tolerance);
    }
    w->seen = all;
    const wit_witness* now[2] = {&w->result.a, &w->result.b};
    for (int i = 0; i < 2; ++i) {
        bool other = w->last[i].feature != now[i]->feature || w->last[i].id != now[i]->id;
        if (all && w->last[i].id != UNKNOWN && other) ++y->broken;
        w->last[i] = *now[i];
    }
}

static bool is_other(const whole_run* w, const wit_witness* tracked, const wit_witness* cold)
{
    if (tracked->feature == cold->feature && tracked->id == cold->id) return false;
    return norm3(sub3(tracked->point, cold->point)) > 1e-6 * w->size;
}

static void judge(whole_run* w)
{
    const wit_result* r = &w->result;
    const wit_closest* c = &w->cold;
    whole_tally* y = &w->tally;
    double scale = fmax(w->size, fabs(c->distance)), error = fabs(r->distance - c->distance);
    bool apart = c->outcome != WIT_OUTCOME_OVERLAPPING;
    bool wrong = apart && !(error <= w->tolerance * scale + w->slack);
    y->frames++;
    y->open += r->outcome != WIT_OUTCOME_CONVERGED;
    y->switched += (r->flags & WIT_FLAG_SWITCHED) != 0;
    y->jumped += (r->flags & WIT_FLAG_JUMPED) != 0;
    y->fell_back += (r->flags & WIT_FLAG_FELL_BACK) != 0;
    y->reacquired += (r->flags & WIT_FLAG_REACQUIRED) != 0;
    y->cycles += (r->flags & WIT_FLAG_CYCLE) != 0;
    y->no_minimum +=
        r->outcome == WIT_OUTCOME_CONVERGED && r->kind > WIT_STATIONARY_MINIMUM && r->kind < WIT_STATIONARY_FLAT;
    y->jets += r->work.jets;
    y->units += r->work.units;
    if (r->work.units > y->most) y->most = r->work.units;
    if (apart && error / scale > y->worst) y->worst = error / scale;
    y->wrong += wrong;
    y->silent += wrong && (r->flags & WIT_FLAG_CERTIFIED);
    if (wrong) say(w, "wrong");
    bool other = !wrong && c->outcome == WIT_OUTCOME_CONVERGED &&
                 (is_other(w, &r->a, &c->a) || (w->b && is_other(w, &r->b, &c->b)));
    y->other += other;
    if (other) say(w, "other");
}

void whole_step(whole_run* w, const wit_motion* a, const wit_motion* b, double dt)
{
    wit_status status = wit_tracker_step(w->tracker, a, b, dt, &w->result);
    if (status) fail_msg("step: %s", wit_status_name(status));
    wit_placed pa = wit_placed_at(w->a, a->pose), pb = wit_placed_at(w->b, b->pose);
    status = w->b ? wit_closest_pair(w->query, &pa, &pb, &w->cold)
                  : wit_closest_point(w->query, &pa, b->pose.position, &w->cold);
    if (status) fail_msg("cold: %s", wit_status_name(status));
    judge(w);
    judge_transitions(w);
}

void whole_add(whole_tally* sum, const whole_tally* t)
{
    sum->frames += t->frames;
    sum->wrong += t->wrong;
    sum->silent += t->silent;
    sum->open += t->open;
    sum->other += t->other;
    sum->no_minimum += t->no_minimum;
    sum->switched += t->switched;
    sum->jumped += t->jumped;
    sum->fell_back += t->fell_back;
    sum->reacquired += t->reacquired;
    sum->cycles += t->cycles;
    sum->raised += t->raised;
    sum->broken += t->broken;
    sum->worst = fmax(sum->worst, t->worst);
    sum->jump_gap = fmax(sum->jump_gap, t->jump_gap);
    sum->jets += t->jets;
    sum->units += t->units;
    if (t->most > sum->most) sum->most = t->most;
}

void whole_print(const char* name, const whole_tally* t)
{
    double n = (double)t->frames;
    print_message(
        "%-22s %7ld frames: wrong %ld, silent %ld, open %ld, other %ld, worst %.1e; switched %ld, jumped %ld "
        "(gap %.1e), fell back %ld, reacquired %ld, cycles %ld, raised %ld, broken %ld; jets %.1f, units %.1f, "
        "most %lld\n",
        name, t->frames, t->wrong, t->silent, t->open, t->other, t->worst, t->switched, t->jumped, t->jump_gap,
        t->fell_back, t->reacquired, t->cycles, t->raised, t->broken, (double)t->jets / n, (double)t->units / n,
        (long long)t->most);
}
