/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same on every machine: splitmix64. */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdint.h>

typedef struct rng {
    uint64_t state;
} rng;

static inline rng rng_seed(uint64_t seed)
{
    rng r = {seed};
    return r;
}

static inline uint64_t rng_u64(rng* r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline double rng_double(rng* r) /* in [0, 1) */
{
    return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

static inline double rng_range(rng* r, double lo, double hi)
{
    return lo + (hi - lo) * rng_double(r);
}

static inline int rng_int(rng* r, int n) /* 0 .. n - 1 */
{
    return (int)(rng_u64(r) % (uint64_t)n);
}

#endif
