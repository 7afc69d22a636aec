/* SPDX-License-Identifier: MIT */
/* The rule of closest pairs: Newton on the squared distance, near touch on the contact equations. */
#include "../base/solve.h"
#include "walk.h"

enum { ITERATIONS = 16, SHIFTS = 24 };
#define TOUCHING 1e-3 /* of the size: closer than this the contact equations are solved */
#define PENALTY 1e4   /* weight of the penalties: a slope of the distance along the set moves the pair that much less */

/* ---- two faces ----------------------------------------------------------------------------- */

/* The second form of a chart along n, in tangents e: (e0, e0), (e0, e1), (e1, e1). */
static void form_along(const tangent_chart* c, wit_vec3 n, const wit_vec3 e[2], double out[3])
{
    double x = dot3(n, c->k[0]), y = dot3(n, c->k[1]), z = dot3(n, c->k[2]);
    for (int k = 0; k < 3; ++k) {
        wit_vec3 f = e[k == 2], g = e[k > 0];
        double f0 = dot3(f, c->e[0]), f1 = dot3(f, c->e[1]), g0 = dot3(g, c->e[0]), g1 = dot3(g, c->e[1]);
        out[k] = f0 * g0 * x + (f0 * g1 + f1 * g0) * y + f1 * g1 * z;
    }
}

bool wi_walk_bends(const walk_state* s, const tangent_chart c[2], double values[2], wit_vec3 directions[2])
{
    const wit_vec3* e = c[0].e;
    wit_vec3 n = cross3(e[0], e[1]);
    double d = dot3(sub3(s->at[0].p, s->at[1].p), n), a[3], b[3], vectors[4];
    form_along(&c[0], n, e, a);
    form_along(&c[1], scale3(-1, n), e, b);
    double p = 1 + d * b[0], q = d * b[1], r = 1 + d * b[2], det = p * r - q * q;
    if (!(fabs(det) > 1e-12)) return false;
    double off = a[1] + (r * b[1] - q * b[2]) / det;
    double k[4] = {a[0] + (r * b[0] - q * b[1]) / det, off, off, a[2] + (p * b[2] - q * b[1]) / det};
    if (!wi_eigen_symmetric(2, k, values, vectors)) return false;
    int first = fabs(values[1]) < fabs(values[0]);
    double small = values[first], large = values[1 - first];
    for (int i = 0; i < 2; ++i) {
        const double* y = vectors + 2 * (i ? 1 - first : first);
        directions[i] = addscaled3(scale3(y[0], e[0]), y[1], e[1]);
    }
    values[0] = small;
    values[1] = large;
    return true;
}

/*
 * Close to touch F is flat across the set as well. There the contact equations are solved instead, by least squares: the
 * gap against the tangents of a, the normal of a against the tangents of b (times a length), and the penalties.
 */
static bool contact_step(const walk* w, const walk_state* s, const tangent_chart c[2], wit_vec3 q, double* y)
{
    double jacobian[6][4] = {{0}}, r[6] = {0}, m[16] = {0}, g[4] = {0}, l[16];
    wit_vec3 gap = sub3(s->at[0].p, s->at[1].p), n = cross3(c[0].e[0], c[0].e[1]);
    for (int i = 0; i < 2; ++i) {
        r[i] = dot3(gap, c[0].e[i]);
        r[2 + i] = w->size * dot3(n, c[1].e[i]);
        for (int j = 0; j < 2; ++j) {
            jacobian[i][j] = (i == j) + dot3(gap, c[0].k[i + j]);
            jacobian[i][2 + j] = -dot3(c[0].e[i], c[1].e[j]);
            /* n moves by -sum (n . k_jm) e_m */
            for (int k = 0; k < 2; ++k)
                jacobian[2 + i][j] -= w->size * dot3(n, c[0].k[j + k]) * dot3(c[0].e[k], c[1].e[i]);
            jacobian[2 + i][2 + j] = w->size * dot3(n, c[1].k[i + j]);
        }
    }
    for (int k = 0; k < w->directions; ++k) {
        r[4 + k] = dot3(sub3(s->at[w->carrier].p, q), s->t[k]);
        for (int i = 0; i < 2; ++i) jacobian[4 + k][2 * w->carrier + i] = dot3(s->t[k], c[w->carrier].e[i]);
    }
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 6; ++k) {
            g[i] -= jacobian[k][i] * r[k];
            for (int j = 0; j < 4; ++j) m[4 * i + j] += jacobian[k][i] * jacobian[k][j];
        }
    if (!wi_cholesky_factor(4, m, l)) return false;
    wi_cholesky_solve(4, l, g, y);
    return true;
}

static double length_of(const double* y, int n)
{
    double square = 0;
    for (int i = 0; i < n; ++i) square += y[i] * y[i];
    return sqrt(square);
}

/* ---- one step ------------------------------------------------------------------------------ */

