/* SPDX-License-Identifier: MIT */
/* From which starts does each law reach the closest point? */
#include "lab_basin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "lab_law.h"
#include "progress.h"
#include "svg.h"

/* Success: the parameters are this near to those of the closest point, in widths of the face. */
static const double close_enough = 1e-6;
static const double rate = 1000;

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

/* ---- settings ---------------------------------------------------------------------------------------------------- */

/* A share of what is stable at the closest point: elsewhere the limit may be lower. */
static double gain_for(const lab_patch* p, const wit_track_def* def, const wit_law_def* law)
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

static basin basin_of(const lab_patch* p, wit_law_kind law, bool local)
{
    basin b = {.name = local ? "deadbeat local" : wit_law_name(law), .def = wit_track_default_def(), .steps = 100};
    b.law = wit_law_default_def(law);
    law_settle_def(&b.def, &b.law);
    b.def.form = WIT_FORM_PAPERS;
    if (law != WIT_LAW_DEADBEAT || local) b.def.reacquire = false;
    if (law == WIT_LAW_DEADBEAT) b.def.form = WIT_FORM_CONTACT;
    if (wit_law_is_flow(law)) {
        b.law.integrator = WIT_INTEGRATOR_EULER;
        b.law.gain.value = gain_for(p, &b.def, &b.law);
        b.steps = law == WIT_LAW_LINEARIZING ? 300 : 3000;
    }
    return b;
}

/* ---- one law ----------------------------------------------------------------------------------------------------- */

/* Steps it took; -1: it does not get there. The path gets (u, v) of each step. */
static int follow(const lab_patch* p, lab_tracker* t, const basin* b, double u, double v, double* path, int* path_count)
{
    wit_result r;
    if (lab_tracker_start(t, u, v)) return -1;
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
    b->path = map->from ? malloc(2 * sizeof(double) * BASIN_PATH) : NULL;
    if (!b->reached || (map->from && !b->path)) return WIT_ERROR_MEMORY;
    if (!lab_tracker_make(&t, p, &b->def, &b->law, 1 / rate, &error)) {
        snprintf(b->refused, sizeof b->refused, "%.60s: %.120s", error.item, error.text);
        return error.status == WIT_ERROR_MEMORY ? WIT_ERROR_MEMORY : WIT_OK;
    }
    double steps = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            int k = follow(p, &t, b, basin_parameter(p->u, i, n), basin_parameter(p->v, j, n), NULL, NULL);
            b->reached[j * n + i] = k > 0;
            if (k > 0) b->count++;
            if (k > 0) steps += k;
        }
        progress_step(bar, (long)n * (j + 1), b->name, done + (j + 1.0) / n / map->count);
    }
    b->mean = b->count ? steps / (double)b->count : 0;
    if (map->from) {
        b->path[0] = map->start[0];
        b->path[1] = map->start[1];
        b->path_count = 1;
        b->path_reached = follow(p, &t, b, map->start[0], map->start[1], b->path, &b->path_count) > 0;
    }
    lab_tracker_release(&t);
    return WIT_OK;
}

/* ---- what is printed --------------------------------------------------------------------------------------------- */

static double share(const basin_map* map, const basin* b)
{
    return (double)b->count / ((double)map->grid * map->grid);
}

static void write_json(out* o, const basin_map* map)
{
    const lab_patch* p = map->patch;
    out_open(o, NULL, '{');
    out_put_string(o, "model", p->path);
    double point[3] = {p->point.x, p->point.y, p->point.z};
    out_put_numbers(o, "point", point, 3);
    out_put_integer(o, "grid", map->grid);
    out_put_numbers(o, "closest", p->at, 2);
    out_put_number(o, "distance", p->distance);
    out_put_number(o, "definite", map->definite);
    out_open(o, "basins", '[');
    for (int i = 0; i < map->count; i++) {
        const basin* b = &map->basins[i];
        out_open(o, NULL, '{');
        out_put_string(o, "law", b->name);
        if (b->refused[0]) {
            out_put_string(o, "refused", b->refused);
        } else {
            out_put_number(o, "share", share(map, b));
            out_put_integer(o, "reached", b->count);
            out_put_number(o, "mean_steps", b->mean);
            if (wit_law_is_flow(b->law.kind)) out_put_number(o, "gain", b->law.gain.value);
            if (map->from) out_put_bool(o, "start_reached", b->path_reached);
        }
        out_close(o, '}');
    }
    out_close(o, ']');
    out_close(o, '}');
    out_text(o, "\n");
}

