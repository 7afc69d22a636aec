/* SPDX-License-Identifier: MIT */
/* What the files of `witness track` share: a run of the tracker, what is kept of it, and how it is shown. */
#ifndef CLI_TRACK_H
#define CLI_TRACK_H

#include <stdio.h>

#include "../include/witness/io.h"
#include "../include/witness/track.h"
#include "out.h"
#include "plot.h"

typedef wit_status track_motion(const void* context, int side, double time, wit_motion* out);
typedef wit_status track_bounds(const void* context, int side, double from, double to, wit_motion_bounds* out);

/* The world of a scene with dynamics. */
typedef struct track_world track_world;
/* What is looked at between frames. */
typedef struct track_between track_between;

/* What is to be tracked. */
typedef struct track_task {
    const char* name;
    const wit_body* body[2]; /* a and b; b null: a point */
    const char* side[2];     /* names as shown */
    const char* unit;        /* "mm"; "" where there is none */
    track_motion* motion;
    track_bounds* bounds; /* of the motion; null: screws from frame to frame stand for it */
    const void* context;
    double rate;       /* frames per second */
    int64_t frames;    /* after the first, which stands at time 0 */
    wit_track_def def; /* without its law */
    wit_law_def law;
    bool placed; /* it starts from `start` */
    wit_witness start[2];
    track_world* world;     /* or null: bodies move as the scene says */
    track_between* between; /* or null: only frames are looked at */
} track_task;

/* How a step may end, in the order in which the summary tells it. */
enum { TRACK_OUTCOMES = 3 };
static const wit_outcome track_outcomes[TRACK_OUTCOMES] = {WIT_OUTCOME_CONVERGED, WIT_OUTCOME_OPEN, WIT_OUTCOME_BUDGET};

/* The figures of a run. Release by track_sum_release. */
typedef struct track_sum {
    int64_t frames;                              /* the first one too */
    double least, least_at, largest, largest_at; /* of the frames whose distance is known */
    int64_t unknown;                             /* frames in which the bodies overlap and no depth was found */
    wit_witness least_pair[2];
    bool touched;
    double touched_at;
    int64_t switches;
    int64_t ended[WIT_OUTCOME_COUNT], flags[WIT_FLAG_COUNT], reasons[WIT_REASON_COUNT]; /* frames with each */
    double model_tolerance;                                                             /* largest */
    double work;                                                                        /* units in all */
    int64_t work_worst, work_median, work_999; /* 999: of 999 in 1,000 frames at most */
    double work_worst_at;
    int64_t* work_of; /* each frame's, until the run has ended; then in order */
    int64_t work_room;
    double residual, residual_at; /* largest */
    double bracket;               /* largest distance - lower_bound of the certified frames */
    double drift;
    double iterations;
    int iterations_most; /* of one step */
    double findmin_iterations, findmin_pairs, findmin_saddles;
    int findmin_most; /* iterations of one pair */
    wit_transition* transitions;
    int64_t transition_count, transition_room;
} track_sum;

/* What charts are drawn from: one entry per frame. Release by track_series_release. */
typedef struct track_series {
    int64_t count, room;
    double *t, *distance, *lower, *x[WIT_MAX_PARAMETERS], *e[WIT_MAX_PARAMETERS];
    uint8_t* broken[2]; /* another feature of a, of b, from this frame on */
} track_series;

/* Called after every frame. False: stop. */
typedef bool track_sink(void* user, const track_task* task, double time, const wit_result* result);

/* ---- track_run.c */

/* Runs it all. `series` and `sink` may be null. WIT_OK, or a status with *error filled. */
wit_status track_run(const track_task* task, track_sum* sum, track_series* series, track_sink* sink, void* user,
                     wit_error* error);
void track_sum_release(track_sum* sum);
void track_series_release(track_series* series);
/* Frames that had the flag. */
int64_t track_flagged(const track_sum* sum, wit_flag flag);
double track_time(const track_task* task, int64_t frame);

/* "C3", or "edge 3" where it has no name; "point". */
void track_feature(const wit_body* body, wit_feature_kind kind, int id, char* to, size_t room);
/* "face-edge", with a star behind a side that is held at a border. */
void track_mode(const wit_result* r, char* to, size_t room);
/* "converged+certified" */
void track_outcome(const wit_result* r, char* to, size_t room);

/* All of the task but its motion: bodies, names, rate, settings and start of a scene. `path`: its name, where it has none. */
void track_task_of_scene(track_task* task, const wit_scene* scene, const char* path);
/* The motion of a scene, which is the context: a track_motion and its track_bounds. */
wit_status track_scene_motion(const void* scene, int side, double time, wit_motion* motion);
wit_status track_scene_bounds(const void* scene, int side, double from, double to, wit_motion_bounds* bounds);

