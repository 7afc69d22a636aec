/* SPDX-License-Identifier: MIT */
/* A point on random smooth paths about the surfaces of the benchmarks: every step against the cold query. */
#include <stdlib.h>

#include "../bench/surfaces.h"
#include "campaign.h"
#include "track_paths.h"

enum { RUN = 1000 }; /* steps of one path */

static const char* const names[BENCH_SURFACES] = {"Table I", "rational 20x20", "torus"};

/* One-sided for the patches: the distance goes through zero smoothly. The torus is a solid. */
static wit_body* surface_body(int which, bool signed_)
{
    bench_surface* s = test_malloc(sizeof *s);
    bench_surface_make(which, s);
    wit_body* b = track_body_of(&s->def, which == 2 ? WIT_BODY_SOLID : signed_ ? WIT_BODY_SHEET : WIT_BODY_SHEET2);
    test_free(s);
    return b;
}

static wit_query* precise_query(void)
{
    wit_query_def d = wit_query_default_def();
    d.tolerance = 1e-12;
    wit_query* q = wit_query_create(&d, NULL, NULL);
    assert_non_null(q);
    return q;
}

/* One path: the body sways too, and the point's place is given in its frame or, if `o` is null, in the world. */
typedef struct route {
    const wit_body* body;
    const over* o;
    sway of_body, of_point;
    double dt;
} route;

static void route_at(const route* p, double t, wit_motion* a, wit_motion* b)
{
    *a = sway_at(&p->of_body, t);
    if (!p->o) {
        *b = sway_at(&p->of_point, t);
        return;
    }
    *b = wit_motion_at_rest(wit_pose_identity());
    b->pose.position = wit_pose_point(&a->pose, over_at(p->o, t));
    b->twist_known = false;
}

static void follow(const route* p, wit_tracker* tracker, wit_query* query, int steps, track_tally* tally,
                   const char* what)
{
    track_judge judge = track_judge_make(p->body, NULL, 1e-12);
    for (int k = 0; k <= steps; k++) {
        wit_motion a, b;
        wit_result r;
        wit_closest cold;
        route_at(p, k * p->dt, &a, &b);
        assert_int_equal(wit_tracker_step(tracker, &a, &b, p->dt, &r), WIT_OK);
        wit_placed placed = wit_placed_at(p->body, a.pose);
        assert_int_equal(wit_closest_point(query, &placed, b.pose.position, &cold), WIT_OK);
        if (k == 0) { /* starts with the global search */
            wit_closest first = cold;
            track_tally none = {0};
            track_judge_step(&judge, &none, &a.pose, &b.pose, &r, &first, what);
            assert_int_equal(none.lost, 0);
        } else {
            track_judge_step(&judge, tally, &a.pose, &b.pose, &r, &cold, what);
        }
    }
}

static sway still(rng* r)
{
    return sway_make(r, vec3(0, 0, 0), 0, 0, 1);
}

/* Paths over the face; `factor` times the step of a thousandth of a second. */
static track_tally over_paths(int which, long steps, double factor, double height, uint64_t seed, const char* what)
{
    rng r = rng_seed(seed);
    wit_query* query = precise_query();
    wit_body* body = surface_body(which, true);
    double size = track_size(body, NULL);
    wit_tracker* tracker = track_start(body, NULL, NULL);
    track_tally tally = {0};
    for (long done = 0; done < steps; done += RUN) {
        over o = over_make(&r, body, 0, height * size, 1);
        route p = {.body = body, .o = &o, .dt = 1e-3 * factor};
        p.of_body = rng_int(&r, 2) ? sway_make(&r, vec3(0, 0, 0), size, 1, 1) : still(&r);
        wit_tracker_reset(tracker);
        follow(&p, tracker, query, steps - done < RUN ? (int)(steps - done) : RUN, &tally, what);
    }
    wit_tracker_destroy(tracker);
    wit_query_destroy(query);
    wit_body_destroy(body);
    return tally;
}

/* Paths in the space around, past borders and corners. */
static track_tally free_paths(int which, bool signed_, long steps, double factor, uint64_t seed, const char* what)
{
    rng r = rng_seed(seed);
    wit_query* query = precise_query();
    wit_body* body = surface_body(which, signed_);
    wit_box box = wit_body_describe(body).box;
    double size = track_size(body, NULL);
    wit_tracker* tracker = track_start(body, NULL, NULL);
    track_tally tally = {0};
    for (long done = 0; done < steps; done += RUN) {
        route p = {.body = body, .of_body = still(&r), .dt = 1e-3 * factor};
        p.of_point = sway_make(&r, scale3(0.5, add3(box.lo, box.hi)), 0.5 * size, 0, 1);
        wit_tracker_reset(tracker);
        follow(&p, tracker, query, steps - done < RUN ? (int)(steps - done) : RUN, &tally, what);
    }
    wit_tracker_destroy(tracker);
    wit_query_destroy(query);
    wit_body_destroy(body);
    return tally;
}

static void never_wrong(const track_tally* t)
{
    assert_int_equal(t->lost, 0);
    assert_int_equal(t->liars, 0);
    assert_int_equal(t->unfit, 0);
}

static void points_over_faces_agree_with_the_cold_query(void** state)
{
    (void)state;
    long steps = campaign(500000);
    for (int which = 0; which < BENCH_SURFACES; which++) {
        track_tally t = over_paths(which, steps, 1, 0.02, 601 + (uint64_t)which, names[which]);
        track_tally_print(names[which], &t);
        never_wrong(&t);
        assert_true(t.fell_back + t.reacquired <= t.steps / 100);
    }
}

static void points_past_borders_and_corners_agree_with_the_cold_query(void** state)
{
    (void)state;
    long steps = campaign(500000);
    for (int which = 0; which < BENCH_SURFACES; which++) {
        track_tally t = free_paths(which, false, steps, 1, 611 + (uint64_t)which, names[which]);
        track_tally_print(names[which], &t);
        never_wrong(&t);
        assert_true(t.fell_back + t.reacquired <= t.steps / 100);
        if (which < 2) assert_true(t.switched > 0);
    }
}

/* Signed, past the borders: the sign there is that of the normal cones. */
static void signs_of_sheets_agree_with_the_cold_query(void** state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        track_tally t = free_paths(which, true, campaign(100000), 1, 621 + (uint64_t)which, names[which]);
        track_tally_print(names[which], &t);
        never_wrong(&t);
    }
}

/*
 * Steps too large to be followed for sure may cost more or end OPEN, BUDGET or LOCAL; they may not end CERTIFIED and
 * wrong, nor CONVERGED at a place that is no closest pair.
 */
static void large_steps_are_never_wrong_with_confidence(void** state)
{
    (void)state;
    const double factors[2] = {10, 100};
    for (int which = 0; which < BENCH_SURFACES; which++)
        for (int f = 0; f < 2; f++) {
            char name[80];
            snprintf(name, sizeof name, "%s, steps times %g", names[which], factors[f]);
            long steps = campaign(100000);
            track_tally t = over_paths(which, steps / 2, factors[f], 0.1, 631, name);
            track_tally u = free_paths(which, false, steps / 2, factors[f], 641, name);
            track_tally_add(&t, &u);
            track_tally_print(name, &t);
            assert_int_equal(t.liars, 0);
            assert_int_equal(t.unfit, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_over_faces_agree_with_the_cold_query),
        cmocka_unit_test(points_past_borders_and_corners_agree_with_the_cold_query),
        cmocka_unit_test(signs_of_sheets_agree_with_the_cold_query),
        cmocka_unit_test(large_steps_are_never_wrong_with_confidence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
