/* SPDX-License-Identifier: MIT */
/* The result of a step: distance, bound, witnesses, flags. */
#ifndef TRACK_RESULT_H
#define TRACK_RESULT_H

#include "step.h"

void wi_step_result(step* s, wit_result* out);

#endif
