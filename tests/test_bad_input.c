/* SPDX-License-Identifier: MIT */
/* Every kind of bad input is refused with status, line, column, item and reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "refusal.h"

/* Quotes are written ' in the tables. The body starts on line 2. */
#define HEAD "{'format': 'witness-model', 'version': 1, 'unit': 'mm',\n"
#define SURFACE(body) HEAD "'surfaces': [\n" body "\n]}"
#define CURVE(body) HEAD "'curves': [\n" body "\n]}"
#define CURVES_SURFACES(curves, surfaces) HEAD "'curves': [\n" curves "\n],\n'surfaces': [\n" surfaces "\n]}"
/* A good spline curve but for what is given. */
#define SPLINE(degree, knots, points, rest)                                                                            \
    CURVE("{'kind': 'nurbs', 'degree': " degree ",\n'knots': " knots ",\n'points': " points rest "}")
#define P3 "[[0,0,0], [1,0,0], [1,1,0]]"
#define K3 "[0,0,0,1,1,1]"
/* A good spline surface of degree 1 by 1, 2 by 2 points, but for what is given. */
#define PATCH(knots_u, points, rest)                                                                                   \
    SURFACE("{'kind': 'nurbs', 'degree_u': 1, 'degree_v': 1,\n'knots_u': " knots_u ",\n'knots_v': [0,0,1,1],\n"        \
            "'points': " points rest "}")
#define NET "[[[0,0,0],[0,1,0]],\n[[1,0,0],[1,1,1]]]"

