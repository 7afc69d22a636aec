/* SPDX-License-Identifier: MIT */
#include "parameter_curve.h"

#include <string.h>

#include "../../base/allocator.h"
#include "../../geom/nurbs.h"
#include "foot_derivative.h"
#include "invert.h"
#include "lift_gap.h"
#include "parameter_fit.h"

/* ---- straight ones ------------------------------------------------------------------------- */

static wit_status created(const wit_curve_def* def, const wit_allocator* allocator, wit_curve** out, wit_error* error)
{
    wit_error refusal = {0};
    *out = wit_curve_create(def, allocator, &refusal);
    if (!*out && error) *error = refusal;
    return *out ? WIT_OK : refusal.status;
}

wit_status wi_parameter_curve_line(const double uv0[2], const double uv1[2], wit_interval range,
                                   const wit_allocator* allocator, wit_curve** out, wit_error* error)
{
    *out = NULL;
    double width = iv_width(range), du = uv1[0] - uv0[0], dv = uv1[1] - uv0[1], length = sqrt(du * du + dv * dv);
    double noise = 4 * DBL_EPSILON * (fabs(uv0[0]) + fabs(uv0[1]) + length + fabs(range.lo) + fabs(range.hi));
    if (fabs(length - width) <= noise) {
        wit_curve_def d = wit_curve_default_def(WIT_CURVE_LINE);
        d.frame.x = vec3(du / length, dv / length, 0);
        d.frame.origin = addscaled3(vec3(uv0[0], uv0[1], 0), -range.lo, d.frame.x);
        d.range = range;
        return created(&d, allocator, out, error);
    }
    const double points[6] = {uv0[0], uv0[1], 0, uv1[0], uv1[1], 0},
                 knots[4] = {range.lo, range.lo, range.hi, range.hi};
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
    d.degree = 1;
    d.count = 2;
    d.knot_count = 4;
    d.points = points;
    d.knots = knots;
    return created(&d, allocator, out, error);
}

/* What the candidates share. */
typedef struct task {
    const wit_curve* curve;
    const wit_surface* s;
    wit_interval range;
    double accuracy, rounding;
    double noise; /* of bounds that are sums of many roundings */
    const wit_allocator* allocator;
    double* hidden;
} task;

/* A candidate that cannot be made is none: *out is null. Only the lack of memory is an error. */
typedef wit_status form_maker(const task* k, wit_curve** out);
static bool serves(const task* k, wit_curve* made, lift_gap* met);

static wit_status tried(const wit_curve_def* def, const wit_allocator* allocator, wit_curve** out)
{
    wit_error refusal = {0};
    *out = wit_curve_create(def, allocator, &refusal);
    return !*out && refusal.status == WIT_ERROR_MEMORY ? WIT_ERROR_MEMORY : WIT_OK;
}

static wit_vec3 point_at(const task* k, double t)
{
    wit_curve_jet c;
    wit_curve_eval(k->curve, t, WIT_KNOT_DEFAULT, NULL, &c);
    return c.p;
}

/*
 * Ends of a straight parameter curve come with the rounding of their feet, which is large where the surface hardly
 * moves with the parameter. Within `slack` of the parameter's range: equal ends become the middle's value, an end at a
 * break the break, and ends that run with t itself run with t.
 */
static void snap_line(const task* k, double slack, const double middle[2], double x0[2], double x1[2])
{
    for (int d = 0; d < 2; ++d) {
        int count;
        const double* b = wit_surface_breaks(k->s, (wit_direction)d, &count);
        double near = slack * (b[count - 1] - b[0]);
        if (fabs(x0[d] - x1[d]) <= near) {
            double turn = x0[d] - middle[d]; /* whole periods, or next to nothing */
            x0[d] = x1[d] = fabs(turn) <= near ? middle[d] : 0.5 * (x0[d] + x1[d]);
        }
        for (int i = 0; i < count; ++i) {
            if (fabs(x0[d] - b[i]) <= near) x0[d] = b[i];
            if (fabs(x1[d] - b[i]) <= near) x1[d] = b[i];
        }
        if (fabs(x0[d] - k->range.lo) <= near && fabs(x1[d] - k->range.hi) <= near) {
            x0[d] = k->range.lo;
            x1[d] = k->range.hi;
        }
    }
}

