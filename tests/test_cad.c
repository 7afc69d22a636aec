/* SPDX-License-Identifier: MIT */
/* CAD files that Open CASCADE writes here become models; broken ones are refused in clear words. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cad_shapes.h"

static char scratch[64];

static int make_scratch(void** state)
{
    (void)state;
    strcpy(scratch, "/tmp/witness-cad-XXXXXX");
    return mkdtemp(scratch) ? 0 : -1;
}

static int remove_scratch(void** state)
{
    (void)state;
    return rmdir(scratch);
}

/* The path of a file in the scratch directory; one at a time. */
static const char* scratch_path(const char* name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
}

static const char* const endings[WIT_CAD_FORMAT_COUNT] = {"", "part.step", "part.igs", "part.brep"};

static wit_cad* read_path(const char* path, const wit_cad_def* def)
{
    wit_error e = {0};
    wit_cad* cad = wit_cad_read_file(path, def, &e);
    if (!cad) fail_msg("%s: %s", path, e.text);
    return cad;
}

static wit_cad* read_shape(cad_shape shape, wit_cad_format format, const char* unit, const wit_cad_def* def)
{
    const char* path = scratch_path(endings[format]);
    if (!cad_write(shape, format, unit, path)) fail_msg("Open CASCADE did not write shape %d to %s", shape, path);
    wit_cad* cad = read_path(path, def);
    remove(path);
    return cad;
}

static wit_model* model_of(const wit_cad* cad)
{
    wit_error e = {0};
    wit_model* m = wit_cad_model(cad, NULL, &e);
    if (!m) fail_msg("%d:%d: %s: %s", e.line, e.column, e.item, e.text);
    return m;
}

/* ---- what Open CASCADE makes ---------------------------------------------------------------- */

static void solids_keep_their_volume_in_every_format(void** state)
{
    (void)state;
    static const cad_shape shapes[] = {CAD_SHAPE_BOX,  CAD_SHAPE_PIPE, CAD_SHAPE_CONE,   CAD_SHAPE_HALF_CONE,
                                       CAD_SHAPE_BALL, CAD_SHAPE_RING, CAD_SHAPE_DRILLED};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        for (int f = WIT_CAD_STEP; f < WIT_CAD_FORMAT_COUNT; f++) {
            wit_cad* cad = read_shape(shapes[i], (wit_cad_format)f, "MM", NULL);
            wit_cad_report r = wit_cad_describe(cad);
            wit_model* m = model_of(cad);
            assert_int_equal(wit_model_body_count(m), 1);
            wit_body_info info = wit_body_describe(wit_model_body(m, 0));
            wit_body_check_result c = wit_body_check(wit_model_body(m, 0));
            double volume = cad_shape_volume(shapes[i]);
            if (info.kind != WIT_BODY_SOLID || !c.watertight || !c.oriented || !c.manifold ||
                !(fabs(c.volume / volume - 1) < 1e-3))
                fail_msg("shape %d in format %s: %s, watertight %d, oriented %d, manifold %d, volume %g, not %g",
                         shapes[i], wit_cad_format_name((wit_cad_format)f), wit_body_kind_name(info.kind), c.watertight,
                         c.oriented, c.manifold, c.volume, volume);
            /* Shapes that are taken over as they are differ by rounding only; an apex is where the file's digits put it. */
            if (!(r.check_error <= 1e-12 * info.size + r.conversion_error))
                fail_msg("shape %d in format %d: %g off Open CASCADE's", shapes[i], f, r.check_error);
            assert_int_equal(r.solids, 1);
            assert_int_equal(r.unit, f == WIT_CAD_BREP ? WIT_UNIT_NONE : WIT_UNIT_MM);
            wit_model_destroy(m);
            wit_cad_destroy(cad);
        }
    }
}

static void check_features(cad_shape shape, int faces, int edges, int vertices)
{
    wit_cad* cad = read_shape(shape, WIT_CAD_STEP, "MM", NULL);
    wit_model* m = model_of(cad);
    wit_body_info info = wit_body_describe(wit_model_body(m, 0));
    if (info.face_count != faces || info.edge_count != edges || info.vertex_count != vertices)
        fail_msg("shape %d: %d faces, %d edges, %d vertices", shape, info.face_count, info.edge_count,
                 info.vertex_count);
    wit_model_destroy(m);
    wit_cad_destroy(cad);
}

