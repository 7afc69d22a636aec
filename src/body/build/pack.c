/* SPDX-License-Identifier: MIT */
/*
 * From a draft to one block. The block is laid out and filled without the bounding tree first; then, with all curves in
 * place, the leaves are found, and block and tree are put together.
 */
#include <string.h>

#include "../../base/arena.h"
#include "../../base/sort.h"
#include "../body_record.h"
#include "draft.h"
#include "../tree/leaves.h"
#include "../tree/shape_tree.h"
#include "bounded.h"
#include "lift_exact.h"
#include "parts.h"

/* Faces that share a surface store it once: position of each face's surface among the distinct ones. */
typedef struct surface_key {
    uintptr_t address;
    int face;
} surface_key;

typedef struct packing {
    draft* d;
    size_t bytes; /* of the block so far; also the arena's high mark */
    arena layout;
    char* base;
    surface_key* keys;  /* by address */
    size_t* surface_at; /* per face: offset */
    size_t* curve_at;   /* per use: offset of its parameter curve */
    size_t* edge_at;    /* per edge: offset of its curve */
    size_t* trim_at;    /* per face: offset of its trim block */
    size_t* face_name;
    size_t* edge_name;
    size_t* vertex_name;
    size_t empty_name;
    wit_body header;
} packing;

static int by_address(const void* a, const void* b)
{
    const surface_key *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    return x->face < y->face ? -1 : x->face > y->face;
}

static size_t reserve(packing* p, size_t bytes)
{
    return wi_arena_reserve(&p->layout, bytes, 1);
}

static size_t reserve_name(packing* p, const char* name)
{
    return name && name[0] ? reserve(p, strlen(name) + 1) : p->empty_name;
}

/* Definition of the curve of a lifted edge; its surface and parameter curve are the ones given. */
static wit_curve_def lifted_def(const draft* d, const draft_edge* e, const wit_surface* surface, const wit_curve* curve)
{
    (void)d;
    wit_curve_def def = wit_curve_default_def(e->straight ? WIT_CURVE_ISO : WIT_CURVE_ON_SURFACE);
    def.surface = surface;
    def.parameter_curve = curve;
    def.fixed = e->fixed;
    def.value = e->value;
    def.range = e->range;
    return def;
}

/* ---- layout ------------------------------------------------------------------------------------ */

static void lay_out_surfaces(packing* p)
{
    const draft* d = p->d;
    int n = d->faces.count;
    for (int i = 0; i < n; ++i) {
        surface_key k = {(uintptr_t)draft_face_at(d, i)->surface, i};
        p->keys[i] = k;
    }
    wi_sort_items(p->keys, (size_t)n, sizeof *p->keys, by_address);
    for (int i = 0; i < n; ++i) {
        bool again = i > 0 && p->keys[i].address == p->keys[i - 1].address;
        const wit_surface* s = draft_face_at(d, p->keys[i].face)->surface;
        p->surface_at[p->keys[i].face] = again ? p->surface_at[p->keys[i - 1].face] : reserve(p, s->bytes);
    }
}

static void lay_out_geometry(packing* p)
{
    const draft* d = p->d;
    lay_out_surfaces(p);
    for (int i = 0; i < d->uses.count; ++i) p->curve_at[i] = reserve(p, draft_use_at(d, i)->curve->bytes);
    for (int i = 0; i < d->edges.count; ++i) {
        const draft_edge* e = draft_edge_at(d, i);
        if (e->curve) {
            p->edge_at[i] = reserve(p, e->curve->bytes);
            continue;
        }
        const draft_use* home = draft_use_at(d, e->home);
        wit_curve_def def = lifted_def(d, e, draft_face_at(d, home->face)->surface, home->curve);
        p->edge_at[i] = reserve(p, wi_curve_shared_bytes(&def));
    }
    for (int i = 0; i < d->faces.count; ++i) p->trim_at[i] = reserve(p, draft_face_at(d, i)->trim_bytes);
}

