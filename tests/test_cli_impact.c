/* SPDX-License-Identifier: MIT */
/* `witness impact` as a user meets it. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_run.h"

#define FLIGHT "'{\"kind\": \"twist\", \"pose\": [-500, 0, 0], \"velocity\": [20000, 0, 0]}'"

/* The box reaches to x = -20, the capsule 5 from its axis. */
static void time_place_and_normal_are_told(void** state)
{
    (void)state;
    run r;
    json_doc doc =
        execute_json(&r, "impact models/box.json models/capsule.json --duration 0.1 --json --motion " FLIGHT);
    assert_has(r.out, "\"outcome\": \"reached\", \"certified\": true");
    double lo = number_at(&doc, "bracket[0]"), hi = number_at(&doc, "bracket[1]"), t = (500.0 - 25) / 20000;
    assert_true(lo <= t + 1e-15 && hi >= t - 1e-15 && hi - lo <= 1e-9);
    assert_true(fabs(number_at(&doc, "normal[0]") + 1) < 1e-9);
    assert_true(fabs(number_at(&doc, "a.point[0]") + 20) < 1e-4);
    assert_true(fabs(number_at(&doc, "rate") + 20000) < 1e-6);
    wi_json_free(&doc);
    execute_well(&r, "impact models/box.json models/capsule.json --duration 0.1 --motion " FLIGHT);
    assert_has(r.out, "time       0.02375");
    assert_has(r.out, "apart until its beginning, certified\n");
    assert_has(r.out, "normal     (-1, ");
    write_scratch("motion.json", "{\"kind\": \"twist\", \"pose\": [-500, 0, 0], \"velocity\": [20000, 0, 0]}\n");
    char line[256];
    run same;
    snprintf(line, sizeof line, "impact models/box.json models/capsule.json --duration 0.1 --motion %s/motion.json",
             scratch);
    execute_well(&same, line);
    assert_string_equal(same.out, r.out);
}

static void poses_scenes_points_and_thresholds_are_taken(void** state)
{
    (void)state;
    run r;
    json_doc doc = execute_json(&r, "impact models/box.json models/capsule.json --from-b=-500,0,0,1,0,0,0 "
                                    "--to-b 500,0,0,1,0,0,0 --duration 2 --json");
    assert_true(fabs(number_at(&doc, "time") - 475.0 / 500) < 2e-9);
    wi_json_free(&doc);
    doc =
        execute_json(&r, "impact models/box.json point --from-b=-500,0,0,1,0,0,0 --to-b 500,0,0,1,0,0,0 --threshold 30 "
                         "--json");
    assert_true(fabs(number_at(&doc, "time") - 450.0 / 1000) < 2e-9);
    wi_json_free(&doc);
    /* b stands, a comes */
    doc = execute_json(&r, "impact models/box.json models/capsule.json --from-b 100,0,0,1,0,0,0 --to-a 75,0,0,1,0,0,0 "
                           "--threshold 0.5 --json");
    assert_true(fabs(number_at(&doc, "time") - 74.5 / 75) < 2e-9);
    wi_json_free(&doc);
    execute_well(&r, "impact scenes/gear-in-gear.json");
    assert_has(r.out, "clear      proved: no touch from 0 s to 6 s\n");
    execute_well(&r, "impact scenes/through-touch.json --until 1");
    assert_has(r.out, "clear      proved: no touch from 0 s to 1 s\n");
    execute_well(&r, "impact scenes/through-touch.json");
    assert_has(r.out, "time       1.143385729");
    execute_well(&r, "impact scenes/through-touch.json --since 1.5");
    assert_has(r.out, "time       1.5 s: from the start\n");
    execute_well(&r, "impact scenes/gear-in-gear.json --budget 500");
    assert_has(r.out, "open       proved: no touch until ");
    doc = execute_json(
        &r, "impact models/box.json point --from-b=-500,30,0,1,0,0,0 --to-b 500,30,0,1,0,0,0 --least --json");
    assert_has(r.out, "\"outcome\": \"apart\", \"certified\": true");
    double least = number_at(&doc, "upper_bound");
    assert_true(least > 0 && least - number_at(&doc, "lower_bound") < 1e-6);
    wi_json_free(&doc);
}

static void wrong_usage_is_exit_2_with_a_hint(void** state)
{
    (void)state;
    static const mistake list[] = {
        {"", "two models, or a scene, are missing"},
        {"a.json b.json c.json", "two models are enough; left over is 'c.json'"},
        {"a.json b.json --motion '{}' --to-b 1,2,3,1,0,0,0", "one or the other, not both"},
        {"scene.json --from-b 1,2,3,1,0,0,0", "a scene has its own bodies and motions"},
        {"a.json b.json --from-b 1,2,3", "--from-b"},
        {"a.json b.json --threshold near", "--threshold"},
        {"a.json b.json --budget 1", "--budget"},
        {"a.json b.json --motoin x", "did you mean '--motion'"},
    };
    assert_mistakes("impact", list, sizeof list / sizeof list[0]);
    run r;
    execute(&r, "impact models/box.json models/capsule.json --motion '{\"kind\": \"twits\"}'");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "b.motion.kind");
    execute(&r, "impact models/box.json models/capsule.json --motion nowhere.json");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "nowhere.json");
    execute(&r, "impact models/box.json models/capsule.json --threshold=-1");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "threshold: ");
    execute_well(&r, "impact --help");
    assert_has(r.out, "usage: witness impact A B ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_place_and_normal_are_told),
        cmocka_unit_test(poses_scenes_points_and_thresholds_are_taken),
        cmocka_unit_test(wrong_usage_is_exit_2_with_a_hint),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
