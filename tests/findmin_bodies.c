/* SPDX-License-Identifier: MIT */
#include "findmin_bodies.h"

#include "analytic.h"

#define SHEAR 0.6

/* Polar forms over (u1, u2), (v1, v2) of what the surfaces are made of. */
typedef struct polar {
    double x, y, square; /* X, Y, X^2 + Y^2 */
} polar;

static polar polar_of(double u1, double u2, double v1, double v2)
{
    double u = 0.5 * (u1 + u2), v = 0.5 * (v1 + v2);
    polar p = {u, v + SHEAR * u, (1 + SHEAR * SHEAR) * u1 * u2 + v1 * v2 + 2 * SHEAR * u * v};
    return p;
}

typedef enum skew_kind { SKEW_OUTSIDE, SKEW_INSIDE, SKEW_END } skew_kind;

/* One piece of degree 2 by 2: control point (i, j) is the polar form at (lo, lo), (lo, hi), (hi, hi). */
static wit_surface* skewed_surface(skew_kind kind, double u, double v)
{
    const double ends_u[3][2] = {{-u, -u}, {-u, u}, {u, u}}, ends_v[3][2] = {{-v, -v}, {-v, v}, {v, v}};
    const double knots_u[6] = {-u, -u, -u, u, u, u}, knots_v[6] = {-v, -v, -v, v, v, v};
    double points[27], weights[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            polar p = polar_of(ends_u[i][0], ends_u[i][1], ends_v[j][0], ends_v[j][1]);
            double q = p.square / 100, w = kind == SKEW_INSIDE ? 1 + q : 1;
            double z = kind == SKEW_OUTSIDE ? p.square / 4 : kind == SKEW_INSIDE ? 2 + 12 * q : 7;
            const double at[3] = {p.x / w, p.y / w, z / w};
            for (int c = 0; c < 3; c++) points[3 * (3 * i + j) + c] = at[c];
            weights[3 * i + j] = w;
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 2;
    d.count_u = d.count_v = 3;
    d.knot_count_u = d.knot_count_v = 6;
    d.knots_u = knots_u;
    d.knots_v = knots_v;
    d.points = points;
    d.weights = weights;
    wit_error e = {0};
    wit_surface* s = wit_surface_create(&d, NULL, &e);
    if (!s) fail_msg("%s: %s", e.item, e.text);
    return s;
}

static wit_curve* circle(double radius, double z, double turned)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_CIRCLE);
    d.frame = (wit_frame){{0, 0, z}, {cos(turned), sin(turned), 0}, {0, 0, 1}};
    d.radius = radius;
    wit_curve* c = wit_curve_create(&d, NULL, NULL);
    assert_non_null(c);
    return c;
}

static wit_surface* round_surface(wit_surface_kind kind, double radius, double angle, wit_interval v, double turned)
{
    wit_surface_def d = wit_surface_default_def(kind);
    d.frame = (wit_frame){{0, 0, 0}, {cos(turned), sin(turned), 0}, {0, 0, 1}};
    d.radius = radius;
    d.angle = angle;
    d.range_v = v;
    wit_surface* s = wit_surface_create(&d, NULL, NULL);
    assert_non_null(s);
    return s;
}

static wit_body* built(wit_body_def* d)
{
    wit_error e = {0};
    wit_body* b = wit_body_create(d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    wit_body_check_result c = wit_body_check(b);
    assert_true(d->kind != WIT_BODY_SOLID || (c.watertight && c.oriented && c.volume > 0));
    return b;
}

wit_body* skewed_bowl(void)
{
    wit_surface* surface[2] = {skewed_surface(SKEW_OUTSIDE, 4.2, 5), skewed_surface(SKEW_INSIDE, 5.2, 6.2)};
    wit_curve* rim = circle(4, 4, 2);
    wit_edge_def edge = {.name = "C1", .curve = rim, .start = -1, .end = -1};
    wit_use_def use = {.edge = 0};
    wit_loop_def loop = {1, &use};
    wit_face_def faces[2] = {
        {.name = "S1", .surface = surface[0], .reversed = true, .loop_count = 1, .loops = &loop},
        {.name = "S2", .surface = surface[1], .loop_count = 1, .loops = &loop},
    };
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    d.edge_count = 1;
    d.edges = &edge;
    d.face_count = 2;
    d.faces = faces;
    wit_body* b = built(&d);
    wit_curve_destroy(rim);
    for (int i = 0; i < 2; i++) wit_surface_destroy(surface[i]);
    return b;
}

wit_body* skewed_pen(void)
{
    const double slant = sqrt(1.25), angle = 0.4636476090008061;
    wit_surface* surface[3] = {round_surface(WIT_SURFACE_CONE, 0, angle, (wit_interval){0, slant}, 1),
                               round_surface(WIT_SURFACE_CYLINDER, 0.5, 0, (wit_interval){1, 7}, 2.5),
                               skewed_surface(SKEW_END, 0.6, 0.7)};
    wit_curve* rims[2] = {circle(0.5, 1, 0.7), circle(0.5, 7, 4)};
    wit_vertex_def tip = {"V1", {0, 0, 0}};
    wit_edge_def edges[2] = {{.name = "C2", .curve = rims[0], .start = -1, .end = -1},
                             {.name = "C3", .curve = rims[1], .start = -1, .end = -1}};
    wit_use_def up[2] = {{.edge = 0}, {.edge = 1}};
    wit_use_def down[2] = {{.edge = 0, .reversed = true}, {.edge = 1, .reversed = true}};
    wit_loop_def cone = {1, &down[0]}, barrel[2] = {{1, &up[0]}, {1, &down[1]}}, end = {1, &up[1]};
    wit_face_def faces[3] = {{.name = "S3", .surface = surface[0], .loop_count = 1, .loops = &cone},
                             {.name = "S4", .surface = surface[1], .loop_count = 2, .loops = barrel},
                             {.name = "S5", .surface = surface[2], .loop_count = 1, .loops = &end}};
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    d.vertex_count = 1;
    d.vertices = &tip;
    d.edge_count = 2;
    d.edges = edges;
    d.face_count = 3;
    d.faces = faces;
    wit_body* b = built(&d);
    for (int i = 0; i < 2; i++) wit_curve_destroy(rims[i]);
    for (int i = 0; i < 3; i++) wit_surface_destroy(surface[i]);
    return b;
}

wit_body* bent_sheet(const double profile[4][2])
{
    const double knots_u[8] = {0, 0, 0, 0, 1, 1, 1, 1}, knots_v[4] = {0, 0, 1, 1};
    double points[24];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) {
            points[3 * (2 * i + j)] = profile[i][0];
            points[3 * (2 * i + j) + 1] = j;
            points[3 * (2 * i + j) + 2] = profile[i][1];
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = 3;
    d.degree_v = 1;
    d.count_u = 4;
    d.count_v = 2;
    d.knot_count_u = 8;
    d.knot_count_v = 4;
    d.knots_u = knots_u;
    d.knots_v = knots_v;
    d.points = points;
    wit_surface* s = wit_surface_create(&d, NULL, NULL);
    assert_non_null(s);
    wit_face_def face = {.name = "S", .surface = s};
    wit_body_def b = wit_body_default_def(WIT_BODY_SHEET2);
    b.face_count = 1;
    b.faces = &face;
    wit_body* r = built(&b);
    wit_surface_destroy(s);
    return r;
}
