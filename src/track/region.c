/* SPDX-License-Identifier: MIT */
#include "region.h"

#include "../query/refine.h"
#include "neighbour.h"

enum { REGION_STEPS = 24, REGION_ROUNDS = 6 };
#define REGION_SLACK 1e-10 /* of the size: a foot so near to a border lies on it */

/* Units that a round may take at most: a foot, and one on each neighbour, as often as refine_across goes on. */
static int64_t round_cost(const side* s, wit_feature_kind kind, int id)
{
    int most = kind == WIT_VERTEX ? body_vertices(s->body)[id].edges
               : kind == WIT_EDGE ? body_edges(s->body)[id].uses
                                  : 1;
    return (int64_t)(REGION_STEPS + 2) * 4 * (most + 4);
}

static place place_at(const side* s, const spot* at)
{
    wit_surface_jet j;
    spot copy = *at;
    side_jet(s, at->kind, at->id, at->x[0], at->x[1], WIT_SIDE_DEFAULT, &copy.hint, &j);
    place p = {at->kind, at->id, at->x[0], at->x[1], j.p};
    return p;
}

/* The nearest place of the same feature. */
static void foot_of(step* s, const side* own, wit_vec3 q, const place* from, refined* out)
{
    side point = side_of_point(q);
    place target = {WIT_POINT, -1, 0, 0, q};
    refine_bounds bounds = refine_bounds_of(own, from, &point, &target);
    refine_pair(own, from, &point, &target, &bounds, REGION_STEPS, 0, out);
    step_jets(s, out->jets);
}

/* Off a face whose loops do not hold the foot: the nearest place of its border. */
static bool back_to_border(step* s, const side* own, wit_vec3 q, double slack, refined* r)
{
    neighbour to;
    neighbour_work work = {0, 0};
    bool found = neighbour_border(own, r->a.id, q, INFINITY, slack, step_left(s), &to, &work);
    step_jets(s, work.jets);
    step_tests(s, work.tests);
    if (!found) return false;
    place p = {to.kind, to.id, to.x[0], to.x[1], to.p};
    foot_of(s, own, q, &p, r);
    return true;
}

bool region_of(step* s, const stage* now, int which, wit_vec3 q, spot* at)
{
    const side* own = &now->side[which];
    side point = side_of_point(q);
    double slack = REGION_SLACK * s->t->body[which]->size, last = INFINITY;
    refined r;
    if (step_left(s) < round_cost(own, at->kind, at->id)) return false;
    place from = place_at(own, at);
    step_jets(s, 1);
    foot_of(s, own, q, &from, &r);
    for (int round = 0; round < REGION_ROUNDS; ++round) {
        if (step_left(s) < round_cost(own, r.a.kind, r.a.id)) return false;
        if (!side_contains(own, r.a.kind, r.a.id, r.a.u, r.a.v) && !back_to_border(s, own, q, slack, &r)) return false;
        place lowest = side_lowest(own, &r.a, slack);
        step_tests(s, 1);
        if (lowest.kind != r.a.kind) foot_of(s, own, q, &lowest, &r);
        if (!(r.distance * (1 + 4 * DBL_EPSILON) < last)) break;
        last = r.distance;
        int jets = r.jets;
        refine_across(own, &point, REGION_STEPS, &r);
        step_jets(s, r.jets > jets ? r.jets - jets : 4);
    }
    place lowest = side_lowest(own, &r.a, slack);
    at->kind = lowest.kind;
    at->id = lowest.id;
    at->x[0] = lowest.u;
    at->x[1] = lowest.v;
    return true;
}

bool region_switch(step* s)
{
    bool switched = false;
    for (int which = 0; which < 2; ++which) {
        if (!s->t->body[which]) continue;
        const side* own = &s->now.side[which];
        spot region = s->t->at[which], from = region;
        wit_vec3 p = s->at[which].p, q = s->at[1 - which].p;
        if (!region_of(s, &s->now, which, q, &region) || step_left(s) < 2 * REGION_STEPS) {
            s->ended = WIT_ENDED_BUDGET;
            continue;
        }
        if (region.kind == from.kind && region.id == from.id) continue;
        place start = place_at(own, &region);
        refined r;
        step_jets(s, 1);
        foot_of(s, own, p, &start, &r);
        spot next = {.kind = region.kind, .id = region.id, .x = {r.a.u, r.a.v}};
        s->t->at[which] = next;
        step_switched(s, which, &from, norm3(sub3(p, q)), norm3(sub3(r.a.p, q)), false, s->clock);
        s->fresh = false;
        switched = true;
    }
    return switched;
}
