/* SPDX-License-Identifier: MIT */
/* `witness demo` and the Voronoi picture of `witness info`. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_run.h"
#include "svg_page.h"

static char page[1 << 20];

static void read_page(const char* name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    slurp(path, page, sizeof page);
    assert_page(page, name);
}

/* The line of a table that begins with this parameter: paper, as published, findmin, deadbeat. */
static void row_of(const char* text, const char* at, double numbers[4])
{
    char start[16];
    snprintf(start, sizeof start, "\n%7s  ", at);
    const char* line = strstr(text, start);
    if (!line) fail_msg("no row %s in:\n%s", at, text);
    line += strlen(start);
    for (int i = 0; i < 4; i++) {
        char* end;
        numbers[i] = strtod(line, &end);
        assert_true(end != line);
        line = end;
    }
}

/* True distances to 40 digits, rounded. */
static void tracked_tables_are_right_where_the_paper_is_not(void** state)
{
    (void)state;
    static const struct {
        const char* at;
        double distance;
    } known[] = {{"0", 8},
                 {"4", 5.6568542494923801952},
                 {"8.1", 0.044721359549995793928},
                 {"8.8", 0.35777087639996635143},
                 {"15.5", 7.0178344238090998153},
                 {"22", 15.205932468526031141},
                 {"66", 7.9919844328121266756},
                 {"120", 6.4282032302755091741},
                 {"170", 1.2499384950057560973},
                 {"178", 0.99441666446331380555},
                 {"182", 0.99512661615276584005},
                 {"210", 3.3899306380695739375},
                 {"225", 4.2236618314595895727},
                 {"270", 7.5663729752107779636},
                 {"293", 7.9845187457655966775}};
    run r;
    char line[128];
    snprintf(line, sizeof line, "demo --out '%s'", scratch);
    execute_well(&r, line);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        double x[4];
        row_of(r.out, known[i].at, x);
        /* Printed to 10 digits. */
        for (int k = 2; k < 4; k++)
            if (!(fabs(x[k] - known[i].distance) <= 5.1e-10 * fmax(x[k], 0.1)))
                fail_msg("row %s, law %d: %.12g", known[i].at, k, x[k]);
    }
    /* As published, the two saddles come out as they were printed. */
    static const char* const saddles[] = {"178", "225"};
    for (int i = 0; i < 2; i++) {
        double x[4];
        row_of(r.out, saddles[i], x);
        assert_true(fabs(x[1] - x[0]) < 5.1e-6 && x[1] - x[2] > 5e-4);
    }
    assert_has(r.out, "WRONG: a saddle; the minimum is off the plane x = 0, on both sides");
    assert_has(r.out, "WRONG: the value of Y = 22.15, a digit cut off in the point");
    assert_has(r.out, "distance right, bowl point shifted: that of row 225");
}

static void the_demo_draws_what_it_lists(void** state)
{
    (void)state;
    run r;
    char line[128];
    snprintf(line, sizeof line, "demo --out '%s'", scratch);
    execute_well(&r, line);
    const char* list = strstr(r.out, "Pictures:\n");
    assert_non_null(list);
    int count = 0;
    for (const char* s = list; (s = strstr(s, "/demo-")); count++) {
        char name[64];
        size_t n = strcspn(++s, "\n");
        assert_true(n < sizeof name);
        memcpy(name, s, n);
        name[n] = 0;
        read_page(name);
    }
    assert_int_equal(count, 10);
    execute(&r, "demo --out no/such/place");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "no/such/place: there is no such directory");
    execute(&r, "demo --models no/such/place");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "no/such/place/pen.json");
    static const mistake wrong[] = {{"x", "left over is 'x'"}, {"--ot x", "did you mean '--out'?"}};
    assert_mistakes("demo", wrong, 2);
}

/* ---- Voronoi regions ----------------------------------------------------------------------------------------------- */

typedef struct point2 {
    double x, y;
} point2;

/* Distance to the segment, or the ray, from p along q - p. */
static double off_line(point2 p, point2 q, point2 s, bool ray)
{
    double dx = q.x - p.x, dy = q.y - p.y;
    double t = ((s.x - p.x) * dx + (s.y - p.y) * dy) / (dx * dx + dy * dy);
    t = fmax(t, 0);
    if (!ray) t = fmin(t, 1);
    return hypot(s.x - p.x - t * dx, s.y - p.y - t * dy);
}

