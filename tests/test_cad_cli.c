/* SPDX-License-Identifier: MIT */
/* CAD files at the command line: import, and every command that takes a model. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cad_shapes.h"
#include "cli_run.h"

static run r;

/* Runs a line in which %s is the scratch directory, up to three times. */
static void witness(const char* line)
{
    char arguments[1024];
    size_t n = 0;
    for (; *line && n + 2 < sizeof arguments; line++) {
        if (*line == '@')
            n += (size_t)snprintf(arguments + n, sizeof arguments - n, "%s", scratch);
        else
            arguments[n++] = *line;
    }
    arguments[n] = 0;
    execute(&r, arguments);
}

static const char* in_scratch(const char* name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
}

static void import_writes_a_model_and_says_what_is_in_it(void** state)
{
    (void)state;
    assert_true(cad_write(CAD_SHAPE_DRILLED, WIT_CAD_STEP, "INCH", in_scratch("plate.step")));
    witness("import '@/plate.step' -o '@/plate.json' --unit mm");
    if (r.code) fail_msg("%s", r.err);
    assert_has(r.out, "mm, converted from in");
    assert_has(r.out, "6 plane, 1 cylinder");
    assert_has(r.out, "12 line, 2 circle");
    assert_has(r.out, "watertight, oriented, manifold");
    witness("closest '@/plate.json' --point 5,10,40");
    if (r.code) fail_msg("%s", r.err);
    char with_json[sizeof r.out];
    strcpy(with_json, r.out);
    /* 10 above the middle of the hole of radius 2: the rim is sqrt(104) away. */
    assert_has(r.out, "10.19803902");
    witness("import '@/plate.step' --json --unit mm");
    if (r.code) fail_msg("%s", r.err);
    assert_has(r.out, "\"plane\": 6");
    assert_has(r.out, "\"watertight\": true");
    witness("import '@/plate.step' -o - --unit mm");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "\"format\": \"witness-model\"");
    assert_has(r.out, "\"note\": \"Read from plate.step (STEP");
    witness("info '@/plate.json'");
    assert_has(r.out, "6 plane, 1 cylinder");
    remove(in_scratch("plate.step"));
    remove(in_scratch("plate.json"));
}

static void every_command_takes_cad_files(void** state)
{
    (void)state;
    static const char* const files[] = {"", "part.STEP", "part.igs", "part.brep"};
    char line[128];
    for (int f = WIT_CAD_STEP; f < WIT_CAD_FORMAT_COUNT; f++) {
        assert_true(cad_write(CAD_SHAPE_BOX, (wit_cad_format)f, "MM", in_scratch(files[f])));
        snprintf(line, sizeof line, "closest '@/%s' --point 5,10,37.5", files[f]);
        witness(line);
        if (r.code) fail_msg("%s: %s", files[f], r.err);
        assert_has(r.out, "7.5");
        snprintf(line, sizeof line, "info '@/%s'", files[f]);
        witness(line);
        if (r.code) fail_msg("%s: %s", files[f], r.err);
        assert_has(r.out, "6 faces, 12 edges, 8 vertices");
        assert_has(r.out, "6 plane");
        assert_int_equal(remove(in_scratch(files[f])), 0);
    }
}

static void parts_of_assemblies_are_chosen_by_name(void** state)
{
    (void)state;
    assert_true(cad_write_assembly(in_scratch("machine.step")));
    witness("import '@/machine.step' --part ring");
    if (r.code) fail_msg("%s", r.err);
    assert_has(r.out, "body 0 \"ring\"");
    assert_has(r.out, "stands at           0, 7, 50");
    witness("import '@/machine.step' --part nut");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "there is no part 'nut'; it has 'bolt', 'bolt 2', 'ring'");
    witness("info '@/machine.step'");
    assert_int_equal(r.code, 0);
    assert_has(r.out, "3 bodies");
    remove(in_scratch("machine.step"));
}

static void bad_files_and_calls_are_told_apart(void** state)
{
    (void)state;
    write_scratch("bad.step", "ISO-10303-21;\nHEADER;\n");
    witness("import '@/bad.step'");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "it is cut short");
    assert_string_equal(r.out, "");
    witness("info '@/bad.step'");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "it is cut short");
    witness("import '@/none.step'");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "No such file");
    witness("import");
    assert_int_equal(r.code, 2);
    witness("import x.step --unit parsec");
    assert_int_equal(r.code, 2);
    assert_has(r.err, "not 'parsec'");
    witness("import --help");
    assert_int_equal(r.code, 0);
    remove(in_scratch("bad.step"));
}

