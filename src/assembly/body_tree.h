/* SPDX-License-Identifier: MIT */
/*
 * A tree of boxes over many bodies: halved at the middle body of the longest side, so that it is as deep as log n, and
 * without pointers. The node over the bodies order[lo .. hi) stands before its halves: with mid = (lo + hi) / 2 the left
 * one is the next, the right one comes after the 2 (mid - lo) - 1 nodes of the left.
 */
#ifndef ASSEMBLY_BODY_TREE_H
#define ASSEMBLY_BODY_TREE_H

#include "../../include/witness/base.h"

typedef struct tree_key {
    double at;
    int body;
} tree_key;

typedef struct body_tree {
    int count;
    const wit_box* boxes; /* of the bodies */
    wit_box* nodes;       /* 2 count - 1 */
    tree_key* keys;       /* count: the order of the leaves */
} body_tree;

/* Its memory and boxes are set. */
void wi_body_tree_build(body_tree* tree);

/* Bodies after `body` whose boxes are within a distance of its box, handed on in no order of use. */
typedef void tree_visit(void* user, int other);
void wi_body_tree_near(const body_tree* tree, int body, double within, tree_visit* visit, void* user);

/* Proved: points of one box are farther than `within` from all of the other. */
bool wi_boxes_apart(const wit_box* a, const wit_box* b, double within);

#endif
