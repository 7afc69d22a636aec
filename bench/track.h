/* SPDX-License-Identifier: MIT */
/* What bench_track measures: followers of a closest pair along a closed path, one answer per frame. */
#ifndef BENCH_TRACK_H
#define BENCH_TRACK_H

#include "../include/witness/body.h"
#include "../include/witness/geom.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum track_kind { TRACK_POINT, TRACK_PATCHES, TRACK_ELLIPSOIDS } track_kind;

/* Frame `count` is frame 0 again: a follower may run round and round. */
typedef struct track_scene {
    const char *name, *key;
    track_kind kind;
    const wit_surface_def* surface[2]; /* NURBS of a and b; null: an analytic ellipsoid, or b is a point */
    wit_vec3 axes[2];                  /* of ellipsoids */
    const wit_body* body[2];           /* b null: a point */
    double size;                       /* of the smaller body */
    long count;
    double dt;
    const wit_motion *a, *b;
    const double (*start)[4]; /* parameters u, v (of a), r, s (of b) in the frames -1, -2, -3 */
} track_scene;

typedef struct track_contestant {
    const char* name;
    const char* key; /* one word, for the table of instruction counts */
    /* Null when it does not play in this scene or this build. The scene outlives the result. */
    void* (*create)(const track_scene* scene);
    void (*destroy)(void* self);
    /* Frames from .. to - 1 in turn, after frame from - 1 (or, at 0, the last); their distances into out[from] ... */
    void (*run)(void* self, long from, long to, double* out);
    /* Mean jets of the last run; null: not counted. */
    double (*jets)(void* self);
} track_contestant;

extern const track_contestant track_default, track_local; /* Witness; without front and re-acquisition */
extern const track_contestant track_floor, track_floor_ellipsoids;
extern const track_contestant track_s1775;                 /* with BENCH_SISL */
extern const track_contestant track_next_uv, track_locate; /* with BENCH_OCCT */
extern const track_contestant track_fcl;                   /* with BENCH_FCL */
extern const track_contestant track_bullet;                /* with BENCH_BULLET */

#ifdef __cplusplus
}
#endif

#endif
