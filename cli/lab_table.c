/* SPDX-License-Identifier: MIT */
/*
 * The pen and the bowl: the two tables of "Tracking closest points between non-convex curved objects", row by row
 * beside our own numbers. The paper's figures are quotations; the reasons for differences are found by
 * calculation (lab_pen.c).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/base/vec.h"
#include "lab.h"
#include "lab_pen.h"
#include "options.h"
#include "out.h"

/* Points as printed; decimals: of the distance. "Full C1" is a whole circle. */
static const pen_row line_rows[] = {
    {0, 8.0, 1, {"0", "0", "0"}, {"0", "-4", "4"}, false},
    {4, 5.65685, 5, {"0", "0", "0"}, {NULL, NULL, NULL}, true},
    {8, 0, 0, {"0", "0", "0"}, {"0", "4", "4"}, false},
    {8.1, 0.04472, 5, {"0", "-0.03", "0.06"}, {"0", "4", "4"}, false},
    {8.8, 0.35777, 5, {"0", "-0.48", "0.96"}, {"0", "4", "4"}, false},
    {9.5, 1.0, 1, {"0", "-0.5", "1.5"}, {"0", "4", "4"}, false},
    {14.8, 6.3, 1, {"0", "-0.5", "6.8"}, {"0", "4", "4"}, false},
    {15.5, 7.01783, 5, {"0", "-0.5", "7"}, {"0", "4", "4"}, false},
    {22, 15.40764, 5, {"0", "-0.5", "7"}, {"0", "3.923", "3.84"}, false},
};

static const pen_row turn_rows[] = {
    {45, 8, 0, {"0", "0", "0"}, {"0", "-4", "4"}, false},
    {66, 7.99198, 5, {"0", "-.16", ".32"}, {"0", "-4", "4"}, false},
    {90, 7.56637, 5, {"0", "-.5", "1"}, {"0", "-4", "4"}, false},
    {120, 6.42820, 5, {"0", "-.5", "4"}, {"0", "-4", "4"}, false},
    {170, 1.24994, 5, {"0", "-.5", "7"}, {"0", "-4", "4"}, false},
    {178, 0.99513, 5, {"0", "-0.279", "7"}, {"0", "-4", "4"}, false},
    {182, 0.99513, 5, {"0", "0.279", "7"}, {"0", "-2.897", "2.925"}, false},
    {210, 3.38993, 5, {"0", "0.5", "7"}, {"0", "4", "4"}, false},
    {225, 4.31371, 5, {"0", "0", "7"}, {"0", "4", "4"}, false},
    {270, 7.56637, 5, {"0", "0.5", "7"}, {"0", "4", "4"}, false},
    {293, 7.98452, 5, {"0", ".222", ".445"}, {"0", "-4", "4"}, false},
};

static const pen_table tables[] = {
    {1, "Y", "the pen moves along a straight line: tip at (0, -4 + Y, 12 - Y)", line_rows,
     sizeof line_rows / sizeof line_rows[0], false},
    {2, "degrees", "the pen turns about its x axis: tip at (0, -4, 12)", turn_rows,
     sizeof turn_rows / sizeof turn_rows[0], true},
};

_Static_assert(sizeof tables / sizeof tables[0] == PEN_TABLES, "as the header says");

const pen_table* pen_table_of(int index)
{
    return &tables[index];
}

static void quoted_point(char* to, size_t room, const pen_row* row, bool bowl)
{
    const char* const* p = bowl ? row->bowl : row->pen;
    if (p[0])
        snprintf(to, room, "(%s, %s, %s)", p[0], p[1], p[2]);
    else
        snprintf(to, room, "full C1");
}

static double tidy(double x)
{
    return fabs(x) < 5e-14 ? 0 : x;
}

static void our_point(char* to, size_t room, wit_vec3 p)
{
    snprintf(to, room, "(%.5g, %.6g, %.6g)", tidy(p.x), tidy(p.y), tidy(p.z));
}