/* Rounded hard and rounded softly: the nearer one. */
static wit_status snapped(const task* k, const double middle[2], const double x0[2], const double x1[2],
                          wit_curve** out)
{
    static const double slack[2] = {1e-9, 1e-14};
    wit_curve* best = NULL;
    double least = INFINITY;
    for (int i = 0; i < 2; ++i) {
        double a[2] = {x0[0], x0[1]}, b[2] = {x1[0], x1[1]};
        lift_gap met;
        snap_line(k, slack[i], middle, a, b);
        wit_curve* c;
        wit_status status = wi_parameter_curve_line(a, b, k->range, k->allocator, &c, NULL);
        if (status == WIT_ERROR_MEMORY) {
            wit_curve_destroy(best);
            return status;
        }
        if (!serves(k, c, &met)) continue;
        if (met.all < least) {
            wit_curve_destroy(best);
            best = c;
            least = met.all;
        } else {
            wit_curve_destroy(c);
        }
    }
    *out = best;
    return WIT_OK;
}

/* The tangent of the foot in the middle, and the feet of the two ends where that leads: if S takes the straight line
 * between them to the curve, that is the parameter curve. */
static wit_status straight(const task* k, wit_curve** out)
{
    static const double inside[4] = {0.5, 0.391, 0.673, 0.217}; /* poles may be in the way */
    double x[2], d1[2], d2[2], t = 0;
    bool regular = false;
    for (int i = 0; i < 4 && !regular; ++i) {
        t = k->range.lo + inside[i] * iv_width(k->range);
        wi_surface_invert(k->s, point_at(k, t), NULL, x, NULL);
        const foot_at foot = {k->curve, k->s, t, x, INFINITY, x, k->accuracy};
        regular = wi_foot_derivatives(&foot, d1, d2);
    }
    if (!regular) return WIT_OK;
    double ends[2][2], along;
    for (int i = 0; i < 2; ++i) {
        double at = i == 0 ? k->range.lo : k->range.hi, guess[2];
        for (int d = 0; d < 2; ++d) guess[d] = x[d] + d1[d] * (at - t);
        wi_surface_invert_local(k->s, point_at(k, at), guess, ends[i], NULL);
    }
    for (int i = 1; i < 8; i += 2) { /* most are not: four looks tell */
        double share = i / 8.0, at = k->range.lo + share * iv_width(k->range);
        double line[2] = {ends[0][0] + share * (ends[1][0] - ends[0][0]),
                          ends[0][1] + share * (ends[1][1] - ends[0][1])};
        wi_lift_error(k->s, line, point_at(k, at), &along);
        if (!(along <= k->accuracy)) return WIT_OK;
    }
    const wit_interval side[2] = {k->s->u, k->s->v};
    const bool closed[2] = {k->s->closed_u, k->s->closed_v};
    for (int d = 0; d < 2; ++d) {
        double shift = wi_start_shift(ends[0][d], ends[1][d], side[d], closed[d]);
        ends[0][d] -= shift;
        ends[1][d] -= shift;
    }
    return snapped(k, x, ends[0], ends[1], out);
}

/* ---- affine images ------------------------------------------------------------------------- */

/* p goes to (x.(p - o), y.(p - o), 0). */
static wit_vec3 mapped(const shape_frame* map, wit_vec3 p)
{
    wit_vec3 q = sub3(p, map->o);
    return vec3(dot3(map->x, q), dot3(map->y, q), 0);
}

static wit_vec3 turned(const shape_frame* map, wit_vec3 v)
{
    return vec3(dot3(map->x, v), dot3(map->y, v), dot3(map->z, v));
}

static wit_status conic_image(const wit_curve* c, wit_interval range, const shape_frame* map,
                              const wit_allocator* allocator, wit_curve** out)
{
    wit_vec3 x = turned(map, c->frame.x), z = turned(map, c->frame.z);
    if (c->kind == WIT_CURVE_LINE ? fabs(x.z) > 0.01 : fabs(z.z) < 0.99) return WIT_OK;
    wit_curve_def d = wit_curve_default_def(c->kind);
    d.frame.origin = mapped(map, c->frame.o);
    d.frame.x = vec3(x.x, x.y, 0);
    d.frame.z = vec3(0, 0, z.z < 0 ? -1 : 1);
    d.range = range;
    d.radius = d.semi_x = c->a;
    if (c->kind == WIT_CURVE_PARABOLA) d.focal = 0.25 / c->a;
    d.semi_y = c->b;
    return tried(&d, allocator, out);
}

/* The part [a, b] of 0..1 of a Bezier curve of homogeneous points: de Casteljau from both ends. */
static void bezier_part(double (*h)[4], int degree, double a, double b)
{
    for (int n = degree; n > 0 && b < 1; --n) /* keep the lower part: h[i] becomes the point of level i at b */
        for (int i = degree; i > degree - n; --i)
            for (int k = 0; k < 4; ++k) h[i][k] = h[i - 1][k] + b * (h[i][k] - h[i - 1][k]);
    double rest = b > 0 ? a / b : 0;
    for (int n = degree; n > 0 && a > 0; --n)
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < 4; ++k) h[i][k] += rest * (h[i + 1][k] - h[i][k]);
}

