/* SPDX-License-Identifier: MIT */
/* Places that a caller gave, checked and evaluated in world axes. */
#ifndef PAIR_KINEMATICS_H
#define PAIR_KINEMATICS_H

#include "../../include/witness/track.h"
#include "moving.h"

/* WIT_OK, or why wit_kinematics_at refuses the place. */
wit_status wi_moving_check(const wit_moving_place* p);
/* Of a place that has passed. */
moving wi_moving_of(const wit_moving_place* p);

#endif
