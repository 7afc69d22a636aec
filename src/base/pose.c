/* SPDX-License-Identifier: MIT */
/*
 * Poses, motions, twists.
 *
 * Rotations divide by |q|^2 instead of trusting it to be 1: a quaternion that wit_pose_check lets
 * pass, up to 1e-6 off, still turns a body rigidly. The zero quaternion turns nothing. NaN in a pose
 * comes out as NaN; wit_pose_check is where it is refused.
 *
 * Screw motions. A twist (v, w) at the pose (p0, R0) stands for the velocity field
 *     V(x) = v + w x (x - p0),
 * steady in space: p0 is where the origin was at the start, not where it is now. Every point follows
 * a helix about one fixed axis, and V is the velocity at all later times too. With phi = w t,
 * theta = |phi|, u = phi / theta, d = v t, the pose after t is
 *     R = exp(phi) R0,    p = p0 + d|| + c d_ + h (u x d),    c = sin(theta)/theta,  h = (1 - cos(theta))/theta
 * where d|| = u (u.d) and d_ = d - d||. With s, k = sine and cosine of x = theta/2: c = s k / x and
 * h = s^2 / x, so that nothing cancels at small angles. The inverse, from D = p - p0, is
 *     d = D|| + (x k / s) D_ - x (u x D),
 * regular for theta up to and beyond pi, because s > 0 for 0 < x < pi.
 */
#include "pose.h"

static wit_quat quat(double w, wit_vec3 v)
{
    wit_quat q = {w, v.x, v.y, v.z};
    return q;
}

static wit_vec3 quat_axis(wit_quat q)
{
    return vec3(q.x, q.y, q.z);
}

static double quat_square(wit_quat q)
{
    return q.w * q.w + (q.x * q.x + q.y * q.y + q.z * q.z);
}

static wit_quat quat_conjugate(wit_quat q)
{
    return quat(q.w, vec3(-q.x, -q.y, -q.z));
}

static wit_quat quat_unit(wit_quat q)
{
    double n = sqrt(quat_square(q));
    if (n == 0) return quat(1, vec3(0, 0, 0));
    return quat(q.w / n, scale3(1 / n, quat_axis(q)));
}

/* a b: first b, then a. */
static wit_quat quat_product(wit_quat a, wit_quat b)
{
    wit_vec3 u = quat_axis(a), v = quat_axis(b);
    return quat(a.w * b.w - dot3(u, v), add3(addscaled3(scale3(a.w, v), b.w, u), cross3(u, v)));
}

/* q v q^-1 = v + 2 (w r + q x r) / |q|^2 with r = q x v. */
static wit_vec3 quat_turn(wit_quat q, wit_vec3 v)
{
    double n = quat_square(q);
    if (n == 0) return v;
    wit_vec3 axis = quat_axis(q), r = cross3(axis, v);
    return addscaled3(v, 2 / n, add3(scale3(q.w, r), cross3(axis, r)));
}

/* |v| without overflow or underflow on the way. */
static double length3(wit_vec3 v)
{
    double m = fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
    if (m > 0x1p-400 && m < 0x1p400) return norm3(v);
    double scale = m < 1 ? 0x1p600 : 0x1p-600;
    return norm3(scale3(scale, v)) / scale;
}

wit_pose wit_pose_identity(void)
{
    wit_pose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    return pose;
}

wit_motion wit_motion_at_rest(wit_pose pose)
{
    wit_motion motion = {pose, {{0, 0, 0}, {0, 0, 0}}, true};
    return motion;
}

wit_status wit_pose_check(const wit_pose* pose)
{
    if (!pose) return WIT_ERROR_ARGUMENT;
    wit_quat q = pose->rotation;
    if (!finite3(pose->position) || !isfinite(q.w) || !finite3(quat_axis(q))) return WIT_ERROR_NUMBER;
    /* A length that overflows fails the comparison too. */
    return fabs(sqrt(quat_square(q)) - 1) <= 1e-6 ? WIT_OK : WIT_ERROR_RANGE;
}

