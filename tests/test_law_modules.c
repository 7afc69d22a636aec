/* SPDX-License-Identifier: MIT */
/* Laws, outer loops and integrators in shared objects, loaded by the command: examples/mylaw.c and examples/myloops.c. And what the
 * experiments over laws print. */
#define _POSIX_C_SOURCE 200809L
#include "law_scene.h"

#include "cli_run.h"

static void a_law_in_a_shared_object_runs_in_track_and_lab(void** state)
{
    (void)state;
    static run r;
    char arguments[512];
    snprintf(arguments, sizeof arguments, "track scenes/000-fig7.json --law %s --json", WITNESS_TEST_LAW);
    json_doc doc = execute_json(&r, arguments);
    assert_true(fabs(number_at(&doc, "distance.least") - 5.436001313) < 1e-8);
    wi_json_free(&doc);
    snprintf(
        arguments, sizeof arguments,
        "lab basin models/table1.json --point=-1.4,11.2,6.5 --laws linearizing --module %s --integrator rk2 --gain "
        "100 --grid 9 --json",
        WITNESS_TEST_LAW);
    doc = execute_json(&r, arguments);
    assert_true(wi_json_equal(&doc, wi_json_resolve(&doc, 0, "basins[1].law"), "bounded_outer_loop"));
    assert_true(number_at(&doc, "basins[1].share") == 1 && number_at(&doc, "basins[0].share") < 0.9);
    wi_json_free(&doc);
    execute(&r, "track scenes/000-fig7.json --law ./no-such.so");
    assert_int_equal(r.code, 2);
    assert_has(r.err, "the law cannot be loaded");
}

/* The integrator of the example is of order 2, as rk2 is, and its factor on a linear flow is the same. */
static void loops_in_a_shared_object_run_in_track_and_lab(void** state)
{
    (void)state;
    static run r;
    char arguments[512];
    double left[2];
    for (int k = 0; k < 2; ++k) {
        snprintf(arguments, sizeof arguments,
                 "lab settle models/table1.json --point 5,5,12 --grid 5 --laws switching --integrator %s --json",
                 k ? WITNESS_TEST_LOOPS : "rk2");
        json_doc doc = execute_json(&r, arguments);
        left[k] = number_at(&doc, "runs[0].to_1e_6.mean");
        assert_true(number_at(&doc, "runs[0].closest") == 25);
        wi_json_free(&doc);
    }
    assert_true(fabs(left[0] - left[1]) < 0.5);
    /* a soft approach is slower from afar, and arrives */
    for (int k = 0; k < 2; ++k) {
        snprintf(arguments, sizeof arguments,
                 "lab settle models/table1.json --point 5,5,12 --grid 5 --laws linearizing,newton%s%s --json",
                 k ? " --outer " : "", k ? WITNESS_TEST_LOOPS : "");
        json_doc doc = execute_json(&r, arguments);
        left[k] = number_at(&doc, "runs[0].to_1e_6.mean");
        assert_true(number_at(&doc, "runs[0].closest") == 25 && number_at(&doc, "runs[1].closest") == 25);
        wi_json_free(&doc);
    }
    assert_true(left[1] > left[0] + 10);
    snprintf(
        arguments, sizeof arguments,
        "lab basin models/table1.json --point 5,5,12 --laws linearizing --outer %s --integrator %s --gain 100 --grid 5 "
        "--steps 2000 --json",
        WITNESS_TEST_LOOPS, WITNESS_TEST_LOOPS);
    json_doc doc = execute_json(&r, arguments);
    assert_true(number_at(&doc, "basins[0].share") == 1);
    wi_json_free(&doc);
    snprintf(arguments, sizeof arguments, "track scenes/004-fig7.json --outer %s --integrator %s", WITNESS_TEST_LOOPS,
             WITNESS_TEST_LOOPS);
    execute_well(&r, arguments);
    assert_has(r.out, "linearizing, own, gain 50 / s");
    /* one without the object that is asked for */
    snprintf(arguments, sizeof arguments, "track scenes/004-fig7.json --law %s", WITNESS_TEST_LOOPS);
    execute(&r, arguments);
    assert_int_equal(r.code, 2);
    assert_has(r.err, "it has no object \"witness_law\"");
    snprintf(arguments, sizeof arguments, "track scenes/000-fig8-k50.json --outer %s", WITNESS_TEST_LOOPS);
    execute(&r, arguments);
    assert_int_equal(r.code, 2);
    assert_has(r.err, "--outer belongs to linearizing");
}

