/* SPDX-License-Identifier: MIT */
/* Down the bounding tree to the edges and vertices near a place; the ones that bound its feature count. */
#include "lowest_place.h"

#include "../body/meeting.h"

static bool vertex_bounds(const wit_body* b, int vertex, const place* at)
{
    return at->kind == WIT_EDGE ? vertex_ends_edge(b, vertex, at->id) : wi_vertex_bounds_face(b, vertex, at->id);
}

typedef struct naming {
    const side* side;
    const wit_body* body;
    wit_vec3 p; /* body frame */
    const place* at;
    double slack;
    double edge_distance, vertex_distance;
    place edge, vertex;
} naming;

/* The nearest place of one stretch of an edge, from its chord, by Newton held to the stretch. */
static double nearest_on_stretch(const naming* n, int32_t edge, wit_interval t, wit_vec3* at, double* distance)
{
    const wit_curve* curve = body_curve(n->body, edge);
    wit_vec3 p = n->p;
    wit_curve_jet lo, hi, j;
    side_jets(n->side, 3); /* both ends and the last one */
    wit_curve_eval(curve, t.lo, WIT_KNOT_DEFAULT, NULL, &lo);
    wit_curve_eval(curve, t.hi, WIT_KNOT_T_BELOW, NULL, &hi);
    wit_vec3 chord = sub3(hi.p, lo.p);
    double square = dot3(chord, chord), x = square > 0 ? dot3(sub3(p, lo.p), chord) / square : 0.5;
    double s = t.lo + smaller(1, larger(0, x)) * iv_width(t);
    for (int k = 0; k < 8 && !side_spent(n->side, 1); ++k) {
        side_jets(n->side, 1);
        wit_curve_eval(curve, s, s >= t.hi ? WIT_KNOT_T_BELOW : WIT_KNOT_DEFAULT, NULL, &j);
        wit_vec3 r = sub3(j.p, p);
        double slope = dot3(r, j.d1), speed = dot3(j.d1, j.d1), bend = speed + dot3(r, j.d2);
        if (!(bend > 0.5 * speed)) bend = speed;
        if (!(bend > 0)) break;
        double next = smaller(t.hi, larger(t.lo, s - slope / bend));
        if (fabs(next - s) <= 4 * DBL_EPSILON * larger(fabs(t.lo), fabs(t.hi))) break;
        s = next;
    }
    wit_curve_eval(curve, s, s >= t.hi ? WIT_KNOT_T_BELOW : WIT_KNOT_DEFAULT, NULL, &j);
    *at = j.p;
    *distance = norm3(sub3(j.p, p));
    return s;
}

static void try_leaf(naming* n, const tree_node* leaf)
{
    if (leaf->kind == WIT_VERTEX) {
        wit_vec3 p = body_vertices(n->body)[leaf->feature].point;
        double d = norm3(sub3(p, n->p));
        if (!(d < n->vertex_distance) || !vertex_bounds(n->body, leaf->feature, n->at)) return;
        n->vertex_distance = d;
        n->vertex = place_at(WIT_VERTEX, leaf->feature, 0, 0, p);
        return;
    }
    if (leaf->kind != WIT_EDGE || n->at->kind != WIT_FACE || !face_passes_edge(n->body, n->at->id, leaf->feature))
        return;
    wit_vec3 p;
    double d, t = nearest_on_stretch(n, leaf->feature, leaf->u, &p, &d);
    if (!(d < n->edge_distance)) return;
    n->edge_distance = d;
    n->edge = place_at(WIT_EDGE, leaf->feature, t, 0, p);
}

static void walk(naming* n)
{
    enum { DEPTH = 64 };
    int stack[DEPTH], count = 0;
    const tree_node* nodes = body_nodes(n->body);
    if (n->body->node_count) stack[count++] = 0;
    while (count && !side_spent(n->side, 4)) {
        const tree_node* node = &nodes[stack[--count]];
        side_boxes(n->side, 1);
        if (!(node->kinds_below & (1u << WIT_EDGE | 1u << WIT_VERTEX))) continue;
        if (box_square(&node->box, n->p) > n->slack * n->slack) continue;
        if (node->child[0] < 0) {
            try_leaf(n, node);
        } else if (count + 2 <= DEPTH) {
            stack[count++] = node->child[1];
            stack[count++] = node->child[0];
        }
    }
}

place wi_lowest_place(const side* s, const place* at, double slack)
{
    if (at->kind != WIT_FACE && at->kind != WIT_EDGE) return *at;
    naming n = {.side = s, .body = s->body, .p = side_unpoint(s, at->p), .at = at, .slack = slack};
    n.edge_distance = n.vertex_distance = slack > 0 ? slack : DBL_MIN;
    n.edge = n.vertex = *at;
    walk(&n);
    place r = n.vertex.kind == WIT_VERTEX ? n.vertex : n.edge.kind == WIT_EDGE ? n.edge : *at;
    if (r.kind != at->kind) r.p = side_point(s, r.p);
    return r;
}
