/* SPDX-License-Identifier: MIT */
#include "rim_normal.h"

#include "../pair/conormal.h"

enum { MOST_EDGES = 8 }; /* of a vertex: enough for a direction */

/* The normals of the faces along an edge at t, added up. */
static wit_vec3 along_edge(const side* sd, int32_t edge, double t)
{
    const wit_body* b = sd->body;
    const int32_t* uses = edge_uses(b, edge);
    wit_vec3 sum = {0, 0, 0};
    for (int k = 0; k < body_edges(b)[edge].uses && k < 4 && !side_spent(sd, 2); ++k) {
        wit_vec3 n;
        if (b->planar) {
            wit_curve_jet c;
            side_jets(sd, 1);
            wit_curve_eval(body_curve(b, edge), t, WIT_KNOT_DEFAULT, NULL, &c);
            n = side_vector(sd, planar_outward(b, uses[k], c.d1));
        } else if (!wi_use_outward(sd, uses[k], t, &n)) {
            continue;
        }
        sum = add3(sum, n);
    }
    return sum;
}

/* Around an apex: the normals of its rulings, added up. */
static wit_vec3 around_apex(const side* sd, int32_t vertex)
{
    const wit_body* b = sd->body;
    wit_vec3 sum = {0, 0, 0};
    int count;
    const body_apex* apexes = wi_vertex_apexes(b, vertex, &count);
    for (int i = 0; i < count; ++i) {
        const body_apex* a = &apexes[i];
        const body_face* f = &body_faces(b)[a->face];
        wit_interval across = a->fixed == WIT_U ? f->u : f->v, along = a->fixed == WIT_U ? f->v : f->u;
        double aside = a->value + (a->value - across.lo <= across.hi - a->value ? 1e-3 : -1e-3) * iv_width(across);
        for (int k = 0; k < 4 && !side_spent(sd, 1); ++k) {
            double x = along.lo + 0.25 * k * iv_width(along);
            wit_vec3 n;
            if (wi_side_normal(sd, a->face, a->fixed == WIT_U ? aside : x, a->fixed == WIT_U ? x : aside, &n))
                sum = add3(sum, n);
        }
    }
    return sum;
}

wit_vec3 wi_rim_normal(step* s, int which)
{
    const side* sd = &s->now.side[which];
    const place* at = &s->t->at[which];
    const wit_body* b = sd->body;
    wit_vec3 sum = {0, 0, 0};
    if (!b || at->kind > WIT_VERTEX) return sum;
    if (at->kind == WIT_FACE) return wi_side_normal(sd, at->id, at->x[0], at->x[1], &sum) ? sum : vec3(0, 0, 0);
    if (at->kind == WIT_EDGE) return unit3(along_edge(sd, at->id, at->x[0]));
    const body_vertex* v = &body_vertices(b)[at->id];
    const int32_t* edges = vertex_edges(b, at->id);
    for (int k = 0; k < v->edges && k < MOST_EDGES; ++k) {
        const body_edge* e = &body_edges(b)[edges[k]];
        sum = add3(sum, along_edge(sd, edges[k], e->start == at->id ? e->range.lo : e->range.hi));
    }
    return unit3(add3(sum, around_apex(sd, at->id)));
}
