/* SPDX-License-Identifier: MIT */
/*
 * Sweeps: b goes by a on a screw. The truth knows where both are at any moment (the screw in long double) and how far apart
 * there, so that looking densely shows a touch that was missed, one that was invented, and times that exclude it.
 */
#include "families.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct screw {
    place from; /* of b at time 0; a is at rest at its place */
    double velocity[3], angular[3];
} screw;

static place screw_at(const screw* w, LD time)
{
    v3 o = vec(w->angular[0], w->angular[1], w->angular[2]), v = vec(w->velocity[0], w->velocity[1], w->velocity[2]);
    LD rate = norm(o), angle = rate * time, x = angle / 2, s = sinl(x), c = cosl(x);
    v3 u = unit(o), along = scaled(inner(u, v), u), across = minus(v, along);
    LD first = x == 0 ? time : time * s * c / x, second = x == 0 ? 0 : time * s * s / x;
    v3 gone = plus(plus(scaled(time, along), first, across), second, outer(u, across));
    place out = w->from;
    double t[4];
    small_rotation(u, angle, t);
    turn_by(t, w->from.q, out.q);
    out.p[0] = (double)(w->from.p[0] + gone.x);
    out.p[1] = (double)(w->from.p[1] + gone.y);
    out.p[2] = (double)(w->from.p[2] + gone.z);
    return out;
}

static claim claim_at(actor* a, actor* c, const screw* w, LD time)
{
    c->placed.at = screw_at(w, time);
    claim k = claim_of_pair(a, c, 3);
    k.truth = both_hold(k.truth, about_core(&c->placed, &a->placed));
    k.truth = both_hold(k.truth, about_core(&a->placed, &c->placed));
    return k;
}

/* What the two poses may be apart, the library's screw and the truth's, and what was asked for. */
static LD slack_of(const claim* k, double tolerance)
{
    return larger_of(tolerance, 1e-9L) * k->size + 1e-13L * k->coordinates + k->widened;
}

/* ADVERSARY_VERBOSE: how it ended. */
static void print_impact(const wit_impact* h)
{
    printf("    %s%s%s, time [%.17g, %.17g], lower bound %.17g, %lld queries, %lld intervals, %lld units\n",
           wit_sweep_outcome_name(h->outcome), h->certified ? ", certified" : "", h->at_start ? ", at the start" : "",
           h->time.lo, h->time.hi, h->lower_bound, (long long)h->queries, (long long)h->intervals,
           (long long)h->work.units);
}

static void judge_first(batch* b, actor* a, actor* c, const screw* w, const wit_impact* hit, double threshold)
{
    enum { LOOKS = 24 };
    bool proved = hit->outcome == WIT_SWEEP_REACHED, clear = hit->outcome == WIT_SWEEP_CLEAR;
    claim k = claim_at(a, c, w, hit->time.hi);
    LD slack = slack_of(&k, 1e-9), end = clear ? 1 : hit->time.lo;
    if (isnan(hit->time.lo) || !(hit->time.lo <= hit->time.hi)) finding(b, NOT_A_NUMBER, "time", hit->time.lo, &k);
    if (proved && k.truth.lo > threshold + slack) finding(b, WRONG, "no touch at", hit->time.hi, &k);
    for (int i = 0; i <= LOOKS && end > 0; i++) { /* denser towards the end, where it is most likely to be missed */
        LD s = (LD)i / LOOKS, time = end * (i % 2 ? s : 1 - (1 - s) * (1 - s) * (1 - s) * (1 - s));
        k = claim_at(a, c, w, time);
        if (k.truth.hi < threshold - slack) finding(b, WRONG, "touch before time.lo, at", (double)time, &k);
        if (hit->lower_bound > k.truth.hi + slack) finding(b, BRACKET, "lower bound", hit->lower_bound, &k);
    }
}

