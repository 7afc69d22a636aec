/* SPDX-License-Identifier: MIT */
/* What is valid is read as what it is: in any unit, the right side out, and where something is mended that is said. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../include/witness/track.h"
#include "cad_shapes.h"

static char path[64];

static int make_path(void** state)
{
    (void)state;
    strcpy(path, "/tmp/witness-valid-XXXXXX");
    int handle = mkstemp(path);
    return handle < 0 ? -1 : close(handle);
}

static int remove_path(void** state)
{
    (void)state;
    return remove(path);
}

typedef struct part {
    wit_cad* cad;
    wit_cad_report report;
    wit_model* model;
    const wit_body* body;
    wit_body_info info;
    wit_body_check_result check;
} part;

static part read_part(cad_shape shape, wit_cad_format format, const char* written, wit_unit wanted)
{
    part p = {0};
    wit_error e = {0};
    wit_cad_def def = wit_cad_default_def();
    def.format = format;
    def.unit = wanted;
    assert_true(cad_write(shape, format, written, path));
    p.cad = wit_cad_read_file(path, &def, &e);
    if (!p.cad) fail_msg("shape %d: %s", shape, e.text);
    p.report = wit_cad_describe(p.cad);
    p.model = wit_cad_model(p.cad, NULL, &e);
    if (!p.model) fail_msg("shape %d: %s", shape, e.text);
    assert_int_equal(wit_model_body_count(p.model), 1);
    p.body = wit_model_body(p.model, 0);
    p.info = wit_body_describe(p.body);
    p.check = wit_body_check(p.body);
    wit_cad_body b = wit_cad_body_at(p.cad, 0); /* as it was measured when it was read */
    assert_string_equal(b.name, p.info.name);
    assert_true(b.kind == p.info.kind && b.faces == p.info.face_count && b.edges == p.info.edge_count &&
                b.vertices == p.info.vertex_count && b.bytes <= p.info.bytes && p.info.bytes - b.bytes < 512);
    assert_true(b.measures.watertight == p.check.watertight && b.measures.oriented == p.check.oriented &&
                b.measures.manifold == p.check.manifold && b.measures.volume == p.check.volume &&
                b.measures.area == p.check.area && b.measures.gap == p.check.gap);
    assert_int_equal(wit_cad_body_at(p.cad, 1).faces, 0);
    return p;
}

static void drop(part* p)
{
    wit_model_destroy(p->model);
    wit_cad_destroy(p->cad);
}

/* Is there a problem that says so? */
static bool says(const part* p, const char* words)
{
    for (int k = 0; k < p->report.problem_count; k++)
        if (strstr(wit_cad_problem_at(p->cad, k).text, words)) return true;
    return false;
}

static double distance_to(const wit_body* body, wit_vec3 point, wit_closest* out)
{
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    wit_placed at = wit_placed_at(body, wit_pose_identity());
    assert_int_equal(wit_closest_point(q, &at, point, out), WIT_OK);
    wit_query_destroy(q);
    return out->distance;
}

static double certified_distance(const wit_body* body, wit_vec3 point, wit_closest* out)
{
    distance_to(body, point, out);
    assert_true(out->certified);
    return out->distance;
}

/* All lengths scale by the unit, and nothing else changes: features, kinds, problems. */
static void the_unit_changes_lengths_and_nothing_else(void** state)
{
    (void)state;
    static const cad_shape shapes[] = {CAD_SHAPE_DRILLED, CAD_SHAPE_WAVE, CAD_SHAPE_HALF_CONE};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int f = WIT_CAD_STEP; f <= WIT_CAD_IGES; f++) {
            part mm = read_part(shapes[i], (wit_cad_format)f, "MM", WIT_UNIT_MM);
            for (int u = WIT_UNIT_NONE + 1; u < WIT_UNIT_COUNT; u++) {
                part other = read_part(shapes[i], (wit_cad_format)f, "MM", (wit_unit)u);
                double s = 1e-3 / wit_unit_metres((wit_unit)u);
                assert_int_equal(other.info.face_count, mm.info.face_count);
                assert_int_equal(other.info.edge_count, mm.info.edge_count);
                assert_int_equal(other.info.vertex_count, mm.info.vertex_count);
                assert_int_equal(other.report.problem_count, mm.report.problem_count);
                assert_int_equal(other.report.parameter_curves, mm.report.parameter_curves);
                /* Rounding: sums of some thousand terms. */
                double dv = other.check.volume / (mm.check.volume * s * s * s) - 1;
                double da = other.check.area / (mm.check.area * s * s) - 1;
                if (!(fabs(dv) < 1e-12) || !(fabs(da) < 1e-12))
                    fail_msg("shape %d, format %d in %s: volume off by %g, area by %g", shapes[i], f,
                             wit_unit_name((wit_unit)u), dv, da);
                assert_true(fabs(other.report.tolerance / (mm.report.tolerance * s) - 1) < 1e-9);
                drop(&other);
            }
            drop(&mm);
        }
}

