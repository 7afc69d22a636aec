/* SPDX-License-Identifier: MIT */
/* Every kind of bad body is refused with status, line, column, item and reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "refusal.h"

/* Quotes are written ' in the tables. The bodies start on line 3. */
#define HEAD "{'format': 'witness-model', 'version': 1, 'unit': 'mm',\n"
#define BODY(text) HEAD "'bodies': [\n" text "\n]}"
#define SOLID(text) BODY("{'solid': {" text "}}")

/* A half disc: an arc and the line back. Line 3 has the vertices, 4 and 5 the edges, 6 the surface, 7 the loop. */
#define P "{'name': 'p', 'point': [1,0,0]}"
#define Q "{'name': 'q', 'point': [-1,0,0]}"
#define ARC "'curve': {'kind': 'circle', 'radius': 1, 'range': [0, 3.1415926535897931]}"
#define LINE "'curve': {'kind': 'line', 'frame': {'origin': [-1,0,0]}, 'range': [0, 2]}"
#define ENDS "'start': 'p', 'end': 'q'"
#define BACK "'start': 'q', 'end': 'p'"
#define PLANE "'surface': {'kind': 'plane', 'range_u': [-2, 2], 'range_v': [-2, 2]}"
#define LOOP "'loops': [[{'edge': 'a'}, {'edge': 'b'}]]"
#define DISC(vertices, a, b, surface, loops)                                                                           \
    BODY("{'kind': 'sheet', 'vertices': [" vertices "],\n'edges': [{'name': 'a', " a "},\n{'name': 'b', " b            \
         "}],\n'faces': [{" surface ",\n" loops "}]}")
#define A ENDS ", " ARC
#define B BACK ", " LINE

