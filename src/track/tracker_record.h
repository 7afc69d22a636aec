/* SPDX-License-Identifier: MIT */
/*
 * The record behind wit_tracker, and what one step carries. One block: the record, then what it refers to by offsets.
 * Data flows one way: motions -> pair motion -> law -> hand-over -> candidates -> result.
 */
#ifndef TRACK_TRACKER_RECORD_H
#define TRACK_TRACKER_RECORD_H

#include <stddef.h>

#include "../../include/witness/track.h"
#include "../base/work.h"
#include "../pair/conditions.h"
#include "../pair/pair_motion.h"

enum { TRACK_HISTORY = 3 }; /* frames whose parameters are kept for prediction */

struct wit_tracker {
    wit_allocator allocator; /* of create; bytes 0: memory of the caller's */
    size_t bytes;
    const wit_body* body[2]; /* [1] null: a point */
    wit_track_def def;
    double size;       /* of the smaller body */
    wit_kernel kernel; /* resolved */
    bool supported;    /* both bodies are proved to be convex: a tangent plane holds all of its body on one side */
    bool convex[2];    /* the body is convex: body_facts, convex_space */

    /* offsets from the record, 0: none */
    size_t query_at, query_bytes;
    size_t transitions_at;
    size_t candidates_at;
    size_t flow_at;
    size_t findmin_at;

    /* ---- the state: from `placed` to the end of the record, zeroed and begun in one place (tracker.c) ---- */
    bool placed;  /* the places say something */
    bool started; /* there was a frame: `last` and `time` mean something */
    wit_pose last[2];
    wit_twist last_twist[2];
    double time;
    place at[2];
    wit_hint hint[2]; /* the cells of the last looks there */
    /* converged parameters of the last frames on these features, newest first; closed ones unwrapped */
    int history;
    double past[TRACK_HISTORY][2][2];
    double past_dt[TRACK_HISTORY]; /* past_dt[k]: from past[k + 1] to past[k] */
    int order;                     /* of the prediction that was best for the last frame */
    /* the last proof: lower bound of the signed distance when the bodies stood so */
    double bound; /* -infinity: none */
    double above; /* an upper bound; infinity: none */
    double watch; /* distance - lower bound at most this before the global search looks again; infinity: never */
    wit_vec3 bound_turn[3], bound_shift; /* of b in the frame of a: rows of its rotation, and its origin */
    int sign;                            /* of the distance of a point in the last frame; 0: not known */
    double distance;                     /* of the last frame */
    wit_vec3 normal;                     /* the same, in the frame of a */
    wit_vec3 foot;                       /* the witness on a, likewise */
    /* the point, in the frame of a, may still move this far before a candidate can matter (candidate.c) */
    double free_travel;
    wit_vec3 last_point; /* of a point tracker, in the frame of a */
    bool fast_ready;     /* the next step may be a usual one (fast_step.c) */
    int64_t transition_count;
    wit_findmin_work findmin_work;
};

enum { TRACKER_STATE = offsetof(wit_tracker, placed) }; /* where the state begins in the record */

static inline void* tracker_at(wit_tracker* t, size_t offset)
{
    return (char*)t + offset;
}

enum { HAND_OVERS_MOST = 16 }; /* hand-overs in one step */

/* A feature that was left in this step, and at what distance. */
typedef struct feature_left {
    int8_t side;
    wit_feature_kind kind;
    int32_t id;
    double distance;
} feature_left;

