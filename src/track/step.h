/* SPDX-License-Identifier: MIT */
/*
 * What one step of a tracker carries, from the motions to the result. Data flows one way:
 * motions -> pair motion -> law -> hand-over -> proof -> result.
 */
#ifndef TRACK_STEP_H
#define TRACK_STEP_H

#include "../base/work.h"
#include "../front/pair_front.h"
#include "../front/point_front.h"
#include "../pair/conditions.h"
#include "../pair/pair_motion.h"
#include "tracker_record.h"

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
    bool by_region; /* features are chosen by regions: a witness on its way may be outside the loops of its face */
    bool pressed;   /* the bodies overlap and the held parameters want to leave: the gap does not tell then */
    bool inside;    /* solids in each other: the pair is a contact along inside_normal (frame of a) */
    wit_vec3 inside_normal;
    bool bracketed; /* then: the signed distance is proved to be in [least, most], tolerances of edges counted */
    double least, most;
    bool unsided; /* a law: the sign of the distance is not proved (law_side.h) */
    bool fronted; /* a point: `front` is what the front says of this frame (point_proof.h) */
    front_answer front;
    front_witness asked; /* of whom */
    pair_answer pair;    /* two bodies: what their front said last (pair_proof.h) */
    place kept[2];       /* the places of the last frame */
    unsigned held;       /* bit i: parameter i is held at a border; a's first */
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

/* What the account may reach before the end of the step. */
static inline int64_t step_limit(const step* s)
{
    return s->t->def.budget - STEP_RESERVE;
}

/* Units that are left. */
static inline int64_t step_left(const step* s)
{
    return work_left(&s->work, s->t->def.budget);
}

static inline void step_jets(step* s, int n)
{
    work_jets(&s->work, n);
}

static inline void step_boxes(step* s, int n)
{
    work_boxes(&s->work, n);
}

static inline double step_scale(const step* s, double distance)
{
    return fmax(fabs(distance), s->t->size);
}

/* Both sides at the tracker's places: s->at and s->toward, counted; `held` is left alone. */
void wi_step_look(step* s);
/* Remembers a hand-over of a side from `from` to where its place is now, and forgets the history. */
void wi_step_switched(step* s, int which, const place* from, double before, double after, bool jumped, double time);

#endif
