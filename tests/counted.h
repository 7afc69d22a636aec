/* SPDX-License-Identifier: MIT */
/* Counts what a program takes from the heap: link with --wrap for malloc, calloc, realloc and aligned_alloc, and the
 * linker sends every call, also those of the core (a static library), here. Include it in one file of the program. */
#ifndef TESTS_COUNTED_H
#define TESTS_COUNTED_H

#include <stddef.h>

static volatile long taken; /* volatile: a compiler may think that malloc leaves it alone */

void* __real_malloc(size_t bytes);
void* __real_calloc(size_t n, size_t bytes);
void* __real_realloc(void* memory, size_t bytes);
void* __real_aligned_alloc(size_t alignment, size_t bytes);
void* __wrap_malloc(size_t bytes);
void* __wrap_calloc(size_t n, size_t bytes);
void* __wrap_realloc(void* memory, size_t bytes);
void* __wrap_aligned_alloc(size_t alignment, size_t bytes);

void* __wrap_malloc(size_t bytes)
{
    taken++;
    return __real_malloc(bytes);
}

void* __wrap_calloc(size_t n, size_t bytes)
{
    taken++;
    return __real_calloc(n, bytes);
}

void* __wrap_realloc(void* memory, size_t bytes)
{
    taken++;
    return __real_realloc(memory, bytes);
}

void* __wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    taken++;
    return __real_aligned_alloc(alignment, bytes);
}

#endif
