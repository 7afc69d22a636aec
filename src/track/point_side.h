/* SPDX-License-Identifier: MIT */
/* The side on which a point lies while its witness is on its way: from the body, not from the witness or from history. */
#ifndef TRACK_POINT_SIDE_H
#define TRACK_POINT_SIDE_H

#include "step.h"

/*
 * +1 outside (before), -1 inside (behind), of a tracker of a point under a law; 0: no work was left to find out.
 *
 * The witness of a flow need not be the closest place, and then the normals there say nothing. The cold query does: its
 * bracket [lower, upper] of the signed distance tells the side, and that nothing of the boundary is within
 * r = max(lower, -upper) of the point. So the side of a closed solid is proved for every point that is less than r away
 * from there, in the frame of the body, and the query is asked again only when the point has gone as far. A sheet has no
 * such room: before and behind change without crossing it, where another place of it becomes the closest.
 */
int wi_point_side(step* s);

#endif