/* One step under way. */
typedef struct step {
    wit_tracker* t;
    pair_motion now;      /* at the end of the step */
    wit_motion motion[2]; /* the same in the world, twists known */
    wit_pose from[2];     /* in the world at its beginning; in the first step as at its end */
    bool first;           /* no frame before */
    double dt;
    double clock; /* seconds since the reset at which `now` stands: the time of a hand-over */
    /* what the law reports */
    wit_outcome outcome;
    unsigned flags;
    bool pressed;  /* the bodies overlap and the held parameters want to leave: the gap does not tell then */
    unsigned held; /* bit i: parameter i is held at a border; a's first */
    int switches, iterations;
    double gain, drift;
    wit_work work;
    moving at[2]; /* both sides at the places of the tracker, once the law is done; valid if `fresh` */
    bool fresh;
    wit_vec3
        toward[2]; /* unit, from the witness of each side outward to the other one: along the gap, at touch and inside
                           along the normal; frame of a. Zero where it is not known */
    feature_left left[HAND_OVERS_MOST];
    int left_count;
} step;

/* What the end of a step may take: a look at both sides, the sign at an edge. Nothing is begun that could eat into it. */
enum { STEP_RESERVE = 24, LOOK_MOST = 12 };

/* Gaps below this part of the size lose digits of their direction: the normal of a face is better there. */
#define NEAR_TOUCH 1e-3

/* Units that are left. */
static inline int64_t step_left(const step* s)
{
    return work_left(&s->work, s->t->def.budget);
}

static inline void step_jets(step* s, int n)
{
    work_jets(&s->work, n);
}

static inline void step_tests(step* s, int n)
{
    work_tests(&s->work, n);
}

static inline double step_scale(const step* s, double distance)
{
    return fmax(fabs(distance), s->t->size);
}

/* Both sides at the tracker's places: s->at and s->toward, counted; `held` is left alone. */
void wi_step_look(step* s);
/* Remembers a hand-over of a side from `from` to where its place is now, and forgets the history. */
void wi_step_switched(step* s, int which, const place* from, double before, double after, bool jumped, double time);

/* ---- the rooms ----------------------------------------------------------------------------- */

/* Laws (each moves the places to their place at the end of the step and sets outcome, held, iterations). */
void wi_general_step(step* s);
void wi_newton_law_step(step* s);
void wi_flow_step(step* s);
void wi_findmin_step(step* s);

/* pair_newton.c: predicted or given parameters to a closest pair on the present features; false: lost. */
bool wi_pair_newton(step* s);
/* descent.c: the descent that takes over: from the places down to a closest pair on the present features. */
bool wi_descend(step* s);
/* next_contact.c: from a contact inside that has ended downhill to the next one; true: there. JUMPED is set. */
bool wi_next_contact(step* s);
/* reacquire.c: the global search; true: the places are at the closest pair. False: no budget, or not allowed. */
bool wi_reacquire(step* s);

/*
 * hand_over.c: if a witness belongs on another feature now, hands it over to that (place moved by the reset map, transition
 * remembered, SWITCHED set) and returns true. Needs s->fresh, s->held and s->toward. At most HAND_OVERS_MOST a step: then CYCLE.
 */
bool wi_hand_over(step* s);

/* candidate.c: keeps the other feet up (`distance` is that of the witness, signed) and, if one of them is nearer than the witness, jumps there (JUMPED): true. */
bool wi_candidate_jump(step* s, double distance);
/* Forgets them: the next step finds them anew. */
void wi_candidate_forget(wit_tracker* t);
size_t wi_candidate_bytes(const wit_body* a, const wit_body* b, const wit_track_def* def);

size_t wi_flow_bytes(const wit_body* a, const wit_body* b, const wit_track_def* def);
void wi_flow_forget(wit_tracker* t); /* after reset, place, a switch: multistep history */
size_t wi_findmin_bytes(const wit_body* a, const wit_body* b, const wit_track_def* def);
void wi_findmin_forget(wit_tracker* t);

/* wi_law_check.c */
wit_status wi_law_check(const wit_body* a, const wit_body* b, const wit_track_def* def, wit_error* error);

/* fast_step.c: the usual step in one piece; false: nothing was changed, take the long way. */
bool wi_fast_step(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out);
/* After a step the long way: may the next one be a usual one? */
bool wi_fast_step_ready(const step* s);

/* result.c: the result of a step. */
void wi_step_result(step* s, wit_result* out);

#endif
