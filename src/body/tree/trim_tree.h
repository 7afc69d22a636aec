/* SPDX-License-Identifier: MIT */
/*
 * Which part of the (u, v) plane a face is: its loops cut into segments that are monotone in u and in v, a grid of
 * parameter boxes over them, and small trees below the boxes with many segments. A box without segments is all IN or
 * all OUT; a MIXED one knows the side of its lower left corner, and decides for another point by counting the segments
 * that are crossed on the way along its lower border and then upwards.
 *
 * Parity along a way from a place whose side is known needs no outside at infinity, so it serves surfaces that are
 * closed in one or both directions as well; only one such place needs the loops' orientation (the face lies to the
 * left).
 */
#ifndef BODY_TRIM_TREE_H
#define BODY_TRIM_TREE_H

#include "../../base/work.h"
#include "../../geom/shape.h"

typedef enum trim_tag { TRIM_IN, TRIM_OUT, TRIM_MIXED } trim_tag;

/* One passage of a loop, in the direction of the loop: from parameter `from` to `to` of the curve (to < from:
 * backwards). */
typedef struct trim_passage {
    const wit_curve* curve;
    double from, to;
} trim_passage;

typedef struct trim_input {
    wit_interval u, v; /* range of the surface */
    bool closed_u, closed_v;
    int loop_count;
    const int* loop_sizes;        /* passages per loop, all loops one after the other in `passages` */
    const trim_passage* passages; /* loops are closed up to whole periods of closed parameters */
    double gap_u, gap_v;          /* how far the ends of passages may be apart, in parameters */
} trim_input;

/* The finished tree, in a block of its own or inside a body's. Offsets are from the `block` that callers pass along. */
typedef struct trim_region {
    int32_t segment_count, node_count, reference_count;
    size_t segments, nodes, references, grid; /* offsets; see trim_record.h */
    wit_interval u, v; /* box of the face: within the range of the surface, tight where loops end it; a closed parameter
                          may run over its seam */
    bool closed_u, closed_v;
    double period_u, period_v;   /* 0 where not closed */
    wit_interval grid_u, grid_v; /* the box of the grid: one period, or all loops with a margin */
    int32_t cells_u, cells_v;
    double step_u, step_v;       /* size of a cell */
    double inverse_u, inverse_v; /* 1 / step */
} trim_region;

/* Builds in memory of the allocator; *block and *bytes get the one block to copy and release. The curves of the
 * passages are told apart by their index: `segments` hold the index of the passage, and trim_curves supplies them when
 * asking. Refuses loops that do not close within the gaps, with the item
 * "loops[i].uses[j]", j the use that does not begin where the one before it ends; loops whose sides contradict each
 * other, with "loops[i]". */
wit_status wi_trim_build(const trim_input* in, const wit_allocator* allocator, void** block, size_t* bytes,
                         trim_region* out, wit_error* error);

/* How a finished tree finds the curve of passage i: base + the size_t at first + i * stride; with a null base there are
 * pointers to curves in place of the size_t. */
typedef struct trim_curves {
    const char* base;  /* of the body, or null */
    const char* first; /* address of the first passage's offset or pointer */
    size_t stride;     /* bytes between one and the next */
    wit_work* work;    /* evaluations are counted there; null: nowhere */
    int64_t units;     /* that the account may reach: then a place is in no face, and a box is mixed; 0: no limit */
} trim_curves;

/* Has the account reached its limit? */
static inline bool trim_spent(const trim_curves* c)
{
    return c && c->work && c->units && c->work->units >= c->units;
}

/* Is (u, v) inside? Closed parameters are wrapped first; false for NaN. `block` is what wi_trim_build made, or its
 * copy. */
bool wi_trim_contains(const trim_region* region, const void* block, const trim_curves* curves, double u, double v);
/* What a parameter box is: IN or OUT only if that is certain for all of it. */
trim_tag wi_trim_classify(const trim_region* region, const void* block, const trim_curves* curves, wit_interval u,
                          wit_interval v);
/* About how many segments begin in the box: at least 1 where one may run through; no more than `most` are counted. */
int wi_trim_crowd(const trim_region* region, const void* block, wit_interval u, wit_interval v, int most);

#endif
