/* SPDX-License-Identifier: MIT */
/*
 * The depth of overlapping convex bodies. The judge is the support sum h_a(n) + h_b(-n) from formulas of its own: the depth is
 * its value at the normal of the answer (so it is not too small), and no sampled direction is below the bracket (so it
 * is not too large).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/query.h"
#include "campaign.h"
#include "convex_solids.h"
#include "placing.h"

static wit_query* query_of(double tolerance)
{
    wit_query_def d = wit_query_default_def();
    d.tolerance = tolerance;
    wit_query* q = wit_query_create(&d, NULL, NULL);
    assert_non_null(q);
    return q;
}

static wit_closest asked(wit_query* q, const wit_body* a, wit_pose at_a, const wit_body* b, wit_pose at_b)
{
    wit_placed x = wit_placed_at(a, at_a), y = wit_placed_at(b, at_b);
    wit_closest c;
    assert_int_equal(wit_closest_pair(q, &x, &y, &c), WIT_OK);
    return c;
}

/* b - a = distance * normal, and the bracket holds the distance. */
static bool consistent(const wit_closest* c, double slack)
{
    wit_vec3 rest = sub3(sub3(c->b.point, c->a.point), scale3(c->distance, c->normal));
    return norm3(rest) <= slack && c->lower_bound <= c->distance && c->distance <= c->upper_bound &&
           fabs(norm3(c->normal) - 1) <= 1e-14;
}

/* ---- closed forms --------------------------------------------------------------------------- */

static void depth_of_balls_is_the_sum_of_the_radii_less_the_way(void** state)
{
    (void)state;
    wit_query* q = query_of(1e-12);
    rng r = rng_seed(91);
    for (int k = 0; k < 100; ++k) {
        double ra = rng_range(&r, 0.5, 2), rb = rng_range(&r, 0.1, 2), way = rng_range(&r, 0, ra + rb - 1e-3);
        convex_solid a = convex_solid_of(WIT_SOLID_SPHERE, ra, 0, 0), b = convex_solid_of(WIT_SOLID_SPHERE, rb, 0, 0);
        wit_vec3 n = random_unit(&r);
        wit_closest c = asked(q, a.body, at(0, 0, 0), b.body, at(way * n.x, way * n.y, way * n.z));
        assert_int_equal(c.outcome, WIT_OUTCOME_OVERLAPPING);
        assert_true(c.certified && consistent(&c, 1e-14));
        assert_true(fabs(c.distance - (way - ra - rb)) <= 1e-14);
        if (way > 1e-3) assert_true(norm3(sub3(c.normal, n)) <= 1e-12);
        wit_body_destroy(a.body);
        wit_body_destroy(b.body);
    }
    wit_query_destroy(q);
}

/* Boxes: the depth is attained at a face normal of either or across an edge of each. */
static double boxes_depth(const convex_solid* a, const wit_pose* at_a, const convex_solid* b, const wit_pose* at_b)
{
    const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double least = INFINITY;
    for (int i = 0; i < 15; ++i) {
        wit_vec3 x = wit_pose_vector(at_a, axes[i % 3]), y = wit_pose_vector(at_b, axes[i < 6 ? i % 3 : i / 3 - 2]);
        wit_vec3 n = i < 3 ? x : i < 6 ? y : cross3(x, y);
        if (norm3(n) < 1e-9) continue;
        n = unit3(n);
        least = fmin(least, convex_sum(a, at_a, b, at_b, n));
        least = fmin(least, convex_sum(a, at_a, b, at_b, scale3(-1, n)));
    }
    return least;
}

