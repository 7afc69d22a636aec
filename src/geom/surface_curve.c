/* SPDX-License-Identifier: MIT */
/* Curves that live on a surface: at one fixed parameter, S(value, t) or S(t, value), and along a parameter
 * curve, S(c(t)). */
#include "bisection.h"
#include "shape_tools.h"

static size_t surface_offset(void)
{
    return embedded_bytes(sizeof(wit_curve));
}

static void embed_surface(wit_curve* c, const wit_surface* surface)
{
    if (c->shared) {
        c->surface = (const char*)surface - (const char*)c;
        return;
    }
    c->surface = (ptrdiff_t)surface_offset();
    wi_surface_embed((char*)c + c->surface, surface);
}

/* ---- isoparametric curve ------------------------------------------------------------------- */

static wit_status iso_check(const wit_curve_def* def, wit_error* error)
{
    wit_status status = wi_check_surface_nesting(def->surface, "surface", error);
    if (status) return status;
    if (def->fixed != WIT_U && def->fixed != WIT_V)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "fixed", "is neither u nor v");
    const wit_surface* s = def->surface;
    bool u_fixed = def->fixed == WIT_U;
    wit_interval held = u_fixed ? s->u : s->v;
    status = wi_check_number(def->value, "value", error);
    if (status) return status;
    double slack = RANGE_SLACK * iv_width(held) + ((u_fixed ? s->closed_u : s->closed_v) ? iv_width(held) : 0);
    if (def->value < held.lo - slack || def->value > held.hi + slack)
        return wi_error_fill(error, WIT_ERROR_RANGE, "value", "is %.17g; the surface's range is %.17g to %.17g",
                             def->value, held.lo, held.hi);
    return wi_check_part(def->range, u_fixed ? s->v : s->u, u_fixed ? s->closed_v : s->closed_u, "range", error);
}

static size_t iso_extra(const wit_curve_def* def)
{
    return surface_offset() - sizeof(wit_curve) + embedded_bytes(def->surface->bytes);
}

static wit_status iso_build(wit_curve* c, const wit_curve_def* def, wit_error* error)
{
    (void)error;
    const wit_surface* s = def->surface;
    bool u_fixed = def->fixed == WIT_U;
    wit_interval held = u_fixed ? s->u : s->v, whole = u_fixed ? s->v : s->u;
    bool closed = u_fixed ? s->closed_v : s->closed_u;
    embed_surface(c, s);
    c->fixed = def->fixed;
    c->value = def->value;
    if (!(u_fixed ? s->closed_u : s->closed_v)) c->value = fmin(fmax(c->value, held.lo), held.hi);
    c->range = wi_part_of(def->range, whole, closed);
    c->closed = wi_part_is_closed(c->range, whole, closed);
    c->gape = c->closed ? s->gape : 0;
    return WIT_OK;
}

static unsigned iso_eval(const wit_curve* c, double t, unsigned side, wit_hint* hint, wit_curve_jet* out)
{
    wit_surface_jet s;
    bool u_fixed = c->fixed == WIT_U, below = side & WIT_KNOT_T_BELOW;
    if (u_fixed)
        wi_surface_part(curve_surface(c), c->value, t, below ? WIT_KNOT_V_BELOW : 0, hint, &s);
    else
        wi_surface_part(curve_surface(c), t, c->value, below ? WIT_KNOT_U_BELOW : 0, hint, &s);
    out->p = s.p;
    out->d1 = u_fixed ? s.dv : s.du;
    out->d2 = u_fixed ? s.dvv : s.duu;
    return 0;
}

static void iso_enclose(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out)
{
    static const int along_u[4] = {D00, D10, D20, D30}, along_v[4] = {D00, D01, D02, D03};
    const int* along = c->fixed == WIT_U ? along_v : along_u;
    surface_enclosure s;
    if (c->fixed == WIT_U)
        wi_surface_enclose(curve_surface(c), iv_point(c->value), t, axes, &s);
    else
        wi_surface_enclose(curve_surface(c), t, iv_point(c->value), axes, &s);
    for (int k = 0; k < CURVE_DERIVATIVES; k++)
        for (int i = 0; i < 3; i++) out->d[k][i] = s.d[along[k]][i];
}

