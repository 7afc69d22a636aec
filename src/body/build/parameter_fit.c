/* SPDX-License-Identifier: MIT */
#include "parameter_fit.h"

#include <string.h>

#include "../../base/allocator.h"
#include "foot_derivative.h"
#include "invert.h"
#include "lift_gap.h"

enum { DEGREE = 5, STACK = 96, SCAN = 16 };

/* Knots nearer to each other than 1e-12 of the range are refused. */
#define LEAST_PIECE 4e-12

typedef struct node {
    double t;
    double x[2];
    double distance; /* of C(t) from its foot */
} node;

typedef struct end {
    double x[2], d1[2], d2[2];
} end;

typedef struct piece {
    double t0, t1;
    double b[DEGREE + 1][2]; /* Bezier points */
} piece;

typedef struct fit {
    const wit_curve* curve;
    const wit_surface* s;
    wit_interval range, side[2]; /* of t, of u and v */
    bool closed[2];
    double accuracy;
    double off; /* how far the curve is off the surface, by some samples: a foot twice as far is on a wrong sheet */
    node start; /* the foot of the curve's beginning */
    wit_allocator memory;
    piece* pieces;
    int count, capacity;
} fit;

wit_kernel wi_kernel_like(const wit_curve* curve, const wit_surface* surface)
{
    if (curve->kind == WIT_CURVE_NURBS) return curve->kernel;
    return surface->kind == WIT_SURFACE_NURBS ? surface->kernel : WIT_KERNEL_AUTO;
}

double wi_start_shift(double x, double inside, wit_interval range, bool closed)
{
    if (!closed) return 0;
    double period = iv_width(range), turns = floor((x - range.lo) / period);
    double at = x - turns * period, near = 1e-9 * period;
    /* On the seam both ends are right: the one from which the curve runs inwards. */
    if (at - range.lo <= near && inside < x) turns -= 1;
    if (range.hi - at <= near && inside > x) turns += 1;
    return turns * period;
}

/* ---- the foot ------------------------------------------------------------------------------ */

static wit_vec3 point_at(const fit* f, double t)
{
    wit_curve_jet c;
    wit_curve_eval(f->curve, t, WIT_KNOT_DEFAULT, NULL, &c);
    return c.p;
}

/* The foot of C(t) near the guess. */
static node node_near(const fit* f, double t, const double guess[2])
{
    node n = {t, {guess[0], guess[1]}, INFINITY};
    wit_vec3 p = point_at(f, t);
    bool good = wi_surface_invert_local(f->s, p, guess, n.x, &n.distance);
    if (!good || n.distance > f->accuracy + 2 * f->off) wi_surface_invert(f->s, p, guess, n.x, &n.distance);
    for (int d = 0; d < 2; ++d) /* a border is a border */
        if (!f->closed[d]) {
            double near = 1e-14 * iv_width(f->side[d]);
            if (n.x[d] - f->side[d].lo <= near) n.x[d] = f->side[d].lo;
            if (f->side[d].hi - n.x[d] <= near) n.x[d] = f->side[d].hi;
        }
    return n;
}

/*
 * At a pole the parameters come from their limit: five feet towards the other end of the piece, at k/64 of it, the
 * polynomial through them, its value and derivatives at the pole. A parameter that is not collapsed keeps its own value.
 */
