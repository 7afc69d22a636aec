/* SPDX-License-Identifier: MIT */
/*
 * The hybrid automaton of 001 (15) to (17) in time: between events the mode (features, parameters that are held) is
 * fixed and the flow is integrated by dopri5, 001 (15); an event, 001 (16), ends a mode and is located inside the
 * frame. Events are: a parameter reaches its border; a held one is let go; a witness belongs on another feature.
 */
#ifndef LAWS_HYBRID_H
#define LAWS_HYBRID_H

#include "flow.h"

/* When in this frame the foot on `from` and the foot on `to` (both at the end of the frame) were equally far from
 * the other side: seconds since the reset. Only with the adaptive integrator; else, and without budget, the end of
 * the frame. */
double wi_hybrid_jump_time(step* s, int which, const place* from, const place* to);

#endif