static void seams_and_poles_are_no_features(void** state)
{
    (void)state;
    check_features(CAD_SHAPE_BOX, 6, 12, 8);
    check_features(CAD_SHAPE_PIPE, 4, 4, 0);
    check_features(CAD_SHAPE_CONE, 2, 1, 1);
    check_features(CAD_SHAPE_BALL, 1, 0, 0);
    check_features(CAD_SHAPE_RING, 1, 0, 0);
    check_features(CAD_SHAPE_WAVE, 3, 2, 0);
    check_features(CAD_SHAPE_DRILLED, 7, 14, 8);
}

/* Of a periodic B-spline surface poles and knots are counted from another place. */
static void periodic_surfaces_are_the_same_point_sets(void** state)
{
    (void)state;
    const char* path = scratch_path("part.step");
    cad_census truth;
    assert_true(cad_write(CAD_SHAPE_WAVE, WIT_CAD_STEP, "MM", path) && cad_census_of(path, true, &truth));
    wit_cad* cad = read_path(path, NULL);
    remove(path);
    wit_cad_report r = wit_cad_describe(cad);
    wit_model* m = model_of(cad);
    const wit_body_def* def = wit_model_body_def(m, 0);
    int periodic = 0;
    for (int i = 0; i < def->face_count; i++) periodic += wit_surface_describe(def->faces[i].surface).closed_u;
    assert_int_equal(periodic, 1);
    wit_body_check_result c = wit_body_check(wit_model_body(m, 0));
    assert_true(c.watertight && c.oriented && c.manifold);
    assert_true(r.check_error < 1e-13 * wit_body_describe(wit_model_body(m, 0)).size);
    if (!(fabs(c.volume / truth.volume - 1) < 1e-3)) fail_msg("volume %.9g, not %.9g", c.volume, truth.volume);
    wit_model_destroy(m);
    wit_cad_destroy(cad);
}

static void what_is_none_of_our_kinds_is_converted_and_said(void** state)
{
    (void)state;
    wit_cad* cad = read_shape(CAD_SHAPE_OFFSET, WIT_CAD_BREP, "MM", NULL);
    wit_cad_report r = wit_cad_describe(cad);
    assert_true(r.converted >= 1 && r.conversion_error > 0 && r.conversion_error < 1e-5);
    /* Twice as fine as the places where the error was looked for, it is not much larger. */
    assert_true(r.check_error <= 2 * r.conversion_error);
    bool said = false;
    for (int k = 0; k < r.problem_count; k++) {
        wit_cad_problem p = wit_cad_problem_at(cad, k);
        said |= strstr(p.text, "Geom_OffsetSurface became a B-spline") && !p.lost && strstr(p.entity, "face 0");
    }
    assert_true(said);
    wit_cad_destroy(cad);
}

static void lengths_come_in_the_unit_that_is_asked_for(void** state)
{
    (void)state;
    static const struct {
        const char* written;
        wit_unit file, asked, got;
    } rows[] = {
        {"MM", WIT_UNIT_MM, WIT_UNIT_NONE, WIT_UNIT_MM}, {"INCH", WIT_UNIT_IN, WIT_UNIT_NONE, WIT_UNIT_IN},
        {"INCH", WIT_UNIT_IN, WIT_UNIT_MM, WIT_UNIT_MM}, {"MM", WIT_UNIT_MM, WIT_UNIT_M, WIT_UNIT_M},
        {"M", WIT_UNIT_M, WIT_UNIT_UM, WIT_UNIT_UM},     {"FT", WIT_UNIT_FT, WIT_UNIT_IN, WIT_UNIT_IN},
        {"CM", WIT_UNIT_CM, WIT_UNIT_FT, WIT_UNIT_FT},
    };
    for (int f = WIT_CAD_STEP; f <= WIT_CAD_IGES; f++) {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            wit_cad_def def = wit_cad_default_def();
            def.unit = rows[i].asked;
            wit_cad* cad = read_shape(CAD_SHAPE_BOX, (wit_cad_format)f, rows[i].written, &def);
            wit_cad_report r = wit_cad_describe(cad);
            wit_model* m = model_of(cad);
            wit_box b = wit_body_describe(wit_model_body(m, 0)).box;
            double mm = 1e-3 / wit_unit_metres(rows[i].got);
            assert_int_equal(r.file_unit, rows[i].file);
            assert_int_equal(r.unit, rows[i].got);
            assert_int_equal(wit_model_unit(m), rows[i].got);
            /* Open CASCADE writes some 9 digits to IGES, 12 to STEP. */
            double digits = f == WIT_CAD_IGES ? 1e-8 : 1e-11;
            if (!(fabs((b.hi.x - b.lo.x) / (10 * mm) - 1) < digits) ||
                !(fabs((b.hi.z - b.lo.z) / (30 * mm) - 1) < digits))
                fail_msg("row %d of format %d: %.17g, not %.17g", (int)i, f, b.hi.x - b.lo.x, 10 * mm);
            wit_model_destroy(m);
            wit_cad_destroy(cad);
        }
    }
}

