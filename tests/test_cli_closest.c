/* SPDX-License-Identifier: MIT */
/* `witness closest` as a user meets it. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_run.h"

static json_doc ask(run* r, const char* arguments)
{
    execute_well(r, arguments);
    json_doc doc = json_of_line(r->out);
    assert_string_equal(strchr(r->out, '\n'), "\n"); /* one line */
    return doc;
}

static void assert_word(const json_doc* doc, const char* path, const char* expected)
{
    char text[64] = "";
    size_t token = wi_json_resolve(doc, 0, path);
    size_t bytes = doc->tokens[token].end - doc->tokens[token].start;
    assert_true(bytes < sizeof text);
    memcpy(text, doc->text + doc->tokens[token].start, bytes);
    if (!strstr(text, expected)) fail_msg("%s is %s, not %s", path, text, expected);
}

static void assert_near(double x, double expected, double tolerance)
{
    if (!(fabs(x - expected) <= tolerance)) fail_msg("%.17g, not %.17g", x, expected);
}

/* b.point - a.point = distance * normal, to the rounding of coordinates below 20. */
static void assert_consistent(const json_doc* doc)
{
    double d = number_at(doc, "distance");
    for (int i = 0; i < 3; i++) {
        char path[3][32];
        snprintf(path[0], sizeof path[0], "a.point[%d]", i);
        snprintf(path[1], sizeof path[1], "b.point[%d]", i);
        snprintf(path[2], sizeof path[2], "normal[%d]", i);
        assert_near(number_at(doc, path[1]) - number_at(doc, path[0]), d * number_at(doc, path[2]), 1e-13);
    }
    assert_true(number_at(doc, "lower_bound") <= d && d <= number_at(doc, "upper_bound"));
}

static void a_point_has_a_signed_certified_distance(void** state)
{
    (void)state;
    run r;
    /* The barrel of the pen: a cylinder of radius 1/2 about z. */
    json_doc doc = ask(&r, "closest models/pen.json --point 1,2,3 --json");
    assert_near(number_at(&doc, "distance"), sqrt(5) - 0.5, 1e-14);
    assert_consistent(&doc);
    assert_word(&doc, "certified", "true");
    assert_word(&doc, "outcome", "converged");
    assert_word(&doc, "a.feature", "face");
    assert_word(&doc, "a.name", "S4");
    assert_word(&doc, "b.feature", "point");
    assert_word(&doc, "sign", "normal");
    assert_true(number_at(&doc, "a.id") == 1 && number_at(&doc, "b.id") == -1);
    assert_near(number_at(&doc, "a.v"), 3, 1e-14);
    assert_true(number_at(&doc, "work.nodes") >= 1 && number_at(&doc, "work.jets") >= 1);
    assert_true(wi_json_member(&doc, 0, "set") == 0);
    wi_json_free(&doc);
    /* Inside, nearer to the barrel than to anything else. */
    doc = ask(&r, "closest models/pen.json --json --point=0.3,-.1,+3.");
    assert_near(number_at(&doc, "distance"), sqrt(0.1) - 0.5, 1e-15);
    assert_consistent(&doc);
    wi_json_free(&doc);
    /* The same from a pen that stands elsewhere, turned by a quarter about x: z goes to -y. */
    doc = ask(&r, "closest models/pen.json --json --point '11, 17, 32' "
                  "--pose-a 10,20,30,0.7071067811865476,0.7071067811865476,0,0");
    assert_near(number_at(&doc, "distance"), sqrt(5) - 0.5, 1e-14);
    assert_near(number_at(&doc, "a.point[1]"), 17, 1e-14);
    wi_json_free(&doc);
    execute(&r, "closest models/pen.json --point 1,2,3");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "distance  1.73606797749979\n");
    assert_has(r.out, "; certified to 1e-09 of the size\n");
    assert_has(r.out, "converged: no other pair is closer\n");
    assert_has(r.out, "pen: face 1 \"S4\" at u = 1.107148718, v = 3, point (0.2236067977, 0.4472135955, 3)\n");
    assert_has(r.out, "the point is outside, by the normal of the face\n");
    execute(&r, "closest models/pen.json --point 0.3,-0.1,3");
    assert_has(r.out, "the point is inside, by the normal of the face\n");
}

