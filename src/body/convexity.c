/* SPDX-License-Identifier: MIT */
#include "convexity.h"

#include "check/check.h"
#include "convex/convex.h"
#include "meeting.h"

/* Of unit vectors: what counts as smooth where samples are looked at. Nothing that is proved rests on it. */
#define LEVEL 1e-7
enum { SAMPLES = 9 };

/* A quadric bends one way everywhere: one place tells. Positive second forms along the outward normal are hollow. */
static bool quadric_convex(const wit_body* b, int32_t face)
{
    const body_face* f = &body_faces(b)[face];
    wit_surface_jet j;
    /* off the middle, which may be a pole */
    double u = f->u.lo + 0.45 * iv_width(f->u), v = f->v.lo + 0.4 * iv_width(f->v);
    wit_surface_eval(body_surface(b, face), u, v, WIT_KNOT_DEFAULT, NULL, &j);
    wit_surface_forms forms = wit_surface_forms_of(&j);
    double sense = f->reversed ? -1 : 1, level = LEVEL / (b->size > 0 ? b->size : 1);
    return forms.has_curvature && sense * forms.k1 <= level && sense * forms.k2 <= level;
}

static bool is_quadric(wit_surface_kind kind)
{
    return kind <= WIT_SURFACE_PARABOLOID && kind != WIT_SURFACE_TORUS;
}

/* May the faces be convex, as far as closed forms of quadrics and samples of the others tell? */
static bool faces_may_be_convex(const wit_body* b)
{
    for (int pass = 0; pass < 2; ++pass)
        for (int32_t i = 0; i < b->face_count; ++i) {
            wit_surface_kind kind = body_surface(b, i)->kind;
            check_region r = wi_check_region_of_face(b, i);
            if (pass == 0 && is_quadric(kind) && kind != WIT_SURFACE_PLANE && !quadric_convex(b, i)) return false;
            if (pass == 1 && !is_quadric(kind) && wi_check_seen_hollow(&r)) return false;
        }
    return true;
}

/* At one passage along an edge: the outward normal of the face, and a vector that leads into the face. */
typedef struct brink {
    wit_vec3 normal, into;
    bool known;
} brink;

static brink brink_at(const wit_body* b, int32_t use, double t)
{
    int32_t face = body_uses(b)[use].face;
    use_lift l = wi_use_lift(b, use, t);
    wit_surface_jet j;
    wit_surface_eval(body_surface(b, face), l.c.p.x, l.c.p.y, WIT_KNOT_DEFAULT, NULL, &j);
    wit_vec3 into = addscaled3(scale3(l.into_u, j.du), l.into_v, j.dv);
    brink r = {scale3(body_faces(b)[face].reversed ? -1 : 1, unit3(cross3(j.du, j.dv))), unit3(into), false};
    r.known = dot3(r.normal, r.normal) > 0 && dot3(r.into, r.into) > 0;
    return r;
}

static bool edge_convex(const wit_body* b, int32_t edge)
{
    const body_edge* e = &body_edges(b)[edge];
    const int32_t* uses = edge_uses(b, edge);
    if (e->uses != 2) return false;
    for (int k = 0; k < SAMPLES; ++k) {
        double t = e->range.lo + iv_width(e->range) * (0.03 + 0.94 * k / (SAMPLES - 1));
        brink p = brink_at(b, uses[0], t), q = brink_at(b, uses[1], t);
        if (!p.known || !q.known) continue;
        if (dot3(p.into, q.normal) > LEVEL || dot3(q.into, p.normal) > LEVEL) return false;
    }
    return true;
}

static bool solid_looks_convex(const wit_body* b)
{
    if (b->unbounded) return b->face_count == 1 && !b->edge_count && body_surface(b, 0)->kind == WIT_SURFACE_PLANE;
    if (!b->closed || b->part_count != 1 || !b->outward) return false;
    for (int32_t i = 0; i < b->edge_count; ++i)
        if (!edge_convex(b, i)) return false;
    return faces_may_be_convex(b);
}

/* A region in the plane: its edges bend one way, and no corner is hollow. */
static bool planar_looks_convex(const wit_body* b)
{
    return b->loop_count == 1 && wit_body_check(b).convex;
}

/* A ring torus, whole, with nothing beside it. */
static bool is_ring(const wit_body* b)
{
    const wit_surface* s = b->face_count == 1 ? body_surface(b, 0) : NULL;
    return s && s->kind == WIT_SURFACE_TORUS && !b->edge_count && s->a > s->b;
}

body_facts wi_body_facts_find(const wit_body* b)
{
    body_facts f = {.quadrics = !b->planar, .convex_within = INFINITY, .hull_within = INFINITY};
    for (int32_t i = 0; i < b->face_count; ++i) f.quadrics &= is_quadric(body_surface(b, i)->kind);
    f.embedded = b->planar || b->unbounded || is_ring(b);
    if (b->kind != WIT_BODY_SOLID) return f;
    f.looks_convex = b->planar ? planar_looks_convex(b) : solid_looks_convex(b);
    if (!f.looks_convex) return f;
    convex_lengths l = wi_convex_lengths(b);
    f.convex_within = l.within;
    f.hull_within = l.hull;
    f.embedded |= l.within < INFINITY;
    return f;
}
