/* SPDX-License-Identifier: MIT */
/* Many points into a file of answers, by the batch call of the library. */
#include <errno.h>
#include <stdlib.h>

#include "../include/witness/batch.h"
#include "../io/file_reason.h"
#include "closest.h"
#include "each.h"
#include "points.h"

enum { ROWS = 1 << 20 }; /* at one time: what the bits may depend on is the file, not the memory */

typedef struct answers {
    const closest_task* task;
    const point_list* list;
    const char* shown; /* the file of points, for messages */
    const char* path;
    points_format format;
    FILE* file;
    wit_batch* batch;
    answer_row* rows;
} answers;

static int refused(const answers* s, int64_t i, wit_status status)
{
    out place = {0};
    points_place(&place, s->shown, s->list, i);
    fprintf(stderr, "%.*s: %s\n", (int)place.length, place.text, closest_refusal(s->task, status));
    out_free(&place);
    return EXIT_BAD_INPUT;
}

static wit_status status_of(const answers* s, const wit_placed* a, int64_t i)
{
    int32_t status = WIT_OK;
    wit_items one = {.data = s->list->xyz + 3 * i, .count = 1};
    wit_batch_out o = {.fields = 0};
    wit_batch_ask(&o, WIT_FIELD_STATUS, &status, 0);
    wit_status call = wit_closest_points(s->batch, a, &one, &o, NULL);
    return call ? call : (wit_status)status;
}

static bool write_rows(const answers* s, const wit_placed* a, int64_t from, int64_t count, int* code)
{
    wit_items items = {.data = s->list->xyz + 3 * from, .count = count};
    wit_batch_out o;
    wit_batch_summary sum;
    answer_rows_ask(&o, s->rows);
    wit_status status = wit_closest_points(s->batch, a, &items, &o, &sum);
    if (status || sum.refused) {
        int64_t i = status ? 0 : sum.first_refused;
        *code = refused(s, from + i, status ? status : status_of(s, a, from + i));
        return false;
    }
    return answer_rows_write(s->file, s->format, s->rows, count);
}

static int write_file(answers* s, const wit_placed* a)
{
    int code = EXIT_GOOD;
    errno = 0;
    s->file = fopen(s->path, "wb");
    bool good = s->file && answer_rows_begin(s->file, s->format, s->list->count);
    for (int64_t from = 0; good && from < s->list->count; from += ROWS) {
        int64_t left = s->list->count - from;
        good = write_rows(s, a, from, left < ROWS ? left : ROWS, &code);
    }
    if (s->file && fclose(s->file) != 0) good = false;
    if (!good && !code) fprintf(stderr, "%s: the file cannot be written%s\n", s->path, file_reason());
    if (!good && s->file) remove(s->path);
    return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}

int closest_points(const closest_task* task, const point_list* list, const closest_files* files, int threads)
{
    answers s = {.task = task, .list = list, .path = files->to, .format = points_format_of_name(files->to)};
    s.shown = files->from[0] == '-' && !files->from[1] ? "standard input" : files->from;
    closest_question q = {.pose = {task->side[0].pose, task->side[1].pose}};
    wit_placed a = closest_placed(task, &q, 0);
    wit_batch_def def = wit_batch_default_def();
    def.query = task->def;
    def.workers = threads;
    def.count = list->count < ROWS ? list->count : ROWS;
    def.each = each_piece;
    def.each_context = &threads;
    s.batch = wit_batch_create(&def, NULL, NULL);
    s.rows = calloc((size_t)(def.count ? def.count : 1), sizeof *s.rows);
    int code = EXIT_BAD_INPUT;
    if (s.batch && s.rows)
        code = write_file(&s, &a);
    else
        fputs("witness closest: no memory for so many points and threads\n", stderr);
    free(s.rows);
    wit_batch_destroy(s.batch);
    return code;
}
