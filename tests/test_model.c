/* SPDX-License-Identifier: MIT */
/* Reading and writing models: what is in them comes back, bit for bit; nothing cut short is accepted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/io.h"
#include "../io/model.h"
#include "failing.h"
#include "text_file.h"

static const char* const model_files[] = {"models/table1.json", "models/torus-nurbs.json", "models/shapes.json",
                                          "models/pen.json", "models/prism.json"};
enum { MODELS = sizeof model_files / sizeof model_files[0] };

static char* text_of(const wit_model* m, size_t* bytes)
{
    *bytes = wit_model_write_text(m, NULL, 0);
    char* text = malloc(*bytes + 1);
    assert_non_null(text);
    assert_int_equal(wit_model_write_text(m, text, *bytes + 1), *bytes);
    assert_int_equal(strlen(text), *bytes);
    return text;
}

/* Jets at a grid, all bits. */
static void check_same_geometry(const wit_model* a, const wit_model* b)
{
    assert_int_equal(wit_model_curve_count(a), wit_model_curve_count(b));
    assert_int_equal(wit_model_surface_count(a), wit_model_surface_count(b));
    for (int i = 0; i < wit_model_curve_count(a); i++) {
        const wit_curve *p = wit_model_curve(a, i), *q = wit_model_curve(b, i);
        wit_curve_info info = wit_curve_describe(p);
        assert_string_equal(wit_model_curve_name(a, i), wit_model_curve_name(b, i));
        for (int k = 0; k <= 20; k++) {
            wit_curve_jet x, y;
            double t = info.range.lo + (info.range.hi - info.range.lo) * k / 20;
            assert_int_equal(wit_curve_eval(p, t, 0, NULL, &x), wit_curve_eval(q, t, 0, NULL, &y));
            assert_memory_equal(&x, &y, sizeof x);
        }
    }
    for (int i = 0; i < wit_model_surface_count(a); i++) {
        const wit_surface *p = wit_model_surface(a, i), *q = wit_model_surface(b, i);
        wit_surface_info info = wit_surface_describe(p);
        assert_string_equal(wit_model_surface_name(a, i), wit_model_surface_name(b, i));
        for (int k = 0; k <= 20 * 21; k++) {
            wit_surface_jet x, y;
            double u = info.range_u.lo + (info.range_u.hi - info.range_u.lo) * (k / 21) / 20;
            double v = info.range_v.lo + (info.range_v.hi - info.range_v.lo) * (k % 21) / 20;
            assert_int_equal(wit_surface_eval(p, u, v, 0, NULL, &x), wit_surface_eval(q, u, v, 0, NULL, &y));
            assert_memory_equal(&x, &y, sizeof x);
        }
    }
}

static void model_files_are_in_the_layout_of_the_writer(void** state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        size_t bytes, again;
        char* text = tree_file(model_files[i], &bytes);
        wit_model* m = model_of(text, bytes);
        char* written = text_of(m, &again);
        assert_string_equal(text, written);
        wit_model_destroy(m);
        free(text);
        free(written);
    }
}

static void model_round_trip_keeps_every_bit(void** state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        wit_error e = {0};
        wit_model* a = wit_model_read_file(model_files[i], NULL, &e);
        assert_non_null(a);
        size_t n, again;
        char* text = text_of(a, &n);
        wit_model* b = model_of(text, n);
        check_same_geometry(a, b);
        char* second = text_of(b, &again);
        assert_string_equal(text, second);
        wit_model_destroy(a);
        wit_model_destroy(b);
        free(text);
        free(second);
    }
}

