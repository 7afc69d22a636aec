/* SPDX-License-Identifier: MIT */
/* The facts of a body that are found once, when it is built: convexity and what it rests on. */
#ifndef BODY_CONVEXITY_H
#define BODY_CONVEXITY_H

#include "body_record.h"

/*
 * A solid is convex if it is closed, in one part and its normals point out, every face is convex or flat and no edge is
 * reflex; for a connected closed shell that does not cross itself this suffices. Planes and quadrics are told in
 * closed form, other faces by their bend (wi_check_bend: at most 20000 boxes per face), edges at samples along them. A region in
 * the plane: by wit_body_check.
 */
body_facts wi_body_facts_find(const wit_body* body);

#endif
