/* SPDX-License-Identifier: MIT */
/* Closest sets that are lines and areas, apart, at touch and inside, against what the shapes say. */
#include "conforming_scene.h"

static void a_cylinder_on_a_plane_touches_along_a_line(void** state)
{
    (void)state;
    const double r = 0.3, length = 1.7, gaps[] = {0.2, 1e-9, 0, -1e-3};
    wit_body *ground = round_solid(WIT_SOLID_HALF_SPACE, 1, 1), *table = box(6, 6, 1);
    wit_body* b = round_solid(WIT_SOLID_CYLINDER, r, length);
    for (int i = 0; i < 8; ++i) {
        double gap = gaps[i % 4], top = i < 4 ? 0 : 0.5;
        wit_tracker* t = tracker(i < 4 ? ground : table, b);
        wit_pose a = wit_pose_identity(), lying = turned(0.1, -0.2, top + r + gap, vec3(1, 0, 0), 0.5 * PI);
        if (gap < 0) { /* through touch, as a body comes */
            wit_pose above = lying;
            above.position.z += 0.01 - gap;
            set_at(t, &a, &above);
        }
        wit_contact_set s = set_at(t, &a, &lying);
        assert_int_equal(s.dimension, 1);
        check_points(&s, gap, 1e-12);
        assert_true(fabs(fabs(s.direction[0].y) - 1) < 1e-9);
        assert_true(fabs(across(&s, 0) - length) < 1e-9);
        assert_int_equal(s.count, 2);
        assert_true(has_point(&s, vec3(0.1, -0.2, top + gap), 1e-9));
        assert_true(has_point(&s, vec3(0.1, -0.2 - length, top + gap), 1e-9));
        wit_tracker_destroy(t);
    }
    wit_body_destroy(ground);
    wit_body_destroy(table);
    wit_body_destroy(b);
}

static void a_shaft_in_its_hole_touches_all_round(void** state)
{
    (void)state;
    const double r = 0.5, depth = 2, length = 1.2, low = 0.3;
    wit_body* shaft = round_solid(WIT_SOLID_CYLINDER, r, length);
    const double gaps[] = {0.1, 0.01};
    for (int i = 0; i < 2; ++i) {
        wit_body* wall = hole(r + gaps[i], depth);
        wit_tracker* t = tracker(wall, shaft);
        wit_pose a = wit_pose_identity(), in = at(0, 0, low);
        wit_contact_set s = set_at(t, &a, &in);
        assert_int_equal(s.dimension, 2);
        check_points(&s, gaps[i], 1e-9);
        assert_true(s.closed[0] != s.closed[1]);
        int turn = s.closed[0] ? 0 : 1;
        assert_true(fabs(fabs(s.direction[1 - turn].z) - 1) < 1e-9);
        assert_true(fabs(across(&s, 1 - turn) - length) < 1e-9);
        double round = TWO_PI * (s.middle.a.feature == WIT_FACE ? r + gaps[i] : r);
        assert_true(fabs(across(&s, turn) - round) < 1e-6 || fabs(across(&s, turn) - TWO_PI * r) < 1e-6);
        assert_int_equal(s.count, 4);
        wit_tracker_destroy(t);
        wit_body_destroy(wall);
    }
    wit_body_destroy(shaft);
}

static void a_box_stands_on_a_plane_with_its_corners(void** state)
{
    (void)state;
    const double gaps[] = {0.25, 1e-9, 0, -1e-3};
    wit_body *ground = round_solid(WIT_SOLID_HALF_SPACE, 1, 1), *b = box(1, 0.6, 0.4);
    for (int i = 0; i < 4; ++i) {
        wit_tracker* t = tracker(ground, b);
        wit_pose a = wit_pose_identity(), on = at(0.3, 0.1, 0.2 + gaps[i]);
        if (gaps[i] < 0) {
            wit_pose above = on;
            above.position.z += 0.01 - gaps[i];
            set_at(t, &a, &above);
        }
        wit_contact_set s = set_at(t, &a, &on);
        check_overlap(&s, vec3(-0.2, -0.2, gaps[i]), vec3(0.8, 0.4, gaps[i]), gaps[i]);
        wit_tracker_destroy(t);
    }
    wit_body_destroy(ground);
    wit_body_destroy(b);
}

static void boxes_touch_where_they_overlap(void** state)
{
    (void)state;
    const double gaps[] = {0.25, 1e-9, 0, -1e-3};
    wit_body *x = box(2, 2, 1), *y = box(1, 1, 1);
    for (int i = 0; i < 4; ++i) {
        wit_tracker* t = tracker(x, y);
        wit_pose a = wit_pose_identity(), on = at(0.8, -0.9, 1 + gaps[i]);
        if (gaps[i] < 0) {
            wit_pose above = on;
            above.position.z += 0.01 - gaps[i];
            set_at(t, &a, &above);
        }
        wit_contact_set s = set_at(t, &a, &on);
        check_overlap(&s, vec3(0.3, -1, 0.5 + gaps[i]), vec3(1, -0.4, 0.5 + gaps[i]), gaps[i]);
        wit_tracker_destroy(t);
    }
    wit_body_destroy(x);
    wit_body_destroy(y);
}

