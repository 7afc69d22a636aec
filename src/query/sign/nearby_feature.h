/* SPDX-License-Identifier: MIT */
/* Features next to a place that are no part of it. */
#ifndef QUERY_NEARBY_FEATURE_H
#define QUERY_NEARBY_FEATURE_H

#include "../../pair/side.h"

/*
 * May a feature that does not meet at the place come within `reach` of it? At a face: any feature but this part of the
 * face; at an edge: any but the edge and its faces; at a vertex: any but the edges and faces around. False is
 * certain (but for rounding); true is given too when the work allowed is used up.
 */
bool wi_has_nearby_feature(const side* s, const place* at, double reach);

#endif
