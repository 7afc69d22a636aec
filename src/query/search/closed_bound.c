/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds of the distance between complete analytic shapes.
 *
 * No position is called symmetric by a tolerance. Every formula holds for every pose and is exact in the symmetric one:
 * supports along a normal, distances to a convex set over a segment (largest at an end), and for axes that nearly
 * coincide the planar distance of the profiles less the way the one shape must be moved to make them coincide.
 */
#include "closed_shape.h"
#include "../search_task.h"
#include "closed_bound.h"

/*
 * Rounding. Each shape is moved by one rotation and translation (errors up to 3.5 units of DBL_EPSILON of its magnitude
 * for the origin, as much for the axis times its extent), on axes that are orthonormal to 2 of these units; heights, radii
 * and roots add some 4 more of the sum of the magnitudes. 24 for both together covers it.
 */
#define ROUNDING (24 * DBL_EPSILON)

static double span(double x, double y)
{
    return sqrt(x * x + y * y);
}

/* ---- planar: profiles of shapes about one axis --------------------------------------------- */

typedef struct profile {
    int points;
    double x[2], y[2]; /* distance from the axis, height */
    double tube;
} profile;

static profile profile_of(const closed_shape* c)
{
    profile p = {c->points, {c->rho[0], c->rho[1]}, {c->h[0], c->h[1]}, c->tube};
    return p;
}

/* Distance from (x, y) to the profile's point or segment. */
static double core_distance(const profile* p, double x, double y)
{
    double rx = x - p->x[0], ry = y - p->y[0];
    if (p->points == 1) return span(rx, ry);
    double dx = p->x[1] - p->x[0], dy = p->y[1] - p->y[0], square = dx * dx + dy * dy;
    double t = square > 0 ? smaller(1, larger(0, (rx * dx + ry * dy) / square)) : 0;
    return span(rx - t * dx, ry - t * dy);
}

/* The largest distance from (x, y) to the core: at an end. */
static double core_reach(const profile* p, double x, double y)
{
    double reach = span(x - p->x[0], y - p->y[0]);
    return p->points == 1 ? reach : larger(reach, span(x - p->x[1], y - p->y[1]));
}

static double side_of_line(const profile* p, double x, double y)
{
    return (p->x[1] - p->x[0]) * (y - p->y[0]) - (p->y[1] - p->y[0]) * (x - p->x[0]);
}

/* Two segments that do not cross are closest at an end of one of them. */
static double segments_distance(const profile* p, const profile* q)
{
    double a = side_of_line(p, q->x[0], q->y[0]), b = side_of_line(p, q->x[1], q->y[1]);
    double c = side_of_line(q, p->x[0], p->y[0]), d = side_of_line(q, p->x[1], p->y[1]);
    if (((a > 0) != (b > 0)) && ((c > 0) != (d > 0))) return 0;
    double least = smaller(core_distance(p, q->x[0], q->y[0]), core_distance(p, q->x[1], q->y[1]));
    return smaller(least, smaller(core_distance(q, p->x[0], p->y[0]), core_distance(q, p->x[1], p->y[1])));
}

/* Distance of two profiles. A tube is a circle: it may lie beside the other, in it or around it. */
static double profile_distance(const profile* p, const profile* q)
{
    if (p->points == 2 && q->points == 2) return segments_distance(p, q);
    if (p->points == 2) return profile_distance(q, p);
    double near = core_distance(q, p->x[0], p->y[0]), far = core_reach(q, p->x[0], p->y[0]);
    double beside = near - p->tube - q->tube, around = p->tube - far - q->tube, within = q->tube - near - p->tube;
    return larger(beside, larger(around, within));
}

/* ---- turned shapes ------------------------------------------------------------------------- */

static void to_axis(const closed_shape* c, wit_vec3 p, double* rho, double* h)
{
    wit_vec3 d = sub3(p, c->o);
    *h = dot3(d, c->z);
    *rho = norm3(addscaled3(d, -*h, c->z));
}

static wit_vec3 on_axis(const closed_shape* c, double h)
{
    return addscaled3(c->o, h, c->z);
}

/* Distance from (x, y), about the centre of a circle, to an arc of it: along the radius, or to an end. */
static double arc_distance(wit_interval angle, double radius, double x, double y)
{
    double at = wit_atan2(y, x), least = INFINITY;
    at += TWO_PI * ceil((angle.lo - at) / TWO_PI);
    if (at <= angle.hi) return fabs(span(x, y) - radius);
    for (int k = 0; k < 2; ++k) {
        double sine, cosine;
        wit_sincos(k ? angle.hi : angle.lo, &sine, &cosine);
        least = smaller(least, span(x - radius * cosine, y - radius * sine));
    }
    return least;
}

static double outside(wit_interval range, double x)
{
    return larger(0, larger(range.lo - x, x - range.hi));
}

static double rectangle_distance(const closed_shape* c, wit_vec3 p)
{
    wit_vec3 d = sub3(p, c->o);
    double h = dot3(d, c->z), u = outside(c->u, dot3(d, c->x)), v = outside(c->v, dot3(d, c->y));
    return c->unbounded ? fabs(h) : sqrt(h * h + u * u + v * v);
}

