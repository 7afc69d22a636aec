/* SPDX-License-Identifier: MIT */
/*
 * Is a face convex everywhere, and if not quite, how much can a plane section turn inwards on it?
 *
 * Quadrics are convex by their kind. Splines by boxes of parameters over which the second form is proved to be definite
 * (check_bend.c); surfaces of revolution and extrusions by their profile. Where two cells of a spline meet, the tangent planes
 * may differ: S_u = (A_u - S w_u) / w jumps there by what the Bezier nets of A and w say, and the normal turns by no more than
 * |jump of S_u| |S_v| / |S_u x S_v|.
 */
#include "convex.h"

#include "../../geom/bounds.h"
#include "../../geom/spline_axis.h"
#include "../check/check.h"

enum { BOXES = 20000, DEEPEST = 9, PIECES = 16, STRETCHES = 256 };
#define STRAIGHT 1e-9 /* of the range: knots nearer to an end of a face are not inside it */
/* First derivatives of splines are good to this times size / cell length. */
#define NOISE 1e-13

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
    wit_curve_jet a, b;
    wit_curve_eval(r->c, at, WIT_KNOT_T_BELOW, NULL, &a);
    wit_curve_eval(r->c, breaks[k], WIT_KNOT_DEFAULT, NULL, &b);
    double ax = dot3(r->axes[0], a.d1), ay = dot3(r->axes[1], a.d1), bx = dot3(r->axes[0], b.d1),
           by = dot3(r->axes[1], b.d1);
    double least = smaller(sqrt(ax * ax + ay * ay), sqrt(bx * bx + by * by));
    *noise = least > 0 ? NOISE * (norm3(a.p) + cell * r->c->speed) / (cell * least) + CONVEX_ROUNDING : INFINITY;
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
    double x1 = dot3(r.axes[0], j.d1), y1 = dot3(r.axes[1], j.d1), x2 = dot3(r.axes[0], j.d2), y2 = dot3(r.axes[1], j.d2);
    return r.sign * (x1 * y2 - y1 * x2) > 0 ? 0 : INFINITY;
}

/* ---- revolution, extrusion ------------------------------------------------------------------- */

/*
 * With c = rho x + zeta z the outward normal is along +-(zeta', -rho'): the parallels are convex where it points away from the
 * axis. The meridian turns one way; on a piece whose tangents are in a cone below a right angle, it turns by less than a straight
 * angle, and the ends of the piece tell. What an end misses by rounding, at a pole, is a cone that turns inwards by so little.
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
        lost += larger(0, CONVEX_ROUNDING - away);
        if (k == PIECES) break;
        wit_curve_bound(c, iv(lo, k + 1 < PIECES ? hi : f->v.hi), &piece);
        if (!(piece.tangents.angle < 0.5 * PI)) return INFINITY;
    }
    return 2 * (turn + lost);
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

/* A lower bound of |S_u x S_v| and an upper one of |S_v| (or |S_u|) over a box. */
static double least_normal(const wit_surface* s, wit_interval u, wit_interval v, bool of_u, double* along)
{
    wit_surface_jet j;
    surface_enclosure e;
    wit_vec3 axes[3];
    wit_surface_eval(s, iv_mid(u), iv_mid(v), WIT_KNOT_DEFAULT, NULL, &j);
    axes[0] = unit3(j.du);
    axes[2] = unit3(cross3(axes[0], unit3(j.dv)));
    axes[1] = cross3(axes[2], axes[0]);
    *along = 0;
    if (!(dot3(axes[2], axes[2]) > 0.5)) return 0;
    wi_surface_enclose(s, u, v, axes, &e);
    const wit_interval *a = e.d[D10], *b = e.d[D01], *which = of_u ? a : b;
    for (int k = 0; k < 3; ++k) *along += iv_mag(which[k]) * iv_mag(which[k]);
    *along = sqrt(*along);
    wit_interval n = iv_sub(iv_mul(a[0], b[1]), iv_mul(a[1], b[0]));
    return larger(0, iv_widen(n, 8 * DBL_EPSILON * iv_mag(a[0]) * iv_mag(b[1])).lo);
}

