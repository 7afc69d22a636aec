/* SPDX-License-Identifier: MIT */
#include "flow.h"

#include <string.h>

#include "../base/interval.h"
#include "../base/solve.h"
#include "../track/point_proof.h"
#include "../track/hand_over.h"
#include "region.h"

enum { REGION_MOST = 4 }; /* searches for the region, a step */

/* ---- memory -------------------------------------------------------------------------------- */

size_t wi_flow_bytes(const wit_body* a, const wit_body* b, const wit_law_def* law)
{
    (void)a;
    (void)b;
    (void)law;
    return sizeof(flow_memory);
}

void wi_flow_forget(wit_tracker* t)
{
    memset(tracker_at(t, t->law_state_at), 0, sizeof(flow_memory));
}

/* What was kept belongs to other features: it goes. */
static void match_memory(flow* f)
{
    flow_memory* m = f->memory;
    bool same = m->known;
    for (int k = 0; k < 2; ++k) same = same && m->kind[k] == f->at[k].kind && m->id[k] == f->at[k].id;
    if (same) return;
    memset(m, 0, sizeof *m);
    m->known = true;
    for (int k = 0; k < 2; ++k) {
        m->kind[k] = f->at[k].kind;
        m->id[k] = f->at[k].id;
    }
}

void wi_flow_load(flow* f)
{
    f->count = 0;
    for (int k = 0; k < 2; ++k) {
        f->at[k] = f->s->t->at[k];
        wit_interval range[2] = {{0, 0}, {0, 0}};
        bool closed[2] = {false, false};
        pair_motion_range(&f->s->now, k, &f->at[k], range, closed);
        for (int i = 0; i < place_count(&f->at[k]); ++i, ++f->count) {
            f->range[f->count] = range[i];
            f->closed[f->count] = closed[i];
        }
        if (k == 0) f->count_a = f->count;
    }
    match_memory(f);
}

void wi_flow_begin(step* s, flow* out)
{
    memset(out, 0, sizeof *out);
    out->s = s;
    out->law = law_settings(s->t);
    out->def = &s->t->def;
    out->memory = tracker_at(s->t, s->t->law_state_at);
    for (int k = 0; k < 2 && !s->first; ++k) {
        wit_twist w = wit_twist_between(&s->from[k], &s->motion[k].pose, s->dt);
        if (finite3(w.velocity) && finite3(w.angular)) out->screw[k] = w;
    }
    out->integrated = out->law->feedback == WIT_FEEDBACK_INTEGRATED;
    wi_flow_load(out);
}

static void read_state(const flow* f, double* y)
{
    for (int i = 0; i < f->count; ++i) {
        int k = i >= f->count_a;
        y[i] = f->at[k].x[i - (k ? f->count_a : 0)];
    }
    wi_flow_clamp(f, y);
}

void wi_flow_store(flow* f, const double* y)
{
    for (int i = 0; i < f->count; ++i) {
        int k = i >= f->count_a, j = i - (k ? f->count_a : 0);
        double x = y[i], period = iv_width(f->range[i]);
        if (f->closed[i] && period > 0 && (x < f->range[i].lo || x >= f->range[i].hi)) {
            x -= floor((x - f->range[i].lo) / period) * period;
            x = smaller(f->range[i].hi, larger(f->range[i].lo, x));
        }
        f->at[k].x[j] = x;
    }
    for (int k = 0; k < 2; ++k) f->s->t->at[k] = f->at[k];
    f->s->fresh = false;
}

/* ---- the right-hand side ------------------------------------------------------------------- */

void wi_flow_stage(const flow* f, double c, pair_motion* out)
{
    step* s = f->s;
    wit_motion m[2];
    for (int k = 0; k < 2; ++k) {
        wit_motion from = {s->from[k], f->screw[k], true};
        m[k] = from;
        m[k].pose = c >= 1 ? s->motion[k].pose : c > 0 ? wit_motion_after(&from, c * s->dt) : s->from[k];
        /* one field of velocities in space, taken where the origin is now */
        m[k].twist.velocity = wit_motion_velocity(&from, m[k].pose.position);
        if (f->instant && f->memory->moved) m[k].twist = f->memory->twist[k];
    }
    wi_pair_motion_make(s->t->body[0], s->t->body[1], &m[0], &m[1], out);
    pair_motion_account(out, &s->work, step_limit(s));
}

void wi_flow_clamp(const flow* f, double* y)
{
    for (int i = 0; i < f->count; ++i)
        if (!f->closed[i]) y[i] = smaller(f->range[i].hi, larger(f->range[i].lo, y[i]));
}

