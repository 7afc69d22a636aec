/* SPDX-License-Identifier: MIT */
/*
 * Steps of the tracker along the paths of bench_track, for bench/against, which compiles this file with the headers and the
 * library of two states and runs the two programs in turn. So only names that both states have may stand here.
 *
 *     against list              the keys of the scenes
 *     against time NUMBER       ns per step, of a slice of whole laps; and a hash of the distances of one lap
 *     against count             under callgrind: instructions of COUNTED steps of each scene, as it comes; and as KEY/usual
 *                               without what looks beyond the pair, so that every step is the usual one
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/track.h"
#include "counter.h"
#include "track_scenes.h"

enum { COUNTED = 1024, WARM = 64 };
static const double SLICE = 0.05; /* seconds */

static void run(wit_tracker* t, const track_scene* s, long from, long to, uint64_t* hash)
{
    wit_result r;
    for (long k = from; k < to; k++) {
        if (wit_tracker_step(t, &s->a[k], &s->b[k], s->dt, &r)) abort();
        if (!hash) continue;
        uint64_t bits;
        memcpy(&bits, &r.distance, sizeof bits);
        *hash = (*hash ^ bits) * 0x100000001b3u;
    }
}

static void print_time(wit_tracker* t, const track_scene* s)
{
    uint64_t hash = 0xcbf29ce484222325u;
    run(t, s, 0, TRACK_FRAMES, &hash);
    double taken = 0;
    long laps = 0;
    for (; taken < SLICE; laps++) {
        double start = counter_seconds();
        run(t, s, 0, TRACK_FRAMES, NULL);
        taken += counter_seconds() - start;
    }
    printf("%.2f %016llx\n", 1e9 * taken / (double)(laps * TRACK_FRAMES), (unsigned long long)hash);
}

static void count(wit_tracker* t, const track_scene* s, const char* what)
{
    char label[96];
    snprintf(label, sizeof label, "%s%s %d", s->key, what, (int)COUNTED);
    run(t, s, 0, WARM, NULL); /* the first step searches */
    callgrind_start();
    run(t, s, WARM, WARM + COUNTED, NULL);
    callgrind_stop(label);
}

/* Placed where the path begins, since it does not search. */
static bool count_usual(const track_scene* s)
{
    wit_track_def def = wit_track_default_def();
    def.reacquire = false;
    def.front = 0;
    wit_tracker* t = wit_tracker_create(s->body[0], s->body[1], &def, NULL, NULL);
    if (!t) return false;
    const double* x = s->start[0];
    wit_witness a = {.feature = WIT_FACE, .u = x[0], .v = x[1]}, b = {.feature = WIT_FACE, .u = x[2], .v = x[3]};
    wit_tracker_place(t, &a, s->body[1] ? &b : NULL);
    count(t, s, "/usual");
    wit_tracker_destroy(t);
    return true;
}

int main(int argc, char** argv)
{
    static track_stage stage;
    bool list = argc == 2 && !strcmp(argv[1], "list"), counting = argc == 2 && !strcmp(argv[1], "count");
    bool timing = argc == 3 && !strcmp(argv[1], "time");
    if (!list && !counting && !timing) return 2;
    for (int i = 0; i < TRACK_SCENES; i++) {
        if (timing && i != (int)strtol(argv[2], NULL, 10)) continue;
        if (!track_stage_make(i, false, &stage)) return 1;
        const track_scene* s = &stage.scene;
        wit_tracker* t = wit_tracker_create(s->body[0], s->body[1], NULL, NULL, NULL);
        if (!t) return 1;
        if (list) printf("%s\n", s->key);
        if (counting) count(t, s, "");
        if (counting && !count_usual(s)) return 1;
        if (timing) print_time(t, s);
        wit_tracker_destroy(t);
        track_stage_free(&stage);
    }
    return 0;
}
