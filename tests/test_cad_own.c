/* SPDX-License-Identifier: MIT */
/*
 * STEP files of our own (tests/data/step, made by make_step.cpp): what is in them, their volumes and the distances of points
 * are known by construction. The text of their models is kept by its hash (tests/data/import-hashes.txt), which holds for one
 * version of Open CASCADE, since its reader has a hand in it.
 *
 *     test_cad_own --write         writes the hashes anew; a change must be one that was meant
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cad_shapes.h"
#include "foreign.h"

#define HASHES "tests/data/import-hashes.txt"
static const double PI = 3.14159265358979323846;

/* ---- what is in them -------------------------------------------------------------------------- */

enum { MOST_POINTS = 8, MOST_KINDS = 3 };

typedef struct planted {
    wit_vec3 point;
    double distance; /* negative inside */
} planted;

typedef struct own_part {
    const char *file, *name;
    wit_unit unit;
    int faces, edges, vertices;
    struct {
        wit_surface_kind kind;
        int count;
    } kinds[MOST_KINDS];
    wit_box box;
    double volume;
    planted points[MOST_POINTS]; /* up to one whose distance is 0 */
} own_part;

enum { PARTS = 6 };

/* The groove takes the inner half of a torus (20, 3): half a disc of radius 3, whose centroid is 4 / pi nearer. */
static double pulley_volume(void)
{
    return PI * (400 - 25) * 10 - 2 * PI * (20 - 4 / PI) * PI * 9 / 2;
}

/* Inner box, plates of thickness 5 on its faces, quarter cylinders along its edges, eighths of a ball at its corners. */
static double rounded_volume(void)
{
    return 30 * 20 * 10 + 10 * (30 * 20 + 20 * 10 + 30 * 10) + PI * 25 * (30 + 20 + 10) + 4 * PI * 125 / 3;
}

static const own_part parts[PARTS] = {
    {"plate",
     "plate",
     WIT_UNIT_MM,
     7,
     14,
     8,
     {{WIT_SURFACE_PLANE, 6}, {WIT_SURFACE_CYLINDER, 1}},
     {{0, 0, 0}, {80, 40, 10}},
     32000 - 360 * PI,
     {{{40, -7, 5}, 7},
      {{90, 50, 5}, 14.142135623730951},
      {{-1, -2, -2}, 3},
      {{50, 20, 8}, -2},
      {{23, 20, 5}, 3},
      {{27, 20, 5}, -1}}},
    {"rounded-box",
     "rounded box",
     WIT_UNIT_MM,
     26,
     48,
     24,
     {{WIT_SURFACE_PLANE, 6}, {WIT_SURFACE_CYLINDER, 12}, {WIT_SURFACE_SPHERE, 8}},
     {{0, 0, 0}, {40, 30, 20}},
     0,
     {{{20, 15, 27}, 7},
      {{-3, 15, -3}, 6.3137084989847603},
      {{-5, -5, -5}, 12.320508075688773},
      {{20, 15, 9}, -9},
      {{4, 4, 4}, -3.2679491924311228}}},
    {"pulley",
     "pulley",
     WIT_UNIT_MM,
     6,
     6,
     0,
     {{WIT_SURFACE_PLANE, 2}, {WIT_SURFACE_CYLINDER, 3}, {WIT_SURFACE_TORUS, 1}},
     {{-20, -20, 0}, {20, 20, 10}},
     0,
     {{{40, 0, 5}, 20.223748416156685},
      {{0, 19, 5}, 2},
      {{-16.5, 0, 5}, -0.5},
      {{1, 0, 5}, 4},
      {{12, 0, 4}, -4},
      {{0, -10, 12}, 2}}},
    {"turned-pulley",
     "turned pulley",
     WIT_UNIT_MM,
     6,
     6,
     0,
     {{WIT_SURFACE_PLANE, 2}, {WIT_SURFACE_CYLINDER, 3}, {WIT_SURFACE_REVOLUTION, 1}},
     {{-20, -20, 0}, {20, 20, 10}},
     0,
     {{{40, 0, 5}, 20.223748416156685},
      {{0, 19, 5}, 2},
      {{-16.5, 0, 5}, -0.5},
      {{1, 0, 5}, 4},
      {{12, 0, 4}, -4},
      {{0, -10, 12}, 2}}},
    {"slab",
     "slab",
     WIT_UNIT_MM,
     6,
     12,
     8,
     {{WIT_SURFACE_EXTRUSION, 4}, {WIT_SURFACE_NURBS, 2}},
     {{0, 0, -5}, {20, 20, 2}},
     2000,
     {{{10, 10, 7}, 5}, {{-3, 10, -2}, 3}, {{-3, -4, -2}, 5}, {{-3, -4, -17}, 13}, {{1, 10, -2}, -1}}},
    {"frustum-inch",
     "frustum",
     WIT_UNIT_IN,
     3,
     2,
     0,
     {{WIT_SURFACE_PLANE, 2}, {WIT_SURFACE_CONE, 1}},
     {{-1, -1, 0}, {1, 1, 2}},
     PI * 2 / 3 * 1.75,
     {{{0, 0, 3}, 1}, {{0.1, 0.2, -2}, 2}, {{2, 0, 0}, 1}, {{0, 0, 1}, -0.72760687510899891}}},
};

