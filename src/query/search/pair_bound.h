/* SPDX-License-Identifier: MIT */
/*
 * What can be said about all pairs (x, y) of two cells, f on a and g on b, r = f - g, F = |r|^2 / 2.
 *
 * Each pair of features is searched for minima in the inside of both: minima on borders belong to pairs of lower
 * features, which have cells of their own. So a pair of cells may be left out when its distance is above the best known,
 * or when no stationary point, or none that can be a minimum, lies in it.
 */
#ifndef QUERY_PAIR_BOUND_H
#define QUERY_PAIR_BOUND_H

#include "../../base/solve.h"
#include "cell.h"

/* What two bodies do after a look: no point of b moves by more than `way`, seen from a, and none of its directions turns by more than
 * way turn. */
typedef struct pair_drift {
    double way, turn;
} pair_drift;

/* A lower bound of |f - g| from the boxes. Any cells. */
double wi_pair_box_bound(const cell* a, const cell* b);

/* The least n.p over a cell of the side, n a unit vector. */
double wi_cell_least(const side* s, const cell* c, wit_vec3 n);
/* |f - g| >= this across the unit vector n (from b to a), from least_a = wi_cell_least(a, n), least_b = wi_cell_least(b, -n). */
static inline double pair_least(const cell* a, const cell* b, double least_a, double least_b)
{
    return least_a + least_b - 32 * DBL_EPSILON * (a->size + b->size);
}

/*
 * The way from a closest place of a to the one of b lies in a's cone, and turned round in b's. No way between the cells does:
 * none of the pairs is closest. Only for cells that have no point in common.
 */
bool wi_pair_faces_away(const cell* a, const cell* b);
/* The same for all of such a drift; the cells have no point in common then either. */
bool wi_pair_faces_away_for(const cell* a, const cell* b, pair_drift drift);

/* F at the middles of two cells that are no inner nodes: gradient and Hessian over the parameters that have a width,
 * those of a first; and how far they change over the cells. */
typedef struct pair_form {
    int n, na;     /* parameters in all; of a */
    wit_vec3 r;    /* at the middles */
    double length; /* |r| */
    double lin;    /* |r(x) - r| <= lin + e2; e2: the part that is not linear */
    double e2;
    double h[SOLVE_MAX];
    double w[SOLVE_MAX];             /* length of the derivative by parameter i, bounded above: weights */
    double g[SOLVE_MAX];             /* gradient: (r.f_i, -r.g_j) */
    double g_remainder[SOLVE_MAX];   /* |F_i(x) - g_i - (H d)_i| <= g_remainder[i] */
    double H[SOLVE_MAX * SOLVE_MAX]; /* S M of the two jets */
    double second[2][3];             /* r.f_ij, -r.g_ij */
} pair_form;

/* r, length, lin, e2 only: what spheres need. */
static inline void pair_form_begin(const cell* a, const cell* b, pair_form* out)
{
    out->r = sub3(a->jet.p, b->jet.p);
    out->length = norm3(out->r);
    out->lin = a->lin + b->lin;
    out->e2 = a->e2 + b->e2;
}

/* |f - g| >= this, by balls about the middles. */
static inline double pair_ball_bound(const cell* a, const cell* b, const pair_form* form)
{
    return form->length - (a->radius + b->radius);
}

/* Gradient and second derivatives along r; then the Hessian and the rests. In this order. */
void wi_pair_form_slopes(const cell* a, const cell* b, pair_form* form);
void wi_pair_form_hessian(const cell* a, const cell* b, pair_form* form);

/* |f - g| >= this, by the planes across the unit vector along r; needs the slopes. */
double wi_pair_slab_bound(const cell* a, const cell* b, const pair_form* form);
/* The same across any unit vector n (from b to a). */
double wi_pair_plane_bound(const cell* a, const cell* b, wit_vec3 n);

/* The tangents of a piece of a face change by their own length: by a pole or an apex, or it is coarse. Taylor's formula is
 * weak there. */
static inline bool cell_is_sector(const cell* c)
{
    return c->count == 2 && !c->leaf && (c->t[0] > c->len[0] || c->t[1] > c->len[1]);
}
/* As wi_pair_plane_bound, with the exact range of n.S over sectors. */
double wi_pair_sector_bound(const side* const sides[2], const cell* a, const cell* b, wit_vec3 n);

/* No minimum of F with all parameters free lies in the pair: a slope has one sign, or a curvature is negative, all over it. Needs the
 * Hessian. `thorough`: also try the directions of Newton's step (a factorisation). */
bool wi_pair_has_no_minimum(const cell* a, const cell* b, const pair_form* form, bool thorough);

/* For how long, as a way of the drift, there is none; 0: there may be one now. Thorough unless it is `enough` at first sight. */
double wi_pair_no_minimum_life(const cell* a, const cell* b, const pair_form* form, double turn, double enough);

/* F is convex over the pair for all of a drift. */
bool wi_pair_is_convex_for(const cell* a, const cell* b, const pair_form* form, pair_drift drift);
/* F is convex over the pair. */
bool wi_pair_is_convex(const cell* a, const cell* b, const pair_form* form);
/* The same, and then |f - g| >= *bound: the least of the quadratic that bends no more than F does anywhere. */
bool wi_pair_convex_floor(const cell* a, const cell* b, const pair_form* form, double* bound);

/* F being convex over the pair: |f - g| >= this, from the value and gradient of F at the place d (relative to the middles) within
 * it; exact at the minimum over the pair. */
double wi_pair_convex_bound(const pair_form* form, const double* d, double distance, const double* gradient);

#endif
