/* SPDX-License-Identifier: MIT */
/*
 * Pieces of curves in the (u, v) plane, and where two of them meet. Lengths are scaled by the widths of the window, so
 * that tolerances are relative in both directions.
 */
#ifndef BODY_UV_CURVE_H
#define BODY_UV_CURVE_H

#include "../../geom/shape.h"
#include "../list.h"

/* The point at t is curve(offset + scale t) + shift. */
typedef struct uv_curve {
    const wit_curve* curve;
    double offset, scale; /* scale > 0 */
    double shift[2];      /* whole periods of closed parameters */
    double from, to;      /* part of t, from < to */
} uv_curve;

typedef struct uv_hit {
    double t[2]; /* parameter on the first, on the second */
} uv_hit;

enum { UV_HITS = 64 };
typedef struct uv_hits {
    uv_hit at[UV_HITS];
    int count;
    bool overlap;  /* they run together along a part; its ends are among the hits */
    bool overflow; /* too many, or not to be told apart: some may be missing */
} uv_hits;

void wi_uv_curve_point(const uv_curve* s, double t, double p[2]);
void wi_uv_curve_tangent(const uv_curve* s, double t, double d[2]); /* by t */
/* Enclosures of the points and of the derivatives by t over [lo, hi]. */
void wi_uv_curve_enclose(const uv_curve* s, double lo, double hi, wit_interval p[2], wit_interval d[2]);
/* A parameter at which the curve passes p within `tolerance` (scaled by width): the nearest found. False: none. */
bool wi_uv_curve_project(const uv_curve* s, const double p[2], const double width[2], double tolerance, double* t);
/* All meeting points: crossings, ends that touch, tangencies within `tolerance`. */
void wi_uv_curve_cross(const uv_curve* a, const uv_curve* b, const double width[2], double tolerance, uv_hits* out);
/* Angle by which the direction from p to the curve's point turns as t runs from lo to hi; p is not on it. */
double wi_uv_curve_turn(const uv_curve* s, double lo, double hi, const double p[2]);
/* Integral of x dy from lo to hi. */
double wi_uv_curve_area(const uv_curve* s, double lo, double hi, const double origin[2]);

#endif
