/* SPDX-License-Identifier: MIT */
#include "memory.h"

#include <stdlib.h>

enum { BLOCK = 1 << 14, ALIGN = 16 };

struct memory_block {
    struct memory_block* before;
    size_t bytes;
};

_Static_assert(sizeof(struct memory_block) <= ALIGN, "the head of a block must leave its data aligned");

static void* plain_alloc(size_t bytes, void* user)
{
    (void)user;
    return malloc(bytes);
}

static void plain_release(void* memory, size_t bytes, void* user)
{
    (void)bytes;
    (void)user;
    free(memory);
}

wit_allocator wi_memory_allocator(const wit_allocator* allocator)
{
    wit_allocator plain = {plain_alloc, plain_release, NULL};
    return allocator && allocator->alloc ? *allocator : plain;
}

void* wi_memory_take(const wit_allocator* allocator, size_t bytes)
{
    return allocator->alloc(bytes, allocator->user);
}

void wi_memory_give(const wit_allocator* allocator, void* memory, size_t bytes)
{
    if (memory) allocator->release(memory, bytes, allocator->user);
}

void* wi_memory_pool_take(memory_pool* pool, size_t bytes)
{
    if (bytes > SIZE_MAX - BLOCK) return NULL;
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    struct memory_block* b = pool->last;
    if (!b || b->bytes - pool->used < bytes) {
        size_t size = bytes + ALIGN > BLOCK ? bytes + ALIGN : BLOCK;
        b = wi_memory_take(&pool->allocator, size);
        if (!b) return NULL;
        b->before = pool->last;
        b->bytes = size;
        pool->last = b;
        pool->used = ALIGN;
    }
    void* memory = (char*)b + pool->used;
    pool->used += bytes;
    return memory;
}

void wi_memory_pool_free(memory_pool* pool)
{
    for (struct memory_block* b = pool->last; b;) {
        struct memory_block* before = b->before;
        wi_memory_give(&pool->allocator, b, b->bytes);
        b = before;
    }
    pool->last = NULL;
    pool->used = 0;
}
