/* SPDX-License-Identifier: MIT */
#include "support_patch.h"

#include "../body/meeting.h"

enum { USES_MOST = 64, RULING_TESTS = 3 }; /* uses of a round face that are looked along for the planes beside it */
#define ACROSS 0.5                         /* cosine: a ruling's own normal points the way of the contact's */
#define INSIDE 1e-6                        /* of a ruling: as far within its ends it must be in its face */

bool wi_edge_straight(const wit_body* b, int32_t edge)
{
    const wit_curve* c = body_curve(b, edge);
    if (body_edges(b)[edge].start < 0) return false;
    if (c->kind == WIT_CURVE_LINE) return true;
    if (c->kind != WIT_CURVE_ISO && c->kind != WIT_CURVE_ON_SURFACE) return false;
    wit_surface_kind on = curve_surface(c)->kind;
    if (c->kind == WIT_CURVE_ON_SURFACE)
        return on == WIT_SURFACE_PLANE && curve_parameter_curve(c)->kind == WIT_CURVE_LINE;
    bool ruling = on == WIT_SURFACE_CYLINDER || on == WIT_SURFACE_CONE || on == WIT_SURFACE_EXTRUSION;
    return on == WIT_SURFACE_PLANE || (ruling && c->fixed == WIT_U);
}

place wi_plane_place(const side* s, int32_t face, wit_vec3 p)
{
    const shape_frame* f = &body_surface(s->body, face)->frame;
    wit_vec3 d = sub3(side_unpoint(s, p), f->o);
    return place_at(WIT_FACE, face, dot3(d, f->x), dot3(d, f->y), p);
}

/* ---- faces ---------------------------------------------------------------------------------- */

static void try_plane(const side* s, const patch_query* q, int32_t face, support_patch* out)
{
    const wit_surface* f = body_surface(s->body, face);
    wit_vec3 n = side_vector(s, scale3(body_faces(s->body)[face].reversed ? -1 : 1, f->frame.z));
    double along = dot3(n, q->outward);
    if (!(along >= q->cosine) || (out->kind == PATCH_AREA && !(along > out->lean))) return;
    *out = (support_patch){.kind = PATCH_AREA, .face = face, .edge = -1, .lean = along, .n = n};
    out->o = side_point(s, f->frame.o);
}

/* u in the range of the face, a full turn added where that helps. False: the face does not go there. */
static bool turned_into(const body_face* f, double* u)
{
    while (*u < f->u.lo) *u += TWO_PI;
    while (*u > f->u.hi && *u - TWO_PI >= f->u.lo) *u -= TWO_PI;
    return *u <= f->u.hi;
}

/* The ruling whose normal is nearest to the one asked for: of quadrics by their angle; of an extrusion the one
 * through the place. */
static bool ruling_of(const side* s, const patch_query* q, int32_t face, double* u)
{
    const wit_surface* f = body_surface(s->body, face);
    const body_face* record = &body_faces(s->body)[face];
    if (f->kind == WIT_SURFACE_EXTRUSION) {
        *u = q->at->u;
        return q->at->kind == WIT_FACE && q->at->id == face;
    }
    wit_vec3 m = side_unvector(s, q->outward);
    double sign = record->reversed ? -1 : 1, x = sign * dot3(m, f->frame.x), y = sign * dot3(m, f->frame.y);
    if (f->kind == WIT_SURFACE_CONE && f->c < 0) x = -x, y = -y;
    if (!(fabs(x) + fabs(y) > 0)) return false;
    *u = wit_atan2(y, x);
    return turned_into(record, u);
}

static bool ruling_in_face(const side* s, int32_t face, double u, wit_interval v)
{
    if (!body_faces(s->body)[face].trimmed) return true;
    const double at[RULING_TESTS] = {INSIDE, 0.5, 1 - INSIDE};
    for (int k = 0; k < RULING_TESTS; ++k)
        if (!wi_side_contains(s, WIT_FACE, face, u, v.lo + at[k] * iv_width(v))) return false;
    return true;
}

static void try_ruling(const side* s, const patch_query* q, int32_t face, support_patch* out)
{
    const wit_surface* f = body_surface(s->body, face);
    bool ruled = f->kind == WIT_SURFACE_CYLINDER || f->kind == WIT_SURFACE_CONE || f->kind == WIT_SURFACE_EXTRUSION;
    double u;
    wit_interval v = body_faces(s->body)[face].v;
    wit_vec3 n;
    if (!ruled || out->kind == PATCH_AREA || !ruling_of(s, q, face, &u) || side_spent(s, 8)) return;
    support_patch line = {.kind = PATCH_LINE, .face = face, .edge = -1, .u = u, .t = {v.lo, v.hi}};
    wit_surface_jet j;
    for (int k = 0; k < 2; ++k) {
        side_face_jet(s, face, u, line.t[k], WIT_KNOT_DEFAULT, &j);
        line.end[k] = j.p;
    }
    line.lean = fabs(dot3(unit3(sub3(line.end[1], line.end[0])), q->outward));
    if (!(line.lean <= q->sine) || (out->kind == PATCH_LINE && !(line.lean < out->lean))) return;
    if (!wi_side_normal(s, face, u, iv_mid(v), &n) || !(dot3(n, q->outward) >= ACROSS)) return;
    if (ruling_in_face(s, face, u, v)) *out = line;
}

