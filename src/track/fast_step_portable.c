/* SPDX-License-Identifier: MIT */
/* The usual step for every machine: no fused operations, equal bits everywhere. */
#define FAST static inline __attribute__((always_inline))
#define SWIFT_ENTRY static
#define FUSED(a, b, c) ((a) * (b) + (c))

#include "fast_step_body.h"

const fast_step_set wi_fast_step_portable = {swift_point, swift_pair};
