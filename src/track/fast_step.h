/* SPDX-License-Identifier: MIT */
/* The usual step, one function per kernel set. */
#ifndef TRACK_FAST_STEP_H
#define TRACK_FAST_STEP_H

#include "tracker_record.h"

typedef bool swift_function(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out);

typedef struct swift_set {
    swift_function *point, *pair;
} swift_set;

extern const swift_set swift_set_portable;
#if defined(__x86_64__)
extern const swift_set swift_set_avx2_fma;
#endif

#endif
