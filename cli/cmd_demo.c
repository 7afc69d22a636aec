/* SPDX-License-Identifier: MIT */
/* The pen and the bowl of "Tracking closest points between non-convex curved objects", tracked. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "demo_pen.h"
#include "options.h"
#include "report.h"
#include "svg.h"

enum { OUT, MODELS, HELP, OPTIONS };

typedef struct request {
    const char *directory, *models;
} request;

static int help(void)
{
    puts("usage: witness demo [--out DIR] [--models DIR]\n"
         "\n"
         "The pen and the bowl of the papers: the pen moves along the line and turns above the bowl, and its closest "
         "points\n"
         "are tracked by findmin as published, by findmin mended, and by the default law. Prints the papers' two "
         "tables\n"
         "beside these, with the reason where the paper differs, and draws charts over time, the hand-overs, and "
         "pictures\n"
         "of some poses.\n"
         "\n"
         "  --out DIR      where the pictures go; build/ where there is one, else this directory\n"
         "  --models DIR   where pen.json and bowl.json are");
    return command_flush();
}

static int parse(int argc, char** argv, request* r, bool* done)
{
    static const option options[OPTIONS] = {
        [OUT] = {"--out", "a directory"}, [MODELS] = {"--models", "a directory"}, [HELP] = {"--help", NULL}};
    option_reader o = option_reader_at("demo", options, OPTIONS, argc, argv);
    for (;;) {
        switch (option_next_only(&o)) {
        case OPTION_END:
            return EXIT_GOOD;
        case OPTION_WRONG:
            return EXIT_USAGE;
        case OUT:
            r->directory = o.value;
            break;
        case MODELS:
            r->models = o.value;
            break;
        default:
            *done = true;
            return help();
        }
    }
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static double tidy(double x)
{
    return fabs(x) < 5e-14 ? 0 : x;
}

static void put_table(out* o, const pen_lab* lab, const pen_table* t, const demo_run* runs, const pen_answer* answers)
{
    out_text(o, "Table %d: %s\n", t->number, t->title);
    out_text(o, "%7s  %9s  %12s  %14s  %14s  %-6s %s\n", t->parameter, "paper", "as published", "findmin", "deadbeat",
             "pair", "the paper is");
    for (int i = 0; i < t->count; i++) {
        const pen_row* row = &t->rows[i];
        const wit_result* last = &runs[DEMO_DEFAULT].rows[i];
        char pair[64];
        snprintf(pair, sizeof pair, "%s-%s", pen_feature(lab->pen, &last->a), pen_feature(lab->bowl, &last->b));
        out_text(o, "%7g  %9.*f  %12.8g  %14.10g  %14.10g%c %-6s %s\n", row->at, row->decimals, row->distance,
                 tidy(runs[DEMO_PUBLISHED].rows[i].distance), tidy(runs[DEMO_FINDMIN].rows[i].distance),
                 tidy(last->distance), last->flags & WIT_FLAG_CERTIFIED ? ' ' : '?', pair, answers[i].reason);
    }
    for (int i = 0; i < t->count; i++) {
        /* A whole circle is flat: it fails the published test for a minimum, and another pair is taken. */
        double excess = runs[DEMO_PUBLISHED].rows[i].distance - answers[i].closest.distance;
        if (t->rows[i].circle && excess > 1e-6)
            out_text(o,
                     "  as published, the circle at %s = %g is no minimum: its second derivative is 0, and more is "
                     "asked for\n",
                     t->parameter, t->rows[i].at);
    }
}

static void put_runs(out* o, const demo_run* runs)
{
    for (int k = 0; k < DEMO_LAWS; k++) {
        const track_sum* s = &runs[k].sum;
        double n = (double)s->frames;
        out_text(o, "  %-20s %lld frames, %lld hand-overs, %lld certified; ", demo_law_name((demo_law)k),
                 (long long)s->frames, (long long)s->switches, (long long)track_flagged(s, WIT_FLAG_CERTIFIED));
        if (k != DEMO_DEFAULT)
            out_text(o, "%.3g iterations a pair, %d at most; ", s->findmin_iterations / fmax(s->findmin_pairs, 1),
                     s->findmin_most);
        out_text(o, "work %.4g a step, %lld at worst\n", s->work / n, (long long)s->work_worst);
    }
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static bool is_directory(const char* path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static int save(out* o, wit_status status, const char* directory, const char* name, out* list)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.svg", directory, name);
    int code = svg_finish(o, status, path);
    if (!code) out_text(list, "  %s\n", path);
    return code;
}

/* The poses of some rows. */
static int save_poses(const demo_run* run, const char* directory, const char* kind, out* list)
{
    static const double shown[PEN_TABLES][3] = {{4, 8.8, 22}, {90, 178, 225}};
    const pen_table* t = run->table;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < t->count; i++) {
            if (t->rows[i].at != shown[t->turns][k]) continue;
            out o = {0};
            char name[64];
            snprintf(name, sizeof name, "demo-%s-%g", kind, t->rows[i].at);
            wit_status status =
                track_snapshot(&o, &run->task, &(track_view){0}, demo_time(t, t->rows[i].at), &run->rows[i]);
            int code = save(&o, status, directory, name, list);
            if (code) return code;
        }
    }
    return EXIT_GOOD;
}

