/* SPDX-License-Identifier: MIT */
#include "parameter_curve.h"

#include "../../base/allocator.h"
#include "../../geom/spline_axis.h"
#include "invert.h"
#include "parameter_fit.h"

/* ---- distances between a curve and a lifted one -------------------------------------------- */

wit_vec3 wi_lift_error(const wit_surface* s, const double uv[2], wit_vec3 p, double* along)
{
    wit_surface_jet j;
    unsigned place = wit_surface_eval(s, uv[0], uv[1], WIT_KNOT_DEFAULT, NULL, &j);
    wit_vec3 e = sub3(p, j.p), n = unit3(cross3(j.du, j.dv));
    *along = place & WIT_EVAL_DEGENERATE ? norm3(e) : norm3(addscaled3(e, -dot3(e, n), n));
    return e;
}

typedef struct lift {
    const wit_curve *curve, *parameter_curve;
    const wit_surface* s;
    double scale, shift;
    wit_hint hint[2];
    lift_gap worst;
} lift;

static double lift_at(lift* l, double t)
{
    wit_curve_jet c, x;
    wit_curve_eval(l->curve, t, WIT_KNOT_DEFAULT, &l->hint[0], &c);
    wit_curve_eval(l->parameter_curve, l->shift + l->scale * t, WIT_KNOT_DEFAULT, &l->hint[1], &x);
    double uv[2] = {x.p.x, x.p.y}, along;
    double all = norm3(wi_lift_error(l->s, uv, c.p, &along));
    l->worst.all = larger(l->worst.all, all);
    l->worst.along = larger(l->worst.along, along);
    return all;
}

static void climb(lift* l, double lo, double hi)
{
    enum { STEPS = 12 };
    const double gold = 0.6180339887498949;
    double a = hi - gold * (hi - lo), b = lo + gold * (hi - lo), fa = lift_at(l, a), fb = lift_at(l, b);
    for (int i = 0; i < STEPS; ++i) {
        if (fa > fb) {
            hi = b;
            b = a;
            fb = fa;
            fa = lift_at(l, a = hi - gold * (hi - lo));
        } else {
            lo = a;
            a = b;
            fa = fb;
            fb = lift_at(l, b = lo + gold * (hi - lo));
        }
    }
}

/* The next break of a curve above x (below with direction -1); infinite if there is none. */
static double next_break(const wit_curve* c, double x, double direction)
{
    int count;
    const double* b = wit_curve_breaks(c, &count);
    double period = iv_width(c->range), offset = c->closed ? period * floor((x - c->range.lo) / period) : 0;
    double best = INFINITY, near = 1e-12 * period;
    for (int turn = c->closed ? -1 : 0; turn <= (c->closed ? 1 : 0); ++turn) {
        double from = offset + turn * period;
        int lo = -1, hi = count; /* b[lo] <= x, b[hi] > x */
        while (hi - lo > 1) {
            int mid = (lo + hi) / 2;
            if (b[mid] + from <= x)
                lo = mid;
            else
                hi = mid;
        }
        for (int i = lo - 1; i <= hi + 1; ++i) {
            if (i < 0 || i >= count) continue;
            double gap = (b[i] + from - x) * direction;
            if (gap > near && gap < best) best = gap;
        }
    }
    return x + direction * best;
}

lift_gap wi_lift_measure(const wit_curve* curve, wit_interval range, const wit_surface* surface,
                         const wit_curve* parameter_curve, double scale, double shift)
{
    enum { SAMPLES = 8, LEAST = 4 };
    lift l = {curve, parameter_curve, surface, scale, shift, {{{0}}, {{0}}}, {0, 0}};
    double longest = iv_width(range) / LEAST, direction = scale < 0 ? -1 : 1;
    double t = range.lo, f0 = 0, f1 = lift_at(&l, t);
    double t0 = t, t1 = t;
    while (t < range.hi) {
        double other =
            scale != 0 ? (next_break(parameter_curve, shift + scale * t, direction) - shift) / scale : INFINITY;
        double stop = smaller(smaller(next_break(curve, t, 1), other), smaller(t + longest, range.hi));
        if (!(stop > t)) stop = range.hi;
        for (int i = 1; i <= SAMPLES; ++i) {
            double t2 = i == SAMPLES ? stop : t + (stop - t) * i / SAMPLES, f2 = lift_at(&l, t2);
            if (t0 < t1 && f1 >= f0 && f1 >= f2 && f1 > 0.5 * l.worst.all) climb(&l, t0, t2);
            t0 = t1;
            f0 = f1;
            t1 = t2;
            f1 = f2;
        }
        t = stop;
    }
    return l.worst;
}

