/* SPDX-License-Identifier: MIT */
/*
 * Walking along a closest set: a pair of features, a tangent direction on one of them, and pairs of places that stay
 * closest while one place moves that way.
 *
 * One step minimises F = |a - b|^2 / 2 + W sum over k of ((p - q) . t_k)^2 / 2, p the place on the carrier, q = p + h t_0 the
 * target, t_k the directions in which the set is free. On the set the sum falls to zero, so the pair is closest and
 * in the plane asked for; without it Newton's matrix would be singular there. Steps are taken in the tangent planes, over
 * poles too.
 */
#ifndef PAIR_WALK_H
#define PAIR_WALK_H

#include "placed_pair.h"
#include "tangent_chart.h"

enum { WALK_DIRECTIONS = 2 };

/* What a walk keeps to. */
typedef struct walk {
    const side* side[2];
    wit_feature_kind kind[2];
    int id[2];
    wit_interval range[2][2];
    bool closed[2][2];
    bool pole[2][2];     /* of a face closed in u: the border v = lo, v = hi is a point */
    int carrier;         /* 0: a, 1: b: whose place the directions belong to */
    double size;         /* yardstick of the set: of the smaller body, or the carrier's feature if that is smaller */
    double floor;        /* a length: rounding of the coordinates in play */
    double distance;     /* at the start */
    double tolerance;    /* how far it may rise */
    int directions;      /* in which the set is free */
    double reach;        /* of a step that was held at a border: the part of it up to there; 1: not held */
    int64_t jets, limit; /* done, and allowed: beyond it no step succeeds */
} walk;

typedef struct walk_state {
    double x[2][2]; /* parameters of both features; closed ones run on */
    wit_surface_jet jet[2];
    bool regular[2]; /* the jet spans a tangent plane */
    wit_vec3 p[2];
    double distance;
    wit_vec3 t[WALK_DIRECTIONS]; /* unit, tangent to the carrier; those of the set first, then what completes them */
} walk_state;

typedef enum walk_end {
    WALK_BORDER, /* a feature ends, or the work allowed: the set reaches at least that far */
    WALK_RISE,   /* the distance rises beyond the tolerance */
    WALK_EARLY,  /* it rises as it would about an isolated pair */
    WALK_CLOSED  /* back at the start */
} walk_end;

/* The walk between two features; the places may be on their borders. */
void wi_walk_start(const placed_pair* pair, const place* a, const place* b, walk* out);
/* The state at the two places, directions unset; moves off a pole if a place stands on one. */
void wi_walk_at(walk* w, const place* a, const place* b, walk_state* out);
/* Down to a closest pair nearby. */
bool wi_walk_relax(walk* w, walk_state* s);
/* The charts at a state. */
void wi_walk_charts(walk* w, const walk_state* s, tangent_chart chart[2]);

/*
 * Two faces: the second derivative of the distance over the tangent plane of a, b following. With A and B the second forms
 * along the common normal n, a - b = d n,
 *     K = A + (1 + d B)^-1 B,
 * the relative curvature at d = 0, where that of the squared distance says nothing. Its eigenvalues, the smaller in size
 * first, and their directions. False: b is at a focal point.
 */
bool wi_walk_bends(const walk_state* s, const tangent_chart c[2], double values[2], wit_vec3 directions[2]);

/* Moves by h along direction k, no farther than one smooth turn allows; *arc gets the arc length. False: no such pair, or
 * its distance is above `most`; the state is then unchanged. */
bool wi_walk_step(walk* w, walk_state* s, int k, double h, double most, double* arc);
/* No more work is allowed. */
static inline bool walk_spent(const walk* w)
{
    return w->jets >= w->limit;
}

/* Goes on along direction k (sign +1 or -1) to the end, found to `resolution` (a length). *arc >= 0. */
walk_end wi_walk_along(walk* w, const walk_state* from, int k, int sign, double resolution, walk_state* last,
                       double* arc);

/* The place of a state on side i, its closed parameters brought back into the range. */
place wi_walk_place(const walk* w, const walk_state* s, int i);

#endif
