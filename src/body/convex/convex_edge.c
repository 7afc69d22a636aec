/* SPDX-License-Identifier: MIT */
/*
 * By how much the faces at an edge turn inwards, along all of it.
 *
 * Where both faces keep their normals along the edge, or turn them about one and the same axis alike, one place tells. Else the
 * edge is cut into stretches: with cones of the normals n1, n2 and of the tangent t along a stretch, the edge is convex there
 * if t.(n1 x n2), which is 1-Lipschitz in each of the three, stays positive.
 */
#include "convex.h"

#include "../meeting.h"
#include "convex_seam.h"

enum { STRETCHES = 96, DEEPEST = 12 };
/* Stretches overlap by this share, so that faces that end up to a tolerance off the edge are seen against each other. */
#define OVERLAP 0.015625
/* Reflex by more than this somewhere: nothing more is asked. */
#define TOO_MUCH 0.02
#define SMOOTH 1e-4  /* up to here the join of two splines is looked at as a smooth one */
#define NO_TURN 1e-6 /* parameter curves within this of a line of the surface are looked at by what they are off it */

/* ---- one place ------------------------------------------------------------------------------- */

/* How far n turns from the first face to the second, positive at a convex edge. */
static bool turn_at(const wit_body* b, int32_t edge, double t, double* turn)
{
    const int32_t* use = edge_uses(b, edge);
    wit_vec3 n[2];
    wit_curve_jet c;
    if (wit_curve_eval(body_curve(b, edge), t, WIT_KNOT_DEFAULT, NULL, &c) & WIT_EVAL_DEGENERATE) return false;
    for (int k = 0; k < 2; ++k) {
        use_lift l = wi_use_lift(b, use[k], t);
        if (!wi_use_normal(b, use[k], &l, &n[k])) return false;
    }
    wit_vec3 into = left_of(n[0], unit3(c.d1), use_forward(b, use[0]));
    *turn = wit_atan2(-dot3(n[1], into), dot3(n[0], n[1]));
    return true;
}

/* ---- what keeps its turn --------------------------------------------------------------------- */

/* How the normal of a face goes along a use: it stays (about = 0), or turns by the vector `about` (axis times angle) from one end
 * to the other; both but for an angle of `off`. */
typedef struct going {
    bool known, stays;
    wit_vec3 about, normal;
    double off;
} going;

static bool turns_about_axis(const wit_surface* s)
{
    switch (s->kind) {
    case WIT_SURFACE_CYLINDER:
    case WIT_SURFACE_CONE:
    case WIT_SURFACE_SPHERE:
    case WIT_SURFACE_TORUS:
    case WIT_SURFACE_REVOLUTION:
        return true;
    case WIT_SURFACE_ELLIPSOID:
    case WIT_SURFACE_PARABOLOID:
        return s->a == s->b;
    default:
        return false;
    }
}

static going going_of(const wit_body* b, int32_t use)
{
    const body_use* x = &body_uses(b)[use];
    const wit_surface* s = body_surface(b, x->face);
    wit_interval t = body_edges(b)[x->edge].range;
    going g = {0};
    use_lift first = wi_use_lift(b, use, t.lo), last = wi_use_lift(b, use, t.hi);
    double du = last.c.p.x - first.c.p.x, dv = last.c.p.y - first.c.p.y;
    bool angle_v = s->kind == WIT_SURFACE_SPHERE || s->kind == WIT_SURFACE_TORUS;
    bool ruled = s->kind == WIT_SURFACE_CYLINDER || s->kind == WIT_SURFACE_CONE;
    if (!wi_use_normal(b, use, &first, &g.normal)) return g;
    if (s->kind == WIT_SURFACE_PLANE) {
        g.known = g.stays = true;
        return g;
    }
    if (body_parameter_curve(b, use)->kind != WIT_CURVE_LINE) return g;
    if (ruled && fabs(du) <= NO_TURN) {
        g.known = g.stays = true;
        g.off = fabs(du);
    } else if (turns_about_axis(s) && (dv == 0 || ruled || (angle_v && fabs(dv) <= NO_TURN))) {
        g.known = true;
        g.about = scale3(du, s->frame.z);
        g.off = angle_v ? fabs(dv) : 0;
    }
    return g;
}