/* ---- assemblies ----------------------------------------------------------------------------- */

static bool near_color(wit_vec3 c, double r, double g, double b)
{
    return fabs(c.x - r) < 1e-3 && fabs(c.y - g) < 1e-3 && fabs(c.z - b) < 1e-3;
}

static void assemblies_are_bodies_with_names_places_and_colours(void** state)
{
    (void)state;
    const char* path = scratch_path("machine.step");
    assert_true(cad_write_assembly(path));
    wit_cad* cad = read_path(path, NULL);
    wit_model* m = model_of(cad);
    assert_int_equal(wit_model_body_count(m), 3);
    int first = wit_model_find_body(m, "bolt"), second = wit_model_find_body(m, "bolt 2");
    int ring = wit_model_find_body(m, "ring");
    assert_true(first >= 0 && second >= 0 && ring >= 0);
    wit_vec3 corner = {10, 20, 30}, top = {0, 0, 2};
    wit_pose a = wit_model_body_pose(m, first), b = wit_model_body_pose(m, second), c = wit_model_body_pose(m, ring);
    wit_vec3 p = wit_pose_point(&a, corner), q = wit_pose_point(&b, corner), r = wit_pose_point(&c, top);
    assert_true(fabs(p.x - 10) < 1e-9 && fabs(q.x - 110) < 1e-9 && fabs(q.y - 20) < 1e-9);
    /* A quarter turn about x takes z to -y. */
    assert_true(fabs(r.x) < 1e-9 && fabs(r.y - 5) < 1e-9 && fabs(r.z - 50) < 1e-9);
    wit_vec3 color = {0, 0, 0};
    assert_true(wit_model_body_color(m, first, &color) && near_color(color, 0.2, 0.4, 0.6));
    int red = 0, own = 0;
    for (int i = 0; i < 6; i++) {
        if (!wit_model_face_color(m, first, i, &color)) continue;
        own++;
        red += near_color(color, 1, 0, 0);
    }
    assert_int_equal(red, 1);
    assert_true(own >= 1);
    assert_false(wit_model_body_color(m, ring, &color));
    wit_model_destroy(m);
    wit_cad_destroy(cad);

    wit_cad_def def = wit_cad_default_def();
    def.part = "ring";
    cad = read_path(path, &def);
    assert_int_equal(wit_cad_describe(cad).bodies, 1);
    assert_int_equal(wit_cad_describe(cad).faces[WIT_SURFACE_TORUS], 1);
    wit_cad_destroy(cad);
    def.part = "nut";
    wit_error e = {0};
    assert_null(wit_cad_read_file(path, &def, &e));
    assert_int_equal(e.status, WIT_ERROR_FILE);
    assert_non_null(strstr(e.text, "there is no part 'nut'; it has 'bolt', 'bolt 2', 'ring'"));
    remove(path);
}

/* ---- texts ---------------------------------------------------------------------------------- */

static char* slurp(const char* path, size_t* bytes)
{
    FILE* f = fopen(path, "rb");
    assert_non_null(f);
    char* text = malloc(1 << 20);
    assert_non_null(text);
    *bytes = fread(text, 1, (1 << 20) - 1, f);
    text[*bytes] = 0;
    fclose(f);
    return text;
}

static char* step_of(cad_shape shape, size_t* bytes)
{
    const char* path = scratch_path("part.step");
    assert_true(cad_write(shape, WIT_CAD_STEP, "MM", path));
    char* text = slurp(path, bytes);
    remove(path);
    return text;
}

