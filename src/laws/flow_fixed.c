/* SPDX-License-Identifier: MIT */
/* The methods that take one step over a frame: Runge-Kutta up to borders and on along them, Adams-Bashforth, the
 * implicit ones. */
#include <string.h>

#include "../base/interval.h"
#include "../base/solve.h"
#include "flow.h"

enum { IMPLICIT_MOST = 24, BORDER_PARTS = 6, BORDER_PIECES = 16, BORDER_FALSI = 24, BORDER_TRIES = 64 };
#define BORDER_NEAR 1e-13 /* of the range: a border is met */

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

/* An integrator of the user's under way. */
typedef struct own_way {
    flow* f;
    double c, span;
    const double* start;
    double first[FLOW_STATE]; /* slope at the start */
    int mode;
    bool spent;
} own_way;

static bool own_slope(const wit_step_view* view, double c, const double* y, double* slope)
{
    own_way* way = view->system;
    double at[FLOW_STATE] = {0}, k[FLOW_STATE];
    law_answer a;
    memcpy(at, y, sizeof(double) * (size_t)view->count);
    if (c == 0 && !memcmp(y, way->start, sizeof(double) * (size_t)view->count)) {
        memcpy(slope, way->first, sizeof(double) * (size_t)view->count);
        return true;
    }
    bool finite = c >= 0 && c <= 1;
    for (int i = 0; i < view->count; ++i) finite = finite && isfinite(at[i]);
    if (!finite) return false;
    way->spent = !wi_flow_slope(way->f, way->c + c * way->span, at, way->mode, k, &a);
    if (way->spent) return false;
    if (a.fell_back) way->f->s->flags |= WIT_FLAG_FELL_BACK;
    memcpy(slope, k, sizeof(double) * (size_t)view->count);
    return true;
}

static bool advance(flow* f, const rk_table* rk, double c, double span, const double* y, double* end, double* over);

/* As `advance`, by the function of the def. */
static bool advance_own(flow* f, double c, double span, const double* y, double* end, double* over)
{
    own_way way = {f, c, span, y, {0}, LAW_FREE, false};
    wit_step_view view = {dimension(f), span * f->s->dt, own_slope, &way};
    law_answer a;
    if (!wi_flow_slope(f, c, y, LAW_FREE, way.first, &a)) return false;
    way.mode = (int)a.held;
    if (a.fell_back) f->s->flags |= WIT_FLAG_FELL_BACK;
    f->s->gain = larger(f->s->gain, a.gain);
    memcpy(end, y, FLOW_STATE * sizeof *end);
    bool good = f->law->advance(&view, end, f->law->advance_user);
    for (int i = 0; i < view.count; ++i) good = good && isfinite(end[i]);
    if (way.spent) return false;
    if (!good) {
        f->s->flags |= WIT_FLAG_FELL_BACK;
        return advance(f, wi_integrator_rk(WIT_INTEGRATOR_RK2), c, span, y, end, over);
    }
    *over = beyond(f, y, end);
    return true;
}

/* From part c of the step on, over the part `span`, all in the mode of its beginning; rk null: by the function of the def.
 * *over: how far the end is beyond a border. */
