/* SPDX-License-Identifier: MIT */
/* Other feet that are kept up beside the witness, so that jumps are seen. */
#ifndef TRACK_CANDIDATE_H
#define TRACK_CANDIDATE_H

#include "step.h"

/* Keeps the other feet up (`distance` is that of the witness, signed) and, if one of them is nearer than the witness, jumps
 * there (JUMPED): true. */
bool wi_candidate_jump(step* s, double distance);
/* Forgets them: the next step finds them anew. */
void wi_candidate_forget(wit_tracker* t);
size_t wi_candidate_bytes(const wit_body* a, const wit_body* b, const wit_track_def* def);

#endif
