/* SPDX-License-Identifier: MIT */
/*
 * Who may come near whom. Each body has a box over every piece of time, and one over all of it. The tree of the latter
 * gives the pairs, the former the pieces: where no piece is left the pair is proved to stay apart.
 */
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/interval.h"
#include "../base/sort.h"
#include "assembly_check.h"
#include "body_tree.h"
#include "swept_box.h"

typedef struct near_memory {
    wit_box* pieces; /* of body i from i * pieces on */
    wit_box* whole;
    body_tree tree;
} near_memory;

static void lay_out(arena* a, const wit_assembly_def* d, near_memory* m)
{
    size_t n = (size_t)d->body_count;
    m->pieces = wi_arena_take(a, n, (size_t)d->pieces * sizeof *m->pieces);
    m->whole = wi_arena_take(a, n, sizeof *m->whole);
    m->tree.nodes = wi_arena_take(a, 2 * n, sizeof *m->tree.nodes);
    m->tree.keys = wi_arena_take(a, n, sizeof *m->tree.keys);
}

size_t wit_assembly_size(const wit_assembly_def* def)
{
    near_memory m;
    if (wi_assembly_check_numbers(def, NULL)) return 0;
    arena a = wi_arena_measure();
    lay_out(&a, def, &m);
    if (!arena_ok(&a)) return 0;
    return a.used ? a.used : ARENA_ALIGNMENT;
}

static wit_status make_boxes(const wit_assembly_def* d, near_memory* m, wit_error* error)
{
    for (int i = 0; i < d->body_count; ++i) {
        wit_box* piece = m->pieces + (size_t)i * (size_t)d->pieces;
        for (int k = 0; k < d->pieces; ++k) {
            wit_status status =
                wi_swept_box(&d->bodies[i].moving, wi_assembly_piece(d, k), wi_assembly_piece(d, k + 1), &piece[k]);
            if (status)
                return wi_error_fill_at(error, status, "bodies", i, -1, "its motion gives no place at some time");
            wit_box* w = &m->whole[i];
            if (!k) *w = piece[0];
            *w = (wit_box){
                {smaller(w->lo.x, piece[k].lo.x), smaller(w->lo.y, piece[k].lo.y), smaller(w->lo.z, piece[k].lo.z)},
                {larger(w->hi.x, piece[k].hi.x), larger(w->hi.y, piece[k].hi.y), larger(w->hi.z, piece[k].hi.z)}};
        }
    }
    return WIT_OK;
}

typedef struct pair_list {
    const wit_assembly_def* def;
    const near_memory* memory;
    int body;
    wit_assembly_pair* out;
    int64_t capacity, count;
} pair_list;

static uint64_t near_pieces(const wit_assembly_def* d, const near_memory* m, int a, int b)
{
    const wit_box *p = m->pieces + (size_t)a * (size_t)d->pieces, *q = m->pieces + (size_t)b * (size_t)d->pieces;
    uint64_t near = 0;
    if (one_link(d, a, b)) { /* as they stand at the beginning, they stand for ever */
        wit_box x, y;
        bool known = !wi_swept_box(&d->bodies[a].moving, d->from, d->from, &x) &&
                     !wi_swept_box(&d->bodies[b].moving, d->from, d->from, &y);
        return known && wi_boxes_apart(&x, &y, d->threshold) ? 0 : 1;
    }
    for (int k = 0; k < d->pieces; ++k) {
        if (!wi_boxes_apart(&p[k], &q[k], d->threshold)) near |= UINT64_C(1) << k;
    }
    return near;
}

static void take_pair(void* user, int other)
{
    pair_list* l = user;
    if (!wi_assembly_wants(l->def, l->body, other)) return;
    uint64_t near = near_pieces(l->def, l->memory, l->body, other);
    if (!near) return;
    if (l->count < l->capacity) l->out[l->count] = (wit_assembly_pair){l->body, other, near};
    l->count++;
}

static int by_second(const void* x, const void* y)
{
    const wit_assembly_pair *a = x, *b = y;
    return (a->b > b->b) - (a->b < b->b);
}

wit_status wit_assembly_pairs(const wit_assembly_def* def, void* memory, size_t bytes, wit_assembly_pair* out,
                              int64_t capacity, int64_t* count, wit_error* error)
{
    near_memory m;
    wit_status status = wi_assembly_check_def(def, error);
    if (status) return status;
    if (!memory || !count || capacity < 0 || (capacity && !out))
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "memory, out and count must not be null");
    arena a = wi_arena_over(memory, bytes);
    lay_out(&a, def, &m);
    if (!arena_ok(&a))
        return wi_error_fill(error, WIT_ERROR_MEMORY, "memory", "too small or not aligned: see wit_assembly_size");
    status = make_boxes(def, &m, error);
    if (status) return status;
    m.tree.count = def->body_count;
    m.tree.boxes = m.whole;
    wi_body_tree_build(&m.tree);
    pair_list list = {def, &m, 0, out, capacity, 0};
    for (list.body = 0; list.body < def->body_count; ++list.body) {
        int64_t first = list.count;
        wi_body_tree_near(&m.tree, list.body, def->threshold, take_pair, &list);
        if (list.count > first && list.count <= capacity)
            wi_sort_items(out + first, (size_t)(list.count - first), sizeof *out, by_second);
    }
    *count = list.count;
    return WIT_OK;
}
