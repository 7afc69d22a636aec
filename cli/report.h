/* SPDX-License-Identifier: MIT */
/*
 * Reports: the page (build/page.html, made by `make page`) with models and runs inside. One file, which opens without a
 * network.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "record.h"

typedef struct report report;

/* Reads the page. Null after a message where it is not built: `command` as in "track". */
report* report_begin(const char* command, const char* name);
void report_free(report* r);
/* A model to look at, without a run. */
void report_model(report* r, const wit_model* model);
/* A run, with the models of both sides (null for a point). */
void report_run(report* r, const track_task* task, const track_sum* sum, const record* run,
                const wit_model* const model[2]);
/* Appends the whole file to *o. False after a message: no memory. */
bool report_text(const report* r, out* o);
/* Writes it. EXIT_GOOD, or EXIT_BAD_INPUT after a message. */
int report_write(const report* r, const char* path);

#endif
