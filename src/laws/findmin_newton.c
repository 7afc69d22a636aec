/* SPDX-License-Identifier: MIT */
/*
 * Newton's method on F = |f - g|^2 / 2 over the parameters of a pair of features, in arc length: y_i = |f_i| x_i.
 * Open parameters stay in their range; one that stands at its end with F falling outwards is held.
 *
 * With the Hessian H = sum of l_k v_k v_k^T the step is - sum of (v_k . g) / l_k v_k; with the joint Hessian in
 * charge / |l_k|, so that it goes down, and it is shortened until F falls. Directions of l_k = 0 to rounding are
 * left alone once nothing is to be gained along them: the closest set is a curve there, and the point stays where it
 * is on it.
 */
#include <string.h>

#include "../base/solve.h"
#include "../pair/refine.h"
#include "findmin.h"
#include "../pair/pole.h"

#define FLAT 1e-9   /* eigenvalues in arc length, usually about 1, below which a direction is level */
#define LITTLE 1e-3 /* the least divisor: what Levenberg's shift brings a level direction to */

findmin_places wi_findmin_places_of(const findmin* f, int32_t pair)
{
    findmin_places p;
    memset(&p, 0, sizeof p);
    const int index[2] = {pair / f->table->count[1], pair % f->table->count[1]};
    for (int which = 0; which < 2; ++which) {
        const findmin_feature* x = &f->feature[which][index[which]];
        place* at = &p.at[which];
        at->kind = (wit_feature_kind)x->kind;
        at->id = x->id;
        wit_interval range[2];
        bool closed[2];
        pair_motion_range(&f->s->now, which, at, range, closed);
        for (int k = 0; k < place_count(at); ++k, ++p.n) {
            p.range[p.n] = range[k];
            p.period[p.n] = closed[k] ? iv_width(range[k]) : 0;
            p.lo[p.n] = closed[k] ? -INFINITY : range[k].lo;
            p.hi[p.n] = closed[k] ? INFINITY : range[k].hi;
        }
        if (which == 0) p.na = p.n;
    }
    return p;
}

/* What a Newton run looks at. */
typedef struct look {
    double x[SOLVE_MAX];
    moving m[2];     /* by the parameters */
    moving chart[2]; /* beside a pole by lengths in the tangent plane */
    bool polar[2];
    double distance, rounding;
    double way;                                                  /* of the step that led here; infinite: none did */
    double w[SOLVE_MAX], g[SOLVE_MAX], H[SOLVE_MAX * SOLVE_MAX]; /* arc length */
    unsigned held;
    bool sharp;
    int free[SOLVE_MAX], count; /* parameters that may move */
    double slope;               /* largest of these in size: a length */
} look;

static double size_of(wit_vec3 p)
{
    return fabs(p.x) + fabs(p.y) + fabs(p.z);
}

/* How far a pole is at least, if there is one: around it a parameter goes a full circle. Where steps are shorter
 * than that, parameters are the better coordinates, as Newton's steps in the tangent plane are brought back with an
 * error of first order where the pole is not round. */
static double pole_radius(const findmin_places* p, const look* l, int which)
{
    const wit_interval* range = p->range + (which ? p->na : 0);
    const moving* m = &l->m[which];
    return fmin(norm3(m->d[0]) * iv_width(range[0]), norm3(m->d[1]) * iv_width(range[1])) / TWO_PI;
}

static void look_at(findmin* f, findmin_places* p, look* l)
{
    for (int which = 0; which < 2; ++which) {
        place* at = &p->at[which];
        int first = which ? p->na : 0, count = place_count(at);
        unsigned below = 0;
        for (int k = 0; k < count; ++k) {
            at->x[k] = l->x[first + k];
            if (l->x[first + k] >= p->hi[first + k]) below |= k ? WIT_KNOT_V_BELOW : WIT_KNOT_U_BELOW;
        }
        wi_pair_motion_at_side(&f->s->now, which, at, below, &p->hint[which], &l->m[which]);
        l->chart[which] = l->m[which];
        l->polar[which] = count == 2 && !(l->way < 0.25 * pole_radius(p, l, which)) &&
                          wi_pole_near(&f->s->now, which, at) && wi_pole_chart(&f->s->now, which, at, &l->chart[which]);
    }
    l->distance = norm3(sub3(l->m[0].p, l->m[1].p));
    l->rounding = 4 * DBL_EPSILON * (size_of(l->m[0].p) + size_of(l->m[1].p));
}

