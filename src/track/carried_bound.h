/* SPDX-License-Identifier: MIT */
/*
 * The proof that the last global search left, carried along: a distance falls by no more than the bodies have moved
 * against each other.
 *
 * b was at R_0 p + t_0 in the frame of a and is at R p + t. With c and r the middle and half the diagonal of its box, no
 * point of it has moved by more than |(R - R_0) c + t - t_0| + r |R - R_0|, where |R - R_0| = |R - R_0|_F / sqrt(2).
 */
#ifndef TRACK_CARRIED_BOUND_H
#define TRACK_CARRIED_BOUND_H

#include <float.h>

#include "../pair/pair_motion.h"
#include "../base/interval.h"
#include "piece.h"
#include "tracker_record.h"

/* The search has proved that the signed distance is within its bracket, for where b is now. */
void wi_carried_bound_set(wit_tracker* t, const wit_closest* c, const pair_motion* now);

/* What a front has proved for where b is now, with these rows and this origin: bounds of the signed distance. */
typedef struct carried_proof {
    double lower, above, model_tolerance;
    wit_reason reason; /* why that does not certify, if it does not */
} carried_proof;
/* Takes its place where it says more than what is carried along. */
void wi_carried_bound_raise(wit_tracker* t, const carried_proof* proof, const wit_vec3 rows[3], wit_vec3 origin);

/* The same of a search that did not look for the closest pair itself: what it says of how far they are apart. */
void wi_carried_bound_found(wit_tracker* t, const wit_closest* c, const pair_motion* now);

/*
 * What rounding may do to the distance of the witnesses: to both points, each in its own frame, to rows and origin of b
 * (base/pose.h; the usual step makes them from matrices, with less error) and to the normals, which lean over the size of a
 * body. All coordinates are at most the reach of the bodies, the gap and the origin of b in the frame of a; those of an
 * unbounded plane too, for the other body is bounded. Poses take 40 units of the reach of b and 20 of the origin; a point, which is
 * no farther from the origin of a than the reach and the gap, takes 16 (base/pose.h). Evaluation has 24 and more.
 */
PIECE double step_rounding(const wit_tracker* t, double gap, wit_vec3 origin)
{
    double reach = t->reach + gap;
    if (!t->body[1]) return 48 * DBL_EPSILON * reach;
    return 64 * DBL_EPSILON * (reach + (fabs(origin.x) + fabs(origin.y) + fabs(origin.z)));
}

/* How far b has moved at most from where it had the rows `turn` and the origin `from`, when it has these. */
PIECE double moved_from(const wit_body* b, const wit_vec3 turn[3], wit_vec3 from, const wit_vec3 rows[3],
                        wit_vec3 origin)
{
    wit_vec3 shift = sub3(origin, from);
    if (!b) return sqrt(dot3(shift, shift));
    if (b->unbounded) return INFINITY;
    wit_vec3 x = sub3(rows[0], turn[0]), y = sub3(rows[1], turn[1]), z = sub3(rows[2], turn[2]);
    wit_vec3 c = scale3(0.5, add3(b->box.lo, b->box.hi)), half = scale3(0.5, sub3(b->box.hi, b->box.lo));
    wit_vec3 middle = add3(shift, vec3(dot3(x, c), dot3(y, c), dot3(z, c)));
    double turned = 0.5 * (dot3(x, x) + dot3(y, y) + dot3(z, z)) * dot3(half, half);
    return (sqrt(dot3(middle, middle)) + sqrt(turned)) * (1 + 1e-12);
}

/* How far b has moved from where the last proof was made. */
PIECE double bound_moved(const wit_tracker* t, const wit_vec3 rows[3], wit_vec3 origin)
{
    return moved_from(t->body[1], t->bound_turn, t->bound_shift, rows, origin);
}

/* Two solids that a search has looked at: need they not be looked at again yet? (overlap.c) */
PIECE bool still_clear(const wit_tracker* t, const wit_vec3 rows[3], wit_vec3 origin)
{
    return t->clear > 0 && t->clear - moved_from(t->body[1], t->clear_turn, t->clear_shift, rows, origin) > 0;
}

