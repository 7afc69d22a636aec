/* SPDX-License-Identifier: MIT */
#include "dopri5.h"

#include <math.h>
#include <string.h>

static const double c[DOPRI5_STAGES] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
static const double a[DOPRI5_STAGES][DOPRI5_STAGES] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
/* the last row above less the weights of order 4 */
static const double e[DOPRI5_STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                        -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

bool wi_dopri5_try(dopri5* d, double t, double h, const double* y)
{
    const int n = d->n;
    d->t = t;
    d->h = h;
    memcpy(d->from, y, sizeof(double) * (size_t)n);
    for (int i = 0; i < DOPRI5_STAGES; ++i) {
        memcpy(d->to, y, sizeof(double) * (size_t)n);
        for (int j = 0; j < i; ++j)
            for (int p = 0; p < n; ++p) d->to[p] += h * a[i][j] * d->k[j][p];
        if (!d->slope(d->user, t + c[i] * h, d->to, d->k[i])) return false;
    }
    d->error = 0; /* d->to is the result: the last stage stands there */
    for (int p = 0; p < n; ++p) {
        double sum = 0;
        for (int i = 0; i < DOPRI5_STAGES; ++i) sum += e[i] * d->k[i][p];
        d->error = fmax(d->error, fabs(h * sum) / d->scale[p]);
    }
    return true;
}

/* Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.6: y0 + part (dy + (1 - part)(...)). */
void wi_dopri5_inside(const dopri5* d, double part, double* y)
{
    static const double w[DOPRI5_STAGES] = {-12715105075.0 / 11282082432,  0,
                                            87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                            701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                            69997945.0 / 29380423};
    double back = 1 - part;
    for (int p = 0; p < d->n; ++p) {
        double dy = d->to[p] - d->from[p], bulge = d->h * d->k[0][p] - dy, last = dy - d->h * d->k[6][p] - bulge,
               high = 0;
        for (int i = 0; i < DOPRI5_STAGES; ++i) high += w[i] * d->k[i][p];
        y[p] = d->from[p] + part * (dy + back * (bulge + part * (last + back * d->h * high)));
    }
}

/* error^(-1/5) without pow: Newton on x^5 error = 1, from a power of two near the root. */
double wi_dopri5_next(double h, double error)
{
    const double least = 0.2, most = 5;
    if (!(error < 1e300)) return least * h;
    if (error * (most / 0.9) * (most / 0.9) * (most / 0.9) * (most / 0.9) * (most / 0.9) < 1) return most * h;
    int power;
    frexp(error, &power);
    double x = ldexp(1, -power / 5);
    for (int k = 0; k < 12; ++k) x -= (x - 1 / (x * x * x * x * error)) / 5;
    return h * fmin(most, fmax(least, 0.9 * x));
}
