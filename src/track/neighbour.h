/* SPDX-License-Identifier: MIT */
/*
 * What a place borders on, and which of it leads closer to the other side.
 *
 * With w the unit direction to the other witness, a face that ends at an edge leads closer if w . g > 0, g its conormal (unit,
 * in the tangent plane, across the edge and into the face); an edge that ends at a vertex if w . t > 0, t its tangent away
 * from there; a sector of a face at a vertex if the part of w in its plane points into it. If none does, the place keeps
 * the witness: that is the normal cone, tested without being built. Seen from inside w points inwards, and the same tests
 * let reflex edges carry witnesses and convex ones not.
 */
#ifndef TRACK_NEIGHBOUR_H
#define TRACK_NEIGHBOUR_H

#include "../pair/pair_motion.h"

typedef struct neighbour {
    wit_feature_kind kind;
    int32_t id;
    double x[2];
    wit_vec3 p; /* where the place is taken up on it: off by the stored tolerance at most, unless it leads off a pole */
    double slope; /* cosine of the angle between w and the steepest way into it */
} neighbour;

/* Work that was done. */
typedef struct neighbour_work {
    int jets, tests;
} neighbour_work;

/* Of the faces at an edge the one that leads closer most steeply, more than `least`; face `except` (-1: none) is left out.
 * `tangent` is the derivative of the edge at t, p the point there. False: none does. */
bool wi_neighbour_of_edge(const side* s, int edge, double t, wit_vec3 p, wit_vec3 tangent, wit_vec3 w, double least,
                          int except, neighbour* out, neighbour_work* work);

/* The same of the edges at a vertex; then of the faces whose sectors, and of those whose apex it is. `distance` to the
 * other witness says how far to go off an apex. */
bool wi_neighbour_of_vertex(const side* s, int vertex, wit_vec3 w, double distance, double least, neighbour* out,
                            neighbour_work* work);

/*
 * At a border of a face that is drawn together into a point, parameter `fixed` at `value`: the way off it that leads
 * closer most steeply. False: none does.
 */
bool wi_neighbour_off_pole(const side* s, int face, wit_direction fixed, double value, wit_vec3 w, double distance,
                           double least, neighbour* out, neighbour_work* work);

/*
 * The place of a face's edges that is nearest to a point q (frame of the pair), if it is not farther than `limit`. An end
 * of an edge within `slack` of its vertex is that vertex. False: there is none, or more than `most` nodes were
 * needed.
 */
bool wi_neighbour_border(const side* s, int face, wit_vec3 q, double limit, double slack, int64_t most, neighbour* out,
                         neighbour_work* work);

/* The vertex that a border of a face is drawn together into, -1 if that is a smooth pole. */
int wi_neighbour_apex(const side* s, int face, wit_direction fixed, double value);

/* Work that a test at an edge or a vertex may take at most. */
int64_t wi_neighbour_cost(const side* s, wit_feature_kind kind, int id);

#endif
