/* SPDX-License-Identifier: MIT */
/*
 * The adversary's own arithmetic: long double vectors, poses, random numbers. Nothing of the library is included here, or
 * in any file of the truth side (exact.h, truth.*, patch.*).
 *
 * Every truth is an interval. ULP is the rounding unit of long double (64 bits; where long double is no wider than double,
 * the intervals are wider and fewer violations can be proved, never more).
 */
#ifndef ADVERSARY_EXACT_H
#define ADVERSARY_EXACT_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef long double LD;
#define ULP LDBL_EPSILON

typedef struct v3 {
    LD x, y, z;
} v3;

typedef struct range {
    LD lo, hi;
} range;

static inline v3 vec(LD x, LD y, LD z)
{
    return (v3){x, y, z};
}

static inline v3 plus(v3 a, LD s, v3 b)
{
    return (v3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline v3 scaled(LD s, v3 a)
{
    return (v3){s * a.x, s * a.y, s * a.z};
}

static inline v3 minus(v3 a, v3 b)
{
    return (v3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline LD inner(v3 a, v3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline v3 outer(v3 a, v3 b)
{
    return (v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline LD norm(v3 a)
{
    return sqrtl(inner(a, a));
}

static inline v3 unit(v3 a)
{
    LD l = norm(a);
    return l > 0 ? vec(a.x / l, a.y / l, a.z / l) : vec(0, 0, 1);
}

static inline LD larger_of(LD a, LD b)
{
    return a > b ? a : b;
}

static inline LD smaller_of(LD a, LD b)
{
    return a < b ? a : b;
}

/* Two ranges that both hold the truth. */
static inline range both_hold(range a, range b)
{
    return (range){larger_of(a.lo, b.lo), smaller_of(a.hi, b.hi)};
}

/* A pose as it is given: doubles. The rotation is that of the quaternion divided by its length. */
typedef struct place {
    double q[4], p[3];
} place;

static inline v3 turned(const place* at, v3 v)
{
    LD w = at->q[0], n = w * w + (LD)at->q[1] * at->q[1] + (LD)at->q[2] * at->q[2] + (LD)at->q[3] * at->q[3];
    v3 a = vec(at->q[1], at->q[2], at->q[3]), r = outer(a, v);
    v3 s = plus(outer(a, r), w, r);
    return plus(v, 2 / n, s);
}

static inline v3 turned_back(const place* at, v3 v)
{
    place c = {{at->q[0], -at->q[1], -at->q[2], -at->q[3]}, {0, 0, 0}};
    return turned(&c, v);
}

/* b's position as seen from a's. Differences of doubles: each is off by less than ULP of itself. */
static inline v3 position_from(const place* a, const double b[3])
{
    return vec((LD)b[0] - a->p[0], (LD)b[1] - a->p[1], (LD)b[2] - a->p[2]);
}

/* ---- random numbers: one call per statement, so that every compiler draws the same ------------ */

typedef struct dice {
    uint64_t state;
} dice;

static inline uint64_t roll(dice* d)
{
    uint64_t z = (d->state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static inline double between(dice* d, double lo, double hi)
{
    return lo + (hi - lo) * ((double)(roll(d) >> 11) * 0x1p-53);
}

static inline int below(dice* d, int n)
{
    return (int)(roll(d) % (uint64_t)n);
}

/* 10^lo to 10^hi, evenly in the exponent. */
static inline double magnitude(dice* d, double lo, double hi)
{
    return pow(10, between(d, lo, hi));
}

static inline v3 any_direction(dice* d)
{
    v3 a;
    LD n;
    do {
        a.x = between(d, -1, 1);
        a.y = between(d, -1, 1);
        a.z = between(d, -1, 1);
        n = inner(a, a);
    } while (n > 1 || n < 0.01L);
    return unit(a);
}

static inline void any_rotation(dice* d, double q[4])
{
    double n;
    do {
        n = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = between(d, -1, 1);
            n += q[i] * q[i];
        }
    } while (n > 1 || n < 0.01);
    n = sqrt(n);
    for (int i = 0; i < 4; i++) q[i] /= n;
}

/* A turn by `angle` about `axis` (unit). */
static inline void small_rotation(v3 axis, LD angle, double q[4])
{
    LD s = sinl(angle / 2);
    q[0] = (double)cosl(angle / 2);
    q[1] = (double)(s * axis.x);
    q[2] = (double)(s * axis.y);
    q[3] = (double)(s * axis.z);
}

#endif
