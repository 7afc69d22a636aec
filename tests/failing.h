/* SPDX-License-Identifier: MIT */
/* An allocator that runs out after a number of allocations, and counts what is still held: tests fail each one in turn. */
#ifndef TESTS_FAILING_H
#define TESTS_FAILING_H

#include <stdlib.h>

typedef struct failing {
    long left; /* allocations that succeed */
    long live;
} failing;

static inline void* failing_alloc(size_t bytes, void* user)
{
    failing* f = user;
    if (f->left-- <= 0) return NULL;
    f->live++;
    return malloc(bytes);
}

static inline void failing_release(void* memory, size_t bytes, void* user)
{
    (void)bytes;
    ((failing*)user)->live--;
    free(memory);
}

#endif
