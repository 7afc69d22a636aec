/* SPDX-License-Identifier: MIT */
/* The local solver. */
#include "refine.h"

#include <string.h>

#include "../body/meeting.h"

refine_bounds wi_refine_bounds_of(const side* sa, const place* a, const side* sb, const place* b)
{
    refine_bounds r;
    bool closed_a[2], closed_b[2];
    wi_side_range(sa, a->kind, a->id, r.a, closed_a);
    wi_side_range(sb, b->kind, b->id, r.b, closed_b);
    for (int i = 0; i < 2; ++i) {
        if (closed_a[i]) r.a[i] = iv(-INFINITY, INFINITY);
        if (closed_b[i]) r.b[i] = iv(-INFINITY, INFINITY);
    }
    return r;
}

typedef struct problem {
    const side *sa, *sb;
    place a, b; /* where the last look was */
    double lo[SOLVE_MAX], hi[SOLVE_MAX];
    wit_hint hint_a, hint_b;
} problem;

static double size_of(wit_vec3 p)
{
    return fabs(p.x) + fabs(p.y) + fabs(p.z);
}

/* At the upper end of an interval that stops at a knot the piece below counts. */
static unsigned sides_of(const double* x, const double* hi, int count)
{
    unsigned below = 0;
    if (count > 0 && x[0] >= hi[0]) below |= WIT_KNOT_U_BELOW;
    if (count > 1 && x[1] >= hi[1]) below |= WIT_KNOT_V_BELOW;
    return below;
}

/* Jets, distance and gradient at at->x. */
static void evaluate(problem* p, refined* at)
{
    const double *xa = at->x, *xb = at->x + at->na;
    int nb = at->n - at->na;
    for (int i = 0; i < 2; ++i) {
        p->a.x[i] = i < at->na ? xa[i] : 0;
        p->b.x[i] = i < nb ? xb[i] : 0;
    }
    wi_side_jet(p->sa, &p->a, sides_of(xa, p->hi, at->na), &p->hint_a, &at->jet_a);
    wi_side_jet(p->sb, &p->b, sides_of(xb, p->hi + at->na, nb), &p->hint_b, &at->jet_b);
    wit_vec3 r = sub3(at->jet_a.p, at->jet_b.p);
    at->distance = norm3(r);
    const wit_vec3 *f = &at->jet_a.du, *g = &at->jet_b.du;
    for (int i = 0; i < at->na; ++i) at->g[i] = dot3(r, f[i]);
    for (int i = 0; i < nb; ++i) at->g[at->na + i] = -dot3(r, g[i]);
}

/* How far below zero the part with second derivatives reaches, in arc length: its lowest eigenvalue, sign turned. */
static double lowest_bend(const double second[3], const double* w, int count)
{
    double s[3] = {0, 0, 0};
    for (int i = 0; i < count; ++i)
        for (int k = 0; k <= i; ++k) s[i + k] = w[i] * w[k] > 0 ? second[i + k] / (w[i] * w[k]) : 0;
    double half = 0.5 * (s[0] - s[2]);
    return larger(0, sqrt(half * half + s[1] * s[1]) - 0.5 * (s[0] + s[2]));
}

/* Fills a block of H. Returns what must be added to it, in arc length, to be sure that it is not negative. */
static double put_block(refined* at, const wit_surface_jet* j, wit_vec3 r, int first, int count)
{
    int n = at->n;
    const wit_vec3 *d = &j->du, *dd = &j->duu;
    double second[3] = {0, 0, 0};
    for (int i = 0; i < count; ++i)
        for (int k = 0; k <= i; ++k) {
            second[i + k] = dot3(r, dd[i + k]);
            double x = dot3(d[i], d[k]) + second[i + k];
            at->H[(first + i) * n + first + k] = at->H[(first + k) * n + first + i] = x;
        }
    for (int i = 0; i < count; ++i) at->w[first + i] = norm3(d[i]);
    return lowest_bend(second, at->w + first, count);
}

