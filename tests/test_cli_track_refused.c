/* SPDX-License-Identifier: MIT */
/* `witness track`: what wrong scenes and wrong calls get. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_run.h"

static void wrong_input_is_exit_1_with_file_line_and_column(void** state)
{
    (void)state;
    run r;
    char line[512];
    execute(&r, "track scenes/none.json");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "scenes/none.json: ");
    assert_string_equal(r.out, "");
    write_scratch("bad.json", "{\n  \"format\": \"witness-scene\",\n  \"version\": 1,\n  \"ratte\": 5\n}\n");
    snprintf(line, sizeof line, "track '%s/bad.json'", scratch);
    execute(&r, line);
    assert_int_equal(r.code, 1);
    assert_has(r.err, "bad.json:4:");
    assert_has(r.err, "ratte");
    /* A fault in a file that the scene names: that file, and where in it. */
    write_scratch("poses.csv", "t,x,y,z,qw,qx,qy,qz\n0,1,2,3,1,0,0,0\n1,1,nought,3,1,0,0,0\n");
    write_scratch("poses.json", "{\"format\": \"witness-scene\", \"version\": 1, \"rate\": 10, \"duration\": 1,\n"
                                "\"a\": {\"model\": \"sphere.json\", \"motion\": {\"kind\": \"poses\", "
                                "\"file\": \"poses.csv\"}},\n\"b\": {\"point\": true}}\n");
    snprintf(line, sizeof line, "track '%s/poses.json'", scratch);
    char copy[256];
    snprintf(copy, sizeof copy, "cp models/sphere.json '%s/'", scratch);
    assert_int_equal(system(copy), 0);
    execute(&r, line);
    assert_int_equal(r.code, 1);
    assert_has(r.err, "poses.csv:3:5: y: expected a number, found nought (in a file of ");
    execute(&r, "track scenes/001-fig6.json --csv no/such/place.csv");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "no/such/place.csv: the file cannot be opened for writing");
    execute(&r, "track scenes/001-fig6.json --duration 0.01 --svg no/such/place.svg");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "no/such/place.svg: ");
    execute(&r, "track - < /dev/null");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "standard input:1:1: ");
}

static void a_scene_may_come_from_standard_input(void** state)
{
    (void)state;
    run r;
    /* Relative names start at the working directory then. */
    write_scratch("in.json", "{\"format\": \"witness-scene\", \"version\": 1, \"name\": \"in\", \"rate\": 100, "
                             "\"duration\": 0.1, \"a\": {\"model\": \"models/sphere.json\"}, "
                             "\"b\": {\"point\": true, \"motion\": {\"kind\": \"still\", \"pose\": [0, 0, 100]}}}");
    char line[256];
    snprintf(line, sizeof line, "track - < '%s/in.json'", scratch);
    execute_well(&r, line);
    assert_has(r.out, "in: sphere and ");
    assert_has(r.out, "frames       11 at 100 Hz");
}

static void wrong_usage_is_exit_2_with_a_hint(void** state)
{
    (void)state;
    static const mistake wrong[] = {
        {"", "the scene is missing"},
        {"a.json b.json", "one scene is enough; left over is 'b.json'"},
        {"a.json --lw x", "unknown option '--lw'; did you mean '--law'?"},
        {"a.json --law newtn", "--law has to be one of deadbeat, "},
        {"a.json --law newtn", "did you mean 'newton'?"},
        {"a.json --integrator rk5", "--integrator has to be one of default, euler, rk2"},
        {"a.json --gain=-1", "it has to be in 0 .. 1e+12"},
        {"a.json --gain fast", "is not a number"},
        {"a.json --rate 0", "it has to be in"},
        {"a.json --budget 10", "it has to be in 64 .. "},
        {"a.json --tolerance 1", "it has to be in"},
        {"a.json --json --csv -", "--json and --csv - together"},
        {"a.json --snapshots x", "column 1: 'x' is not a number"},
        {"a.json --csv", "a file name is missing after '--csv'"},
        {"a.json --json --json", "given twice: '--json'"},
        {"scenes/004-fig6.json --gain 5", "--gain belongs to laws that are differential equations"},
        {"scenes/001-fig6.json --law exponential --gain 5", "--gain: exponential makes its own gains"},
        {"scenes/001-fig6.json --eps 0.01", "--eps belongs to exponential, not to 'linearizing'"},
        {"scenes/001-fig6.json --cap 10", "--cap belongs to exponential, not to 'linearizing'"},
        {"a.json --eps 0", "it has to be in"},
        {"a.json --eps 1", "it has to be in"},
        {"a.json --cap=-1", "it has to be in 0 .. 1e+12"},
        {"a.json --cap inf", "is not a finite number"},
        /* The tracker refuses what an option asked for: that option and the reason, not the file. */
        {"scenes/004-fig6.json --integrator rk4", "track: --integrator rk4: law deadbeat is no differential equation"},
        {"scenes/001-fig6.json --law deadbeat --integrator rk4", "track: --integrator rk4: law deadbeat is no"},
        {"scenes/004-fig6.json --feedback integrated", "track: --feedback integrated: law deadbeat does not make"},
        {"scenes/004-fig6.json --switching voronoi", "track: --switching voronoi: law deadbeat finds its features"},
        {"scenes/003-block-diagram.json --integrator rk4", "track: --integrator rk4: law deadbeat is no"},
    };
    run r;
    assert_mistakes("track", wrong, sizeof wrong / sizeof wrong[0]);
    execute_well(&r, "track --help");
    assert_has(r.out, "usage: witness track SCENE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_input_is_exit_1_with_file_line_and_column),
        cmocka_unit_test(a_scene_may_come_from_standard_input),
        cmocka_unit_test(wrong_usage_is_exit_2_with_a_hint),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
