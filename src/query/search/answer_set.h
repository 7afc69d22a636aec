/* SPDX-License-Identifier: MIT */
/* The closest set around a pair that a search found. */
#ifndef QUERY_ANSWER_SET_H
#define QUERY_ANSWER_SET_H

#include "../search_task.h"

/* True, with *out filled (in the frame of the search), if the set is a curve or an area. May move the pair along the set to a
 * deterministic representative. `tolerance` is absolute. */
bool wi_closest_set(const search_task* task, search_answer* at, double tolerance, wit_closest_set* out);

#endif
