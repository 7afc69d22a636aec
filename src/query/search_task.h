/* SPDX-License-Identifier: MIT */
/* What a search is asked, and what it hands back; distances unsigned, in the frame of the search. */
#ifndef QUERY_SEARCH_TASK_H
#define QUERY_SEARCH_TASK_H

#include "../base/work.h"
#include "../pair/placed_pair.h"

/* A block of scratch memory, 16-byte aligned. Searches lay out what they need in it (base/arena.h). */
typedef struct scratch {
    void* memory;
    size_t bytes;
} scratch;

typedef struct search_task {
    union {
        placed_pair pair;
        struct {          /* the same */
            side a, b;    /* b of a point query: a bare point */
            double size;  /* of the smaller body */
            double floor; /* absolute: rounding of the coordinates in play; brackets need not be narrower */
        };
    };
    double
        model_error; /* of both bodies: vertices, seams, edges; 0 where it is below what is not counted: not in rigorous mode */
    double tolerance; /* relative to max(upper bound, size) */
    double within;
    bool swapped; /* pairs: a is the second body of the caller */
    bool rigorous;
    bool strict;    /* the model's own tolerance is not added to the one asked for */
    bool apart;     /* pairs: neither solid holds the other; then what faces away from the other is not closest */
    bool in_step;   /* asked by a tracker: what only narrows the answer is left out */
    int64_t budget; /* of nodes */
    int64_t units;  /* nodes, jets, tests and boxes together; 0: no limit, negative: nothing */
    wit_work*
        work; /* the account, that of both sides too; a search has its own (task_of_search), which whoever asks adds */
    scratch memory;
} search_task;

/* May the search go on after this much work? */
static inline bool task_may(const search_task* t, const wit_work* w)
{
    return work_may(w, t->budget, t->units, 0);
}

/* What one more step of a search may take, and what ends it: the cut that is begun, polishing, naming. */
enum { SEARCH_END_UNITS = 64 };

/* May it begin what costs up to so many units? */
static inline bool task_may_spend(const search_task* t, const wit_work* w, int64_t units)
{
    return work_may(w, t->budget, t->units, units);
}

/* What the task may use from now on: all of `units` but those that are kept back. */
static inline void task_limit(search_task* t, int64_t units, int64_t keep)
{
    t->units = t->a.units = t->b.units = work_less(units, keep);
}

/* The task with what is left of its allowance after this much work. */
static inline search_task task_rest(const search_task* t, const wit_work* w)
{
    search_task r = *t;
    r.budget = t->budget - w->nodes;
    r.units = work_less(t->units, w->units);
    return r;
}

/* The same less what is kept for the end of a query: the closest set, the side, a translation that separates. */
static inline search_task task_keeping(const search_task* t, const wit_work* w)
{
    enum { KEPT = 6000 };
    search_task r = task_rest(t, w);
    int64_t keep = r.units / 3 < KEPT ? r.units / 3 : KEPT;
    if (!t->in_step && t->units) r.units -= keep;
    return r;
}

/* The same with no more than `most` of it. */
static inline search_task task_share(const search_task* t, const wit_work* w, int64_t most)
{
    search_task r = task_rest(t, w);
    if (r.budget > most) r.budget = most;
    if (!r.units || r.units > most) r.units = most;
    return r;
}

/* The task with an account of its own, for a search. */
static inline search_task task_of_search(const search_task* t, wit_work* work)
{
    search_task own = *t;
    own.work = own.a.work = own.b.work = work;
    own.a.units = own.b.units = t->units;
    return own;
}

/*
 * The searches run with the poses as computed, and their brackets are of bodies that stand there. The true bodies stand off by
 * the errors of both sides at most, and a distance changes by no more than its points do: this is charged to the bracket
 * once, at the end. The errors hold one evaluation of R p + t too, so bounds from moved boxes and supports need not count it.
 * In the same way the searches take the points of vertices for exact, seams for closed, and edges for no farther from their
 * faces than their tolerance.
 */
static inline double task_error(const search_task* t)
{
    return t->a.error + t->b.error + t->model_error;
}

/* The width of bracket that was asked for when the upper bound is `upper`. */
static inline double task_asked(const search_task* t, double upper)
{
    return t->tolerance * (upper < t->size || !(upper < INFINITY) ? t->size : upper);
}

/* What the search aims at: no less than rounding allows. Errors that will be charged are left room for, where they are not
 * small: rigorous, to both ends; else so that the distance, which is one of the ends or between them, is within what was asked
 * for of the truth. */
static inline double task_tolerance(const search_task* t, double upper)
{
    double w = task_asked(t, upper), error = task_error(t);
    if (20 * error > w) w -= (t->rigorous ? 2 : 1) * error;
    return w > t->floor ? w : t->floor;
}

/* Do surfaces of either body stand for others, off by a length that was only estimated? Nothing is certified then. */
static inline bool task_is_estimate(const search_task* t)
{
    return t->a.body->shape_tolerance > 0 || (t->b.body && t->b.body->shape_tolerance > 0);
}

/* Is a bracket of this width, of which the model's own tolerance accounts for `slack`, as narrow as was asked for? */
static inline bool task_certifies(const search_task* t, double width, double upper, double slack)
{
    return width <= task_tolerance(t, upper) + (t->strict ? 0 : slack);
}

typedef enum search_end {
    SEARCH_CLOSED,   /* the bracket is narrow enough */
    SEARCH_BEYOND,   /* lower bound above the cut-off and nothing found below it: places unset */
    SEARCH_BUDGET,   /* work or memory used up */
    SEARCH_CROSSING, /* pairs: the surfaces cross (or a sheet is pierced) at a = b, proved by a transversal crossing */
    SEARCH_EMPTY     /* no feature counts */
} search_end;

typedef struct search_answer {
    search_end end;
    double lower,
        upper; /* of the distance between the boundaries, unsigned; upper is |a.p - b.p|, in rigorous mode with the errors of
                            both places */
    double
        slack; /* tolerance of edges and vertices that had to be subtracted from lower: the bracket can't be narrower */
    bool full; /* memory ended: pieces were left out that might hold something nearer */
    place a, b;    /* polished; named by the lowest feature */
    bool isolated; /* a lies within a face, and the distance bends up from it every way: no closest set to look for */
    wit_work work;
} search_answer;

#endif
