/* SPDX-License-Identifier: MIT */
/*
 * A heap whose items know where they are, so that any of them can be taken out or moved: the entries of a front by the way at
 * which they end. What an item refers to has a place in an array of the caller's: place[ref].
 */
#ifndef FRONT_HEAP_H
#define FRONT_HEAP_H

#include <stdint.h>

typedef struct front_item {
    double key;
    int32_t ref;
} front_item;

typedef struct front_heap {
    front_item* items;
    int32_t* place; /* place[ref]: index of the item */
    int32_t* count;
} front_heap;

static inline void front_heap_put(const front_heap* h, int32_t i, front_item x)
{
    h->items[i] = x;
    h->place[x.ref] = i;
}

static inline void front_heap_rise(const front_heap* h, int32_t i, front_item x)
{
    for (int32_t up; i > 0 && x.key < h->items[up = (i - 1) / 2].key; i = up) front_heap_put(h, i, h->items[up]);
    front_heap_put(h, i, x);
}

static inline void front_heap_sink(const front_heap* h, int32_t i, front_item x)
{
    int32_t n = *h->count;
    for (int32_t k; (k = 2 * i + 1) < n; i = k) {
        if (k + 1 < n && h->items[k + 1].key < h->items[k].key) ++k;
        if (!(h->items[k].key < x.key)) break;
        front_heap_put(h, i, h->items[k]);
    }
    front_heap_put(h, i, x);
}

static inline void front_heap_push(const front_heap* h, double key, int32_t ref)
{
    front_heap_rise(h, (*h->count)++, (front_item){key, ref});
}

static inline void front_heap_remove(const front_heap* h, int32_t ref)
{
    int32_t i = h->place[ref];
    front_item last = h->items[--*h->count];
    if (last.ref == ref) return;
    if (i > 0 && last.key < h->items[(i - 1) / 2].key)
        front_heap_rise(h, i, last);
    else
        front_heap_sink(h, i, last);
}

/* With a key that is not below the old one. */
static inline void front_heap_delay(const front_heap* h, double key, int32_t ref)
{
    front_heap_sink(h, h->place[ref], (front_item){key, ref});
}

#endif
