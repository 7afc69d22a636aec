/* SPDX-License-Identifier: MIT */
/*
 * Whole bodies tracked from outside: faces, edges and vertices handed over from one to the other. Every frame is held
 * against the cold query, every hand-over against the tolerance of its edge.
 */
#include "analytic.h"
#include "campaign.h"
#include "cold_bodies.h"
#include "three_ball.h"
#include "track_whole.h"

#define DT 0.001
#define SPEED 5 /* sizes a second */

static wit_motion point_at(wit_vec3 p)
{
    wit_pose pose = wit_pose_identity();
    pose.position = p;
    wit_motion m = wit_motion_at_rest(pose);
    m.twist_known = false;
    return m;
}

static void expect_clean(const whole_tally* t)
{
    assert_int_equal(t->wrong, 0);
    assert_int_equal(t->silent, 0);
    assert_int_equal(t->open, 0);
    assert_int_equal(t->raised, 0);
    assert_int_equal(t->broken, 0);
    assert_int_equal(t->cycles, 0);
}

/* ---- the three-ball body ------------------------------------------------------------------- */

/* Round the body and from above its upper vertex to below its lower one. */
static wit_vec3 helix(double t)
{
    double a = 2 * t, r = 0.9 + 0.8 * sin(0.9 * t);
    return vec3(r * cos(a) + 0.1, r * sin(a), 3.2 * cos(0.31 * t));
}

static void three_ball_on_a_helix_equals_cold(void** state)
{
    (void)state;
    const wit_motion rest = wit_motion_at_rest(wit_pose_identity());
    for (int how = 0; how < THREE_BALL_BUILDS; ++how) {
        wit_error e = {0};
        wit_body* body = three_ball_create((three_ball_build)how, 1, &e);
        if (!body) fail_msg("%s: %s", e.item, e.text);
        whole_run w = whole_start(body, NULL, NULL);
        long frames = campaign(100000);
        for (long k = 0; k < frames; ++k) {
            wit_motion m = point_at(helix(DT * (double)k * 100000 / (double)frames * 0.2));
            whole_step(&w, &rest, &m, DT);
        }
        char name[32];
        snprintf(name, sizeof name, "three-ball %d", how);
        whole_print(name, &w.tally);
        expect_clean(&w.tally);
        whole_end(&w);
        wit_body_destroy(body);
    }
}

static void two_three_balls_equal_cold(void** state)
{
    (void)state;
    const wit_motion rest = wit_motion_at_rest(wit_pose_identity());
    wit_error e = {0};
    wit_body* body = three_ball_create(THREE_BALL_RATIONAL, 1, &e);
    if (!body) fail_msg("%s: %s", e.item, e.text);
    whole_run w = whole_start(body, body, NULL);
    long frames = campaign(20000);
    for (long k = 0; k < frames; ++k) {
        double t = DT * (double)k * 20000 / (double)frames;
        wit_pose p = wit_pose_identity();
        p.position = scale3(4.5, unit3(vec3(cos(1.3 * t), sin(1.3 * t), 2 * sin(0.7 * t))));
        p.rotation = wit_quat_about(vec3(1, 2, 0.5), 0.9 * t);
        wit_motion m = wit_motion_at_rest(p);
        m.twist_known = false;
        whole_step(&w, &rest, &m, DT);
    }
    whole_print("two three-balls", &w.tally);
    expect_clean(&w.tally);
    whole_end(&w);
    wit_body_destroy(body);
}

/* ---- models -------------------------------------------------------------------------------- */

static void models_from_around_equal_cold(void** state)
{
    (void)state;
    static const char* const names[] = {"box",   "bowl",   "torus",      "plate",   "goblet",   "prism-dome",
                                        "prism", "cone",   "cylinder",   "capsule", "frustum",  "torus-nurbs",
                                        "pen",   "table1", "three-ball", "sphere",  "ellipsoid"};
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
        cold_body b = cold_model(names[n], 1);
        rng r = rng_seed(71 + n);
        whole_run w = whole_start(b.body, NULL, NULL);
        long paths = campaign(40);
        for (long k = 0; k < paths; ++k) {
            wit_vec3 half = scale3(0.5, sub3(b.info.box.hi, b.info.box.lo)),
                     room = scale3(0.35 * b.size, vec3(1, 1, 1));
            smooth_path p = smooth_random(&r, b.centre, add3(half, room), SPEED * b.size),
                        q = smooth_random(&r, vec3(0, 0, 0), room, b.size);
            whole_again(&w);
            for (int i = 0; i < 1000; ++i) {
                wit_motion m = smooth_motion(&p, DT * i, false), frame = smooth_motion(&q, DT * i, true);
                m.pose.position = wit_pose_point(&frame.pose, m.pose.position);
                whole_step(&w, &frame, &m, DT);
            }
        }
        whole_print(names[n], &w.tally);
        expect_clean(&w.tally);
        whole_end(&w);
        cold_drop(&b);
    }
}

