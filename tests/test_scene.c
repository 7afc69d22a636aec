/* SPDX-License-Identifier: MIT */
/* Scenes: all of scenes/ load and move, settings arrive in the def, what is wrong is refused where it stands. */
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
#include "../io/scene.h"
#include "../src/base/vec.h"
#include "failing.h"
#include "text_file.h"

/* With quotes written '. */
static wit_scene* read_quoted(const char* quoted, wit_error* e)
{
    char* text = malloc(strlen(quoted) + 1);
    assert_non_null(text);
    strcpy(text, quoted);
    for (char* s = text; *s; s++) {
        if (*s == '\'') *s = '"';
    }
    wit_scene* scene = wit_scene_read_text(text, strlen(text), "models", NULL, NULL, NULL, e);
    free(text);
    return scene;
}

static wit_scene* scene_of(const char* quoted)
{
    wit_error e = {0};
    wit_scene* scene = read_quoted(quoted, &e);
    if (!scene) fail_msg("%s\n%d:%d: %s: %s", quoted, e.line, e.column, e.item, e.text);
    return scene;
}

/* ---- the scenes of the tree ------------------------------------------------------------------- */

static const char* const scene_names[] = {"000-fig6",
                                          "000-fig7",
                                          "000-fig8-k0.02",
                                          "000-fig8-k1300",
                                          "000-fig8-k50",
                                          "000-fig9",
                                          "001-fig10",
                                          "001-fig10-paper",
                                          "001-fig14",
                                          "001-fig16",
                                          "001-fig19",
                                          "001-fig6",
                                          "001-fig7-k100",
                                          "001-fig7-k1000",
                                          "002-fig4",
                                          "002-fig5",
                                          "004-fig6",
                                          "004-fig7",
                                          "chain-links",
                                          "fast-fly-by",
                                          "gear-in-gear",
                                          "peg-in-hole",
                                          "sphere-pole",
                                          "through-touch",
                                          "torus-seam",
                                          "003-block-diagram",
                                          "003-haptic-point",
                                          "arm-dome",
                                          "ball-in-bowl",
                                          "cylinder-roll",
                                          "ellipsoid-drop",
                                          "grazing-touch",
                                          "000-theorem2",
                                          "000-theorem2-false",
                                          "001-fig10-law",
                                          "001-fig14-law",
                                          "001-fig16-law",
                                          "001-fig19-law",
                                          "003-block-diagram-rk4",
                                          "drop-flat-plane",
                                          "drop-edge-plane",
                                          "drop-corner-plane",
                                          "drop-flat-box",
                                          "drop-edge-box",
                                          "drop-corner-box",
                                          "drop-flat-dome",
                                          "drop-edge-dome",
                                          "drop-corner-dome",
                                          "stack",
                                          "roll",
                                          "gear-mesh",
                                          "cam",
                                          "peg-falls"};
enum { SCENES = sizeof scene_names / sizeof scene_names[0] };

static wit_scene* tree_scene(const char* name)
{
    char path[128];
    wit_error e = {0};
    snprintf(path, sizeof path, "scenes/%s.json", name);
    wit_scene* scene = wit_scene_read_file(path, NULL, NULL, NULL, &e);
    if (!scene) fail_msg("%s:%d:%d: %s: %s", path, e.line, e.column, e.item, e.text);
    return scene;
}

/* A planar body is in z = 0 of its own frame: it must stay in z = 0 of the world, and what it meets too. */
static void check_plane(const wit_motion* m)
{
    wit_vec3 z = wit_pose_vector(&m->pose, vec3(0, 0, 1));
    assert_true(m->pose.position.z == 0 && fabs(z.z) > 1 - 1e-15 && m->twist.velocity.z == 0);
    assert_true(m->twist.angular.x == 0 && m->twist.angular.y == 0);
}

