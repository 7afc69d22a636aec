/* SPDX-License-Identifier: MIT */
#include "three_ball.h"

#include <math.h>

#include "../src/base/vec.h"

#define TURN 6.283185307179586
#define HERMITE 128 /* pieces of a given parameter curve */

static wit_vec3 around(double degrees, double length)
{
    double a = degrees / 360 * TURN;
    return vec3(length * cos(a), length * sin(a), 0);
}

/* ---- three balls --------------------------------------------------------------------------- */

wit_vec3 three_ball_centre(int k, double scale)
{
    return around(120.0 * k, THREE_BALL_OFFSET * scale);
}

double three_ball_vertex_z(double scale)
{
    return scale * sqrt(THREE_BALL_RADIUS * THREE_BALL_RADIUS - THREE_BALL_OFFSET * THREE_BALL_OFFSET);
}

/* Edge m: about -c_m / 2, in the plane of c_m and z. */
static wit_curve_def arc_def(int m, double scale)
{
    double d = THREE_BALL_OFFSET * scale, z = three_ball_vertex_z(scale);
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_CIRCLE);
    c.frame.origin = scale3(-0.5, three_ball_centre(m, scale));
    c.frame.x = around(120.0 * m, 1);
    c.frame.z = cross3(c.frame.x, vec3(0, 0, 1));
    c.radius = sqrt(z * z + d * d / 4);
    double end = atan2(z, d / 2);
    c.range.lo = -end;
    c.range.hi = end;
    return c;
}

/* x towards the middle of the patch. */
static wit_surface_def sphere_def(int k, double scale, bool seam_outside)
{
    wit_surface_def s = wit_surface_default_def(WIT_SURFACE_SPHERE);
    s.frame.origin = three_ball_centre(k, scale);
    s.frame.x = around(120.0 * k + 180, 1);
    s.radius = THREE_BALL_RADIUS * scale;
    if (seam_outside) {
        s.range_u.lo = -TURN / 2;
        s.range_u.hi = TURN / 2;
    }
    return s;
}

/* Angles of a point of edge m on sphere k and their rates by t. */
static void angles(const wit_curve* arc, int k, double scale, double t, double at[2], double rate[2])
{
    wit_curve_jet j;
    wit_curve_eval(arc, t, 0, NULL, &j);
    wit_vec3 ex = around(120.0 * k + 180, 1), ey = cross3(vec3(0, 0, 1), ex),
             p = sub3(j.p, three_ball_centre(k, scale));
    double x = dot3(p, ex), y = dot3(p, ey), dx = dot3(j.d1, ex), dy = dot3(j.d1, ey), r2 = x * x + y * y, r = sqrt(r2);
    at[0] = atan2(y, x);
    at[1] = atan2(p.z, r);
    rate[0] = (x * dy - y * dx) / r2;
    rate[1] = (j.d1.z * r - p.z * (x * dx + y * dy) / r) / (r2 + p.z * p.z);
}

static wit_curve* hermite(const wit_curve* arc, int k, double scale, wit_error* error)
{
    static const int n = HERMITE;
    double knots[3 * HERMITE + 5], points[9 * HERMITE + 3];
    wit_interval range = wit_curve_describe(arc).range;
    double h = (range.hi - range.lo) / n;
    for (int i = 0; i <= n; ++i) {
        double t = i == n ? range.hi : range.lo + h * i, at[2], rate[2];
        angles(arc, k, scale, t, at, rate);
        for (int side = -1; side <= 1; ++side) {
            int q = 3 * i + side;
            if (q < 0 || q > 3 * n) continue;
            points[3 * q] = at[0] + side * h / 3 * rate[0];
            points[3 * q + 1] = at[1] + side * h / 3 * rate[1];
            points[3 * q + 2] = 0;
            knots[q + 2] = t;
        }
    }
    knots[0] = knots[1] = range.lo;
    knots[3 * n + 3] = knots[3 * n + 4] = range.hi;
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    c.degree = 3;
    c.count = 3 * n + 1;
    c.knot_count = 3 * n + 5;
    c.knots = knots;
    c.points = points;
    return wit_curve_create(&c, NULL, error);
}

