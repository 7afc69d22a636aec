/* SPDX-License-Identifier: MIT */
/* Query objects, what they refuse, frames, masks and the order of bodies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/query.h"
#include "../src/base/vec.h"
#include "failing.h"

static wit_body* solid(wit_solid_kind kind, double size)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.size_x = size, d.size_y = 1.5 * size, d.size_z = 2 * size;
    d.radius = size, d.radius2 = 0.25 * size, d.height = 2 * size;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static wit_pose at(double x, double y, double z)
{
    wit_pose p = wit_pose_identity();
    p.position = vec3(x, y, z);
    return p;
}

static wit_query* query(void)
{
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    assert_non_null(q);
    return q;
}

static void defs_out_of_range_are_refused_by_name(void** state)
{
    (void)state;
    wit_query_def good = wit_query_default_def();
    struct {
        wit_query_def def;
        const char* item;
    } rows[] = {{good, "struct_size"}, {good, "tolerance"}, {good, "tolerance"}, {good, "tolerance"},
                {good, "within"},      {good, "within"},    {good, "budget"},    {good, "capacity"}};
    rows[0].def.struct_size = 8;
    rows[1].def.tolerance = 0;
    rows[2].def.tolerance = NAN;
    rows[3].def.tolerance = 2;
    rows[4].def.within = -1;
    rows[5].def.within = NAN;
    rows[6].def.budget = 0;
    rows[7].def.capacity = 1;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        wit_error e = {0};
        assert_null(wit_query_create(&rows[k].def, NULL, &e));
        assert_string_equal(e.item, rows[k].item);
        assert_true(e.text[0]);
        assert_int_equal(wit_query_size(&rows[k].def), 0);
    }
}

static void a_query_lives_in_the_callers_memory_or_in_one_allocation(void** state)
{
    (void)state;
    wit_query_def d = wit_query_default_def();
    d.capacity = 256;
    size_t bytes = wit_query_size(&d);
    assert_true(bytes > 0);
    void* memory = malloc(bytes);
    wit_query* q = NULL;
    assert_int_equal(wit_query_init(memory, bytes - 1, &d, &q, NULL), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_query_init(memory, bytes, &d, &q, NULL), WIT_OK);
    wit_body* ball = solid(WIT_SOLID_SPHERE, 1);
    wit_placed a = wit_placed_at(ball, at(0, 0, 0));
    wit_closest r;
    assert_int_equal(wit_closest_point(q, &a, vec3(3, 0, 0), &r), WIT_OK);
    assert_true(fabs(r.distance - 2) < 1e-12);
    d.capacity = 512;
    assert_int_equal(wit_query_set(q, &d, NULL), WIT_ERROR_ARGUMENT);
    free(memory);

    failing count = {1, 0};
    wit_allocator from = {failing_alloc, failing_release, &count};
    q = wit_query_create(NULL, &from, NULL);
    assert_non_null(q);
    assert_int_equal(count.live, 1);
    assert_int_equal(wit_closest_point(q, &a, vec3(3, 0, 0), &r), WIT_OK);
    wit_query_destroy(q);
    assert_int_equal(count.live, 0);
    wit_error e = {0};
    assert_null(wit_query_create(NULL, &from, &e));
    assert_int_equal(e.status, WIT_ERROR_MEMORY);
    wit_body_destroy(ball);
}

static void bad_calls_are_refused_and_leave_the_result_alone(void** state)
{
    (void)state;
    wit_query* q = query();
    wit_body *ball = solid(WIT_SOLID_SPHERE, 1), *box = solid(WIT_SOLID_BOX, 1);
    wit_placed a = wit_placed_at(ball, at(0, 0, 0)), b = wit_placed_at(box, at(5, 0, 0)), bad = b, none = {0};
    wit_closest r, before;
    memset(&r, 7, sizeof r);
    before = r;
    assert_int_equal(wit_closest_point(NULL, &a, vec3(0, 0, 0), &r), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_closest_point(q, NULL, vec3(0, 0, 0), &r), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_closest_point(q, &none, vec3(0, 0, 0), &r), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_closest_point(q, &a, vec3(0, 0, 0), NULL), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_closest_point(q, &a, vec3(0, NAN, 0), &r), WIT_ERROR_NUMBER);
    assert_int_equal(wit_closest_point(q, &a, vec3(0, 2e12, 0), &r), WIT_ERROR_NUMBER);
    bad.pose.rotation.w = 1.1;
    assert_int_equal(wit_closest_pair(q, &a, &bad, &r), WIT_ERROR_RANGE);
    bad.pose = at(INFINITY, 0, 0);
    assert_int_equal(wit_closest_pair(q, &bad, &a, &r), WIT_ERROR_NUMBER);
    assert_memory_equal(&r, &before, sizeof r);
    wit_body_destroy(ball);
    wit_body_destroy(box);
    wit_query_destroy(q);
}

static void half_spaces_have_a_closed_form(void** state)
{
    (void)state;
    wit_query* q = query();
    wit_body *a = solid(WIT_SOLID_HALF_SPACE, 1), *box = solid(WIT_SOLID_BOX, 1);
    wit_placed low = wit_placed_at(a, at(0, 0, 0)), high = wit_placed_at(a, at(3, 2, 0.5));
    wit_placed above = wit_placed_at(box, at(100, -50, 1.25));
    wit_closest r;
    high.pose.rotation = wit_quat_about(vec3(1, 0, 0), 3.14159265358979323846);
    assert_int_equal(wit_closest_pair(q, &low, &high, &r), WIT_OK);
    assert_true(fabs(r.distance - 0.5) < 1e-12);
    assert_int_equal(r.outcome, WIT_OUTCOME_NOT_UNIQUE);
    assert_int_equal(r.set.dimension, 2);
    high.pose.position.z = -0.5;
    assert_int_equal(wit_closest_pair(q, &low, &high, &r), WIT_OK);
    assert_int_equal(r.outcome, WIT_OUTCOME_OVERLAPPING);
    assert_true(r.certified && fabs(r.distance + 0.5) < 1e-12 && fabs(r.normal.z - 1) < 1e-12);
    assert_true(fabs(r.b.point.z + 0.5) < 1e-12 && fabs(r.a.point.z) < 1e-12);
    high.pose.rotation = wit_quat_about(vec3(1, 0, 0), 0.1);
    assert_int_equal(wit_closest_pair(q, &low, &high, &r), WIT_OK);
    assert_int_equal(r.outcome, WIT_OUTCOME_OVERLAPPING);
    assert_true(norm3(sub3(r.a.point, r.b.point)) < 1e-12 && fabs(r.a.point.z) < 1e-12);
    assert_true(r.distance == 0 && r.lower_bound == -INFINITY && !r.certified); /* no translation separates them */
    wit_vec3 inside = wit_pose_unpoint(&high.pose, r.b.point);
    assert_true(fabs(inside.z) < 1e-12);
    /* the box is 2 high */
    assert_int_equal(wit_closest_pair(q, &low, &above, &r), WIT_OK);
    assert_true(fabs(r.distance - 0.25) < 1e-12);
    assert_true(r.certified);
    assert_true(fabs(r.normal.z - 1) < 1e-12);
    above.pose.position.z = -1e6;
    assert_int_equal(wit_closest_pair(q, &low, &above, &r), WIT_OK);
    assert_int_equal(r.outcome, WIT_OUTCOME_OVERLAPPING);
    assert_true(r.certified && fabs(r.distance + 1e6 + 1) < 1e-8 && fabs(r.normal.z - 1) < 1e-12);
    assert_int_equal(wit_closest_point(q, &low, vec3(1e6, -1e6, -4), &r), WIT_OK);
    assert_true(fabs(r.distance + 4) < 1e-9);
    wit_body_destroy(a);
    wit_body_destroy(box);
    wit_query_destroy(q);
}

