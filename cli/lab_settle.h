/* SPDX-License-Identifier: MIT */
/* How fast laws settle: what was asked, and the table over laws and starts. */
#ifndef CLI_LAB_SETTLE_H
#define CLI_LAB_SETTLE_H

#include "lab_patch.h"
#include "law_module.h"
#include "numbers.h"

typedef struct settle_request {
    lab_patch patch;
    double start[2], rate, ball;
    int law, integrator;
    unsigned laws; /* set of 1 << law, with --laws; else 0 */
    law_plugins own;
    double gain[NUMBERS_MOST];
    int gain_count;
    int64_t steps, grid; /* grid 0: one start */
    const char *svg, *csv;
    bool json;
} settle_request;

/* The settings of a law at one of the gains. */
wit_track_def settle_def(const settle_request* r, int kind, double gain, wit_law_def* law);
/* Largest normalised error at a place of the face. */
double settle_error(const settle_request* r, double u, double v);

/* A row for each law and gain over all starts; with --csv a line for each start. An exit code. (lab_settle_table.c) */
int settle_table(const settle_request* r);

#endif
