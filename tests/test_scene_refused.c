/* SPDX-License-Identifier: MIT */
/* Scenes that are refused: status, line, column, path and reason of each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/io.h"
#include "failing.h"
#include "refusal.h"
#include "text_file.h"

/* Quotes are written '. In memory of its own size, so that a byte read beyond it is seen. */
static void check_scene_refusal(const refusal* row)
{
    size_t n = strlen(row->text);
    char* text = malloc(n + 1);
    assert_non_null(text);
    memcpy(text, row->text, n);
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\'') text[i] = '"';
    }
    wit_error e;
    memset(&e, 0, sizeof e);
    failing f = {1000000, 0};
    wit_allocator allocator = {failing_alloc, failing_release, &f};
    wit_scene* s = wit_scene_read_text(text, n, "models", NULL, NULL, &allocator, &e);
    bool good = !s && e.status == row->status && e.line == row->line && (!row->column || e.column == row->column) &&
                strcmp(e.item, row->item) == 0 && strstr(e.text, row->why);
    if (!good)
        fail_msg("%s\n-> %s %d:%d: %s: %s\nexpected %s %d:%d: %s: ..%s..", row->text, wit_status_name(e.status), e.line,
                 e.column, e.item, e.text, wit_status_name(row->status), row->line, row->column, row->item, row->why);
    assert_int_equal(f.live, 0);
    assert_null(wit_scene_read_text(text, n, "models", NULL, NULL, NULL, NULL)); /* a null error is allowed */
    free(text);
}

#define CHECK_SCENES(table)                                                                                            \
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) check_scene_refusal(&table[row])

/* Each part on a line of its own: 1 head, 2 a, 3 b, 4 times, 5 the rest. */
#define HEAD "{'format': 'witness-scene', 'version': 1,\n"
#define A "'a': {'model': 'sphere.json'},\n"
#define B "'b': {'point': true},\n"
#define TIMES "'rate': 1000, 'duration': 2"
#define MOVED(motion) HEAD A "'b': {'point': true, 'motion': " motion "},\n" TIMES "}"
#define TRACK(track) HEAD A B TIMES ",\n'track': " track "}"
#define START(start) HEAD A B TIMES ",\n'start': " start "}"

static void scene_head_is_checked(void** state)
{
    (void)state;
    static const refusal rows[] = {
        {"", WIT_ERROR_SYNTAX, 1, 1, "document", ""},
        {"[]", WIT_ERROR_TYPE, 1, 1, "document", "expected an object"},
        {"{}", WIT_ERROR_KEY, 1, 1, "format", "witness-scene"},
        {"{'format': 1}", WIT_ERROR_TYPE, 1, 12, "format", "expected a string"},
        {"{'format': 'witness-model'}", WIT_ERROR_NAME, 1, 12, "format", "this is a model"},
        {"{'format': 'witness-scene'}", WIT_ERROR_KEY, 1, 1, "version", "missing"},
        {"{'format': 'witness-scene', 'version': 2}", WIT_ERROR_UNSUPPORTED, 1, 40, "version", "version 2"},
        {HEAD A B TIMES ",\n'speed': 1}", WIT_ERROR_KEY, 5, 1, "speed",
         "unknown key; a scene has format, version, name"},
        {HEAD A B "'rate': 1000}", WIT_ERROR_KEY, 1, 1, "duration", "missing"},
        {HEAD A TIMES "}", WIT_ERROR_KEY, 1, 1, "b", "missing"},
        {HEAD A B "'rate': 0, 'duration': 1}", WIT_ERROR_RANGE, 4, 9, "rate", "positive"},
        {HEAD A B "'rate': '10', 'duration': 1}", WIT_ERROR_TYPE, 4, 9, "rate", "expected a number"},
        {HEAD A B "'rate': 10, 'duration': -1}", WIT_ERROR_RANGE, 4, 25, "duration", "positive"},
        {HEAD A B "'rate': 10, 'duration': 0.01}", WIT_ERROR_RANGE, 4, 25, "duration", "from 1 to"},
        {HEAD A B "'rate': 1e9, 'duration': 100}", WIT_ERROR_RANGE, 4, 26, "duration", "from 1 to"},
        {HEAD A B "'rate': 1e999, 'duration': 1}", WIT_ERROR_NUMBER, 4, 9, "rate", "too large"},
        {HEAD A B "'rate': NaN, 'duration': 1}", WIT_ERROR_SYNTAX, 4, 9, "rate", ""},
        {HEAD A B TIMES ",\n'unit': 'parsec'}", WIT_ERROR_NAME, 5, 9, "unit", "unknown unit; there are none, m, cm"},
        {HEAD A B TIMES ",\n'unit': 'm'}", WIT_ERROR_RANGE, 2, 16, "a.model", "the model is in mm, the scene in m"},
        {HEAD A "'b': {'model': 'pen.json'},\n" TIMES "}", WIT_ERROR_RANGE, 3, 16, "b.model",
         "the model is in none, the scene in mm"},
        {HEAD A B TIMES ",\n'snapshots': [0, 3]}", WIT_ERROR_RANGE, 5, 18, "snapshots[1]", "from 0 to 2"},
        {HEAD A B TIMES ",\n'snapshots': [1, 1]}", WIT_ERROR_RANGE, 5, 18, "snapshots[1]", "increase"},
        {HEAD A B TIMES ",\n'name': ''}", WIT_ERROR_NAME, 5, 9, "name", "empty"},
        {HEAD A B TIMES ",\n'name': 'a\\u0000b'}", WIT_ERROR_NAME, 5, 9, "name", "control character"},
    };
    CHECK_SCENES(rows);
}