/* What holds now: bounds of the signed distance; -infinity, or infinity above: nothing. */
typedef struct carried {
    double lower, above;
} carried;

/* With these rows and this origin of b. */
PIECE carried bound_carried(const wit_tracker* t, const wit_vec3 rows[3], wit_vec3 origin)
{
    bool known = t->bound > -INFINITY || t->above < INFINITY;
    double moved = known ? bound_moved(t, rows, origin) : 0;
    carried c = {t->bound > -INFINITY ? t->bound - moved : -INFINITY,
                 t->above < INFINITY ? t->above + moved : INFINITY};
    return c;
}

/* The same for a step under way. */
carried wi_carried_bound(const wit_tracker* t, const pair_motion* now);
bool wi_still_clear(const wit_tracker* t, const pair_motion* now);
/* They need not be looked at again until b has moved so far. */
void wi_clear_set(wit_tracker* t, double apart, const pair_motion* now);

/*
 * Is the distance of the pair that is followed the global one within `certify` and the model's own tolerance? Outside a local pair may be too far, and
 * the lower bound tells; inside it may be too deep, and the upper one does. A bound on the wrong side of the distance proves
 * that the pair is wrong, not that it is right: then false. Within the slack *lower is brought down to the distance. The
 * distance itself is off by its rounding.
 */
PIECE bool bound_proves(const wit_tracker* t, double distance, double rounding, double* lower, double above)
{
    double slack = t->def.certify * larger(fabs(distance), t->size);
    bool two = t->body[1] != NULL;
    if (!t->def.strict) slack += t->model_tolerance;
    if (two && distance < 0) *lower = -INFINITY; /* it was of how far apart they are */
    if (*lower > distance + slack || above < distance - slack) return false;
    if (*lower > distance) *lower = distance;
    return distance >= 0 ? distance - *lower + rounding <= slack : !two && above - distance + rounding <= slack;
}

/* A bound too far below the distance to prove anything is given up: -infinity. */
PIECE double bound_kept(const wit_tracker* t, double lower, double distance)
{
    return lower > -4 * (t->size + fabs(distance)) ? lower : -INFINITY;
}

/*
 * Convex bodies apart, both witnesses inside faces (or one a point): the tangent plane at f has all of a behind it, and
 * that at h all of b, but for the length that each fails to be convex by (t->within: both). With n and m the outward normals,
 * every pair is at least distance - |n + m| size - within apart, the size of either of them. The tolerance is what Taylor's point and normal may be off.
 */
PIECE double bound_by_planes(const wit_tracker* t, double distance, double lean, double rounding)
{
    /* t->size: of the smaller body, and of the bounded one if the other is a half-space */
    double size = t->body[1] ? t->size : 0, scale = larger(t->size, fabs(distance));
    return distance - lean * size - t->within - t->def.tolerance * scale - rounding;
}

/* Does that bound, `lower`, certify the distance of a point by itself? */
PIECE bool planes_suffice(const wit_tracker* t, double distance, double lower, double rounding)
{
    return lower > 0 && distance - lower + rounding <= t->def.certify * larger(distance, t->size);
}

/*
 * Between bodies that are not both convex another pair may become the closest one unseen. So when the distance of the pair
 * that is followed has grown away from what is proved by WATCH of the size, the global search looks again: whatever is
 * missed in between is less than that.
 */
#define WATCH 0.05
/* The pair that is followed, `distance` apart, and the bound that is carried: should the global search look? */
PIECE bool bound_doubts(const wit_tracker* t, double distance, double lower)
{
    double slack = t->def.certify * larger(fabs(distance), t->size);
    return distance > 0 && (distance - lower > t->watch || lower > distance + slack);
}

/* After a search that ended with the pair at `distance`. */
static inline void bound_watch(wit_tracker* t, double distance, double lower)
{
    bool local_is_global = t->convex[0] && (!t->body[1] || t->convex[1]);
    t->watch = t->body[1] && !local_is_global ? fmax(0, distance - lower) + WATCH * t->size : INFINITY;
}

#endif
