/* SPDX-License-Identifier: MIT */
/*
 * Frames of pairs that are not convex, with the proofs that travel along (fronts): rings, cups, prisms with hollows; small fronts
 * and budgets, motions told, not told and told wrongly, frames that jump, reset and place, bodies that pass through each
 * other. `motion.h` says how they move.
 */
#include "families.h"
#include "motion.h"

#include <string.h>

/* A ring, a cup, a star, an L, or whatever comes. */
static void any_hollow(dice* d, shape* s, double size)
{
    static const double el[6][2] = {{0, 0}, {1, 0}, {1, 0.3}, {0.4, 0.3}, {0.4, 1}, {0, 1}};
    int what = below(d, 4);
    if (what == 0) {
        *s = (shape){.kind = PRISM, .height = size * between(d, 0.2, 1), .corners = 6};
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 2; k++) s->corner[i][k] = el[i][k] * size;
        set_reach(s);
    } else {
        do any_shape(d, s, size, 3);
        while (what < 3 && (s->convex || s->kind == SHELL));
    }
}

/* An L is two blocks: apart from both it is as far as the nearer one, and no less deep than either. */
static range of_blocks(const actor* el, const actor* c)
{
    range t = {INFINITY, INFINITY};
    const shape* s = &el->shape;
    for (int k = 0; k < 2; k++) {
        const double *end = k ? s->corner[4] : s->corner[2],
                     block_corner[4][2] = {{0, 0}, {end[0], 0}, {end[0], end[1]}, {0, end[1]}};
        shape block = {.kind = PRISM, .height = s->height, .convex = true, .reach = s->reach, .corners = 4};
        memcpy(block.corner, block_corner, sizeof block_corner);
        placed at = el->placed;
        at.shape = &block;
        range one = true_pair(&at, &c->placed, 4);
        t.lo = smaller_of(t.lo, one.lo);
        t.hi = smaller_of(t.hi, one.hi);
    }
    if (!(t.lo > 0)) t.lo = -INFINITY;
    return t;
}

static bool is_el(const shape* s)
{
    return s->kind == PRISM && s->corners == 6 && !s->convex && s->corner[3][0] == s->corner[4][0] &&
           s->corner[0][0] == 0 && s->corner[5][0] == 0 && s->corner[1][1] == 0;
}

static claim claim_in_motion(actor* a, actor* c)
{
    claim k = claim_of_pair(a, c, 4);
    k.truth = both_hold(k.truth, about_core(&a->placed, &c->placed));
    k.truth = both_hold(k.truth, about_core(&c->placed, &a->placed));
    if (is_el(&a->shape) && c->shape.convex) k.truth = both_hold(k.truth, of_blocks(a, c));
    return k;
}

static wit_track_def any_front(dice* d)
{
    static const int fronts[6] = {4096, 4096, 512, 64, 8, 0};
    static const double certify[4] = {1e-9, 1e-9, 1e-6, 1e-12};
    wit_track_def t = wit_track_default_def();
    t.certify = certify[below(d, 4)];
    t.front = fronts[below(d, 6)];
    t.budget = (int64_t)magnitude(d, 2.5, 4.5);
    t.capacity = below(d, 4) ? 1024 : 64;
    return t;
}

/* Between two certified frames the distance changes by no more than the bodies move, and what was asked for. */
static void judge_change(batch* b, const wit_result* now, const claim* k, LD way, wit_result* last)
{
    LD change = fabsl((LD)now->distance - last->distance), far = larger_of(fabs(now->distance), fabs(last->distance));
    LD slack = 2 * (b->asked.tolerance * larger_of(far, k->size) + k->widened) + 1e-12L * k->coordinates;
    bool both = (now->flags & WIT_FLAG_CERTIFIED) && (last->flags & WIT_FLAG_CERTIFIED);
    if (both && change > way * (1 + 1e-9L) + slack) finding(b, DIFFERS, "more than the motion", (double)change, k);
    *last = *now;
}

static void judge_places(batch* b, actor* a, actor* c, const wit_result* r, const claim* k)
{
    LD slack = larger_of(b->asked.tolerance, 1e-9L) * larger_of(fabs(r->distance), k->size);
    if (r->outcome != WIT_OUTCOME_CONVERGED || (r->flags & WIT_FLAG_BEYOND)) return;
    judge_witness(b, &a->placed, &r->a, slack, k);
    if (c) judge_witness(b, &c->placed, &r->b, slack, k);
}

/* One way of b about a, frame by frame. c null: the point at b's position. */
static void ride(batch* b, actor* a, actor* c, LD reach, int frames)
{
    dice* d = &b->d;
    course w = any_course(d, reach, frames);
    wit_track_def def = any_front(d);
    wit_tracker* t = wit_tracker_create(a->body, c ? c->body : NULL, &def, NULL, NULL);
    wit_result r = {0}, last = {0};
    for (int f = 0; t && f < frames; f++) {
        wit_motion m[2];
        LD way = course_step(d, &w, &a->placed.at, c ? &c->placed.at : NULL, m);
        double x[3] = {m[1].pose.position.x, m[1].pose.position.y, m[1].pose.position.z};
        claim k = c ? claim_in_motion(a, c) : claim_of_point(a, x);
        int what = below(d, 40);
        if (what == 0) wit_tracker_reset(t);
        if (what == 1 && f > 0) wit_tracker_place(t, &r.a, c ? &r.b : NULL);
        if (!judge_step(b, t, &def, m, &k, &r)) break;
        judge_places(b, a, c, &r, &k);
        judge_change(b, &r, &k, way, &last);
    }
    wit_tracker_destroy(t);
}

static void ride_pair(batch* b, actor* a, actor* c, double scale)
{
    (void)scale;
    ride(b, a, c, a->shape.reach + c->shape.reach, 24);
}

void run_fronts(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -3, 3);
    any_hollow(&b->d, &a.shape, scale);
    int what = below(&b->d, 4);
    if (what == 0)
        any_hollow(&b->d, &c.shape, scale);
    else
        any_convex(&b->d, &c.shape, scale * between(&b->d, 0.1, 1), 3);
    if (what == 1) {
        c.shape.kind = BALL;
        set_reach(&c.shape);
    }
    play(b, &a, &c, scale, 1, ride_pair);
}

void run_point_fronts(batch* b)
{
    actor a;
    double scale = magnitude(&b->d, -3, 3);
    any_hollow(&b->d, &a.shape, scale);
    if (!enter(&a)) return;
    ride(b, &a, NULL, a.shape.reach, 48);
    leave(&a);
}

/* ---- in each other -------------------------------------------------------------------------------- */

/* Deep and shallow: what is said of a depth, cold and in motion. A depth is no less than any way out proves. */
static void depth_scene(batch* b, actor* a, actor* c, double scale)
{
    a->placed.at = any_place(&b->d, below(&b->d, 2) ? scale : 1000 * scale);
    place_near(&b->d, a, c, between(&b->d, 0, 0.8) * (double)(a->shape.reach + c->shape.reach));
    claim k = claim_in_motion(a, c);
    ask_at_most(b, 20000);
    ask_claimed(b, a, c, &k);
    if (below(&b->d, 8) == 0) ride(b, a, c, 0.4L * (a->shape.reach + c->shape.reach), 12);
}

void run_depths(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -3, 3);
    any_hollow(&b->d, &a.shape, scale);
    do any_shape(&b->d, &c.shape, scale * between(&b->d, 0.2, 1), 4);
    while (c.shape.kind == SHELL);
    play(b, &a, &c, scale, 6, depth_scene);
}
