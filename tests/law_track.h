/* SPDX-License-Identifier: MIT */
/* A tracker's settings and those of its law in one: what tests hand about and change. */
#ifndef TESTS_LAW_TRACK_H
#define TESTS_LAW_TRACK_H

#include "../include/witness/laws.h"

typedef struct law_track {
    wit_track_def track; /* without its law */
    wit_law_def law;
} law_track;

static inline law_track law_track_default(wit_law_kind law)
{
    law_track d = {wit_track_default_def(), wit_law_default_def(law)};
    return d;
}

/* Both as a tracker wants them, as long as *d lives. */
static inline wit_track_def track_def(const law_track* d)
{
    wit_track_def def = d->track;
    def.law = &d->law;
    return def;
}

static inline wit_tracker* law_create(const wit_body* a, const wit_body* b, const law_track* d, wit_error* error)
{
    wit_track_def def = track_def(d);
    return wit_tracker_create(a, b, &def, NULL, error);
}

static inline wit_status law_speeds(const wit_moving_place* a, const wit_moving_place* b, const law_track* d, double dt,
                                    double* speeds)
{
    wit_track_def def = track_def(d);
    return wit_law_speeds(a, b, &def, dt, speeds);
}

static inline wit_status law_limits(const wit_moving_place* a, const wit_moving_place* b, const law_track* d, double dt,
                                    wit_gain_limit* out)
{
    wit_track_def def = track_def(d);
    return wit_gain_limits(a, b, &def, dt, out);
}

#endif