static double put_hessian(refined* at)
{
    wit_vec3 r = sub3(at->jet_a.p, at->jet_b.p);
    int nb = at->n - at->na;
    double bend = put_block(at, &at->jet_a, r, 0, at->na);
    bend = larger(bend, put_block(at, &at->jet_b, scale3(-1, r), at->na, nb));
    const wit_vec3 *f = &at->jet_a.du, *g = &at->jet_b.du;
    for (int i = 0; i < at->na; ++i)
        for (int k = 0; k < nb; ++k)
            at->H[i * at->n + at->na + k] = at->H[(at->na + k) * at->n + i] = -dot3(f[i], g[k]);
    return bend;
}

/* Newton's step if it stays within the bounds: the usual case. */
static bool free_step(const refined* at, const double* lo, const double* hi, double* d)
{
    double l[SOLVE_MAX * SOLVE_MAX];
    if (!wi_cholesky_factor(at->n, at->H, l)) return false;
    wi_cholesky_solve(at->n, l, at->g, d);
    for (int i = 0; i < at->n; ++i) {
        d[i] = -d[i];
        if (!(d[i] >= lo[i] && d[i] <= hi[i])) return false;
    }
    return true;
}

/* The step from at->x: Newton's, or, where H is not positive definite or `shift` > 0, that of H + shift W^2. J^T J is
 * positive semidefinite, so a shift by what the rest reaches below zero makes it definite. */
static bounded_step step_from(const problem* p, const refined* at, double bend, double shift)
{
    double lo[SOLVE_MAX], hi[SOLVE_MAX], H[SOLVE_MAX * SOLVE_MAX], most = 0;
    int n = at->n;
    for (int i = 0; i < n; ++i) {
        lo[i] = p->lo[i] - at->x[i];
        hi[i] = p->hi[i] - at->x[i];
        most = larger(most, at->w[i]);
    }
    bounded_step step = {.kind = BOUNDED_REFUSED};
    if (shift == 0 && free_step(at, lo, hi, step.d)) {
        step.kind = BOUNDED_NEWTON;
        return step;
    }
    if (shift == 0) step = wi_bounded_minimum(n, at->H, at->g, lo, hi);
    if (step.kind == BOUNDED_NEWTON) return step;
    memcpy(H, at->H, sizeof H);
    shift = larger(shift, 1.01 * bend + 1e-9);
    for (int i = 0; i < n; ++i) H[i * n + i] += shift * larger(at->w[i] * at->w[i], 1e-16 * most * most);
    step = wi_bounded_minimum(n, H, at->g, lo, hi);
    if (step.kind == BOUNDED_NEWTON) step.kind = BOUNDED_CAUCHY; /* a descent, not Newton's */
    return step;
}

/* m x = rhs with rows and columns of uneven size, in the sense of least squares and with |W x| kept small: where a line
 * is in contact the equations leave the way along it open. */
static bool least_solution(int n, const double* m, const double* rhs, const double* w, double* x)
{
    const double little = 1e-10; /* of squared singular values that are about 1 */
    double a[SOLVE_MAX * SOLVE_MAX] = {0}, g[SOLVE_MAX] = {0}, l[SOLVE_MAX * SOLVE_MAX];
    for (int k = 0; k < n; ++k) {
        double row[SOLVE_MAX], square = 0;
        for (int i = 0; i < n; ++i) {
            row[i] = w[i] > 0 ? m[k * n + i] / w[i] : 0;
            square += row[i] * row[i];
        }
        if (!(square > 0)) continue;
        for (int i = 0; i < n; ++i) {
            g[i] += row[i] * rhs[k] / square;
            for (int j = 0; j < n; ++j) a[i * n + j] += row[i] * row[j] / square;
        }
    }
    for (int i = 0; i < n; ++i) a[i * (n + 1)] += little;
    if (!wi_cholesky_factor(n, a, l)) return false;
    wi_cholesky_solve(n, l, g, x);
    for (int i = 0; i < n; ++i) x[i] = w[i] > 0 ? x[i] / w[i] : 0;
    return true;
}

