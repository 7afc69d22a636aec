/* SPDX-License-Identifier: MIT */
/*
 * The complete analytic shape that a feature lies on, in one of two forms:
 *
 *   a plane, with the rectangle of it that the feature keeps to;
 *   a turned shape: all points whose distance rho from an axis and height h along it lie on a profile, the profile being
 *   a point or a segment of the half-plane rho >= 0, or the circle of radius `tube` about a point.
 *
 *      point (0, 0)     line (0, h0)-(0, h1)     circle (R, 0)     cylinder (R, h0)-(R, h1)     cone (R0, h0)-(R1, h1)
 *      sphere (0, 0), tube     torus (R, 0), tube     revolution of a straight profile: as a cylinder or a cone
 *
 * Ends of lines, cylinders, cones, and zones of spheres and tori are kept: they only raise distances, and a bound for nearly parallel ones needs them.
 */
#ifndef QUERY_CLOSED_SHAPE_H
#define QUERY_CLOSED_SHAPE_H

#include "../../pair/side.h"

typedef enum closed_form { CLOSED_NONE, CLOSED_PLANE, CLOSED_TURNED } closed_form;

typedef struct closed_shape {
    closed_form form;
    wit_vec3 o, z;       /* axis o + h z; plane: through o, normal z */
    int points;          /* TURNED: 1, or 2 for a segment */
    double rho[2], h[2]; /* of the profile */
    double tube;         /* with one point only */
    bool arc;            /* the tube's circle has only the angles `angle`, 0 being away from the axis, pi/2 along z */
    wit_interval angle;
    wit_vec3 x, y;     /* PLANE: axes of the rectangle */
    wit_interval u, v; /* its extents along them */
    bool unbounded;    /* no extents */
    double magnitude;  /* of the coordinates and lengths: what rounding errors are relative to */
} closed_shape;

/* In the body's own frame. CLOSED_NONE where the feature is of another shape. */
void wi_closed_shape_of(const wit_body* body, wit_feature_kind kind, int id, closed_shape* out);
/* In the frame of the search; also for bare points. */
void wi_closed_shape_placed(const side* s, wit_feature_kind kind, int id, closed_shape* out);

#endif