static void text_row(out* o, const pen_lab* lab, const pen_row* row, const pen_answer* x)
{
    char pen[64], bowl[64], pair[128];
    snprintf(pair, sizeof pair, "%s-%s", pen_feature(lab->pen, &x->closest.a), pen_feature(lab->bowl, &x->closest.b));
    out_text(o, "%7g  %9.*f  %17.15g  %10.2e  %-6s %s\n", row->at, row->decimals, row->distance,
             tidy(x->closest.distance), tidy(row->distance - x->closest.distance), pair, x->reason);
    if (!x->points_differ) return;
    quoted_point(pen, sizeof pen, row, false);
    quoted_point(bowl, sizeof bowl, row, true);
    out_text(o, "%9spaper: pen %s, bowl %s\n", "", pen, bowl);
    our_point(pen, sizeof pen, x->pen);
    our_point(bowl, sizeof bowl, x->bowl);
    out_text(o, "%9sours:  pen %s, bowl %s\n", "", pen, bowl);
}

static void write_text(out* o, const pen_lab* lab, const pen_table* t, const pen_answer* answers)
{
    out_text(o, "Table %d: %s\n", t->number, t->title);
    out_text(o, "%7s  %9s  %17s  %10s  %-6s %s\n", t->parameter, "paper", "ours", "difference", "pair", "verdict");
    for (int i = 0; i < t->count; i++) text_row(o, lab, &t->rows[i], &answers[i]);
}

static void put_vector(out* o, const char* key, wit_vec3 p)
{
    double x[3] = {p.x, p.y, p.z};
    out_put_numbers(o, key, x, 3);
}

static void put_quoted(out* o, const char* key, const char* const* p)
{
    if (!p[0]) {
        out_put_string(o, key, "full C1");
        return;
    }
    out_open(o, key, '[');
    for (int i = 0; i < 3; i++) out_put_number(o, NULL, strtod(p[i], NULL));
    out_close(o, ']');
}

static void write_json(out* o, const pen_lab* lab, const pen_table* t, const pen_answer* answers)
{
    out_open(o, NULL, '{');
    out_put_integer(o, "table", t->number);
    out_put_string(o, "parameter", t->parameter);
    out_open(o, "rows", '[');
    for (int i = 0; i < t->count; i++) {
        const pen_row* row = &t->rows[i];
        const pen_answer* x = &answers[i];
        out_open(o, NULL, '{');
        out_put_number(o, "at", row->at);
        out_open(o, "paper", '{');
        out_put_number(o, "distance", row->distance);
        put_quoted(o, "pen", row->pen);
        put_quoted(o, "bowl", row->bowl);
        out_close(o, '}');
        out_open(o, "ours", '{');
        out_put_number(o, "distance", x->closest.distance);
        out_put_number(o, "lower_bound", x->closest.lower_bound);
        out_put_number(o, "upper_bound", x->closest.upper_bound);
        out_put_bool(o, "certified", x->closest.certified);
        out_put_string(o, "outcome", wit_outcome_name(x->closest.outcome));
        out_put_string(o, "pen_feature", pen_feature(lab->pen, &x->closest.a));
        out_put_string(o, "bowl_feature", pen_feature(lab->bowl, &x->closest.b));
        put_vector(o, "pen", x->pen);
        put_vector(o, "bowl", x->bowl);
        out_close(o, '}');
        out_put_number(o, "difference", row->distance - x->closest.distance);
        out_put_bool(o, "distance_right", x->distance_right);
        out_put_bool(o, "points_right", !x->points_differ);
        out_put_string(o, "reason", x->reason);
        out_close(o, '}');
    }
    out_close(o, ']');
    out_close(o, '}');
}

/* ---- the command --------------------------------------------------------------------------------------------- */

enum { MODELS, JSON, HELP, OPTIONS };

