/* SPDX-License-Identifier: MIT */
/*
 * Loops on plane, cylinder, sphere or torus parameters, and an independent answer to "inside?": the winding number of
 * the loops about the point, counted on polygons that are refined until the point is outside a disc about each arc.
 *
 * Where loops wind around a closed parameter the plane is first bent to an annulus, that parameter becoming the angle.
 */
#ifndef TESTS_WINDING_H
#define TESTS_WINDING_H

#include "../src/body/tree/trim_tree.h"
#include "analytic.h"

enum { SCENE_LOOPS = 64, SCENE_PASSAGES = 1024 };

typedef enum scene_map { MAP_PLANE, MAP_ANNULUS_U, MAP_ANNULUS_V } scene_map;

typedef struct scene {
    const char* name;
    wit_interval u, v;
    bool closed_u, closed_v;
    scene_map map;
    int in_value; /* winding number of points inside the face */
    int loops, passages;
    int sizes[SCENE_LOOPS];
    trim_passage passage[SCENE_PASSAGES];
    wit_curve* curves[SCENE_PASSAGES];
} scene;

static inline void scene_drop(scene* s)
{
    for (int k = 0; k < s->passages; k++) wit_curve_destroy(s->curves[k]);
}

static inline void scene_loop(scene* s)
{
    assert_true(s->loops < SCENE_LOOPS);
    s->sizes[s->loops++] = 0;
}

static inline void scene_pass(scene* s, wit_curve* c, bool back)
{
    assert_true(s->passages < SCENE_PASSAGES);
    trim_passage p = {c, back ? c->range.hi : c->range.lo, back ? c->range.lo : c->range.hi};
    s->curves[s->passages] = c;
    s->passage[s->passages++] = p;
    s->sizes[s->loops - 1]++;
}

static inline void scene_line(scene* s, double u0, double v0, double u1, double v1)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
    const double knots[4] = {0, 0, 1, 1}, points[6] = {u0, v0, 0, u1, v1, 0};
    d.degree = 1;
    d.count = 2;
    d.knot_count = 4;
    d.knots = knots;
    d.points = points;
    scene_pass(s, curve_made(&d), false);
}

static inline void scene_rectangle(scene* s, double u0, double v0, double u1, double v1)
{
    scene_loop(s);
    scene_line(s, u0, v0, u1, v0);
    scene_line(s, u1, v0, u1, v1);
    scene_line(s, u1, v1, u0, v1);
    scene_line(s, u0, v1, u0, v0);
}

/* A hole (clockwise) or an outer loop about a centre, of one of four kinds, within the half sizes ru, rv. */
static inline void scene_round(scene* s, rng* r, int kind, double u, double v, double ru, double rv, bool hole)
{
    scene_loop(s);
    wit_curve_def d = wit_curve_default_def(kind == 0 && ru == rv ? WIT_CURVE_CIRCLE : WIT_CURVE_ELLIPSE);
    d.frame.origin = vec3(u, v, 0);
    double points[36], weights[12], knots[13], phase = rng_range(r, 0, TWO_PI);
    int n = 5 + rng_int(r, 8);
    for (int k = 0; k < n; k++) {
        double angle = phase + TWO_PI * (k + rng_range(r, 0, 0.4)) / n, far = rng_range(r, 0.5, 1);
        points[3 * k] = u + ru * far * cos(angle);
        points[3 * k + 1] = v + rv * far * sin(angle);
        points[3 * k + 2] = 0;
        weights[k] = rng_range(r, 0.3, 3);
        knots[k] = k + rng_range(r, 0, 0.5);
    }
    knots[n] = knots[0] + n;
    if (kind <= 1) {
        d.radius = ru * rng_range(r, 0.3, 1);
        d.semi_x = ru * rng_range(r, 0.3, 0.7);
        d.semi_y = rv * rng_range(r, 0.3, 0.7);
        if (ru == rv) d.frame.x = vec3(cos(phase), sin(phase), 0);
        scene_pass(s, curve_made(&d), hole);
    } else if (kind == 2) {
        d = wit_curve_default_def(WIT_CURVE_NURBS);
        d.degree = 3;
        d.count = n;
        d.knot_count = n + 1;
        d.periodic = true;
        d.knots = knots;
        d.points = points;
        d.weights = rng_int(r, 2) ? weights : NULL;
        scene_pass(s, curve_made(&d), hole);
    } else {
        for (int k = 0; k < n; k++) {
            const double* a = points + 3 * (hole ? n - 1 - k : k);
            const double* b = points + 3 * (hole ? (2 * n - 2 - k) % n : (k + 1) % n);
            scene_line(s, a[0], a[1], b[0], b[1]);
        }
    }
}

