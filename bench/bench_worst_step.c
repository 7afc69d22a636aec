/* SPDX-License-Identifier: MIT */
/*
 * The worst step: what a budget of work means in time. All scenes along all of their motions, and all pairs of models (and a point
 * against each) on paths that lead from far apart through touch into each other, with a jump. The time of a frame is the least of
 * three runs from a copy of the tracker, which leaves out what others did on the machine. Printed is the worst frame, with its
 * units of work, and the worst time per unit.
 *
 * A copy costs more than a step. So a scene is run once without one, and again with copies before the frames that were slowest then,
 * the slowest SLOWEST of them: no other frame can be worse than the worst of these three runs, if all others took less time in
 * the one run (a row whose others did not is marked with a +).
 *
 *     bench_worst_step [BUDGET [FOLDER]]     units per step at most (default 1000); models of a folder besides models/, as the
 *                                            parts that `make bench` imports; run from the root of the tree
 *
 * Exit code 1 if a step does more than its budget.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/io.h"
#include "../include/witness/track.h"
#include "../src/base/vec.h"
#include "../tests/random.h"
#include "counter.h"

enum { FILES = 256, BODIES = 96, SLOWEST = 256, PATH_FRAMES = 24, REPLAYS = 3, WORST = 12, LEAST_UNITS = 50 };
#define GOAL 1000.0 /* microseconds */

/* ---- one tracker, frame by frame ---------------------------------------------------------------- */

typedef struct row {
    char name[80];
    long frames, over;
    double worst; /* microseconds */
    wit_work work;
    double per_unit; /* nanoseconds, over frames of LEAST_UNITS units or more */
    int64_t most;    /* units */
    double others;   /* microseconds: the slowest of the frames that were run once */
} row;

typedef struct runner {
    wit_tracker* tracker;
    void *memory, *copy;
    size_t bytes;
    int64_t budget;
} runner;

static void* reserve(size_t bytes)
{
    void* p = calloc(1, bytes ? bytes : 1);
    if (!p) {
        fprintf(stderr, "bench_worst_step: out of memory\n");
        exit(2);
    }
    return p;
}

static bool runner_start(runner* r, const wit_body* a, const wit_body* b, const wit_track_def* def)
{
    *r = (runner){.bytes = wit_tracker_size(a, b, def), .budget = def->budget};
    if (!r->bytes) return false;
    r->memory = reserve(r->bytes);
    r->copy = reserve(r->bytes);
    return wit_tracker_init(r->memory, r->bytes, a, b, def, &r->tracker, NULL) == WIT_OK;
}

static void runner_end(runner* r)
{
    free(r->memory);
    free(r->copy);
}

static void count_frame(const wit_result* result, int64_t budget, row* out)
{
    out->frames++;
    out->over += result->work.units > budget;
    if (result->work.units > out->most) out->most = result->work.units;
}

/* False: the frame was refused (a planar body out of its plane). */
static bool run_frame(runner* r, const wit_motion* a, const wit_motion* b, double dt, row* out)
{
    double least = INFINITY;
    wit_result result;
    memcpy(r->copy, r->memory, r->bytes);
    for (int k = 0; k < REPLAYS; k++) {
        memcpy(r->memory, r->copy, r->bytes);
        double from = counter_seconds();
        wit_status status = wit_tracker_step(r->tracker, a, b, dt, &result);
        least = fmin(least, counter_seconds() - from);
        if (status) return false;
    }
    count_frame(&result, r->budget, out);
    if (result.work.units >= LEAST_UNITS) out->per_unit = fmax(out->per_unit, 1e9 * least / (double)result.work.units);
    if (1e6 * least > out->worst) {
        out->worst = 1e6 * least;
        out->work = result.work;
    }
    return true;
}

/* ---- scenes -------------------------------------------------------------------------------------- */

static int by_name(const void* a, const void* b)
{
    return strcmp(*(char* const*)a, *(char* const*)b);
}

static int files_of(const char* directory, char* names[FILES])
{
    int n = 0;
    DIR* d = opendir(directory);
    if (!d) return 0;
    for (struct dirent* e; (e = readdir(d)) && n < FILES;) {
        size_t length = strlen(e->d_name);
        if (length < 6 || strcmp(e->d_name + length - 5, ".json")) continue;
        names[n] = reserve(length + 1);
        memcpy(names[n++], e->d_name, length + 1);
    }
    closedir(d);
    qsort(names, (size_t)n, sizeof names[0], by_name);
    return n;
}

/* A scene and the tracker that follows it. */
typedef struct take {
    wit_scene* scene;
    wit_track_def def;
    runner run;
    double dt;
    int64_t frames;
} take;

static bool take_start(take* t)
{
    const wit_body* b = wit_scene_body(t->scene, 1);
    wit_witness at[2];
    if (!runner_start(&t->run, wit_scene_body(t->scene, 0), b, &t->def)) return false;
    if (wit_scene_start(t->scene, &at[0], &at[1])) wit_tracker_place(t->run.tracker, &at[0], b ? &at[1] : NULL);
    return true;
}

