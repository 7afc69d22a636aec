/* SPDX-License-Identifier: MIT */
/*
 * From where a node of the bounding tree can be closest, for a body whose faces all look outwards: the way from a place
 * of it to the nearest point of something else lies in a cone.
 */
#ifndef BODY_NODE_CONE_H
#define BODY_NODE_CONE_H

#include "../../../include/witness/base.h"

struct wit_body;

typedef struct node_cone {
    wit_vec3 axis; /* unit, outwards */
    double cosine; /* of the half angle, rounded down; -1: any direction */
} node_cone;

/* One per node of the tree. A face: its normals. An edge of two faces: between their normals, if these differ by less
 * than a straight angle. A vertex: any. An inner node: about those of its children. */
void wi_node_cones_fill(const struct wit_body* body, node_cone* out);

#endif
