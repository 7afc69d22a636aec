/* SPDX-License-Identifier: MIT */
/* Every model in models/: what body it is, and that writing and reading leave it as it was. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
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
#include "text_file.h"

enum { NO, YES, STRICT }; /* convex? */
#define PI 3.14159265358979323846

typedef struct expected {
    const char* file;
    wit_body_kind kind;
    int faces, edges, vertices;
    int euler;
    bool watertight;
    int convex;
    double volume; /* closed form */
} expected;

static const expected models[] = {
    {"ball", WIT_BODY_SOLID, 1, 0, 0, 2, true, STRICT, PI / 6},
    {"bowl", WIT_BODY_SOLID, 2, 1, 0, 2, true, NO, 32 * PI - 52 * PI / 3},
    {"box", WIT_BODY_SOLID, 6, 12, 8, 2, true, YES, 24000},
    {"capsule", WIT_BODY_SOLID, 3, 2, 0, 2, true, YES, PI * 500 + PI * 500 / 3},
    {"cone", WIT_BODY_SOLID, 2, 1, 1, 2, true, YES, PI * 2500 / 3},
    {"cylinder", WIT_BODY_SOLID, 3, 2, 0, 2, true, YES, PI * 3000},
    {"ellipsoid", WIT_BODY_SOLID, 1, 0, 0, 2, true, STRICT, 8 * PI},
    {"ellipsoids", WIT_BODY_SOLID, 1, 0, 0, 2, true, STRICT, 4 * PI / 3 * 1.683297 * 1.203915 * 1.660148},
    {"frustum", WIT_BODY_SOLID, 3, 2, 0, 2, true, YES, PI * 5 * 196},
    {"gear-a", WIT_BODY_SOLID, 0, 2, 0, 0, true, NO, 0},
    {"gear-b", WIT_BODY_SOLID, 0, 1, 0, 1, true, NO, 0},
    {"goblet", WIT_BODY_SOLID, 3, 2, 0, 2, true, NO, 0},
    {"half-space", WIT_BODY_SOLID, 1, 0, 0, 2, true, YES, 0},
    {"patch-bead", WIT_BODY_SHEET2, 1, 4, 4, 1, false, NO, 0},
    {"patch-cap", WIT_BODY_SHEET2, 1, 4, 4, 1, false, NO, 0},
    {"patch-dome", WIT_BODY_SHEET2, 1, 4, 4, 1, false, NO, 0},
    {"patch-far", WIT_BODY_SHEET2, 1, 4, 4, 1, false, NO, 0},
    {"peg", WIT_BODY_SOLID, 4, 3, 0, 2, true, YES, PI * 1.6 / 3 * (25 + 29 + 33.64) + PI * 33.64 * 28.4},
    {"pen", WIT_BODY_SOLID, 3, 2, 1, 2, true, YES, PI / 12 + PI * 1.5},
    {"plate", WIT_BODY_SOLID, 8, 16, 8, -2, true, NO, 12000 - PI * 5 * 136},
    {"prism", WIT_BODY_SOLID, 8, 18, 12, 2, true, NO, 5000},
    {"prism-dome", WIT_BODY_SOLID, 6, 12, 8, 2, true, YES, 2200.0 / 3},
    {"shapes", WIT_BODY_SHEET2, 11, 20, 13, 9, false, NO, 0},
    {"sphere", WIT_BODY_SOLID, 1, 0, 0, 2, true, STRICT, 4000 * PI / 3},
    {"table1", WIT_BODY_SHEET2, 1, 4, 4, 1, false, NO, 0},
    {"three-arc", WIT_BODY_SOLID, 0, 3, 3, 1, true, STRICT, 0},
    {"three-ball", WIT_BODY_SOLID, 3, 3, 2, 2, true, STRICT, 0},
    {"torus", WIT_BODY_SOLID, 1, 0, 0, 0, true, NO, 180 * PI* PI},
    {"torus-nurbs", WIT_BODY_SOLID, 1, 0, 0, 0, true, NO, 180 * PI* PI},
};
enum { MODELS = sizeof models / sizeof models[0] };

