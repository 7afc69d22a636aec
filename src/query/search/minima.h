/* SPDX-License-Identifier: MIT */
/* Every local minimum of the distance. */
#ifndef QUERY_MINIMA_H
#define QUERY_MINIMA_H

#include "../search_task.h"

/* Up to task->within, ascending; `out` in the frame of the search, distances unsigned. */
void wi_minima_search(const search_task* task, wit_minimum* out, int capacity, wit_minima_summary* summary);

/* Scratch bytes that serve a capacity. */
size_t wi_minima_search_bytes(int capacity);

#endif
