/* SPDX-License-Identifier: MIT */
/*
 * Bodies that are bent in by very little at very many places: shallow bowls and domes of strips, rings and spline patches. Their
 * tops are given by one list of heights, so that the truth is a few lines in long double. Include it after cmocka.h.
 */
#ifndef TESTS_NEARLY_CONVEX_H
#define TESTS_NEARLY_CONVEX_H

#include <math.h>
#include <stdlib.h>

#include "../include/witness/body.h"
#include "analytic.h"

enum { TOP_MOST = 4200 };

/* Heights of the top over x = i / count, i = 0 .. count; it stands on y = -1. */
typedef struct nearly_top {
    int count;
    double y[TOP_MOST + 1];
} nearly_top;

typedef enum nearly_kind { NEARLY_BOWL, NEARLY_DOME, NEARLY_ROUGH } nearly_kind;

/* Every strip is turned by `turn` against the one before: inwards, outwards, or at random by up to that either way. */
static inline void nearly_top_make(rng* r, nearly_kind kind, int count, double turn, nearly_top* out)
{
    double slope = kind == NEARLY_ROUGH ? 0 : (kind == NEARLY_BOWL ? -0.5 : 0.5) * turn * count, y = 0;
    out->count = count;
    for (int i = 0; i <= count; ++i) {
        out->y[i] = y;
        y += slope / count;
        slope += kind == NEARLY_ROUGH ? rng_range(r, -turn, turn) : kind == NEARLY_BOWL ? turn : -turn;
    }
}

static inline double top_x(const nearly_top* t, int i)
{
    return (double)i / t->count;
}

/* The outline, anticlockwise: 2 (count + 3) numbers. */
static inline double* nearly_outline(const nearly_top* t)
{
    double* p = malloc(2 * sizeof(double) * (size_t)(t->count + 3));
    int k = 0;
    assert_non_null(p);
    p[k++] = 0, p[k++] = -1;
    p[k++] = 1, p[k++] = -1;
    for (int i = t->count; i >= 0; --i) p[k++] = top_x(t, i), p[k++] = t->y[i];
    return p;
}

static inline wit_body* nearly_prism(const nearly_top* t)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    double* p = nearly_outline(t);
    wit_error e = {0};
    d.polygon = p;
    d.polygon_count = t->count + 3;
    d.height = 1;
    wit_body* b = wit_solid_create(&d, NULL, &e);
    if (!b) print_error("%s %s\n", e.item, e.text);
    assert_non_null(b);
    free(p);
    return b;
}

/* Rings about z: the radius is 1 - x, the height y less what makes the last ring, at the axis, level; and a cylinder below. */
static inline wit_body* nearly_rings(const nearly_top* t)
{
    int n = t->count + 2;
    double last = (t->y[t->count] - t->y[t->count - 1]) * t->count;
    double *p = malloc(3 * sizeof(double) * (size_t)n), *knots = malloc(sizeof(double) * (size_t)(n + 2));
    assert_true(p && knots);
    p[0] = 1, p[1] = 0, p[2] = -1;
    for (int i = 0; i <= t->count; ++i) {
        double x = top_x(t, i);
        p[3 * i + 3] = 1 - x, p[3 * i + 4] = 0, p[3 * i + 5] = t->y[i] - last * x;
    }
    for (int i = 0; i < n; ++i) knots[i + 1] = i;
    knots[0] = 0;
    knots[n + 1] = n - 1;
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    c.degree = 1;
    c.count = n;
    c.knot_count = n + 2;
    c.knots = knots;
    c.points = p;
    wit_error e = {0};
    wit_curve* profile = wit_curve_create(&c, NULL, &e);
    assert_non_null(profile);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_REVOLUTION);
    d.profile = profile;
    wit_body* b = wit_solid_create(&d, NULL, &e);
    if (!b) print_error("%s %s\n", e.item, e.text);
    assert_non_null(b);
    wit_curve_destroy(profile);
    free(p);
    free(knots);
    return b;
}

