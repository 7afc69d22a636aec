/* SPDX-License-Identifier: MIT */
/*
 * How a tracker runs a law: a table of functions. The settings of a law (laws.h) begin with a pointer to a function that
 * gives the table of their kind; nothing more is known of them here. A tracker keeps the table and a copy of the settings,
 * and behind it the law's own state.
 */
#ifndef TRACK_LAW_METHODS_H
#define TRACK_LAW_METHODS_H

#include "step.h"

typedef struct wit_law_methods law_methods;

struct wit_law_methods {
    size_t settings; /* their bytes */
    /* Bytes of the state, which begins as zeros. Null: none. */
    size_t (*state)(const wit_body* a, const wit_body* b, const wit_law_def* law);
    /* Can def->law be run with the rest of the def? */
    wit_status (*check)(const wit_body* a, const wit_body* b, const wit_track_def* def, wit_error* error);
    /* Forgets what lasts from step to step: after reset and place. Null: nothing does. */
    void (*forget)(wit_tracker* t);
    /* Moves the places to where they are at the end of the step; sets outcome, held, iterations. Null: the tracker's own. */
    void (*step)(step* s);
    /* When in this frame a witness jumped from one place to another: seconds since the reset. Null: at its end. */
    double (*jump_time)(step* s, int which, const place* from, const place* to);
};

/* The table of a law; null if its settings were not begun by wit_law_default_def. */
static inline const law_methods* law_methods_of(const wit_law_def* law)
{
    const law_methods* (*const* table)(const wit_law_def*) = (const void*)law;
    return *table ? (*table)(law) : NULL;
}

#endif
