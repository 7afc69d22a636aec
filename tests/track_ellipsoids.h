/* SPDX-License-Identifier: MIT */
/*
 * The signed distance of two ellipsoids by their support functions: with Q = R diag(axes^2) R^T and c the vector
 * between the centres, the slab between the two tangent planes of unit normal n has the width
 *     d(n) = c.n - sqrt(n.Q_A n) - sqrt(n.Q_B n).
 * Its greatest value over the sphere is the distance when they are apart; across touch the same local maximum goes on
 * as minus the depth. Newton on the sphere of normals: neither parameters nor conditions are those of the tracker.
 */
#ifndef TESTS_TRACK_ELLIPSOIDS_H
#define TESTS_TRACK_ELLIPSOIDS_H

#include "../include/witness/base.h"
#include "analytic.h"

typedef struct slab {
    wit_vec3 axes[2];
    wit_pose pose[2];
    wit_vec3 normal; /* unit, from a to b: the guess, then the answer */
    wit_vec3 point[2];
    double distance;
} slab;

/* Q n */
static inline wit_vec3 slab_form(const slab* s, int k, wit_vec3 n)
{
    wit_vec3 x = wit_pose_unvector(&s->pose[k], n), a = s->axes[k];
    return wit_pose_vector(&s->pose[k], vec3(a.x * a.x * x.x, a.y * a.y * x.y, a.z * a.z * x.z));
}

static inline double slab_width(const slab* s, wit_vec3 n)
{
    wit_vec3 c = sub3(s->pose[1].position, s->pose[0].position);
    return dot3(c, n) - sqrt(dot3(n, slab_form(s, 0, n))) - sqrt(dot3(n, slab_form(s, 1, n)));
}

static inline void slab_fill(slab* s)
{
    wit_vec3 n = s->normal, qa = slab_form(s, 0, n), qb = slab_form(s, 1, n);
    s->point[0] = addscaled3(s->pose[0].position, 1 / sqrt(dot3(n, qa)), qa);
    s->point[1] = addscaled3(s->pose[1].position, -1 / sqrt(dot3(n, qb)), qb);
    s->distance = dot3(sub3(s->point[1], s->point[0]), n);
}

/* From s->normal up to the maximum. False: did not settle. */
static inline bool slab_solve(slab* s)
{
    for (int step = 0; step < 60; step++) {
        wit_vec3 n = s->normal, e[2], q[2], g = sub3(s->pose[1].position, s->pose[0].position);
        complete3(n, &e[0], &e[1]);
        double H[2][2] = {{0, 0}, {0, 0}};
        for (int k = 0; k < 2; k++) {
            q[k] = slab_form(s, k, n);
            double h = sqrt(dot3(n, q[k]));
            g = addscaled3(g, -1 / h, q[k]);
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    H[i][j] -=
                        dot3(e[i], slab_form(s, k, e[j])) / h - dot3(e[i], q[k]) * dot3(e[j], q[k]) / (h * h * h);
        }
        double d = dot3(g, n), gx = dot3(g, e[0]), gy = dot3(g, e[1]);
        H[0][0] -= d, H[1][1] -= d;
        double det = H[0][0] * H[1][1] - H[0][1] * H[1][0];
        double x = -(H[1][1] * gx - H[0][1] * gy) / det, y = -(H[0][0] * gy - H[1][0] * gx) / det;
        if (!(det > 0 && H[0][0] < 0)) x = gx, y = gy; /* not yet concave: along the gradient */
        double length = sqrt(x * x + y * y), factor = length > 0.3 ? 0.3 / length : 1;
        wit_vec3 to = n;
        for (int half = 0; half < 30; half++, factor *= 0.5) {
            to = unit3(add3(n, scale3(factor, add3(scale3(x, e[0]), scale3(y, e[1])))));
            if (length < 1e-6 || slab_width(s, to) >= slab_width(s, n)) break;
        }
        s->normal = to;
        if (length < 1e-9) { /* the step was quadratic: what is left is its square */
            slab_fill(s);
            return true;
        }
    }
    return false;
}

/* The greatest of all, from many starts: for the first pose. */
static inline void slab_search(slab* s, rng* r)
{
    slab best = *s;
    best.distance = -INFINITY;
    for (int k = 0; k < 32; k++) {
        slab t = *s;
        t.normal = random_unit(r);
        if (slab_solve(&t) && t.distance > best.distance) best = t;
    }
    assert_true(isfinite(best.distance));
    *s = best;
}

#endif
