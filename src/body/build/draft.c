/* SPDX-License-Identifier: MIT */
/* The lists of a draft, and reading a def into them. */
#include "draft.h"

#include <string.h>

void wi_draft_begin(draft* d, const wit_body_def* def, const wit_allocator* allocator, wit_error* error)
{
    memset(d, 0, sizeof *d);
    d->memory = wi_allocator_or_default(allocator);
    d->def = def;
    d->error = error;
}

void wi_draft_end(draft* d)
{
    for (int i = 0; i < d->faces.count; ++i) {
        draft_face* f = draft_face_at(d, i);
        wi_allocator_release(&d->memory, f->trim_block, f->trim_bytes);
    }
    for (int i = 0; i < d->curves.count; ++i) wit_curve_destroy(*LIST_AT(wit_curve*, d->curves, i));
    list_drop(&d->vertices, sizeof(draft_vertex), &d->memory);
    list_drop(&d->edges, sizeof(draft_edge), &d->memory);
    list_drop(&d->uses, sizeof(draft_use), &d->memory);
    list_drop(&d->loops, sizeof(draft_loop), &d->memory);
    list_drop(&d->faces, sizeof(draft_face), &d->memory);
    list_drop(&d->apexes, sizeof(draft_apex), &d->memory);
    list_drop(&d->curves, sizeof(wit_curve*), &d->memory);
}

wit_status wi_draft_refuse_memory(draft* d)
{
    return wi_error_fill(d->error, WIT_ERROR_MEMORY, "", "no memory while building the body");
}

void* wi_draft_add(draft* d, list* to, size_t item_size)
{
    void* item = list_add(to, item_size, &d->memory);
    if (!item) wi_draft_refuse_memory(d);
    return item;
}

wit_status wi_draft_keep(draft* d, wit_curve* curve)
{
    wit_curve** place = wi_draft_add(d, &d->curves, sizeof(wit_curve*));
    if (!place) {
        wit_curve_destroy(curve);
        return WIT_ERROR_MEMORY;
    }
    *place = curve;
    return WIT_OK;
}

void wi_draft_use_uv(const draft* d, int use, double t, double uv[2])
{
    const draft_use* u = draft_use_at(d, use);
    wit_curve_jet jet;
    wit_curve_eval(u->curve, u->shift + u->scale * t, WIT_KNOT_DEFAULT, NULL, &jet);
    uv[0] = jet.p.x;
    uv[1] = jet.p.y;
}

wit_vec3 wi_draft_use_point(const draft* d, int use, double t)
{
    double uv[2];
    wit_surface_jet jet;
    wi_draft_use_uv(d, use, t, uv);
    wit_surface_eval(draft_face_at(d, draft_use_at(d, use)->face)->surface, uv[0], uv[1], WIT_KNOT_DEFAULT, NULL, &jet);
    return jet.p;
}

wit_vec3 wi_draft_edge_point(const draft* d, int edge, double t)
{
    const draft_edge* e = draft_edge_at(d, edge);
    if (!e->curve) return wi_draft_use_point(d, e->home, t);
    wit_curve_jet jet;
    wit_curve_eval(e->curve, t, WIT_KNOT_DEFAULT, NULL, &jet);
    return jet.p;
}

void wi_draft_use_item(const draft* d, int use, char* out, size_t room)
{
    const draft_face* f = draft_face_at(d, draft_use_at(d, use)->face);
    /* From the last: while loops are written anew, those before the one at work have the new numbers already. */
    for (int l = f->first + f->count - 1; l >= f->first; --l) {
        const draft_loop* loop = draft_loop_at(d, l);
        if (use >= loop->first && use < loop->first + loop->count && d->def->faces[f->given].loop_count > 0) {
            wi_text_format(out, room, "faces[%d].loops[%d].uses[%d]", f->given, l - f->first, use - loop->first);
            return;
        }
    }
    wi_text_format(out, room, "faces[%d]", f->given);
}

