/* SPDX-License-Identifier: MIT */
/* The rule of the signed distance: the foot of the carrier's point, and the second derivatives of delta over the carrier. */
#include "../base/solve.h"
#include "stationary_matrix.h"
#include "walk.h"

enum { NEWTON = 24, CORRECTIONS = 8 };
#define LEVEL 1e-8 /* second derivative times size: below it is none */
#define OFF 1e-12  /* of the size: a foot whose gap leans more is held at a border */

/* ---- the pair ------------------------------------------------------------------------------ */

/* Newton's step of the foot, by the full Hessian of |r|^2 / 2 or, where that is not definite, without r's part of it. */
static bool foot_step(const place* at, const wit_surface_jet* j, wit_vec3 r, double d[2])
{
    double E = dot3(j->du, j->du), F = dot3(j->du, j->dv), G = dot3(j->dv, j->dv);
    double g[2] = {-dot3(r, j->du), -dot3(r, j->dv)};
    double a = E + dot3(r, j->duu), b = F + dot3(r, j->duv), c = G + dot3(r, j->dvv);
    d[0] = d[1] = 0;
    if (at->kind == WIT_FACE) return solve2_definite(a, b, c, g, d) || solve2_definite(E, F, G, g, d);
    d[0] = a > 0 ? g[0] / a : E > 0 ? g[0] / E : 0;
    return true;
}

/* The foot of the carrier's point, held in its range. False: it stands askew, past a border. */
static bool find_foot(walk* w, walk_state* s)
{
    int o = 1 - w->carrier, n = place_count(&s->at[o]);
    place* at = &s->at[o];
    wit_vec3 p = s->at[w->carrier].p;
    double last = INFINITY, reach = 1;
    wi_walk_look(w, s, o);
    for (int round = 0; n > 0 && round < NEWTON; ++round) {
        wit_vec3 before = at->p;
        double from[2] = {at->u, at->v}, d[2];
        if (!foot_step(at, &s->jet[o], sub3(at->p, p), d)) return false;
        for (int k = 0; k < n; ++k) at->x[k] += d[k];
        wi_walk_hold(&w->feature[o], from, at->x, &reach);
        wi_walk_look(w, s, o);
        double moved = norm3(sub3(at->p, before));
        if (moved <= 1e-15 * w->size || (moved <= 1e-11 * w->size && moved >= last)) break;
        last = moved;
    }
    wit_vec3 r = sub3(at->p, p), t[2] = {unit3(s->jet[o].du), unit3(s->jet[o].dv)};
    double off = OFF * w->size + 64 * DBL_EPSILON * norm3(p);
    for (int k = 0; k < n; ++k)
        if (!(fabs(dot3(r, t[k])) <= off)) return false;
    return true;
}

/* n and delta, once both jets are there. */
static bool set_distance(const walk* w, walk_state* s)
{
    int o = 1 - w->carrier;
    const place* at = &s->at[o];
    wit_vec3 gap = sub3(s->at[1].p, s->at[0].p), n;
    if (at->kind == WIT_FACE) {
        if (!wi_side_normal(w->feature[o].side, at->id, at->u, at->v, &n)) return false;
        s->n = scale3(w->sense, n);
    } else {
        n = unit3(gap);
        if (!(dot3(n, n) > 0)) return false;
        s->n = w->distance < 0 ? scale3(-1, n) : n;
    }
    s->distance = dot3(gap, s->n);
    return true;
}

/* The carrier moved by a change of its parameters, and all that follows from it. False: no such pair; w->reach says where a
 * border held the carrier. */
static bool move_carrier(walk* w, walk_state* s, const double d[2])
{
    place* at = &s->at[w->carrier];
    const double from[2] = {at->u, at->v};
    for (int k = 0; k < place_count(at); ++k) at->x[k] += d[k];
    w->reach = 1;
    if (wi_walk_hold(&w->feature[w->carrier], from, at->x, &w->reach) > 0) return false;
    wi_walk_look(w, s, w->carrier);
    return find_foot(w, s) && set_distance(w, s);
}

bool wi_signed_start(walk* w, const place* a, const place* b, wit_vec3 n, walk_state* out)
{
    int o = 1 - w->carrier;
    *out = (walk_state){.at = {*a, *b}};
    w->sense = 1;
    if (out->at[o].kind == WIT_FACE) {
        wit_vec3 m;
        if (!wi_side_normal(w->feature[o].side, out->at[o].id, out->at[o].u, out->at[o].v, &m)) return false;
        w->sense = dot3(m, n) < 0 ? -1 : 1;
    }
    wi_walk_look(w, out, w->carrier);
    if (!find_foot(w, out) || !set_distance(w, out)) return false;
    return fabs(out->distance - w->distance) <= w->tolerance;
}

/* ---- second derivatives -------------------------------------------------------------------- */

/*
 * S times size over the chart of the carrier: with K ordered as (own, rest), S = K_oo - K_or K_rr^-1 K_ro. Returns its order;
 * 0: there is none.
 */
