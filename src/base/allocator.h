/* SPDX-License-Identifier: MIT */
/* Memory of the create functions. Nothing here is called while evaluating. */
#ifndef BASE_ALLOCATOR_H
#define BASE_ALLOCATOR_H

#include "../../include/witness/base.h"

/* A copy of *given; malloc and free when given is null or names neither function. The copy is kept
 * in what was created, so that destroy needs no allocator. */
wit_allocator wi_allocator_or_default(const wit_allocator* given);

/* Null when there is no memory, and when one of the two functions is missing. Never null for 0 bytes otherwise. */
void* wi_allocator_take(const wit_allocator* allocator, size_t bytes);

/* `bytes` as given to take. Null memory is allowed. */
void wi_allocator_release(const wit_allocator* allocator, void* memory, size_t bytes);

#endif
