/* SPDX-License-Identifier: MIT */
#include "hybrid.h"

#include <string.h>

#include "../base/interval.h"
#include "../pair/neighbour.h"
#include "../pair/refine.h"
#include "dopri5.h"
#include "region.h"

#define HYBRID_TOLERANCE 1e-11   /* local error, of the range of a parameter */
#define HYBRID_SLOPE 1e-9        /* cosine from which another feature takes over, as in hand_over.c */
#define HYBRID_SHORT (1.0 / 512) /* of the frame: a step is not made shorter for the sake of its error (M singular) */
enum { HYBRID_EVENTS = 64, HYBRID_STEPS = 1024, HYBRID_HALVINGS = 44, JUMP_COST = 2048 };

/* A frame under way. */
typedef struct automaton {
    flow* f;
    int mode;     /* what is held */
    bool free;    /* events came too often: no more are looked for */
    bool refused; /* a hand-over that was due was not done: it is not asked for again in this frame */
} automaton;

/* ---- what ends a mode ---------------------------------------------------------------------- */

static bool at_end(const wit_interval* range, bool closed, double x, double push)
{
    return !closed && ((x <= range->lo && push < 0) || (x >= range->hi && push > 0));
}

/* Does the witness belong on another feature? The tests of hand_over.c, without handing over. */
static bool leads_off(flow* f, const pair_motion* now, int which, const moving m[2])
{
    const side* own = &now->side[which];
    const place* at = &f->at[which];
    wit_vec3 gap = sub3(m[1 - which].p, m[which].p), w = unit3(gap);
    neighbour to;
    neighbour_query query = {own, w, norm3(gap), HYBRID_SLOPE};
    edge_place edge = {at->id, at->x[0], m[which].p, m[which].d[0]};
    bool leads = false;
    wit_interval range[2] = {{0, 0}, {0, 0}};
    bool closed[2] = {false, false};
    if (!own->body || at->kind == WIT_POINT) return false;
    if (step_left(f->s) < wi_neighbour_cost(own, at->kind, at->id) + FLOW_RESERVE) return false;
    pair_motion_range(now, which, at, range, closed);
    if (at->kind == WIT_VERTEX) {
        leads = wi_neighbour_of_vertex(&query, at->id, &to);
    } else {
        for (int i = 0; i < m[which].count; ++i)
            leads = leads || at_end(&range[i], closed[i], at->x[i], dot3(w, m[which].d[i]));
        if (!leads && at->kind == WIT_EDGE) leads = wi_neighbour_of_edge(&query, &edge, -1, &to);
        if (!leads && at->kind == WIT_FACE) {
            leads = !wi_side_contains(own, WIT_FACE, at->id, at->x[0], at->x[1]);
        }
    }
    return leads;
}

static bool other_region(flow* f, const pair_motion* now, int which, const moving m[2])
{
    if (!now->side[which].body) return false;
    place at = f->at[which];
    f->s->work.units += FLOW_RESERVE;
    bool known = wi_region_of(f->s, now, which, m[1 - which].p, &at);
    f->s->work.units -= FLOW_RESERVE;
    if (!known) return false;
    return at.kind != f->at[which].kind || at.id != f->at[which].id;
}

/* Is a hand-over due at (t, y)? */
static bool due(automaton* m, double t, const double* y)
{
    flow* f = m->f;
    if (f->def->keep_features || m->refused || step_left(f->s) < FLOW_LOOK + FLOW_RESERVE) return false;
    pair_motion now;
    moving both[2];
    double x[FLOW_STATE];
    memcpy(x, y, sizeof(double) * (size_t)f->count);
    wi_flow_clamp(f, x);
    wi_flow_stage(f, t / f->s->dt, &now);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < place_count(&f->at[k]); ++i) f->at[k].x[i] = x[(k ? f->count_a : 0) + i];
        wi_pair_motion_at(&now, k, &f->at[k], &f->s->t->hint[k], &both[k]);
    }
    for (int k = 0; k < 2; ++k)
        if (f->law->switching == WIT_SWITCHING_VORONOI ? other_region(f, &now, k, both) : leads_off(f, &now, k, both))
            return true;
    return false;
}

/* Has the mode ended at (t, y)? */
static bool ended(automaton* m, double t, const double* y)
{
    flow* f = m->f;
    law_answer a;
    double slope[FLOW_STATE];
    for (int i = 0; i < f->count; ++i)
        if (!f->closed[i] && !(y[i] >= f->range[i].lo && y[i] <= f->range[i].hi)) return true;
    if (!wi_flow_slope(f, t / f->s->dt, y, LAW_FREE, slope, &a)) return false;
    return (int)a.held != m->mode || due(m, t, y);
}

/* ---- events -------------------------------------------------------------------------------- */

static void read_places(const flow* f, double* y)
{
    for (int i = 0; i < f->count; ++i) {
        int k = i >= f->count_a;
        y[i] = f->at[k].x[i - (k ? f->count_a : 0)];
    }
}

/* Hands over at time t of the frame, if that is due. */
static void hand_over(automaton* m, double t, double* y)
{
    flow* f = m->f;
    step* s = f->s;
    if (!due(m, t, y)) return;
    pair_motion end = s->now;
    double clock = s->clock;
    wi_flow_store(f, y);
    wi_flow_stage(f, t / s->dt, &s->now);
    s->clock = clock - (s->dt - t);
    s->left_count = 0; /* features left at another moment may be taken again */
    wi_flow_look(f);
    bool done = false;
    f->regions = 0;
    while (wi_flow_hand_over(f)) {
        done = true;
        wi_flow_look(f);
    }
    s->now = end;
    s->clock = clock;
    wi_flow_load(f);
    read_places(f, y);
    s->fresh = false;
    if (!done)
        m->refused = true;
    else
        wi_flow_gains(f, t / s->dt, y);
}

