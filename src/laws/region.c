/* SPDX-License-Identifier: MIT */
#include "region.h"

#include "../pair/refine.h"
#include "../pair/lowest_place.h"
#include "../pair/neighbour.h"

enum { REGION_STEPS = 24, REGION_ROUNDS = 16, REGION_TURNS = 6 };
enum { FOOT_COST = 4 * (REGION_STEPS + 2) }; /* units at most */
#define REGION_SLACK 1e-10                   /* of the size: a foot so near to a border lies on it */
#define REGION_SLOPE 1e-10                   /* cosine from which another feature leads closer */

/* Units that a round of descend may take at most, but for the search along a border, which is told how many are
 * left. */
static int64_t round_cost(const side* s, wit_feature_kind kind, int id)
{
    return 3 * FOOT_COST + wi_neighbour_cost(s, kind, id);
}

static place place_of(const side* s, const place* at)
{
    wit_surface_jet j;
    wi_side_jet(s, at, WIT_KNOT_DEFAULT, NULL, &j);
    place p = place_at(at->kind, at->id, at->x[0], at->x[1], j.p);
    return p;
}

/* The nearest place of the same feature. */
static void foot_of(const side* own, wit_vec3 q, const place* from, refined* out)
{
    side point = wi_side_of_point(q);
    place target = place_at(WIT_POINT, -1, 0, 0, q);
    refine_bounds bounds = wi_refine_bounds_of(own, from, &point, &target);
    wi_refine_pair(own, from, &point, &target, &bounds, (refine_effort){REGION_STEPS, 0}, out);
}

/* Off a face whose loops do not hold the foot: the nearest place of its border. */
static bool back_to_border(step* s, const side* own, wit_vec3 q, double slack, refined* r)
{
    neighbour to;
    border_query border = {own, r->a.id, q, INFINITY, slack, step_left(s) - 3 * FOOT_COST};
    bool found = wi_neighbour_border(&border, &to);
    if (!found) return false;
    place p = place_at(to.kind, to.id, to.x[0], to.x[1], to.p);
    foot_of(own, q, &p, r);
    return true;
}

/* The feature around an edge or a vertex that leads closer to q most steeply, and the foot on it. */
static bool across(const side* own, wit_vec3 q, refined* r)
{
    neighbour to;
    wit_vec3 gap = sub3(q, r->a.p), w = unit3(gap);
    neighbour_query query = {own, w, norm3(gap), REGION_SLOPE};
    edge_place edge = {r->a.id, r->a.u, r->a.p, r->jet_a.du};
    bool found = false;
    if (r->a.kind == WIT_VERTEX)
        found = wi_neighbour_of_vertex(&query, r->a.id, &to);
    else if (r->a.kind == WIT_EDGE)
        found = wi_neighbour_of_edge(&query, &edge, -1, &to);
    if (!found) return false;
    place p = place_at(to.kind, to.id, to.x[0], to.x[1], to.p);
    foot_of(own, q, &p, r);
    return true;
}

/* From a foot down over borders, as long as that comes closer. False: no budget for it. */
static bool descend(step* s, const side* own, wit_vec3 q, double slack, refined* r)
{
    refined best = *r;
    for (int round = 0; round < REGION_ROUNDS; ++round) {
        if (step_left(s) < round_cost(own, r->a.kind, r->a.id)) return false;
        if (!wi_side_contains(own, r->a.kind, r->a.id, r->a.u, r->a.v) && !back_to_border(s, own, q, slack, r))
            return false;
        place lowest = wi_lowest_place(own, &r->a, slack);
        if (lowest.kind != r->a.kind) foot_of(own, q, &lowest, r);
        if (round > 0 && !(r->distance * (1 + 4 * DBL_EPSILON) < best.distance)) break;
        best = *r;
        if (step_left(s) < FOOT_COST + wi_neighbour_cost(own, r->a.kind, r->a.id)) return false;
        if (!across(own, q, r)) break;
    }
    *r = best;
    return true;
}

/* Is the foot within a face that shows q its back? */
static bool is_dark(const side* own, wit_vec3 q, double slack, const refined* r)
{
    wit_vec3 n;
    if (r->a.kind != WIT_FACE || wi_lowest_place(own, &r->a, slack).kind != WIT_FACE) return false;
    return wi_side_normal(own, r->a.id, r->a.u, r->a.v, &n) && dot3(sub3(q, r->a.p), n) < -slack;
}

