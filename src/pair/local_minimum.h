/* SPDX-License-Identifier: MIT */
/*
 * Is a pair of places a local minimum of the distance over the two point sets, or only over the two features?
 *
 * Points and masked bodies: the set of a body is its features that count. Two bodies: of a solid without a mask all that
 * it encloses belongs to it as well, so that a pair whose segment starts inside of its own solid is no minimum: going
 * inwards comes closer. Such pairs are not contacts of the outside, the only ones of interest between two bodies; for a point the
 * ones seen from inside are the candidates of the depth.
 *
 * First order, per side: with w the vector to the other place, no tangent direction t of the set may have w . t > 0:
 * tangents of the feature, of an edge the conormals into its faces, of a vertex the tangents of its edges and the sectors of its
 * faces. Second order, jointly: on every pair of features that is level to first order the Hessian of half the squared
 * distance in arc length is not negative along any direction that stays in both.
 */
#ifndef PAIR_LOCAL_MINIMUM_H
#define PAIR_LOCAL_MINIMUM_H

#include "placed_pair.h"

typedef enum minimum_kind {
    MINIMUM_NONE,
    MINIMUM_STRICT,
    MINIMUM_FLAT /* no pair near is closer, but to second order there is a way on which none is farther */
} minimum_kind;

/* Places that are no farther apart than this are one: what polishing and naming leave. A length. */
double wi_minimum_slack(const placed_pair* pair);

/* How far w may lean along the set and count as perpendicular, times |w|: a length. */
double wi_minimum_level(const placed_pair* pair, double distance);

/* The places are polished and named by the lowest feature (wi_lowest_place, wi_minimum_slack), which moved them by `moved`. Where the
 * work ends before it is known: none. */
minimum_kind wi_local_minimum(const placed_pair* pair, const place* a, const place* b, double moved);

/*
 * Does some face around the part t of an edge, or some edge at a vertex, lead closer to the other place from everywhere on it? `way`
 * holds every direction to the other place.
 */
bool wi_edge_leads_closer(const side* s, int edge, wit_interval t, const wit_cone* tangents, const wit_cone* way);
bool wi_vertex_leads_closer(const side* s, int vertex, const wit_cone* way);

#endif