/*
 * S(a, b) = c + R ((1 - a^2 - b^2) X + 2 a Y + 2 b Z) / (1 + a^2 + b^2), |a| <= 0.4, |b| <= 0.7. Over [-A, A]
 * the Bernstein coefficients of 1, a, a^2 are (1, 1, 1), (-A, 0, A), (A^2, -A^2, A^2).
 */
static wit_surface* stereographic(int k, double scale, wit_error* error)
{
    static const double limit[2] = {0.4, 0.7};
    static const double knots_u[6] = {-0.4, -0.4, -0.4, 0.4, 0.4, 0.4}, knots_v[6] = {-0.7, -0.7, -0.7, 0.7, 0.7, 0.7};
    double points[27], weights[9], R = THREE_BALL_RADIUS * scale;
    wit_vec3 c = three_ball_centre(k, scale), x = around(120.0 * k + 180, 1), y = cross3(vec3(0, 0, 1), x);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double a = (i - 1) * limit[0], b = (j - 1) * limit[1];
            double q = (i == 1 ? -1 : 1) * limit[0] * limit[0] + (j == 1 ? -1 : 1) * limit[1] * limit[1], w = 1 + q;
            wit_vec3 p = addscaled3(addscaled3(scale3(1 - q, x), 2 * a, y), 2 * b, vec3(0, 0, 1));
            p = addscaled3(c, R / w, p);
            points[3 * (3 * i + j)] = p.x;
            points[3 * (3 * i + j) + 1] = p.y;
            points[3 * (3 * i + j) + 2] = p.z;
            weights[3 * i + j] = w;
        }
    wit_surface_def s = wit_surface_default_def(WIT_SURFACE_NURBS);
    s.degree_u = s.degree_v = 2;
    s.count_u = s.count_v = 3;
    s.knot_count_u = s.knot_count_v = 6;
    s.knots_u = knots_u;
    s.knots_v = knots_v;
    s.points = points;
    s.weights = weights;
    return wit_surface_create(&s, NULL, error);
}

/*
 * The edge on the side of +a (edge k + 2 of face k) or of -a, in the plane of a stereographic patch. The edge's plane holds
 * the axis and the direction at +-60 degrees from X; with d = |c| its image is
 * q -+ 2 a a0 - (R - d) / (R + d) = 0, a0 = -R / (R + d) / tan 60: a circle about (+-a0, 0).
 */
static wit_curve* stereographic_arc(bool plus, wit_error* error)
{
    const double R = THREE_BALL_RADIUS, d = THREE_BALL_OFFSET, a0 = -R / (R + d) / sqrt(3.0);
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_CIRCLE);
    c.frame.origin = vec3(plus ? a0 : -a0, 0, 0);
    c.frame.x = vec3(plus ? 1 : -1, 0, 0);
    c.frame.z = vec3(0, 0, plus ? 1 : -1);
    c.radius = sqrt(a0 * a0 + (R - d) / (R + d));
    double end = atan2(three_ball_vertex_z(1) / (R + d), -a0);
    c.range.lo = -end;
    c.range.hi = end;
    return wit_curve_create(&c, NULL, error);
}