static const refusal keys[] = {
    {HEAD "'bodies': {}}", WIT_ERROR_TYPE, 2, 11, "bodies", "expected an array"},
    {BODY("5"), WIT_ERROR_TYPE, 3, 1, "bodies[0]", "expected an object, found a number"},
    {BODY("{}"), WIT_ERROR_KEY, 3, 1, "bodies[0].kind", "\"kind\" is missing"},
    {BODY("{'kind': 'solid'}"), WIT_ERROR_KEY, 3, 1, "bodies[0].faces", "\"faces\" is missing"},
    {BODY("{'kind': 'gas', 'faces': []}"), WIT_ERROR_NAME, 3, 10, "bodies[0].kind", "solid, sheet, sheet2"},
    {BODY("{'kind': 'solid', 'faces': [], 'colour': 1}"), WIT_ERROR_KEY, 3, 32, "bodies[0].colour",
     "unknown key; body has name, kind"},
    {BODY("{'kind': 'solid', 'faces': 3}"), WIT_ERROR_TYPE, 3, 28, "bodies[0].faces", "an array"},
    {BODY("{'solid': {'kind': 'box'}, 'faces': []}"), WIT_ERROR_KEY, 3, 28, "bodies[0].faces", "unknown key"},
    {BODY("{'solid': []}"), WIT_ERROR_TYPE, 3, 11, "bodies[0].solid", "an object"},
    {SOLID("'kind': 'blob'"), WIT_ERROR_NAME, 3, 20, "bodies[0].solid.kind", "unknown kind; there are box"},
    {SOLID("'kind': 'sphere', 'radius': 1, 'height': 2"), WIT_ERROR_KEY, 3, 43, "bodies[0].solid.height",
     "sphere has kind, note, frame, radius"},
    {SOLID("'kind': 'sphere', 'name': 'x'"), WIT_ERROR_KEY, 3, 30, "bodies[0].solid.name", "unknown key"},
    {SOLID("'kind': 'cylinder', 'radius': 1"), WIT_ERROR_KEY, 3, 11, "bodies[0].solid.height", "missing"},
    {SOLID("'kind': 'prism', 'height': 1, 'polygon': [[0,0],[1,0,0],[0,1]]"), WIT_ERROR_COUNT, 3, 60,
     "bodies[0].solid.polygon[1]", "[x, y], found 3"},
    {DISC(P ", {'name': 'q'}", A, B, PLANE, LOOP), WIT_ERROR_KEY, 3, 65, "bodies[0].vertices[1].point", "missing"},
    {DISC(P ", {'name': 'q', 'point': [0,0]}", A, B, PLANE, LOOP), WIT_ERROR_COUNT, 3, 88,
     "bodies[0].vertices[1].point", "found 2 values"},
    {DISC(P "," Q, "'start': 'p', " ARC, B, PLANE, LOOP), WIT_ERROR_KEY, 4, 11, "bodies[0].edges[0].end",
     "both start and end"},
    {DISC(P "," Q, ENDS ", 'curve': 7", B, PLANE, LOOP), WIT_ERROR_TYPE, 4, 60, "bodies[0].edges[0].curve",
     "the name of a curve or an object"},
    {DISC(P "," Q, A, "'curve': 'none', " BACK, PLANE, LOOP), WIT_ERROR_NAME, 5, 24, "bodies[0].edges[1].curve",
     "there is no curve \"none\""},
    {DISC(P "," Q, A, B, "'surface': 'none'", LOOP), WIT_ERROR_NAME, 6, 23, "bodies[0].faces[0].surface",
     "there is no surface \"none\""},
    {DISC(P "," Q, A, B, "'name': 'f'", LOOP), WIT_ERROR_KEY, 6, 11, "bodies[0].faces[0].surface",
     "\"surface\" is missing; a face needs it"},
    {DISC(P "," Q, A, B, "'surface': null", LOOP), WIT_ERROR_TYPE, 6, 23, "bodies[0].faces[0].surface", "found null"},
    {DISC(P "," Q, A, B, PLANE, "'loops': [{'edge': 'a'}]"), WIT_ERROR_TYPE, 7, 11, "bodies[0].faces[0].loops[0]",
     "expected an array"},
    {DISC(P "," Q, A, B, PLANE, "'loops': [['a', 'b']]"), WIT_ERROR_TYPE, 7, 12, "bodies[0].faces[0].loops[0][0]",
     "expected an object"},
    {DISC(P "," Q, A, B, PLANE, "'loops': [[{'edge': 'a'}, {'edge': 'b', 'reversed': 1}]]"), WIT_ERROR_TYPE, 7, 53,
     "bodies[0].faces[0].loops[0][1].reversed", "true or false"},
    {DISC(P "," Q, A, B, PLANE, "'loops': [[{'edge': 'a'}, {'reversed': true}]]"), WIT_ERROR_KEY, 7, 27,
     "bodies[0].faces[0].loops[0][1].edge", "only along a pole"},
    {DISC(P "," Q, A, B, PLANE, "'loops': [[{'edge': true}]]"), WIT_ERROR_TYPE, 7, 21,
     "bodies[0].faces[0].loops[0][0].edge", "a name or an index"},
    {DISC(P "," Q, A, B, PLANE, "'unbounded': true, " LOOP), WIT_ERROR_KEY, 7, 29, "bodies[0].faces[0].loops",
     "an unbounded face has no loops"},
    {BODY("{'pose': [0, 0, 0], 'solid': {'kind': 'sphere', 'radius': 1}}"), WIT_ERROR_TYPE, 3, 10, "bodies[0].pose",
     "expected an object"},
    {BODY("{'pose': {'at': [0, 0, 0]}, 'solid': {'kind': 'sphere', 'radius': 1}}"), WIT_ERROR_KEY, 3, 11,
     "bodies[0].pose.at", "a pose has position, rotation"},
    {BODY("{'pose': {'rotation': [1, 0, 0]}, 'solid': {'kind': 'sphere', 'radius': 1}}"), WIT_ERROR_COUNT, 3, 23,
     "bodies[0].pose.rotation", "[w, x, y, z], found 3"},
    {BODY("{'pose': {'rotation': [1, 0, 0, 0.002]}, 'solid': {'kind': 'sphere', 'radius': 1}}"), WIT_ERROR_RANGE, 3, 23,
     "bodies[0].pose.rotation", "length 1"},
    {BODY("{'pose': {'position': [0, 2e12, 0]}, 'solid': {'kind': 'sphere', 'radius': 1}}"), WIT_ERROR_NUMBER, 3, 23,
     "bodies[0].pose.position", "beyond 1e+12"},
    {BODY("{'color': [0, 0], 'solid': {'kind': 'sphere', 'radius': 1}}"), WIT_ERROR_COUNT, 3, 11, "bodies[0].color",
     "[red, green, blue]"},
    {DISC(P "," Q, A, B, PLANE ", 'color': [0.5, 1, 1.5]", LOOP), WIT_ERROR_RANGE, 6, 100,
     "bodies[0].faces[0].color[2]", "from 0 to 1"},
};

