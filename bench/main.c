/* SPDX-License-Identifier: MIT */
/*
 * One run, one table: nanoseconds and instructions per jet, for everybody, on the same parameters.
 *
 *   witness_jets                        the table; instructions by the hardware counter if there is one
 *   witness_jets --instructions FILE    the table; instructions from lines "surface mode contestant count"
 *   witness_jets --count                for valgrind --tool=callgrind: counts, no timing (see bench/run)
 *   witness_jets --has-counter          exit code 0 if the hardware counter works
 *
 * Exit code 0, or 1 when somebody's jets are wrong. A missed goal is printed, not punished: machines differ.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/deboor.h"
#include "contestant.h"
#include "counter.h"
#include "surfaces.h"

enum { ROUNDS = 15, PATH = 4096, RANDOM = 32768, COUNTED = 4096, CHECKED = 1500, PLAYERS = 6, MODES = 2 };
static const double SLICE = 3e-3; /* seconds of work per measurement */

static const char* const mode_names[MODES] = {"along a path", "at random"};
static const char* const mode_keys[MODES] = {"path", "random"};

typedef struct player {
    const contestant* who; /* null: not built in, because `lacks` was missing */
    const char *name, *lacks;
} player;

static const player players[PLAYERS] = {
    {&witness_avx2, "Witness, AVX2+FMA", "AVX2 and FMA"},
    {&witness_portable, "Witness, portable", ""},
    {&floor_avx2, "bare floor, AVX2+FMA", "AVX2 and FMA"},
#ifdef BENCH_SISL
    {&sisl_s1421, "SISL s1421", ""},
#else
    {NULL, "SISL s1421", "libsisl-dev"},
#endif
#ifdef BENCH_OCCT
    {&occt_cached, "Open CASCADE D2, cached", ""},
    {&occt_plain, "Open CASCADE D2, plain", ""},
#else
    {NULL, "Open CASCADE D2, cached", "libocct-modeling-data-dev"},
    {NULL, "Open CASCADE D2, plain", "libocct-modeling-data-dev"},
#endif
};
enum { AVX2, PORTABLE, FLOOR, SISL, OCCT_CACHED, OCCT_PLAIN };

typedef struct score {
    void* self;
    long passes;
    double ns[ROUNDS];   /* sorted at the end */
    double instructions; /* per jet, 0: not known */
    double error[3];     /* value, first, second derivatives */
    bool wrong;
} score;

/* One surface in one mode. */
typedef struct contest {
    bench_surface surface;
    int mode;
    bench_input input;
    score scores[PLAYERS];
} contest;

static double median(const score* s)
{
    return s->ns[ROUNDS / 2];
}

static void* reserve(size_t bytes)
{
    void* p = malloc(bytes);
    if (p) return p;
    fprintf(stderr, "witness_jets: no memory\n");
    exit(1);
}

static void contest_make(contest* c, int which, int mode)
{
    memset(c, 0, sizeof *c);
    bench_surface_make(which, &c->surface);
    c->mode = mode;
    long n = mode == 0 ? PATH : RANDOM;
    double* uv = reserve((size_t)n * 2 * sizeof *uv);
    int32_t* known = reserve((size_t)n * sizeof *known);
    if (mode == 0)
        bench_path(&c->surface, n, uv);
    else
        bench_random(&c->surface, n, uv);
    floor_know(&c->surface.def, n, uv, known);
    c->input = (bench_input){n, uv, known};
    for (int p = 0; p < PLAYERS; p++)
        if (players[p].who) c->scores[p].self = players[p].who->create(&c->surface.def);
}

static void contest_free(contest* c)
{
    for (int p = 0; p < PLAYERS; p++)
        if (c->scores[p].self) players[p].who->destroy(c->scores[p].self);
    free((void*)(uintptr_t)c->input.uv);
    free((void*)(uintptr_t)c->input.known);
}

/*
 * Largest distance to the long-double reference over samples of the input, relative to size / span^order. The
 * library promises 1e-13, 1e-12 and 1e-11 times (largest / smallest weight)^order; others are only wrong when
 * they are so wrong that they must have been given another surface.
 */
