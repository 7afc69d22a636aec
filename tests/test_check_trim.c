/* SPDX-License-Identifier: MIT */
/* What the check says of trimmed faces and of planar bodies. */
#include "../src/body/check/check.h"
#include "analytic.h"

static wit_body* body_made(const wit_body_def* def)
{
    wit_error e = {0};
    wit_body* b = wit_body_create(def, NULL, &e);
    if (!b) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(b);
    return b;
}

/* ---- trims ------------------------------------------------------------------------------------ */

/* A parameter circle as a loop; clockwise is a hole. */
typedef struct ring_loop {
    wit_curve* curve;
    wit_edge_def edge;
    wit_use_def use;
    wit_loop_def loop;
} ring_loop;

static void ring_made(ring_loop* out, double u, double v, double radius, bool hole, int edge)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_CIRCLE);
    d.frame.origin = vec3(u, v, 0);
    d.radius = radius;
    memset(out, 0, sizeof *out);
    out->curve = curve_made(&d);
    out->edge.start = out->edge.end = -1;
    out->use.edge = edge;
    out->use.reversed = hole;
    out->use.parameter_curve = out->curve;
    out->loop.use_count = 1;
    out->loop.uses = &out->use;
}

static void trimmed_area_is_that_inside_the_loops(void** state)
{
    (void)state;
    static const wit_surface_kind kinds[3] = {WIT_SURFACE_PLANE, WIT_SURFACE_CYLINDER, WIT_SURFACE_PARABOLOID};
    for (int k = 0; k < 3; k++) {
        wit_surface_def d = wit_surface_default_def(kinds[k]);
        d.radius = 2;
        d.semi_x = d.semi_y = d.semi_z = 1;
        if (k == 0) d.range_u = iv(-3, 3);
        d.range_v = k == 2 ? iv(0, 3) : iv(-3, 3);
        wit_surface* s = surface_made(&d);
        ring_loop rings[2];
        ring_made(&rings[0], k == 0 ? 0 : 0.3, 1.5, 1.2, false, 0);
        ring_made(&rings[1], k == 0 ? 0.2 : 0.4, 1.6, 0.5, true, 1);
        wit_loop_def loops[2] = {rings[0].loop, rings[1].loop};
        wit_edge_def edges[2] = {rings[0].edge, rings[1].edge};
        wit_face_def face = {.surface = s, .loop_count = 2, .loops = loops};
        wit_body_def def = wit_body_default_def(WIT_BODY_SHEET);
        def.face_count = 1;
        def.faces = &face;
        def.edge_count = 2;
        def.edges = edges;
        wit_body* b = body_made(&def);
        wit_face_check f = wit_body_check_face(b, 0);
        double flat = PI * (1.2 * 1.2 - 0.5 * 0.5);
        if (k < 2) {
            double area = flat * (k == 1 ? 2 : 1);
            assert_true(fabs(f.area - area) <= 1e-9 * area);
        } else {
            /* The element v sqrt(1 + 4 v^2) over both discs, by a ring of midpoints times a radius of midpoints. */
            double sum = 0;
            for (int disc = 0; disc < 2; disc++)
                for (int i = 0; i < 400; i++)
                    for (int j = 0; j < 64; j++) {
                        double radius = (disc ? 0.5 : 1.2) * (i + 0.5) / 400,
                               y = (disc ? 1.6 : 1.5) + radius * sin(j * TWO_PI / 64);
                        sum += (disc ? -0.5 : 1.2) / 400 * TWO_PI / 64 * radius * y * sqrt(1 + 4 * y * y);
                    }
            assert_true(fabs(f.area - sum) <= 1e-3 * sum);
        }
        wit_body_check_result c = wit_body_check(b);
        assert_int_equal(c.euler, 0); /* a ring */
        assert_int_equal(c.edges[WIT_EDGE_OPEN], 2);
        assert_true(c.manifold && f.nice == (k == 0 || f.normals.angle < 0.5 * PI));
        assert_int_equal(f.poles, 0); /* the vertex of the paraboloid is outside */
        wit_body_destroy(b);
        wit_surface_destroy(s);
        wit_curve_destroy(rings[0].curve);
        wit_curve_destroy(rings[1].curve);
    }
}

