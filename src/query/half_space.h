/* SPDX-License-Identifier: MIT */
/*
 * Half-spaces: bodies of one unbounded plane. They have no box to search in, so what is asked of them is answered by closed
 * forms: a pair of them in all, and the depth of another body in one.
 */
#ifndef QUERY_HALF_SPACE_H
#define QUERY_HALF_SPACE_H

#include "depth/contact.h"
#include "depth/penetration.h"

/* The plane of a body that is a half-space and nothing else; null for others. */
const shape_frame* wi_half_space(const side* s);

/* Both sides are half-spaces whose planes count. */
bool wi_half_space_both(const search_task* task);

/* The closest pair of two half-spaces; as solids they overlap unless the outward normals are opposite and the gap is
 * positive. */
void wi_half_space_pair(const search_task* task, search_answer* out);

/* Two parallel planes are closest everywhere. */
void wi_half_space_closest_set(const search_task* task, const wit_pose* frame, wit_closest* out);

/* The depth of two half-spaces that overlap, where they have one: opposite to each other. Fills distance, bracket and
 * witnesses of *out, or leaves it. */
void wi_half_space_overlap(const search_task* task, const wit_pose* frame, wit_closest* out);

/* The depth of a body in a half-space, which is the first or the second side. One direction is left: that of the plane. False:
 * the side is no half-space, or the other is unbounded too. */
bool wi_half_space_depth(const search_task* task, bool first, double tolerance, wit_work* work, penetration* out);

/* The one contact of a body with a half-space that it reaches into: along the plane's normal. */
void wi_half_space_contact(const search_task* task, wit_work* work, contact_list* out);

/* The minima of two half-spaces: parallel planes are one continuum, which the closed form of the closest pair gives. */
wit_status wi_half_space_minima(wit_query* query, const wit_placed* a, const wit_placed* b, wit_minimum* out,
                                int capacity, wit_minima_summary* summary);

/* The part of a leaf's parameter box that is searched: all of it but for an unbounded plane, of which only the part counts
 * that the other side projects to. True: that is so. */
bool wi_half_space_clip(const side* s, const tree_node* leaf, wit_interval range[2]);

#endif