/* ---- curve on a surface -------------------------------------------------------------------- */

/* x and y of the parameter curve are u and v; the third axis is of no interest. */
static const wit_vec3 uv_axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}};

static bool inside(wit_interval a, wit_interval range, bool closed)
{
    double slack = RANGE_SLACK * iv_width(range);
    return closed || (a.lo >= range.lo - slack && a.hi <= range.hi + slack);
}

/*
 * Does the parameter curve stay in the surface's range? Proved by its enclosure on ever smaller pieces;
 * refuted by a point outside. Enclosures converge to the curve, so with the slack the search ends; if the work
 * runs out first without such a point, what may still stick out is held at the border by the evaluator.
 */
static wit_status stays_inside(const wit_curve_def* def, wit_interval range, wit_error* error)
{
    const wit_surface* s = def->surface;
    bisection open;
    wit_interval t;
    bisection_start(&open, range);
    while (bisection_next(&open, &t)) {
        curve_enclosure c;
        wi_curve_enclose(def->parameter_curve, t, uv_axes, &c);
        if (inside(c.d[0][0], s->u, s->closed_u) && inside(c.d[0][1], s->v, s->closed_v)) continue;
        const double at[3] = {t.lo, iv_mid(t), t.hi};
        for (int k = 0; k < 3; k++) {
            wit_curve_jet jet;
            wi_curve_part(def->parameter_curve, at[k], 0, NULL, &jet);
            bool u_in = inside(iv_point(jet.p.x), s->u, s->closed_u),
                 v_in = inside(iv_point(jet.p.y), s->v, s->closed_v);
            if (!u_in || !v_in)
                return wi_error_fill(error, WIT_ERROR_RANGE, "parameter_curve",
                                     "leaves the surface's range at t = %.17g: %s = %.17g is outside %.17g to %.17g",
                                     at[k], u_in ? "v" : "u", u_in ? jet.p.y : jet.p.x, u_in ? s->v.lo : s->u.lo,
                                     u_in ? s->v.hi : s->u.hi);
        }
        bisection_halve(&open, t); /* or gives it up */
    }
    return WIT_OK;
}

static wit_status on_surface_check(const wit_curve_def* def, wit_error* error)
{
    wit_status status = wi_check_surface_nesting(def->surface, "surface", error);
    if (!status) status = wi_check_curve_nesting(def->parameter_curve, "parameter_curve", error);
    if (status) return status;
    const wit_curve* c = def->parameter_curve;
    status = wi_check_part(def->range, c->range, c->closed, "range", error);
    if (status) return status;
    return stays_inside(def, wi_part_of(def->range, c->range, c->closed), error);
}

static size_t on_surface_extra(const wit_curve_def* def)
{
    return iso_extra(def) + embedded_bytes(def->parameter_curve->bytes);
}

/* The same point of the surface: equal, or equal up to whole periods of closed parameters. */
static bool same_parameter(double a, double b, wit_interval range, bool closed)
{
    double gap = fabs(a - b), period = iv_width(range);
    if (closed) gap = fabs(gap - period * round(gap / period));
    return gap <= RANGE_SLACK * period;
}

/* Closed when the parameter curve is, or when it ends one period of the surface from where it began with the
 * same first derivative: a circle of latitude drawn as a straight parameter line. */
static bool closes(const wit_curve_def* def, wit_interval range)
{
    const wit_curve* c = def->parameter_curve;
    const wit_surface* s = def->surface;
    if (wi_part_is_closed(range, c->range, c->closed)) return true;
    if (c->kind != WIT_CURVE_LINE) return false;
    wit_curve_jet a, b;
    wi_curve_part(c, range.lo, 0, NULL, &a);
    wi_curve_part(c, range.hi, WIT_KNOT_T_BELOW, NULL, &b);
    return same_parameter(a.p.x, b.p.x, s->u, s->closed_u) && same_parameter(a.p.y, b.p.y, s->v, s->closed_v) &&
           (fabs(a.p.x - b.p.x) > 0.5 * iv_width(s->u) || fabs(a.p.y - b.p.y) > 0.5 * iv_width(s->v));
}

