/* SPDX-License-Identifier: MIT */
/*
 * Faces that are given without loops end at the natural borders of their surface. Lines u = constant and v = constant
 * divide such a face: the ends of an open range, and creases (knot lines, or the seam of a closed range, across which the
 * tangent plane breaks). Between lines lie cells; each becomes a face. A closed range without lines has one cell
 * that meets itself, and no border there: seams are not features.
 *
 * A piece of a line (between two others) whose points are all one is a pole: it carries no edge, and what meets it meets in
 * one vertex. Where the normal has a limit it is nothing else; otherwise, and where cells hang together only by that
 * point, it is an apex, which is a vertex.
 */
#include "../../geom/bounds.h"
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
    double size; /* diagonal of its box */
    lines u, v;
    int face;       /* index of the face that is divided; cell (0, 0) keeps it */
    list vertex_at; /* int per crossing (i, j), NONE until made */
    list same;      /* int per crossing: joined along poles, union-find; the lowest represents */
    list edge_u;    /* int per piece of a line v = constant: line j, cell i. NONE until made, or POLE */
    list edge_v;    /* int per piece of a line u = constant: line i, cell j */
} grid;

enum { NONE = -1, NO_MEMORY = -2, POLE = -3 };

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
    double* x = wi_draft_add(d, &l->values, sizeof *x);
    if (!x) return WIT_ERROR_MEMORY;
    *x = value;
    return WIT_OK;
}

static double size_of(const wit_surface* s)
{
    wit_vec3 size = vec3(iv_width(wit_surface_extent(s, s->u, s->v, vec3(1, 0, 0))),
                         iv_width(wit_surface_extent(s, s->u, s->v, vec3(0, 1, 0))),
                         iv_width(wit_surface_extent(s, s->u, s->v, vec3(0, 0, 1))));
    return norm3(size);
}

/* All points of the line over [t.lo, t.hi] are one: it nowhere leaves one of them, by bounds. Samples of it, or of its tangent,
 * would not tell: unlike weights hide most of a line. */
static bool collapsed(const wit_surface* s, double size, wit_direction fixed, double value, wit_interval t)
{
    wit_surface_jet jet;
    double middle = iv_mid(t);
    wit_surface_eval(s, fixed == WIT_U ? value : middle, fixed == WIT_U ? middle : value, 0, NULL, &jet);
    return wi_surface_line_reach(s, fixed, value, t) <= 1e-9 * size + 1e-14 * norm3(jet.p);
}

static wit_status find_lines(draft* d, const wit_surface* s, double size, wit_direction direction, lines* out)
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
        else if (k < count - 1 && wit_surface_continuity(s, direction, k, &c) &&
                 (!c.tangent || collapsed(s, size, direction, breaks[k], direction == WIT_U ? s->v : s->u)))
            status = add_line(d, out, breaks[k]);
    }
    return status;
}

static int* int_at(const list* of, int i)
{
    return LIST_AT(int, *of, i);
}

/* The piece of line `line` of `l` between lines `cell` and `cell` + 1 of the others. */
static int* piece_at(const grid* g, const lines* l, int line, int cell)
{
    bool fixed_u = l->fixed == WIT_U;
    int at = l->closed ? line % l->values.count : line;
    return int_at(fixed_u ? &g->edge_v : &g->edge_u, at * cell_count(fixed_u ? &g->v : &g->u) + cell);
}

/* Number of crossing (i, j). Without lines in one direction there is one place for each line of the other. */
static int crossing(const grid* g, int i, int j)
{
    int nu = g->u.values.count, nv = g->v.values.count;
    if (nu == 0 || (g->u.closed && i == nu)) i = 0;
    if (nv == 0 || (g->v.closed && j == nv)) j = 0;
    return i * (nv > 0 ? nv : 1) + j;
}

static int representative(const grid* g, int at)
{
    while (*int_at(&g->same, at) != at) at = *int_at(&g->same, at);
    return at;
}

