/* SPDX-License-Identifier: MIT */
/*
 * A part of one cell of a spline surface as a net of its own: all that is asked of it, the point and tangents in its middle,
 * its box, intervals of its derivatives along any axes, is read off that net and off its differences. To enclose the same
 * part anew each time (nurbs_enclose.h) takes three times as long, but goes down to parts of any size.
 */
#ifndef GEOM_SPLINE_PIECE_H
#define GEOM_SPLINE_PIECE_H

#include "shape.h"

enum { PIECE_DEGREE = 5, PIECE_POINTS = (PIECE_DEGREE + 1) * (PIECE_DEGREE + 1), PIECE_DERIVATIVES = D30 };

typedef struct spline_piece {
    bool rational;
    int p, q;
    int count[PIECE_DERIVATIVES];     /* points of the net of each derivative; 0: it vanishes */
    double growth[PIECE_DERIVATIVES]; /* by which differences make rounding larger */
    double rounding;                  /* of a point of the net, of `size` */
    double size;                      /* of points of the whole cell, at most */
    double ratio;                     /* of its weights, at most */
    double shift;                     /* of the same kind as `rounding`: the middle of the box is a rounded number */
    double net[PIECE_DERIVATIVES][PIECE_POINTS][4]; /* (w x, w y, w z, w) */
    double point[PIECE_POINTS][3];                  /* of the net D00, divided by their weights */
} spline_piece;

/* False: the box is not one part of one cell, or too small a part of it, or the degree is above PIECE_DEGREE. */
bool wi_spline_piece_make(const wit_surface* surface, wit_interval u, wit_interval v, spline_piece* out);
/* The point and the tangents at the middle of the box: D00, D10, D01. */
void wi_spline_piece_middle(const spline_piece* piece, wit_interval (*out)[3]);
void wi_spline_piece_box(const spline_piece* piece, wit_interval out[3]);
/* D00 to D02, along axes of unit length, as wi_surface_enclose_to has them. */
void wi_spline_piece_enclose(const spline_piece* piece, const wit_vec3 axes[3], wit_interval (*out)[3]);

#endif
