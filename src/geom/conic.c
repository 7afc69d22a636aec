/* SPDX-License-Identifier: MIT */
/* Line, circle, ellipse, parabola, hyperbola: C(t) = o + X(t) x + Y(t) y, formulas in witness/geom.h. */
#include "shape_tools.h"
#include "trig_range.h"

/* cosh(64) is 3e27: with the smallest semi-axis already beyond WIT_MAX_COORDINATE. */
#define MAX_HYPERBOLIC_ANGLE 64.0

static size_t no_extra(const wit_curve_def* def)
{
    (void)def;
    return 0;
}

/* The parts of an axis e in the frame, and the magnitudes that its dot products sum up. */
typedef struct along {
    double o, x, y;
    double o_size, size;
} along;

static along along_of(const shape_frame* f, wit_vec3 e)
{
    along a;
    a.o = dot3(e, f->o);
    a.x = dot3(e, f->x);
    a.y = dot3(e, f->y);
    a.o_size = fabs(e.x * f->o.x) + fabs(e.y * f->o.y) + fabs(e.z * f->o.z);
    a.size = fabs(e.x) + fabs(e.y) + fabs(e.z);
    return a;
}

static wit_interval shift(wit_interval a, double by)
{
    return iv(a.lo + by, a.hi + by);
}

/* ---- line ---------------------------------------------------------------------------------- */

/* Only origin and x matter: z may be anything, also parallel to x. */
static wit_status line_check(const wit_curve_def* def, wit_error* error)
{
    wit_status status = wi_check_vector(def->frame.origin, "frame.origin", error);
    if (!status) status = wi_check_vector(def->frame.x, "frame.x", error);
    if (status) return status;
    if (norm3(unit3(def->frame.x)) < 0.5)
        return wi_error_fill(error, WIT_ERROR_FRAME, "frame.x", "is zero; a line needs a direction");
    return wi_check_range_given(def->range, "range", error);
}

static wit_status line_build(wit_curve* c, const wit_curve_def* def, wit_error* error)
{
    (void)error;
    c->frame.o = def->frame.origin;
    c->frame.x = unit3(def->frame.x);
    complete3(c->frame.x, &c->frame.y, &c->frame.z);
    c->range = def->range;
    return WIT_OK;
}

static void line_jet(const wit_curve* c, double t, wit_curve_jet* out)
{
    out->p = addscaled3(c->frame.o, t, c->frame.x);
    out->d1 = c->frame.x;
    out->d2 = vec3(0, 0, 0);
}

static void line_enclose(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out)
{
    for (int i = 0; i < 3; i++) {
        along a = along_of(&c->frame, axes[i]);
        double margin = 16 * DBL_EPSILON * (a.o_size + a.size * iv_mag(t));
        out->d[0][i] = iv_widen(shift(iv_scale(a.x, t), a.o), margin);
        out->d[1][i] = iv_widen(iv_point(a.x), 16 * DBL_EPSILON * a.size);
        out->d[2][i] = out->d[3][i] = iv_point(0);
    }
}

/* ---- circle and ellipse -------------------------------------------------------------------- */

static wit_status turn_check(const wit_curve_def* def, wit_error* error)
{
    wit_status status = wi_check_frame(&def->frame, error);
    if (!status && range_given(def->range)) status = wi_check_angle_range(def->range, "range", error);
    return status;
}

static wit_status circle_check(const wit_curve_def* def, wit_error* error)
{
    wit_status status = turn_check(def, error);
    return status ? status : wi_check_length(def->radius, "radius", error);
}

static wit_status ellipse_check(const wit_curve_def* def, wit_error* error)
{
    wit_status status = turn_check(def, error);
    if (!status) status = wi_check_length(def->semi_x, "semi_x", error);
    if (!status) status = wi_check_length(def->semi_y, "semi_y", error);
    return status;
}

static wit_status ellipse_build(wit_curve* c, const wit_curve_def* def, wit_error* error)
{
    (void)error;
    c->frame = wi_frame_of(&def->frame);
    c->a = def->kind == WIT_CURVE_CIRCLE ? def->radius : def->semi_x;
    c->b = def->kind == WIT_CURVE_CIRCLE ? def->radius : def->semi_y;
    c->range = range_given(def->range) ? def->range : iv(0, TWO_PI);
    c->closed = full_turn(c->range);
    return WIT_OK;
}

static void ellipse_jet(const wit_curve* c, double t, wit_curve_jet* out)
{
    double sine, cosine;
    wit_sincos(t, &sine, &cosine);
    wit_vec3 r = addscaled3(scale3(c->a * cosine, c->frame.x), c->b * sine, c->frame.y);
    out->p = add3(c->frame.o, r);
    out->d1 = addscaled3(scale3(-c->a * sine, c->frame.x), c->b * cosine, c->frame.y);
    out->d2 = scale3(-1, r);
}

static void ellipse_enclose(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out)
{
    angle_span span = wi_angle_span_of(t);
    for (int i = 0; i < 3; i++) {
        along a = along_of(&c->frame, axes[i]);
        double p = c->a * a.x, q = c->b * a.y;
        double margin = DBL_EPSILON * (16 + span.noise) * fmax(c->a, c->b) * a.size;
        wit_interval f = wi_trig_range(&span, p, q, 0), g = wi_trig_range(&span, q, -p, 0);
        out->d[0][i] = iv_widen(shift(f, a.o), margin + 16 * DBL_EPSILON * a.o_size);
        out->d[1][i] = iv_widen(g, margin);
        out->d[2][i] = iv_widen(iv(-f.hi, -f.lo), margin);
        out->d[3][i] = iv_widen(iv(-g.hi, -g.lo), margin);
    }
}

