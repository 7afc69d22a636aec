/* SPDX-License-Identifier: MIT */
/*
 * Many questions from a file. One thread reads lines, the others answer and write their text, and the texts go out in the
 * order of the lines. A query gives the same bits whatever its thread was asked before, so the number of threads
 * does not show in the output.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../io/file_reason.h"
#include "closest.h"
#include "command.h"
#include "numbers.h"
#include "pool.h"
#include "progress.h"

typedef struct job {
    closest_question question;
    closest_answer answer;
    double share; /* of the file that was read at this line; negative: not known */
    out text;
} job;

typedef struct batch {
    const closest_task* task;
    const char* shown; /* name of the file for messages */
    closest_sum sum;   /* touched by deliver only */
    progress progress;
    int code;
} batch;

typedef struct line_reader {
    FILE* file;
    char* text;
    size_t length, room;
    long number;            /* 1-based, of the line in text */
    long long bytes, total; /* total 0: not known */
} line_reader;

enum { LONGEST_LINE = 1 << 16 };

static void work(void* shared, void* worker, void* job_memory)
{
    const batch* b = shared;
    job* j = job_memory;
    closest_ask(b->task, worker, &j->question, &j->answer);
    if (j->answer.status) return;
    if (b->task->json)
        closest_json(&j->text, b->task, worker, &j->answer);
    else
        closest_row(&j->text, b->task, worker, &j->question, &j->answer);
}

static bool write_out(batch* b, out* text, bool flush)
{
    if (text->failed) {
        fputs("witness: no memory for the output\n", stderr);
    } else if ((!text->length || fwrite(text->text, 1, text->length, stdout) == text->length) &&
               (!flush || fflush(stdout) == 0)) {
        text->length = 0;
        text->comma = false;
        return true;
    } else {
        fputs("witness: standard output cannot be written\n", stderr);
    }
    b->code = EXIT_BAD_INPUT;
    return false;
}

static bool deliver(void* shared, void* job_memory, bool last)
{
    batch* b = shared;
    job* j = job_memory;
    if (j->answer.status) {
        progress_end(&b->progress);
        fflush(stdout);
        fprintf(stderr, "%s:%ld:1: %s\n", b->shown, j->question.line, closest_refusal(b->task, j->answer.status));
        b->code = EXIT_BAD_INPUT;
        return false;
    }
    closest_sum_add(&b->sum, b->task, j->question.line, &j->answer);
    progress_step(&b->progress, b->sum.queries, "queries", j->share);
    return write_out(b, &j->text, last);
}

static void release_job(void* job_memory)
{
    out_free(&((job*)job_memory)->text);
}

/* The next line without its end. False at the end of the file, or when the line is too long (reason set). */
static bool next_line(line_reader* r, const char** reason)
{
    int c = 0;
    *reason = NULL;
    r->length = 0;
    r->number++;
    while ((c = getc(r->file)) != EOF && c != '\n') {
        if (r->length + 1 >= r->room) {
            size_t room = r->room ? 2 * r->room : 256;
            char* grown = room > LONGEST_LINE ? NULL : realloc(r->text, room);
            if (!grown) {
                *reason = "the line is too long";
                return false;
            }
            r->text = grown;
            r->room = room;
        }
        r->text[r->length++] = (char)c;
        r->bytes++;
    }
    r->bytes++;
    if (ferror(r->file)) {
        *reason = "it cannot be read";
        return false;
    }
    return c != EOF || r->length > 0;
}

/* The question of the line. False: line->column and line->reason say why not. *empty: a comment or nothing. */
static bool parse_line(const closest_task* task, const line_reader* r, number_line* line, closest_question* q,
                       bool* empty)
{
    int wanted = task->pair ? 14 : 3;
    *empty = false;
    if (!numbers_read(r->text ? r->text : "", r->length, line)) return false;
    if (line->count == 0) {
        *empty = true;
        return true;
    }
    if (line->count != wanted) {
        line->column = line->count > wanted && wanted < NUMBERS_MOST ? line->at[wanted] : 1;
        snprintf(line->reason, sizeof line->reason, "%d number%s, not %d: %s", line->count, line->count == 1 ? "" : "s",
                 wanted, task->pair ? "x y z qw qx qy qz of a, then of b" : "x y z");
        return false;
    }
    q->line = r->number;
    q->pose[0] = task->side[0].pose;
    q->pose[1] = task->side[1].pose;
    if (task->pair) return numbers_pose(line, 0, &q->pose[0]) && numbers_pose(line, 7, &q->pose[1]);
    for (int i = 0; i < 3; i++) {
        if (!(fabs(line->value[i]) <= WIT_MAX_COORDINATE)) {
            line->column = line->at[i];
            snprintf(line->reason, sizeof line->reason, "the coordinate is too large");
            return false;
        }
    }
    q->point = (wit_vec3){line->value[0], line->value[1], line->value[2]};
    return true;
}