/* Cells i - 1 and i (i = 0: the last and the first) of direction d, cell j of the other. */
typedef struct knot_line {
    const wit_surface* s;
    bool along_u; /* u jumps */
    int i, j;
} knot_line;

static const double* net_of(const knot_line* k, int cell)
{
    const surface_spline* n = &k->s->spline;
    int i = k->along_u ? cell : k->j, j = k->along_u ? k->j : cell;
    size_t index = (size_t)i * (size_t)n->v.cells + (size_t)j;
    const double* all = (const double*)(const void*)((const char*)k->s + n->bernstein);
    return all + index * (size_t)((n->u.degree + 1) * (n->v.degree + 1)) * 4;
}

/* Point l of the line that is `row` rows from the low end of the cell. */
static const double* net_point(const knot_line* k, const double* net, int row, int l)
{
    int columns = k->s->spline.v.degree + 1;
    return net + 4 * (k->along_u ? row * columns + l : l * columns + row);
}

/* How far the derivative across the line jumps, at most: |jump of (A_u - S w_u)| / w. */
static double derivative_jump(const knot_line* k, int before)
{
    const surface_spline* n = &k->s->spline;
    const spline_axis *across = k->along_u ? &n->u : &n->v, *along = k->along_u ? &n->v : &n->u;
    const double *a = net_of(k, before), *b = net_of(k, k->i), *o = net_point(k, b, 0, 0);
    int p = across->degree;
    double ia = p * axis_inverse(across, k->s)[before], ib = p * axis_inverse(across, k->s)[k->i];
    double most = 0, weight = 0, extent = 0, least = INFINITY, size = 0;
    wit_vec3 origin = scale3(1 / o[3], vec3(o[0], o[1], o[2]));
    for (int l = 0; l <= along->degree; ++l) {
        const double *a1 = net_point(k, a, p, l), *a0 = net_point(k, a, p - 1, l);
        const double *b0 = net_point(k, b, 0, l), *b1 = net_point(k, b, 1, l);
        double d[4];
        for (int x = 0; x < 4; ++x) d[x] = (a1[x] - a0[x]) * ia - (b1[x] - b0[x]) * ib;
        wit_vec3 at = scale3(1 / b0[3], vec3(b0[0], b0[1], b0[2]));
        most = larger(most, norm3(addscaled3(vec3(d[0], d[1], d[2]), -d[3], origin)));
        weight = larger(weight, fabs(d[3]));
        extent = larger(extent, norm3(sub3(at, origin)));
        least = smaller(least, smaller(a1[3], b0[3]));
        size = larger(size, norm3(at));
    }
    double rounding = 32 * DBL_EPSILON * (ia + ib) * (size + extent + norm3(origin));
    return (most + extent * weight + rounding) / least;
}

/* The turn of the normal across the line over one cell of the other parameter. */
static double line_reflex(const knot_line* k, wit_interval other)
{
    const surface_spline* n = &k->s->spline;
    const spline_axis* across = k->along_u ? &n->u : &n->v;
    int before = k->i > 0 ? k->i - 1 : across->cells - 1;
    double jump = derivative_jump(k, before), at = axis_breaks(across, k->s)[k->i], worst = 0;
    for (int x = 0; x < PIECES; ++x) {
        wit_interval y = iv(other.lo + iv_width(other) * x / PIECES, other.lo + iv_width(other) * (x + 1) / PIECES);
        double along, normal = least_normal(k->s, k->along_u ? iv_point(at) : y, k->along_u ? y : iv_point(at),
                                            !k->along_u, &along);
        worst = larger(worst, normal > 0 ? jump * along / normal : INFINITY);
    }
    return worst;
}

/* All lines of knots inside the face along one direction. A plane meets one in as many places as the other degree says. */
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
            knot_line k = {s, along_u, i, j};
            sum += along->degree * line_reflex(&k, iv(others[j], others[j + 1]));
            if (!(sum < 1)) return INFINITY;
        }
    }
    return sum;
}

static double spline_reflex(const wit_body* b, int32_t face)
{
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
