/* SPDX-License-Identifier: MIT */
/* The def of the split body, from the pieces. */

#include "split.h"

typedef struct writer {
    splitter* s;
    list vertices, edges, uses, loops, faces; /* defs; loops and faces hold numbers until the lists stand still */
    list first_use, first_loop;               /* int per loop, per face */
    list names;                               /* char* */
    list number;                              /* int per vertex of the splitter: its number in the def, -1 */
    bool failed;
} writer;

enum { NAME_ROOM = 120 };

static void* add(writer* w, list* l, size_t bytes)
{
    void* p = list_add(l, bytes, &w->s->memory);
    if (!p) w->failed = true;
    return p;
}

/* "name.k", or the name itself for k = 0; null for nameless ones. */
static const char* name_of(writer* w, const char* name, int k)
{
    if (!name[0]) return NULL;
    if (k == 0) return name;
    char* text = wi_allocator_take(&w->s->memory, NAME_ROOM);
    char** place = text ? add(w, &w->names, sizeof *place) : NULL;
    if (!place) {
        if (text) wi_allocator_release(&w->s->memory, text, NAME_ROOM);
        w->failed = true;
        return NULL;
    }
    *place = text;
    wi_text_format(text, NAME_ROOM, "%.100s.%d", name, k);
    return text;
}

static int vertex_number(writer* w, int vertex)
{
    splitter* s = w->s;
    vertex = wi_split_vertex_find(s, vertex);
    int* n = LIST_AT(int, w->number, vertex);
    if (*n >= 0) return *n;
    wit_vertex_def* v = add(w, &w->vertices, sizeof *v);
    if (!v) return -1;
    v->point = *LIST_AT(wit_vec3, s->points, vertex);
    if (vertex < s->body->vertex_count)
        v->name = name_of(w, (const char*)body_at(s->body, body_vertices(s->body)[vertex].name), 0);
    return *n = w->vertices.count - 1;
}

/* Is the edge part of the new body? Those of the body are; opened lines only where a piece runs along them. */
static void write_edge(writer* w, int e)
{
    splitter* s = w->s;
    split_edge* edge = split_edge_at(s, e);
    edge->piece = w->edges.count;
    const body_edge* original = edge->original >= 0 ? &body_edges(s->body)[edge->original] : NULL;
    for (int k = 0; k + 1 < edge->count && !w->failed; ++k) {
        const split_knot *a = split_knot_at(s, edge->first + k), *b = a + 1;
        wit_edge_def* d = add(w, &w->edges, sizeof *d);
        if (!d) return;
        wit_edge_def x = {0};
        x.start = x.end = -1;
        if (a->vertex >= 0) {
            x.start = vertex_number(w, a->vertex);
            x.end = vertex_number(w, b->vertex);
        }
        if (original) {
            x.name = name_of(w, (const char*)body_at(s->body, original->name), edge->count > 2 ? k + 1 : 0);
            if (!original->lifted) {
                x.curve = body_curve(s->body, edge->original);
                x.range = iv(a->t, b->t);
            }
        }
        *LIST_AT(wit_edge_def, w->edges, w->edges.count - 1) = x;
    }
}

static void write_use(writer* w, int edge, bool reversed, const wit_curve* curve, double from, double to)
{
    wit_use_def* u = add(w, &w->uses, sizeof *u);
    if (!u) return;
    u->edge = edge;
    u->reversed = reversed;
    u->parameter_curve = curve;
    u->range = iv(from, to);
    LIST_AT(wit_loop_def, w->loops, w->loops.count - 1)->use_count += 1;
}

/* An edge in parameters of a face: its place at t is curve(offset + scale t). */
typedef struct edge_image {
    const wit_curve* curve;
    double offset, scale;
} edge_image;

/* All pieces of the edge between the knots nearest to the ends of the part, in the order of the passage. */
static void write_pieces(writer* w, int e, const edge_image* image, wit_interval part, bool reversed)
{
    const split_edge* edge = split_edge_at(w->s, e);
    double near = 1e-8 * iv_width(edge->range);
    for (int i = 0; i + 1 < edge->count; ++i) {
        int k = reversed ? edge->count - 2 - i : i;
        const split_knot *a = split_knot_at(w->s, edge->first + k), *b = a + 1;
        if (a->t < part.lo - near || b->t > part.hi + near) continue;
        write_use(w, edge->piece + k, reversed, image->curve, image->offset + image->scale * a->t,
                  image->offset + image->scale * b->t);
    }
}

static void begin_loop(writer* w)
{
    wit_loop_def* l = add(w, &w->loops, sizeof *l);
    int* first = l ? add(w, &w->first_use, sizeof *first) : NULL;
    if (!first) return;
    *first = w->uses.count;
    LIST_AT(wit_face_def, w->faces, w->faces.count - 1)->loop_count += 1;
}

