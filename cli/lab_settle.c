/* SPDX-License-Identifier: MIT */
/* How fast does a law settle on a point that stands still? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "lab_law.h"
#include "lab_settle.h"
#include "numbers.h"
#include "out.h"
#include "plot.h"
#include "svg.h"

enum {
    POINT,
    START,
    GRID,
    RATE,
    GAIN,
    EPS,
    LAW,
    LAWS,
    MODULE,
    OUTER,
    INTEGRATOR,
    STEPS,
    BODY,
    FACE,
    SVG,
    CSV,
    JSON,
    HELP,
    OPTIONS
};

typedef settle_request request;

/* One gain. */
typedef struct settling {
    double gain;
    int64_t to_1e_3, to_1e_6; /* steps; -1: not within those allowed */
    double last;              /* error at the end */
    double* error;            /* largest normalised one after 0, 1, ... steps */
} settling;

static int help(void)
{
    puts("usage: witness lab settle MODEL --point X,Y,Z --start U,V [--law NAME] [--integrator NAME] [--gain "
         "K1,K2,...]\n"
         "                         [--rate HZ] [--steps N] [--svg FILE] [--json]\n"
         "       witness lab settle MODEL --point X,Y,Z --grid N --laws LIST [--gain K1,K2,...] [--csv FILE] ...\n"
         "\n"
         "A point stands still above a face; the tracker starts at (U,V) and stays on the face. How many steps until "
         "the\n"
         "largest normalised projection error is below 1e-3 and below 1e-6, and stays there? Over several laws or "
         "starts a\n"
         "line for each law and gain: how many starts get there, their steps, and how many end at the closest point.\n"
         "\n"
         "  MODEL             a model with a face\n"
         "  --point X,Y,Z     the point\n"
         "  --start U,V       where it starts\n"
         "  --grid N          from N x N starts over the face, its borders too\n"
         "  --law NAME        linearizing if not told; or a shared object with one of your own: ./mine.so\n"
         "  --laws LIST       several, separated by commas, or all\n"
         "  --module FILE     a law of your own besides those\n"
         "  --outer FILE      an outer loop of your own for linearizing\n"
         "  --integrator NAME rk2 if not told; or a shared object\n"
         "  --gain K1,K2,...  1/s; 100 if not told. exponential makes its own gains: these are their caps\n"
         "  --eps BALL        normalised error below which the gains of exponential stop growing (0.001)\n"
         "  --rate HZ         steps per second (1000)\n"
         "  --steps N         steps at most (400)\n"
         "  --body NAME, --face NAME   where the model has several bodies, the body several faces\n"
         "  --svg FILE        the error over the steps, a line for each gain; of one law and start\n"
         "  --csv FILE        a line for every law, gain and start: the steps it took, or nothing\n"
         "  --json            one JSON object");
    return command_flush();
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static bool read_gains(const option_reader* o, request* r)
{
    number_line line;
    bool good = numbers_read(o->value, strlen(o->value), &line);
    const char* reason = line.reason;
    for (int i = 0; good && i < line.count && i < NUMBERS_MOST; i++) good = line.value[i] >= 0;
    if (good && (line.count < 1 || line.count > NUMBERS_MOST)) good = false;
    if (!good) {
        if (!reason[0]) reason = "1 to 16 gains are wanted, none negative";
        fprintf(stderr, "witness lab settle: --gain '%s': %s\nTry 'witness lab settle --help'.\n", o->value, reason);
        return false;
    }
    r->gain_count = line.count;
    memcpy(r->gain, line.value, (size_t)line.count * sizeof *r->gain);
    return true;
}

static bool read_value(request* r, const option_reader* o, int index)
{
    switch (index) {
    case POINT:
        return lab_patch_point(o, &r->patch);
    case START:
        return option_numbers(o, 2, r->start);
    case RATE:
        return option_number(o, 1e-6, 1e9, &r->rate);
    case GAIN:
        return read_gains(o, r);
    case EPS:
        return law_ball(o, &r->ball);
    case GRID:
        return option_count(o, 2, 1001, &r->grid);
    case LAW:
        return law_or_module(o, &r->own, &r->law);
    case LAWS:
        return law_choices(o, law_name, WIT_LAW_COUNT, &r->laws);
    case MODULE:
        return law_module(o, &r->own);
    case OUTER:
        return outer_module(o, &r->own);
    case INTEGRATOR:
        return integrator_or_module(o, &r->own, &r->integrator);
    case CSV:
        r->csv = o->value;
        return true;
    case STEPS:
        return option_count(o, 1, 1000000, &r->steps);
    case BODY:
        r->patch.body_name = o->value;
        return true;
    case FACE:
        r->patch.face_name = o->value;
        return true;
    case SVG:
        r->svg = o->value;
        return true;
    default:
        r->json = true;
        return true;
    }
}

/* Do the options go together? */
static int check(const request* r, const option_reader* o)
{
    const char* name = wit_law_name((wit_law_kind)r->law);
    bool many = r->grid || r->laws || option_seen(o, MODULE) || r->csv, flow = wit_law_is_flow((wit_law_kind)r->law);
    if (!r->grid && !option_seen(o, START))
        return command_usage("lab settle", "--start U,V is missing, or --grid N", NULL, NULL);
    if (r->grid && option_seen(o, START))
        return command_usage("lab settle", "--start and --grid together: the starts are one or the other", NULL, NULL);
    if (r->laws && option_seen(o, LAW))
        return command_usage("lab settle", "--law and --laws together: the list has them all", NULL, NULL);
    if (many && r->svg)
        return command_usage("lab settle", "--svg draws one law from one start; for more there is --csv", NULL, NULL);
    if (!many && !flow && (option_seen(o, GAIN) || option_seen(o, INTEGRATOR)))
        return command_usage("lab settle", "neither a gain nor an integrator belongs to the law", name, NULL);
    if (r->own.outer && !(r->laws ? r->laws >> WIT_LAW_LINEARIZING & 1 : r->law == WIT_LAW_LINEARIZING))
        return command_usage("lab settle", "--outer belongs to linearizing, which is not among the laws", NULL, NULL);
    if (option_seen(o, EPS) && !r->laws && r->law != WIT_LAW_EXPONENTIAL)
        return command_usage("lab settle", "--eps belongs to exponential, not to", name, NULL);
    return EXIT_GOOD;
}

static int parse(int argc, char** argv, request* r, bool* done)
{
    static const option options[OPTIONS] = {
        [POINT] = {"--point", "a point X,Y,Z"},
        [START] = {"--start", "two parameters U,V"},
        [GRID] = {"--grid", "a number of starts"},
        [LAWS] = {"--laws", "a list of laws"},
        [MODULE] = {"--module", "a shared object"},
        [OUTER] = {"--outer", "a shared object"},
        [CSV] = {"--csv", "a file name"},
        [RATE] = {"--rate", "a number of steps per second"},
        [GAIN] = {"--gain", "a list of gains"},
        [EPS] = {"--eps", "a normalised error"},
        [LAW] = {"--law", "the name of a law"},
        [INTEGRATOR] = {"--integrator", "the name of an integrator"},
        [STEPS] = {"--steps", "a number of steps"},
        [BODY] = {"--body", "the name of a body"},
        [FACE] = {"--face", "the name of a face"},
        [SVG] = {"--svg", "a file name"},
        [JSON] = {"--json", NULL},
        [HELP] = {"--help", NULL},
    };
    option_reader o = option_reader_at("lab settle", options, OPTIONS, argc, argv);
    for (;;) {
        int index = lab_patch_next(&o, &r->patch);
        if (index == OPTION_END) break;
        if (index == OPTION_WRONG) return EXIT_USAGE;
        if (index == HELP) {
            *done = true;
            return help();
        }
        if (!read_value(r, &o, index)) return EXIT_USAGE;
    }
    if (!lab_patch_complete(&o, &r->patch, POINT)) return EXIT_USAGE;
    return check(r, &o);
}

/* ---- the experiment ---------------------------------------------------------------------------------------------- */

wit_track_def settle_def(const request* r, int kind, double gain, wit_law_def* law)
{
    wit_track_def d = wit_track_default_def();
    *law = wit_law_default_def((wit_law_kind)kind);
    law->integrator = (wit_integrator)r->integrator;
    law_settle_def(&d, law);
    d.form = WIT_FORM_PAPERS; /* of a point both forms are one */
    d.reacquire = false;
    if (law->kind == WIT_LAW_EXPONENTIAL)
        law->cap = gain;
    else if (wit_law_is_flow(law->kind))
        law->gain = (wit_gain){.kind = WIT_GAIN_SCALAR, .value = gain};
    if (r->ball > 0) law->ball = r->ball;
    if (kind == WIT_LAW_OWN) law_module_apply(r->own.law, law);
    law_plugins_apply(&r->own, law);
    return d;
}

/* Steps after which the error stays below the bound; -1: it does not. */
static int64_t settled(const settling* s, int64_t steps, double bound)
{
    int64_t k = steps;
    if (!(s->error[k] < bound)) return -1;
    while (k > 0 && s->error[k - 1] < bound) k--;
    return k;
}

double settle_error(const request* r, double u, double v)
{
    wit_moving_place a, b;
    wit_kinematics k;
    lab_patch_places(&r->patch, u, v, &a, &b);
    double worst = 0;
    if (wit_kinematics_at(&a, &b, WIT_FORM_PAPERS, &k)) return NAN;
    for (int i = 0; i < k.count; i++) worst = fmax(worst, fabs(k.error[i]));
    return worst;
}

static wit_status settle(const request* r, settling* s, wit_error* error)
{
    wit_law_def law;
    wit_track_def def = settle_def(r, r->law, s->gain, &law);
    lab_tracker t;
    s->error = malloc(((size_t)r->steps + 1) * sizeof *s->error);
    if (!s->error) return WIT_ERROR_MEMORY;
    if (!lab_tracker_make(&t, &r->patch, &def, &law, 1 / r->rate, error)) return error->status;
    s->error[0] = settle_error(r, r->start[0], r->start[1]);
    wit_status status = lab_tracker_start(&t, r->start[0], r->start[1]);
    for (int64_t k = 1; k <= r->steps && !status; k++) {
        wit_result result = {0};
        status = lab_tracker_step(&t, &result);
        s->error[k] = result.residual;
    }
    lab_tracker_release(&t);
    if (status) return status;
    s->to_1e_3 = settled(s, r->steps, 1e-3);
    s->to_1e_6 = settled(s, r->steps, 1e-6);
    s->last = s->error[r->steps];
    return WIT_OK;
}

/* ---- what is printed --------------------------------------------------------------------------------------------- */

static void put_steps(out* o, int64_t steps)
{
    if (steps < 0)
        out_text(o, " %13s", "never");
    else
        out_text(o, " %13lld", (long long)steps);
}

static void write_text(out* o, const request* r, const settling* s)
{
    bool flow = wit_law_is_flow((wit_law_kind)r->law);
    char law[128];
    wit_law_def first;
    settle_def(r, r->law, r->gain[0], &first);
    law_describe(&first, law, sizeof law);
    char* comma = strrchr(law, ',');
    if (flow && comma) *comma = 0; /* the gain stands in the table */
    out_text(o, "%s at %g Hz from (%g, %g) to (%.6g, %.6g)\n", law, r->rate, r->start[0], r->start[1], r->patch.at[0],
             r->patch.at[1]);
    out_text(o, "%10s %8s %13s %13s %12s\n", "gain, 1/s", "K h", "steps to 1e-3", "to 1e-6", "error at end");
    for (int i = 0; i < r->gain_count; i++) {
        if (flow)
            out_text(o, "%10g %8g", s[i].gain, s[i].gain / r->rate);
        else
            out_text(o, "%10s %8s", "-", "-");
        put_steps(o, s[i].to_1e_3);
        put_steps(o, s[i].to_1e_6);
        out_text(o, " %12.2g\n", s[i].last);
    }
}

static void put_json_steps(out* o, const char* key, int64_t steps)
{
    if (steps < 0)
        out_put_number(o, key, NAN); /* null */
    else
        out_put_integer(o, key, steps);
}

static void write_json(out* o, const request* r, const settling* s)
{
    out_open(o, NULL, '{');
    out_put_string(o, "model", r->patch.path);
    out_put_string(o, "law", wit_law_name((wit_law_kind)r->law));
    if (wit_law_is_flow((wit_law_kind)r->law))
        out_put_string(o, "integrator", wit_integrator_name((wit_integrator)r->integrator));
    out_put_number(o, "rate", r->rate);
    out_put_integer(o, "steps", r->steps);
    out_open(o, "runs", '[');
    for (int i = 0; i < r->gain_count; i++) {
        out_open(o, NULL, '{');
        if (wit_law_is_flow((wit_law_kind)r->law)) out_put_number(o, "gain", s[i].gain);
        put_json_steps(o, "steps_1e_3", s[i].to_1e_3);
        put_json_steps(o, "steps_1e_6", s[i].to_1e_6);
        out_put_number(o, "error", s[i].last);
        out_close(o, '}');
    }
    out_close(o, ']');
    out_close(o, '}');
    out_text(o, "\n");
}

static int save_chart(const request* r, const settling* s)
{
    out o = {0};
    plot_series series[NUMBERS_MOST];
    char names[NUMBERS_MOST][48], head[160];
    size_t n = (size_t)r->steps + 1;
    double* x = malloc(n * sizeof *x);
    for (size_t i = 0; x && i < n; i++) x[i] = (double)i;
    for (int i = 0; i < r->gain_count; i++) {
        snprintf(names[i], sizeof names[i], "K = %g / s", s[i].gain);
        series[i] = (plot_series){names[i], s[i].error, i % 4, false, NULL, false};
        if (!wit_law_is_flow((wit_law_kind)r->law)) series[i].name = wit_law_name((wit_law_kind)r->law);
    }
    snprintf(head, sizeof head, "%s, from (%g, %g), point (%g, %g, %g), %g Hz", wit_law_name((wit_law_kind)r->law),
             r->start[0], r->start[1], r->patch.point.x, r->patch.point.y, r->patch.point.z, r->rate);
    plot_chart chart = {"largest normalised error", true, series, r->gain_count};
    plot_page page = {"Settling", head, "steps", x, (int64_t)n, &chart, 1, NULL, 0, NULL, 0};
    wit_status status = x ? plot_svg(&o, &page) : WIT_ERROR_MEMORY;
    free(x);
    return svg_finish(&o, status, r->svg);
}

int lab_settle(int argc, char** argv)
{
    request r = {.patch = {.command = "lab settle"},
                 .rate = 1000,
                 .law = WIT_LAW_LINEARIZING,
                 .integrator = WIT_INTEGRATOR_RK2,
                 .gain = {100},
                 .gain_count = 1,
                 .steps = 400};
    settling s[NUMBERS_MOST] = {0};
    bool done = false;
    int code = parse(argc, argv, &r, &done);
    if (code || done) return code;
    code = lab_patch_load(&r.patch);
    if (r.grid || r.laws || r.own.law || r.csv) {
        if (!code) code = settle_table(&r);
        lab_patch_release(&r.patch);
        return code;
    }
    for (int i = 0; i < r.gain_count && !code; i++) {
        wit_error error = {0};
        s[i].gain = r.gain[i];
        wit_status status = settle(&r, &s[i], &error);
        if (!status) continue;
        fprintf(stderr, "witness lab settle: %s%s%s\n", error.item, error.item[0] ? ": " : "",
                error.text[0] ? error.text : wit_status_text(status));
        code = EXIT_BAD_INPUT;
    }
    if (!code && r.svg) code = save_chart(&r, s);
    if (!code) {
        out o = {0};
        (r.json ? write_json : write_text)(&o, &r, s);
        code = out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
    }
    for (int i = 0; i < NUMBERS_MOST; i++) free(s[i].error);
    lab_patch_release(&r.patch);
    return code;
}
