/* SPDX-License-Identifier: MIT */
/* Data of others beside the tree (../shared/data), which only add to what the tests look at. What is not there is said on
 * standard output by one line `SKIPPED: what`; `make test` counts these lines. */
#ifndef TESTS_FOREIGN_H
#define TESTS_FOREIGN_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Once per program and piece. */
static inline void foreign_skipped(const char* what)
{
    enum { PIECES = 64, BYTES = 300 };
    static char said[PIECES][BYTES];
    int k = 0;
    while (k < PIECES && said[k][0] && strncmp(said[k], what, BYTES - 1) != 0) k++;
    if (k < PIECES && said[k][0]) return;
    if (k < PIECES) snprintf(said[k], BYTES, "%s", what);
    printf("SKIPPED: %s\n", what);
    fflush(stdout);
}

static inline bool foreign_there(const char* path)
{
    FILE* f = fopen(path, "rb");
    if (f) fclose(f);
    return f != NULL;
}

/* The path of a file of others, or null and the line. */
static inline const char* foreign_path(const char* file)
{
    static char path[256], what[300];
    snprintf(path, sizeof path, "../shared/data/%s", file);
    if (foreign_there(path)) return path;
    snprintf(what, sizeof what, "%s (not in ../shared/data)", file);
    foreign_skipped(what);
    return NULL;
}

#endif
