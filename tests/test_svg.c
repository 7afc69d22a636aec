/* SPDX-License-Identifier: MIT */
/* Pictures: well-formed whatever the names are, lines true to the shapes within their tolerance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../cli/draw.h"
#include "../cli/draw_body.h"
#include "campaign.h"
#include "random.h"
#include "svg_page.h"

/* ---- the writer ----------------------------------------------------------------------------------- */

static void any_bytes_give_well_formed_text(void** state)
{
    (void)state;
    rng r = rng_seed(11);
    for (long k = 0; k < campaign(20000); k++) {
        /* Plain bytes, and pieces near the borders of UTF-8. */
        static const char* const hard[] = {"\xc0\x80",
                                           "\xed\xa0\x80",
                                           "\xef\xbf\xbf",
                                           "\xf4\x90\x80\x80",
                                           "\xe2\x82",
                                           "\xf0\x9f\x98",
                                           "<",
                                           "&",
                                           "\"",
                                           "\x7f",
                                           "\xc3\xa9",
                                           "]]>",
                                           "\xe2\x82\xac",
                                           "\xf0\x9f\x98\x80",
                                           "\x01"};
        char text[64] = "";
        int pieces = rng_int(&r, 8);
        for (int i = 0; i < pieces; i++) {
            char byte[2] = {(char)(1 + rng_int(&r, 255)), 0};
            bool plain = rng_int(&r, 2);
            strcat(text, plain ? byte : hard[rng_int(&r, (int)(sizeof hard / sizeof hard[0]))]);
        }
        out o = {0};
        svg_begin(&o, 100, 50, text, ".a{fill:none}\n");
        svg_group(&o, "g");
        svg_text(&o, "a", 1, 2, text);
        svg_dot(&o, "a", 1, 2, 3, text);
        svg_close(&o);
        svg_end(&o);
        const char* fault = xml_fault(o.text);
        if (fault) fail_msg("%s in:\n%s", fault, o.text);
        out_free(&o);
    }
}

