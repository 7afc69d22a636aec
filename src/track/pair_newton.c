/* SPDX-License-Identifier: MIT */
#include "pair_newton.h"

#include <string.h>

#include "../base/solve.h"
#include "../pair/contact_form.h"
#include "../base/sort.h"
#include "arrive.h"

/* ---- look ---------------------------------------------------------------------------------- */

void wi_pair_newton_begin(step* s, pair_newton* out)
{
    pair_newton* p = out;
    memset(p, 0, sizeof *p);
    p->s = s;
    for (int i = 0; i < 2; ++i) {
        const place* at = &s->t->at[i];
        wit_interval range[2] = {{0, 0}, {0, 0}};
        bool closed[2] = {false, false};
        pair_motion_range(&s->now, i, at, range, closed);
        for (int k = 0; k < place_count(at); ++k) {
            p->x[p->n] = at->x[k];
            p->lo[p->n] = closed[k] ? -INFINITY : range[k].lo;
            p->hi[p->n] = closed[k] ? INFINITY : range[k].hi;
            p->n++;
        }
        if (i == 0) p->na = p->n;
    }
    for (int i = 0; i < p->n; ++i) p->x[i] = fmin(p->hi[i], fmax(p->lo[i], p->x[i]));
}

static double size3(wit_vec3 p)
{
    return fabs(p.x) + fabs(p.y) + fabs(p.z);
}

static int first_of(const pair_newton* p, int which)
{
    return which ? p->na : 0;
}

static place place_now(const pair_newton* p, int which)
{
    place at = p->s->t->at[which];
    for (int k = 0; k < place_count(&at); ++k) at.x[k] = p->x[first_of(p, which) + k];
    return at;
}

/* At the upper end of an open range the piece below counts. */
static unsigned below_of(const pair_newton* p, int which, int count)
{
    unsigned below = 0;
    int first = first_of(p, which);
    if (count > 0 && p->x[first] >= p->hi[first]) below |= WIT_KNOT_U_BELOW;
    if (count > 1 && p->x[first + 1] >= p->hi[first + 1]) below |= WIT_KNOT_V_BELOW;
    return below;
}

/* How large the conditions are, as lengths: the gap along unit tangents, the lean of the normal times the size. */
static double contact_merit(const pair_newton* p)
{
    double error[WIT_MAX_PARAMETERS], most = 0;
    int face = pair_face(&p->m[0], &p->m[1]);
    wi_condition_errors(&p->m[0], &p->m[1], WIT_FORM_CONTACT, error);
    double gap = norm3(sub3(p->m[0].p, p->m[1].p));
    for (int i = 0; i < p->n; ++i) {
        bool own = (i < p->na) == (face == 0);
        most = fmax(most, fabs(error[i]) * (own ? gap : p->s->t->size));
    }
    return most;
}

static bool in_contact_form(const pair_newton* p)
{
    return p->s->t->def.form == WIT_FORM_CONTACT && pair_face(&p->m[0], &p->m[1]) >= 0 && p->na > 0 && p->n > p->na;
}

void wi_pair_newton_look(pair_newton* p)
{
    step* s = p->s;
    for (int i = 0; i < 2; ++i) {
        place at = place_now(p, i);
        wi_pair_motion_at_side(&s->now, i, &at, below_of(p, i, place_count(&at)), &s->t->hint[i], &p->m[i]);
        p->raw[i][0] = p->m[i].d[0];
        p->raw[i][1] = p->m[i].d[1];
        p->polar[i] = wi_pole_near(&s->now, i, &at) && wi_pole_chart(&s->now, i, &at, &p->m[i]);
    }
    wit_vec3 gap = sub3(p->m[0].p, p->m[1].p);
    p->floor = 8 * DBL_EPSILON * (size3(p->m[0].p) + size3(p->m[1].p) + size3(s->now.side[1].t));
    if (in_contact_form(p)) {
        int face = pair_face(&p->m[0], &p->m[1]);
        wi_condition_normal(&p->m[0], &p->m[1], WIT_FORM_CONTACT, &p->distance);
        /* a two-sided sheet has no inside: its normal is the one that looks at the other side */
        p->behind = s->t->body[face]->kind == WIT_BODY_SHEET2 && p->distance < 0;
        if (p->behind) p->distance = -p->distance;
        p->merit = contact_merit(p);
    } else {
        p->distance = p->merit = norm3(gap);
    }
}