static void depth_of_boxes_is_that_of_fifteen_axes(void** state)
{
    (void)state;
    wit_query* q = query_of(1e-12);
    rng r = rng_seed(92);
    long count = campaign(3000), overlapping = 0;
    double worst = 0;
    for (long k = 0; k < count; ++k) {
        convex_solid a = convex_solid_random(&r, WIT_SOLID_BOX, 1), b = convex_solid_random(&r, WIT_SOLID_BOX, 1);
        wit_pose at_a = random_place(&r, 1), at_b = random_place(&r, 1);
        double depth = boxes_depth(&a, &at_a, &b, &at_b);
        wit_closest c = asked(q, a.body, at_a, b.body, at_b);
        assert_true((c.outcome == WIT_OUTCOME_OVERLAPPING) == (depth > 0));
        if (depth > 0) {
            assert_true(c.certified && consistent(&c, 1e-13));
            worst = fmax(worst, fabs(c.distance + depth));
        }
        overlapping += depth > 0;
        wit_body_destroy(a.body);
        wit_body_destroy(b.body);
    }
    print_message("  %ld of %ld pairs of boxes overlap, worst error of the depth %.1e\n", overlapping, count, worst);
    assert_true(worst <= 1e-14);
    wit_query_destroy(q);
}

/* ---- random pairs --------------------------------------------------------------------------- */

typedef struct tally {
    long pairs, overlapping, certified, wrong, excluded, missed;
    double value, nodes, most;
} tally;

static void judge(tally* t, rng* r, wit_query* q, const convex_solid* a, const convex_solid* b, wit_pose at_a,
                  wit_pose at_b, double size)
{
    wit_vec3 n;
    double least = convex_sum_least(r, a, &at_a, b, &at_b, 1000, &n), dirt = 1e-14 * size;
    wit_closest c = asked(q, a->body, at_a, b->body, at_b);
    t->pairs++;
    if (c.outcome != WIT_OUTCOME_OVERLAPPING) {
        /* a plane across the normal is between them, to the tolerance; a direction that says so may be hard to sample */
        bool apart = convex_sum(a, &at_a, b, &at_b, c.normal) <= 1e-9 * size;
        t->missed += !apart;
        return;
    }
    double value = convex_sum(a, &at_a, b, &at_b, c.normal);
    t->overlapping++;
    t->certified += c.certified;
    t->value = fmax(t->value, fabs(value + c.distance));
    t->wrong += !consistent(&c, 16 * dirt) || !(-c.distance <= least + 1e-9 * size) || least < 0;
    t->excluded += -c.upper_bound > least + dirt || -c.lower_bound < value - dirt;
    t->nodes += (double)c.work.nodes;
    t->most = fmax(t->most, (double)c.work.nodes);
}

static void told(const tally* t, const char* what, double size)
{
    print_message(
        "  %s: %ld pairs, %ld overlap, %ld certified, wrong %ld, excluded %ld, missed %ld; depth off by %.1e of the "
        "size; nodes mean %.0f most %.0f\n",
        what, t->pairs, t->overlapping, t->certified, t->wrong, t->excluded, t->missed, t->value / size,
        t->overlapping ? t->nodes / (double)t->overlapping : 0, t->most);
    assert_int_equal(t->wrong, 0);
    assert_int_equal(t->excluded, 0);
    assert_int_equal(t->missed, 0);
    assert_int_equal(t->certified, t->overlapping);
    assert_true(t->value <= 1e-13 * size);
}

static void random_pairs(double size, double tolerance, double shallow, long full, const char* what)
{
    wit_query* q = query_of(tolerance);
    rng r = rng_seed(93);
    tally t = {0};
    long count = campaign(full);
    for (long k = 0; k < count; ++k) {
        convex_solid a = convex_solid_random(&r, convex_kinds[k % CONVEX_KINDS], size);
        convex_solid b = convex_solid_random(&r, convex_kinds[(k / CONVEX_KINDS) % CONVEX_KINDS], size);
        wit_pose at_a = random_place(&r, size), at_b = random_place(&r, size);
        if (shallow > 0) { /* b out, until about that is left */
            wit_vec3 n;
            double s = convex_sum_least(&r, &a, &at_a, &b, &at_b, 1000, &n);
            at_b.position = addscaled3(at_b.position, s - shallow * size, n);
        }
        judge(&t, &r, q, &a, &b, at_a, at_b, size);
        wit_body_destroy(a.body);
        wit_body_destroy(b.body);
    }
    wit_query_destroy(q);
    told(&t, what, size);
}