static int save_pictures(const demo_run* run, const char* directory, out* list)
{
    const char* kind = run->table->turns ? "turn" : "line";
    char name[64];
    out o = {0};
    snprintf(name, sizeof name, "demo-%s", kind);
    wit_status status = track_chart(&o, &run->task, &run->sum, &run->series);
    int code = save(&o, status, directory, name, list);
    if (code) return code;
    snprintf(name, sizeof name, "demo-%s-automaton", kind);
    status = track_automaton(&o, &run->task, &run->sum);
    code = save(&o, status, directory, name, list);
    return code ? code : save_poses(run, directory, kind, list);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static wit_status judge(pen_lab* lab, const pen_table* t, pen_answer* answers)
{
    wit_status status = WIT_OK;
    for (int i = 0; i < t->count && !status; i++) status = pen_solve(lab, t, &t->rows[i], &answers[i]);
    for (int i = 0; i < t->count && !status; i++) status = pen_judge(lab, t, answers, i);
    return status;
}

/* Where things go. */
typedef struct target {
    const char* directory;
    report* page;               /* or null: it is not built */
    const wit_model* models[2]; /* of the pen and the bowl */
    out text, list;
} target;

/* One motion with all laws. */
static int show(pen_lab* lab, const pen_table* t, target* to)
{
    demo_run runs[DEMO_LAWS];
    pen_answer answers[PEN_ROWS];
    wit_error error = {0};
    wit_status status = judge(lab, t, answers);
    int made = 0;
    for (; made < DEMO_LAWS && !status; made++) status = demo_track(lab, t, (demo_law)made, &runs[made], &error);
    int code = EXIT_GOOD;
    if (status) {
        fprintf(stderr, "witness demo: %s%s%s\n", error.item, error.item[0] ? ": " : "",
                error.text[0] ? error.text : wit_status_text(status));
        code = EXIT_BAD_INPUT;
    } else {
        demo_run* shown = &runs[DEMO_DEFAULT];
        put_table(&to->text, lab, t, runs, answers);
        put_runs(&to->text, runs);
        code = save_pictures(shown, to->directory, &to->list);
        if (!code && to->page && shown->record && record_poses(shown->record, &shown->task))
            report_run(to->page, &shown->task, &shown->sum, shown->record, to->models);
    }
    for (int k = 0; k < made; k++) demo_release(&runs[k]);
    return code;
}

/* The last line: where the page is, or what is missing. */
static int save_page(target* to)
{
    if (!to->page) {
        out_text(&to->text, "No page to open: page.html is not beside the command; make page makes it\n");
        return EXIT_GOOD;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/demo.html", to->directory);
    out_text(&to->text, "Open in a browser, no network needed:\n  %s\n", path);
    return report_write(to->page, path);
}

static int demonstrate(pen_lab* lab, target* to)
{
    int code = EXIT_GOOD;
    for (int k = 0; k < PEN_TABLES && !code; k++) {
        if (k) out_text(&to->text, "\n");
        code = show(lab, pen_table_of(k), to);
    }
    out_text(&to->text, "\nA ? stands behind a distance that was not certified. Pictures:\n%s",
             to->list.text ? to->list.text : "");
    if (!code) code = save_page(to);
    if (to->list.failed) to->text.failed = true;
    out_free(&to->list);
    if (!code) return out_finish(&to->text) ? EXIT_BAD_INPUT : EXIT_GOOD;
    out_free(&to->text);
    return code;
}

int command_demo(int argc, char** argv)
{
    request r = {0};
    bool done = false;
    int code = parse(argc, argv, &r, &done);
    if (code || done) return code;
    if (r.directory && !is_directory(r.directory)) {
        fprintf(stderr, "%s: there is no such directory for the pictures\n", r.directory);
        return EXIT_BAD_INPUT;
    }
    const char* directory = r.directory ? r.directory : is_directory("build") ? "build" : ".";
    wit_model* pen = pen_read_model("demo", r.models, "pen.json");
    wit_model* bowl = pen ? pen_read_model("demo", r.models, "bowl.json") : NULL;
    wit_query_def def = wit_query_default_def();
    def.tolerance = 1e-12;
    pen_lab lab = {wit_model_body(pen, 0), wit_model_body(bowl, 0), NULL};
    char page[1024];
    target to = {.directory = directory, .models = {pen, bowl}};
    if (pen && bowl && command_find_page("page.html", page, sizeof page))
        to.page = report_begin("demo", "The pen and the bowl");
    code = EXIT_BAD_INPUT;
    if (pen && bowl && lab.pen && lab.bowl) {
        lab.query = wit_query_create(&def, NULL, NULL);
        if (lab.query)
            code = demonstrate(&lab, &to);
        else
            fputs("witness demo: no memory\n", stderr);
    } else if (pen && bowl) {
        fputs("witness demo: the models have no bodies\n", stderr);
    }
    report_free(to.page);
    wit_query_destroy(lab.query);
    wit_model_destroy(pen);
    wit_model_destroy(bowl);
    return code;
}
