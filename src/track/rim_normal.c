/* SPDX-License-Identifier: MIT */
#include "rim_normal.h"

enum { MOST_EDGES = 8 }; /* of a vertex: enough for a direction */

/* The normals of the faces along an edge at t, added up. */
static wit_vec3 along_edge(step* s, const side* sd, int32_t edge, double t)
{
    const wit_body* b = sd->body;
    const body_edge* e = &body_edges(b)[edge];
    const int32_t* uses = (const int32_t*)body_at(b, b->edge_uses) + e->first_use;
    wit_vec3 sum = {0, 0, 0};
    for (int k = 0; k < e->uses && k < 4; ++k) {
        const body_use* u = &body_uses(b)[uses[k]];
        wit_curve_jet c;
        wit_vec3 n;
        if (b->planar) {
            /* to the right of the loop, in the plane of the region */
            wit_curve_eval(body_curve(b, edge), t, WIT_KNOT_DEFAULT, NULL, &c);
            n = unit3(cross3(c.d1, body_surface(b, 0)->frame.z));
            n = side_vector(sd, scale3(u->reversed ? -1 : 1, n));
        } else {
            wit_curve_eval(body_parameter_curve(b, uses[k]), u->shift + u->scale * t, WIT_KNOT_DEFAULT, NULL, &c);
            if (!wi_side_normal(sd, u->face, c.p.x, c.p.y, &n)) continue;
        }
        step_tests(s, 1);
        sum = add3(sum, n);
    }
    return sum;
}

/* Around an apex: the normals of its rulings, added up. */
static wit_vec3 around_apex(step* s, const side* sd, int32_t vertex)
{
    const wit_body* b = sd->body;
    wit_vec3 sum = {0, 0, 0};
    for (int i = 0; i < b->apex_count; ++i) {
        const body_apex* a = &body_apexes(b)[i];
        if (a->vertex != vertex) continue;
        const body_face* f = &body_faces(b)[a->face];
        wit_interval across = a->fixed == WIT_U ? f->u : f->v, along = a->fixed == WIT_U ? f->v : f->u;
        double aside = a->value + (a->value - across.lo <= across.hi - a->value ? 1e-3 : -1e-3) * iv_width(across);
        for (int k = 0; k < 4; ++k) {
            double x = along.lo + 0.25 * k * iv_width(along);
            wit_vec3 n;
            step_tests(s, 1);
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
    if (at->kind == WIT_EDGE) return unit3(along_edge(s, sd, at->id, at->x[0]));
    const body_vertex* v = &body_vertices(b)[at->id];
    const int32_t* edges = (const int32_t*)body_at(b, b->vertex_edges) + v->first_edge;
    for (int k = 0; k < v->edges && k < MOST_EDGES; ++k) {
        const body_edge* e = &body_edges(b)[edges[k]];
        sum = add3(sum, along_edge(s, sd, edges[k], e->start == at->id ? e->range.lo : e->range.hi));
    }
    return unit3(add3(sum, around_apex(s, sd, at->id)));
}
