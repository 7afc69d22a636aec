/* SPDX-License-Identifier: MIT */
/*
 * An outer loop and an integrator of your own in a shared object, for the command:
 *
 *     cc -shared -fPIC -O2 -I include examples/myloops.c -o myloops.so -lm
 *     witness track SCENE --law linearizing --outer ./myloops.so --integrator ./myloops.so
 *
 * The outer loop. With x' = M^-1 (mu - b) the inner loop makes Psi' = mu, whatever mu is. The papers take mu = -K Psi. This one takes, with
 * a ball of the size r,
 *     mu = -K sqrt(r / |Psi|) Psi  beyond it,  -K Psi  within:
 * from afar |Psi| falls with the square of the time that is left, not faster than the witness can follow, and within the ball it
 * is the papers' law, so that it does not chatter.
 *
 * The integrator: Ralston's method of order 2, y + h (k1 / 4 + 3 k2 / 4), k2 at 2/3 of the way.
 */
#include <math.h>
#include <witness/laws.h>

static bool soft_approach(const wit_outer_view* view, double mu[WIT_MAX_PARAMETERS], void* user)
{
    (void)user;
    double size = 0, ball = 0.05 * view->distance * view->distance;
    for (int i = 0; i < view->count; i++)
        if (!(view->held >> i & 1)) size += view->psi[i] * view->psi[i];
    size = sqrt(size);
    if (!(size > ball)) return true; /* mu comes in as -K Psi */
    for (int i = 0; i < view->count; i++) mu[i] *= sqrt(ball / size);
    return true;
}

static bool ralston(const wit_step_view* view, double* y, void* user)
{
    double k1[2 * WIT_MAX_PARAMETERS], k2[2 * WIT_MAX_PARAMETERS], z[2 * WIT_MAX_PARAMETERS];
    (void)user;
    if (!view->slope(view, 0, y, k1)) return false;
    for (int i = 0; i < view->count; i++) z[i] = y[i] + 2.0 / 3 * view->dt * k1[i];
    if (!view->slope(view, 2.0 / 3, z, k2)) return false;
    for (int i = 0; i < view->count; i++) y[i] += view->dt * (k1[i] + 3 * k2[i]) / 4;
    return true;
}

const wit_outer_module witness_outer = {sizeof(wit_outer_module), "soft_approach", soft_approach, 0};
const wit_integrator_module witness_integrator = {sizeof(wit_integrator_module), "ralston", ralston, 0};
