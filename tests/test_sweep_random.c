/* SPDX-License-Identifier: MIT */
/*
 * Random motions of bodies of every kind, convex and not, of points and sheets: no impact is missed and none invented. The truth
 * is the cold query at many times: before the claimed time all are above the threshold, beside it closely so, at its end one is
 * at or below it; where nothing was claimed, none is. The least distance is held to the same.
 */
#include <stdlib.h>

#include "../include/witness/sweep.h"
#include "analytic.h"
#include "campaign.h"
#include "cold_bodies.h"

static wit_query *query, *judge;
static cold_body bodies[COLD_OWN];
static int body_count;

static int begin(void** state)
{
    (void)state;
    wit_query_def def = wit_query_default_def();
    query = wit_query_create(&def, NULL, NULL);
    def.tolerance = 1e-12;
    judge = wit_query_create(&def, NULL, NULL);
    body_count = cold_all(1, 17, bodies);
    return query && judge ? 0 : -1;
}

static int end(void** state)
{
    (void)state;
    for (int i = 0; i < body_count; ++i) cold_drop(&bodies[i]);
    wit_query_destroy(query);
    wit_query_destroy(judge);
    return 0;
}

static wit_pose pose_at(const wit_moving_body* m, double t)
{
    return wit_motion_after(&m->motion, t - m->since);
}

/* The bracket of the distance at a time, without a sign where a sweep has none. */
static wit_interval distance_at(const wit_sweep_def* d, double t)
{
    wit_placed a = wit_placed_at(d->a.body, pose_at(&d->a, t)), b = wit_placed_at(d->b.body, pose_at(&d->b, t));
    wit_closest c;
    assert_int_equal(b.body ? wit_closest_pair(judge, &a, &b, &c) : wit_closest_point(judge, &a, b.pose.position, &c),
                     WIT_OK);
    wit_interval x = {c.lower_bound, c.upper_bound};
    if (b.body || wit_body_describe(a.body).kind == WIT_BODY_SOLID || x.lo >= 0) return x;
    wit_interval back = {x.hi < 0 ? -x.hi : 0, fmax(-x.lo, x.hi)};
    return back;
}

typedef struct tally {
    long count[WIT_SWEEP_OUTCOME_COUNT], queries, most, uncertified, wide;
    double units;
} tally;

static void above_until(const wit_sweep_def* d, rng* r, double until, const char* what)
{
    enum { SAMPLES = 12 };
    for (int i = 0; i < SAMPLES; ++i) {
        /* all over, and crowded before the end */
        double share = i % 2 ? rng_double(r) : pow(10, -rng_range(r, 0, 9));
        double t = i % 2 ? d->from + share * (until - d->from) : until - share * (until - d->from);
        wit_interval x = distance_at(d, t);
        if (x.hi <= d->threshold) fail_msg("%s: missed: clear until %.15g, but %.17g at %.15g", what, until, x.hi, t);
    }
}

static void first_is_right(const wit_sweep_def* d, rng* r, const char* what, tally* sum)
{
    wit_impact hit;
    assert_int_equal(wit_sweep_first(query, d, &hit, NULL), WIT_OK);
    sum->count[hit.outcome]++;
    sum->queries += (long)hit.queries;
    sum->units += (double)hit.work.units;
    if (hit.queries > sum->most) sum->most = (long)hit.queries;
    assert_true(hit.work.units <= d->budget);
    assert_true(hit.time.lo >= d->from && hit.time.hi <= d->to);
    assert_true(hit.certified == (hit.reason == WIT_REASON_NONE));
    if (!hit.at_start) above_until(d, r, hit.outcome == WIT_SWEEP_CLEAR ? d->to : hit.time.lo, what);
    if (hit.outcome == WIT_SWEEP_REACHED) {
        wit_interval x = distance_at(d, hit.time.hi);
        if (x.lo > d->threshold) fail_msg("%s: invented: %.17g at %.15g", what, x.lo, hit.time.hi);
        if (!hit.certified) sum->uncertified++;
    }
}

