/* SPDX-License-Identifier: MIT */
/* Closest sets that are lines and areas, apart, at touch and inside, against what the shapes say. */
#include "../include/witness/track.h"
#include "campaign.h"
#include "placing.h"

static wit_body* box(double x, double y, double z)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_BOX);
    d.size_x = x, d.size_y = y, d.size_z = z;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static wit_body* round_solid(wit_solid_kind kind, double radius, double height)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.radius = radius;
    d.height = height;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

/* The wall of a hole along z from 0 up, as a sheet whose normal points to the axis. */
static wit_body* hole(double radius, double height)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_CYLINDER);
    d.radius = radius;
    d.range_v.lo = 0;
    d.range_v.hi = height;
    wit_surface* s = surface_made(&d);
    wit_face_def face = {.surface = s, .reversed = true};
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET);
    def.face_count = 1;
    def.faces = &face;
    wit_error e = {0};
    wit_body* b = wit_body_create(&def, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    wit_surface_destroy(s);
    return b;
}

static wit_contact_set set_at(wit_tracker* t, const wit_pose* a, const wit_pose* b)
{
    wit_motion ma = wit_motion_at_rest(*a), mb = wit_motion_at_rest(*b);
    wit_result r;
    wit_contact_set s;
    assert_int_equal(wit_tracker_step(t, &ma, &mb, 1e-3, &r), WIT_OK);
    assert_int_equal(wit_tracker_contact_set(t, &s), WIT_OK);
    print_message("  distance %.3g: dimension %d, extents [%.6g, %.6g] [%.6g, %.6g], %d points\n", r.distance,
                  s.dimension, s.extent[0].lo, s.extent[0].hi, s.extent[1].lo, s.extent[1].hi, s.count);
    return s;
}

static wit_tracker* tracker(const wit_body* a, const wit_body* b)
{
    wit_tracker* t = wit_tracker_create(a, b, NULL, NULL, NULL);
    assert_non_null(t);
    return t;
}

/* Every point of the set is a pair at its distance along its normal there. */
static void check_points(const wit_contact_set* s, double distance, double off)
{
    assert_true(s->count > 0);
    assert_true(fabs(s->distance - distance) <= off);
    assert_true(fabs(norm3(s->normal) - 1) <= 1e-14);
    for (int k = 0; k < s->count; ++k) {
        double gap = norm3(sub3(s->point[k].b.point, s->point[k].a.point));
        assert_true(fabs(s->point[k].distance - distance) <= off);
        assert_true(fabs(gap - fabs(distance)) <= off + 1e-11); /* at a border a foot is askew by 1e-12 of the size */
    }
}

static bool has_point(const wit_contact_set* s, wit_vec3 p, double off)
{
    for (int k = 0; k < s->count; ++k)
        if (norm3(sub3(s->point[k].b.point, p)) <= off) return true;
    return false;
}

static double across(const wit_contact_set* s, int k)
{
    return s->extent[k].hi - s->extent[k].lo;
}

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