static const refusal names[] = {
    {DISC(P ", {'name': 'p', 'point': [-1,0,0]}", A, B, PLANE, LOOP), WIT_ERROR_NAME, 3, 74,
     "bodies[0].vertices[1].name", "\"p\" is used twice; first by the vertex on line 3"},
    {BODY("{'kind': 'sheet', 'edges': [{'name': 'e', " ARC "},\n{'name': 'e', " ARC "}], 'faces': [{" PLANE "}]}"),
     WIT_ERROR_NAME, 4, 10, "bodies[0].edges[1].name", "used twice; first by the edge on line 3"},
    {BODY("{'kind': 'sheet', 'faces': [{'name': 'f', " PLANE "},\n{'name': 'f', " PLANE "}]}"), WIT_ERROR_NAME, 4, 10,
     "bodies[0].faces[1].name", "used twice; first by the face on line 3"},
    {BODY("{'name': 'x', 'solid': {'kind': 'sphere', 'radius': 1}},\n{'name': 'x', 'kind': 'sheet', 'faces': [{" PLANE
          "}]}"),
     WIT_ERROR_NAME, 4, 10, "bodies[1].name", "used twice; first by the body on line 3"},
    {DISC(P "," Q, "'start': 'p', 'end': 'r', " ARC, B, PLANE, LOOP), WIT_ERROR_NAME, 4, 46, "bodies[0].edges[0].end",
     "no vertex \"r\""},
    {DISC(P "," Q, "'start': 'p', 'end': 2, " ARC, B, PLANE, LOOP), WIT_ERROR_RANGE, 4, 46, "bodies[0].edges[0].end",
     "there is no vertex 2; the body has 2"},
    {DISC(P "," Q, "'start': -1, 'end': -1, " ARC, B, PLANE, LOOP), WIT_ERROR_RANGE, 4, 34, "bodies[0].edges[0].start",
     "there is no vertex -1"},
    {DISC(P "," Q, "'start': 'p', 'end': 0.5, " ARC, B, PLANE, LOOP), WIT_ERROR_TYPE, 4, 46, "bodies[0].edges[0].end",
     "a whole number"},
    {DISC(P "," Q, A, B, PLANE, "'loops': [[{'edge': 'a'}, {'edge': 'c'}]]"), WIT_ERROR_NAME, 7, 36,
     "bodies[0].faces[0].loops[0][1].edge", "no edge \"c\""},
    {DISC(P "," Q, A, B, PLANE, "'loops': [[{'edge': 0}, {'edge': 9}]]"), WIT_ERROR_RANGE, 7, 34,
     "bodies[0].faces[0].loops[0][1].edge", "there is no edge 9; the body has 2"},
};

