/* SPDX-License-Identifier: MIT */
/* Parts by union and find over all features; a root is the smallest number of its part. */
#include "parts.h"

#include "../meeting.h"

bool wi_parts_closed(const wit_body* b)
{
    for (int32_t i = 0; i < b->edge_count; ++i) {
        const body_edge* e = &body_edges(b)[i];
        int32_t forward = 0;
        for (int32_t k = 0; k < e->uses; ++k) forward += use_forward(b, edge_uses(b, i)[k]);
        if (b->planar ? e->uses < 1 : e->uses < 2 || 2 * forward != e->uses) return false;
    }
    return b->face_count > 0;
}

bool wi_parts_outward(const wit_body* b)
{
    if (b->planar || b->kind != WIT_BODY_SOLID || !b->closed || b->part_count != 1) return false;
    return b->unbounded ? b->face_count == 1 /* a half-space */ : b->bounded;
}

int wi_parts_features(const wit_body* b)
{
    return b->face_count + b->edge_count + b->vertex_count;
}

static int32_t root_of(int32_t* root, int32_t i)
{
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
}

static void join(int32_t* root, int32_t i, int32_t j)
{
    i = root_of(root, i);
    j = root_of(root, j);
    if (i < j)
        root[j] = i;
    else
        root[i] = j;
}

/* The region of a planar body is no feature. */
static int32_t first_feature(const wit_body* b)
{
    return b->planar ? b->face_count : 0;
}

int wi_parts_find(const wit_body* b, int32_t* part)
{
    int32_t edges = b->face_count, vertices = edges + b->edge_count, n = vertices + b->vertex_count;
    int count = 0;
    for (int32_t i = 0; i < n; ++i) part[i] = i;
    for (int32_t i = 0; i < b->use_count && !b->planar; ++i) {
        const body_use* x = &body_uses(b)[i];
        if (x->edge >= 0) join(part, x->face, edges + x->edge);
    }
    for (int32_t i = 0; i < b->edge_count; ++i) {
        const body_edge* e = &body_edges(b)[i];
        if (e->start < 0) continue;
        join(part, edges + i, vertices + e->start);
        join(part, edges + i, vertices + e->end);
    }
    for (int32_t i = 0; i < b->apex_count; ++i) join(part, body_apexes(b)[i].face, vertices + body_apexes(b)[i].vertex);
    for (int32_t i = 0; i < n; ++i) part[i] = root_of(part, i);
    /* from roots to numbers in place: the root of a feature comes before it */
    for (int32_t i = first_feature(b); i < n; ++i) part[i] = part[i] == i ? count++ : part[part[i]];
    return count;
}

static int32_t some_edge(const wit_body* b, int32_t face)
{
    const body_face* f = &body_faces(b)[face];
    for (int32_t l = f->first_loop; l < f->first_loop + f->loops; ++l)
        for (int32_t k = 0; k < body_loops(b)[l].uses; ++k) {
            int32_t edge = body_uses(b)[body_loops(b)[l].first_use + k].edge;
            if (edge >= 0) return edge;
        }
    return -1;
}

body_part wi_parts_point(const wit_body* b, wit_feature_kind kind, int32_t id)
{
    int32_t edge = kind == WIT_EDGE ? id : kind == WIT_FACE ? some_edge(b, id) : -1;
    body_part p = {.kind = (uint8_t)(edge >= 0 ? WIT_EDGE : kind), .feature = edge >= 0 ? edge : id};
    if (kind == WIT_VERTEX) {
        p.point = body_vertices(b)[id].point;
    } else if (edge >= 0) {
        wit_curve_jet c;
        p.u = iv_mid(body_edges(b)[edge].range);
        wit_curve_eval(body_curve(b, edge), p.u, WIT_KNOT_DEFAULT, NULL, &c);
        p.point = c.p;
    } else {
        wit_surface_jet j;
        p.u = iv_mid(body_faces(b)[id].u);
        p.v = iv_mid(body_faces(b)[id].v);
        wit_surface_eval(body_surface(b, id), p.u, p.v, WIT_KNOT_DEFAULT, NULL, &j);
        p.point = j.p;
    }
    return p;
}

void wi_parts_fill(const wit_body* b, const int32_t* part, body_part* out)
{
    int32_t edges = b->face_count, vertices = edges + b->edge_count, n = vertices + b->vertex_count;
    int count = 0;
    for (int32_t i = first_feature(b); i < n; ++i) {
        wit_feature_kind kind = i < edges ? WIT_FACE : i < vertices ? WIT_EDGE : WIT_VERTEX;
        bool first = part[i] == count;
        count += first;
        if (first || out[part[i]].kind < kind)
            out[part[i]] = wi_parts_point(b, kind, i < edges ? i : i < vertices ? i - edges : i - vertices);
    }
}
