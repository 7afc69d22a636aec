/* SPDX-License-Identifier: MIT */
/*
 * How the cost of a cold point query grows with the number of patches: a wavy sheet of n sewn bicubic patches, n from
 * 64 to 16384. The sheet grows with n; waves and patches keep their size.
 *
 *   bench_growth [--svg FILE]
 *
 * Exit code 1 if a query is not certified, or the time grows as n or faster.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cli/svg.h"
#include "../src/base/vec.h"
#include "../tests/random.h"
#include "counter.h"
#include "race.h"

enum { SIZES = 5, QUERIES = 1000, PLACES = 2 };
static const int sides[SIZES] = {8, 16, 32, 64, 128};
static const char* const place_names[PLACES] = {"near", "far"};

typedef struct sheet {
    wit_body* body;
    wit_query* query;
    int side;
    double build_seconds;
    wit_vec3 points[PLACES][QUERIES];
    race_player player[PLACES];
    race_figures figures[PLACES];
    long open;
} sheet;

/* ---- the sheet ------------------------------------------------------------------------------ */

/* Height of control point (i, j) of a uniform cubic spline surface: waves some eight patches long. */
static double height(int i, int j)
{
    return 1.2 * sin(0.7 * i + 0.3 * j) + 0.8 * cos(0.2 * i - 0.9 * j);
}

/* Bezier points of one patch of a uniform cubic B-spline: rows 1/6 (1 4 1 0), (0 4 2 0), (0 2 4 0), (0 1 4 1). */
static void patch_points(int i, int j, double points[48])
{
    static const double rows[4][4] = {{1, 4, 1, 0}, {0, 4, 2, 0}, {0, 2, 4, 0}, {0, 1, 4, 1}};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) {
            double z = 0;
            for (int k = 0; k < 4; k++)
                for (int l = 0; l < 4; l++) z += rows[a][k] * rows[b][l] * height(i + k, j + l) / 36;
            double* p = points + 3 * (4 * a + b);
            p[0] = i + a / 3.0;
            p[1] = j + b / 3.0;
            p[2] = z;
        }
}

static wit_surface* patch(int i, int j)
{
    static const double knots[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    double points[48];
    patch_points(i, j, points);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 3;
    d.count_u = d.count_v = 4;
    d.knot_count_u = d.knot_count_v = 8;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    return wit_surface_create(&d, NULL, NULL);
}

static wit_body* sewn(int side)
{
    int n = side * side;
    wit_surface** surfaces = race_reserve((size_t)n, sizeof *surfaces);
    wit_face_def* faces = race_reserve((size_t)n, sizeof *faces);
    for (int k = 0; k < n; k++) faces[k].surface = surfaces[k] = patch(k / side, k % side);
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    d.face_count = n;
    d.faces = faces;
    d.sew_tolerance = 1e-9;
    wit_error e = {0};
    wit_body* body = wit_body_create(&d, NULL, &e);
    if (!body) fprintf(stderr, "bench_growth: %s: %s\n", e.item, e.text);
    for (int k = 0; k < n; k++) wit_surface_destroy(surfaces[k]);
    free(surfaces);
    free(faces);
    return body;
}

/* near: up to one patch off the sheet; far: 1 to 2 sides of the sheet away from its middle, anywhere around. */
static void draw_points(sheet* s)
{
    rng r = rng_seed(11);
    for (int k = 0; k < QUERIES; k++) {
        double x = rng_range(&r, 0, s->side);
        double y = rng_range(&r, 0, s->side);
        double z = rng_range(&r, -1, 1);
        s->points[0][k] = vec3(x, y, 0.7 * height((int)x, (int)y) + z);
        double angle = rng_range(&r, 0, 6.283185307179586);
        double sine = rng_range(&r, -1, 1);
        double away = s->side * rng_range(&r, 1, 2), cosine = sqrt(1 - sine * sine);
        wit_vec3 middle = vec3(0.5 * s->side, 0.5 * s->side, 0);
        s->points[1][k] = addscaled3(middle, away, vec3(cosine * cos(angle), cosine * sin(angle), sine));
    }
}

/* ---- measuring ------------------------------------------------------------------------------ */

static void ask(const race_player* p, long k, closest_answer* answer)
{
    const sheet* s = p->self;
    const wit_vec3* points = p->cases;
    wit_placed placed = wit_placed_at(s->body, wit_pose_identity());
    wit_closest c;
    *answer = (closest_answer){0};
    if (wit_closest_point(s->query, &placed, points[k], &c)) return;
    answer->certified = c.certified;
    answer->work = c.work;
}

static bool measure(sheet* s, int side)
{
    s->side = side;
    double start = counter_seconds();
    s->body = sewn(side);
    s->build_seconds = counter_seconds() - start;
    s->query = wit_query_create(NULL, NULL, NULL);
    if (!s->body || !s->query) return false;
    draw_points(s);
    for (int p = 0; p < PLACES; p++) {
        s->player[p] = (race_player){
            .name = place_names[p], .lacks = "", .stride = 1, .self = s, .cases = s->points[p], .query = ask};
        race_player_reserve(&s->player[p], QUERIES);
    }
    race_run(s->player, PLACES, QUERIES);
    for (int p = 0; p < PLACES; p++) {
        s->figures[p] = race_measure(&s->player[p], NULL, NULL, QUERIES);
        for (int k = 0; k < QUERIES; k++) s->open += !s->player[p].answers[k].certified;
        race_player_free(&s->player[p]);
    }
    wit_query_destroy(s->query);
    wit_body_destroy(s->body);
    return true;
}

static double value(const sheet* s, int place, bool time)
{
    return time ? s->figures[place].median : s->figures[place].nodes;
}

/* Least squares slope of log(value) against log(n): the power with which it grows. */
static double power(const sheet* list, int place, bool time)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < SIZES; i++) {
        double x = 2 * log(list[i].side), y = log(value(&list[i], place, time));
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (SIZES * sxy - sx * sy) / (SIZES * sxx - sx * sx);
}

