/* SPDX-License-Identifier: MIT */
/*
 * When a Newton step has arrived without another look: what the usual step (fast_step_body.h) and the general one
 * (pair_newton.c) both ask before they believe the place after it.
 */
#ifndef TRACK_ARRIVE_H
#define TRACK_ARRIVE_H

#include "piece.h"
#include "tracker_record.h"

/*
 * What Taylor's formula of second order leaves of one side's condition, as a length, after a step of arc length `way` at
 * most, `third` the bound of the third derivatives (step_bounds.h): the point is off by third way^3 / 6; the tangents by
 * third way^2 / 2, which turns them against the gap, or the normal against the other side: at the end of `lever`.
 */
PIECE double taylor_rest(double third, double way, double lever)
{
    return third * way * way * (way * (1.0 / 6) + 0.5 * lever);
}

/*
 * A step of length `first`, then one of length `second` by the same matrix and Psi formed anew: what is left is about
 * second^2 / first. Within the tolerance the second step is also the shorter one, as Newton's are, but for the tolerance
 * itself: second <= sqrt(tolerance first) <= tolerance + first / 4.
 */
PIECE bool newton_arrives(double first, double second, double tolerance)
{
    return second * second <= tolerance * first || second <= 0.01 * tolerance;
}

#endif
