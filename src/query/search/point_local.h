/* SPDX-License-Identifier: MIT */
/*
 * With r = S - q, F = r.r / 2, along a step d from a place c of a cell, |d_i| <= h_i, D the derivative along d:
 *
 *   g_i = r.S_i    H_ij = S_i.S_j + r.S_ij    D H_ij = r.D S_ij + S_i.D S_j + S_j.D S_i + S_ij.D S
 *
 * Let T_ij bound |D H_ij| over the cell. Then, sums over i and j,
 *
 *   |H_ij(c + d) - H_ij|               <=  T_ij
 *   |g_i(c + d) - g_i - (H d)_i|       <=  sum h_j T_ij / 2
 *   |F(c + d) - F - g.d - d.H d / 2|   <=  sum h_i h_j T_ij / 6
 */
#ifndef QUERY_POINT_LOCAL_H
#define QUERY_POINT_LOCAL_H

#include "../../body/tree/crease.h"
#include "point_cell.h"

/* Relative error of a few operations; every sum that is bounded here has at most eight terms. */
#define ROUNDING (16 * DBL_EPSILON)

/* A jet, with bounds of its errors in rigorous mode (else zero). */
typedef struct noisy_jet {
    wit_surface_jet j;
    double p, d1[2], d2[3];
} noisy_jet;

/* F and its derivatives at one place. */
typedef struct local {
    double f, g[2], h[3];
    double f_noise, g_noise[2]; /* bounds of their errors; g_noise in rigorous mode only */
} local;

/* The cell's Taylor model and its remainders. */
typedef struct model {
    local at;
    double x[2], h[2];     /* middle and half widths */
    double f_remainder;    /* of F, over the cell */
    double slack[2];       /* g counts as zero up to here: creases, and rounding of the middle */
    double g_remainder[2]; /* of g, beyond the linear part; slack counted */
    double h_remainder[3]; /* of H */
    double reach;          /* R: the largest |r| */
    double slow[2];        /* |S_i| at the middle */
    wit_vec3 r;            /* S - q there */
} model;

/* Is there no room for so many more jets? */
static inline bool run_spent(const point_run* s, int64_t jets)
{
    return s->task && s->task->units && s->work->units + jets > s->task->units;
}

static inline void plain_jet(point_run* s, wit_feature_kind kind, int id, const double x[2], unsigned which,
                             wit_surface_jet* out)
{
    work_jets(s->work, 1);
    if (kind == WIT_FACE) {
        wit_surface_eval(body_surface(s->body, id), x[0], x[1], which, &s->hint, out);
        return;
    }
    wit_curve_jet c;
    wit_curve_eval(body_curve(s->body, id), x[0], which & WIT_KNOT_T_BELOW, NULL, &c);
    wit_surface_jet j = {.p = c.p, .du = c.d1, .duu = c.d2};
    *out = j;
}

/* At its upper ends a cell has the polynomial from below. */
static inline unsigned cell_side(const point_cell* c, const double x[2])
{
    return (x[0] >= c->hi[0] ? WIT_KNOT_U_BELOW : 0U) | (x[1] >= c->hi[1] ? WIT_KNOT_V_BELOW : 0U);
}

/* F, g and H from a jet. An edge gets H_vv = 1, so that it is definite in the direction it lacks. */
static inline void localize(const point_run* s, wit_feature_kind kind, const wit_surface_jet* j, local* l)
{
    wit_vec3 r = sub3(j->p, s->q);
    l->f = 0.5 * dot3(r, r);
    l->f_noise = l->g_noise[0] = l->g_noise[1] = 0;
    l->g[0] = dot3(r, j->du);
    l->h[0] = dot3(j->du, j->du) + dot3(r, j->duu);
    if (kind != WIT_FACE) {
        l->g[1] = l->h[1] = 0;
        l->h[2] = 1;
        return;
    }
    l->g[1] = dot3(r, j->dv);
    l->h[1] = dot3(j->du, j->dv) + dot3(r, j->duv);
    l->h[2] = dot3(j->dv, j->dv) + dot3(r, j->dvv);
}

static inline void metric_of(wit_feature_kind kind, const wit_surface_jet* j, double m[3])
{
    m[0] = dot3(j->du, j->du);
    m[1] = kind == WIT_FACE ? dot3(j->du, j->dv) : 0;
    m[2] = kind == WIT_FACE ? dot3(j->dv, j->dv) : 1;
}

/* Upper bounds over the cell of |DS|, |D^2 S|, |D S_i|, |D^2 S_i|, |D S_ij|. */
typedef struct spread {
    double e1, e2, e2i[2], e3i[2], e3ij[3];
} spread;

/* The jet of a point as the middle and radius of an enclosure. */
void wi_point_enclosed_jet(point_run* s, wit_feature_kind kind, int id, const double x[2], noisy_jet* out);
/* Errors of F and g: of the jet, and a few roundings of what is added up. */
void wi_point_noise(const noisy_jet* n, const double d1[2], local* l);

typedef enum model_end {
    MODEL_MADE,
    MODEL_FAR,  /* the middle alone shows it: *bound */
    MODEL_EMPTY /* no stationary place in it; looked for only if `cull` */
} model_end;

/* The model about the middle. */
model_end wi_point_model(point_run* s, point_cell* c, bool cull, model* m, double* bound);

void wi_point_spread(const point_cell* c, const double h[2], spread* e);
/*
 * T_ij, from the lengths alone or, where that is less, from the products S_k.S_ij at the place and how far they may change:
 * S_k by E2_k, S_ij by E3_ij. `reach` is the largest |r|.
 */
void wi_point_hessian_remainder(const point_cell* c, const noisy_jet* n, const double h[2], const spread* e,
                                double reach, double remainder[3]);
/* Errors of H at a place, r away at most, that come from its jet and from arithmetic; added to remainder. */
void wi_point_hessian_noise(const point_cell* c, const noisy_jet* n, double r, double remainder[3]);

/* The least of a t^2 / 2 + b t over |t| <= h. */
static inline double least_along(double a, double b, double h)
{
    b = fabs(b);
    return a * h > b ? -0.5 * b * b / a : (0.5 * a * h - b) * h;
}

/* The least of g.d + d.H d / 2 over |d_i| <= h_i, and where. */
double wi_point_least_quadratic(const local* l, const double h[2], double d[2]);

/*
 * A descent step for F within lo <= x <= hi: Newton's where H is definite over the free parameters. Parameters at a bound
 * with g pushing out are held. Returns -g.d, twice the gain that a quadratic F would have.
 */
double wi_point_step(const local* l, const double metric[3], const double x[2], const double lo[2], const double hi[2],
                     double d[2]);

#endif
