/* SPDX-License-Identifier: MIT */
/* The bounding box, by branch and bound on the plane bounds. */
#include <math.h>

#include "../src/base/vec.h"
#include "measure.h"

enum { HEAP = 1024, STEPS = 1500 };

typedef struct piece {
    double bound; /* no point of the piece is farther along the direction */
    wit_interval u, v;
} piece;

typedef struct search {
    const wit_curve* curve;
    const wit_surface* surface;
    wit_interval range_u, range_v;
    wit_vec3 direction;
    double reached; /* by a point that was evaluated */
    int count;
    piece heap[HEAP]; /* the largest bound on top */
} search;

static void sift_down(search* s)
{
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= s->count) return;
        if (child + 1 < s->count && s->heap[child + 1].bound > s->heap[child].bound) child++;
        if (s->heap[i].bound >= s->heap[child].bound) return;
        piece t = s->heap[i];
        s->heap[i] = s->heap[child];
        s->heap[child] = t;
        i = child;
    }
}

static void push(search* s, wit_interval u, wit_interval v)
{
    wit_vec3 p;
    piece n = {0, u, v};
    double um = u.lo + 0.5 * (u.hi - u.lo), vm = v.lo + 0.5 * (v.hi - v.lo);
    if (s->surface) {
        wit_surface_jet jet;
        wit_surface_eval(s->surface, um, vm, 0, NULL, &jet);
        p = jet.p;
        n.bound = wit_surface_extent(s->surface, u, v, s->direction).hi;
    } else {
        wit_curve_jet jet;
        wit_curve_eval(s->curve, um, 0, NULL, &jet);
        p = jet.p;
        n.bound = wit_curve_extent(s->curve, u, s->direction).hi;
    }
    s->reached = fmax(s->reached, dot3(s->direction, p));
    int i = s->count++;
    for (; i > 0 && s->heap[(i - 1) / 2].bound < n.bound; i = (i - 1) / 2) s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = n;
}

static double farthest(search* s, wit_vec3 direction, double tolerance)
{
    s->direction = direction;
    s->reached = -HUGE_VAL;
    s->count = 0;
    push(s, s->range_u, s->range_v);
    for (int step = 0; step < STEPS && s->count + 2 <= HEAP; step++) {
        piece top = s->heap[0];
        if (top.bound - s->reached <= tolerance) break;
        double share_u = (top.u.hi - top.u.lo) / (s->range_u.hi - s->range_u.lo);
        double share_v = s->surface ? (top.v.hi - top.v.lo) / (s->range_v.hi - s->range_v.lo) : 0;
        if (fmax(share_u, share_v) < 1e-9) break;
        s->heap[0] = s->heap[--s->count];
        sift_down(s);
        wit_interval one = share_u >= share_v ? top.u : top.v, two = one;
        one.hi = two.lo = one.lo + 0.5 * (one.hi - one.lo);
        if (share_u >= share_v) {
            push(s, one, top.v);
            push(s, two, top.v);
        } else {
            push(s, top.u, one);
            push(s, top.u, two);
        }
    }
    return s->heap[0].bound;
}

wit_box measure_box(const wit_curve* curve, const wit_surface* surface)
{
    search s = {.curve = curve, .surface = surface};
    wit_box box;
    if (surface) {
        wit_surface_info info = wit_surface_describe(surface);
        s.range_u = info.range_u;
        s.range_v = info.range_v;
        wit_surface_bounds b;
        wit_surface_bound(surface, s.range_u, s.range_v, &b);
        box = b.box;
    } else {
        s.range_u = wit_curve_describe(curve).range;
        wit_curve_bounds b;
        wit_curve_bound(curve, s.range_u, &b);
        box = b.box;
    }
    double tolerance = 1e-7 * norm3(sub3(box.hi, box.lo));
    box.hi.x = fmin(box.hi.x, farthest(&s, vec3(1, 0, 0), tolerance));
    box.hi.y = fmin(box.hi.y, farthest(&s, vec3(0, 1, 0), tolerance));
    box.hi.z = fmin(box.hi.z, farthest(&s, vec3(0, 0, 1), tolerance));
    box.lo.x = fmax(box.lo.x, -farthest(&s, vec3(-1, 0, 0), tolerance));
    box.lo.y = fmax(box.lo.y, -farthest(&s, vec3(0, -1, 0), tolerance));
    box.lo.z = fmax(box.lo.z, -farthest(&s, vec3(0, 0, -1), tolerance));
    return box;
}
