/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cad_file.h"
#include "command.h"
#include "options.h"
#include "out.h"

typedef struct request {
    const char* path;
    const char* to;
    bool json, partial;
    wit_cad_def def;
    cad_reading how;
} request;

enum { OUT, PART, UNIT, TIME, MEMORY, PARTIAL, NO_CACHE, JSON, HELP, OPTIONS };

static const option options[OPTIONS] = {{"-o", "a file for the model"},
                                        {"--part", "the name of a body"},
                                        {"--unit", "a unit: m, cm, mm, um, in, ft"},
                                        {"--time-limit", "seconds"},
                                        {"--memory-limit", "megabytes"},
                                        {"--partial", NULL},
                                        {"--no-cache", NULL},
                                        {"--json", NULL},
                                        {"--help", NULL}};

static int help(void)
{
    puts("usage: witness import PART [-o MODEL.json] [--part NAME] [--unit UNIT] [--partial] [--json]\n"
         "                      [--no-cache] [--time-limit S] [--memory-limit MB]\n"
         "\n"
         "Makes a model of a CAD file: every solid, shell or set of loose faces a body, with its name, its place in "
         "the\n"
         "assembly and its colours, on the exact surfaces and curves of the file. Says what is in it, what had to be\n"
         "converted, and what could not be read, entity by entity.\n"
         "\n"
         "  PART         STEP (.step, .stp), IGES (.iges, .igs) or BREP (.brep, .brp)\n"
         "  -o FILE      writes the model (docs/format.md); -o - writes it to standard output in place of the report\n"
         "  --part NAME  only this body\n"
         "  --unit UNIT  lengths are converted to m, cm, mm, um, in or ft; otherwise the file's own unit is kept\n"
         "  --partial    writes the model also where a part of the file could not be read\n"
         "  --no-cache   reads the file anew, and does not keep what was read\n"
         "  --json       the report as one JSON object\n"
         "  --time-limit S, --memory-limit MB\n"
         "               the file is read in a process of its own, which gets this much: 300 s and 8192 MB if not "
         "given");
    return command_flush();
}

static bool read_unit(const option_reader* r, wit_unit* unit)
{
    for (int u = WIT_UNIT_NONE + 1; u < WIT_UNIT_COUNT; u++) {
        if (strcmp(r->value, wit_unit_name((wit_unit)u)) != 0) continue;
        *unit = (wit_unit)u;
        return true;
    }
    command_usage("import", "--unit is m, cm, mm, um, in or ft, not", r->value, NULL);
    return false;
}

/* EXIT_GOOD, or what to end with; *done after --help. */
static int parse(int argc, char** argv, request* r, bool* done)
{
    option_reader reader = option_reader_at("import", options, OPTIONS, argc, argv);
    for (int k; (k = option_next(&reader)) != OPTION_END;) {
        if (k == OPTION_WRONG) return EXIT_USAGE;
        if (k == OPTION_WORD && r->path)
            return command_usage("import", "one file is enough; left over is", reader.word, NULL);
        if (k == OPTION_WORD) r->path = reader.word;
        if (k == OUT) r->to = reader.value;
        if (k == PART) r->def.part = reader.value;
        if (k == UNIT && !read_unit(&reader, &r->def.unit)) return EXIT_USAGE;
        if (k == TIME && !option_number(&reader, 0.001, 1e6, &r->how.limits.seconds)) return EXIT_USAGE;
        if (k == MEMORY && !option_number(&reader, 1, 1e7, &r->how.limits.megabytes)) return EXIT_USAGE;
        if (k == PARTIAL) r->partial = true;
        if (k == NO_CACHE) r->how.uncached = true;
        if (k == JSON) r->json = true;
        if (k == HELP) {
            *done = true;
            return help();
        }
    }
    return r->path ? EXIT_GOOD : command_usage("import", "the CAD file is missing", NULL, NULL);
}

/* ---- the report ----------------------------------------------------------------------------- */

enum { LABEL = 20 };

static void label(out* o, const char* text)
{
    out_text(o, "  %-*s", LABEL, text);
}

static void put_census(out* o, const char* name, const int* counts, int kinds, bool curves)
{
    const char* comma = "";
    label(o, name);
    for (int k = 0; k < kinds; k++) {
        if (!counts[k]) continue;
        out_text(o, "%s%d %s", comma, counts[k],
                 curves ? wit_curve_kind_name((wit_curve_kind)k) : wit_surface_kind_name((wit_surface_kind)k));
        comma = ", ";
    }
    out_text(o, comma[0] ? "\n" : "none\n");
}

