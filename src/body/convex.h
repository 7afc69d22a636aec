/* SPDX-License-Identifier: MIT */
/* Is a body convex? The quick answer, for those who ask for every body; wit_body_check tells more and takes longer. */
#ifndef BODY_CONVEX_H
#define BODY_CONVEX_H

#include "body_record.h"

/*
 * True: a closed solid in one part whose normals point outwards, every face convex or flat, no edge reflex. Planes and
 * quadrics in closed form, other faces by wit_body_check_face, edges at samples along them. For a connected closed shell
 * that does not cross itself this suffices. Planar bodies: false.
 */
bool wi_body_convex(const wit_body* body);

/* The same as a proof: all faces flat or quadrics, so that a few places along an edge tell of all of it. */
bool wi_body_convex_proved(const wit_body* body);

#endif