/* Gradient and Hessian in arc length, and what is free to move. */
static void measure(const findmin_places* p, look* l)
{
    int n = wi_condition_hessian(&l->chart[0], &l->chart[1], l->g, l->H);
    double most = 0;
    for (int i = 0; i < n; ++i) {
        const moving* m = &l->chart[i >= p->na];
        l->w[i] = norm3(m->d[i < p->na ? i : i - p->na]);
        most = fmax(most, l->w[i]);
    }
    l->held = 0;
    l->sharp = false;
    l->count = 0;
    l->slope = 0;
    for (int i = 0; i < n; ++i) {
        bool polar = l->polar[i >= p->na];
        if (!(l->w[i] > 1e-9 * most)) { /* an apex: the parameter moves nothing */
            l->sharp = true;
            continue;
        }
        l->g[i] /= l->w[i];
        bool out = (l->x[i] <= p->lo[i] && l->g[i] > 0) || (l->x[i] >= p->hi[i] && l->g[i] < 0);
        if (!polar && out) continue;
        l->free[l->count++] = i;
        l->slope = fmax(l->slope, fabs(l->g[i]));
    }
    for (int i = 0; i < n; ++i)
        if (!l->polar[i >= p->na] && (l->x[i] <= p->lo[i] || l->x[i] >= p->hi[i])) l->held |= 1u << i;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) l->H[i * n + k] /= (l->w[i] > 0 ? l->w[i] : 1) * (l->w[k] > 0 ? l->w[k] : 1);
}

/* Eigenvalues, ascending, and vectors (rows) over the free parameters. */
static bool spectrum(const findmin_places* p, const look* l, double* values, double* vectors)
{
    double H[SOLVE_MAX * SOLVE_MAX];
    for (int i = 0; i < l->count; ++i)
        for (int k = 0; k < l->count; ++k) H[i * l->count + k] = l->H[l->free[i] * p->n + l->free[k]];
    return l->count > 0 && wi_eigen_symmetric(l->count, H, values, vectors);
}

/* The step in arc length; returns its length. */
static double newton_step_of(const findmin_places* p, const look* l, bool down, double lean, double* y)
{
    double values[SOLVE_MAX], vectors[SOLVE_MAX * SOLVE_MAX], length = 0;
    for (int i = 0; i < p->n; ++i) y[i] = 0;
    if (!spectrum(p, l, values, vectors)) return 0;
    double most = fmax(1, fmax(fabs(values[0]), fabs(values[l->count - 1])));
    for (int k = 0; k < l->count; ++k) {
        double along = 0, value = values[k];
        for (int i = 0; i < l->count; ++i) along += vectors[k * l->count + i] * l->g[l->free[i]];
        if (fabs(value) <= FLAT * most) {
            if (fabs(along) <= 16 * lean) continue;
            value = LITTLE * most;
        }
        if (down) value = fmax(fabs(value), FLAT * most);
        for (int i = 0; i < l->count; ++i) y[l->free[i]] -= along / value * vectors[k * l->count + i];
    }
    for (int i = 0; i < p->n; ++i) length += y[i] * y[i];
    return sqrt(length);
}

/* x + factor y, held in the ranges. Returns the largest way in arc length. */
static double move_by(findmin* f, findmin_places* p, const look* l, const double* y, double factor, look* next)
{
    double way = 0;
    for (int which = 0; which < 2; ++which) {
        int first = which ? p->na : 0, count = place_count(&p->at[which]);
        if (l->polar[which]) {
            double z[2] = {factor * y[first], factor * y[first + 1]};
            place at = p->at[which];
            for (int k = 0; k < 2; ++k) at.x[k] = l->x[first + k];
            wi_pole_move(&f->s->now, which, &l->chart[which], z, &at);
            for (int k = 0; k < 2; ++k) next->x[first + k] = at.x[k];
            way = fmax(way, fmax(fabs(z[0]), fabs(z[1])));
            continue;
        }
        for (int i = first; i < first + count; ++i) {
            double d = l->w[i] > 0 ? factor * y[i] / l->w[i] : 0;
            next->x[i] = fmin(p->hi[i], fmax(p->lo[i], l->x[i] + d));
            way = fmax(way, fabs(next->x[i] - l->x[i]) * l->w[i]);
        }
    }
    return way;
}

/* The longest step in one iteration: a quarter of the range of each parameter, in arc length at this speed. */
static double longest(const findmin_places* p, const look* l, const double* y)
{
    double factor = 1;
    for (int i = 0; i < p->n; ++i) {
        if (l->polar[i >= p->na] || !(l->w[i] > 0)) continue;
        double d = fabs(y[i]) / l->w[i], most = 0.25 * iv_width(p->range[i]);
        if (d * factor > most) factor = most / d;
    }
    return factor;
}

