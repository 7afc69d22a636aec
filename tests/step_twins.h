/* SPDX-License-Identifier: MIT */
/*
 * The same frame twice, from the same state: by the usual step (fast_step.c), and by a copy of the tracker that has to
 * take the general one. Every field of both results is compared, and what the trackers remember.
 *
 * Both leave the conditions of the pair (as lengths, pair/conditions.h) within `rest` = 8 (tolerance scale + rounding), the
 * scale the larger of size and distance. M in arc length turns that into places: `place` = |M^-1| rest. From there:
 *     distance    rest
 *     witnesses   place (points; parameters by their speeds)
 *     normal      `turn` = place (1 / gap + bend) + rest / gap, bend the largest curvature of the jets
 *     rate        turn |v| + place |w|
 *     errors      the conditions over their lengths: rest / gap, rest / size, and rounding; where both took the same jets
 *                 as near as their places are
 *     lower bound rest + turn size
 *     outcome     CONVERGED both, but within 100 rest of touch, where the general step may end with a gap askew: OPEN
 *     flags       equal, unless the number that decides is within these tolerances of its threshold; kind likewise
 *     work        the usual step takes one iteration and one jet a side, the general one that or more
 * All else is equal.
 *
 * Needs --wrap=wi_fast_step.
 */
#ifndef TESTS_STEP_TWINS_H
#define TESTS_STEP_TWINS_H

#include "../include/witness/track.h"

enum {
    TWIN_DISTANCE,
    TWIN_PLACE,
    TWIN_NORMAL,
    TWIN_RATE,
    TWIN_ERRORS,
    TWIN_BOUND,
    TWIN_OUTCOME,
    TWIN_FLAGS,
    TWIN_KIND,
    TWIN_COUNTS,
    TWIN_WORK,
    TWIN_MEMORY, /* what the tracker remembers */
    TWIN_FIELDS
};

typedef struct twin_tally {
    long steps, fast;          /* all; usual ones */
    long wrong[TWIN_FIELDS];   /* beyond the tolerance */
    double worst[TWIN_FIELDS]; /* in tolerances */
    long other_order;          /* of the prediction for the next step: a tie to what the places differ by */
    long wrong_order;          /* no tie */
    long more_work;            /* general steps that took more than the usual one */
    int told;
} twin_tally;

typedef struct twins {
    wit_tracker *one, *other; /* the other one goes the long way */
    const char* name;
    twin_tally* tally;
} twins;

/* `def` null: the default. */
twins twins_make(const wit_body* a, const wit_body* b, const wit_track_def* def, const char* name, twin_tally* tally);
void twins_drop(twins* t);
/* A frame by both, compared; the result is that of the usual way. */
void twins_step(twins* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out);

/* The last step of the one was a usual step. */
bool twins_were_fast(void);

void twin_tally_print(const char* name, const twin_tally* t);
/* No field was wrong. */
void twin_tally_check(const twin_tally* t);

#endif