static void memory_gives_what_the_file_gives(void** state)
{
    (void)state;
    for (int f = WIT_CAD_STEP; f < WIT_CAD_FORMAT_COUNT; f++) {
        const char* path = scratch_path(endings[f]);
        assert_true(cad_write(CAD_SHAPE_DRILLED, (wit_cad_format)f, "MM", path));
        wit_cad* a = read_path(path, NULL);
        size_t bytes;
        char* data = slurp(path, &bytes);
        remove(path);
        wit_error e = {0};
        /* By its first line: the name has no ending that helps, and the file is gone. */
        wit_cad* b = wit_cad_read_memory(data, bytes, "part", NULL, &e);
        if (!b) fail_msg("format %d: %s", f, e.text);
        free(data);
        assert_int_equal(wit_cad_describe(b).format, f);
        wit_model *x = model_of(a), *y = model_of(b);
        wit_body_info p = wit_body_describe(wit_model_body(x, 0)), q = wit_body_describe(wit_model_body(y, 0));
        assert_int_equal(p.bytes, q.bytes);
        assert_memory_equal(&p.box, &q.box, sizeof p.box);
        wit_model_destroy(x);
        wit_model_destroy(y);
        wit_cad_destroy(a);
        wit_cad_destroy(b);
    }
}

/* `text` with the first `from` behind `after` replaced; the caller frees it. */
static char* replaced(const char* text, const char* after, const char* from, const char* to)
{
    const char* start = strstr(text, after);
    const char* at = start ? strstr(start, from) : NULL;
    if (!at) fail_msg("no '%s' behind '%s'", from, after);
    size_t head = (size_t)(at - text), n = strlen(text) + strlen(to) + 1;
    char* r = malloc(n);
    assert_non_null(r);
    snprintf(r, n, "%.*s%s%s", (int)head, text, to, at + strlen(from));
    return r;
}

static void expect_refused(const char* what, const char* text, const char* words)
{
    wit_error e = {0};
    wit_cad* cad = wit_cad_read_memory(text, strlen(text), "part.step", NULL, &e);
    if (cad) fail_msg("%s is not refused", what);
    print_message("%s: %s\n", what, e.text);
    assert_int_equal(e.status, WIT_ERROR_FILE);
    assert_string_equal(e.item, "part.step");
    if (!strstr(e.text, words)) fail_msg("%s: '%s' lacks '%s'", what, e.text, words);
}

/* Refused with a reason, or read with a problem that names the place; never a body that looks whole and is not. */
static void expect_said(const char* what, const char* text, const char* words)
{
    wit_error e = {0};
    wit_cad* cad = wit_cad_read_memory(text, strlen(text), "part.step", NULL, &e);
    bool said = !cad && strstr(e.text, words);
    if (!cad) print_message("%s: refused: %s\n", what, e.text);
    for (int k = 0; cad && k < wit_cad_describe(cad).problem_count; k++) {
        wit_cad_problem p = wit_cad_problem_at(cad, k);
        print_message("%s: %s%s: %s\n", what, p.lost ? "LOST " : "", p.entity, p.text);
        said |= strstr(p.text, words) || strstr(p.entity, words);
    }
    if (cad) {
        wit_model* m = model_of(cad);
        wit_body_check_result c = wit_body_check(wit_model_body(m, 0));
        assert_false(c.watertight);
        wit_model_destroy(m);
        wit_cad_destroy(cad);
    }
    if (!said) fail_msg("%s: nothing says '%s'", what, words);
}

/* A tetrahedron of facets. HEAD FACES TAIL: the faces are numbers 13 to 16. */
#define FACETED_HEAD                                                                                                   \
    "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('f','2024-01-01T00:00:00',(''),(''),'','','');"  \
    "\n"                                                                                                               \
    "FILE_SCHEMA(('CONFIG_CONTROL_DESIGN'));\nENDSEC;\nDATA;\n"                                                        \
    "#1=CARTESIAN_POINT('',(0.,0.,0.));\n#2=CARTESIAN_POINT('',(1.,0.,0.));\n#3=CARTESIAN_POINT('',(0.,1.,0.));\n"     \
    "#4=CARTESIAN_POINT('',(0.,0.,1.));\n#5=POLY_LOOP('',(#1,#3,#2));\n#6=POLY_LOOP('',(#1,#2,#4));\n"                 \
    "#7=POLY_LOOP('',(#2,#3,#4));\n#8=POLY_LOOP('',(#3,#1,#4));\n#9=FACE_OUTER_BOUND('',#5,.T.);\n"                    \
    "#10=FACE_OUTER_BOUND('',#6,.T.);\n#11=FACE_OUTER_BOUND('',#7,.T.);\n#12=FACE_OUTER_BOUND('',#8,.T.);\n"
