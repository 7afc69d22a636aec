/* SPDX-License-Identifier: MIT */
#include "sort.h"

#include <string.h>

/* Moves items[root] down until no child is larger. */
static void sift(char* items, size_t root, size_t count, size_t size, int (*compare)(const void*, const void*))
{
    char moving[SORT_ITEM];
    memcpy(moving, items + root * size, size);
    for (size_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && compare(items + (child + 1) * size, items + child * size) > 0) ++child;
        if (compare(items + child * size, moving) <= 0) break;
        memcpy(items + root * size, items + child * size, size);
        root = child;
    }
    memcpy(items + root * size, moving, size);
}

void wi_sort_items(void* items, size_t count, size_t size, int (*compare)(const void*, const void*))
{
    char* a = items;
    for (size_t root = count / 2; root-- > 0;) sift(a, root, count, size, compare);
    for (size_t n = count; n > 1;) {
        char last[SORT_ITEM];
        --n;
        memcpy(last, a + n * size, size);
        memcpy(a + n * size, a, size);
        memcpy(a, last, size);
        sift(a, 0, n, size, compare);
    }
}
