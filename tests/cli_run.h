/* SPDX-License-Identifier: MIT */
/* The command run as a user runs it, in a scratch directory of the test's own. WITNESS_COMMAND is its path. Include it
 * after cmocka.h, with _POSIX_C_SOURCE 200809L. */
#ifndef TESTS_CLI_RUN_H
#define TESTS_CLI_RUN_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../io/json.h"

typedef struct run {
    int code;
    char out[1 << 18];
    char err[4096];
} run;

static char scratch[64];

static inline void slurp(const char* path, char* to, size_t room)
{
    FILE* f = fopen(path, "rb");
    assert_non_null(f);
    to[fread(to, 1, room - 1, f)] = 0;
    fclose(f);
}

/* All of a file in the scratch directory; to be freed. */
static inline char* scratch_file(const char* name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    FILE* f = fopen(path, "rb");
    if (!f) fail_msg("%s is not there", path);
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    char* text = malloc((size_t)n + 1);
    assert_non_null(text);
    text[fread(text, 1, (size_t)n, f)] = 0;
    fclose(f);
    return text;
}

/* `arguments` go through the shell; "... < file" works. */
static inline void execute(run* r, const char* arguments)
{
    const char* command = getenv("WITNESS_COMMAND");
    char line[2048], out[128], err[128];
    snprintf(out, sizeof out, "%s/out", scratch);
    snprintf(err, sizeof err, "%s/err", scratch);
    int n =
        snprintf(line, sizeof line, "'%s' %s >'%s' 2>'%s'", command ? command : "build/witness", arguments, out, err);
    assert_true(n > 0 && (size_t)n < sizeof line);
    int status = system(line);
    assert_true(status != -1 && WIFEXITED(status));
    r->code = WEXITSTATUS(status);
    slurp(out, r->out, sizeof r->out);
    slurp(err, r->err, sizeof r->err);
}

/* Exit code 0, and nothing on standard error. */
static inline void execute_well(run* r, const char* arguments)
{
    execute(r, arguments);
    if (r->code) fail_msg("%s: exit code %d: %s", arguments, r->code, r->err);
    assert_string_equal(r->err, "");
}

static inline json_doc json_of(const char* text, size_t bytes)
{
    json_doc doc;
    wit_error e = {0};
    if (wi_json_read_text(&doc, text, bytes, NULL, &e)) fail_msg("%d:%d: %s", e.line, e.column, e.text);
    return doc;
}

/* Of the first line. */
static inline json_doc json_of_line(const char* text)
{
    const char* end = strchr(text, '\n');
    assert_non_null(end);
    return json_of(text, (size_t)(end - text));
}

static inline json_doc execute_json(run* r, const char* arguments)
{
    execute_well(r, arguments);
    return json_of(r->out, strlen(r->out));
}

static inline void write_scratch(const char* name, const char* text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    FILE* f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

#define assert_has(text, part)                                                                                         \
    do {                                                                                                               \
        if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text);                                        \
    } while (0)

typedef struct mistake {
    const char *arguments, *hint;
} mistake;

/* Exit code 2, a hint that fits, where to read more, and nothing on standard output. */
static inline void assert_mistakes(const char* command, const mistake* list, size_t count)
{
    run r;
    for (size_t i = 0; i < count; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "%s%s%s", command, *command ? " " : "", list[i].arguments);
        execute(&r, arguments);
        if (r.code != 2) fail_msg("%s: exit code %d: %s", arguments, r.code, r.err);
        assert_string_equal(r.out, "");
        assert_has(r.err, list[i].hint);
        assert_has(r.err, "Try 'witness ");
        assert_has(r.err, "--help");
    }
}

static inline double number_at(const json_doc* doc, const char* path)
{
    double x = NAN;
    size_t token = wi_json_resolve(doc, 0, path);
    if (doc->tokens[token].type != JSON_NUMBER || !wi_json_number(doc, token, &x)) fail_msg("no number at %s", path);
    return x;
}

static inline int make_scratch(void** state)
{
    (void)state;
    snprintf(scratch, sizeof scratch, "/tmp/witness-test-XXXXXX");
    return mkdtemp(scratch) ? 0 : -1;
}

/* With what the tests left in it. */
static inline int remove_scratch(void** state)
{
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf '%s'", scratch);
    return system(line);
}

#endif
