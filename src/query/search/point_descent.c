/* SPDX-License-Identifier: MIT */
/* Upper bounds: places that are tried, descents, and the polish of the last of them. */
#include <string.h>

#include "../../base/solve.h"
#include "point_local.h"

/* ---- upper bounds -------------------------------------------------------------------------- */

/*
 * Among places nearer together than a loose tolerance the nearest is found as well while that is cheap: up to EAGER nodes
 * the tolerance is at most EAGER_TOLERANCE. A quarter of the rounding floor is set aside for the end.
 */
enum { EAGER = 2048 };
#define EAGER_TOLERANCE 1e-10
#define BENT 1e-4 /* far above what wi_closest_set takes for flat */

void wi_point_keep(point_run* s)
{
    const search_task* t = s->task;
    double distance = sqrt(s->best.square), width = task_tolerance(t, distance);
    if (s->eager && t->tolerance > EAGER_TOLERANCE) width = larger(t->floor, width * (EAGER_TOLERANCE / t->tolerance));
    double keep = distance < INFINITY ? distance - (width - 0.25 * t->floor) : INFINITY;
    s->keep = keep > 0 ? square_of(smaller(keep, t->within + 0.5 * t->floor)) : 0;
}

void wi_point_relax(point_run* s)
{
    if (!s->eager || s->work->nodes < EAGER) return;
    s->eager = false;
    wi_point_keep(s);
}

bool wi_point_offer(point_run* s, wit_feature_kind kind, int id, double u, double v, double square)
{
    if (!(square < s->best.square)) return false;
    if (kind == WIT_FACE && !wi_side_contains(&s->task->a, kind, id, u, v)) return false;
    s->best = (point_best){square, kind, id, u, v};
    wi_point_keep(s);
    return true;
}

/*
 * Where H is not definite: in lengths, h = [a b; b c] with eigenvectors v_k, the step -sum (g.v_k) / max(|lambda_k|, least)
 * v_k leaves saddles and goes along valleys.
 */
static void valley_step(const local* l, const double metric[3], double d[2])
{
    double su = metric[0] > 0 ? 1 / sqrt(metric[0]) : 0, sv = metric[2] > 0 ? 1 / sqrt(metric[2]) : 0;
    double a = l->h[0] * su * su, b = l->h[1] * su * sv, c = l->h[2] * sv * sv;
    double half = 0.5 * (a - c), root = sqrt(half * half + b * b), mean = 0.5 * (a + c);
    /* the eigenvector of the larger value, from the row that does not cancel */
    double x = half >= 0 ? half + root : b, y = half >= 0 ? b : root - half, n = sqrt(x * x + y * y);
    if (n > 0)
        x /= n, y /= n;
    else
        x = 1, y = 0;
    double g = l->g[0] * su, h = l->g[1] * sv, high = fabs(mean + root), low = fabs(mean - root);
    double least = larger(1e-4 * larger(high, low), DBL_MIN);
    double along = -(g * x + h * y) / larger(high, least), across = -(h * x - g * y) / larger(low, least);
    d[0] = su * (along * x - across * y);
    d[1] = sv * (along * y + across * x);
}

double wi_point_step(const local* l, const double metric[3], const double x[2], const double lo[2], const double hi[2],
                     double d[2])
{
    const double *g = l->g, *h = l->h;
    bool held[2];
    for (int i = 0; i < 2; ++i) held[i] = (x[i] <= lo[i] && g[i] >= 0) || (x[i] >= hi[i] && g[i] <= 0);
    d[0] = d[1] = 0;
    if (!held[0] && !held[1]) {
        double det = h[0] * h[2] - h[1] * h[1];
        if (h[0] > 0 && h[2] > 0 && det > 1e-6 * h[0] * h[2]) {
            d[0] = (h[1] * g[1] - h[2] * g[0]) / det;
            d[1] = (h[1] * g[0] - h[0] * g[1]) / det;
        } else {
            valley_step(l, metric, d);
        }
    } else {
        for (int i = 0; i < 2; ++i) {
            double bend = larger(fabs(h[2 * i]), 1e-4 * metric[2 * i]);
            if (!held[i] && bend > 0) d[i] = -g[i] / bend;
        }
    }
    /* cut at the bounds; what one parameter can't do the other is solved for again */
    for (int i = 0; i < 2; ++i) {
        double to = x[i] + d[i];
        if (to >= lo[i] && to <= hi[i]) continue;
        d[i] = (to < lo[i] ? lo[i] : hi[i]) - x[i];
        int k = 1 - i;
        if (held[k] || !(h[2 * k] > 0)) continue;
        double again = x[k] - (g[k] + h[1] * d[i]) / h[2 * k];
        again = again < lo[k] ? lo[k] : again > hi[k] ? hi[k] : again;
        d[k] = again - x[k];
    }
    return -(g[0] * d[0] + g[1] * d[1]);
}

