/* SPDX-License-Identifier: MIT */
/* A side of a query: its jets and places in the frame of the search, and which of its features count. */
#include "side.h"

#include <string.h>

#include "../base/pose.h"

/* ---- jets ---------------------------------------------------------------------------------- */

static void move_jet(const side* s, wit_surface_jet* j)
{
    j->p = side_point(s, j->p);
    j->du = side_vector(s, j->du);
    j->dv = side_vector(s, j->dv);
    j->duu = side_vector(s, j->duu);
    j->duv = side_vector(s, j->duv);
    j->dvv = side_vector(s, j->dvv);
}

unsigned wi_side_jet(const side* s, const place* at, unsigned below, wit_hint* hint, wit_surface_jet* out)
{
    unsigned flags = 0;
    if (at->kind == WIT_FACE) {
        side_jets(s, 1);
        flags = wit_surface_eval(body_surface(s->body, at->id), at->u, at->v, below, hint, out);
        if (s->moved) move_jet(s, out);
        return flags;
    }
    memset(out, 0, sizeof *out);
    if (at->kind == WIT_EDGE) {
        wit_curve_jet c;
        side_jets(s, 1);
        flags = wit_curve_eval(body_curve(s->body, at->id), at->u, below, hint, &c);
        out->p = side_point(s, c.p);
        out->du = side_vector(s, c.d1);
        out->duu = side_vector(s, c.d2);
        return flags;
    }
    out->p = at->kind == WIT_VERTEX ? side_point(s, body_vertices(s->body)[at->id].point) : s->t;
    return flags;
}

void wi_side_range(const side* s, wit_feature_kind kind, int id, wit_interval range[2], bool closed[2])
{
    range[0] = range[1] = iv(0, 0);
    closed[0] = closed[1] = false;
    if (kind == WIT_FACE) {
        const body_face* f = &body_faces(s->body)[id];
        const wit_surface* surface = body_surface(s->body, id);
        bool clipped = f->unbounded && surface->kind == WIT_SURFACE_PLANE;
        range[0] = clipped ? s->clip_u : f->u;
        range[1] = clipped ? s->clip_v : f->v;
        closed[0] = surface->closed_u && iv_width(f->u) >= iv_width(surface->u);
        closed[1] = surface->closed_v && iv_width(f->v) >= iv_width(surface->v);
    } else if (kind == WIT_EDGE) {
        const body_edge* e = &body_edges(s->body)[id];
        const wit_curve* curve = body_curve(s->body, id);
        range[0] = e->range;
        closed[0] = curve->closed && e->start == e->end && iv_width(e->range) >= iv_width(curve->range);
    }
}

bool wi_side_contains(const side* s, wit_feature_kind kind, int id, double u, double v)
{
    if (kind != WIT_FACE || !body_faces(s->body)[id].trimmed) return true;
    if (side_spent(s, 1)) return false;
    side_tests(s, 1);
    return wi_body_face_contains(s->body, id, u, v, s->work, s->units);
}

double wi_side_tolerance(const side* s, wit_feature_kind kind, int id)
{
    if (kind == WIT_EDGE) return body_edges(s->body)[id].tolerance;
    if (kind == WIT_VERTEX) return body_vertices(s->body)[id].tolerance;
    if (kind != WIT_FACE) return 0;
    const body_face* f = &body_faces(s->body)[id];
    const body_loop* loops = body_loops(s->body) + f->first_loop;
    double largest = 0;
    for (int l = 0; l < f->loops; ++l)
        for (int k = 0; k < loops[l].uses; ++k) {
            int edge = body_uses(s->body)[loops[l].first_use + k].edge;
            if (edge >= 0) largest = larger(largest, body_edges(s->body)[edge].tolerance);
        }
    return largest;
}

bool wi_side_normal(const side* s, int face, double u, double v, wit_vec3* out)
{
    wit_vec3 n;
    side_jets(s, 1);
    if (!wit_body_face_normal(s->body, face, u, v, &n)) {
        *out = vec3(0, 0, 0);
        return false;
    }
    *out = side_vector(s, n);
    return true;
}

bool wi_side_empty(const side* s)
{
    const wit_body* b = s->body;
    if (!b) return false;
    for (int i = 0; i < b->face_count && !b->planar; ++i)
        if (side_counts(s, WIT_FACE, i)) return false;
    for (int i = 0; i < b->edge_count; ++i)
        if (side_counts(s, WIT_EDGE, i)) return false;
    for (int i = 0; i < b->vertex_count; ++i)
        if (side_counts(s, WIT_VERTEX, i)) return false;
    return true;
}

