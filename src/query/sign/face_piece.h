/* SPDX-License-Identifier: MIT */
/* Pieces of a face that are halved until they are small enough: those of the winding number and of nearby features. */
#ifndef QUERY_FACE_PIECE_H
#define QUERY_FACE_PIECE_H

#include "../../body/body_record.h"

enum { FACE_PIECE_DEPTH = 120 }; /* halvings: 2 x 53 bring any piece below rounding */

typedef struct face_piece {
    wit_interval u, v;
    int32_t depth;
    bool mixed;          /* a trim may run through it */
    double d1[2], d2[3]; /* bounds of derivatives, as in leaf_bounds */
} face_piece;

/* The middle of a piece and how far it reaches from there. */
typedef struct face_piece_view {
    wit_surface_jet jet;
    double linear; /* |S_u| h_u + |S_v| h_v, h the half widths */
    double bend;   /* remainder of second order: all of the piece is that near to the tangent plane */
    double radius; /* all of it is that near to the middle */
} face_piece_view;

face_piece wi_face_piece_of_leaf(const wit_body* body, const tree_node* leaf);
/* Before a piece is used: what trims leave of it. False: nothing. */
bool wi_face_piece_trim(const wit_body* body, int32_t face, face_piece* t, wit_work* work, int64_t units);
/* Bounds the derivatives anew: next to a pole those along it are far below the leaf's. Some microseconds. *normals (may be
 * null): the cone of S_u x S_v. */
void wi_face_piece_bound(const wit_surface* surface, face_piece* t, wit_cone* normals, wit_work* work);
/* By how much S_u x S_v may differ from that of the middle: a length of the vector product. */
double wi_face_piece_turn(const face_piece* t, const face_piece_view* view);
face_piece_view wi_face_piece_look(const wit_surface* surface, const face_piece* t, wit_hint* hint, wit_work* work);
/* Across its longer side. */
void wi_face_piece_halve(const face_piece* t, const face_piece_view* view, face_piece* lower, face_piece* upper);

#endif