static void a_pair_names_its_features(void** state)
{
    (void)state;
    run r;
    json_doc doc = ask(&r, "closest models/pen.json models/bowl.json --pose-a 0,18,-10,1,0,0,0 --json");
    assert_near(number_at(&doc, "distance"), 15.205932468526031141, 1e-13);
    assert_consistent(&doc);
    assert_word(&doc, "a.name", "C3");
    assert_word(&doc, "b.name", "S1");
    assert_word(&doc, "sign", "none");
    wi_json_free(&doc);
    /* The bowl moved instead of the pen, and the other way round. */
    doc = ask(&r, "closest models/bowl.json models/pen.json --pose-a 0,-18,10,1,0,0,0 --json");
    assert_near(number_at(&doc, "distance"), 15.205932468526031141, 1e-13);
    assert_word(&doc, "a.name", "S1");
    assert_word(&doc, "b.name", "C3");
    wi_json_free(&doc);
    execute(&r, "closest models/pen.json models/bowl.json --pose-a 0,-4,12,1,0,0,0");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "distance  8\n");
    assert_has(r.out, "pen: vertex 0 \"V1\", point (0, -4, 12)\n");
    assert_has(r.out, "bowl: edge 0 \"C1\"");
    assert_has(r.out, "normal    (0, 0, -1), from a to b\n");
}

static void every_contact_is_listed(void** state)
{
    (void)state;
    run r;
    json_doc doc = ask(&r, "closest models/half-space.json models/box.json --contacts --json --pose-b 1,2,9.5,1,0,0,0");
    assert_word(&doc, "complete", "true");
    assert_true(number_at(&doc, "count") == 4);
    for (int k = 0; k < 4; ++k) {
        char path[64];
        snprintf(path, sizeof path, "contacts[%d].distance", k);
        assert_near(number_at(&doc, path), -0.5, 1e-12);
        snprintf(path, sizeof path, "contacts[%d].group", k);
        assert_true(number_at(&doc, path) == 1);
    }
    wi_json_free(&doc);
    doc = ask(&r, "closest models/half-space.json models/box.json --contacts --json --pose-b 1,2,11,1,0,0,0");
    assert_true(number_at(&doc, "count") == 0);
    assert_word(&doc, "complete", "true");
    wi_json_free(&doc);
    doc =
        ask(&r, "closest models/half-space.json models/box.json --contacts --within 2 --json --pose-b 1,2,11,1,0,0,0");
    assert_true(number_at(&doc, "count") == 4);
    wi_json_free(&doc);
    static const char* const wrong[] = {"closest models/box.json models/box.json --contacts --all",
                                        "closest models/box.json --point 1,2,3 --contacts",
                                        "closest models/box.json models/box.json --contacts --only-a faces"};
    for (int k = 0; k < 3; ++k) {
        execute(&r, wrong[k]);
        assert_int_equal(r.code, 2);
        assert_has(r.err, "--contacts");
    }
}

static void every_local_minimum_is_listed(void** state)
{
    (void)state;
    run r;
    /* Turned by 270 degrees: two pairs tie. */
    json_doc doc = ask(&r, "closest models/pen.json models/bowl.json --all --json "
                           "--pose-a 0,-4,12,-0.7071067811865476,0.7071067811865476,0,0 --within 7.6");
    assert_word(&doc, "complete", "true");
    assert_true(number_at(&doc, "count") == 2);
    assert_near(number_at(&doc, "minima[0].distance"), 7.5663729752107779636, 1e-13);
    assert_near(number_at(&doc, "minima[1].distance"), 7.5663729752107779636, 1e-13);
    assert_word(&doc, "minima[0].kind", "minimum");
    assert_true(number_at(&doc, "minima[0].a.id") != number_at(&doc, "minima[1].a.id"));
    wi_json_free(&doc);
    execute(&r, "closest models/pen.json models/bowl.json --all "
                "--pose-a 0,-4,12,-0.7071067811865476,0.7071067811865476,0,0 --within 7.6");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "2 local minima within 7.6; complete: there is no other\n");
    assert_has(r.out, "\"C2\"");
    assert_has(r.out, "\"C3\"");
    /* A point that sees two edges of the Table I patch, which is not convex. */
    doc = ask(&r, "closest models/table1.json --point 13.6,4.78,-1.3 --all --json");
    assert_word(&doc, "complete", "true");
    assert_true(number_at(&doc, "count") == 2);
    assert_true(number_at(&doc, "minima[0].distance") < number_at(&doc, "minima[1].distance"));
    wi_json_free(&doc);
}