/* How far apart the ends of a closed curve are at most. */
static double ends_apart(const wit_curve_def* def, wit_interval range)
{
    wit_curve_jet a, b;
    wit_surface_jet p, q;
    wi_curve_part(def->parameter_curve, range.lo, 0, NULL, &a);
    wi_curve_part(def->parameter_curve, range.hi, WIT_KNOT_T_BELOW, NULL, &b);
    wi_surface_part(def->surface, a.p.x, a.p.y, 0, NULL, &p);
    wi_surface_part(def->surface, b.p.x, b.p.y, 0, NULL, &q);
    return norm3(sub3(p.p, q.p)) + def->surface->gape;
}

static wit_status on_surface_build(wit_curve* c, const wit_curve_def* def, wit_error* error)
{
    (void)error;
    const wit_curve* p = def->parameter_curve;
    embed_surface(c, def->surface);
    if (c->shared) {
        c->curve = (const char*)p - (const char*)c;
    } else {
        c->curve = c->surface + (ptrdiff_t)embedded_bytes(def->surface->bytes);
        wi_curve_embed((char*)c + c->curve, p);
    }
    c->range = wi_part_of(def->range, p->range, p->closed);
    c->closed = closes(def, c->range);
    c->gape = c->closed ? ends_apart(def, c->range) : 0;
    return WIT_OK;
}

/* Just after t (just before with `below`) the parameter is below its value now when it moves that way; where
 * it stands still, when it curves downwards. */
static bool goes_below(double d1, double d2, bool below)
{
    return d1 != 0 ? (d1 > 0) == below : d2 < 0;
}

static unsigned on_surface_eval(const wit_curve* c, double t, unsigned side, wit_hint* hint, wit_curve_jet* out)
{
    wit_hint curve_hint = {{0, 0, 0}}, surface_hint = {{0, 0, 0}};
    if (hint) {
        curve_hint.cell[0] = hint->cell[2];
        surface_hint.cell[0] = hint->cell[0];
        surface_hint.cell[1] = hint->cell[1];
    }
    wit_curve_jet p;
    wit_surface_jet s;
    bool below = side & WIT_KNOT_T_BELOW;
    wi_curve_part(curve_parameter_curve(c), t, side, &curve_hint, &p);
    double u1 = p.d1.x, v1 = p.d1.y, u2 = p.d2.x, v2 = p.d2.y;
    unsigned on =
        (goes_below(u1, u2, below) ? WIT_KNOT_U_BELOW : 0u) | (goes_below(v1, v2, below) ? WIT_KNOT_V_BELOW : 0u);
    wi_surface_part(curve_surface(c), p.p.x, p.p.y, on, &surface_hint, &s);
    if (hint) {
        hint->cell[0] = surface_hint.cell[0];
        hint->cell[1] = surface_hint.cell[1];
        hint->cell[2] = curve_hint.cell[0];
    }
    out->p = s.p;
    out->d1 = addscaled3(scale3(u1, s.du), v1, s.dv);
    wit_vec3 bend = addscaled3(addscaled3(scale3(u1 * u1, s.duu), 2 * u1 * v1, s.duv), v1 * v1, s.dvv);
    out->d2 = addscaled3(addscaled3(bend, u2, s.du), v2, s.dv);
    return 0;
}

/* sum of coefficient x product of up to three intervals, and the magnitude of what was summed. */
typedef struct sum {
    wit_interval value;
    double size;
} sum;

static void sum_add(sum* s, double coefficient, wit_interval a, wit_interval b)
{
    wit_interval p = iv_scale(coefficient, iv_mul(a, b));
    s->value = iv_add(s->value, p);
    s->size += iv_mag(p);
}

/* Wrapping a closed parameter into its range rounds it: counted here. */
static wit_interval wrapped(wit_interval a, wit_interval range, bool closed)
{
    return closed ? iv_widen(a, 4 * DBL_EPSILON * (iv_mag(a) + iv_mag(range))) : a;
}