static void begin_face(writer* w, const split_face* f, int piece)
{
    const body_face* face = &body_faces(w->s->body)[f->face];
    const char* name = name_of(w, (const char*)body_at(w->s->body, face->name), piece);
    wit_face_def* d = add(w, &w->faces, sizeof *d);
    int* first = d ? add(w, &w->first_loop, sizeof *first) : NULL;
    if (!first) return;
    d->name = name;
    d->surface = f->surface;
    d->reversed = face->reversed;
    d->unbounded = face->unbounded;
    *first = w->loops.count;
}

static void write_whole(writer* w, const split_face* f)
{
    const wit_body* b = w->s->body;
    const body_face* face = &body_faces(b)[f->face];
    begin_face(w, f, 0);
    for (int l = face->first_loop; l < face->first_loop + face->loops && !w->failed; ++l) {
        const body_loop* loop = &body_loops(b)[l];
        begin_loop(w);
        for (int k = loop->first_use; k < loop->first_use + loop->uses && !w->failed; ++k) {
            const body_use* u = &body_uses(b)[k];
            const wit_curve* c = body_parameter_curve(b, k);
            if (u->edge < 0) {
                write_use(w, -1, u->reversed, c, c->range.lo, c->range.hi);
                continue;
            }
            wit_interval r = split_edge_at(w->s, u->edge)->range;
            write_pieces(w, u->edge, &(edge_image){c, u->shift, u->scale}, r, u->reversed);
        }
    }
}

/* ---- pieces of a cut face ------------------------------------------------------------------------ */

static const split_knot* knot_near(const splitter* s, int e, double t)
{
    const split_edge* edge = split_edge_at(s, e);
    const split_knot* best = split_knot_at(s, edge->first);
    for (int k = 1; k < edge->count; ++k) {
        const split_knot* x = split_knot_at(s, edge->first + k);
        if (fabs(x->t - t) < fabs(best->t - t)) best = x;
    }
    return best;
}

/* A sharp pole was a vertex before. */
static void join_apex(splitter* s, const split_face* f, const double p[2], int vertex)
{
    for (int i = 0; i < s->body->apex_count; ++i) {
        const body_apex* a = &body_apexes(s->body)[i];
        double width = iv_width(f->window[a->fixed]);
        if (a->face == f->face && fabs(p[a->fixed] - a->value) <= 1e-6 * width)
            wi_split_vertex_join(s, vertex, a->vertex);
    }
}

/* vertex[node]: from the edges that pass there; joined where several do; on a pole all nodes are one. */
static void node_vertices(writer* w, const split_face* f, int* vertex)
{
    splitter* s = w->s;
    const arrangement* a = &f->a;
    for (int n = 0; n < a->nodes.count; ++n) vertex[n] = -1;
    for (int i = 0; i < a->arcs.count; ++i) {
        const arrangement_arc* arc = arrangement_arc_at(a, i);
        int tag = arrangement_curve_at(a, arc->curve)->tag;
        for (int e = 0; e < 2 && tag >= 0 && arc->used; ++e) {
            int id = knot_near(s, tag, e ? arc->to : arc->from)->vertex;
            int* v = &vertex[arc->node[e]];
            if (id < 0) continue;
            if (*v < 0)
                *v = id;
            else
                wi_split_vertex_join(s, *v, id);
        }
    }
    for (int n = 0; n < a->nodes.count && !w->failed; ++n) {
        if (vertex[n] >= 0) continue;
        const double* p = arrangement_node_at(a, n)->p;
        wit_surface_jet j;
        wit_surface_eval(f->surface, p[0], p[1], WIT_KNOT_DEFAULT, NULL, &j);
        vertex[n] = wi_split_vertex_add(s, j.p);
        if (vertex[n] < 0) w->failed = true;
    }
    for (int i = 0; i < a->arcs.count && !w->failed; ++i) {
        const arrangement_arc* arc = arrangement_arc_at(a, i);
        if (!arc->used || arrangement_curve_at(a, arc->curve)->tag != SPLIT_POLE) continue;
        wi_split_vertex_join(s, vertex[arc->node[0]], vertex[arc->node[1]]);
        join_apex(s, f, arrangement_node_at(a, arc->node[0])->p, vertex[arc->node[0]]);
    }
}

