/* SPDX-License-Identifier: MIT */
/*
 * Two solids that may be in each other. A frame of convex solids says "apart" only if that is proved, one of others only if the
 * search has not shown the contrary; "converged" inside is said only of the contact that the cold query names: of convex
 * solids the least support sum (depth_front.h), of others what the search finds.
 * A frame that can do neither says `open`, and keeps the last pair on its features, so that its distance has changed by no more
 * than the bodies have moved.
 */
#ifndef TRACK_OVERLAP_H
#define TRACK_OVERLAP_H

#include "step.h"

/* Bytes that are kept for it, by a tracker of the default law. */
size_t wi_overlap_bytes(const wit_body* a, const wit_body* b, const wit_track_def* def);
/* Nothing is followed. */
void wi_overlap_forget(wit_tracker* t);

/* The last frame was inside or at touch: does the contact go on? True: the step has its pair, or says that it has none. */
bool wi_overlap_follow(step* s);
/* What the law has found apart, or did not find at all, is held against the solids. */
void wi_overlap_check(step* s);

#endif