/* ---- judge --------------------------------------------------------------------------------- */

static void measure(const pair_newton* p, pair_step* out)
{
    wit_vec3 moved[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < p->n; ++i) {
        int which = i >= p->na;
        moved[which] = addscaled3(moved[which], out->d[i], p->m[which].d[i - first_of(p, which)]);
    }
    out->length = norm3(moved[0]) + norm3(moved[1]);
}

/* Bounds of a step: those of the parameter; in a tangent plane none. */
static void step_bounds(const pair_newton* p, int i, double* lo, double* hi)
{
    bool polar = p->polar[i >= p->na];
    *lo = polar ? -INFINITY : p->lo[i] - p->x[i];
    *hi = polar ? INFINITY : p->hi[i] - p->x[i];
}

/* In arc length: how far below zero the second derivative of |dR|^2 / 2 may be and count as zero. Two level ways leave two
 * such pivots, whose product must still be told from rounding. */
#define FLAT 1e-7

/* d = -inverse g over the parameters that are not held. */
static bool invert_free(int n, const double* H, unsigned held, double* inverse)
{
    double m[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], l[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
    double column[WIT_MAX_PARAMETERS];
    int index[WIT_MAX_PARAMETERS], k = 0;
    memset(inverse, 0, sizeof m);
    for (int i = 0; i < n; ++i)
        if (!(held >> i & 1)) index[k++] = i;
    for (int i = 0; i < k; ++i)
        for (int j = 0; j < k; ++j) m[i * k + j] = H[index[i] * n + index[j]];
    if (k == 0) return true;
    if (!wi_cholesky_factor(k, m, l)) return false;
    for (int j = 0; j < k; ++j) {
        for (int i = 0; i < k; ++i) column[i] = i == j;
        wi_cholesky_solve(k, l, column, column);
        for (int i = 0; i < k; ++i) inverse[index[i] * n + index[j]] = column[i];
    }
    return true;
}

/* The least of the quadratic model of |dR|^2 / 2 over the parameter box. */
static bool descent_stride(const pair_newton* p, pair_step* out)
{
    double g[WIT_MAX_PARAMETERS], H[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
    double lo[WIT_MAX_PARAMETERS], hi[WIT_MAX_PARAMETERS];
    int n = wi_condition_hessian(&p->m[0], &p->m[1], g, H);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < n; ++i) step_bounds(p, i, &lo[i], &hi[i]);
    for (int flat = 0; n > 0; ++flat) {
        bounded_step b = wi_bounded_minimum(n, H, g, lo, hi);
        memcpy(out->d, b.d, sizeof out->d);
        out->held = b.at_lo | b.at_hi;
        if (b.kind == BOUNDED_NEWTON && invert_free(n, H, out->held, out->inverse)) {
            out->flat = flat > 0;
            break;
        }
        if (flat) return false;
        /* level to rounding along some way: the closest set is no point, and the pair stays where it is along it */
        for (int i = 0; i < n; ++i) {
            wit_vec3 d = i < p->na ? p->m[0].d[i] : p->m[1].d[i - p->na];
            H[i * n + i] += FLAT * dot3(d, d);
        }
    }
    out->minimum = true;
    measure(p, out);
    return true;
}

/* Of a symmetric matrix of order 1 or 2: 1 positive definite, -1 negative definite, 2 indefinite, 0 singular. */
static int definiteness(int m, double a, double b, double c)
{
    if (m == 1) return a > 0 ? 1 : a < 0 ? -1 : 0;
    double det = a * c - b * b, noise = SOLVE_NOISE * (fabs(a * c) + b * b);
    return det > noise ? (a > 0 ? 1 : -1) : det < -noise ? 2 : 0;
}

/*
 * [P B; C D]^-1 by blocks, P 2 x 2 and D of order m, written into the rows and columns of the order of the unknowns. False: no
 * minimum there. Apart, P and S must be positive definite. Inside, with R the radii of curvature and depth -d, it is
 * R_A + R_B + d > 0 that counts; beyond the centres of curvature of A (R_A + d < 0) both P and S have turned round.
 */
static bool invert_blocks(const pair_newton* p, const pair_rows* k, int face, bool flat, double* inverse)
{
    int n = k->count, m = n - 2, f = face ? p->na : 0, o = face ? 0 : 2;
    double sp = face ? -1 : 1; /* the gap rows of b are turned round */
    double sn = p->m[face].reversed != p->behind ? -1 : 1;
    const double* M = k->M;
    double a = M[f * n + f], b = M[f * n + f + 1], c = M[(f + 1) * n + f + 1], det = a * c - b * b;
    int first = definiteness(2, sp * a, sp * b, sp * c);
    if (first == 0 || (first != 1 && !(p->distance < 0))) return false;
    double P[4] = {c / det, -b / det, -b / det, a / det}, S[4] = {0}, CP[4] = {0}, PB[4] = {0}, T[4] = {0};
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < 2; ++j) {
            CP[i * 2 + j] = M[(o + i) * n + f] * P[j] + M[(o + i) * n + f + 1] * P[2 + j];
            PB[j * m + i] = P[j * 2] * M[f * n + o + i] + P[j * 2 + 1] * M[(f + 1) * n + o + i];
        }
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j)
            S[i * m + j] =
                form_schur(M[(o + i) * n + o + j], CP[i * 2], CP[i * 2 + 1], M[f * n + o + j], M[(f + 1) * n + o + j]);
    if (flat) {
        wit_vec3 normal = cross3(p->m[face].d[0], p->m[face].d[1]);
        double level = sn * FLAT * norm3(normal) / p->s->t->size;
        const wit_vec3* d = p->m[1 - face].d;
        for (int i = 0; i < m; ++i) S[i * m + i] += level * dot3(d[i], d[i]);
    }
    int second = definiteness(m, sn * S[0], sn * 0.5 * (S[1] + S[2]), sn * S[3]);
    if (m == 2 ? second != first : second != 1) return false;
    if (m == 1) {
        T[0] = 1 / S[0];
    } else {
        double ds = S[0] * S[3] - S[1] * S[2];
        if (ds == 0) return false;
        T[0] = S[3] / ds, T[1] = -S[1] / ds, T[2] = -S[2] / ds, T[3] = S[0] / ds;
    }
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j) inverse[(o + i) * n + o + j] = T[i * m + j];
        for (int j = 0; j < 2; ++j) {
            double x = 0, y = 0;
            for (int l = 0; l < m; ++l) {
                x += T[i * m + l] * CP[l * 2 + j];
                y += PB[j * m + l] * T[l * m + i];
            }
            inverse[(o + i) * n + f + j] = -x;
            inverse[(f + j) * n + o + i] = -y;
        }
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            double x = P[i * 2 + j];
            for (int l = 0; l < m; ++l) x -= inverse[(f + i) * n + o + l] * CP[l * 2 + j];
            inverse[(f + i) * n + f + j] = x;
        }
    return true;
}