void wi_draft_edge_item(const draft* d, int edge, char* out, size_t room)
{
    const draft_edge* e = draft_edge_at(d, edge);
    if (e->given >= 0)
        wi_text_format(out, room, "edges[%d]", e->given);
    else
        wi_draft_use_item(d, e->home, out, room);
}

/* ---- reading the def ------------------------------------------------------------------------- */

static wit_status refuse(draft* d, wit_status status, const char* name, int i, const char* field, const char* text)
{
    char item[96];
    wi_text_format(item, sizeof item, "%s[%d]%s%s", name, i, field[0] ? "." : "", field);
    return wi_error_fill(d->error, status, item, "%s", text);
}

static wit_status check_counts(draft* d)
{
    const wit_body_def* def = d->def;
    if (def->vertex_count < 0 || def->edge_count < 0 || def->face_count < 0 || (def->vertex_count && !def->vertices) ||
        (def->edge_count && !def->edges) || (def->face_count && !def->faces))
        return wi_error_fill(d->error, WIT_ERROR_ARGUMENT, "", "a count is negative or a list is missing");
    if ((unsigned)def->kind >= WIT_BODY_KIND_COUNT)
        return wi_error_fill(d->error, WIT_ERROR_ARGUMENT, "kind", "%d is no kind of body", (int)def->kind);
    if (def->face_count == 0)
        return wi_error_fill(d->error, WIT_ERROR_COUNT, "faces",
                             "a body needs at least one face (a planar one its region)");
    if (!(def->sew_tolerance >= 0) || def->sew_tolerance > WIT_MAX_COORDINATE)
        return wi_error_fill(d->error, WIT_ERROR_NUMBER, "sew_tolerance", "is %g; it must be 0 or a length",
                             def->sew_tolerance);
    if (!(def->close_tolerance >= 0) || def->close_tolerance > WIT_MAX_COORDINATE)
        return wi_error_fill(d->error, WIT_ERROR_NUMBER, "close_tolerance", "is %g; it must be 0 or a length",
                             def->close_tolerance);
    if (!(def->shape_tolerance >= 0) || def->shape_tolerance > WIT_MAX_COORDINATE)
        return wi_error_fill(d->error, WIT_ERROR_NUMBER, "shape_tolerance", "is %g; it must be 0 or a length",
                             def->shape_tolerance);
    if (def->planar && (def->face_count != 1 || !def->faces[0].surface || def->faces[0].loop_count < 1 ||
                        def->faces[0].surface->kind != WIT_SURFACE_PLANE))
        return wi_error_fill(d->error, WIT_ERROR_ARGUMENT, "planar",
                             "a planar body is one face on a plane, with loops");
    return WIT_OK;
}

static wit_status read_vertices(draft* d)
{
    for (int i = 0; i < d->def->vertex_count; ++i) {
        const wit_vertex_def* in = &d->def->vertices[i];
        if (!finite3(in->point) || norm3(in->point) > 2 * WIT_MAX_COORDINATE)
            return refuse(d, WIT_ERROR_NUMBER, "vertices", i, "point", "a coordinate is NaN, infinite or too large");
        draft_vertex* v = wi_draft_add(d, &d->vertices, sizeof *v);
        if (!v) return WIT_ERROR_MEMORY;
        v->name = in->name;
        v->point = in->point;
    }
    return WIT_OK;
}

/* Not empty, and within the range of the curve; over the seam of a closed one. */
static bool is_part(wit_interval part, const wit_curve* curve)
{
    double width = iv_width(curve->range), slack = 1e-9 * width + (curve->closed ? width : 0);
    return part.lo < part.hi && part.lo >= curve->range.lo - slack && part.hi <= curve->range.hi + slack;
}

