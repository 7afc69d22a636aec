/* SPDX-License-Identifier: MIT */
/* wit_body: building in steps, and telling what was built. */
#include <string.h>

#include "convexity.h"
#include "cover/cover.h"
#include "meeting.h"
#include "build/draft.h"
#include "check/split.h"

const char* wit_body_kind_name(wit_body_kind kind)
{
    static const char* const names[WIT_BODY_KIND_COUNT] = {"solid", "sheet", "sheet2"};
    return (unsigned)kind < WIT_BODY_KIND_COUNT ? names[kind] : "?";
}

const char* wit_feature_kind_name(wit_feature_kind kind)
{
    static const char* const names[WIT_POINT + 1] = {"face", "edge", "vertex", "point"};
    return (unsigned)kind <= WIT_POINT ? names[kind] : "?";
}

wit_body_def wit_body_default_def(wit_body_kind kind)
{
    wit_body_def d;
    memset(&d, 0, sizeof d);
    d.struct_size = sizeof d;
    d.kind = kind;
    return d;
}

/* Does a crease run through the inside of a trimmed face? Faces with natural borders were cut there as they were made. */
static bool has_crease(const wit_body* b, int face)
{
    const body_face* f = &body_faces(b)[face];
    const wit_surface* s = body_surface(b, face);
    for (int d = 0; f->trimmed && d < 2; ++d) {
        int count;
        wit_surface_breaks(s, (wit_direction)d, &count);
        wit_interval box = d == WIT_U ? f->u : f->v;
        bool closed = d == WIT_U ? s->closed_u : s->closed_v;
        double period = iv_width(d == WIT_U ? s->u : s->v), near = 1e-7 * iv_width(box);
        for (int k = 0; k < count - 1; ++k) {
            wit_continuity c;
            if (!wit_surface_continuity(s, (wit_direction)d, k, &c) || c.tangent) continue;
            for (int turn = closed ? -1 : 0; turn <= (closed ? 1 : 0); ++turn) {
                double value = c.value + turn * period;
                if (value > box.lo + near && value < box.hi - near) return true;
            }
        }
    }
    return false;
}

/* The body itself with its facts, or one with its creases cut; the first is then released. */
static wit_body* finished(wit_body* body, const wit_allocator* allocator, wit_error* error)
{
    bool any = false;
    for (int i = 0; body && i < body->face_count && !any && !body->planar; ++i) any = has_crease(body, i);
    if (!any) {
        if (body) body->facts = wi_body_facts_find(body);
        return body ? wi_body_with_cover(body, allocator, error) : NULL;
    }
    wit_body* cut = wi_split_creases(body, allocator, error);
    wit_body_destroy(body);
    return cut;
}

wit_body* wit_body_create(const wit_body_def* def, const wit_allocator* allocator, wit_error* error)
{
    if (!def || def->struct_size != sizeof *def) {
        wi_error_fill(error, WIT_ERROR_ARGUMENT, def ? "struct_size" : "", "start from wit_body_default_def");
        return NULL;
    }
    draft d;
    wit_error local; /* steps prefix what others reported */
    wi_draft_begin(&d, def, allocator, error ? error : &local);
    wit_status status = wi_draft_read(&d);
    if (!status) status = wi_draft_natural(&d);
    if (!status) status = wi_draft_sew(&d);
    if (!status) status = wi_draft_complete(&d);
    wit_body* body = status ? NULL : wi_draft_pack(&d);
    wi_draft_end(&d);
    return finished(body, allocator, error);
}

void wit_body_destroy(wit_body* body)
{
    if (!body) return;
    wit_allocator memory = body->allocator;
    wi_allocator_release(&memory, body, body->bytes);
}

static const char* name_at(const wit_body* b, size_t offset)
{
    return (const char*)body_at(b, offset);
}

wit_body_info wit_body_describe(const wit_body* b)
{
    return (wit_body_info){.name = name_at(b, b->name),
                           .kind = b->kind,
                           .planar = b->planar,
                           .unbounded = b->unbounded,
                           .face_count = b->planar ? 0 : b->face_count,
                           .loop_count = b->loop_count,
                           .edge_count = b->edge_count,
                           .vertex_count = b->vertex_count,
                           .node_count = b->node_count,
                           .box = b->box,
                           .size = b->size,
                           .tolerance = b->tolerance,
                           .closed = b->closed,
                           .outward = b->bounded,
                           .bytes = b->bytes};
}

static bool has_face(const wit_body* b, int i)
{
    return i >= 0 && i < b->face_count;
}

wit_face_info wit_body_face(const wit_body* b, int face)
{
    if (!has_face(b, face)) return (wit_face_info){.name = ""};
    const body_face* f = &body_faces(b)[face];
    return (wit_face_info){.name = name_at(b, f->name),
                           .surface = body_surface(b, face),
                           .reversed = f->reversed,
                           .unbounded = f->unbounded,
                           .loop_count = f->loops,
                           .u = f->u,
                           .v = f->v,
                           .box = f->box};
}