static bool within_bounds(const problem* p, const refined* at, const double* d)
{
    for (int i = 0; i < at->n; ++i)
        if (!(at->x[i] + d[i] >= p->lo[i] && at->x[i] + d[i] <= p->hi[i])) return false;
    return true;
}

/* The equations stand with the side of the face first: swaps the sides of x unless that is a. */
static void in_order(const refined* at, bool swapped, const double* x, double* d)
{
    for (int i = 0; i < at->n; ++i) d[i] = swapped ? (i < at->na ? x[2 + i] : x[i - at->na]) : x[i];
}

/*
 * Near touch the Hessian of F is nearly singular and Newton's steps fall short. The contact form (conditions.h; of 001 (1) to (4)
 * the last two are replaced) stays regular there: with f on the face, n = f_u x f_v,
 *     r.f_i = 0,  n.g_j = 0.
 * One Newton step on it, from the side with a face (a if both have one). False: none, singular, or out of the intervals.
 */
static bool contact_step(const problem* p, const refined* at, double* d)
{
    int nb = at->n - at->na;
    bool swapped = at->na != 2;
    if ((swapped && nb != 2) || at->n < 3) return false;
    const wit_surface_jet *jf = swapped ? &at->jet_b : &at->jet_a, *jg = swapped ? &at->jet_a : &at->jet_b;
    const wit_vec3 *f = &jf->du, *ff = &jf->duu, *g = &jg->du, *gg = &jg->duu;
    wit_vec3 r = sub3(jf->p, jg->p), n = cross3(f[0], f[1]);
    wit_vec3 dn[2] = {add3(cross3(ff[0], f[1]), cross3(f[0], ff[1])), add3(cross3(ff[1], f[1]), cross3(f[0], ff[2]))};
    int size = at->n, ng = size - 2;
    double m[SOLVE_MAX * SOLVE_MAX], rhs[SOLVE_MAX], x[SOLVE_MAX];
    for (int i = 0; i < 2; ++i) {
        rhs[i] = -dot3(r, f[i]);
        for (int k = 0; k < 2; ++k) m[i * size + k] = dot3(f[i], f[k]) + dot3(r, ff[i + k]);
        for (int j = 0; j < ng; ++j) m[i * size + 2 + j] = -dot3(f[i], g[j]);
    }
    for (int j = 0; j < ng; ++j) {
        rhs[2 + j] = -dot3(n, g[j]);
        for (int k = 0; k < 2; ++k) m[(2 + j) * size + k] = dot3(dn[k], g[j]);
        for (int l = 0; l < ng; ++l) m[(2 + j) * size + 2 + l] = dot3(n, gg[j + l]);
    }
    lu factors;
    if (wi_lu_factor(&factors, size, m)) {
        wi_lu_solve(&factors, rhs, x);
        in_order(at, swapped, x, d);
        if (within_bounds(p, at, d)) return true;
    }
    double w[SOLVE_MAX];
    for (int i = 0; i < size; ++i) w[i] = norm3(i < 2 ? f[i] : g[i - 2]);
    if (!least_solution(size, m, rhs, w, x)) return false;
    in_order(at, swapped, x, d);
    return within_bounds(p, at, d);
}

/* The gradient in arc length, without what bounds hold. */
static double slope_size(const problem* p, const refined* at)
{
    double sum = 0;
    for (int i = 0; i < at->n; ++i) {
        bool held = (at->x[i] <= p->lo[i] && at->g[i] > 0) || (at->x[i] >= p->hi[i] && at->g[i] < 0);
        double w = norm3(i < at->na ? (&at->jet_a.du)[i] : (&at->jet_b.du)[i - at->na]);
        if (!held && w > 0) sum += at->g[i] / w * (at->g[i] / w);
    }
    return sum;
}

