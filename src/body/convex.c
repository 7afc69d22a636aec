/* SPDX-License-Identifier: MIT */
#include "convex.h"

#define LEVEL 1e-7 /* of unit vectors: what counts as smooth */
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

static bool face_convex(const wit_body* b, int32_t face)
{
    switch (body_surface(b, face)->kind) {
    case WIT_SURFACE_PLANE:
        return true;
    case WIT_SURFACE_CYLINDER:
    case WIT_SURFACE_CONE:
    case WIT_SURFACE_SPHERE:
    case WIT_SURFACE_ELLIPSOID:
    case WIT_SURFACE_PARABOLOID:
        return quadric_convex(b, face);
    default: {
        wit_bend bend = wit_body_check_face(b, face).bend;
        return bend == WIT_BEND_FLAT || bend == WIT_BEND_CONVEX || bend == WIT_BEND_STRICTLY_CONVEX;
    }
    }
}

/* At one passage along an edge: the outward normal of the face, and a vector that leads into the face. */
typedef struct brink {
    wit_vec3 normal, into;
    bool known;
} brink;

static brink brink_at(const wit_body* b, int32_t use, double t)
{
    const body_use* u = &body_uses(b)[use];
    const body_face* f = &body_faces(b)[u->face];
    wit_curve_jet c;
    wit_surface_jet j;
    wit_curve_eval(body_parameter_curve(b, use), u->shift + u->scale * t, WIT_KNOT_DEFAULT, NULL, &c);
    wit_surface_eval(body_surface(b, u->face), c.p.x, c.p.y, WIT_KNOT_DEFAULT, NULL, &j);
    /* the face lies to the left of its loop in (u, v) */
    double left = u->reversed == (u->scale < 0) ? 1 : -1;
    wit_vec3 into = addscaled3(scale3(-left * c.d1.y, j.du), left * c.d1.x, j.dv);
    brink r = {scale3(f->reversed ? -1 : 1, unit3(cross3(j.du, j.dv))), unit3(into), false};
    r.known = dot3(r.normal, r.normal) > 0 && dot3(r.into, r.into) > 0;
    return r;
}

static bool edge_convex(const wit_body* b, int32_t edge)
{
    const body_edge* e = &body_edges(b)[edge];
    const int32_t* uses = (const int32_t*)body_at(b, b->edge_uses) + e->first_use;
    if (e->uses != 2) return false;
    for (int k = 0; k < SAMPLES; ++k) {
        double t = e->range.lo + iv_width(e->range) * (0.03 + 0.94 * k / (SAMPLES - 1));
        brink p = brink_at(b, uses[0], t), q = brink_at(b, uses[1], t);
        if (!p.known || !q.known) continue;
        if (dot3(p.into, q.normal) > LEVEL || dot3(q.into, p.normal) > LEVEL) return false;
    }
    return true;
}

bool wi_body_convex_proved(const wit_body* b)
{
    for (int32_t i = 0; i < b->face_count; ++i) {
        wit_surface_kind kind = body_surface(b, i)->kind;
        bool quadric = kind == WIT_SURFACE_PLANE || kind == WIT_SURFACE_CYLINDER || kind == WIT_SURFACE_CONE ||
                       kind == WIT_SURFACE_SPHERE || kind == WIT_SURFACE_ELLIPSOID;
        if (!quadric) return false;
    }
    return wi_body_convex(b);
}

bool wi_body_convex(const wit_body* b)
{
    if (b->kind != WIT_BODY_SOLID || b->planar) return false;
    if (b->unbounded) return b->face_count == 1 && !b->edge_count && body_surface(b, 0)->kind == WIT_SURFACE_PLANE;
    if (!b->closed || b->part_count != 1 || !b->outward) return false;
    for (int32_t i = 0; i < b->edge_count; ++i)
        if (!edge_convex(b, i)) return false;
    for (int32_t i = 0; i < b->face_count; ++i)
        if (!face_convex(b, i)) return false;
    return true;
}