static void least_is_right(const wit_sweep_def* d, rng* r, const char* what, tally* sum)
{
    wit_least least;
    assert_int_equal(wit_sweep_least(query, d, &least, NULL), WIT_OK);
    assert_true(least.lower_bound <= least.upper_bound);
    assert_true(least.work.units <= d->budget);
    sum->queries += (long)least.queries;
    sum->units += (double)least.work.units;
    if (least.queries > sum->most) sum->most = (long)least.queries;
    sum->wide += !least.certified;
    sum->count[WIT_SWEEP_CLEAR]++;
    bool deep = !d->b.body && wit_body_describe(d->a.body).kind == WIT_BODY_SOLID;
    for (int i = 0; i < 12; ++i) {
        double t = i % 2 ? rng_range(r, d->from, d->to)
                         : least.time + pow(10, -rng_range(r, 0, 9)) * ((i % 4 ? d->from : d->to) - least.time);
        wit_interval x = distance_at(d, t);
        if (!deep) x.hi = fmax(0, x.hi);
        if (x.hi < least.lower_bound)
            fail_msg("%s: lower bound %.17g, but %.17g at %.15g", what, least.lower_bound, x.hi, t);
    }
    wit_interval there = distance_at(d, least.time);
    double floor = deep ? there.lo : fmax(0, there.lo);
    if (floor > least.upper_bound + 1e-12)
        fail_msg("%s: upper bound %.17g, truth %.17g", what, least.upper_bound, there.lo);
}

static wit_motion toward(rng* r, double apart, double size)
{
    wit_motion m;
    m.pose.position = random_vector(r, 0.5 * apart, 1.5 * apart);
    m.pose.rotation = wit_quat_about(random_unit(r), rng_range(r, 0, 6));
    m.twist.velocity = addscaled3(random_vector(r, 0, size), -rng_range(r, 0.5, 3), m.pose.position);
    m.twist.angular = random_vector(r, 0, rng_int(r, 4) ? 3 : 0.1);
    m.twist_known = true;
    return m;
}

static wit_sweep_def random_sweep(rng* r, char* what, size_t room)
{
    const cold_body* a = &bodies[rng_int(r, body_count)];
    const cold_body* b = rng_int(r, 3) ? &bodies[rng_int(r, body_count)] : NULL;
    while (b && (b->info.unbounded || b->info.planar != a->info.planar)) b = &bodies[rng_int(r, body_count)];
    if (a->info.planar) return random_sweep(r, what, room);
    wit_sweep_def d = wit_sweep_default_def();
    double size = a->size + (b ? b->size : 0);
    wit_motion ma = toward(r, 0.1 * size, 0.1 * size), mb = toward(r, size, size);
    d.a = wit_moving_screw(a->body, 0, &ma);
    d.b = wit_moving_screw(b ? b->body : NULL, 0, &mb);
    d.from = rng_range(r, -0.2, 0.2);
    d.to = d.from + rng_range(r, 0.3, 1.3);
    if (rng_int(r, 2)) d.threshold = rng_range(r, 0, 0.3) * a->size;
    d.budget = 2000000;
    snprintf(what, room, "%s and %s", a->name, b ? b->name : "a point");
    return d;
}

static void no_impact_is_missed_and_none_invented(void** state)
{
    (void)state;
    rng r = rng_seed(17010);
    tally sum = {0};
    long n = campaign(20000);
    for (long i = 0; i < n; ++i) {
        char what[128];
        wit_sweep_def d = random_sweep(&r, what, sizeof what);
        first_is_right(&d, &r, what, &sum);
    }
    printf("first: %ld clear, %ld reached (%ld not as narrow as asked), %ld touching, %ld open; %.1f queries a sweep, "
           "%ld at "
           "most, %.0f units\n",
           sum.count[WIT_SWEEP_CLEAR], sum.count[WIT_SWEEP_REACHED], sum.uncertified, sum.count[WIT_SWEEP_TOUCHING],
           sum.count[WIT_SWEEP_OPEN], (double)sum.queries / (double)n, sum.most, sum.units / (double)n);
}

static void least_distances_hold(void** state)
{
    (void)state;
    rng r = rng_seed(17011);
    tally sum = {0};
    long n = campaign(1000);
    for (long i = 0; i < n; ++i) {
        char what[128];
        wit_sweep_def d = random_sweep(&r, what, sizeof what);
        d.tolerance = 1e-6;
        least_is_right(&d, &r, what, &sum);
    }
    printf("least: %ld, %ld wider than asked; %.1f queries a sweep, %ld at most, %.0f units\n", n, sum.wide,
           (double)sum.queries / (double)n, sum.most, sum.units / (double)n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_impact_is_missed_and_none_invented),
        cmocka_unit_test(least_distances_hold),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