static void swapping_the_bodies_changes_no_other_bit(void** state)
{
    (void)state;
    wit_query* q = query();
    wit_body *cone = solid(WIT_SOLID_CONE, 1), *box = solid(WIT_SOLID_BOX, 1);
    wit_placed a = wit_placed_at(cone, at(0.25, -1, 3)), b = wit_placed_at(box, at(4, 0.5, 1));
    a.pose.rotation = wit_quat_about(vec3(1, 2, 3), 0.7);
    b.pose.rotation = wit_quat_about(vec3(-1, 2, 0), 2.2);
    wit_closest r, s;
    assert_int_equal(wit_closest_pair(q, &a, &b, &r), WIT_OK);
    assert_int_equal(wit_closest_pair(q, &b, &a, &s), WIT_OK);
    assert_true(r.certified && r.distance > 0.1);
    assert_true(r.distance == s.distance && r.lower_bound == s.lower_bound && r.upper_bound == s.upper_bound);
    assert_memory_equal(&r.a, &s.b, sizeof r.a);
    assert_memory_equal(&r.b, &s.a, sizeof r.a);
    assert_true(r.normal.x == -s.normal.x && r.normal.y == -s.normal.y && r.normal.z == -s.normal.z);
    /* the same body twice */
    wit_placed c = wit_placed_at(cone, at(5, 5, 5));
    assert_int_equal(wit_closest_pair(q, &a, &c, &r), WIT_OK);
    assert_int_equal(wit_closest_pair(q, &c, &a, &s), WIT_OK);
    assert_true(r.distance == s.distance);
    assert_memory_equal(&r.a, &s.b, sizeof r.a);
    wit_body_destroy(cone);
    wit_body_destroy(box);
    wit_query_destroy(q);
}