/* Do both faces keep their angle, but for *off? |R(x) n - R(y) n| <= |x - y| for turns by vectors x and y. */
static bool keeps_turn(const wit_body* b, int32_t edge, double* off)
{
    const int32_t* use = edge_uses(b, edge);
    going p = going_of(b, use[0]), q = going_of(b, use[1]);
    if (!p.known || !q.known) return false;
    *off = p.off + q.off + CONVEX_ROUNDING;
    if (p.stays && q.stays) return true;
    if (p.stays || q.stays)
        *off += p.stays ? norm3(cross3(q.about, p.normal)) : norm3(cross3(p.about, q.normal));
    else
        *off += norm3(sub3(p.about, q.about));
    return *off <= NO_TURN;
}

/* ---- stretches ------------------------------------------------------------------------------- */

/* The outward normals of the face along a stretch of the use. At a crease only the side that the face is on counts: the box of
 * parameters is given some width that way. */
static wit_cone normals_along(const wit_body* b, int32_t use, wit_interval t)
{
    const body_use* x = &body_uses(b)[use];
    const body_face* f = &body_faces(b)[x->face];
    double lo = x->shift + x->scale * t.lo, hi = x->shift + x->scale * t.hi;
    wit_curve_bounds on;
    wit_surface_bounds s;
    wit_curve_bound(body_parameter_curve(b, use), iv(smaller(lo, hi), larger(lo, hi)), &on);
    use_lift l = wi_use_lift(b, use, iv_mid(t));
    wit_interval u = iv(on.box.lo.x, on.box.hi.x), v = iv(on.box.lo.y, on.box.hi.y);
    double more_u = 1e-9 * iv_width(f->u), more_v = 1e-9 * iv_width(f->v);
    if (l.into_u > 0) u.hi += more_u;
    if (l.into_u < 0) u.lo -= more_u;
    if (l.into_v > 0) v.hi += more_v;
    if (l.into_v < 0) v.lo -= more_v;
    wit_surface_bound(body_surface(b, x->face), u, v, &s);
    if (f->reversed) s.normals.axis = scale3(-1, s.normals.axis);
    return s.normals;
}

typedef struct stretches {
    const wit_body* b;
    int32_t edge;
    int left;
    double reflex;
} stretches;

static void look(stretches* s, wit_interval t, int depth)
{
    const wit_body* b = s->b;
    const int32_t* use = edge_uses(b, s->edge);
    wit_interval all = body_edges(b)[s->edge].range;
    double more = OVERLAP * iv_width(t);
    wit_interval wide = iv(larger(all.lo, t.lo - more), smaller(all.hi, t.hi + more));
    wit_curve_bounds c;
    wit_curve_bound(body_curve(b, s->edge), wide, &c);
    wit_cone p = normals_along(b, use[0], wide), q = normals_along(b, use[1], wide);
    wit_vec3 along = use_forward(b, use[0]) ? c.tangents.axis : scale3(-1, c.tangents.axis), x = cross3(p.axis, q.axis);
    double spread = p.angle + q.angle;
    s->left--;
    if (dot3(along, x) > spread + c.tangents.angle + CONVEX_ROUNDING) return;
    double apart = wit_atan2(norm3(x), dot3(p.axis, q.axis)) + spread + CONVEX_ROUNDING;
    if (s->left <= 0 || depth >= DEEPEST || s->reflex > TOO_MUCH) {
        s->reflex = larger(s->reflex, apart);
        return;
    }
    look(s, iv(t.lo, iv_mid(t)), depth + 1);
    look(s, iv(iv_mid(t), t.hi), depth + 1);
}

/* ---- seams of splines ------------------------------------------------------------------------ */