/* The chain rule to order 3 in intervals: holds over t, converges linearly with its width. */
static void chain_enclose(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out)
{
    const wit_surface* surface = curve_surface(c);
    curve_enclosure p;
    surface_enclosure s;
    wi_curve_enclose(curve_parameter_curve(c), t, uv_axes, &p);
    wi_surface_enclose(surface, wrapped(p.d[0][0], surface->u, surface->closed_u),
                       wrapped(p.d[0][1], surface->v, surface->closed_v), axes, &s);
    wit_interval u1 = p.d[1][0], u2 = p.d[2][0], u3 = p.d[3][0];
    wit_interval v1 = p.d[1][1], v2 = p.d[2][1], v3 = p.d[3][1];
    wit_interval uu = iv_square(u1), uv = iv_mul(u1, v1), vv = iv_square(v1);
    wit_interval cross = iv_add(iv_mul(u1, v2), iv_mul(u2, v1));
    for (int i = 0; i < 3; i++) {
        sum d1 = {{0, 0}, 0}, d2 = d1, d3 = d1;
        sum_add(&d1, 1, s.d[D10][i], u1);
        sum_add(&d1, 1, s.d[D01][i], v1);
        sum_add(&d2, 1, s.d[D20][i], uu);
        sum_add(&d2, 2, s.d[D11][i], uv);
        sum_add(&d2, 1, s.d[D02][i], vv);
        sum_add(&d2, 1, s.d[D10][i], u2);
        sum_add(&d2, 1, s.d[D01][i], v2);
        sum_add(&d3, 1, s.d[D30][i], iv_mul(uu, u1));
        sum_add(&d3, 3, s.d[D21][i], iv_mul(uu, v1));
        sum_add(&d3, 3, s.d[D12][i], iv_mul(u1, vv));
        sum_add(&d3, 1, s.d[D03][i], iv_mul(vv, v1));
        sum_add(&d3, 3, s.d[D20][i], iv_mul(u1, u2));
        sum_add(&d3, 3, s.d[D11][i], cross);
        sum_add(&d3, 3, s.d[D02][i], iv_mul(v1, v2));
        sum_add(&d3, 1, s.d[D10][i], u3);
        sum_add(&d3, 1, s.d[D01][i], v3);
        out->d[0][i] = s.d[D00][i];
        out->d[1][i] = iv_widen(d1.value, 16 * DBL_EPSILON * d1.size);
        out->d[2][i] = iv_widen(d2.value, 16 * DBL_EPSILON * d2.size);
        out->d[3][i] = iv_widen(d3.value, 16 * DBL_EPSILON * d3.size);
    }
}

/*
 * Centre form on top: f(t) lies in f(m) + [-h, h] f'(T), m the middle, h half the width. For the point it
 * needs only that the curve is continuous; for the derivatives that there is no knot in T.
 */
static void on_surface_enclose(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out)
{
    chain_enclose(c, t, axes, out);
    double h = 0.5 * iv_width(t) * (1 + 4 * DBL_EPSILON) + DBL_EPSILON * iv_mag(t);
    if (!(iv_width(t) > 0)) return;
    curve_enclosure middle;
    chain_enclose(c, iv_point(iv_mid(t)), axes, &middle);
    int orders = wi_curve_is_smooth(c, t) ? 3 : 1;
    for (int k = orders - 1; k >= 0; k--)
        for (int i = 0; i < 3; i++) {
            double reach = h * iv_mag(out->d[k + 1][i]);
            wit_interval near = iv_widen(iv_add(middle.d[k][i], iv(-reach, reach)), 4 * DBL_EPSILON * reach);
            wit_interval both = iv(fmax(near.lo, out->d[k][i].lo), fmin(near.hi, out->d[k][i].hi));
            if (both.lo <= both.hi) out->d[k][i] = both;
        }
}

const curve_ops wi_curve_iso_ops = {"iso", iso_check, iso_extra, iso_build, NULL, iso_eval, iso_enclose};
const curve_ops wi_curve_on_surface_ops = {"on_surface", on_surface_check, on_surface_extra,  on_surface_build,
                                           NULL,         on_surface_eval,  on_surface_enclose};