static int count_vertex_edges(const draft* d)
{
    int n = 0;
    for (int i = 0; i < d->edges.count; ++i) {
        const draft_edge* e = draft_edge_at(d, i);
        n += e->start < 0 ? 0 : e->start == e->end ? 1 : 2;
    }
    return n;
}

/* Upper bound: every use brings its face to both vertices of its edge. */
static int count_vertex_faces(const draft* d)
{
    return 2 * d->uses.count + d->apexes.count;
}

static void lay_out(packing* p)
{
    const draft* d = p->d;
    wit_body* h = &p->header;
    p->layout = wi_arena_measure();
    reserve(p, sizeof(wit_body));
    p->empty_name = reserve(p, 1);
    h->faces = reserve(p, (size_t)d->faces.count * sizeof(body_face));
    h->loops = reserve(p, (size_t)d->loops.count * sizeof(body_loop));
    h->uses = reserve(p, (size_t)d->uses.count * sizeof(body_use));
    h->edges = reserve(p, (size_t)d->edges.count * sizeof(body_edge));
    h->vertices = reserve(p, (size_t)d->vertices.count * sizeof(body_vertex));
    h->apexes = reserve(p, (size_t)d->apexes.count * sizeof(body_apex));
    h->edge_uses = reserve(p, (size_t)d->uses.count * sizeof(int32_t));
    h->vertex_edges = reserve(p, (size_t)count_vertex_edges(d) * sizeof(int32_t));
    h->vertex_faces = reserve(p, (size_t)count_vertex_faces(d) * sizeof(int32_t));
    h->name = reserve_name(p, d->def->name);
    for (int i = 0; i < d->faces.count; ++i) p->face_name[i] = reserve_name(p, draft_face_at(d, i)->name);
    for (int i = 0; i < d->edges.count; ++i) p->edge_name[i] = reserve_name(p, draft_edge_at(d, i)->name);
    for (int i = 0; i < d->vertices.count; ++i) p->vertex_name[i] = reserve_name(p, draft_vertex_at(d, i)->name);
    lay_out_geometry(p);
    h->nodes = reserve(p, 0);
    p->bytes = h->nodes;
}

/* ---- filling ----------------------------------------------------------------------------------- */

static void put_name(packing* p, size_t at, const char* name)
{
    if (name && name[0]) memcpy(p->base + at, name, strlen(name) + 1);
}

static void fill_names(packing* p)
{
    const draft* d = p->d;
    put_name(p, p->header.name, d->def->name);
    for (int i = 0; i < d->faces.count; ++i) put_name(p, p->face_name[i], draft_face_at(d, i)->name);
    for (int i = 0; i < d->edges.count; ++i) put_name(p, p->edge_name[i], draft_edge_at(d, i)->name);
    for (int i = 0; i < d->vertices.count; ++i) put_name(p, p->vertex_name[i], draft_vertex_at(d, i)->name);
}

static wit_status fill_geometry(packing* p)
{
    const draft* d = p->d;
    for (int i = 0; i < d->faces.count; ++i) {
        const draft_face* f = draft_face_at(d, p->keys[i].face);
        bool again = i > 0 && p->keys[i].address == p->keys[i - 1].address;
        if (!again) wi_surface_embed(p->base + p->surface_at[p->keys[i].face], f->surface);
        if (f->trim_block) memcpy(p->base + p->trim_at[p->keys[i].face], f->trim_block, f->trim_bytes);
    }
    for (int i = 0; i < d->uses.count; ++i) wi_curve_embed(p->base + p->curve_at[i], draft_use_at(d, i)->curve);
    for (int i = 0; i < d->edges.count; ++i) {
        const draft_edge* e = draft_edge_at(d, i);
        if (e->curve) {
            wi_curve_embed(p->base + p->edge_at[i], e->curve);
            continue;
        }
        const wit_surface* s = (const wit_surface*)(void*)(p->base + p->surface_at[draft_use_at(d, e->home)->face]);
        wit_curve_def def = lifted_def(d, e, s, (const wit_curve*)(void*)(p->base + p->curve_at[e->home]));
        wit_status status = wi_curve_place_shared(p->base + p->edge_at[i], &def, d->error);
        if (status) return status;
    }
    return WIT_OK;
}

