/* SPDX-License-Identifier: MIT */
/*
 * Round bodies, whose ways out may be a whole circle or sphere of directions that no search over cells could close: balls
 * by the distance of their centre, two bodies of revolution about one axis by the directions of one half plane.
 */
#include "contact_solve.h"
#include "penetration_search.h"
#include "../search/point_search.h"
#include "../sign/sign.h"

/* ---- a ball --------------------------------------------------------------------------------- */

static bool is_ball(const side* s)
{
    const wit_body* b = s->body;
    return b->face_count == 1 && !b->edge_count && !b->vertex_count && !b->unbounded && b->outward &&
           body_surface(b, 0)->kind == WIT_SURFACE_SPHERE;
}

bool wi_ball_depth(const search_task* t, double tolerance, wit_work* work, penetration* out)
{
    bool second = is_ball(&t->b);
    if (!second && !is_ball(&t->a)) return false;
    const side *ball = second ? &t->b : &t->a, *other = second ? &t->a : &t->b;
    const wit_surface* sphere = body_surface(ball->body, 0);
    wit_vec3 c = side_point(ball, sphere->frame.o);
    search_task point = task_rest(t, work);
    point.a = *other;
    point.b = wi_side_of_point(c);
    point.within = INFINITY;
    search_answer f;
    wi_point_search(&point, &f);
    work_spend(work, &f.work);
    work_solves(work, f.work.solves);
    if (f.end != SEARCH_CLOSED || !(f.upper > t->floor)) return false;
    point_sign side_of = wi_point_sign(t, other, c, &f, work);
    if (!side_of.proved) return false;
    int sign = side_of.sign;
    double r = sphere->a, slack = other->body->tolerance + t->floor;
    wit_vec3 n = unit3(scale3(sign, sub3(c, f.a.p))); /* outward of the other */
    wit_vec3 m;
    if (f.a.kind == WIT_FACE && !side_spent(other, 1) && wi_side_normal(other, f.a.id, f.a.u, f.a.v, &m)) n = m;
    support far = wi_support_of(ball, scale3(-1, n), work);
    if (far.partial) return false;
    place y = far.at;
    *out = (penetration){.normal = second ? n : scale3(-1, n), .a = second ? f.a : y, .b = second ? y : f.a};
    out->by_centre = true;
    /* the foot as exact as the contact form makes it */
    local_contact exact = {out->a, out->b, out->normal, 0};
    if (wi_contact_solve(&t->a, &t->b, NULL, t->size, work, &exact) && dot3(exact.normal, out->normal) > 1 - 1e-12) {
        out->normal = exact.normal;
        out->a = exact.a;
        out->b = exact.b;
    }
    out->depth = dot3(sub3(out->a.p, out->b.p), out->normal);
    out->apart = r - sign * f.upper < 0 && sign > 0 && r - f.lower < 0;
    out->lower = larger(0, (sign > 0 ? r - f.upper : r + f.lower) - slack);
    out->upper = (sign > 0 ? r - f.lower : r + f.upper) + slack;
    out->closed = out->upper - out->lower <= larger(tolerance, 4 * t->floor);
    return true;
}

/* ---- one axis ------------------------------------------------------------------------------- */

typedef struct axis {
    wit_vec3 o, z;
    bool known;
    double slack; /* how far off it a centre may be */
} axis;

static bool on_axis(const axis* x, wit_vec3 p)
{
    return norm3(cross3(sub3(p, x->o), x->z)) <= x->slack;
}

/* The first one settles it. */
static bool along_axis(axis* x, wit_vec3 o, wit_vec3 z)
{
    if (!x->known) *x = (axis){o, z, true, x->slack};
    return on_axis(x, o) && norm3(cross3(x->z, z)) <= 4 * DBL_EPSILON;
}

static bool face_turns(const wit_body* b, int32_t face, axis* x)
{
    const wit_surface* s = body_surface(b, face);
    bool whole = s->closed_u && iv_width(body_faces(b)[face].u) >= iv_width(s->u);
    switch (s->kind) {
    case WIT_SURFACE_PLANE: /* its border decides where */
        return !x->known || norm3(cross3(x->z, s->frame.z)) <= 4 * DBL_EPSILON;
    case WIT_SURFACE_SPHERE: /* trims other than circles about the axis are edges that are none */
        return x->known ? on_axis(x, s->frame.o) : along_axis(x, s->frame.o, s->frame.z);
    case WIT_SURFACE_ELLIPSOID:
        return s->a == s->b && whole && along_axis(x, s->frame.o, s->frame.z);
    case WIT_SURFACE_CYLINDER:
    case WIT_SURFACE_CONE:
    case WIT_SURFACE_TORUS:
    case WIT_SURFACE_REVOLUTION:
        return whole && along_axis(x, s->frame.o, s->frame.z);
    default:
        return false;
    }
}

/* All faces turn about one axis, all edges are whole circles about it, all vertices lie on it. */
static bool turns(const wit_body* b, axis* x)
{
    x->known = false;
    x->slack = 4 * DBL_EPSILON * b->size;
    for (int32_t i = 0; i < b->edge_count; ++i) {
        const wit_curve* c = body_curve(b, i);
        bool whole = c->closed && iv_width(body_edges(b)[i].range) >= iv_width(c->range);
        if (c->kind != WIT_CURVE_CIRCLE || !whole || !along_axis(x, c->frame.o, c->frame.z)) return false;
    }
    for (int32_t i = 0; i < b->face_count; ++i)
        if (!face_turns(b, i, x)) return false;
    for (int32_t i = 0; i < b->vertex_count && x->known; ++i)
        if (!on_axis(x, body_vertices(b)[i].point)) return false;
    return x->known;
}

bool wi_common_axis(const search_task* t, wit_vec3* out)
{
    axis a, b;
    if (t->a.body->planar || !turns(t->a.body, &a) || !turns(t->b.body, &b)) return false;
    wit_vec3 z = side_vector(&t->a, a.z), o = side_point(&t->a, a.o);
    wit_vec3 w = sub3(side_point(&t->b, b.o), o), lean = cross3(z, side_vector(&t->b, b.z));
    double reach = t->a.body->size + t->b.body->size + norm3(w);
    if (norm3(lean) * reach > 0.25 * t->floor || norm3(cross3(w, z)) > 0.25 * t->floor) return false;
    *out = z;
    return true;
}
