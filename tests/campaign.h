/* SPDX-License-Identifier: MIT */
/* How long a random campaign runs: WITNESS_CAMPAIGN is a factor on its full length. `make test` runs
 * a tenth, `make verify` all of it. */
#ifndef TESTS_CAMPAIGN_H
#define TESTS_CAMPAIGN_H

#include <stdlib.h>

static inline long campaign(long full)
{
    const char* factor = getenv("WITNESS_CAMPAIGN");
    double n = (double)full * (factor ? atof(factor) : 0.1);
    return n < 1 ? 1 : (long)n;
}

#endif
