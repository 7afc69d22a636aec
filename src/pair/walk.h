/* SPDX-License-Identifier: MIT */
/*
 * Walking along a set of pairs at one distance: a pair of features, a tangent direction on one of them (the carrier), and pairs
 * of places that keep the distance while the carrier's place moves that way. Steps, arc length, borders and sets that close
 * are the same for both rules, which differ in what a pair is:
 *
 * CLOSEST: of the distance |a - b|. One step minimises F = |a - b|^2 / 2 + W sum over k of ((p - q) . t_k)^2 / 2, p the place on
 * the carrier, q = p + h t_0 the target, t_k the directions in which the set is free. On the set the sum falls to
 * zero, so the pair is closest and in the plane asked for; without it Newton's matrix would be singular there. Steps
 * are taken in the tangent planes, over poles too.
 *
 * SIGNED: of delta = n . (p_b - p_a). The place on the other feature is the foot of the carrier's point, n the normal of the
 * other side there. Over the carrier delta has the gradient -+n . e and the second derivatives S, the Schur complement of
 * the matrix of stationary_matrix.h on its own arc lengths; the set is free along the directions in which S vanishes. Nothing
 * is divided by the distance if the other feature is a face, so that it holds at touch and inside.
 */
#ifndef PAIR_WALK_H
#define PAIR_WALK_H

#include "placed_pair.h"
#include "tangent_chart.h"

enum { WALK_DIRECTIONS = 2 };

typedef enum walk_rule { WALK_CLOSEST, WALK_SIGNED } walk_rule;

/* The feature that a side's place stays on. */
typedef struct walk_feature {
    const side* side;
    wit_interval range[2];
    bool closed[2];
    bool pole[2]; /* of a face closed in u: the border v = lo, v = hi is a point */
} walk_feature;

/* What a walk keeps to. */
typedef struct walk {
    walk_rule rule;
    walk_feature feature[2]; /* of a, of b */
    int carrier;             /* 0: a, 1: b: whose place the directions belong to */
    double size;             /* yardstick of the set */
    double floor;            /* a length: rounding of the coordinates in play */
    double stride;           /* the longest step of a look along the set */
    double distance;         /* of the set */
    double tolerance;        /* how far it may rise; the signed one: change */
    double confirm;          /* over this length it may change by rounding and a trace of curvature only */
    double sense;            /* SIGNED: of the other face's outward normal against n */
    int directions;          /* in which the set is free */
    double reach;            /* of a step that was held at a border: the part of it up to there; 1: not held */
    int64_t jets, limit;     /* done, and allowed: beyond it no step succeeds */
} walk;

typedef struct walk_state {
    place at[2]; /* closed parameters run on */
    wit_surface_jet jet[2];
    bool regular[2];             /* the jet spans a tangent plane */
    double distance;             /* by the rule */
    wit_vec3 n;                  /* SIGNED: unit, from a to b */
    wit_vec3 t[WALK_DIRECTIONS]; /* unit, tangent to the carrier; those of the set first, then what completes them */
} walk_state;

typedef enum walk_end {
    WALK_BORDER, /* a feature ends, or the work allowed: the set reaches at least that far */
    WALK_RISE,   /* the distance changes beyond the tolerance */
    WALK_EARLY,  /* it rises as it would about an isolated pair */
    WALK_CLOSED  /* back at the start */
} walk_end;

/* The walk between two features, of closest pairs; the places may be on their borders. Its size is that of the smaller body, or
 * of a feature that is smaller. */
void wi_walk_start(const placed_pair* pair, const place* a, const place* b, walk* out);
/* The same of the signed distance, without a limit of work; carrier, distance and tolerance are the caller's to set. */
void wi_walk_start_signed(const side* sa, const place* a, const side* sb, const place* b, double size, walk* out);
/* The state at the two places, directions unset; moves off a pole if a place stands on one. */
void wi_walk_at(walk* w, const place* a, const place* b, walk_state* out);

/* The jet of side i at its parameters; of both sides, with the unsigned distance. */
void wi_walk_look(walk* w, walk_state* s, int i);
void wi_walk_look_both(walk* w, walk_state* s);
/* The charts at a state. */
void wi_walk_charts(walk* w, const walk_state* s, tangent_chart chart[2]);
/* The place of a state on side i, its closed parameters brought back into the range. */
place wi_walk_place(const walk* w, const walk_state* s, int i);

/* The change of parameters that moves side i by a tangent step, to first order. False: the tangents span too little. */
bool wi_walk_parameters(const walk_state* s, int i, wit_vec3 step, double d[2]);
/* To the parameters reached by a tangent step; over poles, and no farther than a quarter of the range. */
void wi_walk_retract(walk* w, walk_state* s, int i, wit_vec3 step);
/* Holds open parameters in their range; returns by how much of the range one had to be held. `from`: where the step began;
 * *reach is lowered to the part of it up to there. */
double wi_walk_hold(const walk_feature* f, const double from[2], double x[2], double* reach);

/* Moves by h along direction k, no farther than one smooth turn allows; *arc gets the arc length. False: no such pair, or
 * its distance is off by more than `rise`; the state is then unchanged. */
bool wi_walk_step(walk* w, walk_state* s, int k, double h, double rise, double* arc);
/* Goes on along direction k (sign +1 or -1) to the end, found to `resolution` (a length). *arc >= 0. */
walk_end wi_walk_along(walk* w, const walk_state* from, int k, int sign, double resolution, walk_state* last,
                       double* arc);

/* Units between one look at the account and the next: to begin a walk, or one iteration, over poles: charts, steps, jets, charts again. */
enum { WALK_UNITS = 24 };

/* No more work is allowed. */
static inline bool walk_spent(const walk* w)
{
    return w->jets >= w->limit || side_spent(w->feature[0].side, WALK_UNITS);
}

/* ---- walk_closest.c ------------------------------------------------------------------------ */

/* Down to a closest pair nearby. */
bool wi_walk_relax(walk* w, walk_state* s);

/*
 * Two faces: the second derivative of the distance over the tangent plane of a, b following. With A and B the second forms
 * along the common normal n, a - b = d n,
 *     K = A + (1 + d B)^-1 B,
 * the relative curvature at d = 0, where that of the squared distance says nothing. Its eigenvalues, the smaller in size
 * first, and their directions. False: b is at a focal point.
 */
bool wi_walk_bends(const walk_state* s, const tangent_chart c[2], double values[2], wit_vec3 directions[2]);

/* The rule's part of a step: to the pair at h along direction k. */
bool wi_closest_move(walk* w, walk_state* s, int k, double h);
/* The direction on the carrier in which the distance changes least, by second derivatives; false: none is level. */
bool wi_closest_flattest(const walk* w, const walk_state* s, const tangent_chart c[2], wit_vec3* out);

/* ---- walk_signed.c ------------------------------------------------------------------------- */

/* At the place of w->carrier, the other one a start for its foot; n is the normal there, w->distance that of the set. False: no
 * such pair. */
bool wi_signed_start(walk* w, const place* a, const place* b, wit_vec3 n, walk_state* out);
/* The directions in which delta is level to second order, into t; returns how many. */
int wi_signed_level(walk* w, walk_state* s);

bool wi_signed_move(walk* w, walk_state* s, int k, double h);
bool wi_signed_flattest(const walk* w, const walk_state* s, const tangent_chart c[2], wit_vec3* out);

#endif