static void try_face(const side* s, const patch_query* q, int32_t face, support_patch* out)
{
    if (!side_counts(s, WIT_FACE, face) || s->body->planar) return;
    if (body_surface(s->body, face)->kind == WIT_SURFACE_PLANE)
        try_plane(s, q, face, out);
    else
        try_ruling(s, q, face, out);
}

/* ---- edges ---------------------------------------------------------------------------------- */

static void try_edge(const side* s, const patch_query* q, int32_t edge, support_patch* out)
{
    const body_edge* e = &body_edges(s->body)[edge];
    if (out->kind == PATCH_AREA || !side_counts(s, WIT_EDGE, edge) || !wi_edge_straight(s->body, edge)) return;
    support_patch line = {.kind = PATCH_LINE, .face = -1, .edge = edge, .t = {e->range.lo, e->range.hi}};
    line.end[0] = side_point(s, body_vertices(s->body)[e->start].point);
    line.end[1] = side_point(s, body_vertices(s->body)[e->end].point);
    line.lean = fabs(dot3(unit3(sub3(line.end[1], line.end[0])), q->outward));
    if (line.lean <= q->sine && !(out->kind == PATCH_LINE && !(line.lean < out->lean))) *out = line;
}

static void try_around_edge(const side* s, const patch_query* q, int32_t edge, support_patch* out)
{
    const int32_t* uses = edge_uses(s->body, edge);
    for (int32_t k = 0; k < body_edges(s->body)[edge].uses; ++k) try_face(s, q, body_uses(s->body)[uses[k]].face, out);
}

static void try_around_vertex(const side* s, const patch_query* q, int32_t vertex, support_patch* out)
{
    const body_vertex* v = &body_vertices(s->body)[vertex];
    for (int32_t k = 0; k < v->faces; ++k) try_face(s, q, vertex_faces(s->body, vertex)[k], out);
    for (int32_t k = 0; k < v->edges; ++k) try_edge(s, q, vertex_edges(s->body, vertex)[k], out);
}

/* A round face between flat ones (a fillet): those beside it may hold the contact. */
static void try_beside(const side* s, const patch_query* q, int32_t face, support_patch* out)
{
    const body_face* f = &body_faces(s->body)[face];
    int32_t seen = 0;
    if (side_spent(s, USES_MOST)) return;
    for (int32_t l = 0; l < f->loops; ++l) {
        const body_loop* loop = &body_loops(s->body)[f->first_loop + l];
        for (int32_t k = 0; k < loop->uses && seen < USES_MOST; ++k, ++seen) {
            int32_t edge = body_uses(s->body)[loop->first_use + k].edge;
            if (edge < 0) continue;
            for (int32_t i = 0; i < body_edges(s->body)[edge].uses; ++i) {
                int32_t other = body_uses(s->body)[edge_uses(s->body, edge)[i]].face;
                if (body_surface(s->body, other)->kind == WIT_SURFACE_PLANE) try_face(s, q, other, out);
            }
            int32_t vertex = body_edges(s->body)[edge].start;
            for (int32_t i = 0; vertex >= 0 && i < body_vertices(s->body)[vertex].faces; ++i) {
                int32_t other = vertex_faces(s->body, vertex)[i];
                if (body_surface(s->body, other)->kind == WIT_SURFACE_PLANE) try_face(s, q, other, out);
            }
        }
    }
    side_boxes(s, seen);
}

void wi_support_patch(const side* s, const patch_query* q, support_patch* out)
{
    const place* at = q->at;
    *out = (support_patch){.kind = PATCH_POINT, .face = -1, .edge = -1};
    if (!s->body) return;
    if (at->kind == WIT_FACE) {
        try_face(s, q, at->id, out);
        bool round = !s->body->planar && body_surface(s->body, at->id)->kind != WIT_SURFACE_PLANE;
        if (round) try_beside(s, q, at->id, out);
    }
    if (at->kind == WIT_EDGE) {
        try_around_edge(s, q, at->id, out);
        try_edge(s, q, at->id, out);
    }
    if (at->kind == WIT_VERTEX) try_around_vertex(s, q, at->id, out);
}