static void check(contest* c, int p)
{
    static const int order_u[6] = {0, 1, 0, 2, 1, 0}, order_v[6] = {0, 0, 1, 0, 1, 2};
    static const double promise[3] = {1e-13, 1e-12, 1e-11};
    score* s = &c->scores[p];
    for (long n = 0; n < CHECKED; n++) {
        long k = n * c->input.count / CHECKED;
        double u = c->input.uv[2 * k], v = c->input.uv[2 * k + 1], jet[JET];
        long double d[DEBOOR_ORDERS][DEBOOR_ORDERS][3];
        players[p].who->jet(s->self, &c->input, k, jet);
        deboor_surface(&c->surface.def, u, v, 0, d);
        deboor_cell cell = deboor_surface_cell(&c->surface.def, u, v, 0);
        for (int i = 0; i < 6; i++) {
            double distance = 0;
            for (int a = 0; a < 3; a++) {
                double e = (double)(jet[3 * i + a] - d[order_u[i]][order_v[i]][a]);
                distance += e * e;
            }
            int order = order_u[i] + order_v[i];
            distance = sqrt(distance) / cell.size;
            distance *= pow(cell.hi_u - cell.lo_u, order_u[i]) * pow(cell.hi_v - cell.lo_v, order_v[i]);
            double limit = p <= PORTABLE ? promise[order] * pow(cell.weight_ratio, order) : 1e-9;
            if (!(distance <= limit)) s->wrong = true; /* also for NaN */
            s->error[order] = fmax(s->error[order], distance);
        }
    }
}

static double time_pass(contest* c, int p, long passes)
{
    double start = counter_seconds();
    for (long i = 0; i < passes; i++) players[p].who->run(c->scores[p].self, &c->input);
    return counter_seconds() - start;
}

/* Rounds outermost, so that a slow minute of the machine falls on everybody alike. */
static void race(contest* list, int count)
{
    for (int round = -1; round < ROUNDS; round++)
        for (int i = 0; i < count; i++)
            for (int p = 0; p < PLAYERS; p++) {
                score* s = &list[i].scores[p];
                if (!s->self) continue;
                if (round < 0) {
                    time_pass(&list[i], p, 1);
                    s->passes = 1 + (long)(SLICE / fmax(time_pass(&list[i], p, 1), 1e-6));
                } else {
                    double jets = (double)(s->passes * list[i].input.count);
                    s->ns[round] = 1e9 * time_pass(&list[i], p, s->passes) / jets;
                }
            }
}

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/* The first COUNTED jets of the input, once, after a warm-up that binds symbols and fills caches. */
static void count_one(contest* c, int p, int counter)
{
    score* s = &c->scores[p];
    bench_input part = c->input, warm = c->input;
    part.count = COUNTED;
    warm.count = 64;
    players[p].who->run(s->self, &warm);
    if (counter >= 0) {
        counter_start(counter);
        players[p].who->run(s->self, &part);
        s->instructions = counter_stop(counter) / COUNTED;
    } else {
        char label[96];
        snprintf(label, sizeof label, "%s %s %s %d", c->surface.key, mode_keys[c->mode], players[p].who->key, COUNTED);
        callgrind_start();
        players[p].who->run(s->self, &part);
        callgrind_stop(label);
    }
}

static void count_all(contest* list, int count, int counter)
{
    for (int i = 0; i < count; i++)
        for (int p = 0; p < PLAYERS; p++)
            if (list[i].scores[p].self) count_one(&list[i], p, counter);
}

static bool read_counts(const char* path, contest* list, int count)
{
    FILE* f = fopen(path, "r");
    if (!f) return false;
    char surface[32], mode[32], who[32];
    double n;
    while (fscanf(f, "%31s %31s %31s %lf", surface, mode, who, &n) == 4)
        for (int i = 0; i < count; i++)
            for (int p = 0; p < PLAYERS; p++)
                if (players[p].who && !strcmp(surface, list[i].surface.key) && !strcmp(mode, mode_keys[list[i].mode]) &&
                    !strcmp(who, players[p].who->key))
                    list[i].scores[p].instructions = n;
    fclose(f);
    return true;
}

static void print_row(const contest* c, int p)
{
    const score *s = &c->scores[p], *witness = &c->scores[AVX2];
    printf("  %-24s", players[p].name);
    if (!s->self) {
        printf(" absent: needs %s\n", players[p].lacks);
        return;
    }
    printf(" %8.1f %8.1f", median(s), s->ns[0]);
    if (s->instructions > 0)
        printf(" %8.0f", s->instructions);
    else
        printf(" %8s", "-");
    if (witness->self)
        printf(" %8.2f", median(s) / median(witness));
    else
        printf(" %8s", "-");
    printf("   %8.1e %8.1e %8.1e%s\n", s->error[0], s->error[1], s->error[2], s->wrong ? "  WRONG" : "");
}

