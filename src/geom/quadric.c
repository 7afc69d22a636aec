/* SPDX-License-Identifier: MIT */
/*
 * Plane, cylinder, cone, sphere, ellipsoid, torus, paraboloid.
 *
 * All but the plane are S(u, v) = o + r(v) e(u) + z(v) z with e(u) = A cos u x + B sin u y. In one axis d
 * a derivative is r^(j)(v) g^(i)(u) + [i = 0] z^(j)(v) (d.z), g = d.e: linear in g. So its extremes
 * over u stand at the ends of the exact range of g, and what is left is a function of v alone, a
 * trigonometric form or a quadratic, whose range has a closed form. The normal fields have the same form.
 */
#include "polar.h"
#include "shape_tools.h"
#include "trig_range.h"

polar wi_polar_of(const wit_surface* s)
{
    polar p = {1, 1, false, {{0, 0, 0}}, {{0, 0, 0}}};
    switch (s->kind) {
    case WIT_SURFACE_CYLINDER:
        p.r.c[0] = s->a;
        p.z.c[1] = 1;
        break;
    case WIT_SURFACE_CONE:
        p.r.c[0] = s->a;
        p.r.c[1] = s->sine;
        p.z.c[1] = s->cosine;
        break;
    case WIT_SURFACE_SPHERE:
        p.trig = true;
        p.r.c[1] = p.z.c[2] = s->a;
        break;
    case WIT_SURFACE_TORUS:
        p.trig = true;
        p.r.c[0] = s->a;
        p.r.c[1] = p.z.c[2] = s->b;
        break;
    default: /* ELLIPSOID, PARABOLOID */
        p.trig = s->kind == WIT_SURFACE_ELLIPSOID;
        p.A = s->a;
        p.B = s->b;
        p.r.c[1] = 1;
        p.z.c[2] = s->c;
        break;
    }
    return p;
}

/* The field du x dv / r, whose factor r is never negative in the range (CONE: s->c is its sign). */
static polar normal_polar_of(const wit_surface* s)
{
    polar p = {1, 1, false, {{0, 0, 0}}, {{0, 0, 0}}};
    double least;
    switch (s->kind) {
    case WIT_SURFACE_CYLINDER:
        p.r.c[0] = 1;
        break;
    case WIT_SURFACE_CONE:
        p.r.c[0] = s->c * s->cosine;
        p.z.c[0] = -s->c * s->sine;
        break;
    case WIT_SURFACE_ELLIPSOID:
        least = fmin(s->a, fmin(s->b, s->c));
        p.trig = true;
        p.A = least / s->a;
        p.B = least / s->b;
        p.r.c[1] = 1;
        p.z.c[2] = least / s->c;
        break;
    case WIT_SURFACE_PARABOLOID:
        p.A = 2 * s->c / s->a;
        p.B = 2 * s->c / s->b;
        p.r.c[1] = 1;
        p.z.c[0] = -1;
        break;
    default: /* SPHERE, TORUS */
        p.trig = true;
        p.r.c[1] = p.z.c[2] = 1;
        break;
    }
    return p;
}

static form derive(form f, bool trig)
{
    form d = {{0, f.c[2], -f.c[1]}};
    form q = {{f.c[1], 2 * f.c[2], 0}};
    return trig ? d : q;
}

static form combine(double a, form f, double b, form g)
{
    form r = {{a * f.c[0] + b * g.c[0], a * f.c[1] + b * g.c[1], a * f.c[2] + b * g.c[2]}};
    return r;
}

static wit_interval form_range(form f, bool trig, const angle_span* v)
{
    return trig ? wi_trig_range(v, f.c[1], f.c[2], f.c[0]) : wi_quadratic_range(v->x, f.c[0], f.c[1], f.c[2]);
}

/* Upper bound of what evaluating f sums up. */
static double form_size(form f, bool trig, double v)
{
    return trig ? fabs(f.c[0]) + fabs(f.c[1]) + fabs(f.c[2]) : fabs(f.c[0]) + v * (fabs(f.c[1]) + v * fabs(f.c[2]));
}

