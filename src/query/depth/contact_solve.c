/* SPDX-License-Identifier: MIT */
#include "contact_solve.h"

#include <string.h>

#include "../../base/solve.h"
#include "../../pair/contact_form.h"

enum { ITERATIONS = 24 };
#define SINGULAR 1e-7   /* of the largest singular value: below, the pair is not isolated along it */
#define CONVERGED 1e-11 /* of the size: what the conditions may be off */
#define STEP 1e-15

/* One side: its point, tangents and second derivatives by u, v (an edge has one parameter, a vertex none). */
typedef struct side_state {
    const side* s;
    place* at;
    int count;
    wit_vec3 p, d[2], dd[3];
    wit_interval range[2];
    bool closed[2];
    double length[2];
} side_state;

typedef struct system_rows {
    int n;
    double psi[SOLVE_MAX], M[SOLVE_MAX * SOLVE_MAX];
} system_rows;

static void look(side_state* x)
{
    wit_surface_jet j;
    wi_side_jet(x->s, x->at, WIT_KNOT_DEFAULT, NULL, &j);
    x->p = x->at->p = j.p;
    x->d[0] = j.du, x->d[1] = j.dv;
    x->dd[0] = j.duu, x->dd[1] = j.duv, x->dd[2] = j.dvv;
    for (int i = 0; i < x->count; ++i) x->length[i] = norm3(x->d[i]);
}

static side_state state_of(const side* s, place* at)
{
    side_state x = {.s = s, .at = at, .count = kind_dimension(at->kind)};
    wi_side_range(s, at->kind, at->id, x.range, x.closed);
    return x;
}

/* Rows r.f_i / |f_i| of a side; parameters in arc length. sign: r = sign (own - other). */
static void gap_rows(system_rows* k, const side_state* own, int first, const side_state* other, int across, double sign)
{
    wit_vec3 r = scale3(sign, sub3(own->p, other->p));
    for (int i = 0; i < own->count; ++i) {
        double* row = &k->M[(first + i) * k->n];
        k->psi[first + i] = dot3(r, own->d[i]) / own->length[i];
        for (int j = 0; j < own->count; ++j)
            row[first + j] =
                form_own(sign, r, own->d[i], own->d[j], own->dd[i + j]) / (own->length[i] * own->length[j]);
        for (int j = 0; j < other->count; ++j)
            row[across + j] = form_across(sign, own->d[i], other->d[j]) / (own->length[i] * other->length[j]);
    }
}

/* Rows n.h_j size / (|n| |h_j|) of the other side; n and its derivatives by the own parameters are given. */
static void normal_rows(system_rows* k, const side_state* own, int first, const side_state* other, int across,
                        wit_vec3 n, const wit_vec3 turn[2], double size)
{
    double scale = size / norm3(n);
    for (int i = 0; i < other->count; ++i) {
        double* row = &k->M[(across + i) * k->n];
        k->psi[across + i] = scale * dot3(n, other->d[i]) / other->length[i];
        for (int j = 0; j < own->count; ++j)
            row[first + j] = scale * dot3(turn[j], other->d[i]) / (own->length[j] * other->length[i]);
        for (int j = 0; j < other->count; ++j)
            row[across + j] = scale * dot3(n, other->dd[i + j]) / (other->length[i] * other->length[j]);
    }
}

/* The normal of a side that has one (a face, or a planar body's edge), not unit, and how it turns. */
static bool own_normal(const side_state* x, const wit_vec3* plane, wit_vec3* n, wit_vec3 turn[2])
{
    if (plane && x->count == 1) {
        *n = cross3(x->d[0], *plane);
        turn[0] = cross3(x->dd[0], *plane);
        return dot3(*n, *n) > 0;
    }
    if (x->count != 2) return false;
    *n = cross3(x->d[0], x->d[1]);
    form_turn(x->d[0], x->d[1], x->dd[0], x->dd[1], x->dd[2], turn);
    return norm3(*n) > 1e-12 * x->length[0] * x->length[1];
}

/* False where a tangent or the normal vanishes. */
static bool fill(const side_state* a, const side_state* b, const wit_vec3* plane, double size, system_rows* k)
{
    wit_vec3 n, turn[2];
    k->n = a->count + b->count;
    memset(k->M, 0, sizeof k->M);
    for (int i = 0; i < 2; ++i)
        if ((i < a->count && !(a->length[i] > 0)) || (i < b->count && !(b->length[i] > 0))) return false;
    if (own_normal(a, plane, &n, turn)) {
        gap_rows(k, a, 0, b, a->count, 1);
        normal_rows(k, a, 0, b, a->count, n, turn, size);
    } else if (own_normal(b, plane, &n, turn)) {
        gap_rows(k, b, a->count, a, 0, -1);
        normal_rows(k, b, a->count, a, 0, n, turn, size);
    } else {
        gap_rows(k, a, 0, b, a->count, 1);
        gap_rows(k, b, a->count, a, 0, -1);
        return a->count == 1 && b->count == 1;
    }
    return true;
}

