/* SPDX-License-Identifier: MIT */
/*
 * A CAD file, read in a child process with limits of time and memory: Open CASCADE may crash or hang in a damaged file, and
 * then the child does, while the command says what happened. Where there is no fork the file is read in the process itself,
 * unprotected, and the command says so.
 */
#ifndef CLI_CAD_FILE_H
#define CLI_CAD_FILE_H

#include <stdio.h>

#include "cad_module.h"

typedef struct cad_limits {
    double seconds, megabytes; /* of the wall clock; of address space */
} cad_limits;

cad_limits cad_limits_default(void); /* 300 s, 8192 MB */

typedef struct cad_file {
    wit_cad_report report;
    wit_cad_problem* problems; /* report.problem_count */
    wit_cad_body* bodies;      /* report.bodies */
    char* text;                /* the model, terminated */
    size_t bytes;
} cad_file;

typedef struct cad_reading {
    cad_limits limits;
    bool uncached; /* neither look into the cache nor put into it: cad_cache.h */
} cad_reading;

/* False after a message. `def` may be null. Of the file's problems those that lost something are said on standard error. */
bool cad_file_read(const char* path, const wit_cad_def* def, const cad_reading* how, cad_file* out);
/* How many problems lost something. */
int cad_file_lost(const cad_file* file);
/* Report, length of the text, problems, bodies, the text. The file stays open; reading begins where it stands. */
bool cad_file_write(FILE* to, const cad_file* file);
bool cad_file_read_back(FILE* from, cad_file* file);
void cad_file_drop(cad_file* file);

#endif
