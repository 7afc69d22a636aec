/* SPDX-License-Identifier: MIT */
/*
 * Walking along a set of pairs at one signed distance.
 *
 * One feature carries the walk; the place on the other is the foot of the carrier's point, and delta = n . (p_b - p_a) with n the
 * normal of the other side there. Over the carrier delta has the gradient -+n . e and the second derivatives S, the Schur
 * complement of saddle.h on its own arc lengths; the set is free along the directions in which S vanishes. Nothing is
 * divided by the distance if the other feature is a face, so that it holds at touch and inside.
 */
#ifndef PAIR_CONTACT_WALK_H
#define PAIR_CONTACT_WALK_H

#include "derivative.h"

typedef struct contact_feature {
    const side* side; /* world */
    wit_feature_kind kind;
    int32_t id;
    wit_interval range[2];
    bool closed[2];
} contact_feature;

typedef struct contact_walk {
    contact_feature feature[2]; /* of a, of b */
    int carrier;
    double size;
    double distance, tolerance; /* of the set */
    double sense;               /* of the other face's outward normal against n */
    int directions;             /* in which the set is free */
} contact_walk;

typedef struct contact_state {
    double x[2][2]; /* closed parameters run on */
    wit_surface_jet jet[2];
    wit_vec3 n; /* from a to b */
    double distance;
    wit_vec3 t[2]; /* orthonormal, tangent to the carrier: the directions, then what completes them */
} contact_state;

typedef enum contact_end {
    CONTACT_BORDER, /* a feature ends */
    CONTACT_CHANGE, /* the distance changes */
    CONTACT_CLOSED  /* back at the start */
} contact_end;

contact_feature wi_contact_feature_of(const side* s, wit_feature_kind kind, int32_t id);
/* At parameters of both features, those of the other one a start for its foot; n is the normal there. False: no such pair. */
bool wi_contact_walk_start(contact_walk* w, const double x[2][2], wit_vec3 n, contact_state* out);
/* The directions in which delta is level to second order, into t; returns how many. */
int wi_contact_walk_level(const contact_walk* w, contact_state* s);
/* From `from` along t[0] cos + t[1] sin of `angle` to the end, found to `resolution` (a length). *arc: the way there; of a
 * closed one all the way round. */
contact_end wi_contact_walk_along(const contact_walk* w, const contact_state* from, double angle, double resolution,
                                  contact_state* last, double* arc);
/* The same, no farther than `most`. */
contact_end wi_contact_walk_go(const contact_walk* w, const contact_state* from, double angle, double most,
                               double resolution, contact_state* last, double* arc);

#endif
