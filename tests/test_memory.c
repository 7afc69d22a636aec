/* SPDX-License-Identifier: MIT */
/* Failing memory is a refusal everywhere (failing_model.h), of every model in the tree. Parts from CAD: test_work_cad.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <dirent.h>

#include <cmocka.h>

#include "failing_model.h"

static wit_model* model_read(const void* from, const wit_allocator* a, wit_error* e)
{
    const char* path = from;
    return strstr(path, ".bpt") ? wit_model_read_bpt(path, a, e) : wit_model_read_file(path, a, e);
}

static void every_failed_allocation_is_a_refusal(void** state)
{
    (void)state;
    failing_tally t = {0, 0, 0};
    DIR* folder = opendir("models");
    assert_non_null(folder);
    for (struct dirent* item; (item = readdir(folder)) != NULL;) {
        char path[512];
        if (!strstr(item->d_name, ".json")) continue;
        snprintf(path, sizeof path, "models/%s", item->d_name);
        fail_each(path, model_read, path, &t);
    }
    closedir(folder);
    fail_each("tests/data/cup.bpt", model_read, "tests/data/cup.bpt", &t);
    print_message("%ld models, %ld reads with a failed allocation, %ld that did not need it\n", t.models, t.reads,
                  t.unneeded);
    assert_true(t.models > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_a_refusal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
