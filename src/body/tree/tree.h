/* SPDX-License-Identifier: MIT */
/*
 * The bounding tree of a body: boxes over pieces of faces, edges and vertices. Queries walk it; below a leaf they cut
 * the parameter box of the leaf further by themselves.
 */
#ifndef BODY_TREE_H
#define BODY_TREE_H

#include "../../../include/witness/body.h"

/* Upper bounds of the lengths of derivatives over a leaf, and the cone of its normals (edge: of its tangents). An edge
 * uses the first entry of each; a vertex has zeros. */
typedef struct leaf_bounds {
    double d1[2]; /* |S_u|, |S_v| */
    double d2[3]; /* |S_uu|, |S_uv|, |S_vv| */
    double d3[4]; /* |S_uuu|, |S_uuv|, |S_uvv|, |S_vvv| */
    wit_cone cone;
} leaf_bounds;

typedef struct tree_node {
    wit_box box;         /* of all points of the node; tolerances of edges and vertices not included */
    int32_t child[2];    /* inner node: both children; leaf: -1, -1 */
    int32_t feature;     /* leaf: id of the face, edge or vertex; inner: -1 */
    int32_t bounds;      /* leaf: index of its leaf_bounds; inner: -1 */
    uint8_t kind;        /* leaf: wit_feature_kind */
    uint8_t tag;         /* leaf of a face: trim_tag IN or MIXED */
    uint8_t kinds_below; /* bit set of wit_feature_kind in this subtree: masks */
    wit_interval u, v;   /* leaf: parameter box of the face; edge: its t in u; vertex: zero */
} tree_node;

/* Builds over the leaves: box, feature, bounds, kind, tag and parameters are copied, the rest is set. nodes has room for 2 *
 * count - 1 (and does not overlap leaves); node 0 is the root. Returns the number of nodes, 2 * count - 1. Splits by
 * the median along the longest axis of the centres: n log n, depth log2 n. No allocation; same leaves, same tree. */
int wi_tree_build(const tree_node* leaves, int count, tree_node* nodes);

/* A walk down the tree, depth first: whoever walks says at each inner node whether its children are to be looked at. */
enum { TREE_DEPTH = 64 };
typedef struct tree_walk {
    int32_t open[TREE_DEPTH];
    int count;
} tree_walk;

static inline void tree_walk_start(tree_walk* w, int node_count)
{
    w->count = 0;
    if (node_count) w->open[w->count++] = 0;
}

static inline int32_t tree_walk_next(tree_walk* w)
{
    return w->open[--w->count];
}

/* The child `first` of the node next, then the other. False: no room, which no tree of wi_tree_build needs. */
static inline bool tree_walk_down(tree_walk* w, const tree_node* node, int first)
{
    if (w->count + 2 > TREE_DEPTH) return false;
    w->open[w->count++] = node->child[1 - first];
    w->open[w->count++] = node->child[first];
    return true;
}

#endif
