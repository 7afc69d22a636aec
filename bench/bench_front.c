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

/*
 * b begins at a pose, goes with a velocity and turns about an axis through its origin. SWAY: by sines of both. ROLL: rolls round a. ROUND: the
 * middle of its box goes round that of a's, at velocity.x times the mean of both sizes, by one size of the smaller a second. FIRST: it is a that
 * moves, a degree a step.
 */
typedef enum how { LINE, SWAY, ROLL, ROUND, FIRST } how;

typedef struct row {
    const char *name, *a, *b;
    wit_pose base;
    wit_vec3 velocity, axis;
    double rate;
    how how;
} row;

static const row rows[] = {
    {"pen-bowl-line", "bowl", "pen", {{0, -4, 12}, {1, 0, 0, 0}}, {0, 2.2, -2.2}, {1, 0, 0}, 0, LINE},
    {"pen-bowl-turn", "bowl", "pen", {{0, -4, 12}, {1, 0, 0, 0}}, {0, 0, 0}, {1, 0, 0}, 0.628, LINE},
    {"pen-bowl-askew", "bowl", "pen", {{1, -4, 12}, {1, 0, 0, 0}}, {0.7, 1.5, -0.4}, {0.8, 0.6, 0}, 0.4, LINE},
    {"gears", "gear-a", "gear-b", {{7.6, 0, 0}, {1, 0, 0, 0}}, {0, 0, 0}, {0, 0, 1}, 0.5, ROLL},
    {"peg-over-plate", "plate", "peg", {{15, 20, 25}, {1, 0, 0, 0}}, {5, 3, 0}, {0, 1, 0}, 0.2, LINE},
    {"links",
     "torus",
     "torus",
     {{10, 0, 0}, {0.7071067811865476, 0.7071067811865476, 0, 0}},
     {3.3, 1, 1.2},
     {1, 0.2, 0},
     0.35,
     SWAY},
    {"fig5", "pen", "bowl", {{0, -4, 12}, {1, 0, 0, 0}}, {0, 0, 0}, {1, 0, 0}, 1.0471975511965976, FIRST},
    {"patch-ellipsoid", "table1", "ellipsoid", {{0, 0, 0}, {1, 0, 0, 0}}, {0.75, 0, 0}, {0.3, 1, 0.2}, 0.7, ROUND},
    {"box-cylinder", "box", "cylinder", {{0, 0, 0}, {1, 0, 0, 0}}, {1, 0, 0}, {0.3, 1, 0.2}, 0.7, ROUND},
    {"leg-pulley",
     "lower_leg_structure_base",
     "transmission_pulley_at3_t10_motor",
     {{0, 0, 0}, {1, 0, 0, 0}},
     {0.7, 0, 0},
     {0.3, 1, 0.2},
     0.7,
     ROUND},
    {"leg-foot",
     "lower_leg_structure_base",
     "foot_structure",
     {{0, 0, 0}, {1, 0, 0, 0}},
     {0.8, 0, 0},
     {0.3, 1, 0.2},
     0.7,
     ROUND},
    {"foot-screw",
     "foot_structure",
     "M6-1x12-countersunk-screw",
     {{0, 0, 0}, {1, 0, 0, 0}},
     {0.8, 0, 0},
     {0.3, 1, 0.2},
     0.7,
     ROUND},
};
enum { ROWS = sizeof rows / sizeof *rows };

