/* SPDX-License-Identifier: MIT */
/* Pictures of bodies: every feature named, edges told apart, hidden what is hidden, the same bits every time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../cli/draw_body.h"
#include "svg_page.h"

static wit_body* solid_of(wit_solid_kind kind, double scale)
{
    static const double ell[12] = {0, 0, 1, 0, 1, 1, 2, 1, 2, 2, 0, 2}; /* its inner corner looks at the eye */
    double polygon[12];
    for (int i = 0; i < 12; i++) polygon[i] = scale * ell[i];
    double knots[6] = {0, 0, 0, 1, 1, 1};
    double points[9] = {scale * 1, 0, 0, scale * 2, 0, scale * 1, scale * 0.5, 0, scale * 2};
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    c.degree = 2;
    c.count = 3;
    c.knot_count = 6;
    c.knots = knots;
    c.points = points;
    wit_curve* profile = wit_curve_create(&c, NULL, NULL);
    assert_non_null(profile);
    wit_solid_def d = wit_solid_default_def(kind);
    d.size_x = 2 * scale;
    d.size_y = 1.5 * scale;
    d.size_z = scale;
    d.radius = kind == WIT_SOLID_TORUS ? 3 * scale : scale;
    d.radius2 = kind == WIT_SOLID_TORUS ? scale : scale / 2;
    d.height = 2 * scale;
    d.polygon_count = 6;
    d.polygon = polygon;
    d.profile = profile;
    wit_error e = {0};
    wit_body* b = wit_solid_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s: %s", wit_solid_kind_name(kind), e.item, e.text);
    wit_curve_destroy(profile);
    return b;
}

static out draw(const wit_body* body)
{
    out o = {0};
    assert_int_equal(draw_body_svg(&o, body, "mm"), WIT_OK);
    return o;
}

static void assert_named(const char* svg, const char* what, const char* name, char letter, int id)
{
    char tag[128];
    if (*name)
        snprintf(tag, sizeof tag, ">%s</text>", name);
    else
        snprintf(tag, sizeof tag, ">%c%d</text>", letter, id);
    if (!strstr(svg, tag)) fail_msg("%s: %s is missing", what, tag);
}

static void assert_features_named(const char* svg, const char* what, const wit_body* b)
{
    wit_body_info info = wit_body_describe(b);
    for (int i = 0; i < info.face_count; i++) assert_named(svg, what, wit_body_face(b, i).name, 'F', i);
    for (int i = 0; i < info.edge_count; i++) assert_named(svg, what, wit_body_edge(b, i).name, 'E', i);
    for (int i = 0; i < info.vertex_count; i++) assert_named(svg, what, wit_body_vertex(b, i).name, 'V', i);
}

static void solids_are_drawn_with_all_features_named(void** state)
{
    (void)state;
    for (int kind = 0; kind < WIT_SOLID_KIND_COUNT; kind++) {
        const char* what = wit_solid_kind_name((wit_solid_kind)kind);
        wit_body* b = solid_of((wit_solid_kind)kind, 1);
        out o = draw(b), again = draw(b);
        assert_page(o.text, what);
        assert_string_equal(o.text, again.text);
        assert_features_named(o.text, what, b);
        out_free(&o);
        out_free(&again);
        wit_body_destroy(b);
    }
}

static int paths_of(const char* svg, const char* class_name)
{
    page_points p = points_of(svg, class_name);
    free(p.xy);
    return p.paths;
}

static void box_shows_nine_edges_and_hides_three(void** state)
{
    (void)state;
    wit_body* b = solid_of(WIT_SOLID_BOX, 1);
    out o = draw(b);
    assert_int_equal(paths_of(o.text, "convex"), 9);
    assert_int_equal(paths_of(o.text, "hidden"), 3);
    assert_int_equal(paths_of(o.text, "silhouette"), 0);
    assert_int_equal(occurrences(o.text, "<circle class=\"vertex\""), 7);
    assert_int_equal(occurrences(o.text, "<circle class=\"vertex-hidden\""), 1);
    out_free(&o);
    wit_body_destroy(b);
}

