/* SPDX-License-Identifier: MIT */
/*
 * The outline of a support patch, seen along the normal of a contact: pieces of its edges in a plane across it,
 * straight ones whole, curved ones as chords.
 */
#ifndef PAIR_PATCH_OUTLINE_H
#define PAIR_PATCH_OUTLINE_H

#include "support_patch.h"

enum { OUTLINE_MOST = 512, CHORDS = 16 };

/* The plane in which both patches are seen: x = (p - o).e1, y = (p - o).e2, and the height along n. */
typedef struct patch_view {
    wit_vec3 o, e1, e2, n;
    double size; /* of the smaller body: places nearer than parts of it are one */
} patch_view;

typedef struct outline_piece {
    double x[2], y[2]; /* from, to */
    double t[2];       /* the parameter of the edge there, or v of a ruling */
    int32_t edge;      /* -1: a ruling */
    int32_t vertex;    /* where it begins; -1: in the middle of an edge */
    bool curved;       /* a chord */
    bool forward;      /* t rises along the loop */
} outline_piece;

typedef struct patch_outline {
    const side* side;
    const support_patch* patch;
    int count;
    bool curved;  /* some piece is */
    bool partial; /* more pieces than there is room for, or than the work allows */
    outline_piece piece[OUTLINE_MOST];
} patch_outline;

/* The outline of an area or a line. */
void wi_patch_outline(const side* s, const support_patch* patch, const patch_view* view, patch_outline* out);

/* Is the place (x, y) in the patch, an area, border and all within `slack` of it counted? */
bool wi_outline_holds(const patch_outline* l, const patch_view* view, double x, double y, double slack);

/* The point of the patch above (x, y): of its plane, or of a line at the same way along it. */
wit_vec3 wi_patch_point(const support_patch* patch, const patch_view* view, double x, double y);

static inline double view_x(const patch_view* v, wit_vec3 p)
{
    return dot3(sub3(p, v->o), v->e1);
}

static inline double view_y(const patch_view* v, wit_vec3 p)
{
    return dot3(sub3(p, v->o), v->e2);
}

#endif
