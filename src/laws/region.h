/* SPDX-License-Identifier: MIT */
/*
 * The papers' way to choose a feature: by the region of the body in which the other side's witness lies, whether or
 * not the own witness has converged. These are the switching functions of 001 (16) without their
 * argument x. The region of a feature is where its closest point is the body's; which one it is, is
 * found from the feature at hand by descending to the foot of that point, over borders and up again.
 */
#ifndef LAWS_REGION_H
#define LAWS_REGION_H

#include "../track/step.h"

/* The feature in whose region q (frame of the pair) lies, with the foot there; `at`: where to start, and the answer.
 * False: no budget for it. */
bool wi_region_of(step* s, const pair_motion* now, int which, wit_vec3 q, place* at);

/* Hands over every witness of s->at that is not on the feature of its region, to the point there that is nearest to
 * it. True if there was one. */
bool wi_region_switch(step* s);

#endif