static angle_span v_span_of(const polar* p, wit_interval v)
{
    if (p->trig) return wi_angle_span_of(v);
    angle_span s = {v, 0, 1, 0, 1, 0};
    return s;
}

static double size1(wit_vec3 e)
{
    return fabs(e.x) + fabs(e.y) + fabs(e.z);
}

/* Derivatives i in u, j in v stand at this place of an enclosure. */
static int derivative_index(int i, int j)
{
    int n = i + j;
    return n * (n + 1) / 2 + j;
}

/* What an axis e sees: g = e.e(u) and its derivatives over the span of u, and e in the frame. */
typedef struct axis_view {
    wit_interval g[4];
    double o, o_size; /* e.o and the magnitudes it sums up */
    double z, size;
} axis_view;

static axis_view axis_view_of(const shape_frame* f, const polar* p, const angle_span* us, wit_vec3 e)
{
    axis_view x;
    double a = p->A * dot3(e, f->x), b = p->B * dot3(e, f->y);
    x.g[0] = wi_trig_range(us, a, b, 0);
    x.g[1] = wi_trig_range(us, b, -a, 0);
    x.g[2] = iv(-x.g[0].hi, -x.g[0].lo);
    x.g[3] = iv(-x.g[1].hi, -x.g[1].lo);
    x.o = dot3(e, f->o);
    x.o_size = fabs(e.x * f->o.x) + fabs(e.y * f->o.y) + fabs(e.z * f->o.z);
    x.z = dot3(e, f->z);
    x.size = size1(e);
    return x;
}

static void polar_enclose(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                          surface_enclosure* out)
{
    polar p = wi_polar_of(s);
    angle_span us = wi_angle_span_of(u), vs = v_span_of(&p, v);
    double v_mag = iv_mag(v), eps = DBL_EPSILON * (16 + us.noise + vs.noise);
    axis_view view[3];
    for (int k = 0; k < 3; k++) view[k] = axis_view_of(&s->frame, &p, &us, axes[k]);
    form r = p.r, z = p.z;
    for (int j = 0; j <= 3; j++) {
        wit_interval r_range = form_range(r, p.trig, &vs);
        double r_size = fmax(p.A, p.B) * form_size(r, p.trig, v_mag), z_size = form_size(z, p.trig, v_mag);
        for (int k = 0; k < 3; k++) {
            const axis_view* x = &view[k];
            wit_interval d = iv_union(form_range(combine(x->g[0].lo, r, x->z, z), p.trig, &vs),
                                      form_range(combine(x->g[0].hi, r, x->z, z), p.trig, &vs));
            double o = j == 0 ? x->o : 0, o_size = j == 0 ? x->o_size : 0;
            double margin = eps * x->size * (r_size + z_size) + 16 * DBL_EPSILON * o_size;
            out->d[derivative_index(0, j)][k] = iv_widen(iv(d.lo + o, d.hi + o), margin);
            for (int i = 1; i + j <= 3; i++)
                out->d[derivative_index(i, j)][k] = iv_widen(iv_mul(x->g[i], r_range), eps * x->size * r_size);
        }
        r = derive(r, p.trig);
        z = derive(z, p.trig);
    }
}

static bool polar_normals(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                          wit_interval out[3])
{
    const shape_frame* f = &s->frame;
    polar p = normal_polar_of(s);
    angle_span us = wi_angle_span_of(u), vs = v_span_of(&p, v);
    double v_mag = iv_mag(v), eps = DBL_EPSILON * (16 + us.noise + vs.noise);
    double size = fmax(p.A, p.B) * form_size(p.r, p.trig, v_mag) + form_size(p.z, p.trig, v_mag);
    for (int k = 0; k < 3; k++) {
        wit_vec3 e = axes[k];
        double ez = dot3(e, f->z);
        wit_interval g = wi_trig_range(&us, p.A * dot3(e, f->x), p.B * dot3(e, f->y), 0);
        wit_interval d = iv_union(form_range(combine(g.lo, p.r, ez, p.z), p.trig, &vs),
                                  form_range(combine(g.hi, p.r, ez, p.z), p.trig, &vs));
        out[k] = iv_widen(d, eps * size1(e) * size);
    }
    return true;
}

