/* SPDX-License-Identifier: MIT */
/*
 * Where a local contact inside has ended: at a fold the relative curvature loses its sign, and the pair that was followed is
 * no deepest place any more. With phi the signed distance from the side of the face, a contact is a local minimum of
 * phi(h(x)) over the other side, so the way to the next one is downhill:
 *     d phi / dx_j = n.h_j,       second derivatives S = n.h_jl - C P^-1 B      (the Schur complement of contact_form.h)
 * in arc length; S is shifted until it is positive definite, and a step is taken only if phi falls. f stays the foot of h.
 */
#include "next_contact.h"

#include "../base/solve.h"
#include "../pair/contact_form.h"
#include "pair_newton.h"

enum { FOLD_STEPS = 24, FOOT_STEPS = 3, HALVINGS = 8, FOLD_COST = FOOT_STEPS * LOOK_MOST };

typedef struct slope_of_contact {
    int face, first, count; /* of the other side: where its parameters begin in x, and how many */
    double phi;
    double g[2], S[4], length[2]; /* in arc length; lengths of the tangents */
} slope_of_contact;

static wit_vec3 outward(const moving* m)
{
    return scale3(m->reversed ? -1 : 1, unit3(cross3(m->d[0], m->d[1])));
}

/* The foot of the other side's point on the face, from where it was. False: none that is sure. */
static bool find_foot(pair_newton* p, int face)
{
    int f = face ? p->na : 0;
    for (int k = 0; k < FOOT_STEPS; ++k) {
        wi_pair_newton_look(p);
        if (p->polar[0] || p->polar[1]) return false;
        const moving* m = &p->m[face];
        wit_vec3 r = sub3(m->p, p->m[1 - face].p);
        double g[2] = {-dot3(r, m->d[0]), -dot3(r, m->d[1])}, d[2];
        double E = dot3(m->d[0], m->d[0]), F = dot3(m->d[0], m->d[1]), G = dot3(m->d[1], m->d[1]);
        if (!solve2_definite(E + dot3(r, m->dd[0]), F + dot3(r, m->dd[1]), G + dot3(r, m->dd[2]), g, d) &&
            !solve2_definite(E, F, G, g, d))
            return false;
        for (int i = 0; i < 2; ++i) p->x[f + i] = fmin(p->hi[f + i], fmax(p->lo[f + i], p->x[f + i] + d[i]));
        if (fabs(d[0]) * sqrt(E) + fabs(d[1]) * sqrt(G) <= 1e-9 * p->s->t->size) break;
    }
    wi_pair_newton_look(p);
    return true;
}

/* phi and its derivatives over the other side. False: the face bends too much for its distance to be smooth there. */
static bool differentiate(const pair_newton* p, slope_of_contact* out)
{
    pair_rows k;
    const moving *own = &p->m[out->face], *other = &p->m[1 - out->face];
    wit_vec3 n = outward(own);
    out->phi = dot3(sub3(other->p, own->p), n);
    wi_condition_rows(&p->m[0], &p->m[1], WIT_FORM_CONTACT, &k);
    int m = out->count, f = out->face ? p->na : 0, o = out->first, size = k.count;
    double sp = out->face ? -1 : 1, scale = (own->reversed ? -1 : 1) / norm3(cross3(own->d[0], own->d[1]));
    for (int j = 0; j < m; ++j) {
        out->length[j] = norm3(other->d[j]);
        if (!(out->length[j] > 0)) return false;
        out->g[j] = dot3(n, other->d[j]) / out->length[j];
    }
    const double* M = k.M;
    for (int j = 0; j < m; ++j) {
        double b[2] = {sp * M[f * size + o + j], sp * M[(f + 1) * size + o + j]}, y[2];
        if (!solve2_definite(sp * M[f * size + f], sp * M[f * size + f + 1], sp * M[(f + 1) * size + f + 1], b, y))
            return false;
        for (int i = 0; i < m; ++i) {
            const double* row = &M[(o + i) * size];
            double s = form_schur(row[o + j], row[f], row[f + 1], y[0], y[1]);
            out->S[i * m + j] = scale * s / (out->length[i] * out->length[j]);
        }
    }
    return true;
}

/* -(S + shift)^-1 g, in the parameters. */
static void downhill(const slope_of_contact* at, double size, double d[2])
{
    int m = at->count;
    double a = at->S[0], b = m > 1 ? 0.5 * (at->S[1] + at->S[2]) : 0, c = m > 1 ? at->S[3] : 1;
    double low = m > 1 ? 0.5 * (a + c) - sqrt(0.25 * (a - c) * (a - c) + b * b) : a, least = 0.05 / size;
    double shift = low < least ? least - low : 0, g[2] = {-at->g[0], m > 1 ? -at->g[1] : 0};
    a += shift;
    c += m > 1 ? shift : 0;
    if (m == 1) {
        d[0] = g[0] / a;
        d[1] = 0;
    } else if (!solve2_definite(a, b, c, g, d)) {
        d[0] = g[0] * size, d[1] = g[1] * size;
    }
    double way = sqrt(d[0] * d[0] + d[1] * d[1]), most = 0.1 * size;
    for (int j = 0; j < m; ++j) d[j] *= (way > most ? most / way : 1) / at->length[j];
}

bool wi_next_contact(step* s)
{
    pair_newton p;
    wi_pair_newton_begin(s, &p);
    if (step_left(s) < STEP_RESERVE + 2 * FOLD_COST) return false;
    wi_pair_newton_look(&p);
    slope_of_contact at = {.face = pair_face(&p.m[0], &p.m[1])};
    if (at.face < 0 || p.na == 0 || p.n == p.na) return false;
    at.first = at.face ? 0 : p.na;
    at.count = at.face ? p.na : p.n - p.na;
    if (!find_foot(&p, at.face) || !differentiate(&p, &at)) return false;
    for (int k = 0; k < FOLD_STEPS; ++k) {
        double d[2], part = 1, slope = 0;
        downhill(&at, s->t->size, d);
        for (int j = 0; j < at.count; ++j) slope = fmax(slope, fabs(at.g[j]));
        if (slope <= 1e-6) break;
        pair_newton next = p;
        slope_of_contact then = at;
        bool lower = false;
        for (int halving = 0; halving < HALVINGS && !lower; ++halving, part *= 0.5) {
            if (step_left(s) < STEP_RESERVE + 2 * FOLD_COST) return false;
            next = p;
            then = at;
            for (int j = 0; j < at.count; ++j) {
                int i = at.first + j;
                next.x[i] = fmin(next.hi[i], fmax(next.lo[i], p.x[i] + part * d[j]));
            }
            lower = find_foot(&next, at.face) && differentiate(&next, &then) && then.phi < at.phi;
        }
        if (!lower) break;
        p = next;
        at = then;
    }
    wi_pair_newton_end(&p, 0);
    s->flags |= WIT_FLAG_JUMPED;
    return wi_pair_newton(s);
}
