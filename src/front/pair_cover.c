/* SPDX-License-Identifier: MIT */
/* The pairs of a front of two bodies, and the pieces that they are of. */
#include <string.h>

#include "pair_record.h"

/* ---- where a pair stands ------------------------------------------------------------------- */

void wi_pair_hang_far(pair_front* f, int32_t i, double key)
{
    front_pair* p = &front_pairs(f)[i];
    front_heap h = pair_far_heap(f);
    p->key = key;
    p->state = PAIR_FAR;
    front_heap_push(&h, key, i);
}

void wi_pair_hang_slope(pair_front* f, int32_t i, double key, double end)
{
    front_pair* p = &front_pairs(f)[i];
    front_heap h = pair_slope_heap(f);
    p->key = key;
    p->end = end;
    p->convex = false;
    p->state = PAIR_SLOPE;
    front_heap_push(&h, end, i);
}

void wi_pair_watch(pair_front* f, int32_t i, double key)
{
    front_pair* p = &front_pairs(f)[i];
    p->key = key;
    p->state = PAIR_WATCHED;
    pair_watched(f)[f->watched_count] = i;
    pair_far_heap(f).place[i] = f->watched_count++;
}

static void unwatch(pair_front* f, int32_t i)
{
    int32_t *list = pair_watched(f), *places = pair_far_heap(f).place;
    int32_t last = list[--f->watched_count];
    list[places[i]] = last;
    places[last] = places[i];
}

void wi_pair_take(pair_front* f, int32_t i)
{
    front_pair* p = &front_pairs(f)[i];
    front_heap far = pair_far_heap(f), slope = pair_slope_heap(f);
    if (p->state == PAIR_FAR) front_heap_remove(&far, i);
    if (p->state == PAIR_SLOPE) front_heap_remove(&slope, i);
    if (p->state == PAIR_WATCHED) unwatch(f, i);
    p->state = PAIR_IDLE;
}

/* ---- room for pairs ------------------------------------------------------------------------ */

static int32_t take_room(pair_front* f)
{
    int32_t i = f->free;
    if (i >= 0)
        f->free = front_pairs(f)[i].next;
    else if (f->pair_count < f->pair_capacity)
        i = f->pair_count++;
    return i;
}

static void give_back(pair_front* f, int32_t i)
{
    front_pair* p = &front_pairs(f)[i];
    p->state = PAIR_FREE;
    p->next = f->free;
    f->free = i;
}

static bool has_room(const pair_front* f, int count)
{
    int32_t left = f->pair_capacity - f->pair_count;
    for (int32_t i = f->free; i >= 0 && left < count;
         i = ((const front_pair*)(const void*)((const char*)f + f->pairs))[i].next)
        ++left;
    return left >= count;
}

bool wi_pair_parts_stand(pair_front* f, int32_t i)
{
    const front_pair* pairs = front_pairs(f);
    for (int32_t k = pairs[i].child; k >= 0; k = pairs[k].next)
        if (pairs[k].state == PAIR_IDLE || pairs[k].state == PAIR_ASIDE) return false;
    return true;
}

void wi_pair_drop_parts(pair_front* f, int32_t i)
{
    front_pair* pairs = front_pairs(f);
    for (int32_t k = pairs[i].child, next; k >= 0; k = next) {
        next = pairs[k].next;
        wi_pair_take(f, k);
        give_back(f, k);
    }
    pairs[i].child = PAIR_NONE;
}

/* ---- room for cells ------------------------------------------------------------------------ */

/* Cells that no pair is of, nor anything below them, are given up; the others move together. Children stand behind their parents, and
 * both of a cell's are kept if one is. A leaf with a kink is made with its parts. */
