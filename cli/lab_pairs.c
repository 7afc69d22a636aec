/* SPDX-License-Identifier: MIT */
/* From which pairs of starts on two faces does the law of a scene reach the closest pair? 000, Theorem 2. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../src/base/vec.h"
#include "lab.h"
#include "lab_law.h"
#include "options.h"
#include "out.h"
#include "plot.h"
#include "progress.h"
#include "svg.h"
#include "track.h"

enum { GRID, SECTION, STEPS, SVG, JSON, HELP, OPTIONS };

/* Success: the distance is this near to the least one, relative to the size. */
static const double close_enough = 1e-6;

typedef struct request {
    const char *path, *svg;
    int64_t grid, section, steps;
    bool json;
    track_task task;
    wit_motion motion[2];
    wit_interval u[2], v[2];
    double least, size;
    int64_t starts, reached; /* of all four parameters */
    uint8_t* map;            /* of the section: u and v of a, b in the middle of its face */
    int64_t map_reached;
    wit_result worst; /* of a start that sticks, farthest off */
    double worst_start[4];
    bool sticks;
} request;

static int help(void)
{
    puts("usage: witness lab pairs SCENE [--grid N] [--section N] [--steps N] [--svg FILE] [--json]\n"
         "\n"
         "Two faces stand as the scene has them at time 0, and do not move. From which pairs of starts does the law of "
         "the\n"
         "scene reach the closest pair (by the certified query)? N^4 starts over both faces, borders too; and a "
         "section: "
         "a's\n"
         "face, b starting in the middle of its own. It is reached when the distance is within 1e-6 of the size.\n"
         "\n"
         "  SCENE        two bodies; the first face of each counts\n"
         "  --grid N     starts in each of the four directions (6)\n"
         "  --section N  starts of the section in each direction (41)\n"
         "  --steps N    steps at most (3000)\n"
         "  --svg FILE   a picture of the section\n"
         "  --json       one JSON object");
    return command_flush();
}

static double at(wit_interval r, int64_t i, int64_t n)
{
    return n > 1 ? r.lo + (r.hi - r.lo) * (double)i / (double)(n - 1) : (r.lo + r.hi) / 2;
}

/* Does it arrive from x? *last: where it ends. */
static bool arrives(const request* r, wit_tracker* t, const double x[4], wit_result* last)
{
    wit_witness a = {WIT_FACE, 0, x[0], x[1], {0, 0, 0}}, b = {WIT_FACE, 0, x[2], x[3], {0, 0, 0}};
    wit_tracker_reset(t);
    if (wit_tracker_place(t, &a, &b)) return false;
    double before[4] = {HUGE_VAL, 0, 0, 0};
    for (int64_t k = 0; k <= r->steps; k++) {
        if (wit_tracker_step(t, &r->motion[0], &r->motion[1], 1 / r->task.rate, last)) return false;
        if (fabs(last->distance) - r->least <= close_enough * r->size) return true;
        const double now[4] = {last->a.u, last->a.v, last->b.u, last->b.v};
        double way = 0;
        for (int i = 0; i < 4; i++) way += fabs(now[i] - before[i]);
        if (k > 0 && way <= 1e-13) return false; /* at rest elsewhere */
        for (int i = 0; i < 4; i++) before[i] = now[i];
    }
    return false;
}

static void explore(request* r, wit_tracker* t)
{
    int64_t n = r->grid, m = r->section;
    progress bar = progress_begin();
    for (int64_t k = 0; k < n * n * n * n; k++) {
        double x[4] = {at(r->u[0], k % n, n), at(r->v[0], k / n % n, n), at(r->u[1], k / n / n % n, n),
                       at(r->v[1], k / n / n / n, n)};
        wit_result last = {0};
        bool there = arrives(r, t, x, &last);
        r->starts++;
        r->reached += there;
        if (!there && (!r->sticks || last.distance > r->worst.distance)) {
            r->sticks = true;
            r->worst = last;
            for (int i = 0; i < 4; i++) r->worst_start[i] = x[i];
        }
        if (k % 64 == 0) progress_step(&bar, (long)k, "starts", (double)k / (double)(n * n * n * n + m * m));
    }
    for (int64_t k = 0; k < m * m; k++) {
        double x[4] = {at(r->u[0], k % m, m), at(r->v[0], k / m, m), (r->u[1].lo + r->u[1].hi) / 2,
                       (r->v[1].lo + r->v[1].hi) / 2};
        wit_result last;
        r->map[k] = arrives(r, t, x, &last);
        r->map_reached += r->map[k];
    }
    progress_end(&bar);
}