/* ---- the picture ---------------------------------------------------------------------------- */

enum { WIDTH = 640, HEIGHT = 420, LEFT = 70, RIGHT = 150, TOP = 40, BOTTOM = 50 };
static const char css[] = "path{fill:none}\n"
                          "text{font-family:sans-serif;font-size:13px;fill:#333}\n"
                          ".title{font-size:15px}\n"
                          ".grid{stroke:#ddd}\n"
                          ".linear{stroke:#999;stroke-dasharray:5 4}\n"
                          ".near{stroke:#1f6fb2;stroke-width:2}\n"
                          ".far{stroke:#c0392b;stroke-width:2}\n"
                          ".near.nodes,.far.nodes{stroke-width:1;stroke-dasharray:1 3}\n"
                          "circle.near{fill:#1f6fb2}\n"
                          "circle.far{fill:#c0392b}\n";

/* Logarithmic axes: patches 2^6 to 2^14, microseconds over whole decades. */
typedef struct chart {
    double lo, hi; /* log10 of the microseconds */
} chart;

static double chart_x(double n)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (log2(n) - 6) / 8;
}

static double chart_y(const chart* c, double microseconds)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (log10(microseconds) - c->lo) / (c->hi - c->lo);
}

static void draw_line(out* o, const char* class_name, double x0, double y0, double x1, double y1)
{
    out d = {0};
    svg_move(&d, x0, y0);
    svg_line(&d, x1, y1);
    svg_path(o, class_name, &d, NULL);
    out_free(&d);
}

static void draw_axes(out* o, const chart* c, const sheet* list)
{
    char text[32];
    for (double decade = c->lo; decade <= c->hi; decade++) {
        double y = chart_y(c, pow(10, decade));
        draw_line(o, "grid", LEFT, y, WIDTH - RIGHT, y);
        snprintf(text, sizeof text, "%g", pow(10, decade));
        svg_text(o, "tick", LEFT - 40, y + 4, text);
    }
    for (int i = 0; i < SIZES; i++) {
        double x = chart_x(list[i].side * list[i].side);
        draw_line(o, "grid", x, TOP, x, HEIGHT - BOTTOM);
        snprintf(text, sizeof text, "%d", list[i].side * list[i].side);
        svg_text(o, "tick", x - 16, HEIGHT - BOTTOM + 18, text);
    }
    svg_text(o, "label", LEFT + 170, HEIGHT - 12, "patches in the body");
    svg_text(o, "title", LEFT, 24, "Cold point query: median microseconds, mean nodes");
}