static const refusal syntax[] = {
    {"", WIT_ERROR_SYNTAX, 1, 1, "document", "empty"},
    {" \n ", WIT_ERROR_SYNTAX, 2, 2, "document", "ends too early"},
    {"ISO-10303-21;", WIT_ERROR_SYNTAX, 1, 1, "document", "expected a value, found 'ISO'"},
    {"\x7f"
     "ELF\x02\x01",
     WIT_ERROR_SYNTAX, 1, 1, "document", "0x7f"},
    {"\xef\xbb\xbf{}", WIT_ERROR_SYNTAX, 1, 1, "document", "byte order mark"},
    {"\xff\xfe{", WIT_ERROR_SYNTAX, 1, 1, "document", "UTF-16"},
    {"{} {}", WIT_ERROR_SYNTAX, 1, 4, "document", "the end of the text"},
    {HEAD "'curves': [\n", WIT_ERROR_SYNTAX, 3, 1, "curves[0]", "ends too early"},
    {HEAD "'curves': [}", WIT_ERROR_SYNTAX, 2, 12, "curves[0]", "expected a value, found '}'"},
    {HEAD "'curves': [],}", WIT_ERROR_SYNTAX, 2, 14, "document", "a key in double quotes"},
    {HEAD "'curves': [1,]}", WIT_ERROR_SYNTAX, 2, 14, "curves[1]", "expected a value"},
    {HEAD "'curves': [1 2]}", WIT_ERROR_SYNTAX, 2, 14, "curves[0]", "',' or ']'"},
    {HEAD "'curves' []}", WIT_ERROR_SYNTAX, 2, 10, "curves", "':'"},
    {HEAD "curves: []}", WIT_ERROR_SYNTAX, 2, 1, "document", "a key in double quotes"},
    {HEAD "// none\n'curves': []}", WIT_ERROR_SYNTAX, 2, 1, "document", "no comments"},
    {HEAD "'note': 'a\tb'}", WIT_ERROR_SYNTAX, 2, 11, "note", "control character 0x09"},
    {HEAD "'note': 'a\\qb'}", WIT_ERROR_SYNTAX, 2, 11, "note", "backslash"},
    {HEAD "'note': '\\u12g4'}", WIT_ERROR_SYNTAX, 2, 10, "note", "four hexadecimal"},
    {HEAD "'note': '\\ud800x'}", WIT_ERROR_SYNTAX, 2, 10, "note", "first half"},
    {HEAD "'note': '\\ud800\\u0041'}", WIT_ERROR_SYNTAX, 2, 10, "note", "first half"},
    {HEAD "'note': '\\udc00'}", WIT_ERROR_SYNTAX, 2, 10, "note", "second half"},
    {HEAD "'note': '\xc3('}", WIT_ERROR_SYNTAX, 2, 10, "note", "not UTF-8"},
    {HEAD "'note': '\xc0\x80'}", WIT_ERROR_SYNTAX, 2, 10, "note", "not UTF-8"},
    {HEAD "'note': '\xed\xa0\x80'}", WIT_ERROR_SYNTAX, 2, 10, "note", "not UTF-8"},
    {HEAD "'note': '\xf4\x90\x80\x80'}", WIT_ERROR_SYNTAX, 2, 10, "note", "not UTF-8"},
    {HEAD "'note': tru}", WIT_ERROR_SYNTAX, 2, 9, "note", "'tru'"},
    {HEAD "'curves': [NaN]}", WIT_ERROR_SYNTAX, 2, 12, "curves[0]", "NaN"},
    {HEAD "'curves': [-Infinity]}", WIT_ERROR_SYNTAX, 2, 12, "curves[0]", "NaN and infinity"},
    {HEAD "'curves': [01]}", WIT_ERROR_SYNTAX, 2, 12, "curves[0]", "superfluous 0"},
    {HEAD "'curves': [-00]}", WIT_ERROR_SYNTAX, 2, 12, "curves[0]", "superfluous 0"},
    {HEAD "'curves': [.5]}", WIT_ERROR_SYNTAX, 2, 12, "curves[0]", "expected a value, found '.'"},
    {HEAD "'curves': [+1]}", WIT_ERROR_SYNTAX, 2, 12, "curves[0]", "found '+'"},
    {HEAD "'curves': [1.]}", WIT_ERROR_SYNTAX, 2, 14, "curves[0]", "after the decimal point"},
    {HEAD "'curves': [1e]}", WIT_ERROR_SYNTAX, 2, 14, "curves[0]", "exponent"},
    {HEAD "'curves': [0x10]}", WIT_ERROR_SYNTAX, 2, 13, "curves[0]", "found 'x'"},
    {HEAD "'curves': [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", WIT_ERROR_DEPTH,
     2, 74, NULL, "deeper than 64"},
    {HEAD "'curves': [], 'curves': []}", WIT_ERROR_KEY, 2, 15, "curves", "given before, on line 2"},
    {HEAD "'\\u0075nit': 'm'}", WIT_ERROR_KEY, 2, 1, "unit", "given before, on line 1"},
};

