/* SPDX-License-Identifier: MIT */
/* From which starts does each law reach the closest point? */
#include "lab_basin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "lab_law.h"
#include "law_module.h"
#include "progress.h"
#include "svg.h"

/* Success: the parameters are this near to those of the closest point, in widths of the face. */
static const double close_enough = 1e-6;

double basin_parameter(wit_interval r, int i, int grid)
{
    return grid > 1 ? r.lo + (r.hi - r.lo) * i / (grid - 1) : (r.lo + r.hi) / 2;
}

double basin_curvature(const lab_patch* p, double u, double v)
{
    wit_moving_place a, b;
    wit_kinematics k;
    lab_patch_places(p, u, v, &a, &b);
    if (wit_kinematics_at(&a, &b, WIT_FORM_PAPERS, &k) || k.count != 2) return 0;
    double wu = p->u.hi - p->u.lo, wv = p->v.hi - p->v.lo;
    double e = k.M[0] * wu * wu, f = k.M[1] * wu * wv, g = k.M[3] * wv * wv;
    return (e + g) / 2 - sqrt((e - g) * (e - g) / 4 + f * f);
}

enum {
    POINT,
    GRID,
    LAWS,
    START,
    INTEGRATOR,
    GAIN,
    RATE,
    FORM,
    STEPS,
    MODULE,
    OUTER,
    BODY,
    FACE,
    SVG,
    CSV,
    PATHS,
    JSON,
    HELP,
    OPTIONS
};

typedef struct request {
    lab_patch patch;
    basin_map map;
    int64_t grid, steps;  /* steps 0: as the law needs */
    unsigned laws;        /* set of 1 << law; the last bit: deadbeat local */
    int integrator, form; /* -1: not told */
    bool gain_given;
    wit_gain gain;
    double rate;
    law_plugins own; /* a law of the user's besides; outer loop of linearizing, integrator of all flows */
    const char *svg, *csv, *paths;
    bool json;
} request;

/* ---- settings ---------------------------------------------------------------------------------------------------- */

/* A share of what is stable at the closest point: elsewhere the limit may be lower. */
static double gain_for(const lab_patch* p, const wit_track_def* def, const wit_law_def* law, double rate)
{
    wit_moving_place a, b;
    wit_gain_limit limit;
    lab_patch_places(p, p->at[0], p->at[1], &a, &b);
    /* The linearising law is compared with the published Newton flow, K h = 0.1. */
    if (law->kind == WIT_LAW_LINEARIZING) return 0.1 * rate;
    wit_track_def with = *def;
    with.law = law;
    if (wit_gain_limits(&a, &b, &with, 1 / rate, &limit) || !isfinite(limit.upper)) return 0.1 * rate;
    return 0.25 * limit.upper;
}

static basin basin_of(const request* r, wit_law_kind law, bool local)
{
    basin b = {.name = local ? "deadbeat local" : wit_law_name(law), .def = wit_track_default_def(), .steps = 100};
    b.law = wit_law_default_def(law);
    b.dt = 1 / r->rate;
    law_settle_def(&b.def, &b.law);
    b.def.form = WIT_FORM_PAPERS;
    if (law != WIT_LAW_DEADBEAT || local) b.def.reacquire = false;
    if (law == WIT_LAW_DEADBEAT) b.def.form = WIT_FORM_CONTACT;
    if (r->form >= 0) b.def.form = (wit_form)r->form;
    if (wit_law_is_flow(law)) {
        b.law.integrator = r->integrator >= 0 ? (wit_integrator)r->integrator : WIT_INTEGRATOR_EULER;
        law_plugins_apply(&r->own, &b.law);
        if (r->gain_given && law == WIT_LAW_EXPONENTIAL)
            b.law.cap = r->gain.kind == WIT_GAIN_SCALAR ? r->gain.value : 0;
        else if (r->gain_given)
            b.law.gain = r->gain;
        else
            b.law.gain.value = gain_for(&r->patch, &b.def, &b.law, r->rate);
        b.steps = law == WIT_LAW_LINEARIZING ? 300 : 3000;
        /* so that the slowest flow asked for decays as far as the one with K h = 0.1 in 300 steps */
        if (r->gain_given && b.law.gain.kind == WIT_GAIN_SCALAR)
            b.steps = (int)fmin(fmax(30 * r->rate / fmax(b.law.gain.value, 1e-9), b.steps), 100000);
    }
    if (r->steps > 0) b.steps = (int)r->steps;
    return b;
}

