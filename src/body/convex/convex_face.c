/* SPDX-License-Identifier: MIT */
/*
 * Is a face convex everywhere, and if not quite, how much can a plane section turn inwards on it?
 *
 * Quadrics are convex by their kind. Splines by boxes of parameters over which the second form is proved to be definite
 * (check_bend.c), with the turns where cells meet (convex_seam.c); surfaces of revolution and extrusions by their profile.
 */
#include "convex.h"
#include "convex_seam.h"

#include "../../geom/bounds.h"
#include "../../geom/spline_axis.h"
#include "../check/check.h"

enum { BOXES = 20000, DEEPEST = 9, PIECES = 16, STRETCHES = 256 };
#define STRAIGHT 1e-9    /* of the range: knots nearer to an end of a face are not inside it */
#define NEARLY_FLAT 1e-9 /* radians */

/* ---- plane curves ---------------------------------------------------------------------------- */

static bool is_straight(const wit_curve* c)
{
    return c->kind == WIT_CURVE_LINE || (c->kind == WIT_CURVE_NURBS && c->spline.t.degree == 1 && !c->spline.rational);
}

typedef struct profile_run {
    const wit_curve* c;
    wit_vec3 axes[3]; /* x, y of the plane; nothing */
    double sign;      /* 1: the region is to the left */
    int left;
} profile_run;

/* Does the curve turn left all along the stretch? x' y'' - y' x'' > 0. */
static bool turns_left(profile_run* r, wit_interval t, int depth)
{
    curve_enclosure e;
    if (r->left-- <= 0 || depth > 3 * DEEPEST) return false;
    wi_curve_enclose(r->c, t, r->axes, &e);
    wit_interval turn = iv_sub(iv_mul(e.d[1][0], e.d[2][1]), iv_mul(e.d[1][1], e.d[2][0]));
    double margin = 8 * DBL_EPSILON * (iv_mag(e.d[1][0]) * iv_mag(e.d[2][1]) + iv_mag(e.d[1][1]) * iv_mag(e.d[2][0]));
    turn = iv_scale(r->sign, iv_widen(turn, margin));
    if (turn.lo > 0) return true;
    if (turn.hi < 0) return false;
    return turns_left(r, iv(t.lo, iv_mid(t)), depth + 1) && turns_left(r, iv(iv_mid(t), t.hi), depth + 1);
}

/* The turn of the tangent at break k, seen in the plane; positive towards the region. */
static double knot_turn(const profile_run* r, int k, double* noise)
{
    int count;
    const double* breaks = wit_curve_breaks(r->c, &count);
    double cell = breaks[k + 1] - breaks[k], at = k > 0 ? breaks[k] : breaks[count - 1];
    /* first derivatives of a spline are good to rounding of its points over the length of the cell, times the degree */
    double degree = r->c->kind == WIT_CURVE_NURBS ? r->c->spline.t.degree : WIT_MAX_DEGREE;
    wit_curve_jet a, b;
    wit_curve_eval(r->c, at, WIT_KNOT_T_BELOW, NULL, &a);
    wit_curve_eval(r->c, breaks[k], WIT_KNOT_DEFAULT, NULL, &b);
    double ax = dot3(r->axes[0], a.d1), ay = dot3(r->axes[1], a.d1), bx = dot3(r->axes[0], b.d1),
           by = dot3(r->axes[1], b.d1);
    double least = smaller(sqrt(ax * ax + ay * ay), sqrt(bx * bx + by * by));
    *noise = least > 0
                 ? 32 * DBL_EPSILON * degree * (norm3(a.p) + cell * r->c->speed) / (cell * least) + CONVEX_ROUNDING
                 : INFINITY;
    return r->sign * wit_atan2(ax * by - ay * bx, ax * bx + ay * by);
}

/* Cell by cell, with the knots between them; of a whole closed curve that at its seam too. */
static double reflex_of(profile_run* r, wit_interval range)
{
    int count;
    const double* breaks = wit_curve_breaks(r->c, &count);
    double reflex = 0, noise, near = STRAIGHT * iv_width(range), period = r->c->closed ? iv_width(r->c->range) : 0;
    bool whole = r->c->closed && iv_width(range) >= period - near;
    if (whole) {
        double bend = knot_turn(r, 0, &noise);
        reflex += larger(0, noise - bend);
        range = r->c->range;
    }
    for (int turn = r->c->closed ? -1 : 0; turn <= (r->c->closed ? 1 : 0); ++turn)
        for (int k = 0; k + 1 < count; ++k) {
            double lo = breaks[k] + turn * period, hi = breaks[k + 1] + turn * period;
            wit_interval cell = iv(larger(lo, range.lo), smaller(hi, range.hi));
            if (lo > range.lo + near && lo < range.hi - near) {
                double bend = knot_turn(r, k, &noise);
                reflex += larger(0, noise - bend);
            }
            if (cell.hi > cell.lo && !is_straight(r->c) && !turns_left(r, cell, 0)) return INFINITY;
        }
    return reflex;
}

