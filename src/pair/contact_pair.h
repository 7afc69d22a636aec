/* SPDX-License-Identifier: MIT */
/* A pair of places in the world as the derivatives and the contact set see it: charts of both sides and the normal. */
#ifndef PAIR_CONTACT_PAIR_H
#define PAIR_CONTACT_PAIR_H

#include "../../include/witness/track.h"
#include "moving.h"
#include "tangent_chart.h"

typedef struct contact_side {
    const wit_motion* motion;
    side side; /* world */
    place on;
    moving now; /* a bare point does not spin */
    tangent_chart chart;
    bool spans; /* the chart has the dimension of the feature */
} contact_side;

typedef struct contact_pair {
    contact_side side[2];
    double size;     /* of the smaller body */
    wit_vec3 normal; /* unit, from a to b; zero: none */
    double distance; /* (h - f) . normal */
} contact_pair;

/* Of places that have passed wi_moving_check; their motions are referred to. */
void wi_contact_pair_make(const wit_moving_place* a, const wit_moving_place* b, wit_form form, contact_pair* out);
/* Is there a normal, do the charts span the features, is h - f along the normal, and the normal across both features? */
bool wi_contact_pair_closest(const contact_pair* p);

#endif
