/* SPDX-License-Identifier: MIT */
/*
 * Differences of two curves that are the same function of t with coefficients of their own: A + B t for lines, A + B cos t + C
 * sin t for circles and ellipses. The coefficients' differences are taken in twofold precision, where each term is good to
 * 2^-100 of itself.
 */
#include "lift_exact.h"

#include "../../base/twofold.h"

#define TERM_ERROR 0x1p-90 /* of the sum of all terms' magnitudes */

/* A sum of vectors with factors, and the sum of their magnitudes. */
typedef struct exact_sum {
    twofold d[3];
    double most;
} exact_sum;

static void add_term(exact_sum* s, twofold factor, wit_vec3 v)
{
    const double c[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; ++i) {
        s->d[i] = two_add(s->d[i], two_mul(factor, two(c[i])));
        s->most += fabs(factor.hi * c[i]);
    }
}

static double length_of(const exact_sum* s)
{
    double square = 0;
    for (int i = 0; i < 3; ++i) square += s->d[i].hi * s->d[i].hi;
    return sqrt(square) * (1 + 1e-9) + TERM_ERROR * s->most;
}

/* value + t slope */
static twofold linear(double value, double t, double slope)
{
    return two_add(two(value), two_product(t, slope));
}

double wi_line_off(const wit_curve* line, double t, wit_vec3 p)
{
    exact_sum s = {{{0, 0}, {0, 0}, {0, 0}}, 0};
    add_term(&s, two(1), line->frame.o);
    add_term(&s, two(t), line->frame.x);
    add_term(&s, two(-1), p);
    return length_of(&s);
}

/* ---- planes ----------------------------------------------------------------------------------- */

/* The difference at t of two lines. */
static double line_gap(const lift_pair* l, double t)
{
    const shape_frame *c = &l->curve->frame, *x = &l->parameter_curve->frame, *s = &l->surface->frame;
    exact_sum d = {{{0, 0}, {0, 0}, {0, 0}}, 0};
    add_term(&d, two(1), c->o);
    add_term(&d, two(t), c->x);
    add_term(&d, two(-1), s->o);
    add_term(&d, two_neg(linear(x->o.x, t, x->x.x)), s->x);
    add_term(&d, two_neg(linear(x->o.y, t, x->x.y)), s->y);
    d.most += fabs(t) + fabs(x->o.x) + fabs(x->o.y);
    return length_of(&d);
}

/* Of a vector in space, times `factor`, and one in the plane's (u, v), times `other`. */
static double vector_gap(const shape_frame* s, double factor, wit_vec3 v, double other, wit_vec3 uv)
{
    exact_sum d = {{{0, 0}, {0, 0}, {0, 0}}, 0};
    add_term(&d, two(factor), v);
    add_term(&d, two_product(-other, uv.x), s->x);
    add_term(&d, two_product(-other, uv.y), s->y);
    return length_of(&d);
}

static double origin_gap(const shape_frame* s, wit_vec3 o, wit_vec3 uv)
{
    exact_sum d = {{{0, 0}, {0, 0}, {0, 0}}, 0};
    add_term(&d, two(1), o);
    add_term(&d, two(-1), s->o);
    add_term(&d, two(-uv.x), s->x);
    add_term(&d, two(-uv.y), s->y);
    return length_of(&d);
}

/* |A + B cos t + C sin t| <= |A| + the root of |B|^2 + |C|^2. */
static double turned(double a, double b, double c)
{
    return (a + sqrt(b * b + c * c)) * (1 + 1e-9);
}

static bool is_ellipse(const wit_curve* c)
{
    return c->kind == WIT_CURVE_CIRCLE || c->kind == WIT_CURVE_ELLIPSE;
}

