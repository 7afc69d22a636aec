/* SPDX-License-Identifier: MIT */
/* `witness track`: its pictures. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_run.h"
#include "svg_page.h"

static void pictures_are_well_formed_from_one_frame_to_many(void** state)
{
    (void)state;
    static const struct {
        const char *scene, *more;
        int charts;
    } cases[] = {{"001-fig10", "", 3},
                 {"001-fig19", "", 3},
                 {"002-fig5", "", 3},
                 {"gear-in-gear", "--rate 100", 3},
                 {"004-fig6", "--duration 0", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run r;
        char line[512];
        snprintf(line, sizeof line, "track scenes/%s.json %s --svg '%s/c.svg' --automaton '%s/a.svg' --snapshots 0",
                 cases[i].scene, cases[i].more, scratch, scratch);
        execute_well(&r, line);
        static const char* const files[] = {"c.svg", "a.svg", "c-0s.svg"};
        for (int k = 0; k < 3; k++) {
            char* svg = scratch_file(files[k]);
            assert_page(svg, files[k]);
            if (k == 0) assert_int_equal(occurrences(svg, "<g class=\"chart\">"), cases[i].charts);
            if (k == 0) assert_has(svg, "time (s)");
            if (k == 2) assert_has(svg, "class=\"pair\"");
            free(svg);
        }
    }
}

/* The chart of a run with hand-overs marks each; the automaton has an arrow for each pair of features. */
static void hand_overs_are_marked(void** state)
{
    (void)state;
    run r;
    char line[512];
    snprintf(line, sizeof line, "track scenes/001-fig16.json --json --svg '%s/c.svg' --automaton '%s/a.svg'", scratch,
             scratch);
    json_doc doc = execute_json(&r, line);
    char* svg = scratch_file("c.svg");
    assert_int_equal(occurrences(svg, "<path class=\"mark\""), (int)number_at(&doc, "switches"));
    assert_has(svg, "F2 &gt; E02");
    free(svg);
    svg = scratch_file("a.svg");
    assert_true(occurrences(svg, "<path class=\"go\"") >= 5);
    assert_has(svg, ">E02</text>");
    free(svg);
    wi_json_free(&doc);
}

static void snapshots_stand_at_the_times_of_the_scene(void** state)
{
    (void)state;
    run r;
    char line[512];
    snprintf(line, sizeof line, "track scenes/002-fig4.json --svg '%s/pen.svg' --snapshots scene", scratch);
    execute_well(&r, line);
    char* svg = scratch_file("pen-8.8s.svg");
    assert_page(svg, "snapshot");
    assert_has(svg, "002-fig4 at 8.8 s");
    assert_has(svg, "distance 0.357770876: S3 of pen, C1 of bowl");
    /* The segment is as long as the distance, seen under its angle: not longer, and not nothing. */
    page_points p = points_of(svg, "pair");
    assert_true(p.count >= 2);
    double dx = p.xy[p.count - 1][0] - p.xy[0][0], dy = p.xy[p.count - 1][1] - p.xy[0][1];
    assert_true(sqrt(dx * dx + dy * dy) > 2 && sqrt(dx * dx + dy * dy) < 40);
    free(p.xy);
    free(svg);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_well_formed_from_one_frame_to_many),
        cmocka_unit_test(hand_overs_are_marked),
        cmocka_unit_test(snapshots_stand_at_the_times_of_the_scene),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