static void fill_faces(packing* p)
{
    const draft* d = p->d;
    body_face* faces = (body_face*)(void*)(p->base + p->header.faces);
    body_loop* loops = (body_loop*)(void*)(p->base + p->header.loops);
    body_use* uses = (body_use*)(void*)(p->base + p->header.uses);
    for (int i = 0; i < d->faces.count; ++i) {
        const draft_face* f = draft_face_at(d, i);
        body_face* to = &faces[i];
        to->surface = p->surface_at[i];
        to->name = p->face_name[i];
        to->reversed = f->reversed;
        to->unbounded = f->unbounded;
        to->first_loop = f->first;
        to->loops = f->count;
        to->u = f->u;
        to->v = f->v;
        to->trim = f->trim;
        to->trimmed = f->trim_block != NULL;
        to->trim_block = p->trim_at[i];
        wit_surface_bounds b;
        wit_surface_bound(f->surface, f->u, f->v, &b);
        to->box = b.box;
        to->third = wi_surface_third(f->surface, f->u, f->v);
        to->poles = wi_surface_poles(f->surface, f->u, f->v);
        for (int l = f->first; l < f->first + f->count; ++l) {
            const draft_loop* loop = draft_loop_at(d, l);
            body_loop to_loop = {i, loop->first, loop->count};
            loops[l] = to_loop;
            for (int k = loop->first; k < loop->first + loop->count; ++k) {
                const draft_use* u = draft_use_at(d, k);
                body_use to_use = {u->edge, i, l - f->first, u->reversed, p->curve_at[k], u->scale, u->shift};
                uses[k] = to_use;
            }
        }
    }
    body_apex* apexes = (body_apex*)(void*)(p->base + p->header.apexes);
    for (int i = 0; i < d->apexes.count; ++i) {
        const draft_apex* a = draft_apex_at(d, i);
        body_apex to = {a->face, a->vertex, a->fixed, a->value};
        apexes[i] = to;
    }
}

static void fill_edges(packing* p)
{
    const draft* d = p->d;
    body_edge* edges = (body_edge*)(void*)(p->base + p->header.edges);
    int32_t* by_edge = (int32_t*)(void*)(p->base + p->header.edge_uses);
    for (int i = 0; i < d->edges.count; ++i) {
        const draft_edge* e = draft_edge_at(d, i);
        body_edge* to = &edges[i];
        to->curve = p->edge_at[i];
        to->name = p->edge_name[i];
        to->lifted = !e->curve;
        to->range = e->range;
        to->start = e->start;
        to->end = e->end;
        to->tolerance = e->tolerance;
        to->third = wi_curve_third((const wit_curve*)(const void*)(p->base + p->edge_at[i]), e->range);
    }
    for (int i = 0; i < d->uses.count; ++i)
        if (draft_use_at(d, i)->edge >= 0) edges[draft_use_at(d, i)->edge].uses += 1;
    int32_t next = 0;
    for (int i = 0; i < d->edges.count; ++i) {
        edges[i].first_use = next;
        next += edges[i].uses;
        edges[i].uses = 0;
    }
    for (int i = 0; i < d->uses.count; ++i) {
        int e = draft_use_at(d, i)->edge;
        if (e >= 0) by_edge[edges[e].first_use + edges[e].uses++] = i;
    }
}

