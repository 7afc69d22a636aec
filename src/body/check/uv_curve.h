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
typedef struct strand {
    const wit_curve* curve;
    double offset, scale; /* scale > 0 */
    double shift[2];      /* whole periods of closed parameters */
    double from, to;      /* part of t, from < to */
} strand;

typedef struct strand_hit {
    double t[2]; /* parameter on the first, on the second */
} strand_hit;

enum { STRAND_HITS = 64 };
typedef struct strand_hits {
    strand_hit at[STRAND_HITS];
    int count;
    bool overlap;  /* they run together along a part; its ends are among the hits */
    bool overflow; /* too many, or not to be told apart: some may be missing */
} strand_hits;

void strand_point(const strand* s, double t, double p[2]);
void strand_tangent(const strand* s, double t, double d[2]); /* by t */
/* Enclosures of the points and of the derivatives by t over [lo, hi]. */
void strand_enclose(const strand* s, double lo, double hi, wit_interval p[2], wit_interval d[2]);
/* A parameter at which the strand passes p within `tolerance` (scaled by width): the nearest found. False: none. */
bool strand_project(const strand* s, const double p[2], const double width[2], double tolerance, double* t);
/* All meeting points: crossings, ends that touch, tangencies within `tolerance`. */
void strand_cross(const strand* a, const strand* b, const double width[2], double tolerance, strand_hits* out);
/* Angle by which the direction from p to the strand's point turns as t runs from lo to hi; p is not on it. */
double strand_turn(const strand* s, double lo, double hi, const double p[2]);
/* Integral of x dy from lo to hi. */
double strand_area(const strand* s, double lo, double hi, const double origin[2]);

#endif