static void spindle_tori_end_at_their_axis(void** state)
{
    (void)state;
    for (int f = WIT_CAD_STEP; f < WIT_CAD_FORMAT_COUNT; f++)
        for (int shape = CAD_SHAPE_APPLE; shape <= CAD_SHAPE_LEMON; shape++) {
            part p = read_part((cad_shape)shape, (wit_cad_format)f, "MM", WIT_UNIT_NONE);
            wit_closest c;
            double volume = cad_shape_volume((cad_shape)shape);
            /* STEP and IGES have no spindle tori: Open CASCADE writes a spline of degree 6 in place of the arc, off by 3e-7 of its
             * radius at most (volume 3.5e-8). As it is in the file, the surface is read to rounding. */
            double off = f == WIT_CAD_BREP ? 1e-12 : 1e-7;
            assert_true(p.report.check_error <= 1e-13 * p.info.size);
            if (!p.check.watertight || !p.check.oriented || !(fabs(p.check.volume / volume - 1) < off))
                fail_msg("shape %d, format %d: watertight %d, oriented %d, volume %.12g, not %.12g", shape, f,
                         p.check.watertight, p.check.oriented, p.check.volume, volume);
            /* On the equator the tube is 3 from its middle, which is 2 from the axis. */
            double wanted = shape == CAD_SHAPE_APPLE ? 10 - 5 : 10 - 1;
            assert_true(fabs(certified_distance(p.body, (wit_vec3){0, 10, 0}, &c) - wanted) < 1e-9);
            drop(&p);
        }
}

/* One point of it is on the axis, wherever the file begins to count. */
static void a_horn_torus_is_read_whole(void** state)
{
    (void)state;
    for (int f = WIT_CAD_STEP; f < WIT_CAD_FORMAT_COUNT; f++) {
        part p = read_part(CAD_SHAPE_HORN, (wit_cad_format)f, "MM", WIT_UNIT_NONE);
        wit_closest c;
        assert_true(p.check.watertight && p.check.oriented && p.info.outward);
        assert_true(fabs(p.check.volume / cad_shape_volume(CAD_SHAPE_HORN) - 1) < 1e-9);
        assert_true(fabs(certified_distance(p.body, (wit_vec3){0, 10, 0}, &c) - 4) < 1e-9);
        assert_true(fabs(certified_distance(p.body, (wit_vec3){0, 0, 4}, &c) - 2) < 1e-9);
        drop(&p);
    }
}

static void a_solid_without_volume_is_a_sheet(void** state)
{
    (void)state;
    part p = read_part(CAD_SHAPE_LEAF, WIT_CAD_BREP, "MM", WIT_UNIT_NONE);
    wit_closest c;
    assert_int_equal(p.info.kind, WIT_BODY_SHEET2);
    assert_int_equal(p.report.solids, 0);
    assert_true(says(&p, "no volume"));
    assert_true(fabs(certified_distance(p.body, (wit_vec3){5, 5, 3}, &c) - 3) < 1e-12);
    assert_true(fabs(certified_distance(p.body, (wit_vec3){5, 5, -3}, &c) - 3) < 1e-12);
    drop(&p);
}

static void a_solid_inside_out_is_turned_and_that_is_said(void** state)
{
    (void)state;
    part p = read_part(CAD_SHAPE_INSIDE_OUT, WIT_CAD_BREP, "MM", WIT_UNIT_NONE);
    wit_closest c;
    assert_true(p.info.closed && p.info.outward);
    assert_true(fabs(p.check.volume - 6000) < 1e-9);
    assert_true(says(&p, "turned"));
    assert_true(certified_distance(p.body, (wit_vec3){5, 10, 15}, &c) < 0);
    drop(&p);
}

static void degrees_to_25_are_taken_as_they_are(void** state)
{
    (void)state;
    part p = read_part(CAD_SHAPE_SEVENTEEN, WIT_CAD_BREP, "MM", WIT_UNIT_NONE);
    assert_int_equal(p.report.converted, 0);
    assert_true(p.report.check_error <= 1e-13 * p.info.size);
    wit_surface_info s = wit_surface_describe(wit_body_face(p.body, 0).surface);
    assert_int_equal(s.degree_u, 17);
    assert_int_equal(s.degree_v, 12);
    drop(&p);
}