static void scene_sides_are_checked(void** state)
{
    (void)state;
    static const refusal rows[] = {
        {HEAD "'a': 3,\n" B TIMES "}", WIT_ERROR_TYPE, 2, 6, "a", "expected an object"},
        {HEAD "'a': {'point': true},\n" B TIMES "}", WIT_ERROR_ARGUMENT, 2, 16, "a.point", "both sides are points"},
        {HEAD "'a': {'point': true},\n'b': {'model': 'sphere.json'},\n" TIMES "}", WIT_ERROR_ARGUMENT, 2, 16, "a.point",
         "put the point in b"},
        {HEAD A "'b': {'point': false},\n" TIMES "}", WIT_ERROR_RANGE, 3, 16, "b.point", "only true"},
        {HEAD A "'b': {'point': 1},\n" TIMES "}", WIT_ERROR_TYPE, 3, 16, "b.point", "true or false"},
        {HEAD A "'b': {'point': true, 'model': 'sphere.json'},\n" TIMES "}", WIT_ERROR_KEY, 3, 22, "b.model",
         "unknown key; a point has name, point, motion"},
        {HEAD A "'b': {},\n" TIMES "}", WIT_ERROR_KEY, 3, 6, "b.model", "missing"},
        {HEAD "'a': {'model': 'nothing.json'},\n" B TIMES "}", WIT_ERROR_FILE, 2, 16, "a.model",
         "models/nothing.json: the file cannot be opened: there is no such file"},
        {HEAD "'a': {'model': '../scenes/sphere-pole.json'},\n" B TIMES "}", WIT_ERROR_NAME, 2, 13,
         "models/../scenes/sphere-pole.json: format", "witness-model"},
        {HEAD "'a': {'model': 'sphere.stp'},\n" B TIMES "}", WIT_ERROR_UNSUPPORTED, 2, 16, "a.model", ".json"},
        {HEAD "'a': {'model': 'ellipsoids.json'},\n" B TIMES "}", WIT_ERROR_KEY, 2, 6, "a.body", "2 bodies"},
        {HEAD "'a': {'model': 'ellipsoids.json', 'body': 'C'},\n" B TIMES "}", WIT_ERROR_NAME, 2, 43, "a.body",
         "it has A, B"},
        {HEAD "'a': {'model': 7},\n" B TIMES "}", WIT_ERROR_TYPE, 2, 16, "a.model", "expected a string"},
    };
    CHECK_SCENES(rows);
}

