/* SPDX-License-Identifier: MIT */
/* Two sides in one frame, and the lengths by which places on them are told apart. */
#ifndef PAIR_PLACED_PAIR_H
#define PAIR_PLACED_PAIR_H

#include "side.h"

typedef struct placed_pair {
    side a, b;    /* b may be a bare point */
    double size;  /* of the smaller body */
    double floor; /* a length: rounding of the coordinates in play */
} placed_pair;

#endif
