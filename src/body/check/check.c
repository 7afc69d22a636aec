/* SPDX-License-Identifier: MIT */
/* The check of a whole body: the checks of its features, added up. */
#include "../meeting.h"
#include "check.h"

enum { MOST_FACES = 4096 }; /* of which shells are counted: the table is on the stack */
#define STRAIGHT 1e-6       /* radians: corners of planar bodies */

const char* wit_bend_name(wit_bend bend)
{
    static const char* const names[WIT_BEND_COUNT] = {"flat",    "strictly convex", "convex", "strictly concave",
                                                      "concave", "saddle",          "mixed"};
    return (unsigned)bend < WIT_BEND_COUNT ? names[bend] : "?";
}

static bool is_convex(wit_bend bend)
{
    return bend == WIT_BEND_FLAT || bend == WIT_BEND_CONVEX || bend == WIT_BEND_STRICTLY_CONVEX;
}

static void note(int* first, int id)
{
    if (*first < 0) *first = id;
}

/* ---- topology ------------------------------------------------------------------------------- */

static int32_t find_root(int32_t* group, int32_t i)
{
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
}

/* Faces joined across edges. Each edge joins all faces that use it. */
static int count_shells(const wit_body* b)
{
    int32_t group[MOST_FACES];
    if (b->face_count > MOST_FACES) return -1;
    int shells = b->face_count;
    for (int32_t i = 0; i < b->face_count; i++) group[i] = i;
    for (int32_t i = 0; i < b->edge_count; i++)
        for (int32_t k = 1; k < body_edges(b)[i].uses; k++) {
            const int32_t* use = edge_uses(b, i);
            int32_t x = find_root(group, body_uses(b)[use[0]].face), y = find_root(group, body_uses(b)[use[k]].face);
            if (x == y) continue;
            group[x] = y;
            shells--;
        }
    return shells;
}

/* Closed both ways, all round in both, and every loop comes back to where it began without going round on its way. */
static bool has_handle(const wit_body* b, int32_t face)
{
    const wit_surface* s = body_surface(b, face);
    const body_face* f = &body_faces(b)[face];
    if (!s->closed_u || !s->closed_v || s->degenerate) return false;
    double round_u = (1 - 1e-9) * iv_width(s->u), round_v = (1 - 1e-9) * iv_width(s->v);
    if (iv_width(f->u) < round_u || iv_width(f->v) < round_v) return false;
    for (int32_t l = f->first_loop; l < f->first_loop + f->loops; l++) {
        const body_loop* loop = &body_loops(b)[l];
        double u = 0, v = 0;
        wit_interval all_u = {0, 0}, all_v = {0, 0};
        for (int32_t k = loop->first_use; k < loop->first_use + loop->uses; k++) {
            const body_use* use = &body_uses(b)[k];
            if (use->edge < 0) continue;
            wit_interval t = body_edges(b)[use->edge].range;
            wit_vec3 from = wi_use_lift(b, k, t.lo).c.p, to = wi_use_lift(b, k, t.hi).c.p;
            u += use->reversed ? from.x - to.x : to.x - from.x;
            v += use->reversed ? from.y - to.y : to.y - from.y;
            all_u = iv_union(all_u, iv_point(u));
            all_v = iv_union(all_v, iv_point(v));
        }
        if (iv_width(all_u) > round_u || iv_width(all_v) > round_v) return false;
    }
    return true;
}

static int euler_number(const wit_body* b)
{
    int n = b->vertex_count - b->edge_count;
    for (int32_t i = 0; i < b->apex_count; i++) n -= wi_apex_inside(b, &body_apexes(b)[i]);
    for (int32_t i = 0; i < b->edge_count; i++) n += body_edges(b)[i].start < 0;
    for (int32_t i = 0; i < b->face_count; i++) n += 2 - body_faces(b)[i].loops - (has_handle(b, i) ? 2 : 0);
    return n;
}

/* ---- sums ----------------------------------------------------------------------------------- */

typedef struct tally {
    bool faces_convex, faces_strict, faces_flat;
    bool edges_convex;
    bool vertices_fit, vertices_manifold, corners_convex;
    double flux;
} tally;

static void add_face(const wit_body* b, int32_t face, tally* t, wit_body_check_result* out)
{
    check_region r = wi_check_region_of_face(b, face);
    wit_face_check c = {0};
    double flux;
    wi_check_region_face(&r, scale3(0.5, add3(b->box.lo, b->box.hi)), &c, &flux);
    out->area += c.area;
    t->flux += flux;
    bool convex = is_convex(c.bend), mixed = c.bend == WIT_BEND_MIXED || c.bend == WIT_BEND_SADDLE;
    t->faces_convex &= convex;
    t->faces_strict &= c.bend == WIT_BEND_STRICTLY_CONVEX;
    t->faces_flat &= c.bend == WIT_BEND_FLAT;
    out->degenerate += c.poles + c.apexes + c.singular;
    if (c.continuity < 2) {
        out->faces_not_c2++;
        note(&out->first_not_c2, face);
    }
    if (!c.nice) {
        out->faces_not_nice++;
        note(&out->first_not_nice, face);
    }
    if (!convex) {
        out->faces_not_convex++;
        note(&out->first_not_convex, face);
    }
    if (mixed) {
        out->faces_mixed++;
        note(&out->first_mixed, face);
    }
}