double wi_lift_deviation(const wit_curve* curve, wit_interval range, const wit_surface* surface,
                         const wit_curve* parameter_curve, double scale, double shift)
{
    return wi_lift_measure(curve, range, surface, parameter_curve, scale, shift).all;
}

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
    double accuracy;
    const wit_allocator* allocator;
} task;

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

static bool serves(const task* k, wit_curve* candidate, double* deviation);

/* Rounded hard and rounded softly: the nearer one. */
static wit_curve* snapped(const task* k, const double middle[2], const double x0[2], const double x1[2])
{
    static const double slack[2] = {1e-9, 1e-14};
    wit_curve* best = NULL;
    double least = INFINITY;
    for (int i = 0; i < 2; ++i) {
        double a[2] = {x0[0], x0[1]}, b[2] = {x1[0], x1[1]}, deviation;
        snap_line(k, slack[i], middle, a, b);
        wit_curve* c;
        if (wi_parameter_curve_line(a, b, k->range, k->allocator, &c, NULL)) continue;
        if (!serves(k, c, &deviation)) continue;
        if (deviation < least) {
            wit_curve_destroy(best);
            best = c;
            least = deviation;
        } else {
            wit_curve_destroy(c);
        }
    }
    return best;
}

/* The tangent of the foot in the middle, and the feet of the two ends where that leads: if S takes the straight line
 * between them to the curve, that is the parameter curve. */
static wit_curve* straight(const task* k)
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
    if (!regular) return NULL;
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
        if (!(along <= k->accuracy)) return NULL;
    }
    const wit_interval side[2] = {k->s->u, k->s->v};
    const bool closed[2] = {k->s->closed_u, k->s->closed_v};
    for (int d = 0; d < 2; ++d) {
        double shift = wi_start_shift(ends[0][d], ends[1][d], side[d], closed[d]);
        ends[0][d] -= shift;
        ends[1][d] -= shift;
    }
    return snapped(k, x, ends[0], ends[1]);
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

