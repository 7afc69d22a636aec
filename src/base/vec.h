/* SPDX-License-Identifier: MIT */
/* Vectors of three doubles and intervals, by value. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <math.h>

#include "../../include/witness/base.h"

static inline wit_vec3 vec3(double x, double y, double z)
{
    wit_vec3 r = {x, y, z};
    return r;
}

static inline wit_vec3 add3(wit_vec3 a, wit_vec3 b)
{
    return vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline wit_vec3 sub3(wit_vec3 a, wit_vec3 b)
{
    return vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline wit_vec3 scale3(double s, wit_vec3 a)
{
    return vec3(s * a.x, s * a.y, s * a.z);
}

/* a + s b */
static inline wit_vec3 addscaled3(wit_vec3 a, double s, wit_vec3 b)
{
    return vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double dot3(wit_vec3 a, wit_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline wit_vec3 cross3(wit_vec3 a, wit_vec3 b)
{
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double norm3(wit_vec3 a)
{
    return sqrt(dot3(a, a));
}

static inline bool finite3(wit_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/* The unit vector along a; zero for a zero vector. Scaled first, so that lengths from 1e-150 to 1e150 keep their digits. */
static inline wit_vec3 unit3(wit_vec3 a)
{
    double m = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    if (!(m >= 0x1p-1022)) return vec3(0, 0, 0); /* below, 1 / m overflows */
    a = scale3(1 / m, a);
    return scale3(1 / norm3(a), a);
}

/* Two unit vectors e1, e2 that complete the unit vector n to a right-handed frame (e1, e2, n). */
static inline void complete3(wit_vec3 n, wit_vec3* e1, wit_vec3* e2)
{
    wit_vec3 least = fabs(n.x) <= fabs(n.y) && fabs(n.x) <= fabs(n.z) ? vec3(1, 0, 0)
                     : fabs(n.y) <= fabs(n.z)                         ? vec3(0, 1, 0)
                                                                      : vec3(0, 0, 1);
    *e1 = unit3(cross3(least, n));
    *e2 = cross3(n, *e1);
}

#endif
