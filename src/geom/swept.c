/* SPDX-License-Identifier: MIT */
/*
 * Surface of revolution and linear extrusion of a profile curve C.
 *
 * Revolution: c = C(v) - o turned by u about z. At build the frame is chosen by the profile: x towards
 * it, so that a profile in a plane through the axis (a meridian) has c = rho x + zeta z and
 *   S = o + rho e(u) + zeta z,   du x dv = rho (zeta' e - rho' z),   e = cos u x + sin u y.
 * The record's c is 1 where rho >= 0 all over the range, else 0.
 */
#include "bisection.h"
#include "shape_tools.h"
#include "trig_range.h"

static size_t profile_offset(void)
{
    return embedded_bytes(sizeof(wit_surface));
}

static size_t profile_extra(const wit_surface_def* def)
{
    return profile_offset() - sizeof(wit_surface) + embedded_bytes(def->profile->bytes);
}

static const wit_curve* embed_profile(wit_surface* s, const wit_surface_def* def)
{
    s->profile = (ptrdiff_t)profile_offset();
    wi_curve_embed((char*)s + s->profile, def->profile);
    return surface_profile(s);
}

static double size1(wit_vec3 e)
{
    return fabs(e.x) + fabs(e.y) + fabs(e.z);
}

/* The enclosure of C - o. */
static void enclose_from(const wit_curve* curve, wit_interval t, const wit_vec3 axes[3], wit_vec3 o,
                         curve_enclosure* out)
{
    wi_curve_enclose(curve, t, axes, out);
    for (int i = 0; i < 3; i++) {
        double a = dot3(axes[i], o);
        out->d[0][i] = iv(out->d[0][i].lo - a, out->d[0][i].hi - a);
    }
}

static wit_interval intersect(wit_interval a, wit_interval b)
{
    /* Both hold the truth, so they meet; rounding is covered by the margins added later. */
    double lo = fmax(a.lo, b.lo), hi = fmin(a.hi, b.hi);
    return lo <= hi ? iv(lo, hi) : a;
}

static int derivative_index(int i, int j)
{
    int n = i + j;
    return n * (n + 1) / 2 + j;
}

/* A lower bound of some function of the profile's parameter over a part of its range. */
typedef double profile_least(const wit_surface* s, wit_interval along);

/* True when the function falls to the threshold somewhere, by bisection down to 1e-9 of the range; also when the
 * work runs out: whoever asks then tests where it need not. */
static bool falls_to(const wit_surface* s, wit_interval range, profile_least* least, double threshold)
{
    bisection open;
    wit_interval r;
    bisection_start(&open, range);
    while (bisection_next(&open, &r))
        if (least(s, r) <= threshold && !bisection_halve(&open, r)) return true;
    return false;
}

/* ---- revolution ---------------------------------------------------------------------------- */

static wit_status revolution_check(const wit_surface_def* def, wit_error* error)
{
    wit_status status = wi_check_vector(def->frame.origin, "frame.origin", error);
    if (!status) status = wi_check_vector(def->frame.z, "frame.z", error);
    if (status) return status;
    if (norm3(unit3(def->frame.z)) < 0.5)
        return wi_error_fill(error, WIT_ERROR_FRAME, "frame.z", "is zero; a revolution needs an axis");
    status = wi_check_curve_nesting(def->profile, "profile", error);
    if (!status && range_given(def->range_u)) status = wi_check_angle_range(def->range_u, "range_u", error);
    if (!status) status = wi_check_part(def->range_v, def->profile->range, def->profile->closed, "range_v", error);
    return status;
}

/* The largest distance of sampled profile points from the axis, with its direction. */
static wit_vec3 outward(const wit_surface* s, const wit_curve* profile, double* reach)
{
    wit_vec3 best = vec3(0, 0, 0);
    *reach = 0;
    for (int k = 0; k <= 32; k++) {
        wit_curve_jet jet;
        wi_curve_part(profile, s->v.lo + iv_width(s->v) * k / 32, 0, NULL, &jet);
        wit_vec3 c = sub3(jet.p, s->frame.o);
        *reach = fmax(*reach, norm3(c));
        c = addscaled3(c, -dot3(c, s->frame.z), s->frame.z);
        if (dot3(c, c) > dot3(best, best)) best = c;
    }
    return best;
}

static double rho_least(const wit_surface* s, wit_interval v)
{
    const wit_vec3 axes[3] = {s->frame.x, s->frame.y, s->frame.z};
    curve_enclosure c;
    enclose_from(surface_profile(s), v, axes, s->frame.o, &c);
    return c.d[0][0].lo;
}