static void check_scene(const wit_scene* scene)
{
    double duration = wit_scene_duration(scene), times[64];
    bool planar = wit_body_describe(wit_scene_body(scene, 0)).planar;
    for (int k = 0; k <= 500; k++) {
        for (int side = 0; side < 2; side++) {
            wit_motion m;
            assert_int_equal(wit_scene_motion(scene, side, duration * k / 500, &m), WIT_OK);
            assert_int_equal(wit_pose_check(&m.pose), WIT_OK);
            assert_true(m.twist_known && finite3(m.twist.velocity) && finite3(m.twist.angular));
            if (planar) check_plane(&m);
        }
    }
    wit_track_def def = wit_scene_track_def(scene);
    assert_true(wit_tracker_size(wit_scene_body(scene, 0), wit_scene_body(scene, 1), &def) > 0);
    int n = wit_scene_snapshots(scene, times, 64);
    assert_true(n <= 64);
    for (int i = 0; i < n; i++) assert_true(times[i] >= 0 && times[i] <= duration);
    double frames = wit_scene_rate(scene) * duration;
    assert_true(fabs((double)wit_scene_frames(scene) - frames) < 1e-9 * frames);
    assert_true(strlen(wit_scene_note(scene)) > 40 && wit_scene_side_name(scene, 1)[0]);
}

static void scenes_of_the_tree_load_and_move(void** state)
{
    (void)state;
    int files = 0;
    for (int i = 0; i < SCENES; i++) {
        wit_scene* scene = tree_scene(scene_names[i]);
        assert_string_equal(wit_scene_name(scene), scene_names[i]);
        check_scene(scene);
        wit_scene_destroy(scene);
    }
    DIR* directory = opendir("scenes");
    assert_non_null(directory);
    for (struct dirent* entry; (entry = readdir(directory)) != NULL;) files += strstr(entry->d_name, ".json") != NULL;
    closedir(directory);
    assert_int_equal(files, SCENES); /* none is left out of the list above */
}

static void scene_paths_are_those_of_the_reference(void** state)
{
    (void)state;
    wit_motion m;
    wit_scene* s = tree_scene("000-fig8-k50");
    for (int k = 0; k <= 16; k++) {
        double t = 0.1 * k;
        wit_vec3 q = vec3(5 + 3 * cos(2 * t), 5 + 3 * sin(2 * t), 11 + 0.5 * sin(3 * t));
        wit_scene_motion(s, 1, t, &m);
        assert_true(norm3(sub3(m.pose.position, q)) < 1e-14);
    }
    wit_scene_destroy(s);
    s = tree_scene("001-fig10");
    for (int k = 0; k <= 20; k++) {
        double t = 10 * k, r = 0.05 + 0.0165 * t;
        wit_scene_motion(s, 1, t, &m);
        assert_true(norm3(sub3(m.pose.position, vec3(r * cos(0.0785 * t), r * sin(0.0785 * t), 0))) < 1e-14);
    }
    wit_scene_destroy(s);
    s = tree_scene("002-fig4");
    wit_scene_motion(s, 0, 22, &m);
    assert_true(norm3(sub3(m.pose.position, vec3(0, 18, -10))) < 1e-14);
    wit_scene_destroy(s);
    s = tree_scene("002-fig5"); /* the axis of the pen at 90 degrees: z -> (0, -1, 0) */
    wit_scene_motion(s, 0, 1.5, &m);
    assert_true(norm3(sub3(wit_pose_vector(&m.pose, vec3(0, 0, 1)), vec3(0, -1, 0))) < 1e-14);
    assert_true(norm3(sub3(m.pose.position, vec3(0, -4, 12))) < 1e-14);
    assert_int_equal(wit_scene_frames(s), 360);
    wit_scene_destroy(s);
}

/* ---- what is read --------------------------------------------------------------------------- */

#define BODY "'a': {'model': 'sphere.json'}"
#define REST "'b': {'point': true, 'motion': {'kind': 'still', 'pose': [0, 0, 20]}}, 'rate': 100, 'duration': 2"
#define HEAD "{'format': 'witness-scene', 'version': 1, "

