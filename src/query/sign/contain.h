/* SPDX-License-Identifier: MIT */
/*
 * Bodies inside solids. If the boundaries of two bodies do not meet, each part of one that hangs together lies all inside
 * or all outside the other; so a point of each part decides, and where both ways no part is inside, the
 * bodies are apart: their common points would be an open set without a border.
 */
#ifndef QUERY_CONTAIN_H
#define QUERY_CONTAIN_H

#include "../search_task.h"

/*
 * Does the solid hold a part of the other body? True only if a point of it lies inside, farther from the boundary than
 * task->floor; *in_other is then that point as a place of the other body, and *in_solid the same point, on no feature
 * (WIT_POINT, -1). False for sheets and for solids of which a mask names features: they have no inside. Both sides are in
 * the frame of the task; its memory is used as scratch.
 */
bool wi_solid_holds(const search_task* task, const side* solid, const side* other, place* in_solid, place* in_other);

/*
 * Two solids that touch: do they share inner points? Points just below the faces of either are tried, a limited number of
 * them. True only if one lies inside both; *in_a and *in_b are then that point, on no feature.
 */
bool wi_solids_share_inside(const search_task* task, place* in_a, place* in_b);

/* Is the point, in the frame of the task, inside the solid, farther from its boundary than task->floor? */
bool wi_solid_holds_point(const search_task* task, const side* solid, wit_vec3 point);

#endif