static void cut_off_budget_and_tolerance_reach_the_search(void** state)
{
    (void)state;
    run r;
    json_doc doc = ask(&r, "closest models/pen.json models/bowl.json --pose-a 0,18,-10,1,0,0,0 --within 15 --json");
    assert_word(&doc, "outcome", "beyond");
    assert_word(&doc, "distance", "null");
    assert_word(&doc, "a", "null");
    assert_true(number_at(&doc, "lower_bound") >= 15 && number_at(&doc, "lower_bound") <= 15.2059324685261);
    wi_json_free(&doc);
    doc = ask(&r, "closest models/pen.json models/bowl.json --pose-a 0,18,-10,1,0,0,0 --budget 100 --json");
    assert_word(&doc, "outcome", "budget");
    assert_word(&doc, "certified", "false");
    assert_true(number_at(&doc, "lower_bound") <= 15.2059324685261 &&
                number_at(&doc, "upper_bound") >= 15.205932468526);
    wi_json_free(&doc);
    execute(&r, "closest models/pen.json models/bowl.json --pose-a 0,18,-10,1,0,0,0 --budget 100");
    assert_has(r.out, "; NOT certified to 1e-09 of ");
    assert_has(r.out, "budget: work or memory ended first; the bracket holds");
    doc = ask(&r, "closest models/table1.json --point 3,4,9 --tolerance 1e-13 --rigorous --json");
    assert_word(&doc, "certified", "true");
    assert_true(number_at(&doc, "upper_bound") - number_at(&doc, "lower_bound") <= 1e-13 * 15);
    wi_json_free(&doc);
    execute(&r, "closest models/table1.json --point 3,4,9 --rigorous");
    assert_has(r.out, ", rounding counted\n");
}

/* Whatever the library answers is written: no pair found, a witness that is no feature, a bracket without end. */
static void any_end_of_a_search_is_written(void** state)
{
    (void)state;
    static const char* const what[] = {"box.json --point 0,0,0", "box.json models/box.json",
                                       "half-space.json models/box.json", "three-arc.json --point 0.1,0.1,0"};
    static const char* const how[] = {"--budget 1", "--budget 2 --within 1e-3", "--within 0", "--only-a edges"};
    static const char* const form[] = {"", "--json", "--all", "--all --json"};
    for (size_t i = 0; i < sizeof what / sizeof *what; i++)
        for (size_t k = 0; k < sizeof how / sizeof *how; k++)
            for (size_t m = 0; m < sizeof form / sizeof *form; m++) {
                char arguments[256];
                run r;
                snprintf(arguments, sizeof arguments, "closest models/%s %s %s", what[i], how[k], form[m]);
                execute(&r, arguments);
                if (r.code || !r.out[0] || strstr(r.out, "nan") || strstr(r.out, " -1 ") || strstr(r.out, "(null)"))
                    fail_msg("%s: code %d\n%s%s", arguments, r.code, r.out, r.err);
            }
}

/* Two balls of one model, radius 1 and 2, centres at (10, 0, 0) and, turned by a half about z, (0, 5, 0). */
static void bodies_stand_where_their_model_says(void** state)
{
    (void)state;
    static const char model[] =
        "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"none\", \"bodies\": ["
        "{\"name\": \"one\", \"pose\": {\"position\": [10, 0, 0]}, \"solid\": {\"kind\": \"sphere\", \"radius\": 1}},"
        "{\"name\": \"two\", \"pose\": {\"position\": [0, 5, 0], \"rotation\": [0, 0, 0, 1]},"
        " \"solid\": {\"kind\": \"sphere\", \"radius\": 2}}]}";
    /* The quarter turn of the whole model about z, and a step: (10, 0, 0) goes to (0, 10, 0) + (0, 5, 0). */
#define TWO "two.json --body-a one --body-b two "
    static const char* const calls[] = {TWO, TWO "--poses rows",
                                        TWO "--pose-a 0,5,0,0.7071067811865476,0,0,0.7071067811865476",
                                        "--body one --point 10,0,3"};
    const double distance[] = {sqrt(125) - 3, sqrt(50) - 3, 7, 2};
    write_scratch("two.json", model);
    write_scratch("rows", "0 0 0 1 0 0 0  5 0 0 1 0 0 0");
    for (int i = 0; i < 4; i++) {
        char arguments[512], here[512];
        run r;
        assert_true(getcwd(here, sizeof here) && chdir(scratch) == 0);
        snprintf(arguments, sizeof arguments, "closest two.json --json %s", calls[i]);
        json_doc doc = ask(&r, arguments);
        assert_int_equal(chdir(here), 0);
        assert_near(number_at(&doc, "distance"), distance[i], 1e-13);
        wi_json_free(&doc);
    }
}

