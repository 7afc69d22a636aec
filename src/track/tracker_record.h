/* SPDX-License-Identifier: MIT */
/* The record behind wit_tracker. One block: the record, then what it refers to by offsets. */
#ifndef TRACK_TRACKER_RECORD_H
#define TRACK_TRACKER_RECORD_H

#include <stddef.h>
#include <string.h>

#include "../../include/witness/track.h"
#include "../pair/pair_motion.h"

enum { TRACK_HISTORY = 3 }; /* frames whose parameters are kept for prediction */

struct wit_tracker {
    wit_allocator allocator; /* of create; bytes 0: memory of the caller's */
    size_t bytes;
    const wit_body* body[2];           /* [1] null: a point */
    wit_track_def def;                 /* its law is null: what there is stands in this block */
    const struct wit_law_methods* law; /* null: the default */
    double size;                       /* of the smaller body */
    double reach;                      /* of the coordinates of both bodies in their own frames, bounded faces only */
    wit_kernel kernel;                 /* resolved */
    bool supported; /* `within` is finite: a tangent plane holds all of its body on one side, but for that */
    double within;  /* the sum of both bodies' convex_within; of planar bodies infinite */
    bool convex[2]; /* what is closest nearby is closest: proved */
    bool estimate;  /* surfaces of a body stand for others, off by an estimated length: nothing is certified */

    /* offsets from the record, 0: none */
    size_t query_at, query_bytes;
    size_t transitions_at;
    size_t point_front_at; /* of a point (point_proof.c) */
    size_t pair_front_at;  /* of two bodies apart (pair_proof.c) */
    size_t front_at;       /* of two solids: the front over directions (overlap.c) */
    size_t contacts_at;    /* contacts with ids (contact_ids.c) */
    size_t law_at;         /* settings of the law */
    size_t law_state_at;   /* what it keeps from step to step */

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
    double bound;           /* -infinity: none */
    double above;           /* an upper bound; infinity: none */
    double model_tolerance; /* of that proof */
    wit_reason reason;      /* why that search did not certify, if it did not */
    double watch; /* distance - lower bound at most this before the global search looks again; infinity: never */
    wit_vec3 bound_turn[3], bound_shift; /* of b in the frame of a: rows of its rotation, and its origin */
    int sign;                            /* of the distance of a point in the last frame; 0: not known */
    int side; /* proved where b had its origin at side_at and these rows, in the frame of a; 0: nothing is (law_side.h) */
    wit_vec3 side_at, side_turn[3];
    double side_room;    /* and until b has moved so far: of a point no boundary is nearer */
    double distance;     /* of the last frame */
    wit_vec3 normal;     /* the same, in the frame of a */
    wit_vec3 foot;       /* the witness on a, likewise */
    bool deep[2];        /* inside: the witness is a point in its body, on no feature; */
    wit_vec3 deep_at[2]; /* there, in the frame of its body */
    bool inside;         /* the last frame was one of solids in each other (overlap.c), or is not known not to be */
    /* two solids: b may move so far from where it stood as below before it is asked again whether they are in each
     * other: they were at least so far apart, or that could not be decided (overlap.c). 0: ask */
    double clear;
    wit_vec3 clear_turn[3], clear_shift;
    bool fast_ready; /* the next step may be a usual one (fast_step.c) */
    int looked;      /* jets of a usual step that gave up, until the general step has counted them */
    wit_work spent;  /* and what its proof took */
    int64_t transition_count;
};

enum { TRACKER_STATE = offsetof(wit_tracker, placed) }; /* where the state begins in the record */

static inline void* tracker_at(wit_tracker* t, size_t offset)
{
    return (char*)t + offset;
}

/* All of a tracker of so many bytes but the memory that its query works in, to go back to: between a block of that size and
 * the tracker, `back` the other way. */
static inline void tracker_keep(wit_tracker* t, size_t bytes, void* block, bool back)
{
    size_t head = t->query_at ? t->query_at : bytes, after = t->query_at ? t->query_at + t->query_bytes : bytes;
    char *to = back ? (char*)t : block, *from = back ? block : (char*)t;
    memcpy(to, from, head);
    if (after < bytes) memcpy(to + after, from + after, bytes - after);
}

#endif