/* Of a mask that names edges without ends, or faces without edges. */
static bool place_of_mask(const side* s, place* out)
{
    const wit_body* b = s->body;
    wit_surface_jet j;
    int edge = 0, face = 0;
    while (edge < b->edge_count && !side_counts(s, WIT_EDGE, edge)) ++edge;
    while (face < b->face_count && (b->planar || !side_counts(s, WIT_FACE, face))) ++face;
    if (side_spent(s, 1) || (edge == b->edge_count && face == b->face_count)) return false;
    const body_face* f = &body_faces(b)[face < b->face_count ? face : 0];
    *out = edge < b->edge_count ? place_at(WIT_EDGE, edge, iv_mid(body_edges(b)[edge].range), 0, vec3(0, 0, 0))
                                : place_at(WIT_FACE, face, iv_mid(f->u), iv_mid(f->v), vec3(0, 0, 0));
    wi_side_jet(s, out, WIT_KNOT_DEFAULT, NULL, &j);
    out->p = j.p;
    return true;
}

bool wi_side_any_place(const side* s, place* out)
{
    const wit_body* b = s->body;
    *out = place_at(WIT_POINT, -1, 0, 0, s->t);
    if (!b) return true;
    for (int i = 0; i < b->part_count; ++i) {
        const body_part* p = &body_parts(b)[i];
        *out = place_at((wit_feature_kind)p->kind, p->feature, p->u, p->v, side_point(s, p->point));
        if (side_counts(s, out->kind, out->id)) return true;
    }
    for (int i = 0; i < b->vertex_count; ++i) {
        *out = place_at(WIT_VERTEX, i, 0, 0, side_point(s, body_vertices(b)[i].point));
        if (side_counts(s, WIT_VERTEX, i)) return true;
    }
    return place_of_mask(s, out);
}

double wi_side_place_error(const side* s, const place* at)
{
    const wit_vec3 axes[3] = {s->x, s->y, s->z};
    wit_interval d[3];
    if (!s->body) return 0;
    if (at->kind == WIT_FACE) {
        surface_enclosure e;
        side_tests(s, 1);
        wi_surface_enclose(body_surface(s->body, at->id), iv_point(at->u), iv_point(at->v), axes, &e);
        memcpy(d, e.d[D00], sizeof d);
    } else if (at->kind == WIT_EDGE) {
        curve_enclosure e;
        side_tests(s, 1);
        wi_curve_enclose(body_curve(s->body, at->id), iv_point(at->u), axes, &e);
        memcpy(d, e.d[0], sizeof d);
    } else {
        wit_vec3 q = side_vector(s, body_vertices(s->body)[at->id].point);
        d[0] = iv_point(q.x), d[1] = iv_point(q.y), d[2] = iv_point(q.z);
    }
    wit_vec3 p = s->moved ? sub3(at->p, s->t) : at->p;
    double x = larger(d[0].hi - p.x, p.x - d[0].lo), y = larger(d[1].hi - p.y, p.y - d[1].lo);
    double z = larger(d[2].hi - p.z, p.z - d[2].lo);
    return norm3(vec3(x, y, z)) * (1 + 8 * DBL_EPSILON);
}

/* ---- from what was asked ------------------------------------------------------------------- */

/* Marks the features of the mask and, for each, its border. */
static void close_mask(const wit_body* b, const wit_mask* m, uint8_t* faces, uint8_t* edges, uint8_t* vertices)
{
    for (int i = 0; i < b->face_count; ++i) faces[i] = !b->planar && mask_lists(m, WIT_FACE, i);
    for (int i = 0; i < b->edge_count; ++i) edges[i] = mask_lists(m, WIT_EDGE, i);
    for (int i = 0; i < b->vertex_count; ++i) vertices[i] = mask_lists(m, WIT_VERTEX, i);
    for (int i = 0; i < b->use_count; ++i) {
        const body_use* use = &body_uses(b)[i];
        if (use->edge >= 0 && faces[use->face]) edges[use->edge] = 1;
    }
    for (int i = 0; i < b->edge_count; ++i) {
        const body_edge* e = &body_edges(b)[i];
        if (edges[i] && e->start >= 0) vertices[e->start] = vertices[e->end] = 1;
    }
    for (int i = 0; i < b->apex_count; ++i)
        if (faces[body_apexes(b)[i].face]) vertices[body_apexes(b)[i].vertex] = 1;
}

