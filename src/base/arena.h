/* SPDX-License-Identifier: MIT */
/*
 * Laying out one block of memory. The same routine runs twice: over an arena that only measures, to
 * learn how many bytes are needed, and over the block, where the takes come out at the same offsets.
 *
 *     static void lay_out(arena* a, thing* t) { t->knots = wi_arena_reserve(a, n, sizeof(double)); ... }
 *
 *     arena a = wi_arena_measure();           lay_out(&a, &t);  if (!arena_ok(&a)) too large; bytes = a.used;
 *     arena a = wi_arena_over(block, bytes);  lay_out(&a, &t);  if (!arena_ok(&a)) too small;
 *
 * Offsets count from the start of the block and are multiples of 16, so a block may be copied with
 * memcpy. One failed take makes every later one fail: testing once, at the end, is enough.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#define ARENA_ALIGNMENT 16
#define ARENA_FULL ((size_t)-1) /* the offset of a take that failed */

typedef struct arena {
    unsigned char* base; /* null: measuring only */
    size_t size;         /* bytes of the block */
    size_t used;         /* bytes taken so far, a multiple of 16 */
    bool failed;
} arena;

/* No block: counts what takes would need. It fails only where size_t overflows. */
arena wi_arena_measure(void);

/* Over a caller's block, which must be aligned for any type (max_align_t); null or misaligned, every take fails. */
arena wi_arena_over(void* block, size_t bytes);

/* Room for count elements of `size` bytes each: its offset, or ARENA_FULL. The bytes are not cleared. */
size_t wi_arena_reserve(arena* a, size_t count, size_t size);

/* The same as a pointer; null while measuring and on failure. */
void* wi_arena_take(arena* a, size_t count, size_t size);

static inline bool arena_ok(const arena* a)
{
    return !a->failed;
}

#endif