static wit_model* model_file(const char* name, char** text, size_t* bytes)
{
    char path[128];
    snprintf(path, sizeof path, "models/%s.json", name);
    *text = tree_file(path, bytes);
    return model_of(*text, *bytes);
}

static char* text_of(const wit_model* m)
{
    size_t n = wit_model_write_text(m, NULL, 0);
    char* text = malloc(n + 1);
    assert_non_null(text);
    assert_int_equal(wit_model_write_text(m, text, n + 1), n);
    return text;
}

static void table_has_every_model(void** state)
{
    (void)state;
    DIR* d = opendir("models");
    assert_non_null(d);
    int files = 0;
    for (struct dirent* entry; (entry = readdir(d)) != NULL;) {
        size_t n = strlen(entry->d_name);
        if (n < 6 || strcmp(entry->d_name + n - 5, ".json") != 0) continue;
        int k = 0;
        while (k < MODELS && (strlen(models[k].file) != n - 5 || strncmp(models[k].file, entry->d_name, n - 5) != 0))
            k++;
        if (k == MODELS) fail_msg("models/%s is not in the table", entry->d_name);
        files++;
    }
    closedir(d);
    assert_int_equal(files, MODELS);
}

static void models_are_the_bodies_of_the_table(void** state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        const expected* x = &models[i];
        size_t bytes;
        char* text;
        wit_model* m = model_file(x->file, &text, &bytes);
        /* of two bodies the first is told of */
        assert_int_equal(wit_model_body_count(m), strcmp(x->file, "ellipsoids") == 0 ? 2 : 1);
        const wit_body* b = wit_model_body(m, 0);
        wit_body_info info = wit_body_describe(b);
        wit_body_check_result c = wit_body_check(b);
        int convex = c.strictly_convex ? STRICT : c.convex ? YES : NO;
        print_message("%-12s %-6s faces %2d edges %2d vertices %2d euler %2d %s %s\n", x->file,
                      wit_body_kind_name(info.kind), info.face_count, info.edge_count, info.vertex_count, c.euler,
                      c.watertight ? "watertight" : "open",
                      convex == STRICT ? "strictly convex"
                      : convex         ? "convex"
                                       : "not convex");
        if (info.kind != x->kind || info.face_count != x->faces || info.edge_count != x->edges ||
            info.vertex_count != x->vertices || c.euler != x->euler || c.watertight != x->watertight ||
            convex != x->convex || !c.oriented || !c.manifold)
            fail_msg("%s is not what the table says", x->file);
        /* The volume is a sum over samples of the faces, about 1e-4 for trimmed ones. */
        if (x->volume > 0 && !(fabs(c.volume / x->volume - 1) < 1e-3))
            fail_msg("%s: volume %.9g, not %.9g", x->file, c.volume, x->volume);
        wit_model_destroy(m);
        free(text);
    }
}

/* ---- write and read ------------------------------------------------------------------------- */

static void check_same_edges(const wit_body* a, const wit_body* b)
{
    wit_body_info info = wit_body_describe(a);
    for (int i = 0; i < info.edge_count; i++) {
        wit_edge_info p = wit_body_edge(a, i), q = wit_body_edge(b, i);
        assert_string_equal(p.name, q.name);
        assert_int_equal(p.start, q.start);
        assert_int_equal(p.end, q.end);
        assert_int_equal(p.use_count, q.use_count);
        assert_memory_equal(&p.range, &q.range, sizeof p.range);
        assert_memory_equal(&p.tolerance, &q.tolerance, sizeof p.tolerance);
        for (int k = 0; k <= 10; k++) {
            wit_curve_jet x, y;
            double t = p.range.lo + (p.range.hi - p.range.lo) * k / 10;
            wit_curve_eval(p.curve, t, 0, NULL, &x);
            wit_curve_eval(q.curve, t, 0, NULL, &y);
            assert_memory_equal(&x, &y, sizeof x);
        }
        for (int k = 0; k < p.use_count; k++) {
            wit_use_info u, v;
            assert_int_equal(wit_body_edge_use(a, i, k, &u), wit_body_edge_use(b, i, k, &v));
            assert_int_equal(u.face, v.face);
            assert_int_equal(u.loop, v.loop);
            assert_int_equal(u.reversed, v.reversed);
            assert_memory_equal(&u.scale, &v.scale, sizeof u.scale);
        }
    }
}

