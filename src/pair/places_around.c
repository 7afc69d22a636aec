/* SPDX-License-Identifier: MIT */
#include "places_around.h"

#include "../body/meeting.h"

void wi_places_add(const side* s, places_around* l, wit_feature_kind kind, int id, double u, double v)
{
    for (int k = 0; k < l->count; ++k)
        if (l->at[k].kind == kind && l->at[k].id == id && l->at[k].u == u && l->at[k].v == v) return;
    if (l->count == AROUND_MOST || !side_counts(s, kind, id) || (kind == WIT_FACE && s->body->planar)) return;
    l->at[l->count++] = place_at(kind, id, u, v, vec3(0, 0, 0)); /* the point of those that are kept only */
}

static void add_faces_of_edge(const side* s, places_around* l, int edge, double t)
{
    const int32_t* uses = edge_uses(s->body, edge);
    for (int k = 0; k < body_edges(s->body)[edge].uses; ++k) {
        side_jets(s, 1);
        use_lift at = wi_use_lift(s->body, uses[k], t);
        wi_places_add(s, l, WIT_FACE, body_uses(s->body)[uses[k]].face, at.c.p.x, at.c.p.y);
    }
}

static void add_around_vertex(const side* s, places_around* l, int vertex)
{
    const wit_body* b = s->body;
    const body_vertex* v = &body_vertices(b)[vertex];
    const int32_t* edges = vertex_edges(b, vertex);
    for (int k = 0; k < v->edges; ++k) {
        const body_edge* e = &body_edges(b)[edges[k]];
        for (int end = 0; end < 2; ++end) {
            if ((end ? e->end : e->start) != vertex) continue;
            double t = end ? e->range.hi : e->range.lo;
            wi_places_add(s, l, WIT_EDGE, edges[k], t, 0);
            add_faces_of_edge(s, l, edges[k], t);
        }
    }
}

void wi_places_around(const side* s, const place* at, places_around* out)
{
    out->count = 1;
    out->at[0] = *at;
    if (at->kind == WIT_EDGE) add_faces_of_edge(s, out, at->id, at->u);
    if (at->kind == WIT_VERTEX) add_around_vertex(s, out, at->id);
}

int64_t wi_places_cost(const side* s, const place* at)
{
    enum {
        EACH = 12,
        APEX = 200
    }; /* a corner: two lifts, a normal, the edges beside it, a chart; an apex: rulings all around */
    const wit_body* b = s->body;
    int64_t features = 1, apexes = 0;
    if (!b) return 0;
    if (at->kind == WIT_EDGE) features += body_edges(b)[at->id].uses;
    if (at->kind == WIT_VERTEX) {
        int count;
        for (int k = 0; k < body_vertices(b)[at->id].edges; ++k) {
            const body_edge* e = &body_edges(b)[vertex_edges(b, at->id)[k]];
            features += (e->start == e->end ? 2 : 1) * (1 + (int64_t)e->uses);
        }
        wi_vertex_apexes(b, at->id, &count);
        apexes = count;
    }
    return EACH * features + APEX * apexes;
}
