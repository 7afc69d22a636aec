/* SPDX-License-Identifier: MIT */
/* Which features of a body hang together, and whether they close. */
#ifndef BODY_PARTS_H
#define BODY_PARTS_H

#include "../body_record.h"

/* Do the faces bound something: is every edge passed as often one way, seen from outside, as the other? */
bool wi_parts_closed(const wit_body* body);
/* Are all outward normals known to point out of it? A closed solid in one part, and bounded. */
bool wi_parts_outward(const wit_body* body);

/* Numbers of features in all: faces, then edges, then vertices. */
int wi_parts_features(const wit_body* body);
/* part[i] becomes the part that feature i belongs to, parts in the order of their first features. Returns how many there
 * are. Needs of the body only its topology. */
int wi_parts_find(const wit_body* body, int32_t* part);
/* A point of a feature that surely belongs to it: a face's is on an edge, if it has one. The middle of a face without edges
 * is in it, for it is all of its surface. */
body_part wi_parts_point(const wit_body* body, wit_feature_kind kind, int32_t id);
/* One point for each part: of a vertex, else of an edge, else of a face. */
void wi_parts_fill(const wit_body* body, const int32_t* part, body_part* out);

#endif