/* The box with the first of its planes misspelt: one face is lost. */
static void write_broken_box(const char* name)
{
    static char text[1 << 17];
    assert_true(cad_write(CAD_SHAPE_BOX, WIT_CAD_STEP, "MM", in_scratch(name)));
    slurp(in_scratch(name), text, sizeof text);
    char* plane = strstr(text, "= PLANE(");
    assert_non_null(plane);
    memcpy(plane, "= PLAIN(", 8);
    write_scratch(name, text);
}

static void a_file_that_lost_a_part_is_answered_only_when_told(void** state)
{
    (void)state;
    write_broken_box("broken.step");
    witness("closest '@/broken.step' --point 5,10,40");
    assert_int_equal(r.code, 1);
    assert_string_equal(r.out, "");
    assert_has(r.err, "lost: ");
    assert_has(r.err, "--partial");
    witness("import '@/broken.step' -o '@/broken.json'");
    assert_int_equal(r.code, 1);
    assert_has(r.err, "no model is written");
    assert_int_not_equal(access(in_scratch("broken.json"), F_OK), 0);
    witness("closest '@/broken.step' --point 5,10,40 --partial");
    assert_int_equal(r.code, 0);
    witness("info '@/broken.step'");
    assert_int_equal(r.code, 0);
    assert_memory_equal(r.out, "verdict: incomplete: 1 part of the file could not be read", 57);
    remove(in_scratch("broken.step"));
}

static int files_in_cache(void)
{
    char line[512];
    snprintf(line, sizeof line, "exit $(ls '%s/cache' 2>/dev/null | wc -l)", scratch);
    int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* By the bytes of the file and by what is asked; the answer is the same; a flag leaves it out. */
static void what_was_read_is_kept_by_content(void** state)
{
    (void)state;
    char first[sizeof r.out];
    setenv("WITNESS_CACHE", in_scratch("cache"), 1);
    assert_true(cad_write(CAD_SHAPE_DRILLED, WIT_CAD_STEP, "MM", in_scratch("plate.step")));
    witness("closest '@/plate.step' --point 5,10,40 --no-cache");
    assert_int_equal(r.code, 0);
    strcpy(first, r.out);
    assert_int_equal(files_in_cache(), 0);
    for (int k = 0; k < 2; k++) {
        witness("closest '@/plate.step' --point 5,10,40");
        assert_int_equal(r.code, 0);
        assert_string_equal(r.out, first);
        assert_int_equal(files_in_cache(), 1);
    }
    witness("import '@/plate.step' --unit in");
    assert_int_equal(files_in_cache(), 2);
    assert_true(cad_write(CAD_SHAPE_BOX, WIT_CAD_STEP, "MM", in_scratch("plate.step")));
    witness("info '@/plate.step'");
    assert_has(r.out, "6 faces, 12 edges");
    assert_int_equal(files_in_cache(), 3);
    /* What is damaged in the cache is read anew. */
    char line[512];
    snprintf(line, sizeof line, "for f in '%s'/cache/*; do head -c 40 \"$f\" > '%s/cut'; cp '%s/cut' \"$f\"; done",
             scratch, scratch, scratch);
    assert_int_equal(system(line), 0);
    witness("info '@/plate.step'");
    assert_has(r.out, "6 faces, 12 edges");
    snprintf(line, sizeof line, "rm -r '%s/cache' '%s/cut' '%s/plate.step'", scratch, scratch, scratch);
    assert_int_equal(system(line), 0);
    setenv("WITNESS_CACHE", "", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(import_writes_a_model_and_says_what_is_in_it),
        cmocka_unit_test(every_command_takes_cad_files),
        cmocka_unit_test(parts_of_assemblies_are_chosen_by_name),
        cmocka_unit_test(bad_files_and_calls_are_told_apart),
        cmocka_unit_test(a_file_that_lost_a_part_is_answered_only_when_told),
        cmocka_unit_test(what_was_read_is_kept_by_content),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
