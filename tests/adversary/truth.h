/* SPDX-License-Identifier: MIT */
/*
 * Solids whose signed distance and support are known in closed form, and what follows for two of them:
 *
 *   for every point x      t <= sd_A(x) + sd_B(x)
 *   for every unit n       t >= -(h_A(n) + h_B(-n))
 *
 * t is the signed distance of A and B: positive apart, else minus the length of the shortest translation that separates
 * them. The first: sd_A is 1-Lipschitz, so that the ball about x that lies in B (radius -sd_B(x)) is nearer to A than
 * sd_A(x) + sd_B(x), or must travel that far to leave it; x outside of both: the triangle inequality. The second: moving
 * B by h_A(n) + h_B(-n) along n puts a plane between them; if that is negative, the plane is there already. So every x and
 * every n proves a bound, whatever the shapes are; a search for good ones only makes it sharp.
 */
#ifndef ADVERSARY_TRUTH_H
#define ADVERSARY_TRUTH_H

#include "exact.h"

typedef enum shape_kind { BALL, BOX, ELLIPSOID, CAPSULE, TORUS, TURNED, PRISM, SHELL, SHAPES, FORM } shape_kind;

enum { CORNERS = 4100, TURNED_CORNERS = 256 };

/* In its own axes, about `origin`: as the ready-made solids of body.h. */
typedef struct shape {
    shape_kind kind;
    double size[3];   /* BOX: edges; ELLIPSOID: semi-axes; BALL, CAPSULE, TORUS, SHELL: radius, radius2 */
    double height;    /* CAPSULE, PRISM: from the origin up */
    double origin[3]; /* added to every point, body axes */
    int corners;      /* PRISM: of the polygon; TURNED: of the profile, bottom to top, x >= 0 */
    double corner[CORNERS][2];
    bool convex; /* known to be */
    /* FORM, of a part from a file: its signed distance where one `unit` is 1; in a box of `size` about the origin */
    range (*form)(v3 x);
    double unit;
    LD reach; /* no point is farther from `origin` */
    LD blur;  /* by how much the body that is built may be off this shape (splines whose numbers are rounded) */
} shape;

/* The signed distance of a point in the shape's own frame (before the origin is added), and the rounding of it. A wide
 * range where it is not known. */
range signed_distance(const shape* s, v3 x);
/* max over the shape of n . x, in its own frame; n unit. Rounding not yet added: see support_error. */
LD support(const shape* s, v3 n);
/* A point of the shape that attains it, but for rounding. */
v3 support_point(const shape* s, v3 n);

/* Where a shape stands; `origin` of one of them is the origin of all coordinates. */
typedef struct placed {
    const shape* shape;
    place at;
    v3 offset; /* of its position from the chosen origin */
} placed;

range placed_distance(const placed* p, v3 x);
LD placed_support(const placed* p, v3 n);

/* A range that holds the signed distance of a point, of a pair. `effort` scales the search for good x and n. */
range true_point(const placed* p, v3 x);
range true_pair(const placed* a, const placed* b, int effort);
/* The same, beginning with a direction from a to b and a point that are known to be good. */
range true_pair_near(const placed* a, const placed* b, int effort, v3 n, v3 x);

/*
 * Balls, capsules and tori are all points within a radius of a core: a point, a segment, a circle. Where the signed distance of
 * `other` is above that radius all along the core they are apart by the least of it less the radius, convex or not; where it
 * is not, a ball of that radius about some place of the core reaches into `other` so deep. A range around the truth, by
 * halving the core (sd is 1-Lipschitz): from -infinity where they are not shown to be apart, all numbers where `swept` is
 * none of the three.
 */
range about_core(const placed* swept, const placed* other);

#endif