static void end_by_limit(const fit* f, const node* n, const node* other, const double aim[2], end* out)
{
    enum { FEET = 5 };
    double step = (other->t - n->t) / 64, y[FEET][2], guess[2] = {aim[0], aim[1]};
    for (int k = FEET; k >= 1; --k) { /* from afar, where the parameters are well known */
        double t = n->t + k * step;
        wi_surface_invert(f->s, point_at(f, t), guess, y[k - 1], NULL);
        guess[0] = y[k - 1][0];
        guess[1] = y[k - 1][1];
    }
    wit_surface_jet j;
    wit_surface_eval(f->s, n->x[0], n->x[1], WIT_KNOT_DEFAULT, NULL, &j);
    bool u_free = norm3(j.du) * iv_width(f->s->u) <= norm3(j.dv) * iv_width(f->s->v);
    for (int d = 0; d < 2; ++d) {
        double c[FEET], value, slope = 0, bend = 0;
        for (int k = 0; k < FEET; ++k) c[k] = y[k][d];
        for (int order = 1; order < FEET; ++order) /* divided differences at 1, 2, ... */
            for (int k = FEET - 1; k >= order; --k) c[k] = (c[k] - c[k - 1]) / order;
        value = c[FEET - 1];
        for (int k = FEET - 2; k >= 0; --k) {
            bend = -(k + 1) * bend + 2 * slope;
            slope = -(k + 1) * slope + value;
            value = -(k + 1) * value + c[k];
        }
        bool keeps = u_free ? d == 1 : d == 0;
        out->x[d] = keeps ? n->x[d] : value;
        if (keeps && f->closed[d]) out->x[d] += iv_width(f->side[d]) * round((value - n->x[d]) / iv_width(f->side[d]));
        if (!f->closed[d]) out->x[d] = smaller(larger(out->x[d], f->side[d].lo), f->side[d].hi);
        out->d1[d] = slope / step;
        out->d2[d] = bend / (step * step);
    }
}

/* True when it is a regular place. `aim` is a guess of the parameters on the way to `other`. */
static bool end_of(const fit* f, const node* n, const node* other, const double aim[2], end* out)
{
    out->x[0] = n->x[0];
    out->x[1] = n->x[1];
    const foot_at foot = {f->curve, f->s, n->t, n->x, other->t, aim, f->accuracy};
    if (wi_foot_derivatives(&foot, out->d1, out->d2)) return true;
    end_by_limit(f, n, other, aim, out);
    return false;
}

/* ---- one piece ----------------------------------------------------------------------------- */

static piece hermite(double t0, const end* a, double t1, const end* b, const fit* f)
{
    piece p = {t0, t1, {{0}}};
    double h = t1 - t0;
    for (int d = 0; d < 2; ++d) {
        p.b[0][d] = a->x[d];
        p.b[1][d] = a->x[d] + h / 5 * a->d1[d];
        p.b[2][d] = a->x[d] + 2 * h / 5 * a->d1[d] + h * h / 20 * a->d2[d];
        p.b[3][d] = b->x[d] - 2 * h / 5 * b->d1[d] + h * h / 20 * b->d2[d];
        p.b[4][d] = b->x[d] - h / 5 * b->d1[d];
        p.b[5][d] = b->x[d];
        if (f->closed[d]) continue;
        wit_interval r = f->side[d];
        double slack = 1e-9 * iv_width(r); /* what rounding and the fit add outside a border */
        for (int i = 0; i <= DEGREE; ++i) {
            if (p.b[i][d] < r.lo && p.b[i][d] > r.lo - slack) p.b[i][d] = r.lo;
            if (p.b[i][d] > r.hi && p.b[i][d] < r.hi + slack) p.b[i][d] = r.hi;
        }
    }
    return p;
}

static void piece_at(const piece* p, double s, double x[2])
{
    for (int d = 0; d < 2; ++d) {
        double c[DEGREE + 1];
        for (int i = 0; i <= DEGREE; ++i) c[i] = p->b[i][d];
        for (int n = DEGREE; n > 0; --n)
            for (int i = 0; i < n; ++i) c[i] += s * (c[i + 1] - c[i]);
        x[d] = c[0];
    }
}