/* ---- what is printed --------------------------------------------------------------------------------------------- */

static void write_text(out* o, const request* r)
{
    char law[128];
    law_describe(&r->task.law, law, sizeof law);
    out_text(o, "%s; least distance %.10g\n", law, r->least);
    out_text(o, "%lld of %lld starts over both faces reach it: %.1f %%\n", (long long)r->reached, (long long)r->starts,
             100.0 * (double)r->reached / (double)r->starts);
    out_text(o, "%lld of %lld starts of the section, b in the middle of its face: %.1f %%\n", (long long)r->map_reached,
             (long long)r->section * r->section, 100.0 * (double)r->map_reached / (double)(r->section * r->section));
    if (r->sticks)
        out_text(o, "from (%.6g, %.6g), (%.6g, %.6g) it ends at (%.6g, %.6g), (%.6g, %.6g), distance %.6g\n",
                 r->worst_start[0], r->worst_start[1], r->worst_start[2], r->worst_start[3], r->worst.a.u, r->worst.a.v,
                 r->worst.b.u, r->worst.b.v, r->worst.distance);
}

static void write_json(out* o, const request* r)
{
    out_open(o, NULL, '{');
    out_put_string(o, "scene", r->path);
    out_put_string(o, "law", wit_law_name(r->task.law.kind));
    out_put_number(o, "distance", r->least);
    out_put_integer(o, "starts", r->starts);
    out_put_integer(o, "reached", r->reached);
    out_put_number(o, "share", (double)r->reached / (double)r->starts);
    out_put_integer(o, "section", r->section);
    out_put_number(o, "section_share", (double)r->map_reached / (double)(r->section * r->section));
    if (r->sticks) {
        const double end[4] = {r->worst.a.u, r->worst.a.v, r->worst.b.u, r->worst.b.v};
        out_put_numbers(o, "sticks_from", r->worst_start, 4);
        out_put_numbers(o, "sticks_at", end, 4);
        out_put_number(o, "sticks_distance", r->worst.distance);
    }
    out_close(o, '}');
    out_text(o, "\n");
}

