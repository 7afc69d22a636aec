/* SPDX-License-Identifier: MIT */
/*
 * How deep two overlapping bodies are in each other.
 *
 * A translation of b by s n takes it out of a, n a unit vector, if s >= h_a(n) + h_b(-n): then a plane across n
 * separates them. For convex bodies the shortest way out is the least of that over all n: the depth. For others it is the
 * depth of their hulls: a translation that surely separates them, perhaps longer than needed.
 */
#ifndef QUERY_PENETRATION_H
#define QUERY_PENETRATION_H

#include "../search_task.h"

typedef struct penetration {
    wit_vec3 normal;     /* unit, from a to b: b leaves a along it */
    place a, b;          /* b.p - a.p = -depth normal, to rounding */
    double depth;        /* of the two places */
    double lower, upper; /* lower <= depth of the hulls <= upper */
    bool closed;         /* the bracket is within `tolerance` */
    bool apart;          /* a plane between the bodies was found instead: only the normal is set */
} penetration;

/*
 * The depth of the hulls of two bodies that overlap, in the frame of the task: the bracket is narrowed to `tolerance` (a
 * length), as far as the budget of the task goes; work is added to *work. False, with nothing else written, where no
 * translation separates them, as far as is known: both are unbounded, or one is and is no half-space. `convex`: both are
 * known to be, and closed forms for balls may be used.
 */
bool wi_penetration_search(const search_task* task, bool convex, double tolerance, wit_work* work, penetration* out);

/* Is there a plane between the bodies? True: one was found. A few steps, from the middles of their boxes. */
bool wi_plane_between(const search_task* task, wit_work* work);

/* penetration_answer.c */

/*
 * Do the solids overlap, seen from their support functions: convex ones, or a half-space and any body? True: they do, by
 * more than the tolerance, and *deep is filled. False says nothing.
 */
bool wi_overlap_first(const search_task* task, wit_work* work, penetration* deep);

/* Distance, bracket and witnesses of bodies that were found to overlap; out holds a common point. deep: of wi_overlap_first,
 * or null. */
void wi_overlap_answer(const search_task* task, search_answer* f, const penetration* deep, const wit_pose* frame,
                       wit_closest* out);

/* wi_direction_game.c: the best plane over a cell of directions. */
enum { GAME_POINTS = 12, GAME_CORNERS = 4 };

/*
 * Weights w >= 0 of the points p_i, their sum 1, such that the least of p.n_k over the corners, p = sum w_i p_i, is as large
 * as can be: a matrix game. Returns that least value for the weights as they are: right whatever the rounding in them.
 * *toward (may be null) is the other player's answer: where in the cell the largest of the p_i.n is least.
 */
double wi_direction_game(int points, const wit_vec3* p, int corners, const wit_vec3* n, double* weights,
                         wit_vec3* toward);

#endif
