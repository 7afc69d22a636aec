/* SPDX-License-Identifier: MIT */
/* The usual step for every machine: no fused operations, equal bits everywhere. */
#define SWIFT static inline __attribute__((always_inline))
#define SWIFT_ENTRY static
#define FUSED(a, b, c) ((a) * (b) + (c))

#include "fast_step_body.h"

const swift_set swift_set_portable = {swift_point, swift_pair};