static void judge_least(batch* b, actor* a, actor* c, const screw* w, const wit_least* least)
{
    enum { LOOKS = 16 };
    claim k = claim_at(a, c, w, least->time);
    LD slack = slack_of(&k, 1e-9);
    if (least->touched && k.truth.lo > slack) finding(b, WRONG, "no touch at", least->time, &k);
    if (!least->touched && least->upper_bound < k.truth.lo - slack)
        finding(b, BRACKET, "upper bound", least->upper_bound, &k);
    for (int i = 0; i <= LOOKS; i++) {
        k = claim_at(a, c, w, (LD)i / LOOKS);
        if (least->lower_bound > larger_of(0, k.truth.hi) + slack)
            finding(b, BRACKET, "lower bound", least->lower_bound, &k);
        if (least->certified && least->upper_bound > larger_of(0, k.truth.hi) + 2 * slack)
            finding(b, WRONG, "least", least->upper_bound, &k);
    }
}

static void sweep_scene(batch* b, actor* a, actor* c, double scale)
{
    (void)scale;
    dice* d = &b->d;
    double reach = (double)(a->shape.reach + c->shape.reach), spin = below(d, 2) ? between(d, 0, 6) : 0;
    screw w;
    v3 n = any_direction(d), u = any_direction(d), aim = any_direction(d);
    a->placed.at = any_place(d, below(d, 2) ? reach : 0);
    place_near(d, a, c, between(d, 0.9, 2) * reach);
    w.from = c->placed.at;
    LD miss = reach * between(d, 0, 1), turn = spin;
    aim = plus(scaled(miss, aim), 1, vec(a->placed.at.p[0], a->placed.at.p[1], a->placed.at.p[2]));
    n = scaled(between(d, 0.5, 2.5), minus(aim, vec(w.from.p[0], w.from.p[1], w.from.p[2])));
    const LD v[3] = {n.x, n.y, n.z}, o[3] = {turn * u.x, turn * u.y, turn * u.z};
    for (int i = 0; i < 3; i++) {
        w.velocity[i] = (double)v[i];
        w.angular[i] = (double)o[i];
    }
    wit_motion m = wit_motion_at_rest(pose_of(&w.from));
    m.twist_known = true;
    m.twist.velocity = (wit_vec3){w.velocity[0], w.velocity[1], w.velocity[2]};
    m.twist.angular = (wit_vec3){w.angular[0], w.angular[1], w.angular[2]};
    wit_sweep_def def = wit_sweep_default_def();
    def.a = wit_moving_still(a->body, pose_of(&a->placed.at));
    def.b = wit_moving_screw(c->body, 0, &m);
    def.to = 1;
    def.threshold = below(d, 2) ? 0 : reach * magnitude(d, -6, 0);
    def.budget = (int64_t)magnitude(d, 2, 5.3);
    ask_plain(b);
    b->asked.budget = def.budget;
    claim k = claim_at(a, c, &w, 0);
    wit_impact hit;
    wit_least least;
    b->number++;
    b->tally->cases++;
    if (wit_sweep_first(b->query, &def, &hit, NULL)) {
        finding(b, REFUSED, "a sweep", 0, &k);
        return;
    }
    b->tally->certified += hit.certified;
    if (hit.work.units > def.budget) finding(b, OVER_BUDGET, "units of a sweep", (double)hit.work.units, &k);
    b->answer = hit.closest;
    int64_t before = b->tally->faults[WRONG] + b->tally->faults[BRACKET];
    judge_first(b, a, c, &w, &hit, def.threshold);
    if (getenv("ADVERSARY_VERBOSE") && b->tally->faults[WRONG] + b->tally->faults[BRACKET] > before) print_impact(&hit);
    if (wit_sweep_least(b->query, &def, &least, NULL)) {
        finding(b, REFUSED, "a least distance", 0, &k);
        return;
    }
    if (least.work.units > def.budget) finding(b, OVER_BUDGET, "units of a least", (double)least.work.units, &k);
    judge_least(b, a, c, &w, &least);
}

void run_sweeps(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -3, 3);
    any_shape(&b->d, &a.shape, scale, 4);
    any_convex(&b->d, &c.shape, scale * between(&b->d, 0.1, 1), 4);
    if (below(&b->d, 2)) { /* the sharpest truth */
        c.shape.kind = BALL;
        set_reach(&c.shape);
    }
    play(b, &a, &c, scale, 4, sweep_scene);
}