static void check_same_body(const wit_body* a, const wit_body* b)
{
    wit_body_info p = wit_body_describe(a), q = wit_body_describe(b);
    assert_string_equal(p.name, q.name);
    assert_int_equal(p.kind, q.kind);
    assert_int_equal(p.planar, q.planar);
    assert_int_equal(p.face_count, q.face_count);
    assert_int_equal(p.loop_count, q.loop_count);
    assert_int_equal(p.edge_count, q.edge_count);
    assert_int_equal(p.vertex_count, q.vertex_count);
    assert_int_equal(p.node_count, q.node_count);
    assert_int_equal(p.bytes, q.bytes);
    assert_memory_equal(&p.box, &q.box, sizeof p.box);
    check_same_edges(a, b);
    for (int i = 0; i < p.vertex_count; i++) {
        wit_vertex_info x = wit_body_vertex(a, i), y = wit_body_vertex(b, i);
        assert_string_equal(x.name, y.name);
        assert_memory_equal(&x.point, &y.point, sizeof x.point);
    }
    for (int i = 0; i < p.face_count; i++) {
        wit_face_info x = wit_body_face(a, i), y = wit_body_face(b, i);
        assert_string_equal(x.name, y.name);
        assert_int_equal(x.reversed, y.reversed);
        assert_int_equal(x.loop_count, y.loop_count);
        for (int k = 0; k < 121; k++) {
            wit_surface_jet s, t;
            double u = x.u.lo + (x.u.hi - x.u.lo) * (k / 11) / 10, v = x.v.lo + (x.v.hi - x.v.lo) * (k % 11) / 10;
            wit_surface_eval(x.surface, u, v, 0, NULL, &s);
            wit_surface_eval(y.surface, u, v, 0, NULL, &t);
            assert_memory_equal(&s, &t, sizeof s);
            assert_int_equal(wit_body_face_contains(a, i, u, v), wit_body_face_contains(b, i, u, v));
        }
    }
}

static void models_survive_write_and_read_unchanged(void** state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        size_t bytes;
        char* text;
        wit_model* a = model_file(models[i].file, &text, &bytes);
        char* written = text_of(a);
        assert_string_equal(text, written);
        wit_model* b = model_of(written, strlen(written));
        assert_int_equal(wit_model_body_count(a), wit_model_body_count(b));
        check_same_body(wit_model_body(a, 0), wit_model_body(b, 0));
        wit_model_destroy(a);
        wit_model_destroy(b);
        free(text);
        free(written);
    }
}

/* The defs that a model hands out build the same body again. */
static void model_defs_build_the_same_body(void** state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        size_t bytes;
        char* text;
        wit_model* m = model_file(models[i].file, &text, &bytes);
        wit_error e = {0};
        const wit_solid_def* solid = wit_model_solid_def(m, 0);
        const wit_body_def* def = wit_model_body_def(m, 0);
        assert_true((solid != NULL) != (def != NULL));
        wit_body* b = solid ? wit_solid_create(solid, NULL, &e) : wit_body_create(def, NULL, &e);
        if (!b) fail_msg("%s: %s: %s", models[i].file, e.item, e.text);
        check_same_body(wit_model_body(m, 0), b);
        wit_body_destroy(b);
        wit_model_destroy(m);
        free(text);
    }
}