static void scene_settings_arrive_in_the_def(void** state)
{
    (void)state;
    wit_scene* s = scene_of(
        HEAD BODY
        ", " REST ", 'name': 'n', 'note': 'line\\nline', 'snapshots': [0, 0.5, 2], 'track': {'law': 'linearizing',"
        "'form': 'papers', 'integrator': 'ab3', 'gain': {'matrix': [[2, 1], [0, 3]]}, 'feedback': 'integrated',"
        "'switching': 'voronoi', 'prediction': 'quadratic', 'tolerance': 1e-9, 'certify': 1e-5, 'within': 7,"
        "'budget': 5000, 'reacquire': false, 'capacity': 2048, 'front': 3, 'transitions': 5, 'ball': 0.01,"
        "'cap': 'infinity', 'findmin': {'joint_hessian': false, 'antipode': false, 'keep': 4, 'iterations': 20}},"
        "'start': {'a': {'face': 0, 'u': 0.5, 'v': 0.25}}}");
    wit_track_def d = wit_scene_track_def(s);
    wit_law_def law = wit_scene_law_def(s);
    assert_true(d.law && d.law->kind == WIT_LAW_LINEARIZING && law.kind == WIT_LAW_LINEARIZING);
    assert_true(d.form == WIT_FORM_PAPERS && !d.keep_features && law.integrator == WIT_INTEGRATOR_AB3);
    assert_true(law.feedback == WIT_FEEDBACK_INTEGRATED && law.switching == WIT_SWITCHING_VORONOI);
    assert_true(d.prediction == WIT_PREDICTION_QUADRATIC && d.tolerance == 1e-9 && d.certify == 1e-5 && d.within == 7);
    assert_true(d.budget == 5000 && !d.reacquire && d.capacity == 2048 && d.front == 3 && d.transitions == 5);
    assert_true(law.ball == 0.01 && isinf(law.cap) && law.findmin.keep == 4 && law.findmin.iterations == 20);
    assert_true(!law.findmin.joint_hessian && !law.findmin.antipode && law.findmin.compare_lower);
    assert_true(d.struct_size == sizeof d && law.struct_size == sizeof law);
    const wit_gain* g = &law.gain;
    assert_true(g->kind == WIT_GAIN_MATRIX && g->count == 2);
    assert_true(g->matrix[0] == 2 && g->matrix[1] == 1 && g->matrix[2] == 0 && g->matrix[3] == 3);
    double times[2] = {-1, -1};
    assert_int_equal(wit_scene_snapshots(s, times, 2), 3);
    assert_true(times[0] == 0 && times[1] == 0.5);
    wit_witness a, b;
    assert_true(wit_scene_start(s, &a, &b));
    assert_true(a.feature == WIT_FACE && a.id == 0 && a.u == 0.5 && a.v == 0.25);
    /* On the sphere of radius 10 at (0.5, 0.25). */
    assert_true(norm3(sub3(a.point, vec3(10 * cos(0.25) * cos(0.5), 10 * cos(0.25) * sin(0.5), 10 * sin(0.25)))) <
                1e-13);
    assert_true(b.feature == WIT_POINT && b.id == -1 && b.point.z == 20);
    assert_string_equal(wit_scene_name(s), "n");
    assert_string_equal(wit_scene_note(s), "line\nline");
    assert_string_equal(wit_scene_side_name(s, 0), "sphere");
    assert_string_equal(wit_scene_side_name(s, 1), "point");
    assert_string_equal(wit_scene_side_name(s, 2), "");
    assert_true(wit_scene_unit(s) == WIT_UNIT_MM && wit_scene_frames(s) == 200);
    assert_true(wit_scene_body(s, 0) && !wit_scene_body(s, 1) && wit_scene_model(s, 0) && !wit_scene_model(s, 1));
    wit_scene_destroy(s);
}