/* Largest error along the surface inside, less what the ends have themselves: cutting the piece would not mend that. */
static double piece_error(const fit* f, const piece* p)
{
    static const double at[7] = {0.04, 0.15, 0.3, 0.5, 0.7, 0.85, 0.96};
    double worst = 0, ends = 0, along;
    wi_lift_error(f->s, p->b[0], point_at(f, p->t0), &along);
    ends = along;
    wi_lift_error(f->s, p->b[DEGREE], point_at(f, p->t1), &along);
    ends = larger(ends, along);
    for (int i = 0; i < 7; ++i) {
        double x[2];
        piece_at(p, at[i], x);
        wi_lift_error(f->s, x, point_at(f, p->t0 + at[i] * (p->t1 - p->t0)), &along);
        worst = larger(worst, along);
    }
    return worst - 2 * ends;
}

static wit_status append(fit* f, piece p, wit_error* error)
{
    if (f->count == f->capacity) {
        int more = f->capacity ? 2 * f->capacity : 32;
        piece* room = wi_allocator_take(&f->memory, (size_t)more * sizeof *room);
        if (!room)
            return wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory for %d pieces of a parameter curve", more);
        if (f->count) memcpy(room, f->pieces, (size_t)f->count * sizeof *room);
        wi_allocator_release(&f->memory, f->pieces, (size_t)f->capacity * sizeof *room);
        f->pieces = room;
        f->capacity = more;
    }
    f->pieces[f->count++] = p;
    return WIT_OK;
}

/* ---- where to cut -------------------------------------------------------------------------- */

/* A break of direction d strictly between a and b (unrolled), the one nearest to their middle. The seam of a closed
 * direction counts when it has other breaks. */
static bool break_between(const fit* f, int d, double a, double b, double* out)
{
    int count;
    const double* breaks = wit_surface_breaks(f->s, (wit_direction)d, &count);
    if (count <= 2) return false;
    double lo = smaller(a, b), hi = larger(a, b), middle = 0.5 * (lo + hi), best = INFINITY;
    double period = iv_width(f->side[d]), near = 1e-10 * period;
    double first = f->closed[d] ? floor((lo - f->side[d].lo) / period) : 0;
    double last = f->closed[d] ? floor((hi - f->side[d].lo) / period) : 0;
    if (last - first > 8) return false;
    for (double turn = first; turn <= last; ++turn)
        for (int i = 0; i < count; ++i) {
            double x = breaks[i] + turn * period;
            if (!(x > lo + near && x < hi - near) || fabs(x - middle) >= best) continue;
            best = fabs(x - middle);
            *out = x;
        }
    return best < INFINITY;
}

/* Where the foot's parameter d is `value`, between the nodes: bisection with false position (Illinois). */
static bool crossing(const fit* f, const node* a, const node* b, int d, double value, node* out)
{
    node lo = *a, hi = *b;
    double flo = lo.x[d] - value, fhi = hi.x[d] - value;
    for (int i = 0; i < 60; ++i) {
        double share = i % 4 == 3 ? 0.5 : flo / (flo - fhi), t = lo.t + share * (hi.t - lo.t);
        if (!(t > lo.t && t < hi.t)) break;
        double guess[2] = {lo.x[0] + share * (hi.x[0] - lo.x[0]), lo.x[1] + share * (hi.x[1] - lo.x[1])};
        node n = node_near(f, t, guess);
        double fn = n.x[d] - value;
        *out = n;
        if (fabs(fn) <= 1e-13 * iv_width(f->side[d])) {
            out->x[d] = value;
            return true;
        }
        if ((fn < 0) == (flo < 0)) {
            lo = n;
            flo = fn;
            fhi *= 0.5;
        } else {
            hi = n;
            fhi = fn;
            flo *= 0.5;
        }
    }
    return false;
}

static double cut_between(const fit* f, const node* a, const node* b)
{
    double width = b->t - a->t, margin = larger(1e-6 * width, LEAST_PIECE * iv_width(f->range)), value;
    for (int d = 0; d < 2; ++d) {
        node n;
        if (break_between(f, d, a->x[d], b->x[d], &value) && crossing(f, a, b, d, value, &n) && n.t > a->t + margin &&
            n.t < b->t - margin)
            return n.t;
    }
    return a->t + 0.5 * width;
}