static double on_plane(const lift_pair* l)
{
    const wit_curve *c = l->curve, *x = l->parameter_curve;
    const shape_frame* s = &l->surface->frame;
    if (c->kind == WIT_CURVE_LINE && x->kind == WIT_CURVE_LINE)
        return larger(line_gap(l, l->range.lo), line_gap(l, l->range.hi));
    if (!is_ellipse(c) || !is_ellipse(x)) return INFINITY;
    return turned(origin_gap(s, c->frame.o, x->frame.o), vector_gap(s, c->a, c->frame.x, x->a, x->frame.x),
                  vector_gap(s, c->b, c->frame.y, x->b, x->frame.y));
}

/* ---- circles of latitude -------------------------------------------------------------------- */

/* radius v - other w */
static double ray_gap(double radius, wit_vec3 v, twofold other, wit_vec3 w)
{
    exact_sum d = {{{0, 0}, {0, 0}, {0, 0}}, 0};
    add_term(&d, two(radius), v);
    add_term(&d, two_neg(other), w);
    return length_of(&d);
}

/* A circle of latitude, v fixed: R (cos u x + sin u y) + h z. `off`: R and h may be off by so much each. */
typedef struct latitude {
    twofold radius, height;
    double off;
} latitude;

static bool latitude_of(const wit_surface* s, double v, latitude* out)
{
    const double least = 1e-6; /* of the radius: nearer to a pole it may be snapped to it */
    double sine, cosine;
    if (s->kind == WIT_SURFACE_CYLINDER) {
        *out = (latitude){two(s->a), two(v), 0};
        return true;
    }
    if (s->kind == WIT_SURFACE_CONE) {
        *out = (latitude){linear(s->a, v, s->sine), two_product(v, s->cosine), 0};
    } else { /* sine and cosine are within a unit in the last place of 1 (witness/base.h) */
        bool torus = s->kind == WIT_SURFACE_TORUS;
        double own = torus ? s->b : s->a;
        wit_sincos(v, &sine, &cosine);
        *out = (latitude){two_product(own, cosine), two_product(own, sine), DBL_EPSILON * own};
        if (torus) out->radius = two_add(two(s->a), out->radius);
    }
    return out->radius.hi > least * s->a;
}

/* With u = t or u = -t. */
static double about_axis(const lift_pair* l)
{
    const wit_curve *c = l->curve, *x = l->parameter_curve;
    const wit_surface* s = l->surface;
    bool along_u = x->kind == WIT_CURVE_LINE && x->frame.o.x == 0 && fabs(x->frame.x.x) == 1 && x->frame.x.y == 0;
    double way = x->frame.x.x, v = x->frame.o.y, a = way * l->range.lo, b = way * l->range.hi;
    bool inside = smaller(a, b) >= s->u.lo && larger(a, b) <= s->u.hi && v >= s->v.lo && v <= s->v.hi;
    latitude at;
    if (!is_ellipse(c) || !along_u || !inside || !latitude_of(s, v, &at)) return INFINITY;
    exact_sum d = {{{0, 0}, {0, 0}, {0, 0}}, 0};
    add_term(&d, two(1), c->frame.o);
    add_term(&d, two(-1), s->frame.o);
    add_term(&d, two_neg(at.height), s->frame.z);
    twofold across = way > 0 ? at.radius : two_neg(at.radius);
    double axis = length_of(&d) + 2 * at.off * (1 + 1e-9); /* |x|, |y|, |z| are 1 to rounding */
    return turned(axis, ray_gap(c->a, c->frame.x, at.radius, s->frame.x),
                  ray_gap(c->b, c->frame.y, across, s->frame.y));
}

double wi_lift_exact(const lift_pair* l)
{
    const wit_curve* x = l->parameter_curve;
    if (l->scale != 1 || l->shift != 0 || x->range.lo > l->range.lo || x->range.hi < l->range.hi) return INFINITY;
    switch (l->surface->kind) {
    case WIT_SURFACE_PLANE:
        return on_plane(l);
    case WIT_SURFACE_CYLINDER:
    case WIT_SURFACE_CONE:
    case WIT_SURFACE_SPHERE:
    case WIT_SURFACE_TORUS:
        return about_axis(l);
    default:
        return INFINITY;
    }
}