/* Across the border of a face that is nearest to q: the place on the face behind it. */
static bool over_the_border(step* s, const side* own, int face, wit_vec3 q, double slack, place* out)
{
    neighbour to, next;
    border_query border = {own, face, q, INFINITY, slack, step_left(s) - 3 * FOOT_COST};
    bool found = wi_neighbour_border(&border, &to);
    if (found && step_left(s) < FOOT_COST + wi_neighbour_cost(own, to.kind, to.id)) found = false;
    if (found && to.kind == WIT_VERTEX) {
        wit_vec3 gap = sub3(q, to.p);
        neighbour_query query = {own, unit3(gap), norm3(gap), -2};
        found = wi_neighbour_of_vertex(&query, to.id, &next);
        if (found) to = next;
    }
    if (found && to.kind == WIT_EDGE) {
        wit_surface_jet j;
        side_edge_jet(own, to.id, to.x[0], WIT_KNOT_DEFAULT, &j);
        wit_vec3 gap = sub3(q, j.p);
        neighbour_query query = {own, unit3(gap), norm3(gap), -2};
        edge_place edge = {to.id, to.x[0], j.p, j.du};
        found = wi_neighbour_of_edge(&query, &edge, face, &next);
        if (found) to = next;
    }
    if (!found) return false;
    place p = place_at(to.kind, to.id, to.x[0], to.x[1], to.p);
    *out = p;
    return true;
}

/*
 * The foot lies within a face that shows q its back. That is the face of its region if q is inside; if q is outside
 * it is not, and the way leads over the border and down again on the other side, though the border itself is farther
 * away. A convex body has places that nothing around leads closer from, and which do not show their back, only for
 * points outside: finding one is the proof. For other bodies it takes a point outside of the box.
 */
static void go_round(step* s, const side* own, int which, wit_vec3 q, double slack, refined* r)
{
    const wit_tracker* t = s->t;
    if (t->body[which]->kind != WIT_BODY_SOLID || (which == 0 && t->sign < 0)) return; /* it was inside */
    if (!t->convex[which] && side_may_hold(own, q)) return;
    int passed[REGION_TURNS];
    refined at = *r;
    for (int turn = 0; turn < REGION_TURNS; ++turn) {
        for (int k = 0; k < turn; ++k)
            if (passed[k] == at.a.id) return;
        passed[turn] = at.a.id;
        place next;
        if (!over_the_border(s, own, at.a.id, q, slack, &next)) return;
        if (step_left(s) < round_cost(own, next.kind, next.id)) return;
        foot_of(own, q, &next, &at);
        if (!descend(s, own, q, slack, &at)) return;
        if (is_dark(own, q, slack, &at)) continue;
        *r = at;
        return;
    }
}

bool wi_region_of(step* s, const pair_motion* now, int which, wit_vec3 q, place* at)
{
    const side* own = &now->side[which];
    /* hysteresis: a foot that was on the border stays there until it is clear of it */
    double slack = (at->kind == WIT_FACE ? 1 : 2) * REGION_SLACK * s->t->body[which]->size;
    refined r;
    if (step_left(s) < round_cost(own, at->kind, at->id)) return false;
    place from = place_of(own, at);
    foot_of(own, q, &from, &r);
    if (!descend(s, own, q, slack, &r)) return false;
    if (is_dark(own, q, slack, &r)) go_round(s, own, which, q, slack, &r);
    place lowest = wi_lowest_place(own, &r.a, slack);
    at->kind = lowest.kind;
    at->id = lowest.id;
    at->x[0] = lowest.u;
    at->x[1] = lowest.v;
    return true;
}

bool wi_region_switch(step* s)
{
    bool switched = false;
    for (int which = 0; which < 2; ++which) {
        if (!s->t->body[which]) continue;
        const side* own = &s->now.side[which];
        place region = s->t->at[which], from = region;
        wit_vec3 p = s->at[which].p, q = s->at[1 - which].p;
        if (!wi_region_of(s, &s->now, which, q, &region) || step_left(s) < 2 * REGION_STEPS) {
            s->outcome = WIT_OUTCOME_BUDGET;
            continue;
        }
        if (region.kind == from.kind && region.id == from.id) continue;
        place start = place_of(own, &region);
        refined r;
        foot_of(own, p, &start, &r);
        place next = {.kind = region.kind, .id = region.id, .x = {r.a.u, r.a.v}};
        s->t->at[which] = next;
        wi_step_switched(s, which, &from, norm3(sub3(p, q)), norm3(sub3(r.a.p, q)), false, s->clock);
        s->fresh = false;
        switched = true;
    }
    return switched;
}