/* Numbers that need 17 digits, zeros with a sign, tiny and huge scales, names with escapes, any order of keys. */
static void model_round_trip_keeps_awkward_values(void** state)
{
    (void)state;
    static const char text[] =
        "{\"surfaces\": [{\"profile\": \"p\\u00e9 \\\"1\\\"\", \"kind\": \"revolution\",\n"
        " \"frame\": {\"z\": [0, -0.0, 1e-3], \"origin\": [1e-300, 0.1, 123456.78901234567]}},\n"
        " {\"kind\": \"sphere\", \"radius\": 1e-6, \"range_u\": [-1, 1.0000000000000002], \"note\": "
        "\"two\\nlines\"}],\n"
        " \"curves\": [{\"name\": \"p\xc3\xa9 \\\"1\\\"\", \"kind\": \"line\", \"frame\": {\"x\": [0, 0.3, 1], "
        "\"origin\": [0.1, 0, 0]}, \"range\": [2.2250738585072014e-308, 0.30000000000000004]}],\n"
        " \"unit\": \"um\", \"version\": 1.0e0, \"format\": \"witness-model\", \"name\": \"awkward\"}";
    wit_model* a = model_of(text, sizeof text - 1);
    assert_int_equal(wit_model_unit(a), WIT_UNIT_UM);
    assert_true(wit_unit_metres(WIT_UNIT_UM) == 1e-6);
    assert_string_equal(wit_model_name(a), "awkward");
    assert_string_equal(wit_model_curve_name(a, 0), "p\xc3\xa9 \"1\"");
    assert_int_equal(wit_model_find_curve(a, "p\xc3\xa9 \"1\""), 0);
    assert_int_equal(wit_model_find_surface(a, "p\xc3\xa9 \"1\""), -1);
    assert_true(wit_model_surface_def(a, 1)->range_u.hi == 1.0000000000000002);
    assert_true(wit_model_surface_def(a, 0)->frame.origin.x == 1e-300);
    size_t n, again;
    char* one = text_of(a, &n);
    wit_model* b = model_of(one, n);
    check_same_geometry(a, b);
    char* two = text_of(b, &again);
    assert_string_equal(one, two);
    assert_non_null(strstr(one, "[0, -0, 0.001]"));
    assert_non_null(strstr(one, "\"two\\u000alines\""));
    wit_model_destroy(a);
    wit_model_destroy(b);
    free(one);
    free(two);
}

