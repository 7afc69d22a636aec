/* SPDX-License-Identifier: MIT */
/*
 * The end of a step, the usual and the general one alike: which direction tells the distance, the flags that follow from
 * it, what is proved, and what the tracker remembers of the frame.
 */
#ifndef TRACK_STEP_END_H
#define TRACK_STEP_END_H

#include "carried_bound.h"

/* Near touch a gap has lost digits of its direction: the face's normal and the distance along it tell, if the gap is along
 * it. `along`: the gap's part along the normal. */
PIECE bool normal_tells(const wit_tracker* t, double gap, double along)
{
    return gap <= NEAR_TOUCH * t->size && fabs(along) >= gap * (1 - 1e-6) - 64 * DBL_EPSILON * t->size;
}

/* A gap between these two points that is not above their rounding has no direction, and no cosine with the tangents. Far
 * from touch it always has one: their coordinates would have to be 1e10 times the size. */
PIECE bool gap_has_direction(const wit_tracker* t, double gap, wit_vec3 a, wit_vec3 b)
{
    return gap > NEAR_TOUCH * t->size || gap > 64 * DBL_EPSILON * (t->size + norm3(a) + norm3(b));
}

/* What kind of stationary place the pair is at. Apart, a level one is a place of a closest set that is no point. */
PIECE void set_kind(const wit_tracker* t, wit_stationary kind, wit_result* out)
{
    bool level = kind == WIT_STATIONARY_FLAT && fabs(out->distance) > 1e-9 * t->size;
    out->kind = kind;
    if (level && out->outcome == WIT_OUTCOME_CONVERGED) out->flags |= WIT_FLAG_NOT_UNIQUE;
}

/* What the signed distance alone says. */
PIECE unsigned distance_flags(const wit_tracker* t, double distance)
{
    double tolerance = t->def.tolerance * larger(fabs(distance), t->size);
    unsigned flags = fabs(distance) <= tolerance ? WIT_FLAG_TOUCHING : 0;
    return t->body[1] && distance < -tolerance ? flags | WIT_FLAG_OVERLAPPING : flags;
}

/* Why a frame is not certified. */
PIECE wit_reason reason_of(const wit_tracker* t, const wit_result* r)
{
    if (r->outcome == WIT_OUTCOME_OPEN) return WIT_REASON_OPEN;
    if (r->outcome == WIT_OUTCOME_BUDGET) return WIT_REASON_BUDGET;
    if (t->estimate) return WIT_REASON_MODEL;
    return t->reason ? t->reason : WIT_REASON_MOTION;
}

/* The certificate: lower_bound, and CERTIFIED or LOCAL. `now` is what is carried along (carried_bound.h), `planes`
 * the bound of convex bodies, -infinity where there is none, `rounding` that of the distance (step_rounding). Outcome, flags
 * and distance are known. */
PIECE void certify(const wit_tracker* t, const carried* now, double planes, double rounding, wit_result* out)
{
    double lower = larger(bound_kept(t, now->lower, out->distance), planes);
    if (out->flags & WIT_FLAG_OVERLAPPING) lower = -INFINITY; /* it was of how far apart they are */
    if (lower >= t->def.within) out->flags |= WIT_FLAG_BEYOND;
    bool proved = out->outcome == WIT_OUTCOME_CONVERGED && !(out->flags & WIT_FLAG_LOCAL) && !t->estimate &&
                  bound_proves(t, out->distance, rounding, &lower, now->above);
    out->lower_bound = lower;
    out->flags &= ~(unsigned)(WIT_FLAG_LOCAL | WIT_FLAG_CERTIFIED);
    out->flags |= proved ? WIT_FLAG_CERTIFIED : WIT_FLAG_LOCAL;
    out->reason = proved ? WIT_REASON_NONE : reason_of(t, out);
    /* planes know of no edges off their faces: what they prove within the tolerance alone needs no other */
    bool strictly =
        !(lower > planes) && out->distance - lower + rounding <= t->def.certify * larger(fabs(out->distance), t->size);
    out->model_tolerance = strictly ? 0 : t->model_tolerance;
}

/* The frame has ended: where the bodies stood and how they moved. */
PIECE void remember_motion(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt)
{
    t->last[0] = a->pose;
    t->last[1] = b->pose;
    t->last_twist[0] = a->twist;
    t->last_twist[1] = b->twist;
    t->time += dt;
}

/* Where the witness of a is and how the gap stands, in the frame of a. */
PIECE void remember_pair(wit_tracker* t, double distance, wit_vec3 normal, wit_vec3 foot)
{
    t->distance = distance;
    t->normal = normal;
    t->foot = foot;
}

#endif