static void put_body(out* o, const wit_cad_body* b, int i, const char* unit)
{
    const wit_body_measures* c = &b->measures;
    wit_pose pose = b->pose;
    wit_vec3 p = pose.position,
             size = {b->box.hi.x - b->box.lo.x, b->box.hi.y - b->box.lo.y, b->box.hi.z - b->box.lo.z};
    out_text(o, "\nbody %d \"%s\": %s, %d %s, %d %s, %d %s; %.6g x %.6g x %.6g%s%s\n", i, b->name,
             wit_body_kind_name(b->kind), b->faces, b->faces == 1 ? "face" : "faces", b->edges,
             b->edges == 1 ? "edge" : "edges", b->vertices, b->vertices == 1 ? "vertex" : "vertices", size.x, size.y,
             size.z, unit[0] ? " " : "", unit);
    label(o, "closed");
    out_text(o, "%s, %s, %s; largest gap %.3g %s, tolerance %.3g\n", c->watertight ? "watertight" : "open",
             c->oriented ? "oriented" : "not oriented", c->manifold ? "manifold" : "not manifold", c->gap, unit,
             b->tolerance);
    label(o, "area, volume");
    if (unit[0])
        out_text(o, "%.9g %s^2, %.9g %s^3\n", c->area, unit, c->volume, unit);
    else
        out_text(o, "%.9g, %.9g\n", c->area, c->volume);
    if (p.x != 0 || p.y != 0 || p.z != 0 || pose.rotation.w != 1) {
        label(o, "stands at");
        out_text(o, "%.6g, %.6g, %.6g, turned by the quaternion %.6g, %.6g, %.6g, %.6g\n", p.x, p.y, p.z,
                 pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z);
    }
}

static void put_text(out* o, const request* q, const cad_file* file)
{
    wit_cad_report r = file->report;
    const char* unit = r.unit == WIT_UNIT_NONE ? "" : wit_unit_name(r.unit);
    static const char* const formats[WIT_CAD_FORMAT_COUNT] = {"", "STEP", "IGES", "BREP"};
    out_text(o, "%s: %s%s%s\n", q->path, formats[r.format], r.schema[0] ? ", " : "", r.schema);
    label(o, "unit");
    if (r.unit == WIT_UNIT_NONE)
        out_text(o, "none: the file has none, and none was asked for\n");
    else if (r.file_unit == r.unit || r.file_unit == WIT_UNIT_NONE)
        out_text(o, "%s%s\n", unit, r.file_unit == WIT_UNIT_NONE ? " (the file has none that is known)" : "");
    else
        out_text(o, "%s, converted from %s\n", unit, wit_unit_name(r.file_unit));
    label(o, "bodies");
    out_text(o, r.bodies == 1 ? (r.solids ? "1, a solid\n" : "1, not a solid\n") : "%d, %d of them solids\n", r.bodies,
             r.solids);
    put_census(o, "faces", r.faces, WIT_SURFACE_KIND_COUNT, false);
    put_census(o, "edges", r.edges, WIT_CURVE_KIND_COUNT, true);
    label(o, "parameter curves");
    out_text(o, "%d taken over, the others made from the edges\n", r.parameter_curves);
    label(o, "tolerance");
    out_text(o, "%.3g %s, the largest of the file's edges and vertices\n", r.tolerance, unit);
    label(o, "converted");
    if (r.converted)
        out_text(o, "%d became B-splines, error seen %.3g %s\n", r.converted, r.conversion_error, unit);
    else
        out_text(o, "nothing\n");
    label(o, "check");
    out_text(o, "largest difference to Open CASCADE's shapes at equal parameters %.3g %s\n", r.check_error, unit);
    label(o, "time");
    out_text(o, "%.2f s reading, %.2f s converting\n", r.read_seconds, r.convert_seconds);
    label(o, "model");
    out_text(o, "%.1f kB of text%s%s\n", (double)file->bytes / 1000, q->to ? ", written to " : "", q->to ? q->to : "");
    for (int i = 0; i < r.bodies; i++) put_body(o, &file->bodies[i], i, unit);
    if (r.problem_count) out_text(o, "\nwhat else the file says, and what it did not give\n");
    for (int k = 0; k < r.problem_count; k++) {
        wit_cad_problem p = file->problems[k];
        out_text(o, "  %s%s: %s\n", p.lost ? "LOST " : "", p.entity, p.text);
    }
}

static void put_counts(out* o, const char* key, const int* counts, int kinds, bool curves)
{
    out_open(o, key, '{');
    for (int k = 0; k < kinds; k++) {
        if (counts[k])
            out_put_integer(
                o, curves ? wit_curve_kind_name((wit_curve_kind)k) : wit_surface_kind_name((wit_surface_kind)k),
                counts[k]);
    }
    out_close(o, '}');
}