/* Edges and faces around each vertex. A face comes once. */
static void fill_vertices(packing* p)
{
    const draft* d = p->d;
    body_vertex* vertices = (body_vertex*)(void*)(p->base + p->header.vertices);
    const body_edge* edges = (const body_edge*)(const void*)(p->base + p->header.edges);
    const int32_t* edge_uses = (const int32_t*)(const void*)(p->base + p->header.edge_uses);
    int32_t* by_edge = (int32_t*)(void*)(p->base + p->header.vertex_edges);
    int32_t* by_face = (int32_t*)(void*)(p->base + p->header.vertex_faces);
    int n = d->vertices.count;
    for (int i = 0; i < n; ++i) {
        vertices[i].point = draft_vertex_at(d, i)->point;
        vertices[i].name = p->vertex_name[i];
        vertices[i].tolerance = draft_vertex_at(d, i)->tolerance;
    }
    for (int i = 0; i < d->edges.count; ++i) {
        if (edges[i].start < 0) continue;
        vertices[edges[i].start].edges += 1;
        if (edges[i].end != edges[i].start) vertices[edges[i].end].edges += 1;
    }
    int32_t next = 0;
    for (int i = 0; i < n; ++i) {
        vertices[i].first_edge = next;
        next += vertices[i].edges;
        vertices[i].edges = 0;
    }
    for (int i = 0; i < d->edges.count; ++i) {
        if (edges[i].start < 0) continue;
        body_vertex *a = &vertices[edges[i].start], *b = &vertices[edges[i].end];
        by_edge[a->first_edge + a->edges++] = i;
        if (a != b) by_edge[b->first_edge + b->edges++] = i;
    }
    next = 0;
    for (int i = 0; i < n; ++i) {
        body_vertex* v = &vertices[i];
        v->first_face = next;
        for (int k = 0; k < v->edges; ++k) {
            const body_edge* e = &edges[by_edge[v->first_edge + k]];
            for (int m = 0; m < e->uses; ++m) {
                int face = draft_use_at(d, edge_uses[e->first_use + m])->face;
                bool known = false;
                for (int32_t q = v->first_face; q < next; ++q) known |= by_face[q] == face;
                if (!known) by_face[next++] = face;
            }
        }
        v->faces = next - v->first_face;
    }
}

/* ---- apexes bring their faces to their vertices -------------------------------------------------- */

static int by_vertex(const void* a, const void* b)
{
    const body_apex *x = a, *y = b;
    if (x->vertex != y->vertex) return x->vertex < y->vertex ? -1 : 1;
    return x->face < y->face ? -1 : x->face > y->face;
}

/* The lists by vertex were packed without gaps; apexes sorted by vertex are merged in from the back. */
static void add_apex_faces(packing* p)
{
    const draft* d = p->d;
    body_apex* apexes = (body_apex*)(void*)(p->base + p->header.apexes);
    body_vertex* vertices = (body_vertex*)(void*)(p->base + p->header.vertices);
    int32_t* by_face = (int32_t*)(void*)(p->base + p->header.vertex_faces);
    int n = d->vertices.count, m = d->apexes.count;
    if (m == 0 || n == 0) return;
    wi_sort_items(apexes, (size_t)m, sizeof *apexes, by_vertex);
    int shift = m, a = m;
    for (int i = n - 1; i >= 0; --i) {
        body_vertex* v = &vertices[i];
        int begin = a;
        while (begin > 0 && apexes[begin - 1].vertex == i) --begin;
        shift -= a - begin; /* apexes of lower vertices */
        memmove(by_face + v->first_face + shift, by_face + v->first_face, (size_t)v->faces * sizeof *by_face);
        v->first_face += shift;
        for (int k = begin; k < a; ++k) {
            bool known = false;
            for (int q = 0; q < v->faces; ++q) known |= by_face[v->first_face + q] == apexes[k].face;
            if (!known) by_face[v->first_face + v->faces++] = apexes[k].face;
        }
        a = begin;
    }
}

/* ---- the points of vertices are rounded ----------------------------------------------------------- */

