/* SPDX-License-Identifier: MIT */
/*
 * One pose seen from another, and how far rounding may put a point off.
 *
 * The truth of a pose is its position and the rotation of its quaternion brought to unit length, all in real numbers. Below,
 * u = eps / 2, first order in u.
 *
 *   Turning a vector v by q (quat_turn): r = q x v within 2.9 u |v|, the sum in brackets within 7.5 u |v|, doubled; its factor
 *   2 / |q|^2 within 6 u, of a sum that is at most 2 |v|; the last addition 1 u. In all 28 u |v| = 14 eps |v|.
 *   The origin: a difference of positions, u of itself, then turned: within 15 eps |t|. Terms of the size of the positions
 *   never cancel after they were rounded.
 *   The rotation: a product of quaternions within 8 u, brought to unit length 2 u more; an angle is twice that: 10 eps. Its
 *   three rows are turned axes: 14 sqrt(3) eps. So |R p - (R p as it should be)| <= 35 eps |p|.
 *   A point R p + t, computed: three products and sums a row, 3.5 eps |p| + 2 eps |t|.
 */
#ifndef BASE_POSE_H
#define BASE_POSE_H

#include <float.h>

#include "vec.h"

/* inverse(frame) * pose, from the difference of the positions. */
wit_pose wi_pose_relative(const wit_pose* frame, const wit_pose* pose);

/* A world point brought into a frame (wit_pose_unpoint) is off by no more, when it comes to stand at p. */
static inline double point_turn_error(wit_vec3 p)
{
    return 16 * DBL_EPSILON * norm3(p);
}

/* So is R p + t with |p| <= reach, where R and t are rows and origin of a relative pose: that of the pose and that of
 * computing the point. */
static inline double pose_error(double reach, wit_vec3 t)
{
    return DBL_EPSILON * (40 * reach + 20 * norm3(t));
}

/* Rows and origin of a relative pose, as they were computed. */
typedef struct relative_rows {
    wit_vec3 x, y, z, t;
} relative_rows;

/* The same two, measured by computing again in twofold precision: some eight times narrower, and some microseconds longer.
 * p is what wit_pose_unpoint made of `world`. */
double wi_point_turn_measured(const wit_pose* frame, wit_vec3 world, wit_vec3 p);
double wi_pose_measured(const wit_pose* frame, const wit_pose* pose, const relative_rows* at, double reach);

#endif
