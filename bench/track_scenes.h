/* SPDX-License-Identifier: MIT */
/* The paths of bench_track. */
#ifndef BENCH_TRACK_SCENES_H
#define BENCH_TRACK_SCENES_H

#include "../include/witness/query.h"
#include "surfaces.h"
#include "track.h"

enum { TRACK_SCENES = 8, TRACK_FRAMES = 4096 };

typedef struct track_stage {
    track_scene scene; /* points into what is below: do not copy */
    bench_surface surface[2];
    wit_body* body[2];
    wit_motion a[TRACK_FRAMES], b[TRACK_FRAMES];
    double start[3][4];
    double truth[TRACK_FRAMES]; /* by the cold query, to 1e-12; NaN in the frames between */
    bool seam;                  /* the witness runs over the seam: the floor cannot follow */
} track_stage;

/*
 * 0 to 2: a point along the figure of eight over the three surfaces; 3: round the torus and over its seam; 4, 5: two
 * patches of Table I, and two of 20x20 points, face to face; 6, 7: two ellipsoids, analytic and as NURBS. Steps of
 * about 1e-3 of the size. Without `truth` all of that is NaN. False: a body was refused.
 */
bool track_stage_make(int which, bool truth, track_stage* out);
void track_stage_free(track_stage* s);

#endif
