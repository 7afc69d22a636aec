/* SPDX-License-Identifier: MIT */
/* Figures of one shape for `witness info`. */
#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include "../include/witness/geom.h"

/* A largest or smallest value and where it is: the best of a grid over each cell, borders included
 * from inside, improved by a local search. A bound it is not. */
typedef struct extreme {
    bool known;
    bool unbounded; /* grows without end towards the place, which is an apex or a collapsed border */
    double value;
    double u, v;   /* curves: u */
    unsigned side; /* wit_knot_side flags: the value is that below an inner knot */
} extreme;

/* Borders of the parameter rectangle. */
enum { U_LOW, U_HIGH, V_LOW, V_HIGH, BORDERS };

typedef struct surface_measure {
    wit_box box; /* encloses the surface; too large by 1e-6 of the size at most, as a rule */
    double size; /* its diagonal */
    double area;
    extreme gauss_min, gauss_max;
    extreme k_min, k_max;      /* of the principal curvatures */
    double negative_parameter; /* share of the parameter rectangle where the Gaussian curvature is negative */
    double negative_area;      /* share of the area */
    bool collapsed[BORDERS];
    wit_vec3 collapsed_at[BORDERS];
} surface_measure;

typedef struct curve_measure {
    wit_box box;
    double size;
    double length;
    extreme curvature_min, curvature_max;
} curve_measure;

void measure_surface(const wit_surface* surface, surface_measure* out);
void measure_curve(const wit_curve* curve, curve_measure* out);

/* The box of one of the two; the other is null. */
wit_box measure_box(const wit_curve* curve, const wit_surface* surface);

/* Gauss-Legendre nodes and weights of degree 9 on [0, 1]. */
enum { GAUSS = 5 };
extern const double measure_node[GAUSS], measure_weight[GAUSS];

#endif