/* The use along a line of one parameter of a spline. */
static bool side_of(const wit_body* b, int32_t use, seam_side* out)
{
    const body_use* x = &body_uses(b)[use];
    const wit_surface* s = body_surface(b, x->face);
    const wit_curve* c = body_parameter_curve(b, use);
    if (s->kind != WIT_SURFACE_NURBS || c->kind != WIT_CURVE_LINE || (c->frame.x.x != 0 && c->frame.x.y != 0))
        return false;
    use_lift l = wi_use_lift(b, use, body_edges(b)[x->edge].range.lo);
    bool u = c->frame.x.x != 0;
    double step = u ? c->frame.x.x : c->frame.x.y, from = u ? c->frame.o.x : c->frame.o.y;
    *out = (seam_side){.s = s, .along_u = u, .reversed = body_faces(b)[x->face].reversed, .side = l.side};
    out->fixed = u ? c->frame.o.y : c->frame.o.x;
    out->scale = step * x->scale;
    out->shift = from + step * x->shift;
    out->into = (u ? l.into_v : l.into_u) > 0 ? 1 : -1;
    return out->scale != 0;
}

static double seam_reflex(const wit_body* b, int32_t edge)
{
    const int32_t* use = edge_uses(b, edge);
    seam_side p, q;
    double sum;
    if (!side_of(b, use[0], &p) || !side_of(b, use[1], &q)) return INFINITY;
    return wi_seam_reflex(&p, &q, body_edges(b)[edge].range, &sum);
}

double wi_edge_reflex(const wit_body* b, int32_t edge)
{
    enum { SAMPLES = 5 };
    const body_edge* e = &body_edges(b)[edge];
    const int32_t* use = edge_uses(b, edge);
    double turn, off;
    if (e->uses != 2 || use_forward(b, use[0]) == use_forward(b, use[1])) return INFINITY;
    if (keeps_turn(b, edge, &off) && turn_at(b, edge, iv_mid(e->range), &turn)) return larger(0, off - turn);
    double largest = 0;
    for (int k = 0; k < SAMPLES; ++k) {
        if (!turn_at(b, edge, e->range.lo + iv_width(e->range) * (0.1 + 0.2 * k), &turn)) continue;
        if (turn < -TOO_MUCH) return INFINITY;
        largest = larger(largest, fabs(turn));
    }
    if (largest <= SMOOTH) {
        double reflex = seam_reflex(b, edge);
        if (reflex < INFINITY) return reflex;
    }
    stretches s = {b, edge, STRETCHES, 0};
    look(&s, e->range, 0);
    return s.reflex > TOO_MUCH ? INFINITY : s.reflex;
}

/* ---- how often a plane meets a curve --------------------------------------------------------- */

static double spline_crossings(const spline_axis* a)
{
    return (double)a->degree * a->spans;
}

static double iso_crossings(const wit_surface* s, wit_direction fixed)
{
    bool along_u = fixed == WIT_V;
    switch (s->kind) {
    case WIT_SURFACE_NURBS:
        return spline_crossings(along_u ? &s->spline.u : &s->spline.v);
    case WIT_SURFACE_REVOLUTION:
        return along_u ? 2 : wi_curve_crossings(surface_profile(s));
    case WIT_SURFACE_EXTRUSION:
        return along_u ? wi_curve_crossings(surface_profile(s)) : 1;
    default: /* lines and conics */
        return 2;
    }
}

/* A plane is an equation of degree 1 in the point: of the curve's degree in the parameter of a spline, numerator alone, and
 * quadratic on a conic. */
double wi_curve_crossings(const wit_curve* c)
{
    const wit_curve* on;
    switch (c->kind) {
    case WIT_CURVE_LINE:
        return 1;
    case WIT_CURVE_NURBS:
        return spline_crossings(&c->spline.t);
    case WIT_CURVE_ISO:
        return iso_crossings(curve_surface(c), c->fixed);
    case WIT_CURVE_ON_SURFACE:
        on = curve_parameter_curve(c);
        if (curve_surface(c)->kind == WIT_SURFACE_PLANE) return wi_curve_crossings(on);
        if (on->kind != WIT_CURVE_LINE || (on->frame.x.x != 0 && on->frame.x.y != 0)) return INFINITY;
        return iso_crossings(curve_surface(c), on->frame.x.x == 0 ? WIT_U : WIT_V);
    default:
        return 2;
    }
}
