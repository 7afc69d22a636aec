/* SPDX-License-Identifier: MIT */
/* Hand-overs from a feature to its neighbours. */
#ifndef TRACK_HAND_OVER_H
#define TRACK_HAND_OVER_H

#include "step.h"

/*
 * If a witness belongs on another feature now, hands it over to that (place moved by the reset map, transition
 * remembered, SWITCHED set) and returns true. Needs s->fresh, s->held and s->toward. At most HAND_OVERS_MOST a step: then
 * CYCLE.
 */
bool wi_hand_over(step* s);

#endif
