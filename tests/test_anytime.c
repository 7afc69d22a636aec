/* SPDX-License-Identifier: MIT */
/*
 * Whatever ends a query, its bracket holds the truth: budgets from 1 on, against closed forms in long double. Pairs that
 * overlap, points in and around thin rings, shells and plates; signs that are not proved are not claimed; the work stays
 * within the budget.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../include/witness/witness.h"
#include "campaign.h"
#include "analytic.h"

enum { BUDGETS = 9 };
static const int64_t budgets[BUDGETS] = {1, 3, 10, 50, 200, 1000, 5000, 20000, 200000};

typedef struct tally {
    long asked, wrong, over, certified, unproved;
} tally;

static wit_closest asked_with(wit_query* q, const wit_body* a, const wit_body* b, wit_pose at, int64_t budget,
                              bool rigorous)
{
    wit_query_def d = wit_query_default_def();
    d.budget = budget;
    d.rigorous = rigorous;
    wit_closest c;
    assert_int_equal(wit_query_set(q, &d, NULL), WIT_OK);
    wit_placed pa = wit_placed_at(a, wit_pose_identity());
    if (!b) {
        assert_int_equal(wit_closest_point(q, &pa, at.position, &c), WIT_OK);
    } else {
        wit_placed pb = wit_placed_at(b, at);
        assert_int_equal(wit_closest_pair(q, &pa, &pb, &c), WIT_OK);
    }
    return c;
}

/* The bracket holds the truth, certified is narrow, a claimed overlap is one, and the work is within the budget. */
static void judge(const char* name, const wit_closest* c, long double truth, double size, int64_t budget, tally* t)
{
    double dirt = 1e-13 * (size + fabs((double)truth));
    bool right = c->lower_bound <= truth + dirt && c->upper_bound >= truth - dirt;
    right &= c->lower_bound <= c->distance + dirt && c->distance <= c->upper_bound + dirt;
    if (c->certified) right &= fabsl(c->distance - truth) <= 1e-8 * (size + fabsl(truth));
    if (c->outcome == WIT_OUTCOME_OVERLAPPING) right &= truth <= dirt;
    if (c->outcome == WIT_OUTCOME_BEYOND) right = false;
    t->asked++;
    t->certified += c->certified;
    t->unproved += c->lower_bound < 0 && c->upper_bound > 0;
    t->over += c->work.units > (budget < WIT_BUDGET_LEAST ? WIT_BUDGET_LEAST : budget);
    right &= c->upper_bound < INFINITY;
    if (!right && t->wrong++ < 4)
        print_error("%s, budget %lld: %s %.17g in [%.17g, %.17g], certified %d, sign %s; truth %.17g\n", name,
                    (long long)budget, wit_outcome_name(c->outcome), c->distance, c->lower_bound, c->upper_bound,
                    c->certified, wit_sign_name(c->sign), (double)truth);
}

static void report(const char* name, const tally* t)
{
    print_message("  %-16s %7ld asked, %ld wrong, %ld over their budget, %ld certified, %ld of either sign\n", name,
                  t->asked, t->wrong, t->over, t->certified, t->unproved);
    assert_int_equal(t->wrong, 0);
    assert_int_equal(t->over, 0);
    assert_true(t->certified > 0);
}

static wit_body* solid(wit_solid_kind kind, double x, double y, double z)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.size_x = x, d.size_y = y, d.size_z = z;
    d.radius = x, d.radius2 = y, d.height = z;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

/* ---- points ---------------------------------------------------------------------------------- */

static void points_of_thin_rings_have_their_sign(void** state)
{
    (void)state;
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    for (int k = 0; k < 6; ++k) {
        double tube = pow(10, -0.7 * k - 0.3);
        wit_body* b = solid(WIT_SOLID_TORUS, 1, tube, 0);
        rng r = rng_seed(501 + (uint64_t)k);
        tally t = {0};
        for (long i = 0; i < campaign(20000); ++i) {
            double x = rng_range(&r, -1.2, 1.2);
            double y = rng_range(&r, -1.2, 1.2);
            double z = tube * rng_range(&r, -1, 1);
            if (i & 1) { /* close to the ring */
                double near = (1 + 2 * tube * rng_range(&r, -1, 1)) / hypot(x, y);
                x *= near, y *= near;
            }
            wit_pose at = {{x, y, z}, {1, 0, 0, 0}};
            long double truth = hypotl(hypotl(x, y) - 1, z) - tube;
            int64_t budget = budgets[i % BUDGETS];
            wit_closest c = asked_with(q, b, NULL, at, budget, i % 5 == 0);
            judge("ring", &c, truth, 2, budget, &t);
        }
        report("thin ring", &t);
        wit_body_destroy(b);
    }
    wit_query_destroy(q);
}

