/* SPDX-License-Identifier: MIT */
/*
 * When the law's step can't be trusted. Apart: a damped, shifted Newton descent of |dR|^2 / 2 within the features, which
 * never rises, and where it ends at a saddle both ways down from it. At touch and inside, where the squared distance leads
 * to a crossing instead: Newton on the contact form, shortened until the conditions get smaller.
 */
#include "descent.h"

#include "../pair/refine.h"
#include "next_contact.h"
#include "pair_newton.h"

enum {
    DESCENT_STEPS = 40,
    JETS_PER_STEP = 34, /* the descent may try a step twelve times, two jets each, or four of the contact form */
    DOWNHILL_JETS = 4 * 2 * 60 * 34, /* what leaving a saddle may take */
    DAMPED_STEPS = 24,
    HALVINGS = 6
};

static place place_of(const place* at)
{
    place p = place_at(at->kind, at->id, at->x[0], at->x[1], vec3(0, 0, 0));
    return p;
}

static bool settle_apart(step* s)
{
    wit_tracker* t = s->t;
    place a = place_of(&t->at[0]), b = place_of(&t->at[1]);
    const side *sa = &s->now.side[0], *sb = &s->now.side[1];
    refine_bounds bounds = wi_refine_bounds_of(sa, &a, sb, &b);
    int64_t steps = (step_left(s) - STEP_RESERVE) / JETS_PER_STEP;
    if (steps < 1) return false;
    refined r;
    wi_refine_pair(sa, &a, sb, &b, &bounds, (refine_effort){steps < DESCENT_STEPS ? (int)steps : DESCENT_STEPS, 0}, &r);
    s->iterations += r.steps;
    if (!r.regular && step_left(s) > DOWNHILL_JETS) wi_refine_to_minimum(sa, sb, &bounds, &r);
    const place* end[2] = {&r.a, &r.b};
    for (int i = 0; i < 2; ++i) {
        t->at[i].x[0] = end[i]->u;
        t->at[i].x[1] = end[i]->v;
    }
    return r.converged;
}

/* The contact form from where the places are; the merit falls in every step. */
static bool settle_contact(step* s)
{
    pair_newton p;
    wi_pair_newton_begin(s, &p);
    wi_pair_newton_look(&p);
    for (int k = 0; k < DAMPED_STEPS; ++k) {
        pair_step by;
        double tolerance = fmax(s->t->def.tolerance * step_scale(s, p.distance), p.floor);
        if (step_left(s) < STEP_RESERVE + LOOK_MOST || !wi_pair_newton_step(&p, &by) || by.pressed) return false;
        s->iterations++;
        if (by.length <= tolerance) {
            if (!wi_pair_newton_inside(&p)) return false;
            wi_pair_newton_end(&p, by.held);
            return true;
        }
        pair_newton next = p;
        double part = 1;
        for (int halving = 0;; ++halving) {
            pair_step shorter = by;
            for (int i = 0; i < p.n; ++i) shorter.d[i] *= part;
            next = p;
            wi_pair_newton_move(&next, &shorter);
            if (step_left(s) < STEP_RESERVE + LOOK_MOST) return false;
            wi_pair_newton_look(&next);
            if (next.merit < p.merit) break;
            if (halving == HALVINGS) return false;
            part *= 0.5;
        }
        p = next;
    }
    return false;
}

bool wi_descend(step* s)
{
    pair_newton p;
    if (step_left(s) < STEP_RESERVE + 2 * LOOK_MOST) return false;
    wi_pair_newton_begin(s, &p);
    wi_pair_newton_look(&p);
    bool form = s->t->def.form == WIT_FORM_CONTACT && pair_face(&p.m[0], &p.m[1]) >= 0 && p.na > 0 && p.n > p.na;
    bool apart = !form || p.distance > 0;
    if (!apart) {
        if (settle_contact(s)) {
            s->outcome = WIT_OUTCOME_CONVERGED;
            return true;
        }
        return wi_next_contact(s);
    }
    if (!settle_apart(s)) return false;
    /* the last word is that of pair_newton.c: a minimum, and the sides as they are there */
    if (step_left(s) < STEP_RESERVE + LOOK_MOST) return false;
    return wi_pair_newton(s);
}