static void write_passage(writer* w, const split_face* f, int half, int* edge_of_arc)
{
    const arrangement* a = &f->a;
    const arrangement_arc* arc = arrangement_arc_at(a, half / 2);
    const arrangement_curve* x = arrangement_curve_at(a, arc->curve);
    bool reversed = half % 2;
    double from = x->s.offset + x->s.scale * arc->from, to = x->s.offset + x->s.scale * arc->to;
    if (x->tag >= 0) {
        const edge_image image = {x->s.curve, x->s.offset, x->s.scale};
        write_pieces(w, x->tag, &image, iv(arc->from, arc->to), reversed);
    } else if (x->tag == SPLIT_POLE) { /* a curve of its own: a passage along a pole is all of its curve */
        wit_curve_jet j, k;
        wit_curve_eval(x->s.curve, from, WIT_KNOT_DEFAULT, NULL, &j);
        wit_curve_eval(x->s.curve, to, WIT_KNOT_DEFAULT, NULL, &k);
        wit_direction fixed = fabs(k.p.x - j.p.x) > fabs(k.p.y - j.p.y) ? WIT_V : WIT_U;
        double lo = fixed == WIT_V ? j.p.x : j.p.y, hi = fixed == WIT_V ? k.p.x : k.p.y;
        const wit_curve* line;
        if (wi_split_line(w->s, fixed, fixed == WIT_V ? j.p.y : j.p.x, smaller(lo, hi), larger(lo, hi), &line)) {
            w->failed = true;
            return;
        }
        write_use(w, -1, reversed != (hi < lo), line, line->range.lo, line->range.hi);
    } else {
        write_use(w, edge_of_arc[half / 2], reversed, x->s.curve, from, to);
    }
}

static void write_cut(writer* w, const split_face* f, const int* vertex, int* edge_of_arc)
{
    const arrangement* a = &f->a;
    for (int i = 0; i < a->arcs.count && !w->failed; ++i) {
        const arrangement_arc* arc = arrangement_arc_at(a, i);
        if (!arc->used || arrangement_curve_at(a, arc->curve)->tag != SPLIT_CUT) continue;
        int start = vertex_number(w, vertex[arc->node[0]]), end = vertex_number(w, vertex[arc->node[1]]);
        wit_edge_def* e = add(w, &w->edges, sizeof *e);
        if (!e) return;
        e->start = start;
        e->end = end;
        edge_of_arc[i] = w->edges.count - 1;
    }
    for (int face = 0; face < a->faces && !w->failed; ++face) {
        begin_face(w, f, a->faces > 1 ? face + 1 : 0);
        for (int pass = 0; pass < 2; ++pass) /* the outer loop first */
            for (int l = 0; l < a->loops.count && !w->failed; ++l) {
                const arrangement_loop* loop = arrangement_loop_at(a, l);
                if (loop->face != face || (loop->area > 0) != (pass == 0)) continue;
                begin_loop(w);
                for (int k = 0; k < loop->count && !w->failed; ++k)
                    write_passage(w, f, arrangement_passage(a, loop->first + k), edge_of_arc);
            }
    }
}

/* Lists by node of every face: which vertex. The unions must be complete before the first vertex is numbered. */
static void all_node_vertices(writer* w, int* vertex)
{
    for (int i = 0, at = 0; i < w->s->faces.count && !w->failed; ++i) {
        const split_face* f = split_face_at(w->s, i);
        node_vertices(w, f, vertex + at);
        at += f->a.nodes.count;
    }
    for (int i = 0; i < w->s->points.count && !w->failed; ++i) {
        int* n = add(w, &w->number, sizeof *n);
        if (n) *n = -1;
    }
}

/* An opened line may be covered by parts only: pieces that no loop uses are left out. */
static void drop_unused_edges(writer* w)
{
    size_t bytes = (size_t)(w->edges.count + 1) * sizeof(int);
    int* number = wi_allocator_take(&w->s->memory, bytes);
    if (!number) {
        w->failed = true;
        return;
    }
    memset(number, 0, bytes);
    for (int i = 0; i < w->uses.count; ++i) {
        int e = LIST_AT(wit_use_def, w->uses, i)->edge;
        if (e >= 0) number[e] = 1;
    }
    int kept = 0;
    for (int e = 0; e < w->edges.count; ++e) {
        if (!number[e]) continue;
        *LIST_AT(wit_edge_def, w->edges, kept) = *LIST_AT(wit_edge_def, w->edges, e);
        number[e] = ++kept;
    }
    w->edges.count = kept;
    for (int i = 0; i < w->uses.count; ++i) {
        int* e = &LIST_AT(wit_use_def, w->uses, i)->edge;
        if (*e >= 0) *e = number[*e] - 1;
    }
    wi_allocator_release(&w->s->memory, number, bytes);
}