/* Overlaps that are small or thin against the bodies. */
static void small_and_thin_overlaps_are_measured(void** state)
{
    (void)state;
    wit_body *x = box(2, 2, 1), *y = box(1, 1, 1);
    const double inner[4][2] = {{1e-3, 1e-3}, {1e-4, 1e-5}, {0.7, 1e-5}, {1e-4, 0.6}};
    for (int i = 0; i < 4; ++i) {
        wit_tracker* t = tracker(x, y);
        wit_pose a = wit_pose_identity(), on = at(1.5 - inner[i][0], 1.5 - inner[i][1], 1.1);
        wit_contact_set s = set_at(t, &a, &on);
        check_overlap(&s, vec3(1 - inner[i][0], 1 - inner[i][1], 0.6), vec3(1, 1, 0.6), 0.1);
        wit_tracker_destroy(t);
    }
    wit_body_destroy(x);
    wit_body_destroy(y);
}

static void a_point_contact_is_a_point(void** state)
{
    (void)state;
    wit_body *ground = round_solid(WIT_SOLID_HALF_SPACE, 1, 1), *ball = round_solid(WIT_SOLID_SPHERE, 0.5, 1);
    wit_body* b = box(1, 1, 1);
    wit_pose a = wit_pose_identity();
    const double gaps[] = {0.25, 0, -1e-3};
    for (int i = 0; i < 3; ++i) {
        wit_tracker* t = tracker(ground, ball);
        wit_pose above = turned(0.3, 0.1, 0.51, vec3(1, 2, 0), 1), on = above;
        on.position.z = 0.5 + gaps[i];
        set_at(t, &a, &above);
        wit_contact_set s = set_at(t, &a, &on);
        assert_int_equal(s.dimension, 0);
        check_points(&s, gaps[i], 1e-12);
        assert_int_equal(s.count, 1);
        assert_true(has_point(&s, vec3(0.3, 0.1, gaps[i]), 1e-9));
        wit_tracker_destroy(t);
    }
    /* a box on its corner, on its edge */
    wit_tracker* t = tracker(ground, b);
    wit_pose corner = turned(0, 0, 1, vec3(1, 2, 0.5), 0.7), edge = turned(0, 0, 1, vec3(1, 0, 0), 0.7);
    wit_contact_set s = set_at(t, &a, &corner);
    assert_int_equal(s.dimension, 0);
    assert_int_equal(s.count, 1);
    wit_tracker_reset(t);
    s = set_at(t, &a, &edge);
    assert_int_equal(s.dimension, 1);
    assert_true(fabs(across(&s, 0) - 1) < 1e-9);
    assert_true(fabs(fabs(s.direction[0].x) - 1) < 1e-12);
    wit_tracker_destroy(t);
    wit_body_destroy(ground);
    wit_body_destroy(ball);
    wit_body_destroy(b);
}

/* Crossing edges are a point; parallel ones a line. */
static void edges_cross_in_a_point_and_lie_along_a_line(void** state)
{
    (void)state;
    wit_body *x = box(1, 1, 1), *y = box(1, 1, 1);
    wit_tracker* t = tracker(x, y);
    double tip = sqrt(0.5);
    wit_pose a = turned(0, 0, 0, vec3(1, 0, 0), 0.25 * PI);
    wit_pose cross = turned(0, 0, 2 * tip + 0.1, vec3(0, 1, 0), 0.25 * PI);
    wit_contact_set s = set_at(t, &a, &cross);
    assert_int_equal(s.dimension, 0);
    check_points(&s, 0.1, 1e-12);
    wit_tracker_reset(t);
    wit_pose along = turned(0.4, 0, 2 * tip + 0.1, vec3(1, 0, 0), 0.25 * PI);
    s = set_at(t, &a, &along);
    assert_int_equal(s.dimension, 1);
    check_points(&s, 0.1, 1e-12);
    assert_true(fabs(across(&s, 0) - 0.6) < 1e-9);
    wit_tracker_destroy(t);
    wit_body_destroy(x);
    wit_body_destroy(y);
}

