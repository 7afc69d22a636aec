/* SPDX-License-Identifier: MIT */
/* Pieces of a body for the judge's own search, and the bounded Newton method between two of them. */
#ifndef TESTS_DENSE_REFINE_H
#define TESTS_DENSE_REFINE_H

#include "../include/witness/body.h"
#include "../src/base/vec.h"

/* A feature with 2, 1 or 0 parameters. */
typedef struct piece {
    wit_feature_kind kind;
    int id, dim;
    const wit_surface* surface;
    const wit_curve* curve;
    wit_vec3 point;
    wit_interval range[2];
    bool wraps[2], unbounded;
    int block0, blocks;
    wit_vec3 centre; /* a ball about it */
    double radius;
} piece;

/* How b stands in the frame of a. */
typedef struct frame {
    wit_vec3 x, y, z, t;
} frame;

static inline wit_vec3 turn(const frame* f, wit_vec3 v)
{
    return vec3(dot3(f->x, v), dot3(f->y, v), dot3(f->z, v));
}

static inline wit_vec3 place_in(const frame* f, wit_vec3 p)
{
    return f ? add3(turn(f, p), f->t) : p;
}

/* p, first derivatives, second derivatives (00, 01, 11); zero where the piece has none. */
typedef struct jet {
    wit_vec3 p, d[2], dd[3];
} jet;

/* In the frame f, or with null in the body's. Returns wit_eval_flag flags. */
unsigned piece_jet(const piece* s, const frame* f, const double* x, jet* out);

/* Two pieces, or a piece and a point: f = |A(x0, x1) - B(x2, x3)|^2 / 2 over the ranges. */
typedef struct task {
    const piece *a, *b; /* b null: the point q */
    const frame* f;     /* of b */
    wit_vec3 q;
} task;

/* Goes down from x to a minimum over the ranges; returns the distance there. */
double refine(const task* t, double* x);

static inline double span(wit_interval w)
{
    return w.hi - w.lo;
}

#endif
