/* SPDX-License-Identifier: MIT */
/* `witness lab basin`, `settle` and `gain`: the papers' experiments on laws against independent numbers. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../include/witness/laws.h"
#include "campaign.h"
#include "cli_run.h"
#include "svg_page.h"

static void read_picture(const char* name, char* to, size_t room)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    slurp(path, to, room);
    assert_true(strlen(to) + 1 < room);
}

/* ---- settle -------------------------------------------------------------------------------------------------------- */

/* Steps of an independent simulation: Table I patch, Q = (5, 5, 12), from (0.15, 0.85), rk2 at 1 kHz. */
static void steps_to_settle_are_those_of_the_reference(void** state)
{
    (void)state;
    static const struct {
        const char* law;
        int gain, to_1e_3, to_1e_6; /* -1: never */
    } known[] = {
        {"linearizing", 100, 84, 153},
        {"linearizing", 1000, 12, 22},
        {"switching", 100, 31, 59},
        {"switching", 1000, -1, -1},
    };
    run r;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "lab settle models/table1.json --point 5,5,12 --start 0.15,0.85 --rate 1000 --law %s --gain %d --json",
                 known[i].law, known[i].gain);
        json_doc doc = execute_json(&r, line);
        if (known[i].to_1e_3 > 0) {
            /* One step of difference may come from an error that is a bound to rounding. */
            assert_true(fabs(number_at(&doc, "runs[0].steps_1e_3") - known[i].to_1e_3) <= 1);
            assert_true(fabs(number_at(&doc, "runs[0].steps_1e_6") - known[i].to_1e_6) <= 1);
            assert_true(number_at(&doc, "runs[0].error") < 1e-14);
        } else {
            assert_int_equal(doc.tokens[wi_json_resolve(&doc, 0, "runs[0].steps_1e_3")].type, JSON_NULL);
            assert_true(number_at(&doc, "runs[0].error") > 0.1);
        }
        wi_json_free(&doc);
    }
}

static void settling_is_drawn_and_told(void** state)
{
    (void)state;
    static char svg[1 << 18];
    run r;
    char line[256];
    snprintf(line, sizeof line,
             "lab settle models/table1.json --point 5,5,12 --start 0.15,0.85 --gain 50,100,1000 --svg '%s/s.svg'",
             scratch);
    execute_well(&r, line);
    assert_has(r.out, "linearizing, rk2 at 1000 Hz from (0.15, 0.85) to (0.493408, 0.495888)\n");
    assert_int_equal(occurrences(r.out, "\n"), 5);
    read_picture("s.svg", svg, sizeof svg);
    assert_page(svg, "settle");
    assert_has(svg, "K = 1000 / s");
    execute_well(&r, "lab settle models/table1.json --point 5,5,12 --start 0.15,0.85 --law deadbeat");
    assert_has(r.out, "deadbeat at 1000 Hz");
    /* Of the exponential law the gains are caps. Near the solution it runs at its cap: faster with a higher one. */
    json_doc doc = execute_json(&r, "lab settle models/table1.json --point 5,5,12 --start 0.15,0.85 --law exponential "
                                    "--gain 50,150 --eps 1e-6 --json");
    double slow = number_at(&doc, "runs[0].steps_1e_6"), fast = number_at(&doc, "runs[1].steps_1e_6");
    assert_true(fast > 0 && slow > 2 * fast && slow < 400);
    wi_json_free(&doc);
}

/* ---- gain ---------------------------------------------------------------------------------------------------------- */

