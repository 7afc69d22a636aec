/* SPDX-License-Identifier: MIT */
/* On which side of a body a point lies. */
#ifndef QUERY_SIGN_H
#define QUERY_SIGN_H

#include "../search_task.h"

/* Is the point (in the frame of the search) inside the solid, or behind the sheet? `nearest` is the closest place, `distance`
 * its unsigned distance, which may exceed the true one by `gap` (upper - lower). Returns -1 inside (behind), +1 outside
 * (before), 0 unsigned; *how says by what. */
int wi_point_sign(const side* s, wit_vec3 point, const place* nearest, double distance, double gap, wit_sign* how);

/* The same by the normals around the place alone, which takes bounded work. *decided false: they do not tell. */
int wi_point_sign_near(const side* s, wit_vec3 point, const place* nearest, double distance, bool* decided);

#endif
