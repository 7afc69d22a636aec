/* SPDX-License-Identifier: MIT */
/*
 * A cover of a solid that is not convex, by convex pieces of it: what its depth in another is measured with (query.h).
 *
 * Solids with one cross-section all along (section.h). The hull of the section has convex cells beyond it, notches and holes.
 * A convex part X of the section shares no inner point with a cell Q, so a line that touches Q parts them: X lies in
 *     H(u) = { p : u.p >= max over Q of u.q }   for some u, one for each cell,
 * and the largest such parts are the hull cut by one H(u) of each cell that reaches into it. At a corner of Q that is a line
 * turning from side to side; of these there are as many as one likes.
 *     pieces  convex parts for some of the u: all normals of the sides, so that their union is the solid, and some between them
 *     outers  for u between two neighbours v and w about one corner H(u) lies in H(v) or H(w): convex sets, one for each interval of
 *             each cell, such that every convex part of the solid is in one of them
 * With depths over pieces from below and over outers from above the depth of the solid is bracketed.
 */
#ifndef BODY_COVER_H
#define BODY_COVER_H

#include "../body_record.h"

enum { COVER_PIECES = 40, COVER_OUTERS = 160 };

/* The body with its cover, in one block; the same body where it has none. Null: no memory, the body is released. */
wit_body* wi_body_with_cover(wit_body* body, const wit_allocator* allocator, wit_error* error);

#endif
