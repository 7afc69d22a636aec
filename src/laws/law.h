/* SPDX-License-Identifier: MIT */
/*
 * Speeds of the laws that are differential equations, at one state. Numbers such as 000 (4) are those of the
 * equations in the papers (docs/papers.md names them); where the printed form does not hold, the reason is given.
 *
 * Gradient laws (switching, exponential, motion_aware), per side, with r = own point - other point, p_i = r.d_i (the
 * gradient of |dR|^2 / 2), I the metric, psi = I^-1 p, the measure numbers of 000 (4):
 *     face            x' = -K psi: 000 (5), mode 5 of 000 (1)
 *     border of it    modes 1 to 4 of 000 (1): the parameter at the border is held, the other one moves along the
 *                     edge: x_j' = -k_j p_j / |d_j|^2, 000 (7) with the psi_j of 000 (8): always by the covariant
 *                     p_j, as the psi_j of 000 (4), which sees the held direction too, can climb
 *     corner          at rest, if neither edge leads away; not in 000 (1), which would leave the patch there
 * and the same again on the other side, 000 (14), but as a product: 9 x 9 modes. Rest points are those of min |dR|
 * over both boxes.
 *     exponential     K = |dR|^2 / |psi|^2, on an edge |dR|^2 / (p_j / |d_j|^2)^2 (000, Remark 1), below a cap; psi
 *                     measured in arc length over that of the longer tangent, which is not more: the promised decay
 *                     stays, and a pole does not stop it
 *     motion_aware    + I^-1 b', b'_i = q.d_i where the motion raises |dR| (psi_i q.d_i < 0): there it is cancelled;
 *                     else 0: 000 (13), in whose second line 1 / F must be 1 / E; q the velocity of the other point seen
 *                     from the body; on one side only, or the motion is cancelled twice. Why its error does not fall
 *                     with 1 / K, and what does better: feed_forward.c
 *
 * Linearizing: x' = M^-1 (mu - b), mu = -K Psi: 001 (12) and (14), Psi that of 001 (1) to (4), M and b of 001 (9).
 * Parameters that would leave are dropped with their rows and columns. The rows of the contact form are right as
 * long as the face whose normal they use is free; else the papers' rows are used.
 */
#ifndef LAWS_LAW_H
#define LAWS_LAW_H

#include "../../include/witness/laws.h"
#include "../pair/conditions.h"
#include "../pair/pair_motion.h"
#include "../track/tracker_record.h"

typedef struct law_state {
    const moving* side[2];
    wit_form form; /* of the conditions that are asked for */
    int count, count_a;
    double x[WIT_MAX_PARAMETERS];
    wit_interval range[WIT_MAX_PARAMETERS];
    bool closed[WIT_MAX_PARAMETERS];
} law_state;

/* The gains of a step, whatever they were made from. */
typedef struct gain_set {
    double scalar;
    bool each;
    double side[2];      /* on faces */
    double parameter[4]; /* on borders and edges: u, v, r, s */
    int order;           /* 0: no matrix */
    double matrix[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
    double cap; /* exponential */
    double dt;  /* of the step */
} gain_set;

typedef struct law_answer {
    double speed[WIT_MAX_PARAMETERS];
    unsigned held;  /* bit i: parameter i stands at a border that the law wants to leave through */
    bool fell_back; /* linearizing: M is singular; own: no answer. The gradient law answers */
    double gain;    /* scalar that acted */
} law_answer;

enum { LAW_FREE = -1 };

/* `psi`: what stands for Psi (integrated feedback), or null. `mode`: LAW_FREE, or the set of parameters that are to
 * be held. */
void wi_law_answer_at(const wit_law_def* law, const law_state* at, const gain_set* gains, const double* psi, int mode,
                      law_answer* out);

/* What an outer loop sees besides the state and the gains. */
typedef struct law_outer {
    const double* psi;
    unsigned held;
    wit_form form;
    double distance;
} law_outer;

/* mu = Psi', 001 (13): -K Psi, or what the outer loop of the def makes of it. */
void wi_law_outer(const wit_law_def* law, const law_state* at, const gain_set* gains, const law_outer* in, double* mu);

/* As wit_law_speeds, with nothing held: where a witness that passes a border is taken over elsewhere. */
wit_status wi_law_speeds_unheld(const wit_moving_place* a, const wit_moving_place* b, const wit_track_def* def,
                                double dt, double speeds[WIT_MAX_PARAMETERS]);

/* The state of two places: parameters and their ranges. */
void wi_law_state_of(const pair_motion* s, const place at[2], const moving m[2], wit_form form, law_state* out);

/* Would parameter i leave its range at this speed? */
static inline bool law_leaves(const law_state* at, int i, double speed)
{
    if (at->closed[i]) return false;
    return (at->x[i] <= at->range[i].lo && speed < 0) || (at->x[i] >= at->range[i].hi && speed > 0);
}

/* The metric of one side: d_i.d_j; and which tangents vanish, measured over the range of their parameter against the
 * other tangent and the gap: beside a pole. */
typedef struct law_metric {
    double E, F, G;
    bool dead[2];
} law_metric;

law_metric wi_law_metric_of(const law_state* at, int which);

/* The settings that a tracker runs. */
static inline const wit_law_def* law_settings(const wit_tracker* t)
{
    return (const wit_law_def*)(const void*)((const char*)t + t->law_at);
}

#endif
