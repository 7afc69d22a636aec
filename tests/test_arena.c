/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../src/base/allocator.h"
#include "../src/base/arena.h"

typedef struct layout {
    size_t numbers, bytes, nothing, records;
} layout;

static layout lay_out(arena* a)
{
    layout l;
    l.numbers = wi_arena_reserve(a, 5, sizeof(double));
    l.bytes = wi_arena_reserve(a, 3, 1);
    l.nothing = wi_arena_reserve(a, 0, 8);
    l.records = wi_arena_reserve(a, 2, 24);
    return l;
}

static void arena_measures_what_it_later_needs(void** state)
{
    (void)state;
    arena measure = wi_arena_measure();
    layout wanted = lay_out(&measure);
    assert_true(arena_ok(&measure));
    assert_int_equal(measure.used, 48 + 16 + 0 + 48);

    void* block = malloc(measure.used);
    arena a = wi_arena_over(block, measure.used);
    layout got = lay_out(&a);
    assert_true(arena_ok(&a));
    assert_memory_equal(&wanted, &got, sizeof got);
    assert_int_equal(a.used, measure.used);
    free(block);
}

static void arena_fails_when_one_byte_is_missing(void** state)
{
    (void)state;
    arena measure = wi_arena_measure();
    lay_out(&measure);
    void* block = malloc(measure.used);
    arena a = wi_arena_over(block, measure.used - 1);
    layout got = lay_out(&a);
    assert_false(arena_ok(&a));
    assert_true(got.records == ARENA_FULL && got.nothing != ARENA_FULL);
    /* and stays failed, even for what would fit */
    assert_null(wi_arena_take(&a, 1, 1));
    /* The last take counts with its padding, as when measuring. */
    a = wi_arena_over(block, 31);
    assert_null(wi_arena_take(&a, 17, 1));
    free(block);
}

static void arena_takes_are_aligned_and_do_not_overlap(void** state)
{
    (void)state;
    enum { TAKES = 20, BYTES = 16 * TAKES + 16 * TAKES * TAKES };
    unsigned char* block = malloc(BYTES);
    arena a = wi_arena_over(block, BYTES);
    unsigned char* taken[TAKES];
    for (int i = 0; i < TAKES; i++) {
        taken[i] = wi_arena_take(&a, (size_t)i + 1, (size_t)i % 7 + 1);
        assert_non_null(taken[i]);
        assert_int_equal((taken[i] - block) % ARENA_ALIGNMENT, 0);
        memset(taken[i], i, (size_t)(i + 1) * (size_t)(i % 7 + 1));
    }
    for (int i = 0; i < TAKES; i++) {
        for (int k = 0; k < (i + 1) * (i % 7 + 1); k++) assert_int_equal(taken[i][k], i);
    }
    free(block);
}

static void arena_sizes_do_not_overflow(void** state)
{
    (void)state;
    const size_t cases[][2] = {{SIZE_MAX, 1},         {SIZE_MAX, 2},        {2, SIZE_MAX},
                               {SIZE_MAX / 2 + 1, 2}, {SIZE_MAX, SIZE_MAX}, {SIZE_MAX - 3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        arena a = wi_arena_measure();
        assert_true(wi_arena_reserve(&a, cases[i][0], cases[i][1]) == ARENA_FULL);
        assert_false(arena_ok(&a));
    }
    /* Half, a quarter, and then no second quarter: the sum passes what a block can have. */
    arena a = wi_arena_measure();
    assert_true(wi_arena_reserve(&a, SIZE_MAX / 4 + 1, 2) == 0);
    assert_true(wi_arena_reserve(&a, SIZE_MAX / 4 + 1, 1) == SIZE_MAX / 2 + 1);
    assert_true(wi_arena_reserve(&a, SIZE_MAX / 4 + 1, 1) == ARENA_FULL);
}

static void arena_refuses_no_block_and_a_misaligned_one(void** state)
{
    (void)state;
    arena a = wi_arena_over(NULL, 100);
    assert_null(wi_arena_take(&a, 1, 1));
    assert_false(arena_ok(&a));
    max_align_t room[8];
    a = wi_arena_over((unsigned char*)room + 4, 64);
    assert_null(wi_arena_take(&a, 1, 1));
    a = wi_arena_over(room, 64);
    assert_non_null(wi_arena_take(&a, 1, 1));
}

typedef struct counts {
    size_t taken, released;
} counts;

static void* counting_alloc(size_t bytes, void* user)
{
    ((counts*)user)->taken += bytes;
    return malloc(bytes);
}

static void counting_release(void* memory, size_t bytes, void* user)
{
    ((counts*)user)->released += bytes;
    free(memory);
}

static void allocator_gives_back_what_it_took(void** state)
{
    (void)state;
    counts n = {0, 0};
    wit_allocator given = {counting_alloc, counting_release, &n};
    wit_allocator kept = wi_allocator_or_default(&given);
    const size_t sizes[] = {0, 1, 100};
    for (int i = 0; i < 3; i++) {
        void* memory = wi_allocator_take(&kept, sizes[i]);
        assert_non_null(memory);
        wi_allocator_release(&kept, memory, sizes[i]);
        assert_int_equal(n.taken, n.released);
    }
    assert_int_equal(n.taken, 1 + 1 + 100); /* never 0: malloc(0) may be null */
    wi_allocator_release(&kept, NULL, 5);
    assert_int_equal(n.taken, n.released);
}

static void allocator_defaults_to_malloc_and_refuses_half_of_a_pair(void** state)
{
    (void)state;
    wit_allocator none = {NULL, NULL, NULL}, half = {counting_alloc, NULL, NULL};
    wit_allocator a = wi_allocator_or_default(NULL), b = wi_allocator_or_default(&none),
                  c = wi_allocator_or_default(&half);
    void* memory = wi_allocator_take(&a, 64);
    assert_non_null(memory);
    memset(memory, 1, 64);
    wi_allocator_release(&a, memory, 64);
    memory = wi_allocator_take(&b, 0);
    assert_non_null(memory);
    wi_allocator_release(&b, memory, 0);
    assert_null(wi_allocator_take(&c, 64));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_measures_what_it_later_needs),
        cmocka_unit_test(arena_fails_when_one_byte_is_missing),
        cmocka_unit_test(arena_takes_are_aligned_and_do_not_overlap),
        cmocka_unit_test(arena_sizes_do_not_overflow),
        cmocka_unit_test(arena_refuses_no_block_and_a_misaligned_one),
        cmocka_unit_test(allocator_gives_back_what_it_took),
        cmocka_unit_test(allocator_defaults_to_malloc_and_refuses_half_of_a_pair),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
