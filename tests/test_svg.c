/* SPDX-License-Identifier: MIT */
/* Pictures: well-formed whatever the names are, true to the shapes within their tolerance, the same every time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <ctype.h>
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

/* ---- a small reader of XML --------------------------------------------------------------------- */

static bool is_entity(const char* s)
{
    return !strncmp(s, "&amp;", 5) || !strncmp(s, "&lt;", 4) || !strncmp(s, "&gt;", 4) || !strncmp(s, "&quot;", 6);
}

/* Bytes of a legal character of XML 1.0, counted from the definition of UTF-8 by decoding and encoding again. */
static int legal_character(const unsigned char* s)
{
    uint32_t code = s[0];
    int n = s[0] < 0x80 ? 1 : (s[0] & 0xe0) == 0xc0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : (s[0] & 0xf8) == 0xf0 ? 4 : 0;
    if (n == 0) return 0;
    if (n > 1) code &= 0xffu >> (n + 1);
    for (int i = 1; i < n; i++) {
        if (s[i] < 0x80 || s[i] > 0xbf) return 0;
        code = code * 64 + (s[i] - 0x80u);
    }
    int shortest = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    bool legal = code == 9 || code == 10 || code == 13 || (code >= 0x20 && code <= 0xd7ff) ||
                 (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
    return n == shortest && legal ? n : 0;
}

typedef struct xml {
    const char* s;
    char open[16][16]; /* names of the open elements */
    int depth;
    int elements;
    const char* wrong; /* null: nothing */
} xml;

static void xml_name(xml* x, char to[16])
{
    int n = 0;
    while ((isalnum((unsigned char)*x->s) || *x->s == '-') && n < 15) to[n++] = *x->s++;
    to[n] = 0;
    if (!n) x->wrong = "a name is missing";
}

/* Attributes up to ">" or "/>"; true: the element is empty. */
static bool xml_attributes(xml* x)
{
    char name[16], seen[256] = " ";
    for (;;) {
        while (*x->s == ' ') x->s++;
        if (!strncmp(x->s, "/>", 2)) {
            x->s += 2;
            return true;
        }
        if (*x->s == '>') {
            x->s++;
            return false;
        }
        char key[20];
        xml_name(x, name);
        snprintf(key, sizeof key, " %s ", name);
        if (strstr(seen, key)) x->wrong = "an attribute twice";
        strncat(seen, key + 1, sizeof seen - strlen(seen) - 1);
        if (x->s[0] != '=' || x->s[1] != '"') x->wrong = "an attribute without a value";
        if (x->wrong) return true;
        for (x->s += 2; *x->s && *x->s != '"'; x->s++)
            if (*x->s == '<' || (*x->s == '&' && !is_entity(x->s))) x->wrong = "a raw character in an attribute";
        if (*x->s) x->s++;
        if (x->wrong) return true;
    }
}

static void xml_tag(xml* x)
{
    char name[16];
    if (x->s[1] == '/') {
        x->s += 2;
        xml_name(x, name);
        if (!x->depth || strcmp(name, x->open[x->depth - 1]) != 0 || *x->s != '>') x->wrong = "a closing tag too many";
        x->depth--;
        x->s++;
        return;
    }
    x->s++;
    xml_name(x, name);
    x->elements++;
    if (!xml_attributes(x)) {
        if (x->depth == 16)
            x->wrong = "too deep";
        else
            memcpy(x->open[x->depth++], name, 16);
    }
}

/* Null if the text is well-formed and one <svg> element; else what is wrong. */
static const char* xml_fault(const char* text)
{
    static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    xml x = {text, {{0}}, 0, 0, NULL};
    if (strncmp(text, head, sizeof head - 1) != 0) return "no declaration";
    x.s += sizeof head - 1;
    if (strncmp(x.s, "<svg ", 5) != 0) return "no svg";
    while (*x.s && !x.wrong) {
        int n = legal_character((const unsigned char*)x.s);
        if (!n) return "an illegal character";
        if (*x.s == '<')
            xml_tag(&x);
        else if (*x.s == '&' && !is_entity(x.s))
            return "a raw &";
        else if (x.depth == 0 && *x.s != '\n')
            return "text outside";
        else
            x.s += n;
    }
    return x.wrong ? x.wrong : x.depth ? "an element is not closed" : NULL;
}

static int occurrences(const char* text, const char* part)
{
    int n = 0;
    for (const char* s = text; (s = strstr(s, part)); s += strlen(part)) n++;
    return n;
}

/* ---- points of the paths of a class, curves cut into 8 ------------------------------------------ */

typedef struct page_points {
    double (*xy)[2];
    int count, room;
    int paths;
} page_points;

static void add_point(page_points* p, double x, double y)
{
    if (p->count == p->room) {
        p->room = 2 * p->room + 256;
        p->xy = realloc(p->xy, (size_t)p->room * sizeof *p->xy);
        assert_non_null(p->xy);
    }
    p->xy[p->count][0] = x;
    p->xy[p->count++][1] = y;
}

static void path_points(page_points* p, const char* d)
{
    double x = 0, y = 0, c[6];
    while (*d && *d != '"') {
        char command = *d++, *end;
        int n = command == 'C' ? 6 : 2;
        for (int i = 0; i < n; i++) {
            c[i] = strtod(d, &end);
            assert_true(end != d);
            d = *end == ' ' ? end + 1 : end;
        }
        for (int k = 1; k <= 8 && command != 'M'; k++) {
            double q = k / 8.0, r = 1 - q;
            if (command == 'C')
                add_point(p, r * r * r * x + 3 * r * r * q * c[0] + 3 * r * q * q * c[2] + q * q * q * c[4],
                          r * r * r * y + 3 * r * r * q * c[1] + 3 * r * q * q * c[3] + q * q * q * c[5]);
            else
                add_point(p, r * x + q * c[0], r * y + q * c[1]);
        }
        if (command == 'M') add_point(p, c[0], c[1]);
        x = c[n - 2];
        y = c[n - 1];
    }
    p->paths++;
}

/* Without the sample in the legend. */
static page_points points_of(const char* svg, const char* class_name)
{
    page_points p = {NULL, 0, 0, 0};
    char tag[64];
    snprintf(tag, sizeof tag, "<path class=\"%s\" d=\"", class_name);
    const char* legend = strstr(svg, "<g id=\"legend\">");
    for (const char* s = svg; (s = strstr(s, tag)) && (!legend || s < legend);) {
        s += strlen(tag);
        path_points(&p, s);
    }
    return p;
}

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

static void assert_page(const char* svg, const char* what)
{
    const char* fault = xml_fault(svg);
    if (fault) fail_msg("%s: %s", what, fault);
    for (const char* s = svg; (s = strstr(s, "d=\"M")); s++)
        for (const char* c = s + 3; *c != '"'; c++)
            if (!strchr("MLC-. 0123456789", *c)) fail_msg("%s: '%c' in a path", what, *c);
}

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

/* ---- bodies -------------------------------------------------------------------------------------- */

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
