/* SPDX-License-Identifier: MIT */
/*
 * Vectors, poses and a few shapes in long double, sharing nothing with the library but its structs: the truth for tests of
 * rounding. A pose is its position and the rotation of its quaternion brought to unit length. Every result here is within
 * LONG_ROUNDING of the coordinates that it was made from.
 */
#ifndef TESTS_LONG_FRAME_H
#define TESTS_LONG_FRAME_H

#include <float.h>
#include <math.h>

#include "../include/witness/base.h"

#define LONG_ROUNDING (128 * LDBL_EPSILON)

typedef struct long3 {
    long double x, y, z;
} long3;

static inline long3 long_vec(long double x, long double y, long double z)
{
    long3 r = {x, y, z};
    return r;
}

static inline long3 long_of(wit_vec3 p)
{
    return long_vec(p.x, p.y, p.z);
}

static inline wit_vec3 long_rounded(long3 p)
{
    wit_vec3 r = {(double)p.x, (double)p.y, (double)p.z};
    return r;
}

static inline long3 long_add(long3 a, long double s, long3 b) /* a + s b */
{
    return long_vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline long double long_dot(long3 a, long3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline long3 long_cross(long3 a, long3 b)
{
    return long_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline long double long_norm(long3 a)
{
    return sqrtl(long_dot(a, a));
}

/* q v q^-1 = v + 2 (w r + q x r) / |q|^2 with r = q x v. */
static inline long3 long_turn(wit_quat q, long3 v)
{
    long double w = q.w, n = w * w + (long double)q.x * q.x + (long double)q.y * q.y + (long double)q.z * q.z;
    long3 axis = long_vec(q.x, q.y, q.z), r = long_cross(axis, v), s = long_cross(axis, r);
    return long_add(long_add(v, 2 * w / n, r), 2 / n, s);
}

static inline long3 long_point(const wit_pose* p, long3 v)
{
    return long_add(long_of(p->position), 1, long_turn(p->rotation, v));
}

static inline long3 long_unpoint(const wit_pose* p, long3 v)
{
    wit_quat back = {p->rotation.w, -p->rotation.x, -p->rotation.y, -p->rotation.z};
    return long_turn(back, long_add(v, -1, long_of(p->position)));
}

/* A point of one body in the frame of another: no term is larger than the way between the two. */
static inline long3 long_between(const wit_pose* frame, const wit_pose* of, long3 v)
{
    long3 way = long_add(long_of(of->position), -1, long_of(frame->position));
    wit_quat back = {frame->rotation.w, -frame->rotation.x, -frame->rotation.y, -frame->rotation.z};
    return long_turn(back, long_add(way, 1, long_turn(of->rotation, v)));
}

/* ---- distances of a point from solids about the origin, their axis z; negative inside ------------ */

static inline long double long_most(long double a, long double b)
{
    return a > b ? a : b;
}

static inline long double long_box(long3 p, double x, double y, double z)
{
    long double dx = fabsl(p.x) - x / 2.0L, dy = fabsl(p.y) - y / 2.0L, dz = fabsl(p.z) - z / 2.0L;
    long double in = long_most(dx, long_most(dy, dz));
    return in < 0 ? in : long_norm(long_vec(long_most(dx, 0), long_most(dy, 0), long_most(dz, 0)));
}

static inline long double long_rho(long3 p)
{
    return sqrtl(p.x * p.x + p.y * p.y);
}

/* From height 0 up. */
static inline long double long_cylinder(long3 p, double radius, double height)
{
    long double r = long_rho(p) - radius, h = long_most(-p.z, p.z - height), in = long_most(r, h);
    return in < 0 ? in : long_norm(long_vec(long_most(r, 0), long_most(h, 0), 0));
}

static inline long double long_torus(long3 p, double radius, double tube)
{
    long double r = long_rho(p) - radius;
    return sqrtl(r * r + p.z * p.z) - tube;
}

#endif