static void scene_gains_have_four_forms(void** state)
{
    (void)state;
    wit_scene* s = scene_of(HEAD BODY ", " REST ", 'track': {'law': 'switching', 'form': 'papers', 'gain': 'auto'}}");
    assert_true(wit_scene_law_def(s).gain.kind == WIT_GAIN_AUTO);
    wit_scene_destroy(s);
    s = scene_of(HEAD BODY ", " REST ", 'track': {'law': 'switching', 'form': 'papers', 'gain': 50}}");
    assert_true(wit_scene_law_def(s).gain.kind == WIT_GAIN_SCALAR && wit_scene_law_def(s).gain.value == 50);
    wit_scene_destroy(s);
    s = scene_of(HEAD BODY ", " REST ", 'track': {'law': 'linearizing', 'gain': 0}}");
    assert_true(wit_scene_law_def(s).gain.value == 0);
    wit_scene_destroy(s);
    s = scene_of(HEAD BODY ", " REST ", 'track': {'law': 'switching', 'form': 'papers', 'gain': {'side': [5, 6]}}}");
    wit_gain g = wit_scene_law_def(s).gain;
    assert_true(g.kind == WIT_GAIN_EACH && g.side[0] == 5 && g.side[1] == 6);
    assert_true(g.parameter[0] == 5 && g.parameter[1] == 5 && g.parameter[2] == 6 && g.parameter[3] == 6);
    wit_scene_destroy(s);
    s = scene_of(
        HEAD BODY
        ", " REST
        ", 'track': {'law': 'switching', 'form': 'papers', 'gain': {'side': [5, 6], 'parameter': [1, 2, 3, 4]}}}");
    g = wit_scene_law_def(s).gain;
    assert_true(g.kind == WIT_GAIN_EACH && g.parameter[0] == 1 && g.parameter[3] == 4);
    wit_scene_destroy(s);
}

static void scene_without_settings_has_the_defaults(void** state)
{
    (void)state;
    wit_scene* s = scene_of(HEAD BODY ", " REST "}");
    wit_track_def d = wit_scene_track_def(s), plain = wit_track_default_def();
    wit_law_def law = wit_scene_law_def(s), plain_law = wit_law_default_def(WIT_LAW_DEADBEAT);
    assert_true(d.struct_size == plain.struct_size && d.law == plain.law && d.form == plain.form);
    assert_true(law.kind == plain_law.kind && law.gain.kind == plain_law.gain.kind);
    assert_true(law.gain.value == plain_law.gain.value && d.budget == plain.budget);
    assert_true(d.tolerance == plain.tolerance && d.certify == plain.certify && d.reacquire == plain.reacquire);
    assert_true(law.findmin.iterations == plain_law.findmin.iterations && d.front == plain.front);
    wit_witness a, b;
    memset(&a, 7, sizeof a);
    wit_witness before = a;
    b = a;
    assert_false(wit_scene_start(s, &a, &b));
    assert_memory_equal(&a, &before, sizeof a);
    assert_memory_equal(&b, &before, sizeof b);
    assert_int_equal(wit_scene_snapshots(s, NULL, 0), 0);
    wit_scene_destroy(s);
    wit_scene_destroy(NULL);
    assert_int_equal(wit_scene_frames(NULL), 0);
    assert_null(wit_scene_body(NULL, 0));
    assert_string_equal(wit_scene_note(NULL), "");
}

static void scene_shares_a_model_of_both_sides(void** state)
{
    (void)state;
    wit_scene* s =
        scene_of(HEAD "'a': {'model': 'ellipsoids.json', 'body': 'A'}, 'b': {'model': 'ellipsoids.json', 'body': "
                      "'B'}, 'rate': 10, 'duration': 1}");
    assert_true(wit_scene_model(s, 0) == wit_scene_model(s, 1));
    assert_true(wit_scene_body(s, 0) != wit_scene_body(s, 1));
    assert_string_equal(wit_scene_side_name(s, 1), "B");
    wit_scene_destroy(s);
}

