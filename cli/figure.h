/* SPDX-License-Identifier: MIT */
/*
 * The pictures of the papers, made from our own computation: a list with a row for every caption, runs of scenes that are kept
 * frame by frame, stages (bodies with paths and marks about them), and pages of several panels.
 */
#ifndef CLI_FIGURE_H
#define CLI_FIGURE_H

#include "draw_body.h"
#include "draw.h"
#include "plot.h"
#include "track.h"

enum { FIGURE_PANELS = 12 };

/* A page under way: whole SVG pages that will stand side by side. */
typedef struct figure_page {
    out panel[FIGURE_PANELS];
    int count, columns; /* columns 0: the first at the left, the others below each other at the right */
    wit_error error;    /* why it failed */
} figure_page;

typedef wit_status figure_draw(figure_page* page);

typedef struct figure_row {
    const char* name;    /* "000-fig7" */
    const char* caption; /* what the paper shows, in short */
    figure_draw* draw;   /* null: `note` says why not */
    const char* note;    /* what ours shows and where it differs; with `draw` null, why there is none */
} figure_row;

/* All captions of the five papers. (figure_list.c) */
extern const figure_row figure_rows[];
extern const int figure_count;

/* The next panel, empty; null when there are too many. */
out* figure_panel(figure_page* page);
/* All panels on one page, lettered where there are several. (figure_page.c) */
void figure_compose(out* o, const figure_page* page, const char* title, const char* note);
void figure_release(figure_page* page);

/* ---- runs (figure_run.c) */

typedef struct figure_run {
    wit_scene* scene;
    track_task task;
    track_sum sum;
    track_series series;
    int64_t count, room;
    wit_result* r; /* of every frame */
    double* t;
    wit_pose* pose[2];
} figure_run;

/* What may differ from the scene. Zero: nothing. */
typedef struct figure_change {
    const char *law, *integrator;
    double gain, duration;
    wit_feedback feedback;
    bool world; /* the scene's dynamics move the bodies, and are kept */
} figure_change;

/* Reads scenes/NAME and runs it. figure_run_release is due in any case. */
wit_status figure_run_scene(figure_run* run, const char* name, const figure_change* change, wit_error* error);
void figure_run_release(figure_run* run);
/* The frame nearest to a time. */
int64_t figure_frame(const figure_run* run, double time);

/* ---- stages (figure_run.c) */

enum { STAGE_BODIES = 24, STAGE_WAYS = 400, STAGE_MARKS = 40 };

typedef struct figure_stage {
    const wit_body* bodies[STAGE_BODIES];
    wit_pose poses[STAGE_BODIES];
    int second[STAGE_BODIES];
    scene_way ways[STAGE_WAYS];
    scene_mark marks[STAGE_MARKS];
    char labels[STAGE_MARKS][32];
    int count, way_count, mark_count;
    bool failed, named;
    wit_vec3 toward;
    const wit_vec3* room; /* points that have to be on the page too */
    int room_count;
} figure_stage;

void stage_body(figure_stage* s, const wit_body* body, const wit_pose* pose, bool second);
/* Room for a line of that many points; null when there is none. */
wit_vec3* stage_way(figure_stage* s, int count, stroke style);
void stage_line(figure_stage* s, wit_vec3 from, wit_vec3 to, stroke style);
/* A line with a head. */
void stage_arrow(figure_stage* s, wit_vec3 from, wit_vec3 along, double head);
void stage_mark(figure_stage* s, wit_vec3 at, const char* text, bool star);
/* A name without a dot. */
void stage_name(figure_stage* s, wit_vec3 at, const char* text);
/* The paths of b and of the witness on a, and the gaps of every `every`-th frame. */
void stage_trails(figure_stage* s, const figure_run* run, int64_t every);
wit_status stage_draw(figure_stage* s, out* o, const char* title, const char* head, const char* unit);

/* ---- charts of a run (figure_run.c) */

enum { FIGURE_BANDS = 64 };

/* The modes of a run as bands. Returns how many. */
int figure_bands(const figure_run* run, plot_band bands[FIGURE_BANDS], char text[FIGURE_BANDS][24]);
/* What a chart shows, as a set. */
enum { CHART_DISTANCE = 1, CHART_PARAMETERS = 2, CHART_ERRORS = 4, CHART_SIGNED_ERRORS = 8 };
wit_status figure_chart(out* o, const figure_run* run, int what, const char* title, const char* head);

/* ---- pictures by paper */

figure_draw figure_000_2, figure_001_3, figure_001_4, figure_001_5, figure_003_1, figure_003_2;
figure_draw figure_000_1, figure_000_3, figure_000_4, figure_000_5, figure_000_6, figure_000_7, figure_000_8,
    figure_000_9;
figure_draw figure_001_1, figure_001_2, figure_001_6, figure_001_7, figure_001_8, figure_001_9, figure_001_10,
    figure_001_11, figure_001_12, figure_001_13, figure_001_14, figure_001_15, figure_001_16, figure_001_17,
    figure_001_18, figure_001_19, figure_001_20;
figure_draw figure_002_1, figure_002_2, figure_002_3, figure_002_4, figure_002_5, figure_004_6, figure_004_7;

#endif