static const refusal model[] = {
    {"[]", WIT_ERROR_TYPE, 1, 1, "document", "expected an object, found an array"},
    {"{'a': 1}", WIT_ERROR_KEY, 1, 1, "format", "missing"},
    {"{'format': 1}", WIT_ERROR_TYPE, 1, 12, "format", "a string"},
    {"{'format': 'glTF'}", WIT_ERROR_NAME, 1, 12, "format", "witness-model"},
    {"{'format': 'witness-model'}", WIT_ERROR_KEY, 1, 1, "version", "missing"},
    {"{'format': 'witness-model', 'version': 2}", WIT_ERROR_UNSUPPORTED, 1, 40, "version", "reads version 1"},
    {"{'format': 'witness-model', 'version': 1.5}", WIT_ERROR_TYPE, 1, 40, "version", "whole number"},
    {"{'format': 'witness-model', 'version': 1}", WIT_ERROR_KEY, 1, 1, "unit", "missing"},
    {"{'format': 'witness-model', 'version': 1, 'unit': 'inch'}", WIT_ERROR_NAME, 1, 51, "unit", "unknown unit"},
    {HEAD "'curvs': []}", WIT_ERROR_KEY, 2, 1, "curvs", "unknown key; a model has"},
    {HEAD "'curves': {}}", WIT_ERROR_TYPE, 2, 11, "curves", "an array"},
    {HEAD "'name': ''}", WIT_ERROR_NAME, 2, 9, "name", "empty"},
    {HEAD "'name': 'a\\u0000b'}", WIT_ERROR_NAME, 2, 9, "name", "control character"},
    {CURVE("3"), WIT_ERROR_TYPE, 3, 1, "curves[0]", "an object"},
    {CURVE("{}"), WIT_ERROR_KEY, 3, 1, "curves[0].kind", "missing"},
    {CURVE("{'kind': 7}"), WIT_ERROR_TYPE, 3, 10, "curves[0].kind", "a string"},
    {CURVE("{'kind': 'sphere'}"), WIT_ERROR_NAME, 3, 10, "curves[0].kind", "line, circle, ellipse"},
    {SURFACE("{'kind': 'circle'}"), WIT_ERROR_NAME, 3, 10, "surfaces[0].kind", "plane, cylinder"},
    {SURFACE("{'kind': 'sphere'}"), WIT_ERROR_KEY, 3, 1, "surfaces[0].radius", "a sphere needs it"},
    {SURFACE("{'kind': 'sphere', 'radius': 1,\n 'radios': 2}"), WIT_ERROR_KEY, 4, 2, "surfaces[0].radios",
     "sphere has kind, name, note, frame, range_u, range_v, radius"},
    {SURFACE("{'kind': 'sphere', 'radius': 1, 'minor': 2}"), WIT_ERROR_KEY, 3, 33, "surfaces[0].minor", "unknown key"},
    {SURFACE("{'kind': 'sphere', 'radius': 1, 'radius': 1}"), WIT_ERROR_KEY, 3, 33, "surfaces[0].radius",
     "given before, on line 3"},
    {SURFACE("{'kind': 'sphere', 'radius': '1'}"), WIT_ERROR_TYPE, 3, 30, "surfaces[0].radius",
     "expected a number, found a string"},
    {SURFACE("{'kind': 'sphere', 'radius': null}"), WIT_ERROR_TYPE, 3, 30, "surfaces[0].radius", "found null"},
    {SURFACE("{'kind': 'sphere', 'radius': 1, 'frame': {'origin': [0,0]}}"), WIT_ERROR_COUNT, 3, 53,
     "surfaces[0].frame.origin", "[x, y, z], found 2"},
    {SURFACE("{'kind': 'sphere', 'radius': 1, 'frame': {'y': [0,1,0]}}"), WIT_ERROR_KEY, 3, 43, "surfaces[0].frame.y",
     "a frame has origin, x, z"},
    {SURFACE("{'kind': 'plane', 'range_u': [0], 'range_v': [0, 1]}"), WIT_ERROR_COUNT, 3, 30, "surfaces[0].range_u",
     "[lo, hi], found 1"},
    {SURFACE("{'name': 'a', 'kind': 'sphere', 'radius': 1},\n{'name': 'a', 'kind': 'sphere', 'radius': 1}"),
     WIT_ERROR_NAME, 4, 10, "surfaces[1].name", "used twice; first by the shape on line 3"},
    {CURVES_SURFACES("{'name': 'a', 'kind': 'circle', 'radius': 1}", "{'name': 'a', 'kind': 'sphere', 'radius': 1}"),
     WIT_ERROR_NAME, 6, 10, "surfaces[0].name", "used twice"},
    {SURFACE("{'kind': 'revolution', 'profile': 'p'}"), WIT_ERROR_NAME, 3, 35, "surfaces[0].profile",
     "there is no curve \"p\""},
    {SURFACE("{'name': 'p', 'kind': 'revolution', 'profile': 'p'}"), WIT_ERROR_NAME, 3, 48, "surfaces[0].profile",
     "not a curve"},
    {SURFACE("{'kind': 'revolution', 'profile': 5}"), WIT_ERROR_TYPE, 3, 35, "surfaces[0].profile", "name of a curve"},
    {CURVE("{'kind': 'iso', 'surface': {'kind': 'sphere'}, 'fixed': 'u', 'value': 0}"), WIT_ERROR_TYPE, 3, 28,
     "curves[0].surface", "name of a surface"},
    {CURVES_SURFACES("{'name': 'c', 'kind': 'iso', 'surface': 's', 'fixed': 'w', 'value': 0}",
                     "{'name': 's', 'kind': 'sphere', 'radius': 1}"),
     WIT_ERROR_NAME, 3, 55, "curves[0].fixed", "\"u\" or \"v\""},
    {CURVES_SURFACES("{'name': 'c', 'kind': 'iso', 'surface': 's', 'fixed': 'u', 'value': 0}",
                     "{'name': 's', 'kind': 'revolution', 'profile': 'c'}"),
     WIT_ERROR_NAME, 6, 48, "surfaces[0].profile", "in a circle"},
    {SURFACE("{'name': 's', 'kind': 'revolution',\n"
             "'profile': {'kind': 'iso', 'surface': 's', 'fixed': 'u', 'value': 0}}"),
     WIT_ERROR_NAME, 4, 39, "surfaces[0].profile.surface", "in a circle"},
    {SURFACE("{'kind': 'revolution', 'profile': {'kind': 'circle', 'radius': 1, 'name': 'x'}}"), WIT_ERROR_KEY, 3, 67,
     "surfaces[0].profile.name", "unknown key"},
};