wit_body* three_ball_create(three_ball_build how, double scale, wit_error* error)
{
    wit_curve *arcs[3], *given[3][2] = {{NULL}};
    wit_surface* surfaces[3];
    wit_vertex_def vertices[2] = {{"upper", {0, 0, 0}}, {"lower", {0, 0, 0}}};
    wit_edge_def edges[3] = {{0}};
    wit_use_def uses[3][2] = {{{0}}};
    wit_loop_def loops[3];
    wit_face_def faces[3] = {{0}};
    static const char* const names[3] = {"ball 0", "ball 1", "ball 2"};
    vertices[0].point.z = three_ball_vertex_z(scale);
    vertices[1].point.z = -three_ball_vertex_z(scale);
    bool ok = true;
    for (int k = 0; k < 3; ++k) {
        wit_curve_def arc = arc_def(k, scale);
        arcs[k] = wit_curve_create(&arc, NULL, error);
        wit_surface_def sphere = sphere_def(k, scale, how == THREE_BALL_GIVEN);
        surfaces[k] =
            how == THREE_BALL_RATIONAL ? stereographic(k, scale, error) : wit_surface_create(&sphere, NULL, error);
        ok = ok && arcs[k] && surfaces[k];
    }
    for (int k = 0; ok && k < 3; ++k) {
        int right = (k + 2) % 3, left = (k + 1) % 3;
        if (how == THREE_BALL_GIVEN) {
            given[k][0] = hermite(arcs[right], k, scale, error);
            given[k][1] = hermite(arcs[left], k, scale, error);
        } else if (how == THREE_BALL_RATIONAL) {
            given[k][0] = stereographic_arc(true, error);
            given[k][1] = stereographic_arc(false, error);
        }
        uses[k][0].edge = right;
        uses[k][0].parameter_curve = given[k][0];
        uses[k][1].edge = left;
        uses[k][1].reversed = true;
        uses[k][1].parameter_curve = given[k][1];
        loops[k].use_count = 2;
        loops[k].uses = uses[k];
        faces[k].name = names[k];
        faces[k].surface = surfaces[k];
        faces[k].loop_count = 1;
        faces[k].loops = &loops[k];
        edges[k].curve = how == THREE_BALL_RATIONAL ? NULL : arcs[k];
        edges[k].start = 1;
        edges[k].end = 0;
    }
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    d.name = "three-ball";
    d.vertex_count = 2;
    d.edge_count = d.face_count = 3;
    d.vertices = vertices;
    d.edges = edges;
    d.faces = faces;
    wit_body* body = ok ? wit_body_create(&d, NULL, error) : NULL;
    for (int k = 0; k < 3; ++k) {
        wit_curve_destroy(arcs[k]);
        wit_curve_destroy(given[k][0]);
        wit_curve_destroy(given[k][1]);
        wit_surface_destroy(surfaces[k]);
    }
    return body;
}

/* ---- three arcs ---------------------------------------------------------------------------- */

wit_vec3 three_arc_centre(int k, double scale)
{
    return around(90 + 120.0 * k, THREE_ARC_OFFSET * scale);
}

wit_body* three_arc_create(bool given, double scale, wit_error* error)
{
    /* A vertex stands at distance s from the middle: s^2 + s d + d^2 = R^2. */
    const double R = THREE_BALL_RADIUS, d = THREE_ARC_OFFSET, s = 0.5 * (-d + sqrt(4 * R * R - 3 * d * d));
    const double end = atan2(s * sqrt(0.75), d + s / 2);
    wit_curve* arcs[3];
    wit_vertex_def vertices[3] = {{0}};
    wit_edge_def edges[3] = {{0}};
    wit_use_def uses[3] = {{0}};
    bool ok = true;
    for (int k = 0; k < 3; ++k) {
        wit_curve_def c = wit_curve_default_def(WIT_CURVE_CIRCLE);
        c.frame.origin = three_arc_centre(k, scale);
        c.frame.x = scale3(-1, c.frame.origin);
        c.radius = R * scale;
        c.range.lo = -end;
        c.range.hi = end;
        arcs[k] = wit_curve_create(&c, NULL, error);
        ok = ok && arcs[k];
        vertices[k].point = around(90 + 120.0 * k, s * scale);
        edges[k].curve = arcs[k];
        edges[k].start = (k + 1) % 3;
        edges[k].end = (k + 2) % 3;
        uses[k].edge = k;
        uses[k].parameter_curve = given ? arcs[k] : NULL;
    }
    wit_surface_def p = wit_surface_default_def(WIT_SURFACE_PLANE);
    p.range_u.lo = p.range_v.lo = -3 * scale;
    p.range_u.hi = p.range_v.hi = 3 * scale;
    wit_surface* plane = wit_surface_create(&p, NULL, error);
    wit_loop_def loop = {3, uses};
    wit_face_def face = {NULL, plane, false, false, 1, &loop};
    wit_body_def b = wit_body_default_def(WIT_BODY_SOLID);
    b.name = "three-arc";
    b.planar = true;
    b.vertex_count = b.edge_count = 3;
    b.face_count = 1;
    b.vertices = vertices;
    b.edges = edges;
    b.faces = &face;
    wit_body* body = ok && plane ? wit_body_create(&b, NULL, error) : NULL;
    for (int k = 0; k < 3; ++k) wit_curve_destroy(arcs[k]);
    wit_surface_destroy(plane);
    return body;
}