static const refusal bodies[] = {
    /* no features, nothing to see */
    {BODY("{'kind': 'solid', 'faces': []}"), WIT_ERROR_COUNT, 3, 28, "bodies[0].faces", "at least one face"},
    {DISC(P "," Q, A, B, PLANE, "'loops': [[]]"), WIT_ERROR_COUNT, 7, 11, "bodies[0].faces[0].loops[0]",
     "at least one edge"},
    {BODY("{'kind': 'sheet', 'faces': [{'surface': {'kind': 'nurbs', 'degree_u': 1, 'degree_v': 1, 'knots_u': "
          "[0,0,1,1],\n'knots_v': [0,0,1,1], 'points': [[[0,0,0],[1,0,0]],[[2,0,0],[3,0,0]]]}}]}"),
     WIT_ERROR_RANGE, 3, 29, "bodies[0].faces[0]", "no area"},
    {HEAD "'surfaces': [\n{'kind': 'nurbs', 'degree_u': 1, 'degree_v': 1, 'knots_u': [0,0,1,1],\n"
          "'knots_v': [0,0,1,1], 'points': [[[0,0,0],[1,0,0]],[[2,0,0],[3,0,0]]]}]}",
     WIT_ERROR_RANGE, 3, 1, "surfaces[0]", "as a face: "},
    /* loops that do not close, ends off their vertices, edges off their faces */
    {DISC(P "," Q, A, B, PLANE, "'loops': [[{'edge': 'a'}], [{'edge': 'b'}]]"), WIT_ERROR_RANGE, 7, 12,
     "bodies[0].faces[0].loops[0][0]", "does not close"},
    {DISC(P "," Q, A, B, PLANE, "'loops': [[{'edge': 'a'}, {'edge': 'b', 'reversed': true}]]"), WIT_ERROR_RANGE, 7, 27,
     "bodies[0].faces[0].loops[0][1]", "the loop does not close: this edge begins 2 away"},
    {DISC(P ", {'name': 'q', 'point': [-1,0.1,0]}", A, B, PLANE, LOOP), WIT_ERROR_RANGE, 4, 11, "bodies[0].edges[0]",
     ""},
    {DISC(P "," Q, ARC, B, PLANE, LOOP), WIT_ERROR_RANGE, 4, 11, "bodies[0].edges[0]",
     "an edge without vertices must close"},
    {DISC(P "," Q, A, B,
          "'surface': {'kind': 'plane', 'frame': {'origin': [0,0,0.5]}, 'range_u': [-2, 2], 'range_v': [-2, 2]}", LOOP),
     WIT_ERROR_RANGE, 7, 12, "bodies[0].faces[0].loops[0][0]", ""},
    {DISC(P "," Q, A, B, PLANE,
          "'loops': [[{'edge': 'a'},\n{'edge': 'b', 'parameter_curve': {'kind': 'line', 'frame': {'origin': "
          "[-1,0.2,0]}, 'range': [0, 2]}}]]"),
     WIT_ERROR_RANGE, 8, 0, "bodies[0].faces[0].loops[0][1]", ""},
    {DISC(P "," Q, A, BACK, PLANE, LOOP), WIT_ERROR_KEY, 7, 27, "bodies[0].faces[0].loops[0][1].parameter_curve",
     "its edge has no curve"},
    {DISC(P "," Q, A, B, PLANE,
          "'loops': [[{'edge': 'a'}, {'edge': 'b', 'range': [1, 1], 'parameter_curve':\n{'kind': 'line', 'frame': "
          "{'origin': [-1,0,0]}, 'range': [0, 2]}}]]"),
     WIT_ERROR_RANGE, 7, 50, "bodies[0].faces[0].loops[0][1].range", "is empty"},
    {DISC(P "," Q, "'range': [0, 9], " A, B, PLANE, LOOP), WIT_ERROR_RANGE, 4, 34, "bodies[0].edges[0].range",
     "leaves the range of the curve"},
    {DISC(P "," Q, A, B "}, {'name': 'c', " B, PLANE, LOOP), WIT_ERROR_NAME, 5, 0, "bodies[0].edges[2]",
     "no face uses this edge"},
    {BODY("{'kind': 'solid', 'planar': true, 'faces': [{'surface': {'kind': 'sphere', 'radius': 1}}]}"), WIT_ERROR_KEY,
     3, 29, "bodies[0].planar", "one face on a plane"},
    /* numbers */
    {DISC("{'name': 'p', 'point': [1,0,1e13]}, " Q, A, B, PLANE, LOOP), WIT_ERROR_NUMBER, 3, 55,
     "bodies[0].vertices[0].point", "too large"},
    {DISC("{'name': 'p', 'point': [1,0,1e999]}, " Q, A, B, PLANE, LOOP), WIT_ERROR_NUMBER, 3, 60,
     "bodies[0].vertices[0].point[2]", "too large"},
    {DISC("{'name': 'p', 'point': [1,0,NaN]}, " Q, A, B, PLANE, LOOP), WIT_ERROR_SYNTAX, 3, 60,
     "bodies[0].vertices[0].point[2]", "NaN"},
    {BODY("{'kind': 'sheet', 'sew_tolerance': -1, 'faces': [{" PLANE "}]}"), WIT_ERROR_NUMBER, 3, 36,
     "bodies[0].sew_tolerance", "0 or a length"},
    {BODY("{'kind': 'sheet', 'close_tolerance': 1e300, 'faces': [{" PLANE "}]}"), WIT_ERROR_NUMBER, 3, 38,
     "bodies[0].close_tolerance", ""},
    {DISC(P "," Q, ENDS ", 'curve': {'kind': 'circle', 'radius': -1}", B, PLANE, LOOP), WIT_ERROR_RANGE, 4, 89,
     "bodies[0].edges[0].curve.radius", ""},
    /* ready-made solids */
    {SOLID("'kind': 'sphere', 'radius': -1"), WIT_ERROR_RANGE, 3, 40, "bodies[0].solid.radius", ""},
    {SOLID("'kind': 'box', 'size_x': 1, 'size_y': 0, 'size_z': 1"), WIT_ERROR_RANGE, 3, 50, "bodies[0].solid.size_y",
     ""},
    {SOLID("'kind': 'torus', 'radius': 1, 'radius2': 2"), WIT_ERROR_RANGE, 3, 53, "bodies[0].solid.radius2", ""},
    {SOLID("'kind': 'sphere', 'radius': 1, 'frame': {'z': [0,0,0]}"), WIT_ERROR_FRAME, 3, 58, "bodies[0].solid.frame.z",
     ""},
    {SOLID("'kind': 'prism', 'height': 1, 'polygon': [[0,0],[1,0]]"), WIT_ERROR_COUNT, 3, 53, "bodies[0].solid.polygon",
     "a prism needs 3"},
    {SOLID("'kind': 'prism', 'height': 1, 'polygon': [[0,0],[2,0],[2,2],[1,-1]]"), WIT_ERROR_RANGE, 3, 0, NULL, ""},
    {SOLID("'kind': 'revolution', 'profile': {'kind': 'line', 'range': [-1, 1], 'frame': {'x': [1,0,1]}}"),
     WIT_ERROR_RANGE, 3, 45, "bodies[0].solid.profile", ""},
};