/* M d = -psi; along what M does not see, nothing. */
static bool step_of(const system_rows* k, double* d)
{
    int n = k->n;
    double N[SOLVE_MAX * SOLVE_MAX] = {0}, g[SOLVE_MAX] = {0}, values[SOLVE_MAX], vectors[SOLVE_MAX * SOLVE_MAX];
    lu f;
    if (wi_lu_factor(&f, n, k->M) && f.ratio > SINGULAR) {
        wi_lu_solve(&f, k->psi, d);
        for (int i = 0; i < n; ++i) d[i] = -d[i];
        return true;
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            g[i] += k->M[j * n + i] * k->psi[j];
            for (int l = 0; l < n; ++l) N[i * n + j] += k->M[l * n + i] * k->M[l * n + j];
        }
    if (!wi_eigen_symmetric(n, N, values, vectors)) return false;
    for (int i = 0; i < n; ++i) d[i] = 0;
    for (int m = 0; m < n; ++m) {
        if (!(values[m] > SINGULAR * SINGULAR * values[n - 1])) continue;
        double c = 0;
        for (int i = 0; i < n; ++i) c -= vectors[m * n + i] * g[i];
        for (int i = 0; i < n; ++i) d[i] += c / values[m] * vectors[m * n + i];
    }
    return true;
}

/* Moves one side, in arc length, within its range. */
static void advance(side_state* x, const double* d)
{
    double* at[2] = {&x->at->u, &x->at->v};
    for (int i = 0; i < x->count; ++i) {
        double next = *at[i] + d[i] / x->length[i];
        if (x->closed[i]) {
            double w = iv_width(x->range[i]);
            next -= w * floor((next - x->range[i].lo) / w);
        }
        *at[i] = smaller(x->range[i].hi, larger(x->range[i].lo, next));
    }
}

static double largest(const double* x, int n)
{
    double m = 0;
    for (int i = 0; i < n; ++i) m = larger(m, fabs(x[i]));
    return m;
}

/* The unit outward normal of a face; of an edge of a planar body across it, towards `guess`. */
static bool normal_at(const side_state* a, const side_state* b, const wit_vec3* plane, local_contact* c)
{
    wit_vec3 n = {0, 0, 0}, turn[2];
    if (a->count == 2) {
        if (!wi_side_normal(a->s, a->at->id, a->at->u, a->at->v, &n)) return false;
    } else if (b->count == 2) {
        if (!wi_side_normal(b->s, b->at->id, b->at->u, b->at->v, &n)) return false;
        n = scale3(-1, n);
    } else {
        if (!own_normal(a, plane, &n, turn) && !own_normal(b, plane, &n, turn))
            n = cross3(unit3(a->d[0]), unit3(b->d[0]));
        n = scale3(dot3(n, c->normal) < 0 ? -1 : 1, unit3(n));
    }
    c->normal = n;
    c->depth = dot3(sub3(a->p, b->p), n);
    return dot3(n, n) > 0.5;
}

bool wi_contact_solve(const side* a, const side* b, const wit_vec3* plane, double size, wit_work* work,
                      local_contact* c)
{
    side_state x = state_of(a, &c->a), y = state_of(b, &c->b);
    system_rows k;
    double d[SOLVE_MAX], worst = INFINITY;
    work_solves(work, 1);
    for (int i = 0; i < ITERATIONS && !side_spent(a, 2); ++i) {
        look(&x);
        look(&y);
        if (!fill(&x, &y, plane, size, &k)) return false;
        worst = largest(k.psi, k.n);
        if (worst <= STEP * size || !step_of(&k, d)) break;
        /* no farther than a quarter of the size at once */
        double far = largest(d, k.n), short_by = far > 0.25 * size ? 0.25 * size / far : 1;
        if (far <= STEP * size) break;
        for (int j = 0; j < k.n; ++j) d[j] *= short_by;
        advance(&x, d);
        advance(&y, d + x.count);
    }
    return worst <= CONVERGED * size && !side_spent(a, 1) && normal_at(&x, &y, plane, c);
}
