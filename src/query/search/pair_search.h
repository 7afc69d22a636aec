/* SPDX-License-Identifier: MIT */
/* The closest pair of two bodies. */
#ifndef QUERY_PAIR_SEARCH_H
#define QUERY_PAIR_SEARCH_H

#include "../search_task.h"

void wi_pair_search(const search_task* task, search_answer* out);

/* Scratch bytes that serve a capacity. */
size_t wi_pair_search_bytes(int capacity);

#endif
