/* SPDX-License-Identifier: MIT */
/* Sorting in place without memory of its own (the C library's qsort may allocate). */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

/* Ascending by `compare` (negative, zero, positive as for qsort). Heap sort: n log n always, not stable; items of up
 * to SORT_ITEM bytes. */
enum { SORT_ITEM = 64 };
void wi_sort_items(void* items, size_t count, size_t size, int (*compare)(const void*, const void*));

/* The last of b[lo] <= .. <= b[hi] that is not above x; lo if none is. */
static inline int last_not_above(const double* b, int lo, int hi, double x)
{
    while (lo < hi) {
        int mid = (lo + hi + 1) / 2;
        if (x >= b[mid])
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

#endif
