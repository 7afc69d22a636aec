/* SPDX-License-Identifier: MIT */
/* The speeds of a law and the limits of its gain at places that a caller gives. */
#include <string.h>

#include "../base/interval.h"
#include "../base/solve.h"
#include "../pair/kinematics.h"
#include "../pair/refine.h"
#include "gain.h"
#include "integrator.h"
#include "law_check.h"

/* A pair as it was given, with a body on its first side. */
typedef struct given {
    pair_motion s;
    place at[2];
    moving m[2];
    law_state state;
    wit_law_def law; /* of that order */
} given;

static place place_given(const wit_moving_place* p, const pair_motion* s, int which)
{
    place r;
    memset(&r, 0, sizeof r);
    r.kind = p->body ? p->feature : WIT_POINT;
    r.id = p->body ? p->id : -1;
    r.x[0] = p->u;
    r.x[1] = p->v;
    wit_interval range[2] = {{0, 0}, {0, 0}};
    bool closed[2] = {false, false};
    pair_motion_range(s, which, &r, range, closed);
    for (int i = 0; i < place_count(&r); ++i)
        if (!closed[i]) r.x[i] = smaller(range[i].hi, larger(range[i].lo, r.x[i]));
    return r;
}

static wit_motion known(const wit_motion* m)
{
    return m->twist_known ? *m : wit_motion_at_rest(m->pose);
}

/* The gains of a and b change places. */
static void swap_gains(wit_gain* g)
{
    for (int i = 0; i < 3; ++i) {
        double* x = i == 2 ? &g->side[0] : &g->parameter[i];
        double *y = i == 2 ? &g->side[1] : &g->parameter[i + 2], t = *x;
        *x = *y;
        *y = t;
    }
}

static wit_status given_of(const wit_moving_place* a, const wit_moving_place* b, const wit_track_def* def, double dt,
                           given* out)
{
    if (!a || !b || !def || (!a->body && !b->body)) return WIT_ERROR_ARGUMENT;
    wit_status status = wi_moving_check(a);
    if (!status) status = wi_moving_check(b);
    if (status) return status;
    bool swapped = !a->body;
    if (swapped) {
        const wit_moving_place* t = a;
        a = b;
        b = t;
    }
    if (def->struct_size != sizeof *def || !def->law) return WIT_ERROR_ARGUMENT;
    if (b->body && a->body->planar != b->body->planar) return WIT_ERROR_RANGE;
    if ((unsigned)def->form >= WIT_FORM_COUNT) return WIT_ERROR_ARGUMENT;
    status = wi_law_check(a->body, b->body, def, NULL);
    if (status) return status;
    if (!wit_law_is_flow(def->law->kind)) return WIT_ERROR_ARGUMENT;
    if (!(dt > 0) || !isfinite(dt)) return WIT_ERROR_RANGE;
    out->law = *def->law;
    if (swapped) swap_gains(&out->law.gain);
    wit_motion ma = known(&a->motion), mb = known(&b->motion);
    wi_pair_motion_make(a->body, b->body, &ma, &mb, &out->s);
    const wit_moving_place* places[2] = {a, b};
    for (int k = 0; k < 2; ++k) {
        out->at[k] = place_given(places[k], &out->s, k);
        wi_pair_motion_at(&out->s, k, &out->at[k], NULL, &out->m[k]);
    }
    wi_law_state_of(&out->s, out->at, out->m, def->form, &out->state);
    if (out->law.gain.kind == WIT_GAIN_MATRIX && out->law.gain.count != out->state.count) return WIT_ERROR_RANGE;
    return WIT_OK;
}

static wit_status speeds_in(const wit_moving_place* a, const wit_moving_place* b, const wit_track_def* def, double dt,
                            int mode, double speeds[WIT_MAX_PARAMETERS])
{
    given g;
    wit_status status = given_of(a, b, def, dt, &g);
    if (status) return status;
    if (!speeds) return WIT_ERROR_ARGUMENT;
    gain_set gains;
    law_answer answer;
    wi_gain_of_step(&g.law, &g.state, dt, &gains);
    wi_law_answer_at(&g.law, &g.state, &gains, NULL, mode, &answer);
    memcpy(speeds, answer.speed, sizeof answer.speed);
    return WIT_OK;
}

wit_status wit_law_speeds(const wit_moving_place* a, const wit_moving_place* b, const wit_track_def* def, double dt,
                          double speeds[WIT_MAX_PARAMETERS])
{
    return speeds_in(a, b, def, dt, LAW_FREE, speeds);
}

wit_status wi_law_speeds_unheld(const wit_moving_place* a, const wit_moving_place* b, const wit_track_def* def,
                                double dt, double speeds[WIT_MAX_PARAMETERS])
{
    return speeds_in(a, b, def, dt, 0, speeds);
}

