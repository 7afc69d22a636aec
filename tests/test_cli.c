/* SPDX-License-Identifier: MIT */
/* The command as a user meets it: what it prints, where, and its exit code. WITNESS_COMMAND is its path. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../include/witness/io.h"
#include "cli_run.h"

static void info_tells_the_truth_about_table1(void** state)
{
    (void)state;
    run r;
    execute(&r, "info models/table1.json");
    assert_int_equal(r.code, 0);
    assert_string_equal(r.err, "");
    assert_has(r.out, "degree 2 x 2, 5 x 5 control points, polynomial");
    assert_has(r.out, "C1 only at u = 1/3 (0.333333), 2/3 (0.666667)\n");
    assert_has(r.out, "C1 only at v = 1/3 (0.333333), 2/3 (0.666667)\n");
    assert_has(r.out, "negative on 42.8 % of the parameter square, 54.0 % of the area");
}

/*
 * Reference figures of the Table I patch, from exact rational arithmetic on both sides of every knot. The
 * search stops at steps of 1e-8 of the range; at a smooth extreme that leaves 1e-12, at a corner nothing.
 */
static void info_json_has_the_figures_of_table1(void** state)
{
    (void)state;
    run r;
    json_doc doc = execute_json(&r, "info --json models/table1.json");
    assert_true(fabs(number_at(&doc, "surfaces[0].negative_parameter_share") - 0.4278) < 3e-3);
    assert_true(fabs(number_at(&doc, "surfaces[0].negative_area_share") - 0.540) < 3e-3);
    assert_true(fabs(number_at(&doc, "surfaces[0].gauss_min.value") + 0.09182098765432099) < 1e-12);
    assert_true(fabs(number_at(&doc, "surfaces[0].gauss_max.value") - 0.30460015) < 1e-7);
    assert_true(fabs(number_at(&doc, "surfaces[0].gauss_max.u") - 1.0 / 3) < 1e-12);
    assert_int_equal(doc.tokens[wi_json_resolve(&doc, 0, "surfaces[0].gauss_max.u_below")].type, JSON_TRUE);
    assert_true(number_at(&doc, "surfaces[0].continuity_u[0].order") == 1);
    assert_true(number_at(&doc, "surfaces[0].continuity_v[1].value") == 2.0 / 3);
    assert_true(fabs(number_at(&doc, "surfaces[0].box.hi[2]") - 7.25) < 2e-6);
    wi_json_free(&doc);
}

/* Closed forms: areas, lengths, curvatures of the shapes in models/shapes.json. */
static void info_measures_known_shapes(void** state)
{
    (void)state;
    static const double pi = 3.14159265358979323846;
    run r;
    json_doc doc = execute_json(&r, "info models/shapes.json --json");
    const struct {
        const char* path;
        double value;
    } known[] = {
        {"curves[1].length", 4 * pi},
        {"curves[1].curvature_max.value", 0.5},
        {"curves[3].curvature_max.value", 3 / (1.5 * 1.5)},
        {"curves[3].curvature_min.value", 1.5 / 9},
        {"surfaces[1].area", 2 * pi * 2 * 6},
        {"surfaces[1].curvature_min.value", -0.5},
        {"surfaces[1].gauss_min.value", 0},
        {"surfaces[4].area", 4 * pi * 9},
        {"surfaces[4].gauss_max.value", 1.0 / 9},
        {"surfaces[4].gauss_min.value", 1.0 / 9},
        {"surfaces[5].gauss_max.value", 9.0 / 4},
        {"surfaces[6].area", 4 * pi * pi * 4 * 1},
        {"surfaces[6].gauss_min.value", -1.0 / 3},
        {"surfaces[6].gauss_max.value", 1.0 / 5},
        {"surfaces[6].negative_parameter_share", 0.5},
        {"surfaces[6].negative_area_share", 0.5 - 1 / (4 * pi)},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        double x = number_at(&doc, known[i].path);
        /* Quadrature of 120 nodes per direction: 1e-12. Shares: 1.3e-4. Curvatures at a pole, seen from 1e-5 of
         * the range away: 1e-9. */
        double tolerance = strstr(known[i].path, "share") ? 5e-4 : 1e-8;
        if (!(fabs(x - known[i].value) <= tolerance * fmax(1, known[i].value)))
            fail_msg("%s: %.12g, not %.12g", known[i].path, x, known[i].value);
    }
    wi_json_free(&doc);
    execute(&r, "info models/shapes.json");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "collapsed border    v at its low end, to the point (8, 0, -3)");
    assert_has(r.out, "principal curvature unbounded at (0, 0)");
    assert_has(r.out, "area                113.097 mm^2");
    execute(&r, "info models/torus-nurbs.json --shapes");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "u 0 .. 1 (closed), v 0 .. 1 (closed)");
    assert_has(r.out, "box                 x -13 .. 13, y -13 .. 13, z -3 .. 3 mm; size 26 x 26 x 6");
    assert_has(r.out, "area                1184.35 mm^2");
}