static int save_section(const request* r)
{
    enum { SIDE = 420, LEFT = 70, TOP = 70 };
    int m = (int)r->section;
    out o = {0};
    char css[1400], head[160];
    plot_axis x = {r->u[0].lo, r->u[0].hi, LEFT, LEFT + SIDE, false, false};
    plot_axis y = {r->v[0].lo, r->v[0].hi, TOP + SIDE, TOP, false, false};
    snprintf(css, sizeof css, "%s.missed{fill:#5a4a42}.ring{fill:none;stroke:#0072b2;stroke-width:.8}\n", plot_css());
    svg_begin(&o, LEFT + SIDE + 40, TOP + SIDE + 50, "Starts on the face of a", css);
    svg_text(&o, "head", 24, 30, r->task.name);
    snprintf(head, sizeof head,
             "starts on a, b from the middle of its face: rings arrive (%.1f %%), filled dots do not",
             100.0 * (double)r->map_reached / ((double)m * m));
    svg_text(&o, "about", 24, 50, head);
    plot_frame(&o, &x, &y, "u", "v");
    for (int k = 0; k < m * m; k++)
        svg_dot(&o, r->map[k] ? "ring" : "missed", plot_at(&x, at(r->u[0], k % m, m)),
                plot_at(&y, at(r->v[0], k / m, m)), 3, NULL);
    svg_end(&o);
    return svg_finish(&o, WIT_OK, r->svg);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int parse(int argc, char** argv, request* r, bool* done)
{
    static const option options[OPTIONS] = {
        [GRID] = {"--grid", "a number of starts"},
        [SECTION] = {"--section", "a number of starts"},
        [STEPS] = {"--steps", "a number of steps"},
        [SVG] = {"--svg", "a file name"},
        [JSON] = {"--json", NULL},
        [HELP] = {"--help", NULL},
    };
    option_reader o = option_reader_at("lab pairs", options, OPTIONS, argc, argv);
    for (int index; (index = option_next(&o)) != OPTION_END;) {
        bool good = true;
        if (index == OPTION_WRONG) return EXIT_USAGE;
        if (index == HELP) *done = true;
        if (index == HELP) return help();
        if (index == GRID) good = option_count(&o, 2, 40, &r->grid);
        if (index == SECTION) good = option_count(&o, 2, 400, &r->section);
        if (index == STEPS) good = option_count(&o, 1, 1000000, &r->steps);
        if (index == SVG) r->svg = o.value;
        if (index == JSON) r->json = true;
        if (index == OPTION_WORD && r->path)
            return command_usage("lab pairs", "one scene is enough; left over is", o.word, NULL);
        if (index == OPTION_WORD) r->path = o.word;
        if (!good) return EXIT_USAGE;
    }
    return r->path ? EXIT_GOOD : command_usage("lab pairs", "the scene is missing", NULL, NULL);
}

/* The bodies where they stand, and the least distance. */
static wit_status prepare(request* r, const wit_scene* scene, wit_error* error)
{
    track_task_of_scene(&r->task, scene, r->path);
    wit_placed placed[2];
    r->size = HUGE_VAL;
    for (int i = 0; i < 2; i++) {
        const wit_body* body = r->task.body[i];
        if (!body || wit_body_describe(body).face_count < 1 || wit_body_describe(body).planar) {
            snprintf(error->text, sizeof error->text, "two bodies with faces are wanted");
            return WIT_ERROR_ARGUMENT;
        }
        wit_status status = wit_scene_motion(scene, i, 0, &r->motion[i]);
        if (status) return status;
        r->motion[i] = wit_motion_at_rest(r->motion[i].pose);
        wit_face_info f = wit_body_face(body, 0);
        r->u[i] = f.u;
        r->v[i] = f.v;
        r->size = fmin(r->size, wit_body_describe(body).size);
        placed[i] = wit_placed_at(body, r->motion[i].pose);
    }
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    wit_closest c = {0};
    wit_status status = query ? wit_closest_pair(query, &placed[0], &placed[1], &c) : WIT_ERROR_MEMORY;
    wit_query_destroy(query);
    r->least = fabs(c.distance);
    r->size = fmax(r->size, r->least);
    return status;
}

int lab_pairs(int argc, char** argv)
{
    request r = {.grid = 6, .section = 41, .steps = 3000};
    bool done = false;
    int code = parse(argc, argv, &r, &done);
    if (code || done) return code;
    wit_scene* scene = command_read_scene(r.path, NULL);
    if (!scene) return EXIT_BAD_INPUT;
    wit_error error = {0};
    wit_status status = prepare(&r, scene, &error);
    wit_track_def def = r.task.def;
    def.law = &r.task.law;
    def.keep_features = true;
    wit_tracker* t = status ? NULL : wit_tracker_create(r.task.body[0], r.task.body[1], &def, NULL, &error);
    r.map = calloc((size_t)(r.section * r.section), 1);
    if (t && r.map) {
        out o = {0};
        explore(&r, t);
        code = r.svg ? save_section(&r) : EXIT_GOOD;
        (r.json ? write_json : write_text)(&o, &r);
        if (out_finish(&o)) code = EXIT_BAD_INPUT;
    } else {
        fprintf(stderr, "%s: %s%s%s\n", r.path, error.item, error.item[0] ? ": " : "",
                error.text[0] ? error.text : wit_status_text(status ? status : WIT_ERROR_MEMORY));
        code = EXIT_BAD_INPUT;
    }
    free(r.map);
    wit_tracker_destroy(t);
    wit_scene_destroy(scene);
    return code;
}