/* Reads and submits until the end, a bad line, or a stop. False after a bad line: line says why. */
static bool submit_lines(batch* b, pool* p, line_reader* r, number_line* line)
{
    const char* reason;
    bool empty = false;
    while (next_line(r, &reason)) {
        closest_question q = {0};
        if (!parse_line(b->task, r, line, &q, &empty)) return false;
        if (empty) continue;
        job* j = pool_job(p);
        if (!j) return true;
        j->question = q;
        j->share = r->total > 0 ? (double)r->bytes / (double)r->total : -1;
        pool_submit(p);
    }
    if (!reason) return true;
    line->column = 1;
    snprintf(line->reason, sizeof line->reason, "%s", reason);
    return false;
}

/* The same of points that have been read. */
static void submit_points(pool* p, const closest_task* task, const point_list* list)
{
    for (int64_t i = 0; i < list->count; ++i) {
        job* j = pool_job(p);
        if (!j) return;
        const double* x = list->xyz + 3 * i;
        j->question = (closest_question){.line = list->line ? (long)list->line[i] : (long)(i + 1)};
        j->question.pose[0] = task->side[0].pose;
        j->question.point = (wit_vec3){x[0], x[1], x[2]};
        j->share = (double)(i + 1) / (double)list->count;
        pool_submit(p);
    }
}

static int run(batch* b, line_reader* r, const point_list* list, int threads)
{
    pool_def def = {.threads = threads,
                    .job_bytes = sizeof(job),
                    .worker_bytes = sizeof(closest_worker),
                    .shared = b,
                    .work = work,
                    .deliver = deliver,
                    .release_worker = closest_worker_release,
                    .release_job = release_job};
    pool* p = pool_create(&def);
    if (!p) {
        fputs("witness closest: no threads could be started\n", stderr);
        return EXIT_BAD_INPUT;
    }
    number_line line = {0};
    bool read = true;
    if (list)
        submit_points(p, b->task, list);
    else
        read = submit_lines(b, p, r, &line);
    bool good = pool_finish(p);
    progress_end(&b->progress);
    if (!good) return b->code; /* at a line before */
    if (!read) {
        fflush(stdout);
        fprintf(stderr, "%s:%ld:%d: %s\n", b->shown, r->number, line.column, line.reason);
        return EXIT_BAD_INPUT;
    }
    return EXIT_GOOD;
}

/* The table on top, the answers, the sum. */
static int print_answers(batch* b, line_reader* r, const point_list* list, int threads)
{
    const closest_task* task = b->task;
    out head = {0};
    int code = EXIT_GOOD;
    if (!task->json) {
        closest_row_head(&head, task);
        if (!write_out(b, &head, true)) code = EXIT_BAD_INPUT;
    }
    if (!code) code = run(b, r, list, threads);
    if (!code && !task->json) closest_sum_text(&head, task, &b->sum);
    if (!code && !write_out(b, &head, true)) code = EXIT_BAD_INPUT;
    out_free(&head);
    return code;
}

static int batch_of_points(batch* b, const closest_files* files, int threads)
{
    point_list list;
    if (!points_read(files->from, files->format, &list)) return EXIT_BAD_INPUT;
    int code = files->to ? closest_points(b->task, &list, files, threads) : print_answers(b, NULL, &list, threads);
    points_free(&list);
    return code;
}

int closest_batch(const closest_task* task, const closest_files* files, int threads)
{
    bool standard = strcmp(files->from, "-") == 0;
    batch b = {.task = task, .shown = standard ? "standard input" : files->from, .progress = progress_begin()};
    line_reader r = {0};
    points_format format = files->format ? files->format : points_format_of_name(files->from);
    /* lines of text are answered as they come */
    if (!task->pair && (files->to || format != POINTS_TEXT)) return batch_of_points(&b, files, threads);
    errno = 0;
    r.file = standard ? stdin : fopen(files->from, "rb");
    if (!r.file) {
        fprintf(stderr, "%s: the file cannot be opened%s\n", files->from, file_reason());
        return EXIT_BAD_INPUT;
    }
    if (!standard && fseek(r.file, 0, SEEK_END) == 0) {
        r.total = ftell(r.file);
        rewind(r.file);
    }
    int code = print_answers(&b, &r, NULL, threads);
    free(r.text);
    if (!standard) fclose(r.file);
    return code;
}