static void put_json(out* o, const request* q, const cad_file* file)
{
    static const char* const formats[WIT_CAD_FORMAT_COUNT] = {"", "step", "iges", "brep"};
    wit_cad_report r = file->report;
    out_open(o, NULL, '{');
    out_put_string(o, "file", q->path);
    out_put_string(o, "format", formats[r.format]);
    out_put_string(o, "schema", r.schema);
    out_put_string(o, "file_unit", wit_unit_name(r.file_unit));
    out_put_string(o, "unit", wit_unit_name(r.unit));
    out_put_integer(o, "solids", r.solids);
    put_counts(o, "faces", r.faces, WIT_SURFACE_KIND_COUNT, false);
    put_counts(o, "edges", r.edges, WIT_CURVE_KIND_COUNT, true);
    out_put_integer(o, "parameter_curves", r.parameter_curves);
    out_put_integer(o, "converted", r.converted);
    out_put_number(o, "conversion_error", r.conversion_error);
    out_put_number(o, "tolerance", r.tolerance);
    out_put_number(o, "check_error", r.check_error);
    out_put_number(o, "read_seconds", r.read_seconds);
    out_put_number(o, "convert_seconds", r.convert_seconds);
    out_put_integer(o, "model_bytes", (long long)file->bytes);
    out_open(o, "bodies", '[');
    for (int i = 0; i < r.bodies; i++) {
        const wit_cad_body* b = &file->bodies[i];
        wit_body_measures c = b->measures;
        wit_pose p = b->pose;
        double position[3] = {p.position.x, p.position.y, p.position.z};
        double rotation[4] = {p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z};
        out_open(o, NULL, '{');
        out_put_string(o, "name", b->name);
        out_put_string(o, "kind", wit_body_kind_name(b->kind));
        out_put_integer(o, "faces", b->faces);
        out_put_integer(o, "edges", b->edges);
        out_put_integer(o, "vertices", b->vertices);
        out_put_bool(o, "watertight", c.watertight);
        out_put_bool(o, "oriented", c.oriented);
        out_put_bool(o, "manifold", c.manifold);
        out_put_number(o, "gap", c.gap);
        out_put_number(o, "area", c.area);
        out_put_number(o, "volume", c.volume);
        out_put_numbers(o, "position", position, 3);
        out_put_numbers(o, "rotation", rotation, 4);
        out_put_integer(o, "bytes", (long long)b->bytes);
        out_close(o, '}');
    }
    out_close(o, ']');
    out_open(o, "problems", '[');
    for (int k = 0; k < r.problem_count; k++) {
        wit_cad_problem p = file->problems[k];
        out_open(o, NULL, '{');
        out_put_bool(o, "lost", p.lost);
        out_put_string(o, "entity", p.entity);
        out_put_string(o, "text", p.text);
        out_close(o, '}');
    }
    out_close(o, ']');
    out_close(o, '}');
    out_text(o, "\n");
}

/* The text as it was read, which every command takes. */
static int write_model(const request* q, const cad_file* file)
{
    bool to_output = strcmp(q->to, "-") == 0;
    FILE* f = to_output ? stdout : fopen(q->to, "wb");
    bool good = f && fwrite(file->text, 1, file->bytes, f) == file->bytes;
    if (to_output) return command_flush();
    if (f) good = fclose(f) == 0 && good;
    if (good) return EXIT_GOOD;
    fprintf(stderr, "%s: it can't be written: %s\n", q->to, strerror(errno));
    return EXIT_BAD_INPUT;
}

int command_import(int argc, char** argv)
{
    request q = {.def = {.struct_size = sizeof q.def}, .how = {.limits = cad_limits_default()}};
    bool done = false;
    int code = parse(argc, argv, &q, &done);
    if (code || done) return code;
    cad_file file;
    if (!cad_file_read(q.path, &q.def, &q.how, &file)) return EXIT_BAD_INPUT;
    if (q.to && !q.partial && cad_file_lost(&file)) {
        fprintf(stderr, "%s: not all of it could be read (above), so no model is written; --partial writes the rest\n",
                q.path);
        cad_file_drop(&file);
        return EXIT_BAD_INPUT;
    }
    out o = {0};
    bool to_output = q.to && strcmp(q.to, "-") == 0;
    if (q.to) code = write_model(&q, &file);
    if (!code && !to_output) (q.json ? put_json : put_text)(&o, &q, &file);
    cad_file_drop(&file);
    return code || to_output ? code : out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
}