static void print_table(const contest* list, int count, const char* source)
{
    printf("Jets (value and all derivatives to order 2) of NURBS surfaces: median and least of %d rounds, contestants\n"
           "in turn within each round, one thread. Errors against long double, relative to size / span^order.\n"
           "Instructions: %s.\n",
           ROUNDS, source);
    for (int i = 0; i < count; i++) {
        printf("\n%s, %s\n", list[i].surface.name, mode_names[list[i].mode]);
        printf("  %-24s %8s %8s %8s %8s   %8s %8s %8s\n", "", "ns/jet", "least", "instr", "ratio", "value", "first",
               "second");
        for (int p = 0; p < PLAYERS; p++) print_row(&list[i], p);
    }
}

static void print_goal(const contest* c, int peer, const char* name, double goal, bool last)
{
    const score *w = &c->scores[AVX2], *s = &c->scores[peer];
    if (!w->self || !s->self) {
        printf(" %s not measured (goal %g)%s", name, goal, last ? "\n" : ",");
        return;
    }
    /* A busy machine slows the longer slices more, which would flatter us: the goal must hold both ways. */
    double ratio = median(s) / median(w), least = s->ns[0] / w->ns[0];
    printf(" %.1fx %s (%.1fx by least times; goal %g%s)%s", ratio, name, least, goal,
           fmin(ratio, least) >= goal ? "" : ": MISSED", last ? "\n" : ",");
}

static void print_goals(const contest* list, int count)
{
    printf("\nTime of others as a multiple of that of Witness with AVX2+FMA\n");
    for (int i = 0; i < count; i++) {
        if (strcmp(list[i].surface.key, "rational20") != 0) continue;
        bool path = list[i].mode == 0;
        printf("  rational 20x20, %s:", mode_keys[list[i].mode]);
        print_goal(&list[i], SISL, "SISL", path ? 15 : 5, false);
        print_goal(&list[i], OCCT_CACHED, "Open CASCADE cached", path ? 10 : 5, false);
        print_goal(&list[i], OCCT_PLAIN, "Open CASCADE plain", path ? 10 : 5, true);
    }
    printf("Time of Witness with AVX2+FMA as a multiple of the bare floor (path, random)\n");
    for (int i = 0; i < count; i++) {
        const score *w = &list[i].scores[AVX2], *f = &list[i].scores[FLOOR];
        if (list[i].mode == 0) printf("  %s:", list[i].surface.key);
        if (w->self && f->self) printf(" %.2fx", median(w) / median(f));
        if (list[i].mode == MODES - 1) printf("\n");
    }
}

static int table(contest* list, int count, const char* counts_file)
{
    const char* source = "not counted (no hardware counter here; bench/run counts with valgrind)";
    int counter = counter_open(), wrong = 0;
    if (counter >= 0) {
        count_all(list, count, counter);
        source = "hardware counter (perf_event_open, user mode)";
    } else if (counts_file && read_counts(counts_file, list, count)) {
        source = "valgrind --tool=callgrind";
    }
    counter_close(counter);
    for (int i = 0; i < count; i++)
        for (int p = 0; p < PLAYERS; p++)
            if (list[i].scores[p].self) check(&list[i], p);
    race(list, count);
    for (int i = 0; i < count; i++)
        for (int p = 0; p < PLAYERS; p++) {
            qsort(list[i].scores[p].ns, ROUNDS, sizeof(double), by_size);
            wrong += list[i].scores[p].wrong;
        }
    print_table(list, count, source);
    print_goals(list, count);
    if (!list[0].scores[PORTABLE].self) {
        printf("WRONG: Witness refused the surfaces.\n");
        return 1;
    }
    if (wrong) printf("WRONG: %d rows have errors above what is allowed.\n", wrong);
    return wrong ? 1 : 0;
}

int main(int argc, char** argv)
{
    static contest list[BENCH_SURFACES * MODES];
    enum { COUNT = BENCH_SURFACES * MODES };
    const char* option = argc > 1 ? argv[1] : "";
    bool counting = !strcmp(option, "--count"), reading = !strcmp(option, "--instructions") && argc == 3;
    if (!strcmp(option, "--has-counter")) {
        int counter = counter_open();
        counter_close(counter);
        return counter < 0;
    }
    if ((argc > 1 && !counting && !reading) || (counting && !callgrind_possible())) {
        fprintf(stderr, "usage: witness_jets [--instructions FILE | --count | --has-counter]\n");
        return 2;
    }
    for (int i = 0; i < COUNT; i++) contest_make(&list[i], i / MODES, i % MODES);
    int code = 0;
    if (counting)
        count_all(list, COUNT, -1);
    else
        code = table(list, COUNT, reading ? argv[2] : NULL);
    for (int i = 0; i < COUNT; i++) contest_free(&list[i]);
    return code;
}
