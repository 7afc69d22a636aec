/* SPDX-License-Identifier: MIT */
/*
 * One-step and multistep methods on y' = f(t, y), and where they are stable on y' = -K lambda y: with z = K h lambda
 * each step multiplies y by a number of size at most 1 as long as z does not exceed the limit.
 */
#ifndef LAWS_INTEGRATOR_H
#define LAWS_INTEGRATOR_H

#include "../../include/witness/laws.h"

enum { INTEGRATOR_STAGES = 4, INTEGRATOR_PAST = 4 };

/* An explicit Runge-Kutta method: stage i stands at c[i] and at y + h sum over j < i of a[i][j] k_j. */
typedef struct rk_table {
    int stages;
    double a[INTEGRATOR_STAGES][INTEGRATOR_STAGES];
    double b[INTEGRATOR_STAGES], c[INTEGRATOR_STAGES];
} rk_table;

/* The integrator that acts: DEFAULT is rk2. */
static inline wit_integrator integrator_of(const wit_law_def* law)
{
    return law->integrator == WIT_INTEGRATOR_DEFAULT ? WIT_INTEGRATOR_RK2 : law->integrator;
}

/* Null unless it is explicit Runge-Kutta with fixed steps. */
const rk_table* wi_integrator_rk(wit_integrator method);
/* Adams-Bashforth: weights of the last `order` slopes, newest first; 0 for the others. */
int wi_integrator_ab(wit_integrator method, const double** weights);
/* Backward Euler 1, trapezoid 1/2: y1 = y0 + h ((1 - theta) f0 + theta f1); 0 for the others. */
double wi_integrator_theta(wit_integrator method);

/* Largest stable z; infinity where there is none. */
double wi_integrator_limit(wit_integrator method);
/* Size of the factor per step at z >= 0. */
double wi_integrator_factor(wit_integrator method, double z);
/* Up to which z the factor is not negative, so that the sign of an error stays; of a multistep method, up to which the root
 * that is not is the largest. */
double wi_integrator_calm(wit_integrator method);
/* The K h at which the slowest of the modes lambda in [least, most], 0 < least <= most, decays fastest. Infinity for
 * backward Euler and for the adaptive method. */
double wi_integrator_fastest(wit_integrator method, double least, double most);

#endif