/* ---- one law ----------------------------------------------------------------------------------------------------- */

/* Steps it took; -1: it does not get there. The path gets (u, v) of each step. */
static int follow(const lab_patch* p, lab_tracker* t, const basin* b, double u, double v, double* path, int* path_count)
{
    wit_result r;
    if (lab_tracker_start(t, u, v)) return -1;
    if (lab_patch_off(p, u, v) < close_enough) return 0;
    for (int k = 1; k <= b->steps; k++) {
        if (lab_tracker_step(t, &r) || (r.flags & WIT_FLAG_OUTSIDE)) return -1;
        bool there = r.a.feature == WIT_FACE && lab_patch_off(p, r.a.u, r.a.v) < close_enough;
        if (path && *path_count < BASIN_PATH && r.a.feature == WIT_FACE) {
            path[2 * *path_count] = r.a.u;
            path[2 * *path_count + 1] = r.a.v;
            ++*path_count;
        }
        if (there) return k;
    }
    return -1;
}

static wit_status explore(basin_map* map, basin* b, progress* bar, double done)
{
    const lab_patch* p = map->patch;
    lab_tracker t;
    wit_error error = {0};
    int n = map->grid;
    b->reached = calloc((size_t)n * (size_t)n, 1);
    b->taken = malloc((size_t)n * (size_t)n * sizeof *b->taken);
    b->path = map->from ? malloc(2 * sizeof(double) * BASIN_PATH) : NULL;
    if (!b->reached || !b->taken || (map->from && !b->path)) return WIT_ERROR_MEMORY;
    if (!lab_tracker_make(&t, p, &b->def, &b->law, b->dt, &error)) {
        snprintf(b->refused, sizeof b->refused, "%.60s: %.120s", error.item, error.text);
        return error.status == WIT_ERROR_MEMORY ? WIT_ERROR_MEMORY : WIT_OK;
    }
    double steps = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            int k = follow(p, &t, b, basin_parameter(p->u, i, n), basin_parameter(p->v, j, n), NULL, NULL);
            b->reached[j * n + i] = k >= 0;
            b->taken[j * n + i] = k;
            if (k >= 0) b->count++;
            if (k >= 0) steps += k;
        }
        progress_step(bar, (long)n * (j + 1), b->name, done + (j + 1.0) / n / map->count);
    }
    b->mean = b->count ? steps / (double)b->count : 0;
    if (map->from) {
        b->path[0] = map->start[0];
        b->path[1] = map->start[1];
        b->path_count = 1;
        b->path_reached = follow(p, &t, b, map->start[0], map->start[1], b->path, &b->path_count) >= 0;
    }
    lab_tracker_release(&t);
    return WIT_OK;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int help(void)
{
    puts("usage: witness lab basin MODEL --point X,Y,Z [--grid N] [--laws LIST] [--integrator NAME] [--gain K] ...\n"
         "\n"
         "From which starts on a face does each law reach the closest point, with the point standing still? N x N "
         "starts\n"
         "over the face, its borders too. It is reached when the parameters are within 1e-6 widths of the face. "
         "Newton's\n"
         "iterations and deadbeat get 100 steps, and plain Newton has failed when it leaves the patch. The flows are\n"
         "integrated; if not told by Euler steps, linearizing with K h = 0.1, the others with a quarter of the stable\n"
         "gain, 3000 steps at most. deadbeat is the default law, which searches globally when it is lost; deadbeat "
         "local\n"
         "never does.\n"
         "\n"
         "  MODEL              a model with a face\n"
         "  --point X,Y,Z      the point\n"
         "  --grid N           starts in each direction (51)\n"
         "  --laws LIST        some laws only, separated by commas; deadbeat-local is one\n"
         "  --start U,V        draw the path of every law from here\n"
         "  --integrator NAME  of the flows: euler, rk2, rk3, rk4, ab2, ..., or a shared object with one of your own\n"
         "  --gain K           of the flows, 1/s, auto or adaptive; of exponential the cap\n"
         "  --rate HZ          steps per second (1000): K h is the gain over the rate\n"
         "  --form F           papers (if not told; contact for deadbeat) or contact\n"
         "  --steps N          steps at most\n"
         "  --module FILE      a law of your own in a shared object, besides the others\n"
         "  --outer FILE       an outer loop of your own for linearizing\n"
         "  --body NAME, --face NAME   where the model has several bodies, the body several faces\n"
         "  --svg FILE         a picture: the starts that reach it, where the Hessian is positive definite, the paths\n"
         "  --csv FILE         a line for every law and start: the steps it took, or nothing\n"
         "  --paths FILE       the paths from --start as a table\n"
         "  --json             one JSON object with the shares, the steps of every start and the paths");
    return command_flush();
}