static void edges_are_told_apart(void** state)
{
    (void)state;
    wit_body* b = solid_of(WIT_SOLID_PRISM, 1);
    out o = draw(b);
    assert_int_equal(paths_of(o.text, "reflex"), 1);
    assert_int_equal(paths_of(o.text, "smooth"), 0);
    out_free(&o);
    wit_body_destroy(b);
    b = solid_of(WIT_SOLID_CAPSULE, 1);
    o = draw(b);
    assert_int_equal(paths_of(o.text, "smooth"), 2);
    assert_int_equal(paths_of(o.text, "convex"), 0);
    assert_true(paths_of(o.text, "silhouette") >= 3);
    out_free(&o);
    wit_body_destroy(b);
    b = solid_of(WIT_SOLID_CYLINDER, 1);
    o = draw(b);
    assert_int_equal(paths_of(o.text, "convex"), 2);
    assert_int_equal(paths_of(o.text, "silhouette"), 2);
    assert_int_equal(paths_of(o.text, "hidden"), 1);
    out_free(&o);
    wit_body_destroy(b);
    wit_model* m = wit_model_read_file("models/table1.json", NULL, NULL);
    assert_non_null(m);
    wit_face_def face = {.surface = wit_model_surface(m, 0)};
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET);
    def.face_count = 1;
    def.faces = &face;
    b = wit_body_create(&def, NULL, NULL);
    assert_non_null(b);
    o = draw(b);
    assert_int_equal(paths_of(o.text, "open"), 4);
    assert_int_equal(paths_of(o.text, "convex"), 0);
    out_free(&o);
    wit_body_destroy(b);
    wit_model_destroy(m);
}

/* A power of two changes no digit: the picture is the same up to the scale bar, which comes last. */
static void pictures_do_not_depend_on_the_scale(void** state)
{
    (void)state;
    static const wit_solid_kind kinds[] = {WIT_SOLID_BOX,   WIT_SOLID_CONE,  WIT_SOLID_CAPSULE,
                                           WIT_SOLID_TORUS, WIT_SOLID_PRISM, WIT_SOLID_REVOLUTION};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        wit_solid_kind kind = kinds[i];
        wit_body* b = solid_of(kind, 1);
        out o = draw(b);
        size_t same = (size_t)(strstr(o.text, "<g id=\"scale\">") - o.text);
        for (int e = -20; e <= 20; e += 40) {
            wit_body* scaled = solid_of(kind, ldexp(1, e));
            out p = draw(scaled);
            if (strncmp(o.text, p.text, same) != 0) fail_msg("%s differs at 2^%d", wit_solid_kind_name(kind), e);
            out_free(&p);
            wit_body_destroy(scaled);
        }
        out_free(&o);
        wit_body_destroy(b);
    }
}

/* A disc with a round hole, from one plane and two circles. */
static wit_body* ring_body(bool planar, double outer, double inner)
{
    wit_surface_def plane = wit_surface_default_def(WIT_SURFACE_PLANE);
    plane.range_u = plane.range_v = (wit_interval){-2 * outer, 2 * outer};
    wit_curve_def circle = wit_curve_default_def(WIT_CURVE_CIRCLE);
    circle.radius = outer;
    wit_curve* around = wit_curve_create(&circle, NULL, NULL);
    circle.radius = inner;
    wit_curve* hole = wit_curve_create(&circle, NULL, NULL);
    wit_surface* s = wit_surface_create(&plane, NULL, NULL);
    assert_true(around && hole && s);
    wit_edge_def edges[2] = {{.name = "rim", .curve = around, .start = -1, .end = -1},
                             {.name = "hole", .curve = hole, .start = -1, .end = -1}};
    wit_use_def uses[2] = {{.edge = 0, .parameter_curve = around},
                           {.edge = 1, .reversed = true, .parameter_curve = hole}};
    wit_loop_def loops[2] = {{1, &uses[0]}, {1, &uses[1]}};
    wit_face_def face = {.name = "disc", .surface = s, .loop_count = 2, .loops = loops};
    wit_body_def def = wit_body_default_def(planar ? WIT_BODY_SOLID : WIT_BODY_SHEET);
    def.planar = planar;
    def.edge_count = 2;
    def.edges = edges;
    def.face_count = 1;
    def.faces = &face;
    wit_error e = {0};
    wit_body* b = wit_body_create(&def, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    wit_curve_destroy(around);
    wit_curve_destroy(hole);
    wit_surface_destroy(s);
    return b;
}

/* Drawn from the front: all of the hatching is between the two circles, which the rim measures. */
static void planar_body_is_hatched_inside(void** state)
{
    (void)state;
    wit_body* b = ring_body(true, 2, 1);
    out o = draw(b);
    assert_page(o.text, "planar");
    assert_int_equal(paths_of(o.text, "hidden"), 0);
    assert_int_equal(paths_of(o.text, "edge"), 2);
    page_points rim = points_of(o.text, "edge"), hatch = points_of(o.text, "hatch");
    double x0 = HUGE_VAL, x1 = -HUGE_VAL, y0 = HUGE_VAL, y1 = -HUGE_VAL;
    for (int i = 0; i < rim.count; i++) {
        x0 = fmin(x0, rim.xy[i][0]), x1 = fmax(x1, rim.xy[i][0]);
        y0 = fmin(y0, rim.xy[i][1]), y1 = fmax(y1, rim.xy[i][1]);
    }
    double radius = (x1 - x0) / 2;
    assert_true(fabs((y1 - y0) / 2 - radius) < 0.12);
    assert_true(hatch.count > 200);
    for (int i = 0; i < hatch.count; i++) {
        double dx = hatch.xy[i][0] - (x0 + x1) / 2, dy = hatch.xy[i][1] - (y0 + y1) / 2, r = sqrt(dx * dx + dy * dy);
        if (!(r < radius + 0.2 && r > radius / 2 - 0.2)) fail_msg("hatching at %g of %g", r, radius);
    }
    free(rim.xy);
    free(hatch.xy);
    out_free(&o);
    wit_body_destroy(b);
}

/* What is behind a hole is seen through it: the rim of a smaller disc below, in one picture with the ring. */
static void holes_are_seen_through(void** state)
{
    (void)state;
    wit_body* ring = ring_body(false, 2, 1);
    /* 0.2 below the hole along the line of sight and half as wide. */
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_SPHERE);
    d.radius = 0.3;
    d.frame.origin = (wit_vec3){-0.475, 0.741, -0.475};
    wit_body* ball = wit_solid_create(&d, NULL, NULL);
    assert_non_null(ball);
    const wit_body* both[2] = {ring, ball};
    out o = {0};
    assert_int_equal(draw_bodies_svg(&o, both, 2, "two", "mm"), WIT_OK);
    assert_page(o.text, "two");
    assert_true(paths_of(o.text, "silhouette") >= 1);
    page_points hidden = points_of(o.text, "hidden");
    assert_int_equal(hidden.count, 0);
    assert_non_null(strstr(o.text, ">B0.rim</text>"));
    assert_non_null(strstr(o.text, ">B1.")); /* the ball's face */
    free(hidden.xy);
    out_free(&o);
    wit_body_destroy(ball);
    wit_body_destroy(ring);
}

