/* SPDX-License-Identifier: MIT */
/*
 * Splines straight from their definition, in long double: the reference that jets are measured
 * against. It shares no code with the library. Slow, short, and easy to check by reading.
 *
 *   N_i,0(x) = 1 on the chosen knot span, else 0
 *   N_i,q(x) = (x - t_i) / (t_i+q - t_i) N_i,q-1 + (t_i+q+1 - x) / (t_i+q+1 - t_i+1) N_i+1,q-1
 *   dN_i,q   = q / (t_i+q - t_i) N_i,q-1 - q / (t_i+q+1 - t_i+1) N_i+1,q-1           (0 / 0 counts as 0)
 *
 * Defs are those of witness/geom.h of kind NURBS: rational or not, clamped or not, periodic or not,
 * degree 1 to WIT_MAX_DEGREE. They must be legal ones: nothing is checked here.
 */
#ifndef TESTS_DEBOOR_H
#define TESTS_DEBOOR_H

#include "../include/witness/geom.h"

enum { DEBOOR_ORDERS = 4 }; /* derivatives 0 to 3 */

/* d[k] = the k-th derivative of C at t. `side` as for wit_curve_eval; at the seam of a periodic def below the lower end is
 * the last piece. A parameter beyond the range is moved by whole periods into it if the def is periodic; otherwise the
 * polynomial at that end is continued. A def that is closed without being periodic has ends here like any other. */
void deboor_curve(const wit_curve_def* def, double t, unsigned side, long double d[DEBOOR_ORDERS][3]);

/* d[k][l] = the derivative of S, k times by u and l times by v, at (u, v), for k + l <= 3; zero above. */
void deboor_surface(const wit_surface_def* def, double u, double v, unsigned side,
                    long double d[DEBOOR_ORDERS][DEBOOR_ORDERS][3]);

/* What errors at a place are measured by: the polynomial piece that was taken. */
typedef struct deboor_cell {
    double lo_u, hi_u; /* its knot span; a curve's stands in u */
    double lo_v, hi_v;
    double size;         /* of the whole control net: the diagonal of its box */
    double weight_ratio; /* largest to smallest weight among the points of the piece */
} deboor_cell;

deboor_cell deboor_curve_cell(const wit_curve_def* def, double t, unsigned side);
deboor_cell deboor_surface_cell(const wit_surface_def* def, double u, double v, unsigned side);

#endif