/* What a surface was approximated to is in the bracket; it was seen on a grid, so that nothing is certified by it: no distance,
 * no list of minima, no frame. */
static void an_approximated_surface_widens_the_bracket_and_certifies_nothing(void** state)
{
    (void)state;
    part p = read_part(CAD_SHAPE_OFFSET, WIT_CAD_BREP, "MM", WIT_UNIT_NONE);
    wit_closest c;
    assert_true(p.report.converted > 0 && p.report.conversion_error > 0);
    distance_to(p.body, (wit_vec3){20, 3, 4}, &c);
    assert_true(c.upper_bound - c.lower_bound >= 2 * p.report.conversion_error);
    assert_true(c.model_tolerance >= 2 * p.report.conversion_error);
    assert_false(c.certified);
    assert_int_equal(c.reason, WIT_REASON_MODEL);
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    wit_placed at = wit_placed_at(p.body, wit_pose_identity());
    wit_minimum minima[8];
    wit_minima_summary all;
    assert_int_equal(wit_minima_point(q, &at, (wit_vec3){20, 3, 4}, minima, 8, &all), WIT_OK);
    assert_true(all.count > 0 && !all.complete);
    wit_query_destroy(q);
    wit_error e = {0};
    wit_tracker* t = wit_tracker_create(p.body, NULL, NULL, NULL, &e);
    assert_non_null(t);
    wit_motion still = wit_motion_at_rest(wit_pose_identity()), point = still;
    point.pose.position = (wit_vec3){20, 3, 4};
    wit_result r;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(wit_tracker_step(t, &still, &point, 1e-3, &r), WIT_OK);
        assert_int_equal(r.outcome, WIT_OUTCOME_CONVERGED);
        assert_false(r.flags & WIT_FLAG_CERTIFIED);
        assert_int_equal(r.reason, WIT_REASON_MODEL);
    }
    wit_tracker_destroy(t);
    drop(&p);
}

/* A cylinder, a cone, a sphere, a torus and a plane, each given as an offset of such: what was read has their closed forms. */
static void offsets_of_analytic_surfaces_are_exact(void** state)
{
    (void)state;
    static const wit_surface_kind kinds[] = {WIT_SURFACE_PLANE, WIT_SURFACE_CYLINDER, WIT_SURFACE_CONE,
                                             WIT_SURFACE_SPHERE, WIT_SURFACE_TORUS};
    for (int k = 0; k < 5; k++) {
        part p = read_part((cad_shape)(CAD_SHAPE_OFFSET_PLANE + k), WIT_CAD_BREP, "MM", WIT_UNIT_NONE);
        assert_int_equal(p.report.converted, 0);
        assert_int_equal(p.report.faces[kinds[k]], 1);
        assert_true(p.report.check_error <= 1e-13 * p.info.size);
        drop(&p);
    }
}

static void a_comment_may_stand_before_the_header(void** state)
{
    (void)state;
    assert_true(cad_write(CAD_SHAPE_BOX, WIT_CAD_STEP, "MM", path));
    FILE* f = fopen(path, "rb");
    assert_non_null(f);
    char* text = test_malloc(1 << 20);
    size_t n = (size_t)sprintf(text, "\xef\xbb\xbf/* made by hand */\n  /* twice */ ");
    n += fread(text + n, 1, (1 << 20) - n, f);
    fclose(f);
    wit_error e = {0};
    wit_cad* cad = wit_cad_read_memory(text, n, "commented", NULL, &e);
    if (!cad) fail_msg("%s", e.text);
    assert_int_equal(wit_cad_describe(cad).format, WIT_CAD_STEP);
    assert_int_equal(wit_cad_describe(cad).solids, 1);
    wit_cad_destroy(cad);
    test_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_unit_changes_lengths_and_nothing_else),
        cmocka_unit_test(spindle_tori_end_at_their_axis),
        cmocka_unit_test(a_horn_torus_is_read_whole),
        cmocka_unit_test(a_solid_without_volume_is_a_sheet),
        cmocka_unit_test(a_solid_inside_out_is_turned_and_that_is_said),
        cmocka_unit_test(degrees_to_25_are_taken_as_they_are),
        cmocka_unit_test(an_approximated_surface_widens_the_bracket_and_certifies_nothing),
        cmocka_unit_test(offsets_of_analytic_surfaces_are_exact),
        cmocka_unit_test(a_comment_may_stand_before_the_header),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
