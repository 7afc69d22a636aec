/* SPDX-License-Identifier: MIT */
/*
 * The local solver: from a pair of places down to a local minimum of F = |f - g|^2 / 2 over parameters x of
 * both features (u, v of a, then of b; only those the features have), each held in an interval. Damped Newton with the
 * full Hessian S M; where it is not positive definite it is shifted until it is. F never rises.
 */
#ifndef PAIR_REFINE_H
#define PAIR_REFINE_H

#include "../base/solve.h"
#include "side.h"

typedef struct refine_bounds {
    wit_interval a[2], b[2];
} refine_bounds;

/* Everything the two features allow; closed parameters are free to wrap. */
refine_bounds wi_refine_bounds_of(const side* sa, const place* a, const side* sb, const place* b);

typedef struct refined {
    place a, b;      /* closed parameters brought back into the range of the feature */
    double distance; /* |a.p - b.p| */
    bool converged;  /* the steps fell to rounding, or F could not be lowered any more */
    bool regular;    /* the last step was Newton's, with a positive definite Hessian of the free parameters */
    bool held;       /* some parameter stands at a bound of its interval */
    int steps;
    int n, na;                       /* parameters in all, and of a */
    double x[SOLVE_MAX];             /* as stepped: not wrapped */
    double g[SOLVE_MAX];             /* gradient of F */
    double H[SOLVE_MAX * SOLVE_MAX]; /* Hessian of F, at the places */
    double w[SOLVE_MAX];             /* lengths of the derivatives by the parameters */
    wit_surface_jet jet_a, jet_b;
} refined;

typedef struct refine_effort {
    int steps;     /* at most */
    double enough; /* a length: ends when a Newton step promises less; 0: to rounding */
} refine_effort;

/* Ends where the account of the sides does, with what it has; where not even the first look is allowed the distance is infinite. */
void wi_refine_pair(const side* sa, const place* a, const side* sb, const place* b, const refine_bounds* bounds,
                    refine_effort effort, refined* out);

/* Eigenvalues (ascending) and vectors (rows, in x) of the Hessian over the parameters that are not held at a bound, in arc
 * length; a parameter whose derivative vanishes is left out. Returns how many there are. Values are relative to F'' of a
 * flat pair, so 1 is usual and 0 says that the closest set is no point. */
int wi_refine_spectrum(const refined* at, const refine_bounds* bounds, double* values, double* vectors);

/*
 * The same until it is a minimum: if the Hessian has a negative direction at the place found, moves both ways along it and
 * descends from there; keeps the lowest. `out` is changed only for the better.
 */
void wi_refine_to_minimum(const side* sa, const side* sb, const refine_bounds* bounds, refined* out);

/*
 * The same over to what the places border: from an edge into its faces, from a vertex along its edges, as long as that
 * comes closer. Features that do not count, and places that are not in their face, are not taken.
 */
void wi_refine_across(const side* sa, const side* sb, int steps, refined* out);

#endif