static void back_into_range(const findmin_places* p, double* x)
{
    for (int i = 0; i < p->n; ++i) {
        if (p->period[i] > 0 && (x[i] < p->range[i].lo || x[i] >= p->range[i].hi)) {
            x[i] -= floor((x[i] - p->range[i].lo) / p->period[i]) * p->period[i];
            x[i] = fmin(p->range[i].hi, fmax(p->range[i].lo, x[i]));
        }
    }
}

static bool within_loops(findmin* f, const findmin_places* p, const double* x)
{
    for (int which = 0; which < 2; ++which) {
        const place* at = &p->at[which];
        if (at->kind != WIT_FACE) continue;
        const double* xs = x + (which ? p->na : 0);
        const side* s = &f->s->now.side[which];
        if (!wi_side_contains(s, at->kind, at->id, xs[0], xs[1])) return false;
    }
    return true;
}

/* The published test, 002 (4) for a curve and (5) for a surface: the block of each feature alone is positive
 * definite. Necessary, but a saddle of both together may pass it. */
static bool blocks_are_positive(const findmin_places* p, const look* l)
{
    for (int which = 0; which < 2; ++which) {
        int first = which ? p->na : 0, count = which ? p->n - p->na : p->na;
        const double* H = l->H + first * p->n + first;
        if (count > 0 && !(H[0] > 0)) return false;
        if (count > 1 && !(H[0] * H[p->n + 1] - H[1] * H[p->n] > 0)) return false;
    }
    return true;
}

static void judge(findmin* f, const findmin_places* p, const look* l, findmin_place* out)
{
    double values[SOLVE_MAX], vectors[SOLVE_MAX * SOLVE_MAX];
    out->minimum = true;
    if (!spectrum(p, l, values, vectors)) return;
    double most = fmax(1, fmax(fabs(values[0]), fabs(values[l->count - 1])));
    out->value = values[0] / most;
    for (int i = 0; i < l->count; ++i)
        out->way[l->free[i]] = l->polar[l->free[i] >= p->na] ? 0 : vectors[i] / l->w[l->free[i]];
    bool joint = out->value >= -FLAT;
    out->minimum = f->def->joint_hessian ? joint : blocks_are_positive(p, l);
}

/* Near touch Newton's steps fall short: the solver of the queries knows how to go on in contact form. */
static void polish(findmin* f, findmin_places* p, look* l)
{
    enum { STEPS = 20, WORK = 600 };
    if (findmin_left(f) < WORK) return;
    place at[2];
    for (int which = 0; which < 2; ++which) {
        const double* x = l->x + (which ? p->na : 0);
        int count = place_count(&p->at[which]);
        at[which] =
            place_at(p->at[which].kind, p->at[which].id, count > 0 ? x[0] : 0, count > 1 ? x[1] : 0, l->m[which].p);
    }
    const side* s = f->s->now.side;
    refine_bounds bounds = wi_refine_bounds_of(&s[0], &at[0], &s[1], &at[1]);
    refined r;
    wi_refine_pair(&s[0], &at[0], &s[1], &at[1], &bounds, (refine_effort){STEPS, 0}, &r);
    if (!(r.distance < l->distance)) return;
    memcpy(l->x, r.x, sizeof l->x);
    look_at(f, p, l);
    measure(p, l);
}

/* Slopes below count as none. At touch they are the distance. */
static double level_slope(const findmin* f, const look* l)
{
    return fmax(fmin(f->lean, 1e-6 * l->distance), l->rounding);
}

enum { LOOK = 16 }; /* units of one look, one move and the tests at the end, at most */

/* Steps until the slopes vanish or the iterations are used up. False: the budget is. */
static bool iterate(findmin* f, findmin_places* p, look* l, int* iterations, bool* converged)
{
    bool down = f->def->joint_hessian;
    double y[SOLVE_MAX], factor = 1;
    look next;
    *converged = l->slope <= level_slope(f, l);
    while (!*converged && *iterations < f->def->iterations) {
        if (findmin_left(f) < LOOK) return false;
        if (factor == 1) {
            newton_step_of(p, l, down, level_slope(f, l), y);
            factor = longest(p, l, y);
        }
        next = *l;
        next.way = move_by(f, p, l, y, factor, &next);
        look_at(f, p, &next);
        ++*iterations;
        if (down && next.distance > l->distance + l->rounding && next.way > l->rounding) {
            factor *= 0.25;
            continue;
        }
        *l = next;
        measure(p, l);
        factor = 1;
        *converged = l->slope <= level_slope(f, l) || l->way <= l->rounding;
    }
    return true;
}

