/* SPDX-License-Identifier: MIT */
/* One side of a pair at its place: the point, its derivatives by the parameters and its velocity, in a frame that both
 * sides share. */
#ifndef PAIR_MOVING_H
#define PAIR_MOVING_H

#include "../base/vec.h"

typedef struct moving {
    int count;               /* parameters: 2 on a face, 1 on an edge, 0 */
    wit_vec3 p, d[2], dd[3]; /* dd: uu, uv, vv */
    wit_vec3 velocity;       /* of the body's material point there */
    wit_vec3 angular;        /* of the body */
    bool face, reversed;     /* a face; its outward normal is -(d[0] x d[1]) */
} moving;

#endif
