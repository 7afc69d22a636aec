/* SPDX-License-Identifier: MIT */
/*
 * What a point sees of one leaf of a body's bounding tree: that nothing of it matters for a while, or its foot.
 *
 * The leaf is cut into cells until each is shown to be harmless, by its second-order model about the middle and the leaf's
 * bounds of the third derivatives, in one of two ways:
 *   it is farther than the witness. Both distances change by no more than the point moves, so that stays true while it
 *   moves by less than half the difference;
 *   F = |S - q|^2 / 2 has a slope of one sign along some parameter all over the cell. Then its least is at the border of the
 *   cell, which belongs to other cells, other leaves, edges or vertices. When the point moves by D the slope changes by no
 *   more than |D| (|S_i| + sum h_j |S_ij| + ...); so that stays true for a while too.
 * If some cell is not, the foot is found by Newton within the leaf: from where it was, or from the middle; if it ends at a
 * border of the leaf from both.
 */
#ifndef TRACK_LEAF_LOOK_H
#define TRACK_LEAF_LOOK_H

#include "../pair/side.h"

enum { LEAF_LOOK_MOST = 224 }; /* jets that it may take: cells, two descents of 8 steps that are damped 12 times each */

typedef struct leaf_view {
    double rest;  /* so far the point may move before the leaf has to be looked at again; 0: it has a foot of its own */
    double bound; /* no place of the leaf is nearer than this */
    bool foot;    /* x and p are its foot, and bound is its distance */
    double x[2];
    wit_vec3 p;
} leaf_view;

/* `q` in the frame of the body, which is not moved. x: where its foot was, or null. `distance`: of the witness. `size` is a
 * length to measure accuracies by. */
void wi_leaf_look(const side* body, wit_vec3 q, const tree_node* n, const double* x, double distance, double size,
                  leaf_view* out);

#endif