/* Newton's step of F with the penalties, in the tangents of both charts; its length, or infinity. */
static double newton(const walk* w, const walk_state* s, const tangent_chart c[2], wit_vec3 q, double* y)
{
    double h[16], l[16], g[4];
    bool touching = c[0].n == 2 && c[1].n == 2 && s->distance <= TOUCHING * w->size;
    if (touching && contact_step(w, s, c, q, y)) return length_of(y, 4);
    wit_vec3 gap = sub3(s->at[0].p, s->at[1].p);
    int n = wi_joint_hessian(&c[0], &c[1], gap, h), first = w->carrier ? c[0].n : 0;
    for (int i = 0; i < n; ++i) g[i] = i < c[0].n ? -dot3(gap, c[0].e[i]) : dot3(gap, c[1].e[i - c[0].n]);
    const tangent_chart* own = &c[w->carrier];
    for (int k = 0; k < w->directions; ++k) {
        double t[2], off = dot3(sub3(s->at[w->carrier].p, q), s->t[k]);
        for (int i = 0; i < own->n; ++i) t[i] = dot3(s->t[k], own->e[i]);
        for (int i = 0; i < own->n; ++i) {
            g[first + i] -= PENALTY * off * t[i];
            for (int j = 0; j < own->n; ++j) h[(first + i) * n + first + j] += PENALTY * t[i] * t[j];
        }
    }
    double shift = 1e-6;
    int tries = 0;
    while (!wi_cholesky_factor(n, h, l)) {
        if (++tries > SHIFTS) return INFINITY;
        for (int i = 0; i < n; ++i) h[i * n + i] += shift;
        shift *= 4;
    }
    wi_cholesky_solve(n, l, g, y);
    return length_of(y, n);
}

/* Moves both places by Newton's step; returns by how much one was held. */
static double move(walk* w, walk_state* s, const tangent_chart c[2], const double* y)
{
    double cut = 0;
    w->reach = 1;
    for (int i = 0; i < 2; ++i) {
        wit_vec3 step = vec3(0, 0, 0);
        const double from[2] = {s->at[i].u, s->at[i].v};
        for (int m = 0; m < c[i].n; ++m) step = addscaled3(step, y[m + (i ? c[0].n : 0)], c[i].e[m]);
        if (!c[i].n) continue;
        wi_walk_retract(w, s, i, step);
        cut = larger(cut, wi_walk_hold(&w->feature[i], from, s->at[i].x, &w->reach));
    }
    wi_walk_look_both(w, s);
    return cut;
}

static double square_of_ratio(double x, double y)
{
    return x / y * (x / y);
}

/* The closest pair across the directions at the target; false where a border holds it off. */
static bool descend(walk* w, walk_state* s, wit_vec3 q)
{
    double enough = w->floor, length = INFINITY, left = INFINITY, cut = 0, first_reach = 1;
    for (int k = 0; k < ITERATIONS; ++k) {
        tangent_chart c[2];
        double y[4] = {0}, cut_before = cut, before = length;
        if (walk_spent(w)) return false;
        wi_walk_charts(w, s, c);
        length = newton(w, s, c, q, y);
        if (!(length < 4 * w->size)) break;
        cut = move(w, s, c, y);
        if (k == 0) first_reach = w->reach;
        /* as the last two steps shrank by a square, the next one will */
        left = before < INFINITY ? smaller(length, length * square_of_ratio(length, before)) : length;
        if (left <= enough || (cut > 0 && cut_before > 0)) break; /* held twice: it does not come free */
    }
    double off = 0;
    for (int k = 0; k < w->directions; ++k) off = larger(off, fabs(dot3(sub3(s->at[w->carrier].p, q), s->t[k])));
    w->reach = first_reach;
    /* at touch F is flat across the set too, and Newton's steps never end */
    bool there = left <= 1e4 * enough || s->distance <= w->distance + enough;
    return there && cut == 0 && off <= 1e4 * enough;
}

bool wi_walk_relax(walk* w, walk_state* s)
{
    int directions = w->directions;
    w->directions = 0;
    bool there = descend(w, s, s->at[0].p);
    w->directions = directions;
    return there;
}

bool wi_closest_move(walk* w, walk_state* s, int k, double h)
{
    return descend(w, s, addscaled3(s->at[w->carrier].p, h, s->t[k]));
}

bool wi_closest_flattest(const walk* w, const walk_state* s, const tangent_chart c[2], wit_vec3* out)
{
    double h[16], values[4], vectors[16], bends[2];
    wit_vec3 axes[2];
    if (c[0].n == 2 && c[1].n == 2 && w->carrier == 0 && s->distance <= TOUCHING * w->size) {
        if (!wi_walk_bends(s, c, bends, axes) || fabs(bends[0]) > 0.1 * fabs(bends[1])) return false;
        *out = axes[0];
        return true;
    }
    int n = wi_joint_hessian(&c[0], &c[1], sub3(s->at[0].p, s->at[1].p), h), best = 0;
    if (!wi_eigen_symmetric(n, h, values, vectors)) return false;
    for (int i = 1; i < n; ++i)
        if (fabs(values[i]) < fabs(values[best])) best = i;
    const double* y = vectors + best * n + (w->carrier ? c[0].n : 0);
    *out = addscaled3(scale3(y[0], c[w->carrier].e[0]), y[1], c[w->carrier].e[1]);
    return dot3(*out, *out) > 1e-4 && fabs(values[best]) < 1e-4;
}
