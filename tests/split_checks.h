/* SPDX-License-Identifier: MIT */
/* What must hold for every split body: pieces tile the original, are of one curvature sign, nice and C2. */
#ifndef TESTS_SPLIT_CHECKS_H
#define TESTS_SPLIT_CHECKS_H

#include "../src/body/body_record.h"
#include "../src/body/check/level_field.h"
#include "../src/body/check/uv_curve.h"
#include "analytic.h"

/* Integral over u' from u0 to u of |S_u x S_v|, by Gauss between knots: the area is its integral along dv (Green). */
static inline double strip(const wit_surface* s, double u0, double u, double v)
{
    static const double at[5] = {0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332};
    static const double w[5] = {0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683,
                                0.118463442528095};
    int n;
    const double* b = wit_surface_breaks(s, WIT_U, &n);
    double sum = 0, period = iv_width(s->u), sign = u < u0 ? -1 : 1, lo = fmin(u0, u), hi = fmax(u0, u);
    for (int turn = -1; turn <= 1; ++turn)
        for (int i = 0; i + 1 < n; ++i) {
            double x = fmax(lo, b[i] + turn * period), y = fmin(hi, b[i + 1] + turn * period);
            if (!(y > x) || (turn && !s->closed_u)) continue;
            for (int part = 0; part < 3; ++part)
                for (int k = 0; k < 5; ++k) {
                    wit_surface_jet j;
                    wit_surface_eval(s, x + (y - x) * (part + at[k]) / 3, v, 0, NULL, &j);
                    sum += w[k] * (y - x) / 3 * norm3(cross3(j.du, j.dv));
                }
        }
    return sign * sum;
}

/* The part [lo, hi] of one parameter curve, moved by `turn` along u. */
static inline double use_area(const wit_surface* s, const wit_curve* c, double lo, double hi, double turn)
{
    static const double at[5] = {0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332};
    static const double w[5] = {0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683,
                                0.118463442528095};
    int n;
    /* A straight line along v is cut where the surface is: its parameter is v. */
    bool line = c->kind == WIT_CURVE_LINE;
    const double* breaks = line ? wit_surface_breaks(s, WIT_V, &n) : wit_curve_breaks(c, &n);
    double sum = 0;
    for (int i = 0; i + 1 < n; ++i) {
        double x = fmax(lo, breaks[i]), y = fmin(hi, breaks[i + 1]);
        int parts = n > 2 && !line ? 1 : 8;
        for (int part = 0; part < parts && y > x; ++part)
            for (int q = 0; q < 5; ++q) {
                wit_curve_jet j;
                wit_curve_eval(c, x + (y - x) * (part + at[q]) / parts, 0, NULL, &j);
                if (j.d1.y != 0) sum += strip(s, s->u.lo, j.p.x + turn, j.p.y) * j.d1.y * w[q] * (y - x) / parts;
            }
    }
    return sum;
}

/* Area of a face from its loops, a closed u unrolled along each of them. */
static inline double face_area(const wit_body* b, int face)
{
    const body_face* f = &body_faces(b)[face];
    const wit_surface* s = body_surface(b, face);
    double sum = 0, period = iv_width(s->u);
    for (int l = f->first_loop; l < f->first_loop + f->loops; ++l) {
        double turn = 0, last = 0;
        const body_loop* loop = &body_loops(b)[l];
        for (int k = loop->first_use; k < loop->first_use + loop->uses; ++k) {
            const body_use* u = &body_uses(b)[k];
            const wit_curve* c = body_parameter_curve(b, k);
            wit_interval t = u->edge < 0 ? c->range : body_edges(b)[u->edge].range;
            double lo = u->edge < 0 ? t.lo : u->shift + u->scale * t.lo;
            double hi = u->edge < 0 ? t.hi : u->shift + u->scale * t.hi;
            wit_curve_jet first, end;
            wit_curve_eval(c, u->reversed ? hi : lo, 0, NULL, &first);
            wit_curve_eval(c, u->reversed ? lo : hi, 0, NULL, &end);
            if (s->closed_u && k > loop->first_use) turn = period * round((last - first.p.x) / period);
            last = end.p.x + turn;
            double a = use_area(s, c, lo, hi, turn);
            sum += u->reversed ? -a : a;
        }
    }
    return sum;
}

/* Nearest parameter curve of any loop, relative to the ranges; 1e-3 at most. One surface. */
static inline double distance_to_cuts(const wit_body* b, double u, double v)
{
    double best = 1e-3;
    for (int k = 0; k < b->use_count; ++k) {
        const wit_surface* s = body_surface(b, body_uses(b)[k].face);
        const wit_curve* c = body_parameter_curve(b, k);
        double width[2] = {iv_width(s->u), iv_width(s->v)}, t;
        for (int turn = 0; turn < 9; ++turn) {
            double p[2] = {u + (turn / 3 - 1) * width[0], v + (turn % 3 - 1) * width[1]}, q[2];
            if ((turn / 3 != 1 && !s->closed_u) || (turn % 3 != 1 && !s->closed_v)) continue;
            uv_curve x = {c, 0, 1, {0, 0}, c->range.lo, c->range.hi};
            if (!wi_uv_curve_project(&x, p, width, best, &t)) continue;
            wi_uv_curve_point(&x, t, q);
            best = hypot((p[0] - q[0]) / width[0], (p[1] - q[1]) / width[1]);
        }
    }
    return best;
}

