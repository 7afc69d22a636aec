/* SPDX-License-Identifier: MIT */
/*
 * Where both bodies are at one moment, in the frame of a: a stands still there and b moves with the relative twist.
 * Psi, M and b are scalars of the pair and do not depend on the frame.
 */
#ifndef PAIR_PAIR_MOTION_H
#define PAIR_PAIR_MOTION_H

#include "side.h"
#include "moving.h"

typedef struct pair_motion {
    side side[2];               /* [0] is not moved; [1] is moved, or a bare point */
    wit_pose frame;             /* of a in the world */
    wit_vec3 velocity, angular; /* of b seen from a: its point at p moves with velocity + angular x p */
} pair_motion;

/* From motions in the world, twists known. `b` null: a point at the origin of its pose. */
void wi_pair_motion_make(const wit_body* a, const wit_body* b, const wit_motion* ma, const wit_motion* mb,
                         pair_motion* out);

/* What is evaluated on either side is counted in `work`, which may reach so many units. */
static inline void pair_motion_account(pair_motion* s, wit_work* work, int64_t units)
{
    for (int i = 0; i < 2; ++i) s->side[i].work = work, s->side[i].units = units;
}

/* A side at a place; parameters must be in range (closed ones may run on). One jet, unless the feature is a vertex or a
 * point. `hint`: the cell of the last look, may be null. Returns wit_eval_flag flags. */
unsigned wi_pair_motion_at(const pair_motion* s, int which, const place* at, wit_hint* hint, moving* out);
/* The same at a knot from below (a set of wit_knot_side flags). */
unsigned wi_pair_motion_at_side(const pair_motion* s, int which, const place* at, unsigned below, wit_hint* hint,
                                moving* out);

/* The parameter box of a place's feature, and which parameters wrap. Nothing for vertices and points. */
static inline void pair_motion_range(const pair_motion* s, int which, const place* at, wit_interval range[2],
                                     bool closed[2])
{
    if (at->kind <= WIT_EDGE) wi_side_range(&s->side[which], at->kind, at->id, range, closed);
}

#endif
