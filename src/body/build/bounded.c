/* SPDX-License-Identifier: MIT */
/*
 * Is far away outside? The farthest place of a closed solid along a direction d has beyond it nothing of the boundary, so what
 * is there is one with what is far away. Within a face the outward normal there is d if that is outside, else -d; at an
 * edge or a vertex a sum of the normals around, with weights >= 0, points to the outside (query/sign/sign.c). So it is enough
 * that no piece of the boundary that may hold the farthest place has a normal n with n.d < 0. Pieces are cut until that
 * is seen; if it is not, other directions are tried.
 */
#include "bounded.h"

#include "../meeting.h"

enum { STACK = 64, PIECES = 400, DEPTH = 40 };
#define FLAT 1e-9 /* n.d of a normal across d */

typedef struct extreme {
    const wit_body* body;
    wit_vec3 d;
    double reached; /* d.p of some place, less what edges may be off */
    int left;       /* pieces */
} extreme;

static void reach(extreme* x, wit_vec3 p)
{
    double value = dot3(x->d, p) - 2 * x->body->tolerance;
    if (value > x->reached) x->reached = value;
}

static double most_of(const wit_box* b, wit_vec3 d)
{
    return d.x * (d.x > 0 ? b->hi.x : b->lo.x) + d.y * (d.y > 0 ? b->hi.y : b->lo.y) +
           d.z * (d.z > 0 ? b->hi.z : b->lo.z);
}

typedef struct part_of {
    wit_interval u, v;
    bool mixed;
    int depth;
} part_of;

static bool cone_is_fine(const extreme* x, wit_cone c, bool reversed)
{
    double sine, cosine;
    wit_sincos(c.angle, &sine, &cosine);
    return c.angle < 1.5 && (reversed ? -1 : 1) * dot3(c.axis, x->d) >= sine - FLAT;
}

static bool surface_is_fine(extreme* x, const tree_node* leaf)
{
    const wit_body* b = x->body;
    const body_face* f = &body_faces(b)[leaf->feature];
    const wit_surface* s = body_surface(b, leaf->feature);
    part_of stack[STACK];
    stack[0] = (part_of){leaf->u, leaf->v, leaf->tag == TRIM_MIXED, 0};
    for (int count = 1; count;) {
        part_of t = stack[--count];
        wit_surface_bounds bounds;
        wit_surface_jet j;
        if (--x->left < 0 || t.depth > DEPTH || count + 2 > STACK) return false;
        if (wit_surface_extent(s, t.u, t.v, x->d).hi < x->reached) continue;
        if (t.mixed && t.depth) {
            trim_curves curves = body_trim_curves(b, f);
            trim_tag tag = wi_trim_classify(&f->trim, body_at(b, f->trim_block), &curves, t.u, t.v);
            if (tag == TRIM_OUT) continue;
            t.mixed = tag == TRIM_MIXED;
        }
        wit_surface_bound(s, t.u, t.v, &bounds);
        if (cone_is_fine(x, bounds.normals, f->reversed)) continue;
        wit_surface_eval(s, iv_mid(t.u), iv_mid(t.v), WIT_KNOT_DEFAULT, NULL, &j);
        if (!t.mixed) reach(x, j.p);
        part_of lo = t, hi = t;
        lo.depth = hi.depth = t.depth + 1;
        if (bounds.du * iv_width(t.u) >= bounds.dv * iv_width(t.v))
            lo.u.hi = hi.u.lo = iv_mid(t.u);
        else
            lo.v.hi = hi.v.lo = iv_mid(t.v);
        stack[count++] = hi;
        stack[count++] = lo;
    }
    return true;
}

/* Of planar bodies; the outward normal is C' x z. */
static bool curve_is_fine(extreme* x, const tree_node* leaf)
{
    const wit_body* b = x->body;
    const body_edge* e = &body_edges(b)[leaf->feature];
    const wit_curve* c = body_curve(b, leaf->feature);
    part_of stack[STACK];
    stack[0] = (part_of){.u = leaf->u};
    if (e->uses != 1) return false;
    double sign = body_uses(b)[edge_uses(b, leaf->feature)[0]].reversed ? -1 : 1;
    wit_vec3 z = body_surface(b, 0)->frame.z;
    for (int count = 1; count;) {
        part_of t = stack[--count];
        wit_curve_bounds bounds;
        wit_curve_jet j;
        if (--x->left < 0 || t.depth > DEPTH || count + 2 > STACK) return false;
        if (wit_curve_extent(c, t.u, x->d).hi < x->reached) continue;
        wit_curve_bound(c, t.u, &bounds);
        wit_curve_eval(c, iv_mid(t.u), WIT_KNOT_DEFAULT, NULL, &j);
        reach(x, j.p);
        double spread = bounds.d2 * 0.5 * iv_width(t.u);
        if (sign * dot3(cross3(j.d1, z), x->d) - spread >= -FLAT * (norm3(j.d1) - spread)) continue;
        part_of lo = t, hi = t;
        lo.depth = hi.depth = t.depth + 1;
        lo.u.hi = hi.u.lo = iv_mid(t.u);
        stack[count++] = hi;
        stack[count++] = lo;
    }
    return true;
}

/* Places to begin with: vertices, and the middles of leaves that no trim runs through. */
static void reach_some(extreme* x)
{
    const wit_body* b = x->body;
    for (int32_t i = 0; i < b->vertex_count; ++i) reach(x, body_vertices(b)[i].point);
    for (int32_t i = 0; i < b->node_count; ++i) {
        const tree_node* n = &body_nodes(b)[i];
        if (n->child[0] >= 0 || n->kind == WIT_VERTEX || !(most_of(&n->box, x->d) > x->reached)) continue;
        if (n->kind == WIT_EDGE) {
            wit_curve_jet j;
            wit_curve_eval(body_curve(b, n->feature), iv_mid(n->u), WIT_KNOT_DEFAULT, NULL, &j);
            reach(x, j.p);
        } else if (n->tag == TRIM_IN && !b->planar) {
            wit_surface_jet j;
            wit_surface_eval(body_surface(b, n->feature), iv_mid(n->u), iv_mid(n->v), WIT_KNOT_DEFAULT, NULL, &j);
            reach(x, j.p);
        }
    }
}

static bool outside_beyond(const wit_body* b, wit_vec3 d)
{
    extreme x = {.body = b, .d = unit3(d), .reached = -INFINITY, .left = PIECES};
    reach_some(&x);
    for (int32_t i = 0; i < b->node_count; ++i) {
        const tree_node* n = &body_nodes(b)[i];
        if (n->child[0] >= 0 || most_of(&n->box, x.d) < x.reached) continue;
        if (b->planar ? n->kind == WIT_EDGE && !curve_is_fine(&x, n) : n->kind == WIT_FACE && !surface_is_fine(&x, n))
            return false;
    }
    return x.reached > -INFINITY;
}

bool wi_body_bounded(const wit_body* b)
{
    if (b->kind != WIT_BODY_SOLID || !b->closed || b->unbounded || !b->node_count) return false;
    const shape_frame* f = b->planar ? &body_surface(b, 0)->frame : NULL;
    for (int k = 0; k < 27; ++k) {
        wit_vec3 d = vec3((k + 1) % 3 - 1, (k / 3 + 1) % 3 - 1, (k / 9 + 1) % 3 - 1);
        if (f) d = addscaled3(scale3(d.x, f->x), d.y, f->y);
        if (dot3(d, d) > 0 && outside_beyond(b, d)) return true;
    }
    return false;
}
