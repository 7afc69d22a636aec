/* SPDX-License-Identifier: MIT */
/* An answer that is not certified says why, and what the model itself leaves open is told apart from it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/io.h"
#include "../include/witness/query.h"
#include "../include/witness/track.h"
#include "../src/base/vec.h"

static wit_pose at(double x, double y, double z)
{
    wit_pose p = wit_pose_identity();
    p.position = vec3(x, y, z);
    return p;
}

static wit_body* solid(wit_solid_kind kind)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.size_x = 1, d.size_y = 1.5, d.size_z = 2;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static wit_closest ask(const wit_query_def* def, const wit_body* a, const wit_body* b, wit_pose pose_b)
{
    wit_query* q = wit_query_create(def, NULL, NULL);
    wit_placed x = wit_placed_at(a, wit_pose_identity()), y = wit_placed_at(b, pose_b);
    wit_closest c;
    assert_non_null(q);
    assert_int_equal(wit_closest_pair(q, &x, &y, &c), WIT_OK);
    wit_query_destroy(q);
    return c;
}

static wit_model* model(const char* path)
{
    wit_model* m = wit_model_read_file(path, NULL, NULL);
    assert_non_null(m);
    return m;
}

static void work_that_ended_first_is_the_reason(void** state)
{
    (void)state;
    wit_model* m = model("models/torus-nurbs.json");
    wit_query_def def = wit_query_default_def();
    wit_closest c = ask(&def, wit_model_body(m, 0), wit_model_body(m, 0), at(30, 40, 50));
    assert_true(c.certified);
    assert_int_equal(c.reason, WIT_REASON_NONE);
    def.budget = 2;
    c = ask(&def, wit_model_body(m, 0), wit_model_body(m, 0), at(30, 40, 50));
    assert_false(c.certified);
    assert_int_equal(c.outcome, WIT_OUTCOME_BUDGET);
    assert_int_equal(c.reason, WIT_REASON_BUDGET);
    wit_model_destroy(m);
}

static void memory_that_was_full_is_the_reason(void** state)
{
    (void)state;
    wit_model* m = model("models/torus-nurbs.json");
    wit_query_def def = wit_query_default_def();
    def.capacity = 64;
    wit_closest c = ask(&def, wit_model_body(m, 0), wit_model_body(m, 0), at(30, 40, 50));
    assert_false(c.certified);
    assert_int_equal(c.reason, WIT_REASON_MEMORY);
    assert_true(c.lower_bound <= c.distance);
    wit_model_destroy(m);
}

/* two goblets in each other are not convex: what is known of their depth is a bracket around local contacts */
static void a_depth_without_convexity_has_no_premise(void** state)
{
    (void)state;
    wit_model* goblet = model("models/goblet.json");
    wit_query_def def = wit_query_default_def();
    wit_closest c = ask(&def, wit_model_body(goblet, 0), wit_model_body(goblet, 0), at(1, 2, 0.5));
    assert_int_equal(c.outcome, WIT_OUTCOME_OVERLAPPING);
    assert_false(c.certified);
    assert_int_equal(c.reason, WIT_REASON_PREMISE);
    wit_model_destroy(goblet);
    wit_body* box = solid(WIT_SOLID_BOX);
    c = ask(&def, box, box, at(0.3, 0.2, 0.1));
    assert_int_equal(c.outcome, WIT_OUTCOME_OVERLAPPING);
    assert_true(c.certified);
    assert_int_equal(c.reason, WIT_REASON_NONE);
    wit_body_destroy(box);
}

