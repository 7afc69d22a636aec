/* SPDX-License-Identifier: MIT */
/*
 * What meets at an edge or a vertex, in the body's own frame.
 *
 * A use is one passage of a loop along an edge, with its face to the left in (u, v). Uses along a pole have no edge (-1). At
 * a vertex a loop comes in along one use and leaves along the next: between the two lies a sector of the face. A face may
 * also be drawn together into a vertex, its apex.
 *
 * pair/conormal.h has what is measured there (normals, conormals, sectors, rulings) in the frame of a search.
 */
#ifndef BODY_MEETING_H
#define BODY_MEETING_H

#include "body_record.h"

/* ---- who meets whom ------------------------------------------------------------------------ */

/* The uses of an edge: as many as the edge has `uses`. */
static inline const int32_t* edge_uses(const wit_body* b, int32_t edge)
{
    return (const int32_t*)body_at(b, b->edge_uses) + body_edges(b)[edge].first_use;
}

/* The edges that end at a vertex, each once: as many as the vertex has `edges`. */
static inline const int32_t* vertex_edges(const wit_body* b, int32_t vertex)
{
    return (const int32_t*)body_at(b, b->vertex_edges) + body_vertices(b)[vertex].first_edge;
}

/* The faces around a vertex, each once, those whose apex it is among them: as many as the vertex has `faces`. */
static inline const int32_t* vertex_faces(const wit_body* b, int32_t vertex)
{
    return (const int32_t*)body_at(b, b->vertex_faces) + body_vertices(b)[vertex].first_face;
}

/* How often loops of the face pass along the edge. */
static inline int face_passes_edge(const wit_body* b, int32_t face, int32_t edge)
{
    int count = 0;
    for (int32_t k = 0; k < body_edges(b)[edge].uses; ++k) count += body_uses(b)[edge_uses(b, edge)[k]].face == face;
    return count;
}

bool wi_vertex_bounds_face(const wit_body* b, int32_t vertex, int32_t face);

static inline bool vertex_ends_edge(const wit_body* b, int32_t vertex, int32_t edge)
{
    return body_edges(b)[edge].start == vertex || body_edges(b)[edge].end == vertex;
}

/* The apexes at a vertex, one behind the other: the first, and how many. */
const body_apex* wi_vertex_apexes(const wit_body* b, int32_t vertex, int* count);

/* Is the apex inside its face, not at its border: does no edge of the face end there? */
bool wi_apex_inside(const wit_body* b, const body_apex* apex);

/* ---- along a loop -------------------------------------------------------------------------- */

/* Does the use run along its edge from start to end, seen from outside the face? */
static inline bool use_forward(const wit_body* b, int32_t use)
{
    const body_use* x = &body_uses(b)[use];
    return x->reversed == body_faces(b)[x->face].reversed;
}

/* Where a use along an edge begins (last: ends), in the direction of its loop: the high end of its edge? */
static inline bool use_at_high_end(const wit_body* b, int32_t use, bool last)
{
    return last != body_uses(b)[use].reversed;
}

/* The parameter of the edge there. */
static inline double use_parameter(const wit_body* b, int32_t use, bool last)
{
    wit_interval t = body_edges(b)[body_uses(b)[use].edge].range;
    return use_at_high_end(b, use, last) ? t.hi : t.lo;
}

/* The vertex there, -1 on a ring. */
static inline int32_t use_vertex(const wit_body* b, int32_t use, bool last)
{
    const body_edge* e = &body_edges(b)[body_uses(b)[use].edge];
    return use_at_high_end(b, use, last) ? e->end : e->start;
}

/* The use after (step 1) or before (step -1) this one in its loop, those along poles passed over. */
int32_t wi_use_beside(const wit_body* b, int32_t use, int step);

/* ---- on the face of a use ------------------------------------------------------------------ */

/* Use `use` at t of its edge: the parameter curve there, and the way into the face (to the left of the loop), in (u, v). */
typedef struct use_lift {
    wit_curve_jet c; /* of the parameter curve, with respect to t */
    double into_u, into_v;
    unsigned side; /* WIT_KNOT_..: across a crease of the surface each face takes its own side */
} use_lift;
use_lift wi_use_lift(const wit_body* b, int32_t use, double t);

/* The unit outward normal of the use's face there, by its limit at poles. False where there is none. */
bool wi_use_normal(const wit_body* b, int32_t use, const use_lift* at, wit_vec3* out);

/* The same from a jet of the surface at (u, v); `flags` are those of its evaluation. */
bool wi_outward_of_jet(const wit_surface* surface, bool reversed, double u, double v, unsigned flags,
                       const wit_surface_jet* jet, wit_vec3* out);

/* Every normal (along du x dv) of the use's face along a stretch of its edge. */
wit_cone wi_use_normals(const wit_body* b, int32_t use, wit_interval t);

/* The conormal, not yet of unit length: into the face, to the left of a loop that runs `along` (or against it) seen from
 * where n points. */
static inline wit_vec3 left_of(wit_vec3 n, wit_vec3 along, bool forward)
{
    return cross3(n, scale3(forward ? 1 : -1, along));
}

/* Out of the region of a planar body, in its plane and to the right of the loop; `along` is the edge's own direction. */
static inline wit_vec3 planar_outward(const wit_body* b, int32_t use, wit_vec3 along)
{
    wit_vec3 right = unit3(cross3(along, body_surface(b, 0)->frame.z));
    return body_uses(b)[use].reversed ? scale3(-1, right) : right;
}

/* Anticlockwise about m, from 0 to 2 pi. */
static inline double turn_about(wit_vec3 m, wit_vec3 from, wit_vec3 to)
{
    double angle = wit_atan2(dot3(m, cross3(from, to)), dot3(from, to));
    return angle < 0 ? angle + TWO_PI : angle;
}

#endif