static void depth_of_random_pairs_is_that_of_a_dense_search(void** state)
{
    (void)state;
    random_pairs(1, 1e-9, 0, 3000, "deep");
    random_pairs(1, 1e-12, 1e-2, 2000, "a hundredth deep");
    random_pairs(1e-6, 1e-9, 0, 1000, "deep, a millionth in size");
    random_pairs(1e6, 1e-9, 1e-4, 1000, "shallow, a million in size");
}

/* Placements within 1e-5 of touch, inside and outside: the outcome is that of the support sum. */
static void overlap_is_told_from_apart_next_to_touch(void** state)
{
    (void)state;
    wit_query_def d = wit_query_default_def();
    d.budget = 1000; /* a small gap may leave the bracket open: not what is asked here */
    wit_query *q = wit_query_create(&d, NULL, NULL), *wide = query_of(1e-12);
    assert_non_null(q);
    rng r = rng_seed(94);
    long count = campaign(100000), wrong = 0, inside = 0, unsure = 0;
    convex_solid solids[CONVEX_KINDS][3];
    for (int i = 0; i < CONVEX_KINDS; ++i)
        for (int k = 0; k < 3; ++k) solids[i][k] = convex_solid_random(&r, convex_kinds[i], 1);
    for (long k = 0; k < count; ++k) {
        const convex_solid* a = &solids[k % CONVEX_KINDS][rng_int(&r, 3)];
        const convex_solid* b = &solids[(k / CONVEX_KINDS) % CONVEX_KINDS][rng_int(&r, 3)];
        wit_pose at_a = random_place(&r, 1), at_b = random_place(&r, 1);
        /* out to where a random direction separates them just so, then in or out by a little */
        wit_vec3 n = random_unit(&r);
        double by = pow(10, rng_range(&r, -8, -5)) * (k & 1 ? 1 : -1);
        at_b.position = addscaled3(at_b.position, convex_sum(a, &at_a, b, &at_b, n) + 1, n);
        wit_closest far = asked(wide, a->body, at_a, b->body, at_b);
        at_b.position = addscaled3(at_b.position, by - far.distance, far.normal);
        wit_closest c = asked(q, a->body, at_a, b->body, at_b);
        if (by < 0 && c.outcome == WIT_OUTCOME_BUDGET) c = asked(wide, a->body, at_a, b->body, at_b);
        /* moved along the closest gap: the distance is `by` outside; inside that direction still says so */
        double s = convex_sum(a, &at_a, b, &at_b, far.normal);
        bool said = c.outcome == WIT_OUTCOME_OVERLAPPING;
        /* points that were moved past each other may be apart sideways, or less deep: another direction shows it */
        if (s > 0 && !said) {
            s = convex_sum_least(&r, a, &at_a, b, &at_b, 4000, &n);
            if (c.distance > 0) s = fmin(s, convex_sum(a, &at_a, b, &at_b, c.normal));
        }
        bool overlapping = s > 0, sure = fabs(s) >= 1e-9;
        unsure += !sure;
        if (sure && said != overlapping && wrong++ < 4)
            print_message("    kinds %d and %d, %.3g, %.3g: %s\n", a->kind, b->kind, by, s,
                          wit_outcome_name(c.outcome));
        inside += overlapping;
    }
    print_message("  %ld placements near touch, %ld of them inside, %ld wrong, %ld within the tolerance\n", count,
                  inside, wrong, unsure);
    for (int i = 0; i < CONVEX_KINDS; ++i)
        for (int k = 0; k < 3; ++k) wit_body_destroy(solids[i][k].body);
    wit_query_destroy(q);
    wit_query_destroy(wide);
    assert_int_equal(wrong, 0);
    assert_true(inside > count / 4);
}