static void only_the_features_asked_for_count(void** state)
{
    (void)state;
    run r;
    static const struct {
        const char *only, *name;
        double distance;
    } cases[] = {
        {"face:S4", "S4", 1.73606797749979},
        {"face:1", "S4", 1.73606797749979},
        {"vertices", "V1", 3.7416573867739413}, /* sqrt 14 */
        {"edges", "C2", 2.6483829070774889},    /* hypot(sqrt 5 - 1/2, 2) */
        {"edge:C3,vertex:V1", "V1", 3.7416573867739413},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "closest models/pen.json --point 1,2,3 --json --only-a %s",
                 cases[i].only);
        json_doc doc = ask(&r, arguments);
        assert_near(number_at(&doc, "distance"), cases[i].distance, 1e-13);
        assert_word(&doc, "a.name", cases[i].name);
        assert_word(&doc, "sign", "none");
        wi_json_free(&doc);
    }
    static const char* const none[] = {"face:S9", "frame:x"};
    for (int i = 0; i < 2; i++) {
        char arguments[256], hint[64];
        snprintf(arguments, sizeof arguments, "closest models/pen.json --point 1,2,3 --only-a %s", none[i]);
        snprintf(hint, sizeof hint, "'%s' is no feature of pen", none[i]);
        execute(&r, arguments);
        assert_int_equal(r.code, 2);
        assert_string_equal(r.out, "");
        assert_has(r.err, hint);
        assert_has(r.err, "Try 'witness info models/pen.json' for the names.");
    }
}

