/* SPDX-License-Identifier: MIT */
/* Query objects: their settings and memory. */
#include <string.h>

#include "../base/allocator.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "query_record.h"
#include "search/point_search.h"
#include "search/pair_search.h"
#include "search/minima.h"

enum { CAPACITY_LEAST = 64, CAPACITY_MOST = 1 << 26, CAPACITY_DEFAULT = 1 << 15, FLAGS_PER_ENTRY = 4 };

const char* wit_outcome_name(wit_outcome outcome)
{
    static const char* const names[WIT_OUTCOME_COUNT] = {"converged", "not_unique", "touching", "overlapping",
                                                         "beyond",    "budget",     "empty",    "open"};
    return (unsigned)outcome < WIT_OUTCOME_COUNT ? names[outcome] : "?";
}

const char* wit_sign_name(wit_sign sign)
{
    static const char* const names[WIT_SIGN_COUNT] = {"none", "normal", "cone", "winding", "nearby"};
    return (unsigned)sign < WIT_SIGN_COUNT ? names[sign] : "?";
}

const char* wit_reason_name(wit_reason reason)
{
    static const char* const names[WIT_REASON_COUNT] = {"none",    "budget", "memory",   "spread", "sign",
                                                        "premise", "model",  "rounding", "open",   "motion"};
    return (unsigned)reason < WIT_REASON_COUNT ? names[reason] : "?";
}

wit_placed wit_placed_at(const wit_body* body, wit_pose pose)
{
    wit_placed p = {body, pose, NULL};
    return p;
}

wit_query_def wit_query_default_def(void)
{
    wit_query_def d = {.struct_size = sizeof d,
                       .tolerance = 1e-9,
                       .within = INFINITY,
                       .budget = 1000000,
                       .capacity = CAPACITY_DEFAULT};
    return d;
}

static wit_status check_def(const wit_query_def* d, wit_error* error)
{
    if (d->struct_size != sizeof *d)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "struct_size", "start from wit_query_default_def");
    if (!(d->tolerance >= 1e-15 && d->tolerance <= 1))
        return wi_error_fill(error, WIT_ERROR_RANGE, "tolerance", "must be between 1e-15 and 1, not %g", d->tolerance);
    if (!(d->within >= 0))
        return wi_error_fill(error, WIT_ERROR_RANGE, "within", "must be a length from 0 to infinity, not %g",
                             d->within);
    if (d->budget < 1) return wi_error_fill(error, WIT_ERROR_RANGE, "budget", "must be at least 1 node");
    if (d->capacity < CAPACITY_LEAST || d->capacity > CAPACITY_MOST)
        return wi_error_fill(error, WIT_ERROR_RANGE, "capacity", "must be between %d and %d, not %d", CAPACITY_LEAST,
                             CAPACITY_MOST, d->capacity);
    return WIT_OK;
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Record, flags and scratch in one block. */
static wit_query* lay_out(arena* a, const wit_query_def* def)
{
    size_t flags = (size_t)def->capacity * FLAGS_PER_ENTRY;
    size_t bytes = most(wi_point_search_bytes(def->capacity), wi_pair_search_bytes(def->capacity));
    bytes = most(bytes, wi_minima_search_bytes(def->capacity));
    wit_query* q = wi_arena_take(a, 1, sizeof *q);
    uint8_t* flag_memory = wi_arena_take(a, flags, 1);
    void* memory = wi_arena_take(a, bytes, 1);
    if (!q || !arena_ok(a)) return NULL;
    memset(q, 0, sizeof *q);
    q->def = *def;
    q->flags = flag_memory;
    q->flag_bytes = flags;
    q->memory = (scratch){memory, bytes};
    return q;
}

size_t wit_query_size(const wit_query_def* def)
{
    if (!def || check_def(def, NULL)) return 0;
    arena a = wi_arena_measure();
    lay_out(&a, def);
    return arena_ok(&a) ? a.used : 0;
}

wit_status wit_query_init(void* memory, size_t bytes, const wit_query_def* def, wit_query** out, wit_error* error)
{
    if (!memory || !def || !out)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "memory, def and out must not be null");
    wit_status status = check_def(def, error);
    if (status) return status;
    arena a = wi_arena_over(memory, bytes);
    wit_query* q = lay_out(&a, def);
    if (!q)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "bytes",
                             "the memory is too small or not aligned; wit_query_size tells");
    *out = q;
    return WIT_OK;
}

wit_query* wit_query_create(const wit_query_def* def, const wit_allocator* allocator, wit_error* error)
{
    wit_query_def standard = wit_query_default_def();
    if (!def) def = &standard;
    if (check_def(def, error)) return NULL;
    wit_allocator from = wi_allocator_or_default(allocator);
    size_t bytes = wit_query_size(def);
    void* memory = bytes ? wi_allocator_take(&from, bytes) : NULL;
    wit_query* q = NULL;
    if (!memory) {
        wi_error_fill(error, WIT_ERROR_MEMORY, "capacity", "no memory for %d open nodes", def->capacity);
        return NULL;
    }
    if (wit_query_init(memory, bytes, def, &q, error)) {
        wi_allocator_release(&from, memory, bytes);
        return NULL;
    }
    q->allocator = from;
    q->bytes = bytes;
    return q;
}

void wit_query_destroy(wit_query* query)
{
    if (!query || !query->bytes) return;
    wit_allocator from = query->allocator;
    wi_allocator_release(&from, query, query->bytes);
}

wit_status wit_query_set(wit_query* query, const wit_query_def* def, wit_error* error)
{
    if (!query || !def) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "query and def must not be null");
    wit_status status = check_def(def, error);
    if (status) return status;
    if (def->capacity != query->def.capacity)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "capacity", "was %d at create and can't be changed",
                             query->def.capacity);
    query->def = *def;
    return WIT_OK;
}
