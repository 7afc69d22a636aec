/* SPDX-License-Identifier: MIT */
/* Bezier patches in the text form of the tea set: a cup of ours, and the set itself where it is (foreign.h). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/io.h"
#include "failing.h"
#include "foreign.h"

/* Two bilinear patches side by side. */
#define TWO "2\n1 1\n0 0 0\n0 1 0\n1 0 0\n1 1 0\n1 1\n1 0 0\n1 1 0\n2 0 1\n2 1 1\n"

static wit_model* text_model(const char* text)
{
    wit_error e = {0};
    wit_model* m = wit_model_read_bpt_text(text, strlen(text), NULL, &e);
    if (!m) fail_msg("%d:%d: %s: %s", e.line, e.column, e.item, e.text);
    return m;
}

static void patches_are_sewn_along_equal_borders(void** state)
{
    (void)state;
    wit_model* m = text_model(TWO);
    assert_int_equal(wit_model_surface_count(m), 2);
    assert_int_equal(wit_model_find_surface(m, "patch 2"), 1);
    assert_int_equal(wit_model_body_count(m), 1);
    assert_false(wit_model_body_implied(m, 0));
    const wit_body* b = wit_model_body(m, 0);
    wit_body_info info = wit_body_describe(b);
    assert_int_equal(info.kind, WIT_BODY_SHEET2);
    assert_int_equal(info.face_count, 2);
    assert_int_equal(info.edge_count, 7);
    assert_int_equal(info.vertex_count, 6);
    /* Row i of the file is u = i / degree; v runs along the row. */
    wit_surface_jet jet;
    wit_surface_eval(wit_model_surface(m, 1), 1, 0, 0, NULL, &jet);
    assert_true(jet.p.x == 2 && jet.p.y == 0 && jet.p.z == 1);
    wit_model_destroy(m);
}

/* A gap of 2e-6 of the size is closed and kept as the tolerance; one of 1e-3 stays open. */
static void sewing_keeps_the_gap_it_closed(void** state)
{
    (void)state;
    wit_model* m = text_model("2 1 1 0 0 0 0 1 0 1 0 0 1 1 0 1 1 1 0 5e-6 1 1 5e-6 2 0 1 2 1 1");
    wit_body_info info = wit_body_describe(wit_model_body(m, 0));
    assert_int_equal(info.edge_count, 7);
    assert_true(info.tolerance >= 2.5e-6 && info.tolerance <= 1e-5);
    wit_model_destroy(m);
    m = text_model("2 1 1 0 0 0 0 1 0 1 0 0 1 1 0 1 1 1 0 2e-3 1 1 2e-3 2 0 1 2 1 1");
    assert_int_equal(wit_body_describe(wit_model_body(m, 0)).edge_count, 8);
    wit_model_destroy(m);
}

static void patches_written_as_json_are_the_same_body(void** state)
{
    (void)state;
    wit_model* a = text_model(TWO);
    size_t n = wit_model_write_text(a, NULL, 0);
    char* text = malloc(n + 1);
    assert_non_null(text);
    wit_model_write_text(a, text, n + 1);
    wit_error e = {0};
    wit_model* b = wit_model_read_text(text, n, NULL, &e);
    if (!b) fail_msg("%d:%d: %s: %s\n%s", e.line, e.column, e.item, e.text, text);
    wit_body_info p = wit_body_describe(wit_model_body(a, 0)), q = wit_body_describe(wit_model_body(b, 0));
    assert_int_equal(p.edge_count, q.edge_count);
    assert_int_equal(p.bytes, q.bytes);
    char* again = malloc(n + 1);
    assert_non_null(again);
    assert_int_equal(wit_model_write_text(b, again, n + 1), n);
    assert_string_equal(text, again);
    free(text);
    free(again);
    wit_model_destroy(a);
    wit_model_destroy(b);
}

