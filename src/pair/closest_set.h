/* SPDX-License-Identifier: MIT */
#ifndef PAIR_CLOSEST_SET_H
#define PAIR_CLOSEST_SET_H

#include "placed_pair.h"

/*
 * The closest set around a closest pair, polished and named by the lowest features. True, with *out filled (in the frame of the
 * pair), if it is a curve or an area; the pair is then moved along it to a representative that does not depend on where
 * it was. `tolerance`, absolute: how far the distance may rise along the set. *jets: allowed, then done.
 */
bool wi_walk_closest_set(const placed_pair* pair, place* a, place* b, double tolerance, int64_t* jets,
                         wit_closest_set* out);

#endif
