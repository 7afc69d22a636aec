/* SPDX-License-Identifier: MIT */
/* `witness figure`: a row for every caption of the five papers, and pictures that are whole and readable. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "campaign.h"
#include "cli_run.h"

/* Captions of figures in each paper. */
static const struct {
    const char* paper;
    int figures;
} papers[] = {{"000", 9}, {"001", 20}, {"002", 5}, {"003", 15}, {"004", 7}};

static void the_list_has_a_row_for_every_caption(void** state)
{
    (void)state;
    static run r;
    int rows = 0, wanted = 0;
    execute_well(&r, "figure --list");
    for (const char* c = r.out; *c; c++) rows += *c == '\n';
    for (size_t p = 0; p < sizeof papers / sizeof *papers; p++)
        for (int i = 1; i <= papers[p].figures; i++, wanted++) {
            char name[32];
            snprintf(name, sizeof name, "%s-fig%d ", papers[p].paper, i);
            if (strncmp(r.out, name, strlen(name)) != 0) {
                char line[40];
                snprintf(line, sizeof line, "\n%s", name);
                assert_has(r.out, line);
            }
        }
    assert_int_equal(rows, wanted);
}

typedef struct text_at {
    double x, y, wide;
} text_at;

enum { TEXTS = 4000 };

/* The labels of stages (class name-mark and so on) of each panel: do two of them stand on each other? */
static int overlaps(const char* svg)
{
    static text_at texts[TEXTS];
    int n = 0, count = 0;
    for (const char* t = svg; (t = strstr(t, "<g class=\"p")) || n < 0;) {
        const char* end = strstr(t + 1, "<g class=\"p");
        n = 0;
        for (const char* m = t; (m = strstr(m, "<text class=\"name-")) && (!end || m < end) && n < TEXTS; m++) {
            char body[200] = "";
            double x, y;
            const char* at = strstr(m, "x=\"");
            if (!at || sscanf(at, "x=\"%lf\" y=\"%lf\">%199[^<]", &x, &y, body) < 2) continue;
            texts[n++] = (text_at){x, y, 5.0 * (double)strlen(body)};
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                count += fabs(texts[i].y - texts[j].y) < 9 &&
                         fabs(texts[i].x - texts[j].x) < (texts[i].wide + texts[j].wide) / 2 - 1;
        t++;
    }
    return count;
}

/* Lines s0, s1, ... of one chart without their colours: those with the same dashes. */
static int alike(const char* svg)
{
    int count = 0;
    for (const char* c = svg; (c = strstr(c, "<g class=\"chart\">")); c++) {
        const char* end = strstr(c, "</g>");
        char dashes[8][16] = {{0}};
        for (const char* p = c; (p = strstr(p, "<path class=\"s")) && p < end; p++) {
            char line = p[14];
            if (line < '0' || line > '7') continue;
            size_t n = strcspn(p + 15, "\"");
            snprintf(dashes[line - '0'], sizeof dashes[0], "=%.*s", (int)n, p + 15);
        }
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < i; j++) count += dashes[i][0] && !strcmp(dashes[i], dashes[j]);
    }
    return count;
}

/* Where sanitizers watch, every fourth. */
static void all_pictures_are_written_and_their_labels_stand_apart(void** state)
{
    (void)state;
    static run r;
    static char svg[1 << 22];
    char arguments[1024] = "figure --all";
    int files = 0, every = campaign_every(1, 4), wanted = 0;
    execute_well(&r, "figure --list");
    if (every > 1) arguments[strlen("figure")] = 0;
    for (char* line = strtok(r.out, "\n"); line; line = strtok(NULL, "\n"), wanted++) {
        size_t n = strlen(arguments);
        if (every > 1 && wanted % every == 0)
            snprintf(arguments + n, sizeof arguments - n, " %.*s", (int)strcspn(line, " "), line);
    }
    assert_int_equal(wanted, 56); /* every caption */
    snprintf(arguments + strlen(arguments), sizeof arguments - strlen(arguments), " --out %s", scratch);
    execute_well(&r, arguments);
    for (char* line = strtok(r.out, "\n"); line; line = strtok(NULL, "\n")) {
        slurp(line, svg, sizeof svg);
        if (strncmp(svg, "<?xml", 5) != 0) fail_msg("%s is no SVG", line);
        if (strcmp(svg + strlen(svg) - 7, "</svg>\n") != 0) fail_msg("%s ends early", line);
        assert_null(strstr(svg, "nan"));
        int bad = overlaps(svg);
        if (bad) fail_msg("%s: %d pairs of labels stand on each other", line, bad);
        bad = alike(svg);
        if (bad) fail_msg("%s: %d pairs of lines differ in nothing but their colour", line, bad);
        remove(line);
        files++;
    }
    print_message("  %d pictures\n", files);
    assert_int_equal(files, (wanted + every - 1) / every);
}

static void names_that_are_none_are_refused(void** state)
{
    (void)state;
    static const mistake wrong[] = {{"", "the name of a figure is missing"},
                                    {"000-fig77", "did you mean '000-fig7'?"},
                                    {"--al", "did you mean '--all'?"}};
    assert_mistakes("figure", wrong, sizeof wrong / sizeof *wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_has_a_row_for_every_caption),
        cmocka_unit_test(all_pictures_are_written_and_their_labels_stand_apart),
        cmocka_unit_test(names_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