static wit_status read_edges(draft* d)
{
    for (int i = 0; i < d->def->edge_count; ++i) {
        const wit_edge_def* in = &d->def->edges[i];
        bool ring = in->start == -1 && in->end == -1;
        if (!ring && (in->start < 0 || in->start >= d->def->vertex_count))
            return refuse(d, WIT_ERROR_NAME, "edges", i, "start", "there is no such vertex");
        if (!ring && (in->end < 0 || in->end >= d->def->vertex_count))
            return refuse(d, WIT_ERROR_NAME, "edges", i, "end", "there is no such vertex");
        draft_edge* e = wi_draft_add(d, &d->edges, sizeof *e);
        if (!e) return WIT_ERROR_MEMORY;
        e->name = in->name;
        e->curve = in->curve;
        e->start = in->start;
        e->end = in->end;
        e->home = -1;
        e->given = i;
        if (!in->curve) continue;
        if (in->curve->shared)
            return refuse(d, WIT_ERROR_ARGUMENT, "edges", i, "curve",
                          "is the lifted edge of a body and cannot be copied");
        e->range = range_given(in->range) ? in->range : in->curve->range;
        if (!is_part(e->range, in->curve))
            return refuse(d, WIT_ERROR_RANGE, "edges", i, "range", "is empty or leaves the range of the curve");
    }
    return WIT_OK;
}

/* A passage along a pole has the parameter of its curve, cut to the part given. */
static wit_status read_pole_use(draft* d, int face, int l, int k, draft_use* u)
{
    const wit_use_def* in = &d->def->faces[face].loops[l].uses[k];
    char item[96];
    wi_text_format(item, sizeof item, "faces[%d].loops[%d].uses[%d].parameter_curve", face, l, k);
    if (!u->curve) return wi_error_fill(d->error, WIT_ERROR_ARGUMENT, item, "a passage without an edge needs one");
    u->range = range_given(in->range) ? in->range : u->curve->range;
    u->scale = 1;
    if (is_part(u->range, u->curve)) return WIT_OK;
    wi_text_format(item, sizeof item, "faces[%d].loops[%d].uses[%d].range", face, l, k);
    return wi_error_fill(d->error, WIT_ERROR_RANGE, item, "is empty or leaves the range of the parameter curve");
}

static wit_status read_use(draft* d, int face, int l, int k)
{
    const wit_use_def* in = &d->def->faces[face].loops[l].uses[k];
    char item[96];
    wi_text_format(item, sizeof item, "faces[%d].loops[%d].uses[%d].edge", face, l, k);
    if (in->edge < -1 || in->edge >= d->def->edge_count)
        return wi_error_fill(d->error, WIT_ERROR_NAME, item, "there is no such edge");
    draft_use* u = wi_draft_add(d, &d->uses, sizeof *u);
    if (!u) return WIT_ERROR_MEMORY;
    u->edge = in->edge;
    u->face = face;
    u->reversed = in->reversed;
    u->curve = in->parameter_curve;
    if (in->edge == -1) return read_pole_use(d, face, l, k, u);
    draft_edge* e = draft_edge_at(d, in->edge);
    bool first = e->home < 0;
    if (first) e->home = d->uses.count - 1;
    if (!u->curve) {
        if (e->curve) return WIT_OK;
        wi_text_format(item, sizeof item, "faces[%d].loops[%d].uses[%d].parameter_curve", face, l, k);
        return wi_error_fill(d->error, WIT_ERROR_ARGUMENT, item,
                             first ? "its edge has no curve, so a parameter curve is needed"
                                   : "its edge has no curve of its own to make a parameter curve from");
    }
    wit_interval part = range_given(in->range) ? in->range : u->curve->range;
    if (!is_part(part, u->curve)) {
        wi_text_format(item, sizeof item, "faces[%d].loops[%d].uses[%d].range", face, l, k);
        return wi_error_fill(d->error, WIT_ERROR_RANGE, item, "is empty or leaves the range of the parameter curve");
    }
    if (!e->curve && first) e->range = part; /* a lifted edge has the parameter of its first use */
    u->scale = iv_width(part) / iv_width(e->range);
    u->shift = part.lo - u->scale * e->range.lo;
    return WIT_OK;
}

