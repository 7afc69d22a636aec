/* SPDX-License-Identifier: MIT */
#ifndef PAIR_LOWEST_PLACE_H
#define PAIR_LOWEST_PLACE_H

#include "side.h"

/*
 * The place named by the lowest feature it lies on: a face's border is its edge, an edge's end its vertex, an apex its
 * vertex. `slack` is the distance below which places are the same. p and the parameters become those of the feature.
 */
place wi_lowest_place(const side* s, const place* at, double slack);

#endif