/* ---- parabola ------------------------------------------------------------------------------ */

static wit_status parabola_check(const wit_curve_def* def, wit_error* error)
{
    wit_status status = wi_check_frame(&def->frame, error);
    if (!status) status = wi_check_length(def->focal, "focal", error);
    if (!status) status = wi_check_range_given(def->range, "range", error);
    if (status) return status;
    double t = iv_mag(def->range);
    return wi_check_reach(t * t / (4 * def->focal), "range", error);
}

/* a = 1 / (4 focal). */
static wit_status parabola_build(wit_curve* c, const wit_curve_def* def, wit_error* error)
{
    (void)error;
    c->frame = wi_frame_of(&def->frame);
    c->a = 0.25 / def->focal;
    c->range = def->range;
    return WIT_OK;
}

static void parabola_jet(const wit_curve* c, double t, wit_curve_jet* out)
{
    out->p = addscaled3(addscaled3(c->frame.o, c->a * t * t, c->frame.x), t, c->frame.y);
    out->d1 = addscaled3(c->frame.y, 2 * c->a * t, c->frame.x);
    out->d2 = scale3(2 * c->a, c->frame.x);
}

static void parabola_enclose(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out)
{
    double m = iv_mag(t);
    for (int i = 0; i < 3; i++) {
        along a = along_of(&c->frame, axes[i]);
        double eps = 16 * DBL_EPSILON, two_a = 2 * c->a;
        wit_interval p = wi_quadratic_range(t, 0, a.y, c->a * a.x);
        out->d[0][i] = iv_widen(shift(p, a.o), eps * (a.o_size + a.size * m * (1 + c->a * m)));
        out->d[1][i] = iv_widen(shift(iv_scale(two_a * a.x, t), a.y), eps * a.size * (1 + two_a * m));
        out->d[2][i] = iv_widen(iv_point(two_a * a.x), eps * a.size * two_a);
        out->d[3][i] = iv_point(0);
    }
}

/* ---- hyperbola ----------------------------------------------------------------------------- */

static wit_status hyperbola_check(const wit_curve_def* def, wit_error* error)
{
    wit_status status = wi_check_frame(&def->frame, error);
    if (!status) status = wi_check_length(def->semi_x, "semi_x", error);
    if (!status) status = wi_check_length(def->semi_y, "semi_y", error);
    if (!status) status = wi_check_range_given(def->range, "range", error);
    if (status) return status;
    double t = iv_mag(def->range), sine, cosine;
    if (t > MAX_HYPERBOLIC_ANGLE)
        return wi_error_fill(error, WIT_ERROR_RANGE, "range", "reaches %g; at most %g is allowed", t,
                             MAX_HYPERBOLIC_ANGLE);
    wit_sinhcosh(t, &sine, &cosine);
    return wi_check_reach(fmax(def->semi_x, def->semi_y) * cosine, "range", error);
}

static wit_status hyperbola_build(wit_curve* c, const wit_curve_def* def, wit_error* error)
{
    (void)error;
    c->frame = wi_frame_of(&def->frame);
    c->a = def->semi_x;
    c->b = def->semi_y;
    c->range = def->range;
    return WIT_OK;
}

static void hyperbola_jet(const wit_curve* c, double t, wit_curve_jet* out)
{
    double sine, cosine;
    wit_sinhcosh(t, &sine, &cosine);
    out->d2 = addscaled3(scale3(c->a * cosine, c->frame.x), c->b * sine, c->frame.y);
    out->p = add3(c->frame.o, out->d2);
    out->d1 = addscaled3(scale3(c->a * sine, c->frame.x), c->b * cosine, c->frame.y);
}

static void hyperbola_enclose(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out)
{
    hyperbolic_span span = wi_hyperbolic_span_of(t);
    double reach = fmax(c->a, c->b) * fmax(span.cosh_lo, span.cosh_hi);
    for (int i = 0; i < 3; i++) {
        along a = along_of(&c->frame, axes[i]);
        double p = c->a * a.x, q = c->b * a.y, margin = 16 * DBL_EPSILON * a.size * reach;
        wit_interval f = wi_hyperbolic_range(&span, p, q), g = wi_hyperbolic_range(&span, q, p);
        out->d[0][i] = iv_widen(shift(f, a.o), margin + 16 * DBL_EPSILON * a.o_size);
        out->d[1][i] = out->d[3][i] = iv_widen(g, margin);
        out->d[2][i] = iv_widen(f, margin);
    }
}

const curve_ops wi_curve_line_ops = {"line", line_check, no_extra, line_build, line_jet, NULL, line_enclose};
const curve_ops wi_curve_circle_ops = {"circle",    circle_check, no_extra,       ellipse_build,
                                       ellipse_jet, NULL,         ellipse_enclose};
const curve_ops wi_curve_ellipse_ops = {"ellipse",   ellipse_check, no_extra,       ellipse_build,
                                        ellipse_jet, NULL,          ellipse_enclose};
const curve_ops wi_curve_parabola_ops = {"parabola",   parabola_check, no_extra,        parabola_build,
                                         parabola_jet, NULL,           parabola_enclose};
const curve_ops wi_curve_hyperbola_ops = {"hyperbola", hyperbola_check,  no_extra, hyperbola_build, hyperbola_jet,
                                          NULL,        hyperbola_enclose};
