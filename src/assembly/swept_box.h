/* SPDX-License-Identifier: MIT */
/* A box, in world axes, that holds a body at all times of an interval. */
#ifndef ASSEMBLY_SWEPT_BOX_H
#define ASSEMBLY_SWEPT_BOX_H

#include "../../include/witness/sweep.h"

/* WIT_OK, or what the motion refuses; WIT_ERROR_NUMBER for a pose that is none and bounds that are negative or NaN. */
wit_status wi_swept_box(const wit_moving_body* moving, double from, double to, wit_box* out);

#endif