/* Random points of the surface are in exactly one piece if in the original, else in none. Points within 1e-9 (relative) of
 * a cut are set aside. One-face bodies. */
static inline void pieces_tile(const wit_body* whole, const wit_body* s, rng* r, long points)
{
    const wit_surface* surface = body_surface(whole, 0);
    long aside = 0;
    for (long i = 0; i < points; ++i) {
        double u = rng_range(r, surface->u.lo, surface->u.hi);
        double v = rng_range(r, surface->v.lo, surface->v.hi);
        int count = 0;
        for (int f = 0; f < s->face_count; ++f) count += wit_body_face_contains(s, f, u, v);
        if (count == (wit_body_face_contains(whole, 0, u, v) ? 1 : 0)) continue;
        double d = distance_to_cuts(s, u, v);
        if (d > 1e-9) print_error("(%.17g, %.17g) is in %d pieces, %g from a cut\n", u, v, count, d);
        assert_true(d <= 1e-9);
        ++aside;
    }
    assert_true(aside <= 1 + points / 100000);
}

/* Samples of a piece: K of one sign (nearer than 1e-8 to K = 0, by |g| / |grad g|, none counts), normals in a hemisphere. */
static inline void piece_is_good(const wit_body* s, int face, rng* r, long points)
{
    const body_face* f = &body_faces(s)[face];
    const wit_surface* surface = body_surface(s, face);
    level_cell cell;
    wi_level_cell_init(&cell, surface, f->u, f->v);
    double w[2] = {iv_width(surface->u), iv_width(surface->v)};
    wit_vec3 n[400], axis = {0, 0, 0};
    int normals = 0, positive = 0, negative = 0;
    for (long i = 0; i < points; ++i) {
        double u = rng_range(r, f->u.lo, f->u.hi);
        double v = rng_range(r, f->v.lo, f->v.hi);
        if (!wit_body_face_contains(s, face, u, v)) continue;
        wit_surface_jet j;
        wit_surface_eval(surface, u, v, 0, NULL, &j);
        wit_vec3 normal;
        if (normals < 400 && wit_surface_normal(surface, u, v, &normal)) {
            n[normals++] = normal;
            axis = add3(axis, normal);
        }
        double g = wi_level_value(&cell, u, v), d[2];
        if (cell.flat || fabs(g) <= 1e-10 * cell.yard) continue;
        wi_level_gradient(&cell, u, v, d);
        if (fabs(g) <= 1e-8 * hypot(d[0] * w[0], d[1] * w[1])) continue;
        positive += g > 0;
        negative += g < 0;
    }
    if (positive && negative) print_error("piece %d: %d points with K > 0, %d with K < 0\n", face, positive, negative);
    assert_true(!positive || !negative);
    axis = unit3(axis);
    double least = -1;
    for (int step = 1; step <= 400 && normals; ++step) {
        int far = 0;
        for (int i = 1; i < normals; ++i)
            if (dot3(axis, n[i]) < dot3(axis, n[far])) far = i;
        least = fmax(least, dot3(axis, n[far]));
        axis = unit3(addscaled3(axis, 1.0 / (step + 1), sub3(n[far], axis)));
    }
    if (normals) assert_true(least > 0);
    /* No knot line of lower continuity passes inside: pieces end there, so their boxes do. */
    for (int dir = 0; dir < 2; ++dir) {
        int count;
        wit_interval box = dir ? f->v : f->u;
        const double* b = wit_surface_breaks(surface, (wit_direction)dir, &count);
        for (int k = 0; k + 1 < count; ++k) {
            wit_continuity c;
            if (!wit_surface_continuity(surface, (wit_direction)dir, k, &c) || c.order >= 2) continue;
            assert_false(b[k] > box.lo + 1e-9 * w[dir] && b[k] < box.hi - 1e-9 * w[dir]);
        }
    }
}

static inline void jets_are_the_same(const wit_body* whole, const wit_body* s, rng* r)
{
    const wit_surface* a = body_surface(whole, 0);
    for (int f = 0; f < s->face_count; ++f)
        for (int i = 0; i < 50; ++i) {
            double u = rng_range(r, a->u.lo, a->u.hi);
            double v = rng_range(r, a->v.lo, a->v.hi);
            wit_surface_jet x, y;
            wit_surface_eval(a, u, v, 0, NULL, &x);
            wit_surface_eval(wit_body_face(s, f).surface, u, v, 0, NULL, &y);
            assert_memory_equal(&x, &y, sizeof x);
        }
}

static inline void all_good(const wit_body* whole, const wit_body* s, rng* r, long points)
{
    for (int f = 0; f < s->face_count; ++f) piece_is_good(s, f, r, points);
    if (whole->face_count > 1) return;
    pieces_tile(whole, s, r, points);
    jets_are_the_same(whole, s, r);
}

/* Every edge twice, but those of an open border once; ends of edges at their vertices. */
static inline void shell_holds(const wit_body* s, int open_edges)
{
    int open = 0;
    wit_body_check_result c = wit_body_check(s);
    for (int e = 0; e < s->edge_count; ++e) {
        int uses = wit_body_edge(s, e).use_count;
        assert_true(uses == 1 || uses == 2);
        open += uses == 1;
    }
    assert_int_equal(open, open_edges);
    assert_true(c.manifold);
    assert_true(c.oriented);
    assert_true(c.gap <= 1e-8 * s->size);
}

#endif