static void scene_motions_are_checked(void** state)
{
    (void)state;
    static const refusal rows[] = {
        {MOVED("[]"), WIT_ERROR_TYPE, 3, 32, "b.motion", "expected an object"},
        {MOVED("{}"), WIT_ERROR_KEY, 3, 32, "b.motion.kind", "missing"},
        {MOVED("{'kind': 'jump'}"), WIT_ERROR_NAME, 3, 41, "b.motion.kind",
         "there are still, keyframes, twist, helix, spiral, harmonic, poses, rotate"},
        {MOVED("{'kind': 'still', 'speed': 1}"), WIT_ERROR_KEY, 3, 50, "b.motion.speed",
         "unknown key; a motion of kind still has kind, pose"},
        {MOVED("{'kind': 'still', 'pose': [1, 2]}"), WIT_ERROR_COUNT, 3, 58, "b.motion.pose", "[x, y, z]"},
        {MOVED("{'kind': 'still', 'pose': [1, 2, 'x']}"), WIT_ERROR_TYPE, 3, 65, "b.motion.pose[2]", "a number"},
        {MOVED("{'kind': 'still', 'pose': [1, 2, 1e13]}"), WIT_ERROR_RANGE, 3, 65, "b.motion.pose[2]", "1e+12"},
        {MOVED("{'kind': 'still', 'pose': [0, 0, 0, 1, 0.1, 0, 0]}"), WIT_ERROR_RANGE, 3, 58, "b.motion.pose",
         "length 1"},
        {MOVED("{'kind': 'still', 'pose': [0, 0, 0, 0, 0, 0, 0]}"), WIT_ERROR_RANGE, 3, 58, "b.motion.pose",
         "length 1"},
        {MOVED("{'kind': 'helix', 'radius': 1, 'rate': 1}"), WIT_ERROR_KEY, 3, 32, "b.motion.rise", "missing"},
        {MOVED("{'kind': 'spiral', 'radius': 1, 'rate': 1, 'growth': 0, 'axis': [0, 0, 0]}"), WIT_ERROR_FRAME, 3, 96,
         "b.motion.axis", "must not be zero"},
        {MOVED("{'kind': 'spiral', 'radius': 1, 'rate': 1, 'growth': 0, 'frame': {'z': [2, 0, 0]}}"), WIT_ERROR_FRAME,
         3, 97, "b.motion.frame", "parallel"},
        {MOVED("{'kind': 'harmonic', 'pose': [0, 0, 0], 'waves': [{'amplitude': [1, 0, 0]}]}"), WIT_ERROR_KEY, 3, 82,
         "b.motion.waves[0].rate", "missing"},
        {MOVED("{'kind': 'harmonic', 'pose': [0, 0, 0], 'turns': [{'amplitude': [1, 0, 0], 'rate': 1}]}"),
         WIT_ERROR_TYPE, 3, 96, "b.motion.turns[0].amplitude", "a number"},
        {MOVED("{'kind': 'keyframes', 'times': [0, 1], 'poses': [[0, 0, 0]]}"), WIT_ERROR_COUNT, 3, 80,
         "b.motion.poses", "1 poses and 2 times"},
        {MOVED("{'kind': 'keyframes', 'times': [], 'poses': []}"), WIT_ERROR_COUNT, 3, 76, "b.motion.poses",
         "at least one"},
        {MOVED("{'kind': 'keyframes', 'times': [0, 1, 1], 'poses': [[0, 0, 0], [0, 0, 0], [0, 0, 0]]}"),
         WIT_ERROR_RANGE, 3, 70, "b.motion.times[2]", "time 1 comes after 1; times must increase"},
        {MOVED("{'kind': 'keyframes', 'times': [0], 'poses': [[0, 0, 0]], 'interpolation': 'cubic'}"), WIT_ERROR_NAME,
         3, 107, "b.motion.interpolation", "linear, smooth"},
        {MOVED("{'kind': 'keyframes', 'interpolation': 'smooth', 'times': [0, 0.001, 1], 'poses': [[0, 0, 0],"
               "[0, 0, 0, 0.8, 0.6, 0, 0], [0, 0, 0, 0.8, -0.6, 0, 0]]}"),
         WIT_ERROR_RANGE, 3, 32, "b.motion", "between poses 1 and 2"},
        {MOVED("{'kind': 'poses', 'file': 'no.csv'}"), WIT_ERROR_FILE, 3, 58, "b.motion.file",
         "models/no.csv cannot be opened: there is no such file"},
        {MOVED("{'kind': 'poses', 'file': 'box.json'}"), WIT_ERROR_SYNTAX, 1, 1, "models/box.json: header",
         "t,x,y,z,qw,qx,qy,qz"},
    };
    CHECK_SCENES(rows);
}