/* r and z with their first two derivatives in v. */
static inline void polar_jet(const wit_surface* s, double u, double A, double B, const double r[3], const double z[3],
                             wit_surface_jet* out)
{
    const shape_frame* f = &s->frame;
    double sine, cosine;
    wit_sincos(u, &sine, &cosine);
    wit_vec3 e = addscaled3(scale3(A * cosine, f->x), B * sine, f->y);
    wit_vec3 e1 = addscaled3(scale3(-A * sine, f->x), B * cosine, f->y);
    wit_vec3 re = scale3(r[0], e);
    out->p = add3(f->o, addscaled3(re, z[0], f->z));
    out->du = scale3(r[0], e1);
    out->dv = addscaled3(scale3(r[1], e), z[1], f->z);
    out->duu = scale3(-1, re);
    out->duv = scale3(r[1], e1);
    out->dvv = addscaled3(scale3(r[2], e), z[2], f->z);
}

/* A radius within rounding of zero is zero: poles and apexes are one point, exactly. */
static inline double snap(double r, double rounding)
{
    return fabs(r) <= rounding ? 0 : r;
}

/* ---- what is common to the builds ---------------------------------------------------------- */

static size_t no_extra(const wit_surface_def* def)
{
    (void)def;
    return 0;
}

static wit_interval or_natural(wit_interval given, double lo, double hi)
{
    return range_given(given) ? given : iv(lo, hi);
}

/* Around the axis in u; v as given. The range touches a pole or an apex when r(v) nearly vanishes there. */
static wit_status polar_build(wit_surface* s, const wit_surface_def* def, wit_interval v)
{
    s->frame = wi_frame_of(&def->frame);
    s->u = or_natural(def->range_u, 0, TWO_PI);
    s->v = v;
    s->closed_u = full_turn(s->u);
    polar p = wi_polar_of(s);
    angle_span vs = v_span_of(&p, v);
    wit_interval r = form_range(p.r, p.trig, &vs);
    s->degenerate = iv_mig(r) <= 1e-9 * iv_mag(r);
    return WIT_OK;
}

static wit_status polar_check(const wit_surface_def* def, wit_error* error)
{
    wit_status status = wi_check_frame(&def->frame, error);
    if (!status && range_given(def->range_u)) status = wi_check_angle_range(def->range_u, "range_u", error);
    return status;
}

static wit_status semi_axes_check(const wit_surface_def* def, wit_error* error)
{
    wit_status status = polar_check(def, error);
    if (!status) status = wi_check_length(def->semi_x, "semi_x", error);
    if (!status) status = wi_check_length(def->semi_y, "semi_y", error);
    if (!status) status = wi_check_length(def->semi_z, "semi_z", error);
    return status;
}

static wit_status semi_axes_build(wit_surface* s, const wit_surface_def* def, wit_interval v)
{
    s->a = def->semi_x;
    s->b = def->semi_y;
    s->c = def->semi_z;
    return polar_build(s, def, v);
}

/* ---- plane --------------------------------------------------------------------------------- */

static wit_status plane_check(const wit_surface_def* def, wit_error* error)
{
    wit_status status = wi_check_frame(&def->frame, error);
    if (!status) status = wi_check_range_given(def->range_u, "range_u", error);
    if (!status) status = wi_check_range_given(def->range_v, "range_v", error);
    return status;
}

static wit_status plane_build(wit_surface* s, const wit_surface_def* def, wit_error* error)
{
    (void)error;
    s->frame = wi_frame_of(&def->frame);
    s->u = def->range_u;
    s->v = def->range_v;
    return WIT_OK;
}