static void bad_patches_are_refused_with_their_place(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        wit_status status;
        int line, column;
        const char *item, *why;
    } bad[] = {
        {"", WIT_ERROR_SYNTAX, 1, 1, "count", "the text ends"},
        {"x", WIT_ERROR_SYNTAX, 1, 1, "count", "expected the number of patches, found 'x'"},
        {"0\n", WIT_ERROR_COUNT, 1, 1, "count", "from 1 to"},
        {"1.5\n", WIT_ERROR_COUNT, 1, 1, "count", "whole number"},
        {"-1\n", WIT_ERROR_COUNT, 1, 1, "count", "whole number"},
        {"999999 3 3", WIT_ERROR_COUNT, 1, 1, "count", "too short for 999999 patches"},
        {"1\n0 3\n", WIT_ERROR_COUNT, 2, 1, "patches[0].degree_u", "from 1 to 25"},
        {"1\n3 26\n", WIT_ERROR_COUNT, 2, 3, "patches[0].degree_v", "from 1 to 25"},
        {"1\n1 1\n0 0 0\n0 1\n", WIT_ERROR_SYNTAX, 5, 1, "patches[0].points[0][1]", "where a coordinate should be"},
        {"1\n1 1\n0 0 0\n0 1 nan\n", WIT_ERROR_SYNTAX, 4, 5, "patches[0].points[0][1]", "found 'nan'"},
        {"1\n1 1\n0 0 0\n0 1 0x1\n", WIT_ERROR_SYNTAX, 4, 5, "patches[0].points[0][1]", "found '0x1'"},
        {"1\n1 1\n0 0 0\n0 1 0\n1 0 1e999\n1 1 0\n", WIT_ERROR_NUMBER, 5, 5, "patches[0].points[1][0]", "too large"},
        {"1\n1 1\n0 0 0\n0 1 0\n1 0 1e13\n1 1 0\n", WIT_ERROR_NUMBER, 5, 1, "patches[0].points[1][0]", ""},
        {"1\n1 1\n0 0 0\n0 1 0\n1 0 0\n1 1 0\n7", WIT_ERROR_COUNT, 7, 1, "count", "more text"},
        {"1\n1 1\n0 0 0\n0 0 0\n0 0 0\n0 0 0\n", WIT_ERROR_RANGE, 0, 0, NULL, ""},
        {"2\n1 1\n0 0 0\n0 1 0\n1 0 0\n1 1 0\n1 1\n1 0 0\n2 0 0\n3 0 0\n4 0 0\n", WIT_ERROR_RANGE, 7, 1, "patches[1]",
         "no area"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        wit_error e = {0};
        wit_model* m = wit_model_read_bpt_text(bad[i].text, strlen(bad[i].text), NULL, &e);
        if (m || e.status != bad[i].status || (bad[i].line && e.line != bad[i].line) ||
            (bad[i].column && e.column != bad[i].column) || (bad[i].item && strcmp(e.item, bad[i].item) != 0) ||
            !strstr(e.text, bad[i].why))
            fail_msg("%s\n-> %s %d:%d: %s: %s", bad[i].text, wit_status_name(e.status), e.line, e.column, e.item,
                     e.text);
        assert_true(e.line > 0 && e.column > 0);
        assert_null(wit_model_read_bpt_text(bad[i].text, strlen(bad[i].text), NULL, NULL));
    }
    wit_error e = {0};
    assert_null(wit_model_read_bpt("no such.bpt", NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_FILE);
    assert_null(wit_model_read_bpt(NULL, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_ARGUMENT);
    assert_null(wit_model_read_bpt_text(NULL, 0, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_ARGUMENT);
}

static void patches_cut_anywhere_are_refused(void** state)
{
    (void)state;
    /* The last number has one digit, so nothing shorter is whole. */
    for (size_t n = 0; n + 1 < strlen(TWO); n++) {
        char* part = malloc(n ? n : 1);
        assert_non_null(part);
        memcpy(part, TWO, n);
        wit_error e = {0};
        assert_null(wit_model_read_bpt_text(part, n, NULL, &e));
        assert_true(e.line > 0 && e.column > 0 && e.item[0]);
        free(part);
    }
}

static void numbers_may_be_written_as_in_old_programs(void** state)
{
    (void)state;
    wit_model* m = text_model("1\r\n1 1\r\n+0. -.0 00\r\n.0 1. 0\r\n1e0 0 0\r\n+1E+00 01.0 0");
    wit_surface_jet jet;
    wit_surface_eval(wit_model_surface(m, 0), 1, 1, 0, NULL, &jet);
    assert_true(jet.p.x == 1 && jet.p.y == 1 && jet.p.z == 0);
    wit_model_destroy(m);
}

/* ---- memory --------------------------------------------------------------------------------- */

static void patches_survive_every_failed_allocation(void** state)
{
    (void)state;
    long n = 0;
    for (bool done = false; !done; n++) {
        failing f = {n, 0};
        wit_allocator allocator = {failing_alloc, failing_release, &f};
        wit_error e = {0};
        wit_model* m = wit_model_read_bpt_text(TWO, strlen(TWO), &allocator, &e);
        done = m != NULL;
        if (!done) assert_int_equal(e.status, WIT_ERROR_MEMORY);
        wit_model_destroy(m);
        assert_int_equal(f.live, 0);
    }
    assert_true(n > 5);
}

/* ---- whole bodies ---------------------------------------------------------------------------- */

/* Rim, handle, bowl: borders that stay open are in the data. Counts follow from which control points are equal; of the cup
 * from how it is made: 5 strips of 4 quarters between two poles, and a tube of 3 strips of 4 with two open ends. */
typedef struct patch_body {
    const char* file;
    int patches, edges, vertices, open;
} patch_body;

static void check_sewn(const char* path, const patch_body* t)
{
    wit_error e = {0};
    wit_model* m = wit_model_read_bpt(path, NULL, &e);
    if (!m) fail_msg("%s:%d:%d: %s: %s", path, e.line, e.column, e.item, e.text);
    const wit_body* b = wit_model_body(m, 0);
    wit_body_info info = wit_body_describe(b);
    wit_body_check_result c = wit_body_check(b);
    int collapsed = 0;
    for (int k = 0; k < info.face_count; k++) collapsed += wit_body_check_face(b, k).poles;
    print_message("%-20s %2d patches, %2d edges (%d open, %d of more than two faces), %2d vertices (%d not manifold)\n"
                  "         Euler number %d, %d shells, largest gap %.2g of %.3g, %d degenerate places (%d collapsed "
                  "borders), %zu bytes\n",
                  t->file, info.face_count, info.edge_count, c.edges[WIT_EDGE_OPEN], c.edges[WIT_EDGE_NONMANIFOLD],
                  info.vertex_count, c.bad_vertices, c.euler, c.shells, c.gap, info.size, c.degenerate, collapsed,
                  info.bytes);
    assert_int_equal(info.face_count, t->patches);
    assert_int_equal(info.edge_count, t->edges);
    assert_int_equal(info.vertex_count, t->vertices);
    assert_int_equal(c.edges[WIT_EDGE_OPEN], t->open);
    assert_true(c.gap <= WIT_BPT_SEW * info.size);
    assert_false(c.watertight);
    wit_model_destroy(m);
}

static void cup_is_sewn(void** state)
{
    (void)state;
    static const patch_body cup = {"cup", 32, 64, 34, 8};
    check_sewn("tests/data/cup.bpt", &cup);
    wit_model* m = wit_model_read_bpt("tests/data/cup.bpt", NULL, NULL);
    assert_non_null(m);
    wit_body_check_result c = wit_body_check(wit_model_body(m, 0));
    /* A closed cup (2) and an open tube (0); two poles, each in four patches. */
    assert_int_equal(c.euler, 2);
    assert_int_equal(c.shells, 2);
    assert_int_equal(c.degenerate, 8);
    assert_true(c.manifold && c.oriented);
    wit_model_destroy(m);
}

/* Its floors are the planes z = 0 and z = 1/4, its rim's top is at 4.9 + 0.2 * 3/4, and its open end has corners. */
static void cup_is_as_far_as_it_was_made(void** state)
{
    (void)state;
    static const struct {
        wit_vec3 point;
        double distance;
        wit_vec3 foot;
    } rows[] = {
        {{0.3, 0.2, -4}, 4, {0.3, 0.2, 0}},    {{-1.1, 0.7, -0.01}, 0.01, {-1.1, 0.7, 0}},
        {{0, 0, 1}, 0.75, {0, 0, 0.25}},       {{0.5, -0.4, 0.2}, 0.05, {0.5, -0.4, 0.25}},
        {{-3.4, 0, 9.05}, 4, {-3.4, 0, 5.05}}, {{0, 3.4, 5.3}, 0.25, {0, 3.4, 5.05}},
    };
    wit_model* m = wit_model_read_bpt("tests/data/cup.bpt", NULL, NULL);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    assert_true(m && query);
    wit_placed cup = wit_placed_at(wit_model_body(m, 0), wit_pose_identity());
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        wit_closest c;
        assert_int_equal(wit_closest_point(query, &cup, rows[k].point, &c), WIT_OK);
        wit_vec3 p = c.a.point, q = rows[k].foot;
        double off = sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z));
        if (!c.certified || !(fabs(c.distance - rows[k].distance) <= 1e-9) || !(off <= 1e-6))
            fail_msg("row %zu: %.17g, not %.17g; %g off its foot; certified %d", k, c.distance, rows[k].distance, off,
                     c.certified);
    }
    wit_query_destroy(query);
    wit_model_destroy(m);
}

static void tea_set_is_sewn(void** state)
{
    (void)state;
    static const patch_body tea[] = {
        {"teaset/teacup.bpt", 26, 58, 31, 12},
        {"teaset/teapot.bpt", 32, 68, 37, 16},
        {"teaset/teaspoon.bpt", 16, 36, 20, 8},
    };
    for (size_t i = 0; i < sizeof tea / sizeof tea[0]; i++) {
        const char* path = foreign_path(tea[i].file);
        if (path) check_sewn(path, &tea[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patches_are_sewn_along_equal_borders),
        cmocka_unit_test(sewing_keeps_the_gap_it_closed),
        cmocka_unit_test(patches_written_as_json_are_the_same_body),
        cmocka_unit_test(bad_patches_are_refused_with_their_place),
        cmocka_unit_test(patches_cut_anywhere_are_refused),
        cmocka_unit_test(numbers_may_be_written_as_in_old_programs),
        cmocka_unit_test(patches_survive_every_failed_allocation),
        cmocka_unit_test(cup_is_sewn),
        cmocka_unit_test(cup_is_as_far_as_it_was_made),
        cmocka_unit_test(tea_set_is_sewn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