static const char* basin_name(int index)
{
    return index < WIT_LAW_COUNT ? wit_law_name((wit_law_kind)index) : "deadbeat_local";
}

static bool read_value(request* r, const option_reader* o, int index)
{
    switch (index) {
    case POINT:
        return lab_patch_point(o, &r->patch);
    case GRID:
        return option_count(o, 2, 1001, &r->grid);
    case LAWS:
        return law_choices(o, basin_name, BASIN_LAWS, &r->laws);
    case START:
        r->map.from = true;
        return option_numbers(o, 2, r->map.start);
    case INTEGRATOR:
        return integrator_or_module(o, &r->own, &r->integrator);
    case GAIN:
        r->gain_given = true;
        return law_gain(o, &r->gain);
    case RATE:
        return option_number(o, 1e-6, 1e9, &r->rate);
    case FORM:
        return law_choice(o, form_name, WIT_FORM_COUNT, &r->form);
    case STEPS:
        return option_count(o, 1, 10000000, &r->steps);
    case MODULE:
        return law_module(o, &r->own);
    case OUTER:
        return outer_module(o, &r->own);
    case BODY:
        r->patch.body_name = o->value;
        return true;
    case FACE:
        r->patch.face_name = o->value;
        return true;
    case SVG:
        r->svg = o->value;
        return true;
    case CSV:
        r->csv = o->value;
        return true;
    case PATHS:
        r->paths = o->value;
        return true;
    default:
        r->json = true;
        return true;
    }
}

static int parse(int argc, char** argv, request* r, bool* done)
{
    static const option options[OPTIONS] = {
        [POINT] = {"--point", "a point X,Y,Z"},
        [GRID] = {"--grid", "a number of starts"},
        [LAWS] = {"--laws", "a list of laws"},
        [START] = {"--start", "two parameters U,V"},
        [INTEGRATOR] = {"--integrator", "the name of an integrator"},
        [GAIN] = {"--gain", "a number, auto or adaptive"},
        [RATE] = {"--rate", "a number of steps per second"},
        [FORM] = {"--form", "contact or papers"},
        [STEPS] = {"--steps", "a number of steps"},
        [MODULE] = {"--module", "a shared object"},
        [OUTER] = {"--outer", "a shared object"},
        [BODY] = {"--body", "the name of a body"},
        [FACE] = {"--face", "the name of a face"},
        [SVG] = {"--svg", "a file name"},
        [CSV] = {"--csv", "a file name"},
        [PATHS] = {"--paths", "a file name"},
        [JSON] = {"--json", NULL},
        [HELP] = {"--help", NULL},
    };
    option_reader o = option_reader_at("lab basin", options, OPTIONS, argc, argv);
    r->grid = 51;
    r->laws = (1u << BASIN_LAWS) - 1;
    r->rate = 1000;
    r->integrator = r->form = -1;
    r->patch.command = "lab basin";
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
    if (r->paths && !r->map.from)
        return command_usage("lab basin", "--paths needs a --start: there are none without", NULL, NULL);
    return EXIT_GOOD;
}

