/* SPDX-License-Identifier: MIT */
/* The result of a step: distance, bound, witnesses, flags. */
#ifndef TRACK_RESULT_H
#define TRACK_RESULT_H

#include "step.h"

void wi_step_result(step* s, wit_result* out);

/* Convex bodies: all of each lies behind its tangent plane. What that bounds the distance by; -infinity: nothing. */
double wi_result_planes(const step* s, double rounding);

#endif
