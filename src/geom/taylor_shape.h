/* SPDX-License-Identifier: MIT */
/*
 * Curves and surfaces at a parameter that is itself a function of x in [-1, 1]: taylor.h. What is held is the shape as its
 * record defines it (frames, radii, the cells' Bezier nets), in exact arithmetic; parameters outside a range are wrapped or
 * held as wit_curve_eval and wit_surface_eval do.
 */
#ifndef GEOM_TAYLOR_SHAPE_H
#define GEOM_TAYLOR_SHAPE_H

#include "shape.h"
#include "taylor.h"

/*
 * Over a border between two cells of a spline the shape is one polynomial on one side and another on the other. Where a
 * parameter leaves its cell by a little, `met` gets the bit of that axis (axes are counted as they are met), and what is held is
 * the shape with this cell's polynomial continued; with the bit set in `choose`, with the neighbour's. So for each x one of
 * the choices among the bits of `met` is right, and what holds for all of them holds. Where it leaves its cell by
 * more, nothing is known. `cut` is then a place x inside (-1, 1) where the border is passed, if there is one. A border of a surface
 * that it passes by less than about the length `slack` costs twice that length instead.
 */
typedef struct taylor_path {
    unsigned choose, met;
    int axes;
    double cut, slack;
} taylor_path;

void wi_curve_taylor(const wit_curve* curve, const taylor* t, taylor out[3], taylor_path* path);
void wi_surface_taylor(const wit_surface* surface, const taylor* u, const taylor* v, taylor out[3], taylor_path* path);

#endif
