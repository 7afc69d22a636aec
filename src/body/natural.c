/* SPDX-License-Identifier: MIT */
/*
 * Faces that are given without loops end at the natural borders of their surface. Lines u = constant and v = constant
 * divide such a face: the ends of an open range, and creases (knot lines, or the seam of a closed range, across which the
 * tangent plane breaks). Between lines lie cells; each becomes a face. A closed range without lines has one cell
 * that meets itself, and no border there: seams are not features.
 *
 * A line whose points are all one is a pole: it carries no edge. Where the normal has a limit it is nothing at all, else an
 * apex, which is a vertex.
 */
#include "draft.h"

#include <string.h>

/* The lines of one direction. */
typedef struct lines {
    wit_direction fixed; /* of these lines: WIT_U for lines u = constant */
    bool closed;
    double lo, hi;
    list values; /* double */
} lines;

typedef struct grid {
    draft* d;
    const wit_surface* surface;
    lines u, v;
    int face;       /* index of the face that is divided; cell (0, 0) keeps it */
    list vertex_at; /* int per crossing (i, j), -1 not made yet */
    list edge_u;    /* int per piece of a line v = constant: cell i, line j */
    list edge_v;    /* int per piece of a line u = constant: line i, cell j */
} grid;

static double line_at(const lines* l, int i)
{
    int n = l->values.count;
    if (n == 0) return i == 0 ? l->lo : l->hi;
    double period = l->hi - l->lo;
    return l->closed ? *LIST_AT(double, l->values, i % n) + (i / n) * period : *LIST_AT(double, l->values, i);
}

static int cell_count(const lines* l)
{
    int n = l->values.count;
    return l->closed ? (n > 0 ? n : 1) : n - 1;
}

static wit_status add_line(draft* d, lines* l, double value)
{
    double* x = draft_add(d, &l->values, sizeof *x);
    if (!x) return WIT_ERROR_MEMORY;
    *x = value;
    return WIT_OK;
}

static wit_status find_lines(draft* d, const wit_surface* s, wit_direction direction, lines* out)
{
    int count;
    const double* breaks = wit_surface_breaks(s, direction, &count);
    memset(out, 0, sizeof *out);
    out->fixed = direction;
    out->closed = direction == WIT_U ? s->closed_u : s->closed_v;
    out->lo = breaks[0];
    out->hi = breaks[count - 1];
    wit_status status = WIT_OK;
    for (int k = 0; k < count && !status; ++k) {
        wit_continuity c;
        bool end = k == 0 || k == count - 1;
        if (end && !out->closed)
            status = add_line(d, out, breaks[k]);
        else if (k < count - 1 && wit_surface_continuity(s, direction, k, &c) && !c.tangent)
            status = add_line(d, out, breaks[k]);
    }
    return status;
}

/* All points of the line are one: its tangent vanishes, seen at samples of every knot cell. */
static bool collapsed(const grid* g, wit_direction fixed, double value)
{
    const wit_surface* s = g->surface;
    int count;
    const double* b = wit_surface_breaks(s, fixed == WIT_U ? WIT_V : WIT_U, &count);
    double speed = fixed == WIT_U ? s->speed_v : s->speed_u;
    unsigned side =
        value == (fixed == WIT_U ? s->u.hi : s->v.hi) ? (fixed == WIT_U ? WIT_SIDE_U_BELOW : WIT_SIDE_V_BELOW) : 0;
    for (int i = 0; i + 1 < count; ++i)
        for (int k = 0; k < 4; ++k) {
            double x = b[i] + (b[i + 1] - b[i]) * (k + 0.5) / 4;
            wit_surface_jet jet;
            wit_surface_eval(s, fixed == WIT_U ? value : x, fixed == WIT_U ? x : value, side, NULL, &jet);
            if (norm3(fixed == WIT_U ? jet.dv : jet.du) > 1e-9 * speed) return false;
        }
    return true;
}

static bool sharp(const grid* g, wit_direction fixed, double value)
{
    const wit_surface* s = g->surface;
    double u = fixed == WIT_U ? value : iv_mid(s->u), v = fixed == WIT_U ? iv_mid(s->v) : value;
    wit_vec3 n;
    return !wit_surface_normal(s, u, v, &n);
}

static int* int_at(const list* of, int i)
{
    return LIST_AT(int, *of, i);
}

static wit_status fill_with_minus_one(draft* d, list* to, int count)
{
    for (int i = 0; i < count; ++i) {
        int* x = draft_add(d, to, sizeof *x);
        if (!x) return WIT_ERROR_MEMORY;
        *x = -1;
    }
    return WIT_OK;
}

