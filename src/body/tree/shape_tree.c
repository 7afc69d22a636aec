/* SPDX-License-Identifier: MIT */
/* The largest first: of leaves and halves that wait, by the diagonal of their boxes. */
#include "shape_tree.h"

#include <string.h>

#include "../../base/allocator.h"
#include "crease.h"
#include "shape_forms.h"
#include "shape_look.h"

#define HALF 0.75     /* halves wait with this much of the diagonal of the whole */
#define SMALLEST 0.01 /* of the size of the body: nothing below is halved */
#define FLAT 0.02     /* radians: pieces whose normals, or tangents, turn by less are not halved */
#define REACH 0.1     /* of that size: points so far away halving has in mind */

typedef struct waiting {
    double size;
    int32_t ref; /* a leaf, or ~entry to be halved */
} waiting;

typedef struct maker {
    const wit_body* body;
    const leaf_list* leaves;
    double gape, least, reach;
    shape_list* out;
    int32_t* leaf; /* of each entry */
    waiting* heap;
    int count;
} maker;

/* ---- a heap, the largest on top ------------------------------------------------------------ */

static bool before(const waiting* a, const waiting* b)
{
    return a->size > b->size || (a->size == b->size && a->ref < b->ref);
}

static void push(maker* m, double size, int32_t ref)
{
    waiting x = {size, ref};
    int i = m->count++;
    for (int up; i > 0 && before(&x, &m->heap[up = (i - 1) / 2]); i = up) m->heap[i] = m->heap[up];
    m->heap[i] = x;
}

static waiting pop(maker* m)
{
    waiting top = m->heap[0], x = m->heap[--m->count];
    int i = 0;
    for (int k; (k = 2 * i + 1) < m->count; i = k) {
        if (k + 1 < m->count && before(&m->heap[k + 1], &m->heap[k])) ++k;
        if (!before(&m->heap[k], &x)) break;
        m->heap[i] = m->heap[k];
    }
    m->heap[i] = x;
    return top;
}

/* ---- entries ------------------------------------------------------------------------------- */

/*
 * The parameter to halve: what that takes from the change of slopes over the piece, as a length, for a point that is `reach` away:
 * h_k (|S_k| + reach |S_ik| / |S_i|). -1: none has a middle.
 */
static int longer(const shape_entry* e, double reach)
{
    const shape_node* n = &e->shape;
    int best = -1;
    double most = 0;
    for (int k = 0; k < n->parameters; ++k) {
        double m = iv_mid(e->box[k]), turn = 0;
        for (int i = 0; i < n->parameters; ++i)
            if (n->speed[i] > 0) turn = larger(turn, shape_second(n, i + k) / n->speed[i]);
        double length = n->h[k] * (n->speed[k] + reach * turn);
        if (!(m > e->box[k].lo && m < e->box[k].hi) || (best >= 0 && !(length > most))) continue;
        best = k;
        most = length;
    }
    return best;
}

/* Two creases: that of a border of the cell, and a sliver of the next cell that a leaf may hold (leaves.c). */
void wi_shape_of_piece(const wit_body* b, double gape, wit_feature_kind kind, int32_t id, const wit_interval box[2],
                       shape_node* out)
{
    double crease = made_of_pieces(b, kind, id) ? 2 * CREASE : 0;
    if (kind == WIT_FACE)
        wi_shape_node_face(body_surface(b, id), box[0], box[1], crease, out);
    else
        wi_shape_node_edge(body_curve(b, id), box[0], crease, out);
    wi_shape_node_move(out, 2 * gape); /* across a seam that gapes the point is another one */
}

/* What is next to flat, or straight, is bounded well as it is. */
static bool turns(const shape_node* n)
{
    if (n->boxed) return false;
    if (n->parameters == 2) return n->tangent > FLAT;
    return n->h[0] * shape_second(n, 0) > FLAT * n->speed[0];
}

static trim_tag tag_of(const maker* m, const tree_node* leaf, const shape_entry* e)
{
    if (leaf->kind != WIT_FACE || e->tag != TRIM_MIXED) return (trim_tag)e->tag;
    const body_face* f = &body_faces(m->body)[leaf->feature];
    trim_curves curves = body_trim_curves(m->body, f);
    return wi_trim_classify(&f->trim, body_at(m->body, f->trim_block), &curves, e->box[0], e->box[1]);
}

/* Into the list, and to wait for its halving. */
static int32_t add(maker* m, int32_t leaf, shape_entry* e)
{
    const tree_node* n = &m->leaves->nodes[leaf];
    int32_t at = m->out->count++;
    e->child[0] = e->child[1] = SHAPE_NONE;
    wi_shape_of_piece(m->body, m->gape, (wit_feature_kind)n->kind, n->feature, e->box, &e->shape);
    m->out->entries[at] = *e;
    m->leaf[at] = leaf;
    double size = shape_size(&e->shape);
    if (isfinite(size) && size > m->least && turns(&e->shape)) push(m, HALF * size, ~at);
    return at;
}

