/* SPDX-License-Identifier: MIT */
/* The pen tracked along one of the paper's two motions. */
#ifndef CLI_DEMO_PEN_H
#define CLI_DEMO_PEN_H

#include "lab_pen.h"
#include "record.h"
#include "track.h"

typedef enum demo_law { DEMO_PUBLISHED, DEMO_FINDMIN, DEMO_DEFAULT, DEMO_LAWS } demo_law;

/* "findmin as published" and so on, and what it means. */
const char* demo_law_name(demo_law law);

/* A run: its figures, and the results of the frames that stand in the table. */
typedef struct demo_run {
    track_task task;
    track_sum sum;
    track_series series;
    wit_result rows[PEN_ROWS];
    bool found[PEN_ROWS];
    record* record;         /* of all frames; null: no memory */
    const pen_table* table; /* what the motion is made from */
} demo_run;

/* The motion and the law as a task: bodies, poses over time, rate, settings; the rest of *out is left alone. */
void demo_task(const pen_lab* lab, const pen_table* table, demo_law law, track_task* out);
/* From the first row's side of the table to beyond its last: Y from 0 to 22 in steps of 0.1, or a whole turn by degrees,
 * 100 frames a second. Release by demo_release in any case. */
wit_status demo_track(const pen_lab* lab, const pen_table* table, demo_law law, demo_run* run, wit_error* error);
void demo_release(demo_run* run);
/* The time at which the motion is at a row. */
double demo_time(const pen_table* table, double at);

#endif