static void plane_jet(const wit_surface* s, double u, double v, wit_surface_jet* out)
{
    out->p = addscaled3(addscaled3(s->frame.o, u, s->frame.x), v, s->frame.y);
    out->du = s->frame.x;
    out->dv = s->frame.y;
    out->duu = out->duv = out->dvv = vec3(0, 0, 0);
}

static void plane_enclose(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                          surface_enclosure* out)
{
    const shape_frame* f = &s->frame;
    for (int k = 0; k < 3; k++) {
        wit_vec3 e = axes[k];
        double o = dot3(e, f->o), x = dot3(e, f->x), y = dot3(e, f->y), eps = 16 * DBL_EPSILON, size = size1(e);
        double o_size = fabs(e.x * f->o.x) + fabs(e.y * f->o.y) + fabs(e.z * f->o.z);
        wit_interval d = iv_add(iv_scale(x, u), iv_scale(y, v));
        out->d[D00][k] = iv_widen(iv(d.lo + o, d.hi + o), eps * (o_size + size * (iv_mag(u) + iv_mag(v))));
        out->d[D10][k] = iv_widen(iv_point(x), eps * size);
        out->d[D01][k] = iv_widen(iv_point(y), eps * size);
        for (int n = D20; n < SURFACE_DERIVATIVES; n++) out->d[n][k] = iv_point(0);
    }
}

static bool plane_normals(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                          wit_interval out[3])
{
    (void)u;
    (void)v;
    for (int k = 0; k < 3; k++)
        out[k] = iv_widen(iv_point(dot3(axes[k], s->frame.z)), 16 * DBL_EPSILON * size1(axes[k]));
    return true;
}

/* ---- cylinder ------------------------------------------------------------------------------ */

static wit_status cylinder_check(const wit_surface_def* def, wit_error* error)
{
    wit_status status = polar_check(def, error);
    if (!status) status = wi_check_length(def->radius, "radius", error);
    if (!status) status = wi_check_range_given(def->range_v, "range_v", error);
    return status;
}

static wit_status cylinder_build(wit_surface* s, const wit_surface_def* def, wit_error* error)
{
    (void)error;
    s->a = def->radius;
    return polar_build(s, def, def->range_v);
}

static void cylinder_jet(const wit_surface* s, double u, double v, wit_surface_jet* out)
{
    const double r[3] = {s->a, 0, 0}, z[3] = {v, 1, 0};
    polar_jet(s, u, 1, 1, r, z, out);
}

/* ---- cone ---------------------------------------------------------------------------------- */

static wit_status cone_check(const wit_surface_def* def, wit_error* error)
{
    wit_status status = polar_check(def, error);
    if (!status) status = wi_check_number(def->radius, "radius", error);
    if (!status) status = wi_check_number(def->angle, "angle", error);
    if (!status) status = wi_check_range_given(def->range_v, "range_v", error);
    if (status) return status;
    if (def->radius < 0)
        return wi_error_fill(error, WIT_ERROR_RANGE, "radius", "is %g; zero or more is needed", def->radius);
    double sine, cosine;
    wit_sincos(def->angle, &sine, &cosine);
    if (!(fabs(def->angle) < PI / 2) || fabs(sine) < 1e-12 || cosine < 1e-12)
        return wi_error_fill(error, WIT_ERROR_RANGE, "angle", "is %g; a half angle between 0 and pi/2 is needed",
                             def->angle);
    double lo = def->radius + def->range_v.lo * sine, hi = def->radius + def->range_v.hi * sine;
    double most = fmax(fabs(lo), fabs(hi));
    if (fmin(lo, hi) < -1e-12 * most && fmax(lo, hi) > 1e-12 * most)
        return wi_error_fill(error, WIT_ERROR_RANGE, "range_v", "runs over the apex at v = %.17g; it must end there",
                             0 - def->radius / sine);
    return WIT_OK;
}

