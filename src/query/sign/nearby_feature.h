/* SPDX-License-Identifier: MIT */
/* The boundary of a solid next to a place of it. */
#ifndef QUERY_NEARBY_FEATURE_H
#define QUERY_NEARBY_FEATURE_H

#include "../search_task.h"

/* The way from a place of the boundary along w, a unit vector, over the length `reach`; in the frame of the body. */
typedef struct way_out {
    const place* at;
    wit_vec3 p, w;
    double reach;
    double slack; /* how near to each other a place and the boundary count as one: rounding, tolerances of edges */
    int sign;     /* on which side the way begins: +1 outside, -1 inside */
} way_out;

/*
 * Could the way come to the other side? The first crossing of a way that begins outside goes in, against the outward normal n
 * of a face: n.w <= 0; one that begins inside goes out, n.w >= 0. So pieces of faces (planar bodies: of edges) whose
 * normals all look the other way are harmless, and so are those that the way misses. False is certain (but for rounding);
 * true is given too when the work allowed is used up.
 */
bool wi_may_change_side(const search_task* task, const wit_body* body, const way_out* way, wit_work* work);

#endif
