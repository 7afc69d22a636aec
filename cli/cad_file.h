/* SPDX-License-Identifier: MIT */
/*
 * A CAD file, read in a child process with limits of time and memory: Open CASCADE may crash or hang in a damaged file, and
 * then the child does, while the command says what happened. Where there is no fork the file is read in the process itself,
 * unprotected, and the command says so.
 */
#ifndef CLI_CAD_FILE_H
#define CLI_CAD_FILE_H

#include "cad_module.h"

typedef struct cad_limits {
    double seconds, megabytes; /* of the wall clock; of address space */
} cad_limits;

cad_limits cad_limits_default(void); /* 300 s, 8192 MB */

typedef struct cad_file {
    wit_cad_report report;
    wit_cad_problem* problems; /* report.problem_count */
    char* text;                /* the model, terminated */
    size_t bytes;
} cad_file;

/* False after a message. `def` may be null. Of the file's problems those that lost something are said on standard error. */
bool cad_file_read(const char* path, const wit_cad_def* def, cad_limits limits, cad_file* out);
void cad_file_drop(cad_file* file);

#endif