/* The slope of F from an apex along the line that u chooses, and how it turns with u. */
static double apex_slope(findmin* f, findmin_places* p, look* l, int across, double* turn)
{
    int which = across >= p->na;
    look_at(f, p, l);
    wit_vec3 gap = scale3(which ? -1 : 1, sub3(l->m[0].p, l->m[1].p));
    const moving* m = &l->m[which];
    double inward = l->x[across] <= p->lo[across] ? 1 : -1, speed = norm3(m->d[across - (which ? p->na : 0)]);
    if (!(speed > 0)) speed = 1;
    *turn = inward * dot3(gap, m->dd[1]) / speed;
    return inward * dot3(gap, m->d[across - (which ? p->na : 0)]) / speed;
}

/*
 * At an apex v = 0 the parameter u moves nothing, but it chooses the line on which to leave. Secant steps to the one
 * that falls most; if F falls along it, l is moved there, to where that line is closest. False: there is none.
 */
static bool leave_apex(findmin* f, findmin_places* p, look* l)
{
    enum { STEPS = 5 };
    int around = -1, across = -1;
    for (int which = 0; which < 2; ++which) {
        int first = which ? p->na : 0;
        if (place_count(&p->at[which]) != 2) continue;
        for (int k = 0; k < 2; ++k)
            if ((l->held >> (first + 1 - k) & 1) && !(l->w[first + k] > 1e-9 * l->w[first + 1 - k]))
                around = first + k, across = first + 1 - k;
    }
    if (around < 0 || findmin_left(f) < (STEPS + 2) * LOOK) return false;
    double turn[2], most = 0.1 * iv_width(p->range[around]), by = 0.2 * most;
    look at = *l, best = *l;
    double slope = apex_slope(f, p, &at, across, &turn[0]), least = slope;
    for (int k = 0; k < STEPS; ++k) {
        at.x[around] += by;
        if (!(p->period[around] > 0)) at.x[around] = fmin(p->hi[around], fmax(p->lo[around], at.x[around]));
        slope = apex_slope(f, p, &at, across, &turn[1]);
        if (slope < least) least = slope, best = at;
        double bend = (turn[1] - turn[0]) / by; /* down where it is not that of a minimum */
        double next = bend > 0 ? -turn[1] / bend : turn[1] > 0 ? -most : most;
        by = fmin(most, fmax(-most, next));
        turn[0] = turn[1];
        if (!(fabs(by) > 1e-9 * most)) break;
    }
    if (!(least < -level_slope(f, l))) return false;
    int which = across >= p->na;
    double speed = norm3(best.m[which].d[across - (which ? p->na : 0)]);
    double inward = l->x[across] <= p->lo[across] ? 1 : -1;
    best.x[across] += inward * fmin(-least / speed, 0.25 * iv_width(p->range[across]));
    *l = best;
    l->way = INFINITY;
    look_at(f, p, l);
    measure(p, l);
    return true;
}

bool wi_findmin_newton(findmin* f, findmin_places* p, const double* x, findmin_place* out)
{
    bool down = f->def->joint_hessian;
    int iterations = 0;
    look l;
    memset(&l, 0, sizeof l);
    memset(out, 0, sizeof *out);
    if (findmin_left(f) < 2 * LOOK) return false;
    for (int i = 0; i < p->n; ++i) l.x[i] = fmin(p->hi[i], fmax(p->lo[i], x[i]));
    l.way = INFINITY;
    look_at(f, p, &l);
    measure(p, &l);
    if (!iterate(f, p, &l, &iterations, &out->converged)) return false;
    if (down && l.sharp && leave_apex(f, p, &l) && !iterate(f, p, &l, &iterations, &out->converged)) return false;
    if (!out->converged && down && l.distance < 1e-3 * f->s->t->size) {
        polish(f, p, &l);
        out->converged = l.slope <= 1e-9 * f->s->t->size;
    }
    /* the distance is flat there: it is off by slope^2 / (2 distance) */
    double scale = step_scale(f->s, l.distance);
    out->converged = out->converged || l.slope * l.slope <= 0.1 * f->s->t->def.tolerance * scale * l.distance;
    f->work->iterations += iterations;
    if (iterations > f->work->most) f->work->most = iterations;
    back_into_range(p, l.x);
    memcpy(out->x, l.x, sizeof l.x);
    out->m[0] = l.m[0];
    out->m[1] = l.m[1];
    out->distance = l.distance;
    out->held = l.held;
    out->sharp = l.sharp;
    out->within = within_loops(f, p, l.x);
    out->inside = !l.held && out->within;
    judge(f, p, &l, out);
    return true;
}