static double step_length(const refined* at, const double* d)
{
    double length = 0;
    for (int i = 0; i < at->n; ++i) length = larger(length, fabs(d[i]) * at->w[i]);
    return length;
}

static void move_by(problem* p, const refined* at, const double* d, refined* next)
{
    *next = *at;
    for (int i = 0; i < at->n; ++i) next->x[i] = smaller(p->hi[i], larger(p->lo[i], at->x[i] + d[i]));
    evaluate(p, next);
}

/* Some steps on the contact form, kept if they bring the two nearer. Its errors are quadratic in the offset, and so is the
 * gap there: one step alone may not show. */
static bool contact_run(problem* p, refined* at, double rounding, double* length)
{
    enum { STEPS = 4 };
    refined x = *at, next;
    double d[SOLVE_MAX], way = 0;
    for (int k = 0; k < STEPS && !side_spent(p->sa, 2) && contact_step(p, &x, d); ++k) {
        way = step_length(&x, d);
        move_by(p, &x, d, &next);
        x = next;
        if (x.distance < at->distance - rounding && way < x.distance) break;
    }
    if (!(x.distance < at->distance - rounding)) return false;
    *length = way;
    *at = x;
    at->regular = true;
    return true;
}

/* One accepted step. False: F cannot be lowered from here. */
static bool advance(problem* p, refined* at, double rounding, double* length)
{
    enum { SLOW = 5 };
    double bend = put_hessian(at), shift = 0;
    for (int attempt = 0; attempt < 12 && !side_spent(p->sa, 2); ++attempt) {
        bounded_step step = step_from(p, at, bend, shift);
        if (step.kind == BOUNDED_REFUSED) return false;
        refined next;
        *length = step_length(at, step.d);
        /* Newton's domain is some gaps wide; in the long valley towards a touch it is slow but regular */
        if (at->steps >= SLOW && attempt == 0 && *length > at->distance && contact_run(p, at, rounding, length))
            return true;
        if (side_spent(p->sa, 2)) return false;
        move_by(p, at, step.d, &next);
        next.regular = step.kind == BOUNDED_NEWTON;
        /* within the rounding of the distance the gradient decides */
        if (next.distance < at->distance - rounding ||
            (next.distance <= at->distance + rounding && slope_size(p, &next) < slope_size(p, at))) {
            *at = next;
            return true;
        }
        if (*length <= rounding) {
            at->regular = next.regular;
            return false;
        }
        shift = shift > 0 ? 4 * shift : larger(0.25, 1.01 * bend);
    }
    return false;
}

static void bring_back(const side* s, place* at)
{
    wit_interval range[2];
    bool closed[2];
    wi_side_range(s, at->kind, at->id, range, closed);
    double* x[2] = {&at->u, &at->v};
    for (int i = 0; i < 2; ++i) {
        double period = iv_width(range[i]);
        if (!closed[i] || !(period > 0)) continue;
        if (*x[i] < range[i].lo || *x[i] > range[i].hi) *x[i] -= floor((*x[i] - range[i].lo) / period) * period;
        *x[i] = smaller(range[i].hi, larger(range[i].lo, *x[i]));
    }
}

static place place_of(const side* s, wit_feature_kind kind, int id, const double* x, int count, wit_vec3 p)
{
    place r = place_at(kind, id, count > 0 ? x[0] : 0, count > 1 ? x[1] : 0, p);
    bring_back(s, &r);
    return r;
}

static void start(problem* p, const place* a, const place* b, const refine_bounds* bounds, refined* out)
{
    out->na = kind_dimension(a->kind);
    out->n = out->na + kind_dimension(b->kind);
    double xa[2] = {a->u, a->v}, xb[2] = {b->u, b->v};
    for (int i = 0; i < out->n; ++i) {
        bool of_a = i < out->na;
        int k = of_a ? i : i - out->na;
        wit_interval range = of_a ? bounds->a[k] : bounds->b[k];
        p->lo[i] = range.lo;
        p->hi[i] = range.hi;
        out->x[i] = smaller(range.hi, larger(range.lo, of_a ? xa[k] : xb[k]));
    }
}

