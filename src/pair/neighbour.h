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
#ifndef PAIR_NEIGHBOUR_H
#define PAIR_NEIGHBOUR_H

#include "side.h"

typedef struct neighbour {
    wit_feature_kind kind;
    int32_t id;
    double x[2];
    wit_vec3 p; /* where the place is taken up on it: off by the stored tolerance at most, unless it leads off a pole */
    double slope; /* cosine of the angle between w and the steepest way into it */
} neighbour;

/* Who asks. */
typedef struct neighbour_query {
    const side* side;
    wit_vec3 w;      /* unit, to the other witness */
    double distance; /* to it: says how far to go off a pole or an apex; edges do not ask for it */
    double least;    /* slope that a neighbour must exceed */
} neighbour_query;

/* A place on an edge. */
typedef struct edge_place {
    int edge;
    double t;
    wit_vec3 p, tangent; /* the point there and the derivative of the edge */
} edge_place;

/* Of the faces at an edge the one that leads closer most steeply; face `except` (-1: none) is left out. False: none does. */
bool wi_neighbour_of_edge(const neighbour_query* q, const edge_place* at, int except, neighbour* out);

/* The same of the edges at a vertex; then of the faces whose sectors, and of those whose apex it is. */
bool wi_neighbour_of_vertex(const neighbour_query* q, int vertex, neighbour* out);

/*
 * At a border of a face that is drawn together into a point, parameter `fixed` at `value`: the way off it that leads
 * closer most steeply. False: none does.
 */
bool wi_neighbour_off_pole(const neighbour_query* q, int face, wit_direction fixed, double value, neighbour* out);

/* What is looked for along the border of a face. */
typedef struct border_query {
    const side* side;
    int face;
    wit_vec3 q;   /* a point in the frame of the side */
    double limit; /* a place that is farther from it is none */
    double slack; /* an end of an edge so near to its vertex is that vertex */
    int64_t most; /* tests and jets */
} border_query;

/* The place of the face's edges that is nearest to q. False: there is none, or the work did not suffice. */
bool wi_neighbour_border(const border_query* query, neighbour* out);

/* The vertex that a border of a face is drawn together into, -1 if that is a smooth pole. */
int wi_neighbour_apex(const side* s, int face, wit_direction fixed, double value);

/* Work that a test at an edge or a vertex may take at most. */
int64_t wi_neighbour_cost(const side* s, wit_feature_kind kind, int id);

#endif
