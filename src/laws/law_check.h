/* SPDX-License-Identifier: MIT */
/* Can a law be run with these settings? */
#ifndef LAWS_LAW_CHECK_H
#define LAWS_LAW_CHECK_H

#include "../../include/witness/laws.h"

/* Of def->law, with the rest of the def. */
wit_status wi_law_check(const wit_body* a, const wit_body* b, const wit_track_def* def, wit_error* error);

#endif