static wit_curve* conic_image(const wit_curve* c, wit_interval range, const shape_frame* map,
                              const wit_allocator* allocator)
{
    wit_vec3 x = turned(map, c->frame.x), z = turned(map, c->frame.z);
    if (c->kind == WIT_CURVE_LINE ? fabs(x.z) > 0.01 : fabs(z.z) < 0.99) return NULL;
    wit_curve_def d = wit_curve_default_def(c->kind);
    d.frame.origin = mapped(map, c->frame.o);
    d.frame.x = vec3(x.x, x.y, 0);
    d.frame.z = vec3(0, 0, z.z < 0 ? -1 : 1);
    d.range = range;
    d.radius = d.semi_x = c->a;
    if (c->kind == WIT_CURVE_PARABOLA) d.focal = 0.25 / c->a;
    d.semi_y = c->b;
    return wit_curve_create(&d, allocator, NULL);
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
    const double* net = (const double*)(const void*)((const char*)c + c->spline.bernstein);
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
        for (int i = 0; i <= degree; ++i)
            for (int k = 0; k < 4; ++k) h[i][k] = net[(cell * (degree + 1) + i) * 4 + k];
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

static wit_curve* spline_image(const wit_curve* c, wit_interval range, const shape_frame* map,
                               const wit_allocator* allocator)
{
    wit_allocator memory = wi_allocator_or_default(allocator);
    int degree = c->spline.t.degree;
    double turns = c->closed ? iv_width(range) / iv_width(c->range) : 0;
    if (!(turns < 16)) return NULL;
    size_t most = (size_t)((ceil(turns) + 2) * c->spline.t.cells) * (size_t)degree + 1;
    size_t bytes = (4 * most + most + (size_t)degree + 2) * sizeof(double);
    double* room = wi_allocator_take(&memory, bytes);
    if (!room) return NULL;
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
    wit_curve* made = n > 0 ? wit_curve_create(&d, allocator, NULL) : NULL;
    wi_allocator_release(&memory, room, bytes);
    return made;
}

static wit_curve* image(const wit_curve* c, wit_interval range, const shape_frame* map, const wit_allocator* allocator)
{
    if (c->kind == WIT_CURVE_NURBS) return spline_image(c, range, map, allocator);
    return c->kind < WIT_CURVE_NURBS ? conic_image(c, range, map, allocator) : NULL;
}

/* The parameter curve that the curve itself was lifted from: right if it was this surface. */
static wit_curve* inner(const task* k)
{
    const wit_curve* c = curve_parameter_curve(k->curve);
    wit_curve_jet start, middle;
    wit_curve_eval(c, k->range.lo, WIT_KNOT_DEFAULT, NULL, &start);
    wit_curve_eval(c, iv_mid(k->range), WIT_KNOT_DEFAULT, NULL, &middle);
    double x[2] = {middle.p.x, middle.p.y}, along;
    wi_lift_error(k->s, x, point_at(k, iv_mid(k->range)), &along);
    if (!(along <= k->accuracy)) return NULL;
    shape_frame same = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    same.o.x = wi_start_shift(start.p.x, middle.p.x, k->s->u, k->s->closed_u);
    same.o.y = wi_start_shift(start.p.y, middle.p.y, k->s->v, k->s->closed_v);
    return image(c, k->range, &same, k->allocator);
}

/* ---- all together -------------------------------------------------------------------------- */

/* Keeps the candidate when it is the foot of the curve to the accuracy; else destroys it. */
static bool serves(const task* k, wit_curve* candidate, double* deviation)
{
    if (!candidate) return false;
    lift_gap gap = wi_lift_measure(k->curve, k->range, k->s, candidate, 1, 0);
    *deviation = gap.all;
    if (gap.along <= k->accuracy) return true;
    wit_curve_destroy(candidate);
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

wit_status wi_parameter_curve_make(const parameter_request* request, const wit_allocator* allocator, wit_curve** out,
                                   double* deviation, wit_error* error)
{
    const wit_curve* curve = request->curve;
    const wit_surface* surface = request->surface;
    wit_interval range = request->range;
    double accuracy = request->accuracy;
    *out = NULL;
    wit_status status = check_call(curve, range, surface, accuracy, error);
    if (status) return status;
    task k = {curve, surface, range, accuracy, allocator};
    wit_vec3 p = point_at(&k, range.lo);
    double rounding = 32 * DBL_EPSILON * (fabs(p.x) + fabs(p.y) + fabs(p.z) + wi_surface_size(surface)), found = 0;
    k.accuracy = larger(accuracy, rounding);
    /* Of a spline on a plane, which may be straight, the simpler form is kept; a conic keeps its kind. */
    bool plane = surface->kind == WIT_SURFACE_PLANE, conic = plane && curve->kind < WIT_CURVE_NURBS, served = false;
    wit_curve* c = NULL;
    if (conic) served = serves(&k, c = image(curve, range, &surface->frame, allocator), &found);
    if (!served) served = serves(&k, c = straight(&k), &found);
    if (!served && plane && !conic) served = serves(&k, c = image(curve, range, &surface->frame, allocator), &found);
    if (!served && curve->kind == WIT_CURVE_ON_SURFACE) served = serves(&k, c = inner(&k), &found);
    if (!served) {
        status = wi_parameter_fit(curve, range, surface, k.accuracy, allocator, &c, error);
        if (status) return status;
        found = wi_lift_deviation(curve, range, surface, c, 1, 0);
    }
    *out = c;
    if (deviation) *deviation = 1.05 * found;
    return WIT_OK;
}
