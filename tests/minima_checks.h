/* SPDX-License-Identifier: MIT */
/* Asking for all local minima, and a dense search for those of bare surfaces that has nothing in common with ours. */
#ifndef TESTS_MINIMA_CHECKS_H
#define TESTS_MINIMA_CHECKS_H

#include "../include/witness/io.h"
#include "../include/witness/query.h"
#include "random_surface.h"

enum { ROOM = 64 };

static inline wit_query* query_with(double within, int64_t budget, int capacity)
{
    wit_query_def d = wit_query_default_def();
    wit_error e = {0};
    d.within = within;
    if (budget) d.budget = budget;
    if (capacity) d.capacity = capacity;
    wit_query* q = wit_query_create(&d, NULL, &e);
    if (!q) fail_msg("%s: %s", e.item, e.text);
    return q;
}

typedef struct answer {
    wit_minimum m[ROOM];
    wit_minima_summary s;
} answer;

static inline void ask_point(wit_query* q, const wit_body* body, wit_vec3 p, answer* out)
{
    wit_placed a = wit_placed_at(body, wit_pose_identity());
    assert_int_equal(wit_minima_point(q, &a, p, out->m, ROOM, &out->s), WIT_OK);
}

static inline void ask_pair(wit_query* q, const wit_body* a, wit_pose pa, const wit_body* b, wit_pose pb, answer* out)
{
    wit_placed x = wit_placed_at(a, pa), y = wit_placed_at(b, pb);
    assert_int_equal(wit_minima_pair(q, &x, &y, out->m, ROOM, &out->s), WIT_OK);
}

static inline void assert_near(double x, double y, double tolerance)
{
    if (!(fabs(x - y) <= tolerance)) fail_msg("%.17g is not %.17g within %g", x, y, tolerance);
}

/* What every answer must have. */
static inline void assert_in_order(const answer* r)
{
    for (int i = 0; i < r->s.count && i < ROOM; ++i) {
        const wit_minimum* m = &r->m[i];
        wit_vec3 gap = sub3(m->b.point, m->a.point);
        assert_near(norm3(gap), fabs(m->distance), 1e-13 * (1 + norm3(m->a.point) + norm3(m->b.point)));
        assert_true(fabs(m->distance) >= r->s.lower_bound);
        if (i) assert_true(fabs(m->distance) >= fabs(m[-1].distance) * (1 - 1e-9) - 1e-9 * norm3(m->a.point));
    }
}

/* ---- brute force: points ------------------------------------------------------------------- */

enum { GRID = 49, REFINE = 70 };

/* All of a bare surface as a function of its parameters; closed ones wrap. */
typedef struct sheet {
    const wit_surface* s;
    wit_surface_info info;
} sheet;

static inline sheet sheet_of(const wit_surface* s)
{
    sheet r = {s, wit_surface_describe(s)};
    return r;
}

static inline wit_vec3 sheet_at(const sheet* x, double u, double v)
{
    wit_surface_jet j;
    wit_surface_eval(x->s, u, v, WIT_KNOT_DEFAULT, NULL, &j);
    return j.p;
}

static inline double held(wit_interval range, bool closed, double x)
{
    return closed ? x : fmin(range.hi, fmax(range.lo, x));
}

/* From x, the best of the neighbours at +- step in every combination of the n parameters, or half the step: a pattern
 * search with nothing in common with Newton's method. */
typedef double objective(const void* data, const double* x);
typedef void holding(const void* data, double* x);

static inline double pattern_search(objective* f, holding* hold, const void* data, int n, double* x, double* step,
                                    int rounds)
{
    double best = f(data, x);
    int around = n == 2 ? 9 : 81;
    for (int round = 0; round < rounds;) {
        double there[4] = {0}, lowest = best;
        for (int k = 0; k < around; ++k) {
            double y[4] = {0};
            for (int i = 0, code = k; i < n; ++i, code /= 3) y[i] = x[i] + (code % 3 - 1) * step[i];
            hold(data, y);
            double d = f(data, y);
            if (d < lowest) {
                lowest = d;
                memcpy(there, y, sizeof there);
            }
        }
        if (lowest < best) {
            best = lowest;
            for (int i = 0; i < n; ++i) x[i] = there[i];
        } else {
            ++round;
            for (int i = 0; i < n; ++i) step[i] *= 0.5;
        }
    }
    return best;
}

typedef struct point_case {
    sheet s;
    wit_vec3 q;
} point_case;

static inline double point_distance(const void* data, const double* x)
{
    const point_case* c = data;
    return norm3(sub3(sheet_at(&c->s, x[0], x[1]), c->q));
}

static inline void point_hold(const void* data, double* x)
{
    const point_case* c = data;
    x[0] = held(c->s.info.range_u, c->s.info.closed_u, x[0]);
    x[1] = held(c->s.info.range_v, c->s.info.closed_v, x[1]);
}

typedef struct brute {
    int count;
    double distance[ROOM];
    wit_vec3 a[ROOM], b[ROOM];
} brute;

static inline void brute_add(brute* out, double d, wit_vec3 a, wit_vec3 b, double near)
{
    for (int i = 0; i < out->count; ++i)
        if (norm3(sub3(out->a[i], a)) < near && norm3(sub3(out->b[i], b)) < near) return;
    if (out->count == ROOM) return;
    out->distance[out->count] = d;
    out->a[out->count] = a;
    out->b[out->count++] = b;
}