/* Lower bound of |(c_x C'_z, c_y C'_z, c_x C'_x + c_y C'_y)| = |du x dv|. */
static double revolution_least(const wit_surface* s, wit_interval v)
{
    const wit_vec3 axes[3] = {s->frame.x, s->frame.y, s->frame.z};
    curve_enclosure c;
    enclose_from(surface_profile(s), v, axes, s->frame.o, &c);
    wit_interval cx = c.d[0][0], cy = c.d[0][1];
    double a = iv_mig(iv_mul(cx, c.d[1][2])), b = iv_mig(iv_mul(cy, c.d[1][2]));
    double d = iv_mig(iv_add(iv_mul(cx, c.d[1][0]), iv_mul(cy, c.d[1][1])));
    return fmax(a, fmax(b, d));
}

/* rho and c_y over the range, in pieces so that the hull of a spline is near its shape. */
static void measure_profile(const wit_surface* s, wit_interval* rho, double* off_plane, double* speed)
{
    const wit_vec3 axes[3] = {s->frame.x, s->frame.y, s->frame.z};
    *off_plane = *speed = 0;
    for (int k = 0; k < 64; k++) {
        double w = iv_width(s->v) / 64;
        curve_enclosure c;
        enclose_from(surface_profile(s), iv(s->v.lo + k * w, s->v.lo + (k + 1) * w), axes, s->frame.o, &c);
        *rho = k == 0 ? c.d[0][0] : iv_union(*rho, c.d[0][0]);
        *off_plane = fmax(*off_plane, iv_mag(c.d[0][1]));
        *speed = fmax(*speed, fmax(iv_mag(c.d[1][0]), fmax(iv_mag(c.d[1][1]), iv_mag(c.d[1][2]))));
    }
}

static wit_status revolution_build(wit_surface* s, const wit_surface_def* def, wit_error* error)
{
    const wit_curve* profile = embed_profile(s, def);
    s->u = range_given(def->range_u) ? def->range_u : iv(0, TWO_PI);
    s->v = wi_part_of(def->range_v, profile->range, profile->closed);
    s->closed_u = full_turn(s->u);
    s->closed_v = wi_part_is_closed(s->v, profile->range, profile->closed);
    s->gape = s->closed_v ? profile->gape : 0;
    s->frame.o = def->frame.origin;
    s->frame.z = unit3(def->frame.z);
    double reach;
    wit_vec3 out = outward(s, profile, &reach);
    double noise = 1e-12 * reach + 32 * DBL_EPSILON * (size1(s->frame.o) + reach);
    if (norm3(out) <= noise)
        return wi_error_fill(error, WIT_ERROR_RANGE, "profile", "lies on the axis of revolution; it must leave it");
    out = addscaled3(unit3(out), -dot3(unit3(out), s->frame.z), s->frame.z);
    s->frame.x = unit3(out);
    s->frame.y = cross3(s->frame.z, s->frame.x);
    wit_interval rho = iv(0, 0);
    double off_plane, speed;
    measure_profile(s, &rho, &off_plane, &speed);
    s->meridian = off_plane <= noise;
    s->c = falls_to(s, s->v, rho_least, -1e-9 * iv_mag(rho) - noise) ? 0 : 1;
    s->degenerate = falls_to(s, s->v, revolution_least, 1e-9 * iv_mag(rho) * speed);
    return WIT_OK;
}

static unsigned revolution_eval(const wit_surface* s, double u, double v, unsigned side, wit_hint* hint,
                                wit_surface_jet* out)
{
    const wit_vec3 z = s->frame.z, o = s->frame.o;
    wit_curve_jet c;
    wi_curve_part(surface_profile(s), v, side & WIT_KNOT_V_BELOW ? WIT_KNOT_T_BELOW : 0, hint, &c);
    double sine, cosine;
    wit_sincos(u, &sine, &cosine);
    wit_vec3 r = sub3(c.p, o);
    double h0 = dot3(r, z), h1 = dot3(c.d1, z), h2 = dot3(c.d2, z);
    wit_vec3 r0 = addscaled3(r, -h0, z), r1 = addscaled3(c.d1, -h1, z), r2 = addscaled3(c.d2, -h2, z);
    /* Within rounding of the axis is on it: the pole is one point. */
    if (size1(r0) <= 8 * DBL_EPSILON * (size1(o) + size1(c.p))) r0 = vec3(0, 0, 0);
    wit_vec3 w0 = cross3(z, r0), w1 = cross3(z, r1), w2 = cross3(z, r2);
    wit_vec3 turned = addscaled3(scale3(cosine, r0), sine, w0);
    out->p = add3(o, addscaled3(turned, h0, z));
    out->du = addscaled3(scale3(cosine, w0), -sine, r0);
    out->duu = scale3(-1, turned);
    out->dv = addscaled3(addscaled3(scale3(cosine, r1), sine, w1), h1, z);
    out->duv = addscaled3(scale3(cosine, w1), -sine, r1);
    out->dvv = addscaled3(addscaled3(scale3(cosine, r2), sine, w2), h2, z);
    return 0;
}