/* The box of a vase: its widest place is inside a cell, where no control point is. */
static void info_box_encloses_tightly(void** state)
{
    (void)state;
    run r;
    json_doc doc = execute_json(&r, "info models/shapes.json --json");
    wit_model* m = wit_model_read_file("models/shapes.json", NULL, NULL);
    assert_non_null(m);
    const wit_curve* c = wit_model_curve(m, wit_model_find_curve(m, "spline"));
    double widest = 0;
    for (int k = 0; k <= 20000; k++) {
        wit_curve_jet jet;
        wit_curve_eval(c, 2.0 * k / 20000, 0, NULL, &jet);
        widest = fmax(widest, jet.p.x);
    }
    /* The samples miss the top by at most |x''| h^2 / 8, below 1e-8; the box may exceed it by 1e-7 of the size. */
    double box = number_at(&doc, "surfaces[8].box.hi[0]");
    assert_true(box >= widest && box <= widest + 1e-8 + 1e-7 * 8);
    assert_true(-number_at(&doc, "surfaces[8].box.lo[1]") >= widest);
    wit_model_destroy(m);
    wi_json_free(&doc);
}

/* A slanted elliptic cylinder as a spline: its Gaussian curvature is zero, and rounding is not taken for curvature. */
static void info_sees_no_curvature_in_rounding(void** state)
{
    (void)state;
    write_scratch(
        "model.json",
        "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"m\", \"surfaces\": [{\"kind\": \"nurbs\","
        "\"degree_u\": 2, \"degree_v\": 1, \"knots_u\": [0, 0, 0, 1, 1, 1], \"knots_v\": [0, 0, 1, 1],"
        "\"points\": [[[1, 0.1, 0], [1.3, 0.8, 1.1]], [[1, 1.1, 0.7], [1.3, 1.8, 1.8]],"
        "[[0, 1.1, 0.7], [0.3, 1.8, 1.8]]], \"weights\": [[1, 1], [0.7071, 0.7071], [1, 1]]}]}");
    char arguments[256];
    snprintf(arguments, sizeof arguments, "info --json '%s/model.json'", scratch);
    run r;
    json_doc doc = execute_json(&r, arguments);
    assert_true(number_at(&doc, "surfaces[0].negative_parameter_share") == 0);
    assert_true(number_at(&doc, "surfaces[0].gauss_min.value") == 0);
    assert_true(number_at(&doc, "surfaces[0].gauss_max.value") == 0);
    wi_json_free(&doc);
}

/* The same patch in metres and in micrometres: shares do not change, curvatures do by the scale. */
static void info_works_at_every_scale(void** state)
{
    (void)state;
    wit_model* m = wit_model_read_file("models/table1.json", NULL, NULL);
    assert_non_null(m);
    const wit_surface_def* d = wit_model_surface_def(m, 0);
    for (int e = -6; e <= 6; e += 6) {
        char text[8192], knots[] = "[0, 0, 0, 0.3333333333333333, 0.6666666666666666, 1, 1, 1]", arguments[256];
        size_t n = (size_t)snprintf(text, sizeof text,
                                    "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"m\", \"surfaces\": ["
                                    "{\"kind\": \"nurbs\", \"degree_u\": 2, \"degree_v\": 2, \"knots_u\": %s, "
                                    "\"knots_v\": %s, \"points\": [",
                                    knots, knots);
        for (int i = 0; i < 25; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s[%ge%d, %ge%d, %ge%d]%s",
                                  i % 5 ? ", "
                                  : i   ? ", ["
                                        : "[",
                                  d->points[3 * i], e, d->points[3 * i + 1], e, d->points[3 * i + 2], e,
                                  i % 5 == 4 ? "]" : "");
        snprintf(text + n, sizeof text - n, "]}]}");
        write_scratch("model.json", text);
        snprintf(arguments, sizeof arguments, "info --json '%s/model.json'", scratch);
        run r;
        json_doc doc = execute_json(&r, arguments);
        assert_true(fabs(number_at(&doc, "surfaces[0].negative_parameter_share") - 0.4278) < 3e-3);
        assert_true(fabs(number_at(&doc, "surfaces[0].gauss_min.value") * pow(10, 2 * e) + 0.0918209876543) < 1e-9);
        assert_true(fabs(number_at(&doc, "surfaces[0].area") * pow(10, -2 * e) - 125.7599513) < 1e-5);
        wi_json_free(&doc);
    }
    wit_model_destroy(m);
}