/* ---- special places ------------------------------------------------------------------------- */

static void expect(wit_query* q, const wit_body* a, wit_pose at_a, const wit_body* b, wit_pose at_b, double depth)
{
    wit_closest c = asked(q, a, at_a, b, at_b);
    assert_int_equal(c.outcome, WIT_OUTCOME_OVERLAPPING);
    assert_true(c.certified && consistent(&c, 1e-13));
    assert_true(fabs(c.distance + depth) <= 1e-13);
    assert_true(c.work.nodes <= 200000);
}

static void symmetric_overlaps_have_a_depth(void** state)
{
    (void)state;
    wit_query* q = query_of(1e-9);
    convex_solid can = convex_solid_of(WIT_SOLID_CYLINDER, 1, 0, 6),
                 pin = convex_solid_of(WIT_SOLID_CYLINDER, 0.5, 0, 8);
    convex_solid box = convex_solid_of(WIT_SOLID_BOX, 1, 2, 3), ball = convex_solid_of(WIT_SOLID_SPHERE, 0.25, 0, 0);
    convex_solid cone = convex_solid_of(WIT_SOLID_CONE, 1, 0, 2);
    expect(q, can.body, at(0, 0, 0), pin.body, at(0, 0, -1), 1.5);       /* coaxial: sideways, a circle of ways */
    expect(q, can.body, at(0, 0, 0), pin.body, at(0, 0, 5.75), 0.25);    /* coaxial: along the axis */
    expect(q, can.body, at(0, 0, 0), can.body, at(0, 0, 0), 2);          /* coincident */
    expect(q, can.body, at(0, 0, 0), can.body, at(1.5, 0, 1), 0.5);      /* parallel, side by side */
    expect(q, box.body, at(0, 0, 0), box.body, at(1.5, 0.25, 0.5), 0.5); /* parallel boxes */
    expect(q, box.body, at(0, 0, 0), ball.body, at(0.5, 0, 0), 0.75);    /* a ball inside */
    expect(q, box.body, at(0, 0, 0), ball.body, at(0, 0, 0), 1.25);      /* in the middle */
    expect(q, ball.body, at(0, 0, 0), ball.body, at(0, 0, 0), 0.5);      /* concentric */
    /* a cone on the axis of a can, point up and base flush with the can's: out through the base */
    expect(q, can.body, at(0, 0, 0), cone.body, at(0, 0, 5), 1);
    convex_solid* all[] = {&can, &pin, &box, &ball, &cone};
    for (int i = 0; i < 5; ++i) wit_body_destroy(all[i]->body);
    wit_query_destroy(q);
}

static void touching_is_not_overlapping(void** state)
{
    (void)state;
    wit_query* q = query_of(1e-9);
    convex_solid box = convex_solid_of(WIT_SOLID_BOX, 1, 1, 1), ball = convex_solid_of(WIT_SOLID_SPHERE, 0.5, 0, 0);
    wit_closest c = asked(q, box.body, at(0, 0, 0), box.body, at(2, 0.5, 0.25));
    assert_int_equal(c.outcome, WIT_OUTCOME_TOUCHING);
    c = asked(q, box.body, at(0, 0, 0), ball.body, at(0, 0, 1.5));
    assert_int_equal(c.outcome, WIT_OUTCOME_TOUCHING);
    assert_true(fabs(c.distance) <= 1e-14);
    wit_body_destroy(box.body);
    wit_body_destroy(ball.body);
    wit_query_destroy(q);
}

