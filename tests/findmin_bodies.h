/* SPDX-License-Identifier: MIT */
/*
 * The pen and the bowl once more, with other parameters. Both faces of the bowl and the end of the pen are splines whose
 * u and v are not perpendicular: with X = u, Y = v + SHEAR u
 *     outside   (X, Y, (X^2 + Y^2) / 4)
 *     inside    the sphere about (0, 0, 7) seen from its top: (X, Y, 2 + 12 q) / (1 + q), q = (X^2 + Y^2) / 100
 *     end       (X, Y, 7)
 * and the seams of cone, barrel and circles are turned.
 */
#ifndef TESTS_FINDMIN_BODIES_H
#define TESTS_FINDMIN_BODIES_H

#include "../include/witness/body.h"

wit_body* skewed_pen(void);
wit_body* skewed_bowl(void);

/* A one-sided sheet (x(t), y, z(t)), y from 0 to 1, whose profile is this cubic. */
wit_body* bent_sheet(const double profile[4][2]);

#endif