/* ---- poles on the way ---------------------------------------------------------------------- */

/* How long the shorter of the two parameter lines through the foot is: zero at a pole. */
static double collapse(const fit* f, double t, double x[2])
{
    double guess[2] = {x[0], x[1]};
    wit_surface_jet j;
    wi_surface_invert_local(f->s, point_at(f, t), guess, x, NULL);
    wit_surface_eval(f->s, x[0], x[1], WIT_KNOT_DEFAULT, NULL, &j);
    return smaller(norm3(j.du) * iv_width(f->s->u), norm3(j.dv) * iv_width(f->s->v));
}

/* The places inside [a, b] where the foot comes near a pole, for the first cuts: scanned, then golden section. Returns
 * how many, ascending. */
static int poles_between(const fit* f, double a, double b, double out[SCAN])
{
    if (!f->s->degenerate) return 0;
    double y[SCAN + 1], feet[SCAN + 1][2], x[2];
    int n = 0;
    wi_surface_invert(f->s, point_at(f, a), NULL, x, NULL);
    for (int i = 0; i <= SCAN; ++i) {
        y[i] = collapse(f, a + (b - a) * i / SCAN, x);
        memcpy(feet[i], x, sizeof x);
    }
    for (int i = 1; i < SCAN; ++i) {
        if (!(y[i] < y[i - 1] && y[i] <= y[i + 1])) continue;
        const double gold = 0.6180339887498949;
        double lo = a + (b - a) * (i - 1) / SCAN, hi = a + (b - a) * (i + 1) / SCAN;
        double t0 = hi - gold * (hi - lo), t1 = lo + gold * (hi - lo);
        memcpy(x, feet[i], sizeof x);
        double y0 = collapse(f, t0, x), y1 = collapse(f, t1, x);
        for (int k = 0; k < 80 && hi - lo > 4 * DBL_EPSILON * larger(fabs(lo), fabs(hi)); ++k) {
            if (y0 < y1) {
                hi = t1;
                t1 = t0;
                y1 = y0;
                t0 = hi - gold * (hi - lo);
                y0 = collapse(f, t0, x);
            } else {
                lo = t0;
                t0 = t1;
                y0 = y1;
                t1 = lo + gold * (hi - lo);
                y1 = collapse(f, t1, x);
            }
        }
        double t = y0 < y1 ? t0 : t1, margin = larger(1e-9 * (b - a), 4 * LEAST_PIECE * iv_width(f->range));
        bool fresh = n == 0 || t > out[n - 1] + margin;
        if (smaller(y0, y1) <= 0.1 * smaller(y[i - 1], y[i + 1]) && fresh && t > a + margin && t < b - margin)
            out[n++] = t;
    }
    return n;
}

/* ---- from end to end ----------------------------------------------------------------------- */

typedef struct march {
    node left;
    double aim[2]; /* parameters at left as the last piece ended */
    bool begun;
} march;

/*
 * Where the curve passes through a pole the parameter jumps. While the foot is within accuracy / 4 of the pole the lifted curve
 * does not feel it: a piece of that length leads from one value to the other.
 */
static wit_status bridge(fit* f, march* m, const end* from, double limit, double* t0, wit_error* error)
{
    double jump = larger(fabs(from->x[0] - m->aim[0]), fabs(from->x[1] - m->aim[1]));
    *t0 = m->left.t;
    if (!m->begun || jump <= 0) return WIT_OK;
    double speed = larger(f->curve->speed, DBL_MIN), w = smaller(0.2 * f->accuracy / speed, (limit - *t0) / 8);
    w = larger(w, LEAST_PIECE * iv_width(f->range));
    if (*t0 + 2 * w > limit) w = 0.5 * (limit - *t0);
    *t0 = m->left.t + w;
    end a = {{m->aim[0], m->aim[1]}, {0, 0}, {0, 0}}, b = *from;
    for (int d = 0; d < 2; ++d) {
        a.d1[d] = b.d1[d] = (b.x[d] - a.x[d]) / w;
        b.d2[d] = 0;
    }
    return append(f, hermite(m->left.t, &a, *t0, &b, f), error);
}