static int save_files(const request* r)
{
    int code = EXIT_GOOD;
    out o = {0};
    if (r->svg) {
        wit_status status = basin_svg(&o, &r->map);
        code = svg_finish(&o, status, r->svg);
    }
    if (!code && r->csv) {
        basin_csv(&o, &r->map);
        code = svg_finish(&o, WIT_OK, r->csv);
    }
    if (!code && r->paths) {
        basin_paths_csv(&o, &r->map);
        code = svg_finish(&o, WIT_OK, r->paths);
    }
    return code;
}

static wit_status fill_map(request* r)
{
    basin_map* map = &r->map;
    const lab_patch* p = &r->patch;
    map->patch = p;
    map->grid = (int)r->grid;
    for (int i = 0; i < BASIN_LAWS; i++) {
        bool local = i == WIT_LAW_COUNT;
        if (r->laws & (1u << i))
            map->basins[map->count++] = basin_of(r, local ? WIT_LAW_DEADBEAT : (wit_law_kind)i, local);
    }
    if (r->own.law) {
        basin* b = &map->basins[map->count++];
        *b = basin_of(r, WIT_LAW_LINEARIZING, false);
        b->law.outer = NULL;
        law_module_apply(r->own.law, &b->law);
        b->name = r->own.law->name ? r->own.law->name : "own";
    }
    for (int j = 0; j < map->grid; j++) {
        for (int i = 0; i < map->grid; i++)
            map->definite +=
                basin_curvature(p, basin_parameter(p->u, i, map->grid), basin_parameter(p->v, j, map->grid)) > 0;
    }
    map->definite /= (double)map->grid * map->grid;
    progress bar = progress_begin();
    wit_status status = WIT_OK;
    for (int i = 0; i < map->count && !status; i++)
        status = explore(map, &map->basins[i], &bar, (double)i / map->count);
    progress_end(&bar);
    return status;
}

wit_status basin_make(basin_map* map, const lab_patch* patch, unsigned laws, int grid, const double start[2])
{
    request r = {.patch = *patch, .grid = grid, .laws = laws, .rate = 1000, .integrator = -1, .form = -1};
    r.map.from = start != NULL;
    for (int i = 0; start && i < 2; i++) r.map.start[i] = start[i];
    wit_status status = fill_map(&r);
    *map = r.map;
    map->patch = patch;
    return status;
}

void basin_release(basin_map* map)
{
    for (int i = 0; i < map->count; i++) {
        free(map->basins[i].reached);
        free(map->basins[i].taken);
        free(map->basins[i].path);
    }
    map->count = 0;
}

int lab_basin(int argc, char** argv)
{
    request r = {0};
    bool done = false;
    int code = parse(argc, argv, &r, &done);
    if (code || done) return code;
    code = lab_patch_load(&r.patch);
    if (!code) {
        wit_status status = fill_map(&r);
        if (status) fprintf(stderr, "witness lab basin: %s\n", wit_status_text(status));
        code = status ? EXIT_BAD_INPUT : save_files(&r);
    }
    if (!code) {
        out o = {0};
        (r.json ? basin_json : basin_text)(&o, &r.map);
        code = out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
    }
    basin_release(&r.map);
    lab_patch_release(&r.patch);
    return code;
}