/* Cell after cell as Bezier pieces; at a join the pieces share a point. */
static int spline_pieces(const wit_curve* c, wit_interval range, const shape_frame* map, double* points,
                         double* weights, double* knots)
{
    const spline_axis* axis = &c->spline.t;
    const double* breaks = axis_breaks(axis, c);
    int degree = axis->degree, n = 0, cell = 0;
    double period = iv_width(c->range), near = 4e-12 * iv_width(range); /* knots nearer than 1e-12 are refused */
    double turn = c->closed ? period * floor((range.lo - c->range.lo) / period) : 0;
    for (double from = range.lo; from < range.hi; ++cell) {
        if (cell == axis->cells) {
            if (!c->closed) break;
            cell = 0;
            turn += period;
        }
        double lo = breaks[cell] + turn, hi = breaks[cell + 1] + turn, to = smaller(hi, range.hi);
        if (to <= from + near && !(to == range.hi && n == 0)) continue;
        if (range.hi - to <= near || (cell == axis->cells - 1 && !c->closed)) to = range.hi;
        double h[WIT_MAX_DEGREE + 1][4];
        curve_net room;
        memcpy(h, wi_curve_net(c, cell, room), (size_t)(degree + 1) * sizeof *h);
        double a = from > lo + near ? (from - lo) / (hi - lo) : 0, b = to < hi - near ? (to - lo) / (hi - lo) : 1;
        bezier_part(h, degree, a, b);
        for (int i = n == 0 ? 0 : 1; i <= degree; ++i) {
            wit_vec3 p = mapped(map, vec3(h[i][0] / h[i][3], h[i][1] / h[i][3], h[i][2] / h[i][3]));
            int at = n * degree + i;
            points[3 * at] = p.x;
            points[3 * at + 1] = p.y;
            points[3 * at + 2] = 0;
            weights[at] = h[i][3];
        }
        for (int i = 0; i < degree; ++i) knots[1 + n * degree + i] = from;
        from = to;
        ++n;
    }
    knots[0] = range.lo;
    for (int i = 0; i <= degree; ++i) knots[1 + n * degree + i] = range.hi;
    return n;
}

static wit_status spline_image(const wit_curve* c, wit_interval range, const shape_frame* map,
                               const wit_allocator* allocator, wit_curve** out)
{
    wit_allocator memory = wi_allocator_or_default(allocator);
    int degree = c->spline.t.degree;
    double turns = c->closed ? iv_width(range) / iv_width(c->range) : 0;
    if (!(turns < 16)) return WIT_OK;
    size_t most = (size_t)((ceil(turns) + 2) * c->spline.t.cells) * (size_t)degree + 1;
    size_t bytes = (4 * most + most + (size_t)degree + 2) * sizeof(double);
    double* room = wi_allocator_take(&memory, bytes);
    if (!room) return WIT_ERROR_MEMORY;
    double *weights = room + 3 * most, *knots = weights + most;
    int n = spline_pieces(c, range, map, room, weights, knots);
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
    d.kernel = c->kernel;
    d.degree = degree;
    d.count = n * degree + 1;
    d.knot_count = d.count + degree + 1;
    d.points = room;
    d.weights = c->spline.rational ? weights : NULL;
    d.knots = knots;
    wit_status status = n > 0 ? tried(&d, allocator, out) : WIT_OK;
    wi_allocator_release(&memory, room, bytes);
    return status;
}

static wit_status image(const wit_curve* c, wit_interval range, const shape_frame* map, const wit_allocator* allocator,
                        wit_curve** out)
{
    if (c->kind == WIT_CURVE_NURBS) return spline_image(c, range, map, allocator, out);
    return c->kind < WIT_CURVE_NURBS ? conic_image(c, range, map, allocator, out) : WIT_OK;
}

static wit_status planar(const task* k, wit_curve** out)
{
    return image(k->curve, k->range, &k->s->frame, k->allocator, out);
}

/* The parameter curve that the curve itself was lifted from: right if it was this surface. */
static wit_status inner(const task* k, wit_curve** out)
{
    const wit_curve* c = curve_parameter_curve(k->curve);
    wit_curve_jet start, middle;
    wit_curve_eval(c, k->range.lo, WIT_KNOT_DEFAULT, NULL, &start);
    wit_curve_eval(c, iv_mid(k->range), WIT_KNOT_DEFAULT, NULL, &middle);
    double x[2] = {middle.p.x, middle.p.y}, along;
    wi_lift_error(k->s, x, point_at(k, iv_mid(k->range)), &along);
    if (!(along <= k->accuracy)) return WIT_OK;
    shape_frame same = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    same.o.x = wi_start_shift(start.p.x, middle.p.x, k->s->u, k->s->closed_u);
    same.o.y = wi_start_shift(start.p.y, middle.p.y, k->s->v, k->s->closed_v);
    return image(c, k->range, &same, k->allocator, out);
}

