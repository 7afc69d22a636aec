/* SPDX-License-Identifier: MIT */
/*
 * g(u, v) = (S_uu . n)(S_vv . n) - (S_uv . n)^2 with n = S_u x S_v: the Gaussian curvature times |n|^4, without a
 * division. One cell of a surface: a box of parameters inside which S is smooth.
 */
#ifndef BODY_LEVEL_FIELD_H
#define BODY_LEVEL_FIELD_H

#include "../../geom/shape.h"

typedef struct level_cell {
    const wit_surface* surface;
    wit_interval u, v;
    double
        yard;  /* what |g| is compared with: |n|^2 times the second derivatives, or first ones over the cell's width */
    bool flat; /* |g| <= LEVEL_ZERO yard at all samples: counts as K = 0 everywhere */
    unsigned zero_borders; /* the same along a border: bit 0 u.lo, 1 u.hi, 2 v.lo, 3 v.hi */
} level_cell;

/* Measured against rounding of jets (some 1e-14) and its growth through the five products of g. */
#define LEVEL_ZERO 1e-11

typedef struct level_bound {
    wit_interval g, gu, gv;
} level_bound;

void wi_level_cell_init(level_cell* cell, const wit_surface* surface, wit_interval u, wit_interval v);
/* g from the jet, seen from inside the cell. */
double wi_level_value(const level_cell* cell, double u, double v);
/* Enclosures of g and its gradient over a part of the cell: natural, cut with the mean value form. */
void wi_level_enclose(const level_cell* cell, wit_interval u, wit_interval v, level_bound* out);
/* The gradient at a point. */
void wi_level_gradient(const level_cell* cell, double u, double v, double out[2]);

#endif