/* The box has size 1 x 1.5 x 2: sides that lie in one plane cross nowhere, whatever the bodies share. */
static void faces_in_one_plane_do_not_hide_an_overlap(void** state)
{
    (void)state;
    wit_query* q = query();
    wit_body *box = solid(WIT_SOLID_BOX, 1), *torus = solid(WIT_SOLID_TORUS, 1);
    wit_placed a = wit_placed_at(box, at(0, 0, 0)), b = wit_placed_at(box, at(0, 0, 0.5));
    wit_closest r;
    assert_int_equal(wit_closest_pair(q, &a, &b, &r), WIT_OK);
    assert_int_equal(r.outcome, WIT_OUTCOME_OVERLAPPING);
    assert_true(r.certified && fabs(r.distance + 1) < 1e-14); /* 1 by x, 1.5 by y, 2 - 0.5 by z */
    assert_int_equal(wit_closest_pair(q, &a, &a, &r), WIT_OK);
    assert_int_equal(r.outcome, WIT_OUTCOME_OVERLAPPING);
    assert_true(r.certified && fabs(r.distance + 1) < 1e-14);
    a.body = torus;
    assert_int_equal(wit_closest_pair(q, &a, &a, &r), WIT_OK);
    assert_int_equal(r.outcome, WIT_OUTCOME_OVERLAPPING);
    a.body = box;
    b.pose = at(0.25, 0, 2); /* stands on it, 0.75 by 1.5 shared */
    assert_int_equal(wit_closest_pair(q, &a, &b, &r), WIT_OK);
    assert_int_equal(r.outcome, WIT_OUTCOME_TOUCHING);
    assert_int_equal(r.set.dimension, 2);
    assert_true(r.distance < 1e-14);
    assert_true(fabs(r.normal.z - 1) < 1e-12);
    wit_body_destroy(box);
    wit_body_destroy(torus);
    wit_query_destroy(q);
}

static void a_solid_inside_another_has_no_gaps_to_list(void** state)
{
    (void)state;
    wit_query* q = query();
    wit_body *large = solid(WIT_SOLID_SPHERE, 3), *small = solid(WIT_SOLID_BOX, 1);
    wit_placed a = wit_placed_at(large, at(0, 0, 0)), b = wit_placed_at(small, at(0.5, 0, 0));
    wit_minima_summary s;
    wit_minimum m[4];
    assert_int_equal(wit_minima_pair(q, &a, &b, m, 4, &s), WIT_OK);
    assert_true(s.overlapping && s.complete && s.count == 0);
    wit_body_destroy(large);
    wit_body_destroy(small);
    wit_query_destroy(q);
}

/* The box has size 1 x 1.5 x 2 about the origin. */
static void a_mask_counts_features_with_their_borders(void** state)
{
    (void)state;
    wit_query* q = query();
    wit_body* box = solid(WIT_SOLID_BOX, 1);
    wit_placed a = wit_placed_at(box, at(0, 0, 0));
    wit_vec3 p = vec3(2, 0, 0);
    uint8_t faces[6] = {0};
    wit_mask mask = {1u << WIT_VERTEX, NULL, NULL, NULL};
    wit_closest r;
    a.mask = &mask;
    assert_int_equal(wit_closest_point(q, &a, p, &r), WIT_OK);
    assert_true(fabs(r.distance - sqrt(1.5 * 1.5 + 0.75 * 0.75 + 1)) < 1e-12);
    assert_int_equal(r.a.feature, WIT_VERTEX);
    assert_int_equal(r.sign, WIT_SIGN_NONE);
    mask.kinds = 1u << WIT_EDGE;
    assert_int_equal(wit_closest_point(q, &a, p, &r), WIT_OK);
    assert_true(fabs(r.distance - sqrt(1.5 * 1.5 + 0.75 * 0.75)) < 1e-12);
    /* the face that looks to -x only: the point sees its border all round */
    for (int f = 0; f < 6; ++f) {
        wit_vec3 n;
        wit_face_info info = wit_body_face(box, f);
        assert_true(wit_body_face_normal(box, f, 0.5 * (info.u.lo + info.u.hi), 0.5 * (info.v.lo + info.v.hi), &n));
        faces[f] = n.x < -0.5;
    }
    mask.kinds = 0;
    mask.faces = faces;
    assert_int_equal(wit_closest_point(q, &a, p, &r), WIT_OK);
    assert_true(fabs(r.distance - 2.5) < 1e-12);
    assert_int_equal(r.a.feature, WIT_FACE);
    assert_int_equal(wit_closest_point(q, &a, vec3(2, 3, 0), &r), WIT_OK);
    assert_true(fabs(r.distance - sqrt(2.5 * 2.5 + 2.25 * 2.25)) < 1e-12);
    assert_int_equal(r.a.feature, WIT_EDGE);
    mask.faces = NULL;
    assert_int_equal(wit_closest_point(q, &a, p, &r), WIT_OK);
    assert_int_equal(r.outcome, WIT_OUTCOME_EMPTY);
    assert_true(r.distance == INFINITY);
    wit_body_destroy(box);
    wit_query_destroy(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defs_out_of_range_are_refused_by_name),
        cmocka_unit_test(a_query_lives_in_the_callers_memory_or_in_one_allocation),
        cmocka_unit_test(bad_calls_are_refused_and_leave_the_result_alone),
        cmocka_unit_test(half_spaces_have_a_closed_form),
        cmocka_unit_test(swapping_the_bodies_changes_no_other_bit),
        cmocka_unit_test(faces_in_one_plane_do_not_hide_an_overlap),
        cmocka_unit_test(a_solid_inside_another_has_no_gaps_to_list),
        cmocka_unit_test(a_mask_counts_features_with_their_borders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
