/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include <stdint.h>

/* The largest multiple of 16 a block can have: sizes rounded up never pass it. */
#define LARGEST (SIZE_MAX - (ARENA_ALIGNMENT - 1))

arena wi_arena_measure(void)
{
    arena a = {NULL, LARGEST, 0, false};
    return a;
}

arena wi_arena_over(void* block, size_t bytes)
{
    arena a = {block, bytes < LARGEST ? bytes : LARGEST, 0, false};
    a.failed = !block || (uintptr_t)block % _Alignof(max_align_t) != 0;
    return a;
}

size_t wi_arena_reserve(arena* a, size_t count, size_t size)
{
    size_t left = a->size - a->used;
    if (a->failed || (size && count > left / size)) {
        a->failed = true;
        return ARENA_FULL;
    }
    size_t offset = a->used;
    size_t bytes = count * size; /* <= left <= LARGEST: rounding up does not overflow */
    bytes = (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    if (bytes > left) {
        a->failed = true;
        return ARENA_FULL;
    }
    a->used += bytes;
    return offset;
}

void* wi_arena_take(arena* a, size_t count, size_t size)
{
    size_t offset = wi_arena_reserve(a, count, size);
    return a->base && offset != ARENA_FULL ? a->base + offset : NULL;
}