static void join(grid* g, int a, int b)
{
    a = representative(g, a);
    b = representative(g, b);
    *int_at(&g->same, a > b ? a : b) = a > b ? b : a;
}

static wit_status add_int(draft* d, list* to, int value)
{
    int* x = wi_draft_add(d, to, sizeof *x);
    if (!x) return WIT_ERROR_MEMORY;
    *x = value;
    return WIT_OK;
}

/* Looks at all pieces of the lines of one direction, and joins the crossings at the ends of poles. */
static wit_status find_poles(grid* g, const lines* l, const lines* others, list* pieces)
{
    wit_status status = WIT_OK;
    for (int line = 0; line < l->values.count && !status; ++line)
        for (int cell = 0; cell < cell_count(others) && !status; ++cell) {
            wit_interval t = iv(line_at(others, cell), line_at(others, cell + 1));
            bool pole = collapsed(g->surface, g->size, l->fixed, line_at(l, line), t);
            status = add_int(g->d, pieces, pole ? POLE : NONE);
            if (pole && g->surface->kind >= WIT_SURFACE_REVOLUTION) /* poles of quadrics are exact */
                g->d->gape = larger(g->d->gape, wi_surface_line_reach(g->surface, l->fixed, line_at(l, line), t));
            if (!pole || others->values.count == 0) continue;
            bool fixed_u = l->fixed == WIT_U;
            join(g, fixed_u ? crossing(g, line, cell) : crossing(g, cell, line),
                 fixed_u ? crossing(g, line, cell + 1) : crossing(g, cell + 1, line));
        }
    return status;
}

/* The vertex at crossing (i, j). */
static int vertex_of(grid* g, int i, int j)
{
    int at = representative(g, crossing(g, i, j)), nv = g->v.values.count > 0 ? g->v.values.count : 1;
    int* id = int_at(&g->vertex_at, at);
    if (*id >= 0) return *id;
    draft_vertex* v = wi_draft_add(g->d, &g->d->vertices, sizeof *v);
    if (!v) return NO_MEMORY;
    wit_surface_jet jet;
    wit_surface_eval(g->surface, line_at(&g->u, at / nv), line_at(&g->v, at % nv), WIT_KNOT_DEFAULT, NULL, &jet);
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
    return wi_draft_keep(d, c);
}

/* The edge along line `line` of `l`, between lines `cell` and `cell` + 1 of the others; a ring where there are none. */
static int edge_of(grid* g, const lines* l, const lines* others, int line, int cell)
{
    bool fixed_u = l->fixed == WIT_U, ring = others->values.count == 0;
    int at = l->closed ? line % l->values.count : line;
    int* id = piece_at(g, l, line, cell);
    if (*id >= 0) return *id;
    int start = ring ? NONE : fixed_u ? vertex_of(g, at, cell) : vertex_of(g, cell, at);
    int end = ring ? NONE : fixed_u ? vertex_of(g, at, cell + 1) : vertex_of(g, cell + 1, at);
    draft_edge* e = wi_draft_add(g->d, &g->d->edges, sizeof *e);
    if (!e || start == NO_MEMORY || end == NO_MEMORY) return NO_MEMORY;
    e->range = iv(line_at(others, cell), line_at(others, cell + 1));
    e->start = start;
    e->end = end;
    e->home = -1;
    e->given = -1;
    e->straight = true;
    e->fixed = l->fixed;
    e->value = line_at(l, at);
    return *id = g->d->edges.count - 1;
}

