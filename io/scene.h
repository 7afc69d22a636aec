/* SPDX-License-Identifier: MIT */
/* The record behind wit_scene, and what its readers share. */
#ifndef IO_SCENE_H
#define IO_SCENE_H

#include "../include/witness/io.h"
#include "json.h"
#include "memory.h"
#include "motion.h"

#define SCENE_MAX_NAME 255
#define SCENE_MAX_FRAMES 1e9

typedef struct scene_side {
    const char* name;
    wit_model* model; /* null: a point. Of b it may be that of a */
    const wit_body* body;
    wit_pose place; /* of the body in its model */
    motion_record motion;
} scene_side;

/* The section "dynamics". In the pool; models of the objects are freed by wi_scene_dynamics_free. */
typedef struct scene_dynamics {
    wit_haptic_def def; /* its lists are those below */
    wit_haptic_body_def* bodies;
    scene_side* objects; /* bodies from 2 on */
    int object_count;
    wit_haptic_pair_def* pairs;
    int pair_count;
    wit_haptic_keep* keeps; /* one of each pair, or null */
    wit_two_link_arm arm;
    wit_system system;
    bool has_device, has_human;
    motion_record device;
    wit_human human;
} scene_dynamics;

struct wit_scene {
    memory_pool pool;
    const char* name;
    const char* note;
    wit_unit unit;
    scene_side sides[2];
    double rate, duration;
    int64_t frames;
    wit_track_def track; /* without its law */
    wit_law_def law;
    bool starts;
    wit_witness start[2];
    int snapshot_count;
    double* snapshots;
    scene_dynamics* dynamics; /* or null */
};

typedef struct scene_reader {
    const json_doc* doc;
    wit_scene* scene;
    wit_error* error;
    const char* directory; /* where relative file names start; "" : the working directory */
    wit_model_load_function* load;
    void* user;
    /* Of an assembly: instead of `load`; it converts to the unit where it can. */
    wit_assembly_load_function* load_in_unit;
    wit_unit unit;
} scene_reader;

/* ---- keys. Tables, so that the schema can be tested against them ---- */

typedef struct scene_key {
    const char* key;
    unsigned required, optional; /* kinds that must, and that may, have it: bits */
} scene_key;

const scene_key* wi_scene_keys(int* count);
const scene_key* wi_scene_side_keys(int* count); /* kind 0: a body, 1: a point */
const scene_key* wi_scene_motion_keys(int* count);
const scene_key* wi_scene_wave_keys(int* count);
const scene_key* wi_scene_gain_keys(int* count);  /* kind 0: each, 1: matrix */
const scene_key* wi_scene_start_keys(int* count); /* kind: wit_feature_kind */
/* The keys of "track", or with `findmin` of "track.findmin"; null past the last. */
const char* wi_scene_track_key(bool findmin, int index);

/* ---- values ---- */

static inline const json_token* scene_token(const scene_reader* r, size_t token)
{
    return &r->doc->tokens[token];
}

/* Fills at[i] with the value of key i, 0 where it is not given. Refuses what is no object, unknown and missing keys.
 * `what` as in "a motion of kind still". */
wit_status wi_scene_object(scene_reader* r, size_t token, const char* what, const scene_key* keys, int count, int kind,
                           size_t* at);
wit_status wi_scene_expect(scene_reader* r, size_t token, json_type type);
/* A number from lo to hi. */
wit_status wi_scene_number(scene_reader* r, size_t token, double lo, double hi, double* out);
/* A positive one up to hi. */
wit_status wi_scene_positive(scene_reader* r, size_t token, double hi, double* out);
/* The same, or the word "infinity". */
wit_status wi_scene_limit(scene_reader* r, size_t token, double lo, double* out);
wit_status wi_scene_whole(scene_reader* r, size_t token, double lo, double hi, int64_t* out);
wit_status wi_scene_flag(scene_reader* r, size_t token, bool* out);
/* n numbers of at most MOTION_MAX_NUMBER; `what` as in "[x, y, z]". */
wit_status wi_scene_numbers(scene_reader* r, size_t token, uint32_t n, const char* what, double* out);
wit_status wi_scene_vector(scene_reader* r, size_t token, wit_vec3* out);
/* A direction: not zero; made a unit vector. */
wit_status wi_scene_axis(scene_reader* r, size_t token, wit_vec3* out);
wit_status wi_scene_rotation(scene_reader* r, size_t token, wit_quat* out);
/* [x, y, z] or [x, y, z, qw, qx, qy, qz] */
wit_status wi_scene_pose(scene_reader* r, size_t token, wit_pose* out);
/* Text without control characters (with `lines`, line breaks and tabs may be in it), in the pool. */
wit_status wi_scene_string(scene_reader* r, size_t token, size_t limit, bool lines, const char** out);
/* One of the names; `what` as in "law". */
wit_status wi_scene_choice(scene_reader* r, size_t token, const char* what, const char* const* names, int count,
                           int* out);
wit_status wi_scene_no_memory(scene_reader* r, size_t token);

/* ---- parts ---- */

/* The path of a file that the scene names, in the pool. */
wit_status wi_scene_file(scene_reader* r, size_t token, const char** out);
/* Refuses at the token of a file's name what went wrong in that file: error->item begins with its path. */
wit_status wi_scene_refuse_file(scene_reader* r, size_t token, const char* path);

/* Fills an error that is not in the text. */
void wi_scene_refuse_call(wit_error* error, wit_status status, const char* item, const char* text, const char* reason);
/* The text of a file, and its directory, of strlen(path) + 1 bytes, to be given back. False: refused. */
bool wi_scene_open(const char* path, const wit_allocator* allocator, json_doc* doc, char** directory, wit_error* error);
/* Reads the model of that file. */
wit_status wi_scene_load_model(scene_reader* r, size_t token, wit_model** out);

/* Which: 0 is a, 1 is b, 2 another. */
wit_status wi_scene_read_side(scene_reader* r, size_t token, scene_side* side, int which);
wit_status wi_scene_read_motion(scene_reader* r, size_t token, motion_record* m);
wit_status wi_scene_read_track(scene_reader* r, size_t token);
wit_status wi_scene_read_start(scene_reader* r, size_t token);
/* A place on a and one on b, at the start of their motions; of a point where it is. */
wit_status wi_scene_read_places(scene_reader* r, size_t token, const char* what, wit_witness out[2]);
wit_status wi_scene_read_dynamics(scene_reader* r, size_t token);
void wi_scene_dynamics_free(scene_dynamics* d); /* accepts null */
/* Key `index` of table `table` of the section, the table's name in the schema and how many kinds it has. False past the last
 * key; *name is set for every table that is there. */
bool wi_scene_dynamics_key(int table, int index, const char** name, int* kinds, scene_key* out);
/* The settings against the bodies, as a tracker would refuse them. */
wit_status wi_scene_check_track(scene_reader* r, size_t token);

#endif