void wi_refine_pair(const side* sa, const place* a, const side* sb, const place* b, const refine_bounds* bounds,
                    refine_effort effort, refined* out)
{
    problem p = {.sa = sa, .sb = sb, .a = *a, .b = *b};
    memset(out, 0, sizeof *out);
    start(&p, a, b, bounds, out);
    out->a = *a;
    out->b = *b;
    out->distance = INFINITY;
    if (side_spent(sa, 2)) return;
    evaluate(&p, out);
    double rounding = 2 * DBL_EPSILON * (size_of(out->jet_a.p) + size_of(out->jet_b.p));
    out->converged = out->n == 0;
    while (!out->converged && out->steps < effort.steps && !side_spent(sa, 2)) {
        double length = INFINITY;
        bool moved = advance(&p, out, rounding, &length);
        ++out->steps;
        out->converged = (!moved && !side_spent(sa, 2)) || (out->regular && length <= larger(effort.enough, rounding));
    }
    put_hessian(out);
    for (int i = 0; i < out->n; ++i) out->held |= out->x[i] <= p.lo[i] || out->x[i] >= p.hi[i];
    out->a = place_of(sa, a->kind, a->id, out->x, out->na, out->jet_a.p);
    out->b = place_of(sb, b->kind, b->id, out->x + out->na, out->n - out->na, out->jet_b.p);
}

/* ---- what kind of place it is -------------------------------------------------------------- */

int wi_refine_spectrum(const refined* at, const refine_bounds* bounds, double* values, double* vectors)
{
    int index[SOLVE_MAX], m = 0, n = at->n;
    double most = 0, H[SOLVE_MAX * SOLVE_MAX], rows[SOLVE_MAX * SOLVE_MAX];
    for (int i = 0; i < n; ++i) most = larger(most, at->w[i]);
    for (int i = 0; i < n; ++i) {
        wit_interval range = i < at->na ? bounds->a[i] : bounds->b[i - at->na];
        bool held = at->x[i] <= range.lo || at->x[i] >= range.hi;
        if (!held && at->w[i] > 1e-12 * most) index[m++] = i;
    }
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < m; ++k) H[i * m + k] = at->H[index[i] * n + index[k]] / (at->w[index[i]] * at->w[index[k]]);
    if (!m || !wi_eigen_symmetric(m, H, values, rows)) return 0;
    for (int k = 0; vectors && k < m; ++k) {
        for (int i = 0; i < n; ++i) vectors[k * n + i] = 0;
        for (int i = 0; i < m; ++i) vectors[k * n + index[i]] = rows[k * m + i] / at->w[index[i]];
    }
    return m;
}

static bool is_definite(const refined* at, const refine_bounds* bounds)
{
    int index[SOLVE_MAX], m = 0;
    double H[SOLVE_MAX * SOLVE_MAX], l[SOLVE_MAX * SOLVE_MAX];
    for (int i = 0; i < at->n; ++i) {
        wit_interval range = i < at->na ? bounds->a[i] : bounds->b[i - at->na];
        if (at->x[i] > range.lo && at->x[i] < range.hi) index[m++] = i;
    }
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < m; ++k) H[i * m + k] = at->H[index[i] * at->n + index[k]];
    return m == 0 || wi_cholesky_factor(m, H, l);
}

static void displaced(const refined* at, const double* direction, double by, place* a, place* b)
{
    double x[SOLVE_MAX];
    for (int i = 0; i < at->n; ++i) x[i] = at->x[i] + by * direction[i];
    *a = at->a;
    *b = at->b;
    if (at->na > 0) a->u = x[0];
    if (at->na > 1) a->v = x[1];
    if (at->n > at->na) b->u = x[at->na];
    if (at->n > at->na + 1) b->v = x[at->na + 1];
}