/* The frames that took longest in a run without copies: their numbers and times, the quickest on top of the heap. */
typedef struct slowest {
    int count;
    struct {
        double seconds;
        int64_t frame;
    } item[SLOWEST];
    double others; /* of all that are not here */
} slowest;

static void keep_slow(slowest* s, double seconds, int64_t frame)
{
    int least = 0;
    if (s->count < SLOWEST) {
        s->item[s->count].seconds = seconds;
        s->item[s->count++].frame = frame;
        return;
    }
    for (int k = 1; k < SLOWEST; k++)
        if (s->item[k].seconds < s->item[least].seconds) least = k;
    if (!(seconds > s->item[least].seconds)) {
        s->others = fmax(s->others, seconds);
        return;
    }
    s->others = fmax(s->others, s->item[least].seconds);
    s->item[least].seconds = seconds;
    s->item[least].frame = frame;
}

static bool is_slow(const slowest* s, int64_t frame)
{
    for (int k = 0; k < s->count; k++)
        if (s->item[k].frame == frame) return true;
    return false;
}

static bool motions_at(const take* t, int64_t frame, wit_motion m[2])
{
    for (int i = 0; i < 2; i++)
        if (wit_scene_motion(t->scene, i, (double)frame * t->dt, &m[i])) return false;
    return true;
}

static void run_once(take* t, slowest* s)
{
    wit_motion m[2];
    wit_result result;
    bool runs = take_start(t);
    for (int64_t k = 0; runs && k <= t->frames; k++) {
        runs = motions_at(t, k, m);
        double from = counter_seconds();
        runs = runs && !wit_tracker_step(t->run.tracker, &m[0], &m[1], t->dt, &result);
        if (runs) keep_slow(s, counter_seconds() - from, k);
    }
    runner_end(&t->run);
}

static void run_again(take* t, const slowest* s, row* out)
{
    wit_motion m[2];
    wit_result result;
    bool runs = take_start(t);
    for (int64_t k = 0; runs && k <= t->frames; k++) {
        runs = motions_at(t, k, m);
        if (runs && is_slow(s, k)) {
            runs = run_frame(&t->run, &m[0], &m[1], t->dt, out);
            continue;
        }
        runs = runs && !wit_tracker_step(t->run.tracker, &m[0], &m[1], t->dt, &result);
        if (runs) count_frame(&result, t->run.budget, out);
    }
    runner_end(&t->run);
}

static bool run_scene(const char* name, int64_t budget, row* out)
{
    char path[300];
    snprintf(path, sizeof path, "scenes/%s", name);
    take t = {.scene = wit_scene_read_file(path, NULL, NULL, NULL, NULL)};
    slowest s = {.count = 0};
    if (!t.scene) return false;
    *out = (row){.frames = 0};
    snprintf(out->name, sizeof out->name, "%.70s", name);
    t.def = wit_scene_track_def(t.scene);
    t.def.budget = budget;
    t.dt = 1 / wit_scene_rate(t.scene);
    t.frames = wit_scene_frames(t.scene);
    run_once(&t, &s);
    run_again(&t, &s, out);
    out->others = 1e6 * s.others;
    wit_scene_destroy(t.scene);
    return out->frames > 0;
}

/* ---- models -------------------------------------------------------------------------------------- */

typedef struct subject {
    char name[40];
    wit_model* model; /* owned by its first body */
    const wit_body* body;
    wit_vec3 centre;
    double size;
} subject;

static int subjects_of(const char* folder, subject out[BODIES], int n)
{
    char* names[FILES];
    int files = files_of(folder, names);
    for (int k = 0; k < files; k++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        wit_model* m = wit_model_read_file(path, NULL, NULL);
        for (int i = 0; m && i < wit_model_body_count(m) && n < BODIES; i++) {
            subject* s = &out[n++];
            wit_body_info info = wit_body_describe(wit_model_body(m, i));
            bool bounded = info.size > 0 && info.size < 1e6;
            *s = (subject){.model = i ? NULL : m, .body = wit_model_body(m, i), .size = bounded ? info.size : 10};
            if (bounded) s->centre = scale3(0.5, add3(info.box.lo, info.box.hi));
            snprintf(s->name, sizeof s->name, "%.*s", (int)strlen(names[k]) - 5, names[k]);
        }
        free(names[k]);
    }
    return n;
}

static wit_quat some_turn(rng* r)
{
    double w = rng_range(r, -1, 1), x = rng_range(r, -1, 1), y = rng_range(r, -1, 1), z = rng_range(r, -1, 1);
    double n = sqrt(w * w + x * x + y * y + z * z);
    return n > 1e-3 ? (wit_quat){w / n, x / n, y / n, z / n} : (wit_quat){1, 0, 0, 0};
}

