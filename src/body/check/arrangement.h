/* SPDX-License-Identifier: MIT */
/*
 * Cutting a region of the (u, v) plane by curves into faces.
 *
 * The region lies to the left of its border curves (one side); cut curves have faces on both sides. Where curves meet
 * they are split into arcs; ends of arcs that lie together are one node. Arcs of cuts outside the region, beside another
 * arc or with a loose end are left out. Faces are found by turning right at every node: from the way back, clockwise to
 * the first arc that leaves.
 *
 *     wi_arrangement_begin, wi_arrangement_add for each curve, wi_arrangement_cross;
 *     (read, change, add splits: a border may have to be split where its other face is cut);
 *     wi_arrangement_build; read arcs, nodes, faces; wi_arrangement_end.
 */
#ifndef BODY_ARRANGEMENT_H
#define BODY_ARRANGEMENT_H

#include "uv_curve.h"

typedef struct arrangement_curve {
    uv_curve s;
    bool border;   /* one side only: the region is to its left, seen along t or, if reversed, against it */
    bool reversed; /* border: the loop runs from `to` to `from` */
    bool filtered; /* parts of it may lie outside the region: asked for. Cuts always are */
    int node[2];   /* names of the nodes at from and to, known beforehand: the same name, the same node. -1: by place */
    int tag;       /* the caller's */
} arrangement_curve;

typedef struct arrangement_split {
    int curve;
    double t;
} arrangement_split;

typedef struct arrangement_arc {
    int curve;
    double from, to;
    int node[2];
    bool used;   /* part of a face */
    double r;    /* scaled size: the largest distance of sampled points from its start */
    int face[2]; /* to the left seen along t, to the right; -1 where there is none */
} arrangement_arc;

typedef struct arrangement_node {
    double p[2];
    int name;  /* -1: none */
    int first; /* outgoing half arcs, in `around` */
    int count;
    int group; /* nodes that hang together by arcs */
} arrangement_node;

/* Passages: 2 * arc, + 1 against t. */
typedef struct arrangement_loop {
    int first, count; /* in `passages` */
    double area;      /* scaled; positive for the outer loop of a face */
    int face;
} arrangement_loop;

typedef struct arrangement {
    wit_allocator memory;
    double width[2], tolerance;
    list curves, splits, arcs, nodes, around, passages, loops;
    int faces;
    int loose;     /* arcs of cuts that were left out because they end nowhere */
    bool doubtful; /* meeting points of two curves may be missing */
    bool failed;   /* no memory */
} arrangement;

/* tolerance: relative to the widths; curves that come as close as that meet. */
void wi_arrangement_begin(arrangement* a, const double width[2], double tolerance, const wit_allocator* memory);
void wi_arrangement_end(arrangement* a);
int wi_arrangement_add(arrangement* a, const arrangement_curve* s); /* its index, -1 without memory */
wit_status wi_arrangement_cross(arrangement* a);
wit_status wi_arrangement_split_at(arrangement* a, int curve, double t);

/* Is the point inside the region? */
typedef bool arrangement_inside(const double p[2], void* user);
/* WIT_ERROR_RANGE when a loop cannot be closed or a hole lies in no face. */
wit_status wi_arrangement_build(arrangement* a, arrangement_inside* inside, void* user);

LIST_OF(arrangement_curve, arrangement, curves)
LIST_OF(arrangement_arc, arrangement, arcs)
LIST_OF(arrangement_node, arrangement, nodes)
LIST_OF(arrangement_loop, arrangement, loops)
static inline int arrangement_passage(const arrangement* a, int i)
{
    return *LIST_AT(int, a->passages, i);
}

#endif