static double point_distance(const closed_shape* c, wit_vec3 p)
{
    if (c->form == CLOSED_PLANE) return rectangle_distance(c, p);
    double rho, h;
    to_axis(c, p, &rho, &h);
    if (c->arc) return arc_distance(c->angle, c->tube, rho - c->rho[0], h - c->h[0]);
    profile q = profile_of(c);
    return fabs(core_distance(&q, rho, h) - c->tube);
}

static bool is_ball(const closed_shape* c)
{
    return c->form == CLOSED_TURNED && c->points == 1 && c->rho[0] == 0;
}

/* A sphere about `ball` (or a point): from outside its centre's distance, from inside the farthest point of the other,
 * which stands on the far side of the axis. */
static double ball_bound(const closed_shape* ball, const closed_shape* c)
{
    double beside = point_distance(c, ball->o) - ball->tube;
    if (beside > 0 || c->form == CLOSED_PLANE) return beside;
    double rho, h;
    to_axis(c, ball->o, &rho, &h);
    profile q = profile_of(c);
    return ball->tube - (core_reach(&q, -rho, h) + c->tube);
}

/*
 * X is moved by the least rotation about the middle m of its profile that makes the axes parallel, and by the distance
 * of m from the axis of Y. A point at most M from m goes at most M |z_X -+ z_Y| + that distance.
 */
static double coaxial_bound(const closed_shape* x, const closed_shape* y)
{
    double middle = x->points == 1 ? x->h[0] : 0.5 * (x->h[0] + x->h[1]);
    double rho, h, turn = dot3(x->z, y->z) < 0 ? -1 : 1;
    to_axis(y, on_axis(x, middle), &rho, &h);
    profile p = profile_of(x), q = profile_of(y);
    double reach = core_reach(&p, 0, middle) + x->tube;
    double way = rho + reach * norm3(addscaled3(x->z, -turn, y->z));
    for (int k = 0; k < x->points; ++k) p.y[k] = h + turn * (x->h[k] - middle);
    return profile_distance(&p, &q) - way;
}

static bool is_straight(const closed_shape* c)
{
    return c->points == 2 && c->rho[0] == c->rho[1];
}

static bool is_line(const closed_shape* c)
{
    return c->points == 2 && c->rho[0] == 0 && c->rho[1] == 0;
}

/* By how much the planes across n keep two segments apart; a bound for every n. */
static double width_along(const wit_vec3 a[2], const wit_vec3 b[2], wit_vec3 n)
{
    double low = smaller(dot3(n, sub3(a[0], b[0])), dot3(n, sub3(a[0], b[1])));
    low = smaller(low, smaller(dot3(n, sub3(a[1], b[0])), dot3(n, sub3(a[1], b[1]))));
    return low > 0 ? low / norm3(n) : 0;
}

static wit_vec3 across(wit_vec3 v, wit_vec3 d)
{
    double square = dot3(d, d);
    return square > 0 ? addscaled3(v, -dot3(v, d) / square, d) : v;
}

/* Two segments are closest at an end of one of them, or where the join stands across both: each gives a direction, the
 * best of them the distance. A rounded direction costs some of the bound, never its truth. */
static double axes_bound(const wit_vec3 a[2], const wit_vec3 b[2])
{
    wit_vec3 d = sub3(a[1], a[0]), e = sub3(b[1], b[0]);
    wit_vec3 n = across(across(sub3(a[0], b[0]), d), across(e, d));
    double best = width_along(a, b, n), dd = dot3(d, d), ee = dot3(e, e);
    for (int k = 0; k < 2; ++k) {
        wit_vec3 p = sub3(a[k], b[0]), q = sub3(a[0], b[k]);
        double t = ee > 0 ? smaller(1, larger(0, dot3(p, e) / ee)) : 0;
        double s = dd > 0 ? smaller(1, larger(0, -dot3(q, d) / dd)) : 0;
        best = larger(best, width_along(a, b, addscaled3(p, -t, e)));
        best = larger(best, width_along(a, b, addscaled3(q, s, d)));
    }
    return best;
}

/*
 * x within y: no end of x's axis is farther from the axis of y. What of x stands beyond an end of y by more than `room`, along the axis
 * of y, is farther than that from y; the rest is about the part of its axis that reaches there: how a long peg leans beyond a
 * short hole does not matter.
 */
