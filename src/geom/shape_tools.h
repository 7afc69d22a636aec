/* SPDX-License-Identifier: MIT */
/* What the kinds that hold another shape share: sub-ranges, nesting, knots. */
#ifndef GEOM_SHAPE_TOOLS_H
#define GEOM_SHAPE_TOOLS_H

#include "shape.h"

/* A shape may hold a shape that holds a shape ...: this deep. It bounds the stack and the cost of an evaluation. */
#define MAX_NESTING 8

/* How far a number may miss a border of a range, relative to the range, and still be taken for it. */
#define RANGE_SLACK 1e-9

wit_status wi_check_range_given(wit_interval r, const char* item, wit_error* error); /* for lengths: no natural range */
/* `part`, if given, lies in `whole` to RANGE_SLACK; where the parameter is closed it may run over the seam. */
wit_status wi_check_part(wit_interval part, wit_interval whole, bool closed, const char* item, wit_error* error);
/* The part to use once it has passed: the whole if none is given, else cut to the whole unless closed. */
wit_interval wi_part_of(wit_interval part, wit_interval whole, bool closed);
bool wi_part_is_closed(wit_interval part, wit_interval whole, bool closed);

/* Refuses a shape that would be nested too deep to be held in another one. */
wit_status wi_check_curve_nesting(const wit_curve* curve, const char* item, wit_error* error);
wit_status wi_check_surface_nesting(const wit_surface* surface, const char* item, wit_error* error);

/* True when no knot lies inside: all derivatives are continuous there. */
bool wi_curve_is_smooth(const wit_curve* curve, wit_interval t);
bool wi_surface_is_smooth(const wit_surface* surface, wit_interval u, wit_interval v);

/* Refuses a coordinate function that leaves WIT_MAX_COORDINATE at an end of the range. */
wit_status wi_check_reach(double coordinate, const char* item, wit_error* error);

#endif
