/* SPDX-License-Identifier: MIT */
/* Growing arrays for code that builds: items may move when one is added. */
#ifndef BODY_LIST_H
#define BODY_LIST_H

#include <string.h>

#include "../base/allocator.h"

typedef struct list {
    void* items;
    int count, capacity;
} list;

#define LIST_AT(type, l, i) ((type*)(l).items + (i))

/* Defines type_at(owner, i): item i of the owner's list. */
#define LIST_OF(type, owner, items)                                                                                    \
    static inline type* type##_at(const owner* o, int i)                                                               \
    {                                                                                                                  \
        return LIST_AT(type, o->items, i);                                                                             \
    }

/* Appends one zeroed item and gives its place; null without memory. Its index is l->count - 1. */
static inline void* list_add(list* l, size_t item_size, const wit_allocator* memory)
{
    if (l->count == l->capacity) {
        int capacity = l->capacity ? 2 * l->capacity : 16;
        void* items = wi_allocator_take(memory, (size_t)capacity * item_size);
        if (!items) return NULL;
        if (l->count) memcpy(items, l->items, (size_t)l->count * item_size);
        if (l->items) wi_allocator_release(memory, l->items, (size_t)l->capacity * item_size);
        l->items = items;
        l->capacity = capacity;
    }
    void* item = (char*)l->items + (size_t)l->count++ * item_size;
    memset(item, 0, item_size);
    return item;
}

static inline void list_drop(list* l, size_t item_size, const wit_allocator* memory)
{
    if (l->items) wi_allocator_release(memory, l->items, (size_t)l->capacity * item_size);
    memset(l, 0, sizeof *l);
}

#endif