/* From half a size apart to the middles in each other; at a third of the way it jumps. */
static void run_path(rng* r, const subject* a, const subject* b, int64_t budget, row* out)
{
    wit_track_def def = wit_track_default_def();
    def.budget = budget;
    runner run;
    *out = (row){.frames = 0};
    snprintf(out->name, sizeof out->name, "%.38s, %.38s", a->name, b ? b->name : "a point");
    bool runs = runner_start(&run, a->body, b ? b->body : NULL, &def);
    wit_pose pose = {{0, 0, 0}, some_turn(r)};
    double x = rng_range(r, -1, 1), y = rng_range(r, -1, 1), z = rng_range(r, -1, 1);
    wit_vec3 way = unit3(vec3(x, y, z)), middle = b ? wit_pose_vector(&pose, b->centre) : vec3(0, 0, 0);
    double far = 0.5 * (a->size + (b ? b->size : 0)) + 0.5 * a->size;
    for (int k = 0; runs && k < PATH_FRAMES; k++) {
        if (k == PATH_FRAMES / 3) way = scale3(-1, way);
        pose.position = sub3(addscaled3(a->centre, far * (1 - (double)k / (PATH_FRAMES - 1)), way), middle);
        wit_motion ma = wit_motion_at_rest(wit_pose_identity()), mb = wit_motion_at_rest(pose);
        runs = run_frame(&run, &ma, &mb, 1e-3, out);
    }
    runner_end(&run);
}

/* ---- the table ----------------------------------------------------------------------------------- */

static void print_row(const row* r)
{
    printf("  %-34s %7ld %9.1f%c %6lld %7lld %7lld %7lld %9.0f %7lld%s\n", r->name, r->frames, r->worst,
           r->others > r->worst ? '+' : ' ', (long long)r->work.units, (long long)r->work.nodes,
           (long long)r->work.jets, (long long)r->work.tests, r->per_unit, (long long)r->most, r->over ? "  OVER" : "");
}

static void print_head(const char* title)
{
    printf("\n%s\n  %-34s %7s %9s  %6s %7s %7s %7s %9s %7s\n", title, "", "frames", "worst us", "units", "nodes",
           "jets", "tests", "ns/unit", "most");
}

/* The sum of all rows: the worst of each. */
static void gather(row* all, const row* r)
{
    double per_unit = fmax(all->per_unit, r->per_unit);
    long frames = all->frames + r->frames, over = all->over + r->over;
    int64_t most = r->most > all->most ? r->most : all->most;
    if (r->worst > all->worst) *all = *r;
    all->frames = frames;
    all->over = over;
    all->per_unit = per_unit;
    all->most = most;
}

static void run_scenes(int64_t budget, row* all)
{
    char* names[FILES];
    int n = files_of("scenes", names);
    print_head("scenes");
    for (int k = 0; k < n; k++) {
        row r;
        if (run_scene(names[k], budget, &r)) {
            print_row(&r);
            gather(all, &r);
        }
        free(names[k]);
    }
}

static int by_worst(const void* a, const void* b)
{
    double x = ((const row*)a)->worst, y = ((const row*)b)->worst;
    return x < y ? 1 : x > y ? -1 : 0;
}

static void run_models(int64_t budget, const char* folder, row* all)
{
    static subject subjects[BODIES];
    static row rows[BODIES * (BODIES + 1)];
    int n = subjects_of("models", subjects, 0), own = n, count = 0;
    if (folder) n = subjects_of(folder, subjects, n);
    rng r = rng_seed(1500);
    for (int i = 0; i < n; i++)
        for (int j = -1; j < n; j++) {
            row* at = &rows[count];
            run_path(&r, &subjects[i], j < 0 ? NULL : &subjects[j], budget, at);
            if (!at->frames) continue;
            gather(all, at);
            count++;
        }
    qsort(rows, (size_t)count, sizeof rows[0], by_worst);
    printf("\n%d bodies of models/", own);
    if (folder) printf(", %d of %s", n - own, folder);
    print_head("\npairs of bodies, apart to overlapping: those with the worst steps");
    for (int k = 0; k < WORST && k < count; k++) print_row(&rows[k]);
    printf("  and %d pairs more\n", count > WORST ? count - WORST : 0);
    for (int k = 0; k < n; k++) wit_model_destroy(subjects[k].model);
}

int main(int argc, char** argv)
{
    int64_t budget = argc > 1 ? atoll(argv[1]) : 1000;
    row all = {.frames = 0};
    if (budget < 64) {
        fprintf(stderr, "bench_worst_step: a budget of 64 units or more\n");
        return 2;
    }
    printf("Worst steps with a budget of %lld units: a frame's time is the least of %d runs from one copy of the\n"
           "tracker. Units, nodes, jets and tests are those of the worst frame; ns/unit is the worst of all frames of\n"
           "%d units or more, most the largest count of units.\n",
           (long long)budget, REPLAYS, LEAST_UNITS);
    run_scenes(budget, &all);
    run_models(budget, argc > 2 ? argv[2] : NULL, &all);
    if (!all.frames) {
        fprintf(stderr, "bench_worst_step: no scenes/ and models/ here: run it from the root of the tree\n");
        return 2;
    }
    printf(
        "\n%ld frames. The worst step: %s, %.1f us for %lld units (goal %.0f us%s); the worst time per unit: %.0f ns.\n"
        "Steps beyond their budget: %ld.\n",
        all.frames, all.name, all.worst, (long long)all.work.units, GOAL, all.worst < GOAL ? "" : ": MISSED",
        all.per_unit, all.over);
    return all.over > 0;
}
