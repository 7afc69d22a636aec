/* SPDX-License-Identifier: MIT */
/* The caller's allocator, or malloc and free where none was given. */
#ifndef IO_MEMORY_H
#define IO_MEMORY_H

#include "../include/witness/base.h"

/* A copy of *allocator, or the default for null. */
wit_allocator wi_memory_allocator(const wit_allocator* allocator);
/* Null when there is none. */
void* wi_memory_take(const wit_allocator* allocator, size_t bytes);
/* Accepts null. */
void wi_memory_give(const wit_allocator* allocator, void* memory, size_t bytes);

/* Many small blocks that are given back together. */
typedef struct memory_pool {
    wit_allocator allocator;
    struct memory_block* last;
    size_t used; /* bytes of the last block */
} memory_pool;

/* Aligned for any type; null when there is none. */
void* wi_memory_pool_take(memory_pool* pool, size_t bytes);
void wi_memory_pool_free(memory_pool* pool);

#endif