static const refusal geometry[] = {
    /* lengths, ranges, frames */
    {SURFACE("{'kind': 'sphere', 'radius': 0}"), WIT_ERROR_RANGE, 3, 30, "surfaces[0].radius", ""},
    {SURFACE("{'kind': 'sphere',\n 'radius': -2}"), WIT_ERROR_RANGE, 4, 12, "surfaces[0].radius", ""},
    {SURFACE("{'kind': 'sphere', 'radius': 1e999}"), WIT_ERROR_NUMBER, 3, 30, "surfaces[0].radius", "too large"},
    {SURFACE("{'kind': 'sphere', 'radius': 1e300}"), WIT_ERROR_NUMBER, 3, 30, "surfaces[0].radius", ""},
    {SURFACE("{'kind': 'cylinder', 'radius': 1, 'range_v': [2, 2]}"), WIT_ERROR_RANGE, 3, 46, "surfaces[0].range_v",
     ""},
    {SURFACE("{'kind': 'cylinder', 'radius': 1, 'range_v': [0, 0]}"), WIT_ERROR_RANGE, 3, 46, "surfaces[0].range_v",
     "empty"},
    {SURFACE("{'kind': 'cylinder', 'radius': 1, 'range_v': [2, 1]}"), WIT_ERROR_RANGE, 3, 46, "surfaces[0].range_v",
     ""},
    {SURFACE("{'kind': 'cylinder', 'radius': 1, 'range_v': [0, 1],\n'range_u': [0, 7]}"), WIT_ERROR_RANGE, 4, 12,
     "surfaces[0].range_u", ""},
    {CURVE("{'kind': 'circle', 'radius': 1, 'range': [1, 1]}"), WIT_ERROR_RANGE, 3, 42, "curves[0].range", ""},
    {SURFACE("{'kind': 'sphere', 'radius': 1, 'frame': {'x': [1,0,0], 'z': [2,0,0]}}"), WIT_ERROR_FRAME, 3, 48,
     "surfaces[0].frame.x", ""},
    {SURFACE("{'kind': 'sphere', 'radius': 1, 'frame': {'z': [0,0,0]}}"), WIT_ERROR_FRAME, 3, 48, "surfaces[0].frame.z",
     ""},
    {SURFACE("{'kind': 'sphere', 'radius': 1, 'frame': {'origin': [0,0,1e400]}}"), WIT_ERROR_NUMBER, 3, 58,
     "surfaces[0].frame.origin[2]", "too large"},
    {SURFACE("{'kind': 'torus', 'radius': 2,\n'minor': 0}"), WIT_ERROR_RANGE, 4, 10, "surfaces[0].minor", ""},
    {SURFACE("{'kind': 'extrusion', 'range_v': [0, 1], 'profile':\n{'kind': 'circle', 'radius': 1},\n"
             "'direction': [0, 0, 0]}"),
     WIT_ERROR_RANGE, 5, 14, "surfaces[0].direction", ""},
    {SURFACE("{'kind': 'extrusion', 'range_v': [0, 1], 'direction': [0,0,1], 'profile':\n"
             "{'kind': 'circle', 'radius': 0}}"),
     WIT_ERROR_RANGE, 4, 30, "surfaces[0].profile.radius", ""},
    /* splines */
    {SPLINE("0", K3, P3, ""), WIT_ERROR_DEGREE, 3, 29, "curves[0].degree", ""},
    {SPLINE("26", K3, P3, ""), WIT_ERROR_DEGREE, 3, 29, "curves[0].degree", ""},
    {SPLINE("2.5", K3, P3, ""), WIT_ERROR_TYPE, 3, 29, "curves[0].degree", "whole number"},
    {SPLINE("2", "[0,0,0,1,1]", P3, ""), WIT_ERROR_COUNT, 4, 10, "curves[0].knots", ""},
    {SPLINE("2", "[]", P3, ""), WIT_ERROR_COUNT, 4, 10, "curves[0].knots", ""},
    {SPLINE("2", "[0,0,0,1,0.5,1]", P3, ""), WIT_ERROR_KNOTS, 4, 19, "curves[0].knots[4]", ""},
    {SPLINE("2", "[0,0,0,0,1,1]", P3, ""), WIT_ERROR_KNOTS, 4, 17, "curves[0].knots[3]", ""},
    {SPLINE("2", "[0,0,0,5e-324,1,1]", P3, ""), WIT_ERROR_KNOTS, 4, 10, "curves[0].knots", "at least 1e-12"},
    {SPLINE("2", "[0,0,0,1e999,1,1]", P3, ""), WIT_ERROR_NUMBER, 4, 17, "curves[0].knots[3]", "too large"},
    {SPLINE("2", K3, "[[0,0,0], [1,0], [1,1,0]]", ""), WIT_ERROR_COUNT, 5, 21, "curves[0].points[1]", "found 2"},
    {SPLINE("2", K3, "[[0,0,0], [1,0,1e200], [1,1,0]]", ""), WIT_ERROR_NUMBER, 5, 21, "curves[0].points[1]", ""},
    {SPLINE("2", K3, "[[0,0,0], [1,0,-1e999], [1,1,0]]", ""), WIT_ERROR_NUMBER, 5, 26, "curves[0].points[1][2]",
     "too large"},
    {SPLINE("2", K3, "[]", ""), WIT_ERROR_COUNT, 5, 11, "curves[0].points", ""},
    {SPLINE("2", K3, P3, ",\n'weights': [1, 0, 1]"), WIT_ERROR_WEIGHT, 6, 16, "curves[0].weights[1]", ""},
    {SPLINE("2", K3, P3, ",\n'weights': [1, 1, -1]"), WIT_ERROR_WEIGHT, 6, 19, "curves[0].weights[2]", ""},
    {SPLINE("2", K3, P3, ",\n'weights': [1, NaN, 1]"), WIT_ERROR_SYNTAX, 6, 16, "curves[0].weights[1]", "NaN"},
    {SPLINE("2", K3, P3, ",\n'weights': [1, 1]"), WIT_ERROR_COUNT, 6, 12, "curves[0].weights", "2 x 1"},
    {PATCH("[0,0,1,1]", "[[[0,0,0],[0,1,0]],\n[[1,0,0]]]", ""), WIT_ERROR_COUNT, 7, 1, "surfaces[0].points[1]",
     "this row has a length of 1, the first one of 2"},
    {PATCH("[0,0,1,1]", "[[0,0,0],[0,1,0]]", ""), WIT_ERROR_TYPE, 6, 13, "surfaces[0].points[0][0]", "an array"},
    {PATCH("[0,1,0,1]", NET, ""), WIT_ERROR_KNOTS, 4, 17, "surfaces[0].knots_u[2]", ""},
    {PATCH("[0,0,1,1,1]", NET, ""), WIT_ERROR_COUNT, 4, 12, "surfaces[0].knots_u", ""},
    {PATCH("[0,0,0,0]", NET, ""), WIT_ERROR_KNOTS, 4, 17, "surfaces[0].knots_u[2]", ""},
    {PATCH("[0,0,1,1]", NET, ",\n'weights': [[1,1],\n[1,-1]]"), WIT_ERROR_WEIGHT, 9, 4, "surfaces[0].weights[1][1]",
     ""},
    {PATCH("[0,0,1,1]", NET, ",\n'weights': [[1,1]]"), WIT_ERROR_COUNT, 8, 12, "surfaces[0].weights", "1 x 2"},
    {PATCH("[0,0,1,1]", "[[[0,0,0],[0,1,0]],\n[[1,0,0],[1,1,1e13]]]", ""), WIT_ERROR_NUMBER, 7, 10,
     "surfaces[0].points[1][1]", ""},
};