static void apply_inverse(int n, const double* inverse, const double* rhs, double* d)
{
    for (int i = 0; i < n; ++i) {
        d[i] = 0;
        for (int j = 0; j < n; ++j) d[i] -= inverse[i * n + j] * rhs[j];
    }
}

/* Two faces of bodies that have an inside: their outward normals must oppose each other, or the way between them leads
 * through material. */
static bool faces_each_other(const pair_newton* p)
{
    if (!p->m[0].face || !p->m[1].face) return true;
    if (p->s->t->body[0]->kind == WIT_BODY_SHEET2 || p->s->t->body[1]->kind == WIT_BODY_SHEET2) return true;
    wit_vec3 na = cross3(p->m[0].d[0], p->m[0].d[1]), nb = cross3(p->m[1].d[0], p->m[1].d[1]);
    return (p->m[0].reversed != p->m[1].reversed ? -1 : 1) * dot3(na, nb) < 0;
}

/* Apart by so much that the squared distance serves. */
static bool touches_not(const pair_newton* p)
{
    return p->distance > 1e-7 * p->s->t->size;
}

/* Newton on the contact form. A border in the way: apart false, the descent knows about borders; else the step ends there. */
static bool contact_stride(const pair_newton* p, bool flat, pair_step* out)
{
    pair_rows k;
    memset(out, 0, sizeof *out);
    wi_condition_rows(&p->m[0], &p->m[1], WIT_FORM_CONTACT, &k);
    int face = pair_face(&p->m[0], &p->m[1]);
    if (!invert_blocks(p, &k, face, flat, out->inverse)) return false;
    apply_inverse(p->n, out->inverse, k.psi, out->d);
    for (int i = 0; i < p->n; ++i) {
        double lo, hi;
        step_bounds(p, i, &lo, &hi);
        if (out->d[i] >= lo && out->d[i] <= hi) continue;
        if (touches_not(p) || !(out->d[i] < lo || out->d[i] > hi)) return false;
        out->d[i] = out->d[i] < lo ? lo : hi;
        out->held |= 1u << i;
        out->pressed = true;
    }
    out->flat = flat;
    if (!faces_each_other(p)) return false;
    out->contact = out->minimum = true;
    measure(p, out);
    return true;
}

