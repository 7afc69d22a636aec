/* SPDX-License-Identifier: MIT */
/*
 * What is measured where faces and edges meet (body/meeting.h), in the frame of a search: the normal of a face at its
 * border, the conormal into it, the sector between two edges at a vertex, rulings at a pole.
 *
 * m is the unit normal along du x dv, about which loops run anticlockwise; the outward normal is m or -m.
 */
#ifndef PAIR_CONORMAL_H
#define PAIR_CONORMAL_H

#include "../body/meeting.h"
#include "side.h"

/* ---- at an edge ---------------------------------------------------------------------------- */

/* A place on the border of a face, a little within: a parameter beyond the seam is wrapped, with a rounding that may cross the
 * crease it stands on. */
typedef struct face_rim {
    double u, v;
    unsigned below; /* WIT_KNOT_..: the side of creases that the face is on */
    wit_vec3 m;
} face_rim;

/* `by` says where and to which side the face lies, at a corner `other` (else null) the same of the other use there. False:
 * there is no normal. One jet. */
bool wi_rim_at(const side* s, int32_t face, const use_lift* by, const use_lift* other, face_rim* out);

/* The outward normal of the face of a rim. */
static inline wit_vec3 rim_outward(const side* s, int32_t face, const face_rim* rim)
{
    return body_faces(s->body)[face].reversed ? scale3(-1, rim->m) : rim->m;
}

/* wi_use_lift, counted. */
static inline use_lift side_use_lift(const side* s, int32_t use, double t)
{
    side_jets(s, 1);
    return wi_use_lift(s->body, use, t);
}

/* The unit conormal into the face of a use: in the tangent plane and across the edge; `tangent` is the edge's derivative. */
static inline wit_vec3 conormal(const side* s, int32_t use, wit_vec3 m, wit_vec3 tangent)
{
    return unit3(left_of(m, tangent, !body_uses(s->body)[use].reversed));
}

/* The unit outward normal of the use's face at t of its edge, by its limit at poles. False where there is none. */
bool wi_use_outward(const side* s, int32_t use, double t, wit_vec3* out);

/* Where a use passes a point: parameter curves need not keep step with the curve in space. */
typedef struct use_passing {
    wit_vec3 p;      /* in the frame of the side */
    double enough;   /* a distance from p that ends the search */
    double shortest; /* a step of the parameter that ends it; negative: none does */
} use_passing;
enum { USE_PASSING_JETS = 12 }; /* at most */

/* Starts at t of the edge. */
use_lift wi_use_lift_near(const side* s, int32_t use, double t, const use_passing* to);

/* ---- at a vertex --------------------------------------------------------------------------- */

/* The end of an edge, a little within it. */
double wi_edge_end(const side* s, int32_t edge, bool high);

/*
 * The unit tangent of an edge away from one of its ends, taken a little within; where it vanishes the limit of chords, which
 * begin at the end itself (`from_end`) or a little within too.
 */
wit_vec3 wi_edge_away(const side* s, int32_t edge, bool high, bool from_end);

/* The corner of a face at a vertex: the sector lies anticlockwise about m from the edge that leaves to the one that came in. */
typedef struct corner {
    int32_t leaving, arriving; /* uses */
    use_lift at;               /* where it leaves, not yet a little within */
    face_rim rim;
} corner;

/* False: there is no normal. Three jets. */
bool wi_corner_at(const side* s, int32_t leaving, corner* out);

/* Its angle, and the unit direction of the edge that leaves. `from_end` as in wi_edge_away. */
double wi_corner_sector(const side* s, const corner* c, bool from_end, wit_vec3* from);

/* ---- at a pole or an apex ------------------------------------------------------------------ */

/* A border of a face that is drawn together into one point. */
typedef struct pole_border {
    int32_t face;
    wit_direction fixed; /* this parameter is `value` there; the other runs around */
    double value;
    double inward; /* 1: the face lies at larger values, else -1 */
} pole_border;

/* The derivative by the fixed parameter into the face, where the other one is `round`. One jet. */
wit_vec3 wi_pole_ruling(const side* s, const pole_border* pole, double round);

#endif
