/* SPDX-License-Identifier: MIT */
/*
 * The leaves of a body's bounding tree: faces cut at their knot lines and halved while they bend too much or mix
 * inside and outside too much; edges cut likewise; vertices. Used while building only.
 */
#ifndef BODY_LEAVES_H
#define BODY_LEAVES_H

#include "tree.h"
#include "trim_tree.h"

/* Grows by doubling. Start from wi_leaf_list_empty, end with wi_leaf_list_release. */
typedef struct leaf_list {
    tree_node* nodes;
    leaf_bounds* bounds; /* of node i, whose index `bounds` is i */
    int count, capacity;
    wit_allocator allocator;
} leaf_list;

leaf_list wi_leaf_list_empty(const wit_allocator* allocator); /* null: malloc and free */
void wi_leaf_list_release(leaf_list* list);

/* The loops of a face. */
typedef struct face_trims {
    const trim_region* region;
    const void* block;
    const trim_curves* curves;
} face_trims;

/* Each appends the leaves of one feature. WIT_OK, or WIT_ERROR_MEMORY (also beyond 2^30 leaves); the list then holds
 * what it held before, and must still be released. */

/* The face's part u x v of the surface (closed parameters may run over the seam). `trims` null: all of the box is the
 * face. Otherwise boxes that are certainly outside are dropped, and tags are TRIM_IN or TRIM_MIXED. */
wit_status wi_leaves_of_face(const wit_surface* surface, wit_interval u, wit_interval v, const face_trims* trims,
                             int face, leaf_list* out);
wit_status wi_leaves_of_edge(const wit_curve* curve, wit_interval range, int edge, leaf_list* out);
wit_status wi_leaves_of_vertex(wit_vec3 point, int vertex, leaf_list* out);

#endif
