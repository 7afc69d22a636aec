/* SPDX-License-Identifier: MIT */
/* A sweep while it runs: what its parts share. */
#ifndef FRONT_SWEEP_RECORD_H
#define FRONT_SWEEP_RECORD_H

#include "../query/query_record.h"
#include "sweep_motion.h"

/* The distance at one time. */
typedef struct sweep_sample {
    double t;
    double lower, upper; /* of the distance, signed or not as the sweep takes it */
    double rate;         /* NAN: not known */
    wit_vec3 normal;     /* from a to b, world axes; zero: none */
    bool narrow;         /* the bracket is as narrow as was asked, or as the model allows */
    wit_reason reason;
} sweep_sample;

typedef struct sweep {
    const wit_sweep_def* def;
    wit_query* query;
    wit_query_def asked; /* the caller's settings of the query */
    sweep_side side[2];
    bool solid_point;       /* a point and a solid: signed, below 0 too */
    bool unsigned_point;    /* a point and a sheet, or a mask */
    double size, tolerance; /* lengths */
    double time_tolerance;
    double level;        /* that moments are to be told from; -infinity: none */
    double loose;        /* by how much edges may be off what is evaluated, of both bodies */
    wit_closest closest; /* of the last query */
    int64_t queries, intervals;
    wit_work work;
    wit_status status; /* of whatever refused first; WIT_OK */
} sweep;

/* The closest pair at a time. False: refused, see status. The work may end it early: the bracket holds all the same. */
bool wi_sweep_sample(sweep* s, double t, sweep_sample* out);

/* May another sample be taken? */
static inline bool sweep_may(const sweep* s)
{
    return work_left(&s->work, s->def->budget) >= 3 * WIT_BUDGET_LEAST;
}

/* Narrows the bracket of a moment by planes across the witnesses: what a search takes long to see where bodies nearly touch. */
void wi_sweep_polish(sweep* s, const sweep_poses* at, const wit_closest* c, sweep_sample* out);

/* The normal of a pair whose gap is too small to have a direction: that of a face at a witness, or across two edges. */
wit_vec3 wi_sweep_normal(sweep* s, const sweep_poses* at, const wit_closest* c);

/*
 * A lower bound of the distance at all times between the two, which are in order. `aim`: a bound above this is enough; less is
 * done for one that is hopeless. -infinity where the motion was refused (status).
 */
double wi_sweep_bound(sweep* s, const sweep_sample* left, const sweep_sample* right, double aim);

#endif