static void draw_series(out* o, const chart* c, const sheet* list, int place, bool time)
{
    out d = {0};
    char name[32];
    double x = 0, y = 0;
    snprintf(name, sizeof name, "%s%s", place_names[place], time ? "" : " nodes");
    for (int i = 0; i < SIZES; i++) {
        x = chart_x(list[i].side * list[i].side);
        y = chart_y(c, value(&list[i], place, time));
        (i ? svg_line : svg_move)(&d, x, y);
        if (time) svg_dot(o, place_names[place], x, y, 3.5, NULL);
    }
    svg_path(o, name, &d, NULL);
    out_free(&d);
    snprintf(name, sizeof name, "%s: %s", place_names[place], time ? "microseconds" : "nodes");
    svg_text(o, "label", x + 10, y + (place ? 12 : -2), name);
}

static bool draw(const sheet* list, const char* path)
{
    chart c = {0, 1};
    for (int i = 0; i < 4 * SIZES; i++) {
        double v = log10(value(&list[i / 4], i & 1, i & 2));
        c.lo = fmin(c.lo, floor(v));
        c.hi = fmax(c.hi, ceil(v));
    }
    out o = {0};
    svg_begin(&o, WIDTH, HEIGHT, "How the cost of a query grows with the number of patches", css);
    draw_axes(&o, &c, list);
    /* what growth in proportion would look like, from the first near point on, as far as the page goes */
    double n0 = list[0].side * list[0].side, t0 = list[0].figures[0].median;
    double n1 = fmin(16384, n0 * pow(10, c.hi) / t0);
    draw_line(&o, "linear", chart_x(n0), chart_y(&c, t0), chart_x(n1), chart_y(&c, t0 * n1 / n0));
    double middle = sqrt(n0 * n1);
    svg_text(&o, "label", chart_x(middle) + 8, chart_y(&c, t0 * middle / n0) + 12, "in proportion");
    for (int i = 0; i < 2 * PLACES; i++) draw_series(&o, &c, list, i / 2, i % 2);
    svg_end(&o);
    wit_error e = {0};
    bool saved = svg_save(&o, path, &e) == WIT_OK;
    if (!saved) fprintf(stderr, "bench_growth: %s: %s\n", path, e.text);
    out_free(&o);
    return saved;
}

int main(int argc, char** argv)
{
    static sheet list[SIZES];
    bool picture = argc == 3 && !strcmp(argv[1], "--svg");
    if (argc > 1 && !picture) {
        fprintf(stderr, "usage: bench_growth [--svg FILE]\n");
        return 2;
    }
    printf(
        "How a cold point query grows with the number of sewn bicubic patches; %d points each near (within a patch of\n"
        "the sheet) and far (1 to 2 sides of it away). Microseconds are the least of %d passes, caches warm.\n\n",
        (int)QUERIES, (int)RACE_PASSES);
    printf("  %7s %9s  %37s  %37s\n", "", "", "near", "far");
    printf("  %7s %9s  %9s %9s %9s %7s  %9s %9s %9s %7s  %s\n", "patches", "build s", "median", "p99", "worst", "nodes",
           "median", "p99", "worst", "nodes", "open");
    long open = 0;
    for (int i = 0; i < SIZES; i++) {
        sheet* s = &list[i];
        if (!measure(s, sides[i])) return 1;
        printf("  %7d %9.2f ", s->side * s->side, s->build_seconds);
        for (int p = 0; p < PLACES; p++)
            printf(" %9.2f %9.2f %9.1f %7.1f ", s->figures[p].median, s->figures[p].p99, s->figures[p].worst,
                   s->figures[p].nodes);
        printf(" %ld\n", s->open);
        open += s->open;
    }
    bool linear = false;
    for (int p = 0; p < PLACES; p++) {
        double time = power(list, p, true), nodes = power(list, p, false);
        printf("  %s: time grows as n^%.2f, nodes as n^%.2f\n", place_names[p], time, nodes);
        linear |= !(time < 1 && nodes < 1);
    }
    if (open) printf("WRONG: %ld queries were not certified.\n", open);
    if (linear) printf("WRONG: the cost is not below linear.\n");
    bool saved = !picture || draw(list, argv[2]);
    return open || linear || !saved ? 1 : 0;
}
