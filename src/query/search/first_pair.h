/* SPDX-License-Identifier: MIT */
/* Pairs that an answer has whatever ends its search: one that is near, and one that costs next to nothing. */
#ifndef QUERY_FIRST_PAIR_H
#define QUERY_FIRST_PAIR_H

#include "../search_task.h"

/* Some place of the side near `to`: the first one that the way down the nearer boxes leads to. False: nothing counts, or the
 * work ends before. */
bool wi_first_place(const side* s, wit_vec3 to, place* out);

/* The work ended before a pair was looked at: any places of both sides, which are stored: a, b and upper. So many units must be left. */
enum { STORED_PAIR_UNITS = 4 };
void wi_stored_pair(const search_task* task, search_answer* out);

/* What is kept for the end of a search that has a pair: in rigorous mode an enclosure of each place. */
int64_t wi_kept_for_places(const search_task* task);

/* A distance between the places of an answer, with the errors of both that these enclosures tell. */
double wi_with_place_errors(const search_task* task, const search_answer* at, double distance);

#endif