/* Every model in the tree: what the command will draw. */
static void bodies_of_the_models_are_drawn_with_all_features_named(void** state)
{
    (void)state;
    static const char* const names[] = {"bowl",       "goblet", "pen",       "plate",
                                        "prism-dome", "table1", "three-arc", "three-ball"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char path[64];
        snprintf(path, sizeof path, "models/%s.json", names[k]);
        wit_error e = {0};
        wit_model* m = wit_model_read_file(path, NULL, &e);
        if (!m) fail_msg("%s:%d: %s: %s", path, e.line, e.item, e.text);
        const wit_body* b = wit_model_body(m, 0);
        assert_non_null(b);
        out o = draw(b);
        assert_page(o.text, path);
        assert_features_named(o.text, names[k], b);
        out_free(&o);
        wit_model_destroy(m);
    }
}

static void names_do_not_overlap(void** state)
{
    (void)state;
    wit_model* m = wit_model_read_file("models/plate.json", NULL, NULL);
    assert_non_null(m);
    out o = draw(wit_model_body(m, 0));
    struct {
        double x, y, half;
    } box[128];
    int n = 0;
    for (const char* s = strstr(o.text, "<text class=\"name-"); s && n < 128; s = strstr(s, "<text class=\"name-")) {
        s = strstr(s, " x=\"") + 4;
        box[n].x = strtod(s, NULL);
        s = strstr(s, " y=\"") + 4;
        box[n].y = strtod(s, NULL);
        s = strchr(s, '>') + 1;
        box[n++].half = 6.3 * (double)strcspn(s, "<") / 2;
    }
    assert_int_equal(n, 8 + 16 + 8);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(box[i].x - box[j].x) < box[i].half + box[j].half && fabs(box[i].y - box[j].y) < 11)
                fail_msg("names %d and %d overlap", i, j);
    out_free(&o);
    wit_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_are_drawn_with_all_features_named),
        cmocka_unit_test(box_shows_nine_edges_and_hides_three),
        cmocka_unit_test(edges_are_told_apart),
        cmocka_unit_test(pictures_do_not_depend_on_the_scale),
        cmocka_unit_test(planar_body_is_hatched_inside),
        cmocka_unit_test(holes_are_seen_through),
        cmocka_unit_test(bodies_of_the_models_are_drawn_with_all_features_named),
        cmocka_unit_test(names_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
