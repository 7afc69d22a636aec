/* SPDX-License-Identifier: MIT */
/* Is a common normal a contact? */
#include "contact.h"
#include "../sign/contain.h"
#include "../../pair/conormal.h"
#include "../../pair/local_minimum.h"
#include "../../pair/tangent_chart.h"

#define OPPOSITE 1e-6  /* how far outward normals may be from opposite: 1 + cosine */
#define MOVED_OUT 1e-4 /* of the size: the gap at which touching is looked at */
#define FLAT 1e-9      /* of 1 / size: curvatures below are zero */

/* A face's own normal must be that of the pair: outward of a, inward of b. */
static bool faces_right(const side* s, const place* at, wit_vec3 outward)
{
    wit_vec3 n;
    if (at->kind != WIT_FACE) return true;
    return !side_spent(s, 1) && wi_side_normal(s, at->id, at->u, at->v, &n) && dot3(n, outward) >= 1 - OPPOSITE;
}

/* A place on an edge where the faces go on smoothly belongs to them: the edge alone has no curvature across. */
static bool on_smooth_edge(const side* s, const place* at, wit_vec3 outward)
{
    if (at->kind != WIT_EDGE || s->body->planar) return false;
    const int32_t* uses = edge_uses(s->body, at->id);
    for (int32_t k = 0; k < body_edges(s->body)[at->id].uses; ++k) {
        wit_vec3 n;
        if (side_spent(s, 2) || !wi_use_outward(s, uses[k], at->u, &n)) return false;
        if (dot3(n, outward) < 1 - OPPOSITE) return false;
    }
    return true;
}

static bool contains(const side* s, const place* at)
{
    return wi_side_contains(s, at->kind, at->id, at->u, at->v);
}

/* With b moved out along the normal, is the pair a place where nothing near comes closer? */
static bool touches_outside(const search_task* t, const local_contact* c)
{
    search_task out = *t;
    double gap = MOVED_OUT * t->size, by = c->depth + gap;
    place b = c->b;
    out.b.moved = true;
    out.b.t = addscaled3(t->b.t, by, c->normal);
    b.p = addscaled3(b.p, by, c->normal);
    return wi_local_minimum(&out.pair, &c->a, &b, 0) != MINIMUM_NONE;
}

/*
 * The way from y to x is inside both: its middle, of two edges some point of it (before the edge of a sharp wedge the way
 * along a normal may leave it).
 */
static bool through_both(const search_task* t, const local_contact* c, wit_work* work)
{
    static const double parts[] = {0.5, 0.1, 0.9};
    int tries = c->a.kind != WIT_FACE && c->b.kind != WIT_FACE ? 3 : 1;
    for (int k = 0; k < tries; ++k) {
        wit_vec3 p = addscaled3(c->a.p, -parts[k] * c->depth, c->normal);
        if (wi_solid_holds_point(t, &t->a, p, work) == HOLDS && wi_solid_holds_point(t, &t->b, p, work) == HOLDS)
            return true;
    }
    return false;
}

/* ---- curvature ------------------------------------------------------------------------------ */

/* Symmetric 2 x 2: xx, xy, yy, over the axes e[0], e[1] across the normal. */
typedef struct form2 {
    double xx, xy, yy;
} form2;

static double least_eigenvalue(form2 f)
{
    double m = 0.5 * (f.xx + f.yy), d = 0.5 * (f.xx - f.yy);
    return m - sqrt(d * d + f.xy * f.xy);
}

/* Of the chart of a face, in the axes; positive where it falls away from `outward`. */
static form2 face_form(const tangent_chart* c, const wit_vec3 e[2], wit_vec3 outward)
{
    double k[3], a[2][2];
    for (int i = 0; i < 3; ++i) k[i] = -dot3(outward, c->k[i]);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) a[i][j] = dot3(e[i], c->e[j]);
    form2 f;
    f.xx = a[0][0] * a[0][0] * k[0] + 2 * a[0][0] * a[0][1] * k[1] + a[0][1] * a[0][1] * k[2];
    f.yy = a[1][0] * a[1][0] * k[0] + 2 * a[1][0] * a[1][1] * k[1] + a[1][1] * a[1][1] * k[2];
    f.xy = a[0][0] * a[1][0] * k[0] + (a[0][0] * a[1][1] + a[0][1] * a[1][0]) * k[1] + a[0][1] * a[1][1] * k[2];
    return f;
}

