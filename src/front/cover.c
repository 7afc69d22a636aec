/* SPDX-License-Identifier: MIT */
/* The pieces of a front: made when they are first needed, kept while there is room. */
#include <string.h>

#include "../body/tree/shape_tree.h"
#include "../query/search/cell.h"
#include "front_record.h"

enum { DEPTH_MOST = 60 };

/* ---- where a piece stands ------------------------------------------------------------------ */

void wi_front_hang_far(point_front* f, int32_t i, double key)
{
    front_piece* p = &front_pieces(f)[i];
    front_heap h = far_heap(f);
    p->key = key;
    p->state = PIECE_FAR;
    front_heap_push(&h, key, i);
}

void wi_front_hang_slope(point_front* f, int32_t i, double key, double end, which_slope proof)
{
    front_piece* p = &front_pieces(f)[i];
    front_heap h = slope_heap(f);
    p->key = key;
    p->end = end;
    p->proof = (uint8_t)proof;
    p->state = PIECE_SLOPE;
    f->loose = larger(f->loose, p->loose);
    front_heap_push(&h, end, i);
}

static void leave_block(point_front* f, front_piece* p)
{
    front_piece* pieces = front_pieces(f);
    if (p->prev >= 0)
        pieces[p->prev].next = p->next;
    else
        f->block[p->block].first = p->next;
    if (p->next >= 0) pieces[p->next].prev = p->prev;
    p->block = FRONT_NONE;
}

void wi_front_take(point_front* f, int32_t i)
{
    front_piece* p = &front_pieces(f)[i];
    front_heap far = far_heap(f), slope = slope_heap(f);
    if (p->state == PIECE_FAR) front_heap_remove(&far, i);
    if (p->state == PIECE_SLOPE) front_heap_remove(&slope, i);
    if (p->state == PIECE_OWNED) leave_block(f, p);
    if (p->state != PIECE_GONE) p->state = PIECE_IDLE;
}

/* ---- room ---------------------------------------------------------------------------------- */

static void give_back(point_front* f, int32_t i)
{
    front_piece* p = &front_pieces(f)[i];
    p->used = false;
    p->next = f->free;
    f->free = i;
}

/* A piece stands before or behind its children: by repetition, from
 * the top of each subtree down, without a stack: children of a piece that was given back are given back too. */
void wi_front_drop_below(point_front* f, int32_t i)
{
    front_piece* pieces = front_pieces(f);
    int32_t at = i;
    for (;;) { /* down along children as long as there are any; then up, leaving nothing behind */
        front_piece* p = &pieces[at];
        if (p->child[0] >= 0) {
            at = p->child[0];
        } else if (p->child[1] >= 0) {
            at = p->child[1];
        } else if (at == i) {
            return;
        } else {
            int32_t up = p->parent;
            pieces[up].child[pieces[up].child[0] == at ? 0 : 1] = FRONT_NONE;
            give_back(f, at);
            at = up;
        }
    }
}

static void sweep(front_run* r)
{
    front_piece* pieces = front_pieces(r->f);
    if (r->swept) return;
    r->swept = true;
    for (int32_t i = 0; i < r->f->count; ++i)
        if (pieces[i].used && pieces[i].state != PIECE_IDLE && pieces[i].child[0] >= 0) wi_front_drop_below(r->f, i);
}

static int32_t take_room(front_run* r)
{
    point_front* f = r->f;
    if (front_is_full(f)) sweep(r);
    int32_t i = f->free;
    if (i >= 0)
        f->free = front_pieces(f)[i].next;
    else if (f->count < f->capacity)
        i = f->count++;
    if (i >= 0) front_pieces(f)[i].used = false; /* until it is made */
    return i;
}

/* ---- making pieces ------------------------------------------------------------------------- */

/* Where a piece without a stationary place ends at a border of its feature, edges or vertices stand for that border, up to
 * this; infinite: nothing does, so that it may not be left out. */
static double border_tolerance(const front_run* r, const front_piece* p)
{
    const wit_body* b = r->body;
    if (p->kind == WIT_FACE) {
        const body_face* f = &body_faces(b)[p->id];
        bool border = p->tag == TRIM_MIXED || p->box[0].lo <= f->u.lo || p->box[0].hi >= f->u.hi ||
                      p->box[1].lo <= f->v.lo || p->box[1].hi >= f->v.hi;
        if (f->unbounded) return INFINITY;
        return border && b->tolerance > 0 ? wi_side_tolerance(&r->side, WIT_FACE, p->id) : 0;
    }
    const body_edge* e = &body_edges(b)[p->id];
    double t = 0;
    if (p->box[0].lo <= e->range.lo && e->start >= 0) t = body_vertices(b)[e->start].tolerance;
    if (p->box[0].hi >= e->range.hi && e->end >= 0) t = larger(t, body_vertices(b)[e->end].tolerance);
    return t;
}