/* A torus lies on a plane along a circle, a cone along a generator, a ball in a bore along a circle. */
static void round_bodies_touch_along_lines(void** state)
{
    (void)state;
    wit_body* ground = round_solid(WIT_SOLID_HALF_SPACE, 1, 1);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_TORUS);
    d.radius = 0.8;
    d.radius2 = 0.25;
    wit_body *torus = wit_solid_create(&d, NULL, NULL), *cone = round_solid(WIT_SOLID_CONE, 0.3, 0.4);
    wit_pose a = wit_pose_identity();
    const double gaps[] = {0.1, 0, -1e-3};
    for (int i = 0; i < 3; ++i) {
        wit_tracker* t = tracker(ground, torus);
        wit_pose above = at(0.1, 0.2, 0.25 + 0.01), on = at(0.1, 0.2, 0.25 + gaps[i]);
        set_at(t, &a, &above);
        wit_contact_set s = set_at(t, &a, &on);
        assert_int_equal(s.dimension, 1);
        check_points(&s, gaps[i], 1e-12);
        assert_true(s.closed[0]);
        assert_true(fabs(across(&s, 0) - TWO_PI * 0.8) < 1e-9);
        assert_int_equal(s.count, 2);
        assert_true(fabs(norm3(sub3(s.point[0].b.point, s.point[1].b.point)) - 1.6) < 1e-9);
        wit_tracker_destroy(t);

        /* half angle a: tan a = 3/4; lying on its side the axis is lowered by a, and the base's centre is 0.3 cos a up */
        t = tracker(ground, cone);
        wit_pose lying = turned(0, 0, 0.3 * 0.8 + gaps[i], vec3(0, 1, 0), 0.5 * PI + wit_atan2(3, 4));
        above = lying;
        above.position.z += 0.01;
        set_at(t, &a, &above);
        s = set_at(t, &a, &lying);
        assert_int_equal(s.dimension, 1);
        check_points(&s, gaps[i], 1e-12);
        assert_true(fabs(across(&s, 0) - 0.5) < 1e-9);
        wit_tracker_destroy(t);
    }
    wit_body_destroy(ground);
    wit_body_destroy(torus);
    wit_body_destroy(cone);

    wit_body *bore = hole(0.5, 2), *ball = round_solid(WIT_SOLID_SPHERE, 0.5, 1);
    wit_witness x = {WIT_FACE, 0, 0.4, 0.9, {0, 0, 0}}, y = {WIT_FACE, 0, 0.4, 0, {0, 0, 0}};
    wit_pose in = at(0, 0, 0.9);
    wit_contact_set s = set_from(bore, ball, &x, &y, &a, &in);
    assert_int_equal(s.dimension, 1);
    assert_true(s.closed[0]);
    check_points(&s, 0, 1e-12);
    assert_true(fabs(across(&s, 0) - TWO_PI * 0.5) < 1e-9);
    wit_body_destroy(bore);
    wit_body_destroy(ball);
}

/* Closed sets of a point: the middle of a ball, a place on the axis of a cylinder. */
static void a_point_in_the_middle_is_nearest_to_all(void** state)
{
    (void)state;
    wit_body *ball = round_solid(WIT_SOLID_SPHERE, 0.7, 1), *cylinder = round_solid(WIT_SOLID_CYLINDER, 0.3, 3);
    wit_pose a = wit_pose_identity(), middle = at(0, 0, 0), axis = at(0, 0, 1.4);
    wit_tracker* t = tracker(ball, NULL);
    wit_contact_set s = set_at(t, &a, &middle);
    assert_int_equal(s.dimension, 2);
    check_points(&s, -0.7, 1e-12);
    wit_tracker_destroy(t);
    t = tracker(cylinder, NULL);
    s = set_at(t, &a, &axis);
    assert_int_equal(s.dimension, 1);
    assert_true(s.closed[0]);
    check_points(&s, -0.3, 1e-12);
    assert_true(fabs(across(&s, 0) - TWO_PI * 0.3) < 1e-9);
    wit_tracker_destroy(t);
    wit_body_destroy(ball);
    wit_body_destroy(cylinder);
}

static void bad_calls_are_refused(void** state)
{
    (void)state;
    wit_body *x = box(1, 1, 1), *y = box(1, 1, 1);
    wit_tracker* t = tracker(x, y);
    wit_contact_set s;
    assert_int_equal(wit_tracker_contact_set(t, &s), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_tracker_contact_set(NULL, &s), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_tracker_contact_set(t, NULL), WIT_ERROR_ARGUMENT);
    wit_tracker_destroy(t);
    wit_body_destroy(x);
    wit_body_destroy(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cylinder_on_a_plane_touches_along_a_line),
        cmocka_unit_test(a_shaft_in_its_hole_touches_all_round),
        cmocka_unit_test(a_box_stands_on_a_plane_with_its_corners),
        cmocka_unit_test(boxes_touch_where_they_overlap),
        cmocka_unit_test(small_and_thin_overlaps_are_measured),
        cmocka_unit_test(a_point_contact_is_a_point),
        cmocka_unit_test(edges_cross_in_a_point_and_lie_along_a_line),
        cmocka_unit_test(round_bodies_touch_along_lines),
        cmocka_unit_test(a_point_in_the_middle_is_nearest_to_all),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
