/* SPDX-License-Identifier: MIT */
/*
 * Within one kernel set the bits are the same on every machine and with every compiler: a hash of
 * jets over random splines equals a constant.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/geom.h"
#include "jet_hash.h"

#define GOLDEN_PORTABLE 0x661a0375071f8846u
#define GOLDEN_AVX2_FMA 0xeb6a8585ec48aba4u

static void portable_jets_have_the_same_bits_everywhere(void** state)
{
    (void)state;
    uint64_t hash = hash_of_jets(WIT_KERNEL_PORTABLE);
    if (hash != GOLDEN_PORTABLE) fail_msg("hash is 0x%016llx", (unsigned long long)hash);
}

static void avx2_fma_jets_have_the_same_bits_everywhere(void** state)
{
    (void)state;
    if (!wit_kernel_available(WIT_KERNEL_AVX2_FMA)) {
        printf("skipped: avx2+fma cannot run here\n");
        skip();
    }
    uint64_t hash = hash_of_jets(WIT_KERNEL_AVX2_FMA);
    if (hash != GOLDEN_AVX2_FMA) fail_msg("hash is 0x%016llx", (unsigned long long)hash);
}

static void unavailable_or_unknown_kernel_is_refused(void** state)
{
    (void)state;
    rng r = rng_seed(32);
    static random_surface spline;
    random_surface_make(&r, 2, 2, 1, &spline);
    const wit_kernel bad[] = {WIT_KERNEL_COUNT, (wit_kernel)77, WIT_KERNEL_AVX2_FMA};
    for (int i = 0; i < 3; ++i) {
        if (wit_kernel_available(bad[i])) continue;
        wit_error error;
        spline.def.kernel = bad[i];
        assert_null(wit_surface_create(&spline.def, NULL, &error));
        assert_int_equal(error.status, WIT_ERROR_UNSUPPORTED);
        assert_string_equal(error.item, "kernel");
    }
}

static void auto_takes_the_fastest_available(void** state)
{
    (void)state;
    rng r = rng_seed(33);
    static random_surface spline;
    random_surface_make(&r, 2, 2, 1, &spline);
    wit_surface* s = wit_surface_create(&spline.def, NULL, NULL);
    wit_kernel want = wit_kernel_available(WIT_KERNEL_AVX2_FMA) ? WIT_KERNEL_AVX2_FMA : WIT_KERNEL_PORTABLE;
    assert_int_equal(wit_surface_describe(s).kernel, want);
    wit_surface_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(portable_jets_have_the_same_bits_everywhere),
        cmocka_unit_test(avx2_fma_jets_have_the_same_bits_everywhere),
        cmocka_unit_test(unavailable_or_unknown_kernel_is_refused),
        cmocka_unit_test(auto_takes_the_fastest_available),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