static void scene_settings_are_checked(void** state)
{
    (void)state;
    static const refusal rows[] = {
        {TRACK("[]"), WIT_ERROR_TYPE, 5, 10, "track", "expected an object"},
        {TRACK("{'lwa': 'deadbeat'}"), WIT_ERROR_KEY, 5, 11, "track.lwa",
         "unknown key; track has law, form, integrator"},
        {TRACK("{'law': 'magic'}"), WIT_ERROR_NAME, 5, 18, "track.law",
         "unknown law; there are deadbeat, linearizing, switching, exponential, motion_aware, newton, "
         "newton_saturated, findmin"},
        {TRACK("{'law': 1}"), WIT_ERROR_TYPE, 5, 18, "track.law", "expected a string"},
        {TRACK("{'form': 'x'}"), WIT_ERROR_NAME, 5, 19, "track.form", "contact, papers"},
        {TRACK("{'integrator': 'rk5'}"), WIT_ERROR_NAME, 5, 25, "track.integrator", "rk2, rk3, rk4"},
        {TRACK("{'feedback': 'x'}"), WIT_ERROR_NAME, 5, 23, "track.feedback", "direct, integrated"},
        {TRACK("{'switching': 'x'}"), WIT_ERROR_NAME, 5, 24, "track.switching", "local, voronoi, none"},
        {TRACK("{'prediction': 'x'}"), WIT_ERROR_NAME, 5, 25, "track.prediction", "best, none, linear"},
        {TRACK("{'gain': -1}"), WIT_ERROR_RANGE, 5, 19, "track.gain", "must be positive"},
        {TRACK("{'law': 'switching', 'gain': 0}"), WIT_ERROR_RANGE, 5, 39, "track.gain", "must be positive"},
        {TRACK("{'gain': 'high'}"), WIT_ERROR_TYPE, 5, 19, "track.gain", "\"auto\""},
        {TRACK("{'gain': {'side': [1, 0]}}"), WIT_ERROR_RANGE, 5, 32, "track.gain.side[1]", "positive"},
        {TRACK("{'gain': {'parameter': [1, 1, 1, 1]}}"), WIT_ERROR_KEY, 5, 19, "track.gain.side", "missing"},
        {TRACK("{'gain': {'side': [1, 1], 'parameter': [1, 1, 1, -1]}}"), WIT_ERROR_RANGE, 5, 59,
         "track.gain.parameter[3]", "positive"},
        {TRACK("{'gain': {'matrix': [[1, 0], [1]]}}"), WIT_ERROR_COUNT, 5, 39, "track.gain.matrix[1]", "rows"},
        {TRACK("{'gain': {'matrix': []}}"), WIT_ERROR_COUNT, 5, 30, "track.gain.matrix", "1 to 4"},
        {TRACK("{'gain': {'matrix': [[1]], 'side': [1, 1]}}"), WIT_ERROR_KEY, 5, 37, "track.gain.side", "has matrix"},
        {TRACK("{'tolerance': 0.1}"), WIT_ERROR_RANGE, 5, 24, "track.tolerance", "1e-15 to 0.001"},
        {TRACK("{'within': -1}"), WIT_ERROR_RANGE, 5, 21, "track.within", "from 0"},
        {TRACK("{'within': 'far'}"), WIT_ERROR_TYPE, 5, 21, "track.within", "\"infinity\""},
        {TRACK("{'budget': 10}"), WIT_ERROR_RANGE, 5, 21, "track.budget", "from 64"},
        {TRACK("{'budget': 100.5}"), WIT_ERROR_TYPE, 5, 21, "track.budget", "whole"},
        {TRACK("{'reacquire': 1}"), WIT_ERROR_TYPE, 5, 24, "track.reacquire", "true or false"},
        {TRACK("{'front': -1}"), WIT_ERROR_RANGE, 5, 20, "track.front", "from 0"},
        {TRACK("{'ball': 0}"), WIT_ERROR_RANGE, 5, 19, "track.ball", "positive"},
        {TRACK("{'findmin': {'speed': 1}}"), WIT_ERROR_KEY, 5, 23, "track.findmin.speed", "findmin has joint_hessian"},
        {TRACK("{'findmin': {'iterations': 0}}"), WIT_ERROR_RANGE, 5, 37, "track.findmin.iterations", "from 1"},
    };
    CHECK_SCENES(rows);
}