double wi_curve_reflex(const wit_curve* c, wit_interval range, wit_vec3 up, bool turned)
{
    profile_run r = {.c = c, .sign = turned ? -1 : 1, .left = STRETCHES};
    wit_curve_jet j;
    complete3(up, &r.axes[0], &r.axes[1]);
    if (dot3(cross3(r.axes[0], r.axes[1]), up) < 0) r.sign = -r.sign;
    if (c->kind == WIT_CURVE_LINE) return 0;
    if (c->kind > WIT_CURVE_HYPERBOLA) return reflex_of(&r, range);
    /* a conic turns one way */
    wit_curve_eval(c, iv_mid(range), WIT_KNOT_DEFAULT, NULL, &j);
    double x1 = dot3(r.axes[0], j.d1), y1 = dot3(r.axes[1], j.d1), x2 = dot3(r.axes[0], j.d2),
           y2 = dot3(r.axes[1], j.d2);
    return r.sign * (x1 * y2 - y1 * x2) > 0 ? 0 : INFINITY;
}

/* ---- revolution, extrusion ------------------------------------------------------------------- */

/*
 * With c = rho x + zeta z the outward normal is along +-(zeta', -rho'): the parallels are convex where it points away from the
 * axis. The meridian turns one way; on a piece whose tangents are in a cone below a right angle, it turns by less than a straight
 * angle, and the ends of the piece tell. Where it points
 * to the axis by a little, at a pole, all normals are within that of the axis, and a section that passes turns by twice as much.
 */
static double revolution_reflex(const wit_body* b, int32_t face)
{
    const wit_surface* s = body_surface(b, face);
    const body_face* f = &body_faces(b)[face];
    const wit_curve* c = surface_profile(s);
    double sign = f->reversed ? -1 : 1, lost = 0;
    if (!s->meridian) return INFINITY;
    /* in the plane (rho, zeta) the outward normal is to the right of the way for sign 1 */
    double turn = wi_curve_reflex(c, f->v, scale3(-1, s->frame.y), f->reversed);
    for (int k = 0; k <= PIECES && turn < INFINITY; ++k) {
        double lo = f->v.lo + iv_width(f->v) * k / PIECES, hi = f->v.lo + iv_width(f->v) * (k + 1) / PIECES;
        wit_curve_bounds piece;
        wit_curve_jet j;
        wit_curve_eval(c, k < PIECES ? lo : f->v.hi, k < PIECES ? WIT_KNOT_DEFAULT : WIT_KNOT_T_BELOW, NULL, &j);
        double away = sign * dot3(s->frame.z, j.d1) / norm3(j.d1);
        if (!(away > -1e-9)) return INFINITY;
        lost = larger(lost, CONVEX_ROUNDING - away);
        if (k == PIECES) break;
        wit_curve_bound(c, iv(lo, k + 1 < PIECES ? hi : f->v.hi), &piece);
        if (!(piece.tangents.angle < 0.5 * PI)) return INFINITY;
    }
    return 2 * turn + 4 * lost;
}

static double extrusion_reflex(const wit_body* b, int32_t face)
{
    const wit_surface* s = body_surface(b, face);
    const body_face* f = &body_faces(b)[face];
    /* S_u x S_v = C' x d points to the right of the way of C, seen from where d points */
    return wi_curve_reflex(surface_profile(s), f->u, s->frame.z, f->reversed);
}

/* ---- splines --------------------------------------------------------------------------------- */

typedef struct box_run {
    check_region region;
    int left;
} box_run;

static bool boxes_convex(box_run* r, wit_interval u, wit_interval v, int depth)
{
    if (r->left-- <= 0) return false;
    if (wi_check_region_tag(&r->region, u, v) == TRIM_OUT) return true;
    check_box_bend is = wi_check_box_bend(&r->region, u, v);
    if (is != CHECK_BOX_OPEN) return is == CHECK_BOX_CONVEX;
    if (depth >= DEEPEST) return false;
    double um = iv_mid(u), vm = iv_mid(v);
    for (int k = 0; k < 4; ++k)
        if (!boxes_convex(r, k & 1 ? iv(um, u.hi) : iv(u.lo, um), k & 2 ? iv(vm, v.hi) : iv(v.lo, vm), depth + 1))
            return false;
    return true;
}

/* Across knot i of one direction (0: the seam of a closed one), over one cell of the other. */
static double line_reflex(const wit_surface* s, bool along_u, int i, wit_interval other)
{
    const spline_axis* across = along_u ? &s->spline.u : &s->spline.v;
    const double* breaks = axis_breaks(across, s);
    unsigned below = along_u ? WIT_KNOT_U_BELOW : WIT_KNOT_V_BELOW;
    seam_side a = {s, !along_u, false, i > 0 ? breaks[i] : breaks[across->cells], 1, 0, -1, below};
    seam_side b = {s, !along_u, false, breaks[i], 1, 0, 1, WIT_KNOT_DEFAULT};
    double sum;
    wi_seam_reflex(&a, &b, other, &sum);
    return sum;
}

