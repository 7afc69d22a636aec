/* SPDX-License-Identifier: MIT */
/*
 * Cones of normals and tangents, for nodes of the tree and for cells: which pairs cannot face each other.
 */
#ifndef QUERY_MINIMA_CONE_H
#define QUERY_MINIMA_CONE_H

#include "cell.h"

typedef struct cone_store {
    const cell_pool* pool;
    /* Per node of a side's tree: outward normals if only faces are below it, tangents if only edges; else the angle is
     * pi. In the frame of the search. Null: not known for inner nodes. */
    wit_cone* nodes[2];
    wit_cone* cells; /* per cell of the pool; angle < 0: not yet made */
    bool inside[2];  /* all that the body encloses belongs to it */
} cone_store;

/* nodes[k] has room for the body's node_count, or is null; cells as many as the pool. */
void wi_cone_store_start(cone_store* store, const cell_pool* pool, wit_cone* nodes_a, wit_cone* nodes_b,
                         wit_cone* cells);

/*
 * At a minimum above 0 the way between the places is along the normal of a face and across the tangent of an edge: two
 * normals are parallel, a normal and a tangent perpendicular. Crossing bodies are told by this: where they cross the
 * slopes change sign, but nothing is perpendicular. And between bodies the way leaves a solid along its outward normal.
 * Normals are regular at poles too, where slopes by the parameters say little.
 * True: no such minimum in the pair of cells.
 */
bool wi_cones_turned_away(cone_store* store, int a, int b);

/* A neighbour of the edge or vertex that a cell lies on leads closer to the other cell from everywhere. No inner nodes. */
bool wi_cones_lead_aside(cone_store* store, int a, int b);

#endif
