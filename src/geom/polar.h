/* SPDX-License-Identifier: MIT */
/* The form that all quadrics but the plane, and the torus, share: S(u, v) = o + r(v) (A cos u x + B sin u y) + z(v) z. */
#ifndef GEOM_POLAR_H
#define GEOM_POLAR_H

#include "shape.h"

/* f(v) = c[0] + c[1] cos v + c[2] sin v, or c[0] + c[1] v + c[2] v^2. */
typedef struct form {
    double c[3];
} form;

typedef struct polar {
    double A, B;
    bool trig; /* which of the two forms r and z are */
    form r, z;
} polar;

polar wi_polar_of(const wit_surface* s);

#endif
