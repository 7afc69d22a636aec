/* SPDX-License-Identifier: MIT */
/* Ways to ask: all minima, all contacts, masks, cut-offs, tolerances, small budgets, the same place from a step aside. */
#include "families.h"

static void minima_scene(batch* b, actor* a, actor* c, double scale)
{
    double x[3];
    a->placed.at = any_place(&b->d, below(&b->d, 2) ? scale : 0);
    any_point(&b->d, &a->placed, x);
    ask_at_most(b, 3000);
    claim k = claim_of_point(a, x);
    wit_placed pa = wit_placed_at(a->body, pose_of(&a->placed.at)), pc;
    judge_minima_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, &k);
    place_near(&b->d, a, c, between(&b->d, 0.5, 4) * scale);
    k = claim_of_pair(a, c, 8);
    pc = wit_placed_at(c->body, pose_of(&c->placed.at));
    judge_minima_pair(b, &pa, &pc, &k);
    place_near(&b->d, a, c, between(&b->d, 0.1, 2) * scale);
    k = claim_of_pair(a, c, 8);
    pc = wit_placed_at(c->body, pose_of(&c->placed.at));
    ask_at_most(b, 3000);
    judge_contacts(b, &pa, &pc, &k, a->shape.convex);
}

void run_minima(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d);
    any_shape(&b->d, &a.shape, scale, 5);
    any_convex(&b->d, &c.shape, scale, 5);
    play(b, &a, &c, scale, 3, minima_scene);
}

/* Whatever stops it, the bracket is right. */
static void budget_scene(batch* b, actor* a, actor* c, double scale)
{
    double x[3];
    a->placed.at = any_place(&b->d, scale);
    place_near(&b->d, a, c, between(&b->d, 0, 1.5) * scale);
    ask_budget(b, 1, 1000);
    ask_actors(b, a, c, 6);
    any_point(&b->d, &a->placed, x);
    ask_budget(b, 1, 1000);
    ask_actor_point(b, a, x);
}

void run_budgets(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d), aspect = below(&b->d, 2) ? 4 : any_aspect(&b->d);
    any_shape(&b->d, &a.shape, scale, aspect);
    any_shape(&b->d, &c.shape, scale, aspect);
    play(b, &a, &c, scale, 6, budget_scene);
}

/* Tolerances from below what doubles hold to beyond the body; a cut-off at, below and above the distance; both. */
static void tolerance_scene(batch* b, actor* a, actor* c, double scale)
{
    double x[3];
    a->placed.at = any_place(&b->d, scale);
    any_point(&b->d, &a->placed, x);
    claim k = claim_of_point(a, x), two;
    place_near(&b->d, a, c, between(&b->d, 0, 2) * (double)(a->shape.reach + c->shape.reach));
    two = claim_of_pair(a, c, 8);
    for (int i = 0; i < 2; i++) {
        const claim* one = i ? &two : &k;
        LD middle = 0.5L * (one->truth.lo + one->truth.hi);
        ask_at_most(b, 8000);
        if (below(&b->d, 3)) b->asked.tolerance = magnitude(&b->d, -15, 0);
        if (below(&b->d, 2)) {
            double beside = magnitude(&b->d, -16, 0) * (below(&b->d, 2) ? 1 : -1);
            if (middle > 0) b->asked.within = (double)(middle * (1 + beside));
        }
        set_query(b);
        wit_placed pa = wit_placed_at(a->body, pose_of(&a->placed.at));
        if (i)
            ask_claimed(b, a, c, one);
        else
            judge_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, one);
    }
}

void run_tolerances(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d);
    any_shape(&b->d, &a.shape, scale, 5);
    any_shape(&b->d, &c.shape, scale, 5);
    play(b, &a, &c, scale, 5, tolerance_scene);
}

/* ---- masks ---------------------------------------------------------------------------------------- */

/* Of a box: the distance to its edges (with their ends), or to its corners. */
static LD frame_distance(const shape* s, v3 x, bool edges)
{
    LD q[3] = {fabsl(x.x), fabsl(x.y), fabsl(x.z)}, least = INFINITY, out[3], in[3];
    for (int k = 0; k < 3; k++) {
        out[k] = larger_of(0, q[k] - s->size[k] / 2.0L);
        in[k] = q[k] - s->size[k] / 2.0L;
    }
    if (!edges) return norm(vec(in[0], in[1], in[2]));
    for (int k = 0; k < 3; k++) {
        v3 d = vec(k == 0 ? out[0] : in[0], k == 1 ? out[1] : in[1], k == 2 ? out[2] : in[2]);
        least = smaller_of(least, norm(d));
    }
    return least;
}

