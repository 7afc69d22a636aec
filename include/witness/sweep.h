/* SPDX-License-Identifier: MIT */
/*
 * witness/sweep.h: what happens between two moments: first touch, least distance, or the proof that nothing comes near.
 *
 *     wit_query* query = wit_query_create(NULL, NULL, NULL);          // scratch memory; one per thread
 *     wit_sweep_def def = wit_sweep_default_def();
 *     def.a = wit_moving_still(body_a, pose_a);
 *     def.b = wit_moving_between(body_b, 0, &from, 1, &to);           // the screw from pose to pose in a second
 *     def.to = 1;                                                     // from 0 s to 1 s
 *     wit_impact hit;
 *     wit_sweep_first(query, &def, &hit, NULL);                       // when do they touch (def.threshold: 0)?
 *     if (hit.outcome == WIT_SWEEP_CLEAR) ...                         // proved: at no time
 *     else use(hit.time.lo, hit.time.hi, hit.closest.normal);         // apart until lo, touching at hi
 *
 * Nothing here rests on samples: between two moments at which the closest pair is known (query.h), the distance is
 * bounded from below by how fast and how unsteadily points of the bodies can move, and intervals are cut until that
 * proves them. Rotations are counted by the distance of the body's box from the axis about which it turns.
 *
 * Most readers need no more than this, wit_sweep_def, and wit_impact or wit_least for what is answered.
 *
 * Lengths are in the unit of the bodies, times in seconds, points and directions in world axes. The signs are those of
 * query.h: a point inside a solid has a negative distance. Two bodies are followed down to touch and no deeper: where
 * they overlap their least distance is 0. A sheet is met, from whichever side: distances to sheets, and of bodies with
 * masks, have no sign.
 *
 * A sweep takes no memory: it works in that of the query object, and leaves its settings as they were. One query object
 * serves one thread at a time; bodies are constant and may be shared. The same call gives the same bits.
 */
#ifndef WITNESS_SWEEP_H
#define WITNESS_SWEEP_H

#include "base.h"
#include "body.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- motions ------------------------------------------------------------------------------- */

/*
 * Bounds of a motion over an interval of time: none of the lengths is exceeded at any moment of it. Accelerations that
 * are not known, or do not exist (the velocity jumps within the interval), are INFINITY: proofs then need more and
 * shorter intervals.
 */
typedef struct wit_motion_bounds {
    double velocity;             /* of the body's origin, length per second */
    double angular;              /* angular velocity, radians per second */
    double acceleration;         /* of the body's origin, length per second squared */
    double angular_acceleration; /* radians per second squared */
} wit_motion_bounds;

/*
 * A motion of the caller's. `at`: where the body is at a time, and its twist if it is known (it is used to guess where
 * to look, never to prove). `bounds`: of the motion between two times, from < to. Both are called with times of the
 * sweep only, in any order, and must give the same for the same times. A status that is not WIT_OK ends the sweep with
 * it. Poses are taken as exact, and bounds as true: what is proved is proved of them.
 */
typedef wit_status wit_path_at(const void* user, double time, wit_motion* out);
typedef wit_status wit_path_bounds(const void* user, double from, double to, wit_motion_bounds* out);

/* A body, or a point, in motion. */
typedef struct wit_moving_body {
    const wit_body* body; /* null: a point, at the origin of the pose. Only of b */
    const wit_mask* mask; /* null: all features; of solids then the inside too */
    /* Without `at`: a screw motion, at constant twist from this pose on (wit_motion_after), through it at time `since`.
     * A twist that is marked unknown is none. */
    wit_motion motion;
    double since;
    wit_path_at* at;
    wit_path_bounds* bounds; /* where there is `at` */
    const void* user;        /* handed to both */
} wit_moving_body;

/* At rest. */
WIT_API wit_moving_body wit_moving_still(const wit_body* body, wit_pose pose);
/* At constant twist: a screw, through this pose at time `since`. */
WIT_API wit_moving_body wit_moving_screw(const wit_body* body, double since, const wit_motion* motion);
/* The screw that leads from one pose to the other, by the shorter way round. Times that do not increase: at rest. */
WIT_API wit_moving_body wit_moving_between(const wit_body* body, double since, const wit_pose* from, double until,
                                           const wit_pose* to);

/* ---- what is asked ------------------------------------------------------------------------- */