/* Where the parameters of a feature may run: a closed one anywhere. */
static void feature_bounds(const point_run* s, wit_feature_kind kind, int id, wit_interval range[2], bool closed[2],
                           double lo[2], double hi[2])
{
    wi_side_range(&s->task->a, kind, id, range, closed);
    for (int i = 0; i < 2; ++i) {
        lo[i] = closed[i] ? -INFINITY : range[i].lo;
        hi[i] = closed[i] ? INFINITY : range[i].hi;
    }
}

static double wrapped(double x, wit_interval range)
{
    double period = iv_width(range);
    if (x >= range.lo && x <= range.hi) return x;
    x -= period * floor((x - range.lo) / period);
    return x < range.lo ? range.lo : x > range.hi ? range.hi : x;
}

void wi_point_descend(point_run* s, wit_feature_kind kind, int id, double u, double v, double gain)
{
    enum { STEPS = 24, HALVINGS = 8 };
    wit_interval range[2];
    bool closed[2];
    double lo[2], hi[2], x[2] = {u, v}, from[2] = {u, v}, f = INFINITY;
    int halvings = 0;
    feature_bounds(s, kind, id, range, closed, lo, hi);
    work_solves(s->work, 1);
    for (int k = 0; k < STEPS && !run_spent(s, 1); ++k) {
        wit_surface_jet j;
        local l;
        plain_jet(s, kind, id, x, WIT_KNOT_DEFAULT, &j);
        localize(s, kind, &j, &l);
        if (!(l.f < f)) { /* no gain: back half way */
            if (++halvings > HALVINGS || gain == 0) break;
            for (int i = 0; i < 2; ++i) x[i] = 0.5 * (x[i] + from[i]);
            continue;
        }
        f = l.f;
        from[0] = x[0], from[1] = x[1];
        double metric[3], d[2];
        metric_of(kind, &j, metric);
        double twice = wi_point_step(&l, metric, x, lo, hi, d);
        if (!(twice > 0) || twice * twice <= gain * gain * 8 * f) break; /* twice / 2 <= gain * distance */
        x[0] += d[0], x[1] += d[1];
    }
    for (int i = 0; i < 2; ++i)
        if (closed[i]) from[i] = wrapped(from[i], range[i]);
    wi_point_offer(s, kind, id, from[0], from[1], 2 * f);
}

/* ---- the end ------------------------------------------------------------------------------- */

/* What is known at a settled place. */
typedef struct settled {
    local l;
    double metric[3];
    double lo[2], hi[2];
    wit_interval range[2];
} settled;

/* Newton's steps while they shrink: F alone, flat at its minimum, would leave half of the digits of the place. */
static void descend(point_run* s, settled* at)
{
    enum { STEPS = 12 };
    const point_best b = s->best;
    bool closed[2];
    double x[2] = {b.u, b.v}, length = INFINITY;
    feature_bounds(s, b.kind, b.id, at->range, closed, at->lo, at->hi);
    for (int k = 0; k < STEPS && !(k && run_spent(s, 1)); ++k) {
        wit_surface_jet j;
        local l;
        double metric[3], d[2];
        plain_jet(s, b.kind, b.id, x, WIT_KNOT_DEFAULT, &j);
        localize(s, b.kind, &j, &l);
        if (k > 0 && 2 * l.f > b.square * (1 + 64 * DBL_EPSILON) + square_of(s->task->floor)) break;
        double to[2];
        for (int i = 0; i < 2; ++i) to[i] = closed[i] ? wrapped(x[i], at->range[i]) : x[i];
        if (k > 0 && !wi_side_contains(&s->task->a, b.kind, b.id, to[0], to[1])) break;
        metric_of(b.kind, &j, metric);
        s->best = (point_best){2 * l.f, b.kind, b.id, to[0], to[1]};
        at->l = l;
        memcpy(at->metric, metric, sizeof metric);
        wi_point_step(&l, metric, x, at->lo, at->hi, d);
        double next = fabs(d[0]) * sqrt(metric[0]) + fabs(d[1]) * sqrt(metric[2]);
        if (!(next < 0.5 * length) || next <= 0.125 * s->task->floor) break;
        length = next;
        x[0] += d[0], x[1] += d[1];
    }
}