static int second_form(const walk* w, const walk_state* s, const tangent_chart c[2], double S[4])
{
    stationary_matrix k;
    stationary_factors f;
    wi_stationary_matrix(&c[0], &c[1], s->n, s->distance, fmax(w->size, fabs(s->distance)), &k);
    int m = c[w->carrier].n, first = w->carrier ? k.na : 0, rest = k.n - m, index[STATIONARY_MOST], r = 0;
    double R[STATIONARY_MOST * STATIONARY_MOST];
    if (c[0].n != place_count(&s->at[0]) || c[1].n != place_count(&s->at[1])) return 0;
    for (int i = 0; i < k.n; ++i)
        if (i < first || i >= first + m) index[r++] = i;
    for (int i = 0; i < rest; ++i)
        for (int j = 0; j < rest; ++j) R[i * rest + j] = k.K[index[i] * k.n + index[j]];
    if (!wi_stationary_factor(&f, rest, R)) return 0;
    for (int j = 0; j < m; ++j) {
        double column[STATIONARY_MOST];
        for (int i = 0; i < rest; ++i) column[i] = k.K[index[i] * k.n + first + j];
        wi_stationary_solve(&f, column, column);
        for (int i = 0; i < m; ++i) {
            double sum = k.K[(first + i) * k.n + first + j];
            for (int l = 0; l < rest; ++l) sum -= k.K[(first + i) * k.n + index[l]] * column[l];
            S[i * m + j] = sum * w->size / k.scale;
        }
    }
    return m;
}

/* Eigenvalues of S, the one smaller in size first, and their directions. */
static int principal(const walk* w, const walk_state* s, const tangent_chart c[2], double value[2], wit_vec3 way[2])
{
    double S[4], vectors[4];
    const wit_vec3* e = c[w->carrier].e;
    int m = second_form(w, s, c, S);
    if (m == 0) return 0;
    if (m == 1) {
        value[0] = S[0];
        way[0] = e[0];
        return 1;
    }
    S[1] = S[2] = 0.5 * (S[1] + S[2]);
    if (!wi_eigen_symmetric(2, S, value, vectors)) return 0;
    for (int k = 0; k < 2; ++k) way[k] = addscaled3(scale3(vectors[2 * k], e[0]), vectors[2 * k + 1], e[1]);
    if (fabs(value[1]) < fabs(value[0])) {
        double v = value[0];
        wit_vec3 x = way[0];
        value[0] = value[1], way[0] = way[1];
        value[1] = v, way[1] = x;
    }
    if (fabs(value[1]) <= LEVEL) way[0] = e[0], way[1] = e[1]; /* level all round: the face's own axes */
    return 2;
}

int wi_signed_level(walk* w, walk_state* s)
{
    double value[2] = {0, 0};
    tangent_chart c[2];
    wi_walk_charts(w, s, c);
    int m = principal(w, s, c, value, s->t), level = 0;
    if (m == 1) s->t[1] = vec3(0, 0, 0);
    while (level < m && fabs(value[level]) <= LEVEL) ++level;
    return level;
}

bool wi_signed_flattest(const walk* w, const walk_state* s, const tangent_chart c[2], wit_vec3* out)
{
    double value[2];
    wit_vec3 way[2];
    if (principal(w, s, c, value, way) != 2 || !(fabs(value[1]) > LEVEL)) return false;
    *out = way[0];
    return true;
}

/* ---- steps --------------------------------------------------------------------------------- */

/* A line on a face: back onto it, across. */
static bool onto_line(walk* w, walk_state* s)
{
    for (int round = 0; round < CORRECTIONS; ++round) {
        double value[2], d[2];
        wit_vec3 way[2];
        tangent_chart c[2];
        wi_walk_charts(w, s, c);
        if (principal(w, s, c, value, way) != 2 || !(fabs(value[1]) > LEVEL)) return false;
        /* d delta / d y = -n . e for a, n . e for b */
        double slope = dot3(s->n, way[1]) * (w->carrier ? 1 : -1), y = -slope / (value[1] / w->size);
        if (fabs(y) <= 1e-14 * w->size) return true;
        if (!(fabs(y) <= w->stride) || !wi_walk_parameters(s, w->carrier, scale3(y, way[1]), d)) return false;
        if (!move_carrier(w, s, d)) return false;
        if (fabs(y) <= 1e-9 * w->size) return true;
    }
    return false;
}

/* The part of t in the carrier's tangent space, unit; zero: none. */
static wit_vec3 carried(const walk* w, const walk_state* s, wit_vec3 t)
{
    const wit_surface_jet* j = &s->jet[w->carrier];
    if (s->at[w->carrier].kind == WIT_EDGE) return scale3(dot3(t, j->du) < 0 ? -1 : 1, unit3(j->du));
    wit_vec3 n = unit3(cross3(unit3(j->du), unit3(j->dv)));
    return unit3(addscaled3(t, -dot3(t, n), n));
}

/* By the midpoint rule on the carrier; the directions are carried along to the middle. */
bool wi_signed_move(walk* w, walk_state* s, int k, double h)
{
    int c = w->carrier;
    walk_state middle = *s;
    double d[2];
    w->reach = 1;
    if (!wi_walk_parameters(s, c, scale3(0.5 * h, s->t[k]), d)) return false;
    for (int i = 0; i < place_count(&s->at[c]); ++i) middle.at[c].x[i] += d[i];
    wi_walk_look(w, &middle, c);
    for (int m = 0; m < w->directions; ++m) s->t[m] = carried(w, &middle, s->t[m]);
    if (!wi_walk_parameters(&middle, c, scale3(h, s->t[k]), d) || !move_carrier(w, s, d)) return false;
    if (w->directions != 1 || s->at[c].kind != WIT_FACE) return true;
    double reach = w->reach;
    bool there = onto_line(w, s);
    w->reach = reach;
    return there;
}
