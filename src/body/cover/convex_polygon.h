/* SPDX-License-Identifier: MIT */
/* Convex polygons in the plane, anticlockwise, small enough for the stack. */
#ifndef BODY_CONVEX_POLYGON_H
#define BODY_CONVEX_POLYGON_H

#include <stdbool.h>

enum { POLYGON_MOST = 48 };

typedef struct point2 {
    double x, y;
} point2;

typedef struct convex_polygon {
    int count; /* below 3: nothing is in it */
    point2 p[POLYGON_MOST];
} convex_polygon;

static inline double dot2(point2 a, point2 b)
{
    return a.x * b.x + a.y * b.y;
}

/* Twice the area of the triangle o a b, positive if it runs anticlockwise. */
static inline double turn2(point2 o, point2 a, point2 b)
{
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/* The most of u.p over it. */
double wi_polygon_most(const convex_polygon* c, point2 u);
/* The unit normal of side i, outward. */
point2 wi_polygon_normal(const convex_polygon* c, int i);
/* The part of it where u.p >= least; corners nearer than `near` to the one before are left out. False: no room. */
bool wi_polygon_cut(const convex_polygon* c, point2 u, double least, double near, convex_polygon* out);
/* The hull of points. False: no room. */
bool wi_polygon_hull(const point2* p, int count, double near, convex_polygon* out);
/* No side of either has all of the other beyond it, or within `near` before it: they share inner points. */
bool wi_polygons_overlap(const convex_polygon* a, const convex_polygon* b, double near);
/* Is all of b in a, but for `near`? */
bool wi_polygon_holds(const convex_polygon* a, const convex_polygon* b, double near);

#endif
