/* SPDX-License-Identifier: MIT */
/* From a contact inside that has ended to the next one. */
#ifndef TRACK_NEXT_CONTACT_H
#define TRACK_NEXT_CONTACT_H

#include "step.h"

/* Downhill; true: there. JUMPED is set. */
bool wi_next_contact(step* s);

#endif
