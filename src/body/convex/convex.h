/* SPDX-License-Identifier: MIT */
/*
 * Convexity as a length, by bounds that hold along whole edges and over whole faces.
 *
 * A boundary that is convex everywhere but for reflex turns (edges whose faces turn inwards, knots of a spline, rounding
 * of joins that are smooth) is nearly convex as a whole. Let c see all of the boundary: n.(q - c) >= share |q - c| with a
 * share > 0 for every place q and its outward normal n. Take any place p of a face, any point x of the body, and the plane
 * through c, p and x. It meets the boundary in one closed curve around c (every ray from c leaves the body once), its parts
 * in faces turn left, and where it crosses an edge that turns by -e it turns by no more than -e / share: the normals are no
 * shorter than `share` when they are projected on the plane. Call T the sum of the reflex turns; nearly all such planes
 * miss the vertices. If x is where the curve reaches farthest along the normal of p, the normals of p and x are the same
 * in the plane. The curve turns by 2 pi in all, so on one of its two ways from p to x the turns sum up to zero or less: those
 * to the left are then no more than T either. All of that way runs within T of the tangent at p. So
 *     n.(x - p) <= D tan T,     D the diameter.
 * For a region in the plane share = 1 and no centre is needed. If T = 0 the body is convex.
 *
 * It follows for the hull. Let a ray from c leave the body at p and the hull at y. With n.(y - p) <= within and
 * n.(p - c) >= clear it is |y - p| / |y - c| <= within / clear: the hull shrunk about c by that share lies in the body. What
 * separates the bodies separates the shrunk hulls, so a translation that separates the bodies is no shorter than the one that
 * separates the hulls less hull_within = within reach / clear of both, where reach is the largest |q - c|.
 */
#ifndef BODY_CONVEX_H
#define BODY_CONVEX_H

#include "../body_record.h"

/* Normals of closed forms are good to this, radians. */
#define CONVEX_ROUNDING (16 * DBL_EPSILON)

/* The lengths of convex_within and hull_within in body_facts. */
typedef struct convex_lengths {
    double within, hull;
} convex_lengths;

/* Of a solid or a region in the plane; infinite where nothing is proved. */
convex_lengths wi_convex_lengths(const wit_body* body);

/* The reflex turn along an edge of two faces: at most this at every place of it, in radians; 0: convex. Infinite: not known. */
double wi_edge_reflex(const wit_body* body, int32_t edge);

/* In how many places a plane that does not hold all of it meets a curve, at most; INFINITY: not known. */
double wi_curve_crossings(const wit_curve* curve);

/* The sum of the reflex turns that a plane section can make inside a face, knots of the surface counted. */
double wi_face_reflex(const wit_body* body, int32_t face);

/* The reflex turn of the curve at its knots inside `range`, and of the plane curve itself, seen along `up` with the region to
 * its left (or, `turned`, to its right). */
double wi_curve_reflex(const wit_curve* curve, wit_interval range, wit_vec3 up, bool turned);

/* A centre that sees the boundary. */
typedef struct star {
    wit_vec3 centre;
    double share; /* n.(q - c) / |q - c|, at least; 0 or less: not known */
    double clear; /* n.(q - c), at least */
    double reach; /* |q - c|, at most */
} star;
star wi_convex_star(const wit_body* body);

/* A polyhedron: how far a vertex is before a face, at most. Infinite for other bodies. */
double wi_polyhedron_within(const wit_body* body);

#endif
