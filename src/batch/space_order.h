/* SPDX-License-Identifier: MIT */
/*
 * Points in the order of Hilbert's curve through their box: those that follow each other are near each other, and the way
 * along all of them is short.
 */
#ifndef BATCH_SPACE_ORDER_H
#define BATCH_SPACE_ORDER_H

#include "../base/vec.h"

typedef struct ordered_item {
    uint64_t key;
    int64_t index; /* of the caller */
} ordered_item;

/* Where the point stands on the curve through the box: 36 bits. Points outside count as the nearest ones of the box. */
uint64_t wi_space_key(const wit_box* box, wit_vec3 p);

/* By key; equal ones stay as they stand. `spare` has room for as many. */
void wi_space_sort(ordered_item* items, ordered_item* spare, int64_t count);

#endif
