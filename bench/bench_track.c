/* SPDX-License-Identifier: MIT */
/*
 * One step along a path, poses in, result out: the tracker, its bare floor, SISL, Open CASCADE, FCL, Bullet; same
 * frames, one run.
 *
 *     bench_track                       the tables
 *     bench_track --instructions FILE   with counts from valgrind; bench/run makes them by --count
 *
 * The distances are checked against the cold query. Exit code 1 if one of Witness is off by more than 1e-12 of
 * max(distance, size). A missed goal is printed, not punished: machines differ.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/track.h"
#include "../src/base/vec.h"
#include "counter.h"
#include "track_scenes.h"

enum { ROUNDS = 9, COUNTED = 1024, ROW = 256 };
static const double SLICE = 0.02, OURS = 1e-12, LOST = 1e-4; /* Bullet stops at about 1e-6 */

typedef struct player {
    const track_contestant* who; /* null: not built in */
    const char *name, *lacks;
} player;

static const player players[] = {
    {&track_default, "Witness", ""},
    {&track_local, "Witness, local only", ""},
    {&track_floor, "bare floor, AVX2+FMA", ""},
    {&track_floor_ellipsoids, "bare floor", ""},
#ifdef BENCH_SISL
    {&track_s1775, "SISL s1775", ""},
#else
    {NULL, "SISL s1775", "libsisl-dev"},
#endif
#ifdef BENCH_OCCT
    {&track_next_uv, "OCCT NextValueOfUV", ""},
    {&track_locate, "OCCT GenLocateExtPS", ""},
#else
    {NULL, "OCCT NextValueOfUV", "libocct-modeling-algorithms-dev"},
    {NULL, "OCCT GenLocateExtPS", "libocct-modeling-algorithms-dev"},
#endif
#ifdef BENCH_FCL
    {&track_fcl, "FCL distance", ""},
#else
    {NULL, "FCL distance", "libfcl-dev"},
#endif
#ifdef BENCH_BULLET
    {&track_bullet, "Bullet GJK", ""},
#else
    {NULL, "Bullet GJK", "libbullet-dev"},
#endif
};
enum {
    PLAYERS = sizeof players / sizeof players[0],
    WITNESS = 0,
    LOCAL,
    FLOOR,
    FLOOR_ELLIPSOIDS,
    SISL,
    NEXT_UV,
    LOCATE,
    FCL,
    BULLET
};

typedef struct score {
    void* self;
    double ns[ROUNDS]; /* sorted at the end */
    double jets, instructions, error;
    long lost, checked;
    long laps; /* laps in one slice */
} score;

typedef struct contest {
    track_stage stage;
    score scores[PLAYERS];
    double out[TRACK_FRAMES];
} contest;

/* ---- running ---------------------------------------------------------------------------------- */

static void contest_make(contest* c, int which, bool truth)
{
    if (!track_stage_make(which, truth, &c->stage)) {
        fprintf(stderr, "bench_track: Witness refused the bodies of scene %d\n", which);
        exit(1);
    }
    for (int p = 0; p < PLAYERS; p++) {
        bool floor_on_seam = c->stage.seam && p == FLOOR;
        if (players[p].who && !floor_on_seam) c->scores[p].self = players[p].who->create(&c->stage.scene);
    }
}

static void contest_free(contest* c)
{
    for (int p = 0; p < PLAYERS; p++)
        if (c->scores[p].self) players[p].who->destroy(c->scores[p].self);
    track_stage_free(&c->stage);
}

/* Once round, the frames that the cold query answered compared; starts at frame 0 after the last one. */
static void check(contest* c, int p)
{
    score* s = &c->scores[p];
    const track_stage* stage = &c->stage;
    players[p].who->run(s->self, 0, TRACK_FRAMES, c->out);
    if (players[p].who->jets) s->jets = players[p].who->jets(s->self);
    for (long k = 0; k < TRACK_FRAMES; k++) {
        if (isnan(stage->truth[k])) continue;
        double scale = fmax(fabs(stage->truth[k]), stage->scene.size);
        double error = fabs(fabs(c->out[k]) - fabs(stage->truth[k])) / scale;
        s->checked++;
        s->lost += !(error <= LOST);
        if (error <= LOST) s->error = fmax(s->error, error);
    }
}

static double time_laps(contest* c, int p, long laps)
{
    double start = counter_seconds();
    for (long i = 0; i < laps; i++) players[p].who->run(c->scores[p].self, 0, TRACK_FRAMES, c->out);
    return counter_seconds() - start;
}

/* Rounds outermost, so that a slow minute of the machine falls on everybody alike. All run whole laps: the path is
 * closed. */