/* How far the box reaches beyond the vertex and its tolerance, or from its own middle: evaluating there is no better. Where
 * weights are far apart a vertex is rounded by more than a box that holds its true place shows: a tolerance between what
 * rounding does to coordinates (of `size`) and to weights tells of that, and is not taken off. */
static double beyond(const body_vertex* v, double size, const wit_interval box[3])
{
    bool rounded = v->tolerance > 8 * DBL_EPSILON * size && v->tolerance < 1e-12 * size;
    double tolerance = rounded ? 0 : v->tolerance;
    double wide = 0.5 * norm3(vec3(iv_width(box[0]), iv_width(box[1]), iv_width(box[2])));
    double x = larger(box[0].hi - v->point.x, v->point.x - box[0].lo);
    double y = larger(box[1].hi - v->point.y, v->point.y - box[1].lo);
    double z = larger(box[2].hi - v->point.z, v->point.z - box[2].lo);
    double off = sqrt(x * x + y * y + z * z) * (1 + 4 * DBL_EPSILON);
    return larger(off - tolerance, wide) * (1 + 8 * DBL_EPSILON);
}

/* Lines are measured; else by enclosures of the ends of edges and of poles. */
static double largest_vertex_error(const packing* p)
{
    static const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const draft* d = p->d;
    const body_vertex* vertices = (const body_vertex*)(const void*)(p->base + p->header.vertices);
    double largest = 0;
    for (int i = 0; i < d->edges.count; ++i) {
        const body_edge* e = (const body_edge*)(const void*)(p->base + p->header.edges) + i;
        const wit_curve* curve = (const wit_curve*)(const void*)(p->base + e->curve);
        curve_enclosure at;
        for (int end = 0; end < 2 && e->start >= 0; ++end) {
            const body_vertex* v = &vertices[end ? e->end : e->start];
            double t = end ? e->range.hi : e->range.lo;
            if (curve->kind == WIT_CURVE_LINE) {
                largest = larger(largest, wi_line_off(curve, t, v->point));
                continue;
            }
            wi_curve_enclose(curve, iv_point(t), axes, &at);
            largest = larger(largest, beyond(v, d->size, at.d[0]));
        }
    }
    for (int i = 0; i < d->apexes.count; ++i) {
        const draft_apex* a = draft_apex_at(d, i);
        const draft_face* f = draft_face_at(d, a->face);
        surface_enclosure at;
        wi_surface_enclose(f->surface, a->fixed == WIT_U ? iv_point(a->value) : f->u,
                           a->fixed == WIT_U ? f->v : iv_point(a->value), axes, &at);
        largest = larger(largest, beyond(&vertices[a->vertex], d->size, at.d[D00]));
    }
    return largest;
}

/* Of poles, and of seams of faces and edges that are closed splines. */
static double largest_gape(const wit_body* b, double largest)
{
    for (int32_t i = 0; i < b->face_count; ++i) largest = larger(largest, body_surface(b, i)->gape);
    for (int32_t i = 0; i < b->edge_count; ++i)
        if (body_curve(b, i)->closed) largest = larger(largest, body_curve(b, i)->gape);
    return largest;
}

static void fill_header(packing* p)
{
    const draft* d = p->d;
    wit_body* h = &p->header;
    h->allocator = d->memory;
    h->kind = d->def->kind;
    h->planar = d->def->planar;
    h->face_count = d->faces.count;
    h->loop_count = d->loops.count;
    h->use_count = d->uses.count;
    h->edge_count = d->edges.count;
    h->vertex_count = d->vertices.count;
    h->apex_count = d->apexes.count;
    double vertex = 0;
    for (int i = 0; i < d->edges.count; ++i) h->tolerance = larger(h->tolerance, draft_edge_at(d, i)->tolerance);
    for (int i = 0; i < d->vertices.count; ++i) vertex = larger(vertex, draft_vertex_at(d, i)->tolerance);
    h->looseness = h->tolerance + vertex;
    h->shape_tolerance = d->def->shape_tolerance;
    for (int i = 0; i < d->faces.count; ++i) h->unbounded |= draft_face_at(d, i)->unbounded;
}

