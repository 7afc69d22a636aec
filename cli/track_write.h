/* SPDX-License-Identifier: MIT */
/* The files that `witness track` writes: lines of every frame while it runs, pictures and the page at its end. Functions of type
 * int give an exit code, after a message where it is not EXIT_GOOD. */
#ifndef CLI_TRACK_WRITE_H
#define CLI_TRACK_WRITE_H

#include "report.h"
#include "track.h"

enum { TRACK_SNAPSHOTS_MOST = 64 };

typedef struct track_files {
    const char *csv, *svg, *report, *automaton, *trails; /* names, or null; csv may be "-" */
    double times[TRACK_SNAPSHOTS_MOST];                  /* of the snapshots */
    int time_count;
    track_view view;
} track_files;

typedef struct track_writer track_writer;

bool track_csv_is_standard(const track_files* files);

/* `files` and `task` must stay. `page`: frames are kept for the page. */
int track_writer_open(track_writer** writer, const track_files* files, const track_task* task, bool page);
/* A track_sink, whose user is the writer. */
bool track_write_frame(void* writer, const track_task* task, double time, const wit_result* result);
/* After the last frame: the lines are complete. */
int track_writer_end(track_writer* w);
int track_write_pictures(const track_writer* w, const track_sum* sum, const track_series* series);
int track_write_report(const track_writer* w, const wit_scene* scene, const track_sum* sum, report* page);
void track_writer_free(track_writer* w);

#endif