/* Tries [left, t1]. True when it was taken; else *cut says where to try next. */
static bool try_piece(fit* f, march* m, double t1, bool force, double* cut, wit_status* status, wit_error* error)
{
    double h = t1 - m->left.t, guess[2] = {m->aim[0], m->aim[1]}, d1[2], d2[2];
    const foot_at foot = {f->curve, f->s, m->left.t, m->left.x, t1, guess, f->accuracy};
    if (wi_foot_derivatives(&foot, d1, d2))
        for (int d = 0; d < 2; ++d) guess[d] += h * (d1[d] + 0.5 * h * d2[d]);
    for (int d = 0; d < 2; ++d)
        if (!f->closed[d]) guess[d] = smaller(larger(guess[d], f->side[d].lo), f->side[d].hi);
    node right = node_near(f, t1, guess);
    end a, b;
    bool regular = end_of(f, &m->left, &right, right.x, &a);
    if (!regular && m->begun) /* its period is free */
        for (int d = 0; d < 2; ++d) {
            double period = iv_width(f->side[d]);
            double turn = f->closed[d] ? period * round((m->aim[d] - a.x[d]) / period) : 0;
            a.x[d] += turn;
            right.x[d] += turn;
        }
    double aim[2] = {a.x[0], a.x[1]};
    if (!end_of(f, &right, &m->left, aim, &b)) {
        right.x[0] = b.x[0];
        right.x[1] = b.x[1];
    }
    double t0 = m->left.t;
    int before = f->count;
    if (!regular) *status = bridge(f, m, &a, t1, &t0, error);
    piece p = hermite(t0, &a, t1, &b, f);
    if (!force && piece_error(f, &p) > 0.4 * f->accuracy) {
        f->count = before;
        *cut = cut_between(f, &m->left, &right);
        return false;
    }
    if (!*status) *status = append(f, p, error);
    m->left = right;
    m->aim[0] = b.x[0];
    m->aim[1] = b.x[1];
    m->begun = true;
    return true;
}

static wit_status fit_to(fit* f, march* m, double t, wit_error* error)
{
    double stack[STACK];
    int top = 1;
    stack[0] = t;
    wit_status status = WIT_OK;
    double least = LEAST_PIECE * iv_width(f->range);
    while (top > 0 && !status) {
        double cut, t1 = stack[top - 1];
        bool force = top == STACK || f->count >= FIT_PIECES || t1 - m->left.t <= 2 * least;
        if (try_piece(f, m, t1, force, &cut, &status, error))
            --top;
        else
            stack[top++] = cut;
    }
    return status;
}

/* Pieces to begin with: between the breaks of the curve, each in halves, and cut at poles. */
static wit_status fit_all(fit* f, wit_error* error)
{
    int count;
    const double* breaks = wit_curve_breaks(f->curve, &count);
    double period = f->curve->closed ? iv_width(f->curve->range) : 0, near = LEAST_PIECE * iv_width(f->range);
    double turn = period > 0 ? floor((f->range.lo - f->curve->range.lo) / period) : 0;
    march m = {f->start, {0, 0}, false};
    memcpy(m.aim, m.left.x, sizeof m.aim);
    wit_status status = WIT_OK;
    double from = f->range.lo;
    for (int i = 1; from < f->range.hi && !status; ++i) {
        if (i == count && period > 0) {
            i = 1;
            turn += 1;
        }
        double to = i < count ? breaks[i] + turn * period : f->range.hi;
        if (to <= from + near) continue;
        if (to >= f->range.hi - near) to = f->range.hi;
        double poles[SCAN + 1], at = from;
        int n = poles_between(f, from, to, poles);
        poles[n] = to;
        for (int k = 0; k <= n && !status; ++k) {
            status = fit_to(f, &m, 0.5 * (at + poles[k]), error);
            if (!status) status = fit_to(f, &m, poles[k], error);
            at = poles[k];
        }
        from = to;
    }
    return status;
}