bool wi_pair_newton_step(pair_newton* p, pair_step* out)
{
    bool contact = in_contact_form(p);
    if (contact && contact_stride(p, false, out)) return true;
    /* at touch the squared distance has lost its second derivatives; there conforming surfaces are level in the contact form */
    if (contact && !touches_not(p)) return contact_stride(p, true, out);
    return descent_stride(p, out);
}

/* ---- move ---------------------------------------------------------------------------------- */

/* Beside a pole, but by a step that hardly turns about it: there the parameters will do, and converge faster. */
#define SHORT_TURN 0.002 /* of a parameter's range */

static bool move_short(pair_newton* p, int which, const double y[2])
{
    const place* at = &p->s->t->at[which];
    const body_face* f = &body_faces(p->s->t->body[which])[at->id];
    const wit_vec3 *e = p->m[which].d, *d = p->raw[which];
    int first = first_of(p, which);
    wit_vec3 move = addscaled3(scale3(y[0], e[0]), y[1], e[1]);
    double g[2] = {dot3(d[0], move), dot3(d[1], move)}, x[2];
    if (!solve2_definite(dot3(d[0], d[0]), dot3(d[0], d[1]), dot3(d[1], d[1]), g, x)) return false;
    if (!(fabs(x[0]) < SHORT_TURN * iv_width(f->u) && fabs(x[1]) < SHORT_TURN * iv_width(f->v))) return false;
    for (int k = 0; k < 2; ++k)
        p->x[first + k] = fmin(p->hi[first + k], fmax(p->lo[first + k], p->x[first + k] + x[k]));
    return true;
}

void wi_pair_newton_move(pair_newton* p, const pair_step* by)
{
    for (int i = 0; i < 2; ++i) {
        int first = first_of(p, i), count = i ? p->n - p->na : p->na;
        if (p->polar[i] && move_short(p, i, by->d + first)) continue;
        if (p->polar[i]) {
            place at = place_now(p, i);
            wi_pole_move(&p->s->now, i, &p->m[i], by->d + first, &at);
            for (int k = 0; k < count; ++k) p->x[first + k] = at.x[k];
            continue;
        }
        for (int k = first; k < first + count; ++k) {
            p->x[k] += by->d[k];
            p->x[k] = fmin(p->hi[k], fmax(p->lo[k], p->x[k]));
        }
    }
}