/* Boxes with parallel sides, one on the other: the overlap is a rectangle [lo, hi]. */
static void check_overlap(const wit_contact_set* s, wit_vec3 lo, wit_vec3 hi, double distance)
{
    assert_int_equal(s->dimension, 2);
    check_points(s, distance, 1e-12);
    assert_int_equal(s->count, 4);
    for (int k = 0; k < 4; ++k) assert_true(has_point(s, vec3(k & 1 ? lo.x : hi.x, k & 2 ? lo.y : hi.y, lo.z), 1e-9));
    for (int k = 0; k < 2; ++k) {
        double x = fabs(s->direction[k].x), y = fabs(s->direction[k].y);
        assert_true(fabs(fmax(x, y) - 1) < 1e-12);
        assert_true(fabs(across(s, k) - (x > y ? hi.x - lo.x : hi.y - lo.y)) < 1e-9);
    }
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

/* On a border of the set, or where no normal is to be had: the features around are asked. */
static wit_contact_set set_from(const wit_body* x, const wit_body* y, const wit_witness* wx, const wit_witness* wy,
                                const wit_pose* a, const wit_pose* b)
{
    wit_track_def def = wit_track_default_def();
    def.switching = WIT_SWITCHING_NONE;
    def.reacquire = false;
    def.candidates = 0;
    wit_tracker* t = wit_tracker_create(x, y, &def, NULL, NULL);
    assert_non_null(t);
    assert_int_equal(wit_tracker_place(t, wx, wy), WIT_OK);
    wit_contact_set s = set_at(t, a, b);
    wit_tracker_destroy(t);
    return s;
}

static int vertex_at(const wit_body* b, wit_vec3 p)
{
    for (int i = 0; i < wit_body_describe(b).vertex_count; ++i)
        if (norm3(sub3(wit_body_vertex(b, i).point, p)) < 1e-12) return i;
    fail();
    return -1;
}

static void borders_of_a_set_lead_into_it(void** state)
{
    (void)state;
    wit_body *x = box(1, 1, 1), *y = box(1, 1, 1);
    wit_pose a = wit_pose_identity();
    const double gaps[] = {0.25, 0};
    for (int i = 0; i < 2; ++i) {
        /* one on the other, corner on corner */
        wit_pose b = at(0, 0, 1 + gaps[i]);
        wit_witness top = {WIT_VERTEX, vertex_at(x, vec3(0.5, 0.5, 0.5)), 0, 0, {0, 0, 0}};
        wit_witness bottom = {WIT_VERTEX, vertex_at(y, vec3(0.5, 0.5, -0.5)), 0, 0, {0, 0, 0}};
        wit_contact_set s = set_from(x, y, &top, &bottom, &a, &b);
        check_overlap(&s, vec3(-0.5, -0.5, 0.5 + gaps[i]), vec3(0.5, 0.5, 0.5 + gaps[i]), gaps[i]);
        /* corner on corner only: a point, and at touch no normal and nothing said */
        b = at(1, 1, 1 + gaps[i]);
        bottom.id = vertex_at(y, vec3(-0.5, -0.5, -0.5));
        s = set_from(x, y, &top, &bottom, &a, &b);
        assert_int_equal(s.dimension, 0);
        assert_int_equal(s.count, gaps[i] > 0 ? 1 : 0);
        /* edge on edge, bodies beside each other: a line */
        b = at(1, 0.3, 1 + gaps[i]);
        bottom.id = vertex_at(y, vec3(-0.5, -0.5, -0.5));
        wit_witness edge = {WIT_EDGE, 0, 0, 0, {0, 0, 0}};
        for (int k = 0; k < wit_body_describe(x).edge_count; ++k) {
            wit_edge_info e = wit_body_edge(x, k);
            wit_vec3 p = wit_body_vertex(x, e.start).point, q = wit_body_vertex(x, e.end).point;
            if (p.x != 0.5 || q.x != 0.5 || p.z != 0.5 || q.z != 0.5) continue;
            edge.id = k;
            edge.u = e.range.lo + (e.range.hi - e.range.lo) * (-0.2 - p.y) / (q.y - p.y);
        }
        s = set_from(x, y, &edge, &bottom, &a, &b);
        assert_int_equal(s.dimension, 1);
        check_points(&s, gaps[i], 1e-12);
        assert_true(fabs(across(&s, 0) - 0.7) < 1e-9);
    }
    wit_body_destroy(x);
    wit_body_destroy(y);
}

/* A shaft that fits exactly, and one that is too thick by `over`: area all round at touch and inside. */
static void a_tight_shaft_touches_all_round(void** state)
{
    (void)state;
    const double r = 0.5, overs[] = {0, 1e-3};
    wit_body* shaft = round_solid(WIT_SOLID_CYLINDER, r, 1.2);
    int lateral = -1;
    for (int k = 0; k < wit_body_describe(shaft).face_count; ++k)
        if (wit_surface_describe(wit_body_face(shaft, k).surface).kind == WIT_SURFACE_CYLINDER) lateral = k;
    for (int i = 0; i < 2; ++i) {
        wit_body* wall = hole(r - overs[i], 2);
        wit_witness x = {WIT_FACE, 0, 0.3, 1, {0, 0, 0}}, y = {WIT_FACE, lateral, 0.3, 0.7, {0, 0, 0}};
        wit_pose a = wit_pose_identity(), in = at(0, 0, 0.3);
        wit_contact_set s = set_from(wall, shaft, &x, &y, &a, &in);
        assert_int_equal(s.dimension, 2);
        check_points(&s, -overs[i], 1e-12);
        int turn = s.closed[0] ? 0 : 1;
        assert_true(fabs(across(&s, 1 - turn) - 1.2) < 1e-9);
        assert_true(fabs(across(&s, turn) - TWO_PI * (r - overs[i])) < 1e-9);
        assert_int_equal(s.count, 4);
        wit_body_destroy(wall);
    }
    wit_body_destroy(shaft);
}

/* Turned boxes at any scale and place: corners of the overlap are corners of both polygons' cut, none is farther out. */
static void turned_boxes_touch_in_their_cut(void** state)
{
    (void)state;
    rng r = rng_seed(77);
    double worst = 0;
    for (long trial = campaign(200) + 3; trial >= 0; --trial) {
        static const double sizes[3] = {1, 1e-3, 1e3};
        double size = sizes[trial % 3], angle = rng_range(&r, 0.1, 1.4), gap = trial & 1 ? 0 : 0.1 * size;
        double off_x = rng_range(&r, -0.7, 0.7) * size, off_y = rng_range(&r, -0.7, 0.7) * size;
        wit_body *x = box(2 * size, 1.5 * size, size), *y = box(size, size, size);
        wit_vec3 axis = random_unit(&r);
        wit_pose world = turned(0, 0, 0, axis, rng_range(&r, 0, 3)),
                 on = turned(off_x, off_y, size + gap, vec3(0, 0, 1), angle);
        world.position = random_vector(&r, 0, 5 * size);
        wit_pose b = wit_pose_compose(&world, &on);
        wit_tracker* t = tracker(x, y);
        wit_contact_set s = set_at(t, &world, &b);
        wit_tracker_destroy(t);
        assert_int_equal(s.dimension, 2);
        check_points(&s, gap, 1e-11 * size);
        wit_vec3 up = wit_pose_vector(&world, vec3(0, 0, 1));
        assert_true(norm3(sub3(s.normal, up)) < 1e-12);
        assert_true(s.count >= 3);
        for (int k = 0; k < s.count; ++k) {
            /* inside both, and on two borders at least: a corner */
            wit_vec3 p = wit_pose_unpoint(&world, s.point[k].a.point), q = wit_pose_unpoint(&b, s.point[k].b.point);
            double in[4] = {size - fabs(p.x), 0.75 * size - fabs(p.y), 0.5 * size - fabs(q.x), 0.5 * size - fabs(q.y)};
            double first = INFINITY, second = INFINITY;
            for (int i = 0; i < 4; ++i) {
                assert_true(in[i] >= -1e-9 * size);
                if (in[i] < first)
                    second = first, first = in[i];
                else if (in[i] < second)
                    second = in[i];
            }
            worst = fmax(worst, second / size);
        }
        wit_body_destroy(x);
        wit_body_destroy(y);
    }
    print_message("corners: within %.1e of the size\n", worst);
    assert_true(worst < 1e-8);
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

/* A flat spline, its parameters uneven, under a box: the walk is straight where the parameters are not. */
static void a_flat_spline_is_a_plane(void** state)
{
    (void)state;
    const double knots[] = {0, 0, 0, 1, 1, 1}, at_u[] = {-2, 0.9, 2}, at_v[] = {-2, -1.2, 2};
    double points[27];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double* p = points + 3 * (3 * i + j);
            p[0] = at_u[i] + 0.2 * (i == 1) * at_v[j];
            p[1] = at_v[j] - 0.1 * (j == 1) * at_u[i];
            p[2] = 0;
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 2;
    d.count_u = d.count_v = 3;
    d.knot_count_u = d.knot_count_v = 6;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    wit_body *patch = sheet_of(&d), *b = box(1, 0.6, 0.4);
    const double gaps[] = {0.25, 1e-3};
    for (int i = 0; i < 2; ++i) {
        wit_tracker* t = tracker(patch, b);
        wit_pose a = wit_pose_identity(), on = at(0.3, 0.1, 0.2 + gaps[i]);
        wit_contact_set s = set_at(t, &a, &on);
        assert_int_equal(s.dimension, 2);
        check_points(&s, gaps[i], 1e-12);
        assert_int_equal(s.count, 4);
        for (int k = 0; k < 4; ++k)
            assert_true(has_point(&s, vec3(k & 1 ? -0.2 : 0.8, k & 2 ? -0.2 : 0.4, gaps[i]), 1e-8));
        wit_tracker_destroy(t);
    }
    wit_body_destroy(patch);
    wit_body_destroy(b);
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
        cmocka_unit_test(borders_of_a_set_lead_into_it),
        cmocka_unit_test(a_tight_shaft_touches_all_round),
        cmocka_unit_test(turned_boxes_touch_in_their_cut),
        cmocka_unit_test(round_bodies_touch_along_lines),
        cmocka_unit_test(a_flat_spline_is_a_plane),
        cmocka_unit_test(a_point_in_the_middle_is_nearest_to_all),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