void wi_refine_to_minimum(const side* sa, const side* sb, const refine_bounds* bounds, refined* out)
{
    enum { ROUNDS = 4, STEPS = 60 };
    for (int round = 0; round < ROUNDS && !side_spent(sa, 2) && !is_definite(out, bounds); ++round) {
        double values[SOLVE_MAX], vectors[SOLVE_MAX * SOLVE_MAX];
        int m = wi_refine_spectrum(out, bounds, values, vectors);
        if (!m || !(values[0] < -1e-9)) return;
        refined best = *out;
        for (int sign = -1; sign <= 1; sign += 2) {
            place a, b;
            displaced(out, vectors, sign * 0.02 * out->distance, &a, &b);
            refined other;
            wi_refine_pair(sa, &a, sb, &b, bounds, (refine_effort){STEPS, 0}, &other);
            bool better = other.distance < best.distance;
            if (better && wi_side_contains(sa, other.a.kind, other.a.id, other.a.u, other.a.v) &&
                wi_side_contains(sb, other.b.kind, other.b.id, other.b.u, other.b.v))
                best = other;
        }
        bool moved = best.distance < out->distance;
        *out = best;
        if (!moved) return;
    }
}

/* ---- over borders -------------------------------------------------------------------------- */

/* The k-th feature that the place borders, and the place there; false: there are no more. WIT_POINT: it does not count. */
static bool neighbour(const side* s, const place* at, int k, place* out)
{
    const wit_body* b = s->body;
    *out = (place){.kind = WIT_POINT, .p = at->p};
    if (at->kind == WIT_EDGE && !b->planar) {
        const body_edge* e = &body_edges(b)[at->id];
        if (k >= e->uses) return false;
        int32_t use = edge_uses(b, at->id)[k], face = body_uses(b)[use].face;
        if (side_spent(s, 1)) return false;
        side_jets(s, 1);
        wit_vec3 uv = wi_use_lift(b, use, at->u).c.p;
        if (side_counts(s, WIT_FACE, face)) *out = place_at(WIT_FACE, face, uv.x, uv.y, at->p);
        return true;
    }
    if (at->kind == WIT_VERTEX) {
        const body_vertex* v = &body_vertices(b)[at->id];
        if (k >= v->edges) return false;
        int32_t edge = vertex_edges(b, at->id)[k];
        const body_edge* e = &body_edges(b)[edge];
        double t = e->start == at->id ? e->range.lo : e->range.hi;
        if (side_counts(s, WIT_EDGE, edge)) *out = place_at(WIT_EDGE, edge, t, 0, at->p);
        return true;
    }
    return false;
}

static bool in_faces(const side* sa, const side* sb, const refined* r)
{
    return wi_side_contains(sa, r->a.kind, r->a.id, r->a.u, r->a.v) &&
           wi_side_contains(sb, r->b.kind, r->b.id, r->b.u, r->b.v);
}

void wi_refine_across(const side* sa, const side* sb, int steps, refined* out)
{
    enum { ROUNDS = 4 }; /* a vertex and a vertex: two borders to cross for each */
    bool moved = true;
    for (int round = 0; round < ROUNDS && moved; ++round) {
        refined from = *out;
        moved = false;
        for (int which = 0; which < 2; ++which) {
            place at;
            for (int k = 0; neighbour(which ? sb : sa, which ? &from.b : &from.a, k, &at); ++k) {
                if (at.kind == WIT_POINT) continue;
                if (side_spent(sa, 2)) return;
                const place *a = which ? &from.a : &at, *b = which ? &at : &from.b;
                refine_bounds bounds = wi_refine_bounds_of(sa, a, sb, b);
                refined r;
                wi_refine_pair(sa, a, sb, b, &bounds, (refine_effort){steps, 0}, &r);
                if (r.distance < out->distance && in_faces(sa, sb, &r)) {
                    *out = r;
                    moved = true;
                }
            }
        }
    }
}
