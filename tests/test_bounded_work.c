/* SPDX-License-Identifier: MIT */
/*
 * Work that version 0.1 did beyond its budget or did not count, each case as it was found. What is evaluated, tested and bounded
 * is counted outside of the library (work_count.h): it is what the result says, it is within the budget, and what costs next
 * to no units takes next to no time.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../include/witness/io.h"
#include "../include/witness/track.h"
#include "../src/base/vec.h"
#include "random.h"
#include "work_count.h"

#define NS_PER_UNIT 200000 /* far above what any takes, far below what was uncounted */

static wit_model* model_of(const char* name)
{
    char path[64];
    wit_error e = {0};
    snprintf(path, sizeof path, "models/%s.json", name);
    wit_model* m = wit_model_read_file(path, NULL, &e);
    if (!m) fail_msg("%s: %s", path, e.text);
    return m;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(const char* what, const wit_work* w, int64_t budget, double seconds)
{
    if (budget < WIT_BUDGET_LEAST) budget = WIT_BUDGET_LEAST;
    if (!work_is_as_counted(w) || w->units > budget || seconds > 1e-9 * NS_PER_UNIT * (double)(w->units + 10))
        fail_msg("%s, budget %lld: %lld units, %lld jets and %lld tests, counted %lld and %lld, %.6f s", what,
                 (long long)budget, (long long)w->units, (long long)w->jets, (long long)w->tests,
                 (long long)counted_work.jets, (long long)counted_work.tests, seconds);
}

static wit_query* query_with(int64_t budget)
{
    wit_query_def d = wit_query_default_def();
    d.budget = budget;
    wit_query* q = wit_query_create(&d, NULL, NULL);
    assert_non_null(q);
    return q;
}

static wit_closest pair_asked(wit_query* q, const wit_body* x, const wit_body* y, wit_pose at, int64_t budget,
                              const char* what)
{
    wit_placed a = wit_placed_at(x, wit_pose_identity()), b = wit_placed_at(y, at);
    wit_closest c;
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        double from = cpu_seconds();
        work_count_start();
        assert_int_equal(wit_closest_pair(q, &a, &b, &c), WIT_OK);
        least = fmin(least, cpu_seconds() - from);
    }
    check(what, &c.work, budget, least);
    return c;
}

static void step_asked(wit_tracker* t, wit_pose at, int64_t budget, const char* what)
{
    wit_motion a = wit_motion_at_rest(wit_pose_identity()), b = wit_motion_at_rest(at);
    wit_result r;
    double from = cpu_seconds();
    work_count_start();
    assert_int_equal(wit_tracker_step(t, &a, &b, 1e-3, &r), WIT_OK);
    check(what, &r.work, budget, cpu_seconds() - from);
}

/* b beside a along x, moved up to it until they touch. */
static wit_pose touching_pose(const wit_body* x, const wit_body* y)
{
    wit_body_info a = wit_body_describe(x), b = wit_body_describe(y);
    wit_vec3 ca = scale3(0.5, add3(a.box.lo, a.box.hi)), cb = scale3(0.5, add3(b.box.lo, b.box.hi));
    double size = fmin(a.size, b.size);
    wit_pose p = {sub3(ca, cb), {1, 0, 0, 0}};
    p.position.x = a.box.hi.x - b.box.lo.x + 0.1 * size;
    wit_query* q = query_with(1000000);
    for (int k = 0; k < 40; k++) {
        wit_closest c = pair_asked(q, x, y, p, 1000000, "moving up");
        if (c.distance <= 1e-13 * size) break;
        p.position.x -= c.distance * fmax(0.05, fabs(c.normal.x));
    }
    wit_query_destroy(q);
    return p;
}

/* The start of a tracker booked 8 jets and made up to 1.4 million; solids that touch made searches beyond any budget; so did
 * frames with small budgets. */
static void steps_of_solids_that_touch_are_within_their_budget(void** state)
{
    (void)state;
    static const char* const names[][2] = {{"gear-a", "gear-b"},
                                           {"plate", "peg"},
                                           {"prism-dome", "three-ball"},
                                           {"goblet", "frustum"},
                                           {"torus-nurbs", "capsule"}};
    static const int64_t budgets[] = {64, 300, 648, 1000, 3000, 10000};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        wit_model *ma = model_of(names[n][0]), *mb = model_of(names[n][1]);
        const wit_body *a = wit_model_body(ma, 0), *b = wit_model_body(mb, 0);
        wit_pose touching = touching_pose(a, b);
        double size = fmin(wit_body_describe(a).size, wit_body_describe(b).size);
        const double gaps[4] = {0, 1e-13 * size, 1e-3 * size, -0.02 * size};
        for (int g = 0; g < 4; g++)
            for (size_t k = 0; k < sizeof budgets / sizeof budgets[0]; k++) {
                wit_track_def d = wit_track_default_def();
                d.budget = budgets[k];
                wit_tracker* t = wit_tracker_create(a, b, &d, NULL, NULL);
                assert_non_null(t);
                wit_pose p = touching;
                p.position.x += gaps[g];
                for (int f = 0; f < 20; f++, p.position.y += 1e-5 * size) step_asked(t, p, budgets[k], names[n][0]);
                wit_tracker_destroy(t);
            }
        wit_model_destroy(ma);
        wit_model_destroy(mb);
    }
}