/* The profile of a revolution along the axes of its frame, from the frame's origin. */
static void enclose_profile(const wit_surface* s, wit_interval v, curve_enclosure* out)
{
    const shape_frame* f = &s->frame;
    const wit_vec3 own[3] = {f->x, f->y, f->z};
    enclose_from(surface_profile(s), v, own, f->o, out);
}

/*
 * Meridian: the axis e sees e.S = e.o + zeta e_z + rho g + omega g', g = e.e(u), omega the little that the
 * profile leaves its plane by. Linear in g: the extremes over u stand at the ends of g's exact range, and
 * there the axis of the profile is e_z z + g x: its own enclosure along that axis is the answer.
 */
static void meridian_enclose(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                             surface_enclosure* out)
{
    const shape_frame* f = &s->frame;
    const wit_curve* profile = surface_profile(s);
    angle_span us = wi_angle_span_of(u);
    curve_enclosure c;
    enclose_profile(s, v, &c);
    for (int k = 0; k < 3; k++) {
        wit_vec3 e = axes[k];
        double a = dot3(e, f->x), b = dot3(e, f->y), ez = dot3(e, f->z), size = size1(e);
        wit_interval g[5];
        g[0] = wi_trig_range(&us, a, b, 0);
        g[1] = wi_trig_range(&us, b, -a, 0);
        g[2] = iv(-g[0].hi, -g[0].lo);
        g[3] = iv(-g[1].hi, -g[1].lo);
        g[4] = g[0];
        wit_vec3 low = addscaled3(scale3(ez, f->z), g[0].lo, f->x), high = addscaled3(scale3(ez, f->z), g[0].hi, f->x);
        const wit_vec3 ends[3] = {low, high, high};
        curve_enclosure m;
        enclose_from(profile, v, ends, f->o, &m);
        for (int j = 0; j <= 3; j++) {
            double reach = iv_mag(c.d[j][0]) + iv_mag(c.d[j][1]) + iv_mag(c.d[j][2]);
            double margin = DBL_EPSILON * size * ((16 + us.noise) * reach + (j == 0 ? 32 * size1(f->o) : 0));
            double o = j == 0 ? dot3(e, f->o) : 0;
            wit_interval d = iv_add(iv_union(m.d[j][0], m.d[j][1]), iv_mul(g[1], c.d[j][1]));
            out->d[derivative_index(0, j)][k] = iv_widen(iv(d.lo + o, d.hi + o), margin);
            for (int i = 1; i + j <= 3; i++)
                out->d[derivative_index(i, j)][k] =
                    iv_widen(iv_add(iv_mul(g[i], c.d[j][0]), iv_mul(g[i + 1], c.d[j][1])), margin);
        }
    }
}

/* Union over the corners of the box (p, q) of the range of p cos x + q sin x: exact, the maximum over x being
 * convex in (p, q). */
static wit_interval turned_range(const angle_span* x, wit_interval p, wit_interval q)
{
    wit_interval low = iv_union(wi_trig_range(x, p.lo, q.lo, 0), wi_trig_range(x, p.lo, q.hi, 0));
    wit_interval high = iv_union(wi_trig_range(x, p.hi, q.lo, 0), wi_trig_range(x, p.hi, q.hi, 0));
    return iv_union(low, high);
}

/*
 * Any profile. With u = m + d, m the middle angle, E = e turned back by m, E' its part across z, F = E x z:
 *   e.S - e.o = E.c + (cos d - 1) E'.c + sin d F.c          near the middle, tight for small boxes
 *             = e_z c_z + (cos d E'.c + sin d F.c)          the bracket exact over the box of E'.c, F.c
 */
