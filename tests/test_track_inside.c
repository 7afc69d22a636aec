/* SPDX-License-Identifier: MIT */
/*
 * Points inside solids: the closest place is a way out, never on a convex edge, and at the medial axis it jumps to a feature
 * that is no neighbour. Depth and features of every frame are those of the cold query; the depth never changes by
 * more than the point moved, at jumps too.
 */
#include "analytic.h"
#include "campaign.h"
#include "cold_bodies.h"
#include "track_whole.h"

#define DT 0.001

/* A point of the body, at least a hundredth of its size deep. */
static wit_vec3 inner_point(rng* r, const cold_body* b)
{
    static const double away[7][3] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (;;) {
        double x = rng_range(r, b->info.box.lo.x, b->info.box.hi.x);
        double y = rng_range(r, b->info.box.lo.y, b->info.box.hi.y);
        wit_vec3 p = vec3(x, y, rng_range(r, b->info.box.lo.z, b->info.box.hi.z));
        bool in = true;
        for (int k = 0; k < 7; ++k)
            in = in && cold_holds(b, addscaled3(p, 0.01 * b->size, vec3(away[k][0], away[k][1], away[k][2])));
        if (in) return p;
    }
}

typedef struct way_inside {
    long inside, outside, convex_edges; /* frames; those with a witness on a convex edge though inside */
    double steepest;                    /* change of the distance over the way that the point moved */
    double widest;                      /* what a jump gained over the way */
} way_inside;

static void follow_path(whole_run* w, const cold_body* b, rng* r, int frames, way_inside* y)
{
    wit_vec3 room = scale3(0.2 * b->size, vec3(1, 1, 1)), last = vec3(0, 0, 0);
    smooth_path p = smooth_random(r, inner_point(r, b), room, 4 * b->size),
                q = smooth_random(r, vec3(0, 0, 0), room, b->size);
    double distance = 0, rounding = 1e-13 * b->size;
    whole_again(w);
    for (int i = 0; i < frames; ++i) {
        wit_motion m = smooth_motion(&p, DT * i, false), frame = smooth_motion(&q, DT * i, true);
        wit_vec3 at = m.pose.position;
        m.pose.position = wit_pose_point(&frame.pose, at);
        whole_step(w, &frame, &m, DT);
        if (w->cold.distance > 0.01 * b->size) return; /* out of the body: the next path */
        y->inside += w->cold.distance < 0;
        y->outside += w->cold.distance >= 0;
        y->convex_edges += w->result.distance < -1e-9 * b->size && w->result.a.feature == WIT_EDGE &&
                           wit_body_check_edge(b->body, w->result.a.id).character == WIT_EDGE_CONVEX;
        double way = norm3(sub3(at, last));
        if (i > 0) y->steepest = fmax(y->steepest, (fabs(w->result.distance - distance) - rounding) / way);
        wit_transition t;
        if (i > 0 && (w->result.flags & WIT_FLAG_JUMPED) && wit_tracker_transitions(w->tracker, &t, 1) && t.jumped)
            y->widest = fmax(y->widest, (fabs(t.before) - fabs(t.after) - rounding) / way);
        distance = w->result.distance;
        last = at;
    }
}

/* `jumps`: the least number of them per hundred paths. */
static void run(const char* name, uint64_t seed, int jumps)
{
    cold_body b = cold_model(name, 1);
    rng r = rng_seed(seed);
    whole_run w = whole_start(b.body, NULL, NULL);
    way_inside y = {0};
    long paths = campaign(1000);
    for (long k = 0; k < paths; ++k) follow_path(&w, &b, &r, 400, &y);
    whole_print(name, &w.tally);
    print_message("  inside %ld, outside %ld; change of the depth over the way at most %.9f, of a jump %.6f\n",
                  y.inside, y.outside, y.steepest, y.widest);
    assert_int_equal(w.tally.wrong, 0);
    assert_int_equal(w.tally.silent, 0);
    assert_int_equal(w.tally.open, 0);
    assert_int_equal(w.tally.other, 0);
    assert_int_equal(w.tally.raised, 0);
    assert_int_equal(w.tally.broken, 0);
    assert_int_equal(w.tally.cycles, 0);
    assert_int_equal(y.convex_edges, 0);
    assert_true(y.inside > 2 * y.outside);
    assert_true(w.tally.jumped * 100 >= paths * jumps - 1000); /* the medial axis was crossed; ten less may be chance */
    /* 1 up to the rounding of the way; before a jump both feet are as far, and each distance changes by the way at most */
    assert_true(y.steepest <= 1 + 1e-9);
    assert_true(y.widest <= 2 + 1e-9);
    whole_end(&w);
    cold_drop(&b);
}

static void box_depth_equals_cold(void** state)
{
    (void)state;
    run("box", 1, 50);
}

static void three_ball_depth_equals_cold(void** state)
{
    (void)state;
    run("three-ball", 2, 50);
}

static void torus_depth_equals_cold(void** state)
{
    (void)state;
    run("torus", 3, 0);
}

static void bowl_depth_equals_cold(void** state)
{
    (void)state;
    run("bowl", 4, 20);
}

static void plate_depth_equals_cold(void** state)
{
    (void)state;
    run("plate", 5, 20);
}

static void prism_depth_equals_cold(void** state)
{
    (void)state;
    run("prism", 6, 50);
}

static void cone_depth_equals_cold(void** state)
{
    (void)state;
    run("cone", 7, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_depth_equals_cold),   cmocka_unit_test(three_ball_depth_equals_cold),
        cmocka_unit_test(torus_depth_equals_cold), cmocka_unit_test(bowl_depth_equals_cold),
        cmocka_unit_test(plate_depth_equals_cold), cmocka_unit_test(prism_depth_equals_cold),
        cmocka_unit_test(cone_depth_equals_cold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
