/* SPDX-License-Identifier: MIT */
/*
 * A piece of a face or of an edge that knows its shape: with it the distance of a point to the piece is bounded by a few dot
 * products (shape_look.h), without evaluating anything.
 *
 * The piece is a box of parameters x = m + d, |d_i| <= h_i. All that is said holds for every x of the box. Single
 * precision is enough: vectors are rounded to the nearest, and their rounding is part of the error beside them; lengths are
 * rounded up, intervals outwards. An edge has one parameter: what belongs to v is zero. A vertex is its point, all else zero.
 * So is an inner node of the bounding tree but for its box: `boxed`.
 */
#ifndef BODY_SHAPE_NODE_H
#define BODY_SHAPE_NODE_H

#include "../../geom/shape.h"

#define SHAPE_ROUNDING (64 * DBL_EPSILON) /* of the sums of a look, of the magnitudes in them */

typedef struct shape_node {
    double p[3]; /* S(m), up to p_error */
    float box_lo[3], box_hi[3];
    float h[2];     /* half widths of the box of parameters; infinite where they are beyond floats */
    float d1[2][3]; /* S_u, S_v at m, up to d1_error */
    float d2[3][3]; /* S_uu, S_uv, S_vv all over the box, but for the next two */
    float p_error;  /* lengths from here on */
    float d1_error[2];
    float d2_along[3], d2_across[3]; /* how far off along the axis, and across it */
    float radius;                    /* |S - p| */
    float speed[2];                  /* |S_u|, |S_v| */
    float form_lo[3], form_hi[3];    /* S_i.S_j + (S - p).S_ij for uu, uv, vv */
    float axis[3];                   /* unit: the middle of the normals (edge: a tangent) */
    /* Every normal is within the angle of +-axis whose tangent this is; infinite: nothing is known. |(S - p) x axis| <=
     * across, |(S - p).axis| <= along. */
    float tangent, across, along;
    float bend_up, bend_down; /* face: curvatures towards the axis, and away from it, at most; infinite: not known */
    float crease;             /* radians: tangents may turn by so much across knots within the box (crease.h) */
    uint8_t parameters;       /* 2, 1, 0 */
    bool boxed;               /* nothing but the box is known */
} shape_node;

/* Enclosures and bounds that making one takes, for the account of work (base/work.h). */
enum { SHAPE_FACE_BOXES = 4, SHAPE_EDGE_BOXES = 3 };

/* The box lies in the range of the surface, but may run over the seam of a closed parameter. `crease`: see above. */
void wi_shape_node_face(const wit_surface* surface, wit_interval u, wit_interval v, double crease, shape_node* out);
void wi_shape_node_edge(const wit_curve* curve, wit_interval t, double crease, shape_node* out);
void wi_shape_node_vertex(wit_vec3 point, shape_node* out);
void wi_shape_node_box(const wit_box* box, shape_node* out);
/* Its point may be off by so much more. */
void wi_shape_node_move(shape_node* n, double by);

static inline wit_vec3 shape_vector(const float v[3])
{
    return vec3(v[0], v[1], v[2]);
}

/* The diagonal of the box. */
static inline double shape_size(const shape_node* n)
{
    double x = (double)n->box_hi[0] - n->box_lo[0], y = (double)n->box_hi[1] - n->box_lo[1],
           z = (double)n->box_hi[2] - n->box_lo[2];
    return sqrt(x * x + y * y + z * z);
}

static inline wit_vec3 shape_point(const shape_node* n)
{
    return vec3(n->p[0], n->p[1], n->p[2]);
}

#endif
