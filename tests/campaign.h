/* SPDX-License-Identifier: MIT */
/* How long a random campaign runs: WITNESS_CAMPAIGN is a factor on its full length. `make test` runs
 * a fiftieth, `make test-asan` a hundredth, `make verify` all of it. */
#ifndef TESTS_CAMPAIGN_H
#define TESTS_CAMPAIGN_H

#include <stdlib.h>

static inline double campaign_part(void)
{
    const char* factor = getenv("WITNESS_CAMPAIGN");
    return factor ? atof(factor) : 0.02;
}

/* Of cases that walk the same code, every how manyth is run: all in `make verify`, few where sanitizers watch, which look
 * for errors of memory and not of numbers. */
static inline int campaign_every(int tested, int sanitized)
{
    double part = campaign_part();
    return part >= 1 ? 1 : part >= 0.02 ? tested : sanitized;
}

static inline long campaign(long full)
{
    double n = (double)full * campaign_part();
    return n < 1 ? 1 : (long)n;
}

/* Where kinds are counted, which a short campaign would not all meet. */
static inline long campaign_from(long least, long full)
{
    long n = campaign(full);
    return n < least ? least : n;
}

#endif