static void scene_starts_are_checked(void** state)
{
    (void)state;
    static const refusal rows[] = {
        {START("{}"), WIT_ERROR_KEY, 5, 10, "start.a", "missing"},
        {START("{'a': {'face': 0, 'u': 0, 'v': 0}, 'b': {'vertex': 0}}"), WIT_ERROR_KEY, 5, 45, "start.b",
         "unknown key; the start beside a point has a"},
        {START("{'a': {'u': 0, 'v': 0}}"), WIT_ERROR_KEY, 5, 16, "start.a.face", "missing"},
        {START("{'a': {'face': 1, 'u': 0, 'v': 0}}"), WIT_ERROR_RANGE, 5, 25, "start.a.face", "has 1 of them"},
        {START("{'a': {'face': -1, 'u': 0, 'v': 0}}"), WIT_ERROR_RANGE, 5, 25, "start.a.face", "from 0"},
        {START("{'a': {'face': 'nose', 'u': 0, 'v': 0}}"), WIT_ERROR_NAME, 5, 25, "start.a.face",
         "no face of that name"},
        {START("{'a': {'face': 0, 'u': 0, 'v': 9}}"), WIT_ERROR_RANGE, 5, 41, "start.a.v", "from -1.57"},
        {START("{'a': {'face': 0, 'u': 0}}"), WIT_ERROR_KEY, 5, 16, "start.a.v", "missing"},
        {START("{'a': {'edge': 0, 'u': 0}}"), WIT_ERROR_RANGE, 5, 25, "start.a.edge", "has 0 of them"},
        {START("{'a': {'vertex': 0, 'u': 0}}"), WIT_ERROR_KEY, 5, 30, "start.a.u", "a start on a vertex has vertex"},
        /* The region of a planar body is no feature. */
        {HEAD "'a': {'model': 'three-arc.json'},\n" B TIMES ",\n'start': {'a': {'face': 'inside', 'u': 0, 'v': 0}}}",
         WIT_ERROR_NAME, 5, 25, "start.a.face", "it has 0"},
        {HEAD A "'b': {'model': 'box.json'},\n" TIMES ",\n'start': {'a': {'face': 0, 'u': 0, 'v': 0}}}", WIT_ERROR_KEY,
         5, 10, "start.b", "missing"},
    };
    CHECK_SCENES(rows);
}

/* What the tracker itself refuses gets the place of the setting. */
static void scene_settings_fit_the_law(void** state)
{
    (void)state;
    static const refusal rows[] = {
        {TRACK("{'law': 'deadbeat', 'integrator': 'rk4'}"), WIT_ERROR_ARGUMENT, 5, 44, "track.integrator", ""},
        {TRACK("{'law': 'linearizing', 'gain': {'matrix': [[1, 0], [0, -1]]}}"), WIT_ERROR_RANGE, 5, 0, "track.gain",
         ""},
        {HEAD "'a': {'model': 'gear-a.json'},\n'b': {'model': 'sphere.json'},\n" TIMES "}", WIT_ERROR_ARGUMENT, 3, 6,
         "b", "planar"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        wit_error e = {0};
        strcpy(text, rows[i].text);
        for (char* s = text; *s; s++) {
            if (*s == '\'') *s = '"';
        }
        assert_null(wit_scene_read_text(text, strlen(text), "models", NULL, NULL, NULL, &e));
        /* Which status and words, and where in the gain, is the tracker's affair. */
        if (e.line != rows[i].line || strncmp(e.item, rows[i].item, strlen(rows[i].item)) != 0 || !e.text[0] ||
            (rows[i].column && e.column != rows[i].column) || !strstr(e.text, rows[i].why))
            fail_msg("%s\n-> %s %d:%d: %s: %s", text, wit_status_name(e.status), e.line, e.column, e.item, e.text);
    }
}

/* No beginning of a scene is a scene, and each is refused with a position. */
static void scene_cut_anywhere_is_refused(void** state)
{
    (void)state;
    size_t bytes;
    char* text = tree_file("scenes/000-fig9.json", &bytes);
    while (bytes > 0 && text[bytes - 1] != '}') bytes--;
    for (size_t n = 0; n < bytes; n++) {
        wit_error e = {0};
        assert_null(wit_scene_read_text(text, n, "scenes", NULL, NULL, NULL, &e));
        assert_true(e.status == WIT_ERROR_SYNTAX && e.line > 0 && e.column > 0 && e.text[0]);
    }
    free(text);
    wit_error e = {0};
    assert_null(wit_scene_read_text(NULL, 0, NULL, NULL, NULL, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_ARGUMENT);
    assert_null(wit_scene_read_file(NULL, NULL, NULL, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_ARGUMENT);
    assert_null(wit_scene_read_file("scenes/none.json", NULL, NULL, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_FILE);
    assert_non_null(strstr(e.text, "there is no such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scene_head_is_checked),         cmocka_unit_test(scene_sides_are_checked),
        cmocka_unit_test(scene_motions_are_checked),     cmocka_unit_test(scene_settings_are_checked),
        cmocka_unit_test(scene_starts_are_checked),      cmocka_unit_test(scene_settings_fit_the_law),
        cmocka_unit_test(scene_cut_anywhere_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
