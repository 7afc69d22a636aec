/* SPDX-License-Identifier: MIT */
/* Parameters and the ranges they live in: wrapping, clamping, cutting boxes, borders between pieces. */
#ifndef GEOM_PARAMETER_H
#define GEOM_PARAMETER_H

#include "shape.h"

/* A parameter outside its range: wrapped if closed, else held at the end. Never NaN. */
double wi_parameter_wrap_or_hold(double x, wit_interval range, bool closed, unsigned* place);

static inline double parameter_in_range(double x, wit_interval range, bool closed, unsigned* place)
{
    return x >= range.lo && x <= range.hi ? x : wi_parameter_wrap_or_hold(x, range, closed, place);
}

/* The box cut to the range. Over the seam of a closed parameter: two pieces. Returns how many (1 or 2). */
int wi_parameter_pieces(wit_interval x, wit_interval range, bool closed, wit_interval out[2]);

/* Borders of `from` (that of an embedded shape, perhaps closed) that lie inside `range`, and both ends of
 * it. Returns how many were written: at most 2 * count + 2. */
int wi_parameter_breaks(const double* from, int count, bool closed, wit_interval range, double* out);

#endif