bool wi_flow_see(flow* f, double c, const double* y, moving m[2], law_state* state)
{
    double x[FLOW_STATE];
    pair_motion at;
    if (step_left(f->s) < FLOW_LOOK + FLOW_RESERVE) {
        f->spent = true;
        return false;
    }
    memcpy(x, y, sizeof(double) * (size_t)f->count);
    wi_flow_clamp(f, x);
    wi_flow_stage(f, c, &at);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < place_count(&f->at[k]); ++i) f->at[k].x[i] = x[(k ? f->count_a : 0) + i];
        wi_pair_motion_at(&at, k, &f->at[k], &f->s->t->hint[k], &m[k]);
    }
    wi_law_state_of(&at, f->at, m, f->def->form, state);
    return true;
}

bool wi_flow_slope(flow* f, double c, const double* y, int mode, double* slope, law_answer* answer)
{
    moving m[2];
    law_state state;
    memset(slope, 0, FLOW_STATE * sizeof *slope);
    memset(answer, 0, sizeof *answer);
    if (!wi_flow_see(f, c, y, m, &state)) return false;
    wi_law_answer_at(f->law, &state, &f->gains, f->integrated ? y + f->count : NULL, mode, answer);
    memcpy(slope, answer->speed, sizeof(double) * (size_t)f->count);
    if (!f->integrated) return true;
    /* Psi' = mu, whatever x does: 001 (13) and (14) */
    law_outer in = {y + f->count, 0, f->def->form, norm3(sub3(m[0].p, m[1].p))};
    wi_law_outer(f->law, &state, &f->gains, &in, slope + f->count);
    return true;
}

bool wi_flow_gains(flow* f, double c, const double* y)
{
    moving m[2];
    law_state state;
    if (!wi_flow_see(f, c, y, m, &state)) return false;
    wi_gain_of_step(f->law, &state, f->s->dt, &f->gains);
    if (f->integrated && !f->memory->psi_known) {
        pair_rows rows;
        wi_condition_rows(&m[0], &m[1], f->def->form, &rows);
        memcpy(f->memory->psi, rows.psi, sizeof rows.psi);
        f->memory->psi_known = true;
    }
    return true;
}

/* ---- the step ------------------------------------------------------------------------------ */

/* Touching or inside, contact form: Newton's step as a length; the distance errs by its square. */
static bool contact_is_there(const flow* f, const law_state* at, unsigned held)
{
    pair_rows rows;
    double m[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], d[WIT_MAX_PARAMETERS], length = 0;
    int index[WIT_MAX_PARAMETERS], n = 0;
    lu factors;
    wi_condition_rows(at->side[0], at->side[1], WIT_FORM_CONTACT, &rows);
    for (int i = 0; i < at->count; ++i)
        if (!(held >> i & 1)) index[n++] = i;
    for (int i = 0; i < n; ++i) {
        d[i] = -rows.psi[index[i]];
        for (int j = 0; j < n; ++j) m[i * n + j] = rows.M[index[i] * at->count + index[j]];
    }
    if (n == 0) return true;
    if (!wi_lu_factor(&factors, n, m)) return false;
    wi_lu_solve(&factors, d, d);
    for (int i = 0; i < n; ++i) {
        int k = index[i] >= at->count_a;
        length += fabs(d[i]) * norm3(at->side[k]->d[index[i] - (k ? at->count_a : 0)]);
    }
    double scale = step_scale(f->s, 0);
    return length * length <= f->def->tolerance * scale * scale;
}

/* By how much the distance may still fall: d - sqrt(d^2 - g.H^-1 g) over the free parameters, against the tolerance.
 * */
static bool is_there(const flow* f, const law_state* at, unsigned held)
{
    free_part p;
    double l[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], x[WIT_MAX_PARAMETERS], fall = 0;
    double d = norm3(sub3(at->side[0]->p, at->side[1]->p)), along;
    if (f->law->kind == WIT_LAW_LINEARIZING && f->def->form == WIT_FORM_CONTACT && at->side[0]->count &&
        at->side[1]->count && pair_face(at->side[0], at->side[1]) >= 0) {
        wi_condition_normal(at->side[0], at->side[1], WIT_FORM_CONTACT, &along);
        if (along <= f->def->tolerance * step_scale(f->s, 0)) return contact_is_there(f, at, held);
    }
    wi_free_part_of(at, held, &p);
    if (p.n > 0) {
        if (!wi_cholesky_factor(p.n, p.H, l)) return false;
        wi_cholesky_solve(p.n, l, p.g, x);
        for (int i = 0; i < p.n; ++i) fall += x[i] * p.g[i];
    }
    double left = fall / (d + sqrt(larger(0, d * d - fall)) + DBL_MIN);
    return left <= f->def->tolerance * step_scale(f->s, d);
}