wit_vec3 wit_pose_point(const wit_pose* pose, wit_vec3 body_point)
{
    return add3(pose->position, quat_turn(pose->rotation, body_point));
}

wit_vec3 wit_pose_unpoint(const wit_pose* pose, wit_vec3 world_point)
{
    return quat_turn(quat_conjugate(pose->rotation), sub3(world_point, pose->position));
}

wit_vec3 wit_pose_vector(const wit_pose* pose, wit_vec3 body_vector)
{
    return quat_turn(pose->rotation, body_vector);
}

wit_vec3 wit_pose_unvector(const wit_pose* pose, wit_vec3 world_vector)
{
    return quat_turn(quat_conjugate(pose->rotation), world_vector);
}

wit_pose wit_pose_compose(const wit_pose* outer, const wit_pose* inner)
{
    wit_pose pose;
    pose.position = wit_pose_point(outer, inner->position);
    pose.rotation = quat_unit(quat_product(outer->rotation, inner->rotation));
    return pose;
}

wit_pose wit_pose_inverse(const wit_pose* pose)
{
    wit_pose inverse;
    inverse.rotation = quat_unit(quat_conjugate(pose->rotation));
    inverse.position = scale3(-1, quat_turn(inverse.rotation, pose->position));
    return inverse;
}

wit_pose wi_pose_relative(const wit_pose* frame, const wit_pose* pose)
{
    wit_quat back = quat_conjugate(frame->rotation);
    wit_pose relative;
    relative.position = quat_turn(back, sub3(pose->position, frame->position));
    relative.rotation = quat_unit(quat_product(back, pose->rotation));
    return relative;
}

wit_quat wit_quat_about(wit_vec3 axis, double angle)
{
    wit_vec3 u = unit3(axis);
    if (u.x == 0 && u.y == 0 && u.z == 0) return quat(1, u);
    double s, k;
    wit_sincos(0.5 * angle, &s, &k);
    return quat(k, scale3(s, u));
}

wit_vec3 wit_motion_velocity(const wit_motion* motion, wit_vec3 world_point)
{
    wit_vec3 arm = sub3(world_point, motion->pose.position);
    return add3(motion->twist.velocity, cross3(motion->twist.angular, arm));
}

wit_pose wit_motion_after(const wit_motion* motion, double seconds)
{
    wit_vec3 u = unit3(motion->twist.angular), d = scale3(seconds, motion->twist.velocity);
    double x = 0.5 * length3(motion->twist.angular) * seconds;
    double s, k;
    wit_sincos(x, &s, &k);
    double c = x == 0 ? 1 : s * k / x, h = x == 0 ? 0 : s * s / x;
    wit_vec3 along = scale3(dot3(u, d), u), across = sub3(d, along);
    wit_vec3 moved = add3(addscaled3(along, c, across), scale3(h, cross3(u, d)));

    wit_pose pose;
    pose.position = add3(motion->pose.position, moved);
    pose.rotation = quat_unit(quat_product(quat(k, scale3(s, u)), motion->pose.rotation));
    return pose;
}

wit_twist wit_twist_between(const wit_pose* from, const wit_pose* to, double seconds)
{
    wit_twist twist = {{0, 0, 0}, {0, 0, 0}};
    if (seconds == 0) return twist; /* no twist leads anywhere in no time; zero rather than a NaN */

    wit_quat q = quat_unit(quat_product(to->rotation, quat_conjugate(from->rotation)));
    if (q.w < 0) q = quat(-q.w, vec3(-q.x, -q.y, -q.z)); /* theta <= pi */
    wit_vec3 u = unit3(quat_axis(q)), moved = sub3(to->position, from->position);
    double s = length3(quat_axis(q)), x = wit_atan2(s, q.w);
    double c = s == 0 ? 1 : x / s * q.w;
    wit_vec3 along = scale3(dot3(u, moved), u), across = sub3(moved, along);
    wit_vec3 d = sub3(addscaled3(along, c, across), scale3(x, cross3(u, moved)));

    twist.velocity = scale3(1 / seconds, d);
    twist.angular = scale3(2 * x / seconds, u);
    return twist;
}