static void halve(maker* m, int32_t at)
{
    shape_entry* e = &m->out->entries[at];
    int k = longer(e, m->reach);
    if (k < 0) return;
    double middle = iv_mid(e->box[k]);
    for (int i = 0; i < 2; ++i) {
        shape_entry half;
        memset(&half, 0, sizeof half);
        half.box[0] = e->box[0], half.box[1] = e->box[1];
        half.tag = e->tag;
        if (i)
            half.box[k].lo = middle;
        else
            half.box[k].hi = middle;
        half.tag = (uint8_t)tag_of(m, &m->leaves->nodes[m->leaf[at]], &half);
        e->child[i] = half.tag == TRIM_OUT ? SHAPE_GONE : add(m, m->leaf[at], &half);
    }
}

static bool has_shape(const wit_body* b, const tree_node* leaf)
{
    return leaf->kind == WIT_EDGE || (leaf->kind == WIT_FACE && !body_faces(b)[leaf->feature].unbounded);
}

static double diagonal(const wit_box* b)
{
    double d = norm3(sub3(b->hi, b->lo));
    return isfinite(d) ? d : 0;
}

static void make(maker* m)
{
    bool splines = false;
    wit_vec3 lo = vec3(INFINITY, INFINITY, INFINITY), hi = scale3(-1, lo);
    for (int i = 0; i < m->leaves->count; ++i) {
        const tree_node* n = &m->leaves->nodes[i];
        m->out->roots[i] = SHAPE_NONE;
        if (!has_shape(m->body, n)) continue;
        splines |= n->kind == WIT_FACE && made_of_pieces(m->body, WIT_FACE, n->feature);
        push(m, diagonal(&n->box), i);
        lo = vec3(smaller(lo.x, n->box.lo.x), smaller(lo.y, n->box.lo.y), smaller(lo.z, n->box.lo.z));
        hi = vec3(larger(hi.x, n->box.hi.x), larger(hi.y, n->box.hi.y), larger(hi.z, n->box.hi.z));
    }
    double size = m->count ? norm3(sub3(hi, lo)) : 0;
    m->least = SMALLEST * size;
    m->reach = REACH * size;
    int room = (splines ? SHAPE_MOST : SHAPE_PLAIN) - m->leaves->count;
    if (room < SHAPE_LEAST) room = SHAPE_LEAST;
    while (m->count && m->out->count + 2 <= room) {
        waiting x = pop(m);
        if (x.ref < 0) {
            halve(m, ~x.ref);
            continue;
        }
        const tree_node* n = &m->leaves->nodes[x.ref];
        shape_entry e;
        memset(&e, 0, sizeof e);
        e.box[0] = n->u, e.box[1] = n->v;
        e.tag = n->tag;
        m->out->roots[x.ref] = add(m, x.ref, &e);
    }
}

/* ---- the list ------------------------------------------------------------------------------ */

static size_t root_bytes(const shape_list* l)
{
    return (size_t)l->leaves * sizeof(int32_t);
}

void wi_shape_list_release(shape_list* l)
{
    wi_allocator_release(&l->allocator, l->entries, SHAPE_MOST * sizeof(shape_entry));
    wi_allocator_release(&l->allocator, l->forms, SHAPE_MOST * sizeof(shape_form));
    wi_allocator_release(&l->allocator, l->roots, root_bytes(l));
    *l = (shape_list){.allocator = l->allocator};
}

wit_status wi_shape_list_make(const wit_body* body, const leaf_list* leaves, double gape, shape_list* out)
{
    maker m = {.body = body, .leaves = leaves, .gape = gape, .out = out};
    size_t leaf_bytes = SHAPE_MOST * sizeof(int32_t),
           heap_bytes = ((size_t)leaves->count + SHAPE_MOST) * sizeof(waiting);
    *out = (shape_list){.leaves = leaves->count, .allocator = wi_allocator_or_default(&leaves->allocator)};
    if (!leaves->count) return WIT_OK;
    out->entries = wi_allocator_take(&out->allocator, SHAPE_MOST * sizeof(shape_entry));
    out->forms = wi_allocator_take(&out->allocator, SHAPE_MOST * sizeof(shape_form));
    out->roots = wi_allocator_take(&out->allocator, root_bytes(out));
    m.leaf = wi_allocator_take(&out->allocator, leaf_bytes);
    m.heap = wi_allocator_take(&out->allocator, heap_bytes);
    bool room = out->entries && out->forms && out->roots && m.leaf && m.heap;
    if (room) {
        make(&m);
        wi_shape_forms_make(body, leaves, m.leaf, out);
    }
    wi_allocator_release(&out->allocator, m.leaf, leaf_bytes);
    wi_allocator_release(&out->allocator, m.heap, heap_bytes);
    if (room) return WIT_OK;
    wi_shape_list_release(out);
    return WIT_ERROR_MEMORY;
}
