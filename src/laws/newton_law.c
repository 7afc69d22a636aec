/* SPDX-License-Identifier: MIT */
/*
 * The comparators: one plain Newton step x -= M^-1 Psi on 001 (1) to (4) a frame, at the poses of its end, wherever
 * that leads. `newton` that leaves its patch has failed: the flag OUTSIDE says so, and it starts again from the
 * border. `newton_saturated` drops the components that point out where it stands at a border (the papers' way: the
 * others are not solved for anew), and stops at the borders that it meets.
 */
#include "../base/interval.h"
#include "../base/solve.h"
#include "../track/point_proof.h"
#include "../track/hand_over.h"
#include "law.h"
#include "newton_law.h"

enum { RESERVE = 24 }; /* units kept back for the end of the step */

/* Bits of the parameters that stand at a border and would leave with this step. */
static unsigned leaving(const law_state* at, const double* d)
{
    unsigned held = 0;
    for (int i = 0; i < at->count; ++i)
        if (law_leaves(at, i, d[i])) held |= 1u << i;
    return held;
}

static bool newton_at(const step* s, const law_state* at, double* d)
{
    pair_rows rows;
    lu factors;
    wi_condition_rows(at->side[0], at->side[1], s->t->def.form, &rows);
    for (int i = 0; i < at->count; ++i) d[i] = 0;
    if (at->count == 0) return true;
    if (!wi_lu_factor(&factors, at->count, rows.M)) return false;
    for (int i = 0; i < at->count; ++i) d[i] = -rows.psi[i];
    wi_lu_solve(&factors, d, d);
    return true;
}

/* The places moved by d; true if some parameter left its range. */
static bool move_places(step* s, const law_state* at, const double* d)
{
    bool left = false;
    for (int i = 0; i < at->count; ++i) {
        int k = i >= at->count_a;
        double x = at->x[i] + d[i], period = iv_width(at->range[i]);
        if (at->closed[i] && period > 0) {
            x -= floor((x - at->range[i].lo) / period) * period;
        } else if (!(x >= at->range[i].lo && x <= at->range[i].hi)) {
            left = true;
        }
        if (!(x == x)) x = at->x[i]; /* beyond all numbers */
        s->t->at[k].x[i - (k ? at->count_a : 0)] = smaller(at->range[i].hi, larger(at->range[i].lo, x));
    }
    return left;
}

/* Where it stands now: what is held, and whether Newton's step from here is below the tolerance as a length. */
static void look(step* s, bool moved)
{
    law_state at;
    double d[WIT_MAX_PARAMETERS], length = 0;
    bool saturated = law_settings(s->t)->kind == WIT_LAW_NEWTON_SATURATED;
    wi_step_look(s);
    wi_law_state_of(&s->now, s->t->at, s->at, s->t->def.form, &at);
    bool regular = newton_at(s, &at, d);
    s->held = leaving(&at, d);
    for (int i = 0; i < at.count; ++i) {
        int k = i >= at.count_a;
        if (saturated && (s->held >> i & 1)) continue;
        length += norm3(s->at[k].d[i - (k ? at.count_a : 0)]) * fabs(d[i]);
    }
    double scale = step_scale(s, norm3(sub3(s->at[0].p, s->at[1].p)));
    /* the distance errs by the square of the place */
    bool there = regular && moved && length * length <= s->t->def.tolerance * scale * scale;
    bool least = wi_condition_kind(&s->at[0], &s->at[1], s->held) != WIT_STATIONARY_SADDLE;
    s->outcome = there && least && !(s->flags & WIT_FLAG_OUTSIDE) ? WIT_OUTCOME_CONVERGED : WIT_OUTCOME_OPEN;
}

void wi_newton_law_step(step* s)
{
    law_state at;
    double d[WIT_MAX_PARAMETERS];
    bool saturated = law_settings(s->t)->kind == WIT_LAW_NEWTON_SATURATED;
    if (s->first) { /* the first frame is the start */
        look(s, true);
        return;
    }
    s->iterations = 1;
    wi_step_look(s);
    wi_law_state_of(&s->now, s->t->at, s->at, s->t->def.form, &at);
    bool regular = newton_at(s, &at, d);
    unsigned held = leaving(&at, d);
    for (int i = 0; i < at.count; ++i)
        if (saturated && (held >> i & 1)) d[i] = 0;
    if (move_places(s, &at, d) && !saturated) s->flags |= WIT_FLAG_OUTSIDE;
    s->fresh = false;
    look(s, regular);
    if (s->t->def.keep_features) return;
    bool again = true;
    while (again) {
        s->work.units += RESERVE;
        again = step_left(s) > 0 && wi_hand_over(s);
        s->work.units -= RESERVE;
        if (again) look(s, regular);
    }
    s->work.units += RESERVE;
    bool jumped = step_left(s) > 0 && wi_point_proof_jump(s);
    s->work.units -= RESERVE;
    if (jumped) look(s, true);
}
