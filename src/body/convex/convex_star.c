/* SPDX-License-Identifier: MIT */
/* A centre from which all of the boundary is seen, and at what angle at least. */
#include "convex.h"

#include "../meeting.h"

enum { ROUNDS = 8, BOXES = 500, DEEPEST = 7 };
#define ENOUGH 0.1 /* a share that is good enough: pieces with less are cut, unless others are as bad */

typedef struct sight {
    const wit_body* b;
    wit_vec3 c;
    int left; /* boxes */
    star out;
    wit_vec3 worst; /* the normal where n.(q - c) was least */
} sight;

/* A piece of the boundary: its normals lie in the cone, n.(q - c) is at least `clear`, |q - c| at most `reach`. False: it is to
 * be cut. */
static bool take(sight* s, const wit_cone* cone, double clear, double reach, double share, bool last)
{
    if (reach > 0) share = larger(share, clear / reach);
    if (!last && share < ENOUGH && share < 0.5 * s->out.share) return false;
    if (clear < s->out.clear) s->worst = cone->axis;
    s->out.share = smaller(s->out.share, share);
    s->out.clear = smaller(s->out.clear, clear);
    s->out.reach = larger(s->out.reach, reach);
    return true;
}

static double farthest(const wit_box* x, wit_vec3 c)
{
    wit_vec3 d =
        vec3(larger(fabs(x->lo.x - c.x), fabs(x->hi.x - c.x)), larger(fabs(x->lo.y - c.y), fabs(x->hi.y - c.y)),
             larger(fabs(x->lo.z - c.z), fabs(x->hi.z - c.z)));
    return norm3(d) * (1 + 4 * DBL_EPSILON);
}

/*
 * n.(q - c) of normals in a cone about m of half angle w, q in an extent along m: at least (m.q - m.c) cos w - |q - c| sin w.
 * In closed form: a cylinder r - n.(c - o), a cone n.(o - c) from any of its points o on the ruling, a sphere r + n.(o - c).
 */
static double clear_of(const sight* s, int32_t face, const wit_cone* cone, wit_interval along, double reach)
{
    const wit_surface* f = body_surface(s->b, face);
    double sine, cosine;
    wit_vec3 w = sub3(f->frame.o, s->c);
    wit_sincos(smaller(cone->angle, 0.5 * PI), &sine, &cosine);
    double above = along.lo - dot3(cone->axis, s->c), any = above * (above > 0 ? cosine : 1) - reach * sine;
    if (body_faces(s->b)[face].reversed) return any;
    wit_vec3 off = addscaled3(w, -dot3(w, f->frame.z), f->frame.z);
    double lean = dot3(cone->axis, w) * cosine - norm3(cross3(cone->axis, w)) * sine;
    switch (f->kind) {
    case WIT_SURFACE_CYLINDER:
        return larger(any, f->a - norm3(off));
    case WIT_SURFACE_SPHERE:
        return larger(any, f->a + (cone->angle < 0.5 * PI ? lean : -norm3(w)));
    case WIT_SURFACE_CONE: { /* o + a x is on it; n = cos e - sin z for radii > 0 */
        double side = f->c < 0 ? -1 : 1;
        return larger(any, side * (f->a * f->cosine - f->sine * dot3(w, f->frame.z)) - f->cosine * norm3(off));
    }
    default:
        return any;
    }
}