static void body_refuses_wrong_keys_and_types(void** state)
{
    (void)state;
    CHECK_ALL(keys);
}

static void body_refuses_names_used_twice_and_dangling(void** state)
{
    (void)state;
    CHECK_ALL(names);
}

static void body_gives_refused_topology_its_place(void** state)
{
    (void)state;
    CHECK_ALL(bodies);
}

/* The rows differ from this one by their defect only. */
static void the_half_disc_itself_is_good(void** state)
{
    (void)state;
    char text[] = DISC(P "," Q, A, B, PLANE, LOOP);
    for (char* c = text; *c; c++) {
        if (*c == '\'') *c = '"';
    }
    wit_error e = {0};
    wit_model* m = wit_model_read_text(text, strlen(text), NULL, &e);
    if (!m) fail_msg("%d:%d: %s: %s", e.line, e.column, e.item, e.text);
    wit_model_destroy(m);
}

/* One large surface, many faces: each would hold a copy. Refused before the memory is asked for. */
static void body_refuses_copies_without_end(void** state)
{
    (void)state;
    enum { SIDE = 300, FACES = 4000 };
    size_t room = (size_t)SIDE * SIDE * 24 + (size_t)FACES * 24 + 4096, n = 0;
    char* text = malloc(room);
    assert_non_null(text);
    n += (size_t)snprintf(text + n, room - n,
                          "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"m\", \"surfaces\": [{\"name\": "
                          "\"s\", \"kind\": \"nurbs\", \"degree_u\": 1, \"degree_v\": 1");
    for (int d = 0; d < 2; d++) {
        n += (size_t)snprintf(text + n, room - n, ", \"knots_%c\": [0", d ? 'v' : 'u');
        for (int i = 0; i < SIDE; i++) n += (size_t)snprintf(text + n, room - n, ", %d", i);
        n += (size_t)snprintf(text + n, room - n, ", %d]", SIDE - 1);
    }
    n += (size_t)snprintf(text + n, room - n, ", \"points\": [");
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++)
            n += (size_t)snprintf(text + n, room - n, "%s[%d, %d, 0]%s",
                                  j   ? ", "
                                  : i ? ", ["
                                      : "[",
                                  i, j, j == SIDE - 1 ? "]" : "");
    }
    n += (size_t)snprintf(text + n, room - n, "]}],\n\"bodies\": [{\"kind\": \"sheet\", \"faces\": [");
    for (int i = 0; i < FACES; i++) n += (size_t)snprintf(text + n, room - n, "%s{\"surface\": \"s\"}", i ? ", " : "");
    n += (size_t)snprintf(text + n, room - n, "]}]}");
    assert_true(n < room);
    wit_error e = {0};
    assert_null(wit_model_read_text(text, n, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_MEMORY);
    assert_string_equal(e.item, "bodies[0]");
    assert_int_equal(e.line, 2);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(body_refuses_wrong_keys_and_types),
        cmocka_unit_test(body_refuses_names_used_twice_and_dangling),
        cmocka_unit_test(body_gives_refused_topology_its_place),
        cmocka_unit_test(the_half_disc_itself_is_good),
        cmocka_unit_test(body_refuses_copies_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