/* What is asked of a motion, and how much work may go into it. */
typedef struct wit_sweep_def {
    size_t struct_size; /* set by wit_sweep_default_def */
    wit_moving_body a, b;
    double from, to; /* seconds, from <= to, up to 1e9 either way */
    /* What is known of the distance at both ends, such as the lower_bound of a tracker's frames (track.h). Where that
     * and the motion between prove that wit_sweep_first is CLEAR, nothing is searched: queries is 0, and closest is not
     * set (outcome BEYOND). Default -INFINITY: nothing */
    double lower_from, lower_to;
    double threshold; /* of wit_sweep_first: a length. 0: touch. Below 0 only of a point and a solid without a mask.
                         Default 0 */
    double time_tolerance; /* seconds: width of the bracket of a time. No less than 1e-15 of the times is reached.
                              Default 1e-9 */
    /* Relative to the size of the smaller body (of the body, for a point): 1e-15 to 1. Of wit_sweep_first: passes that
     * miss or go below the threshold by more than this are told from each other, where the rounding of the coordinates
     * allows it (some 1e-14 of them). Of wit_sweep_least: width of the bracket. Default 1e-12, and of
     * wit_sweep_least no less than 1e-9 is asked for */
    double tolerance;
    int64_t budget; /* units of work in all (wit_work); 8 * WIT_BUDGET_LEAST or more. Each query within it has the
                       budget of the query object too. Default 20,000,000 */
} wit_sweep_def;

/* The defaults told at the fields. */
WIT_API wit_sweep_def wit_sweep_default_def(void);

/* ---- what is answered ---------------------------------------------------------------------- */

/* How a sweep ended. */
typedef enum wit_sweep_outcome {
    WIT_SWEEP_CLEAR,    /* proved: above the threshold at all times */
    WIT_SWEEP_REACHED,  /* proved: above until time.lo, at or below at time.hi. Not certified: the bracket is wider than
                           was asked, where work or rounding did not tell what lies within */
    WIT_SWEEP_TOUCHING, /* above until time.lo; then as near to the threshold as can be told, and not proved to be on
                           either side: within the tolerance (the model's own counted) of it at time.hi, or between lo
                           and hi nearer than the bodies move meanwhile. A pass that grazes, a point through a sheet */
    WIT_SWEEP_OPEN,     /* above until time.lo; what comes after is not known: see reason */
    WIT_SWEEP_OUTCOME_COUNT
} wit_sweep_outcome;

/* "clear", "reached", "touching", "open"; "?" otherwise. Static storage. */
WIT_API const char* wit_sweep_outcome_name(wit_sweep_outcome outcome);

/* The first touch of a motion. */
typedef struct wit_impact {
    wit_sweep_outcome outcome;
    bool certified;    /* CLEAR, or REACHED with a bracket of the time as narrow as was asked */
    wit_reason reason; /* why not. BUDGET; else that of the query at time.hi; MOTION: that was narrow enough */
    bool at_start; /* at or below the threshold (TOUCHING: within the tolerance) already at `from`: lo = hi = from */
    wit_interval time;   /* seconds. CLEAR: from .. to. OPEN: the first interval that could not be proved */
    double lower_bound;  /* of the distance from `from` to time.lo: above the threshold there. CLEAR: to `to` */
    double rate;         /* of the distance at time.hi, length per second, from the twists; NAN where not known */
    wit_closest closest; /* at time.hi: place and normal of the contact; CLEAR: at `to` */
    int64_t queries, intervals; /* made, and proved */
    wit_work work;              /* all of it */
} wit_impact;

/* The least distance of a motion. */
typedef struct wit_least {
    bool certified; /* upper_bound - lower_bound is within the tolerance (plus model_tolerance of the closest pair) */
    bool touched;   /* two bodies (or a sheet and a point) come to touch or overlap: the least distance is 0, and
                           time some time at which it is */
    wit_reason reason;  /* why not certified */
    double time;        /* at which upper_bound was met */
    double lower_bound; /* of the distance at all times; upper_bound: of its least value */
    double upper_bound;
    wit_closest closest; /* at that time */
    int64_t queries, intervals;
    wit_work work;
} wit_least;

/*
 * The first time at which the distance is at or below the threshold; the least distance over the interval. WIT_OK, or a
 * refusal that leaves *out alone, error->item naming the field: null pointers, a def that was not made by its function,
 * no body a, times, thresholds or tolerances out of their range, twists not finite, and all that query.h refuses, at
 * any time of the sweep (a pose that is none, coordinates too large, a planar body out of its plane), and what the
 * motion's functions refuse.
 *
 * The work grows with the way gone against the distance kept; where the bodies' hulls are apart it hardly grows when
 * they pass closely. A rotation by many turns costs some queries per turn unless the bodies are farther apart than
 * their balls.
 */
WIT_API wit_status wit_sweep_first(wit_query* query, const wit_sweep_def* def, wit_impact* out, wit_error* error);
WIT_API wit_status wit_sweep_least(wit_query* query, const wit_sweep_def* def, wit_least* out, wit_error* error);

#ifdef __cplusplus
}
#endif

#endif
