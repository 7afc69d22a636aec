/* SPDX-License-Identifier: MIT */
/*
 * witness/assembly.h: many bodies over an interval of time: who comes near whom, when, how near, and the proof.
 *
 *     wit_assembly_def def = wit_assembly_default_def();
 *     def.bodies = bodies; def.body_count = n;                        // each a body and its motion (sweep.h)
 *     def.from = 0; def.to = 2; def.pieces = 16; def.threshold = 0.002;
 *     void* memory = malloc(wit_assembly_size(&def));
 *     int64_t found;                                                  // pairs that the boxes do not prove apart
 *     wit_assembly_pairs(&def, memory, wit_assembly_size(&def), pairs, capacity, &found, NULL);
 *     for (i = 0; i < found; ++i)                                     // or wit_assembly_run, on many threads
 *         wit_assembly_check(query, &def, &pairs[i], intervals, 8, &report, NULL);
 *
 * Every pair that wit_assembly_pairs does not list is proved to keep more than the threshold at all times; so is a pair
 * whose report says WIT_PAIR_CLEAR. Nothing rests on frames: see sweep.h for what lies between two moments.
 *
 * Most readers need wit_assembly_body, wit_assembly_def and wit_pair_report.
 *
 * Lengths are in the unit of the bodies (one unit for all), times in seconds, points and directions in world axes.
 * Nothing here takes memory; bodies are constant, and many placements may share one. A wit_query serves one thread at a
 * time; a def and its lists are read only and may be used by many. The same call gives the same bits, on however many
 * threads the pairs are checked.
 */
#ifndef WITNESS_ASSEMBLY_H
#define WITNESS_ASSEMBLY_H

#include "base.h"
#include "body.h"
#include "query.h"
#include "sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what is asked ------------------------------------------------------------------------- */

/* A body in its place. No points: moving.body is not null. */
typedef struct wit_assembly_body {
    wit_moving_body moving;
    int group; /* see wit_assembly_scope; any number */
    int link;  /* bodies of one link, 0 or more, never move against each other: they are looked at once. -1: of none */
} wit_assembly_body;

/* Which pairs are asked for. */
typedef enum wit_assembly_scope {
    WIT_SCOPE_ALL,     /* all against all */
    WIT_SCOPE_WITHIN,  /* those of the same group */
    WIT_SCOPE_BETWEEN, /* those of different groups */
    WIT_SCOPE_COUNT
} wit_assembly_scope;

/* Two bodies by their index, a < b. */
typedef struct wit_assembly_skip {
    int a, b;
} wit_assembly_skip;

/* Intervals of time at most. */
#define WIT_ASSEMBLY_PIECES 64

/* The bodies, their motions, and what is asked of their pairs. */
typedef struct wit_assembly_def {
    size_t struct_size; /* set by wit_assembly_default_def */
    const wit_assembly_body* bodies;
    int body_count;
    wit_assembly_scope scope;       /* default all */
    const wit_assembly_skip* skips; /* pairs that are left out, ascending by a, then by b; or null */
    int skip_count;
    double from, to; /* seconds, from <= to, up to 1e9 either way; the same: the bodies as they stand then */
    int pieces; /* equal parts of that time over which each body gets a box: 1 to WIT_ASSEMBLY_PIECES. Default 16 */
    double threshold;      /* a length, 0 or more: nearer than this, or as near, counts. Default 0: touch */
    double contact;        /* a length, 0 or more: overlaps up to this depth are contacts, not clashes. Default 0 */
    double time_tolerance; /* seconds: width of the brackets of times. Default 1e-9 */
    double tolerance;      /* as in wit_sweep_def. Default 1e-9 */
    int64_t budget;        /* units of work for one pair (wit_work): used up, the pair is not_checked or its report is
                              not complete. A query within may exceed it by what query.h says. Default 20,000,000 */
    int samples; /* between the ends of an interval below the threshold the pair is looked at this often per piece of
                    time, less often where nothing can have changed: 1 to 4096. Default 8 */
} wit_assembly_def;

/* The defaults told at the fields. */
WIT_API wit_assembly_def wit_assembly_default_def(void);

/* ---- who may come near whom ---------------------------------------------------------------- */

/* Two bodies, a < b, and the pieces of time (bit k: piece k, counted from 0) in which their boxes are within the
 * threshold. In all others they are proved farther apart. Two of one link have piece 0 for all. */
typedef struct wit_assembly_pair {
    int a, b;
    uint64_t pieces;
} wit_assembly_pair;

/* Bytes that wit_assembly_pairs needs: some 150 per body, and 48 more for each piece of time. 0: a def that it would
 * refuse, or more than memory can hold. */
WIT_API size_t wit_assembly_size(const wit_assembly_def* def);

/*
 * The pairs that are asked for and come near, ascending by a, then b. *count is how many there are; where that is more
 * than `capacity`, what was written is of no use: call again with more room. The work grows as n log n with the bodies,
 * and with the pairs near each other. WIT_OK, or a refusal that names the field: null pointers, a def not made by its
 * function, numbers out of range, skips out of order, memory too small or not aligned, what a motion's functions
 * refuse.
 */
