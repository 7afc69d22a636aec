/* SPDX-License-Identifier: MIT */
#include "flow.h"

#include <string.h>

#include "../base/interval.h"
#include "../base/solve.h"
#include "hybrid.h"
#include "region.h"

enum { FLOW_LOOK = 4, IMPLICIT_MOST = 24, BORDER_PARTS = 6, BORDER_TRIES = 16 };
#define BORDER_NEAR 1e-13 /* of the range: a border is met */

/* ---- memory -------------------------------------------------------------------------------- */

size_t flow_bytes(const wit_body* a, const wit_body* b, const wit_track_def* def)
{
    (void)a;
    (void)b;
    return wit_law_is_flow(def->law) ? sizeof(flow_memory) : 0;
}

void flow_forget(wit_tracker* t)
{
    if (t->flow_at) memset(tracker_at(t, t->flow_at), 0, sizeof(flow_memory));
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

void flow_load(flow* f)
{
    f->count = 0;
    for (int k = 0; k < 2; ++k) {
        f->at[k] = f->s->t->at[k];
        wit_interval range[2] = {{0, 0}, {0, 0}};
        bool closed[2] = {false, false};
        stage_range(&f->s->now, k, &f->at[k], range, closed);
        for (int i = 0; i < spot_count(&f->at[k]); ++i, ++f->count) {
            f->range[f->count] = range[i];
            f->closed[f->count] = closed[i];
        }
        if (k == 0) f->count_a = f->count;
    }
    match_memory(f);
}

void flow_begin(step* s, flow* out)
{
    memset(out, 0, sizeof *out);
    out->s = s;
    out->def = &s->t->def;
    out->memory = tracker_at(s->t, s->t->flow_at);
    for (int k = 0; k < 2 && !s->first; ++k) {
        wit_twist w = wit_twist_between(&s->from[k], &s->motion[k].pose, s->dt);
        if (finite3(w.velocity) && finite3(w.angular)) out->screw[k] = w;
    }
    out->integrated = s->t->def.feedback == WIT_FEEDBACK_INTEGRATED;
    flow_load(out);
}

static void read_state(const flow* f, double* y)
{
    for (int i = 0; i < f->count; ++i) {
        int k = i >= f->count_a;
        y[i] = f->at[k].x[i - (k ? f->count_a : 0)];
    }
    flow_clamp(f, y);
}

void flow_store(flow* f, const double* y)
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

void flow_stage(const flow* f, double c, stage* out)
{
    const step* s = f->s;
    wit_motion m[2];
    for (int k = 0; k < 2; ++k) {
        wit_motion from = {s->from[k], f->screw[k], true};
        m[k] = from;
        m[k].pose = c >= 1 ? s->motion[k].pose : c > 0 ? wit_motion_after(&from, c * s->dt) : s->from[k];
        /* one field of velocities in space, taken where the origin is now */
        m[k].twist.velocity = wit_motion_velocity(&from, m[k].pose.position);
        if (f->instant && f->memory->moved) m[k].twist = f->memory->twist[k];
    }
    stage_make(s->t->body[0], s->t->body[1], &m[0], &m[1], out);
}

void flow_clamp(const flow* f, double* y)
{
    for (int i = 0; i < f->count; ++i)
        if (!f->closed[i]) y[i] = smaller(f->range[i].hi, larger(f->range[i].lo, y[i]));
}

/* Both sides at y; false: no budget. */
static bool look_at(flow* f, double c, const double* y, moving m[2], law_state* state)
{
    double x[FLOW_STATE];
    stage at;
    if (step_left(f->s) < FLOW_LOOK) {
        f->spent = true;
        return false;
    }
    memcpy(x, y, sizeof(double) * (size_t)f->count);
    flow_clamp(f, x);
    flow_stage(f, c, &at);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < spot_count(&f->at[k]); ++i) f->at[k].x[i] = x[(k ? f->count_a : 0) + i];
        stage_at(&at, k, &f->at[k], &m[k]);
        step_jets(f->s, m[k].count > 0);
    }
    law_state_of(&at, f->at, m, state);
    return true;
}

bool flow_slope(flow* f, double c, const double* y, int mode, double* slope, law_answer* answer)
{
    moving m[2];
    law_state state;
    memset(slope, 0, FLOW_STATE * sizeof *slope);
    memset(answer, 0, sizeof *answer);
    if (!look_at(f, c, y, m, &state)) return false;
    law_answer_at(f->def, &state, &f->gains, f->integrated ? y + f->count : NULL, mode, answer);
    memcpy(slope, answer->speed, sizeof(double) * (size_t)f->count);
    if (!f->integrated) return true;
    /* Psi' = -K Psi, whatever x does */
    for (int i = 0; i < f->count; ++i) {
        double sum = f->gains.scalar * y[f->count + i];
        int k = i >= f->count_a;
        if (f->gains.each) sum = f->gains.side[k] * y[f->count + i];
        if (f->gains.order == f->count) {
            sum = 0;
            for (int j = 0; j < f->count; ++j) sum += f->gains.matrix[i * f->count + j] * y[f->count + j];
        }
        slope[f->count + i] = -sum;
    }
    return true;
}