static wit_status read_face(draft* d, int i)
{
    const wit_face_def* in = &d->def->faces[i];
    if (!in->surface) return refuse(d, WIT_ERROR_ARGUMENT, "faces", i, "surface", "a face needs a surface");
    if (in->loop_count < 0 || (in->loop_count && !in->loops))
        return refuse(d, WIT_ERROR_ARGUMENT, "faces", i, "loops", "the count is negative or the list is missing");
    if (in->unbounded && in->loop_count)
        return refuse(d, WIT_ERROR_ARGUMENT, "faces", i, "unbounded", "an unbounded face has no loops");
    draft_face* f = wi_draft_add(d, &d->faces, sizeof *f);
    if (!f) return WIT_ERROR_MEMORY;
    f->name = in->name;
    f->surface = in->surface;
    f->reversed = in->reversed;
    f->unbounded = in->unbounded;
    f->u = in->surface->u;
    f->v = in->surface->v;
    f->first = d->loops.count;
    f->count = in->loop_count;
    f->given = i;
    for (int l = 0; l < in->loop_count; ++l) {
        char item[96];
        wi_text_format(item, sizeof item, "faces[%d].loops[%d]", i, l);
        if (in->loops[l].use_count < 1 || !in->loops[l].uses)
            return wi_error_fill(d->error, WIT_ERROR_COUNT, item, "a loop needs at least one edge");
        draft_loop* loop = wi_draft_add(d, &d->loops, sizeof *loop);
        if (!loop) return WIT_ERROR_MEMORY;
        loop->face = i;
        loop->first = d->uses.count;
        loop->count = in->loops[l].use_count;
        for (int k = 0; k < in->loops[l].use_count; ++k) {
            wit_status status = read_use(d, i, l, k);
            if (status) return status;
        }
    }
    return WIT_OK;
}

static void measure(draft* d)
{
    wit_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    bool any = false;
    for (int i = 0; i < d->faces.count; ++i) {
        const draft_face* f = draft_face_at(d, i);
        if (f->unbounded) continue;
        if (f->count > 0) continue; /* trimmed: the surface may be far larger; its edges tell */
        wit_surface_bounds b;
        wit_surface_bound(f->surface, f->u, f->v, &b);
        box.lo = vec3(smaller(box.lo.x, b.box.lo.x), smaller(box.lo.y, b.box.lo.y), smaller(box.lo.z, b.box.lo.z));
        box.hi = vec3(larger(box.hi.x, b.box.hi.x), larger(box.hi.y, b.box.hi.y), larger(box.hi.z, b.box.hi.z));
        any = true;
    }
    for (int i = 0; i < d->edges.count; ++i) {
        const draft_edge* e = draft_edge_at(d, i);
        if (!e->curve && e->home < 0) continue;
        for (int k = 0; k <= 16; ++k) {
            wit_vec3 p = wi_draft_edge_point(d, i, e->range.lo + iv_width(e->range) * k / 16);
            box.lo = vec3(smaller(box.lo.x, p.x), smaller(box.lo.y, p.y), smaller(box.lo.z, p.z));
            box.hi = vec3(larger(box.hi.x, p.x), larger(box.hi.y, p.y), larger(box.hi.z, p.z));
            any = true;
        }
    }
    d->size = any ? norm3(sub3(box.hi, box.lo)) : 1;
    d->close = d->def->close_tolerance > 0 ? d->def->close_tolerance : 1e-6 * d->size;
}

wit_status wi_draft_read(draft* d)
{
    wit_status status = check_counts(d);
    if (!status) status = read_vertices(d);
    if (!status) status = read_edges(d);
    for (int i = 0; !status && i < d->def->face_count; ++i) status = read_face(d, i);
    if (status) return status;
    for (int i = 0; i < d->edges.count; ++i)
        if (draft_edge_at(d, i)->home < 0) return refuse(d, WIT_ERROR_NAME, "edges", i, "", "no face uses this edge");
    measure(d);
    if (!(d->size > 0)) return wi_error_fill(d->error, WIT_ERROR_RANGE, "", "the body is a single point");
    return WIT_OK;
}