/* The edges of the three-ball are off their faces by some 1e-10 of its size. */
static void edges_off_their_faces_are_the_models_own_tolerance(void** state)
{
    (void)state;
    wit_model* m = model("models/three-ball.json");
    const wit_body* ball = wit_model_body(m, 0);
    double tolerance = wit_body_describe(ball).tolerance;
    assert_true(tolerance > 1e-11);
    wit_query_def def = wit_query_default_def();
    def.tolerance = 1e-12;
    wit_query* loose = wit_query_create(&def, NULL, NULL);
    def.strict = true;
    wit_query* strict = wit_query_create(&def, NULL, NULL);
    wit_placed a = wit_placed_at(ball, wit_pose_identity());
    int edges = 0, faces = 0;
    for (int k = 0; k < 400; ++k) {
        double u = 0.731 * k, v = 1.277 * k;
        wit_vec3 p = scale3(3 + sin(3.1 * k), vec3(cos(u) * cos(v), sin(u) * cos(v), sin(v)));
        wit_closest c, s;
        assert_int_equal(wit_closest_point(loose, &a, p, &c), WIT_OK);
        assert_int_equal(wit_closest_point(strict, &a, p, &s), WIT_OK);
        double width = c.upper_bound - c.lower_bound;
        assert_true(c.certified);
        assert_true(c.model_tolerance >= 0 && c.model_tolerance <= 2 * tolerance);
        assert_true(width <= 1e-12 * fmax(c.distance, wit_body_describe(ball).size) + c.model_tolerance + 1e-14);
        assert_true(s.lower_bound == c.lower_bound && s.upper_bound == c.upper_bound);
        if (!s.certified) assert_int_equal(s.reason, WIT_REASON_MODEL);
        edges += !s.certified && c.a.feature == WIT_EDGE;
        faces += s.certified && c.a.feature == WIT_FACE;
    }
    assert_true(edges > 5);   /* there the bracket is as wide as the model is loose */
    assert_true(faces > 100); /* and in the middle of a face it is not */
    wit_query_destroy(loose);
    wit_query_destroy(strict);
    wit_model_destroy(m);
}

/* The same for a pair in motion: certified to the model's own tolerance, unless strict. */
static void steps_add_the_models_own_tolerance_too(void** state)
{
    (void)state;
    wit_model* m = model("models/three-ball.json");
    wit_body* box = solid(WIT_SOLID_BOX);
    long certified[2] = {0, 0}, by_model = 0;
    for (int strict = 0; strict < 2; ++strict) {
        wit_track_def def = wit_track_default_def();
        def.certify = 1e-12;
        def.strict = strict;
        size_t bytes = wit_tracker_size(wit_model_body(m, 0), box, &def);
        void* memory = malloc(bytes);
        wit_tracker* t;
        assert_int_equal(wit_tracker_init(memory, bytes, wit_model_body(m, 0), box, &def, &t, NULL), WIT_OK);
        for (int k = 0; k < 200; ++k) {
            wit_motion a = {wit_pose_identity(), {{0, 0, 0}, {0, 0, 0}}, false}, b = a;
            double angle = 0.731 * k; /* so far each time that the proof does not last: each frame is searched anew */
            b.pose = at(4 * cos(angle), 4 * sin(angle), sin(1.3 * k));
            wit_result r;
            wit_tracker_reset(t);
            assert_int_equal(wit_tracker_step(t, &a, &b, 1e-3, &r), WIT_OK);
            bool is = r.flags & WIT_FLAG_CERTIFIED;
            assert_true(is == (r.reason == WIT_REASON_NONE));
            if (is) assert_true(r.distance - r.lower_bound <= 1.01e-11 + (strict ? 0 : r.model_tolerance));
            certified[strict] += is;
            by_model += r.model_tolerance > 1e-11;
        }
        free(memory);
    }
    print_message("certified %ld of 200, strictly %ld\n", certified[0], certified[1]);
    assert_true(by_model > 0 && certified[0] > certified[1]);
    wit_body_destroy(box);
    wit_model_destroy(m);
}

static void every_reason_has_a_name(void** state)
{
    (void)state;
    for (int i = 0; i < WIT_REASON_COUNT; ++i) assert_string_not_equal(wit_reason_name((wit_reason)i), "?");
    assert_string_equal(wit_reason_name(WIT_REASON_COUNT), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_that_ended_first_is_the_reason),
        cmocka_unit_test(memory_that_was_full_is_the_reason),
        cmocka_unit_test(a_depth_without_convexity_has_no_premise),
        cmocka_unit_test(edges_off_their_faces_are_the_models_own_tolerance),
        cmocka_unit_test(steps_add_the_models_own_tolerance_too),
        cmocka_unit_test(every_reason_has_a_name),
    };
    return cmocka_run_group_tests_name("reason", tests, NULL, NULL);
}
