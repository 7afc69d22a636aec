/* SPDX-License-Identifier: MIT */
/* The table of features and of their pairs. */
#include <string.h>

#include "../base/error.h"
#include "findmin.h"

/* Faces of a planar body are no features. */
static int face_count(const wit_body* b)
{
    return b->planar ? 0 : b->face_count;
}

static int feature_count(const wit_body* b)
{
    return b ? face_count(b) + b->edge_count + b->vertex_count : 1;
}

static int feature_index(const wit_body* b, wit_feature_kind kind, int id)
{
    return kind == WIT_FACE ? id : kind == WIT_EDGE ? face_count(b) + id : face_count(b) + b->edge_count + id;
}

static int64_t pair_count(const wit_body* a, const wit_body* b)
{
    return (int64_t)feature_count(a) * feature_count(b);
}

wit_status wi_findmin_check(const wit_body* a, const wit_body* b, wit_error* error)
{
    int64_t pairs = pair_count(a, b);
    if (pairs <= FINDMIN_PAIRS) return WIT_OK;
    return wi_error_fill(error, WIT_ERROR_COUNT, "law",
                         "findmin takes at most %d pairs of features; these bodies have %lld: choose another law",
                         FINDMIN_PAIRS, (long long)pairs);
}

static size_t features_bytes(const wit_body* b)
{
    return (size_t)feature_count(b) * sizeof(findmin_feature);
}

size_t wi_findmin_bytes(const wit_body* a, const wit_body* b, const wit_law_def* law)
{
    (void)law;
    return sizeof(findmin_table) + features_bytes(a) + features_bytes(b) +
           (size_t)pair_count(a, b) * sizeof(findmin_pair);
}

void wi_findmin_forget(wit_tracker* t)
{
    findmin_table* table = tracker_at(t, t->law_state_at);
    memset(table, 0, sizeof *table);
}

/* ---- filling it ---------------------------------------------------------------------------- */

static void ball_of_box(findmin_feature* x, const wit_box* box)
{
    x->centre = scale3(0.5, add3(box->lo, box->hi));
    x->radius = 0.5 * norm3(sub3(box->hi, box->lo));
}

/* Balls around edges: from the boxes of their pieces. The box of an edge is gathered where its samples will be. */
static void measure_edges(const wit_body* b, findmin_feature* list)
{
    const tree_node* nodes = body_nodes(b);
    for (int i = 0; i < b->node_count; ++i) {
        if (nodes[i].child[0] >= 0 || nodes[i].kind != WIT_EDGE) continue;
        findmin_feature* x = &list[feature_index(b, WIT_EDGE, nodes[i].feature)];
        wit_box box = nodes[i].box;
        if (x->radius == 0) {
            wit_vec3 lo = x->point[0], hi = x->point[1];
            box.lo = vec3(fmin(box.lo.x, lo.x), fmin(box.lo.y, lo.y), fmin(box.lo.z, lo.z));
            box.hi = vec3(fmax(box.hi.x, hi.x), fmax(box.hi.y, hi.y), fmax(box.hi.z, hi.z));
        }
        x->point[0] = box.lo;
        x->point[1] = box.hi;
        x->radius = 0;
    }
    for (int i = 0; i < b->edge_count; ++i) {
        findmin_feature* x = &list[feature_index(b, WIT_EDGE, i)];
        wit_box box = {x->point[0], x->point[1]};
        if (x->radius == 0) ball_of_box(x, &box);
    }
}

static void fill_body(const wit_body* b, findmin_feature* list)
{
    for (int i = 0; i < face_count(b); ++i) {
        const body_face* f = &body_faces(b)[i];
        findmin_feature* x = &list[i];
        x->kind = WIT_FACE;
        x->id = i;
        x->top = true;
        ball_of_box(x, &f->box);
        if (f->unbounded) x->radius = INFINITY;
    }
    for (int i = 0; i < b->edge_count; ++i) {
        findmin_feature* x = &list[feature_index(b, WIT_EDGE, i)];
        x->kind = WIT_EDGE;
        x->id = i;
        x->top = b->planar || body_edges(b)[i].uses == 0;
        x->radius = INFINITY;
    }
    for (int i = 0; i < b->vertex_count; ++i) {
        findmin_feature* x = &list[feature_index(b, WIT_VERTEX, i)];
        const body_vertex* v = &body_vertices(b)[i];
        x->kind = WIT_VERTEX;
        x->id = i;
        x->top = v->edges == 0 && (b->planar || v->faces == 0);
        x->centre = v->point;
    }
    measure_edges(b, list);
}