#define FACETED_TAIL                                                                                                   \
    "#17=CLOSED_SHELL('',(#13,#14,#15,#16));\n#18=FACETED_BREP('tetra',#17);\n"                                        \
    "#19=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNIT_ASSIGNED_CONTEXT((#20,#21,#22))"                              \
    "REPRESENTATION_CONTEXT('',''));\n#20=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));\n"                     \
    "#21=(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.));\n"                                                      \
    "#22=(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT());\n"                                                   \
    "#23=FACETED_BREP_SHAPE_REPRESENTATION('',(#18),#19);\n#24=APPLICATION_CONTEXT('x');\n"                            \
    "#25=PRODUCT_CONTEXT('',#24,'mechanical');\n#26=PRODUCT('tetra','tetra','',(#25));\n"                              \
    "#27=PRODUCT_DEFINITION_FORMATION('','',#26);\n#28=PRODUCT_DEFINITION_CONTEXT('part definition',#24,'design');\n"  \
    "#29=PRODUCT_DEFINITION('','',#27,#28);\n#30=PRODUCT_DEFINITION_SHAPE('','',#29);\n"                               \
    "#31=SHAPE_DEFINITION_REPRESENTATION(#30,#23);\nENDSEC;\nEND-ISO-10303-21;\n"

static const char* const facets_with_planes = FACETED_HEAD
    "#13=FACE_SURFACE('',(#9),#41,.T.);\n#14=FACE_SURFACE('',(#10),#42,.T.);\n#15=FACE_SURFACE('',(#11),#43,.T.);\n"
    "#16=FACE_SURFACE('',(#12),#44,.T.);\n#41=PLANE('',#51);\n#42=PLANE('',#52);\n#43=PLANE('',#53);\n"
    "#44=PLANE('',#54);\n#51=AXIS2_PLACEMENT_3D('',#1,#61,$);\n#52=AXIS2_PLACEMENT_3D('',#1,#62,$);\n"
    "#53=AXIS2_PLACEMENT_3D('',#2,#63,$);\n#54=AXIS2_PLACEMENT_3D('',#1,#64,$);\n#61=DIRECTION('',(0.,0.,-1.));\n"
    "#62=DIRECTION('',(0.,-1.,0.));\n#63=DIRECTION('',(1.,1.,1.));\n#64=DIRECTION('',(-1.,0.,0.));\n" FACETED_TAIL;

static const char* const facets_alone =
    FACETED_HEAD "#13=FACE('',(#9));\n#14=FACE('',(#10));\n#15=FACE('',(#11));\n#16=FACE('',(#12));\n" FACETED_TAIL;

static void broken_files_are_refused_in_clear_words(void** state)
{
    (void)state;
    size_t bytes;
    char* good = step_of(CAD_SHAPE_BOX, &bytes);
    expect_refused("an empty file", "", "it is empty");
    expect_refused("blanks", " \n\t\n", "it is empty");
    expect_refused("something else", "hello\n", "it is no STEP file");
    char* text = malloc(bytes + 1);
    assert_non_null(text);
    snprintf(text, bytes + 1, "%.*s", (int)(bytes / 2), good);
    expect_refused("half of it", text, "cut short");
    free(text);
    text = replaced(good, "MANIFOLD_SOLID_BREP", ";", "");
    expect_refused("a statement without its semicolon", text, "has no semicolon at its end");
    assert_non_null(strstr(text, "MANIFOLD_SOLID_BREP"));
    free(text);
    text = replaced(good, "ADVANCED_FACE(", ",#", ",#99");
    expect_said("a wrong reference", text, "ADVANCED_FACE");
    free(text);
    text = replaced(good, "MANIFOLD_SOLID_BREP", ",#", ",#99");
    expect_said("a solid without its shell", text, "MANIFOLD_SOLID_BREP");
    free(text);
    free(good);
    char* drawing = step_of(CAD_SHAPE_LINE, &bytes);
    expect_refused("a drawing", drawing, "no solid, shell or face");
    free(drawing);
    expect_refused("facets without planes", facets_alone, "facets only");
}