static void turned_enclose(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                           surface_enclosure* out)
{
    const shape_frame* f = &s->frame;
    const wit_curve* profile = surface_profile(s);
    double middle = iv_mid(u), sine, cosine;
    wit_sincos(middle, &sine, &cosine);
    angle_span d = wi_angle_span_of(iv(u.lo - middle, u.hi - middle));
    wit_interval sin_d = wi_trig_range(&d, 0, 1, 0);
    /* 1 - cos d = 2 sin^2(d/2), without cancellation. */
    double half_sine, unused;
    wit_sincos(0.5 * fmin(iv_mag(d.x), PI), &half_sine, &unused);
    wit_interval less = iv(-2 * half_sine * half_sine, 0);
    const wit_vec3 own[3] = {f->z, f->x, f->y};
    curve_enclosure h;
    enclose_from(profile, v, own, f->o, &h);
    for (int k = 0; k < 3; k++) {
        wit_vec3 e = axes[k];
        double ez = dot3(e, f->z), size = size1(e), eo = dot3(e, f->o);
        wit_vec3 across = addscaled3(e, -ez, f->z), w = cross3(across, f->z);
        /* Turned back by m: d/dm gives E x z. */
        wit_vec3 P = addscaled3(scale3(cosine, across), sine, w), Q = cross3(P, f->z);
        const wit_vec3 first[3] = {addscaled3(P, ez, f->z), P, Q};
        curve_enclosure c;
        enclose_from(profile, v, first, f->o, &c);
        for (int j = 0; j <= 3; j++) {
            wit_interval p = c.d[j][1], q = c.d[j][2], minus_p = iv(-p.hi, -p.lo);
            wit_interval even = turned_range(&d, p, q), odd = turned_range(&d, q, minus_p);
            wit_interval near_even = iv_add(iv_mul(less, p), iv_mul(sin_d, q));
            wit_interval near_odd = iv_add(q, iv_sub(iv_mul(less, q), iv_mul(sin_d, p)));
            wit_interval value = intersect(iv_add(c.d[j][0], near_even), iv_add(iv_scale(ez, h.d[j][0]), even));
            wit_interval g0 = intersect(iv_add(p, near_even), even), g1 = intersect(near_odd, odd);
            const wit_interval g[4] = {value, g1, iv(-g0.hi, -g0.lo), iv(-g1.hi, -g1.lo)};
            double reach = iv_mag(h.d[j][0]) + iv_mag(h.d[j][1]) + iv_mag(h.d[j][2]);
            double margin = DBL_EPSILON * size * ((24 + fabs(middle)) * reach + (j == 0 ? 32 * size1(f->o) : 0));
            for (int i = 0; i + j <= 3; i++) {
                double o = i + j == 0 ? eo : 0;
                out->d[derivative_index(i, j)][k] = iv_widen(iv(g[i].lo + o, g[i].hi + o), margin);
            }
        }
    }
}

static void revolution_enclose(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                               surface_enclosure* out)
{
    if (s->meridian)
        meridian_enclose(s, u, v, axes, out);
    else
        turned_enclose(s, u, v, axes, out);
}

static bool excludes_zero(const wit_interval n[3])
{
    for (int k = 0; k < 3; k++)
        if (n[k].lo > 0 || n[k].hi < 0) return true;
    return false;
}

/* The field sign(rho) (zeta' e - rho' z) of a meridian: along e_k it is C' along g z - e_kz x. */
static bool revolution_normals(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                               wit_interval out[3])
{
    if (!s->meridian) return false;
    const shape_frame* f = &s->frame;
    const wit_curve* profile = surface_profile(s);
    angle_span us = wi_angle_span_of(u);
    curve_enclosure c;
    enclose_profile(s, v, &c);
    double sign = s->c;
    wit_interval rho = c.d[0][0];
    if (sign == 0) sign = rho.lo > 0 ? 1 : rho.hi < 0 ? -1 : 0;
    if (sign == 0) return false;
    /* What the profile leaves its plane by turns the normal by omega / rho. */
    double off = iv_mag(c.d[0][1]) / fmax(iv_mag(rho), DBL_MIN);
    double speed = iv_mag(c.d[1][0]) + iv_mag(c.d[1][1]) + iv_mag(c.d[1][2]);
    for (int k = 0; k < 3; k++) {
        wit_vec3 e = axes[k];
        double ez = dot3(e, f->z), size = size1(e);
        wit_interval g = wi_trig_range(&us, dot3(e, f->x), dot3(e, f->y), 0);
        const wit_vec3 ends[3] = {addscaled3(scale3(g.lo, f->z), -ez, f->x), addscaled3(scale3(g.hi, f->z), -ez, f->x),
                                  f->z};
        curve_enclosure m;
        wi_curve_enclose(profile, v, ends, &m);
        wit_interval n = iv_scale(sign, iv_union(m.d[1][0], m.d[1][1]));
        out[k] = iv_widen(n, size * speed * (DBL_EPSILON * (16 + us.noise) + fmin(off, 1e-9)));
    }
    return excludes_zero(out);
}

