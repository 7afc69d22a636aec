/* SPDX-License-Identifier: MIT */
/* Which closed form a face, an edge or a vertex has. */
#include "closed_shape.h"

#include <string.h>

static double size1(wit_vec3 a)
{
    return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

/* Ends of a range as they may come out of a trim: a few units in the last place are not to be relied on. */
static wit_interval outward(wit_interval r)
{
    return iv_widen(r, 4 * DBL_EPSILON * iv_mag(r));
}

static void turned(closed_shape* c, wit_vec3 o, wit_vec3 z)
{
    c->form = CLOSED_TURNED;
    c->o = o;
    c->z = z;
    c->points = 1;
}

static void turned_segment(closed_shape* c, wit_vec3 o, wit_vec3 z, wit_interval h)
{
    turned(c, o, z);
    h = outward(h);
    c->points = 2;
    c->h[0] = h.lo;
    c->h[1] = h.hi;
}

static void zone(closed_shape* c, wit_interval angle, double whole)
{
    c->angle = outward(angle);
    c->arc = iv_width(angle) < whole;
}

static void circle(closed_shape* c, wit_vec3 centre, wit_vec3 axis, double radius)
{
    turned(c, centre, axis);
    c->rho[0] = fabs(radius);
}

/* ---- faces --------------------------------------------------------------------------------- */

static bool is_segment(const wit_curve* c, wit_interval t)
{
    if (c->kind == WIT_CURVE_LINE) return true;
    if (c->kind != WIT_CURVE_NURBS || c->spline.t.degree != 1) return false;
    int count;
    const double* breaks = wit_curve_breaks(c, &count);
    for (int k = 0; k < count; ++k)
        if (breaks[k] > t.lo && breaks[k] < t.hi) return false;
    return true;
}

/*
 * A straight profile in a plane through the axis: a cylinder, a cone or a disc, whoever wrote it. What leaves the plane is linear
 * along it, so that its ends bound it: by rounding only.
 */
static void turned_profile(const wit_surface* s, wit_interval v, closed_shape* c)
{
    const wit_curve* profile = surface_profile(s);
    const shape_frame* f = &s->frame;
    if (!(iv_width(v) > 0) || !is_segment(profile, v)) return;
    double x[2], h[2], off = 0, size = 0, more = 4 * DBL_EPSILON * iv_mag(v) / iv_width(v);
    for (int k = 0; k < 2; ++k) {
        wit_curve_jet j;
        wi_curve_part(profile, k ? v.hi : v.lo, k ? WIT_KNOT_T_BELOW : WIT_KNOT_DEFAULT, NULL, &j);
        wit_vec3 r = sub3(j.p, f->o);
        x[k] = dot3(r, f->x);
        h[k] = dot3(r, f->z);
        off = larger(off, fabs(dot3(r, f->y)));
        size = larger(size, size1(f->o) + size1(r));
    }
    if (off > 4 * DBL_EPSILON * size || smaller(x[0], x[1]) < -4 * DBL_EPSILON * size) return;
    turned(c, f->o, f->z);
    c->points = 2;
    c->magnitude = size; /* for what its ends are off by */
    for (int k = 0; k < 2; ++k) {
        c->rho[k] = larger(0, x[k] + more * (x[k] - x[1 - k]));
        c->h[k] = h[k] + more * (h[k] - h[1 - k]);
    }
}

static void surface_shape(const wit_surface* s, wit_interval u, wit_interval v, closed_shape* c)
{
    const shape_frame* f = &s->frame;
    switch (s->kind) {
    case WIT_SURFACE_PLANE:
        c->form = CLOSED_PLANE;
        c->o = f->o;
        c->x = f->x;
        c->y = f->y;
        c->z = f->z;
        c->u = outward(u);
        c->v = outward(v);
        break;
    case WIT_SURFACE_CYLINDER:
        turned_segment(c, f->o, f->z, v);
        c->rho[0] = c->rho[1] = s->a;
        break;
    case WIT_SURFACE_CONE:
        turned(c, f->o, f->z);
        v = outward(v);
        c->points = 2;
        c->h[0] = v.lo * s->cosine;
        c->h[1] = v.hi * s->cosine;
        /* one side of the apex: |r| is linear there, and beyond it by rounding only */
        c->rho[0] = larger(0, s->c * (s->a + v.lo * s->sine));
        c->rho[1] = larger(0, s->c * (s->a + v.hi * s->sine));
        break;
    case WIT_SURFACE_SPHERE:
    case WIT_SURFACE_ELLIPSOID:
        if (s->kind == WIT_SURFACE_ELLIPSOID && !(s->a == s->b && s->b == s->c)) break;
        turned(c, f->o, f->z);
        c->tube = s->a;
        zone(c, v, PI - 1e-12);
        break;
    case WIT_SURFACE_TORUS:
        turned(c, f->o, f->z);
        c->rho[0] = s->a;
        c->tube = s->b;
        zone(c, v, TWO_PI - 1e-12);
        break;
    case WIT_SURFACE_REVOLUTION:
        turned_profile(s, v, c);
        break;
    default:
        break;
    }
}

/* ---- curves -------------------------------------------------------------------------------- */

/* The line at u = value; v runs over the range. */
static void line_of_surface(const wit_surface* s, double value, wit_interval range, closed_shape* c)
{
    const shape_frame* f = &s->frame;
    double sine, cosine;
    wit_vec3 e;
    wit_curve_jet jet;
    switch (s->kind) {
    case WIT_SURFACE_PLANE:
        turned_segment(c, addscaled3(f->o, value, f->x), f->y, range);
        return;
    case WIT_SURFACE_EXTRUSION:
        wi_curve_part(surface_profile(s), value, WIT_KNOT_DEFAULT, NULL, &jet);
        turned_segment(c, jet.p, f->z, range);
        return;
    case WIT_SURFACE_CYLINDER:
    case WIT_SURFACE_CONE:
    case WIT_SURFACE_SPHERE:
    case WIT_SURFACE_TORUS:
        break;
    default:
        return;
    }
    wit_sincos(value, &sine, &cosine);
    e = addscaled3(scale3(cosine, f->x), sine, f->y);
    if (s->kind == WIT_SURFACE_CYLINDER)
        turned_segment(c, addscaled3(f->o, s->a, e), f->z, range);
    else if (s->kind == WIT_SURFACE_CONE)
        turned_segment(c, addscaled3(f->o, s->a, e), addscaled3(scale3(s->sine, e), s->cosine, f->z), range);
    else
        circle(c, s->kind == WIT_SURFACE_TORUS ? addscaled3(f->o, s->a, e) : f->o, cross3(f->z, e),
               s->kind == WIT_SURFACE_TORUS ? s->b : s->a);
}

/* The curve at v = value: a circle about the axis, or a line of the plane; u runs over the range. */
static void parallel_of_surface(const wit_surface* s, double value, wit_interval range, closed_shape* c)
{
    const shape_frame* f = &s->frame;
    double sine, cosine, along;
    wit_curve_jet jet;
    switch (s->kind) {
    case WIT_SURFACE_PLANE:
        turned_segment(c, addscaled3(f->o, value, f->y), f->x, range);
        break;
    case WIT_SURFACE_CYLINDER:
        circle(c, addscaled3(f->o, value, f->z), f->z, s->a);
        break;
    case WIT_SURFACE_CONE:
        circle(c, addscaled3(f->o, value * s->cosine, f->z), f->z, s->a + value * s->sine);
        break;
    case WIT_SURFACE_SPHERE:
        wit_sincos(value, &sine, &cosine);
        circle(c, addscaled3(f->o, s->a * sine, f->z), f->z, s->a * cosine);
        break;
    case WIT_SURFACE_TORUS:
        wit_sincos(value, &sine, &cosine);
        circle(c, addscaled3(f->o, s->b * sine, f->z), f->z, s->a + s->b * cosine);
        break;
    case WIT_SURFACE_ELLIPSOID:
        if (s->a != s->b) break;
        wit_sincos(value, &sine, &cosine);
        circle(c, addscaled3(f->o, s->c * sine, f->z), f->z, s->a * cosine);
        break;
    case WIT_SURFACE_PARABOLOID:
        if (s->a == s->b) circle(c, addscaled3(f->o, s->c * value * value, f->z), f->z, s->a * value);
        break;
    case WIT_SURFACE_REVOLUTION:
        wi_curve_part(surface_profile(s), value, WIT_KNOT_DEFAULT, NULL, &jet);
        jet.p = sub3(jet.p, f->o);
        along = dot3(jet.p, f->z);
        circle(c, addscaled3(f->o, along, f->z), f->z, norm3(addscaled3(jet.p, -along, f->z)));
        break;
    default:
        break;
    }
}

/* S(c(t)) where c is a line along u or v, or any line or circle of a plane. */
static void lifted_shape(const wit_surface* s, const wit_curve* c, wit_interval range, closed_shape* out)
{
    const shape_frame *f = &s->frame, *p = &c->frame;
    if (c->kind == WIT_CURVE_LINE && p->x.x == 0) {
        wit_interval v = iv_add(iv_point(p->o.y), iv_scale(p->x.y, range));
        line_of_surface(s, p->o.x, v, out);
    } else if (c->kind == WIT_CURVE_LINE && p->x.y == 0) {
        wit_interval u = iv_add(iv_point(p->o.x), iv_scale(p->x.x, range));
        parallel_of_surface(s, p->o.y, u, out);
    } else if (s->kind == WIT_SURFACE_PLANE && c->kind == WIT_CURVE_LINE) {
        double speed = sqrt(p->x.x * p->x.x + p->x.y * p->x.y);
        wit_vec3 direction = addscaled3(scale3(p->x.x / speed, f->x), p->x.y / speed, f->y);
        turned_segment(out, addscaled3(addscaled3(f->o, p->o.x, f->x), p->o.y, f->y), direction,
                       iv_scale(speed, range));
    } else if (s->kind == WIT_SURFACE_PLANE && c->kind == WIT_CURVE_CIRCLE && p->z.x == 0 && p->z.y == 0) {
        circle(out, addscaled3(addscaled3(f->o, p->o.x, f->x), p->o.y, f->y), f->z, c->a);
    }
}

static void curve_shape(const wit_curve* c, wit_interval range, closed_shape* out)
{
    switch (c->kind) {
    case WIT_CURVE_LINE:
        turned_segment(out, c->frame.o, c->frame.x, range);
        break;
    case WIT_CURVE_CIRCLE:
        circle(out, c->frame.o, c->frame.z, c->a);
        break;
    case WIT_CURVE_ELLIPSE:
        if (c->a == c->b) circle(out, c->frame.o, c->frame.z, c->a);
        break;
    case WIT_CURVE_ISO:
        if (c->fixed == WIT_U)
            line_of_surface(curve_surface(c), c->value, range, out);
        else
            parallel_of_surface(curve_surface(c), c->value, range, out);
        break;
    case WIT_CURVE_ON_SURFACE:
        lifted_shape(curve_surface(c), curve_parameter_curve(c), range, out);
        break;
    default:
        break;
    }
}

/* ---- features ------------------------------------------------------------------------------ */

/* What is free-form is asked most often. */
static bool is_spline(const wit_body* body, wit_feature_kind kind, int id)
{
    if (kind == WIT_FACE) return body_surface(body, id)->kind == WIT_SURFACE_NURBS;
    if (kind != WIT_EDGE) return false;
    const wit_curve* c = body_curve(body, id);
    if (c->kind == WIT_CURVE_ISO || c->kind == WIT_CURVE_ON_SURFACE) return curve_surface(c)->kind == WIT_SURFACE_NURBS;
    return c->kind == WIT_CURVE_NURBS;
}

void wi_closed_shape_of(const wit_body* body, wit_feature_kind kind, int id, closed_shape* out)
{
    out->form = CLOSED_NONE;
    if (is_spline(body, kind, id)) return;
    memset(out, 0, sizeof *out);
    if (kind == WIT_FACE) {
        const body_face* f = &body_faces(body)[id];
        surface_shape(body_surface(body, id), f->u, f->v, out);
        out->unbounded = f->unbounded;
    } else if (kind == WIT_EDGE) {
        curve_shape(body_curve(body, id), body_edges(body)[id].range, out);
    } else {
        turned(out, body_vertices(body)[id].point, vec3(0, 0, 1));
    }
    out->magnitude +=
        size1(out->o) + larger(out->rho[0], out->rho[1]) + larger(fabs(out->h[0]), fabs(out->h[1])) + out->tube;
}

void wi_closed_shape_placed(const side* s, wit_feature_kind kind, int id, closed_shape* out)
{
    if (!s->body) {
        memset(out, 0, sizeof *out);
        turned(out, s->t, vec3(0, 0, 1));
        out->magnitude = size1(s->t);
        return;
    }
    wi_closed_shape_of(s->body, kind, id, out);
    if (!s->moved || out->form == CLOSED_NONE) return;
    out->o = side_point(s, out->o);
    out->z = side_vector(s, out->z);
    if (out->form == CLOSED_PLANE) {
        out->x = side_vector(s, out->x);
        out->y = side_vector(s, out->y);
    }
    out->magnitude += size1(s->t);
}