/* As it is stored with the body, or made now. */
static void shape_of(front_run* r, front_piece* p)
{
    wit_feature_kind kind = (wit_feature_kind)p->kind;
    if (kind == WIT_VERTEX) {
        wi_shape_node_vertex(body_vertices(r->body)[p->id].point, &p->shape);
        return;
    }
    if (p->stored >= 0) {
        p->shape = body_shapes(r->body)[p->stored].shape;
    } else {
        wi_shape_of_piece(r->body, r->body->gape, kind, p->id, p->box, &p->shape);
        side_tests(&r->side, kind == WIT_FACE ? SHAPE_FACE_BOXES : SHAPE_EDGE_BOXES);
    }
    p->loose = (float)(border_tolerance(r, p) * (1 + 1e-6));
}

static front_piece fresh(int32_t parent, int32_t tree, double key)
{
    front_piece p;
    memset(&p, 0, sizeof p);
    p.parent = parent;
    p.child[0] = p.child[1] = FRONT_NONE;
    p.tree = tree;
    p.id = FRONT_NONE;
    p.stored = SHAPE_NONE;
    p.next = p.prev = FRONT_NONE;
    p.block = FRONT_NONE;
    p.key = key;
    p.used = true;
    return p;
}

/* A node of the bounding tree. */
static void make_node(front_run* r, int32_t i, int32_t parent, int32_t tree, double key)
{
    const tree_node* n = &body_nodes(r->body)[tree];
    front_piece p = fresh(parent, tree, key);
    if (n->child[0] < 0) {
        p.kind = n->kind;
        p.id = n->feature;
        p.tag = n->tag;
        p.box[0] = n->u, p.box[1] = n->v;
        p.kinked = n->kind == WIT_EDGE && wi_cell_starts_at_kink(&r->side, n);
        p.stored = body_leaf_shape(r->body, n);
    }
    if (n->child[0] >= 0 || p.kinked)
        wi_shape_node_box(&n->box, &p.shape);
    else
        shape_of(r, &p);
    p.size = shape_size(&p.shape);
    front_pieces(r->f)[i] = p;
}

/* The leaf of an edge without its kink, or (which = 1) the kink: a point. */
static void make_kink_part(front_run* r, int32_t i, int32_t parent, int which)
{
    const front_piece* of = &front_pieces(r->f)[parent];
    front_piece p = fresh(parent, of->tree, of->key);
    p.kind = of->kind, p.id = of->id, p.tag = of->tag;
    p.box[0] = of->box[0], p.box[1] = of->box[1];
    p.stored = which == 1 ? SHAPE_NONE : of->stored;
    if (which == 1) p.box[0].hi = p.box[0].lo;
    shape_of(r, &p);
    if (which == 1) { /* its point, and no slopes: what is known of the tangents of both sides is not used */
        p.shape.parameters = 0;
        p.shape.h[0] = 0;
        p.loose = 0;
    }
    p.size = shape_size(&p.shape);
    front_pieces(r->f)[i] = p;
}

static trim_tag tag_of(front_run* r, const front_piece* p)
{
    if (p->kind != WIT_FACE || p->tag != TRIM_MIXED) return (trim_tag)p->tag;
    const body_face* f = &body_faces(r->body)[p->id];
    trim_curves curves = body_trim_curves(r->body, f);
    curves.work = r->side.work;
    curves.units = r->side.units;
    side_tests(&r->side, 1);
    return wi_trim_classify(&f->trim, body_at(r->body, f->trim_block), &curves, p->box[0], p->box[1]);
}

/* A half that is stored. */
static void make_stored(front_run* r, int32_t i, int32_t parent, int which)
{
    const front_piece* of = &front_pieces(r->f)[parent];
    front_piece p = fresh(parent, of->tree, of->key);
    p.kind = of->kind, p.id = of->id, p.depth = (uint8_t)(of->depth + 1);
    p.stored = body_shapes(r->body)[of->stored].child[which];
    if (p.stored < 0) {
        p.state = PIECE_GONE;
    } else {
        const shape_entry* e = &body_shapes(r->body)[p.stored];
        p.box[0] = e->box[0], p.box[1] = e->box[1];
        p.tag = e->tag;
        shape_of(r, &p);
        p.size = shape_size(&p.shape);
    }
    front_pieces(r->f)[i] = p;
}

