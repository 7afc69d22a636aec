/* SPDX-License-Identifier: MIT */
/*
 * The proof that the last global search left, carried along: a distance falls by no more than the bodies have moved
 * against each other.
 *
 * b was at R_0 p + t_0 in the frame of a and is at R p + t. With c and r the middle and half the diagonal of its box, no
 * point of it has moved by more than |(R - R_0) c + t - t_0| + r |R - R_0|, where |R - R_0| = |R - R_0|_F / sqrt(2).
 */
#ifndef TRACK_BOUND_H
#define TRACK_BOUND_H

#include <float.h>

#include "tracker_record.h"

/* The search has proved `lower` for where b is now. */
void bound_set(wit_tracker* t, double lower, const stage* now);

/* What holds when b has these rows and this origin; -infinity: nothing. */
static inline double bound_at(const wit_tracker* t, const wit_vec3 rows[3], wit_vec3 origin)
{
    if (!(t->bound > -INFINITY)) return -INFINITY;
    const wit_body* b = t->body[1];
    wit_vec3 shift = sub3(origin, t->bound_shift);
    if (!b) return t->bound - sqrt(dot3(shift, shift));
    if (b->unbounded) return -INFINITY;
    wit_vec3 x = sub3(rows[0], t->bound_turn[0]), y = sub3(rows[1], t->bound_turn[1]),
             z = sub3(rows[2], t->bound_turn[2]);
    wit_vec3 c = scale3(0.5, add3(b->box.lo, b->box.hi)), half = scale3(0.5, sub3(b->box.hi, b->box.lo));
    wit_vec3 middle = add3(shift, vec3(dot3(x, c), dot3(y, c), dot3(z, c)));
    double turned = 0.5 * (dot3(x, x) + dot3(y, y) + dot3(z, z)) * dot3(half, half);
    return t->bound - (sqrt(dot3(middle, middle)) + sqrt(turned)) * (1 + 1e-12);
}

double bound_now(const wit_tracker* t, const stage* now);

/*
 * Convex bodies apart, both witnesses inside faces (or one a point): the tangent plane at f has all of a behind it, and
 * that at h all of b. With n and m the outward normals, every pair is at least distance - |n + m| size_b apart.
 */
static inline double bound_by_planes(const wit_tracker* t, double distance, double lean, double reach)
{
    double size = t->body[1] ? t->body[1]->size : 0;
    return distance - lean * size - 64 * DBL_EPSILON * (reach + t->size + distance);
}

/*
 * Between bodies that are not both convex another pair may become the closest one unseen. So when the distance of the pair
 * that is followed has grown away from what is proved by WATCH of the size, the global search looks again: whatever is
 * missed in between is less than that.
 */
#define WATCH 0.05
/* After a search that ended with the pair at `distance`. */
static inline void bound_watch(wit_tracker* t, double distance, double lower)
{
    bool local_is_global = t->convex[0] && (!t->body[1] || t->convex[1]);
    t->watch = t->body[1] && !local_is_global ? fmax(0, distance - lower) + WATCH * t->size : INFINITY;
}

#endif