static wit_quat turned(wit_vec3 axis, double angle)
{
    double s = sin(0.5 * angle) / sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
    return (wit_quat){cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

static wit_vec3 middle_of(const wit_body* body)
{
    wit_box box = wit_body_describe(body).box;
    return (wit_vec3){0.5 * (box.lo.x + box.hi.x), 0.5 * (box.lo.y + box.hi.y), 0.5 * (box.lo.z + box.hi.z)};
}

static wit_pose round_pose(const row* r, const wit_body* a, const wit_body* b, double t)
{
    double of_a = wit_body_describe(a).size, of_b = wit_body_describe(b).size;
    double apart = 0.5 * r->velocity.x * (of_a + of_b), angle = 0.4 + t * (of_a < of_b ? of_a : of_b) / apart;
    double tilt = 0.5 * sin(0.3 + 0.8 * t);
    wit_pose p = {{0, 0, 0}, turned(r->axis, 1 + r->rate * t)};
    wit_vec3 from = wit_pose_vector(&p, middle_of(b)), to = middle_of(a);
    p.position = (wit_vec3){to.x + apart * cos(tilt) * cos(angle) - from.x,
                            to.y + apart * cos(tilt) * sin(angle) - from.y, to.z + apart * sin(tilt) - from.z};
    return p;
}

static wit_pose pose_at(const row* r, const wit_body* a, const wit_body* b, double t)
{
    wit_pose p = r->base, turn = {{0, 0, 0}, {1, 0, 0, 0}};
    bool sways = r->how == SWAY;
    double x = sways ? sin(2 * t) : t, y = sways ? sin(3.1 * t + 0.5) : t, z = sways ? sin(1.3 * t + 1) : t;
    double reach = r->base.position.x;
    if (r->how == ROUND) return round_pose(r, a, b, t);
    turn.rotation = turned(r->axis, r->how == ROLL ? -0.5 * r->rate * t : r->rate * (sways ? sin(2.3 * t) : t));
    p = wit_pose_compose(&p, &turn);
    p.position = (wit_vec3){r->base.position.x + x * r->velocity.x, r->base.position.y + y * r->velocity.y,
                            r->base.position.z + z * r->velocity.z};
    if (r->how == ROLL) p.position = (wit_vec3){reach * cos(r->rate * t), reach * sin(r->rate * t), 0};
    return p;
}

/* Of models/, or of the parts that bench/parts imported. Null: not there. */
static wit_model* model_of(const char* name)
{
    static const char* const places[] = {"models", "build/bench/parts"};
    char path[256];
    for (int i = 0; i < 2; ++i) {
        wit_error e = {0};
        snprintf(path, sizeof path, "%s/%s.json", places[i], name);
        wit_model* m = wit_model_read_file(path, NULL, &e);
        if (m && wit_model_body_count(m) > 0) return m;
    }
    return NULL;
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

static void step_to(wit_tracker* t, const row* r, const wit_body* const body[2], int k, wit_result* out)
{
    double dt = r->how == FIRST ? 1.0 / 60 : 1e-3;
    wit_motion still = {.pose = wit_pose_identity()}, moves = {.pose = pose_at(r, body[0], body[1], dt * k)};
    bool first = r->how == FIRST;
    if (wit_tracker_step(t, first ? &moves : &still, first ? &still : &moves, dt, out)) exit(2);
}

static figures follow(const row* r, const wit_body* const body[2], int front, int frames, const char* label)
{
    static double times[FRAMES];
    wit_track_def def = wit_track_default_def();
    def.front = front;
    wit_tracker* t = wit_tracker_create(body[0], body[1], &def, NULL, NULL);
    if (!t) exit(2);
    wit_result out;
    figures f = {0};
    for (int k = 0; k < WARM; ++k) step_to(t, r, body, k, &out);
    if (label) callgrind_start();
    for (int k = 0; k < frames; ++k) {
        double start = label ? 0 : counter_seconds();
        step_to(t, r, body, WARM + k, &out);
        times[k] = label ? 0 : 1e6 * (counter_seconds() - start);
        f.certified += (out.flags & WIT_FLAG_CERTIFIED) != 0;
        f.looks += (double)out.work.nodes / frames, f.jets += (double)out.work.jets / frames;
        f.units += (double)out.work.units / frames, f.mean += times[k] / frames;
    }
    if (label) callgrind_stop(label);
    qsort(times, (size_t)frames, sizeof *times, by_size);
    f.median = times[frames / 2];
    wit_tracker_destroy(t);
    return f;
}

static void print_row(const row* r, const wit_body* const body[2], bool count)
{
    int front = wit_track_default_def().front;
    char label[64];
    if (count) {
        for (int k = 0; k < 2; ++k) {
            snprintf(label, sizeof label, "%s %s %d", r->name, k ? "local" : "front", COUNTED);
            follow(r, body, k ? 0 : front, COUNTED, label);
        }
        return;
    }
    figures with = follow(r, body, front, FRAMES, NULL), without = follow(r, body, 0, FRAMES, NULL);
    printf("%-16s %8.2f %% %7.1f %7.1f %7.1f %10.2f %10.2f %12.2f\n", r->name, 100.0 * (double)with.certified / FRAMES,
           with.looks, with.jets, with.units, with.median, with.mean, without.median);
}

int main(int argc, char** argv)
{
    bool count = argc > 1 && !strcmp(argv[1], "--count");
    const char* only = argc > 1 + count ? argv[1 + count] : NULL;
    if (!count)
        printf("Two bodies, every frame proved (front = 0: not)\n%-16s %10s %7s %7s %7s %10s %10s %12s\n", "",
               "certified", "looks", "jets", "units", "us median", "mean", "front = 0");
    for (int i = 0; i < ROWS; ++i) {
        if (only && strcmp(only, rows[i].name) != 0) continue;
        wit_model *ma = model_of(rows[i].a), *mb = model_of(rows[i].b);
        if (ma && mb) {
            const wit_body* const body[2] = {wit_model_body(ma, 0), wit_model_body(mb, 0)};
            print_row(&rows[i], body, count);
        } else {
            printf("SKIPPED: %s: a model is not there (bench/parts makes those of parts)\n", rows[i].name);
        }
        wit_model_destroy(ma);
        wit_model_destroy(mb);
    }
    return 0;
}
