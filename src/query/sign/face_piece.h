/* SPDX-License-Identifier: MIT */
/* Pieces of a face that are halved until they are small enough: those of the winding number and of bystanders. */
#ifndef QUERY_FACE_PIECE_H
#define QUERY_FACE_PIECE_H

#include "../../body/body_record.h"

enum { TILE_DEPTH = 120 }; /* halvings: 2 x 53 bring any tile below rounding */

typedef struct tile {
    wit_interval u, v;
    int32_t depth;
    bool mixed;          /* a trim may run through it */
    double d1[2], d2[3]; /* bounds of derivatives, as in leaf_bounds */
} tile;

/* The middle of a tile and how far it reaches from there. */
typedef struct tile_view {
    wit_surface_jet jet;
    double linear; /* |S_u| h_u + |S_v| h_v, h the half widths */
    double bend;   /* remainder of second order: all of the tile is that near to the tangent plane */
    double radius; /* all of it is that near to the middle */
} tile_view;

tile tile_of_leaf(const wit_body* body, const tree_node* leaf);
/* Before a tile is used: what trims leave of it. False: nothing. */
bool tile_settle(const wit_body* body, int32_t face, tile* t);
/* Bounds the derivatives anew: next to a pole those along it are far below the leaf's. Some microseconds. */
void tile_bound(const wit_surface* surface, tile* t);
tile_view tile_look(const wit_surface* surface, const tile* t, wit_hint* hint);
/* Across its longer side. */
void tile_halve(const tile* t, const tile_view* view, tile* lower, tile* upper);

#endif
