/* SPDX-License-Identifier: MIT */
/* A prism 1 wide, 1 deep and 1 long whose top is a parabola of flat strips, each turned against the last by the same angle:
 * inwards a bowl, outwards a dome. Its top lies about y = 0. */
#ifndef ADVERSARY_BOWL_H
#define ADVERSARY_BOWL_H

#include "truth.h"

typedef struct bowl {
    shape shape;
    bool hollow;
    double sag, bend; /* depth of the bowl; y = bend (x - 1/2)^2 */
    double scale;     /* 1, or what all lengths were multiplied by */
} bowl;

static inline void make_bowl(bowl* w, int strips, double turn, bool hollow)
{
    shape* s = &w->shape;
    double wide = 1.0 / strips, bend = turn / (2 * wide);
    w->hollow = hollow;
    w->scale = 1;
    w->bend = hollow ? bend : -bend;
    w->sag = bend / 4;
    *s = (shape){.kind = PRISM, .height = 1, .convex = !hollow};
    s->corner[s->corners][0] = 0;
    s->corner[s->corners++][1] = -1;
    s->corner[s->corners][0] = 1;
    s->corner[s->corners++][1] = -1;
    for (int i = strips; i >= 0; i--) {
        double x = i * wide;
        s->corner[s->corners][0] = x;
        s->corner[s->corners++][1] = w->bend * (x - 0.5) * (x - 0.5);
    }
    s->reach = 3;
}

static inline void scale_bowl(bowl* w, double by)
{
    for (int i = 0; i < w->shape.corners; i++) {
        w->shape.corner[i][0] *= by;
        w->shape.corner[i][1] *= by;
    }
    w->shape.height *= by;
    w->shape.reach *= by;
    w->sag *= by;
    w->bend /= by;
    w->scale = by;
}

#endif
