/* SPDX-License-Identifier: MIT */
/*
 * Each single allocation of making a model fails in turn, alone or with all after it: the model is refused with
 * WIT_ERROR_MEMORY and nothing is left behind, or (when the allocation was not needed) it is the same, bit for bit; never another
 * body. Include it after cmocka.h, in one file of a program.
 */
#ifndef TESTS_FAILING_MODEL_H
#define TESTS_FAILING_MODEL_H

#include <stdlib.h>
#include <string.h>

#include "../include/witness/io.h"
#include "../src/body/body_record.h"
#include "campaign.h"

typedef struct faulty {
    long calls, live;
    long bad;   /* this call fails; 0: none */
    bool after; /* and all that follow it */
} faulty;

static inline void* faulty_alloc(size_t bytes, void* user)
{
    faulty* f = user;
    ++f->calls;
    if (f->bad > 0 && (f->calls == f->bad || (f->after && f->calls > f->bad))) return NULL;
    ++f->live;
    return malloc(bytes);
}

static inline void faulty_release(void* memory, size_t bytes, void* user)
{
    (void)bytes;
    --((faulty*)user)->live;
    free(memory);
}

static inline bool same_bodies(const wit_model* a, const wit_model* b)
{
    if (wit_model_body_count(a) != wit_model_body_count(b)) return false;
    for (int i = 0; i < wit_model_body_count(a); ++i) {
        const wit_body *x = wit_model_body(a, i), *y = wit_model_body(b, i);
        if (x->bytes != y->bytes || memcmp(x, y, x->bytes) != 0) return false;
    }
    return true;
}

typedef struct failing_tally {
    long models, reads, unneeded;
} failing_tally;

typedef wit_model* model_maker(const void* from, const wit_allocator* a, wit_error* e);

/* Every allocation in `make verify`, else a stride through them. */
static inline long stride_of(long calls)
{
    long most = campaign(2000);
    return most < 2000 ? 1 + (2 * calls - 1) / most : 1;
}

static inline void fail_each(const char* name, model_maker* make, const void* from, failing_tally* t)
{
    faulty f = {0, 0, 0, false};
    const wit_allocator a = {faulty_alloc, faulty_release, &f};
    wit_error e = {0};
    wit_model* whole = make(from, &a, &e);
    if (!whole) fail_msg("%s: %s", name, e.text);
    long calls = f.calls, step = stride_of(calls), held = f.live;
    t->models++;
    for (long n = 0; n < 2 * calls; n += step) {
        f = (faulty){0, held, 1 + n / 2, n % 2 == 1};
        e = (wit_error){0};
        wit_model* m = make(from, &a, &e);
        t->reads++;
        if (!m && e.status != WIT_ERROR_MEMORY)
            fail_msg("%s, allocation %ld: %s: %s: %s", name, f.bad, wit_status_name(e.status), e.item, e.text);
        if (m && !same_bodies(whole, m)) fail_msg("%s, allocation %ld of %ld failed: another body", name, f.bad, calls);
        t->unneeded += m != NULL;
        wit_model_destroy(m);
        if (f.live != held) fail_msg("%s, allocation %ld: %ld blocks are left", name, f.bad, f.live - held);
    }
    wit_model_destroy(whole);
    assert_int_equal(f.live, 0);
}

#endif