/* A wavy ring that starts at (u, v) and winds once around u (or v, when `across`); back: the other way. */
static inline void scene_ring(scene* s, rng* r, double u, double v, double wave, bool across, bool back)
{
    enum { N = 9 };
    double points[3 * N], knots[N + 4];
    for (int k = 0; k < N; k++) {
        double along = TWO_PI * k / (N - 1), side = k % (N - 1) ? wave * rng_range(r, -1, 1) : 0;
        points[3 * k] = u + (across ? side : along);
        points[3 * k + 1] = v + (across ? along : side);
        points[3 * k + 2] = 0;
    }
    for (int k = 0; k < N + 4; k++) knots[k] = k < 4 ? 0 : k >= N ? N - 3 : k - 3;
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
    d.degree = 3;
    d.count = N;
    d.knot_count = N + 4;
    d.knots = knots;
    d.points = points;
    scene_loop(s);
    scene_pass(s, curve_made(&d), back);
}

/* ---- the reference ----------------------------------------------------------------------------- */

typedef struct point2 {
    double x, y;
} point2;

static inline point2 scene_point(const scene* s, double u, double v)
{
    double x = (u - s->u.lo) / iv_width(s->u), y = (v - s->v.lo) / iv_width(s->v);
    double angle = s->map == MAP_ANNULUS_U ? TWO_PI * x : TWO_PI * y, far = 2 + (s->map == MAP_ANNULUS_U ? y : x);
    point2 p = {far * cos(angle), far * sin(angle)}, q = {x, y};
    return s->map == MAP_PLANE ? q : p;
}

/* A disc about all points of an arc: about the image of the middle of its parameter box. */
static inline double scene_disc(const scene* s, const wit_box* b, point2* centre)
{
    double x = (b->hi.x - b->lo.x) / iv_width(s->u), y = (b->hi.y - b->lo.y) / iv_width(s->v);
    *centre = scene_point(s, 0.5 * (b->lo.x + b->hi.x), 0.5 * (b->lo.y + b->hi.y));
    if (s->map == MAP_PLANE) return 0.5 * sqrt(x * x + y * y);
    double far = sqrt(centre->x * centre->x + centre->y * centre->y);
    double turn = s->map == MAP_ANNULUS_U ? x : y, rise = s->map == MAP_ANNULUS_U ? y : x;
    return 0.5 * (TWO_PI * turn * (far + rise) + rise);
}

typedef struct arc {
    point2 a, b, centre;
    double radius;
    double t0, t1;
    const wit_curve* curve;
} arc;