typedef wit_edge_check edge_check(const wit_body* b, int edge);

static void add_edge(const wit_body* b, int32_t edge, edge_check* check, tally* t, wit_body_check_result* out)
{
    wit_edge_check c = check(b, edge);
    out->edges[c.character]++;
    if (c.gap > out->gap || out->gap_edge < 0) {
        out->gap = c.gap;
        out->gap_edge = edge;
    }
    if (!c.within_tolerance) out->loose_edges++;
    if (c.character == WIT_EDGE_NONMANIFOLD) note(&out->first_nonmanifold, edge);
    if (b->planar) {
        t->edges_convex &= is_convex(c.bend);
        t->faces_strict &= c.bend == WIT_BEND_STRICTLY_CONVEX;
        if (c.use_count != 1) note(&out->first_open, edge);
        return;
    }
    t->edges_convex &= c.character == WIT_EDGE_CONVEX || c.character == WIT_EDGE_SMOOTH;
    if (c.character == WIT_EDGE_OPEN) note(&out->first_open, edge);
    if (c.character == WIT_EDGE_REFLEX || c.character == WIT_EDGE_MIXED) note(&out->first_reflex, edge);
    if (c.use_count == 2 && !c.oriented) {
        out->unoriented_edges++;
        note(&out->first_unoriented, edge);
    }
}

static void add_vertex(const wit_body* b, int32_t vertex, tally* t, wit_body_check_result* out)
{
    wit_vertex_check c = wit_body_check_vertex(b, vertex);
    t->vertices_fit &= c.within_tolerance;
    t->corners_convex &= !c.turn_known || c.turn >= -STRAIGHT;
    if (c.manifold) return;
    t->vertices_manifold = false;
    out->bad_vertices++;
    note(&out->first_bad_vertex, vertex);
}

/* ---- what follows --------------------------------------------------------------------------- */

static void write_verdict(const wit_body* b, const tally* t, wit_body_check_result* out)
{
    bool closed = out->first_open < 0 && out->first_nonmanifold < 0 && b->face_count > 0;
    out->watertight = closed && out->loose_edges == 0 && t->vertices_fit;
    out->manifold = out->first_nonmanifold < 0 && t->vertices_manifold;
    out->oriented = out->unoriented_edges == 0;
    out->premise_c2 = out->faces_not_c2 == 0;
    out->premise_convex = out->faces_not_convex == 0;
    out->premise_nice = out->faces_not_nice == 0;
    out->premise_front = t->faces_flat;
    out->convex_within = b->facts.convex_within;
    out->convex_proved = out->convex_within < INFINITY;
    bool whole = out->watertight && out->manifold && out->oriented && out->shells == 1;
    if (b->planar) {
        out->convex = whole && b->loop_count == 1 && t->edges_convex && t->corners_convex;
        out->strictly_convex = out->convex && t->faces_strict;
        out->premise_convex = out->convex;
        return;
    }
    if (out->watertight && out->oriented && !b->unbounded) out->volume = t->flux / 3;
    out->convex = whole && t->faces_convex && t->edges_convex;
    out->strictly_convex = out->convex && t->faces_strict;
}

/* Of a face only what it adds to area and volume. */
static void add_face_area(const wit_body* b, int32_t face, tally* t, wit_body_check_result* out)
{
    check_region r = wi_check_region_of_face(b, face);
    double area = 0, flux = 0;
    if (!body_faces(b)[face].unbounded) wi_check_area(&r, scale3(0.5, add3(b->box.lo, b->box.hi)), &area, &flux);
    out->area += area;
    t->flux += flux;
}

typedef void face_check(const wit_body* b, int32_t face, tally* t, wit_body_check_result* out);

static wit_body_check_result checked(const wit_body* b, face_check* add, edge_check* edge)
{
    wit_body_check_result out = {0};
    tally t = {true, true, true, true, true, true, true, 0};
    out.gap_edge = out.first_not_c2 = out.first_not_nice = out.first_not_convex = out.first_mixed = -1;
    out.first_open = out.first_reflex = out.first_unoriented = out.first_nonmanifold = out.first_bad_vertex = -1;
    if (!b) return out;
    out.euler = euler_number(b);
    out.shells = count_shells(b);
    for (int32_t i = 0; i < b->face_count && !b->planar; i++) add(b, i, &t, &out);
    for (int32_t i = 0; i < b->edge_count; i++) add_edge(b, i, edge, &t, &out);
    for (int32_t i = 0; i < b->vertex_count; i++) add_vertex(b, i, &t, &out);
    write_verdict(b, &t, &out);
    return out;
}

wit_body_check_result wit_body_check(const wit_body* b)
{
    return checked(b, add_face, wit_body_check_edge);
}

wit_body_measures wit_body_measure(const wit_body* b)
{
    wit_body_check_result c = checked(b, add_face_area, wi_check_closing);
    return (wit_body_measures){c.watertight, c.manifold, c.oriented, c.gap, c.area, c.volume};
}
