/* SPDX-License-Identifier: MIT */
/*
 * The chase of a closest pair on two given features at one moment: look (jets), judge (Newton's step and whether it leads
 * to a minimum), arrive (is the place reached without another jet?), move.
 *
 * Two ways to a step d:
 *   descent   (H + bounds) the least of g.d + d.H d / 2 over the parameter box; g and H are Psi and M of 001 (1) to (9) with the
 *             rows of b turned round, S = diag(1, 1, -1, -1); H = S M > 0 is asked for
 *   contact   M d = -Psi of the contact form (contact_form.h), by blocks. With P the block of the face's own parameters and
 *             S = D - C P^-1 B its Schur complement, the signed distance has a minimum there iff P (gap rows, sign of the
 *             side) and S (along the outward normal) are positive definite: P ~ I + d K_A, S ~ K_A (I + d K_A)^-1 + K_B.
 *             That holds through touch.
 * Beside a pole a side is stepped in its tangent plane (pole.h).
 */
#ifndef TRACK_PAIR_NEWTON_H
#define TRACK_PAIR_NEWTON_H

#include "../pair/pole.h"
#include "step.h"

typedef struct pair_newton {
    step* s;
    int n, na;
    double x[WIT_MAX_PARAMETERS];
    double lo[WIT_MAX_PARAMETERS], hi[WIT_MAX_PARAMETERS]; /* infinite where the parameter wraps */
    moving m[2];
    wit_vec3 raw[2][2]; /* beside a pole: the derivatives by the parameters */
    bool polar[2];      /* the side's coordinates are lengths in its tangent plane */
    bool behind;        /* the contact form's normal is turned round: the back of a two-sided sheet */
    double distance;    /* signed where the contact form is, else |dR| */
    double merit; /* falls as the pair is approached: |dR|, or the largest error of the contact form times the size */
    double floor; /* length: rounding of what was looked at */
} pair_newton;

/* One step from where it looked. */
typedef struct pair_step {
    double d[WIT_MAX_PARAMETERS]; /* in the coordinates of each side */
    double length;                /* in arc length, both sides */
    unsigned held;                /* parameters at a bound that keeps them */
    bool pressed;                 /* overlapping, and Newton's step leaves through those bounds: it was cut there */
    bool flat;                    /* some way is level: steps along it are noise */
    bool contact;
    bool minimum; /* the matrices say that it leads to a minimum */
    /* to use the matrix once more: the contact blocks, or Cholesky factors over the free parameters */
    double
        inverse[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS]; /* d = -inverse rhs, rhs = Psi or g; rows of held ones zero */
} pair_step;

/* Predicted or given parameters to a closest pair on the present features; false: lost. */
bool wi_pair_newton(step* s);

/* From the tracker's places. */
void wi_pair_newton_begin(step* s, pair_newton* out);
/* Jets at x. */
void wi_pair_newton_look(pair_newton* p);
/* The step from there; false: no step that can be trusted. */
bool wi_pair_newton_step(pair_newton* p, pair_step* out);
/* x moved by d, borders and poles respected; the next look is due. */
void wi_pair_newton_move(pair_newton* p, const pair_step* by);
/* Where the distance is negative: can it be? */
bool wi_pair_newton_inside(const pair_newton* p);
/* Spots and s->at from the iteration. */
void wi_pair_newton_end(pair_newton* p, unsigned held);
/* The direction in which each witness sees the other: s->toward. */
void wi_pair_newton_face(step* s, wit_form form);

#endif