/* The first moment of the step at which the mode has ended, if it has: *t, *y there. */
static bool locate(automaton* m, const dopri5* d, double* t, double* y)
{
    double lo = 0, hi = 1, x[DOPRI5_STATE];
    bool over = ended(m, d->t + d->h, d->to);
    wi_dopri5_inside(d, 0.5, x);
    if (ended(m, d->t + 0.5 * d->h, x)) {
        hi = 0.5;
        over = true;
    } else if (over) {
        lo = 0.5;
    }
    if (!over) return false;
    for (int k = 0; k < HYBRID_HALVINGS && !m->f->spent; ++k) {
        double mid = 0.5 * (lo + hi);
        if (mid <= lo || mid >= hi) break;
        wi_dopri5_inside(d, mid, x);
        if (ended(m, d->t + mid * d->h, x))
            hi = mid;
        else
            lo = mid;
    }
    wi_dopri5_inside(d, hi, y);
    wi_flow_clamp(m->f, y);
    *t = hi >= 1 ? d->t + d->h : d->t + hi * d->h;
    return true;
}

static bool slope_in_mode(void* user, double t, const double* y, double* slope)
{
    automaton* m = user;
    law_answer a;
    bool ok = wi_flow_slope(m->f, t / m->f->s->dt, y, m->free ? LAW_FREE : m->mode, slope, &a);
    if (a.fell_back) m->f->s->flags |= WIT_FLAG_FELL_BACK;
    m->f->s->gain = larger(m->f->s->gain, a.gain);
    return ok;
}

/* Sets the mode at (t, y); false: no budget. */
static bool enter(automaton* m, double t, double* y)
{
    law_answer a;
    double slope[FLOW_STATE];
    hand_over(m, t, y);
    if (!wi_flow_slope(m->f, t / m->f->s->dt, y, LAW_FREE, slope, &a)) return false;
    m->mode = (int)a.held;
    return true;
}

void wi_hybrid_step(flow* f, double* y)
{
    automaton m = {f, 0, false, false};
    double dt = f->s->dt, t = 0, h = f->memory->adaptive > 0 ? f->memory->adaptive : 0.125 * dt;
    int events = 0;
    if (!enter(&m, t, y)) return;
    f->s->iterations = 0;
    for (int n = 0; n < HYBRID_STEPS && t < dt; ++n) {
        double tried = h < dt - t ? h : dt - t;
        dopri5 d;
        d.n = f->count;
        d.slope = slope_in_mode;
        d.user = &m;
        for (int i = 0; i < f->count; ++i) d.scale[i] = HYBRID_TOLERANCE * larger(iv_width(f->range[i]), DBL_MIN);
        if (!wi_dopri5_try(&d, t, tried, y)) return;
        double next = wi_dopri5_next(tried, d.error);
        if (d.error > 1 && tried > HYBRID_SHORT * dt) {
            h = next;
            continue;
        }
        f->s->iterations++;
        double end = tried >= dt - t ? dt : t + tried;
        if (!m.free && locate(&m, &d, &t, y)) {
            m.free = ++events > HYBRID_EVENTS;
            if (m.free) f->s->flags |= WIT_FLAG_CYCLE;
            if (!enter(&m, t, y)) return;
            continue;
        }
        memcpy(y, d.to, sizeof(double) * (size_t)f->count);
        wi_flow_clamp(f, y);
        t = end;
        if (tried >= h || next < h) h = next; /* a step cut short by the frame says nothing about longer ones */
        if (f->spent) return;
    }
    f->memory->adaptive = h;
    if (t < dt) f->spent = true;
}

/* ---- jumps --------------------------------------------------------------------------------- */

/* How far the foot of the other side on the feature is at a part c of the frame. */
static double foot_distance(const flow* f, double c, int which, const place* at)
{
    pair_motion now;
    refined r;
    wi_flow_stage(f, c, &now);
    place own = place_at(at->kind, at->id, at->x[0], at->x[1], vec3(0, 0, 0));
    moving m;
    wi_pair_motion_at(&now, 1 - which, &f->at[1 - which], NULL, &m);
    side point = wi_side_of_point(m.p);
    place target = place_at(WIT_POINT, -1, 0, 0, m.p);
    refine_bounds bounds = wi_refine_bounds_of(&now.side[which], &own, &point, &target);
    wi_refine_pair(&now.side[which], &own, &point, &target, &bounds, (refine_effort){20, 0}, &r);
    return r.distance;
}

double wi_hybrid_jump_time(step* s, int which, const place* from, const place* to)
{
    if (law_settings(s->t)->integrator != WIT_INTEGRATOR_DOPRI5 || s->first) return s->clock;
    flow f;
    double lo = 0, hi = 1;
    wi_flow_begin(s, &f);
    if (step_left(s) < JUMP_COST) return s->clock;
    if (foot_distance(&f, 0, which, from) >= foot_distance(&f, 0, which, to)) return s->clock - s->dt;
    for (int k = 0; k < HYBRID_HALVINGS && step_left(s) >= 64; ++k) {
        double mid = 0.5 * (lo + hi);
        if (foot_distance(&f, mid, which, from) > foot_distance(&f, mid, which, to))
            hi = mid;
        else
            lo = mid;
    }
    return s->clock - (1 - hi) * s->dt;
}
