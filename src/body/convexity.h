/* SPDX-License-Identifier: MIT */
/* The facts of a body that are found once, when it is built: convexity and what it rests on. */
#ifndef BODY_CONVEXITY_H
#define BODY_CONVEXITY_H

#include "body_record.h"

/*
 * Samples first: of edges, of the bend of faces; a body that is seen to be hollow is asked nothing more. What they pass is then
 * measured by bounds (convex/convex.h).
 */
body_facts wi_body_facts_find(const wit_body* body);

#endif