static const char* path_of(const char* file)
{
    static char path[128];
    snprintf(path, sizeof path, "tests/data/step/%s.step", file);
    return path;
}

static wit_cad* cad_of(const char* file)
{
    wit_error e = {0};
    wit_cad* cad = wit_cad_read_file(path_of(file), NULL, &e);
    if (!cad) fail_msg("%s: %s (tests run from the root of the tree)", path_of(file), e.text);
    return cad;
}

static wit_model* model_of(const wit_cad* cad)
{
    wit_error e = {0};
    wit_model* m = wit_cad_model(cad, NULL, &e);
    if (!m) fail_msg("%d:%d: %s: %s", e.line, e.column, e.item, e.text);
    return m;
}

static double volume_of(const own_part* p)
{
    if (strstr(p->file, "pulley")) return pulley_volume();
    return p->volume > 0 ? p->volume : rounded_volume();
}

static bool near(wit_vec3 a, wit_vec3 b, double within)
{
    return fabs(a.x - b.x) <= within && fabs(a.y - b.y) <= within && fabs(a.z - b.z) <= within;
}

static void check_counts(const own_part* p, const wit_cad_report* r, const wit_body* body)
{
    wit_body_info info = wit_body_describe(body);
    cad_census truth;
    assert_true(cad_census_of(path_of(p->file), false, &truth));
    assert_int_equal(r->solids, 1);
    assert_int_equal(r->problem_count, 0);
    assert_int_equal(r->converted, 0);
    assert_int_equal(r->file_unit, p->unit);
    assert_int_equal(info.face_count, p->faces);
    assert_int_equal(info.edge_count, p->edges);
    assert_int_equal(info.vertex_count, p->vertices);
    assert_int_equal(truth.faces, p->faces);
    for (int k = 0; k < MOST_KINDS; k++)
        if (p->kinds[k].count) assert_int_equal(r->faces[p->kinds[k].kind], p->kinds[k].count);
    for (int k = 0; k < WIT_SURFACE_KIND_COUNT; k++) assert_int_equal(r->faces[k], truth.kinds[k]);
}

static void parts_have_what_they_were_made_of(void** state)
{
    (void)state;
    for (int i = 0; i < PARTS; i++) {
        const own_part* p = &parts[i];
        wit_cad* cad = cad_of(p->file);
        wit_cad_report r = wit_cad_describe(cad);
        wit_model* m = model_of(cad);
        const wit_body* body = wit_model_body(m, 0);
        wit_body_info info = wit_body_describe(body);
        wit_body_check_result c = wit_body_check(body);
        double volume = volume_of(p);
        print_message("%-12s %2d faces, %2d edges, %2d vertices, volume off by %.1e\n", p->file, info.face_count,
                      info.edge_count, info.vertex_count, fabs(c.volume / volume - 1));
        assert_string_equal(wit_model_body_name(m, 0), p->name);
        check_counts(p, &r, body);
        assert_true(c.watertight && c.oriented && c.manifold);
        assert_true(r.check_error <= 1e-12 * info.size);
        if (!(fabs(c.volume / volume - 1) <= 1e-6)) fail_msg("%s: volume %.9g, not %.9g", p->file, c.volume, volume);
        if (!near(info.box.lo, p->box.lo, 1e-6 * info.size) || !near(info.box.hi, p->box.hi, 1e-6 * info.size))
            fail_msg("%s: box %g %g %g .. %g %g %g", p->file, info.box.lo.x, info.box.lo.y, info.box.lo.z,
                     info.box.hi.x, info.box.hi.y, info.box.hi.z);
        wit_model_destroy(m);
        wit_cad_destroy(cad);
    }
}

/* As far as the file's digits go: Open CASCADE writes some twelve. */
static void points_are_as_far_as_they_were_put(void** state)
{
    (void)state;
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    assert_non_null(query);
    for (int i = 0; i < PARTS; i++) {
        wit_cad* cad = cad_of(parts[i].file);
        wit_model* m = model_of(cad);
        wit_placed at = wit_placed_at(wit_model_body(m, 0), wit_model_body_pose(m, 0));
        double size = wit_body_describe(at.body).size;
        for (int k = 0; k < MOST_POINTS && parts[i].points[k].distance != 0; k++) {
            const planted* p = &parts[i].points[k];
            wit_closest c;
            assert_int_equal(wit_closest_point(query, &at, p->point, &c), WIT_OK);
            double slack = 1e-9 * size;
            bool right = fabs(c.distance - p->distance) <= slack && c.lower_bound <= p->distance + slack &&
                         c.upper_bound >= p->distance - slack;
            if (!right)
                fail_msg("%s, point %d: %.17g in [%.17g, %.17g], not %.17g", parts[i].file, k, c.distance,
                         c.lower_bound, c.upper_bound, p->distance);
        }
        wit_model_destroy(m);
        wit_cad_destroy(cad);
    }
    wit_query_destroy(query);
}

