/* SPDX-License-Identifier: MIT */
/*
 * The support function of a body, h(n) = max n.p over its points: the place that attains it, and an upper bound of it.
 * Works for any bounded body; of one that is not convex it is the support of its hull.
 */
#ifndef QUERY_SUPPORT_H
#define QUERY_SUPPORT_H

#include "../search_task.h"

typedef struct support {
    place at;     /* in the frame of the search */
    double value; /* n.p there: never above h(n) but for rounding */
    bool partial; /* the work ended before all of the body was seen: value may be far below h(n), -infinity: no place */
} support;

/* The most of n.p over a box. */
static inline double box_most(const wit_box* b, wit_vec3 n)
{
    return n.x * (n.x > 0 ? b->hi.x : b->lo.x) + n.y * (n.y > 0 ? b->hi.y : b->lo.y) +
           n.z * (n.z > 0 ? b->hi.z : b->lo.z);
}

/* May the farthest place along n lie in the node? There n is among the outward directions of the surface. */
static inline bool node_faces(const wit_body* b, int32_t node, wit_vec3 n)
{
    const node_cone* c = &body_node_cones(b)[node];
    return !b->outward || dot3(c->axis, n) >= c->cosine - 8 * DBL_EPSILON;
}

/*
 * The farthest place along the unit vector n. Vertices, conics, spheres, ellipsoids and tori in closed form, other curves
 * and faces by Newton from every leaf of the tree that could hold it. The place is one of the body in any case; that
 * it is the farthest is proved by wi_support_upper only.
 */
support wi_support_of(const side* s, wit_vec3 n, wit_work* work);

/*
 * h(n) <= this, from bounds over whole parameter boxes; tolerances of edges are not counted. `value` is that of wi_support_of;
 * boxes whose bound exceeds it by less than `slack` are not cut further, nor any after `cuts` of them.
 */
double wi_support_upper(const side* s, wit_vec3 n, double value, double slack, int64_t cuts, wit_work* work);

#endif
