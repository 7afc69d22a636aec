/* SPDX-License-Identifier: MIT */
/* The turn across a line that two cells of splines share: bounded along all of it. */
#ifndef BODY_CONVEX_SEAM_H
#define BODY_CONVEX_SEAM_H

#include "../body_record.h"

/* One side of the line: a NURBS surface along a line of one parameter, shift + scale t, the other one held. */
typedef struct seam_side {
    const wit_surface* s;
    bool along_u; /* u runs along the line */
    bool reversed;
    double fixed, scale, shift;
    double into;   /* 1: the side is where the other parameter grows; -1: where it falls */
    unsigned side; /* WIT_KNOT_... of it */
} seam_side;

/* The largest reflex turn over the stretch t, infinite where it is not known; and the sum of the turns that a plane can meet. */
double wi_seam_reflex(const seam_side* a, const seam_side* b, wit_interval t, double* sum);

#endif