static void names_of_the_papers_are_there(void** state)
{
    (void)state;
    static const struct {
        const char* file;
        wit_feature_kind kind;
        const char* name;
    } named[] = {
        {"pen", WIT_FACE, "S3"},         {"pen", WIT_FACE, "S4"},          {"pen", WIT_FACE, "S5"},
        {"pen", WIT_EDGE, "C2"},         {"pen", WIT_EDGE, "C3"},          {"pen", WIT_VERTEX, "V1"},
        {"bowl", WIT_FACE, "S1"},        {"bowl", WIT_FACE, "S2"},         {"bowl", WIT_EDGE, "C1"},
        {"three-arc", WIT_EDGE, "C0"},   {"three-arc", WIT_VERTEX, "V12"}, {"three-ball", WIT_FACE, "F2"},
        {"three-ball", WIT_EDGE, "E01"}, {"table1", WIT_FACE, "table1"},
    };
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        size_t bytes;
        char* text;
        wit_model* m = model_file(named[i].file, &text, &bytes);
        if (wit_body_find(wit_model_body(m, 0), named[i].kind, named[i].name) < 0)
            fail_msg("%s has no %s", named[i].file, named[i].name);
        wit_model_destroy(m);
        free(text);
    }
}

/* ---- rules ---------------------------------------------------------------------------------- */

#define HEAD "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"mm\", "

/* A square in the plane by names, by indices, and with its features in another order in the file. */
static void features_are_referred_to_by_name_or_index(void** state)
{
    (void)state;
    static const char* const start_end[][2] = {{"\"p\"", "\"q\""}, {"0", "1"}, {"\"p\"", "1"}};
    char* first = NULL;
    for (int i = 0; i < 3; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 HEAD
                 "\"bodies\": [{\"kind\": \"sheet\", \"faces\": [{\"loops\": [[{\"edge\": %s}, {\"edge\": \"back\", "
                 "\"reversed\": true}]], \"surface\": {\"kind\": \"plane\", \"range_u\": [-2, 2], \"range_v\": [-2, "
                 "2]}}], \"edges\": [{\"name\": \"out\", \"curve\": {\"kind\": \"circle\", \"radius\": 1, \"range\": "
                 "[0, 3.1415926535897931]}, \"start\": %s, \"end\": %s}, {\"name\": \"back\", \"start\": 0, \"end\": "
                 "\"q\", \"curve\": {\"kind\": \"line\", \"frame\": {\"origin\": [1, 0, 0], \"x\": [-1, 0, 0]}, "
                 "\"range\": [0, 2]}}], \"vertices\": [{\"name\": \"p\", \"point\": [1, 0, 0]}, {\"name\": \"q\", "
                 "\"point\": [-1, 0, 0]}]}]}",
                 i == 1 ? "0" : "\"out\"", start_end[i][0], start_end[i][1]);
        wit_model* m = model_of(text, strlen(text));
        wit_body_info info = wit_body_describe(wit_model_body(m, 0));
        assert_int_equal(info.face_count, 1);
        assert_int_equal(info.edge_count, 2);
        assert_int_equal(info.vertex_count, 2);
        char* written = text_of(m);
        if (first) assert_string_equal(first, written);
        if (!first)
            first = written;
        else
            free(written);
        wit_model_destroy(m);
    }
    assert_non_null(strstr(first, "\"start\": \"p\""));
    free(first);
}