/* From a pole, where parameter i turns about it: eight ways out. */
static void leave_pole(point_run* s, const settled* at, int i, double step, double gain)
{
    const point_best b = s->best;
    const int k = 1 - i;
    double off = step / sqrt(at->metric[2 * k]), inner = k == 0 ? b.u : b.v;
    inner += inner - at->range[k].lo > at->range[k].hi - inner ? -off : off;
    for (int n = 0; n < 8 && !run_spent(s, 1); ++n) {
        double around = at->range[i].lo + iv_width(at->range[i]) * n / 8;
        wi_point_descend(s, b.kind, b.id, i == 0 ? around : inner, i == 0 ? inner : around, gain);
    }
}

/* Downhill from a place that is no minimum, along the direction in which F bends down most, in lengths. */
static void leave_saddle(point_run* s, const settled* at, double step, double gain)
{
    const point_best b = s->best;
    const double x[2] = {b.u, b.v}, *h = at->l.h, a = sqrt(at->metric[0]), c = sqrt(at->metric[2]);
    for (int i = 0; i < 2; ++i)
        if (x[i] <= at->lo[i] || x[i] >= at->hi[i]) return;
    double H[4] = {h[0] / (a * a), h[1] / (a * c), h[1] / (a * c), h[2] / (c * c)}, values[2], vectors[4];
    if (!wi_eigen_symmetric(2, H, values, vectors) || values[0] >= -1e-9) return;
    for (int sign = -1; sign <= 1; sign += 2) {
        double u = b.u + sign * step * vectors[0] / a, v = b.v + sign * step * vectors[1] / c;
        u = smaller(larger(u, at->lo[0]), at->hi[0]), v = smaller(larger(v, at->lo[1]), at->hi[1]);
        wi_point_descend(s, b.kind, b.id, u, v, gain);
    }
}

/* The Hessian less BENT times the metric is definite. */
static bool bends_up(const settled* at)
{
    const double *h = at->l.h, *m = at->metric;
    double a = h[0] - BENT * m[0], b = h[1] - BENT * m[1], c = h[2] - BENT * m[2];
    return a > 0 && c > 0 && a * c > b * b;
}

bool wi_point_polish(point_run* s)
{
    enum { ROUNDS = 4 };
    double gain = 1e-3 * task_tolerance(s->task, sqrt(s->best.square)), step = 1e-3 * s->body->size;
    for (int round = 0; round < ROUNDS; ++round) {
        if ((s->best.kind != WIT_FACE && s->best.kind != WIT_EDGE) || run_spent(s, 1)) return false;
        settled at;
        descend(s, &at);
        const double *h = at.l.h, before = s->best.square;
        if (s->best.kind != WIT_FACE) return false;
        if (h[0] > 0 && h[2] > 0 && h[0] * h[2] > h[1] * h[1]) return bends_up(&at);
        const wit_surface* surface = body_surface(s->body, s->best.id);
        bool pole_u = at.metric[0] <= 1e-12 * square_of(surface->speed_u);
        bool pole_v = at.metric[2] <= 1e-12 * square_of(surface->speed_v);
        if (pole_u != pole_v)
            leave_pole(s, &at, pole_u ? 0 : 1, step, gain);
        else if (!pole_u)
            leave_saddle(s, &at, step, gain);
        if (!(s->best.square < before)) return false;
    }
    return false;
}