/* The vertex at crossing (i, j) of lines; all crossings with a collapsed line are one vertex. */
static int vertex_of(grid* g, int i, int j)
{
    int nu = g->u.values.count, nv = g->v.values.count;
    if (nu == 0 || nv == 0) return -1;
    i %= g->u.closed ? nu : nu + 1;
    j %= g->v.closed ? nv : nv + 1;
    if (collapsed(g, WIT_V, line_at(&g->v, j))) i = 0;
    if (collapsed(g, WIT_U, line_at(&g->u, i))) j = 0;
    int* id = int_at(&g->vertex_at, i * nv + j);
    if (*id >= 0) return *id;
    draft_vertex* v = draft_add(g->d, &g->d->vertices, sizeof *v);
    if (!v) return -2;
    wit_surface_jet jet;
    wit_surface_eval(g->surface, line_at(&g->u, i), line_at(&g->v, j), WIT_SIDE_DEFAULT, NULL, &jet);
    v->point = jet.p;
    return *id = g->d->vertices.count - 1;
}

/* A straight parameter curve along the line, over the cell: (t, value) or (value, t). */
static wit_status line_curve(draft* d, wit_direction fixed, double value, wit_interval t, const wit_curve** out)
{
    wit_curve_def def = wit_curve_default_def(WIT_CURVE_LINE);
    def.frame.origin = fixed == WIT_U ? vec3(value, 0, 0) : vec3(0, value, 0);
    def.frame.x = fixed == WIT_U ? vec3(0, 1, 0) : vec3(1, 0, 0);
    def.range = t;
    wit_curve* c = wit_curve_create(&def, &d->memory, d->error);
    if (!c) return WIT_ERROR_MEMORY;
    *out = c;
    return draft_keep(d, c);
}

/* The edge along line `line` of `l`, between lines `cell` and `cell` + 1 of the others. */
static int edge_of(grid* g, const lines* l, const lines* others, int line, int cell)
{
    bool fixed_u = l->fixed == WIT_U;
    int n = l->values.count;
    int at = l->closed ? line % n : line;
    list* map = fixed_u ? &g->edge_v : &g->edge_u;
    int* id = int_at(map, at * cell_count(others) + cell);
    if (*id >= 0) return *id;
    int start = fixed_u ? vertex_of(g, at, cell) : vertex_of(g, cell, at);
    int end = fixed_u ? vertex_of(g, at, cell + 1) : vertex_of(g, cell + 1, at);
    draft_edge* e = draft_add(g->d, &g->d->edges, sizeof *e);
    if (!e || start == -2 || end == -2) return -2;
    e->range = iv(line_at(others, cell), line_at(others, cell + 1));
    e->start = start;
    e->end = end;
    e->home = -1;
    e->straight = true;
    e->fixed = l->fixed;
    e->value = line_at(l, at);
    return *id = g->d->edges.count - 1;
}

/* Adds the passage along one side of a cell to the open loop; nothing for a side that is no line. */
static wit_status add_side(grid* g, int face, const lines* l, const lines* others, int line, int cell, bool reversed)
{
    double value = line_at(l, line);
    bool pole = collapsed(g, l->fixed, l->closed ? line_at(l, line % l->values.count) : value);
    int edge = pole ? -1 : edge_of(g, l, others, line, cell);
    if (edge == -2) return WIT_ERROR_MEMORY;
    draft_use* u = draft_add(g->d, &g->d->uses, sizeof *u);
    if (!u) return WIT_ERROR_MEMORY;
    u->edge = edge;
    u->face = face;
    u->reversed = reversed;
    u->scale = 1;
    u->range = iv(line_at(others, cell), line_at(others, cell + 1));
    int index = g->d->uses.count - 1;
    wit_status status = line_curve(g->d, l->fixed, value, u->range, &draft_use_at(g->d, index)->curve);
    if (status) return status;
    if (edge >= 0 && draft_edge_at(g->d, edge)->home < 0) draft_edge_at(g->d, edge)->home = index;
    draft_loop_at(g->d, g->d->loops.count - 1)->count += 1;
    return WIT_OK;
}

static wit_status begin_loop(draft* d, int face)
{
    draft_loop* loop = draft_add(d, &d->loops, sizeof *loop);
    if (!loop) return WIT_ERROR_MEMORY;
    loop->face = face;
    loop->first = d->uses.count;
    draft_face_at(d, face)->count += 1;
    return WIT_OK;
}

/* A loop that is one ring: skipped altogether where the ring is a pole. */
static wit_status add_ring(grid* g, int face, const lines* l, const lines* others, int line, bool reversed)
{
    if (collapsed(g, l->fixed, line_at(l, line))) return WIT_OK;
    wit_status status = begin_loop(g->d, face);
    return status ? status : add_side(g, face, l, others, line, 0, reversed);
}