void wi_pair_newton_face(step* s, wit_form form)
{
    wit_vec3 gap = sub3(s->at[1].p, s->at[0].p), along = unit3(gap);
    double distance, close = 1e-9 * s->t->size;
    wit_vec3 n = wi_condition_normal(&s->at[0], &s->at[1], form, &distance);
    int face = pair_face(&s->at[0], &s->at[1]);
    bool one_sided = face >= 0 && s->t->body[face]->kind != WIT_BODY_SHEET2;
    bool pair = s->at[0].count && s->at[1].count;
    /* apart the gap tells, held at a border or not; at touch and inside the normal */
    bool inside = form == WIT_FORM_CONTACT && pair && one_sided && distance < 0;
    if (norm3(gap) > close && !inside) n = along;
    s->toward[0] = n;
    s->toward[1] = scale3(-1, n);
}

void wi_pair_newton_end(pair_newton* p, unsigned held)
{
    step* s = p->s;
    for (int i = 0; i < p->n; ++i) /* held is at the end of the range, to the bit */
        if (held >> i & 1) p->x[i] = p->hi[i] - p->x[i] <= p->x[i] - p->lo[i] ? p->hi[i] : p->lo[i];
    for (int i = 0; i < 2; ++i) {
        place* at = &s->t->at[i];
        for (int k = 0; k < place_count(at); ++k) at->x[k] = p->x[first_of(p, i) + k];
        s->at[i] = p->m[i];
    }
    s->held = held;
    s->fresh = true;
    wi_pair_newton_face(s, s->t->def.form);
}

/* ---- arrive -------------------------------------------------------------------------------- */

/* Do x and x + d lie in one cell of the side's shape, as the hint of the last look says? */
static bool same_cell(const pair_newton* p, int which, const double* d)
{
    const place* at = &p->s->t->at[which];
    const wit_body* body = p->s->t->body[which];
    int count = place_count(at), first = first_of(p, which);
    for (int k = 0; k < count; ++k) {
        int n;
        const double* b = at->kind == WIT_FACE ? wit_surface_breaks(body_surface(body, at->id), k ? WIT_V : WIT_U, &n)
                                               : wit_curve_breaks(body_curve(body, at->id), &n);
        double x = p->x[first + k], to = x + d[first + k];
        if (n <= 2) continue;
        /* closed parameters may run on: back into the range first */
        double period = b[n - 1] - b[0], turns = floor((x - b[0]) / period);
        if (x < b[0] || x >= b[n - 1]) x -= turns * period, to -= turns * period;
        int lo = last_not_above(b, 0, n - 2, x);
        if (!(to >= b[lo] && to <= b[lo + 1])) return false;
    }
    return true;
}

/* The side after a step d by Taylor's formula; returns the arc-length bound (speed |d|) of the step. */
static double taylor_side(const pair_newton* p, int which, const double* d, moving* out)
{
    const place* at = &p->s->t->at[which];
    const moving* m = &p->m[which];
    double u = m->count > 0 ? d[first_of(p, which)] : 0, v = m->count > 1 ? d[first_of(p, which) + 1] : 0;
    *out = *m;
    if (m->count == 0) return 0;
    if (m->count == 1) {
        out->d[0] = addscaled3(m->d[0], u, m->dd[0]);
        out->p = addscaled3(addscaled3(m->p, u, m->d[0]), 0.5 * u * u, m->dd[0]);
        return body_curve(p->s->t->body[which], at->id)->speed * fabs(u);
    }
    const wit_surface* surface = body_surface(p->s->t->body[which], at->id);
    wit_vec3 du = addscaled3(scale3(u, m->dd[0]), v, m->dd[1]), dv = addscaled3(scale3(u, m->dd[1]), v, m->dd[2]);
    out->d[0] = add3(m->d[0], du);
    out->d[1] = add3(m->d[1], dv);
    wit_vec3 linear = addscaled3(scale3(u, m->d[0]), v, m->d[1]), bent = addscaled3(scale3(u, du), v, dv);
    out->p = add3(m->p, addscaled3(linear, 0.5, bent));
    return surface->speed_u * fabs(u) + surface->speed_v * fabs(v);
}