WIT_API wit_status wit_assembly_pairs(const wit_assembly_def* def, void* memory, size_t bytes, wit_assembly_pair* out,
                                      int64_t capacity, int64_t* count, wit_error* error);

/* ---- what a pair does ---------------------------------------------------------------------- */

/* The worst that is known of a pair, from good to bad but for the last. */
typedef enum wit_pair_status {
    WIT_PAIR_CLEAR,     /* proved: farther apart than the threshold at all times */
    WIT_PAIR_CLEARANCE, /* at some time at or below the threshold (or within the tolerance of it), no touch known */
    WIT_PAIR_CONTACT,   /* they touch, or cannot be told from touching; no moment is known at which they overlap by more
                           than `contact` */
    WIT_PAIR_CLASH,     /* at some time they overlap (query.h proves it), by more than `contact` */
    WIT_PAIR_NOT_CHECKED, /* nothing near was found, and it is not proved that nothing is. Never counts as clear */
    WIT_PAIR_STATUS_COUNT
} wit_pair_status;

/* "clear", "clearance", "contact", "clash", "not_checked"; "?" otherwise. Static storage. */
WIT_API const char* wit_pair_status_name(wit_pair_status status);

/*
 * A time during which a pair is at or below the threshold. Proved: it is above it from the interval before (or from the
 * beginning) until enters.lo, and from leaves.hi to the next interval (or to the end). At enters.hi, at leaves.lo and
 * at the moments looked at in between it is at or below it, or as near to it as can be told; between two such
 * moments it may rise above it: what is left out of intervals is proved, what is in them was looked at.
 */
typedef struct wit_pair_interval {
    wit_interval enters, leaves; /* brackets of both ends, seconds */
    bool from_start, to_end;     /* it is so at def.from already; still at def.to */
    bool open;                   /* not all of it was looked at: the work was used up, or a query refused */
} wit_pair_interval;

/* What is known of a pair over the whole time. */
typedef struct wit_pair_report {
    wit_pair_status status;
    bool complete;       /* proved between all moments: every time at or below the threshold lies in an interval, no
                            interval is open, and none was left out for lack of room */
    wit_reason reason;   /* why not complete (NONE: an interval was left out; a refusal: see `refused`) */
    wit_status refused;  /* WIT_OK, or why a query refused the pair (bodies of these kinds, a pose that is none) */
    int a, b;            /* as in the pair */
    double lower_bound;  /* of the distance at all times; 0 where they may touch or overlap. CLEAR: >= threshold */
    double upper_bound;  /* of its least value: the least that was met; INFINITY where nothing was */
    double time;         /* at which that was */
    wit_closest closest; /* at that time; where upper_bound is finite. Of a clash: at the deepest moment looked at */
    bool touched;        /* they touch or overlap at some time */
    wit_interval first_touch; /* bracket of the first time: apart until lo, touching (or not to be told from it) at hi.
                                 Where touched */
    int interval_count;       /* written; at most the capacity */
    int64_t queries;          /* made, those of sweeps too */
    wit_work work;
} wit_pair_report;

/*
 * One pair: the times at or below the threshold (the first `capacity` of them, which is 1 or more), the least distance,
 * the first touch. WIT_OK, or a refusal that leaves *out alone: null pointers, a def out of range, a pair that is none
 * of def's. What a query refuses (two unbounded bodies, say) makes the report not_checked.
 *
 * Clash or contact is decided by queries: at the ends, in the middle, and at the moments looked at of every touch. An
 * overlap that hides between all of them is reported as contact, never as less.
 */
WIT_API wit_status wit_assembly_check(wit_query* query, const wit_assembly_def* def, const wit_assembly_pair* pair,
                                      wit_pair_interval* intervals, int capacity, wit_pair_report* out,
                                      wit_error* error);

/* ---- on many threads ----------------------------------------------------------------------- */

/* Where the pairs of a run are checked. */
typedef struct wit_assembly_workers {
    wit_query* const* queries; /* one per worker */
    int count;                 /* of workers: 1 or more */
    wit_parallel_for* run;     /* null: one after the other, by worker 0 */
    void* user;                /* handed to run */
} wit_assembly_workers;

/* Where the answers of a run go. */
typedef struct wit_assembly_out {
    wit_pair_report* reports;     /* one per pair */
    wit_pair_interval* intervals; /* `room` per pair */
    int room;                     /* 1 or more */
} wit_assembly_out;

/*
 * wit_assembly_check for every pair: out->reports[i], and out->intervals[i * room ...], are those of pairs[i], the same
 * bytes for any number of workers. WIT_OK, or a refusal before anything is checked; the report of a pair that is none
 * of def's has status not_checked and `refused` set.
 */
WIT_API wit_status wit_assembly_run(const wit_assembly_def* def, const wit_assembly_pair* pairs, int64_t count,
                                    const wit_assembly_workers* workers, const wit_assembly_out* out, wit_error* error);

#ifdef __cplusplus
}
#endif

#endif