static void race(contest* c)
{
    for (int round = -1; round < ROUNDS; round++)
        for (int p = 0; p < PLAYERS; p++) {
            score* s = &c->scores[p];
            if (!s->self) continue;
            if (round < 0) {
                s->laps = 1 + (long)(SLICE / fmax(time_laps(c, p, 1), 1e-6));
            } else {
                double steps = (double)(s->laps * TRACK_FRAMES);
                s->ns[round] = 1e9 * time_laps(c, p, s->laps) / steps;
            }
        }
}

static void count_one(contest* c, int p, int counter)
{
    score* s = &c->scores[p];
    players[p].who->run(s->self, 0, 64, c->out);
    if (counter >= 0) {
        counter_start(counter);
        players[p].who->run(s->self, 64, 64 + COUNTED, c->out);
        s->instructions = counter_stop(counter) / COUNTED;
    } else {
        char label[96];
        snprintf(label, sizeof label, "%s path %s %d", c->stage.scene.key, players[p].who->key, COUNTED);
        callgrind_start();
        players[p].who->run(s->self, 64, 64 + COUNTED, c->out);
        callgrind_stop(label);
    }
    players[p].who->run(s->self, 64 + COUNTED, TRACK_FRAMES, c->out); /* home */
}

static void read_counts(const char* path, contest* c)
{
    FILE* f = fopen(path, "r");
    if (!f) return;
    char scene[32], mode[32], who[32];
    double n;
    while (fscanf(f, "%31s %31s %31s %lf", scene, mode, who, &n) == 4)
        for (int p = 0; p < PLAYERS; p++)
            if (c->scores[p].self && !strcmp(scene, c->stage.scene.key) && !strcmp(who, players[p].who->key))
                c->scores[p].instructions = n;
    fclose(f);
}

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/* ---- printing --------------------------------------------------------------------------------- */

static double median(const score* s)
{
    return s->ns[ROUNDS / 2];
}

static void print_row(const contest* c, int p)
{
    const score *s = &c->scores[p], *witness = &c->scores[WITNESS];
    track_kind kind = c->stage.scene.kind;
    bool plays =
        p <= LOCAL || (kind == TRACK_POINT && p >= SISL && p <= LOCATE) || (kind == TRACK_ELLIPSOIDS && p >= FCL);
    if (!s->self && !(plays && !players[p].who)) return;
    printf("  %-24s", players[p].name);
    if (!s->self) {
        printf(" absent: needs %s\n", players[p].lacks);
        return;
    }
    printf(" %9.1f %9.1f", median(s), s->ns[0]);
    if (s->instructions > 0)
        printf(" %8.0f", s->instructions);
    else
        printf(" %8s", "-");
    if (s->jets > 0)
        printf(" %6.2f", s->jets);
    else
        printf(" %6s", "-");
    printf(" %8.2f  %8.1e %7.2f %%\n", median(s) / median(witness), s->error,
           100 * (double)s->lost / (double)(s->checked ? s->checked : 1));
}

/* Time of `peer` over that of Witness: at least `goal`; or, of the floor, its inverse at most. */
static void print_goal(const contest* c, int peer, double goal, bool floor_)
{
    const score *w = &c->scores[WITNESS], *s = &c->scores[peer];
    if (!s->self) return;
    /* a busy machine slows longer slices more: the goal must hold by medians and by least times */
    double ratio = median(s) / median(w), least = s->ns[0] / w->ns[0];
    if (floor_) ratio = 1 / ratio, least = 1 / least;
    bool met = floor_ ? fmax(ratio, least) <= goal : fmin(ratio, least) >= goal;
    printf("  %.2fx %s%s (%.2fx by least times; goal %s %g%s)\n", ratio, floor_ ? "the time of the " : "as fast as ",
           floor_ ? "floor" : players[peer].name, least, floor_ ? "at most" : "at least", goal, met ? "" : ": MISSED");
}

/* What the proof of a point costs: the tracker as it comes less the local one, in floors. */
static void print_proof(const contest* c)
{
    const score *w = &c->scores[WITNESS], *l = &c->scores[LOCAL], *f = &c->scores[FLOOR];
    if (c->stage.scene.kind != TRACK_POINT || !l->self || !f->self) return;
    double goal = strcmp(c->stage.scene.key, "point-torus") ? 2 : 3.6, floors = (median(w) - median(l)) / median(f);
    printf("  its proof adds %.1f ns, %.1f floors", median(w) - median(l), floors);
    if (w->instructions > 0 && l->instructions > 0) printf(", %.0f instructions", w->instructions - l->instructions);
    printf(" (goal at most %g floors%s)\n", goal, floors <= goal ? "" : ": MISSED");
}