/* The scene that docs/format.md shows. */
static void scene_of_the_documentation_is_read(void** state)
{
    (void)state;
    size_t bytes;
    char* text = tree_file("docs/format.md", &bytes);
    char* start = strstr(text, "{\n  \"format\": \"witness-scene\"");
    assert_non_null(start);
    char* end = strstr(start, "```");
    assert_non_null(end);
    wit_error e = {0};
    wit_scene* s = wit_scene_read_text(start, (size_t)(end - start), "scenes", NULL, NULL, NULL, &e);
    if (!s) fail_msg("%d:%d: %s: %s", e.line, e.column, e.item, e.text);
    assert_int_equal(wit_scene_frames(s), 2000);
    wit_motion m;
    wit_scene_motion(s, 1, 1, &m); /* o + radius (cos a x + sin a y) + rise t z */
    assert_true(norm3(sub3(m.pose.position, vec3(12 * cos(2), 12 * sin(2), 5))) < 1e-14);
    wit_scene_destroy(s);
    free(text);
}

/* ---- other files ---------------------------------------------------------------------------- */

static wit_model* load_box(const char* path, void* user, wit_error* error)
{
    ++*(int*)user;
    if (strstr(path, "bad")) {
        memset(error, 0, sizeof *error);
        error->status = WIT_ERROR_SYNTAX;
        error->line = 3;
        error->column = 4;
        strcpy(error->item, "#12");
        strcpy(error->text, "not a box");
        return NULL;
    }
    assert_string_equal(path, "models/box.step");
    return wit_model_read_file("models/box.json", NULL, error);
}

static void scene_asks_the_caller_for_other_models(void** state)
{
    (void)state;
    int asked = 0;
    wit_error e = {0};
    char text[512] = HEAD "'a': {'model': 'box.step'}, 'b': {'model': 'box.step'}, 'rate': 1, 'duration': 1}";
    for (char* s = text; *s; s++) {
        if (*s == '\'') *s = '"';
    }
    wit_scene* s = wit_scene_read_text(text, strlen(text), "models/", load_box, &asked, NULL, &e);
    if (!s) fail_msg("%s: %s", e.item, e.text);
    assert_int_equal(asked, 1);
    wit_scene_destroy(s);
    memcpy(strstr(text, "box.step"), "bad.step", 8);
    assert_null(wit_scene_read_text(text, strlen(text), "models", load_box, &asked, NULL, &e));
    assert_true(e.status == WIT_ERROR_SYNTAX && e.line == 3 && e.column == 4);
    assert_string_equal(e.item, "models/bad.step: #12");
    assert_string_equal(e.text, "not a box");
    assert_null(wit_scene_read_text(text, strlen(text), "models", NULL, NULL, NULL, &e));
    assert_true(e.status == WIT_ERROR_UNSUPPORTED);
    assert_string_equal(e.item, "a.model");
}

static void put_file(const char* path, const char* text)
{
    FILE* f = fopen(path, "wb");
    assert_non_null(f);
    assert_true(fwrite(text, 1, strlen(text), f) == strlen(text));
    assert_int_equal(fclose(f), 0);
}

static void scene_reads_recorded_poses(void** state)
{
    (void)state;
    char path[] = "/tmp/witness-poses-XXXXXX", text[512];
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE* made = fdopen(descriptor, "wb");
    assert_non_null(made);
    fclose(made);
    snprintf(text, sizeof text,
             HEAD BODY ", 'b': {'point': true, 'motion': {'kind': 'poses', 'file': '%s'}}, 'rate': 10, 'duration': 2}",
             path);
    put_file(path, "t,x,y,z,qw,qx,qy,qz\n0,20,0,0,1,0,0,0\n2,20,8,0,1,0,0,0\n");
    wit_scene* s = scene_of(text);
    wit_motion m;
    wit_scene_motion(s, 1, 0.5, &m);
    assert_true(norm3(sub3(m.pose.position, vec3(20, 2, 0))) < 1e-14);
    assert_true(norm3(sub3(m.twist.velocity, vec3(0, 4, 0))) < 1e-14);
    wit_scene_destroy(s);
    put_file(path, "t,x,y,z,qw,qx,qy,qz\n0,20,0,0,1,0,0,0\n2,20,oops,0,1,0,0,0\n");
    wit_error e = {0};
    assert_null(read_quoted(text, &e));
    remove(path);
    assert_true(e.status == WIT_ERROR_SYNTAX && e.line == 3 && e.column == 6);
    assert_true(strncmp(e.item, path, strlen(path)) == 0 && strcmp(e.item + strlen(path), ": y") == 0);
}

