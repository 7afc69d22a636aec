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
#include "random_spline.h"

#define GOLDEN_PORTABLE 0x661a0375071f8846u
#define GOLDEN_AVX2_FMA 0xeb6a8585ec48aba4u

/* pow differs between C libraries; weights from a table keep the input equal everywhere. */
static void exact_weights(rng* r, int n, double* weights)
{
    static const double choice[5] = {0.125, 0.5, 1, 3, 8};
    for (int i = 0; i < n; ++i) weights[i] = choice[rng_int(r, 5)];
}

static uint64_t fnv(uint64_t hash, const void* data, size_t bytes)
{
    const unsigned char* p = data;
    for (size_t i = 0; i < bytes; ++i) hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_of_jets(wit_kernel kernel)
{
    rng r = rng_seed(31);
    static random_surface spline;
    static random_curve line;
    uint64_t hash = 0xcbf29ce484222325u;
    for (int n = 0; n < 300; ++n) {
        random_surface_make(&r, 1 + n % 9, 1 + rng_int(&r, 9), 1, &spline);
        exact_weights(&r, spline.def.count_u * spline.def.count_v, spline.weights);
        spline.def.kernel = kernel;
        wit_surface* s = wit_surface_create(&spline.def, NULL, NULL);
        assert_non_null(s);
        assert_int_equal(wit_surface_describe(s).kernel, kernel);
        wit_surface_info info = wit_surface_describe(s);
        for (int k = 0; k < 30; ++k) {
            wit_surface_jet jet;
            double u = rng_range(&r, info.range_u.lo, info.range_u.hi),
                   v = rng_range(&r, info.range_v.lo, info.range_v.hi);
            wit_surface_eval(s, u, v, 0, NULL, &jet);
            hash = fnv(hash, &jet, sizeof jet);
        }
        wit_surface_destroy(s);

        random_curve_make(&r, 1 + n % 9, 1, &line);
        exact_weights(&r, line.def.count, line.weights);
        line.def.kernel = kernel;
        wit_curve* c = wit_curve_create(&line.def, NULL, NULL);
        assert_non_null(c);
        wit_interval range = wit_curve_describe(c).range;
        for (int k = 0; k < 30; ++k) {
            wit_curve_jet jet;
            wit_curve_eval(c, rng_range(&r, range.lo, range.hi), 0, NULL, &jet);
            hash = fnv(hash, &jet, sizeof jet);
        }
        wit_curve_destroy(c);
    }
    return hash;
}

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