static wit_status spline_of(fit* f, wit_curve** out, wit_error* error)
{
    size_t points = (size_t)f->count * DEGREE + 1, knots = points + DEGREE + 1;
    size_t bytes = (3 * points + knots) * sizeof(double);
    double* room = wi_allocator_take(&f->memory, bytes);
    if (!room)
        return wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory for a parameter curve of %d pieces", f->count);
    double *p = room, *k = room + 3 * points, shift[2];
    const piece* middle = &f->pieces[f->count / 2];
    for (int d = 0; d < 2; ++d)
        shift[d] = wi_start_shift(f->pieces[0].b[0][d], middle->b[f->count > 1 ? 0 : 3][d], f->side[d], f->closed[d]);
    for (int i = 0; i < f->count; ++i)
        for (int j = i == 0 ? 0 : 1; j <= DEGREE; ++j) {
            *p++ = f->pieces[i].b[j][0] - shift[0];
            *p++ = f->pieces[i].b[j][1] - shift[1];
            *p++ = 0;
        }
    *k++ = f->range.lo;
    for (int i = 0; i <= f->count; ++i)
        for (int j = 0; j < DEGREE; ++j) *k++ = i < f->count ? f->pieces[i].t0 : f->range.hi;
    *k++ = f->range.hi;
    wit_curve_def def = wit_curve_default_def(WIT_CURVE_NURBS);
    def.kernel = wi_kernel_like(f->curve, f->s);
    def.degree = DEGREE;
    def.count = (int)points;
    def.knot_count = (int)knots;
    def.points = room;
    def.knots = room + 3 * points;
    wit_error refusal = {0};
    *out = wit_curve_create(&def, &f->memory, &refusal);
    wi_allocator_release(&f->memory, room, bytes);
    if (!*out && error) *error = refusal;
    return *out ? WIT_OK : refusal.status;
}

/* How far the curve is off: from foot to foot along it, and by all of the surface where that leads too far. */
static void scan(fit* f)
{
    double sure = 0; /* the largest distance that was looked for on all of the surface */
    f->start.t = f->range.lo;
    wi_surface_invert(f->s, point_at(f, f->range.lo), NULL, f->start.x, &f->start.distance);
    f->off = sure = f->start.distance;
    double x[2] = {f->start.x[0], f->start.x[1]}, distance;
    for (int i = 1; i <= SCAN; ++i) {
        double guess[2] = {x[0], x[1]};
        wit_vec3 p = point_at(f, f->range.lo + iv_width(f->range) * i / SCAN);
        bool good = wi_surface_invert_local(f->s, p, guess, x, &distance);
        if (!good || distance > f->accuracy + 2 * sure) {
            wi_surface_invert(f->s, p, guess, x, &distance);
            sure = larger(sure, distance);
        }
        f->off = larger(f->off, distance);
    }
}

wit_status wi_parameter_fit(const wit_curve* curve, wit_interval range, const wit_surface* surface, double accuracy,
                            const wit_allocator* allocator, wit_curve** out, wit_error* error)
{
    fit f = {
        curve,    surface, range,          {surface->u, surface->v},           {surface->closed_u, surface->closed_v},
        accuracy, 0,       {0, {0, 0}, 0}, wi_allocator_or_default(allocator), NULL,
        0,        0};
    *out = NULL;
    scan(&f);
    wit_status status = fit_all(&f, error);
    if (!status) status = spline_of(&f, out, error);
    wi_allocator_release(&f.memory, f.pieces, (size_t)f.capacity * sizeof *f.pieces);
    return status;
}
