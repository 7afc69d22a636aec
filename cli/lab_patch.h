/* SPDX-License-Identifier: MIT */
/* A point that stands still above one face of a body: what the experiments on laws are made with. */
#ifndef CLI_LAB_PATCH_H
#define CLI_LAB_PATCH_H

#include "../include/witness/io.h"
#include "options.h"

typedef struct lab_patch {
    const char *command, *path;        /* of the model; for messages */
    const char *body_name, *face_name; /* asked for, or null: the only body, the first face */
    wit_vec3 point;
    wit_model* model;
    const wit_body* body;
    int face;
    wit_interval u, v;
    const char* unit; /* "mm", "" for none */
    double at[2];     /* the closest point of the closed face */
    double distance;
    bool inside; /* it is not on the border of the face */
} lab_patch;

/* Reads the model, chooses body and face, and finds the closest point. An exit code; lab_patch_release is due in any
 * case. */
int lab_patch_load(lab_patch* p);
void lab_patch_release(lab_patch* p);

/* The next option; a word is the model. OPTION_END, or OPTION_WRONG after a message: a second word, or as option_next. */
int lab_patch_next(option_reader* r, lab_patch* p);
/* Were the model and the point (option `point`) given? False after a message. */
bool lab_patch_complete(const option_reader* r, const lab_patch* p, int point);
/* Options that all of these take: false after a message. */
bool lab_patch_point(const option_reader* r, lab_patch* p);

/* Largest difference of the parameters from the closest point, in widths of the face. */
double lab_patch_off(const lab_patch* p, double u, double v);
/* Both places as wit_kinematics_at takes them. */
void lab_patch_places(const lab_patch* p, double u, double v, wit_moving_place* a, wit_moving_place* b);

/* A tracker on the face, which it never leaves: switching none. */
typedef struct lab_tracker {
    wit_tracker* tracker;
    wit_motion body, point;
    double dt;
    int face;
    bool looks; /* the first frame of the law is its start: no step */
} lab_tracker;

/* The def's switching is set to none. False: refused, *error says why. */
bool lab_tracker_make(lab_tracker* t, const lab_patch* p, const wit_track_def* def, const wit_law_def* law, double dt,
                      wit_error* error);
void lab_tracker_release(lab_tracker* t);
/* Starts anew at (u, v). */
wit_status lab_tracker_start(lab_tracker* t, double u, double v);
wit_status lab_tracker_step(lab_tracker* t, wit_result* out);

#endif
