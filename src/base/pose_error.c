/* SPDX-License-Identifier: MIT */
/*
 * Rounding of poses, measured: what pose.h bounds by constants is computed again in twofold precision, and the difference taken.
 * Each operation there is good to 2^-100 of its largest term, and there are fewer than 2^7 of them.
 */
#include "pose.h"
#include "twofold.h"

#define TWOFOLD_ERROR 0x1p-90 /* of the lengths in play */

typedef struct two3 {
    twofold x, y, z;
} two3;

static two3 two3_of(wit_vec3 v)
{
    return (two3){two(v.x), two(v.y), two(v.z)};
}

static two3 two3_difference(wit_vec3 a, wit_vec3 b)
{
    return (two3){two_sum(a.x, -b.x), two_sum(a.y, -b.y), two_sum(a.z, -b.z)};
}

static twofold scaled_sum(twofold a, twofold s, twofold b)
{
    return two_add(a, two_mul(s, b));
}

static two3 two3_scaled_sum(two3 a, twofold s, two3 b)
{
    return (two3){scaled_sum(a.x, s, b.x), scaled_sum(a.y, s, b.y), scaled_sum(a.z, s, b.z)};
}

static twofold minor(twofold a, twofold b, twofold c, twofold d)
{
    return two_add(two_mul(a, b), two_neg(two_mul(c, d)));
}

static two3 two3_cross(two3 a, two3 b)
{
    return (two3){minor(a.y, b.z, a.z, b.y), minor(a.z, b.x, a.x, b.z), minor(a.x, b.y, a.y, b.x)};
}

/* q v q^-1 (inverse: q^-1 v q) = v + 2 (w r + q x r) / |q|^2 with r = q x v. */
static two3 turn(wit_quat q, bool inverse, two3 v)
{
    double sign = inverse ? -1 : 1;
    two3 axis = two3_of(vec3(sign * q.x, sign * q.y, sign * q.z));
    twofold square = two_product(q.w, q.w);
    square = two_add(square, two_product(q.x, q.x));
    square = two_add(square, two_product(q.y, q.y));
    square = two_add(square, two_product(q.z, q.z));
    if (!(square.hi > 0)) return v;
    two3 r = two3_cross(axis, v), s = two3_cross(axis, r);
    s = two3_scaled_sum(s, two(q.w), r);
    return two3_scaled_sum(v, two_div(two(2), square), s);
}

/* |p - v| */
static double off(wit_vec3 p, two3 v)
{
    twofold x = two_add(v.x, two(-p.x)), y = two_add(v.y, two(-p.y)), z = two_add(v.z, two(-p.z));
    return norm3(vec3(x.hi, y.hi, z.hi));
}

double wi_point_turn_measured(const wit_pose* frame, wit_vec3 world, wit_vec3 p)
{
    double error = off(p, turn(frame->rotation, true, two3_difference(world, frame->position)));
    return error * (1 + 1e-9) + TWOFOLD_ERROR * norm3(p);
}

double wi_pose_measured(const wit_pose* frame, const wit_pose* pose, const relative_rows* at, double reach)
{
    const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const wit_vec3 columns[3] = {{at->x.x, at->y.x, at->z.x}, {at->x.y, at->y.y, at->z.y}, {at->x.z, at->y.z, at->z.z}};
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        two3 e = turn(frame->rotation, true, turn(pose->rotation, false, two3_of(axes[k])));
        double d = off(columns[k], e);
        square += d * d;
    }
    double rotation = sqrt(square), t = norm3(at->t);
    double origin = off(at->t, turn(frame->rotation, true, two3_difference(pose->position, frame->position)));
    /* and one evaluation of R p + t: pose.h */
    return (rotation * reach + origin) * (1 + 1e-9) + TWOFOLD_ERROR * (reach + t) + DBL_EPSILON * (4 * reach + 3 * t);
}
