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
#ifndef PAIR_SADDLE_H
#define PAIR_SADDLE_H

#include "tangent_chart.h"
#include "moving.h"

enum { SADDLE_MOST = 6 };
#define SADDLE_SINGULAR 1e-10 /* a pivot below this, of entries that are 1 at most, counts as zero */

typedef struct saddle {
    int n, na, nb; /* all; arc lengths of a and of b, then the two turns of the normal */
    double scale;
    wit_vec3 normal, m[2];
    double K[SADDLE_MOST * SADDLE_MOST];
} saddle;

void wi_saddle_make(const tangent_chart* a, const tangent_chart* b, wit_vec3 normal, double distance, double scale,
                    saddle* out);

/* A matrix of order n <= SADDLE_MOST, factored with complete pivoting after a symmetric scaling of its rows. */
typedef struct saddle_factors {
    int n;
    int row[SADDLE_MOST], column[SADDLE_MOST];
    double weight[SADDLE_MOST];
    double a[SADDLE_MOST * SADDLE_MOST];
} saddle_factors;

/* False: singular. */
bool wi_saddle_factor(saddle_factors* f, int n, const double* matrix);
void wi_saddle_solve(const saddle_factors* f, const double* right, double* x); /* x may be right */

#endif