static void fill(findmin* f)
{
    findmin_table* table = f->table;
    wit_tracker* t = f->s->t;
    memset(table, 0, sizeof *table);
    for (int which = 0; which < 2; ++which) {
        const wit_body* b = t->body[which];
        int count = table->count[which] = feature_count(b);
        memset(f->feature[which], 0, (size_t)count * sizeof(findmin_feature));
        for (int i = 0; i < count; ++i) f->feature[which][i].samples = -1;
        if (b) {
            fill_body(b, f->feature[which]);
        } else {
            f->feature[which][0].kind = WIT_POINT;
            f->feature[which][0].id = -1;
            f->feature[which][0].top = true;
        }
    }
    int pairs = table->count[0] * table->count[1];
    memset(f->pair, 0, (size_t)pairs * sizeof(findmin_pair));
    for (int i = 0; i < pairs; ++i) f->pair[i].until = -INFINITY;
    table->last = -1;
    table->ready = true;
}

/* How far any point of b has come since the last frame, seen from a: largest at a corner of its box, as it is
 * convex. */
static double displacement(const findmin_table* table, const side* b)
{
    if (!b->body) return norm3(sub3(b->t, table->at));
    if (b->body->unbounded) return INFINITY;
    double most = 0;
    for (int k = 0; k < 8; ++k) {
        const wit_box* box = &b->body->box;
        wit_vec3 p = vec3(k & 1 ? box->hi.x : box->lo.x, k & 2 ? box->hi.y : box->lo.y, k & 4 ? box->hi.z : box->lo.z);
        const wit_vec3* r = table->row;
        wit_vec3 before = add3(vec3(dot3(r[0], p), dot3(r[1], p), dot3(r[2], p)), table->at);
        most = fmax(most, norm3(sub3(side_point(b, p), before)));
    }
    return most;
}

/* Lengths beyond this many sizes would swallow the digits of the distances. */
static void add_travel(findmin* f)
{
    findmin_table* table = f->table;
    const side* b = &f->s->now.side[1];
    if (table->frame > 0) table->travel += displacement(table, b);
    if (!(table->travel < 1e3 * f->s->t->size)) {
        for (int i = 0; i < table->count[0] * table->count[1]; ++i) f->pair[i].until = -INFINITY;
        table->travel = 0;
    }
    table->row[0] = b->x, table->row[1] = b->y, table->row[2] = b->z;
    table->at = b->t;
    table->frame++;
}

void wi_findmin_open(step* s, findmin* f)
{
    wit_tracker* t = s->t;
    memset(f, 0, sizeof *f);
    f->s = s;
    f->table = tracker_at(t, t->law_state_at);
    f->feature[0] = (findmin_feature*)(f->table + 1);
    f->feature[1] = f->feature[0] + feature_count(t->body[0]);
    f->pair = (findmin_pair*)(f->feature[1] + feature_count(t->body[1]));
    f->def = &law_settings(t)->findmin;
    f->work = &f->table->work;
    f->best = -1;
    memset(f->work, 0, sizeof *f->work);
    if (!f->table->ready) fill(f);
    add_travel(f);
    for (int i = 0; i < f->table->count[0] * f->table->count[1]; ++i) {
        f->pair[i].wanted = f->pair[i].done = false;
        f->pair[i].parent = -1;
    }
}

/* ---- samples ------------------------------------------------------------------------------- */

static void take(findmin* f, int which, findmin_feature* x, double u, double v)
{
    side still = f->s->now.side[which]; /* the same samples hold in every frame */
    wit_surface_jet j;
    still.moved = false;
    wi_side_jet(&still, &(place){.kind = (wit_feature_kind)x->kind, .id = x->id, .u = u, .v = v}, WIT_KNOT_DEFAULT,
                NULL, &j);
    int k = x->samples++;
    x->at[k][0] = u;
    x->at[k][1] = v;
    x->point[k] = j.p;
}

static double part(wit_interval range, int k, int of)
{
    return range.lo + (k + 0.5) / of * iv_width(range);
}