/* The body of three arcs of radius 2: outside, borders are the normals of the arcs at the vertices; inside, the medial axis
 * is three segments from the middle to the vertices. */
static void voronoi_borders_of_three_arcs_are_where_geometry_puts_them(void** state)
{
    (void)state;
    run r;
    char line[160];
    snprintf(line, sizeof line, "info models/three-arc.json --voronoi '%s/v.svg'", scratch);
    execute_well(&r, line);
    read_page("v.svg");
    point2 vertex[3], centre[3], middle = {0, 0};
    const char* s = page;
    for (int i = 0; i < 3; i++) {
        s = strstr(s, "<circle class=\"vertex\"");
        assert_non_null(s);
        vertex[i].x = strtod(strstr(s, "cx=\"") + 4, NULL);
        vertex[i].y = strtod(strstr(s, "cy=\"") + 4, NULL);
        middle.x += vertex[i].x / 3;
        middle.y += vertex[i].y / 3;
        s++;
    }
    /* Centres: 0.9 from the middle, towards the vertex that their arc does not touch; vertices: 1.39187 from it. */
    double ratio = 0.9 / 1.391874045639386;
    for (int i = 0; i < 3; i++) {
        centre[i].x = middle.x + ratio * (vertex[i].x - middle.x);
        centre[i].y = middle.y + ratio * (vertex[i].y - middle.y);
    }
    page_points normal = points_of(page, "normal"), medial = points_of(page, "medial");
    assert_true(normal.count > 100 && medial.count > 100);
    double worst[2] = {0, 0}, longest = 0;
    for (int k = 0; k < normal.count; k++) {
        point2 p = {normal.xy[k][0], normal.xy[k][1]};
        double best = HUGE_VAL;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                if (i == j) continue; /* the arc about centre j ends at the two other vertices */
                point2 q = {2 * vertex[i].x - centre[j].x, 2 * vertex[i].y - centre[j].y};
                best = fmin(best, off_line(vertex[i], q, p, true));
            }
        }
        worst[0] = fmax(worst[0], best);
    }
    for (int k = 0; k < medial.count; k++) {
        point2 p = {medial.xy[k][0], medial.xy[k][1]};
        double best = HUGE_VAL;
        for (int i = 0; i < 3; i++) best = fmin(best, off_line(middle, vertex[i], p, false));
        worst[1] = fmax(worst[1], best);
        longest = fmax(longest, hypot(p.x - middle.x, p.y - middle.y));
    }
    print_message("off by %.3f and %.3f pixels\n", worst[0], worst[1]);
    /* Bisection to 5 / 512 pixel, coordinates written to 0.01, vertices too: over the length of a ray some 0.05. */
    assert_true(worst[0] < 0.1);
    /* In the cell of the middle the three branches meet at the mean of their crossings. */
    assert_true(worst[1] < 0.5);
    assert_true(longest > 0.99 * hypot(vertex[0].x - middle.x, vertex[0].y - middle.y));
    free(normal.xy);
    free(medial.xy);
}

static void voronoi_pictures_are_of_planar_bodies(void** state)
{
    (void)state;
    run r;
    char line[160];
    snprintf(line, sizeof line, "info models/pen.json --voronoi '%s/v.svg'", scratch);
    execute(&r, line);
    assert_int_equal(r.code, 1);
    assert_string_equal(r.out, "");
    assert_has(r.err, "models/pen.json: --voronoi draws one planar body, and this model has a body in space");
    execute(&r, "info models/three-arc.json --voronoi");
    assert_int_equal(r.code, 2);
    execute(&r, "info models/three-arc.json --voronoi no/such/place.svg");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "no/such/place.svg: ");
    execute_well(&r, "info --help");
    assert_has(r.out, "--voronoi FILE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracked_tables_are_right_where_the_paper_is_not),
        cmocka_unit_test(the_demo_draws_what_it_lists),
        cmocka_unit_test(voronoi_borders_of_three_arcs_are_where_geometry_puts_them),
        cmocka_unit_test(voronoi_pictures_are_of_planar_bodies),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
