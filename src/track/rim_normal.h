/* SPDX-License-Identifier: MIT */
/* A direction out of a body at an edge or a vertex, for when the other witness is at the same point. */
#ifndef TRACK_RIM_NORMAL_H
#define TRACK_RIM_NORMAL_H

#include "step.h"

/* Unit, in the frame of the pair: the mean of the outward normals of the faces that meet at the place; of a face its own.
 * Planar bodies: across the edge. Zero where there is none. Jets are counted. */
wit_vec3 wi_rim_normal(step* s, int which);

#endif
