/* SPDX-License-Identifier: MIT */
/* The usual step for every machine: no fused operations, equal bits everywhere. */
#define FAST static inline __attribute__((always_inline))
#define FAST_ENTRY static
#define FAST_RARELY static __attribute__((noinline))
#define FUSED(a, b, c) ((a) * (b) + (c))

#include "fast_step_body.h"

const fast_step_set wi_fast_step_portable = {fast_step_point, fast_step_pair};