static int help(void)
{
    puts(
        "usage: witness lab table [--models DIR] [--json]\n"
        "\n"
        "The pen and the bowl: the closest pair in every row of the paper's two tables, as printed and as found here,\n"
        "and the reason where they differ. Points are in the frames of their own bodies.\n"
        "\n"
        "  --models DIR   where pen.json and bowl.json are\n"
        "  --json         one JSON object");
    return command_flush();
}

static int parse(int argc, char** argv, const char** models, bool* json, bool* done)
{
    static const option options[OPTIONS] = {
        [MODELS] = {"--models", "a directory"}, [JSON] = {"--json", NULL}, [HELP] = {"--help", NULL}};
    option_reader r = option_reader_at("lab table", options, OPTIONS, argc, argv);
    for (;;) {
        switch (option_next_only(&r)) {
        case OPTION_END:
            return EXIT_GOOD;
        case OPTION_WRONG:
            return EXIT_USAGE;
        case MODELS:
            *models = r.value;
            break;
        case JSON:
            *json = true;
            break;
        default:
            *done = true;
            return help();
        }
    }
}

wit_model* pen_read_model(const char* command, const char* directory, const char* name)
{
    char path[1024];
    if (directory) {
        snprintf(path, sizeof path, "%s/%s", directory, name);
        return command_read_model(path, NULL);
    }
    if (command_find_model(name, path, sizeof path)) return command_read_model(path, NULL);
    fprintf(stderr, "witness %s: %s is not found in models/ here, nor beside the command: say --models DIR\n", command,
            name);
    return NULL;
}

static wit_status tabulate(pen_lab* lab, out* o, bool json)
{
    pen_answer answers[PEN_ROWS];
    int rows = 0, right = 0, distances = 0;
    if (json) {
        out_open(o, NULL, '{');
        out_open(o, "tables", '[');
    }
    for (int k = 0; k < PEN_TABLES; k++) {
        const pen_table* t = &tables[k];
        for (int i = 0; i < t->count; i++) {
            wit_status status = pen_solve(lab, t, &t->rows[i], &answers[i]);
            if (status) return status;
        }
        for (int i = 0; i < t->count; i++) {
            wit_status status = pen_judge(lab, t, answers, i);
            if (status) return status;
            rows++;
            right += answers[i].distance_right && !answers[i].points_differ;
            distances += answers[i].distance_right;
        }
        if (!json && k > 0) out_text(o, "\n");
        (json ? write_json : write_text)(o, lab, t, answers);
    }
    if (json) {
        out_close(o, ']');
        out_close(o, '}');
        out_text(o, "\n");
    } else {
        out_text(o, "\n%d rows: the paper has %d right, %d with a wrong point, %d with a wrong distance\n", rows, right,
                 distances - right, rows - distances);
    }
    return WIT_OK;
}

int lab_table(int argc, char** argv)
{
    const char* directory = NULL;
    bool json = false, done = false;
    int code = parse(argc, argv, &directory, &json, &done);
    if (code || done) return code;
    wit_model* pen = pen_read_model("lab table", directory, "pen.json");
    wit_model* bowl = pen ? pen_read_model("lab table", directory, "bowl.json") : NULL;
    wit_query_def def = wit_query_default_def();
    def.tolerance = 1e-12;
    pen_lab lab = {wit_model_body(pen, 0), wit_model_body(bowl, 0), NULL};
    out o = {0};
    code = EXIT_BAD_INPUT;
    if (pen && bowl && lab.pen && lab.bowl) {
        lab.query = wit_query_create(&def, NULL, NULL);
        wit_status status = lab.query ? tabulate(&lab, &o, json) : WIT_ERROR_MEMORY;
        if (status) {
            fprintf(stderr, "witness lab table: %s\n", wit_status_text(status));
            out_free(&o);
        } else if (!out_finish(&o)) {
            code = EXIT_GOOD;
        }
    } else if (pen && bowl) {
        fputs("witness lab table: the models have no bodies\n", stderr);
    }
    wit_query_destroy(lab.query);
    wit_model_destroy(pen);
    wit_model_destroy(bowl);
    return code;
}
