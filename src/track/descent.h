/* SPDX-License-Identifier: MIT */
/* The descent that takes over where Newton does not lead down. */
#ifndef TRACK_DESCENT_H
#define TRACK_DESCENT_H

#include "step.h"

/* From the places down to a closest pair on the present features. */
bool wi_descend(step* s);

#endif
