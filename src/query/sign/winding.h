/* SPDX-License-Identifier: MIT */
/*
 * The winding number of a body's faces (planar bodies: of its edges) about a point: how many times they go round it,
 *     W = 1 / (4 pi)  integral over the faces of  n . (x - q) / |x - q|^3  dA,
 * n pointing out. For a closed shell it is 1 inside and 0 outside; across a gap it changes smoothly, so it answers
 * for open shells as well. Rays were not taken: through a gap they tell nothing, and beside an edge they need a retry.
 */
#ifndef QUERY_WINDING_H
#define QUERY_WINDING_H

#include "../../body/body_record.h"

typedef struct winding {
    bool known;    /* false: the body has an unbounded face */
    double number; /* W */
    /* Signed volume: negative when the normals point inwards. Then the solid is what is left of space, W is -1 in its
     * hollow and 0 in its material. Planar bodies have none; it is 0. */
    double volume;
    int64_t pieces; /* pieces of faces or edges that were summed up: the work */
} winding;

/* `q` in the body's frame. Pieces are cut until they are small against their distance from q: error some 1e-2 for points
 * farther from the boundary than rounding. At most about WINDING_WORK pieces. */
enum { WINDING_WORK = 1 << 18 };
winding wi_winding_about(const wit_body* body, wit_vec3 q);

/* The nearest of inside (-1) and outside (+1); 0 where the number is not known. */
int wi_winding_side(const winding* w);

#endif
