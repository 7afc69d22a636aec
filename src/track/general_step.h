/* SPDX-License-Identifier: MIT */
/* The default law: moves the places to where they are at the end of the step and sets outcome, held, iterations. */
#ifndef TRACK_GENERAL_STEP_H
#define TRACK_GENERAL_STEP_H

#include "step.h"

void wi_general_step(step* s);

#endif