static long double box_distance_of(wit_vec3 p, const double h[3])
{
    long double x = fabsl(p.x) - h[0], y = fabsl(p.y) - h[1], z = fabsl(p.z) - h[2];
    long double out = sqrtl(fmaxl(x, 0) * fmaxl(x, 0) + fmaxl(y, 0) * fmaxl(y, 0) + fmaxl(z, 0) * fmaxl(z, 0));
    return out + fminl(0, fmaxl(x, fmaxl(y, z)));
}

static void points_of_thin_plates_have_their_sign(void** state)
{
    (void)state;
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    for (int k = 0; k < 5; ++k) {
        const double h[3] = {1, 0.7, pow(10, -k - 1)};
        wit_body* b = solid(WIT_SOLID_BOX, 2 * h[0], 2 * h[1], 2 * h[2]);
        rng r = rng_seed(511 + (uint64_t)k);
        tally t = {0};
        for (long i = 0; i < campaign(20000); ++i) {
            double x = rng_range(&r, -1.3, 1.3);
            double y = rng_range(&r, -1.3, 1.3);
            double z = h[2] * rng_range(&r, -3, 3);
            wit_pose at = {{x, y, z}, {1, 0, 0, 0}};
            int64_t budget = budgets[i % BUDGETS];
            wit_closest c = asked_with(q, b, NULL, at, budget, i % 5 == 0);
            judge("plate", &c, box_distance_of(at.position, h), 3, budget, &t);
        }
        report("thin plate", &t);
        wit_body_destroy(b);
    }
    wit_query_destroy(q);
}

