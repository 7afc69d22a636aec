/* SPDX-License-Identifier: MIT */
/* The signed distance of two bodies that overlap. */
#ifndef QUERY_PENETRATION_ANSWER_H
#define QUERY_PENETRATION_ANSWER_H

#include "penetration.h"

/*
 * Do the solids overlap, seen from their support functions: convex ones, or a half-space and any body? True: they do, by
 * more than the tolerance, and *deep is filled. False says nothing.
 */
bool wi_overlap_first(const search_task* task, wit_work* work, penetration* deep);

/* Distance, bracket and witnesses of bodies that were found to overlap; out holds a common point. deep: of wi_overlap_first,
 * or null. off: how far apart crossing sheets may be for all that was proved (planar bodies), else 0. */
void wi_overlap_answer(const search_task* task, double off, const penetration* deep, const wit_pose* frame,
                       wit_closest* out);

#endif
