/* SPDX-License-Identifier: MIT */
/*
 * What stands in docs/ behind "$ witness ..." is what the command prints. Numbers are compared by value: to 1e-9, and not
 * at all where they count work or rounding ("work", "width", "nodes" and all behind them in the line), which
 * differ between kernels.
 */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <ctype.h>

#include <cmocka.h>

#include "cli_run.h"

static bool number_starts(const char* s)
{
    return isdigit((unsigned char)*s) || (*s == '-' && isdigit((unsigned char)s[1]));
}

static bool begins(const char* s, const char* word)
{
    return strncmp(s, word, strlen(word)) == 0;
}

/* Where the texts begin to differ, or null. */
static const char* first_difference(const char* shown, const char* printed)
{
    bool loose = false;
    while (*shown || *printed) {
        if (isspace((unsigned char)*shown) && isspace((unsigned char)*printed)) {
            for (; isspace((unsigned char)*shown); shown++) {
                if (*shown == '\n') loose = false;
            }
            while (isspace((unsigned char)*printed)) printed++;
            continue;
        }
        if (begins(shown, "work") || begins(shown, "width") || begins(shown, "nodes")) loose = true;
        if (number_starts(shown) && number_starts(printed)) {
            char *end_shown, *end_printed;
            double x = strtod(shown, &end_shown), y = strtod(printed, &end_printed);
            if (!loose && !(fabs(x - y) <= 1e-9 * fmax(1, fabs(x)))) return shown;
            shown = end_shown;
            printed = end_printed;
            continue;
        }
        if (*shown != *printed) return shown;
        shown++;
        printed++;
    }
    return NULL;
}

/* Runs the line with the command under test in front of the path, as `witness`. */
static void run_line(run* r, const char* line)
{
    char shell[2048], out[128];
    snprintf(shell, sizeof shell, "PATH=\"%s:$PATH\"; ( %s ) >'%s/out' 2>&1", scratch, line, scratch);
    int status = system(shell);
    assert_true(status != -1 && WIFEXITED(status));
    r->code = WEXITSTATUS(status);
    snprintf(out, sizeof out, "%s/out", scratch);
    slurp(out, r->out, sizeof r->out);
}

static void link_command(void)
{
    const char* command = getenv("WITNESS_COMMAND");
    char to[128];
    char* path = realpath(command ? command : "build/witness", NULL);
    assert_non_null(path);
    snprintf(to, sizeof to, "%s/witness", scratch);
    assert_true(symlink(path, to) == 0 || access(to, X_OK) == 0);
    free(path);
}

/* Runs every block "$ LINE" of the file but those that begin with `skip`. Returns how many. */
static int check_file(const char* path, const char* skip)
{
    static char text[1 << 18];
    static run r;
    int checked = 0;
    slurp(path, text, sizeof text);
    link_command();
    for (char* block = strstr(text, "```console\n$ "); block; block = strstr(block, "```console\n$ ")) {
        char* line = block + strlen("```console\n$ ");
        char* shown = strchr(line, '\n');
        char* end = shown ? strstr(shown, "\n```") : NULL;
        assert_non_null(end);
        *shown++ = 0;
        end[1] = 0;
        block = end + 2;
        if (skip && begins(line, skip)) continue;
        run_line(&r, line);
        if (r.code) fail_msg("%s: exit code %d: %s", line, r.code, r.out);
        const char* difference = first_difference(shown, r.out);
        if (difference) fail_msg("%s: %s prints\n%s\nand not, from here on,\n%s", path, line, r.out, difference);
        checked++;
    }
    return checked;
}

static void closest_md_shows_what_the_command_prints(void** state)
{
    (void)state;
    assert_true(check_file("docs/closest.md", NULL) >= 7);
}

static void the_readme_shows_what_the_command_prints(void** state)
{
    (void)state;
    assert_true(check_file("README.md", NULL) >= 1);
}

/* The table of errors is rounding; tests/test_lab.c asks for its bound. */
static void accuracy_md_shows_the_tables_of_the_paper(void** state)
{
    (void)state;
    assert_int_equal(check_file("docs/accuracy.md", "witness lab accuracy"), 1);
}

static void impact_md_shows_what_the_command_prints(void** state)
{
    (void)state;
    assert_true(check_file("docs/impact.md", NULL) >= 3);
}

static void clearance_md_shows_what_the_command_prints(void** state)
{
    (void)state;
    assert_int_equal(check_file("docs/clearance.md", NULL), 2);
}

static void track_md_shows_what_the_command_prints(void** state)
{
    (void)state;
    assert_true(check_file("docs/track.md", NULL) >= 5);
}

static void papers_md_shows_what_the_command_prints(void** state)
{
    (void)state;
    assert_true(check_file("docs/papers.md", NULL) >= 20);
}

static void own_law_md_shows_what_the_command_prints(void** state)
{
    (void)state;
    assert_int_equal(check_file("docs/own-law.md", NULL), 4);
}

static void a_wrong_figure_is_noticed(void** state)
{
    (void)state;
    assert_null(first_difference("distance  1.5 mm\nwork 7 nodes\n", "distance 1.50 mm\nwork 8 nodes\n"));
    assert_non_null(first_difference("distance 1.5 mm\n", "distance 1.500001 mm\n"));
    assert_non_null(first_difference("work 7 nodes\ndistance 1.5\n", "work 8 nodes\ndistance 1.6\n"));
    assert_non_null(first_difference("face S4\n", "face S3\n"));
    assert_non_null(first_difference("face S4\n", "face S4\nmore\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_figure_is_noticed),
        cmocka_unit_test(closest_md_shows_what_the_command_prints),
        cmocka_unit_test(the_readme_shows_what_the_command_prints),
        cmocka_unit_test(accuracy_md_shows_the_tables_of_the_paper),
        cmocka_unit_test(impact_md_shows_what_the_command_prints),
        cmocka_unit_test(clearance_md_shows_what_the_command_prints),
        cmocka_unit_test(track_md_shows_what_the_command_prints),
        cmocka_unit_test(papers_md_shows_what_the_command_prints),
        cmocka_unit_test(own_law_md_shows_what_the_command_prints),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
