/* SPDX-License-Identifier: MIT */
/* Random points against every body, each answer judged by the dense search. */
#include "analytic.h"
#include "campaign.h"
#include "judge.h"

/* `count` points for one body, at random poses. */
static tally points_at(const cold_body* b, long count, rng* r, wit_query* query)
{
    tally t = {0};
    for (long k = 0; k < count; k++) {
        wit_query_def def = campaign_def(k);
        assert_int_equal(wit_query_set(query, &def, NULL), WIT_OK);
        asked q = {.def = &def, .a = b, .pose_a = campaign_pose(r, k, b)};
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

static void points_at_each(const cast* c, long count, rng* r, wit_query* query, tally* by_body)
{
    long each = count / (c->n - c->first) + 1;
    for (int k = c->first; k < c->n; k++) by_body[k] = points_at(&c->bodies[k], each, r, query);
}

static void points_are_right_at_scale_one(void** state)
{
    (void)state;
    campaign_run(1, campaign(160000), 401, points_at_each, 1000);
}

static void points_are_right_at_a_millionth(void** state)
{
    (void)state;
    campaign_run(1e-6, campaign(40000), 402, points_at_each, 1000);
}

static void points_are_right_at_a_million(void** state)
{
    (void)state;
    campaign_run(1e6, campaign(40000), 403, points_at_each, 1000);
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
    assert_all_right(&total);
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
