/* SPDX-License-Identifier: MIT */
/*
 * The frame of a best-first search: what is still open, each item with a lower bound of what it may hold, and the least bound
 * of all that was given up without being looked into: for being no better than what is known, or for want of room. The
 * smaller of that and of the least open bound is a lower bound of all.
 */
#ifndef BASE_OPEN_LIST_H
#define BASE_OPEN_LIST_H

#include <math.h>

#include "heap.h"

/* Items begin with their bound, a double. */
typedef struct open_list {
    heap queue;
    double left_out;
    bool full; /* something was left out for want of room */
} open_list;

static inline open_list open_list_over(void* items, int capacity)
{
    return (open_list){{items, 0, capacity}, INFINITY, false};
}

static inline double open_item_bound(const void* item)
{
    return *(const double*)item;
}

/* The usual order of items: by bound alone. */
static inline bool open_item_before(const void* x, const void* y)
{
    return open_item_bound(x) < open_item_bound(y);
}

static inline void open_leave_out(open_list* l, double bound)
{
    if (bound < l->left_out) l->left_out = bound;
}

/* False: no room, and the item is left out. */
static inline bool open_push(open_list* l, const heap_kind* kind, const void* item)
{
    if (heap_push(&l->queue, kind, item)) return true;
    l->full = true;
    open_leave_out(l, open_item_bound(item));
    return false;
}

/* The item of the least bound, of a list that is not empty. */
static inline void open_pop(open_list* l, const heap_kind* kind, void* item)
{
    heap_pop(&l->queue, kind, item);
}

/* The least bound of what is open; infinite: nothing is. */
static inline double open_least(const open_list* l)
{
    return l->queue.count ? open_item_bound(l->queue.items) : INFINITY;
}

/* Of all that was given to the list and not taken from it to be looked into. */
static inline double open_lower_bound(const open_list* l)
{
    double least = open_least(l);
    return least < l->left_out ? least : l->left_out;
}

#endif
