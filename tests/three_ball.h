/* SPDX-License-Identifier: MIT */
/*
 * Two bodies with closed forms. The three-ball body is the intersection of three balls of radius 2 about 0.8 (cos, sin)
 * of 0, 120, 240 degrees: face k is on sphere k, edge m between spheres m + 1 and m + 2 (it runs from the lower to the
 * upper vertex on the side of centre m), vertex 0 is (0, 0, 1.833...), vertex 1 its mirror image.
 * The three-arc body is planar: the intersection of three discs of radius 2 about 0.9 (cos, sin) of 90, 210,
 * 330 degrees: edge k is an arc of circle k, vertex m where circles m + 1 and m + 2 meet.
 */
#ifndef TESTS_THREE_BALL_H
#define TESTS_THREE_BALL_H

#include "../include/witness/body.h"

#define THREE_BALL_RADIUS 2.0
#define THREE_BALL_OFFSET 0.8
#define THREE_ARC_OFFSET 0.9

typedef enum three_ball_build {
    THREE_BALL_ARCS,     /* sphere surfaces, arcs in space; the library makes the parameter curves, across the seams */
    THREE_BALL_GIVEN,    /* the same with parameter curves: cubic Hermite pieces, off by less than 1e-7 */
    THREE_BALL_RATIONAL, /* biquadratic stereographic patches, parameter curves are circles, edges are lifted: exact */
    THREE_BALL_BUILDS
} three_ball_build;

wit_vec3 three_ball_centre(int k, double scale);
double three_ball_vertex_z(double scale);
wit_body* three_ball_create(three_ball_build how, double scale, wit_error* error);

wit_vec3 three_arc_centre(int k, double scale);
/* With parameter curves given, or left to the library. */
wit_body* three_arc_create(bool given, double scale, wit_error* error);

#endif
