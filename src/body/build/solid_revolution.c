/* SPDX-License-Identifier: MIT */
/*
 * A profile C(t) = o + rho(t) x + zeta(t) z turned about z. The solid lies to the left of the profile in the (x, z)
 * plane, so that du x dv = rho (zeta' e - rho' z) points out of it. The profile is cut at its corners; a ring stands at
 * each cut and at each end off the axis.
 */
#include "solid_kit.h"

/* Within these shares of the reach, a profile lies in its plane, ends on the axis, and is closed. */
#define IN_PLANE 1e-9
#define ON_AXIS 1e-9
#define SAMPLES 16 /* per cell: more than the degree of any spline */

typedef struct profile {
    const wit_curve* curve;
    double reach; /* largest distance from o */
    bool closed;  /* the ends meet off the axis: a ring without lids */
    bool axis[2]; /* the lower, the upper end is on the axis */
    int cuts;     /* corners, the seam among them where it is one */
} profile;

typedef struct place {
    double rho, zeta, off; /* along x, z and y */
    double rise;           /* zeta' */
} place;

static place place_at(const solid_kit* k, const wit_curve* c, double t)
{
    wit_curve_jet jet;
    wit_curve_eval(c, t, WIT_KNOT_T_BELOW, NULL, &jet);
    wit_vec3 r = sub3(jet.p, k->frame.o);
    place p = {dot3(r, k->frame.x), dot3(r, k->frame.z), dot3(r, k->frame.y), dot3(jet.d1, k->frame.z)};
    return p;
}

static wit_status refuse(const solid_kit* k, const char* text, double number)
{
    return wi_error_fill(k->error, WIT_ERROR_RANGE, "profile", text, number);
}

/* In the plane, and with the solid to its left: the volume is pi times the integral of rho^2 zeta' dt. */
static wit_status check_samples(const solid_kit* k, profile* p)
{
    int count = 0;
    const double* breaks = wit_curve_breaks(p->curve, &count);
    double off = 0, volume = 0, scale = 0;
    for (int i = 0; i + 1 < count; ++i)
        for (int n = 0; n <= SAMPLES; ++n) {
            double w = breaks[i + 1] - breaks[i];
            place a = place_at(k, p->curve, n == SAMPLES ? breaks[i + 1] : breaks[i] + w * n / SAMPLES);
            p->reach = fmax(p->reach, norm3(vec3(a.rho, a.zeta, a.off)));
            off = fmax(off, fabs(a.off));
            if (n == SAMPLES) continue;
            place m = place_at(k, p->curve, breaks[i] + w * (n + 0.5) / SAMPLES);
            volume += m.rho * m.rho * m.rise * w / SAMPLES;
            scale += m.rho * m.rho * fabs(m.rise) * w / SAMPLES;
        }
    double origin = norm3(k->frame.o);
    if (!(p->reach >= WIT_MIN_LENGTH) || p->reach < 1e-9 * origin)
        return refuse(k, "reaches only %g from frame.origin; that is too little to be a shape there", p->reach);
    if (off > IN_PLANE * p->reach) return refuse(k, "leaves the x, z plane of the frame by %g; it must lie in it", off);
    if (fabs(volume) <= 1e-9 * scale || scale == 0) return refuse(k, "encloses a volume of %g; a solid needs some", 0);
    if (volume < 0)
        return refuse(k,
                      "has the solid on its right (volume %g); it must run from bottom to top, anticlockwise if closed",
                      volume * PI);
    return WIT_OK;
}

/*
 * rho > 0 but at ends on the axis, by bisection over plane bounds. Down at 2^-30 of the range a piece that is still not
 * clear of the axis must touch such an end.
 */
static wit_status check_axis(const solid_kit* k, const profile* p)
{
    enum { DEPTH = 30 };
    wit_interval range = wit_curve_describe(p->curve).range;
    struct {
        wit_interval t;
        int depth;
    } stack[DEPTH + 2];
    double base = dot3(k->frame.x, k->frame.o), least = 1e-13 * p->reach + 64 * DBL_EPSILON * norm3(k->frame.o);
    double near = ldexp(iv_width(range), 2 - DEPTH);
    int top = 1;
    stack[0].t = range;
    stack[0].depth = 0;
    while (top > 0) {
        wit_interval t = stack[--top].t;
        int depth = stack[top].depth;
        if (wit_curve_extent(p->curve, t, k->frame.x).lo - base > least) continue;
        double mid = iv_mid(t), rho = place_at(k, p->curve, mid).rho;
        if (rho < -ON_AXIS * p->reach) return refuse(k, "crosses the axis at t = %.9g; x >= 0 is needed", mid);
        if (depth == DEPTH) {
            bool at_end = (p->axis[0] && t.lo - range.lo < near) || (p->axis[1] && range.hi - t.hi < near);
            if (!at_end) return refuse(k, "touches the axis at t = %.9g; only its ends may", mid);
            continue;
        }
        stack[top].t = iv(mid, t.hi);
        stack[top++].depth = depth + 1;
        stack[top].t = iv(t.lo, mid);
        stack[top++].depth = depth + 1;
    }
    return WIT_OK;
}