static void surfaces_alone_are_one_unsewn_sheet(void** state)
{
    (void)state;
    static const char text[] =
        HEAD "\"name\": \"two\", \"curves\": [{\"name\": \"c\", \"kind\": \"iso\", \"surface\": \"helper\", \"fixed\": "
             "\"v\", \"value\": 0.5}], \"surfaces\": [{\"name\": \"helper\", \"kind\": \"plane\", \"range_u\": [0, 1], "
             "\"range_v\": [0, 1]}, {\"name\": \"a\", \"kind\": \"extrusion\", \"profile\": \"c\", \"direction\": [0, "
             "0, 1], \"range_v\": [0, 1]}, {\"kind\": \"plane\", \"range_u\": [1, 2], \"range_v\": [0, 1]}]}";
    wit_model* m = model_of(text, sizeof text - 1);
    assert_int_equal(wit_model_body_count(m), 1);
    assert_true(wit_model_body_implied(m, 0));
    assert_string_equal(wit_model_body_name(m, 0), "two");
    wit_body_info info = wit_body_describe(wit_model_body(m, 0));
    assert_int_equal(info.kind, WIT_BODY_SHEET2);
    assert_int_equal(info.face_count, 2); /* "helper" only makes "a" */
    assert_int_equal(info.edge_count, 8);
    assert_int_equal(wit_body_find(wit_model_body(m, 0), WIT_FACE, "a"), 0);
    char* written = text_of(m);
    assert_null(strstr(written, "bodies"));
    free(written);
    wit_model_destroy(m);
    static const char curve[] = HEAD "\"curves\": [{\"kind\": \"circle\", \"radius\": 1}], \"bodies\": []}";
    m = model_of(curve, sizeof curve - 1);
    assert_int_equal(wit_model_body_count(m), 0);
    assert_null(wit_model_body(m, 0));
    assert_null(wit_model_body_name(m, 0));
    assert_null(wit_model_body_def(m, -1));
    assert_false(wit_model_body_implied(m, 0));
    wit_model_destroy(m);
}

static void several_bodies_are_found_by_name(void** state)
{
    (void)state;
    static const char text[] = HEAD
        "\"surfaces\": [{\"name\": \"s\", \"kind\": \"sphere\", \"radius\": 1}], \"bodies\": [{\"name\": \"b\", "
        "\"solid\": {\"kind\": \"box\", \"size_x\": 1, \"size_y\": 2, \"size_z\": 3, \"note\": \"n\"}}, {\"name\": "
        "\"s\", \"note\": \"a ball\", \"kind\": \"solid\", \"faces\": [{\"surface\": \"s\"}]}, {\"solid\": "
        "{\"kind\": \"half-space\", \"frame\": {\"z\": [0, 1, 1]}}}]}";
    wit_model* m = model_of(text, sizeof text - 1);
    assert_int_equal(wit_model_body_count(m), 3);
    assert_int_equal(wit_model_find_body(m, "b"), 0);
    assert_int_equal(wit_model_find_body(m, "s"), 1);
    assert_int_equal(wit_model_find_body(m, "x"), -1);
    assert_false(wit_model_body_implied(m, 0));
    assert_string_equal(wit_body_describe(wit_model_body(m, 0)).name, "b");
    assert_string_equal(wit_model_body_name(m, 2), "");
    assert_true(wit_body_describe(wit_model_body(m, 2)).unbounded);
    assert_int_equal(wit_model_solid_def(m, 0)->kind, WIT_SOLID_BOX);
    assert_true(wit_model_solid_def(m, 0)->size_z == 3);
    assert_null(wit_model_solid_def(m, 1));
    char* one = text_of(m);
    wit_model* again = model_of(one, strlen(one));
    char* two = text_of(again);
    assert_string_equal(one, two);
    for (int i = 0; i < 3; i++) check_same_body(wit_model_body(m, i), wit_model_body(again, i));
    wit_model_destroy(again);
    wit_model_destroy(m);
    free(one);
    free(two);
}

/* ---- memory --------------------------------------------------------------------------------- */

static void bodies_survive_every_failed_allocation(void** state)
{
    (void)state;
    static const char* const files[] = {"models/pen.json",        "models/three-ball.json", "models/three-arc.json",
                                        "models/prism-dome.json", "models/goblet.json",     "models/table1.json"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        long n = 0;
        for (bool done = false; !done; n++) {
            failing f = {n, 0};
            wit_allocator allocator = {failing_alloc, failing_release, &f};
            wit_error e = {0};
            wit_model* m = wit_model_read_file(files[i], &allocator, &e);
            done = m != NULL;
            if (!done && e.status != WIT_ERROR_MEMORY)
                fail_msg("%s, allocation %ld: %s: %s: %s", files[i], n, wit_status_name(e.status), e.item, e.text);
            wit_model_destroy(m);
            assert_int_equal(f.live, 0);
        }
        assert_true(n > 5);
    }
}