static void json_refuses_what_is_not_json(void** state)
{
    (void)state;
    CHECK_ALL(syntax);
}

static void model_refuses_wrong_keys_types_and_names(void** state)
{
    (void)state;
    CHECK_ALL(model);
}

static void model_gives_refused_geometry_its_place(void** state)
{
    (void)state;
    CHECK_ALL(geometry);
}

/* An allocator that counts and has a limit. */
typedef struct budget {
    size_t used, most, limit;
} budget;

static void* budget_alloc(size_t bytes, void* user)
{
    budget* b = user;
    if (b->limit - b->used < bytes) return NULL;
    b->used += bytes;
    if (b->used > b->most) b->most = b->used;
    return malloc(bytes);
}

static void budget_release(void* memory, size_t bytes, void* user)
{
    budget* b = user;
    b->used -= bytes;
    free(memory);
}

/* A text made on the fly: a prefix, then a unit again and again. */
typedef struct endless {
    const char* unit;
    size_t left, given;
} endless;

static size_t read_endless(void* user, char* to, size_t room)
{
    endless* e = user;
    size_t n = room < e->left ? room : e->left, period = strlen(e->unit);
    for (size_t i = 0; i < n; i++) to[i] = e->unit[(e->given + i) % period];
    e->left -= n;
    e->given += n;
    return n;
}