static void info_tells_the_bodies(void** state)
{
    (void)state;
    run r;
    execute(&r, "info models/pen.json");
    assert_int_equal(r.code, 0);
    assert_string_equal(r.err, "");
    assert_has(r.out, "pen; 1 body, 0 curves, 3 surfaces, lengths in no stated unit\n");
    assert_has(r.out, "solid, 3 faces, 2 edges, 1 vertex");
    assert_has(r.out, "\"V1\"");
    assert_null(strstr(r.out, "surface 0")); /* shapes only when asked for */
    execute(&r, "info models/pen.json --shapes");
    assert_has(r.out, "surface 0 \"cone\": cone");
    execute(&r, "info models/table1.json");
    assert_has(r.out, "the surfaces as one sheet");
    assert_has(r.out, "surface 0 \"table1\"");
    json_doc doc = execute_json(&r, "info models/pen.json --json");
    assert_int_equal(doc.tokens[wi_json_member(&doc, 0, "bodies")].size, 1);
    assert_true(number_at(&doc, "surface_count") == 3);
    assert_true(wi_json_member(&doc, 0, "surfaces") == 0);
    wi_json_free(&doc);
    doc = execute_json(&r, "info models/shapes.json --json");
    assert_int_equal(doc.tokens[wi_json_member(&doc, 0, "bodies")].size, 1);
    assert_int_equal(doc.tokens[wi_json_member(&doc, 0, "surfaces")].size, 11);
    wi_json_free(&doc);
}

static void info_draws_what_it_tells(void** state)
{
    (void)state;
    static const char* const models[] = {"pen", "three-arc", "shapes", "table1", "plate", "half-space"};
    static const char* const names[] = {"V1", "C0", "globe", "table1", "hole 2", "svg"};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        char arguments[256], path[128];
        static char picture[1 << 20];
        run r;
        snprintf(arguments, sizeof arguments, "info models/%s.json --svg '%s/picture.svg'", models[i], scratch);
        snprintf(path, sizeof path, "%s/picture.svg", scratch);
        execute(&r, arguments);
        assert_int_equal(r.code, 0);
        assert_string_equal(r.err, "");
        assert_non_null(strchr(r.out, '\n'));
        slurp(path, picture, sizeof picture);
        assert_has(picture, "<svg ");
        assert_has(picture, "</svg>");
        assert_has(picture, names[i]);
    }
    run r;
    execute(&r, "info models/pen.json --svg no/such/place.svg");
    assert_int_equal(r.code, 1);
    assert_string_equal(r.out, "");
    assert_has(r.err, "no/such/place.svg: ");
}

static void info_reads_patches_by_their_ending(void** state)
{
    (void)state;
    char arguments[256], expected[256];
    run r;
    write_scratch("model.BPT", "2\n1 1\n0 0 0\n0 1 0\n1 0 0\n1 1 0\n1 1\n1 0 0\n1 1 0\n2 0 1\n2 1 1\n");
    snprintf(arguments, sizeof arguments, "info '%s/model.BPT'", scratch);
    execute(&r, arguments);
    assert_int_equal(r.code, 0);
    assert_has(r.out, "1 body, 0 curves, 2 surfaces");
    assert_has(r.out, "sheet2, 2 faces, 7 edges, 6 vertices");
    write_scratch("model.BPT", "1\n1 1\n0 0 0\n0 one 0\n");
    execute(&r, arguments);
    assert_int_equal(r.code, 1);
    assert_string_equal(r.out, "");
    snprintf(expected, sizeof expected, "%s/model.BPT:4:3: patches[0].points[0][1]: ", scratch);
    assert_int_equal(strncmp(r.err, expected, strlen(expected)), 0);
}

static void info_reads_standard_input(void** state)
{
    (void)state;
    run r, file;
    execute(&r, "info - <models/table1.json");
    execute(&file, "info models/table1.json");
    assert_int_equal(r.code, 0);
    /* all but the second line, which names the source */
    char *line = strchr(r.out, '\n'), *same = strchr(file.out, '\n');
    assert_non_null(line);
    assert_non_null(same);
    assert_true(line - r.out == same - file.out && memcmp(r.out, file.out, (size_t)(line - r.out)) == 0);
    assert_non_null(strchr(line + 1, '\n'));
    assert_string_equal(strchr(line + 1, '\n'), strchr(same + 1, '\n'));
}

