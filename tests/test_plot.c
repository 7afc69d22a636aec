/* SPDX-License-Identifier: MIT */
/* Charts: well-formed, nothing lost between the pixels, round ticks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../cli/plot.h"
#include "../cli/svg.h"
#include "random.h"
#include "svg_page.h"

enum { LEFT = 84, RIGHT = 900 - 168, CHART_HIGH = 170 };

/* The points of the paths of a class before the marks and the legend sample, which is the last path of the chart. */
static page_points line_of(const char* svg, const char* class_name)
{
    page_points p = points_of(svg, class_name);
    return p;
}

static out one_chart(const double* x, const double* y, int64_t count, bool log)
{
    plot_series s = {"line", y, false, false, NULL, false};
    plot_chart c = {"y (m)", log, &s, 1};
    plot_page page = {"title & <more>", "head", "t (s)", x, count, &c, 1, NULL, 0, NULL, 0};
    out o = {0};
    assert_int_equal(plot_svg(&o, &page), WIT_OK);
    assert_page(o.text, "chart");
    return o;
}

static void a_peak_of_one_frame_in_100000_is_on_the_page(void** state)
{
    (void)state;
    enum { N = 100000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    assert_true(x && y);
    for (int i = 0; i < N; i++) {
        x[i] = i * 1e-3;
        y[i] = i == 45677 ? 10 : i == 70001 ? -10 : 0.5;
    }
    out o = one_chart(x, y, N, false);
    page_points p = line_of(o.text, "s0");
    double least = HUGE_VAL, largest = -HUGE_VAL, at_least = 0, at_largest = 0;
    for (int i = 0; i < p.count; i++) {
        if (p.xy[i][1] < least) at_least = p.xy[i][0];
        if (p.xy[i][1] > largest) at_largest = p.xy[i][0];
        least = fmin(least, p.xy[i][1]);
        largest = fmax(largest, p.xy[i][1]);
    }
    /* Both peaks reach 4 % of the range short of the frame; pixels are written to 0.01. */
    double room = 0.04 * 20 / (1.08 * 20) * CHART_HIGH;
    assert_true(fabs(largest - least - (CHART_HIGH - 2 * room)) < 0.05);
    assert_true(fabs(at_least - (LEFT + 0.45677 * (RIGHT - LEFT))) < 0.6);
    assert_true(fabs(at_largest - (LEFT + 0.70001 * (RIGHT - LEFT))) < 0.6);
    /* Four points per half pixel at most, each cut into 8 by the reader. */
    assert_true(p.count < 8 * 5 * 2 * (RIGHT - LEFT));
    free(p.xy);
    out_free(&o);
    free(x);
    free(y);
}

static void frames_that_are_not_finite_break_the_line(void** state)
{
    (void)state;
    double x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {0, 1, NAN, 3, 4, -INFINITY, 6};
    out o = one_chart(x, y, 7, false);
    const char* d = strstr(o.text, "<path class=\"s0\" d=\"");
    assert_non_null(d);
    int moves = 0;
    for (d += 20; *d != '"'; d++) moves += *d == 'M';
    assert_int_equal(moves, 3);
    assert_null(strstr(o.text, "nan"));
    assert_null(strstr(o.text, "inf"));
    out_free(&o);
}

static void any_data_gives_a_page(void** state)
{
    (void)state;
    rng r = rng_seed(5);
    static const double odd[] = {0, -0.0, 1, -1, 1e300, -1e300, 5e-324, NAN, INFINITY, -INFINITY, 1e-17, 3.5};
    for (int k = 0; k < 400; k++) {
        double x[8], y[8];
        int n = rng_int(&r, 9);
        for (int i = 0; i < n; i++) {
            x[i] = k % 3 ? i : 2; /* all at one place too */
            y[i] = odd[rng_int(&r, (int)(sizeof odd / sizeof odd[0]))];
        }
        out o = one_chart(x, y, n, k % 2);
        out_free(&o);
    }
}

static void ticks_are_round_and_inside(void** state)
{
    (void)state;
    double value[PLOT_MOST_TICKS];
    char text[PLOT_MOST_TICKS][24];
    static const struct {
        double lo, hi;
        int most, count;
        const char *first, *last;
    } cases[] = {
        {0, 1, 6, 6, "0.0", "1.0"}, {0, 1, 12, 11, "0.0", "1.0"},      {-3, 7, 6, 6, "-2", "6"},
        {0, 22, 12, 12, "0", "22"}, {0.1, 0.13, 5, 4, "0.10", "0.13"}, {1e-8, 3e-8, 5, 5, "0.000000010", "0.000000030"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        plot_axis a = {cases[i].lo, cases[i].hi, 0, 100, false, false};
        int n = plot_ticks(&a, cases[i].most, value, text);
        for (int k = 0; k < n; k++) {
            double error = 1e-9 * (a.hi - a.lo);
            assert_true(value[k] >= a.lo - error && value[k] <= a.hi + error);
        }
        if (n > cases[i].most) fail_msg("case %zu: %d ticks", i, n);
        if (strcmp(text[0], cases[i].first) != 0) fail_msg("case %zu: first '%s'", i, text[0]);
        if (strcmp(text[n - 1], cases[i].last) != 0) fail_msg("case %zu: last '%s' of %d", i, text[n - 1], n);
    }
}

static void a_log_axis_has_decades_and_a_foot_for_zero(void** state)
{
    (void)state;
    double value[PLOT_MOST_TICKS];
    char text[PLOT_MOST_TICKS][24];
    plot_axis a = plot_axis_for(3e-13, 0.7, true, true, 170, 0);
    assert_true(a.lo == -14 && a.hi == 0);
    assert_true(plot_at(&a, 0) == 170 && plot_at(&a, 1) == 0 && plot_at(&a, -1) == 0);
    assert_true(fabs(plot_at(&a, 1e-7) - 85) < 1e-9);
    int n = plot_ticks(&a, 6, value, text);
    assert_string_equal(text[0], "1");
    assert_string_equal(text[1], "1e-3");
    assert_string_equal(text[n - 1], "0");
    a = plot_axis_for(HUGE_VAL, -HUGE_VAL, true, true, 170, 0); /* all zero */
    assert_true(plot_at(&a, 0) == 170);
}

static void marks_get_a_line_and_their_names_do_not_overlap(void** state)
{
    (void)state;
    double x[] = {0, 10}, y[] = {0, 1};
    plot_mark marks[200];
    for (int i = 0; i < 200; i++) marks[i] = (plot_mark){i * 0.05, i % 2 ? "F1 > E2" : "E2 > V<3>"};
    plot_series s = {"line", y, false, false, NULL, false};
    plot_chart c = {"y", false, &s, 1};
    plot_page page = {"title", "head", "t (s)", x, 2, &c, 1, marks, 200, NULL, 0};
    out o = {0};
    assert_int_equal(plot_svg(&o, &page), WIT_OK);
    assert_page(o.text, "marks");
    assert_int_equal(occurrences(o.text, "<path class=\"mark\""), 200);
    /* Names in one row, left to right: at least as far apart as they are wide. */
    double last_x[8] = {-100, -100, -100, -100, -100, -100, -100, -100}, rows[8];
    int row_count = 0, names = 0;
    for (const char* t = o.text; (t = strstr(t, "<text class=\"small\" x=\"")); t++) {
        char* end;
        double at = strtod(t + 23, &end), row = strtod(strstr(t, "y=\"") + 3, &end);
        int k = 0;
        while (k < row_count && rows[k] != row) k++;
        if (k == row_count) {
            assert_true(row_count < 8);
            rows[row_count++] = row;
        }
        assert_true(at - last_x[k] > 7 * 5);
        last_x[k] = at;
        names++;
    }
    assert_true(row_count == 4 && names > 20);
    out_free(&o);
}

static void a_line_aside_does_not_set_the_scale(void** state)
{
    (void)state;
    double x[] = {0, 1, 2, 3}, y[] = {0, 1, 0, 1}, low[] = {0, -0.5, -1.5, -100};
    plot_series s[2] = {{"line", y, false, false, NULL, false}, {"bound", low, true, false, NULL, true}};
    plot_chart c = {"y", false, s, 2};
    plot_page page = {"title", "head", "t (s)", x, 4, &c, 1, NULL, 0, NULL, 0};
    out o = {0};
    assert_int_equal(plot_svg(&o, &page), WIT_OK);
    page_points p = points_of(o.text, "s0");
    double least = HUGE_VAL, largest = -HUGE_VAL;
    /* The sample in the legend is at the right of the frame. */
    for (int i = 0; i < p.count; i++) {
        if (p.xy[i][0] > RIGHT + 1) continue;
        least = fmin(least, p.xy[i][1]);
        largest = fmax(largest, p.xy[i][1]);
    }
    /* One height of the line below it, and 4 % of room: 1 of 2.16. */
    assert_true(fabs(largest - least - CHART_HIGH / 2.16) < 0.05);
    free(p.xy);
    out_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_peak_of_one_frame_in_100000_is_on_the_page),
        cmocka_unit_test(a_line_aside_does_not_set_the_scale),
        cmocka_unit_test(frames_that_are_not_finite_break_the_line),
        cmocka_unit_test(any_data_gives_a_page),
        cmocka_unit_test(ticks_are_round_and_inside),
        cmocka_unit_test(a_log_axis_has_decades_and_a_foot_for_zero),
        cmocka_unit_test(marks_get_a_line_and_their_names_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