static wit_status add_loops(grid* g, int face, int i, int j)
{
    bool across_u = g->u.values.count > 0, across_v = g->v.values.count > 0;
    wit_status status = WIT_OK;
    if (across_u && across_v) { /* anticlockwise: bottom, right, top, left */
        status = begin_loop(g->d, face);
        if (!status) status = add_side(g, face, &g->v, &g->u, j, i, false);
        if (!status) status = add_side(g, face, &g->u, &g->v, i + 1, j, false);
        if (!status) status = add_side(g, face, &g->v, &g->u, j + 1, i, true);
        if (!status) status = add_side(g, face, &g->u, &g->v, i, j, true);
    } else if (across_v) {
        status = add_ring(g, face, &g->v, &g->u, j, false);
        if (!status) status = add_ring(g, face, &g->v, &g->u, j + 1, true);
    } else if (across_u) {
        status = add_ring(g, face, &g->u, &g->v, i + 1, false);
        if (!status) status = add_ring(g, face, &g->u, &g->v, i, true);
    }
    return status;
}

/* An apex at an end of the range: a vertex of its own, unless edges end there and made it already. */
static wit_status add_apex(grid* g, int face, const lines* l, int line)
{
    double value = line_at(l, line);
    if (l->closed || !collapsed(g, l->fixed, value) || !sharp(g, l->fixed, value)) return WIT_OK;
    int vertex = l->fixed == WIT_U ? vertex_of(g, line, 0) : vertex_of(g, 0, line);
    if (vertex == -1) {
        draft_vertex* v = draft_add(g->d, &g->d->vertices, sizeof *v);
        if (!v) return WIT_ERROR_MEMORY;
        wit_surface_jet jet;
        wit_surface_eval(g->surface, l->fixed == WIT_U ? value : g->u.lo, l->fixed == WIT_U ? g->v.lo : value,
                         WIT_SIDE_DEFAULT, NULL, &jet);
        v->point = jet.p;
        vertex = g->d->vertices.count - 1;
    }
    if (vertex < 0) return WIT_ERROR_MEMORY;
    draft_apex* a = draft_add(g->d, &g->d->apexes, sizeof *a);
    if (!a) return WIT_ERROR_MEMORY;
    a->face = face;
    a->vertex = vertex;
    a->fixed = l->fixed;
    a->value = value;
    return WIT_OK;
}

static wit_status add_cell(grid* g, int i, int j)
{
    draft* d = g->d;
    int face = g->face;
    bool only = cell_count(&g->u) == 1 && cell_count(&g->v) == 1;
    if (i + j > 0) {
        draft_face* more = draft_add(d, &d->faces, sizeof *more);
        if (!more) return WIT_ERROR_MEMORY;
        *more = *draft_face_at(d, g->face);
        more->count = 0;
        face = d->faces.count - 1;
    }
    draft_face* f = draft_face_at(d, face);
    f->u = iv(line_at(&g->u, i), line_at(&g->u, i + 1));
    f->v = iv(line_at(&g->v, j), line_at(&g->v, j + 1));
    f->whole = only;
    f->first = d->loops.count;
    wit_status status = add_loops(g, face, i, j);
    if (!status && i == 0) status = add_apex(g, face, &g->u, 0);
    if (!status && i + 1 == cell_count(&g->u)) status = add_apex(g, face, &g->u, i + 1);
    if (!status && j == 0) status = add_apex(g, face, &g->v, 0);
    if (!status && j + 1 == cell_count(&g->v)) status = add_apex(g, face, &g->v, j + 1);
    return status;
}

static wit_status divide(draft* d, int face)
{
    grid g;
    memset(&g, 0, sizeof g);
    g.d = d;
    g.face = face;
    g.surface = draft_face_at(d, face)->surface;
    wit_status status = find_lines(d, g.surface, WIT_U, &g.u);
    if (!status) status = find_lines(d, g.surface, WIT_V, &g.v);
    if (!status) {
        int cu = cell_count(&g.u), cv = cell_count(&g.v);
        status = fill_with_minus_one(d, &g.vertex_at, g.u.values.count * g.v.values.count);
        if (!status) status = fill_with_minus_one(d, &g.edge_u, g.v.values.count * cu);
        if (!status) status = fill_with_minus_one(d, &g.edge_v, g.u.values.count * cv);
        for (int i = 0; i < cu && !status; ++i)
            for (int j = 0; j < cv && !status; ++j) status = add_cell(&g, i, j);
    }
    list_drop(&g.u.values, sizeof(double), &d->memory);
    list_drop(&g.v.values, sizeof(double), &d->memory);
    list_drop(&g.vertex_at, sizeof(int), &d->memory);
    list_drop(&g.edge_u, sizeof(int), &d->memory);
    list_drop(&g.edge_v, sizeof(int), &d->memory);
    return status;
}

wit_status draft_natural(draft* d)
{
    int given = d->faces.count;
    for (int i = 0; i < given; ++i) {
        draft_face* f = draft_face_at(d, i);
        if (f->unbounded) f->whole = true;
        if (f->unbounded || f->count > 0) continue;
        wit_status status = divide(d, i);
        if (status) return status;
    }
    return WIT_OK;
}
