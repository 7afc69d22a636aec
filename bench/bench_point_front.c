/* SPDX-License-Identifier: MIT */
/*
 * What it costs to prove every frame of a point that moves over the three surfaces: steps with the front, without it (local), and
 * the bare floor. At 1e-3 and at 1e-4 of the size a frame.
 *
 *   bench_point_front                       times
 *   bench_point_front --count [ROW]         under valgrind --tool=callgrind: instructions, under the names of rows and contestants
 *   bench_point_front --instructions FILE   times, beside such counts; bench/run makes them by --count
 *
 * Looks, jets and units of work are the same on every machine. Time is of the processor, the least of some rounds in turn.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/body.h"
#include "../include/witness/track.h"
#include "../src/base/vec.h"
#include "counter.h"
#include "surfaces.h"
#include "track.h"

#define PI 3.1415926535897932384626433832795
enum { LAP = 4096, SPEEDS = 2, COUNTED = 2048, WARM = 512, ROUNDS = 5, BLOCK = 4096 };
static const char* const keys[BENCH_SURFACES] = {"table1", "rational20", "torus"};
static const int finer[SPEEDS] = {1, 10};

typedef struct row {
    char key[32];
    bench_surface surface;
    wit_body* body;
    track_scene scene;
    wit_motion *a, *b;
    double start[3][4];
} row;

static void* reserve(size_t bytes)
{
    void* p = calloc(1, bytes);
    if (!p) exit(2);
    return p;
}

static wit_body* sheet_of(const wit_surface_def* def)
{
    wit_surface* s = wit_surface_create(def, NULL, NULL);
    if (!s) exit(2);
    wit_face_def face = {.surface = s};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET);
    d.face_count = 1;
    d.faces = &face;
    wit_body* b = wit_body_create(&d, NULL, NULL);
    wit_surface_destroy(s);
    if (!b) exit(2);
    return b;
}

/* The path of bench_track: a figure of eight over the surface, above it by 0.01 to 0.03 of the size. */
static void make_row(int surface, int speed, row* r)
{
    snprintf(r->key, sizeof r->key, "%s-%d", keys[surface], 3 + speed);
    bench_surface_make(surface, &r->surface);
    r->body = sheet_of(&r->surface.def);
    long count = (long)LAP * finer[speed];
    double* uv = reserve(2 * (size_t)count * sizeof *uv);
    r->a = reserve((size_t)count * sizeof *r->a);
    r->b = reserve((size_t)count * sizeof *r->b);
    bench_path(&r->surface, count, uv);
    wit_face_info f = wit_body_face(r->body, 0);
    double size = wit_body_describe(r->body).size;
    for (long k = 0; k < count; ++k) {
        wit_surface_jet jet;
        wit_vec3 n = {0, 0, 0};
        wit_surface_eval(f.surface, uv[2 * k], uv[2 * k + 1], 0, NULL, &jet);
        wit_body_face_normal(r->body, 0, uv[2 * k], uv[2 * k + 1], &n);
        r->a[k] = r->b[k] = wit_motion_at_rest(wit_pose_identity());
        double height = 0.02 + 0.01 * sin(6 * PI * (double)k / (double)count + surface);
        r->b[k].pose.position = addscaled3(jet.p, size * height, n);
    }
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 2; ++i) r->start[k][i] = uv[2 * (count - 1 - k) + i];
    for (long k = 0; k < count; ++k) {
        long before = (k + count - 1) % count, after = (k + 1) % count;
        r->b[k].twist = wit_twist_between(&r->b[before].pose, &r->b[after].pose, 2e-3);
    }
    free(uv);
    r->scene = (track_scene){r->key, r->key, TRACK_POINT, {&r->surface.def}, .body = {r->body}};
    r->scene.size = size;
    r->scene.count = count;
    r->scene.dt = 1e-3;
    r->scene.a = r->a, r->scene.b = r->b;
    r->scene.start = (const double(*)[4])r->start;
}

static void free_row(row* r)
{
    wit_body_destroy(r->body);
    free(r->a);
    free(r->b);
}

static const track_contestant* const contestants[] = {&track_default, &track_local, &track_floor};
enum { CONTESTANTS = 3 };

static void count_row(const row* r, const char* only)
{
    static double out[WARM + COUNTED];
    if (only && strcmp(only, r->key) != 0) return;
    for (int i = 0; i < CONTESTANTS; ++i) {
        void* self = contestants[i]->create(&r->scene);
        char label[64];
        if (!self) continue;
        snprintf(label, sizeof label, "%s point %s %d", r->key, contestants[i]->key, COUNTED);
        contestants[i]->run(self, 0, WARM, out);
        callgrind_start();
        contestants[i]->run(self, WARM, WARM + COUNTED, out);
        callgrind_stop(label);
        contestants[i]->destroy(self);
    }
}

