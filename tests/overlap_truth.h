/* SPDX-License-Identifier: MIT */
/*
 * What is known of the depth of two solids without the code that finds it. Points that both share bound it from below: a ball
 * about the point in each of them is convex, so the depth is at least the sum of how deep it lies in the one and in the other
 * (wit_closest_point). Translations after which the bodies are apart, by the search for the closest pair, bound it from above.
 * Include it after cmocka.h.
 */
#ifndef TESTS_OVERLAP_TRUTH_H
#define TESTS_OVERLAP_TRUTH_H

#include <math.h>

#include "../include/witness/query.h"
#include "analytic.h"

/* How deep the point lies in both together; minus infinity where it is in one of them only. */
static inline double truth_depth_at(wit_query* q, const wit_placed* a, const wit_placed* b, wit_vec3 p)
{
    const wit_placed* both[2] = {a, b};
    double sum = 0;
    for (int i = 0; i < 2; ++i) {
        wit_closest c;
        if (wit_closest_point(q, both[i], p, &c) != WIT_OK || !c.certified || !(c.upper_bound < 0)) return -INFINITY;
        sum -= c.upper_bound;
    }
    return sum;
}

/* From below: random points about `middle`, within `reach` of it, then ever nearer to the best. 0: none is shared. */
static inline double truth_below(rng* r, wit_query* q, const wit_placed* a, const wit_placed* b, wit_vec3 middle,
                                 double reach, int samples, bool planar)
{
    double best = 0;
    for (int i = 0; i < samples; ++i) {
        wit_vec3 d = random_vector(r, 0, 1);
        if (planar) d.z = 0;
        wit_vec3 p = addscaled3(middle, reach, d);
        double depth = truth_depth_at(q, a, b, p);
        if (depth > best)
            best = depth, middle = p;
        else if (best > 0)
            reach *= 0.85;
    }
    return best;
}

/* From above: the shortest of some translations of b that surely part them, of lengths just below `depth`; infinite: none does. */
static inline double truth_above(rng* r, wit_query* q, const wit_placed* a, const wit_placed* b, wit_vec3 normal,
                                 double depth, int samples, bool planar)
{
    for (int i = 0; i < samples; ++i) {
        wit_placed moved = *b;
        wit_vec3 n = i ? addscaled3(normal, rng_range(r, 0, 2), random_unit(r)) : normal;
        if (planar) n.z = 0;
        wit_closest c;
        double by = depth * (1 - 1e-6) - 1e-7;
        if (!(by > 0)) return INFINITY;
        moved.pose.position = addscaled3(b->pose.position, by, unit3(n));
        if (wit_closest_pair(q, a, &moved, &c) != WIT_OK) continue;
        if (c.outcome != WIT_OUTCOME_OVERLAPPING && c.certified && c.lower_bound > 0) return by;
    }
    return INFINITY;
}

#endif