static void drop_unused_vertices(writer* w)
{
    size_t bytes = (size_t)(w->vertices.count + 1) * sizeof(int);
    int* number = wi_allocator_take(&w->s->memory, bytes);
    if (!number) {
        w->failed = true;
        return;
    }
    memset(number, 0, bytes);
    /* An apex need not have edges. */
    for (int i = 0; i < w->s->body->apex_count; ++i)
        number[*LIST_AT(int, w->number, wi_split_vertex_find(w->s, body_apexes(w->s->body)[i].vertex))] = 1;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < w->edges.count; ++i) {
            wit_edge_def* e = LIST_AT(wit_edge_def, w->edges, i);
            if (e->start < 0) continue;
            if (pass == 0) {
                number[e->start] = number[e->end] = 1;
            } else {
                e->start = number[e->start] - 1;
                e->end = number[e->end] - 1;
            }
        }
        int kept = 0;
        for (int v = 0; v < w->vertices.count && pass == 0; ++v) {
            if (!number[v]) continue;
            *LIST_AT(wit_vertex_def, w->vertices, kept) = *LIST_AT(wit_vertex_def, w->vertices, v);
            number[v] = ++kept;
        }
        if (pass == 0) w->vertices.count = kept;
    }
    wi_allocator_release(&w->s->memory, number, bytes);
}

static void write_all(writer* w)
{
    splitter* s = w->s;
    size_t nodes = 1, arcs = 1;
    for (int i = 0; i < s->faces.count; ++i) {
        nodes += (size_t)split_face_at(s, i)->a.nodes.count;
        arcs += (size_t)split_face_at(s, i)->a.arcs.count;
    }
    size_t bytes = (nodes + arcs) * sizeof(int);
    int* vertex = wi_allocator_take(&s->memory, bytes);
    if (!vertex) {
        w->failed = true;
        return;
    }
    memset(vertex, 0, bytes);
    all_node_vertices(w, vertex);
    for (int i = 0; i < s->body->vertex_count && !w->failed; ++i) vertex_number(w, i);
    for (int e = 0; e < s->edges.count && !w->failed; ++e) write_edge(w, e);
    for (int i = 0, at = 0; i < s->faces.count && !w->failed; ++i) {
        const split_face* f = split_face_at(s, i);
        if (f->cuts.count > 0)
            write_cut(w, f, vertex + at, vertex + nodes);
        else
            write_whole(w, f);
        at += f->a.nodes.count;
    }
    wi_allocator_release(&s->memory, vertex, bytes);
    if (!w->failed) drop_unused_edges(w);
    if (!w->failed) drop_unused_vertices(w);
}

wit_body* wi_split_write(splitter* s, const wit_allocator* allocator)
{
    writer w;
    memset(&w, 0, sizeof w);
    w.s = s;
    write_all(&w);
    wit_body* out = NULL;
    if (w.failed) {
        wi_split_no_memory(s);
    } else {
        for (int i = 0; i < w.loops.count; ++i)
            LIST_AT(wit_loop_def, w.loops, i)->uses = LIST_AT(wit_use_def, w.uses, *LIST_AT(int, w.first_use, i));
        for (int i = 0; i < w.faces.count && w.loops.count > 0; ++i) /* none at all: half-spaces */
            LIST_AT(wit_face_def, w.faces, i)->loops = LIST_AT(wit_loop_def, w.loops, *LIST_AT(int, w.first_loop, i));
        wit_body_def def = wit_body_default_def(s->body->kind);
        def.name = (const char*)body_at(s->body, s->body->name);
        def.planar = s->body->planar;
        def.vertex_count = w.vertices.count;
        def.edge_count = w.edges.count;
        def.face_count = w.faces.count;
        def.vertices = w.vertices.items;
        def.edges = w.edges.items;
        def.faces = w.faces.items;
        def.close_tolerance = larger(1e-6 * s->body->size, 2 * s->body->tolerance);
        out = wit_body_create(&def, allocator, s->error);
    }
    for (int i = 0; i < w.names.count; ++i) wi_allocator_release(&s->memory, *LIST_AT(char*, w.names, i), NAME_ROOM);
    list_drop(&w.vertices, sizeof(wit_vertex_def), &s->memory);
    list_drop(&w.edges, sizeof(wit_edge_def), &s->memory);
    list_drop(&w.uses, sizeof(wit_use_def), &s->memory);
    list_drop(&w.loops, sizeof(wit_loop_def), &s->memory);
    list_drop(&w.faces, sizeof(wit_face_def), &s->memory);
    list_drop(&w.first_use, sizeof(int), &s->memory);
    list_drop(&w.first_loop, sizeof(int), &s->memory);
    list_drop(&w.names, sizeof(char*), &s->memory);
    list_drop(&w.number, sizeof(int), &s->memory);
    return out;
}
