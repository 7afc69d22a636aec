/* SPDX-License-Identifier: MIT */
/* Checks of control nets, shared by spline curves and surfaces. */
#ifndef GEOM_NURBS_NET_H
#define GEOM_NURBS_NET_H

#include "spline_axis.h"

/* The control points of a def; columns = 0 for a curve, whose items have one index. */
typedef struct net_input {
    int rows, columns;
    const double* points;
    const double* weights; /* or null */
} net_input;

wit_status wi_net_check(const net_input* net, wit_error* error);
/* Point r (a flat index) as (w x, w y, w z, w), exact, with all weights times weight_scale. */
void wi_net_point(const net_input* net, double weight_scale, size_t r, twofold out[4]);
/* The power of two that brings the largest weight into (1/2, 1]; 1 without weights. */
double wi_net_weight_scale(const net_input* net);
bool wi_net_rational(const net_input* net);
/* Refuses a net whose pieces are torn apart at a knot of multiplicity degree + 1 inside the range: rows (along_rows) or
 * columns i - 1 and i must hold the same points there. */
wit_status wi_net_check_tears(const net_input* net, const axis_input* axis, bool along_rows, wit_error* error);

#endif
