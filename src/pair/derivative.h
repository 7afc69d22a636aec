/* SPDX-License-Identifier: MIT */
/* A pair of places in the world as the derivatives and the contact set see it: charts of both sides and the normal. */
#ifndef PAIR_DERIVATIVE_H
#define PAIR_DERIVATIVE_H

#include "../../include/witness/track.h"
#include "saddle.h"

typedef struct contact_side {
    const wit_moving_place* at;
    side side; /* world */
    wit_vec3 p, d[2];
    tangent_chart chart;
    bool spans;    /* the chart has the dimension of the feature */
    wit_vec3 spin; /* angular velocity; none of a bare point */
} contact_side;

typedef struct contact_pair {
    contact_side side[2];
    double size;     /* of the smaller body */
    wit_vec3 normal; /* unit, from a to b; zero: none */
    double distance; /* (h - f) . normal */
} contact_pair;

/* Of places that have passed wi_moving_check. */
void wi_contact_pair_make(const wit_moving_place* a, const wit_moving_place* b, wit_form form, contact_pair* out);
/* The same at the end of a tracker's last step, signed as its distance; `places` is written and referred to. False: there is
 * no normal. */
bool wi_contact_pair_tracked(const wit_tracker* t, wit_form form, wit_moving_place places[2], contact_pair* out);
/* Is h - f along the normal, and the normal across both features? */
bool wi_contact_pair_closest(const contact_pair* p);

#endif