static void print_contest(const contest* c, int which)
{
    printf("\n%s\n", c->stage.scene.name);
    printf("  %-24s %9s %9s %8s %6s %8s  %8s %9s\n", "", "ns/step", "least", "instr", "jets", "ratio", "error", "lost");
    for (int p = 0; p < PLAYERS; p++) print_row(c, p);
    print_proof(c);
    print_goal(c, FLOOR, 2, true);
    print_goal(c, FLOOR_ELLIPSOIDS, 2, true);
    if (which < 3) print_goal(c, SISL, 60, false);
    if (which < 3) print_goal(c, NEXT_UV, which ? 18 : 12, false);
    print_goal(c, FCL, 10, false);
    print_goal(c, BULLET, 10, false);
}

/* ---- single steps, and many trackers ---------------------------------------------------------- */

/* Each step timed alone, the least of five laps; reading the clock is in it. */
static void print_worst(contest* c)
{
    enum { LAPS = 5 };
    static double least[TRACK_FRAMES];
    void* self = c->scores[WITNESS].self;
    for (int lap = 0; lap < LAPS; lap++)
        for (long k = 0; k < TRACK_FRAMES; k++) {
            double start = counter_clock();
            track_default.run(self, k, k + 1, c->out);
            double taken = 1e9 * (counter_clock() - start);
            least[k] = lap ? fmin(least[k], taken) : taken;
        }
    qsort(least, TRACK_FRAMES, sizeof least[0], by_size);
    printf("  single steps, with the clock's reading: median %.0f ns, 99 %% %.0f ns, worst of %d %.0f ns\n",
           least[TRACK_FRAMES / 2], least[TRACK_FRAMES * 99 / 100], (int)TRACK_FRAMES, least[TRACK_FRAMES - 1]);
}

/* Nanoseconds a step at a tenth of the speed: ten frames from one of the path to the next, along a cubic. */
static double slow_lap(const track_scene* s, wit_tracker* t, long* certified)
{
    enum { PARTS = 10 };
    wit_result r;
    double start = counter_seconds();
    *certified = 0;
    for (long k = 0; k < TRACK_FRAMES; k++)
        for (int i = 0; i < PARTS; i++) {
            double x = (double)i / PARTS, y = 1 - x, dt = s->dt;
            const wit_motion *p = &s->b[k], *q = &s->b[(k + 1) % TRACK_FRAMES];
            wit_vec3 a = p->pose.position, b = q->pose.position, va = p->twist.velocity, vb = q->twist.velocity;
            wit_motion m = *p;
            m.pose.position = add3(addscaled3(scale3(y * y * (1 + 2 * x), a), x * x * (1 + 2 * y), b),
                                   scale3(dt * x * y, sub3(scale3(y, va), scale3(x, vb))));
            m.twist.velocity =
                scale3(1.0 / PARTS, add3(scale3(6 * x * y / dt, sub3(b, a)),
                                         add3(scale3(y * (1 - 3 * x), va), scale3(x * (1 - 3 * y), vb))));
            if (wit_tracker_step(t, &s->a[k], &m, dt, &r)) abort();
            *certified += (r.flags & WIT_FLAG_CERTIFIED) != 0;
        }
    return 1e9 * (counter_seconds() - start) / ((double)TRACK_FRAMES * PARTS);
}

/* The proof of a point at about 1e-4 of the size a step. */
static void print_slow(const contest* c)
{
    const track_scene* s = &c->stage.scene;
    if (s->kind != TRACK_POINT) return;
    double least[2] = {INFINITY, INFINITY};
    long certified[2];
    for (int which = 0; which < 2; which++) {
        wit_track_def def = wit_track_default_def();
        if (which) def.front = 0;
        wit_tracker* t = wit_tracker_create(s->body[0], NULL, &def, NULL, NULL);
        if (!t) return;
        for (int lap = 0; lap < 4; lap++) least[which] = fmin(least[which], slow_lap(s, t, &certified[which]));
        wit_tracker_destroy(t);
    }
    printf("  at a tenth of the speed: %.1f ns, %.2f %% certified; its proof adds %.1f ns", least[0],
           100 * (double)certified[0] / (10.0 * TRACK_FRAMES), least[0] - least[1]);
    if (c->scores[FLOOR].self)
        printf(", %.2f floors (goal at most 0.5)", (least[0] - least[1]) / c->scores[FLOOR].ns[0]);
    printf("\n");
}