/* ---- track_csv.c: the columns of docs/track.md, 17 digits; fields that a feature does not have are empty */

void track_csv_head(out* o, const track_task* task);
void track_csv_row(out* o, const track_task* task, double time, const wit_result* r);

/* ---- track_between.c */

/* Of the time from the frame before to this one. */
typedef enum track_gap {
    TRACK_GAP_NONE,   /* there is no frame before */
    TRACK_GAP_CLEAR,  /* proved: apart throughout */
    TRACK_GAP_TOUCH,  /* a touch begins within */
    TRACK_GAP_INSIDE, /* touching or inside already: nothing is asked */
    TRACK_GAP_OPEN,   /* not proved */
    TRACK_GAPS
} track_gap;

typedef struct track_gaps {
    int64_t count[TRACK_GAPS];
    wit_interval touch; /* bracket of the first touch that begins between frames; NAN: none */
    wit_sweep_outcome touch_outcome;
    bool touch_certified;
    bool touch_proved; /* all before it is proved */
    double work, queries;
} track_gaps;

/* `units`: of work in all. Null and *error without memory. */
track_between* track_between_make(int64_t units, wit_error* error);
void track_between_release(track_between* between);
/* After every frame, in order. */
wit_status track_between_frame(track_between* between, const track_task* task, double time, const wit_result* result);
track_gap track_between_last(const track_between* between);
const track_gaps* track_between_sum(const track_between* between);
/* "clear", ...; "" before the first frame. */
const char* track_gap_name(track_gap gap);

/* ---- track_dynamics.c */

enum { TRACK_WORLD_SERIES = 6, TRACK_WORLD_CHARTS = 3 };

/* `keep`: what pictures are made from. Null and *error on refusal. */
track_world* track_world_make(const wit_scene* scene, const track_task* task, bool keep, wit_error* error);
void track_world_release(track_world* world);
/* Frame 1 is the end of the first step. *result: of a and b. */
wit_status track_world_step(track_world* world, int64_t frame, double dt, wit_result* result, wit_error* error);
const wit_tracker* track_world_tracker(const track_world* world);
int64_t track_world_transitions(const track_world* world, wit_transition* list, int capacity);
/* A track_motion: where a and b were. */
wit_status track_world_motion(const void* world, int side, double time, wit_motion* motion);
/* Where they are after the last step, whether paths are kept or not. */
wit_status track_world_now(const track_world* world, int side, wit_motion* motion);
/* What a report keeps of the last step: gap, contact force, force on the device, kinetic and stored energy, the balance,
 * place of the device: 11 numbers. */
void track_world_record(const track_world* world, double* to);
void track_world_csv_head(out* o);
void track_world_csv_row(out* o, const track_world* world);
void track_world_text(out* o, const track_world* world, const track_sum* sum);
void track_world_json(out* o, const track_world* world);
/* Charts of force, energy and gap over the frames; how many. */
int track_world_charts(const track_world* world, plot_series series[TRACK_WORLD_SERIES],
                       plot_chart charts[TRACK_WORLD_CHARTS]);

/* ---- track_text.c, track_json.c */

void track_text(out* o, const track_task* task, const track_sum* sum);
void track_json(out* o, const track_task* task, const track_sum* sum);

/* ---- pictures; all append to *o. WIT_OK or WIT_ERROR_MEMORY */

/* Distance, parameters and projection errors over time, with marks at the hand-overs. (track_chart.c) */
wit_status track_chart(out* o, const track_task* task, const track_sum* sum, const track_series* series);
/* The features, how they adjoin, and the hand-overs between them as arrows with times. (track_automaton.c) */
wit_status track_automaton(out* o, const track_task* task, const track_sum* sum);
/* How bodies are looked at. All zero: from the front, the right and above, all of them. */
typedef struct track_view {
    wit_vec3 camera; /* towards the eye */
    double zoom;     /* snapshots: so many times larger, about the middle of the gap */
} track_view;

/* Both bodies where they are at a time, with the segment between the witnesses. (track_snapshot.c) */
wit_status track_snapshot(out* o, const track_task* task, const track_view* seen, double time, const wit_result* r);
/* The paths of both witnesses over all frames, with some of the gaps. (track_snapshot.c) */
wit_status track_trails(out* o, const track_task* task, const track_view* seen, const wit_result* r, int64_t count);

#endif