static void see_face(sight* s, int32_t face, wit_interval u, wit_interval v, int depth)
{
    const wit_surface* f = body_surface(s->b, face);
    wit_surface_bounds x;
    s->left--;
    wit_surface_bound(f, u, v, &x);
    if (body_faces(s->b)[face].reversed) x.normals.axis = scale3(-1, x.normals.axis);
    wit_vec3 middle = sub3(scale3(0.5, add3(x.box.lo, x.box.hi)), s->c);
    double half = 0.5 * norm3(sub3(x.box.hi, x.box.lo)), far = norm3(middle), reach = farthest(&x.box, s->c);
    double clear = clear_of(s, face, &x.normals, wit_surface_extent(f, u, v, x.normals.axis), reach), share = -1;
    if (half < far) {
        double angle = wit_atan2(norm3(cross3(x.normals.axis, middle)), dot3(x.normals.axis, middle)) + x.normals.angle;
        angle += wit_atan2(half, sqrt(far * far - half * half));
        double sine, cosine;
        wit_sincos(smaller(angle, PI), &sine, &cosine);
        share = cosine;
        clear = larger(clear, cosine > 0 ? cosine * (far - half) : cosine * reach);
    }
    bool last = s->left <= 0 || depth >= DEEPEST;
    if (take(s, &x.normals, clear, reach, share, last)) return;
    double um = iv_mid(u), vm = iv_mid(v);
    bool by_u = x.du * iv_width(u) > x.dv * iv_width(v);
    see_face(s, face, by_u ? iv(u.lo, um) : u, by_u ? v : iv(v.lo, vm), depth + 1);
    see_face(s, face, by_u ? iv(um, u.hi) : u, by_u ? v : iv(vm, v.hi), depth + 1);
}

/* Planar: n is across the tangent, in the plane. */
static void see_edge(sight* s, int32_t edge, wit_interval t, int depth)
{
    const wit_curve* c = body_curve(s->b, edge);
    wit_curve_bounds x;
    s->left--;
    wit_curve_bound(c, t, &x);
    wit_cone n = {planar_outward(s->b, edge_uses(s->b, edge)[0], x.tangents.axis), x.tangents.angle};
    double reach = farthest(&x.box, s->c), sine, cosine;
    wit_interval along = wit_curve_extent(c, t, n.axis);
    wit_sincos(smaller(n.angle, 0.5 * PI), &sine, &cosine);
    double above = along.lo - dot3(n.axis, s->c), clear = above * (above > 0 ? cosine : 1) - reach * sine;
    if (take(s, &n, clear, reach, -1, s->left <= 0 || depth >= DEEPEST)) return;
    see_edge(s, edge, iv(t.lo, iv_mid(t)), depth + 1);
    see_edge(s, edge, iv(iv_mid(t), t.hi), depth + 1);
}

static star seen_from(const wit_body* b, wit_vec3 c, wit_vec3* worst)
{
    sight s = {.b = b, .c = c, .left = BOXES};
    s.out = (star){c, 1, INFINITY, 0};
    const tree_node* nodes = body_nodes(b);
    for (int32_t i = 0; i < b->node_count && s.out.share > -1; ++i) {
        const tree_node* n = &nodes[i];
        if (n->child[0] >= 0) continue;
        if (n->kind == WIT_FACE && !b->planar) see_face(&s, n->feature, n->u, n->v, 0);
        if (n->kind == WIT_EDGE && b->planar) see_edge(&s, n->feature, n->u, 0);
    }
    *worst = s.worst;
    return s.out;
}

/* From the mean of the leaves inwards, away from the nearest tangent plane. */
star wi_convex_star(const wit_body* b)
{
    const tree_node* nodes = body_nodes(b);
    wit_vec3 sum = {0, 0, 0};
    int count = 0;
    for (int32_t i = 0; i < b->node_count; ++i) {
        if (nodes[i].child[0] >= 0) continue;
        sum = add3(sum, scale3(0.5, add3(nodes[i].box.lo, nodes[i].box.hi)));
        count++;
    }
    wit_vec3 c = scale3(count ? 1.0 / count : 0, sum), worst;
    star best = seen_from(b, c, &worst);
    double step = 0.25 * b->size;
    for (int k = 0; k < ROUNDS && !(best.share > 0.02); ++k, step *= 0.6) {
        star other = seen_from(b, addscaled3(best.centre, -step, worst), &worst);
        if (other.clear > best.clear) best = other;
    }
    if (!(best.clear > 0)) best.share = 0;
    return best;
}
