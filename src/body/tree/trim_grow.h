/* SPDX-License-Identifier: MIT */
/* The grid and the trees below it, grown over segments that are laid out. Sides are relative to the lower left corner
 * of the grid, which counts as out. */
#ifndef BODY_TRIM_GROW_H
#define BODY_TRIM_GROW_H

#include "trim_record.h"

typedef struct trim_growth {
    const trim_segment* segments;
    trim_source source;
    trim_region* region; /* grid and segment count are set */
    const wit_allocator* memory;
    list nodes, references, work; /* trim_node, trim_reference, trim_reference */
    list grid;                    /* int32_t: which node a cell is */
    int below, most_below;        /* nodes below those of the grid */
    bool failed;                  /* no memory */
} trim_growth;

void wi_trim_grow(trim_growth* g);

#endif
