/* SPDX-License-Identifier: MIT */
/*
 * Kernels for x86-64 with AVX2 and FMA. Every multiply-add is an explicit fused one, so the bits do not
 * depend on the compiler. The functions carry the target themselves; the file needs no flags, and no vector
 * crosses a call.
 */
#include "kernel_set.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define KERNEL static inline __attribute__((always_inline, target("avx2,fma")))
#define KERNEL_ENTRY static TARGET

typedef __m256d v4;

#define v4_load _mm256_loadu_pd
#define v4_splat _mm256_set1_pd
#define v4_mul _mm256_mul_pd
#define v4_madd _mm256_fmadd_pd
#define v4_nmadd _mm256_fnmadd_pd
#define v4_store _mm256_storeu_pd

KERNEL v4 v4_load2(const double* p)
{
    return _mm256_insertf128_pd(_mm256_setzero_pd(), _mm_loadu_pd(p), 0);
}

KERNEL v4 v4_weight(v4 a)
{
    return _mm256_permute4x64_pd(a, 0xff);
}

KERNEL v4 v4_reciprocal(v4 a)
{
    return _mm256_div_pd(_mm256_set1_pd(1), a);
}

KERNEL void v4_store3(double* p, v4 a)
{
    _mm_storeu_pd(p, _mm256_castpd256_pd128(a));
    _mm_storel_pd(p + 2, _mm256_extractf128_pd(a, 1));
}

#include "kernel_body.h"

const kernel_set wi_kernel_set_avx2_fma = {choose_surface, choose_curve};

#else

typedef int kernel_avx2_is_for_x86_64; /* an empty file is not ISO C */

#endif