static void scene_survives_every_failed_allocation(void** state)
{
    (void)state;
    wit_error e;
    long n = 0;
    for (;; n++) {
        failing f = {n, 0};
        wit_allocator allocator = {failing_alloc, failing_release, &f};
        memset(&e, 0, sizeof e);
        wit_scene* s = wit_scene_read_file("scenes/000-fig9.json", NULL, NULL, &allocator, &e);
        if (s) {
            wit_scene_destroy(s);
            assert_int_equal(f.live, 0);
            break;
        }
        assert_int_equal(f.live, 0);
        if (e.status != WIT_ERROR_MEMORY) fail_msg("after %ld: %s: %s", n, e.item, e.text);
    }
    assert_true(n > 5);
}

/* ---- the schema ----------------------------------------------------------------------------- */

static bool has_string(const json_doc* doc, size_t array, const char* text)
{
    size_t t = array + 1;
    for (uint32_t i = 0; i < doc->tokens[array].size; i++, t = doc->tokens[t].next) {
        if (wi_json_equal(doc, t, text)) return true;
    }
    return false;
}

/* The properties and required keys of an object of the schema are those of a table, and no others. */
static void check_keys(const json_doc* doc, const char* name, size_t def, const scene_key* keys, int count, int kind)
{
    size_t properties = wi_json_member(doc, def, "properties"), required = wi_json_member(doc, def, "required");
    uint32_t known = 0, needed = 0;
    assert_true(properties);
    for (int k = 0; k < count; k++) {
        bool must = keys[k].required >> kind & 1u, may = keys[k].optional >> kind & 1u;
        bool listed = wi_json_member(doc, properties, keys[k].key) != 0;
        if (listed != (must || may)) fail_msg("%s: %s is listed: %d", name, keys[k].key, listed);
        if ((required && has_string(doc, required, keys[k].key)) != must)
            fail_msg("%s: %s required?", name, keys[k].key);
        known += must || may;
        needed += must;
    }
    assert_int_equal(doc->tokens[properties].size, known);
    assert_int_equal(required ? doc->tokens[required].size : 0, needed);
    assert_int_equal(doc->tokens[wi_json_member(doc, def, "additionalProperties")].type, JSON_FALSE);
}

static size_t schema_def(const json_doc* doc, const char* name)
{
    size_t def = wi_json_member(doc, wi_json_member(doc, 0, "$defs"), name);
    if (!def) fail_msg("docs/scene.schema.json: $defs.%s is missing", name);
    return def;
}

typedef const char* name_function(int value);
static const char* law_name(int k)
{
    return wit_law_name((wit_law_kind)k);
}
static const char* form_name(int k)
{
    return wit_form_name((wit_form)k);
}
static const char* integrator_name(int k)
{
    return wit_integrator_name((wit_integrator)k);
}
static const char* feedback_name(int k)
{
    return wit_feedback_name((wit_feedback)k);
}
static const char* switching_name(int k)
{
    return k == WIT_SWITCHING_COUNT ? "none" : wit_switching_name((wit_switching)k);
}
static const char* prediction_name(int k)
{
    return wit_prediction_name((wit_prediction)k);
}

