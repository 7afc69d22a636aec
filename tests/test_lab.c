/* SPDX-License-Identifier: MIT */
/* `witness lab`: the paper's tables and the accuracy at a known gap. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "campaign.h"
#include "cli_run.h"

/* The rows that are not simply right, with the true distance (40 digits, rounded) and the reason. */
static void the_table_says_where_the_paper_is_wrong_and_why(void** state)
{
    (void)state;
    static const struct {
        int table, row;
        double distance;
        const char* reason;
    } known[] = {
        {0, 0, 8, "right"},
        {0, 1, 5.6568542494923801952, "right: all of a circle"},
        {0, 2, 0, "right: they touch"},
        {0, 3, 0.044721359549995793928, "distance right, pen point halved"},
        {0, 4, 0.35777087639996635143, "right"},
        {0, 5, 1, "right"},
        {0, 6, 6.3, "right"},
        {0, 7, 7.0178344238090998153, "right"},
        {0, 8, 15.205932468526031141, "WRONG: the value of Y = 22.15, a digit cut off in the point"},
        {1, 0, 8, "right"},
        {1, 1, 7.9919844328121266756, "right"},
        {1, 2, 7.5663729752107779636, "right"},
        {1, 3, 6.4282032302755091741, "right"},
        {1, 4, 1.2499384950057560973, "right"},
        {1, 5, 0.99441666446331380555, "WRONG: a saddle; the minimum is off the plane x = 0, on both sides"},
        {1, 6, 0.99512661615276584005, "distance right, bowl point shifted: that of row 210"},
        {1, 7, 3.3899306380695739375, "distance right, bowl point shifted: that of row 225"},
        {1, 8, 4.2236618314595895727, "WRONG: a saddle; the minimum is off the plane x = 0, on both sides"},
        {1, 9, 7.5663729752107779636, "right; one of 2 pairs that tie"},
        {1, 10, 7.9845187457655966775, "right"},
    };
    run r;
    json_doc doc = execute_json(&r, "lab table --json");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "tables[%d].rows[%d].ours.distance", known[i].table, known[i].row);
        double d = number_at(&doc, path);
        if (!(fabs(d - known[i].distance) <= 1e-12)) fail_msg("%s: %.17g, not %.17g", path, d, known[i].distance);
        snprintf(path, sizeof path, "tables[%d].rows[%d].reason", known[i].table, known[i].row);
        if (!wi_json_equal(&doc, wi_json_resolve(&doc, 0, path), known[i].reason))
            fail_msg("%s is not \"%s\"", path, known[i].reason);
    }
    wi_json_free(&doc);
    execute(&r, "lab table");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "20 rows: the paper has 14 right, 3 with a wrong point, 3 with a wrong distance\n");
}

static void the_table_needs_its_models(void** state)
{
    (void)state;
    run r;
    char arguments[256];
    execute(&r, "lab table --models models");
    assert_int_equal(r.code, 0);
    snprintf(arguments, sizeof arguments, "lab table --models '%s'", scratch);
    execute(&r, arguments);
    assert_int_equal(r.code, 1);
    assert_string_equal(r.out, "");
    assert_has(r.err, "/pen.json: the file cannot be opened: there is no such file or directory\n");
}

/* 36 pairs at a gap of 2 mm: the truth is known to some 1e-16 m. */
static void distances_at_a_known_gap_are_right_to_1e_12(void** state)
{
    (void)state;
    run r;
    char arguments[128];
    snprintf(arguments, sizeof arguments, "lab accuracy --json --placements %ld", campaign(1000));
    json_doc doc = execute_json(&r, arguments);
    double worst = 0;
    for (int i = 0; i < 36; i++) {
        char path[64];
        snprintf(path, sizeof path, "pairs[%d].worst_error", i);
        double error = number_at(&doc, path);
        if (!(error <= 1e-12)) fail_msg("%s: %g in %s", path, error, r.out);
        worst = fmax(worst, error);
        snprintf(path, sizeof path, "pairs[%d].brackets_without_truth", i);
        assert_true(number_at(&doc, path) == 0);
        snprintf(path, sizeof path, "pairs[%d].placements", i);
        assert_true(number_at(&doc, path) == (double)campaign(1000));
    }
    print_message("worst error of 36 x %ld placements: %.1e m\n", campaign(1000), worst);
    double deepest = 0;
    for (int i = 0; i < 15; i++) {
        char path[64];
        snprintf(path, sizeof path, "penetration[%d].worst_error", i);
        double error = number_at(&doc, path);
        if (!(error <= 1e-10)) fail_msg("%s: %g in %s", path, error, r.out);
        deepest = fmax(deepest, error);
        snprintf(path, sizeof path, "penetration[%d].brackets_without_truth", i);
        assert_true(number_at(&doc, path) == 0);
    }
    print_message("worst error of the depth, 15 pairs: %.1e m\n", deepest);
    wi_json_free(&doc);
}

static void the_accuracy_has_the_same_bits_at_any_number_of_threads(void** state)
{
    (void)state;
    run one, more;
    execute(&one, "lab accuracy --placements 5 --seed 3 --json --threads 1");
    execute(&more, "lab accuracy --placements 5 --seed 3 --json --threads 7");
    assert_int_equal(one.code, 0);
    assert_string_equal(one.out, more.out);
    execute(&more, "lab accuracy --placements 5 --seed 4 --json --threads 7");
    assert_string_not_equal(one.out, more.out);
}

static void wrong_usage_is_exit_2_with_a_hint(void** state)
{
    (void)state;
    static const mistake wrong[] = {
        {"", "the experiment is missing: accuracy, basin, findmin, gain, pairs, settle or table"},
        {"tabel", "unknown experiment 'tabel'; did you mean 'table'?"},
        {"table --modles x", "did you mean '--models'?"},
        {"table models/pen.json", "left over is 'models/pen.json'"},
        {"accuracy --placements", "a number is missing after '--placements'"},
        {"accuracy --placements 0", "it has to be in 1 .. 1e+06"},
        {"accuracy --seed x", "column 1: 'x' is not a number"},
    };
    run r;
    assert_mistakes("lab", wrong, sizeof wrong / sizeof wrong[0]);
    execute(&r, "lab --help");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "accuracy");
    execute(&r, "lab accuracy --help");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "--placements N");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_says_where_the_paper_is_wrong_and_why),
        cmocka_unit_test(the_table_needs_its_models),
        cmocka_unit_test(distances_at_a_known_gap_are_right_to_1e_12),
        cmocka_unit_test(the_accuracy_has_the_same_bits_at_any_number_of_threads),
        cmocka_unit_test(wrong_usage_is_exit_2_with_a_hint),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