static void quaternions_that_are_nearly_unit_are_normalised(void** state)
{
    (void)state;
    run r;
    json_doc doc = ask(&r, "closest models/pen.json models/bowl.json --pose-a 0,-4,12,1.0000005,0,0,0 --json");
    assert_near(number_at(&doc, "distance"), 8, 1e-13);
    wi_json_free(&doc);
    execute(&r, "closest models/pen.json models/bowl.json --pose-a 0,-4,12,1.00001,0,0,0");
    assert_int_equal(r.code, 2);
    assert_string_equal(r.out, "");
    assert_has(r.err,
               "--pose-a '0,-4,12,1.00001,0,0,0': column 9: the quaternion qw qx qy qz has length 1.00001, not 1");
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

static void a_body_is_chosen_by_its_name(void** state)
{
    (void)state;
    run r;
    char arguments[256];
    write_scratch("two.json", "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"mm\", \"bodies\": [\n"
                              "{\"name\": \"left\", \"solid\": {\"kind\": \"sphere\", \"radius\": 1}},\n"
                              "{\"name\": \"right\", \"solid\": {\"kind\": \"sphere\", \"radius\": 2,"
                              "\"frame\": {\"origin\": [5, 0, 0]}}}]}\n");
    snprintf(arguments, sizeof arguments, "closest '%s/two.json' --point 0,0,10", scratch);
    execute(&r, arguments);
    assert_int_equal(r.code, 2);
    assert_has(r.err, "two.json has 2 bodies, 'left', 'right': choose one by --body NAME\n");
    snprintf(arguments, sizeof arguments, "closest '%s/two.json' --point 0,0,10 --body lift", scratch);
    execute(&r, arguments);
    assert_int_equal(r.code, 2);
    assert_has(r.err, "two.json has 'left', 'right'; there is no body 'lift'");
    snprintf(arguments, sizeof arguments, "closest '%s/two.json' --point 0,0,10 --body left --json", scratch);
    json_doc doc = ask(&r, arguments);
    assert_near(number_at(&doc, "distance"), 9, 1e-14);
    wi_json_free(&doc);
    snprintf(arguments, sizeof arguments, "closest '%s/two.json' '%s/two.json' --body-a left --body-b right", scratch,
             scratch);
    execute(&r, arguments);
    assert_int_equal(r.code, 0);
    assert_has(r.out, "distance  2 mm\n");
    assert_has(r.out, "a         left: face 0");
    assert_has(r.out, "b         right: face 0");
}

static void units_that_differ_are_refused_with_the_factor(void** state)
{
    (void)state;
    run r;
    char arguments[256];
    write_scratch("a.json", "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"mm\", \"bodies\": ["
                            "{\"solid\": {\"kind\": \"sphere\", \"radius\": 1}}]}\n");
    write_scratch("b.json", "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"in\", \"bodies\": ["
                            "{\"solid\": {\"kind\": \"sphere\", \"radius\": 1}}]}\n");
    snprintf(arguments, sizeof arguments, "closest '%s/a.json' '%s/b.json' --pose-b 9,0,0,1,0,0,0", scratch, scratch);
    execute(&r, arguments);
    assert_int_equal(r.code, 1);
    assert_string_equal(r.out, "");
    assert_has(r.err, "b.json: its unit is \"in\", that of ");
    assert_has(r.err, "times 25.4");
    snprintf(arguments, sizeof arguments, "closest '%s/a.json' models/pen.json --pose-b 9,0,0,1,0,0,0", scratch);
    execute(&r, arguments);
    assert_int_equal(r.code, 0);
    assert_has(r.out, " mm\n");
    assert_has(r.err, "models/pen.json: note: it has no stated unit; its lengths are taken as mm, the unit of ");
}

static void wrong_usage_is_exit_2_with_a_hint(void** state)
{
    (void)state;
    static const mistake wrong[] = {
        {"", "the model is missing"},
        {"models/pen.json", "--point X,Y,Z or --points FILE or a second model is missing"},
        {"models/pen.json --pont 1,2,3", "unknown option '--pont'; did you mean '--point'?"},
        {"models/pen.json --jsn --point 1,2,3", "unknown option '--jsn'; did you mean '--json'?"},
        {"models/pen.json --tolerence=1e-9 --point 1,2,3", "'--tolerence'; did you mean '--tolerance'?"},
        {"models/pen.json models/bowl.json --point 1,2,3", "a point or a second model, not both"},
        {"models/pen.json models/bowl.json models/box.json", "two models are enough; left over is 'models/box.json'"},
        {"models/pen.json --point 1,2,3 --points x", "--point and --points together"},
        {"models/pen.json models/bowl.json --pose-a 0,0,0,1,0,0,0 --poses x", "--pose-a and --poses together"},
        {"models/pen.json --point 1,2,3 --pose-b 0,0,0,1,0,0,0", "a second model is missing for '--pose-b'"},
        {"models/pen.json models/bowl.json --body x", "say --body-a or --body-b"},
        {"models/pen.json --point", "a point X,Y,Z is missing after '--point'"},
        {"models/pen.json --point --json", "a point X,Y,Z is missing after '--point'"},
        {"models/pen.json --point 1,2", "--point '1,2': 2 numbers, not 3: a point X,Y,Z is wanted"},
        {"models/pen.json --point 1,2,3,4", "4 numbers, not 3"},
        {"models/pen.json --point 1,2,nan", "column 5: 'nan' is not a finite number"},
        {"models/pen.json --point 1,2,x", "column 5: 'x' is not a number"},
        {"models/pen.json --point 1,2,1e13", "a coordinate is too large"},
        {"models/pen.json --point 1,2,3 --point 4,5,6", "given twice: '--point'"},
        {"models/pen.json models/bowl.json --pose-a 0,0,0,1,0,0", "6 numbers, not 7: a pose x,y,z,qw,qx,qy,qz"},
        {"models/pen.json --point 1,2,3 --tolerance 2", "it has to be in 1e-15 .. 1"},
        {"models/pen.json --point 1,2,3 --within -1", "it has to be in 0 .. 1e+12"},
        {"models/pen.json --point 1,2,3 --budget 0", "it has to be in 1 .. 1e+09"},
        {"models/pen.json --point 1,2,3 --budget 1.5", "a whole number is wanted"},
        {"models/pen.json --point 1,2,3 --threads 0", "it has to be in 1 .. 256"},
        {"models/pen.json --point 1,2,3 --json=yes", "no value belongs to '--json'"},
        {"- --points -", "standard input can be read only once"},
        {"- -", "standard input can be read only once"},
    };
    run r;
    assert_mistakes("closest", wrong, sizeof wrong / sizeof wrong[0]);
    execute(&r, "closest nowhere.json --point 1,2,3");
    assert_int_equal(r.code, 1);
    assert_string_equal(r.err, "nowhere.json: the file cannot be opened: there is no such file or directory\n");
    execute(&r, "closest --help");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "usage: witness closest MODEL --point X,Y,Z | --points FILE\n");
    execute(&r, "closest - --point 1,2,3 <models/pen.json");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "distance  1.73606797749979\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_has_a_signed_certified_distance),
        cmocka_unit_test(a_pair_names_its_features),
        cmocka_unit_test(every_contact_is_listed),
        cmocka_unit_test(every_local_minimum_is_listed),
        cmocka_unit_test(cut_off_budget_and_tolerance_reach_the_search),
        cmocka_unit_test(any_end_of_a_search_is_written),
        cmocka_unit_test(bodies_stand_where_their_model_says),
        cmocka_unit_test(only_the_features_asked_for_count),
        cmocka_unit_test(quaternions_that_are_nearly_unit_are_normalised),
        cmocka_unit_test(a_body_is_chosen_by_its_name),
        cmocka_unit_test(units_that_differ_are_refused_with_the_factor),
        cmocka_unit_test(wrong_usage_is_exit_2_with_a_hint),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