size_t wi_side_flag_bytes(const wit_body* b)
{
    return (size_t)b->face_count + (size_t)b->edge_count + (size_t)b->vertex_count;
}

side wi_side_of(const wit_placed* placed, const wit_pose* frame, uint8_t* flags)
{
    side s;
    memset(&s, 0, sizeof s);
    const wit_body* b = s.body = placed->body;
    s.x = vec3(1, 0, 0), s.y = vec3(0, 1, 0), s.z = vec3(0, 0, 1);
    if (frame != &placed->pose) {
        wit_pose pose = placed->pose;
        if (frame) pose = wi_pose_relative(frame, &placed->pose);
        /* a row of R is what R^-1 makes of an axis */
        s.x = wit_pose_unvector(&pose, s.x);
        s.y = wit_pose_unvector(&pose, s.y);
        s.z = wit_pose_unvector(&pose, s.z);
        s.t = pose.position;
        s.moved = true;
        s.error = pose_error(box_reach(&b->box), s.t);
    }
    if (placed->mask) {
        s.faces = flags;
        s.edges = flags + b->face_count;
        s.vertices = flags + b->face_count + b->edge_count;
        close_mask(b, placed->mask, flags, flags + b->face_count, flags + b->face_count + b->edge_count);
    }
    for (int i = 0; b->unbounded && i < b->face_count; ++i)
        if (body_faces(b)[i].unbounded) s.clip_u = body_faces(b)[i].u, s.clip_v = body_faces(b)[i].v;
    return s;
}

side wi_side_of_point(wit_vec3 point)
{
    side s;
    memset(&s, 0, sizeof s);
    s.x = vec3(1, 0, 0), s.y = vec3(0, 1, 0), s.z = vec3(0, 0, 1);
    s.t = point;
    s.moved = true;
    return s;
}

static wit_vec3 corner(const wit_box* b, int k)
{
    return vec3(k & 1 ? b->hi.x : b->lo.x, k & 2 ? b->hi.y : b->lo.y, k & 4 ? b->hi.z : b->lo.z);
}

static wit_box box_with(const wit_box* b, wit_vec3 p)
{
    wit_box r = {{smaller(b->lo.x, p.x), smaller(b->lo.y, p.y), smaller(b->lo.z, p.z)},
                 {larger(b->hi.x, p.x), larger(b->hi.y, p.y), larger(b->hi.z, p.z)}};
    return r;
}

wit_box wi_side_box(const side* s)
{
    if (!s->body) return (wit_box){s->t, s->t};
    if (!s->moved) return s->body->box;
    wit_vec3 first = side_point(s, s->body->box.lo);
    wit_box r = {first, first};
    for (int k = 1; k < 8; ++k) r = box_with(&r, side_point(s, corner(&s->body->box, k)));
    return r;
}

void wi_side_clip(side* s, const side* other)
{
    if (!s->body || !s->body->unbounded) return;
    wit_box box = wi_side_box(other);
    bool first = true;
    for (int i = 0; i < s->body->face_count; ++i) {
        const body_face* f = &body_faces(s->body)[i];
        const wit_surface* plane = body_surface(s->body, i);
        if (!f->unbounded || plane->kind != WIT_SURFACE_PLANE) continue;
        wit_interval u = iv(INFINITY, -INFINITY), v = u;
        for (int k = 0; k < 8; ++k) {
            wit_vec3 r = sub3(side_unpoint(s, corner(&box, k)), plane->frame.o);
            u = iv_union(u, iv_point(dot3(r, plane->frame.x)));
            v = iv_union(v, iv_point(dot3(r, plane->frame.y)));
        }
        /* room for the rounding of the projection, and so that a point is not at the end of its own box */
        double room = 1e-3 * norm3(sub3(box.hi, box.lo)) + 1e-9 * larger(iv_mag(u), iv_mag(v)) + WIT_MIN_LENGTH;
        u = iv(larger(f->u.lo, u.lo - room), smaller(f->u.hi, u.hi + room));
        v = iv(larger(f->v.lo, v.lo - room), smaller(f->v.hi, v.hi + room));
        if (s->moved) s->error += pose_error(norm3(plane->frame.o) + iv_mag(u) + iv_mag(v), vec3(0, 0, 0));
        s->clip_u = first ? u : iv_union(s->clip_u, u);
        s->clip_v = first ? v : iv_union(s->clip_v, v);
        first = false;
    }
}
