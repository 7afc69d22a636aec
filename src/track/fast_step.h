/* SPDX-License-Identifier: MIT */
/* The usual step, one function per kernel set. */
#ifndef TRACK_FAST_STEP_H
#define TRACK_FAST_STEP_H

#include "step.h"

typedef bool fast_step_function(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out);

typedef struct fast_step_set {
    fast_step_function *point, *pair;
} fast_step_set;

extern const fast_step_set wi_fast_step_portable;
#if defined(__x86_64__)
extern const fast_step_set wi_fast_step_avx2_fma;
#endif

/* The usual step in one piece; false: nothing was changed but t->looked, take the long way. */
bool wi_fast_step(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out);
/* After a step the long way: may the next one be a usual one? */
bool wi_fast_step_ready(const step* s);

#endif