/* ---- extrusion ----------------------------------------------------------------------------- */

static wit_status extrusion_check(const wit_surface_def* def, wit_error* error)
{
    wit_status status = wi_check_curve_nesting(def->profile, "profile", error);
    if (!status) status = wi_check_vector(def->direction, "direction", error);
    if (status) return status;
    if (norm3(unit3(def->direction)) < 0.5)
        return wi_error_fill(error, WIT_ERROR_RANGE, "direction", "is zero; an extrusion needs a direction");
    status = wi_check_part(def->range_u, def->profile->range, def->profile->closed, "range_u", error);
    if (!status) status = wi_check_range_given(def->range_v, "range_v", error);
    return status;
}

/* Lower bound of |C' x d|. */
static double extrusion_least(const wit_surface* s, wit_interval u)
{
    const wit_vec3 axes[3] = {s->frame.x, s->frame.y, s->frame.z};
    curve_enclosure c;
    wi_curve_enclose(surface_profile(s), u, axes, &c);
    return fmax(iv_mig(c.d[1][0]), iv_mig(c.d[1][1]));
}

static wit_status extrusion_build(wit_surface* s, const wit_surface_def* def, wit_error* error)
{
    (void)error;
    const wit_curve* profile = embed_profile(s, def);
    s->u = wi_part_of(def->range_u, profile->range, profile->closed);
    s->v = def->range_v;
    s->closed_u = wi_part_is_closed(s->u, profile->range, profile->closed);
    s->gape = s->closed_u ? profile->gape : 0;
    s->frame.z = unit3(def->direction);
    complete3(s->frame.z, &s->frame.x, &s->frame.y);
    s->degenerate = falls_to(s, s->u, extrusion_least, 1e-9 * profile->speed);
    return WIT_OK;
}

static unsigned extrusion_eval(const wit_surface* s, double u, double v, unsigned side, wit_hint* hint,
                               wit_surface_jet* out)
{
    wit_curve_jet c;
    wi_curve_part(surface_profile(s), u, side & WIT_KNOT_U_BELOW ? WIT_KNOT_T_BELOW : 0, hint, &c);
    out->p = addscaled3(c.p, v, s->frame.z);
    out->du = c.d1;
    out->dv = s->frame.z;
    out->duu = c.d2;
    out->duv = out->dvv = vec3(0, 0, 0);
    return 0;
}

static void extrusion_enclose(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                              surface_enclosure* out)
{
    curve_enclosure c;
    wi_curve_enclose(surface_profile(s), u, axes, &c);
    for (int k = 0; k < 3; k++) {
        double z = dot3(axes[k], s->frame.z), size = size1(axes[k]);
        for (int n = 0; n < SURFACE_DERIVATIVES; n++) out->d[n][k] = iv_point(0);
        double margin = 16 * DBL_EPSILON * (size * iv_mag(v) + iv_mag(c.d[0][k]));
        out->d[D00][k] = iv_widen(iv_add(c.d[0][k], iv_scale(z, v)), margin);
        out->d[D10][k] = c.d[1][k];
        out->d[D20][k] = c.d[2][k];
        out->d[D30][k] = c.d[3][k];
        out->d[D01][k] = iv_widen(iv_point(z), 16 * DBL_EPSILON * size);
    }
}

/* e.(C' x d) = C'.(d x e). */
static bool extrusion_normals(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                              wit_interval out[3])
{
    (void)v;
    const wit_vec3 d = s->frame.z, across[3] = {cross3(d, axes[0]), cross3(d, axes[1]), cross3(d, axes[2])};
    curve_enclosure c;
    wi_curve_enclose(surface_profile(s), u, across, &c);
    for (int k = 0; k < 3; k++)
        out[k] = iv_widen(c.d[1][k], 16 * DBL_EPSILON * size1(axes[k]) * surface_profile(s)->speed);
    return excludes_zero(out);
}

const surface_ops wi_surface_revolution_ops = {"revolution", revolution_check, profile_extra,      revolution_build,
                                               NULL,         revolution_eval,  revolution_enclose, revolution_normals};
const surface_ops wi_surface_extrusion_ops = {"extrusion", extrusion_check, profile_extra,     extrusion_build,
                                              NULL,        extrusion_eval,  extrusion_enclose, extrusion_normals};