static void linearizing_limits_are_those_of_the_integrators(void** state)
{
    (void)state;
    /* K h of the test equation; 0: none. */
    static const struct {
        const char* name;
        double limit;
    } known[] = {{"euler", 2},
                 {"rk2", 2},
                 {"rk3", 2.5127453266183286},
                 {"rk4", 2.785293563405282},
                 {"ab2", 1},
                 {"ab3", 6.0 / 11},
                 {"ab4", 0.3},
                 {"backward_euler", 0},
                 {"trapezoid", 0}};
    run r;
    json_doc doc = execute_json(&r, "lab gain models/table1.json --point 5,5,12 --law linearizing --json");
    for (int i = 0; i < 9; i++) {
        char path[48];
        snprintf(path, sizeof path, "gains[%d].integrator", i);
        assert_true(wi_json_equal(&doc, wi_json_resolve(&doc, 0, path), known[i].name));
        snprintf(path, sizeof path, "gains[%d].found", i);
        if (known[i].limit == 0) {
            assert_int_equal(doc.tokens[wi_json_resolve(&doc, 0, path)].type, JSON_NULL);
            continue;
        }
        /* The bisection ends within 1e-4; an error that grows by less than 1e-3 in 450 steps is not seen: 2e-6. */
        double found = number_at(&doc, path);
        if (!(fabs(found / (1000 * known[i].limit) - 1) < 1e-3)) fail_msg("%s: found %g", known[i].name, found);
        snprintf(path, sizeof path, "gains[%d].theory", i);
        assert_true(fabs(number_at(&doc, path) / (1000 * known[i].limit) - 1) < 1e-9);
    }
    wi_json_free(&doc);
}

/* Limit 2 / (h (1 + d kappa)): it falls as the point moves away. Theory of the reference, to all its digits. */
static void switching_limits_fall_with_distance_and_curvature(void** state)
{
    (void)state;
    static const struct {
        const char* point;
        double limit;
    } known[] = {{"5,5,12", 489.63329637755356},
                 {"5,5,20", 217.08317297279777},
                 {"3,3,9", 714.7987236816617},
                 {"7.5,7.5,12", 624.3674482683873}};
    run r;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char line[160];
        snprintf(line, sizeof line, "lab gain models/table1.json --point %s --law switching --integrator rk2 --json",
                 known[i].point);
        json_doc doc = execute_json(&r, line);
        assert_true(fabs(number_at(&doc, "gains[0].theory") / known[i].limit - 1) < 1e-8);
        assert_true(fabs(number_at(&doc, "gains[0].found") / known[i].limit - 1) < 1e-3);
        wi_json_free(&doc);
    }
}

/* ---- basin --------------------------------------------------------------------------------------------------------- */

static double share_of(const json_doc* doc, const char* law)
{
    for (int i = 0; i <= WIT_LAW_COUNT; i++) {
        char path[48];
        snprintf(path, sizeof path, "basins[%d].law", i);
        if (!wi_json_equal(doc, wi_json_resolve(doc, 0, path), law)) continue;
        snprintf(path, sizeof path, "basins[%d].share", i);
        return number_at(doc, path);
    }
    fail_msg("there is no basin of %s", law);
    return NAN;
}

/* Counts of an independent implementation over 51 x 51 starts. The basins of the saturated laws are fractal: a few per
 * cent; a coarser grid samples the same areas, with an error of about its border over its area. */
static void basins_are_those_of_the_reference(void** state)
{
    (void)state;
    static const struct {
        const char* point;
        double newton, saturated, flow;
    } known[] = {{"-1.4,11.2,6.5", 0.11495578623606305, 0.7281814686658977, 0.4482891195693964},
                 {"-0.8,10,4.5", 0.059592464436755095, 0.2622068435217224, 0.10111495578623607}};
    int grid = campaign(1000) >= 100 ? 51 : 17;
    double coarse = grid == 51 ? 0 : 0.06;
    run r;
    for (int i = 0; i < 2; i++) {
        char line[160];
        snprintf(line, sizeof line, "lab basin models/table1.json --point=%s --grid %d --json", known[i].point, grid);
        json_doc doc = execute_json(&r, line);
        print_message("%s: newton %.4f (%.4f), saturated %.4f (%.4f), flow %.4f (%.4f)\n", known[i].point,
                      share_of(&doc, "newton"), known[i].newton, share_of(&doc, "newton_saturated"), known[i].saturated,
                      share_of(&doc, "linearizing"), known[i].flow);
        assert_true(fabs(share_of(&doc, "newton") - known[i].newton) < 0.005 + coarse);
        assert_true(fabs(share_of(&doc, "newton_saturated") - known[i].saturated) < 0.03 + coarse);
        assert_true(fabs(share_of(&doc, "linearizing") - known[i].flow) < 0.03 + coarse);
        static const char* const all[] = {"switching", "exponential",    "motion_aware",
                                          "deadbeat",  "deadbeat local", "findmin"};
        for (int k = 0; k < 6; k++)
            if (share_of(&doc, all[k]) != 1) fail_msg("%s: %s %g", known[i].point, all[k], share_of(&doc, all[k]));
        wi_json_free(&doc);
    }
}