/* One half of a leaf or of a part of it. */
static void make_half(front_run* r, int32_t i, int32_t parent, int which, int upper)
{
    const front_piece* of = &front_pieces(r->f)[parent];
    front_piece p = fresh(parent, of->tree, of->key);
    double middle = iv_mid(of->box[which]);
    p.kind = of->kind, p.id = of->id, p.tag = of->tag, p.depth = (uint8_t)(of->depth + 1);
    p.box[0] = of->box[0], p.box[1] = of->box[1];
    if (upper)
        p.box[which].lo = middle;
    else
        p.box[which].hi = middle;
    p.tag = (uint8_t)tag_of(r, &p);
    if (p.tag == TRIM_OUT) {
        p.state = PIECE_GONE;
    } else {
        shape_of(r, &p);
        p.size = shape_size(&p.shape);
    }
    front_pieces(r->f)[i] = p;
}

/*
 * What halving along k would take from the change of slopes over the piece, as a length: h_k |H_ik| / |S_i|. Where the piece is
 * flat that is how long it is; where a tangent vanishes, at an apex, it still tells which way the others turn.
 */
static double blame(const front_piece* p, const shape_view* v, int k)
{
    double most = 0;
    for (int i = 0; i < p->shape.parameters; ++i) {
        double speed = p->shape.speed[i], change = larger(-v->lo[i + k], v->hi[i + k]);
        if (speed > 0) most = larger(most, change / speed);
    }
    return p->shape.h[k] * most;
}

/* The parameter to halve; -1: none has a middle. */
static int split_parameter(const front_piece* p, wit_vec3 q)
{
    int best = -1;
    double most = 0;
    shape_view v;
    if (p->depth >= DEPTH_MOST) return -1;
    if (!p->shape.boxed) shape_view_of(&p->shape, q, &v);
    for (int k = 0; k < p->shape.parameters; ++k) {
        double m = iv_mid(p->box[k]), share = p->shape.boxed ? iv_width(p->box[k]) : blame(p, &v, k);
        if (m > p->box[k].lo && m < p->box[k].hi && (best < 0 || share > most)) best = k, most = share;
    }
    return best;
}

static bool make_children(front_run* r, int32_t i)
{
    const front_piece* p = &front_pieces(r->f)[i];
    const tree_node* n = &body_nodes(r->body)[p->tree];
    bool inner = p->id < 0, kinked = p->kinked;
    bool stored = !inner && !kinked && p->stored >= 0 && body_shapes(r->body)[p->stored].child[0] != SHAPE_NONE;
    int which = inner || kinked || stored ? 0 : split_parameter(p, r->f->q);
    if (which < 0 || !run_has(r, SPLIT_COST)) return false;
    int32_t child[2];
    child[0] = take_room(r);
    child[1] = child[0] < 0 ? FRONT_NONE : take_room(r);
    if (child[1] < 0) {
        if (child[0] >= 0) give_back(r->f, child[0]);
        r->f->full = r->no_room = true;
        return false;
    }
    for (int k = 0; k < 2; ++k) {
        if (inner)
            make_node(r, child[k], i, n->child[k], front_pieces(r->f)[i].key);
        else if (kinked)
            make_kink_part(r, child[k], i, k);
        else if (stored)
            make_stored(r, child[k], i, k);
        else
            make_half(r, child[k], i, which, k);
        front_pieces(r->f)[i].child[k] = child[k];
    }
    return true;
}

bool wi_front_split(front_run* r, int32_t i)
{
    front_piece* p = &front_pieces(r->f)[i];
    if (p->child[0] < 0 && !make_children(r, i)) return false;
    p->state = PIECE_IDLE;
    for (int k = 0; k < 2; ++k) {
        front_piece* c = &front_pieces(r->f)[p->child[k]];
        if (c->state != PIECE_GONE) wi_front_hang_far(r->f, p->child[k], larger(p->key, c->key));
    }
    return true;
}

void wi_front_root(front_run* r)
{
    int32_t i = take_room(r);
    make_node(r, i, FRONT_NONE, 0, r->f->way);
}