static void half_space_holds_any_body_by_its_lowest_point(void** state)
{
    (void)state;
    wit_query* q = query_of(1e-9);
    rng r = rng_seed(95);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_HALF_SPACE), ring = wit_solid_default_def(WIT_SOLID_TORUS);
    ring.radius = 2, ring.radius2 = 0.5;
    wit_body *half = wit_solid_create(&d, NULL, NULL), *torus = wit_solid_create(&ring, NULL, NULL);
    for (int k = 0; k < 60; ++k) {
        wit_pose at_half = random_place(&r, 3), at_body = random_place(&r, 3);
        wit_vec3 up = wit_pose_vector(&at_half, vec3(0, 0, 1)), m = wit_pose_unvector(&at_body, up);
        double height = dot3(up, sub3(at_body.position, at_half.position));
        double low = height - 2 * sqrt(m.x * m.x + m.y * m.y) - 0.5;
        wit_closest c = asked(q, torus, at_body, half, at_half);
        assert_true(fabs(c.distance - low) <= 1e-13);
        assert_true(c.certified && norm3(add3(c.normal, up)) <= 1e-12);
        assert_int_equal(c.outcome == WIT_OUTCOME_OVERLAPPING, low < 0);
    }
    wit_body_destroy(half);
    wit_body_destroy(torus);
    wit_query_destroy(q);
}