bool flow_gains(flow* f, double c, const double* y)
{
    moving m[2];
    law_state state;
    if (!look_at(f, c, y, m, &state)) return false;
    gain_of_step(f->def, &state, f->s->dt, &f->gains);
    if (f->integrated && !f->memory->psi_known) {
        pair_rows rows;
        pair_rows_of(&m[0], &m[1], f->def->form, &rows);
        memcpy(f->memory->psi, rows.psi, sizeof rows.psi);
        f->memory->psi_known = true;
    }
    return true;
}

/* ---- methods of fixed steps ---------------------------------------------------------------- */

static int dimension(const flow* f)
{
    return f->integrated ? 2 * f->count : f->count;
}

/* By how much z is beyond the border that it moved towards from y, of the range; negative: it is not. */
static double beyond(const flow* f, const double* y, const double* z)
{
    double most = -INFINITY;
    for (int i = 0; i < f->count; ++i) {
        double width = larger(iv_width(f->range[i]), DBL_MIN);
        if (f->closed[i] || z[i] == y[i]) continue;
        most = larger(most, (z[i] > y[i] ? z[i] - f->range[i].hi : f->range[i].lo - z[i]) / width);
    }
    return most;
}

/* From part c of the step on, over the part `span`, all in the mode of its beginning. *over: how far the end is beyond a border. */
static bool advance(flow* f, const rk_table* rk, double c, double span, const double* y, double* end, double* over)
{
    double k[INTEGRATOR_STAGES][FLOW_STATE], h = span * f->s->dt;
    int n = dimension(f), mode = LAW_FREE;
    for (int i = 0; i < rk->stages; ++i) {
        memcpy(end, y, FLOW_STATE * sizeof *end);
        for (int j = 0; j < i; ++j)
            for (int p = 0; p < n; ++p) end[p] += h * rk->a[i][j] * k[j][p];
        law_answer a;
        if (!flow_slope(f, c + rk->c[i] * span, end, mode, k[i], &a)) return false;
        mode = (int)a.held;
        if (a.fell_back) f->s->flags |= WIT_FLAG_FELL_BACK;
        f->s->gain = larger(f->s->gain, a.gain);
    }
    memcpy(end, y, FLOW_STATE * sizeof *end);
    for (int i = 0; i < rk->stages; ++i)
        for (int p = 0; p < n; ++p) end[p] += h * rk->b[i] * k[i][p];
    *over = beyond(f, y, end);
    return true;
}

/* The span after which the slope k, held, would meet the first border. */
static double straight_to_border(const flow* f, const double* y, const double* k)
{
    double first = INFINITY;
    for (int i = 0; i < f->count; ++i) {
        double room = k[i] > 0 ? f->range[i].hi - y[i] : f->range[i].lo - y[i];
        if (!f->closed[i] && k[i] != 0) first = smaller(first, room / (k[i] * f->s->dt));
    }
    return first;
}

/*
 * The span after which the first border is met, to BORDER_NEAR; y is moved there. From the guess of the slope at the beginning
 * upwards until the border is passed, so that the first crossing is found and not a later one; then regula falsi (Illinois).
 */
static double to_border(flow* f, const rk_table* rk, double c, double span, double* y)
{
    double lo = 0, hi = span, at_lo = 0, at_hi = 0, end[FLOW_STATE], best[FLOW_STATE], reached = 0;
    law_answer a;
    if (!flow_slope(f, c, y, LAW_FREE, end, &a)) return span;
    double next = smaller(straight_to_border(f, y, end), span);
    memcpy(best, y, sizeof best);
    for (int k = 0; k < BORDER_TRIES && next > lo; ++k) {
        double value;
        if (!advance(f, rk, c, next, y, end, &value)) break;
        if (value > BORDER_NEAR) {
            at_lo *= at_hi > 0 ? 0.5 : 1;
            hi = next;
            at_hi = value;
        } else {
            memcpy(best, end, sizeof best);
            reached = next;
            if (value >= -BORDER_NEAR) break;
            at_hi *= at_lo < 0 ? 0.5 : 1;
            lo = next;
            at_lo = value;
        }
        bool between = at_hi > 0 && at_lo < 0;
        next = between ? lo + (hi - lo) * at_lo / (at_lo - at_hi) : at_hi > 0 ? 0.5 * (lo + hi) : smaller(hi, 1.5 * lo);
    }
    memcpy(y, best, sizeof best);
    for (int i = 0; i < f->count; ++i) {
        double near = 2 * BORDER_NEAR * iv_width(f->range[i]);
        if (f->closed[i]) continue;
        if (y[i] < f->range[i].lo + near) y[i] = f->range[i].lo;
        if (y[i] > f->range[i].hi - near) y[i] = f->range[i].hi;
    }
    return reached;
}

