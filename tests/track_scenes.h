/* SPDX-License-Identifier: MIT */
/* All scenes of the tree with their motions, trackers that run them, and a hash of a result. */
#ifndef TESTS_TRACK_SCENES_H
#define TESTS_TRACK_SCENES_H

#include "../include/witness/io.h"
#include "../include/witness/track.h"
#include "analytic.h"

enum { MOST_SCENES = 128, MOST_FRAMES = 1000 };

typedef struct show {
    char name[96];
    wit_scene* scene;
    wit_track_def def;
    int frames; /* the first of them stands at time 0; a tenth of MOST_FRAMES at most where sanitizers watch */
    bool whole; /* as many as the hashes are of */
    double dt;
    wit_motion* motion[2];
} show;

extern show shows[MOST_SCENES];
extern int show_count;

/* Set-up and tear-down of a group of tests. */
int open_shows(void** state);
int close_shows(void** state);

/* A tracker in memory of the test's own, placed as the scene says. */
wit_tracker* show_start(const show* s, const wit_track_def* def, void** memory, size_t* bytes);
void show_place(const show* s, wit_tracker* t); /* as the scene says; else nothing is done */
wit_status show_step(const show* s, wit_tracker* t, int k, wit_result* out);

/* Field by field: between them there may be anything. Enums by their meaning: the numbers that 0.1 had for the words. */
uint64_t mix_result(uint64_t hash, const wit_result* r);

#endif