static double within_bound(const closed_shape* x, const closed_shape* y)
{
    double room = y->rho[0] - x->rho[0], rho, h[2], part[2] = {0, 1}, farthest = 0;
    if (!(room > 0)) return 0;
    wit_vec3 from = on_axis(x, x->h[0]), way = sub3(on_axis(x, x->h[1]), from);
    double across = x->rho[0] * norm3(cross3(x->z, y->z)) + ROUNDING * (x->magnitude + y->magnitude);
    wit_interval near = {smaller(y->h[0], y->h[1]) - room - across, larger(y->h[0], y->h[1]) + room + across};
    to_axis(y, from, &rho, &h[0]);
    to_axis(y, add3(from, way), &rho, &h[1]);
    if (larger(h[0], h[1]) < near.lo || smaller(h[0], h[1]) > near.hi) return room;
    for (int k = 0; k < 2; ++k) {
        double end = h[k] < near.lo ? near.lo : h[k] > near.hi ? near.hi : h[k];
        if (end != h[k]) part[k] = (end - h[0]) / (h[1] - h[0]);
        to_axis(y, addscaled3(from, part[k], way), &rho, &end);
        farthest = larger(farthest, rho);
    }
    return room - farthest;
}

/* Lines and cylinders in any position. */
static double straight_bound(const closed_shape* x, const closed_shape* y)
{
    wit_vec3 a[2] = {on_axis(x, x->h[0]), on_axis(x, x->h[1])};
    wit_vec3 b[2] = {on_axis(y, y->h[0]), on_axis(y, y->h[1])};
    double beside = axes_bound(a, b) - x->rho[0] - y->rho[0];
    if (beside > 0) return beside;
    return larger(within_bound(x, y), within_bound(y, x));
}

/* ---- planes -------------------------------------------------------------------------------- */

/* How far [lo, hi] is from 0. */
static double clear_of_zero(double lo, double hi)
{
    return lo > 0 ? lo : hi < 0 ? -hi : 0;
}

/* The support of a turned shape along the normal is that of the circles at the ends of its profile. */
static double plane_turned_bound(const closed_shape* plane, const closed_shape* c)
{
    double sine = norm3(cross3(plane->z, c->z)), lo = INFINITY, hi = -INFINITY;
    for (int k = 0; k < c->points; ++k) {
        double height = dot3(sub3(on_axis(c, c->h[k]), plane->o), plane->z), reach = c->rho[k] * sine;
        lo = smaller(lo, height - reach);
        hi = larger(hi, height + reach);
    }
    return clear_of_zero(lo - c->tube, hi + c->tube);
}

static double rectangle_bound(const closed_shape* plane, const closed_shape* rectangle, double* magnitude)
{
    if (rectangle->unbounded) return 0;
    double height = dot3(sub3(rectangle->o, plane->o), plane->z), x = dot3(rectangle->x, plane->z),
           y = dot3(rectangle->y, plane->z);
    wit_interval range = iv_add(iv_point(height), iv_add(iv_scale(x, rectangle->u), iv_scale(y, rectangle->v)));
    *magnitude += iv_mag(rectangle->u) + iv_mag(rectangle->v);
    return clear_of_zero(range.lo, range.hi);
}

static double planes_bound(const closed_shape* a, const closed_shape* b)
{
    double more_a = 0, more_b = 0;
    double x = rectangle_bound(a, b, &more_b) - ROUNDING * more_b;
    double y = rectangle_bound(b, a, &more_a) - ROUNDING * more_a;
    return larger(x, y);
}

/* ---- all together -------------------------------------------------------------------------- */

static double shapes_bound(const closed_shape* a, const closed_shape* b)
{
    if (a->form == CLOSED_NONE || b->form == CLOSED_NONE) return 0;
    if (is_ball(a) && is_ball(b)) return larger(ball_bound(a, b), ball_bound(b, a)); /* each counts the other's zone */
    if (is_ball(a)) return ball_bound(a, b);
    if (is_ball(b)) return ball_bound(b, a);
    if (a->form == CLOSED_PLANE) return b->form == CLOSED_PLANE ? planes_bound(a, b) : plane_turned_bound(a, b);
    if (b->form == CLOSED_PLANE) return plane_turned_bound(b, a);
    double best = is_straight(a) && is_straight(b) ? straight_bound(a, b) : 0;
    if (is_line(a) && is_line(b)) return best;
    return larger(best, larger(coaxial_bound(a, b), coaxial_bound(b, a)));
}

double wi_closed_bound(const side* a, wit_feature_kind kind_a, int id_a, const side* b, wit_feature_kind kind_b,
                       int id_b)
{
    closed_shape x, y;
    wi_closed_shape_placed(a, kind_a, id_a, &x);
    if (x.form == CLOSED_NONE) return 0;
    wi_closed_shape_placed(b, kind_b, id_b, &y);
    if (y.form == CLOSED_NONE) return 0;
    return larger(0, shapes_bound(&x, &y) - ROUNDING * (x.magnitude + y.magnitude));
}

double wi_closed_bound_point(const side* a, wit_feature_kind kind_a, int id_a, wit_vec3 point)
{
    closed_shape c;
    wi_closed_shape_of(a->body, kind_a, id_a, &c);
    if (c.form == CLOSED_NONE) return 0;
    double magnitude = c.magnitude + fabs(point.x) + fabs(point.y) + fabs(point.z);
    if (a->moved) magnitude += fabs(a->t.x) + fabs(a->t.y) + fabs(a->t.z);
    return larger(0, point_distance(&c, side_unpoint(a, point)) - ROUNDING * magnitude);
}