/* c is the sign of r(v), the same over the range. */
static wit_status cone_build(wit_surface* s, const wit_surface_def* def, wit_error* error)
{
    (void)error;
    s->a = def->radius;
    wit_sincos(def->angle, &s->sine, &s->cosine);
    s->c = 2 * def->radius + (def->range_v.lo + def->range_v.hi) * s->sine < 0 ? -1 : 1;
    return polar_build(s, def, def->range_v);
}

static void cone_jet(const wit_surface* s, double u, double v, wit_surface_jet* out)
{
    double r0 = snap(s->a + v * s->sine, 4 * DBL_EPSILON * s->a);
    const double r[3] = {r0, s->sine, 0}, z[3] = {v * s->cosine, s->cosine, 0};
    polar_jet(s, u, 1, 1, r, z, out);
}

/* ---- sphere and ellipsoid ------------------------------------------------------------------ */

static wit_status latitude_check(const wit_surface_def* def, wit_error* error)
{
    if (!range_given(def->range_v)) return WIT_OK;
    wit_status status = wi_check_range(def->range_v, "range_v", error);
    if (status) return status;
    if (iv_mag(def->range_v) > PI / 2 + 1e-12)
        return wi_error_fill(error, WIT_ERROR_RANGE, "range_v", "reaches %.17g; a latitude lies in -pi/2 to pi/2",
                             iv_mag(def->range_v));
    if (def->range_v.lo >= PI / 2 || def->range_v.hi <= -PI / 2)
        return wi_error_fill(error, WIT_ERROR_RANGE, "range_v", "is empty within -pi/2 to pi/2");
    return WIT_OK;
}

static wit_interval latitudes(const wit_surface_def* def)
{
    wit_interval v = or_natural(def->range_v, -PI / 2, PI / 2);
    return iv(fmax(v.lo, -PI / 2), fmin(v.hi, PI / 2));
}

static wit_status sphere_check(const wit_surface_def* def, wit_error* error)
{
    wit_status status = polar_check(def, error);
    if (!status) status = wi_check_length(def->radius, "radius", error);
    return status ? status : latitude_check(def, error);
}

static wit_status sphere_build(wit_surface* s, const wit_surface_def* def, wit_error* error)
{
    (void)error;
    s->a = def->radius;
    return polar_build(s, def, latitudes(def));
}

/* cos of the double nearest to pi/2 is 6e-17, of its neighbour below 2.8e-16. */
#define POLE_COSINE 1e-16

static void sphere_jet(const wit_surface* s, double u, double v, wit_surface_jet* out)
{
    double sine, cosine;
    wit_sincos(v, &sine, &cosine);
    sine *= s->a;
    cosine = s->a * snap(cosine, POLE_COSINE);
    const double r[3] = {cosine, -sine, -cosine}, z[3] = {sine, cosine, -sine};
    polar_jet(s, u, 1, 1, r, z, out);
}

static wit_status ellipsoid_check(const wit_surface_def* def, wit_error* error)
{
    wit_status status = semi_axes_check(def, error);
    return status ? status : latitude_check(def, error);
}

static wit_status ellipsoid_build(wit_surface* s, const wit_surface_def* def, wit_error* error)
{
    (void)error;
    return semi_axes_build(s, def, latitudes(def));
}

static void ellipsoid_jet(const wit_surface* s, double u, double v, wit_surface_jet* out)
{
    double sine, cosine;
    wit_sincos(v, &sine, &cosine);
    cosine = snap(cosine, POLE_COSINE);
    const double r[3] = {cosine, -sine, -cosine}, z[3] = {s->c * sine, s->c * cosine, -s->c * sine};
    polar_jet(s, u, s->a, s->b, r, z, out);
}

/* ---- torus --------------------------------------------------------------------------------- */

