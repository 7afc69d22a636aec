/* SPDX-License-Identifier: MIT */
/* The finished tree of trims: what is in its block. */
#ifndef BODY_TRIM_RECORD_H
#define BODY_TRIM_RECORD_H

#include "trim_segment.h"

typedef enum trim_node_kind { NODE_LEAF, NODE_SPLIT_U, NODE_SPLIT_V } trim_node_kind;

/* Cell (i, j) of the grid is node grid[j * cells_u + i]; most cells have no segment, and share node 0 (out) or 1 (in). A box
 * is half open: lo <= u < hi, and likewise v. */
enum { NODE_OUT, NODE_IN, NODES_SHARED };

typedef struct trim_node {
    double split;  /* inner: children are nodes `first` (below) and `first` + 1 (from split on) */
    int32_t first; /* leaf: its first reference */
    uint32_t info; /* bit 0: the side of its lower left corner, 1 = in; bits 1, 2: kind; from bit 3: references */
} trim_node;

/*
 * A segment as seen from a box: its part over a <= u < b is where it is above the lower border. On the way along that
 * border the side changes at a when flip_a, at b when flip_b: there the segment comes up through it. The lower left
 * corner counts as passed, the right and upper borders are never reached.
 */
typedef struct trim_reference {
    double a, b;
    int32_t segment;
    uint16_t flip_a, flip_b;
} trim_reference;

static inline trim_node_kind node_kind(const trim_node* n)
{
    return (trim_node_kind)((n->info >> 1) & 3);
}

static inline uint32_t node_references(const trim_node* n)
{
    return n->info >> 3;
}

static inline uint32_t node_info(trim_node_kind kind, bool in, uint32_t references)
{
    return references << 3 | (uint32_t)kind << 1 | (in ? 1u : 0u);
}

static inline double grid_line(wit_interval box, double step, int k)
{
    return box.lo + k * step;
}

/* wi_trim_contains and wi_trim_classify with the curves of either source. */
bool wi_trim_inside(const trim_region* region, const void* block, const trim_source* source, double u, double v);

#endif
