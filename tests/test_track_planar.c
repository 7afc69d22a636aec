/* SPDX-License-Identifier: MIT */
/* Planar bodies: arcs and vertices, from inside and outside; two of them. */
#include "analytic.h"
#include "campaign.h"
#include "three_ball.h"
#include "track_whole.h"

#define DT 0.001

static wit_motion in_plane(double x, double y, double angle)
{
    wit_pose p = wit_pose_identity();
    p.position = vec3(x, y, 0);
    p.rotation = wit_quat_about(vec3(0, 0, 1), angle);
    wit_motion m = wit_motion_at_rest(p);
    m.twist_known = false;
    return m;
}

static wit_body* three_arcs(void)
{
    wit_error e = {0};
    wit_body* b = three_arc_create(true, 1, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    return b;
}

static void expect_clean(const whole_tally* t)
{
    assert_int_equal(t->wrong, 0);
    assert_int_equal(t->silent, 0);
    assert_int_equal(t->open, 0);
    assert_int_equal(t->other, 0);
    assert_int_equal(t->raised, 0);
    assert_int_equal(t->broken, 0);
    assert_int_equal(t->cycles, 0);
}

/* ---- the spiral ---------------------------------------------------------------------------- */

static wit_vec3 spiral(double t)
{
    return scale3(0.05 + 0.0165 * t, vec3(cos(0.0785 * t), sin(0.0785 * t), 0));
}

/* The nearest disc border, and outside the exact foot; convex: the first that lies in the body. */
static double exact_distance(wit_vec3 q)
{
    double least = -INFINITY;
    for (int k = 0; k < 3; ++k) least = fmax(least, norm3(sub3(q, three_arc_centre(k, 1))) - THREE_BALL_RADIUS);
    if (least <= 0) return least;
    for (int k = 0; k < 3; ++k) {
        wit_vec3 c = three_arc_centre(k, 1), p = addscaled3(c, THREE_BALL_RADIUS, unit3(sub3(q, c)));
        bool held = norm3(sub3(q, c)) >= THREE_BALL_RADIUS;
        for (int m = 1; m < 3; ++m)
            held = held && norm3(sub3(p, three_arc_centre((k + m) % 3, 1))) <= THREE_BALL_RADIUS;
        if (held) return norm3(sub3(q, p));
    }
    double d = THREE_ARC_OFFSET, R = THREE_BALL_RADIUS, s = 0.5 * (-d + sqrt(4 * R * R - 3 * d * d)), best = INFINITY;
    for (int k = 0; k < 3; ++k) best = fmin(best, norm3(sub3(q, scale3(s / d, three_arc_centre(k, 1)))));
    return best;
}

/* Events of the reference but the one where only the side changes. */
typedef struct event {
    double time;
    wit_feature_kind to;
    int id;
    bool jumped;
} event;

static const event events[] = {
    {20.01014429038085, WIT_EDGE, 2, true},   {46.69033667755531, WIT_EDGE, 0, true},
    {73.37052906472978, WIT_EDGE, 1, true},   {99.12488313854959, WIT_VERTEX, 0, false},
    {101.05683970320052, WIT_EDGE, 2, false}, {124.94090608940996, WIT_VERTEX, 1, false},
    {128.61534125441628, WIT_EDGE, 0, false}, {151.0505127757392, WIT_VERTEX, 2, false},
    {155.8557771508206, WIT_EDGE, 1, false},  {177.32672592449524, WIT_VERTEX, 0, false},
    {182.92695397575196, WIT_EDGE, 2, false},
};
enum { EVENTS = sizeof events / sizeof *events };

static void spiral_switches_within_one_frame_of_the_reference(void** state)
{
    (void)state;
    wit_body* b = three_arcs();
    wit_tracker* t = wit_tracker_create(b, NULL, NULL, NULL, NULL);
    assert_non_null(t);
    const wit_motion rest = wit_motion_at_rest(wit_pose_identity());
    wit_result r;
    wit_vec3 last = spiral(0);
    double before = exact_distance(last), worst = 0, rise = 0, crossed = 0;
    int64_t jets = 0;
    for (int k = 1; k <= 200000; ++k) {
        wit_vec3 q = spiral(DT * k);
        wit_motion m = in_plane(q.x, q.y, 0);
        assert_int_equal(wit_tracker_step(t, &rest, &m, DT, &r), WIT_OK);
        assert_int_equal(r.outcome, WIT_OUTCOME_CONVERGED);
        double exact = exact_distance(q);
        worst = fmax(worst, fabs(r.distance - exact));
        rise = fmax(rise, fabs(r.distance - before) - norm3(sub3(q, last)));
        if (before < 0 && r.distance >= 0) crossed = DT * k;
        before = r.distance;
        last = q;
        jets += r.work.jets;
    }
    wit_transition seen[64];
    int64_t count = wit_tracker_transitions(t, seen, 64);
    double late = 0;
    assert_int_equal(count, EVENTS);
    for (int k = 0; k < EVENTS; ++k) {
        assert_int_equal(seen[k].to, events[k].to);
        assert_int_equal(seen[k].to_id, events[k].id);
        assert_int_equal(seen[k].jumped, events[k].jumped);
        late = fmax(late, fabs(seen[k].time - events[k].time));
        /* not before it happens, and in the frame in which it does */
        assert_true(seen[k].time >= events[k].time - 1e-9 && seen[k].time <= events[k].time + DT + 1e-9);
    }
    print_message("spiral: 200000 frames, error %.1e, %d hand-overs, at most %.6f s late; the side changes at %.3f s "
                  "(75.62363); jets %.2f a frame\n",
                  worst, EVENTS, late, crossed, (double)jets / 200000);
    assert_true(fabs(crossed - 75.62363121380919) <= DT);
    assert_true(worst <= 1e-14); /* some roundings of coordinates below 4 */
    assert_true(rise <= 1e-14);
    wit_tracker_destroy(t);
    wit_body_destroy(b);
}

/* ---- random paths -------------------------------------------------------------------------- */

static void random_paths_equal_cold(void** state)
{
    (void)state;
    wit_body* b = three_arcs();
    rng r = rng_seed(5);
    whole_run w = whole_start(b, NULL, NULL);
    long paths = campaign(200);
    for (long k = 0; k < paths; ++k) {
        smooth_path p = smooth_random(&r, vec3(0, 0, 0), vec3(3, 3, 0), 8);
        whole_again(&w);
        for (int i = 0; i < 500; ++i) {
            wit_vec3 q = smooth_point(&p, DT * i);
            wit_motion frame = in_plane(0.3 * i * DT, 0.1, 2 * i * DT), m = in_plane(q.x, q.y, 0);
            whole_step(&w, &frame, &m, DT);
        }
    }
    whole_print("three-arc", &w.tally);
    expect_clean(&w.tally);
    assert_true(w.tally.switched > paths / 2 && w.tally.jumped > 0);
    whole_end(&w);
    wit_body_destroy(b);
}

static void two_bodies_equal_cold(void** state)
{
    (void)state;
    wit_body* b = three_arcs();
    whole_run w = whole_start(b, b, NULL);
    long frames = campaign(40000);
    for (long k = 0; k < frames; ++k) {
        double t = 20 * (double)k / (double)frames, away = 3.6 + 0.5 * sin(1.7 * t);
        wit_motion ma = in_plane(0.2 * t, 0, 0.3 * t),
                   mb = in_plane(0.2 * t + away * cos(0.8 * t), away * sin(0.8 * t), -1.1 * t);
        whole_step(&w, &ma, &mb, DT);
    }
    whole_print("two three-arcs", &w.tally);
    expect_clean(&w.tally);
    assert_true(w.tally.switched > 20);
    whole_end(&w);
    wit_body_destroy(b);
}

/* A washer: rings without a vertex; the material lies between them. */
static void washer_is_left_and_entered_across_its_rings(void** state)
{
    (void)state;
    wit_curve* circles[2];
    wit_edge_def edges[2] = {{0}};
    wit_use_def uses[2] = {{0}};
    wit_loop_def loops[2];
    for (int k = 0; k < 2; ++k) {
        wit_curve_def c = wit_curve_default_def(WIT_CURVE_CIRCLE);
        c.radius = 2 - k;
        circles[k] = wit_curve_create(&c, NULL, NULL);
        edges[k] = (wit_edge_def){NULL, circles[k], {0, 0}, -1, -1};
        uses[k] = (wit_use_def){k, k == 1, NULL, {0, 0}};
        loops[k] = (wit_loop_def){1, &uses[k]};
    }
    wit_surface_def p = wit_surface_default_def(WIT_SURFACE_PLANE);
    p.range_u = p.range_v = iv(-3, 3);
    wit_surface* plane = wit_surface_create(&p, NULL, NULL);
    wit_face_def face = {NULL, plane, false, false, 2, loops};
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    d.planar = true;
    d.edge_count = 2;
    d.face_count = 1;
    d.edges = edges;
    d.faces = &face;
    wit_body* b = wit_body_create(&d, NULL, NULL);
    assert_non_null(b);
    const wit_motion rest = wit_motion_at_rest(wit_pose_identity());
    whole_run w = whole_start(b, NULL, NULL);
    for (int k = 0; k < 4000; ++k) {
        double t = DT * k, radius = 1.5 + 1.2 * cos(2.3 * t);
        wit_motion m = in_plane(radius * cos(3 * t), radius * sin(3 * t), 0);
        whole_step(&w, &rest, &m, DT);
        double exact = fmax(radius - 2, 1 - radius);
        assert_true(fabs(w.result.distance - exact) <= 1e-14);
    }
    whole_print("washer", &w.tally);
    expect_clean(&w.tally);
    assert_true(w.tally.jumped >= 2);
    whole_end(&w);
    wit_body_destroy(b);
    wit_surface_destroy(plane);
    for (int k = 0; k < 2; ++k) wit_curve_destroy(circles[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spiral_switches_within_one_frame_of_the_reference),
        cmocka_unit_test(random_paths_equal_cold),
        cmocka_unit_test(two_bodies_equal_cold),
        cmocka_unit_test(washer_is_left_and_entered_across_its_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
