/* SPDX-License-Identifier: MIT */
/* A translation that surely separates two solids: what is said of their depth before it is known. */
#ifndef QUERY_SEPARATION_H
#define QUERY_SEPARATION_H

#include "../search_task.h"

/*
 * The length of a translation after which the bodies surely share no inner point: an upper bound of their depth, and the least
 * of h_a(n) + h_b(-n) over a few directions n, from their boxes (tolerances of edges counted); then, as far as the task
 * allows after *work, from their supports across `hint` (may be zero) and the best of the directions. Infinite: none is known.
 * Negative: a plane lies between them, and they do not overlap.
 */
double wi_separation(const search_task* task, wit_vec3 hint, wit_work* work);

/* The direction n, of which planar bodies, which leave each other within their plane, keep what lies in it (zero: nothing). */
wit_vec3 wi_way_out(const search_task* task, wit_vec3 n);

/* wi_separation from the boxes alone. */
double wi_separation_of_boxes(const search_task* task, wit_vec3 hint, wit_vec3* best, wit_work* work);

#endif