static const char* const placed =
    "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"mm\", \"bodies\": ["
    "{\"name\": \"ball\", \"pose\": {\"position\": [1, 2, 3], \"rotation\": [0.6, 0, 0.8, 0]},"
    " \"color\": [1, 0.5, 0], \"solid\": {\"kind\": \"sphere\", \"radius\": 1}},"
    "{\"name\": \"sheet\", \"pose\": {\"position\": [0, 0, -7]}, \"kind\": \"sheet2\", \"faces\": ["
    "{\"surface\": {\"kind\": \"sphere\", \"radius\": 1}},"
    "{\"color\": [0, 0.25, 1], \"surface\": {\"kind\": \"sphere\", \"radius\": 2}}]},"
    "{\"name\": \"plain\", \"solid\": {\"kind\": \"sphere\", \"radius\": 3}}]}";

static void check_placed(const wit_model* m)
{
    wit_pose first = {{1, 2, 3}, {0.6, 0, 0.8, 0}}, second = {{0, 0, -7}, {1, 0, 0, 0}}, none = wit_pose_identity();
    wit_vec3 orange = {1, 0.5, 0}, blue = {0, 0.25, 1}, left = {9, 9, 9}, c = left;
    wit_pose p = wit_model_body_pose(m, 0);
    assert_memory_equal(&p, &first, sizeof p);
    p = wit_model_body_pose(m, 1);
    assert_memory_equal(&p, &second, sizeof p);
    p = wit_model_body_pose(m, 2);
    assert_memory_equal(&p, &none, sizeof p);
    p = wit_model_body_pose(m, 3);
    assert_memory_equal(&p, &none, sizeof p);
    assert_false(wit_model_body_color(m, 1, &c) || wit_model_body_color(m, 3, &c) || wit_model_body_color(NULL, 0, &c));
    assert_false(wit_model_face_color(m, 0, 0, &c) || wit_model_face_color(m, 1, 0, &c) ||
                 wit_model_face_color(m, 1, 2, &c) || wit_model_face_color(m, 1, -1, &c));
    assert_memory_equal(&c, &left, sizeof c);
    assert_true(wit_model_body_color(m, 0, &c));
    assert_memory_equal(&c, &orange, sizeof c);
    assert_true(wit_model_face_color(m, 1, 1, &c));
    assert_memory_equal(&c, &blue, sizeof c);
    assert_true(wit_model_face_color(m, 1, 1, NULL));
}

static void poses_and_colours_survive_write_and_read(void** state)
{
    (void)state;
    wit_model* a = model_of(placed, strlen(placed));
    check_placed(a);
    char* text = text_of(a);
    wit_model* b = model_of(text, strlen(text));
    check_placed(b);
    char* again = text_of(b);
    assert_string_equal(text, again);
    wit_model_destroy(a);
    wit_model_destroy(b);
    free(text);
    free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_has_every_model),
        cmocka_unit_test(models_are_the_bodies_of_the_table),
        cmocka_unit_test(models_survive_write_and_read_unchanged),
        cmocka_unit_test(model_defs_build_the_same_body),
        cmocka_unit_test(names_of_the_papers_are_there),
        cmocka_unit_test(features_are_referred_to_by_name_or_index),
        cmocka_unit_test(surfaces_alone_are_one_unsewn_sheet),
        cmocka_unit_test(several_bodies_are_found_by_name),
        cmocka_unit_test(poses_and_colours_survive_write_and_read),
        cmocka_unit_test(bodies_survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
