/* SPDX-License-Identifier: MIT */
/*
 * Boxes of the tree first; then leaves are halved until each piece is too far, by its radius or by its tangent plane, or
 * no larger than the reach.
 */
#include "nearby_feature.h"

#include "../../body/meeting.h"
#include "face_piece.h"

enum {
    WORK = 400, /* halvings in all */
    REBOUND = 10,
    REBOUND_POLE = 4, /* halvings after which derivatives are bounded anew */
    RETRIM = 6,       /* and trims asked */
    TREE = 64
};

typedef struct bystander_search {
    const wit_body* body;
    const place* at;
    wit_vec3 p, normal; /* in the body's frame; normal: of du x dv, zero where there is none */
    double reach;
    int work;
} bystander_search;

/* ---- what meets at the place ------------------------------------------------------------------- */

static bool around_vertex(const wit_body* b, int32_t vertex, wit_feature_kind kind, int32_t id)
{
    if (kind == WIT_VERTEX) return id == vertex;
    if (kind == WIT_EDGE) return vertex_ends_edge(b, vertex, id);
    return kind == WIT_FACE && wi_vertex_bounds_face(b, vertex, id);
}

static bool beside_edge(const wit_body* b, int32_t edge, wit_feature_kind kind, int32_t id)
{
    return kind == WIT_FACE ? face_passes_edge(b, id, edge) > 0 : kind == WIT_EDGE && id == edge;
}

static bool holds_parameter(wit_interval box, double x, wit_interval range, bool closed)
{
    double slack = 1e-9 * iv_width(range);
    if (closed) x += iv_width(range) * floor((box.hi + slack - x) / iv_width(range));
    return x >= box.lo - slack && x <= box.hi + slack;
}

static bool meets_place(const bystander_search* s, const tree_node* leaf)
{
    wit_feature_kind kind = (wit_feature_kind)leaf->kind;
    if (s->at->kind == WIT_VERTEX) return around_vertex(s->body, s->at->id, kind, leaf->feature);
    if (s->at->kind == WIT_EDGE) return beside_edge(s->body, s->at->id, kind, leaf->feature);
    if (kind != WIT_FACE || leaf->feature != s->at->id) return false;
    const wit_surface* surface = body_surface(s->body, leaf->feature);
    const wit_cone* cone = &body_leaf_bounds(s->body)[leaf->bounds].cone;
    /* no normal at right angles to that of the place, or beyond: this part of the face does not fold back over it */
    double sine, cosine;
    wit_sincos(cone->angle, &sine, &cosine);
    if (cosine > 0 && dot3(cone->axis, s->normal) > sine) return true;
    return holds_parameter(leaf->u, s->at->u, surface->u, surface->closed_u) &&
           holds_parameter(leaf->v, s->at->v, surface->v, surface->closed_v);
}

/* ---- pieces ------------------------------------------------------------------------------------ */

static bool face_is_near(bystander_search* s, const tree_node* leaf)
{
    const wit_surface* surface = body_surface(s->body, leaf->feature);
    face_piece stack[FACE_PIECE_DEPTH + 2];
    stack[0] = wi_face_piece_of_leaf(s->body, leaf);
    wit_hint hint = {{0}};
    for (int count = 1; count;) {
        face_piece t = stack[--count];
        if (t.depth && t.depth % (surface->degenerate ? REBOUND_POLE : REBOUND) == 0) wi_face_piece_bound(surface, &t);
        face_piece_view view = wi_face_piece_look(surface, &t, &hint);
        wit_vec3 off = sub3(s->p, view.jet.p), n = unit3(cross3(unit3(view.jet.du), unit3(view.jet.dv)));
        if (norm3(off) - view.radius > s->reach || fabs(dot3(off, n)) - view.bend > s->reach) continue;
        bool last = view.radius <= s->reach || t.depth == FACE_PIECE_DEPTH || ++s->work > WORK;
        /* trims cost more than halving: they are asked now and then, and before the answer */
        if ((last || t.depth % RETRIM == 0) && !wi_face_piece_trim(s->body, leaf->feature, &t)) continue;
        if (last) return true;
        wi_face_piece_halve(&t, &view, &stack[count + 1], &stack[count]);
        count += 2;
    }
    return false;
}

static bool edge_is_near(bystander_search* s, const tree_node* leaf)
{
    const leaf_bounds* b = &body_leaf_bounds(s->body)[leaf->bounds];
    face_piece stack[FACE_PIECE_DEPTH + 2];
    stack[0] = (face_piece){.u = leaf->u};
    for (int count = 1; count;) {
        face_piece t = stack[--count];
        double h = 0.5 * iv_width(t.u), m = iv_mid(t.u);
        wit_curve_jet j;
        wit_curve_eval(body_curve(s->body, leaf->feature), m, WIT_KNOT_DEFAULT, NULL, &j);
        double bend = 0.5 * b->d2[0] * h * h, radius = smaller(norm3(j.d1) * h + bend, b->d1[0] * h);
        wit_vec3 off = sub3(s->p, j.p), along = unit3(j.d1), across = addscaled3(off, -dot3(off, along), along);
        if (norm3(off) - radius > s->reach || norm3(across) - bend > s->reach) continue;
        if (radius <= s->reach || t.depth == FACE_PIECE_DEPTH || ++s->work > WORK) return true;
        stack[count++] = (face_piece){.u = iv(m, t.u.hi), .depth = t.depth + 1};
        stack[count++] = (face_piece){.u = iv(t.u.lo, m), .depth = t.depth + 1};
    }
    return false;
}

static bool leaf_is_near(bystander_search* s, const tree_node* leaf)
{
    if (leaf->kind == WIT_FACE) return face_is_near(s, leaf);
    if (leaf->kind == WIT_EDGE) return edge_is_near(s, leaf);
    return norm3(sub3(body_vertices(s->body)[leaf->feature].point, s->p)) <= s->reach;
}

static bool box_is_far(const wit_box* b, wit_vec3 p, double reach)
{
    return b->lo.x - p.x > reach || p.x - b->hi.x > reach || b->lo.y - p.y > reach || p.y - b->hi.y > reach ||
           b->lo.z - p.z > reach || p.z - b->hi.z > reach;
}

bool wi_has_nearby_feature(const side* of, const place* at, double reach)
{
    const wit_body* b = of->body;
    bystander_search s = {.body = b, .at = at, .p = side_unpoint(of, at->p), .reach = reach};
    if (at->kind == WIT_FACE) wit_surface_normal(body_surface(b, at->id), at->u, at->v, &s.normal);
    int stack[TREE], count = 0;
    const tree_node* nodes = body_nodes(b);
    if (b->node_count) stack[count++] = 0;
    while (count) {
        const tree_node* node = &nodes[stack[--count]];
        if (box_is_far(&node->box, s.p, reach)) continue;
        if (node->child[0] < 0) {
            if (!meets_place(&s, node) && leaf_is_near(&s, node)) return true;
        } else {
            if (count + 2 > TREE) return true;
            stack[count++] = node->child[1];
            stack[count++] = node->child[0];
        }
    }
    return false;
}
