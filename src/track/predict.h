/* SPDX-License-Identifier: MIT */
/*
 * Where the parameters will be: the polynomial through the last frames, of order 0, 1 or 2, at the steps they were taken
 * with. Order 2 is best while the motion is smooth; after a kink lower orders recover sooner. `best` takes the order that
 * would have met the last frame best. Extrapolation is stable only with a true second-order corrector, which Newton is.
 */
#ifndef TRACK_PREDICT_H
#define TRACK_PREDICT_H

#include "step.h"
#include "../base/interval.h"
#include "piece.h"
#include "tracker_record.h"

enum { PREDICT_ORDERS = 3 };

typedef struct prediction {
    int orders; /* how many there are: 1 to 3 */
    double x[PREDICT_ORDERS][2][2];
} prediction;

/* All orders that the history allows, `dt` ahead of its newest frame. */
static inline prediction predict_all(const wit_tracker* t, double dt)
{
    prediction r = {t->history < 1 ? 1 : t->history, {{{0}}}};
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k) {
            double now = t->history ? t->past[0][i][k] : t->at[i].x[k], next = now;
            r.x[0][i][k] = now;
            if (r.orders < 2) continue;
            /* divided differences */
            double slope = (now - t->past[1][i][k]) / t->past_dt[0];
            r.x[1][i][k] = next = now + dt * slope;
            if (r.orders < 3) continue;
            double before = (t->past[1][i][k] - t->past[2][i][k]) / t->past_dt[1];
            r.x[2][i][k] = next + dt * (dt + t->past_dt[0]) * (slope - before) / (t->past_dt[0] + t->past_dt[1]);
        }
    return r;
}

/* The order to use. */
static inline int predict_order(const wit_tracker* t, const prediction* p)
{
    int asked = t->def.prediction == WIT_PREDICTION_LINEAR      ? 1
                : t->def.prediction == WIT_PREDICTION_QUADRATIC ? 2
                : t->def.prediction == WIT_PREDICTION_BEST      ? t->order
                                                                : 0;
    return asked < p->orders ? asked : p->orders - 1;
}

/* The same for one side when all steps are equal and the history is full. */
PIECE void predict_equal(const wit_tracker* t, int which, prediction* p)
{
    for (int k = 0; k < 2; ++k) {
        double p0 = t->past[0][which][k], p1 = t->past[1][which][k], p2 = t->past[2][which][k], d = p0 - p1;
        p->x[0][which][k] = p0;
        p->x[1][which][k] = p0 + d;
        p->x[2][which][k] = p0 + d + (d - (p1 - p2));
    }
}

/* The order that came nearest to where the parameters of the first `sides` sides are now. */
PIECE int predict_best(const wit_tracker* t, const prediction* p, int sides)
{
    int best = 0;
    double least = INFINITY;
    for (int o = 0; o < p->orders; ++o) {
        double off = 0;
        for (int i = 0; i < sides; ++i)
            for (int k = 0; k < 2; ++k) off = larger(off, fabs(p->x[o][i][k] - t->at[i].x[k]));
        if (off <= least) { /* a tie: the higher one */
            least = off;
            best = o;
        }
    }
    return p->orders < PREDICT_ORDERS && best == p->orders - 1 ? PREDICT_ORDERS - 1 : best;
}

/* Where the first `sides` sides are becomes the newest frame of the history. */
PIECE void predict_push(wit_tracker* t, int sides, double dt)
{
    for (int h = TRACK_HISTORY - 1; h > 0; --h) {
        for (int i = 0; i < sides; ++i)
            for (int k = 0; k < 2; ++k) t->past[h][i][k] = t->past[h - 1][i][k];
        t->past_dt[h] = t->past_dt[h - 1];
    }
    for (int i = 0; i < sides; ++i)
        for (int k = 0; k < 2; ++k) t->past[0][i][k] = t->at[i].x[k];
    t->past_dt[0] = dt;
}

/* A converged frame joins the history. Closed parameters are brought back into their range, and the history with them. */
void wi_predict_remember(step* s);

#endif
