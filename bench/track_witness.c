/* SPDX-License-Identifier: MIT */
/* The tracker: as it comes, and without what looks beyond the pair (the front, re-acquisition). */
#include <stdlib.h>

#include "../include/witness/track.h"
#include "track.h"

typedef struct follower {
    const track_scene* scene;
    wit_tracker* tracker;
    wit_result last;
    int64_t jets;
    long frames;
} follower;

static void destroy(void* self)
{
    follower* f = self;
    wit_tracker_destroy(f->tracker);
    free(f);
}

static void run(void* self, long from, long to, double* out)
{
    follower* f = self;
    const track_scene* s = f->scene;
    int64_t jets = 0;
    for (long k = from; k < to; k++) {
        if (wit_tracker_step(f->tracker, &s->a[k], &s->b[k], s->dt, &f->last)) abort();
        out[k] = f->last.distance;
        jets += f->last.work.jets;
    }
    f->jets = jets;
    f->frames = to - from;
}

static double jets(void* self)
{
    const follower* f = self;
    return f->frames ? (double)f->jets / (double)f->frames : 0;
}

static void* create(const track_scene* scene, const wit_track_def* def)
{
    follower* f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->scene = scene;
    f->tracker = wit_tracker_create(scene->body[0], scene->body[1], def, NULL, NULL);
    if (f->tracker) return f;
    free(f);
    return NULL;
}

static void* create_default(const track_scene* scene)
{
    return create(scene, NULL);
}

/* Placed where the path begins, since it does not search. */
static void* create_local(const track_scene* scene)
{
    wit_track_def def = wit_track_default_def();
    def.reacquire = false;
    def.front = 0;
    follower* f = create(scene, &def);
    const double* x = scene->start[0];
    wit_witness a = {.feature = WIT_FACE, .u = x[0], .v = x[1]}, b = {.feature = WIT_FACE, .u = x[2], .v = x[3]};
    if (f) wit_tracker_place(f->tracker, &a, scene->body[1] ? &b : NULL);
    return f;
}

const track_contestant track_default = {"Witness", "witness", create_default, destroy, run, jets};
const track_contestant track_local = {"Witness, local only", "local", create_local, destroy, run, jets};