/* Adds the passage along one side of a cell to the open loop; nothing for a side that is no line. */
static wit_status add_side(grid* g, int face, const lines* l, const lines* others, int line, int cell, bool reversed)
{
    double value = line_at(l, line);
    bool pole = *piece_at(g, l, line, cell) == POLE;
    int edge = pole ? -1 : edge_of(g, l, others, line, cell);
    if (edge == NO_MEMORY) return WIT_ERROR_MEMORY;
    draft_use* u = wi_draft_add(g->d, &g->d->uses, sizeof *u);
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
    draft_loop* loop = wi_draft_add(d, &d->loops, sizeof *loop);
    if (!loop) return WIT_ERROR_MEMORY;
    loop->face = face;
    loop->first = d->uses.count;
    draft_face_at(d, face)->count += 1;
    return WIT_OK;
}

/* A loop that is one ring: skipped altogether where the ring is a pole. */
static wit_status add_ring(grid* g, int face, const lines* l, const lines* others, int line, bool reversed)
{
    if (*piece_at(g, l, line, 0) == POLE) return WIT_OK;
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

/* No normal at the end of the range that is a pole over the cell. */
static bool sharp(const grid* g, const lines* l, const lines* others, double value, int cell)
{
    double x = 0.5 * (line_at(others, cell) + line_at(others, cell + 1));
    wit_vec3 n;
    return !wit_surface_normal(g->surface, l->fixed == WIT_U ? value : x, l->fixed == WIT_U ? x : value, &n);
}

/* A pole is an apex where it is sharp or has cells on both sides. */
static wit_status add_apex(grid* g, int face, const lines* l, const lines* others, int line, int cell)
{
    if (l->values.count == 0 || *piece_at(g, l, line, cell) != POLE) return WIT_OK;
    double value = line_at(l, line);
    bool end = !l->closed && (line == 0 || line == cell_count(l));
    if (end && !sharp(g, l, others, value, cell)) return WIT_OK;
    int vertex = l->fixed == WIT_U ? vertex_of(g, line, cell) : vertex_of(g, cell, line);
    if (vertex == NO_MEMORY) return WIT_ERROR_MEMORY;
    draft_apex* a = wi_draft_add(g->d, &g->d->apexes, sizeof *a);
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
        draft_face* more = wi_draft_add(d, &d->faces, sizeof *more);
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
    for (int k = 0; k < 2 && !status; ++k) status = add_apex(g, face, &g->u, &g->v, i + k, j);
    for (int k = 0; k < 2 && !status; ++k) status = add_apex(g, face, &g->v, &g->u, j + k, i);
    return status;
}

static wit_status divide(draft* d, int face)
{
    grid g;
    memset(&g, 0, sizeof g);
    g.d = d;
    g.face = face;
    g.surface = draft_face_at(d, face)->surface;
    g.size = size_of(g.surface);
    wit_status status = find_lines(d, g.surface, g.size, WIT_U, &g.u);
    if (!status) status = find_lines(d, g.surface, g.size, WIT_V, &g.v);
    if (!status) {
        int cu = cell_count(&g.u), cv = cell_count(&g.v);
        int nu = g.u.values.count > 0 ? g.u.values.count : 1, nv = g.v.values.count > 0 ? g.v.values.count : 1;
        for (int k = 0; k < nu * nv && !status; ++k) {
            status = add_int(d, &g.vertex_at, NONE);
            if (!status) status = add_int(d, &g.same, k);
        }
        if (!status) status = find_poles(&g, &g.v, &g.u, &g.edge_u);
        if (!status) status = find_poles(&g, &g.u, &g.v, &g.edge_v);
        for (int i = 0; i < cu && !status; ++i)
            for (int j = 0; j < cv && !status; ++j) status = add_cell(&g, i, j);
    }
    list_drop(&g.u.values, sizeof(double), &d->memory);
    list_drop(&g.v.values, sizeof(double), &d->memory);
    list_drop(&g.vertex_at, sizeof(int), &d->memory);
    list_drop(&g.same, sizeof(int), &d->memory);
    list_drop(&g.edge_u, sizeof(int), &d->memory);
    list_drop(&g.edge_v, sizeof(int), &d->memory);
    return status;
}

wit_status wi_draft_natural(draft* d)
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
