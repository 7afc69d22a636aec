/* SPDX-License-Identifier: MIT */
/*
 * What it costs to prove every frame of two bodies that move apart: steps with the front, and without (front = 0). At 1 kHz.
 *
 *   bench_front [--count] [ROW]    all rows, or one
 *
 * Looks, jets and units of work are the same on every machine. Time is of the processor. With --count, under
 * valgrind --tool=callgrind, the instructions of each row are written under its name. Run from the root of the tree.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/io.h"
#include "../include/witness/track.h"
#include "counter.h"

enum { FRAMES = 3000, COUNTED = 300, WARM = 50 };

/* b begins at a pose, goes with a velocity and turns about an axis through its origin; or sways, by sines of both. */
typedef struct row {
    const char *name, *a, *b;
    wit_pose base;
    wit_vec3 velocity, axis;
    double rate;
    bool sway;
} row;

static const row rows[] = {
    {"pen-bowl-line", "bowl", "pen", {{0, -4, 12}, {1, 0, 0, 0}}, {0, 2.2, -2.2}, {1, 0, 0}, 0, false},
    {"pen-bowl-turn", "bowl", "pen", {{0, -4, 12}, {1, 0, 0, 0}}, {0, 0, 0}, {1, 0, 0}, 0.628, false},
    {"pen-bowl-askew", "bowl", "pen", {{1, -4, 12}, {1, 0, 0, 0}}, {0.7, 1.5, -0.4}, {0.8, 0.6, 0}, 0.4, false},
    {"gears", "gear-a", "gear-b", {{7.6, 0, 0}, {1, 0, 0, 0}}, {0, 0, 0}, {0, 0, 1}, 0.5, false},
    {"peg-over-plate", "plate", "peg", {{15, 20, 25}, {1, 0, 0, 0}}, {5, 3, 0}, {0, 1, 0}, 0.2, false},
    {"links",
     "torus",
     "torus",
     {{10, 0, 0}, {0.7071067811865476, 0.7071067811865476, 0, 0}},
     {3.3, 1, 1.2},
     {1, 0.2, 0},
     0.35,
     true},
};
enum { ROWS = sizeof rows / sizeof *rows };

static wit_quat turned(wit_vec3 axis, double angle)
{
    double s = sin(0.5 * angle) / sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
    return (wit_quat){cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

/* Gears: b rolls round a. */
static wit_pose pose_at(const row* r, double t)
{
    wit_pose p = r->base, turn = {{0, 0, 0}, {1, 0, 0, 0}};
    double x = r->sway ? sin(2 * t) : t, y = r->sway ? sin(3.1 * t + 0.5) : t, z = r->sway ? sin(1.3 * t + 1) : t;
    bool rolls = !strcmp(r->name, "gears");
    turn.rotation = turned(r->axis, rolls ? -0.5 * r->rate * t : r->rate * (r->sway ? sin(2.3 * t) : t));
    p = wit_pose_compose(&p, &turn);
    p.position = (wit_vec3){r->base.position.x + x * r->velocity.x, r->base.position.y + y * r->velocity.y,
                            r->base.position.z + z * r->velocity.z};
    if (rolls) p.position = (wit_vec3){r->base.position.x * cos(r->rate * t), r->base.position.x * sin(r->rate * t), 0};
    return p;
}

static wit_model* model_of(const char* name)
{
    char path[128];
    wit_error e = {0};
    snprintf(path, sizeof path, "models/%s.json", name);
    wit_model* m = wit_model_read_file(path, NULL, &e);
    if (m && wit_model_body_count(m) > 0) return m;
    fprintf(stderr, "bench_front: %s: %s\n", path, e.text);
    exit(2);
}

typedef struct figures {
    long certified;
    double looks, jets, units, mean, median;
} figures;

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void step_to(wit_tracker* t, const row* r, int k, wit_result* out)
{
    wit_motion a = {.pose = wit_pose_identity()}, b = {.pose = pose_at(r, 1e-3 * k)};
    if (wit_tracker_step(t, &a, &b, 1e-3, out)) exit(2);
}

static figures follow(const row* r, int front, int frames, const char* label)
{
    static double times[FRAMES];
    wit_model *ma = model_of(r->a), *mb = model_of(r->b);
    wit_track_def def = wit_track_default_def();
    def.front = front;
    wit_tracker* t = wit_tracker_create(wit_model_body(ma, 0), wit_model_body(mb, 0), &def, NULL, NULL);
    if (!t) exit(2);
    wit_result out;
    figures f = {0};
    for (int k = 0; k < WARM; ++k) step_to(t, r, k, &out);
    if (label) callgrind_start();
    for (int k = 0; k < frames; ++k) {
        double start = label ? 0 : counter_seconds();
        step_to(t, r, WARM + k, &out);
        times[k] = label ? 0 : 1e6 * (counter_seconds() - start);
        f.certified += (out.flags & WIT_FLAG_CERTIFIED) != 0;
        f.looks += (double)out.work.nodes / frames, f.jets += (double)out.work.jets / frames;
        f.units += (double)out.work.units / frames, f.mean += times[k] / frames;
    }
    if (label) callgrind_stop(label);
    qsort(times, (size_t)frames, sizeof *times, by_size);
    f.median = times[frames / 2];
    wit_tracker_destroy(t);
    wit_model_destroy(ma);
    wit_model_destroy(mb);
    return f;
}

int main(int argc, char** argv)
{
    bool count = argc > 1 && !strcmp(argv[1], "--count");
    const char* only = argc > 1 + count ? argv[1 + count] : NULL;
    int front = wit_track_default_def().front;
    if (!count)
        printf("Two bodies, every frame proved (front = 0: not)\n%-16s %10s %7s %7s %7s %10s %10s   front = 0: %10s\n",
               "", "certified", "looks", "jets", "units", "us median", "mean", "us median");
    for (int i = 0; i < ROWS; ++i) {
        if (only && strcmp(only, rows[i].name) != 0) continue;
        char label[64];
        if (count) {
            snprintf(label, sizeof label, "%s front %d", rows[i].name, COUNTED);
            follow(&rows[i], front, COUNTED, label);
            snprintf(label, sizeof label, "%s local %d", rows[i].name, COUNTED);
            follow(&rows[i], 0, COUNTED, label);
            continue;
        }
        figures with = follow(&rows[i], front, FRAMES, NULL), without = follow(&rows[i], 0, FRAMES, NULL);
        printf("%-16s %8.2f %% %7.1f %7.1f %7.1f %10.2f %10.2f %22.2f\n", rows[i].name,
               100.0 * (double)with.certified / FRAMES, with.looks, with.jets, with.units, with.median, with.mean,
               without.median);
    }
    return 0;
}
