/* SPDX-License-Identifier: MIT */
/* findmin frame by frame along the paper's two motions: iterations, and how long a frame takes on this machine. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "demo_pen.h"
#include "lab.h"
#include "options.h"
#include "out.h"

enum { MODELS, REPEAT, JSON, HELP, OPTIONS };

typedef struct request {
    const char* models;
    int64_t repeat;
    bool json;
} request;

/* Of one law along one motion. */
typedef struct cost {
    int64_t frames, pairs, iterations;
    int most;                /* iterations of one pair */
    double mean, p99, worst; /* of a frame, microseconds: each the least of the repeats */
} cost;

static int help(void)
{
    puts(
        "usage: witness lab findmin [--models DIR] [--repeat N] [--json]\n"
        "\n"
        "The pen and the bowl along both motions of the paper, one frame for each of 221 places and 361 degrees, by "
        "findmin\n"
        "as published, findmin as it is here, and the default law: iterations of Newton's method, and the time of a "
        "frame\n"
        "on this machine. The paper: 2 to 3 iterations as a rule, 12 at most, about 1 kHz on a Pentium IV at 1.4 GHz.\n"
        "\n"
        "  --models DIR  where pen.json and bowl.json are\n"
        "  --repeat N    runs; of each frame the shortest counts (5)\n"
        "  --json        one JSON object");
    return command_flush();
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/* All frames once; the least times so far stand in `least`. */
static wit_status run(const track_task* task, cost* c, double* least, wit_error* error)
{
    wit_track_def def = task->def;
    def.law = &task->law;
    wit_tracker* t = wit_tracker_create(task->body[0], task->body[1], &def, NULL, error);
    wit_status status = t ? WIT_OK : error->status;
    *c = (cost){.frames = task->frames + 1};
    for (int64_t k = 0; k <= task->frames && !status; k++) {
        wit_motion m[2];
        wit_result r;
        for (int i = 0; i < 2; i++) task->motion(task->context, i, (double)k / task->rate, &m[i]);
        double start = now();
        status = wit_tracker_step(t, &m[0], &m[1], 1 / task->rate, &r);
        least[k] = fmin(least[k], now() - start);
        wit_findmin_work w = wit_tracker_findmin_work(t);
        c->pairs += w.pairs;
        c->iterations += w.iterations;
        c->most = w.most > c->most ? w.most : c->most;
    }
    wit_tracker_destroy(t);
    return status;
}

static wit_status measure(const request* q, const track_task* task, cost* c, wit_error* error)
{
    size_t n = (size_t)task->frames + 1;
    double* least = malloc(n * sizeof *least);
    if (!least) return WIT_ERROR_MEMORY;
    for (size_t k = 0; k < n; k++) least[k] = INFINITY;
    wit_status status = WIT_OK;
    for (int64_t k = 0; k < q->repeat && !status; k++) status = run(task, c, least, error);
    for (size_t k = 0; k < n; k++) c->mean += least[k] / (double)n;
    qsort(least, n, sizeof *least, by_size);
    c->p99 = least[(n - 1) * 99 / 100];
    c->worst = least[n - 1];
    free(least);
    return status;
}

static void write_cost(out* o, const request* q, const cost* c, demo_law law)
{
    double per_pair = (double)c->iterations / fmax((double)c->pairs, 1);
    if (q->json) {
        out_open(o, NULL, '{');
        out_put_string(o, "law", demo_law_name(law));
        out_put_integer(o, "frames", c->frames);
        if (law != DEMO_DEFAULT) {
            out_put_number(o, "iterations_a_pair", per_pair);
            out_put_integer(o, "most", c->most);
            out_put_number(o, "iterations_a_frame", (double)c->iterations / (double)c->frames);
        }
        out_put_number(o, "mean_us", c->mean);
        out_put_number(o, "p99_us", c->p99);
        out_put_number(o, "worst_us", c->worst);
        out_close(o, '}');
        return;
    }
    out_text(o, "  %-20s", demo_law_name(law));
    if (law == DEMO_DEFAULT)
        out_text(o, " %10s %6s %10s", "-", "-", "-");
    else
        out_text(o, " %10.2f %6d %10.1f", per_pair, c->most, (double)c->iterations / (double)c->frames);
    out_text(o, " %10.1f %10.1f %10.1f %10.3g\n", c->mean, c->p99, c->worst, 1e3 / c->mean);
}

static int experiment(const request* q, const pen_lab* lab)
{
    out o = {0};
    wit_error error = {0};
    wit_status status = WIT_OK;
    if (q->json) out_open(&o, NULL, '[');
    for (int k = 0; k < PEN_TABLES && !status; k++) {
        const pen_table* table = pen_table_of(k);
        if (!q->json)
            out_text(&o, "%s\n  %-20s %10s %6s %10s %10s %10s %10s %10s\n", table->title, "", "iterations", "most",
                     "a frame", "us a frame", "p99", "worst", "kHz");
        for (int law = 0; law < DEMO_LAWS && !status; law++) {
            track_task task = {0};
            cost c = {0};
            demo_task(lab, table, (demo_law)law, &task);
            status = measure(q, &task, &c, &error);
            if (!status) write_cost(&o, q, &c, (demo_law)law);
        }
    }
    if (q->json) {
        out_close(&o, ']');
        out_text(&o, "\n");
    } else {
        out_text(&o, "the paper, Pentium IV at 1.4 GHz: 2 to 3 iterations, 12 at most, about 1 kHz\n");
    }
    if (!status) return out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
    out_free(&o);
    fprintf(stderr, "witness lab findmin: %s\n", error.text[0] ? error.text : wit_status_text(status));
    return EXIT_BAD_INPUT;
}

int lab_findmin(int argc, char** argv)
{
    static const option options[OPTIONS] = {[MODELS] = {"--models", "a directory"},
                                            [REPEAT] = {"--repeat", "a number of runs"},
                                            [JSON] = {"--json", NULL},
                                            [HELP] = {"--help", NULL}};
    request q = {.repeat = 5};
    option_reader o = option_reader_at("lab findmin", options, OPTIONS, argc, argv);
    for (int index; (index = option_next_only(&o)) != OPTION_END;) {
        if (index == OPTION_WRONG) return EXIT_USAGE;
        if (index == HELP) return help();
        if (index == MODELS) q.models = o.value;
        if (index == JSON) q.json = true;
        if (index == REPEAT && !option_count(&o, 1, 1000, &q.repeat)) return EXIT_USAGE;
    }
    wit_model* pen = pen_read_model("lab findmin", q.models, "pen.json");
    wit_model* bowl = pen ? pen_read_model("lab findmin", q.models, "bowl.json") : NULL;
    int code = EXIT_BAD_INPUT;
    if (bowl) {
        pen_lab lab = {wit_model_body(pen, 0), wit_model_body(bowl, 0), NULL};
        code = experiment(&q, &lab);
    }
    wit_model_destroy(pen);
    wit_model_destroy(bowl);
    return code;
}