/* A step that meets a border is taken up to there, and goes on from there with the law of the border: brought back across it
 * instead, it would climb where u and v are oblique. A stage that took the border's law would hold the step short of it. */
static void runge_kutta(flow* f, const rk_table* rk, double* y)
{
    double c = 0, end[FLOW_STATE], over;
    for (int part = 0; part < BORDER_PARTS && c < 1; ++part) {
        if (!advance(f, rk, c, 1 - c, y, end, &over)) return;
        if (over <= 0 || part == BORDER_PARTS - 1) {
            memcpy(y, end, sizeof end);
            return;
        }
        c += to_border(f, rk, c, 1 - c, y);
        if (f->spent) return;
    }
}

/* The last slopes, newest first; too few of them, another step size or another mode, a border: rk4. */
static void adams_bashforth(flow* f, int order, const double* weights, double* y)
{
    flow_memory* m = f->memory;
    double now[FLOW_STATE], h = f->s->dt;
    law_answer a;
    int n = dimension(f);
    f->instant = true;
    bool ok = flow_slope(f, 0, y, LAW_FREE, now, &a);
    f->instant = false;
    if (!ok) return;
    if (a.fell_back) f->s->flags |= WIT_FLAG_FELL_BACK;
    f->s->gain = a.gain;
    if (fabs(m->dt - h) > 1e-9 * h || m->held != a.held || !m->moved) m->past = 0;
    m->dt = h;
    m->held = a.held;
    double end[FLOW_STATE];
    memcpy(end, y, sizeof end);
    for (int j = 0; j < order && m->past + 1 >= order; ++j)
        for (int p = 0; p < n; ++p) end[p] += h * weights[j] * (j ? m->slope[j - 1][p] : now[p]);
    if (m->past + 1 >= order && beyond(f, y, end) <= 0) {
        memcpy(y, end, sizeof end);
    } else {
        runge_kutta(f, integrator_rk(WIT_INTEGRATOR_RK4), y);
        if (f->spent) return;
    }
    memmove(m->slope[1], m->slope[0], sizeof m->slope - sizeof m->slope[0]);
    memcpy(m->slope[0], now, sizeof now);
    if (m->past < INTEGRATOR_PAST && m->moved) m->past++;
}

/* d y' / d y about a solution: -K for the linearizing law, -K W^-1 H for the gradient laws; held ones do not move. */
static void model_slope(const flow* f, const law_state* at, const law_answer* a, double* J)
{
    int n = f->count;
    memset(J, 0, sizeof(double) * WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS);
    if (f->def->law == WIT_LAW_LINEARIZING) {
        for (int i = 0; i < n; ++i)
            if (!(a->held >> i & 1)) J[i * n + i] = -a->gain;
        return;
    }
    free_part p;
    double l[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], column[WIT_MAX_PARAMETERS], least, most;
    free_part_of(at, a->held, &p);
    bool definite = gain_spectrum(at, a->held, &least, &most) > 0 && least > 0;
    if (p.n == 0 || !cholesky_factor(p.n, p.W, l)) return;
    for (int j = 0; j < p.n; ++j) {
        /* where H is not positive definite its model is W: a plain descent */
        for (int i = 0; i < p.n; ++i) column[i] = definite ? p.H[i * p.n + j] : p.W[i * p.n + j];
        cholesky_solve(p.n, l, column, column);
        for (int i = 0; i < p.n; ++i) J[p.index[i] * n + p.index[j]] = -a->gain * column[i];
    }
}

