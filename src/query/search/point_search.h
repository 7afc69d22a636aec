/* SPDX-License-Identifier: MIT */
/* The nearest place of a body to a point. */
#ifndef QUERY_POINT_SEARCH_H
#define QUERY_POINT_SEARCH_H

#include "../search_task.h"

/* b of the task is a bare point. */
void wi_point_search(const search_task* task, search_answer* out);

/* Scratch bytes that serve a capacity. */
size_t wi_point_search_bytes(int capacity);

#endif
