/* SPDX-License-Identifier: MIT */
/* Whole bodies tracked along smooth paths, every frame held against the cold query. */
#ifndef TESTS_TRACK_WHOLE_H
#define TESTS_TRACK_WHOLE_H

#include "../include/witness/track.h"
#include "random.h"

/* A smooth motion: three harmonics in each coordinate, and a spin about a fixed axis. */
typedef struct smooth_path {
    wit_vec3 centre, amplitude[3], phase[3];
    double rate[3];
    wit_vec3 axis;
    double turn, spin; /* radians, radians per second */
} smooth_path;

/* Within the box centre +- half, at speeds of about `speed` (length per second). */
smooth_path smooth_random(rng* r, wit_vec3 centre, wit_vec3 half, double speed);
wit_vec3 smooth_point(const smooth_path* p, double t);
/* The motion at t, twist unknown. */
wit_motion smooth_motion(const smooth_path* p, double t, bool turning);

/* What a run showed. */
typedef struct whole_tally {
    long frames;
    long wrong;      /* farther from the cold answer than the tolerance */
    long silent;     /* wrong, and called certified */
    long open;       /* not converged */
    long other;      /* another feature than the cold query names, at another point */
    long no_minimum; /* converged at something that is no minimum */
    long switched, jumped, fell_back, reacquired, cycles;
    long raised;               /* hand-overs that raised the distance beyond the tolerance of the edge */
    long broken;               /* hand-overs that do not start where the last one ended */
    double worst;              /* error, relative to max(distance, size) */
    double jump_gap;           /* the largest change of the distance at a jump, relative likewise */
    int64_t jets, units, most; /* work: jets, units, the most units in one step */
} whole_tally;

#define WHOLE_TOLERANCE 1e-12

/* One tracker and the query beside it. */
typedef struct whole_run {
    const wit_body *a, *b;
    double size;
    wit_tracker* tracker;
    wit_query* query;
    double tolerance; /* relative; WHOLE_TOLERANCE unless changed */
    double slack;     /* added, a length: by so much the cold answer may differ by edges off their faces */
    bool quiet;       /* does not print the frames that are wrong */
    int64_t seen;     /* transitions */
    wit_witness last[2];
    whole_tally tally;
    wit_closest cold; /* of the last frame */
    wit_result result;
} whole_run;

whole_run whole_start(const wit_body* a, const wit_body* b, const wit_track_def* def);
/* A frame, tracked and asked cold. */
void whole_step(whole_run* w, const wit_motion* a, const wit_motion* b, double dt);
/* Forgets what was tracked. */
void whole_again(whole_run* w);
void whole_add(whole_tally* sum, const whole_tally* t);
void whole_print(const char* name, const whole_tally* t);
void whole_end(whole_run* w);

#endif
