/* SPDX-License-Identifier: MIT */
/*
 * The default law: predict, look once, one Newton step with the feed-forward that the prediction is. That is the
 * feedback-linearising law 001 (12), w = M^-1 (mu - b) with mu = -K Psi (001 (14)), at the gain K = 1 / h; guarded by the
 * tests of pair_newton.c, with descent.c behind it and the global search behind that.
 */
#include "general_step.h"

#include "arrive.h"
#include "carried_bound.h"
#include "descent.h"
#include "hand_over.h"
#include "pair_newton.h"
#include "pair_proof.h"
#include "point_proof.h"
#include "predict.h"
#include "reacquire.h"

void wi_predict_remember(step* s)
{
    wit_tracker* t = s->t;
    for (int i = 0; i < 2; ++i) {
        wit_interval range[2] = {{0, 0}, {0, 0}};
        bool closed[2] = {false, false};
        pair_motion_range(&s->now, i, &t->at[i], range, closed);
        for (int k = 0; k < place_count(&t->at[i]); ++k) {
            double period = iv_width(range[k]), *x = &t->at[i].x[k];
            if (!closed[k] || (*x >= range[k].lo && *x < range[k].hi) || !(period > 0)) continue;
            double shift = floor((*x - range[k].lo) / period) * period;
            *x = fmin(range[k].hi, fmax(range[k].lo, *x - shift));
            for (int h = 0; h < t->history; ++h) t->past[h][i][k] -= shift;
        }
    }
    predict_push(t, 2, s->dt);
    if (t->history < TRACK_HISTORY) t->history++;
}

/* x' = -M^-1 b at the old place, which follows the motion: 001 (12) with mu = 0. One jet a side. */
static void predict_twist(step* s)
{
    pair_newton p;
    pair_rows k;
    pair_step by;
    wi_pair_newton_begin(s, &p);
    wi_pair_newton_look(&p);
    if (p.polar[0] || p.polar[1] || !wi_pair_newton_step(&p, &by)) return;
    wi_condition_rows(&p.m[0], &p.m[1], by.contact ? WIT_FORM_CONTACT : WIT_FORM_PAPERS, &k);
    for (int i = 0; i < p.n; ++i) {
        by.d[i] = 0;
        for (int j = 0; j < p.n; ++j) {
            double sign = by.contact || j < p.na ? 1 : -1;
            by.d[i] -= by.inverse[i * p.n + j] * sign * k.b[j] * s->dt;
        }
    }
    wi_pair_newton_move(&p, &by);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < place_count(&s->t->at[i]); ++j) s->t->at[i].x[j] = p.x[(i ? p.na : 0) + j];
}

enum { JUMPS_MOST = 12 };

/* The parameters of both places. */
typedef struct parameters {
    double x[2][2];
} parameters;

static parameters parameters_of(const wit_tracker* t)
{
    parameters p = {{{t->at[0].x[0], t->at[0].x[1]}, {t->at[1].x[0], t->at[1].x[1]}}};
    return p;
}

/* Pursue on these features; else descend there, from where it was. */
static bool chase(step* s, parameters from)
{
    if (wi_pair_newton(s)) return true;
    if (s->outcome == WIT_OUTCOME_BUDGET || s->pressed) return false;
    s->flags |= WIT_FLAG_FELL_BACK;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k) s->t->at[i].x[k] = from.x[i][k];
    return wi_descend(s);
}

static double pair_distance(const step* s)
{
    double d;
    wi_condition_normal(&s->at[0], &s->at[1], s->t->body[1] ? s->t->def.form : WIT_FORM_CONTACT, &d);
    return d;
}

/* Until both witnesses are on the features they belong to. */
static bool chase_and_follow(step* s, parameters from)
{
    for (;;) {
        bool done = chase(s, from);
        if (!done && s->outcome == WIT_OUTCOME_BUDGET) return false;
        if (!s->fresh) wi_step_look(s);
        /* a witness that the law can't move, at the apex of a cone, say, may still belong elsewhere */
        if (!wi_hand_over(s)) return done && s->outcome != WIT_OUTCOME_BUDGET;
        from = parameters_of(s->t);
    }
}

/* The same, and on to nearer places as long as the front shows one: where a jump lands others may be nearer still. */
static bool follow(step* s, parameters from)
{
    bool found = chase_and_follow(s, from);
    for (int jump = 0; found && jump < JUMPS_MOST && (wi_point_proof_jump(s) || wi_pair_proof_jump(s)); ++jump)
        found = chase_and_follow(s, parameters_of(s->t));
    return found;
}

/* A guess that would move a parameter by much of its range is none. */
static void guess_side(step* s, int which, const double x[2])
{
    place* at = &s->t->at[which];
    wit_interval range[2] = {{0, 0}, {0, 0}};
    bool closed[2];
    pair_motion_range(&s->now, which, at, range, closed);
    for (int k = 0; k < place_count(at); ++k)
        if (!(fabs(x[k] - at->x[k]) <= 0.25 * iv_width(range[k]))) return;
    for (int k = 0; k < place_count(at); ++k) at->x[k] = x[k];
}

/* Newton too may land at another minimum: a witness that has gone far more than the bodies have has jumped. A usual step can't:
 * it arrives at once where the last frames lead. */
static bool has_jumped(const step* s)
{
    double way = norm3(sub3(s->at[0].p, s->t->foot)), moved = norm3(s->at[1].velocity) * s->dt;
    return way > 0.02 * s->t->size + 20 * moved;
}

/* Is the distance the least but for what certifying allows, by what was proved last? */
static bool pair_holds(const step* s, double distance)
{
    const wit_tracker* t = s->t;
    double slack = t->def.certify * step_scale(s, distance) + (t->def.strict ? 0 : t->model_tolerance);
    return distance > 0 && distance - wi_carried_bound(t, &s->now).lower <= slack;
}

void wi_general_step(step* s)
{
    wit_tracker* t = s->t;
    bool global = t->def.reacquire && !t->def.keep_features;
    bool check = s->first && global; /* a start is a guess until the global search has seen it */
    int switches = s->switches;
    parameters from = parameters_of(t);
    prediction guess = predict_all(t, s->dt);
    int order = predict_order(t, &guess);
    for (int i = 0; i < 2; ++i) guess_side(s, i, guess.x[order][i]);
    if (t->def.prediction == WIT_PREDICTION_TWIST && !s->first && step_left(s) > STEP_RESERVE + 3 * LOOK_MOST)
        predict_twist(s);
    bool found = follow(s, from), proved = found && wi_point_proof_holds(s);
    double distance = found ? pair_distance(s) : 0;
    if (found && t->pair_front_at) proved = pair_holds(s, distance);
    bool doubtful = found && bound_doubts(t, distance, wi_carried_bound(t, &s->now).lower);
    if ((check || doubtful || !found || (s->flags & WIT_FLAG_FELL_BACK)) && !proved && global &&
        !(s->flags & WIT_FLAG_REACQUIRED) && wi_reacquire(s))
        found = follow(s, parameters_of(t));
    if (!found) {
        if (s->outcome == WIT_OUTCOME_CONVERGED) s->outcome = WIT_OUTCOME_OPEN;
        t->history = 0;
        if (!s->fresh) wi_step_look(s);
        return;
    }
    s->outcome = WIT_OUTCOME_CONVERGED;
    if (!s->first && has_jumped(s)) s->flags |= WIT_FLAG_JUMPED;
    if (s->switches == switches && !(s->flags & WIT_FLAG_REACQUIRED)) t->order = predict_best(t, &guess, 2);
    wi_predict_remember(s);
}
