/* SPDX-License-Identifier: MIT */
/* Apart or in each other while a law is on its way: from the bodies, not from the witnesses or from history. */
#ifndef TRACK_LAW_SIDE_H
#define TRACK_LAW_SIDE_H

#include "step.h"

/* Has the distance a sign that the bodies tell? Of a point to all but two-sided sheets, and of two solids. */
static inline bool law_side_has(const wit_body* a, const wit_body* b)
{
    return b ? a->kind == WIT_BODY_SOLID && b->kind == WIT_BODY_SOLID : a->kind != WIT_BODY_SHEET2;
}

/*
 * +1 outside (before) or apart, -1 inside (behind) or in each other; 0: not decided with the work that was left.
 *
 * The witnesses of a law need not be the closest places, and then the normals there say nothing. The cold query does: its
 * bracket [lower, upper] of the signed distance tells the side, and that it stays for r = max(lower, -upper) of motion, in the
 * frame of a; the query is asked again only when b has gone as far. That holds
 * - apart: a distance falls by no more than b moves;
 * - of a point in a closed solid: nothing of the boundary is nearer than r. A sheet has no such room: before and behind change
 *   without crossing it, where another place of it becomes the closest;
 * - of overlapping solids whose hulls tell, and in a half-space: a support falls by no more than b moves. Of others it does not
 *   hold: a plate askew in a slot is free after a small turn, however deep it is in, and is asked for in every frame.
 */
int wi_law_side(step* s);

#endif
