/* SPDX-License-Identifier: MIT */
/* z = sum a[i][j] x^i y^j over a rectangle, as one Bezier patch of degree 4: x = u, y = v scaled to 0..1. */
#ifndef TESTS_POLYNOMIAL_PATCH_H
#define TESTS_POLYNOMIAL_PATCH_H

#include "analytic.h"

static inline double choose(int n, int k)
{
    double r = 1;
    for (int i = 0; i < k; ++i) r = r * (n - i) / (i + 1);
    return r;
}

static inline wit_surface* polynomial_patch(double a[5][5], double x0, double x1, double y0, double y1, double scale)
{
    static const double knots[10] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
    double points[75], c[5][5] = {{0}};
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
            for (int k = 0; k <= i; ++k)
                for (int l = 0; l <= j; ++l)
                    c[k][l] += a[i][j] * choose(i, k) * pow(x0, i - k) * pow(x1 - x0, k) * choose(j, l) *
                               pow(y0, j - l) * pow(y1 - y0, l);
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j) {
            double z = 0;
            for (int k = 0; k <= i; ++k)
                for (int l = 0; l <= j; ++l) z += c[k][l] * choose(i, k) / choose(4, k) * choose(j, l) / choose(4, l);
            double* p = points + 3 * (5 * i + j);
            p[0] = scale * (x0 + (x1 - x0) * i / 4);
            p[1] = scale * (y0 + (y1 - y0) * j / 4);
            p[2] = scale * z;
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 4;
    d.count_u = d.count_v = 5;
    d.knot_count_u = d.knot_count_v = 10;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    return surface_made(&d);
}

#endif
