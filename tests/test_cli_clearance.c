/* SPDX-License-Identifier: MIT */
/* `witness clearance` and `witness pairs` as a user meets them. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_run.h"

static void execute_as(run* r, int code, const char* arguments)
{
    execute(r, arguments);
    if (r->code != code) fail_msg("%s: exit code %d: %s", arguments, r->code, r->err);
}

/* The tip passes post 1 at 1.2 mm at 0, 1 and 2 s. */
static void passes_are_told_with_their_intervals(void** state)
{
    (void)state;
    run r;
    execute_as(&r, 3, "clearance assemblies/crank.json --json");
    json_doc doc = json_of(r.out, strlen(r.out));
    assert_true(number_at(&doc, "count.clearance") == 1 && number_at(&doc, "count.clear") == 14);
    assert_has(r.out, "\"verdict\": \"Violated\"");
    assert_has(r.out, "\"proved\": true");
    double lo = number_at(&doc, "pairs[0].least[0]"), hi = number_at(&doc, "pairs[0].least[1]");
    assert_true(lo <= 1.2 + 1e-12 && hi >= 1.2 - 1e-12 && hi - lo < 1e-3);
    assert_true(fabs(number_at(&doc, "pairs[0].intervals[1].enters[0]") +
                     number_at(&doc, "pairs[0].intervals[1].leaves[1]") - 2) < 1e-8);
    assert_true(number_at(&doc, "pairs[0].intervals[2].leaves[1]") == 2);
    wi_json_free(&doc);
}

/* Every key that is written is in the table of the schema, and every key that it requires is written. */
static void keys_are_those(const json_doc* doc, size_t object, const json_doc* schema, size_t def)
{
    size_t properties = wi_json_member(schema, def, "properties"), required = wi_json_member(schema, def, "required");
    size_t key = object + 1, must = required + 1;
    char name[64];
    assert_true(properties && required);
    for (uint32_t i = 0; i < doc->tokens[object].size; ++i, key = doc->tokens[key + 1].next) {
        wi_json_string(doc, key, name, sizeof name);
        if (!wi_json_member(schema, properties, name)) fail_msg("docs/clearance.schema.json does not know %s", name);
    }
    for (uint32_t i = 0; i < schema->tokens[required].size; ++i, must = schema->tokens[must].next) {
        wi_json_string(schema, must, name, sizeof name);
        if (!wi_json_member(doc, object, name)) fail_msg("%s is not written", name);
    }
}

static void json_is_that_of_its_schema(void** state)
{
    (void)state;
    static char text[1 << 15];
    run r;
    slurp("docs/clearance.schema.json", text, sizeof text);
    json_doc schema = json_of(text, strlen(text));
    execute_as(&r, 3, "clearance assemblies/crank.json --json");
    json_doc doc = json_of(r.out, strlen(r.out));
    static const char* const at[] = {"pairs[0]", "pairs[0].a", "pairs[0].intervals[0]", "required[0]", "count"};
    static const char* const defs[] = {"$defs.pair", "$defs.side", "$defs.interval", "$defs.requirement",
                                       "properties.count"};
    keys_are_those(&doc, 0, &schema, 0);
    for (int k = 0; k < 5; ++k) {
        size_t object = wi_json_resolve(&doc, 0, at[k]);
        keys_are_those(&doc, object, &schema, wi_json_resolve(&schema, 0, defs[k]));
    }
    wi_json_free(&doc);
    wi_json_free(&schema);
}

static void threads_change_no_byte(void** state)
{
    (void)state;
    static run one, more;
    execute_as(&one, 3, "clearance assemblies/crank.json --all --json --threads 1");
    execute_as(&more, 3, "clearance assemblies/crank.json --all --json --threads 5");
    assert_string_equal(one.out, more.out);
}

static void exit_code_says_how_it_stands(void** state)
{
    (void)state;
    run r;
    execute_as(&r, 0, "clearance assemblies/crank.json --since 0.1 --until 0.9");
    assert_has(r.out, "Holds");
    execute_as(&r, 3, "clearance assemblies/crank.json --since 0.1 --until 0.9 --require gap=8mm");
    assert_has(r.out, "gap: more than 8 mm: Violated");
    execute_as(&r, 4, "clearance assemblies/crank.json --since 0.1 --until 0.9 --below 3 --budget 200");
    assert_has(r.out, "NOT proved between all moments: budget");
    if (strstr(r.out, "not_checked 0\n")) fail_msg("%s", r.out);
    execute_as(&r, 1, "clearance tests/data");
}

/* A length with a unit is converted to that of the assembly; without a unit there it is refused. */
static void lengths_carry_their_units(void** state)
{
    (void)state;
    run r;
    execute_as(&r, 3, "pairs assemblies/crank.json --within 0.1in --csv");
    assert_has(r.out, "clearance,no,yes,\"tip\",\"post 1\",");
    execute_as(&r, 0, "pairs assemblies/crank.json --within 0.001m");
    assert_has(r.out, "within      1 mm");
    execute_as(&r, 2, "pairs assemblies/crank.json --within 3furlongs");
    execute_as(&r, 2, "pairs models/ball.json --within 3mm");
    assert_has(r.err, "the assembly has no unit");
}

/* Approved contacts and clearances do not count, clashes do. */
static void approved_pairs_are_no_violation(void** state)
{
    (void)state;
    run r;
    char text[2048], line[256], here[512];
    assert_non_null(getcwd(here, sizeof here));
    for (int k = 0; k < 2; ++k) {
        snprintf(
            text, sizeof text,
            "{\"format\": \"witness-assembly\", \"version\": 1, \"below\": 1, \"bodies\": [{\"name\": \"=a\", "
            "\"model\": "
            "\"%s/models/box.json\"}, {\"name\": \"b\", \"model\": \"%s/models/box.json\", \"pose\": [%g, 0, 0]}], "
            "\"approved\": [[\"=a\", \"b\"]]}",
            here, here, k ? 39.5 : 40.5);
        write_scratch("two.json", text);
        snprintf(line, sizeof line, "clearance %s/two.json --csv", scratch);
        execute_as(&r, k ? 3 : 0, line);
        assert_has(r.out, k ? "clash,no" : "clearance,yes");
        assert_has(r.out, "\"'=a\""); /* no formula */
    }
}

static void mistakes_get_hints(void** state)
{
    (void)state;
    static const mistake list[] = {{"", "an assembly, or a model, is missing"},
                                   {"assemblies/crank.json --scope some", "no such scope"},
                                   {"assemblies/crank.json --json --csv", "one of --json and --csv"},
                                   {"assemblies/crank.json --at 3", "only `witness pairs` has"},
                                   {"assemblies/crank.json --since 3 --until 2", "ends before it begins"},
                                   {"assemblies/crank.json more", "one assembly is enough"}};
    assert_mistakes("clearance", list, sizeof list / sizeof list[0]);
    run r;
    execute_as(&r, 2, "clearance assemblies/crank.json --require 2mm");
    assert_has(r.err, "NAME=2mm");
    execute_well(&r, "clearance --help");
    assert_has(r.out, "Exit code 0");
    execute_well(&r, "pairs --help");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_are_told_with_their_intervals),
        cmocka_unit_test(json_is_that_of_its_schema),
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(exit_code_says_how_it_stands),
        cmocka_unit_test(lengths_carry_their_units),
        cmocka_unit_test(approved_pairs_are_no_violation),
        cmocka_unit_test(mistakes_get_hints),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
