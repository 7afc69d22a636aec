/* SPDX-License-Identifier: MIT */
/*
 * The account of work, of queries and of steps: what is counted, and how much more may be done, is said here and only here.
 *
 *   a jet   one call of wit_curve_eval or wit_surface_eval from outside src/geom, whatever the curve or surface is made of
 *           (wit_surface_normal makes one; what geom evaluates for itself is wi_curve_part and wi_surface_part);
 *   a test  one place or box held against the trims of a face (the jets within it are jets), or one enclosure, bound or extent
 *           of a curve or surface over a box;
 *   a node  one node, or pair of nodes, bounded by a search; its closed forms and box bounds are part of it;
 *   a box   one box of a tree, triangle of a mesh or stretch that is looked at besides a search.
 *
 * It is counted where it is done: a side (pair/side.h) has the account of whoever evaluates on it. A search has an account of
 * its own, in its answer, and whoever asks adds it to theirs. Nothing is counted by estimate; tests/test_work.c counts jets
 * and tests from outside and compares. Nothing is begun that the limit can't end: what costs several units asks for all of
 * them before (work_may, side_spent), and what must come last is kept back (work_less).
 */
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

static inline void work_boxes(wit_work* w, int64_t n)
{
    w->boxes += n;
    w->units += n;
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
    work_boxes(w, on->boxes);
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

/* What a limit of units leaves when so much of it is kept back; 0: no limit, negative: nothing. */
static inline int64_t work_less(int64_t units, int64_t keep)
{
    return !units ? 0 : units > keep ? units - keep : -1;
}

/* May something that costs up to `cost` be begun, with at most so many nodes, and so many units (0: no limit)? */
static inline bool work_may(const wit_work* w, int64_t nodes, int64_t units, int64_t cost)
{
    return w->nodes < nodes && (!units || cost < work_left(w, units));
}

#endif