/* psi.I psi of the present mode: what a unit gain takes off |dR| |dR|'. */
static double descent_of(const law_state* at, unsigned held)
{
    free_part f;
    double l[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], x[WIT_MAX_PARAMETERS], sum = 0;
    wi_free_part_of(at, held, &f);
    if (f.n == 0 || !wi_cholesky_factor(f.n, f.W, l)) return 0;
    wi_cholesky_solve(f.n, l, f.g, x);
    for (int i = 0; i < f.n; ++i) sum += x[i] * f.g[i];
    return sum;
}

/* The bound below 000 (6), with psi.I psi in place of lambda |psi|^2: K >= B delta |dR| / (psi.I psi), delta = |dR /
 * |dR| - N*|, N* the same at the closest pair that descent from here leads to. */
static double lower_gain(const given* g, unsigned held)
{
    const moving *f = &g->m[0], *h = &g->m[1];
    wit_vec3 gap = sub3(f->p, h->p), q = add3(sub3(h->velocity, f->velocity), cross3(f->angular, gap));
    double B = norm3(q), distance = norm3(gap), descent = descent_of(&g->state, held);
    if (B == 0 || gain_feeds_forward(&g->law)) return 0;
    place a = place_at(g->at[0].kind, g->at[0].id, g->at[0].x[0], g->at[0].x[1], f->p);
    place b = place_at(g->at[1].kind, g->at[1].id, g->at[1].x[0], g->at[1].x[1], h->p);
    refine_bounds bounds = wi_refine_bounds_of(&g->s.side[0], &a, &g->s.side[1], &b);
    refined r;
    wi_refine_pair(&g->s.side[0], &a, &g->s.side[1], &b, &bounds, (refine_effort){60, 0}, &r);
    wit_vec3 now = unit3(gap), then = unit3(sub3(r.a.p, r.b.p));
    double delta = norm3(sub3(now, then));
    /* where the error is rounding, so is the descent: at the solution */
    double noise = 64 * DBL_EPSILON * (distance + norm3(f->p) + norm3(h->p));
    if (!(descent > noise * noise)) return INFINITY;
    return B * delta * distance / descent;
}

/* A law without feed-forward stays behind by e, K I^-1 S M e = x', x' = -(S M)^-1 S b. */
static double lag_of(const given* g, unsigned held)
{
    free_part f;
    pair_rows rows;
    lu factors;
    double x[WIT_MAX_PARAMETERS], y[WIT_MAX_PARAMETERS], most = 0;
    wi_free_part_of(&g->state, held, &f);
    wi_condition_rows(&g->m[0], &g->m[1], WIT_FORM_PAPERS, &rows);
    if (gain_feeds_forward(&g->law) || f.n == 0) return 0;
    if (!wi_lu_factor(&factors, f.n, f.H)) return INFINITY;
    for (int i = 0; i < f.n; ++i) x[i] = (f.index[i] < g->state.count_a ? -1 : 1) * rows.b[f.index[i]];
    wi_lu_solve(&factors, x, x);
    for (int i = 0; i < f.n; ++i) {
        y[i] = 0;
        for (int j = 0; j < f.n; ++j) y[i] += f.W[i * f.n + j] * x[j];
    }
    wi_lu_solve(&factors, y, y);
    for (int i = 0; i < f.n; ++i) most = larger(most, fabs(y[i]));
    return most;
}

wit_status wit_gain_limits(const wit_moving_place* a, const wit_moving_place* b, const wit_track_def* def, double dt,
                           wit_gain_limit* out)
{
    given g;
    wit_status status = given_of(a, b, def, dt, &g);
    if (status) return status;
    bool own = g.law.kind == WIT_LAW_OWN || g.law.outer || g.law.integrator == WIT_INTEGRATOR_OWN;
    if (!out || own) return WIT_ERROR_ARGUMENT;
    unsigned held = wi_gain_held(&g.law, &g.state);
    double least = 1, most = 1;
    if (g.law.kind != WIT_LAW_LINEARIZING) wi_gain_spectrum(&g.state, held, &least, &most);
    double limit = wi_integrator_limit(integrator_of(&g.law)) / dt;
    out->upper = most > 0 ? limit / most : INFINITY;
    out->calm = most > 0 ? smaller(limit, wi_integrator_calm(integrator_of(&g.law)) / dt) / most : INFINITY;
    out->lower = lower_gain(&g, held);
    out->lag = lag_of(&g, held);
    out->fastest = wi_gain_fastest(&g.law, &g.state, held, dt);
    return WIT_OK;
}
