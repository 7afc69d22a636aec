/* SPDX-License-Identifier: MIT */
/*
 * Pieces of faces and edges as a point sees them: F(x) = |S(x) - q|^2 / 2 over a parameter box, bounded from below, shown
 * to have no stationary place, or solved. Used by point_search.c. All bounds are squares of distances.
 */
#ifndef QUERY_POINT_CELL_H
#define QUERY_POINT_CELL_H

#include "../../base/interval.h"
#include "../../base/open_list.h"
#include "../search_task.h"

/* A piece of a face or an edge, with upper bounds of its derivatives as in leaf_bounds. An edge has v = [0, 0]. */
typedef struct point_cell {
    double lo[2], hi[2];
    double d1[2], d2[3], d3[4];
    int32_t feature;
    int32_t next;  /* in the list of free cells */
    uint8_t kind;  /* wit_feature_kind */
    uint8_t tag;   /* trim_tag */
    uint8_t depth; /* halvings since the leaf */
    uint8_t split; /* which parameter to halve next */
    bool uneven;   /* its derivatives are bounded loosely: perhaps it ends at a pole, or its weights differ much */
    bool pieces;   /* of a feature that has creases, perhaps: see crease.h */
} point_cell;

/* The nearest place so far. */
typedef struct point_best {
    double square; /* of its distance; infinite: none yet */
    wit_feature_kind kind;
    int32_t id;
    double u, v;
} point_best;

typedef struct point_run {
    const search_task* task;
    const wit_body* body;
    wit_vec3 q; /* in the body's frame */
    bool rigorous;
    bool eager; /* see wi_point_keep */
    point_best best;
    double keep; /* what is known to be at least this (squared) away is dropped */
    open_list open;
    /* Cells without a stationary place end at edges, which stand for the border up to a tolerance: the smallest bound of such
     * cells, squared, and the largest tolerance. */
    double border_least, border_tolerance;
    wit_hint hint;
    wit_work* work; /* the task's */
} point_run;

static inline double square_of(double x)
{
    return x * x;
}

static inline void run_drop(point_run* s, double bound)
{
    open_leave_out(&s->open, bound);
}

/* Sets `keep` from the nearest place and the tolerance; wi_point_relax: to the tolerance asked for, once it is no longer cheap to do better. */
void wi_point_keep(point_run* s);
void wi_point_relax(point_run* s);

/* A place on a feature that counts, `square` from q: taken if it is nearer and within the trims. True if taken. */
bool wi_point_offer(point_run* s, wit_feature_kind kind, int id, double u, double v, double square);

/* Newton's descent from (u, v) over the whole feature; offers where it ends. Steps that gain less than `gain` of distance
 * end it. */
void wi_point_descend(point_run* s, wit_feature_kind kind, int id, double u, double v, double gain);

/*
 * A whole leaf in its box, by its cone alone: no place of it is stationary, and its border is other cells or exact edges. Not
 * decided in rigorous mode.
 */
bool wi_point_turned_away(const point_run* s, const point_cell* cell, const wit_box* box, const wit_cone* cone);

enum { EXAMINE_UNITS = 2 }; /* must be left to examine a cell: the node and its middle */

/* Bounds a cell that is at least `bound` away. True: it must be halved along cell->split, and *out is its bound. False: it
 * is done with, and what it means for the lower bound is in the run. */
bool wi_point_examine(point_run* s, point_cell* cell, double bound, double* out);

/* The nearest place, converged to rounding; a saddle is left downhill. True: it is on a face, and F bends up there every way
 * by clearly more than rounding, in arc length. */
bool wi_point_polish(point_run* s);

#endif
