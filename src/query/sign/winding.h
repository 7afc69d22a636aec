/* SPDX-License-Identifier: MIT */
/*
 * The winding number of a body's faces (planar bodies: of its edges) about a point: how many times they go round it,
 *     W = 1 / (4 pi)  integral over the faces of  n . (x - q) / |x - q|^3  dA,
 * n pointing out. For a closed shell it is 1 inside and 0 outside; across a gap it changes smoothly, so it answers
 * for open shells as well: inside is where W > 1/2. Rays were not taken: through a gap they tell nothing, and beside an edge
 * they need a retry.
 */
#ifndef QUERY_WINDING_H
#define QUERY_WINDING_H

#include "../search_task.h"

enum { WINDING_UNITS = 8 }; /* that one piece takes at most; so much must be left for every node of the body */

typedef struct winding {
    bool known;           /* false: the body has an unbounded face */
    double number, error; /* W lies within `error` of the number */
    bool outward;         /* normals are known to point out */
    /* Else: signed volume, within its error: negative when the normals point inwards. Then the solid is what is left of space, W is
     * -1 in its hollow and 0 in its material. Planar bodies have none; it is 0. */
    double volume, volume_error;
    int64_t pieces; /* of faces or edges that were summed up */
} winding;

/* `q` in the body's frame. Pieces are cut until they are small against their distance from q, and finer as long as the side
 * is not proved; no more than the task allows after *work, where they are counted. */
winding wi_winding_about(const search_task* task, const wit_body* body, wit_vec3 q, wit_work* work);

/* Inside (-1) or outside (+1); 0 where the number is not known. */
int wi_winding_side(const winding* w);

/* Do the errors leave no other side? */
bool wi_winding_proved(const winding* w);

#endif