/* A prism on some corners of an ellipse: its faces are parts of their parameter boxes. */
static wit_body* random_prism(rng* r)
{
    enum { MOST = 8 };
    double corner[2 * MOST], phase = rng_range(r, 0, 6), wide = pow(10, rng_range(r, -1, 1));
    int n = 3 + rng_int(r, MOST - 2);
    for (int k = 0; k < n; ++k) {
        double angle = phase + 6.28 / n * (k + rng_range(r, -0.4, 0.4));
        corner[2 * k] = wide * cos(angle);
        corner[2 * k + 1] = sin(angle);
    }
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    d.polygon_count = n;
    d.polygon = corner;
    d.height = pow(10, rng_range(r, -1, 1));
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

/* Off its body by less than rounding; the point query is the judge of other tests. */
static double off_body(wit_query* q, const wit_body* body, wit_pose at, const wit_witness* w)
{
    wit_placed p = wit_placed_at(body, at);
    wit_closest c;
    assert_int_equal(wit_closest_point(q, &p, w->point, &c), WIT_OK);
    return fabs(c.distance);
}

/* Directions within a coarse tolerance of the best may be normals of faces beside which the other body comes out. */
static void witnesses_of_a_coarse_depth_are_on_their_bodies(void** state)
{
    (void)state;
    rng r = rng_seed(98);
    wit_query* fine = query_of(1e-9);
    int certified = 0, pairs = 0, cases = (int)campaign(20000);
    for (int k = 0; k < cases; ++k) {
        wit_query_def d = wit_query_default_def();
        d.tolerance = pow(10, rng_range(&r, -6, -1));
        if (k & 2) d.budget = (int64_t)pow(10, rng_range(&r, 3, 5));
        wit_query* q = wit_query_create(&d, NULL, NULL);
        wit_body *a = random_prism(&r), *b = random_prism(&r);
        wit_pose at_a = random_place(&r, 0.5), at_b = at_a;
        wit_vec3 aside = scale3(rng_range(&r, 0, 1), random_unit(&r));
        wit_pose hair = turned(aside.x, aside.y, aside.z, random_unit(&r), pow(10, rng_range(&r, -8, -1)));
        at_b = wit_pose_compose(&at_b, &hair);
        if (k & 1) at_b = random_place(&r, 0.5);
        wit_closest c = asked(q, a, at_a, b, at_b);
        if (c.outcome == WIT_OUTCOME_OVERLAPPING && c.distance < 0) {
            double off = fmax(off_body(fine, a, at_a, &c.a), off_body(fine, b, at_b, &c.b));
            if (off > 1e-11)
                fail_msg("case %d: a witness %g off its body, %s, budget %lld", k, off,
                         c.certified ? "certified" : "not certified", (long long)d.budget);
            assert_true(consistent(&c, 2e-8)); /* 1e-9 of the size */
            certified += c.certified || k & 2;
            pairs++;
        }
        wit_body_destroy(a);
        wit_body_destroy(b);
        wit_query_destroy(q);
    }
    assert_true(pairs > cases / 4 && certified >= 0.99 * pairs);
    wit_query_destroy(fine);
}

/* ---- contract ------------------------------------------------------------------------------- */

static void swapping_overlapping_bodies_changes_no_other_bit(void** state)
{
    (void)state;
    wit_query* q = query_of(1e-9);
    rng r = rng_seed(96);
    for (int k = 0; k < 60; ++k) {
        convex_solid a = convex_solid_random(&r, convex_kinds[k % CONVEX_KINDS], 1);
        convex_solid b = convex_solid_random(&r, convex_kinds[k / CONVEX_KINDS % CONVEX_KINDS], 1);
        wit_pose at_a = random_place(&r, 0.5), at_b = random_place(&r, 0.5);
        wit_closest x = asked(q, a.body, at_a, b.body, at_b), y = asked(q, b.body, at_b, a.body, at_a);
        assert_true(x.distance == y.distance && x.lower_bound == y.lower_bound && x.upper_bound == y.upper_bound);
        assert_memory_equal(&x.a, &y.b, sizeof x.a);
        assert_memory_equal(&x.b, &y.a, sizeof x.a);
        assert_true(x.normal.x == -y.normal.x && x.normal.y == -y.normal.y && x.normal.z == -y.normal.z);
        wit_body_destroy(a.body);
        wit_body_destroy(b.body);
    }
    wit_query_destroy(q);
}

static void any_budget_leaves_a_right_bracket_of_the_depth(void** state)
{
    (void)state;
    rng r = rng_seed(97);
    wit_query* all = query_of(1e-9);
    for (int k = 0; k < 60; ++k) {
        wit_query_def d = wit_query_default_def();
        d.budget = 1 + rng_int(&r, 300);
        wit_query* q = wit_query_create(&d, NULL, NULL);
        convex_solid a = convex_solid_random(&r, convex_kinds[k % CONVEX_KINDS], 1);
        convex_solid b = convex_solid_random(&r, convex_kinds[k / CONVEX_KINDS % CONVEX_KINDS], 1);
        wit_pose at_a = random_place(&r, 0.3), at_b = random_place(&r, 0.3);
        wit_vec3 n;
        double least = convex_sum_least(&r, &a, &at_a, &b, &at_b, 1000, &n);
        wit_closest c = asked(q, a.body, at_a, b.body, at_b), whole = asked(all, a.body, at_a, b.body, at_b);
        if (c.outcome == WIT_OUTCOME_OVERLAPPING)
            assert_true(-c.upper_bound <= least + 1e-14 && c.lower_bound <= whole.upper_bound);
        assert_true(c.work.nodes <= 2 * d.budget + 64);
        wit_body_destroy(a.body);
        wit_body_destroy(b.body);
        wit_query_destroy(q);
    }
    wit_query_destroy(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_of_balls_is_the_sum_of_the_radii_less_the_way),
        cmocka_unit_test(depth_of_boxes_is_that_of_fifteen_axes),
        cmocka_unit_test(depth_of_random_pairs_is_that_of_a_dense_search),
        cmocka_unit_test(overlap_is_told_from_apart_next_to_touch),
        cmocka_unit_test(symmetric_overlaps_have_a_depth),
        cmocka_unit_test(touching_is_not_overlapping),
        cmocka_unit_test(half_space_holds_any_body_by_its_lowest_point),
        cmocka_unit_test(witnesses_of_a_coarse_depth_are_on_their_bodies),
        cmocka_unit_test(swapping_overlapping_bodies_changes_no_other_bit),
        cmocka_unit_test(any_budget_leaves_a_right_bracket_of_the_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