static double third_of(const pair_newton* p, int which)
{
    const place* at = &p->s->t->at[which];
    if (at->kind == WIT_FACE) return body_faces(p->s->t->body[which])[at->id].third;
    return at->kind == WIT_EDGE ? body_edges(p->s->t->body[which])[at->id].third : 0;
}

static bool step_stays(const pair_newton* p, const double* d)
{
    for (int i = 0; i < p->n; ++i)
        if (!(p->x[i] + d[i] >= p->lo[i] && p->x[i] + d[i] <= p->hi[i])) return false;
    return true;
}

/*
 * The place after the step from the jets at hand. Psi is formed anew from Taylor's points and tangents and the same
 * matrix used once more: d2. What is left then is about |d2|^2 / |d|, and what the third derivatives add. True if that is
 * within `tolerance` (a length): x and the sides are there.
 */
static bool pursuit_arrive(pair_newton* p, const pair_step* by, double tolerance)
{
    if (p->polar[0] || p->polar[1] || !same_cell(p, 0, by->d) || !same_cell(p, 1, by->d)) return false;
    moving next[2];
    double bound[2], rhs[WIT_MAX_PARAMETERS], d[WIT_MAX_PARAMETERS] = {0}, off = 0,
                                              gap = norm3(sub3(p->m[0].p, p->m[1].p));
    for (int i = 0; i < 2; ++i) {
        bound[i] = taylor_side(p, i, by->d, &next[i]);
        double third = third_of(p, i);
        if (!(bound[i] == 0 || third < INFINITY)) return false;
        if (bound[i] != 0) off += taylor_rest(third, bound[i], by->contact ? p->s->t->size : gap);
    }
    if (!(off <= tolerance)) return false;
    if (by->contact) {
        pair_rows k;
        wi_condition_rows(&next[0], &next[1], WIT_FORM_CONTACT, &k);
        memcpy(rhs, k.psi, sizeof rhs);
    } else {
        wit_vec3 r = sub3(next[0].p, next[1].p);
        for (int i = 0; i < p->n; ++i) rhs[i] = i < p->na ? dot3(r, next[0].d[i]) : -dot3(r, next[1].d[i - p->na]);
    }
    for (int i = 0; i < p->n; ++i) {
        /* a border keeps only what is still pushed against it at the new place */
        double length = norm3(i < p->na ? next[0].d[i] : next[1].d[i - p->na]);
        bool high = p->hi[i] - (p->x[i] + by->d[i]) <= (p->x[i] + by->d[i]) - p->lo[i];
        if ((by->held >> i & 1) && !((high ? -rhs[i] : rhs[i]) >= -tolerance * length)) return false;
    }
    apply_inverse(p->n, by->inverse, rhs, d);
    pair_step second = *by;
    memcpy(second.d, d, sizeof d);
    measure(p, &second);
    if (!newton_arrives(by->length, second.length, tolerance)) return false;
    for (int i = 0; i < p->n; ++i) d[i] += by->d[i];
    if (!step_stays(p, d) || !same_cell(p, 0, d) || !same_cell(p, 1, d)) return false;
    for (int i = 0; i < 2; ++i) taylor_side(p, i, d, &next[i]);
    for (int i = 0; i < 2; ++i) {
        next[i].velocity = add3(p->m[i].velocity, cross3(p->m[i].angular, sub3(next[i].p, p->m[i].p)));
        p->m[i] = next[i];
    }
    for (int i = 0; i < p->n; ++i) p->x[i] += d[i];
    return true;
}

