/* SPDX-License-Identifier: MIT */
/*
 * The signed distance as a stationary value. Over the places of both sides and a unit vector n,
 *     Phi(x, y, n) = n . (h(y) - f(x))
 * is stationary where n is perpendicular to the tangents of both sides and h - f = d n; its value there is d, its matrix of second
 * derivatives K. With x, y in arc length (tangents e, second derivatives k along the normals, of both sides) and
 * n turned by alpha_1 m_1 + alpha_2 m_2, m perpendicular to n,
 *
 *         | -n.k_f      0     -e_f.m |
 *     K = |    0      n.k_h    e_h.m |
 *         | -m.e_f    m.e_h    -d 1  |
 *
 * Nothing is divided by d. At touch K is regular iff the relative curvature is (faces), the face decides the normal (face and
 * edge or vertex), or the edges cross; it is singular where the closest set is no point, and where nothing
 * gives a normal. Every pair of features is served by the same matrix.
 *
 * Lengths are counted in `scale` here and Phi likewise: entries are then about 1 or less, large curvatures aside.
 */
#ifndef PAIR_STATIONARY_MATRIX_H
#define PAIR_STATIONARY_MATRIX_H

#include "tangent_chart.h"
#include "moving.h"

enum { STATIONARY_MOST = 6 };
#define STATIONARY_SINGULAR 1e-10 /* a pivot below this, of entries that are 1 at most, counts as zero */

typedef struct stationary_matrix {
    int n, na, nb; /* all; arc lengths of a and of b, then the two turns of the normal */
    double scale;
    wit_vec3 normal, m[2];
    double K[STATIONARY_MOST * STATIONARY_MOST];
} stationary_matrix;

void wi_stationary_matrix(const tangent_chart* a, const tangent_chart* b, wit_vec3 normal, double distance,
                          double scale, stationary_matrix* out);

/* A matrix of order n <= STATIONARY_MOST, factored with complete pivoting after a symmetric scaling of its rows. */
typedef struct stationary_factors {
    int n;
    int row[STATIONARY_MOST], column[STATIONARY_MOST];
    double weight[STATIONARY_MOST];
    double a[STATIONARY_MOST * STATIONARY_MOST];
} stationary_factors;

/* False: singular. */
bool wi_stationary_factor(stationary_factors* f, int n, const double* matrix);
void wi_stationary_solve(const stationary_factors* f, const double* right, double* x); /* x may be right */

#endif
