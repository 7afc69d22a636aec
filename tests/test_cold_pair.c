/* SPDX-License-Identifier: MIT */
/* Random pairs of bodies at random poses, each answer judged by the dense search. */
#include "analytic.h"
#include "campaign.h"
#include "judge.h"

/* A pose at which b stands beside a, near it, or through it. */
static wit_pose beside(rng* r, const cold_body* a, const wit_pose* pose_a, const cold_body* b)
{
    bool planar = b->info.planar;
    wit_pose p = {.rotation = random_turn(r, planar)};
    wit_vec3 way = random_unit(r);
    double far = 0.5 * (a->size + b->size) * rng_range(r, 0.2, 1.6);
    if (planar) way = unit3(vec3(way.x, way.y, 0));
    wit_vec3 at = wit_pose_point(pose_a, a->centre);
    p.position = sub3(addscaled3(at, far, way), wit_pose_vector(&p, b->centre));
    return p;
}

static void ask(const cold_body* a, const cold_body* b, long k, rng* r, wit_query* query, tally* t)
{
    wit_query_def def = campaign_def(k);
    assert_int_equal(wit_query_set(query, &def, NULL), WIT_OK);
    asked q = {.def = &def, .a = a, .b = b, .pose_a = campaign_pose(r, k, a)};
    q.pose_b = beside(r, a, &q.pose_a, b);
    wit_placed at_a = wit_placed_at(a->body, q.pose_a), at_b = wit_placed_at(b->body, q.pose_b);
    wit_closest c;
    wit_status status = wit_closest_pair(query, &at_a, &at_b, &c);
    if (status) fail_msg("%s and %s: %s", a->name, b->name, wit_status_name(status));
    judge_pair(t, &q, &c);
}

/* Planar bodies meet in their plane only; the dense search takes one unbounded body. */
static bool may_meet(const cold_body* a, const cold_body* b)
{
    return a->info.planar == b->info.planar && !(a->info.unbounded && b->info.unbounded);
}

static void random_pairs(const cast* c, long count, rng* r, wit_query* query, tally* by_body)
{
    const cold_body* bodies = c->bodies;
    for (long k = 0; k < count;) {
        int i = c->first + rng_int(r, c->n - c->first);
        int j = rng_int(r, c->n);
        if (bodies[i].info.planar) j = i;
        if (!may_meet(&bodies[i], &bodies[j])) continue;
        ask(&bodies[i], &bodies[j], k++, r, query, &by_body[i]);
    }
}

static void pairs_are_right_at_scale_one(void** state)
{
    (void)state;
    campaign_run(1, campaign(20000), 411, random_pairs, 200);
}

static void pairs_are_right_at_a_millionth(void** state)
{
    (void)state;
    campaign_run(1e-6, campaign(2500), 412, random_pairs, 200);
}

static void pairs_are_right_at_a_million(void** state)
{
    (void)state;
    campaign_run(1e6, campaign(2500), 413, random_pairs, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_right_at_scale_one),
        cmocka_unit_test(pairs_are_right_at_a_millionth),
        cmocka_unit_test(pairs_are_right_at_a_million),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
