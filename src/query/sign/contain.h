/* SPDX-License-Identifier: MIT */
/*
 * Bodies inside solids. If the boundaries of two bodies do not meet, each part of one that hangs together lies all inside
 * or all outside the other; so a point of each part decides, and where both ways no part is inside, the
 * bodies are apart: their common points would be an open set without a border.
 */
#ifndef QUERY_CONTAIN_H
#define QUERY_CONTAIN_H

#include "../search_task.h"

/* What is known of a point and a solid, or of a body and a solid. */
typedef enum holding {
    HOLDS_NOT,     /* outside: proved */
    HOLDS,         /* inside, farther from the boundary than task->floor: proved */
    HOLDS_AT_EDGE, /* on the boundary, to rounding */
    HOLDS_PERHAPS  /* the work ended before it was known */
} holding;

/* Of several parts, or of both ways: one that is held settles it, else the least that is known of any. */
static inline holding holding_of_both(holding x, holding y)
{
    if (x == HOLDS || y == HOLDS) return HOLDS;
    return x > y ? x : y;
}

/*
 * Does the solid hold a part of the other body? *in_other is then a point of it as a place of the other body, and
 * *in_solid the same point, on no feature (WIT_POINT, -1). HOLDS_NOT for sheets and for solids of which a mask names
 * features: they have no inside. Both sides are in the frame of the task; its memory is used as scratch. Work is counted
 * in *work and ends where the task says.
 */
holding wi_solid_holds(const search_task* task, const side* solid, const side* other, wit_work* work, place* in_solid,
                       place* in_other);

/*
 * Two solids that touch: do they share inner points? Points just below the faces of either are tried, a limited number of
 * them. True only if one lies inside both; *in_a and *in_b are then that point, on no feature.
 */
bool wi_solids_share_inside(const search_task* task, wit_work* work, place* in_a, place* in_b);

/* Is the point, in the frame of the task, inside the solid? */
holding wi_solid_holds_point(const search_task* task, const side* solid, wit_vec3 point, wit_work* work);

#endif
