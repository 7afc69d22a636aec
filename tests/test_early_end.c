/* SPDX-License-Identifier: MIT */
/*
 * What the adversary found where a budget ends early, or weights are far apart, kept small: contacts that are said to be
 * complete, planar bodies that overlap, splines whose weights hide their digits.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../include/witness/witness.h"

static wit_query* query_with(int64_t budget)
{
    wit_query_def d = wit_query_default_def();
    d.budget = budget;
    wit_query* q = wit_query_create(&d, NULL, NULL);
    assert_non_null(q);
    return q;
}

static wit_body* solid(wit_solid_kind kind, double a, double b, double c)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.size_x = a, d.size_y = b, d.size_z = c;
    d.radius = a, d.radius2 = b, d.height = c;
    wit_body* body = wit_solid_create(&d, NULL, NULL);
    assert_non_null(body);
    return body;
}

/* Two ellipsoids 1.5 apart with semi-axes 1, 0.7, 0.5: they overlap, whatever the budget is. */
static void contacts_that_the_budget_kept_away_are_not_excluded(void** state)
{
    (void)state;
    wit_body* body = solid(WIT_SOLID_ELLIPSOID, 1, 0.7, 0.5);
    wit_pose there = wit_pose_identity();
    there.position = (wit_vec3){1.5, 0.1, 0};
    wit_placed a = wit_placed_at(body, wit_pose_identity()), b = wit_placed_at(body, there);
    for (int64_t budget = 1; budget < 100000; budget *= 3) {
        wit_query* q = query_with(budget);
        wit_contact list[4];
        wit_contacts_summary s;
        assert_int_equal(wit_contacts_pair(q, &a, &b, list, 4, &s), WIT_OK);
        assert_false(s.complete);
        wit_query_destroy(q);
    }
    b.pose.position.x = 2.5;
    wit_query* q = query_with(100000);
    wit_contacts_summary s;
    assert_int_equal(wit_contacts_pair(q, &a, &b, NULL, 0, &s), WIT_OK);
    assert_true(s.complete && s.count == 0);
    wit_query_destroy(q);
    wit_body_destroy(body);
}

enum { TIPS = 5 };

static wit_body* star(void)
{
    double corner[2 * TIPS][2];
    wit_surface_def sd = wit_surface_default_def(WIT_SURFACE_PLANE);
    sd.range_u = sd.range_v = (wit_interval){-2, 2};
    wit_surface* plane = wit_surface_create(&sd, NULL, NULL);
    wit_curve* line[2 * TIPS];
    wit_vertex_def v[2 * TIPS] = {{0}};
    wit_edge_def e[2 * TIPS] = {{0}};
    wit_use_def u[2 * TIPS] = {{0}};
    for (int i = 0; i < 2 * TIPS; i++) {
        double angle = 3.14159265358979 * i / TIPS, r = i % 2 ? 0.5 : 1;
        corner[i][0] = r * cos(angle);
        corner[i][1] = r * sin(angle);
    }
    for (int i = 0; i < 2 * TIPS; i++) {
        const double *p = corner[i], *q = corner[(i + 1) % (2 * TIPS)];
        wit_curve_def l = wit_curve_default_def(WIT_CURVE_LINE);
        l.frame.origin = v[i].point = (wit_vec3){p[0], p[1], 0};
        l.frame.x = (wit_vec3){q[0] - p[0], q[1] - p[1], 0};
        l.range = (wit_interval){0, hypot(q[0] - p[0], q[1] - p[1])};
        line[i] = wit_curve_create(&l, NULL, NULL);
        assert_non_null(line[i]);
        e[i] = (wit_edge_def){NULL, line[i], {0, 0}, i, (i + 1) % (2 * TIPS)};
        u[i].edge = i;
    }
    wit_loop_def loop = {2 * TIPS, u};
    wit_face_def f = {NULL, plane, false, false, 1, &loop};
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    d.planar = true;
    d.vertex_count = d.edge_count = 2 * TIPS;
    d.vertices = v;
    d.edges = e;
    d.face_count = 1;
    d.faces = &f;
    wit_body* body = wit_body_create(&d, NULL, NULL);
    assert_non_null(body);
    for (int i = 0; i < 2 * TIPS; i++) wit_curve_destroy(line[i]);
    wit_surface_destroy(plane);
    return body;
}

/* Stars with tips at 1 and hollows at 1/2 hold a disc of radius 0.3 about their middles: these within 0.2 of each other, no way
 * shorter than 0.4 leads out. Out of the plane there would be one of no length. */
static void planar_bodies_leave_each_other_within_their_plane(void** state)
{
    (void)state;
    wit_body* body = star();
    for (int k = 0; k < 24; k++) {
        wit_pose there = wit_pose_identity();
        there.position = (wit_vec3){0.2 * cos(0.7 * k), 0.2 * sin(0.7 * k), 0};
        there.rotation = wit_quat_about((wit_vec3){0, 0, 1}, 0.26 * k);
        wit_placed a = wit_placed_at(body, wit_pose_identity()), b = wit_placed_at(body, there);
        for (int64_t budget = 1; budget < 3000; budget += 1 + budget / 8) {
            wit_query* q = query_with(budget);
            wit_closest c;
            assert_int_equal(wit_closest_pair(q, &a, &b, &c), WIT_OK);
            assert_true(c.lower_bound <= -0.4);
            wit_query_destroy(q);
        }
    }
    wit_body_destroy(body);
}

/* A quarter circle with weights (1, g cos 45, g^2): the same curve for every g, at another speed. Its points are on the circle
 * to some eps, for all g that are taken. */
static void weights_far_apart_leave_all_digits(void** state)
{
    static const double knots[6] = {0, 0, 0, 1, 1, 1}, points[9] = {1, 0, 0, 1, 1, 0, 0, 1, 0};
    (void)state;
    for (int k = -5; k <= 5; k++) {
        double g = pow(10, k), weights[3] = {1, g * sqrt(0.5), g * g};
        wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
        d.degree = 2;
        d.count = 3;
        d.knot_count = 6;
        d.knots = knots;
        d.points = points;
        d.weights = weights;
        wit_curve* c = wit_curve_create(&d, NULL, NULL);
        assert_non_null(c);
        for (int i = 0; i <= 200; i++) {
            wit_curve_jet j;
            double s = i / 200.0;
            wit_curve_eval(c, s / (s + g * (1 - s)), WIT_KNOT_DEFAULT, NULL, &j);
            assert_true(fabs(hypot(j.p.x, j.p.y) - 1) <= 1e-14);
        }
        wit_curve_destroy(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_that_the_budget_kept_away_are_not_excluded),
        cmocka_unit_test(planar_bodies_leave_each_other_within_their_plane),
        cmocka_unit_test(weights_far_apart_leave_all_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
