/* SPDX-License-Identifier: MIT */
/*
 * What is proved of two bodies in motion, apart: their front (front/pair_front.h), in the memory of the tracker.
 *
 * In every frame the front is told where the witnesses are. It proves how near the boundaries come to each other, or shows a pair that
 * is nearer, which the witnesses then jump to. Of solids that is the distance while neither holds the other: a search
 * has proved that once, and it stays so as long as they do not move by more than they are proved to be apart.
 * Where tangent planes of convex bodies prove the pair nothing is asked. Trackers of unbounded bodies, under a law, or with
 * `front` 0 have no front: then what the last search has proved is carried along (carried_bound.h).
 */
#ifndef TRACK_PAIR_PROOF_H
#define TRACK_PAIR_PROOF_H

#include "step.h"

size_t wi_pair_proof_bytes(const wit_body* a, const wit_body* b, const wit_track_def* def);
/* Nothing is proved: the next step begins with all of both bodies. */
void wi_pair_proof_forget(wit_tracker* t);

/* Proves the pair, which the step has looked at, and sets the bounds for this frame. If another is nearer, and there is work left
 * to follow it, the witnesses jump there (JUMPED): true. */
bool wi_pair_proof_jump(step* s);

/* Does the bound by tangent planes, `lower`, certify the distance by itself? What it proves is then kept now and then: that they are apart. */
bool wi_pair_proof_planes(wit_tracker* t, const wit_vec3 rows[3], wit_vec3 origin, double distance, double lower,
                          double rounding);

/* The same for a usual step, b with these rows and this origin in the frame of a. False: that needs the general step, which counts
 * what was done. */
bool wi_pair_proof_usual(wit_tracker* t, const wit_vec3 rows[3], wit_vec3 origin, const pair_witness* w,
                         wit_work* work);

#endif