static inline double at_grid(wit_interval r, int i)
{
    return r.lo + (r.hi - r.lo) * i / (GRID - 1);
}

/* Grid points that no neighbour undercuts, each refined; those that end in one place are one. */
static inline void brute_point(const point_case* c, double size, brute* out)
{
    static double d[GRID][GRID];
    wit_interval u = c->s.info.range_u, v = c->s.info.range_v;
    for (int i = 0; i < GRID; ++i)
        for (int j = 0; j < GRID; ++j) {
            double x[2] = {at_grid(u, i), at_grid(v, j)};
            d[i][j] = point_distance(c, x);
        }
    out->count = 0;
    for (int i = 0; i < GRID; ++i)
        for (int j = 0; j < GRID; ++j) {
            bool lowest = true;
            for (int k = -1; k <= 1; ++k)
                for (int l = -1; l <= 1; ++l) {
                    int p = i + k, q = j + l;
                    if (p < 0 || p >= GRID) p = c->s.info.closed_u ? (p + GRID - 1) % (GRID - 1) : i;
                    if (q < 0 || q >= GRID) q = c->s.info.closed_v ? (q + GRID - 1) % (GRID - 1) : j;
                    lowest &= d[i][j] <= d[p][q];
                }
            if (!lowest) continue;
            double x[4] = {at_grid(u, i), at_grid(v, j)};
            double step[4] = {0.5 * iv_width(u) / GRID, 0.5 * iv_width(v) / GRID};
            double best = pattern_search(point_distance, point_hold, c, 2, x, step, REFINE);
            brute_add(out, best, sheet_at(&c->s, x[0], x[1]), c->q, 1e-3 * size);
        }
}

/* No point of the surface near the witness is closer. */
static inline void assert_minimum_of_sheet(const point_case* c, const wit_minimum* m, double size, rng* r)
{
    wit_interval u = c->s.info.range_u, v = c->s.info.range_v;
    double at[2] = {0, 0}, least = INFINITY;
    if (m->a.feature != WIT_FACE) { /* parameters of the face: the nearest of a grid, then a pattern search */
        for (int i = 0; i < GRID; ++i)
            for (int j = 0; j < GRID; ++j) {
                double d = norm3(sub3(sheet_at(&c->s, at_grid(u, i), at_grid(v, j)), m->a.point));
                if (d >= least) continue;
                least = d;
                at[0] = at_grid(u, i);
                at[1] = at_grid(v, j);
            }
        point_case foot = {c->s, m->a.point};
        double step[4] = {iv_width(u) / GRID, iv_width(v) / GRID}, x[4] = {at[0], at[1]};
        least = pattern_search(point_distance, point_hold, &foot, 2, x, step, REFINE);
        if (least > 1e-9 * size) return; /* in another fold: not found, not judged */
        at[0] = x[0];
        at[1] = x[1];
    } else {
        at[0] = m->a.u;
        at[1] = m->a.v;
    }
    for (int k = 0; k < 200; ++k) {
        double scale = pow(10, rng_range(r, -7, -5));
        double x[4] = {at[0] + scale * iv_width(u) * rng_range(r, -1, 1), 0};
        x[1] = at[1] + scale * iv_width(v) * rng_range(r, -1, 1);
        point_hold(c, x);
        double d = point_distance(c, x);
        if (d < m->distance - 1e-13 * (size + m->distance))
            fail_msg("%.17g is closer than the minimum %.17g (%s %d)", d, m->distance,
                     wit_feature_kind_name(m->a.feature), m->a.id);
    }
}

/* Null where creases of a wild surface cannot be made edges. */
static inline wit_body* bare_body(const wit_surface* s)
{
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    wit_face_def f = {.surface = s};
    wit_error e = {0};
    d.face_count = 1;
    d.faces = &f;
    return wit_body_create(&d, NULL, &e);
}

/* Every minimum of the dense search is in the answer, and every one of the answer is one. */
static inline void assert_same_minima(const answer* r, const brute* b, double size)
{
    assert_in_order(r);
    for (int i = 0; i < b->count; ++i) {
        bool there = false;
        for (int k = 0; k < r->s.count && !there; ++k)
            there = fabs(fabs(r->m[k].distance) - b->distance[i]) < 1e-8 * size &&
                    norm3(sub3(r->m[k].a.point, b->a[i])) < 1e-2 * size &&
                    norm3(sub3(r->m[k].b.point, b->b[i])) < 1e-2 * size;
        if (!there)
            fail_msg("the minimum at %.17g (%g %g %g) is not among the %d found (complete %d)", b->distance[i],
                     b->a[i].x, b->a[i].y, b->a[i].z, r->s.count, r->s.complete);
    }
}

static inline int patch_query(wit_query* q, wit_surface* s, wit_body* body, wit_vec3 p, double size, rng* r)
{
    point_case c = {sheet_of(s), p};
    answer out;
    brute b;
    ask_point(q, body, p, &out);
    assert_true(out.s.complete);
    brute_point(&c, size, &b);
    assert_same_minima(&out, &b, size);
    for (int k = 0; k < out.s.count; ++k) assert_minimum_of_sheet(&c, &out.m[k], size, r);
    return out.s.count;
}

#endif