/* Inside each other: then each witness lies in the other body, so at least in its box. A pair that does not is one of far
 * sides, or of a body that has gone right through. */
bool wi_pair_newton_inside(const pair_newton* p)
{
    const step* s = p->s;
    if (!faces_each_other(p)) return false;
    if (!in_contact_form(p) || !(p->distance < 0)) return true;
    for (int i = 0; i < 2; ++i) {
        const wit_body* other = s->t->body[1 - i];
        if (other->unbounded || other->kind != WIT_BODY_SOLID) continue; /* a sheet is thin */
        wit_vec3 at = side_unpoint(&s->now.side[1 - i], p->m[i].p);
        double slack = 1e-9 * other->size;
        if (box_square(&other->box, at) > slack * slack) return false;
    }
    return true;
}

/* ---- the chase ----------------------------------------------------------------------------- */

enum { PURSUIT_MOST = 10 };

/* Up to the border through which an overlapping pair wants to leave: the hand-over is next. */
static bool press(pair_newton* p, const pair_step* by)
{
    wi_pair_newton_move(p, by);
    wi_pair_newton_look(p);
    wi_pair_newton_end(p, by->held);
    p->s->pressed = true;
    p->s->outcome = WIT_OUTCOME_OPEN;
    return false;
}

/* Where a way is level its steps are noise, and the conditions themselves decide: as lengths within the tolerance. */
static bool conditions_hold(const pair_newton* p, const pair_step* by, double tolerance)
{
    double error[WIT_MAX_PARAMETERS], gap = norm3(sub3(p->m[0].p, p->m[1].p)), size = p->s->t->size;
    bool contact = in_contact_form(p) && !touches_not(p);
    wit_form form = contact ? WIT_FORM_CONTACT : WIT_FORM_PAPERS;
    int face = pair_face(&p->m[0], &p->m[1]);
    wi_condition_errors(&p->m[0], &p->m[1], form, error);
    for (int i = 0; i < p->n; ++i) {
        bool by_gap = !contact || (i < p->na) == (face == 0);
        double length = fabs(error[i]) * (by_gap ? gap : size);
        bool held = (by->held >> i & 1) && by->d[i] == 0; /* there already, not where the step would end */
        if (!held && !(length <= tolerance)) return false;
    }
    return true;
}

bool wi_pair_newton(step* s)
{
    pair_newton p;
    wi_pair_newton_begin(s, &p);
    s->pressed = false;
    double last = INFINITY;
    int risen = 0;
    for (int k = 0; k < PURSUIT_MOST; ++k) {
        if (step_left(s) < STEP_RESERVE + LOOK_MOST) {
            s->outcome = WIT_OUTCOME_BUDGET;
            return false;
        }
        pair_step by;
        wi_pair_newton_look(&p);
        double tolerance = fmax(s->t->def.tolerance * step_scale(s, p.distance), p.floor);
        if (k > 0 && p.merit > last * (1 + 1e-9) + tolerance && ++risen > 1) return false;
        last = p.merit;
        if (!wi_pair_newton_step(&p, &by) || !by.minimum) return false;
        s->iterations++;
        /* a step beyond all the body is none */
        if (!(by.length <= 4 * (s->t->size + fabs(p.distance)))) return false;
        if (by.pressed) return press(&p, &by);
        bool level = by.flat && conditions_hold(&p, &by, tolerance);
        if (level || by.length <= tolerance || pursuit_arrive(&p, &by, tolerance)) {
            if (!wi_pair_newton_inside(&p)) return false;
            wi_pair_newton_end(&p, by.held);
            s->outcome = WIT_OUTCOME_CONVERGED;
            return true;
        }
        wi_pair_newton_move(&p, &by);
    }
    return false;
}