static void write_text(out* o, const basin_map* map)
{
    const lab_patch* p = map->patch;
    out_text(o, "closest point (%.9g, %.9g) of the face, distance %.10g%s%s%s; %d x %d starts\n", p->at[0], p->at[1],
             p->distance, p->unit[0] ? " " : "", p->unit, p->inside ? "" : ", on its border", map->grid, map->grid);
    out_text(o, "%-17s %9s %8s %11s\n", "law", "reach it", "share", "mean steps");
    for (int i = 0; i < map->count; i++) {
        const basin* b = &map->basins[i];
        if (b->refused[0])
            out_text(o, "%-17s refused: %s\n", b->name, b->refused);
        else
            out_text(o, "%-17s %9lld %6.1f %% %11.1f\n", b->name, (long long)b->count, 100 * share(map, b), b->mean);
    }
    out_text(o, "Hessian positive definite at %.1f %% of the starts\n", 100 * map->definite);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

enum { POINT, GRID, LAWS, START, BODY, FACE, SVG, JSON, HELP, OPTIONS };

typedef struct request {
    lab_patch patch;
    basin_map map;
    int64_t grid;
    unsigned laws; /* set of 1 << law; the last bit: deadbeat local */
    const char* svg;
    bool json;
} request;

static int help(void)
{
    puts("usage: witness lab basin MODEL --point X,Y,Z [--grid N] [--laws LIST] [--start U,V] [--svg FILE] [--json]\n"
         "\n"
         "From which starts on a face does each law reach the closest point, with the point standing still? N x N "
         "starts\n"
         "over the face, its borders too. It is reached when the parameters are within 1e-6 widths of the face. "
         "Newton's\n"
         "iterations and deadbeat get 100 steps, and plain Newton has failed when it leaves the patch; the flows are\n"
         "integrated by Euler steps: linearizing with K h = 0.1, the others with a quarter of the stable gain, 3000 "
         "steps\n"
         "at most. deadbeat is the default law, which searches globally when it is lost; deadbeat local never does.\n"
         "\n"
         "  MODEL            a model with a face\n"
         "  --point X,Y,Z    the point\n"
         "  --grid N         starts in each direction (51)\n"
         "  --laws LIST      some laws only, separated by commas; deadbeat-local is one\n"
         "  --start U,V      draw the path of every law from here\n"
         "  --body NAME, --face NAME   where the model has several bodies, the body several faces\n"
         "  --svg FILE       a picture: the starts that reach it, where the Hessian is positive definite, the paths\n"
         "  --json           one JSON object");
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

static int parse(int argc, char** argv, request* r, bool* done)
{
    static const option options[OPTIONS] = {
        [POINT] = {"--point", "a point X,Y,Z"},
        [GRID] = {"--grid", "a number of starts"},
        [LAWS] = {"--laws", "a list of laws"},
        [START] = {"--start", "two parameters U,V"},
        [BODY] = {"--body", "the name of a body"},
        [FACE] = {"--face", "the name of a face"},
        [SVG] = {"--svg", "a file name"},
        [JSON] = {"--json", NULL},
        [HELP] = {"--help", NULL},
    };
    option_reader o = option_reader_at("lab basin", options, OPTIONS, argc, argv);
    r->grid = 51;
    r->laws = (1u << BASIN_LAWS) - 1;
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
    return EXIT_GOOD;
}

static int save_picture(const basin_map* map, const char* path)
{
    out o = {0};
    wit_error error = {0};
    wit_status status = basin_svg(&o, map);
    if (!status) status = svg_save(&o, path, &error);
    out_free(&o);
    if (!status) return EXIT_GOOD;
    fprintf(stderr, "%s: %s\n", path, error.text[0] ? error.text : wit_status_text(status));
    return EXIT_BAD_INPUT;
}

static void fill_map(request* r)
{
    basin_map* map = &r->map;
    const lab_patch* p = &r->patch;
    map->patch = p;
    map->grid = (int)r->grid;
    for (int i = 0; i < BASIN_LAWS; i++) {
        bool local = i == WIT_LAW_COUNT;
        if (r->laws & (1u << i))
            map->basins[map->count++] = basin_of(p, local ? WIT_LAW_DEADBEAT : (wit_law_kind)i, local);
    }
    for (int j = 0; j < map->grid; j++) {
        for (int i = 0; i < map->grid; i++)
            map->definite +=
                basin_curvature(p, basin_parameter(p->u, i, map->grid), basin_parameter(p->v, j, map->grid)) > 0;
    }
    map->definite /= (double)map->grid * map->grid;
}

int lab_basin(int argc, char** argv)
{
    request r = {0};
    bool done = false;
    int code = parse(argc, argv, &r, &done);
    if (code || done) return code;
    code = lab_patch_load(&r.patch);
    if (!code) {
        fill_map(&r);
        progress bar = progress_begin();
        wit_status status = WIT_OK;
        for (int i = 0; i < r.map.count && !status; i++)
            status = explore(&r.map, &r.map.basins[i], &bar, (double)i / r.map.count);
        progress_end(&bar);
        if (status) fprintf(stderr, "witness lab basin: %s\n", wit_status_text(status));
        code = status ? EXIT_BAD_INPUT : r.svg ? save_picture(&r.map, r.svg) : EXIT_GOOD;
    }
    if (!code) {
        out o = {0};
        (r.json ? write_json : write_text)(&o, &r.map);
        code = out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
    }
    for (int i = 0; i < r.map.count; i++) {
        free(r.map.basins[i].reached);
        free(r.map.basins[i].path);
    }
    lab_patch_release(&r.patch);
    return code;
}
