/* SPDX-License-Identifier: MIT */
/*
 * Two bodies over an interval of time: where they are, how fast their distance can change, how unsteadily their points move.
 *
 * Speed. With witnesses x on a, y on b and n along y - x, the distance changes by n.(V_b(y) - V_a(x)), V the velocity fields of
 * the rigid bodies. V_a(y) - V_a(x) = w_a x (y - x) is across n, so the rate is n.(V_b(y) - V_a(y)) too, and likewise at x: it
 * is at most
 *     |V_a| over a + |V_b| over b,    |V_b - V_a| over b,    |V_b - V_a| over a,
 * whichever is least. Of two bodies that move together the last two are 0; a body without end has only one of them.
 *
 * Bend. Seen from a frame F (the world, a or b), each point p of a body goes from p(t0) to p(t1), and is never farther from the
 * chord, passed at constant speed, than |p''| T^2 / 8, T = t1 - t0. Hence for every direction n that is fixed in F
 *     min over b of n.p  -  max over a of n.p   >=   the same of the chords  -  bend T^2 / 8,
 * and what is linear in time before the min and the max is least at one of the ends: that gap is at least the less of the two at
 * t0 and t1, less bend T^2 / 8. bend = |p''| over a + |p''| over b.
 *
 * A screw is steady in space: the field V stays as it is, and a point goes with |V(p)| and |p''| = |w x V(p)| for ever. Both are
 * norms of affine functions of p, so greatest at a corner of the body's box. Of two screws, seen from a:
 *     p' = D(p) = V_b(p) - V_a(p),    p'' = (w_b - w_a) x V_b(p) - w_a x D(p)         (in the axes of a).
 */
#ifndef FRONT_SWEEP_MOTION_H
#define FRONT_SWEEP_MOTION_H

#include "../../include/witness/sweep.h"
#include "../base/vec.h"

enum { SWEEP_CORNERS = 8 };

/* The frame in which a direction is held fixed. */
typedef enum sweep_frame { SWEEP_OF_A, SWEEP_OF_B, SWEEP_WORLD, SWEEP_FRAMES } sweep_frame;

typedef struct sweep_side {
    const wit_moving_body* moving;
    const wit_body* body; /* null: a point */
    bool screw;
    bool endless;                   /* it has no box */
    wit_vec3 corner[SWEEP_CORNERS]; /* of its box, body axes */
    wit_vec3 centre;                /* of its box, body axes; of a body without end its origin */
    double radius;                  /* of the ball about the centre */
    double reach, centre_reach;     /* of any point from the origin; of the centre */
} sweep_side;

/* Both at one time. */
typedef struct sweep_poses {
    wit_motion motion[2];
} sweep_poses;

/* What holds over an interval. */
typedef struct sweep_speeds {
    double way;        /* the distance changes by no more a second */
    double centre_way; /* nor that of the centres (of a half-space: the height of the other's centre above it) */
    double bend[SWEEP_FRAMES];
} sweep_speeds;

void wi_sweep_side(const wit_moving_body* m, sweep_side* out);

/* Where a side is at a time; the twist where it is known. */
wit_status wi_sweep_at(const sweep_side* s, double t, wit_motion* out);
wit_status wi_sweep_poses(const sweep_side side[2], double t, sweep_poses* out);

/* From `from` on, where both stand at `at`, for `seconds` > 0. */
wit_status wi_sweep_speeds(const sweep_side side[2], double from, double seconds, const sweep_poses* at,
                           sweep_speeds* out);

#endif
