/* SPDX-License-Identifier: MIT */
/* Random points against every body, each answer judged by the dense search. */
#include "analytic.h"
#include "campaign.h"
#include "judge.h"

static const double tolerances[3] = {1e-6, 1e-9, 1e-12};

/* `count` points for one body, at random poses; tolerances and rigour in turn. */
static tally points_at(const cold_body* b, long count, rng* r, wit_query* query)
{
    tally t = {0};
    for (long k = 0; k < count; k++) {
        wit_query_def def = wit_query_default_def();
        def.tolerance = tolerances[k % 3];
        def.rigorous = k / 3 % 2;
        assert_int_equal(wit_query_set(query, &def, NULL), WIT_OK);
        asked q = {.def = &def, .a = b, .pose_a = wit_pose_identity()};
        if (k % 4) {
            q.pose_a.rotation = random_turn(r, b->info.planar);
            q.pose_a.position = random_vector(r, 0, b->size);
            if (b->info.planar) q.pose_a.position.z = 0;
        }
        q.point = wit_pose_point(&q.pose_a, random_place_at(r, b));
        if (b->info.planar) q.point.z = 0;
        wit_placed a = wit_placed_at(b->body, q.pose_a);
        wit_closest c;
        wit_status status = wit_closest_point(query, &a, q.point, &c);
        if (status) fail_msg("%s: %s", b->name, wit_status_name(status));
        judge_point(&t, &q, &c);
    }
    return t;
}

static void all_right(double scale, long full, uint64_t seed)
{
    static cold_body bodies[COLD_ROOM];
    int n = cold_all(scale, seed, bodies);
    long each = campaign(full) / n + 1;
    rng r = rng_seed(seed);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    assert_non_null(query);
    tally total = {0};
    for (int k = 0; k < n; k++) {
        tally t = points_at(&bodies[k], each, &r, query);
        tally_print(bodies[k].name, &t);
        tally_add(&total, &t);
        cold_drop(&bodies[k]);
    }
    char name[40];
    snprintf(name, sizeof name, "all, scale %g", scale);
    tally_print(name, &total);
    wit_query_destroy(query);
    assert_int_equal(total.wrong, 0);
    assert_int_equal(total.excluded, 0);
    assert_int_equal(total.gaps, 0);
    /* A judge that misses often proves little. */
    assert_true(total.weaker <= total.queries / 1000);
}

static void points_are_right_at_scale_one(void** state)
{
    (void)state;
    all_right(1, 160000, 401);
}

static void points_are_right_at_a_millionth(void** state)
{
    (void)state;
    all_right(1e-6, 40000, 402);
}

static void points_are_right_at_a_million(void** state)
{
    (void)state;
    all_right(1e6, 40000, 403);
}

/* New trims all the time, rather than many points at one of them. */
static void points_are_right_at_random_trims(void** state)
{
    (void)state;
    rng r = rng_seed(404);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    tally total = {0};
    long bodies = campaign(1200);
    for (long k = 0; k < bodies; k++) {
        cold_body b = cold_trimmed(&r, (int)(k % COLD_TRIMMED), 1);
        tally t = points_at(&b, 24, &r, query);
        tally_add(&total, &t);
        cold_drop(&b);
    }
    tally_print("random trimmed faces", &total);
    wit_query_destroy(query);
    assert_int_equal(total.wrong, 0);
    assert_int_equal(total.excluded, 0);
    assert_int_equal(total.gaps, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_right_at_scale_one),
        cmocka_unit_test(points_are_right_at_a_millionth),
        cmocka_unit_test(points_are_right_at_a_million),
        cmocka_unit_test(points_are_right_at_random_trims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