/* The outline as a region in the plane. */
static inline wit_body* nearly_region(const nearly_top* t)
{
    int n = t->count + 3;
    double* p = nearly_outline(t);
    wit_vertex_def* vertices = calloc((size_t)n, sizeof *vertices);
    wit_edge_def* edges = calloc((size_t)n, sizeof *edges);
    wit_use_def* uses = calloc((size_t)n, sizeof *uses);
    wit_curve** lines = calloc((size_t)n, sizeof(wit_curve*));
    assert_true(vertices && edges && uses && lines);
    wit_error e = {0};
    for (int i = 0; i < n; ++i) {
        int j = (i + 1) % n;
        wit_curve_def c = wit_curve_default_def(WIT_CURVE_LINE);
        wit_vec3 a = vec3(p[2 * i], p[2 * i + 1], 0), b = vec3(p[2 * j], p[2 * j + 1], 0);
        c.frame.origin = a;
        c.frame.x = sub3(b, a);
        c.range = (wit_interval){0, norm3(c.frame.x)};
        lines[i] = wit_curve_create(&c, NULL, &e);
        assert_non_null(lines[i]);
        vertices[i].point = a;
        edges[i].curve = lines[i];
        edges[i].start = i;
        edges[i].end = j;
        uses[i].edge = i;
    }
    wit_surface_def s = wit_surface_default_def(WIT_SURFACE_PLANE);
    s.range_u = s.range_v = (wit_interval){-3, 3};
    wit_surface* plane = wit_surface_create(&s, NULL, &e);
    wit_loop_def loop = {n, uses};
    wit_face_def face = {NULL, plane, false, false, 1, &loop};
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    d.planar = true;
    d.vertex_count = d.edge_count = n;
    d.face_count = 1;
    d.vertices = vertices;
    d.edges = edges;
    d.faces = &face;
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) print_error("%s %s\n", e.item, e.text);
    assert_non_null(b);
    for (int i = 0; i < n; ++i) wit_curve_destroy(lines[i]);
    wit_surface_destroy(plane);
    free(p), free(vertices), free(edges), free(uses), free(lines);
    return b;
}

/* ---- a cushion of spline patches -------------------------------------------------------------- */

enum { CUSHION_MOST = 12 };

/* A Bezier patch of degree 2 x 2 as a face of its own. */
static inline wit_surface* cushion_patch(const double p[27])
{
    static const double knots[6] = {0, 0, 0, 1, 1, 1};
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 2;
    d.count_u = d.count_v = 3;
    d.knot_count_u = d.knot_count_v = 6;
    d.knots_u = d.knots_v = knots;
    d.points = p;
    wit_surface* s = wit_surface_create(&d, NULL, NULL);
    assert_non_null(s);
    return s;
}

/* One direction of the lid z = f(x) + g(y): three Bezier heights per patch. Bent down by `bend` per length, and turned up by
 * turn[i] where patch i begins. */
static inline void cushion_line(int n, double bend, const double* turn, double out[][3])
{
    double slope = 0.5 * bend, z = 0, h = 1.0 / n;
    for (int i = 0; i < n; ++i) {
        slope += i ? turn[i] : 0;
        out[i][0] = z;
        out[i][1] = z + 0.5 * h * slope;
        slope -= bend * h;
        z = out[i][2] = out[i][1] + 0.5 * h * slope;
    }
}

/* A box from z = -1 with a lid of n x n patches, each side and the bottom cut alike; sewn. */
static inline wit_body* nearly_cushion(int n, double bend, const double* turn_x, const double* turn_y)
{
    double f[CUSHION_MOST][3], g[CUSHION_MOST][3], h = 0.5 / n;
    int count = 0;
    wit_face_def* faces = calloc((size_t)(2 * n * n + 4 * n), sizeof *faces);
    assert_non_null(faces);
    cushion_line(n, bend, turn_x, f);
    cushion_line(n, bend, turn_y, g);
    for (int side = 0; side < 6; ++side)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < (side < 2 ? n : 1); ++j) {
                double p[27];
                for (int a = 0; a < 3; ++a)
                    for (int b = 0; b < 3; ++b) {
                        double* q = p + 3 * (3 * a + b);
                        int x = side < 2 ? 2 * i + a : side < 4 ? 2 * i + a : side == 4 ? 0 : 2 * n;
                        int y = side < 2 ? 2 * j + b : side == 2 ? 0 : side == 3 ? 2 * n : 2 * i + a;
                        int px = x / 2 < n ? x / 2 : n - 1, py = y / 2 < n ? y / 2 : n - 1;
                        double top =
                            f[side < 4 ? i : px][side < 4 ? a : x - 2 * px] + g[side < 2   ? j
                                                                                : side < 4 ? py
                                                                                           : i][side < 2   ? b
                                                                                                : side < 4 ? y - 2 * py
                                                                                                           : a];
                        q[0] = x * h;
                        q[1] = y * h;
                        q[2] = side == 0 ? top : side == 1 ? -1 : -1 + 0.5 * b * (top + 1);
                    }
                faces[count].surface = cushion_patch(p);
                /* S_u x S_v: +z of lid and bottom; -y, +x of the sides */
                faces[count].reversed = side == 1 || side == 3 || side == 4;
                count++;
            }
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    wit_error e = {0};
    d.face_count = count;
    d.faces = faces;
    d.sew_tolerance = 1e-9;
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) print_error("%s %s\n", e.item, e.text);
    assert_non_null(b);
    for (int i = 0; i < count; ++i) wit_surface_destroy((wit_surface*)faces[i].surface);
    free(faces);
    return b;
}

#endif