static void json_refuses_endless_nesting_with_little_memory(void** state)
{
    (void)state;
    static const char* const units[] = {"[", "{\"a\":", "[{\"a\":[", " [ ", "[[],"};
    static const int columns[] = {65, 321, 149, 194, 254};
    enum { MANY = 100 << 20 };
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        budget b = {0, 0, (size_t)1 << 20};
        wit_allocator allocator = {budget_alloc, budget_release, &b};
        endless source = {units[k], MANY, 0};
        wit_error e = {0};
        clock_t start = clock();
        assert_null(wit_model_read_stream(read_endless, &source, &allocator, &e));
        assert_int_equal(e.status, WIT_ERROR_DEPTH);
        assert_int_equal(e.line, 1);
        assert_int_equal(e.column, columns[k]);
        assert_int_equal(b.used, 0);
        assert_true(b.most < 200000);
        assert_true(clock() - start < CLOCKS_PER_SEC / 10);
    }
    char* text = malloc(MANY);
    assert_non_null(text);
    memset(text, '[', MANY);
    budget b = {0, 0, (size_t)1 << 20};
    wit_allocator allocator = {budget_alloc, budget_release, &b};
    wit_error e = {0};
    assert_null(wit_model_read_text(text, MANY, &allocator, &e));
    assert_int_equal(e.status, WIT_ERROR_DEPTH);
    assert_int_equal(e.column, 65);
    assert_true(b.most < 20000);
    free(text);
}