/* ROW trackers of one scene, each a little further along the path, stepped one after the other in every frame. */
static void print_row_of_trackers(const contest* c)
{
    const track_scene* s = &c->stage.scene;
    static wit_tracker* row[ROW];
    wit_track_def def = wit_track_default_def();
    wit_result r;
    double best = INFINITY;
    size_t bytes = wit_tracker_size(s->body[0], s->body[1], &def);
    int made = 0;
    while (made < ROW && (row[made] = wit_tracker_create(s->body[0], s->body[1], &def, NULL, NULL))) made++;
    for (int lap = -1; lap < 6 && made == ROW; lap++) {
        double start = counter_seconds();
        for (long k = 0; k < 64; k++)
            for (int i = 0; i < ROW; i++) {
                long frame = ((lap + 1) * 64 + k + 16L * i) % TRACK_FRAMES;
                wit_tracker_step(row[i], &s->a[frame], &s->b[frame], s->dt, &r);
            }
        if (lap >= 0) best = fmin(best, 1e9 * (counter_seconds() - start) / (64.0 * ROW));
    }
    if (made == ROW)
        printf("  %-24s %9.1f ns/step, %.2fx of one alone; %.1f kB each\n", s->key, best,
               best / c->scores[WITNESS].ns[0], (double)bytes / 1024);
    else
        printf("  %-24s no memory for %d trackers of %.1f kB\n", s->key, (int)ROW, (double)bytes / 1024);
    for (int i = 0; i < made; i++) wit_tracker_destroy(row[i]);
}

/* ---- the run ---------------------------------------------------------------------------------- */

static int tables(contest* list, const char* counts_file)
{
    int counter = counter_open(), wrong = 0;
    const char* source = counter >= 0  ? "hardware counter"
                         : counts_file ? "valgrind --tool=callgrind"
                                       : "not counted (bench/run counts with valgrind)";
    printf("Steps of a tracked closest pair, about 1e-3 of the size each: median and least of %d rounds of whole laps "
           "of %d frames,\n"
           "contestants in turn within each round, one thread. Error: against the cold query, of max(distance, size), "
           "over frames\n"
           "that are not lost; lost: off by more than %.0e. Ratio: time over that of Witness. Instructions: %s.\n",
           ROUNDS, (int)TRACK_FRAMES, LOST, source);
    for (int i = 0; i < TRACK_SCENES; i++) {
        contest* c = &list[i];
        for (int p = 0; p < PLAYERS; p++) {
            if (!c->scores[p].self) continue;
            if (p == WITNESS)
                players[p].who->run(c->scores[p].self, 0, TRACK_FRAMES, c->out); /* the first step searches */
            check(c, p);
            if (counter >= 0) count_one(c, p, counter);
        }
        if (counter < 0 && counts_file) read_counts(counts_file, c);
        race(c);
        for (int p = 0; p < PLAYERS; p++) qsort(c->scores[p].ns, ROUNDS, sizeof(double), by_size);
        print_contest(c, i);
        print_worst(c);
        print_slow(c);
        const score* w = &c->scores[WITNESS];
        if (w->lost || w->error > OURS) {
            printf("  WRONG: Witness lost %ld frames, error %.1e\n", w->lost, w->error);
            wrong++;
        }
    }
    printf("\n%d trackers of the same bodies, one after the other in every frame\n", (int)ROW);
    for (int i = 0; i < TRACK_SCENES; i++)
        if (i != 3) print_row_of_trackers(&list[i]);
    counter_close(counter);
    return wrong ? 1 : 0;
}

int main(int argc, char** argv)
{
    static contest list[TRACK_SCENES];
    const char* option = argc > 1 ? argv[1] : "";
    bool counting = !strcmp(option, "--count"), reading = !strcmp(option, "--instructions") && argc == 3;
    if (!strcmp(option, "--has-counter")) {
        int counter = counter_open();
        counter_close(counter);
        return counter < 0;
    }
    if ((argc > 1 && !counting && !reading) || (counting && !callgrind_possible())) {
        fprintf(stderr, "usage: bench_track [--instructions FILE | --count | --has-counter]\n");
        return 2;
    }
    for (int i = 0; i < TRACK_SCENES; i++) contest_make(&list[i], i, !counting);
    int code = 0;
    if (counting) {
        for (int i = 0; i < TRACK_SCENES; i++)
            for (int p = 0; p < PLAYERS; p++)
                if (list[i].scores[p].self) count_one(&list[i], p, -1);
    } else {
        code = tables(list, reading ? argv[2] : NULL);
    }
    for (int i = 0; i < TRACK_SCENES; i++) contest_free(&list[i]);
    return code;
}
