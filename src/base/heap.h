/* SPDX-License-Identifier: MIT */
/*
 * A binary heap over an array of items of one kind, the first in order on top. The caller owns the array. With a constant
 * kind the functions compile to code for that kind alone.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct heap_kind {
    size_t bytes;                                 /* of an item */
    bool (*before)(const void* x, const void* y); /* a strict order */
} heap_kind;

typedef struct heap {
    void* items;
    int count, capacity;
} heap;

/* Of the array itself: where it begins does not change while items move, which a compiler can't see from a heap. */
static inline void* heap_item(void* items, const heap_kind* kind, int i)
{
    return (char*)items + (size_t)i * kind->bytes;
}

/* Moves the hole at i up past what comes after x, then fills the hole with x. Of equals the one that is there stays above. */
static inline void heap_rise(heap* h, const heap_kind* kind, int i, const void* x)
{
    void* items = h->items;
    for (int up; i > 0; i = up) {
        up = (i - 1) / 2;
        if (!kind->before(x, heap_item(items, kind, up))) break;
        memcpy(heap_item(items, kind, i), heap_item(items, kind, up), kind->bytes);
    }
    memcpy(heap_item(items, kind, i), x, kind->bytes);
}

/* False: no room. */
static inline bool heap_push(heap* h, const heap_kind* kind, const void* item)
{
    if (h->count == h->capacity) return false;
    heap_rise(h, kind, h->count++, item);
    return true;
}

/* Takes the top off a heap that is not empty. Its hole goes down along the first children, as far as they come before the
 * last item, which fills it. */
static inline void heap_pop(heap* h, const heap_kind* kind, void* top)
{
    int i = 0, n = --h->count;
    void* items = h->items;
    const void* last = heap_item(items, kind, n);
    memcpy(top, items, kind->bytes);
    for (int k; (k = 2 * i + 1) < n; i = k) {
        if (k + 1 < n && kind->before(heap_item(items, kind, k + 1), heap_item(items, kind, k))) ++k;
        if (!kind->before(heap_item(items, kind, k), last)) break;
        memcpy(heap_item(items, kind, i), heap_item(items, kind, k), kind->bytes);
    }
    if (i < n) memcpy(heap_item(items, kind, i), last, kind->bytes);
}

#endif