/* ---- the tree ------------------------------------------------------------------------------------ */

static wit_status find_leaves(packing* p, leaf_list* out)
{
    const wit_body* b = (const wit_body*)(const void*)p->base;
    wit_status status = WIT_OK;
    for (int i = 0; i < b->face_count && !status && !b->planar; ++i) {
        const body_face* f = &body_faces(b)[i];
        trim_curves curves = body_trim_curves(b, f);
        const face_trims trims = {&f->trim, body_at(b, f->trim_block), &curves};
        status = wi_leaves_of_face(body_surface(b, i), f->u, f->v, f->trimmed ? &trims : NULL, i, out);
    }
    for (int i = 0; i < b->edge_count && !status; ++i)
        status = wi_leaves_of_edge(body_curve(b, i), body_edges(b)[i].range, i, out);
    for (int i = 0; i < b->vertex_count && !status; ++i)
        status = wi_leaves_of_vertex(body_vertices(b)[i].point, i, out);
    return status;
}

static wit_box bounded_box(const wit_body* b, const leaf_list* leaves)
{
    wit_box r = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    bool any = false;
    for (int i = 0; i < leaves->count; ++i) {
        const tree_node* n = &leaves->nodes[i];
        if (n->kind == WIT_FACE && body_faces(b)[n->feature].unbounded) continue;
        r.lo = vec3(smaller(r.lo.x, n->box.lo.x), smaller(r.lo.y, n->box.lo.y), smaller(r.lo.z, n->box.lo.z));
        r.hi = vec3(larger(r.hi.x, n->box.hi.x), larger(r.hi.y, n->box.hi.y), larger(r.hi.z, n->box.hi.z));
        any = true;
    }
    if (!any) r.lo = r.hi = vec3(0, 0, 0);
    return r;
}

/* Block, tree and parts in one piece of memory. */
static wit_body* put_together(packing* p, leaf_list* leaves, const shape_list* shapes, const int32_t* part, int parts)
{
    draft* d = p->d;
    size_t nodes = (size_t)(leaves->count ? 2 * leaves->count - 1 : 0);
    size_t tree = embedded_bytes(nodes * sizeof(tree_node));
    size_t bounds = embedded_bytes((size_t)leaves->count * sizeof(leaf_bounds));
    size_t cones = embedded_bytes(nodes * sizeof(node_cone));
    size_t shape_bytes = embedded_bytes((size_t)shapes->count * sizeof(shape_entry));
    size_t forms = embedded_bytes((size_t)shapes->form_count * sizeof(shape_form));
    size_t roots = embedded_bytes((size_t)leaves->count * sizeof(int32_t));
    size_t bytes = p->bytes + tree + bounds + cones + shape_bytes + forms + roots + (size_t)parts * sizeof(body_part);
    wit_body* body = wi_allocator_take(&d->memory, bytes);
    if (!body) {
        wi_draft_refuse_memory(d);
        return NULL;
    }
    memcpy(body, p->base, p->bytes);
    body->bytes = bytes;
    body->box = bounded_box(body, leaves);
    body->size = norm3(sub3(body->box.hi, body->box.lo));
    body->bounds = body->nodes + tree;
    body->cones = body->bounds + bounds;
    body->shapes = body->cones + cones;
    body->shape_forms = body->shapes + shape_bytes;
    body->shape_roots = body->shape_forms + forms;
    body->shape_count = shapes->count;
    body->parts = body->shape_roots + roots;
    body->part_count = parts;
    body->closed = wi_parts_closed(body);
    body->gape = largest_gape(body, d->gape);
    body->facts = (body_facts){.convex_within = INFINITY, .hull_within = INFINITY}; /* until they are found */
    if (leaves->count) {
        body->node_count = wi_tree_build(leaves->nodes, leaves->count, (tree_node*)(void*)((char*)body + body->nodes));
        memcpy((char*)body + body->bounds, leaves->bounds, (size_t)leaves->count * sizeof(leaf_bounds));
        body->bounded = wi_body_bounded(body);
        body->outward = wi_parts_outward(body);
        wi_node_cones_fill(body, (node_cone*)(void*)((char*)body + body->cones));
        memcpy((char*)body + body->shapes, shapes->entries, (size_t)shapes->count * sizeof(shape_entry));
        memcpy((char*)body + body->shape_forms, shapes->forms, (size_t)shapes->form_count * sizeof(shape_form));
        memcpy((char*)body + body->shape_roots, shapes->roots, (size_t)leaves->count * sizeof(int32_t));
    }
    wi_parts_fill(body, part, (body_part*)(void*)((char*)body + body->parts));
    return body;
}

