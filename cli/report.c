/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../io/file_reason.h"
#include "command.h"
#include "deflate.h"
#include "lab_law.h"

/* Where the page wants its data: this line is replaced. */
static const char mark[] = "<!-- witness data -->";

enum { MODELS_MOST = 8 };

struct report {
    const char* command;
    char* page;
    size_t page_bytes;
    char* place; /* of the mark */
    out runs;    /* JSON */
    out blocks;  /* scripts of data */
    const wit_model* models[MODELS_MOST];
    int model_count, run_count;
    char name[256];
};

static char* read_file(const char* path, size_t* bytes)
{
    FILE* file = fopen(path, "rb");
    if (!file) return NULL;
    out o = {0};
    char part[1 << 14];
    size_t n;
    while ((n = fread(part, 1, sizeof part, file)) > 0) out_bytes(&o, part, n);
    bool failed = ferror(file) || o.failed;
    fclose(file);
    *bytes = o.length;
    if (!failed && o.text) return o.text;
    out_free(&o);
    return NULL;
}

report* report_begin(const char* command, const char* name)
{
    char path[1024];
    if (!command_find_page("page.html", path, sizeof path)) {
        fprintf(stderr, "witness %s: the page is not built: page.html is not beside the command; make page makes it\n",
                command);
        return NULL;
    }
    report* r = calloc(1, sizeof *r);
    if (r) r->page = read_file(path, &r->page_bytes);
    if (r && r->page) r->place = strstr(r->page, mark);
    if (!r || !r->place) {
        fprintf(stderr, "%s: it is not the page of this command\n", path);
        report_free(r);
        return NULL;
    }
    r->command = command;
    snprintf(r->name, sizeof r->name, "%s", name);
    return r;
}

void report_free(report* r)
{
    if (!r) return;
    free(r->page);
    out_free(&r->runs);
    out_free(&r->blocks);
    free(r);
}

static void put_block(out* o, const char* id, int number, const out* data)
{
    out_text(o, "<script type=\"text/plain\" id=\"witness-%s-%d\">", id, number);
    out_bytes(o, data->text ? data->text : "", data->length);
    out_text(o, "</script>\n");
    if (data->failed) o->failed = true;
}

static int add_model(report* r, const wit_model* model)
{
    for (int i = 0; i < r->model_count; i++)
        if (r->models[i] == model) return i;
    if (r->model_count == MODELS_MOST) return -1;
    size_t bytes = wit_model_write_text(model, NULL, 0);
    char* text = malloc(bytes + 1);
    if (!text) {
        r->blocks.failed = true;
        return -1;
    }
    wit_model_write_text(model, text, bytes + 1);
    out packed = {0}, coded = {0};
    deflate(&packed, (const uint8_t*)text, bytes);
    base64(&coded, (const uint8_t*)packed.text, packed.length);
    coded.failed = coded.failed || packed.failed;
    put_block(&r->blocks, "model", r->model_count, &coded);
    out_free(&packed);
    out_free(&coded);
    free(text);
    r->models[r->model_count] = model;
    return r->model_count++;
}

void report_model(report* r, const wit_model* model)
{
    add_model(r, model);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static int body_index(const wit_model* model, const wit_body* body)
{
    for (int i = 0; i < wit_model_body_count(model); i++)
        if (wit_model_body(model, i) == body) return i;
    return -1;
}

static void put_side(report* r, out* o, const track_task* task, int side, const wit_model* model)
{
    out_open(o, NULL, '{');
    out_put_string(o, "name", task->side[side]);
    out_put_integer(o, "model", model ? add_model(r, model) : -1);
    out_put_integer(o, "body", model ? body_index(model, task->body[side]) : -1);
    out_close(o, '}');
}

static void put_transitions(out* o, const track_sum* sum)
{
    out_open(o, "transitions", '[');
    for (int64_t i = 0; i < sum->transition_count; i++) {
        const wit_transition* t = &sum->transitions[i];
        const double row[8] = {t->time,       t->side,  (double)t->from, t->from_id,
                               (double)t->to, t->to_id, t->before,       t->after};
        out_put_numbers(o, NULL, row, 8);
    }
    out_close(o, ']');
}

/* The object that `track --json` prints. */
static void put_figures(out* o, const track_task* task, const track_sum* sum)
{
    out figures = {0};
    track_json(&figures, task, sum);
    while (figures.length && figures.text[figures.length - 1] == '\n') figures.length--;
    out_text(o, ",\"figures\":");
    out_bytes(o, figures.text ? figures.text : "null", figures.text ? figures.length : 4);
    if (figures.failed) o->failed = true;
    out_free(&figures);
}

void report_run(report* r, const track_task* task, const track_sum* sum, const record* run,
                const wit_model* const model[2])
{
    out* o = &r->runs;
    out data = {0};
    char law[160];
    law_describe(&task->law, law, sizeof law);
    out_open(o, NULL, '{');
    out_put_string(o, "name", task->name);
    out_put_string(o, "unit", task->unit);
    out_put_string(o, "law", law);
    out_put_number(o, "rate", task->rate);
    out_put_integer(o, "frames", record_count(run));
    out_put_number(o, "tolerance", task->def.tolerance);
    out_put_bool(o, "dynamic", task->world != NULL);
    out_open(o, "sides", '[');
    for (int side = 0; side < 2; side++) put_side(r, o, task, side, model[side]);
    out_close(o, ']');
    record_write(run, o, &data);
    put_transitions(o, sum);
    put_figures(o, task, sum);
    out_close(o, '}');
    put_block(&r->blocks, "run", r->run_count++, &data);
    out_free(&data);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* JSON inside HTML: < only ever stands in strings. */
static void put_safely(out* o, const out* json)
{
    for (size_t i = 0; i < json->length; i++) {
        if (json->text[i] == '<')
            out_text(o, "\\u003c");
        else
            out_bytes(o, json->text + i, 1);
    }
    if (json->failed) o->failed = true;
}

bool report_text(const report* r, out* o)
{
    out head = {0};
    out_open(&head, NULL, '{');
    out_put_string(&head, "witness", wit_version());
    out_put_string(&head, "name", r->name);
    out_put_integer(&head, "models", r->model_count);
    out_text(&head, ",\"runs\":[");
    out_bytes(&head, r->runs.text ? r->runs.text : "", r->runs.length);
    out_text(&head, "]}");
    out_bytes(o, r->page, (size_t)(r->place - r->page));
    out_text(o, "<script type=\"application/json\" id=\"witness-report\">");
    put_safely(o, &head);
    out_text(o, "</script>\n");
    out_bytes(o, r->blocks.text ? r->blocks.text : "", r->blocks.length);
    const char* rest = r->place + sizeof mark - 1;
    out_bytes(o, rest, r->page_bytes - (size_t)(rest - r->page));
    bool good = !o->failed && !head.failed && !r->runs.failed && !r->blocks.failed;
    out_free(&head);
    if (!good) fprintf(stderr, "witness %s: no memory for the report\n", r->command);
    return good;
}

int report_write(const report* r, const char* path)
{
    out o = {0};
    if (!report_text(r, &o)) {
        out_free(&o);
        return EXIT_BAD_INPUT;
    }
    errno = 0;
    FILE* file = fopen(path, "wb");
    bool good = file && fwrite(o.text, 1, o.length, file) == o.length;
    if (file && fclose(file) != 0) good = false;
    if (!good) fprintf(stderr, "%s: the report cannot be written%s\n", path, file_reason());
    out_free(&o);
    return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}
