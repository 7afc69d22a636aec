/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../src/base/sort.h"
#include "random.h"

typedef struct item {
    int key, index;
    double more[3];
} item;

static int by_key_and_index(const void* a, const void* b)
{
    const item *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Every length from 0 to 300, keys that repeat; the other bytes of an item travel with it. */
static void sorted_items_equal_those_of_qsort(void** state)
{
    (void)state;
    rng r = rng_seed(61);
    static item ours[300], theirs[300];
    for (int n = 0; n <= 300; ++n) {
        for (int i = 0; i < n; ++i) {
            memset(&ours[i], 0, sizeof ours[i]);
            ours[i].key = rng_int(&r, 1 + n / 3);
            ours[i].index = i;
            ours[i].more[2] = ours[i].key + 0.5 * i;
        }
        memcpy(theirs, ours, sizeof ours);
        wi_sort_items(ours, (size_t)n, sizeof *ours, by_key_and_index);
        if (n > 0) qsort(theirs, (size_t)n, sizeof *theirs, by_key_and_index);
        assert_memory_equal(ours, theirs, (size_t)n * sizeof *ours);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorted_items_equal_those_of_qsort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