static void check_names(const json_doc* doc, size_t properties, const char* key, name_function* name, int count)
{
    size_t list = wi_json_member(doc, wi_json_member(doc, properties, key), "enum");
    assert_true(list);
    assert_int_equal(doc->tokens[list].size, count);
    for (int k = 0; k < count; k++) {
        if (!has_string(doc, list, name(k))) fail_msg("track.%s: %s is missing", key, name(k));
    }
}

static void schema_knows_the_keys_of_scenes(void** state)
{
    (void)state;
    size_t bytes;
    char *text = tree_file("docs/scene.schema.json", &bytes), name[64];
    json_doc doc;
    wit_error e = {0};
    if (wi_json_read_text(&doc, text, bytes, NULL, &e)) fail_msg("%d:%d: %s", e.line, e.column, e.text);
    int count;
    const scene_key* keys = wi_scene_keys(&count);
    check_keys(&doc, "scene", 0, keys, count, 0);
    static const char* const sides[] = {"body", "point"};
    static const char* const gains[] = {"gain_each", "gain_matrix"};
    static const char* const starts[] = {"start_face", "start_edge", "start_vertex"};
    keys = wi_scene_side_keys(&count);
    for (int k = 0; k < 2; k++) check_keys(&doc, sides[k], schema_def(&doc, sides[k]), keys, count, k);
    keys = wi_scene_gain_keys(&count);
    for (int k = 0; k < 2; k++) check_keys(&doc, gains[k], schema_def(&doc, gains[k]), keys, count, k);
    keys = wi_scene_start_keys(&count);
    for (int k = 0; k < 3; k++) check_keys(&doc, starts[k], schema_def(&doc, starts[k]), keys, count, k);
    keys = wi_scene_wave_keys(&count);
    check_keys(&doc, "wave", schema_def(&doc, "wave"), keys, count, 0);
    check_keys(&doc, "turn", schema_def(&doc, "turn"), keys, count, 0);
    keys = wi_scene_motion_keys(&count);
    for (int k = 0; k < MOTION_KIND_COUNT; k++) {
        snprintf(name, sizeof name, "motion_%s", wi_motion_kind_name((motion_kind)k));
        check_keys(&doc, name, schema_def(&doc, name), keys, count, k);
    }
    for (int findmin = 0; findmin < 2; findmin++) {
        size_t properties = wi_json_member(&doc, schema_def(&doc, findmin ? "findmin" : "track"), "properties");
        uint32_t n = 0;
        for (const char* key; (key = wi_scene_track_key(findmin, (int)n)) != NULL; n++) {
            if (!wi_json_member(&doc, properties, key)) fail_msg("track: %s is missing", key);
        }
        assert_int_equal(doc.tokens[properties].size, n);
    }
    size_t track = wi_json_member(&doc, schema_def(&doc, "track"), "properties");
    check_names(&doc, track, "law", law_name, WIT_LAW_COUNT);
    check_names(&doc, track, "form", form_name, WIT_FORM_COUNT);
    check_names(&doc, track, "integrator", integrator_name, WIT_INTEGRATOR_COUNT);
    check_names(&doc, track, "feedback", feedback_name, WIT_FEEDBACK_COUNT);
    check_names(&doc, track, "switching", switching_name, WIT_SWITCHING_COUNT + 1);
    check_names(&doc, track, "prediction", prediction_name, WIT_PREDICTION_COUNT);
    wi_json_free(&doc);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_of_the_tree_load_and_move),
        cmocka_unit_test(scene_paths_are_those_of_the_reference),
        cmocka_unit_test(scene_settings_arrive_in_the_def),
        cmocka_unit_test(scene_gains_have_four_forms),
        cmocka_unit_test(scene_without_settings_has_the_defaults),
        cmocka_unit_test(scene_shares_a_model_of_both_sides),
        cmocka_unit_test(scene_of_the_documentation_is_read),
        cmocka_unit_test(scene_asks_the_caller_for_other_models),
        cmocka_unit_test(scene_reads_recorded_poses),
        cmocka_unit_test(scene_survives_every_failed_allocation),
        cmocka_unit_test(schema_knows_the_keys_of_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