/* A grid of n by n over the range of a face; those inside its loops. */
static void sample_face(findmin* f, int which, findmin_feature* x, int n)
{
    const side* s = &f->s->now.side[which];
    const body_face* face = &body_faces(s->body)[x->id];
    x->samples = 0;
    for (int i = 0; i < n * n && x->samples < FINDMIN_SAMPLES; ++i) {
        double u = part(face->u, i % n, n), v = part(face->v, i / n, n);
        if (wi_side_contains(s, WIT_FACE, x->id, u, v)) take(f, which, x, u, v);
    }
}

/* The largest distance from a sample to the one next to it. */
static double spacing_of(const findmin_feature* x)
{
    double most = 0;
    for (int i = 0; i < x->samples; ++i) {
        double least = INFINITY;
        for (int k = 0; k < x->samples; ++k)
            if (k != i) least = fmin(least, norm3(sub3(x->point[i], x->point[k])));
        if (least < INFINITY) most = fmax(most, least);
    }
    return most;
}

void wi_findmin_sample(findmin* f, int which, findmin_feature* x)
{
    const side* s = &f->s->now.side[which];
    if (x->samples >= 0) return;
    if (x->kind == WIT_POINT || (x->kind == WIT_FACE && body_faces(s->body)[x->id].unbounded)) {
        x->samples = 0;
        return;
    }
    if (findmin_left(f) < 8 * FINDMIN_SAMPLES) return;
    if (x->kind == WIT_FACE) {
        sample_face(f, which, x, 4);
        if (x->samples < 4) sample_face(f, which, x, 7);
        x->spacing = spacing_of(x);
        return;
    }
    x->samples = 0;
    if (x->kind == WIT_VERTEX) {
        x->samples = 1;
        x->point[0] = body_vertices(s->body)[x->id].point;
        return;
    }
    enum { ALONG = FINDMIN_SAMPLES };
    for (int i = 0; i < ALONG; ++i) take(f, which, x, part(body_edges(s->body)[x->id].range, i, ALONG), 0);
    x->spacing = spacing_of(x);
}

/* ---- what borders what --------------------------------------------------------------------- */

/* Use k of a face's loops, all loops counted through; null: no more. */
static const body_use* use_of_face(const wit_body* b, int face, int k)
{
    const body_face* f = &body_faces(b)[face];
    for (int l = 0; l < f->loops; ++l) {
        const body_loop* loop = &body_loops(b)[f->first_loop + l];
        if (k < loop->uses) return &body_uses(b)[loop->first_use + k];
        k -= loop->uses;
    }
    return NULL;
}

/* Edges, then sharp poles of a face; ends of an edge. Something that is not there repeats the feature itself. */
int wi_findmin_border(const wit_body* b, const findmin_feature* x, int k)
{
    if (!b || x->kind > WIT_EDGE) return -1;
    if (x->kind == WIT_EDGE) {
        const body_edge* e = &body_edges(b)[x->id];
        if (k > 1 || e->start < 0) return -1;
        return feature_index(b, WIT_VERTEX, k ? e->end : e->start);
    }
    const body_use* use = use_of_face(b, x->id, k);
    if (use) return use->edge >= 0 ? feature_index(b, WIT_EDGE, use->edge) : x->id;
    const body_face* f = &body_faces(b)[x->id];
    for (int l = 0; l < f->loops; ++l) k -= body_loops(b)[f->first_loop + l].uses;
    if (k >= b->apex_count) return -1;
    const body_apex* apex = &body_apexes(b)[k];
    return apex->face == x->id ? feature_index(b, WIT_VERTEX, apex->vertex) : x->id;
}

bool wi_findmin_holds(const wit_body* b, const findmin_feature* list, int one, int other)
{
    if (!b || one == other) return true;
    int k, l;
    for (int i = 0; (k = wi_findmin_border(b, &list[one], i)) >= 0; ++i) {
        if (k == other) return true;
        for (int j = 0; k != one && (l = wi_findmin_border(b, &list[k], j)) >= 0; ++j)
            if (l == other) return true;
    }
    return false;
}

bool wi_findmin_touch(const wit_body* b, const findmin_feature* list, int one, int other)
{
    if (!b || wi_findmin_holds(b, list, one, other)) return true;
    int k, l;
    for (int i = 0; (k = wi_findmin_border(b, &list[other], i)) >= 0; ++i) {
        if (k != other && wi_findmin_holds(b, list, one, k)) return true;
        for (int j = 0; k != other && (l = wi_findmin_border(b, &list[k], j)) >= 0; ++j)
            if (l != k && wi_findmin_holds(b, list, one, l)) return true;
    }
    return false;
}