wit_edge_info wit_body_edge(const wit_body* b, int edge)
{
    if (edge < 0 || edge >= b->edge_count) return (wit_edge_info){.name = "", .start = -1, .end = -1};
    const body_edge* e = &body_edges(b)[edge];
    return (wit_edge_info){.name = name_at(b, e->name),
                           .curve = body_curve(b, edge),
                           .lifted = e->lifted,
                           .range = e->range,
                           .ring = e->start < 0,
                           .start = e->start,
                           .end = e->end,
                           .tolerance = e->tolerance,
                           .use_count = e->uses};
}

wit_vertex_info wit_body_vertex(const wit_body* b, int vertex)
{
    if (vertex < 0 || vertex >= b->vertex_count) return (wit_vertex_info){.name = ""};
    const body_vertex* v = &body_vertices(b)[vertex];
    return (wit_vertex_info){.name = name_at(b, v->name),
                             .point = v->point,
                             .tolerance = v->tolerance,
                             .edge_count = v->edges,
                             .face_count = v->faces};
}

static int tell_use(const wit_body* b, int use, wit_use_info* out)
{
    const body_use* u = &body_uses(b)[use];
    if (!out) return use;
    out->edge = u->edge;
    out->face = u->face;
    out->loop = u->loop;
    out->reversed = u->reversed;
    out->parameter_curve = body_parameter_curve(b, use);
    out->scale = u->scale;
    out->shift = u->shift;
    return use;
}

int wit_body_loop_size(const wit_body* b, int face, int loop)
{
    if (!has_face(b, face) || loop < 0 || loop >= body_faces(b)[face].loops) return 0;
    return body_loops(b)[body_faces(b)[face].first_loop + loop].uses;
}

int wit_body_loop_use(const wit_body* b, int face, int loop, int k, wit_use_info* out)
{
    if (out) memset(out, 0, sizeof *out);
    if (k < 0 || k >= wit_body_loop_size(b, face, loop)) return -1;
    return tell_use(b, body_loops(b)[body_faces(b)[face].first_loop + loop].first_use + k, out);
}

int wit_body_edge_use(const wit_body* b, int edge, int k, wit_use_info* out)
{
    if (out) memset(out, 0, sizeof *out);
    if (edge < 0 || edge >= b->edge_count || k < 0 || k >= body_edges(b)[edge].uses) return -1;
    return tell_use(b, edge_uses(b, edge)[k], out);
}

int wit_body_vertex_edge(const wit_body* b, int vertex, int k)
{
    if (vertex < 0 || vertex >= b->vertex_count || k < 0 || k >= body_vertices(b)[vertex].edges) return -1;
    return vertex_edges(b, vertex)[k];
}

int wit_body_vertex_face(const wit_body* b, int vertex, int k)
{
    if (vertex < 0 || vertex >= b->vertex_count || k < 0 || k >= body_vertices(b)[vertex].faces) return -1;
    return vertex_faces(b, vertex)[k];
}

int wit_body_find(const wit_body* b, wit_feature_kind kind, const char* name)
{
    int count = kind == WIT_FACE ? (b->planar ? 0 : b->face_count) : kind == WIT_EDGE ? b->edge_count : b->vertex_count;
    for (int i = 0; name && i < count; ++i) {
        size_t at = kind == WIT_FACE   ? body_faces(b)[i].name
                    : kind == WIT_EDGE ? body_edges(b)[i].name
                                       : body_vertices(b)[i].name;
        if (strcmp(name_at(b, at), name) == 0) return i;
    }
    return -1;
}

bool wit_body_face_normal(const wit_body* b, int face, double u, double v, wit_vec3* out)
{
    *out = vec3(0, 0, 0);
    if (!has_face(b, face) || !wit_surface_normal(body_surface(b, face), u, v, out)) return false;
    if (body_faces(b)[face].reversed) *out = scale3(-1, *out);
    return true;
}

bool wi_body_face_contains(const wit_body* b, int face, double u, double v, wit_work* work, int64_t units)
{
    if (!has_face(b, face)) return false;
    const body_face* f = &body_faces(b)[face];
    const wit_surface* s = body_surface(b, face);
    if (f->trimmed) {
        trim_curves curves = body_trim_curves(b, f);
        curves.work = work;
        curves.units = units;
        return wi_trim_contains(&f->trim, body_at(b, f->trim_block), &curves, u, v);
    }
    bool in_u = s->closed_u ? isfinite(u) : u >= s->u.lo && u <= s->u.hi;
    bool in_v = s->closed_v ? isfinite(v) : v >= s->v.lo && v <= s->v.hi;
    return in_u && in_v;
}

bool wit_body_face_contains(const wit_body* b, int face, double u, double v)
{
    return wi_body_face_contains(b, face, u, v, NULL, 0);
}