/* K_a (K_a + K_b)^-1 K_b = K_a - K_a S^-1 K_a; where S vanishes, both are flat on each other: no part of it. */
static form2 parallel_sum(form2 a, form2 b, double flat)
{
    form2 s = {a.xx + b.xx, a.xy + b.xy, a.yy + b.yy};
    double m = 0.5 * (s.xx + s.yy), d = 0.5 * (s.xx - s.yy), w = sqrt(d * d + s.xy * s.xy);
    double angle = 0.5 * wit_atan2(s.xy, d), sine, cosine;
    wit_sincos(angle, &sine, &cosine);
    form2 k = a;
    for (int i = 0; i < 2; ++i) {
        double value = i ? m - w : m + w, x = i ? -sine : cosine, y = i ? cosine : sine;
        double p = a.xx * x + a.xy * y, q = a.xy * x + a.yy * y;
        if (fabs(value) <= flat) continue;
        k.xx -= p * p / value;
        k.xy -= p * q / value;
        k.yy -= q * q / value;
    }
    return k;
}

/* A face against an edge with tangent d and curvature k along its outward direction. */
static form2 against_edge(form2 face, double x, double y, double k, double flat)
{
    double p = face.xx * x + face.xy * y, q = face.xy * x + face.yy * y, s = p * x + q * y + k;
    if (!(s > flat)) return face;
    form2 r = {face.xx - p * p / s, face.xy - p * q / s, face.yy - q * q / s};
    return r;
}

/* Two edges: z = alpha t_a + beta t_b falls by (k_a alpha^2 + k_b beta^2) / 2. */
static form2 of_edges(const double ta[2], double ka, const double tb[2], double kb)
{
    double det = ta[0] * tb[1] - ta[1] * tb[0];
    double a[2] = {tb[1] / det, -tb[0] / det}, b[2] = {-ta[1] / det, ta[0] / det};
    form2 r = {ka * a[0] * a[0] + kb * b[0] * b[0], ka * a[0] * a[1] + kb * b[0] * b[1],
               ka * a[1] * a[1] + kb * b[1] * b[1]};
    return r;
}

/* The curvature of a - b along e[0] alone, for planar bodies: that of edges and vertices in the plane. */
static double in_plane(const tangent_chart* a, const tangent_chart* b, wit_vec3 n, double flat)
{
    double ka = a->n ? -dot3(n, a->k[0]) : INFINITY, kb = b->n ? dot3(n, b->k[0]) : INFINITY;
    if (!(ka < INFINITY)) return kb;
    if (!(kb < INFINITY)) return ka;
    return fabs(ka + kb) <= flat ? 0 : ka * kb / (ka + kb);
}

static form2 difference_form(const tangent_chart* a, const tangent_chart* b, const wit_vec3 e[2], wit_vec3 n,
                             double flat)
{
    wit_vec3 back = scale3(-1, n);
    double ta[2] = {dot3(e[0], a->e[0]), dot3(e[1], a->e[0])}, tb[2] = {dot3(e[0], b->e[0]), dot3(e[1], b->e[0])};
    double ka = -dot3(n, a->k[0]), kb = dot3(n, b->k[0]);
    if (a->n == 1 && b->n == 1) return of_edges(ta, ka, tb, kb);
    form2 fa = a->n == 2 ? face_form(a, e, n) : (form2){0, 0, 0}, fb = b->n == 2 ? face_form(b, e, back) : fa;
    if (a->n == 2 && b->n == 2) return parallel_sum(fa, fb, flat);
    if (a->n == 2) return b->n == 1 ? against_edge(fa, tb[0], tb[1], kb, flat) : fa;
    return a->n == 1 ? against_edge(fb, ta[0], ta[1], ka, flat) : fb;
}

static bool shortest_way(const search_task* t, const local_contact* c)
{
    enum { CHARTS = 4 }; /* jets of two charts, beside poles */
    if (side_spent(&t->a, CHARTS)) return false;
    tangent_chart a = wi_chart_at(&t->a, &c->a, WIT_KNOT_DEFAULT);
    tangent_chart b = wi_chart_at(&t->b, &c->b, WIT_KNOT_DEFAULT);
    wit_vec3 e[2];
    double flat = FLAT / t->size;
    if (t->a.body->planar) return 1 - c->depth * in_plane(&a, &b, c->normal, flat) > 0;
    complete3(c->normal, &e[0], &e[1]);
    form2 k = difference_form(&a, &b, e, c->normal, flat);
    form2 rest = {1 - c->depth * k.xx, -c->depth * k.xy, 1 - c->depth * k.yy};
    return least_eigenvalue(rest) > 0;
}

bool wi_contact_holds(const search_task* t, const local_contact* c, wit_work* work)
{
    if (!(c->depth > wi_minimum_slack(&t->pair))) return false;
    if (!faces_right(&t->a, &c->a, c->normal) || !faces_right(&t->b, &c->b, scale3(-1, c->normal))) return false;
    if (on_smooth_edge(&t->a, &c->a, c->normal) || on_smooth_edge(&t->b, &c->b, scale3(-1, c->normal))) return false;
    if (!contains(&t->a, &c->a) || !contains(&t->b, &c->b)) return false;
    return touches_outside(t, c) && shortest_way(t, c) && through_both(t, c, work);
}