static void settle_tells_of_laws_and_starts(void** state)
{
    (void)state;
    static run r;
    char arguments[256], path[128];
    static char text[1 << 16];
    snprintf(path, sizeof path, "%s/settle.csv", scratch);
    snprintf(arguments, sizeof arguments,
             "lab settle models/table1.json --point=-1.4,11.2,6.5 --grid 5 --laws all --gain 50,100 --csv '%s' --json",
             path);
    json_doc doc = execute_json(&r, arguments);
    assert_true(number_at(&doc, "starts") == 25);
    slurp(path, text, sizeof text);
    int lines = 0, closest = 0;
    for (const char* c = text; *c; c++) {
        lines += *c == '\n';
        closest += c[0] == ',' && c[1] == '1' && c[2] == '\n';
    }
    double sum = 0;
    int runs = 0;
    for (char at[64]; runs < 14; runs++) { /* five flows at two gains, four other laws */
        snprintf(at, sizeof at, "runs[%d].closest", runs);
        sum += number_at(&doc, at);
    }
    assert_int_equal(lines, 1 + 25 * runs);
    assert_true(sum == closest && closest > 100 && closest < 350);
    wi_json_free(&doc);
    static const mistake wrong[] = {
        {"models/table1.json --point 5,5,12", "--start U,V is missing, or --grid N"},
        {"models/table1.json --point 5,5,12 --grid 5 --start 0.1,0.1", "one or the other"},
        {"models/table1.json --point 5,5,12 --grid 5 --laws newton --law switching", "has them all"},
        {"models/table1.json --point 5,5,12 --grid 5 --svg x.svg", "--csv"}};
    assert_mistakes("lab settle", wrong, sizeof wrong / sizeof *wrong);
}

/* Iterations are as the paper says; times are printed, whatever they are. */
static void findmin_tells_iterations_and_times(void** state)
{
    (void)state;
    static run r;
    json_doc doc = execute_json(&r, "lab findmin --repeat 1 --json");
    for (int k = 0; k < 6; k++) {
        char at[64];
        snprintf(at, sizeof at, "[%d].frames", k);
        assert_true(number_at(&doc, at) == (k < 3 ? 221 : 361));
        snprintf(at, sizeof at, "[%d].mean_us", k);
        double mean = number_at(&doc, at);
        snprintf(at, sizeof at, "[%d].worst_us", k);
        assert_true(mean > 0 && number_at(&doc, at) >= mean);
        if (k % 3 == 2) continue;
        snprintf(at, sizeof at, "[%d].iterations_a_pair", k);
        assert_true(number_at(&doc, at) > 1 && number_at(&doc, at) < 6);
        snprintf(at, sizeof at, "[%d].most", k);
        assert_true(number_at(&doc, at) <= 12);
    }
    wi_json_free(&doc);
    execute_well(&r, "lab findmin --repeat 1");
    assert_has(r.out, "the paper, Pentium IV at 1.4 GHz");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_law_in_a_shared_object_runs_in_track_and_lab),
                                       cmocka_unit_test(loops_in_a_shared_object_run_in_track_and_lab),
                                       cmocka_unit_test(settle_tells_of_laws_and_starts),
                                       cmocka_unit_test(findmin_tells_iterations_and_times)};
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