static wit_body* join_parts(packing* p, leaf_list* leaves)
{
    draft* d = p->d;
    const wit_body* b = (const wit_body*)(const void*)p->base;
    size_t bytes = (size_t)wi_parts_features(b) * sizeof(int32_t);
    int32_t* part = wi_allocator_take(&d->memory, bytes);
    if (!part) {
        wi_draft_refuse_memory(d);
        return NULL;
    }
    int parts = wi_parts_find(b, part);
    shape_list shapes;
    wit_body* body = NULL;
    if (wi_shape_list_make(b, leaves, largest_gape(b, d->gape), &shapes))
        wi_draft_refuse_memory(d);
    else
        body = put_together(p, leaves, &shapes, part, parts);
    wi_shape_list_release(&shapes);
    wi_allocator_release(&d->memory, part, bytes);
    return body;
}

static wit_body* pack(packing* p)
{
    draft* d = p->d;
    lay_out(p);
    if (!arena_ok(&p->layout)) {
        wi_draft_refuse_memory(d);
        return NULL;
    }
    p->base = wi_allocator_take(&d->memory, p->bytes);
    if (!p->base) {
        wi_draft_refuse_memory(d);
        return NULL;
    }
    memset(p->base, 0, p->bytes);
    fill_header(p);
    fill_names(p);
    wit_body* body = NULL;
    leaf_list leaves = wi_leaf_list_empty(&d->memory);
    if (!fill_geometry(p)) {
        fill_faces(p);
        fill_edges(p);
        fill_vertices(p);
        add_apex_faces(p);
        p->header.vertex_error = largest_vertex_error(p);
        p->header.hidden_gap = d->hidden_gap;
        memcpy(p->base, &p->header, sizeof p->header);
        if (find_leaves(p, &leaves))
            wi_draft_refuse_memory(d);
        else
            body = join_parts(p, &leaves);
    }
    wi_leaf_list_release(&leaves);
    wi_allocator_release(&d->memory, p->base, p->bytes);
    return body;
}

wit_body* wi_draft_pack(draft* d)
{
    packing p;
    memset(&p, 0, sizeof p);
    p.d = d;
    size_t f = (size_t)d->faces.count, u = (size_t)d->uses.count, e = (size_t)d->edges.count,
           v = (size_t)d->vertices.count;
    size_t bytes = (f + 1) * sizeof(surface_key) + (3 * f + u + 2 * e + v + 1) * sizeof(size_t);
    char* scratch = wi_allocator_take(&d->memory, bytes);
    if (!scratch) {
        wi_draft_refuse_memory(d);
        return NULL;
    }
    p.keys = (surface_key*)(void*)scratch;
    size_t* next = (size_t*)(void*)(p.keys + f + 1);
    p.surface_at = next;
    p.trim_at = next + f;
    p.face_name = next + 2 * f;
    p.curve_at = next + 3 * f;
    p.edge_at = p.curve_at + u;
    p.edge_name = p.edge_at + e;
    p.vertex_name = p.edge_name + e;
    wit_body* body = pack(&p);
    wi_allocator_release(&d->memory, scratch, bytes);
    return body;
}