/* All lines of knots inside the face along one direction. */
static double knots_reflex(const wit_body* b, int32_t face, bool along_u)
{
    const wit_surface* s = body_surface(b, face);
    const body_face* f = &body_faces(b)[face];
    const spline_axis *across = along_u ? &s->spline.u : &s->spline.v, *along = along_u ? &s->spline.v : &s->spline.u;
    const double *breaks = axis_breaks(across, s), *others = axis_breaks(along, s);
    wit_interval box = along_u ? f->u : f->v;
    bool closed = along_u ? s->closed_u : s->closed_v;
    double period = iv_width(along_u ? s->u : s->v), near = STRAIGHT * iv_width(box), sum = 0;
    for (int i = closed ? 0 : 1; i < across->cells; ++i) {
        bool inside = false;
        for (int turn = closed ? -1 : 0; turn <= (closed ? 1 : 0); ++turn) {
            double at = breaks[i] + turn * period;
            inside |= at > box.lo + near && at < box.hi - near;
        }
        inside |= closed && i == 0 && iv_width(box) >= period - near;
        for (int j = 0; inside && j < along->cells; ++j) {
            sum += line_reflex(s, along_u, i, iv(others[j], others[j + 1]));
            if (!(sum < 1)) return INFINITY;
        }
    }
    return sum;
}

/* A face whose normals differ by next to nothing: a section that passes over it does not turn by more than that, each time. */
static double flat_reflex(const wit_body* b, int32_t face)
{
    const body_face* f = &body_faces(b)[face];
    wit_cone normals;
    if (!wi_surface_normal_cone(body_surface(b, face), f->u, f->v, &normals) || !(normals.angle <= NEARLY_FLAT))
        return INFINITY;
    double times = 1;
    for (int32_t l = 0; l < f->loops; ++l) {
        const body_loop* loop = &body_loops(b)[f->first_loop + l];
        for (int32_t k = 0; k < loop->uses; ++k)
            if (body_uses(b)[loop->first_use + k].edge >= 0)
                times += wi_curve_crossings(body_curve(b, body_uses(b)[loop->first_use + k].edge));
    }
    return 2 * normals.angle * times;
}

static double spline_reflex(const wit_body* b, int32_t face)
{
    double flat = flat_reflex(b, face);
    if (flat < INFINITY) return flat;
    box_run r = {wi_check_region_of_face(b, face), BOXES};
    double sum = knots_reflex(b, face, true);
    if (sum < INFINITY) sum += knots_reflex(b, face, false);
    if (!(sum < INFINITY)) return INFINITY;
    wit_interval u = iv_point(r.region.u.lo);
    while (wi_check_next_cell(&r.region, WIT_U, &u)) {
        wit_interval v = iv_point(r.region.v.lo);
        while (wi_check_next_cell(&r.region, WIT_V, &v))
            if (!boxes_convex(&r, u, v, 0)) return INFINITY;
    }
    return sum;
}

/* Gaussian curvature of a torus has the sign of cos v; the parallels beyond a right angle bend in by that little. */
static double torus_reflex(const wit_body* b, int32_t face)
{
    const wit_surface* s = body_surface(b, face);
    const body_face* f = &body_faces(b)[face];
    double turns = floor(iv_mid(f->v) / TWO_PI + 0.5);
    double most = larger(fabs(f->v.lo - TWO_PI * turns), fabs(f->v.hi - TWO_PI * turns));
    double beyond = larger(0, most - 0.5 * PI);
    if (f->reversed || !(beyond <= 1e-12) || !(s->a > 2 * s->b * beyond)) return INFINITY;
    /* cos v >= -beyond along no more than 4 (a + b) of a plane section: two crossings of a strip, each once around at most */
    return 4 * TWO_PI * beyond * (s->a + s->b) / (s->a - s->b * beyond);
}

double wi_face_reflex(const wit_body* b, int32_t face)
{
    switch (body_surface(b, face)->kind) {
    case WIT_SURFACE_PLANE:
        return 0;
    case WIT_SURFACE_CYLINDER:
    case WIT_SURFACE_CONE:
    case WIT_SURFACE_SPHERE:
    case WIT_SURFACE_ELLIPSOID:
    case WIT_SURFACE_PARABOLOID:
        return body_faces(b)[face].reversed ? INFINITY : 0; /* S_u x S_v points away from the axis or the centre */
    case WIT_SURFACE_TORUS:
        return torus_reflex(b, face);
    case WIT_SURFACE_REVOLUTION:
        return revolution_reflex(b, face);
    case WIT_SURFACE_EXTRUSION:
        return extrusion_reflex(b, face);
    default:
        return spline_reflex(b, face);
    }
}