/* A ball with a hollow in it, the wall as thin as one likes. */
static void points_of_thin_shells_have_their_sign(void** state)
{
    (void)state;
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    for (int k = 0; k < 4; ++k) {
        double wall = pow(10, -2.0 * k - 1);
        wit_surface_def s = wit_surface_default_def(WIT_SURFACE_SPHERE);
        wit_face_def faces[2];
        wit_surface* surfaces[2];
        memset(faces, 0, sizeof faces);
        for (int i = 0; i < 2; ++i) {
            s.radius = i ? 1 - wall : 1;
            surfaces[i] = wit_surface_create(&s, NULL, NULL);
            assert_non_null(surfaces[i]);
            faces[i].surface = surfaces[i];
            faces[i].reversed = i == 1;
        }
        wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
        d.faces = faces;
        d.face_count = 2;
        wit_body* b = wit_body_create(&d, NULL, NULL);
        assert_non_null(b);
        rng r = rng_seed(521 + (uint64_t)k);
        tally t = {0};
        for (long i = 0; i < campaign(10000); ++i) {
            double far = i & 1 ? 1 - wall * rng_range(&r, -1, 2) : rng_range(&r, 0.01, 1.5);
            wit_vec3 p = scale3(far, random_unit(&r));
            wit_pose at = {p, {1, 0, 0, 0}};
            long double n = sqrtl((long double)p.x * p.x + (long double)p.y * p.y + (long double)p.z * p.z);
            int64_t budget = budgets[i % BUDGETS];
            wit_closest c = asked_with(q, b, NULL, at, budget, i % 5 == 0);
            judge("shell", &c, fmaxl(n - 1, 1 - wall - n), 2, budget, &t);
        }
        report("thin shell", &t);
        wit_body_destroy(b);
        for (int i = 0; i < 2; ++i) wit_surface_destroy(surfaces[i]);
    }
    wit_query_destroy(q);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Balls: the signed distance of the centres less the radii, apart, crossing or one in the other. */
static void pairs_of_balls_are_held(void** state)
{
    (void)state;
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    wit_body *a = solid(WIT_SOLID_SPHERE, 1, 0, 0), *b = solid(WIT_SOLID_SPHERE, 0.3, 0, 0);
    rng r = rng_seed(531);
    tally t = {0};
    for (long i = 0; i < campaign(20000); ++i) {
        double far = rng_range(&r, 0.01, 2);
        wit_pose at = {scale3(far, random_unit(&r)), {1, 0, 0, 0}};
        wit_vec3 p = at.position;
        long double n = sqrtl((long double)p.x * p.x + (long double)p.y * p.y + (long double)p.z * p.z);
        int64_t budget = budgets[i % BUDGETS];
        wit_closest c = asked_with(q, a, b, at, budget, i % 5 == 0);
        judge("balls", &c, n - 1.3L, 1, budget, &t);
    }
    report("balls", &t);
    wit_body_destroy(a);
    wit_body_destroy(b);
    wit_query_destroy(q);
}

/* Boxes along the same axes: the gaps per axis, or the least way out. */
static void pairs_of_boxes_are_held(void** state)
{
    (void)state;
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    wit_body *a = solid(WIT_SOLID_BOX, 2, 1.4, 1), *b = solid(WIT_SOLID_BOX, 0.6, 0.4, 0.8);
    const double h[3] = {1.3, 0.9, 0.9};
    rng r = rng_seed(532);
    tally t = {0};
    for (long i = 0; i < campaign(20000); ++i) {
        wit_pose at = {{0, 0, 0}, {1, 0, 0, 0}};
        at.position.x = rng_range(&r, -1.8, 1.8);
        at.position.y = rng_range(&r, -1.3, 1.3);
        at.position.z = rng_range(&r, -1.3, 1.3);
        int64_t budget = budgets[i % BUDGETS];
        wit_closest c = asked_with(q, a, b, at, budget, i % 5 == 0);
        judge("boxes", &c, box_distance_of(at.position, h), 1, budget, &t);
    }
    report("boxes", &t);
    wit_body_destroy(a);
    wit_body_destroy(b);
    wit_query_destroy(q);
}

/* Deep in each other by the full budget: no smaller one may say that they are apart. */
static void overlapping_pairs_are_never_said_to_be_apart(void** state)
{
    (void)state;
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    wit_body* first[2] = {solid(WIT_SOLID_ELLIPSOID, 1, 0.7, 0.5), solid(WIT_SOLID_TORUS, 1, 0.3, 0)};
    wit_body* b = solid(WIT_SOLID_CYLINDER, 0.5, 0, 1);
    for (int k = 0; k < 2; ++k) {
        rng r = rng_seed(541);
        long asked = 0, wrong = 0, over = 0;
        for (long i = 0; i < campaign(1500); ++i) {
            wit_pose at = {.position = random_vector(&r, 0, 1.2)};
            at.rotation = wit_quat_about(random_unit(&r), rng_range(&r, 0, 6));
            wit_closest full = asked_with(q, first[k], b, at, 200000, false);
            if (full.outcome != WIT_OUTCOME_OVERLAPPING || full.distance > -0.02) continue;
            for (int m = 0; m < BUDGETS; ++m) {
                wit_closest c = asked_with(q, first[k], b, at, budgets[m], true);
                asked++;
                over += c.work.units > (budgets[m] < WIT_BUDGET_LEAST ? WIT_BUDGET_LEAST : budgets[m]);
                wrong += c.lower_bound >= 0 || (full.certified && c.lower_bound > full.upper_bound + 1e-9);
            }
        }
        print_message("  %ld questions about pairs that overlap, %ld said to be apart\n", asked, wrong);
        assert_true(asked > 50);
        assert_int_equal(wrong, 0);
        assert_int_equal(over, 0);
    }
    wit_body_destroy(first[0]);
    wit_body_destroy(first[1]);
    wit_body_destroy(b);
    wit_query_destroy(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_thin_rings_have_their_sign),
        cmocka_unit_test(points_of_thin_plates_have_their_sign),
        cmocka_unit_test(points_of_thin_shells_have_their_sign),
        cmocka_unit_test(pairs_of_balls_are_held),
        cmocka_unit_test(pairs_of_boxes_are_held),
        cmocka_unit_test(overlapping_pairs_are_never_said_to_be_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