static void model_cut_anywhere_is_refused(void** state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        size_t bytes;
        char* text = tree_file(model_files[i], &bytes);
        size_t end = bytes;
        while (text[end - 1] != '}') end--;
        for (size_t n = 0; n < end; n++) {
            /* A copy of exactly n bytes, so that a read beyond it is seen by a sanitizer. */
            char* part = malloc(n ? n : 1);
            assert_non_null(part);
            memcpy(part, text, n);
            wit_error e = {0};
            assert_null(wit_model_read_text(part, n, NULL, &e));
            assert_int_equal(e.status, WIT_ERROR_SYNTAX);
            assert_true(e.line >= 1 && e.column >= 1 && e.item[0]);
            free(part);
        }
        free(text);
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

static void model_survives_every_failed_allocation(void** state)
{
    (void)state;
    long n = 0;
    for (;; n++) {
        failing f = {n, 0};
        wit_allocator allocator = {failing_alloc, failing_release, &f};
        wit_error e = {0};
        wit_model* m = wit_model_read_file("models/shapes.json", &allocator, &e);
        bool done = m != NULL;
        if (!done) assert_int_equal(e.status, WIT_ERROR_MEMORY);
        wit_model_destroy(m);
        assert_int_equal(f.live, 0);
        if (done) break;
    }
    assert_true(n > 20);
}

/* ---- contents ------------------------------------------------------------------------------- */

static void table1_is_the_printed_table_transposed(void** state)
{
    (void)state;
    wit_model* m = wit_model_read_file("models/table1.json", NULL, NULL);
    assert_non_null(m);
    const wit_surface_def* d = wit_model_surface_def(m, wit_model_find_surface(m, "table1"));
    assert_non_null(d);
    assert_int_equal(d->count_u, 5);
    assert_int_equal(d->count_v, 5);
    /* First printed row: v = 0. Its fourth point is (8, 0, 3), that of the last row (8, 10, 2). */
    const double *p = d->points + 3 * (3 * 5 + 0), *q = d->points + 3 * (3 * 5 + 4);
    assert_true(p[0] == 8 && p[1] == 0 && p[2] == 3);
    assert_true(q[0] == 8 && q[1] == 10 && q[2] == 2);
    assert_true(d->knots_u[3] == 1.0 / 3 && d->knots_v[4] == 2.0 / 3);
    wit_surface_jet jet;
    wit_surface_eval(wit_model_surface(m, 0), 1, 0, 0, NULL, &jet);
    assert_true(jet.p.x == 10 && jet.p.y == 0 && jet.p.z == 0);
    wit_model_destroy(m);
}

static void shapes_model_has_every_kind(void** state)
{
    (void)state;
    wit_model* m = wit_model_read_file("models/shapes.json", NULL, NULL);
    assert_non_null(m);
    bool curve[WIT_CURVE_KIND_COUNT] = {false}, surface[WIT_SURFACE_KIND_COUNT] = {false};
    for (int i = 0; i < wit_model_curve_count(m); i++) curve[wit_model_curve_def(m, i)->kind] = true;
    for (int i = 0; i < wit_model_surface_count(m); i++) surface[wit_model_surface_def(m, i)->kind] = true;
    for (int k = 0; k < WIT_CURVE_KIND_COUNT; k++) assert_true(curve[k]);
    for (int k = 0; k < WIT_SURFACE_KIND_COUNT; k++) assert_true(surface[k]);
    assert_null(wit_model_curve(m, -1));
    assert_null(wit_model_surface(m, wit_model_surface_count(m)));
    assert_null(wit_model_curve_name(m, 1000));
    wit_model_destroy(m);
}

/* ---- the schema ----------------------------------------------------------------------------- */

/* Keys of an object of the schema as a set of names. */
static bool has_string(const json_doc* doc, size_t array, const char* text)
{
    size_t t = array + 1;
    for (uint32_t i = 0; i < doc->tokens[array].size; i++, t = doc->tokens[t].next) {
        if (wi_json_equal(doc, t, text)) return true;
    }
    return false;
}

/* $defs has one object per kind, "curve_circle", ...: its properties and required keys must be those of the
 * reader's table, and no others. Shapes and solids have a kind and a note besides, shapes a name. */
static void check_schema_kind(const json_doc* doc, size_t defs, model_sort sort, int kind)
{
    static const char* const plain[] = {"curve", "surface", "solid", "", "vertex", "edge", "face", "use"};
    char name[64];
    bool shape = sort <= SORT_SOLID;
    snprintf(name, sizeof name, "%s%s%s", plain[sort], shape ? "_" : "",
             shape               ? wi_model_kind_name(sort, kind)
             : sort != SORT_BODY ? ""
             : kind              ? "ready_body"
                                 : "body");
    size_t def = wi_json_member(doc, defs, name);
    if (!def) fail_msg("docs/model.schema.json: $defs.%s is missing", name);
    size_t properties = wi_json_member(doc, def, "properties"), required = wi_json_member(doc, def, "required");
    assert_true(properties);
    int fields, known = sort == SORT_SOLID ? 2 : shape ? 3 : 0;
    const model_field* f = wi_model_fields(sort, &fields);
    if (shape) {
        assert_true(sort == SORT_SOLID || wi_json_member(doc, properties, "name"));
        assert_true(wi_json_member(doc, properties, "note") && has_string(doc, required, "kind"));
        size_t constant = wi_json_member(doc, wi_json_member(doc, properties, "kind"), "const");
        assert_true(constant && wi_json_equal(doc, constant, wi_model_kind_name(sort, kind)));
    }
    uint32_t needed = shape;
    for (int k = 0; k < fields; k++) {
        bool must = f[k].required >> kind & 1u, may = f[k].optional >> kind & 1u;
        bool listed = wi_json_member(doc, properties, f[k].key) != 0;
        if (listed != (must || may)) fail_msg("$defs.%s: %s is listed: %d", name, f[k].key, listed);
        if ((required && has_string(doc, required, f[k].key)) != must)
            fail_msg("$defs.%s: %s required?", name, f[k].key);
        known += must || may;
        needed += must;
    }
    assert_int_equal(doc->tokens[properties].size, known);
    assert_int_equal(required ? doc->tokens[required].size : 0, needed);
    assert_int_equal(doc->tokens[wi_json_member(doc, def, "additionalProperties")].type, JSON_FALSE);
}

static void schema_knows_the_keys_of_the_reader(void** state)
{
    (void)state;
    size_t bytes;
    char* text = tree_file("docs/model.schema.json", &bytes);
    json_doc doc;
    wit_error e = {0};
    if (wi_json_read_text(&doc, text, bytes, NULL, &e)) fail_msg("%d:%d: %s", e.line, e.column, e.text);
    size_t defs = wi_json_member(&doc, 0, "$defs");
    assert_true(defs);
    for (int s = 0; s < SORT_COUNT; s++) {
        for (int k = 0; k < wi_model_kind_count((model_sort)s); k++) check_schema_kind(&doc, defs, (model_sort)s, k);
    }
    wi_json_free(&doc);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_files_are_in_the_layout_of_the_writer),
        cmocka_unit_test(model_round_trip_keeps_every_bit),
        cmocka_unit_test(model_round_trip_keeps_awkward_values),
        cmocka_unit_test(model_cut_anywhere_is_refused),
        cmocka_unit_test(model_survives_every_failed_allocation),
        cmocka_unit_test(table1_is_the_printed_table_transposed),
        cmocka_unit_test(shapes_model_has_every_kind),
        cmocka_unit_test(schema_knows_the_keys_of_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
