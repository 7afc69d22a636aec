/* SPDX-License-Identifier: MIT */
/*
 * What the library does, counted outside of it: the linker sends the calls of the functions below here first (--wrap, a
 * static library). work_count_start, then a query or a step, then compare with what its result says.
 */
#ifndef TESTS_WORK_COUNT_H
#define TESTS_WORK_COUNT_H

#include "../include/witness/query.h"

typedef struct work_count {
    int64_t jets;  /* wit_curve_eval, wit_surface_eval */
    int64_t tests; /* wi_body_face_contains, wi_trim_classify; enclosures, bounds and extents of curves and surfaces */
} work_count;

extern work_count counted_work;

static inline void work_count_start(void)
{
    counted_work = (work_count){0, 0};
}

static inline bool work_is_summed(const wit_work* w)
{
    return w->units == w->nodes + w->jets + w->tests + w->boxes;
}

/* Says the same as was counted: every jet, every test. */
static inline bool work_is_as_counted(const wit_work* w)
{
    return w->jets == counted_work.jets && w->tests == counted_work.tests && work_is_summed(w);
}

#endif
