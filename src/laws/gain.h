/* SPDX-License-Identifier: MIT */
/*
 * The gain of a step, and what limits it.
 *
 * About the solution a gradient law, 000 (5), is x' = -K I^-1 S M x, the linearizing law x' = -K x. So with lambda
 * the eigenvalues of I^-1 S M over the free parameters (1 for the linearizing law; 1 + d kappa for a point and a
 * surface) an integrator is stable up to K h lambda = its limit.
 */
#ifndef LAWS_GAIN_H
#define LAWS_GAIN_H

#include "law.h"

/* The parameters that are not in `held` and whose tangents do not vanish: gradient and Hessian of |dR|^2 / 2, and
 * the metric. */
typedef struct free_part {
    int n, index[WIT_MAX_PARAMETERS];
    double g[WIT_MAX_PARAMETERS];
    double H[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], W[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
} free_part;

void wi_free_part_of(const law_state* at, unsigned held, free_part* out);

/* Least and largest lambda over the free part. Returns how many. */
int wi_gain_spectrum(const law_state* at, unsigned held, double* least, double* most);

/* The set of parameters that the law holds here at a gain of 1. */
unsigned wi_gain_held(const wit_law_def* law, const law_state* at);
/* The K of the fastest decay; infinity where more is always faster. */
double wi_gain_fastest(const wit_law_def* law, const law_state* at, unsigned held, double dt);

/* Has the law the motion fed forward, so that it does not lag? */
static inline bool gain_feeds_forward(const wit_law_def* law)
{
    return law->kind == WIT_LAW_LINEARIZING || law->kind == WIT_LAW_FEED_FORWARD;
}

/* The gains that a step starts with. */
void wi_gain_of_step(const wit_law_def* law, const law_state* at, double dt, gain_set* out);

#endif