/* y1 = y0 + h ((1 - theta) f0 + theta f(y1)) by Newton's iteration with the model of f'; the best iterate is kept. */
static void implicit(flow* f, double theta, double* y)
{
    double k0[FLOW_STATE] = {0}, k[FLOW_STATE], z[WIT_MAX_PARAMETERS], best[WIT_MAX_PARAMETERS], least = INFINITY;
    double h = f->s->dt, width[WIT_MAX_PARAMETERS];
    law_answer a;
    int n = f->count;
    if (theta < 1 && !flow_slope(f, 0, y, LAW_FREE, k0, &a)) return;
    for (int i = 0; i < n; ++i) best[i] = z[i] = y[i], width[i] = larger(iv_width(f->range[i]), DBL_MIN);
    for (int iteration = 0; iteration < IMPLICIT_MOST; ++iteration) {
        moving m[2];
        law_state state;
        double J[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], r[WIT_MAX_PARAMETERS], worst = 0;
        if (!look_at(f, 1, z, m, &state)) break;
        law_answer_at(f->def, &state, &f->gains, NULL, LAW_FREE, &a);
        memcpy(k, a.speed, sizeof a.speed);
        f->s->gain = a.gain;
        f->s->iterations++;
        model_slope(f, &state, &a, J);
        for (int i = 0; i < n; ++i) {
            r[i] = z[i] - y[i] - h * ((1 - theta) * k0[i] + theta * k[i]);
            if (a.held >> i & 1) r[i] = 0;
            for (int j = 0; j < n; ++j) J[i * n + j] = (i == j ? 1 : 0) - h * theta * J[i * n + j];
        }
        lu factors;
        if (!lu_factor(&factors, n, J)) break;
        lu_solve(&factors, r, r);
        for (int i = 0; i < n; ++i) worst = larger(worst, fabs(r[i]) / width[i]);
        if (worst < least) {
            least = worst;
            memcpy(best, z, sizeof best);
        }
        double part = smaller(1, 0.25 / larger(worst, 0.25));
        for (int i = 0; i < n; ++i) z[i] -= part * r[i];
        flow_clamp(f, z);
        if (worst <= 4 * DBL_EPSILON) break;
    }
    memcpy(y, best, sizeof(double) * (size_t)n);
}

/* ---- the step ------------------------------------------------------------------------------ */

/* By how much the distance may still fall: d - sqrt(d^2 - g.H^-1 g) over the free parameters, against the tolerance. */
static bool is_there(const flow* f, const law_state* at, unsigned held)
{
    free_part p;
    double l[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], x[WIT_MAX_PARAMETERS], fall = 0;
    double d = norm3(sub3(at->side[0]->p, at->side[1]->p));
    free_part_of(at, held, &p);
    if (p.n > 0) {
        if (!cholesky_factor(p.n, p.H, l)) return false;
        cholesky_solve(p.n, l, p.g, x);
        for (int i = 0; i < p.n; ++i) fall += x[i] * p.g[i];
    }
    double rest = fall / (d + sqrt(larger(0, d * d - fall)) + DBL_MIN);
    return rest <= f->def->tolerance * step_scale(f->s, d);
}

void flow_look(flow* f)
{
    step* s = f->s;
    law_state state;
    law_answer a;
    step_look(s);
    law_state_of(&s->now, s->t->at, s->at, &state);
    gain_set gains = f->gains;
    gains.order = gains.order == state.count ? gains.order : 0;
    law_answer_at(f->def, &state, &gains, NULL, LAW_FREE, &a);
    s->held = a.held;
    s->ended = f->spent ? WIT_ENDED_BUDGET : is_there(f, &state, a.held) ? WIT_ENDED_CONVERGED : WIT_ENDED_OPEN;
}

/* The integrated Psi beside the computed one: their difference, of the lengths that Psi is made of. */
static void compare_psi(flow* f, const double* y)
{
    step* s = f->s;
    const moving *a = &s->at[0], *b = &s->at[1];
    pair_rows rows;
    pair_rows_of(a, b, f->def->form, &rows);
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

static void integrate(flow* f, double* y)
{
    wit_integrator method = integrator_of(f->def);
    const rk_table* rk = integrator_rk(method);
    const double* weights;
    double theta = integrator_theta(method);
    int order = integrator_ab(method, &weights);
    if (method == WIT_INTEGRATOR_DOPRI5)
        hybrid_step(f, y);
    else if (order)
        adams_bashforth(f, order, weights, y);
    else if (theta > 0)
        implicit(f, theta, y);
    else
        runge_kutta(f, rk, y);
    flow_clamp(f, y);
}

void flow_step(step* s)
{
    flow f;
    double y[FLOW_STATE] = {0};
    flow_begin(s, &f);
    read_state(&f, y);
    s->iterations = 1;
    if (flow_gains(&f, 0, y)) {
        if (f.integrated)
            for (int i = 0; i < f.count; ++i) y[f.count + i] = f.memory->psi[i];
        integrate(&f, y);
    }
    flow_store(&f, y);
    flow_look(&f);
    if (f.integrated) compare_psi(&f, y);
    for (int k = 0; k < 2; ++k) f.memory->twist[k] = s->motion[k].twist;
    f.memory->moved = true;
    if (f.def->switching == WIT_SWITCHING_NONE) return;
    if (f.def->switching == WIT_SWITCHING_VORONOI) {
        if (region_switch(s)) flow_load(&f), flow_look(&f);
    } else {
        while (step_left(s) >= FLOW_LOOK && follow_hand_over(s)) flow_load(&f), flow_look(&f);
    }
    double distance;
    pair_normal(&s->at[0], &s->at[1], WIT_FORM_CONTACT, &distance);
    if (step_left(s) >= FLOW_LOOK && candidate_jump(s, distance)) flow_load(&f), flow_look(&f);
}