/* ---- planar bodies ---------------------------------------------------------------------------- */

/* A square, an arrow and a disc. */
static void planar_bodies_are_convex_when_every_corner_turns_left(void** state)
{
    (void)state;
    static const double corners[2][8] = {{0, 0, 2, 0, 2, 2, 0, 2}, {0, 0, 2, 0, 0.5, 0.5, 0, 2}};
    wit_surface_def sd = wit_surface_default_def(WIT_SURFACE_PLANE);
    sd.range_u = sd.range_v = iv(-5, 5);
    wit_surface* plane = surface_made(&sd);
    for (int k = 0; k < 2; k++) {
        wit_curve* sides[4];
        wit_use_def uses[4];
        wit_edge_def edges[4];
        wit_vertex_def vertices[4];
        memset(uses, 0, sizeof uses);
        memset(edges, 0, sizeof edges);
        memset(vertices, 0, sizeof vertices);
        for (int i = 0; i < 4; i++) {
            const double *p = corners[k] + 2 * i, *q = corners[k] + 2 * ((i + 1) % 4);
            wit_curve_def d = wit_curve_default_def(WIT_CURVE_LINE);
            d.frame.origin = vec3(p[0], p[1], 0);
            d.frame.x = vec3(q[0] - p[0], q[1] - p[1], 0);
            d.range = iv(0, sqrt(dot3(d.frame.x, d.frame.x)));
            sides[i] = curve_made(&d);
            vertices[i].point = vec3(p[0], p[1], 0);
            edges[i].start = i;
            edges[i].end = (i + 1) % 4;
            uses[i].edge = i;
            uses[i].parameter_curve = sides[i];
        }
        wit_loop_def loop = {4, uses};
        wit_face_def face = {.surface = plane, .loop_count = 1, .loops = &loop};
        wit_body_def def = wit_body_default_def(WIT_BODY_SOLID);
        def.planar = true;
        def.face_count = 1;
        def.faces = &face;
        def.edge_count = def.vertex_count = 4;
        def.edges = edges;
        def.vertices = vertices;
        wit_body* b = body_made(&def);
        wit_body_check_result c = wit_body_check(b);
        assert_true(c.watertight && c.manifold && c.oriented);
        assert_true(c.convex == (k == 0));
        assert_false(c.strictly_convex);
        assert_int_equal(c.euler, 1);
        wit_vertex_check v = wit_body_check_vertex(b, 2);
        assert_true(v.turn_known);
        double turn = k == 0 ? 0.5 * PI : wit_atan2(-2, 1.5); /* (-1.5, 0.5) to (-0.5, 1.5) */
        assert_true(fabs(v.turn - turn) < 1e-12);
        assert_int_equal(wit_body_check_edge(b, 1).bend, WIT_BEND_FLAT);
        wit_body_destroy(b);
        for (int i = 0; i < 4; i++) wit_curve_destroy(sides[i]);
    }
    ring_loop disc;
    ring_made(&disc, 0, 0, 2, false, 0);
    wit_face_def face = {.surface = plane, .loop_count = 1, .loops = &disc.loop};
    wit_body_def def = wit_body_default_def(WIT_BODY_SOLID);
    def.planar = true;
    def.face_count = def.edge_count = 1;
    def.faces = &face;
    def.edges = &disc.edge;
    wit_body* b = body_made(&def);
    assert_int_equal(wit_body_check_edge(b, 0).bend, WIT_BEND_STRICTLY_CONVEX);
    assert_true(wit_body_check(b).strictly_convex);
    wit_body_destroy(b);
    wit_curve_destroy(disc.curve);
    wit_surface_destroy(plane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trimmed_area_is_that_inside_the_loops),
        cmocka_unit_test(planar_bodies_are_convex_when_every_corner_turns_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
