/* SPDX-License-Identifier: MIT */
/* The account of work, of queries and of steps: what is counted, and how much more may be done, is said here and only here. */
#ifndef BASE_WORK_H
#define BASE_WORK_H

#include <stdbool.h>

#include "../../include/witness/query.h"

static inline void work_nodes(wit_work* w, int64_t n)
{
    w->nodes += n;
    w->units += n;
}

static inline void work_jets(wit_work* w, int64_t n)
{
    w->jets += n;
    w->units += n;
}

static inline void work_tests(wit_work* w, int64_t n)
{
    w->tests += n;
    w->units += n;
}

static inline void work_solves(wit_work* w, int64_t n)
{
    w->solves += n;
}

/* So many nodes are open at once. */
static inline void work_open(wit_work* w, int64_t n)
{
    if (n > w->peak) w->peak = n;
}

/* What another account counts as units: the searches within a search whose Newton runs and open nodes are not told. */
static inline void work_spend(wit_work* w, const wit_work* on)
{
    work_nodes(w, on->nodes);
    work_jets(w, on->jets);
    work_tests(w, on->tests);
}

/* All that another account counts. */
static inline void work_add(wit_work* w, const wit_work* more)
{
    work_spend(w, more);
    work_solves(w, more->solves);
    work_open(w, more->peak);
}

/* Units that are left of `units`; negative: some of them were used before this was asked. */
static inline int64_t work_left(const wit_work* w, int64_t units)
{
    return units - w->units;
}

/* May something that costs up to `cost` be begun, with at most so many nodes, and so many units (0: no limit)? */
static inline bool work_may(const wit_work* w, int64_t nodes, int64_t units, int64_t cost)
{
    return w->nodes < nodes && (!units || cost < work_left(w, units));
}

#endif
