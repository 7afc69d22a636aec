/* SPDX-License-Identifier: MIT */
/* The global search from inside a step. */
#ifndef TRACK_REACQUIRE_H
#define TRACK_REACQUIRE_H

#include "step.h"

/* True: the places are at the closest pair. False: no budget, or not allowed. */
bool wi_reacquire(step* s);

/* The cold query for the bodies where they stand at the end of the step, with so many units of work at most, which are counted.
 * False: no memory for it was laid out, or too few units. */
bool wi_reacquire_ask(step* s, int64_t units, double within, wit_closest* out);

#endif
