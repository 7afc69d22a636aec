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
    double tolerance; /* relative to max(upper bound, size) */
    double within;
    bool swapped; /* pairs: a is the second body of the caller */
    bool rigorous;
    bool apart;     /* pairs: neither solid holds the other; then what faces away from the other is not closest */
    int64_t budget; /* of nodes */
    int64_t units;  /* nodes and jets together; 0: no limit */
    scratch memory;
} search_task;

/* May the search go on after this much work? */
static inline bool task_may(const search_task* t, const wit_work* w)
{
    return work_may(w, t->budget, t->units, 0);
}

/* May it begin what costs up to so many units? */
static inline bool task_may_spend(const search_task* t, const wit_work* w, int64_t units)
{
    return work_may(w, t->budget, t->units, units);
}

/* The width of bracket that is asked for when the upper bound is `upper`. */
static inline double task_tolerance(const search_task* t, double upper)
{
    double scale = upper < t->size || !(upper < INFINITY) ? t->size : upper;
    double w = t->tolerance * scale;
    return w > t->floor ? w : t->floor;
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
    double slack;  /* tolerance of edges that had to be subtracted from lower: the bracket can't be narrower */
    place a, b;    /* polished; named by the lowest feature */
    bool isolated; /* a lies within a face, and the distance bends up from it every way: no closest set to look for */
    wit_work work;
} search_answer;

/* wi_point_search.c: b is a bare point. */
void wi_point_search(const search_task* task, search_answer* out);
/* Scratch bytes that serve a capacity. */
size_t wi_point_search_bytes(int capacity);

/* pair_search.c */
void wi_pair_search(const search_task* task, search_answer* out);
size_t wi_pair_search_bytes(int capacity);

/* sign.c: is the point (in the frame of the search) inside the solid, or behind the sheet? `nearest` is the closest place,
 * `distance` its unsigned distance, which may exceed the true one by `gap` (upper - lower). Returns -1 inside (behind), +1
 * outside (before), 0 unsigned; *how says by what. */
int wi_point_sign(const side* s, wit_vec3 point, const place* nearest, double distance, double gap, wit_sign* how);

/* The same by the normals around the place alone, which takes bounded work. *decided false: they do not tell. */
int wi_point_sign_near(const side* s, wit_vec3 point, const place* nearest, double distance, bool* decided);

/* answer_set.c: the closest set around a pair that was found. True, with *out filled (in the frame of the search), if it
 * is a curve or an area. May move the pair along the set to a deterministic representative. `tolerance` is absolute. */
bool wi_closest_set(const search_task* task, search_answer* at, double tolerance, wit_closest_set* out);

/* minima.c: every local minimum up to task->within, ascending; `out` in the frame of the search, distances unsigned. */
void wi_minima_search(const search_task* task, wit_minimum* out, int capacity, wit_minima_summary* summary);
size_t wi_minima_search_bytes(int capacity);

/*
 * wi_closed_bound.c: a lower bound of the distance between the complete analytic shapes that two features lie on (all of the
 * plane, cylinder, cone, sphere, torus, line, circle; a vertex or a point is itself); 0 where no closed form is known.
 * Exact, to rounding, where one of them is a point, and for spheres, parallel and coaxial pairs: there closest sets are
 * curves or areas that no subdivision can afford.
 */
double wi_closed_bound(const side* a, wit_feature_kind kind_a, int id_a, const side* b, wit_feature_kind kind_b,
                       int id_b);
/* The same for a point given directly. */
double wi_closed_bound_point(const side* a, wit_feature_kind kind_a, int id_a, wit_vec3 point);

#endif
