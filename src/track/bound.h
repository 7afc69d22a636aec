/* SPDX-License-Identifier: MIT */
/* The proof that the last global search left, carried along: a distance falls by no more than the bodies have moved
 * against each other. */
#ifndef TRACK_BOUND_H
#define TRACK_BOUND_H

#include "tracker_record.h"

/* The search has proved `lower` for these poses. */
void bound_set(wit_tracker* t, double lower, const wit_pose* a, const wit_pose* b);
/* What holds now; -infinity: nothing. */
double bound_now(const wit_tracker* t, const wit_pose* a, const wit_pose* b);

#endif
