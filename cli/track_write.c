/* SPDX-License-Identifier: MIT */
#include "track_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../io/file_reason.h"
#include "command.h"
#include "svg.h"

struct track_writer {
    const track_files* files;
    const track_task* task;
    FILE* csv; /* or null */
    const char* csv_path;
    out lines; /* not yet written */
    bool failed;
    record* record; /* or null */
    /* Frames nearest to the times of the snapshots. */
    wit_result results[TRACK_SNAPSHOTS_MOST];
    double taken[TRACK_SNAPSHOTS_MOST];
    /* All of them, for the trails; or null. */
    wit_result* all;
    int64_t all_count, all_room;
};

bool track_csv_is_standard(const track_files* files)
{
    return files->csv && !strcmp(files->csv, "-");
}

/* ---- while it runs ----------------------------------------------------------------------------------------------- */

static void write_lines(track_writer* w)
{
    if (w->lines.failed || (w->lines.length && fwrite(w->lines.text, 1, w->lines.length, w->csv) != w->lines.length))
        w->failed = true;
    w->lines.length = 0;
}

bool track_write_frame(void* user, const track_task* task, double time, const wit_result* r)
{
    track_writer* w = user;
    if (w->csv) {
        track_csv_row(&w->lines, task, time, r);
        if (w->lines.length > 1 << 16) write_lines(w);
    }
    if (w->all && w->all_count < w->all_room) w->all[w->all_count++] = *r;
    if (w->record && !record_frame(w->record, task, time, r)) w->failed = true;
    const double* times = w->files->times;
    for (int i = 0; i < w->files->time_count; i++) {
        bool first = isnan(w->taken[i]);
        if (!first && fabs(time - times[i]) >= fabs(w->taken[i] - times[i])) continue;
        w->taken[i] = time;
        w->results[i] = *r;
    }
    return !w->failed;
}

int track_writer_end(track_writer* w)
{
    if (!w->csv) return EXIT_GOOD;
    write_lines(w);
    bool failed = w->failed || fflush(w->csv) != 0;
    if (w->csv != stdout && fclose(w->csv) != 0) failed = true;
    w->csv = NULL;
    if (!failed) return EXIT_GOOD;
    fprintf(stderr, "%s: the file cannot be written\n", w->csv_path);
    return EXIT_BAD_INPUT;
}

static int open_csv(track_writer* w)
{
    const char* path = w->files->csv;
    bool standard = track_csv_is_standard(w->files);
    w->csv_path = standard ? "standard output" : path;
    errno = 0;
    w->csv = standard ? stdout : fopen(path, "wb");
    if (w->csv) {
        track_csv_head(&w->lines, w->task);
        return EXIT_GOOD;
    }
    fprintf(stderr, "%s: the file cannot be opened for writing%s\n", path, file_reason());
    return EXIT_BAD_INPUT;
}

static int no_memory(const char* what)
{
    fprintf(stderr, "witness track: no memory for %s: fewer frames\n", what);
    return EXIT_BAD_INPUT;
}

int track_writer_open(track_writer** writer, const track_files* files, const track_task* task, bool page)
{
    track_writer* w = *writer = calloc(1, sizeof *w);
    if (!w) return no_memory("what is written");
    w->files = files;
    w->task = task;
    for (int i = 0; i < TRACK_SNAPSHOTS_MOST; i++) w->taken[i] = NAN;
    w->record = page ? record_begin(task->world != NULL) : NULL;
    int code = files->csv ? open_csv(w) : EXIT_GOOD;
    if (!code && files->trails) {
        w->all_room = task->frames + 1;
        w->all = w->all_room < (int64_t)1 << 32 ? malloc((size_t)w->all_room * sizeof *w->all) : NULL;
        if (!w->all) code = no_memory("the trails");
    }
    if (!code) return EXIT_GOOD;
    track_writer_free(w);
    *writer = NULL;
    return code;
}

void track_writer_free(track_writer* w)
{
    if (!w) return;
    if (w->csv && w->csv != stdout) fclose(w->csv);
    out_free(&w->lines);
    free(w->all);
    record_free(w->record);
    free(w);
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

/* NAME-0.25s.svg, NAME as in --svg without its ending, or that of the scene without what a file name can't hold. */
static void snapshot_path(const track_writer* w, double time, char* to, size_t room)
{
    const char* svg = w->files->svg;
    char name[512];
    snprintf(name, sizeof name, "%s", svg ? svg : w->task->name);
    char* dot = strrchr(name, '.');
    if (svg && dot && !strcmp(dot, ".svg")) *dot = 0;
    for (char* c = name; !svg && *c; c++)
        if (*c == '/' || (unsigned char)*c < 0x20) *c = '_';
    snprintf(to, room, "%s-%.6gs.svg", name, time);
}

int track_write_pictures(const track_writer* w, const track_sum* sum, const track_series* series)
{
    const track_files* f = w->files;
    int code = EXIT_GOOD;
    out o = {0};
    if (f->svg) {
        wit_status status = track_chart(&o, w->task, sum, series);
        code = svg_finish(&o, status, f->svg);
    }
    if (!code && f->automaton) {
        wit_status status = track_automaton(&o, w->task, sum);
        code = svg_finish(&o, status, f->automaton);
    }
    for (int i = 0; i < f->time_count && !code; i++) {
        char path[640];
        snapshot_path(w, f->times[i], path, sizeof path);
        wit_status status = track_snapshot(&o, w->task, &f->view, w->taken[i], &w->results[i]);
        code = svg_finish(&o, status, path);
    }
    if (!code && f->trails) {
        wit_status status = track_trails(&o, w->task, &f->view, w->all, w->all_count);
        code = svg_finish(&o, status, f->trails);
    }
    return code;
}

int track_write_report(const track_writer* w, const wit_scene* scene, const track_sum* sum, report* page)
{
    const wit_model* const models[2] = {wit_scene_model(scene, 0), wit_scene_model(scene, 1)};
    if (!record_poses(w->record, w->task)) {
        fprintf(stderr, "%s: the run is not complete\n", w->files->report);
        return EXIT_BAD_INPUT;
    }
    report_run(page, w->task, sum, w->record, models);
    return report_write(page, w->files->report);
}
