/* SPDX-License-Identifier: MIT */
/*
 * The points that hold a contact which conforms, or nearly does: the corners of what the support patches of both
 * sides have in common, seen along the normal of one of them. Each has the distance that the patches have there.
 *
 * Nothing is clipped piece by piece: a corner is a vertex of one outline in the other patch, a place where two
 * outlines cross, or, where an edge is curved, its farthest place along and across the way in which the patches
 * lean. That holds for outlines of any shape, with holes too.
 */
#ifndef PAIR_PATCH_CORNERS_H
#define PAIR_PATCH_CORNERS_H

#include "patch_outline.h"

enum { CORNERS_MOST = 64, CORNERS_KEPT = 16 };

typedef struct patch_corner {
    place at[2]; /* b's point lies along the normal from a's */
    wit_vec3 normal;
    double x, y; /* in the plane of the view */
} patch_corner;

typedef struct patch_corners {
    int count;    /* 0: the pair alone; of more than CORNERS_KEPT the farthest out are kept */
    double loose; /* a length: the closest pair may be so far from the corner that it is */
    bool partial; /* outlines with too many pieces, or too little work: nothing is given */
    patch_corner c[CORNERS_MOST];
} patch_corners;

/* A contact: a place on each side, with its point, and the normal from a to b; all in the frame of the search. */
typedef struct patch_pair {
    const side* side[2];
    const place* at[2];
    wit_vec3 normal;
    double sine, cosine; /* of how far a patch may lean */
    double size;         /* of the smaller body */
} patch_pair;

void wi_patch_corners(const patch_pair* q, patch_corners* out);

/* axis_corners.c: of two cylinders, one in the other or side by side. False: they are none. */
bool wi_axis_corners(const patch_pair* q, const support_patch patch[2], patch_corners* out);

/* Adds one, unless it is where another is. */
void wi_corner_add(const patch_pair* q, const patch_corner* c, patch_corners* out);

#endif