/* ---- pairs of solids ----------------------------------------------------------------------- */

enum { KINDS = 9 };

static wit_body* random_solid(rng* r, int kind)
{
    static const wit_solid_kind kinds[KINDS] = {WIT_SOLID_BOX,      WIT_SOLID_SPHERE, WIT_SOLID_ELLIPSOID,
                                                WIT_SOLID_CYLINDER, WIT_SOLID_CONE,   WIT_SOLID_FRUSTUM,
                                                WIT_SOLID_CAPSULE,  WIT_SOLID_TORUS,  WIT_SOLID_PRISM};
    double polygon[10];
    wit_solid_def d = wit_solid_default_def(kinds[kind]);
    d.size_x = rng_range(r, 0.5, 2);
    d.size_y = rng_range(r, 0.5, 2);
    d.size_z = rng_range(r, 0.5, 2);
    d.radius = rng_range(r, 0.5, 1);
    d.radius2 = rng_range(r, 0.1, 0.4);
    d.height = rng_range(r, 0.5, 2);
    for (int k = 0; k < 5; ++k) {
        double a = (k + rng_range(r, -0.2, 0.2)) * 6.283185307179586 / 5;
        polygon[2 * k] = cos(a);
        polygon[2 * k + 1] = sin(a);
    }
    if (d.kind == WIT_SOLID_PRISM) {
        d.polygon_count = 5;
        d.polygon = polygon;
    }
    wit_error e = {0};
    wit_body* b = wit_solid_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    return b;
}

static wit_vec3 middle_of(const wit_body* b)
{
    wit_box x = wit_body_describe(b).box;
    return scale3(0.5, add3(x.lo, x.hi));
}

/* b on a way about a, never nearer than their balls. */
static void pair_path(whole_run* w, rng* r, int frames)
{
    wit_vec3 ca = middle_of(w->a), cb = middle_of(w->b);
    double reach = 0.5 * (wit_body_describe(w->a).size + wit_body_describe(w->b).size);
    smooth_path way = smooth_random(r, vec3(0, 0, 0), vec3(1, 1, 1), 3),
                turn = smooth_random(r, vec3(0, 0, 0), vec3(1, 1, 1), 3);
    double swing = rng_range(r, 1, 4), gap = rng_range(r, 0.02, 0.4);
    whole_again(w);
    for (int i = 0; i < frames; ++i) {
        double t = 4 * DT * i;
        wit_motion ma = smooth_motion(&turn, t, true), mb = smooth_motion(&way, t, true);
        wit_vec3 out = unit3(add3(smooth_point(&way, t), vec3(1.5, 0, 0)));
        double away = reach * (1 + gap * (1.05 + sin(swing * t)));
        wit_vec3 centre = addscaled3(wit_pose_point(&ma.pose, ca), away, out);
        mb.pose.position = sub3(centre, wit_pose_vector(&mb.pose, cb));
        whole_step(w, &ma, &mb, DT);
    }
}

static void pairs_of_solids_are_minima_or_flagged(void** state)
{
    (void)state;
    rng r = rng_seed(99);
    long pairs = campaign(450);
    whole_tally sum[2] = {{0}, {0}}; /* both convex; one is not */
    for (long k = 0; k < pairs; ++k) {
        int kind[2] = {(int)(k % KINDS), (int)(k / KINDS % KINDS)};
        wit_body *a = random_solid(&r, kind[0]), *b = random_solid(&r, kind[1]);
        bool convex = wit_body_check(a).convex && wit_body_check(b).convex;
        whole_run w = whole_start(a, b, NULL);
        w.quiet = !convex;
        pair_path(&w, &r, 200);
        whole_add(&sum[convex ? 0 : 1], &w.tally);
        if (convex && w.tally.wrong) print_message("  kinds %d and %d\n", kind[0], kind[1]);
        whole_end(&w);
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
    whole_print("convex pairs", &sum[0]);
    whole_print("pairs with a torus", &sum[1]);
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(sum[k].silent, 0);
        assert_int_equal(sum[k].no_minimum, 0);
        assert_int_equal(sum[k].raised, 0);
        assert_int_equal(sum[k].broken, 0);
    }
    assert_int_equal(sum[0].wrong, 0); /* a closest pair of convex bodies is the closest pair */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_ball_on_a_helix_equals_cold),
        cmocka_unit_test(two_three_balls_equal_cold),
        cmocka_unit_test(models_from_around_equal_cold),
        cmocka_unit_test(pairs_of_solids_are_minima_or_flagged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