static void bad_input_is_exit_1_with_a_place_and_no_output(void** state)
{
    (void)state;
    run r;
    char arguments[256], expected[256];
    write_scratch("model.json", "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"mm\",\n"
                                " \"surfaces\": [{\"kind\": \"sphere\", \"radius\": 1},\n"
                                "   {\"kind\": \"sphere\", \"radius\": -1}]}\n");
    snprintf(arguments, sizeof arguments, "info '%s/model.json'", scratch);
    execute(&r, arguments);
    assert_int_equal(r.code, 1);
    assert_string_equal(r.out, "");
    snprintf(expected, sizeof expected, "%s/model.json:3:33: surfaces[1].radius: ", scratch);
    assert_int_equal(strncmp(r.err, expected, strlen(expected)), 0);
    snprintf(arguments, sizeof arguments, "info --json - <'%s/model.json'", scratch);
    execute(&r, arguments);
    assert_int_equal(r.code, 1);
    assert_string_equal(r.out, "");
    assert_has(r.err, "standard input:3:33: surfaces[1].radius: ");
    execute(&r, "info nowhere.json");
    assert_int_equal(r.code, 1);
    assert_string_equal(r.out, "");
    assert_string_equal(r.err, "nowhere.json: the file cannot be opened: there is no such file or directory\n");
    execute(&r, "info models");
    assert_int_equal(r.code, 1);
    assert_string_equal(r.out, "");
    assert_has(r.err, "models: the file cannot be ");
    execute(&r, "info - <&-");
    assert_int_equal(r.code, 1);
    assert_string_equal(r.err, "standard input: it cannot be read\n");
    /* Output that cannot be written is not success. */
    if (access("/dev/full", W_OK) == 0) {
        static const char* const calls[] = {"info models/table1.json", "--help", "--version", "info --help"};
        for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
            snprintf(arguments, sizeof arguments, "%s >/dev/full 2>'%s/full'; exit $?; true", calls[i], scratch);
            execute(&r, arguments);
            assert_int_equal(r.code, 1);
        }
    }
}

static void wrong_usage_is_exit_2_with_a_hint(void** state)
{
    (void)state;
    static const mistake wrong[] = {
        {"", "a command is missing"},
        {"inof models/table1.json", "unknown command 'inof'; did you mean 'info'?"},
        {"--verison", "unknown option '--verison'; did you mean '--version'?"},
        {"info", "the model is missing"},
        {"info --jsn models/table1.json", "unknown option '--jsn'; did you mean '--json'?"},
        {"info models/table1.json models/shapes.json", "one model is enough"},
        {"info models/pen.json --svg", "a file name is missing after '--svg'"},
        {"info models/pen.json --svg --json", "a file name is missing after '--svg'"},
        {"info models/pen.json --svgg x", "did you mean '--svg'?"},
        {"frobnicate", "unknown command 'frobnicate'\n"},
    };
    assert_mistakes("", wrong, sizeof wrong / sizeof wrong[0]);
}

static void help_and_version_go_to_standard_output(void** state)
{
    (void)state;
    run r;
    execute(&r, "--version");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "witness ");
    assert_has(r.out, wit_version());
    execute(&r, "--help");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "usage: witness COMMAND");
    assert_string_equal(r.err, "");
    execute(&r, "info --help");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "usage: witness info MODEL [--json] [--shapes] [--svg FILE]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(info_tells_the_truth_about_table1),
        cmocka_unit_test(info_json_has_the_figures_of_table1),
        cmocka_unit_test(info_measures_known_shapes),
        cmocka_unit_test(info_box_encloses_tightly),
        cmocka_unit_test(info_sees_no_curvature_in_rounding),
        cmocka_unit_test(info_works_at_every_scale),
        cmocka_unit_test(info_tells_the_bodies),
        cmocka_unit_test(info_draws_what_it_tells),
        cmocka_unit_test(info_reads_patches_by_their_ending),
        cmocka_unit_test(info_reads_standard_input),
        cmocka_unit_test(bad_input_is_exit_1_with_a_place_and_no_output),
        cmocka_unit_test(wrong_usage_is_exit_2_with_a_hint),
        cmocka_unit_test(help_and_version_go_to_standard_output),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
