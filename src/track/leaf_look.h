/* SPDX-License-Identifier: MIT */
/*
 * What a point sees of one leaf of a body's bounding tree, with as little work as says enough:
 *   a lower bound of its distance, from a second-order model about the middle and the leaf's bounds of the third derivatives;
 *   or that F = |S - q|^2 / 2 has a slope of one sign along some parameter all over the leaf. Then its least is at its border,
 *   which belongs to other leaves (of the face, or of its edges; of the edge, or of its vertices): it need not be looked
 *   at. With D the way that the point moves, the slope changes by no more than |D| (|S_i| + sum h_j |S_ij| + ...);
 *   so that stays true for a while;
 *   or its foot, by Newton within the leaf. Where the model does not show that there is only one, from two starts.
 */
#ifndef TRACK_LEAF_LOOK_H
#define TRACK_LEAF_LOOK_H

#include "../query/side.h"

enum { LEAF_LOOK_MOST = 100 }; /* jets that it may take */

typedef struct leaf_view {
    double bound; /* no place of the leaf is nearer */
    double hold;  /* so far the point may move before the leaf can have a least place inside; 0: it may have one now */
    bool foot;    /* x and p are its foot, and bound is its distance */
    double x[2];
    wit_vec3 p;
    int jets;
} leaf_view;

/* `q` in the frame of the body, which is not moved. x: where its foot was, or null. Nothing more is done once the bound reaches
 * `below`. `size` is a length to measure accuracies by. */
void leaf_look(const side* body, wit_vec3 q, const tree_node* leaf, const double* x, double below, double size,
               leaf_view* out);

#endif