/* What a lap of steps says of itself. */
static void print_work(const row* r)
{
    wit_tracker* t = wit_tracker_create(r->body, NULL, NULL, NULL, NULL);
    long n = r->scene.count, certified = 0, quiet = 0;
    double looks = 0, jets = 0, units = 0;
    wit_result out;
    for (long k = 0; t && k < n; ++k) {
        if (wit_tracker_step(t, &r->a[k], &r->b[k], r->scene.dt, &out)) exit(2);
        certified += (out.flags & WIT_FLAG_CERTIFIED) != 0;
        quiet += out.work.units == 1;
        looks += (double)out.work.nodes, jets += (double)out.work.jets, units += (double)out.work.units;
    }
    double per = 1 / (double)n;
    printf("%-14s %8.2f %% %7.2f %7.2f %8.2f %8.1f %%", r->key, 100.0 * (double)certified * per, looks * per,
           jets * per, units * per, 100.0 * (double)quiet * per);
    wit_tracker_destroy(t);
}

/* Instructions a step of a contestant; 0: not counted. Lines "row point contestant number". */
static double counted(const char* file, const char* key, const char* contestant)
{
    char row_key[32], kind[32], who[32];
    double value, found = 0;
    FILE* f = file ? fopen(file, "r") : NULL;
    while (f && fscanf(f, "%31s %31s %31s %lf", row_key, kind, who, &value) == 4)
        if (!strcmp(row_key, key) && !strcmp(who, contestant)) found = value;
    if (f) fclose(f);
    return found;
}

static void print_instructions(const row* r, const char* file)
{
    double n[CONTESTANTS];
    for (int i = 0; i < CONTESTANTS; ++i) n[i] = counted(file, r->key, contestants[i]->key);
    if (n[0] > 0) printf("   %7.0f %7.0f %7.0f", n[0], n[1], n[2]);
}

/* The least of whole laps in turn. */
static void print_times(const row* r)
{
    void* self[CONTESTANTS];
    double least[CONTESTANTS];
    double* out = reserve((size_t)r->scene.count * sizeof *out);
    for (int i = 0; i < CONTESTANTS; ++i) {
        self[i] = contestants[i]->create(&r->scene);
        least[i] = INFINITY;
        if (self[i]) contestants[i]->run(self[i], 0, r->scene.count, out);
    }
    for (int k = 0; k < ROUNDS; ++k)
        for (int i = 0; i < CONTESTANTS; ++i) {
            double start = counter_seconds();
            if (self[i]) contestants[i]->run(self[i], 0, r->scene.count, out);
            least[i] = fmin(least[i], 1e9 * (counter_seconds() - start) / (double)r->scene.count);
        }
    for (int i = 0; i < CONTESTANTS; ++i)
        if (self[i]) contestants[i]->destroy(self[i]);
    free(out);
    printf("   %7.1f %7.1f", least[0], least[1]);
    if (self[2]) printf(" %7.1f   %5.2f %5.2f", least[2], least[0] / least[2], least[1] / least[2]);
}

int main(int argc, char** argv)
{
    bool count = argc > 1 && !strcmp(argv[1], "--count");
    const char* file = argc > 2 && !strcmp(argv[1], "--instructions") ? argv[2] : NULL;
    if (argc > 1 && !strcmp(argv[1], "--has-counter")) return 1; /* valgrind counts the same instructions everywhere */
    if (!count)
        printf("A point over a sheet, every frame proved; without the front (local); the bare floor; front and local "
               "over the floor\n"
               "%-14s %10s %7s %7s %8s %10s   %7s %7s %7s   %5s %5s%s\n",
               "", "certified", "looks", "jets", "units", "one unit", "ns", "local", "floor", "front", "local",
               file ? "   instr.   local   floor" : "");
    for (int s = 0; s < BENCH_SURFACES; ++s)
        for (int v = 0; v < SPEEDS; ++v) {
            row r;
            make_row(s, v, &r);
            if (count) {
                count_row(&r, argc > 2 ? argv[2] : NULL);
            } else {
                print_work(&r);
                print_times(&r);
                print_instructions(&r, file);
                printf("\n");
            }
            free_row(&r);
        }
    return 0;
}
