/* SPDX-License-Identifier: MIT */
/* The usual step for x86-64 with AVX2 and FMA: every fused operation is an explicit one. */
#if defined(__x86_64__)

#define FAST static inline __attribute__((always_inline, target("avx2,fma")))
#define FAST_ENTRY static __attribute__((target("avx2,fma")))
#define FAST_RARELY static __attribute__((target("avx2,fma"), noinline))
#define FUSED(a, b, c) __builtin_fma(a, b, c)

#include "fast_step_body.h"

const fast_step_set wi_fast_step_avx2_fma = {fast_step_point, fast_step_pair};

#else

typedef int fast_step_avx2_is_for_x86_64; /* an empty file is not ISO C */

#endif
