/* SPDX-License-Identifier: MIT */
/*
 * Failing memory is a refusal everywhere: of every model, each single allocation of its reading fails in turn, alone or with
 * all after it. The read is refused with WIT_ERROR_MEMORY and nothing is left behind, or (when the allocation was not
 * needed) what was read is the same, bit for bit; never another body.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>

#include <cmocka.h>

#include "../include/witness/io.h"
#include "../src/body/body_record.h"
#include "campaign.h"

typedef struct faulty {
    long calls, live;
    long bad;   /* this call fails; 0: none */
    bool after; /* and all that follow it */
} faulty;

static void* faulty_alloc(size_t bytes, void* user)
{
    faulty* f = user;
    ++f->calls;
    if (f->bad > 0 && (f->calls == f->bad || (f->after && f->calls > f->bad))) return NULL;
    ++f->live;
    return malloc(bytes);
}

static void faulty_release(void* memory, size_t bytes, void* user)
{
    (void)bytes;
    --((faulty*)user)->live;
    free(memory);
}

static wit_model* model_read(const char* path, const wit_allocator* a, wit_error* e)
{
    return strstr(path, ".bpt") ? wit_model_read_bpt(path, a, e) : wit_model_read_file(path, a, e);
}

static bool same_bodies(const wit_model* a, const wit_model* b)
{
    if (wit_model_body_count(a) != wit_model_body_count(b)) return false;
    for (int i = 0; i < wit_model_body_count(a); ++i) {
        const wit_body *x = wit_model_body(a, i), *y = wit_model_body(b, i);
        if (x->bytes != y->bytes || memcmp(x, y, x->bytes) != 0) return false;
    }
    return true;
}

typedef struct tally {
    long models, reads, unneeded;
} tally;

static void fail_each(const char* path, long most, tally* t)
{
    faulty f = {0, 0, 0, false};
    const wit_allocator a = {faulty_alloc, faulty_release, &f};
    wit_error e = {0};
    wit_model* whole = model_read(path, &a, &e);
    assert_non_null(whole);
    long calls = f.calls, step = 1 + (2 * calls - 1) / most, held = f.live;
    t->models++;
    for (long n = 0; n < 2 * calls; n += step) {
        f = (faulty){0, held, 1 + n / 2, n % 2 == 1};
        e = (wit_error){0};
        wit_model* m = model_read(path, &a, &e);
        t->reads++;
        if (!m && e.status != WIT_ERROR_MEMORY)
            fail_msg("%s, allocation %ld: %s: %s: %s", path, f.bad, wit_status_name(e.status), e.item, e.text);
        if (m && !same_bodies(whole, m)) fail_msg("%s, allocation %ld of %ld failed: another body", path, f.bad, calls);
        t->unneeded += m != NULL;
        wit_model_destroy(m);
        if (f.live != held) fail_msg("%s, allocation %ld: %ld blocks are left", path, f.bad, f.live - held);
    }
    wit_model_destroy(whole);
    assert_int_equal(f.live, 0);
}

static void every_failed_allocation_is_a_refusal(void** state)
{
    (void)state;
    tally t = {0, 0, 0};
    DIR* folder = opendir("models");
    assert_non_null(folder);
    for (struct dirent* item; (item = readdir(folder)) != NULL;) {
        char path[512];
        if (!strstr(item->d_name, ".json")) continue;
        snprintf(path, sizeof path, "models/%s", item->d_name);
        fail_each(path, campaign(2000), &t);
    }
    closedir(folder);
    fail_each("tests/data/cup.bpt", campaign(2000), &t);
    print_message("%ld models, %ld reads with a failed allocation, %ld that did not need it\n", t.models, t.reads,
                  t.unneeded);
    assert_true(t.models > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_a_refusal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