/* ---- all together -------------------------------------------------------------------------- */

static lift_pair pair_with(const task* k, const wit_curve* parameter_curve)
{
    lift_pair p = {k->curve, k->range, k->s, parameter_curve, 1, 0};
    return p;
}

/* Keeps the candidate when it is the foot of the curve to the accuracy, as far as samples tell; else destroys it. */
static bool serves(const task* k, wit_curve* made, lift_gap* met)
{
    if (!made) return false;
    lift_pair pair = pair_with(k, made);
    *met = wi_lift_measure(&pair);
    if (met->along <= k->accuracy) return true;
    wit_curve_destroy(made);
    return false;
}

static wit_status check_call(const wit_curve* curve, wit_interval range, const wit_surface* surface, double accuracy,
                             wit_error* error)
{
    if (!curve || !surface) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "a curve and a surface are needed");
    if (!(isfinite(range.lo) && isfinite(range.hi) && range.lo < range.hi))
        return wi_error_fill(error, WIT_ERROR_RANGE, "range", "%g to %g is no range", range.lo, range.hi);
    if (!(accuracy >= 0 && accuracy <= WIT_MAX_COORDINATE))
        return wi_error_fill(error, WIT_ERROR_NUMBER, "accuracy", "%g is no length", accuracy);
    return WIT_OK;
}

static void tell_hidden(double* hidden, const lift_gap* met)
{
    if (hidden) *hidden = larger(*hidden, met->hidden);
}

/* Takes the candidate if it is the foot everywhere: what lies between the samples is bounded. */
static wit_status take(const task* k, form_maker* make, wit_curve** out, double* deviation)
{
    wit_curve* c = NULL;
    lift_gap met = {0, 0, 0};
    wit_status status = make(k, &c);
    if (status || !serves(k, c, &met)) return status;
    lift_pair pair = pair_with(k, c);
    *deviation = wi_lift_bound(&pair, k->rounding, &met);
    if (met.along <= k->accuracy && *deviation <= 1.05 * met.all + larger(k->accuracy, k->noise)) {
        *out = c;
        tell_hidden(k->hidden, &met);
    } else {
        wit_curve_destroy(c);
    }
    return WIT_OK;
}

/* Of a spline on a plane, which may be straight, the simpler form is kept; a conic keeps its kind. */
static wit_status exact_form(const task* k, wit_curve** out, double* deviation)
{
    bool plane = k->s->kind == WIT_SURFACE_PLANE, conic = plane && k->curve->kind < WIT_CURVE_NURBS;
    form_maker* order[4] = {conic ? planar : NULL, straight, plane && !conic ? planar : NULL,
                            k->curve->kind == WIT_CURVE_ON_SURFACE ? inner : NULL};
    wit_status status = WIT_OK;
    for (int i = 0; i < 4 && !status && !*out; ++i)
        if (order[i]) status = take(k, order[i], out, deviation);
    return status;
}

wit_status wi_parameter_curve_make(const parameter_request* request, const wit_allocator* allocator, wit_curve** out,
                                   double* deviation, wit_error* error)
{
    const wit_curve* curve = request->curve;
    const wit_surface* surface = request->surface;
    wit_interval range = request->range;
    *out = NULL;
    wit_status status = check_call(curve, range, surface, request->accuracy, error);
    if (status) return status;
    task k = {curve, surface, range, request->accuracy, request->rounding, 0, allocator, request->hidden};
    wit_vec3 p = point_at(&k, range.lo);
    double rounding = 32 * DBL_EPSILON * (fabs(p.x) + fabs(p.y) + fabs(p.z) + wi_surface_size(surface)), found = 0;
    k.accuracy = larger(request->accuracy, rounding);
    k.noise = 32 * rounding;
    status = exact_form(&k, out, &found);
    if (status) return wi_error_fill(error, status, "", "no memory for a parameter curve");
    if (!*out) {
        status = wi_parameter_fit(curve, range, surface, k.accuracy, allocator, out, error);
        if (status) return status;
        lift_pair pair = pair_with(&k, *out);
        lift_gap met = wi_lift_measure(&pair);
        found = wi_lift_bound(&pair, request->rounding, &met);
        tell_hidden(k.hidden, &met);
    }
    if (deviation) *deviation = found;
    return WIT_OK;
}