static void names_keep_their_characters(void** state)
{
    (void)state;
    out o = {0};
    svg_escape(&o, "a<b & \"c\" \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    assert_string_equal(o.text, "a&lt;b &amp; &quot;c&quot; \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    out_free(&o);
    svg_escape(&o, "a\x01\xff\xc3z");
    assert_string_equal(o.text, "a???z");
    assert_int_equal(svg_characters("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), 4);
    out_free(&o);
}

static void numbers_are_plain_hundredths_in_every_locale(void** state)
{
    (void)state;
    static const struct {
        double x;
        const char* text;
    } known[] = {{0, "0"},
                 {-0.0, "0"},
                 {1.5, "1.5"},
                 {-2.345, "-2.35"},
                 {3.999, "4"},
                 {0.05, "0.05"},
                 {-0.001, "0"},
                 {1e300, "1000000"},
                 {NAN, "0"},
                 {-HUGE_VAL, "0"},
                 {123456.789, "123456.79"}};
    static const char* const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8"};
    for (size_t l = 0; l < sizeof locales / sizeof locales[0]; l++) {
        if (!setlocale(LC_ALL, locales[l])) continue;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            out o = {0};
            svg_number(&o, known[i].x);
            assert_string_equal(o.text, known[i].text);
            out_free(&o);
        }
    }
    setlocale(LC_ALL, "C");
}

static void save_says_why_it_failed(void** state)
{
    (void)state;
    out o = {0};
    wit_error e = {0};
    svg_end(&o);
    assert_int_equal(svg_save(&o, "no/such/folder/x.svg", &e), WIT_ERROR_FILE);
    assert_string_equal(e.item, "no/such/folder/x.svg");
    o.failed = true;
    assert_int_equal(svg_save(&o, "no/such/folder/x.svg", &e), WIT_ERROR_MEMORY);
    out_free(&o);
}

/* ---- lines ---------------------------------------------------------------------------------------- */

/* The picture of a random spline follows it within 0.1 pixel, plus 0.01 of rounding to hundredths, and plus what the
 * 2000 samples of the exact curve miss: half their spacing along it, 0.5 pixel at most, counted by segments. */
static void curves_are_within_a_tenth_of_a_pixel(void** state)
{
    (void)state;
    rng r = rng_seed(5);
    for (long k = 0; k < campaign(400); k++) {
        double points[18], weights[6], knots[10] = {0, 0, 0, 0, 1, 1, 2, 2, 2, 2};
        for (int i = 0; i < 18; i++) points[i] = rng_range(&r, -1, 1);
        wit_curve_def def = wit_curve_default_def(WIT_CURVE_NURBS);
        def.degree = 3;
        def.count = 6;
        def.knot_count = 10;
        def.knots = knots;
        def.points = points;
        /* Rational: cubic pieces of a page hold a cubic polynomial exactly, and would test nothing. */
        for (int i = 0; i < 6; i++) weights[i] = rng_range(&r, 0.2, 2);
        def.weights = weights;
        wit_curve* c = wit_curve_create(&def, NULL, NULL);
        assert_non_null(c);
        picture pic = {.view = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, 450, 350, 300}};
        pic.ink = calloc((size_t)PAGE_WIDTH * PAGE_HEIGHT, 1);
        trace_middle m = draw_curve(&pic, c, (wit_interval){0, 2}, STROKE_CURVE, NULL);
        assert_true(m.found && !m.hidden);
        page_points p = points_of(pic.layers[LAYER_LINES].text, "curve");
        assert_int_equal(p.paths, 1);
        enum { N = 2000 };
        static spot exact[N + 1];
        for (int i = 0; i <= N; i++) {
            wit_curve_jet jet;
            wit_curve_eval(c, 2.0 * i / N, 0, NULL, &jet);
            exact[i] = view_point(&pic.view, jet.p);
        }
        for (int i = 0; i < p.count; i++) {
            double best = HUGE_VAL;
            for (int j = 0; j < N; j++) {
                double ex = exact[j + 1].x - exact[j].x, ey = exact[j + 1].y - exact[j].y;
                double px = p.xy[i][0] - exact[j].x, py = p.xy[i][1] - exact[j].y, q = ex * ex + ey * ey;
                q = q > 0 ? fmin(fmax((px * ex + py * ey) / q, 0), 1) : 0;
                best = fmin(best, (px - q * ex) * (px - q * ex) + (py - q * ey) * (py - q * ey));
            }
            /* Between the quarters where the cubic was tested it may be off by a little more than there. */
            if (!(sqrt(best) <= 0.15 + 0.01)) fail_msg("curve %ld is %.3f pixels off", k, sqrt(best));
        }
        free(p.xy);
        free(pic.ink);
        for (int i = 0; i < LAYER_COUNT; i++) out_free(&pic.layers[i]);
        wit_curve_destroy(c);
    }
}

static wit_model* model_of(const char* text)
{
    wit_error e = {0};
    wit_model* m = wit_model_read_text(text, strlen(text), NULL, &e);
    if (!m) fail_msg("%d:%d: %s: %s", e.line, e.column, e.item, e.text);
    return m;
}

static out picture_of(const char* text)
{
    wit_model* m = model_of(text);
    out o = {0};
    assert_int_equal(draw_shapes_svg(&o, m), WIT_OK);
    wit_model_destroy(m);
    return o;
}

#define MODEL(shapes) "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"mm\", " shapes "}"

/* The outline of a sphere is a circle: points are found to 1e-9, chords cut 0.05 pixel at most, rounding is 0.007. */
static void silhouette_of_a_sphere_is_a_circle(void** state)
{
    (void)state;
    out o = picture_of(MODEL("\"surfaces\": [{\"kind\": \"sphere\", \"radius\": 3}]"));
    page_points p = points_of(o.text, "silhouette");
    assert_true(p.count > 100);
    double x0 = HUGE_VAL, x1 = -HUGE_VAL, y0 = HUGE_VAL, y1 = -HUGE_VAL, way = 0;
    for (int i = 0; i < p.count; i++) {
        x0 = fmin(x0, p.xy[i][0]), x1 = fmax(x1, p.xy[i][0]);
        y0 = fmin(y0, p.xy[i][1]), y1 = fmax(y1, p.xy[i][1]);
        double dx = i ? p.xy[i][0] - p.xy[i - 1][0] : 0, dy = i ? p.xy[i][1] - p.xy[i - 1][1] : 0;
        double step = sqrt(dx * dx + dy * dy);
        if (step < 20) way += step; /* longer ones are the moves between chains */
    }
    double radius = (x1 - x0) / 2, cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
    assert_true(fabs((y1 - y0) / 2 - radius) < 0.12);
    /* The size by the scale bar, whose ends are rounded to 0.01 of some 100 pixels: half a pixel is far more. */
    const char* scale = strstr(o.text, "<g id=\"scale\">");
    page_points bar = {NULL, 0, 0, 0};
    path_points(&bar, strstr(scale, " d=\"") + 4);
    double length = strtod(strchr(strstr(scale, "<text"), '>') + 1, NULL);
    assert_true(length > 0);
    assert_true(fabs(3 * (bar.xy[bar.count - 1][0] - bar.xy[0][0]) / length - radius) < 0.5);
    free(bar.xy);
    for (int i = 0; i < p.count; i++) {
        double dx = p.xy[i][0] - cx, dy = p.xy[i][1] - cy, off = fabs(sqrt(dx * dx + dy * dy) - radius);
        if (!(off < 0.15)) fail_msg("%.3f pixels off the circle at %g %g", off, p.xy[i][0], p.xy[i][1]);
    }
    /* All of it: no gap, nothing twice. */
    assert_true(fabs(way - 2 * 3.14159265358979 * radius) < 0.002 * way);
    free(p.xy);
    out_free(&o);
}

/*
 * The outline of an ellipsoid with semi-axes a is the ellipse q' M^-1 q = 1, M = P diag(a^2) P', P the projection. A flat
 * one has sharp ends, where chains must be refined, and flat sides, where a wrong sign would show most.
 */
static void silhouette_of_a_flat_ellipsoid_is_an_ellipse(void** state)
{
    (void)state;
    out o = picture_of(
        MODEL("\"surfaces\": [{\"kind\": \"ellipsoid\", \"semi_x\": 3, \"semi_y\": 0.15, \"semi_z\": 0.3}]"));
    wit_vec3 toward = unit3(vec3(0.5, -0.78, 0.5)), right = unit3(cross3(vec3(0, 0, 1), toward));
    wit_vec3 up = cross3(toward, right), a2 = vec3(9, 0.0225, 0.09);
    double m11 = a2.x * right.x * right.x + a2.y * right.y * right.y + a2.z * right.z * right.z;
    double m12 = a2.x * right.x * up.x + a2.y * right.y * up.y + a2.z * right.z * up.z;
    double m22 = a2.x * up.x * up.x + a2.y * up.y * up.y + a2.z * up.z * up.z, det = m11 * m22 - m12 * m12;
    page_points p = points_of(o.text, "silhouette");
    assert_true(p.count > 100);
    double x0 = HUGE_VAL, x1 = -HUGE_VAL, y0 = HUGE_VAL, y1 = -HUGE_VAL;
    for (int i = 0; i < p.count; i++) {
        x0 = fmin(x0, p.xy[i][0]), x1 = fmax(x1, p.xy[i][0]);
        y0 = fmin(y0, p.xy[i][1]), y1 = fmax(y1, p.xy[i][1]);
    }
    double scale = (x1 - x0) / 2 / sqrt(m11);
    for (int i = 0; i < p.count; i++) {
        double x = (p.xy[i][0] - (x0 + x1) / 2) / scale, y = -(p.xy[i][1] - (y0 + y1) / 2) / scale;
        double gx = (m22 * x - m12 * y) / det, gy = (m11 * y - m12 * x) / det, f = x * gx + y * gy - 1;
        /* Distance to first order: f over the length of its gradient. */
        double off = fabs(f) / (2 * sqrt(gx * gx + gy * gy)) * scale;
        if (!(off < 0.2)) fail_msg("%.3f pixels off the ellipse at %g %g", off, p.xy[i][0], p.xy[i][1]);
    }
    free(p.xy);
    out_free(&o);
}

/* A plane in front of a line hides the middle of it: one hidden run between two visible ones. */
static void plane_hides_what_is_behind_it(void** state)
{
    (void)state;
    /* The eye looks along (-0.475, 0.741, -0.475). */
    out o = picture_of(
        MODEL("\"surfaces\": [{\"name\": \"screen\", \"kind\": \"plane\", \"range_u\": [-1, 1], \"range_v\": "
              "[-1, 1], \"frame\": {\"origin\": [0, -1, 0], \"x\": [1, 0, 0], \"z\": [0, -1, 0]}}], "
              "\"curves\": [{\"name\": \"rod\", \"kind\": \"line\", \"frame\": {\"origin\": [-0.64, 0, "
              "-0.64], \"x\": [1, 0, 0], \"z\": [0, 0, 1]}, \"range\": [-3, 3]}]"));
    page_points visible = points_of(o.text, "curve"), hidden = points_of(o.text, "hidden");
    assert_int_equal(visible.paths, 1);
    assert_int_equal(hidden.paths, 1);
    double x0 = HUGE_VAL, x1 = -HUGE_VAL, h0 = HUGE_VAL, h1 = -HUGE_VAL;
    for (int i = 0; i < visible.count; i++) {
        x0 = fmin(x0, visible.xy[i][0]);
        x1 = fmax(x1, visible.xy[i][0]);
    }
    for (int i = 0; i < hidden.count; i++) {
        h0 = fmin(h0, hidden.xy[i][0]);
        h1 = fmax(h1, hidden.xy[i][0]);
    }
    /* The rod is 6 long and hidden over 2, in the middle; the raster is good to 2 pixels. */
    assert_true(fabs((h1 - h0) / (x1 - x0) - 2.0 / 6) < 4 / (x1 - x0));
    assert_true(fabs((h0 + h1) / 2 - (x0 + x1) / 2) < 4);
    free(visible.xy);
    free(hidden.xy);
    out_free(&o);
}

/* ---- models ------------------------------------------------------------------------------------- */

static void models_of_bare_shapes_are_drawn_with_all_names(void** state)
{
    (void)state;
    static const char* const files[] = {"models/shapes.json", "models/table1.json", "models/torus-nurbs.json"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        wit_model* m = wit_model_read_file(files[i], NULL, NULL);
        assert_non_null(m);
        out o = {0}, again = {0};
        assert_int_equal(draw_shapes_svg(&o, m), WIT_OK);
        assert_int_equal(draw_shapes_svg(&again, m), WIT_OK);
        assert_string_equal(o.text, again.text);
        assert_page(o.text, files[i]);
        int count[2] = {wit_model_curve_count(m), wit_model_surface_count(m)};
        for (int k = 0; k < count[0] + count[1]; k++) {
            char tag[96];
            const char* name = k < count[0] ? wit_model_curve_name(m, k) : wit_model_surface_name(m, k - count[0]);
            snprintf(tag, sizeof tag, ">%s</text>", name);
            if (*name && !strstr(o.text, tag)) fail_msg("%s: %s is not named", files[i], name);
        }
        out_free(&o);
        out_free(&again);
        wit_model_destroy(m);
    }
}

static void empty_model_gives_an_empty_page(void** state)
{
    (void)state;
    out o = picture_of(MODEL("\"curves\": []"));
    assert_page(o.text, "empty");
    assert_int_equal(occurrences(o.text, "<path class=\"curve\""), 0);
    out_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_bytes_give_well_formed_text),
        cmocka_unit_test(names_keep_their_characters),
        cmocka_unit_test(numbers_are_plain_hundredths_in_every_locale),
        cmocka_unit_test(save_says_why_it_failed),
        cmocka_unit_test(curves_are_within_a_tenth_of_a_pixel),
        cmocka_unit_test(silhouette_of_a_sphere_is_a_circle),
        cmocka_unit_test(silhouette_of_a_flat_ellipsoid_is_an_ellipse),
        cmocka_unit_test(plane_hides_what_is_behind_it),
        cmocka_unit_test(models_of_bare_shapes_are_drawn_with_all_names),
        cmocka_unit_test(empty_model_gives_an_empty_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