static void facets_are_planes(void** state)
{
    (void)state;
    wit_error e = {0};
    wit_cad* cad = wit_cad_read_memory(facets_with_planes, strlen(facets_with_planes), "tetra.stp", NULL, &e);
    if (!cad) fail_msg("%s", e.text);
    assert_int_equal(wit_cad_describe(cad).faces[WIT_SURFACE_PLANE], 4);
    wit_model* m = model_of(cad);
    wit_body_check_result c = wit_body_check(wit_model_body(m, 0));
    assert_true(c.watertight && c.oriented && c.manifold && c.convex);
    assert_true(fabs(c.volume - 1.0 / 6) < 1e-9);
    assert_string_equal(wit_model_body_name(m, 0), "tetra");
    wit_model_destroy(m);
    wit_cad_destroy(cad);
}

static void wrong_calls_are_refused(void** state)
{
    (void)state;
    wit_error e = {0};
    assert_null(wit_cad_read_file(NULL, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_ARGUMENT);
    assert_null(wit_cad_read_file("/nowhere/part.step", NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_FILE);
    assert_non_null(strstr(e.text, "No such file"));
    assert_null(wit_cad_read_memory(NULL, 3, "x", NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_ARGUMENT);
    wit_cad_def def = {0};
    assert_null(wit_cad_read_memory("x", 1, "x.step", &def, &e));
    assert_string_equal(e.item, "struct_size");
    def = wit_cad_default_def();
    def.unit = WIT_UNIT_COUNT;
    assert_null(wit_cad_read_memory("x", 1, "x.step", &def, &e));
    assert_string_equal(e.item, "unit");
    def = wit_cad_default_def();
    def.format = WIT_CAD_FORMAT_COUNT;
    assert_null(wit_cad_read_memory("x", 1, "x.step", &def, NULL));
    assert_null(wit_cad_read_memory("hello", 5, NULL, NULL, &e));
    assert_non_null(strstr(e.text, "neither STEP, IGES nor BREP"));
    assert_int_equal(wit_cad_describe(NULL).bodies, 0);
    assert_false(wit_cad_problem_at(NULL, 0).lost);
    assert_null(wit_cad_model(NULL, NULL, &e));
    assert_int_equal(wit_cad_format_of("a/B.STEP"), WIT_CAD_STEP);
    assert_int_equal(wit_cad_format_of("a.IgS"), WIT_CAD_IGES);
    assert_int_equal(wit_cad_format_of("step"), WIT_CAD_AUTO);
    assert_int_equal(wit_cad_format_of(NULL), WIT_CAD_AUTO);
    wit_cad_destroy(NULL);
}

/* Whatever the readers have to say, standard output and standard error are the caller's. */
static void nothing_is_printed(void** state)
{
    (void)state;
    const char* path = scratch_path("printed");
    size_t bytes;
    char* good = step_of(CAD_SHAPE_BOX, &bytes);
    char* bad = replaced(good, "MANIFOLD_SOLID_BREP", ";", "");
    fflush(NULL);
    int kept[2] = {dup(1), dup(2)}, to = open(scratch_path("printed"), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    dup2(to, 1);
    dup2(to, 2);
    wit_cad_destroy(wit_cad_read_memory(good, bytes, "good.step", NULL, NULL));
    wit_cad_destroy(wit_cad_read_memory(bad, strlen(bad), "bad.step", NULL, NULL));
    wit_cad_destroy(wit_cad_read_memory("hello", 5, "bad.step", NULL, NULL));
    wit_cad_destroy(wit_cad_read_memory("hello", 5, "bad.igs", NULL, NULL));
    wit_cad_destroy(wit_cad_read_memory("hello", 5, "bad.brep", NULL, NULL));
    fflush(NULL);
    dup2(kept[0], 1);
    dup2(kept[1], 2);
    close(kept[0]);
    close(kept[1]);
    close(to);
    free(good);
    free(bad);
    path = scratch_path("printed");
    char* said = slurp(path, &bytes);
    remove(path);
    if (bytes) fail_msg("printed: %s", said);
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_keep_their_volume_in_every_format),
        cmocka_unit_test(seams_and_poles_are_no_features),
        cmocka_unit_test(periodic_surfaces_are_the_same_point_sets),
        cmocka_unit_test(what_is_none_of_our_kinds_is_converted_and_said),
        cmocka_unit_test(lengths_come_in_the_unit_that_is_asked_for),
        cmocka_unit_test(assemblies_are_bodies_with_names_places_and_colours),
        cmocka_unit_test(memory_gives_what_the_file_gives),
        cmocka_unit_test(broken_files_are_refused_in_clear_words),
        cmocka_unit_test(facets_are_planes),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(nothing_is_printed),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