static wit_status torus_check(const wit_surface_def* def, wit_error* error)
{
    wit_status status = polar_check(def, error);
    if (!status) status = wi_check_length(def->radius, "radius", error);
    if (!status) status = wi_check_length(def->minor, "minor", error);
    if (!status && range_given(def->range_v)) status = wi_check_angle_range(def->range_v, "range_v", error);
    if (status) return status;
    angle_span v = wi_angle_span_of(or_natural(def->range_v, 0, TWO_PI));
    double least = wi_trig_range(&v, def->minor, 0, def->radius).lo;
    if (least < -1e-12 * (def->radius + def->minor))
        return wi_error_fill(error, WIT_ERROR_RANGE, "range_v",
                             "runs over the axis: radius + minor cos v falls to %g; it must stay at zero or above",
                             least);
    return WIT_OK;
}

static wit_status torus_build(wit_surface* s, const wit_surface_def* def, wit_error* error)
{
    (void)error;
    s->a = def->radius;
    s->b = def->minor;
    wit_interval v = or_natural(def->range_v, 0, TWO_PI);
    s->closed_v = full_turn(v);
    return polar_build(s, def, v);
}

static void torus_jet(const wit_surface* s, double u, double v, wit_surface_jet* out)
{
    double sine, cosine;
    wit_sincos(v, &sine, &cosine);
    sine *= s->b;
    cosine *= s->b;
    const double r[3] = {snap(s->a + cosine, 4 * DBL_EPSILON * s->a), -sine, -cosine}, z[3] = {sine, cosine, -sine};
    polar_jet(s, u, 1, 1, r, z, out);
}

/* ---- paraboloid ---------------------------------------------------------------------------- */

static wit_status paraboloid_check(const wit_surface_def* def, wit_error* error)
{
    wit_status status = semi_axes_check(def, error);
    if (!status && range_given(def->range_v)) status = wi_check_range(def->range_v, "range_v", error);
    if (status) return status;
    wit_interval v = or_natural(def->range_v, 0, 1);
    if (v.lo < 0)
        return wi_error_fill(error, WIT_ERROR_RANGE, "range_v", "starts at %g; it must start at zero or above", v.lo);
    status = wi_check_reach(fmax(def->semi_x, def->semi_y) * v.hi, "range_v", error);
    return status ? status : wi_check_reach(def->semi_z * v.hi * v.hi, "range_v", error);
}

static wit_status paraboloid_build(wit_surface* s, const wit_surface_def* def, wit_error* error)
{
    (void)error;
    return semi_axes_build(s, def, or_natural(def->range_v, 0, 1));
}

static void paraboloid_jet(const wit_surface* s, double u, double v, wit_surface_jet* out)
{
    const double r[3] = {v, 1, 0}, z[3] = {s->c * v * v, 2 * s->c * v, 2 * s->c};
    polar_jet(s, u, s->a, s->b, r, z, out);
}

/* ---- the tables ---------------------------------------------------------------------------- */

const surface_ops wi_surface_plane_ops = {"plane",   plane_check, no_extra,      plane_build,
                                          plane_jet, NULL,        plane_enclose, plane_normals};
const surface_ops wi_surface_cylinder_ops = {"cylinder",   cylinder_check, no_extra,      cylinder_build,
                                             cylinder_jet, NULL,           polar_enclose, polar_normals};
const surface_ops wi_surface_cone_ops = {"cone",   cone_check, no_extra,      cone_build,
                                         cone_jet, NULL,       polar_enclose, polar_normals};
const surface_ops wi_surface_sphere_ops = {"sphere",   sphere_check, no_extra,      sphere_build,
                                           sphere_jet, NULL,         polar_enclose, polar_normals};
const surface_ops wi_surface_ellipsoid_ops = {
    "ellipsoid", ellipsoid_check, no_extra, ellipsoid_build, ellipsoid_jet, NULL, polar_enclose, polar_normals};
const surface_ops wi_surface_torus_ops = {"torus",   torus_check, no_extra,      torus_build,
                                          torus_jet, NULL,        polar_enclose, polar_normals};
const surface_ops wi_surface_paraboloid_ops = {
    "paraboloid", paraboloid_check, no_extra, paraboloid_build, paraboloid_jet, NULL, polar_enclose, polar_normals};
