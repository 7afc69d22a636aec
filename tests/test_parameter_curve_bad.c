/* SPDX-License-Identifier: MIT */
/* Straight parameter curves, and what bad calls and failing memory get of those that make parameter curves. */
#include <stdlib.h>

#include "../src/body/build/parameter_curve.h"
#include "random_surface.h"

static void line_has_unit_speed_or_two_points(void** state)
{
    (void)state;
    const double a[2] = {1, 2}, b[2] = {4, 6}, e[2] = {1, 2};
    wit_curve* c;
    wit_curve_jet j;
    assert_int_equal(wi_parameter_curve_line(a, b, iv(-2, 3), NULL, &c, NULL), WIT_OK);
    assert_int_equal(wit_curve_describe(c).kind, WIT_CURVE_LINE);
    wit_curve_eval(c, 3, 0, NULL, &j);
    near3(j.p, vec3(4, 6, 0), 16 * EPS, "end");
    wit_curve_destroy(c);
    assert_int_equal(wi_parameter_curve_line(a, b, iv(0, 1), NULL, &c, NULL), WIT_OK);
    assert_int_equal(wit_curve_describe(c).kind, WIT_CURVE_NURBS);
    wit_curve_eval(c, 0.5, 0, NULL, &j);
    near3(j.p, vec3(2.5, 4, 0), 16 * EPS, "middle");
    wit_curve_destroy(c);
    assert_int_equal(wi_parameter_curve_line(a, e, iv(0, 1), NULL, &c, NULL), WIT_OK);
    wit_curve_destroy(c);
    assert_int_not_equal(wi_parameter_curve_line(a, b, iv(1, 1), NULL, &c, NULL), WIT_OK);
    assert_null(c);
}

/* An allocator that gives out after a number of blocks, and counts what it still owes. */
typedef struct stingy {
    int left;
    long owed;
} stingy;

static void* stingy_alloc(size_t bytes, void* user)
{
    stingy* k = user;
    if (k->left-- <= 0) return NULL;
    k->owed += (long)bytes;
    return malloc(bytes);
}

static void stingy_release(void* memory, size_t bytes, void* user)
{
    ((stingy*)user)->owed -= (long)bytes;
    free(memory);
}

static void bad_calls_and_lack_of_memory_are_told(void** state)
{
    (void)state;
    wit_surface_def cylinder = wit_surface_default_def(WIT_SURFACE_CYLINDER);
    cylinder.radius = 1;
    cylinder.range_v = iv(-2, 2);
    wit_curve_def section = wit_curve_default_def(WIT_CURVE_ELLIPSE); /* by a plane that leans */
    section.frame.x = unit3(vec3(1, 0, 0.3));
    section.frame.z = unit3(vec3(-0.3, 0, 1));
    section.semi_x = sqrt(1.09);
    section.semi_y = 1;
    wit_surface* s = surface_made(&cylinder);
    wit_curve* curve = curve_made(&section);
    wit_curve* c;
    wit_error e = {0};
    double deviation;
    assert_int_equal(
        wi_parameter_curve_make(&(parameter_request){NULL, iv(0, 1), s, 1e-9, 0, NULL}, NULL, &c, &deviation, &e),
        WIT_ERROR_ARGUMENT);
    assert_int_equal(
        wi_parameter_curve_make(&(parameter_request){curve, iv(1, 1), s, 1e-9, 0, NULL}, NULL, &c, &deviation, &e),
        WIT_ERROR_RANGE);
    assert_int_equal(
        wi_parameter_curve_make(&(parameter_request){curve, iv(0, NAN), s, 1e-9, 0, NULL}, NULL, &c, &deviation, &e),
        WIT_ERROR_RANGE);
    assert_int_equal(
        wi_parameter_curve_make(&(parameter_request){curve, iv(0, 1), s, -1, 0, NULL}, NULL, &c, &deviation, &e),
        WIT_ERROR_NUMBER);
    assert_null(c);
    for (int blocks = 0;; ++blocks) {
        stingy k = {blocks, 0};
        wit_allocator a = {stingy_alloc, stingy_release, &k};
        wit_status status = wi_parameter_curve_make(&(parameter_request){curve, curve->range, s, 1e-9, 0, NULL}, &a, &c,
                                                    &deviation, &e);
        if (status == WIT_OK) {
            assert_true(blocks >= 3);
            wit_curve_destroy(c);
            assert_int_equal(k.owed, 0);
            break;
        }
        assert_int_equal(status, WIT_ERROR_MEMORY);
        assert_int_equal(e.status, WIT_ERROR_MEMORY);
        assert_null(c);
        assert_int_equal(k.owed, 0);
    }
    wit_curve_destroy(curve);
    wit_surface_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_has_unit_speed_or_two_points),
        cmocka_unit_test(bad_calls_and_lack_of_memory_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