static bool advance(flow* f, const rk_table* rk, double c, double span, const double* y, double* end, double* over)
{
    if (!rk) return advance_own(f, c, span, y, end, over);
    double k[INTEGRATOR_STAGES][FLOW_STATE], h = span * f->s->dt;
    int n = dimension(f), mode = LAW_FREE;
    for (int i = 0; i < rk->stages; ++i) {
        memcpy(end, y, FLOW_STATE * sizeof *end);
        for (int j = 0; j < i; ++j)
            for (int p = 0; p < n; ++p) end[p] += h * rk->a[i][j] * k[j][p];
        law_answer a;
        if (!wi_flow_slope(f, c + rk->c[i] * span, end, mode, k[i], &a)) return false;
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

/*
 * The span after which the first border is met, to BORDER_NEAR; y is moved there. In sixteenths of the span until the border is
 * passed, so that the first crossing is found and not a later one: near a singular M a longer step need not end farther.
 * Then regula falsi (Illinois), and halving where that does not end: at a span from which on the stages lie beyond a singular M
 * the end jumps across the border.
 */
static double to_border(flow* f, const rk_table* rk, double c, double span, double* y)
{
    double lo = 0, hi = span, at_lo = 0, at_hi = 0, end[FLOW_STATE], best[FLOW_STATE], reached = 0;
    memcpy(best, y, sizeof best);
    double next = span / BORDER_PIECES;
    for (int k = 1; k < BORDER_PIECES + BORDER_TRIES && next > lo; ++k) {
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
        bool between = at_hi > 0 && at_lo < 0 && k < BORDER_PIECES + BORDER_FALSI;
        next = between     ? lo + (hi - lo) * at_lo / (at_lo - at_hi)
               : at_hi > 0 ? 0.5 * (lo + hi)
                           : smaller(hi, span * (k + 1) / BORDER_PIECES);
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

/* A step that meets a border is taken up to there, and goes on from there with the law of the border: brought back
 * across it instead, it would climb where u and v are oblique. A stage that took the border's law would hold the
 * step short of it. */
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
    bool ok = wi_flow_slope(f, 0, y, LAW_FREE, now, &a);
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
        runge_kutta(f, wi_integrator_rk(WIT_INTEGRATOR_RK4), y);
        if (f->spent) return;
    }
    memmove(m->slope[1], m->slope[0], sizeof m->slope - sizeof m->slope[0]);
    memcpy(m->slope[0], now, sizeof now);
    if (m->past < INTEGRATOR_PAST && m->moved) m->past++;
}

/* d y' / d y about a solution: -K for the linearizing law and for one of the user's, -K W^-1 H for the gradient
 * laws; held ones do not move. */
static void model_slope(const flow* f, const law_state* at, const law_answer* a, double* J)
{
    int n = f->count;
    memset(J, 0, sizeof(double) * WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS);
    if (f->law->kind == WIT_LAW_LINEARIZING || f->law->kind == WIT_LAW_OWN) {
        for (int i = 0; i < n; ++i)
            if (!(a->held >> i & 1)) J[i * n + i] = -a->gain;
        return;
    }
    free_part p;
    double l[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], column[WIT_MAX_PARAMETERS], least, most;
    wi_free_part_of(at, a->held, &p);
    bool definite = wi_gain_spectrum(at, a->held, &least, &most) > 0 && least > 0;
    if (p.n == 0 || !wi_cholesky_factor(p.n, p.W, l)) return;
    for (int j = 0; j < p.n; ++j) {
        /* where H is not positive definite its model is W: a plain descent */
        for (int i = 0; i < p.n; ++i) column[i] = definite ? p.H[i * p.n + j] : p.W[i * p.n + j];
        wi_cholesky_solve(p.n, l, column, column);
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
    if (theta < 1 && !wi_flow_slope(f, 0, y, LAW_FREE, k0, &a)) return;
    for (int i = 0; i < n; ++i) best[i] = z[i] = y[i], width[i] = larger(iv_width(f->range[i]), DBL_MIN);
    for (int iteration = 0; iteration < IMPLICIT_MOST; ++iteration) {
        moving m[2];
        law_state state;
        double J[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], r[WIT_MAX_PARAMETERS], worst = 0;
        if (!wi_flow_see(f, 1, z, m, &state)) break;
        wi_law_answer_at(f->law, &state, &f->gains, NULL, LAW_FREE, &a);
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
        if (!wi_lu_factor(&factors, n, J)) break;
        wi_lu_solve(&factors, r, r);
        for (int i = 0; i < n; ++i) worst = larger(worst, fabs(r[i]) / width[i]);
        if (worst < least) {
            least = worst;
            memcpy(best, z, sizeof best);
        }
        double part = smaller(1, 0.25 / larger(worst, 0.25));
        for (int i = 0; i < n; ++i) z[i] -= part * r[i];
        wi_flow_clamp(f, z);
        if (worst <= 4 * DBL_EPSILON) break;
    }
    memcpy(y, best, sizeof(double) * (size_t)n);
}

void wi_flow_integrate(flow* f, double* y)
{
    wit_integrator method = integrator_of(f->law);
    const rk_table* rk = wi_integrator_rk(method);
    const double* weights;
    double theta = wi_integrator_theta(method);
    int order = wi_integrator_ab(method, &weights);
    if (method == WIT_INTEGRATOR_DOPRI5)
        wi_hybrid_step(f, y);
    else if (order)
        adams_bashforth(f, order, weights, y);
    else if (theta > 0)
        implicit(f, theta, y);
    else
        runge_kutta(f, rk, y); /* rk null: one of the user's */
    wi_flow_clamp(f, y);
}
