/* SPDX-License-Identifier: MIT */
/*
 * Features made of pieces: across a knot the tangent may turn by an angle that is too small to make an edge or a kink of it
 * (src/geom/continuity.c). A nearest place can sit on such a crease, where the slope of neither side vanishes: with tangents
 * that turn by an angle a, r.S_i is between 0 and a |r| |S_i| on either side. So a slope counts as one of one sign only
 * above CREASE |r| |S_i|. Across a seam that gapes by g the way r differs by g too: above (CREASE |r| + g) |S_i|.
 */
#ifndef BODY_CREASE_H
#define BODY_CREASE_H

#include "../body_record.h"

/* Radians: above the largest angle of what is no edge, with room for what its samples miss. */
#define CREASE 1e-7

static inline bool made_of_pieces(const wit_body* b, wit_feature_kind kind, int id)
{
    if (kind == WIT_FACE) return body_surface(b, id)->kind >= WIT_SURFACE_REVOLUTION;
    return kind == WIT_EDGE && body_curve(b, id)->kind >= WIT_CURVE_NURBS;
}

#endif