static wit_status measure(solid_kit* k, profile* p)
{
    wit_curve_info info = wit_curve_describe(p->curve);
    wit_status status = check_samples(k, p);
    if (status) return status;
    place a = place_at(k, p->curve, info.range.lo), b = place_at(k, p->curve, info.range.hi);
    if (info.closed) a = b;
    bool meet = norm3(vec3(a.rho - b.rho, a.zeta - b.zeta, 0)) <= ON_AXIS * p->reach;
    p->axis[0] = fabs(a.rho) <= ON_AXIS * p->reach;
    p->axis[1] = fabs(b.rho) <= ON_AXIS * p->reach;
    if (meet && p->axis[0])
        return refuse(k, "begins and ends at the same point of the axis, z = %g; the solid would pinch there", a.zeta);
    p->closed = meet;
    status = check_axis(k, p);
    if (status) return status;
    wit_continuity c;
    for (int i = 1; i < info.cells; ++i)
        if (wit_curve_continuity(p->curve, i, &c) && !c.tangent) ++p->cuts;
    /* A closed profile with a corner is cut at its seam too: pieces then end at parameters that need no wrapping. */
    if (p->closed) {
        bool smooth = wit_curve_continuity(p->curve, 0, &c) && c.tangent;
        if (!smooth || p->cuts > 0) ++p->cuts;
    }
    return WIT_OK;
}

/* The circle that the point of the profile at t runs on. */
static int ring(solid_kit* k, const profile* p, const char* name, double t, int lid)
{
    const shape_frame* f = &k->frame;
    wit_curve_jet jet;
    wit_curve_eval(p->curve, t, WIT_KNOT_T_BELOW, NULL, &jet);
    wit_vec3 r = sub3(jet.p, f->o);
    double zeta = dot3(r, f->z);
    wit_vec3 out = addscaled3(r, -zeta, f->z), centre = addscaled3(f->o, zeta, f->z);
    int edge = wi_kit_ring(k, name, centre, unit3(out), f->z, norm3(out));
    if (lid) wi_kit_disc(k, &(kit_disc){name, centre, unit3(out), f->z, norm3(out), edge, lid > 0});
    return edge;
}

/* The face over `part` of the profile between two rings; -1: no ring there. */
static void piece(solid_kit* k, const profile* p, const char* name, wit_interval part, int below, int above)
{
    wit_surface_def d = wi_kit_surface_def(k, WIT_SURFACE_REVOLUTION, k->frame.o);
    d.profile = p->curve;
    d.range_v = part;
    wi_kit_face(k, name, &d);
    if (below >= 0) wi_kit_turn(k, below, false, part.lo);
    if (above >= 0) wi_kit_turn(k, above, true, part.hi);
}

static void pieces(solid_kit* k, const profile* p, int first, int last)
{
    wit_curve_info info = wit_curve_describe(p->curve);
    int count = 0, below = first, number = 0;
    const double* breaks = wit_curve_breaks(p->curve, &count);
    double from = info.range.lo;
    bool one = p->cuts - (p->closed && p->cuts > 0) == 0;
    for (int i = 1; i < info.cells; ++i) {
        wit_continuity c;
        if (!wit_curve_continuity(p->curve, i, &c) || c.tangent) continue;
        int above = ring(k, p, wi_kit_name(k, "ring", number + 1), breaks[i], 0);
        piece(k, p, wi_kit_name(k, "side", number), iv(from, breaks[i]), below, above);
        ++number;
        below = above;
        from = breaks[i];
    }
    piece(k, p, one ? "side" : wi_kit_name(k, "side", number), iv(from, info.range.hi), below, last);
}

void wi_solid_revolution(solid_kit* k)
{
    profile p = {.curve = k->def->profile};
    wit_status status = measure(k, &p);
    if (status) {
        wi_kit_refuse(k, status);
        return;
    }
    /* Per cut: a face, a ring, two loops of one use each; a name for both. */
    int n = p.cuts + 3;
    kit_room room = {n, n, 0, 2 * n, 2 * n, 3 * n, 2 * n};
    if (!wi_kit_open(k, room)) return;
    wit_interval range = wit_curve_describe(p.curve).range;
    int first = -1, last = -1;
    if (p.closed) {
        if (p.cuts > 0) first = last = ring(k, &p, wi_kit_name(k, "ring", 0), range.hi, 0);
    } else {
        if (!p.axis[0]) first = ring(k, &p, "bottom", range.lo, -1);
        if (!p.axis[1]) last = ring(k, &p, "top", range.hi, 1);
    }
    pieces(k, &p, first, last);
}
