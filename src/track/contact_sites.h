/* SPDX-License-Identifier: MIT */
/*
 * The local minima of the distance, and the local contacts of solids that overlap, besides the tracked pair. Each
 * is followed by a descent of its own; new ones are found by the cold list, as far as the budget of the step goes:
 * in the first step, when the bodies have moved by a part of contacts_within since the last list, and when one was
 * lost.
 */
#ifndef TRACK_CONTACT_SITES_H
#define TRACK_CONTACT_SITES_H

#include "contact_record.h"

/* Most sites of a pair. */
enum { SITES_MOST = 64 };

/* Where b stands in the frame of a: rows of its rotation, and its origin. */
typedef struct standing {
    wit_vec3 rows[3], t;
} standing;

/* How far the bodies have moved against each other at most, between two standings: a point of the bounded one. */
double wi_contact_way(const wit_tracker* t, const standing* from, const standing* to);

/* Sites 1 to block->sites - 1 are followed, found and dropped; site 0 is the tracked pair, and `before` what it
 * was in the last step (group 0: nothing). Sets block->complete. */
void wi_contact_sites(step* s, const wit_result* result, const contact_site* before);

#endif
