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

static inline double number_at(const json_doc* doc, const char* path)
{
    double x = NAN;
    size_t token = json_resolve(doc, 0, path);
    if (doc->tokens[token].type != JSON_NUMBER || !json_number(doc, token, &x)) fail_msg("no number at %s", path);
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
