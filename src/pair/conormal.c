/* SPDX-License-Identifier: MIT */
#include "conormal.h"

#define LEAN 1e-12 /* of the range: a little within */
#define CHORD 1e-5 /* of the range: of which the limit of a tangent is taken */

/* ---- at an edge ---------------------------------------------------------------------------- */

static double lean_by(wit_interval range, double x)
{
    return LEAN * iv_width(range) + 8 * DBL_EPSILON * fabs(x);
}

static void lean_in(const wit_surface* surface, const use_lift* by, face_rim* r)
{
    double most = larger(fabs(by->into_u), fabs(by->into_v));
    double u = lean_by(surface->u, r->u), v = lean_by(surface->v, r->v);
    if (fabs(by->into_u) > 1e-9 * most) r->u += by->into_u > 0 ? u : -u;
    if (fabs(by->into_v) > 1e-9 * most) r->v += by->into_v > 0 ? v : -v;
    r->below |= by->side;
}

bool wi_rim_at(const side* s, int32_t face, const use_lift* by, const use_lift* other, face_rim* out)
{
    const wit_surface* surface = body_surface(s->body, face);
    *out = (face_rim){.u = by->c.p.x, .v = by->c.p.y};
    lean_in(surface, by, out);
    if (other) lean_in(surface, other, out);
    wit_surface_jet j;
    unsigned flags = side_face_jet(s, face, out->u, out->v, out->below, &j);
    out->m = unit3(cross3(unit3(j.du), unit3(j.dv)));
    if (!(flags & WIT_EVAL_DEGENERATE)) return true;
    wit_vec3 n;
    side_jets(s, 1);
    if (!wit_surface_normal(surface, out->u, out->v, &n)) return false;
    out->m = side_vector(s, n);
    return true;
}

bool wi_use_outward(const side* s, int32_t use, double t, wit_vec3* out)
{
    use_lift l = side_use_lift(s, use, t);
    return wi_side_normal(s, body_uses(s->body)[use].face, l.c.p.x, l.c.p.y, out);
}

use_lift wi_use_lift_near(const side* s, int32_t use, double t, const use_passing* to)
{
    const wit_body* b = s->body;
    const body_edge* e = &body_edges(b)[body_uses(b)[use].edge];
    use_lift l = side_use_lift(s, use, t);
    for (int k = 0; k < USE_PASSING_JETS / 2; ++k) {
        wit_surface_jet j;
        side_face_jet(s, body_uses(b)[use].face, l.c.p.x, l.c.p.y, l.side, &j);
        wit_vec3 off = sub3(to->p, j.p), along = addscaled3(scale3(l.c.d1.x, j.du), l.c.d1.y, j.dv);
        double speed = dot3(along, along);
        if (norm3(off) <= to->enough || !(speed > 0)) break;
        double next = smaller(larger(t + dot3(off, along) / speed, e->range.lo), e->range.hi);
        if (!(fabs(next - t) > to->shortest)) break;
        t = next;
        l = side_use_lift(s, use, t);
    }
    return l;
}

/* ---- at a vertex --------------------------------------------------------------------------- */

double wi_edge_end(const side* s, int32_t edge, bool high)
{
    wit_interval t = body_edges(s->body)[edge].range;
    return high ? t.hi - lean_by(t, t.hi) : t.lo + lean_by(t, t.lo);
}

wit_vec3 wi_edge_away(const side* s, int32_t edge, bool high, bool from_end)
{
    wit_interval t = body_edges(s->body)[edge].range;
    wit_surface_jet j, off;
    side_edge_jet(s, edge, wi_edge_end(s, edge, high), WIT_KNOT_DEFAULT, &j);
    wit_vec3 d = scale3(high ? -1 : 1, unit3(j.du));
    if (dot3(d, d) > 0.5) return d;
    double end = high ? t.hi : t.lo, chord = CHORD * iv_width(t);
    if (from_end) side_edge_jet(s, edge, end, high ? WIT_KNOT_T_BELOW : WIT_KNOT_DEFAULT, &j);
    side_edge_jet(s, edge, high ? end - chord : end + chord, WIT_KNOT_DEFAULT, &off);
    return unit3(sub3(off.p, j.p));
}

bool wi_corner_at(const side* s, int32_t leaving, corner* out)
{
    const wit_body* b = s->body;
    out->leaving = leaving;
    out->arriving = wi_use_beside(b, leaving, -1);
    out->at = side_use_lift(s, leaving, use_parameter(b, leaving, false));
    use_lift before = side_use_lift(s, out->arriving, use_parameter(b, out->arriving, true));
    return wi_rim_at(s, body_uses(b)[leaving].face, &out->at, &before, &out->rim);
}

double wi_corner_sector(const side* s, const corner* c, bool from_end, wit_vec3* from)
{
    const wit_body* b = s->body;
    bool high = use_at_high_end(b, c->leaving, false), came_high = use_at_high_end(b, c->arriving, true);
    *from = wi_edge_away(s, body_uses(b)[c->leaving].edge, high, from_end);
    return turn_about(c->rim.m, *from, wi_edge_away(s, body_uses(b)[c->arriving].edge, came_high, from_end));
}

/* ---- at a pole or an apex ------------------------------------------------------------------ */

wit_vec3 wi_pole_ruling(const side* s, const pole_border* pole, double round)
{
    bool u = pole->fixed == WIT_U;
    unsigned below = pole->inward > 0 ? 0U : u ? (unsigned)WIT_KNOT_U_BELOW : (unsigned)WIT_KNOT_V_BELOW;
    wit_surface_jet j;
    side_face_jet(s, pole->face, u ? pole->value : round, u ? round : pole->value, below, &j);
    return scale3(pole->inward, u ? j.du : j.dv);
}
