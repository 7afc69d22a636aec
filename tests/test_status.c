/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "../include/witness/base.h"

static void status_names_are_those_of_the_enum(void** state)
{
    (void)state;
    assert_string_equal(wit_status_name(WIT_OK), "WIT_OK");
    assert_string_equal(wit_status_name(WIT_ERROR_KNOTS), "WIT_ERROR_KNOTS");
    assert_string_equal(wit_status_name(WIT_ERROR_NAME), "WIT_ERROR_NAME");
    assert_string_equal(wit_status_text(WIT_OK), "ok");
    assert_string_equal(wit_status_text(WIT_ERROR_WEIGHT), "a weight is not positive");
    assert_int_equal(WIT_OK, 0);
}

static void status_names_and_texts_are_all_different(void** state)
{
    (void)state;
    for (int i = 0; i < WIT_STATUS_COUNT; i++) {
        assert_true(strlen(wit_status_text((wit_status)i)) > 0);
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(wit_status_name((wit_status)i), wit_status_name((wit_status)j));
            assert_string_not_equal(wit_status_text((wit_status)i), wit_status_text((wit_status)j));
        }
    }
}

static void status_outside_the_list_has_a_name(void** state)
{
    (void)state;
    /* Through memcpy: a conversion of such a value would itself be suspect. */
    const int values[] = {-1, WIT_STATUS_COUNT, 100000};
    for (int i = 0; i < 3; i++) {
        wit_status status = WIT_OK;
        memcpy(&status, &values[i], sizeof status < sizeof values[i] ? sizeof status : sizeof values[i]);
        assert_string_equal(wit_status_name(status), "WIT_?");
        assert_true(strlen(wit_status_text(status)) > 0);
    }
}

static void version_is_made_of_its_three_numbers(void** state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", WIT_VERSION_MAJOR, WIT_VERSION_MINOR, WIT_VERSION_PATCH);
    assert_string_equal(wit_version(), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_names_are_those_of_the_enum),
        cmocka_unit_test(status_names_and_texts_are_all_different),
        cmocka_unit_test(status_outside_the_list_has_a_name),
        cmocka_unit_test(version_is_made_of_its_three_numbers),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
