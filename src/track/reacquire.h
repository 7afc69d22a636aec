/* SPDX-License-Identifier: MIT */
/* The global search from inside a step. */
#ifndef TRACK_REACQUIRE_H
#define TRACK_REACQUIRE_H

#include "step.h"

/* True: the places are at the closest pair. False: no budget, or not allowed. */
bool wi_reacquire(step* s);

#endif
