/* SPDX-License-Identifier: MIT */
/*
 * How deep two overlapping bodies are in each other.
 *
 * A translation of b by s n takes it out of a, n a unit vector, if s >= h_a(n) + h_b(-n): then a plane across n
 * separates them. For convex bodies the shortest way out is the least of that over all n: the depth. For others it is the
 * depth of their hulls: a translation that surely separates them, perhaps longer than needed.
 */
#ifndef QUERY_PENETRATION_H
#define QUERY_PENETRATION_H

#include "../search_task.h"

typedef struct penetration {
    wit_vec3 normal;     /* unit, from a to b: b leaves a along it */
    place a, b;          /* b.p - a.p = -depth normal, to rounding */
    double depth;        /* of the two places */
    double lower, upper; /* lower <= depth of the hulls <= upper */
    bool closed;         /* the bracket is within `tolerance` */
    bool by_centre;      /* of a ball: the bracket is of the bodies themselves, convex or not */
    bool apart;          /* a plane between the bodies was found instead: only the normal is set */
} penetration;

/* Is the pair one? Of hulls the places may be off the bodies, where these are hollow; and a budget may end before. */
static inline bool penetration_is_pair(const search_task* t, const penetration* d)
{
    wit_vec3 off_normal = addscaled3(sub3(d->a.p, d->b.p), -d->depth, d->normal);
    return d->depth > 0 && norm3(off_normal) <= 1e-9 * t->size;
}

/*
 * The depth of the hulls of two bodies that overlap, in the frame of the task: the bracket is narrowed to `tolerance` (a
 * length), as far as the budget of the task goes; work is added to *work. False, with nothing else written, where no
 * translation separates them, as far as is known: both are unbounded, or one is and is no half-space. `exceed`: by how
 * much the hulls may go beyond the bodies (body_facts, hull_within); if it is finite, closed forms for balls may be used.
 */
bool wi_penetration_search(const search_task* task, double exceed, double tolerance, wit_work* work, penetration* out);

typedef enum depth_end {
    DEPTH_FOUND,
    DEPTH_BELOW, /* out->normal has a sum below `least`: so has the depth. Nothing else is set, but for `apart` */
    DEPTH_SPENT  /* the work ended; nothing is set */
} depth_end;

/* The same of bounded bodies, where it matters only if it is at least `least` (not negative), from a direction of a low sum
 * (zero: none is known); no closed forms. */
depth_end wi_penetration_above(const search_task* task, wit_vec3 toward, double least, double tolerance, wit_work* work,
                               penetration* out);

/*
 * One of the bodies is a ball: the depth is its radius less the signed distance of its centre from the other, whatever that is.
 * (Convex parts of the other that hold the centre reach no farther about it than the boundary; without the centre the nearest
 * point is the best of them.) The bracket is that of the bodies, out->by_centre; apart, out->upper is below zero: minus a
 * distance that is proved. False: no ball, or the side of the centre is not known.
 */
bool wi_ball_depth(const search_task* task, double tolerance, wit_work* work, penetration* out);

/* Is there a plane between the bodies? True: one was found, across *normal (zero: between their boxes); by places of their
 * supports, which is no proof. A few steps, from the middles of their boxes. */
bool wi_plane_between(const search_task* task, wit_work* work, wit_vec3* normal);

#endif
