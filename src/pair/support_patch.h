/* SPDX-License-Identifier: MIT */
/*
 * What a body offers to a contact: of the features that meet at a place the flat or straight one that stands across the
 * contact's normal, or leans against it by no more than an angle. A plane face is an area, a straight edge or a
 * ruling of a cylinder, a cone or an extrusion a line.
 */
#ifndef PAIR_SUPPORT_PATCH_H
#define PAIR_SUPPORT_PATCH_H

#include "side.h"

typedef enum patch_kind { PATCH_POINT, PATCH_LINE, PATCH_AREA } patch_kind;

typedef struct support_patch {
    patch_kind kind;
    int32_t face;    /* AREA, and of a ruling; else -1 */
    int32_t edge;    /* a line that is an edge; else -1 */
    double lean;     /* cosine to the normal of an area, sine of a line */
    wit_vec3 o, n;   /* AREA: a point of the plane, its outward normal; frame of the search */
    wit_vec3 end[2]; /* LINE: its ends, likewise, */
    double t[2];     /* the parameter there: of the edge, or v, */
    double u;        /* and of a ruling */
} support_patch;

/* What is asked: the place of the contact on the side, the normal out of the side there, and sine and cosine of
 * the angle. */
typedef struct patch_query {
    const place* at;
    wit_vec3 outward;
    double sine, cosine;
} patch_query;

void wi_support_patch(const side* s, const patch_query* q, support_patch* out);

/* The edge is a straight line between its vertices, by its kind, and its parameter is linear in length. */
bool wi_edge_straight(const wit_body* b, int32_t edge);

/* The place of a face's plane where p is, which lies on it. */
place wi_plane_place(const side* s, int32_t face, wit_vec3 p);

#endif