/* A ring with one control point far off: its winding number took 33 ms in a step of 36 units. */
static wit_model* wild_ring(void)
{
    static char text[1 << 16];
    wit_error e = {0};
    FILE* f = fopen("models/torus-nurbs.json", "rb");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 64, f)] = 0;
    fclose(f);
    char* at = strstr(text, "[10, 10, -3]");
    assert_non_null(at);
    char* rest = at + strlen("[10, 10, -3]");
    memmove(at + strlen("[10, 1e12, -3]"), rest, strlen(rest) + 1);
    memcpy(at, "[10, 1e12, -3]", strlen("[10, 1e12, -3]"));
    wit_model* m = wit_model_read_text(text, strlen(text), NULL, &e);
    if (!m) fail_msg("wild ring: %s", e.text);
    return m;
}

static void signs_of_a_wild_ring_are_within_the_budget(void** state)
{
    (void)state;
    static const int64_t budgets[] = {1, 36, 100, 600, 3000, 10000, 200000};
    wit_model* m = wild_ring();
    for (size_t k = 0; k < sizeof budgets / sizeof budgets[0]; k++) {
        wit_query* q = query_with(budgets[k]);
        wit_track_def d = wit_track_default_def();
        d.budget = budgets[k] < 64 ? 64 : budgets[k];
        wit_tracker* t = wit_tracker_create(wit_model_body(m, 0), NULL, &d, NULL, NULL);
        assert_non_null(t);
        rng r = rng_seed(3);
        for (int i = 0; i < 20; i++) {
            double x = rng_range(&r, -20, 20), y = rng_range(&r, -20, 20);
            wit_pose p = {{x, y, rng_range(&r, -5, 5)}, {1, 0, 0, 0}};
            wit_placed a = wit_placed_at(wit_model_body(m, 0), wit_pose_identity());
            wit_closest c;
            double from = cpu_seconds();
            work_count_start();
            assert_int_equal(wit_closest_point(q, &a, p.position, &c), WIT_OK);
            check("point of the wild ring", &c.work, budgets[k], cpu_seconds() - from);
            step_asked(t, p, d.budget, "step of the wild ring");
        }
        wit_tracker_destroy(t);
        wit_query_destroy(q);
    }
    wit_model_destroy(m);
}

/* Searches within searches were dropped (a pair of gears), convexity of spline solids was proved in every query, and a cold
 * overlap with a budget of 1 took 60 ms and said "overlapping". */
static void cold_overlaps_are_within_the_budget(void** state)
{
    (void)state;
    static const char* const names[][2] = {{"gear-a", "gear-b"},           {"ellipsoids", "ellipsoids"},
                                           {"torus-nurbs", "torus-nurbs"}, {"box", "prism-dome"},
                                           {"three-ball", "frustum"},      {"shapes", "plate"}};
    static const int64_t budgets[] = {1, 8, 50, 300, 2000, 20000, 200000};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        wit_model *ma = model_of(names[n][0]), *mb = model_of(names[n][1]);
        const wit_body *a = wit_model_body(ma, 0), *b = wit_model_body(mb, 0);
        wit_body_info ia = wit_body_describe(a), ib = wit_body_describe(b);
        wit_pose p = {{0, 0, 0}, {1, 0, 0, 0}};
        p.position = scale3(0.5, sub3(add3(ia.box.lo, ia.box.hi), add3(ib.box.lo, ib.box.hi)));
        p.position.x += 0.3 * fmin(ia.size, ib.size);
        for (size_t k = 0; k < sizeof budgets / sizeof budgets[0]; k++) {
            wit_query* q = query_with(budgets[k]);
            wit_closest c = pair_asked(q, a, b, p, budgets[k], names[n][0]);
            assert_true(c.upper_bound < INFINITY);
            wit_query_destroy(q);
        }
        wit_model_destroy(ma);
        wit_model_destroy(mb);
    }
}

/* Pen and bowl crossing: bounded and counted at any budget. */
static void crossing_pen_and_bowl_is_counted(void** state)
{
    (void)state;
    static const int64_t budgets[] = {1, 300, 3000, 100000, 1000000};
    wit_model *pen = model_of("pen"), *bowl = model_of("bowl");
    rng r = rng_seed(77);
    for (size_t k = 0; k < sizeof budgets / sizeof budgets[0]; k++) {
        wit_query* q = query_with(budgets[k]);
        for (int i = 0; i < 6; i++) {
            wit_body_info b = wit_body_describe(wit_model_body(bowl, 0)), p = wit_body_describe(wit_model_body(pen, 0));
            wit_vec3 to = scale3(0.5, sub3(add3(b.box.lo, b.box.hi), add3(p.box.lo, p.box.hi)));
            double w = 0.2 * b.size, x = rng_range(&r, -w, w), y = rng_range(&r, -w, w);
            wit_pose at = {add3(to, vec3(x, y, rng_range(&r, -w, w))), {1, 0, 0, 0}};
            pair_asked(q, wit_model_body(bowl, 0), wit_model_body(pen, 0), at, budgets[k], "pen and bowl");
        }
        wit_query_destroy(q);
    }
    wit_model_destroy(pen);
    wit_model_destroy(bowl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_solids_that_touch_are_within_their_budget),
        cmocka_unit_test(signs_of_a_wild_ring_are_within_the_budget),
        cmocka_unit_test(cold_overlaps_are_within_the_budget),
        cmocka_unit_test(crossing_pen_and_bowl_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