void wi_flow_look(flow* f)
{
    step* s = f->s;
    law_state state;
    law_answer a;
    wi_step_look(s);
    wi_law_state_of(&s->now, s->t->at, s->at, f->def->form, &state);
    gain_set gains = f->gains;
    gains.order = gains.order == state.count ? gains.order : 0;
    wi_law_answer_at(f->law, &state, &gains, NULL, LAW_FREE, &a);
    s->held = a.held;
    s->outcome = f->spent ? WIT_OUTCOME_BUDGET : is_there(f, &state, a.held) ? WIT_OUTCOME_CONVERGED : WIT_OUTCOME_OPEN;
}

bool wi_flow_hand_over(flow* f)
{
    step* s = f->s;
    s->work.units += FLOW_RESERVE; /* kept back for what is left to do */
    bool voronoi = f->law->switching == WIT_SWITCHING_VORONOI;
    unsigned cycle = s->flags & WIT_FLAG_CYCLE;
    bool done =
        step_left(s) > 0 && !(voronoi && f->regions > REGION_MOST) && (voronoi ? wi_region_switch(s) : wi_hand_over(s));
    s->work.units -= FLOW_RESERVE;
    f->regions += voronoi;
    /* a witness on its way may be sent back where it came from: that is refused, and it runs on; no cycle yet */
    s->flags = (s->flags & ~(unsigned)WIT_FLAG_CYCLE) | cycle;
    if (s->outcome == WIT_OUTCOME_BUDGET) f->spent = true;
    if (done) wi_flow_load(f);
    return done;
}

/* The integrated Psi beside the computed one: their difference, of the lengths that Psi is made of. */
static void compare_psi(flow* f, const double* y)
{
    step* s = f->s;
    const moving *a = &s->at[0], *b = &s->at[1];
    pair_rows rows;
    wi_condition_rows(a, b, f->def->form, &rows);
    int face = pair_face(a, b);
    const moving* of = face == 1 ? b : a;
    double gap = norm3(rows.gap), normal = rows.contact ? norm3(cross3(of->d[0], of->d[1])) : 0;
    s->drift = 0;
    for (int i = 0; i < f->count; ++i) {
        int k = i >= f->count_a;
        double tangent = norm3(s->at[k].d[i - (k ? f->count_a : 0)]), size = rows.contact && k != face ? normal : gap;
        bool held = s->held >> i & 1;
        double psi = y[f->count + i];
        if (!held && size * tangent > 0) s->drift = larger(s->drift, fabs(psi - rows.psi[i]) / (size * tangent));
        f->memory->psi[i] = held ? rows.psi[i] : psi; /* a held one is not governed by Psi' = -K Psi */
    }
}

/* The first frame is the start: no time has passed since it. */
void wi_flow_step(step* s)
{
    flow f;
    double y[FLOW_STATE] = {0};
    wi_flow_begin(s, &f);
    s->by_region = f.law->switching == WIT_SWITCHING_VORONOI;
    read_state(&f, y);
    s->iterations = s->first ? 0 : 1;
    if (wi_flow_gains(&f, 0, y) && !s->first) {
        if (f.integrated)
            for (int i = 0; i < f.count; ++i) y[f.count + i] = f.memory->psi[i];
        wi_flow_integrate(&f, y);
    }
    wi_flow_store(&f, y);
    wi_flow_look(&f);
    if (f.integrated && !s->first) compare_psi(&f, y);
    for (int k = 0; k < 2; ++k) f.memory->twist[k] = s->motion[k].twist;
    f.memory->moved = true;
    if (f.def->keep_features || s->first) return;
    /* Once for each side: a witness on its way that was handed over has yet to run on its new feature. */
    for (int k = 0; k < (s->t->body[1] ? 2 : 1) && wi_flow_hand_over(&f); ++k) wi_flow_look(&f);
    s->work.units += FLOW_RESERVE;
    bool jumped = step_left(s) > 0 && wi_point_proof_jump(s);
    s->work.units -= FLOW_RESERVE;
    if (!jumped) return;
    wi_flow_load(&f);
    wi_flow_look(&f);
}