/* Edges or corners of a box alone; then its faces one by one, the least of which is the distance to all. */
void run_masks(batch* b)
{
    actor a;
    double scale = any_scale(&b->d);
    do any_shape(&b->d, &a.shape, scale, 10);
    while (a.shape.kind != BOX);
    if (!enter(&a)) return;
    int faces = wit_body_describe(a.body).face_count;
    for (int i = 0; i < 5; i++) {
        double x[3];
        uint8_t one[16] = {0};
        int edges = below(&b->d, 2);
        a.placed.at = any_place(&b->d, scale);
        any_point(&b->d, &a.placed, x);
        claim k = claim_of_point(&a, x), all = k;
        v3 seen = turned_back(&a.placed.at, position_from(&a.placed.at, x));
        LD t = frame_distance(&a.shape, seen, edges), error = 64 * ULP * (norm(seen) + a.shape.reach);
        k.truth = (range){larger_of(0, t - error), t + error};
        k.is_unsigned = true;
        wit_mask mask = {1u << (edges ? WIT_EDGE : WIT_VERTEX), NULL, NULL, NULL};
        wit_placed pa = {a.body, pose_of(&a.placed.at), &mask};
        wit_vec3 at = {x[0], x[1], x[2]};
        ask_any(b);
        judge_point(b, &pa, at, &k);
        mask = (wit_mask){0, one, NULL, NULL};
        LD lo = INFINITY, hi = INFINITY;
        ask_rigorous(b);
        for (int f = 0; f < faces; f++) {
            wit_closest o;
            one[f] = 1;
            wit_status status = wit_closest_point(b->query, &pa, at, &o);
            one[f] = 0;
            if (status) continue;
            lo = smaller_of(lo, o.lower_bound);
            hi = smaller_of(hi, o.upper_bound);
        }
        LD away = larger_of(fabsl(all.truth.lo), fabsl(all.truth.hi)),
           near = smaller_of(fabsl(all.truth.lo), fabsl(all.truth.hi));
        if (lo > away || (hi < near && all.truth.lo * all.truth.hi > 0))
            finding(b, BRACKET, "least of the faces one by one", (double)lo, &all);
    }
    leave(&a);
}

/* ---- a step aside --------------------------------------------------------------------------------- */

/* The signed distance of a translated body changes by no more than the way: no truth is needed to see two brackets part. */
static void aside_scene(batch* b, actor* a, actor* c, double scale)
{
    double way = magnitude(&b->d, -9, 0) * scale;
    a->placed.at = any_place(&b->d, scale);
    place_near(&b->d, a, c, between(&b->d, 0, 2) * (double)(a->shape.reach + c->shape.reach));
    ask_rigorous(b);
    b->asked.budget = 3000;
    set_query(b);
    claim k = claim_of_pair(a, c, 2);
    ask_claimed(b, a, c, &k);
    wit_closest first = b->answer;
    place was = c->placed.at;
    v3 n = any_direction(&b->d);
    for (int i = 0; i < 3; i++) c->placed.at.p[i] += (double)(way * (i == 0 ? n.x : i == 1 ? n.y : n.z));
    LD moved = norm(position_from(&was, c->placed.at.p)) * (1 + 8 * ULP);
    k = claim_of_pair(a, c, 2);
    ask_claimed(b, a, c, &k);
    if (first.outcome == WIT_OUTCOME_EMPTY || b->answer.outcome == WIT_OUTCOME_EMPTY) return;
    if (b->answer.lower_bound > first.upper_bound + moved || first.lower_bound > b->answer.upper_bound + moved)
        finding(b, DIFFERS, "a step aside", b->answer.distance, &k);
}

void run_aside(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d);
    any_shape(&b->d, &a.shape, scale, 4);
    any_shape(&b->d, &c.shape, scale, 4);
    play(b, &a, &c, scale, 4, aside_scene);
}