static inline arc scene_arc(const scene* s, const wit_curve* c, double t0, double t1)
{
    arc r = {.t0 = t0, .t1 = t1, .curve = c};
    wit_curve_jet j;
    wit_curve_bounds b;
    wit_curve_eval(c, t0, 0, NULL, &j);
    r.a = scene_point(s, j.p.x, j.p.y);
    wit_curve_eval(c, t1, 0, NULL, &j);
    r.b = scene_point(s, j.p.x, j.p.y);
    wit_curve_bound(c, iv(fmin(t0, t1), fmax(t0, t1)), &b);
    r.radius = 1.0001 * scene_disc(s, &b.box, &r.centre) + 1e-13;
    /* Short arcs of smooth curves turn little: they lie in a disc about the chord. The box would carry rounding of u
     * into v, whose unit may be a million times smaller. */
    double dx = r.b.x - r.a.x, dy = r.b.y - r.a.y, chord = sqrt(dx * dx + dy * dy);
    if (r.radius < 1e-4 && 0.6 * chord < r.radius) {
        r.radius = 0.6 * chord + 1e-14;
        r.centre.x = r.a.x + 0.5 * dx;
        r.centre.y = r.a.y + 0.5 * dy;
    }
    return r;
}

/* Signed crossings of the ray from p to the right. *near: p is within 1e-9 of the curve. */
static inline int scene_crossings(const scene* s, const arc* r, point2 p, bool* near)
{
    double dx = p.x - r->centre.x, dy = p.y - r->centre.y;
    if (dx * dx + dy * dy > r->radius * r->radius) {
        if ((r->a.y <= p.y) == (r->b.y <= p.y)) return 0;
        double side = (r->b.x - r->a.x) * (p.y - r->a.y) - (p.x - r->a.x) * (r->b.y - r->a.y);
        if (r->b.y > r->a.y) return side > 0 ? 1 : 0;
        return side < 0 ? -1 : 0;
    }
    if (r->radius < 1e-9) {
        *near = true;
        return 0;
    }
    double m = 0.5 * (r->t0 + r->t1);
    arc first = scene_arc(s, r->curve, r->t0, m), second = scene_arc(s, r->curve, m, r->t1);
    return scene_crossings(s, &first, p, near) + scene_crossings(s, &second, p, near);
}

/* Arcs of all passages, cut evenly, and one disc about each passage's. */
enum { ARCS = 64 };
typedef struct reference {
    const scene* s;
    int count;
    arc* arcs; /* passages * (1 + ARCS) */
} reference;

static inline reference reference_of(const scene* s)
{
    reference f = {s, s->passages, calloc((size_t)s->passages * (1 + ARCS), sizeof(arc))};
    for (int k = 0; k < s->passages; k++) {
        const trim_passage* p = &s->passage[k];
        arc* a = f.arcs + k * (1 + ARCS);
        a[0] = scene_arc(s, p->curve, p->from, p->to);
        for (int i = 0; i < ARCS; i++)
            a[1 + i] = scene_arc(s, p->curve, i ? a[i].t1 : p->from,
                                 i == ARCS - 1 ? p->to : p->from + (p->to - p->from) * (i + 1) / ARCS);
    }
    return f;
}

static inline int winding_at(const reference* f, double u, double v, bool* near)
{
    point2 p = scene_point(f->s, u, v);
    int sum = 0;
    for (int k = 0; k < f->count; k++) {
        const arc* a = f->arcs + k * (1 + ARCS);
        double dx = p.x - a->centre.x, dy = p.y - a->centre.y;
        if (dx * dx + dy * dy > a->radius * a->radius)
            sum += scene_crossings(f->s, a, p, near);
        else
            for (int i = 1; i <= ARCS; i++) sum += scene_crossings(f->s, a + i, p, near);
    }
    return sum;
}

/* Closed parameters that are not bent to an angle are unrolled: all copies of the point that loops may reach. */
static inline bool reference_contains(const reference* f, double u, double v, bool* near)
{
    const scene* s = f->s;
    int ku = s->closed_u && s->map != MAP_ANNULUS_U, kv = s->closed_v && s->map != MAP_ANNULUS_V, sum = 0;
    for (int i = -ku; i <= ku; i++)
        for (int j = -kv; j <= kv; j++) sum += winding_at(f, u + i * iv_width(s->u), v + j * iv_width(s->v), near);
    return sum == s->in_value;
}

#endif
