/* SPDX-License-Identifier: MIT */
/* What the files of `witness closest` share: who is asked about, one question, one answer, and how it is written. */
#ifndef CLI_CLOSEST_H
#define CLI_CLOSEST_H

#include <stdio.h>

#include "../include/witness/io.h"
#include "../include/witness/query.h"
#include "../include/witness/track.h"
#include "command.h"
#include "out.h"
#include "points.h"

/* One of the two: a body of a model, all of it or some of its features. */
typedef struct closest_side {
    const char* path;
    wit_model* model;
    const wit_body* body;
    const char* name;      /* of the body, or of its model or file */
    const char* body_name; /* asked for by --body, or null */
    const char* only;      /* asked for by --only, or null */
    wit_mask mask;         /* where `only` is given */
    uint8_t* mask_bytes;   /* what the mask points to */
    wit_pose pose;         /* asked for by --pose: of the model */
    wit_pose stands;       /* of the body in its model */
    bool moved;            /* `stands` is not the identity */
} closest_side;

typedef struct closest_task {
    closest_side side[2]; /* a and b; b is used for pairs only */
    bool pair, all, contacts, json;
    wit_query_def def;
    const char* unit; /* " mm", "" for none */
    cad_options cad;
    double size;  /* of the smaller body: what a tolerance is relative to */
    int width[2]; /* of the columns of a batch: longest feature name */
} closest_task;

typedef struct closest_question {
    wit_pose pose[2];
    wit_vec3 point;
    long line; /* of the batch file, 0 for a single question */
} closest_question;

/* What one thread needs. Zeroed at first. */
typedef struct closest_worker {
    wit_query* query;
    wit_minimum* minima; /* of the last answer */
    int capacity;
} closest_worker;

typedef struct closest_answer {
    wit_status status;
    wit_closest closest;
    wit_minima_summary summary; /* --all: the minima are in the worker */
} closest_answer;

/* ---- closest_models.c */

/* Reads the models, chooses the bodies, makes the masks, compares the units. EXIT_GOOD, or what to end with after a
 * message. closest_release is due in any case. */
int closest_load(closest_task* task);
void closest_release(closest_task* task);

/* ---- closest_ask.c */

/* One of the two where the question puts it. */
wit_placed closest_placed(const closest_task* task, const closest_question* question, int side);
void closest_ask(const closest_task* task, closest_worker* worker, const closest_question* question,
                 closest_answer* answer);
/* Why the library refused, in words that fit the question. */
const char* closest_refusal(const closest_task* task, wit_status status);
void closest_worker_release(void* worker);
/* "C3", or "" where the feature has no name. */
const char* closest_feature_name(const closest_task* task, int side, const wit_witness* w);
/* Are there witnesses? */
bool closest_found(const wit_closest* c);

/* ---- closest_json.c and closest_text.c */

/* One object in one line. */
void closest_json(out* o, const closest_task* task, const closest_worker* worker, const closest_answer* answer);
/* Several lines. */
void closest_text(out* o, const closest_task* task, const closest_worker* worker, const closest_answer* answer);
/* A batch: the lines on top, one line per answer (--all: per minimum), and the sum. */
void closest_row_head(out* o, const closest_task* task);
void closest_row(out* o, const closest_task* task, const closest_worker* worker, const closest_question* question,
                 const closest_answer* answer);

typedef struct closest_sum {
    long queries, outcomes[WIT_OUTCOME_COUNT], certified, reasons[WIT_REASON_COUNT], complete, minima;
    double least, largest; /* distances, and the lines where they stand */
    long least_line, largest_line;
    int64_t nodes, most_nodes;
    long most_nodes_line;
} closest_sum;

void closest_sum_add(closest_sum* sum, const closest_task* task, long line, const closest_answer* answer);
void closest_sum_text(out* o, const closest_task* task, const closest_sum* sum);

/* ---- closest_contacts.c */

typedef struct closest_contact_list {
    double within;
    wit_result result;
    wit_contacts_state state;
    int count;
    const wit_tracked_contact* c;
} closest_contact_list;

/* Every contact of the pair, written. The exit code. */
int closest_contacts(const closest_task* task, const closest_question* question);
void closest_contacts_json(out* o, const closest_task* task, const closest_contact_list* list);
void closest_contacts_text(out* o, const closest_task* task, const closest_contact_list* list);

/* ---- batch.c and closest_points.c */

/* Where many questions come from ("-": standard input), and where their answers go. */
typedef struct closest_files {
    const char* from;
    points_format format;
    const char* to; /* a file of rows; null: standard output */
} closest_files;

/* All questions of the file, over `threads` threads. The exit code. */
int closest_batch(const closest_task* task, const closest_files* files, int threads);
/* The points, answered into the file. */
int closest_points(const closest_task* task, const point_list* list, const closest_files* files, int threads);

#endif