static void basins_are_drawn_with_paths(void** state)
{
    (void)state;
    static char svg[1 << 21];
    run r;
    char line[256];
    snprintf(line, sizeof line,
             "lab basin models/table1.json --point=-1.4,11.2,6.5 --grid 15 --laws newton,newton-saturated,switching "
             "--start 0.9,0.2 --svg '%s/b.svg'",
             scratch);
    execute_well(&r, line);
    assert_has(r.out, "switching ");
    assert_null(strstr(r.out, "findmin"));
    read_picture("b.svg", svg, sizeof svg);
    assert_page(svg, "basin");
    /* Three laws, their outlines, the area, the paths. */
    assert_int_equal(occurrences(svg, "class=\"reached\""), 3);
    assert_int_equal(occurrences(svg, "class=\"area\""), 1);
    assert_int_equal(occurrences(svg, "class=\"definite\""), 5);
    assert_int_equal(occurrences(svg, "class=\"start\""), 1);
    assert_has(svg, "newton (fails)");
    assert_has(svg, ">switching</text>");
    /* A path of switching from the start to the closest point, and not in one leap. */
    const char* path = strstr(svg, "<path class=\"s0\"");
    assert_non_null(path);
}

static void wrong_usage_is_exit_2_with_a_hint(void** state)
{
    (void)state;
    static const mistake basin[] = {
        {"", "the model is missing"},
        {"models/table1.json", "--point X,Y,Z is missing"},
        {"models/table1.json --point 1,2", "2 numbers, not 3"},
        {"models/table1.json --point 1,2,3 --laws nowton", "did you mean 'newton'?"},
        {"models/table1.json --point 1,2,3 --grid 1", "it has to be in 2 .. "},
        {"models/table1.json --point 1,2,3 --face nose", "there is no face 'nose'"},
    };
    static const mistake settle[] = {
        {"models/table1.json --point 1,2,3", "--start U,V is missing"},
        {"models/table1.json --point 1,2,3 --start 0,0 --gain=-5", "none negative"},
        {"models/table1.json --point 1,2,3 --start 0,0 --law newton --gain 5", "belongs to the law 'newton'"},
        {"models/table1.json --point 1,2,3 --start 0,0 --eps 0.1",
         "--eps belongs to exponential, not to 'linearizing'"},
    };
    static const mistake gain[] = {
        {"models/table1.json --point 1,2,3 --law newton", "there is no gain in the law 'newton'"},
        {"models/table1.json --point 1,2,3 --integrator rk9", "--integrator has to be one of"},
    };
    assert_mistakes("lab basin", basin, sizeof basin / sizeof basin[0]);
    assert_mistakes("lab settle", settle, sizeof settle / sizeof settle[0]);
    assert_mistakes("lab gain", gain, sizeof gain / sizeof gain[0]);
    run r;
    static const char* const helps[] = {"lab basin --help", "lab settle --help", "lab gain --help"};
    for (int i = 0; i < 3; i++) {
        execute_well(&r, helps[i]);
        assert_has(r.out, "usage: witness lab ");
    }
    execute(&r, "lab basin models/three-arc.json --point 1,2,0");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "a body with a face is wanted");
    execute(&r, "lab gain models/half-space.json --point 1,2,3");
    assert_int_equal(r.code, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_to_settle_are_those_of_the_reference),
        cmocka_unit_test(settling_is_drawn_and_told),
        cmocka_unit_test(linearizing_limits_are_those_of_the_integrators),
        cmocka_unit_test(switching_limits_fall_with_distance_and_curvature),
        cmocka_unit_test(basins_are_those_of_the_reference),
        cmocka_unit_test(basins_are_drawn_with_paths),
        cmocka_unit_test(wrong_usage_is_exit_2_with_a_hint),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