/* A pin of radius 5.5 in a hole of radius 6, on one axis. */
static void parts_of_an_assembly_stand_where_they_were_put(void** state)
{
    (void)state;
    wit_cad* cad = cad_of("pin-in-plate");
    wit_model* m = model_of(cad);
    assert_int_equal(wit_model_body_count(m), 2);
    int plate = wit_model_find_body(m, "plate"), pin = wit_model_find_body(m, "pin");
    assert_true(plate >= 0 && pin >= 0);
    wit_vec3 color, want = {20, 20, -12}, origin = {0, 0, 0};
    assert_true(near(wit_model_body_pose(m, pin).position, want, 1e-12));
    assert_true(near(wit_model_body_pose(m, plate).position, origin, 0));
    assert_true(wit_model_body_color(m, pin, &color) && color.x > 0.999 && color.y < 1e-3 && color.z < 1e-3);
    wit_body_check_result c = wit_body_check(wit_model_body(m, pin));
    assert_true(c.convex && fabs(c.volume / (PI * 5.5 * 5.5 * 30) - 1) <= 1e-6);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    wit_placed a = wit_placed_at(wit_model_body(m, plate), wit_model_body_pose(m, plate)),
               b = wit_placed_at(wit_model_body(m, pin), wit_model_body_pose(m, pin));
    wit_closest d;
    assert_int_equal(wit_closest_pair(query, &a, &b, &d), WIT_OK);
    if (!(fabs(d.distance - 0.5) <= 1e-7)) fail_msg("the pin is %.17g from its hole", d.distance);
    /* Moved aside by half the play and by twice of it. */
    b.pose.position.x += 0.25;
    assert_int_equal(wit_closest_pair(query, &a, &b, &d), WIT_OK);
    if (!(fabs(d.distance - 0.25) <= 1e-7)) fail_msg("the pin is %.17g from its hole", d.distance);
    b.pose.position.x += 0.75;
    assert_int_equal(wit_closest_pair(query, &a, &b, &d), WIT_OK);
    assert_int_equal(d.outcome, WIT_OUTCOME_OVERLAPPING);
    wit_query_destroy(query);
    wit_model_destroy(m);
    wit_cad_destroy(cad);
}

/* ---- the text of the models ------------------------------------------------------------------- */

static const char* const imported[] = {"frustum-inch", "pin-in-plate", "plate",        "pulley",
                                       "rounded-box",  "slab",         "turned-pulley"};
enum { IMPORTED = sizeof imported / sizeof imported[0] };

static unsigned long long text_hash(const char* file)
{
    wit_cad* cad = wit_cad_read_file(path_of(file), NULL, NULL);
    if (!cad) return 0;
    size_t bytes = 0;
    const char* text = wit_cad_text(cad, &bytes);
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    wit_cad_destroy(cad);
    return hash;
}

static void model_texts_are_the_same(void** state)
{
    (void)state;
    FILE* f = fopen(HASHES, "r");
    if (!f) fail_msg(HASHES " cannot be opened; test_cad_own --write makes it");
    char line[256], key[64], version[64] = "";
    unsigned long long wanted;
    int known = 0, other = 0;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "open-cascade %63s", version) == 1 && strcmp(version, cad_version()) != 0) break;
        if (line[0] == '#' || sscanf(line, "%63s %llx", key, &wanted) != 2) continue;
        if (!strcmp(key, "open-cascade")) continue;
        unsigned long long hash = text_hash(key);
        known++;
        other += hash != wanted;
        if (hash != wanted) print_error("%s: %016llx, not %016llx\n", key, hash, wanted);
    }
    fclose(f);
    if (strcmp(version, cad_version()) != 0) {
        foreign_skipped("hashes of imported models (made with another version of Open CASCADE)");
        return;
    }
    print_message("%d texts, %d other hashes\n", known, other);
    assert_int_equal(known, IMPORTED);
    assert_int_equal(other, 0);
}

static int write_hashes(void)
{
    FILE* f = fopen(HASHES, "w");
    if (!f) return perror(HASHES), 1;
    fprintf(f, "# A hash of the text of the model of each file of tests/data/step.\n"
               "# Written by test_cad_own --write; a change must be one that was meant.\n");
    fprintf(f, "open-cascade %s\n", cad_version());
    for (int k = 0; k < IMPORTED; k++) fprintf(f, "%s %016llx\n", imported[k], text_hash(imported[k]));
    return fclose(f) ? 1 : 0;
}

int main(int argc, char** argv)
{
    if (argc == 2 && !strcmp(argv[1], "--write")) return write_hashes();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_have_what_they_were_made_of),
        cmocka_unit_test(points_are_as_far_as_they_were_put),
        cmocka_unit_test(parts_of_an_assembly_stand_where_they_were_put),
        cmocka_unit_test(model_texts_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
