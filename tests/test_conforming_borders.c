/* SPDX-License-Identifier: MIT */
/* Where closest sets end: started from their borders, cut by both bodies, trimmed, all round, and the walk along them. */
#include "../src/pair/walk.h"
#include "conforming_scene.h"

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

/* The circle of a torus on a plane, walked on the plane: no line of its parameters, the walk must come back onto it. */
static void the_walk_on_a_plane_follows_a_circle(void** state)
{
    (void)state;
    wit_body* ground = box(8, 8, 1);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_TORUS);
    d.radius = 0.8;
    d.radius2 = 0.25;
    wit_body* torus = wit_solid_create(&d, NULL, NULL);
    wit_placed placed[2] = {wit_placed_at(ground, wit_pose_identity()),
                            wit_placed_at(torus, at(0, 0, 0.5 + 0.25 + 0.1))};
    side flat = wi_side_of(&placed[0], NULL, NULL), round = wi_side_of(&placed[1], NULL, NULL);
    int top = -1;
    wit_vec3 up;
    for (int k = 0; k < 6; ++k)
        if (wit_body_face_normal(ground, k, 0, 0, &up) && up.z > 0.5) top = k;
    for (int carrier = 0; carrier < 2; ++carrier) {
        /* the plane is a, then b */
        wit_surface_jet j;
        side_face_jet(&flat, top, 0, 0, WIT_KNOT_DEFAULT, &j);
        /* where the plane is at (0.8, 0): its own origin is in the middle; the torus is lowest at v = -pi / 2 */
        wit_vec3 off = sub3(vec3(0.8, 0, 0.5), j.p);
        place plane = {.kind = WIT_FACE, .id = top}, ring = {.kind = WIT_FACE, .v = -0.5 * PI};
        plane.u = dot3(off, j.du) / dot3(j.du, j.du);
        plane.v = dot3(off, j.dv) / dot3(j.dv, j.dv);
        const place *a = carrier ? &ring : &plane, *b = carrier ? &plane : &ring;
        walk w;
        walk_state s, last;
        double arc;
        wi_walk_start_signed(carrier ? &round : &flat, a, carrier ? &flat : &round, b, 2, &w);
        w.carrier = carrier;
        w.distance = 0.1;
        w.tolerance = 1e-9;
        assert_true(wi_signed_start(&w, a, b, vec3(0, 0, carrier ? -1 : 1), &s));
        w.directions = wi_signed_level(&w, &s);
        assert_int_equal(w.directions, 1);
        assert_int_equal(wi_walk_along(&w, &s, 0, 1, 1e-12, &last, &arc), WALK_CLOSED);
        assert_true(fabs(arc - TWO_PI * 0.8) < 1e-9);
    }
    wit_body_destroy(ground);
    wit_body_destroy(torus);
}

/* The border of the face that carries the walk counts, straight or not: a prism of three sides stands on a box, a drum too. */
static void trimmed_faces_end_where_their_loops_do(void** state)
{
    (void)state;
    const double corners[6] = {-0.3, -0.2, 0.5, -0.1, 0.1, 0.6};
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    d.polygon_count = 3;
    d.polygon = corners;
    d.height = 0.5;
    wit_body *prism = wit_solid_create(&d, NULL, NULL), *ground = box(4, 4, 1),
             *drum = round_solid(WIT_SOLID_CYLINDER, 0.4, 1);
    assert_non_null(prism);
    wit_pose on = at(0, 0, 0.6), under = wit_pose_identity();
    for (int swap = 0; swap < 2; ++swap) {
        wit_tracker* t = swap ? tracker(ground, prism) : tracker(prism, ground);
        wit_contact_set s = swap ? set_at(t, &under, &on) : set_at(t, &on, &under);
        assert_int_equal(s.dimension, 2);
        check_points(&s, 0.1, 1e-12);
        assert_int_equal(s.count, 3);
        for (int k = 0; k < 3; ++k)
            assert_true(has_point(&s, vec3(corners[2 * k], corners[2 * k + 1], swap ? 0.6 : 0.5), 1e-9));
        wit_tracker_destroy(t);
        t = swap ? tracker(ground, drum) : tracker(drum, ground);
        s = swap ? set_at(t, &under, &on) : set_at(t, &on, &under);
        assert_int_equal(s.dimension, 2);
        check_points(&s, 0.1, 1e-12);
        assert_int_equal(s.count, 4);
        for (int k = 0; k < 4; ++k) {
            wit_vec3 p = s.point[k].b.point;
            assert_true(fabs(sqrt(p.x * p.x + p.y * p.y) - 0.4) < 1e-9);
        }
        wit_tracker_destroy(t);
    }
    wit_body_destroy(prism);
    wit_body_destroy(ground);
    wit_body_destroy(drum);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(borders_of_a_set_lead_into_it),
        cmocka_unit_test(a_tight_shaft_touches_all_round),
        cmocka_unit_test(turned_boxes_touch_in_their_cut),
        cmocka_unit_test(the_walk_on_a_plane_follows_a_circle),
        cmocka_unit_test(trimmed_faces_end_where_their_loops_do),
        cmocka_unit_test(a_flat_spline_is_a_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