static void json_limits_size_and_members(void** state)
{
    (void)state;
    wit_error e = {0};
    /* No token of these is ever finished, so only the text itself is held. */
    endless blank = {" ", (size_t)600 << 20, 0};
    budget b = {0, 0, (size_t)1 << 26};
    wit_allocator allocator = {budget_alloc, budget_release, &b};
    assert_null(wit_model_read_stream(read_endless, &blank, &allocator, &e));
    assert_int_equal(e.status, WIT_ERROR_MEMORY);
    assert_int_equal(b.used, 0);

    char text[4096] = "{";
    size_t n = 1;
    for (int i = 0; i < 129; i++) n += (size_t)snprintf(text + n, sizeof text - n, "%s\"k%d\": 0", i ? ", " : "", i);
    assert_null(wit_model_read_text(text, n, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_DEPTH);
    assert_non_null(strstr(e.text, "128 members"));
    assert_string_equal(e.item, "k128");
}

/* Each shape doubles what it embeds: refused before memory or time is spent on it. */
static void model_refuses_shapes_that_multiply(void** state)
{
    (void)state;
    char text[8192];
    size_t n = 0;
    n += (size_t)snprintf(text, sizeof text,
                          "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"m\", \"curves\": [\n"
                          "{\"name\": \"c0\", \"kind\": \"line\", \"range\": [0, 1]}");
    for (int i = 1; i < 30; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              ",\n{\"name\": \"c%d\", \"kind\": \"on_surface\", \"surface\": \"s%d\", "
                              "\"parameter_curve\": \"c%d\"}",
                              i, i, i - 1);
    n += (size_t)snprintf(text + n, sizeof text - n, "],\n\"surfaces\": [");
    for (int i = 1; i < 30; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "%s\n{\"name\": \"s%d\", \"kind\": \"extrusion\", \"profile\": \"c%d\", "
                              "\"direction\": [0, 0, 1], \"range_v\": [0, 1]}",
                              i > 1 ? "," : "", i, i - 1);
    n += (size_t)snprintf(text + n, sizeof text - n, "]}\n");
    assert_true(n < sizeof text);
    budget b = {0, 0, (size_t)8 << 20};
    wit_allocator allocator = {budget_alloc, budget_release, &b};
    wit_error e = {0};
    assert_null(wit_model_read_text(text, n, &allocator, &e));
    assert_int_equal(e.status, WIT_ERROR_DEPTH);
    assert_non_null(strstr(e.text, "deeper than 8"));
    assert_true(e.line > 1);
    assert_int_equal(b.used, 0);
}

static void model_refuses_bad_calls_and_files(void** state)
{
    (void)state;
    wit_error e = {0};
    assert_null(wit_model_read_text(NULL, 3, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_ARGUMENT);
    assert_null(wit_model_read_file(NULL, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_ARGUMENT);
    assert_null(wit_model_read_stream(NULL, NULL, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_ARGUMENT);
    assert_null(wit_model_read_file("models/no such file.json", NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_FILE);
    assert_null(wit_model_read_file("models", NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_FILE);
    wit_model_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_refuses_what_is_not_json),
        cmocka_unit_test(model_refuses_wrong_keys_types_and_names),
        cmocka_unit_test(model_gives_refused_geometry_its_place),
        cmocka_unit_test(json_refuses_endless_nesting_with_little_memory),
        cmocka_unit_test(json_limits_size_and_members),
        cmocka_unit_test(model_refuses_shapes_that_multiply),
        cmocka_unit_test(model_refuses_bad_calls_and_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
