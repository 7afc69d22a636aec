/* SPDX-License-Identifier: MIT */
/*
 * Cones of normals and tangents, for nodes of the tree as well: which pairs cannot face each other.
 */
#ifndef QUERY_MINIMA_CONE_H
#define QUERY_MINIMA_CONE_H

#include "cell.h"

/* Per node of one side's tree: outward normals if only faces are below it, tangents if only edges; else the angle is
 * pi. In the frame of the search. Null: not known for inner nodes. */
typedef struct node_cones {
    const side* s;
    wit_cone* cones;
    bool inside; /* all that the body encloses belongs to it */
} node_cones;

/* Fills `cones` (room for the body's node_count; may be null). */
node_cones node_cones_of(const side* s, wit_cone* cones);

/*
 * At a minimum above 0 the way between the places is along the normal of a face and across the tangent of an edge: two
 * normals are parallel, a normal and a tangent perpendicular. Crossing bodies are told by this: where they cross the
 * slopes change sign, but nothing is perpendicular. And between bodies the way leaves a solid along its outward normal.
 * True: no such minimum in the pair.
 */
bool cones_turned_away(const node_cones* ca, const cell* a, const node_cones* cb, const cell* b);

/* A neighbour of the edge or vertex that a cell lies on leads closer to the other cell from everywhere. No inner nodes. */
bool cones_lead_aside(const node_cones* ca, const cell* a, const node_cones* cb, const cell* b);

#endif