static void sweep_cells(pair_run* r)
{
    pair_front* f = r->f;
    cell* cells = r->pool.cells;
    int32_t* to = (int32_t*)(void*)((char*)f + f->marks);
    int cost = 1 + r->pool.count / 64;
    if (r->swept || !pair_run_has(r, cost + PAIR_SPLIT_COST)) return;
    r->swept = true;
    side_boxes(r->ask->side[0], cost);
    memset(to, 0, (size_t)r->pool.count * sizeof *to);
    for (int32_t i = 0; i < f->pair_count; ++i)
        if (front_pairs(f)[i].state != PAIR_FREE) to[front_pairs(f)[i].a] = to[front_pairs(f)[i].b] = 1;
    for (int32_t i = r->pool.count - 1; i >= 0; --i)
        for (int k = 0; k < 2; ++k)
            if (cells[i].split && cells[i].child[k] >= 0 && to[cells[i].child[k]]) to[i] = 1;
    for (int32_t i = 0; i < r->pool.count; ++i) {
        cell* c = &cells[i];
        if (!to[i] || !c->split) continue;
        bool kinked = c->inner && body_nodes(r->pool.side[c->side]->body)[c->node].child[0] < 0, kept = kinked;
        for (int k = 0; k < 2; ++k) kept |= c->child[k] >= 0 && to[c->child[k]];
        for (int k = 0; k < 2 && kept; ++k)
            if (c->child[k] >= 0) to[c->child[k]] = 1;
        bool any = c->child[0] >= 0 || c->child[1] >= 0;
        if (!kept && any) c->split = false, c->child[0] = c->child[1] = CELL_NONE;
    }
    int count = 0;
    for (int32_t i = 0; i < r->pool.count; ++i) {
        if (!to[i]) continue;
        to[i] = count;
        if (count != i) cells[count] = cells[i];
        ++count;
    }
    for (int32_t i = 0; i < count; ++i)
        for (int k = 0; k < 2; ++k)
            if (cells[i].split && cells[i].child[k] >= 0) cells[i].child[k] = to[cells[i].child[k]];
    for (int32_t i = 0; i < f->pair_count; ++i) {
        front_pair* p = &front_pairs(f)[i];
        if (p->state != PAIR_FREE) p->a = to[p->a], p->b = to[p->b];
    }
    r->pool.count = count;
}

static bool room_for_cells(pair_run* r)
{
    enum { MOST = 12 }; /* that cutting two cells may make */
    if (r->pool.count + MOST > r->pool.capacity) sweep_cells(r);
    return r->pool.count + MOST <= r->pool.capacity;
}

/* ---- cutting ------------------------------------------------------------------------------- */

static float size_of_pair(const cell* a, const cell* b)
{
    return (float)larger(a->reach, b->reach);
}

static int32_t make_pair(pair_run* r, int32_t parent, int a, int b, double key)
{
    pair_front* f = r->f;
    int32_t i = take_room(f);
    const cell* cells = r->pool.cells;
    front_pair p = {.key = key, .a = a, .b = b, .parent = parent, .child = PAIR_NONE, .next = PAIR_NONE};
    p.size = size_of_pair(&cells[a], &cells[b]);
    p.state = PAIR_IDLE;
    wi_pair_date_begin(&p, &cells[b]);
    front_pairs(f)[i] = p;
    return i;
}

/* Halves of a cell, or the cell itself where it is not to be cut: how many; -1: it cannot be cut. */
static int parts_of(pair_run* r, int index, bool cut, int out[2])
{
    out[0] = index;
    if (!cut) return 1;
    if (!wi_cell_split(&r->pool, index)) return -1;
    const cell* c = &r->pool.cells[index];
    int n = 0;
    for (int k = 0; k < 2; ++k)
        if (c->child[k] != CELL_NONE && r->pool.cells[c->child[k]].tag != TRIM_OUT) out[n++] = c->child[k];
    return n;
}

/* As in a search: the larger one, both inner nodes unless one is much larger. */
bool wi_pair_split(pair_run* r, int32_t i)
{
    pair_front* f = r->f;
    if (!pair_run_has(r, PAIR_SPLIT_COST)) return false;
    if (!room_for_cells(r) || !has_room(f, PAIRS_OF_PIECE)) {
        f->full = r->no_room = true;
        return false;
    }
    front_pair* p = &front_pairs(f)[i];
    const cell *a = &r->pool.cells[p->a], *b = &r->pool.cells[p->b];
    bool first = a->inner != b->inner ? a->inner : b->whole || (!a->whole && a->reach >= b->reach), second = !first;
    if (a->inner && b->inner && a->reach < 2 * b->reach && b->reach < 2 * a->reach) first = second = true;
    int of_a[2], of_b[2];
    int na = parts_of(r, p->a, first, of_a), nb = na < 0 ? -1 : parts_of(r, p->b, second, of_b);
    if (na < 0 || nb < 0) return false;
    for (int x = 0; x < na; ++x)
        for (int y = 0; y < nb; ++y) {
            int32_t k = make_pair(r, i, of_a[x], of_b[y], p->key);
            front_pairs(f)[k].next = p->child;
            p->child = k;
            wi_pair_hang_far(f, k, p->key);
        }
    p->state = p->child >= 0 ? PAIR_IDLE : PAIR_GONE;
    p->convex = false;
    return true;
}

bool wi_pair_begin(pair_run* r)
{
    if (!pair_run_has(r, PAIR_SPLIT_COST)) return false;
    int a = wi_cell_root(&r->pool, 0), b = wi_cell_root(&r->pool, 1);
    if (a == CELL_NONE || b == CELL_NONE) return false;
    wi_pair_hang_far(r->f, make_pair(r, PAIR_NONE, a, b, r->f->way), r->f->way);
    return true;
}
