/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "draw_body.h"
#include "info.h"
#include "svg.h"
#include "voronoi.h"

typedef struct request {
    const char* path;
    const char *svg, *voronoi;
    bool json, shapes, uncached;
} request;

static int help(void)
{
    puts("usage: witness info MODEL [--json] [--shapes] [--svg FILE] [--voronoi FILE] [--no-cache]\n"
         "\n"
         "Says what is in a model, first a verdict in one line. Of each body: its features, how they meet, and the "
         "check: watertight, oriented,\n"
         "convex, where the premises of the theorems hold. A model that has surfaces and no bodies is one sheet.\n"
         "Of each shape (with --shapes, or where there are no bodies): kind, degrees, ranges, size, area or length,\n"
         "how smoothly the pieces meet, poles and collapsed borders, the extremes of curvature, and the share of each\n"
         "surface where the Gaussian curvature is negative. Extremes are the best of a grid over each piece (borders\n"
         "included, from inside), improved by a local search; shares come from 400 samples per direction.\n"
         "\n"
         "  MODEL       a JSON model (docs/format.md), Bezier patches (.bpt) or a CAD file; - reads JSON from standard "
         "input\n"
         "  --json      one JSON object instead of text\n"
         "  --shapes    the curves and surfaces too\n"
         "  --svg FILE  a picture of the bodies, features named\n"
         "  --no-cache  reads a CAD file anew, and does not keep what was read\n"
         "  --voronoi FILE   a picture of a planar body with its Voronoi regions outside and its medial axis inside");
    return command_flush();
}

/* All bodies in one picture; bare curves are only seen with the shapes. */
static wit_status draw(out* o, const wit_model* model)
{
    int n = wit_model_body_count(model);
    const char* unit = wit_unit_name(wit_model_unit(model));
    if (n == 0 || (wit_model_body_implied(model, 0) && wit_model_curve_count(model) > 0))
        return draw_shapes_svg(o, model);
    if (n == 1) return draw_body_svg(o, wit_model_body(model, 0), unit);
    const wit_body** bodies = malloc((size_t)n * sizeof *bodies);
    if (!bodies) return WIT_ERROR_MEMORY;
    for (int i = 0; i < n; i++) bodies[i] = wit_model_body(model, i);
    wit_status status = draw_bodies_svg(o, bodies, n, wit_model_name(model), unit);
    free(bodies);
    return status;
}

static int write_picture(const wit_model* model, const char* path)
{
    out o = {0};
    wit_status status = draw(&o, model);
    return svg_finish(&o, status, path);
}

static int write_voronoi(const wit_model* model, const request* r)
{
    int n = wit_model_body_count(model);
    const wit_body* body = wit_model_body(model, 0);
    if (n != 1 || !wit_body_describe(body).planar) {
        fprintf(stderr, "%s: --voronoi draws one planar body, and this model has %s\n", r->path,
                n == 0  ? "none"
                : n > 1 ? "several bodies"
                        : "a body in space");
        return EXIT_BAD_INPUT;
    }
    out o = {0};
    wit_status status = voronoi_svg(&o, body, wit_unit_name(wit_model_unit(model)));
    return svg_finish(&o, status, r->voronoi);
}

/* EXIT_GOOD, or what to end with; *done after --help. */
static int parse(int argc, char** argv, request* r, bool* done)
{
    static const char* const options[] = {"--json", "--shapes", "--svg", "--voronoi", "--no-cache", "--help", NULL};
    bool only_paths = false;
    for (int i = 1; i < argc; i++) {
        const char* a = argv[i];
        if (only_paths || a[0] != '-' || !a[1]) {
            if (r->path) return command_usage("info", "one model is enough; left over is", a, NULL);
            r->path = a;
        } else if (!strcmp(a, "--")) {
            only_paths = true;
        } else if (!strcmp(a, "--json")) {
            r->json = true;
        } else if (!strcmp(a, "--shapes")) {
            r->shapes = true;
        } else if (!strcmp(a, "--no-cache")) {
            r->uncached = true;
        } else if (!strcmp(a, "--svg") || !strcmp(a, "--voronoi")) {
            if (++i == argc || argv[i][0] == '-') return command_usage("info", "a file name is missing after", a, NULL);
            *(a[2] == 's' ? &r->svg : &r->voronoi) = argv[i];
        } else if (!strcmp(a, "--help") || !strcmp(a, "-h")) {
            *done = true;
            return help();
        } else {
            return command_usage("info", "unknown option", a, options);
        }
    }
    return r->path ? EXIT_GOOD : command_usage("info", "the model is missing", NULL, NULL);
}

int command_info(int argc, char** argv)
{
    request r = {0};
    bool done = false;
    int code = parse(argc, argv, &r, &done);
    if (code || done) return code;
    cad_options how = {.partial = true, .uncached = r.uncached}; /* what is lost is its verdict */
    wit_model* model = command_read_model(r.path, &how);
    if (!model) return EXIT_BAD_INPUT;
    if (r.svg) code = write_picture(model, r.svg);
    if (!code && r.voronoi) code = write_voronoi(model, &r);
    out o = {0};
    bool shapes = r.shapes || wit_model_body_count(model) == 0 || wit_model_body_implied(model, 0);
    if (!code) (r.json ? info_json : info_text)(&o, model, r.path, shapes);
    wit_model_destroy(model);
    return code ? code : out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
}
