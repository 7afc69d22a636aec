/* SPDX-License-Identifier: MIT */
/* Plain Newton steps, the laws that others are compared with. */
#ifndef LAWS_NEWTON_LAW_H
#define LAWS_NEWTON_LAW_H

#include "../track/step.h"

void wi_newton_law_step(step* s);

#endif
