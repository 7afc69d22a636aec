/* SPDX-License-Identifier: MIT */
#include "allocator.h"

#include <stdlib.h>

static void* default_alloc(size_t bytes, void* user)
{
    (void)user;
    return malloc(bytes);
}

static void default_release(void* memory, size_t bytes, void* user)
{
    (void)bytes;
    (void)user;
    free(memory);
}

/* malloc(0) may return null, which would read as "no memory". */
static size_t at_least_one(size_t bytes)
{
    return bytes ? bytes : 1;
}

wit_allocator wi_allocator_or_default(const wit_allocator* given)
{
    if (given && (given->alloc || given->release)) return *given;
    wit_allocator standard = {default_alloc, default_release, NULL};
    return standard;
}

void* wi_allocator_take(const wit_allocator* allocator, size_t bytes)
{
    if (!allocator->alloc || !allocator->release) return NULL;
    return allocator->alloc(at_least_one(bytes), allocator->user);
}

void wi_allocator_release(const wit_allocator* allocator, void* memory, size_t bytes)
{
    if (memory) allocator->release(memory, at_least_one(bytes), allocator->user);
}
