/* SPDX-License-Identifier: MIT */
/*
 * All contacts of a tracked pair, each with an id. In every step each site (a local minimum or a local contact;
 * the tracked pair is the first) is spread into the points that hold it, and these are matched with those of the
 * last step: first on the same features, then the nearest that a neighbour may have taken over. What is left was
 * born or died.
 *
 * The block is part of the tracker's: offsets only.
 */
#ifndef TRACK_CONTACT_IDS_H
#define TRACK_CONTACT_IDS_H

#include "step.h"

/* Refused: the field in error->item. */
wit_status wi_contact_ids_check(const wit_body* b, const wit_track_def* def, wit_error* error);
/* Bytes that are kept for it; 0: contacts are not asked for. */
size_t wi_contact_ids_bytes(const wit_track_def* def);
/* No contact, no event. */
void wi_contact_ids_forget(wit_tracker* t);
/* The step has its result. */
void wi_contact_ids_step(step* s, wit_result* result);
/* The step was given up, beyond the cut-off: there are none. */
void wi_contact_ids_beyond(step* s);

#endif
