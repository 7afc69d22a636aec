/* SPDX-License-Identifier: MIT */
/* `witness clearance` over a time, `witness pairs` at one: the same, but for what may be asked. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clearance.h"
#include "command.h"
#include "options.h"
#include "pool.h"

enum {
    BELOW,
    WITHIN,
    CONTACT,
    SCOPE,
    REQUIRE,
    SINCE,
    UNTIL,
    AT,
    BUDGET,
    THREADS,
    ALL,
    PARTIAL,
    NO_CACHE,
    JSON,
    CSV,
    HELP,
    OPTIONS
};

static const option options[OPTIONS] = {
    [BELOW] = {"--below", "a length, such as 2 or 2mm"},
    [WITHIN] = {"--within", "a length, such as 2 or 2mm"},
    [CONTACT] = {"--contact", "a length"},
    [SCOPE] = {"--scope", "all, within or between"},
    [REQUIRE] = {"--require", "a name and a length: NAME=2mm"},
    [SINCE] = {"--since", "a time in seconds"},
    [UNTIL] = {"--until", "a time in seconds"},
    [AT] = {"--at", "a time in seconds"},
    [BUDGET] = {"--budget", "a number of units of work"},
    [THREADS] = {"--threads", "a number of threads"},
    [ALL] = {"--all", NULL},
    [PARTIAL] = {"--partial", NULL},
    [NO_CACHE] = {"--no-cache", NULL},
    [JSON] = {"--json", NULL},
    [CSV] = {"--csv", NULL},
    [HELP] = {"--help", NULL},
};

typedef struct request {
    const char* command;
    bool still; /* `pairs` */
    const char* path;
    const char* given[OPTIONS];
    double since, until, at;
    int64_t budget, threads;
    cad_options cad;
    option_reader reader;
} request;

static int help(const request* r)
{
    if (r->still)
        puts("usage: witness pairs ASSEMBLY [--within LENGTH] [--at S] ...\n"
             "\n"
             "The pairs of bodies of an assembly that are within a distance of each other, as they stand.\n");
    else
        puts("usage: witness clearance ASSEMBLY [--below LENGTH] [--require NAME=LENGTH] ...\n"
             "\n"
             "Which bodies of an assembly touch, overlap or come near each other over its motion: all times at which "
             "they\n"
             "do lie in the intervals that are told, and what is called clear is proved, between all frames.\n");
    puts("  ASSEMBLY         a file of format witness-assembly (docs/format.md), or a model: its bodies as they stand\n"
         "  --below LENGTH   clearances up to this are told (pairs: --within): 2, or 2mm, 0.1in. That of the file if "
         "not\n"
         "                   told, or 0: touch\n"
         "  --contact LENGTH overlaps up to this depth are contacts\n"
         "  --scope WHICH    all against all, within groups, or between groups\n"
         "  --require N=L    the requirement N: all pairs that are not approved keep more than L\n"
         "  --since S, --until S   the part of the time that is looked at (pairs: --at S)\n"
         "  --budget N       units of work for one pair; used up, the pair is not_checked or not proved\n"
         "  --threads N      all cores if not told; the output is the same for any N\n"
         "  --all            pairs that were looked into and are clear, too\n"
         "  --partial        CAD files of which a part was lost, too\n"
         "  --no-cache       CAD files are read anew, and what was read is not kept\n"
         "  --json, --csv    one JSON object (docs/clearance.schema.json); a row for each pair\n"
         "\n"
         "Exit code 0: all is clear or approved, and proved. 3: a clash, a contact or a clearance that is not "
         "approved,\n"
         "or a requirement that is violated. 4: none of these, but something is not proved. 1, 2: bad input, wrong "
         "usage.");
    return command_flush();
}

/* ---- options -------------------------------------------------------------------------------- */

static bool read_value(request* r, int index)
{
    const option_reader* o = &r->reader;
    r->given[index] = o->value ? o->value : "";
    switch (index) {
    case SINCE:
        return option_number(o, -1e9, 1e9, &r->since);
    case UNTIL:
        return option_number(o, -1e9, 1e9, &r->until);
    case AT:
        return option_number(o, -1e9, 1e9, &r->at);
    case BUDGET:
        return option_count(o, 128, INT64_C(1000000000000), &r->budget);
    case THREADS:
        return option_count(o, 1, 1024, &r->threads);
    case PARTIAL:
        r->cad.partial = true;
        return true;
    case NO_CACHE:
        r->cad.uncached = true;
        return true;
    default:
        return true; /* kept as it is */
    }
}

static int parse(int argc, char** argv, request* r, bool* done)
{
    static const int of_motion[] = {BELOW, REQUIRE, SINCE, UNTIL}, of_rest[] = {WITHIN, AT};
    r->reader = option_reader_at(r->command, options, OPTIONS, argc, argv);
    for (;;) {
        int index = option_next(&r->reader);
        if (index == OPTION_END) break;
        if (index == OPTION_WRONG) return EXIT_USAGE;
        if (index == HELP) {
            *done = true;
            return help(r);
        }
        if (index == OPTION_WORD && r->path)
            return command_usage(r->command, "one assembly is enough; left over is", r->reader.word, NULL);
        if (index == OPTION_WORD)
            r->path = r->reader.word;
        else if (!read_value(r, index))
            return EXIT_USAGE;
    }
    if (!r->path) return command_usage(r->command, "an assembly, or a model, is missing", NULL, NULL);
    const int* other = r->still ? of_motion : of_rest;
    for (int k = 0; k < (r->still ? 4 : 2); k++)
        if (r->given[other[k]])
            return command_usage(r->command, r->still ? "only `witness clearance` has" : "only `witness pairs` has",
                                 options[other[k]].name, NULL);
    if (r->given[JSON] && r->given[CSV]) return command_usage(r->command, "one of --json and --csv", NULL, NULL);
    return EXIT_GOOD;
}

/* "2", or "2mm" in the unit of the assembly. */
static bool read_length(const request* r, const char* text, wit_unit unit, const char* name, double* length)
{
    char* end;
    double x = strtod(text, &end), factor = 1;
    bool good = end != text && x >= 0 && x <= 1e12;
    if (good && *end) {
        int k = 0;
        while (k < WIT_UNIT_COUNT && strcmp(end, wit_unit_name((wit_unit)k)) != 0) k++;
        double metres = k < WIT_UNIT_COUNT ? wit_unit_metres((wit_unit)k) : 0, own = wit_unit_metres(unit);
        good = metres > 0 && own > 0;
        /* of one unit nothing is rounded */
        if (good && k != (int)unit) factor = metres / own;
        if (metres > 0 && !(own > 0)) {
            fprintf(stderr, "witness %s: %s %s: the assembly has no unit; say the length without one\n", r->command,
                    name, text);
            return false;
        }
    }
    if (!good) {
        fprintf(stderr, "witness %s: %s needs a length, such as 2 or 2mm, not '%s'\n", r->command, name, text);
        return false;
    }
    *length = x * factor;
    return true;
}

/* ---- the task ------------------------------------------------------------------------------- */

/* Requirements of the file, and that of the command line; the threshold is no less than any. */
static int take_rules(const request* r, clearance_task* t)
{
    int n = wit_assembly_scene_requirement_count(t->scene);
    t->rules = calloc((size_t)n + 1, sizeof *t->rules);
    if (!t->rules) {
        fprintf(stderr, "witness %s: no memory\n", r->command);
        return EXIT_BAD_INPUT;
    }
    if (r->still) return EXIT_GOOD;
    for (int k = 0; k < n; k++) {
        wit_assembly_requirement x = wit_assembly_scene_requirement(t->scene, k);
        t->rules[t->rule_count++] =
            (clearance_rule){.name = x.name, .a = x.a, .b = x.b, .clearance = x.clearance, .index = k};
    }
    const char* text = r->given[REQUIRE];
    if (text) {
        const char* equals = strrchr(text, '=');
        static char name[256];
        clearance_rule* rule = &t->rules[t->rule_count++];
        rule->index = -1;
        rule->name = name;
        if (!equals || equals == text || equals - text > 255) {
            fprintf(stderr, "witness %s: --require needs a name and a length, NAME=2mm, not '%s'\n", r->command, text);
            return EXIT_USAGE;
        }
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        if (!read_length(r, equals + 1, wit_assembly_scene_unit(t->scene), "--require", &rule->clearance))
            return EXIT_USAGE;
    }
    for (int k = 0; k < t->rule_count; k++) t->def.threshold = fmax(t->def.threshold, t->rules[k].clearance);
    return EXIT_GOOD;
}

static int take_scope(const request* r, wit_assembly_def* d)
{
    static const char* const names[] = {"all", "within", "between", NULL};
    if (!r->given[SCOPE]) return EXIT_GOOD;
    for (int k = 0; names[k]; k++)
        if (!strcmp(r->given[SCOPE], names[k])) {
            d->scope = (wit_assembly_scope)k;
            return EXIT_GOOD;
        }
    return command_usage(r->command, "no such scope", r->given[SCOPE], names);
}

static int take_task(const request* r, clearance_task* t)
{
    wit_assembly_def* d = &t->def;
    wit_unit unit = wit_assembly_scene_unit(t->scene);
    const int own = r->still ? WITHIN : BELOW;
    *d = wit_assembly_scene_def(t->scene);
    t->all = r->given[ALL] != NULL;
    if (r->given[own] && !read_length(r, r->given[own], unit, options[own].name, &d->threshold)) return EXIT_USAGE;
    if (r->given[CONTACT] && !read_length(r, r->given[CONTACT], unit, "--contact", &d->contact)) return EXIT_USAGE;
    if (!isnan(r->since)) d->from = r->since;
    if (!isnan(r->until)) d->to = r->until;
    if (r->still) d->from = d->to = isnan(r->at) ? d->from : r->at;
    if (d->to < d->from) return command_usage(r->command, "the time ends before it begins", NULL, NULL);
    if (!(d->from < d->to)) d->pieces = 1;
    if (r->budget) d->budget = r->budget;
    int code = take_scope(r, d);
    return code ? code : take_rules(r, t);
}

static int run(const request* r)
{
    wit_assembly_scene* scene = command_read_assembly(r->path, &r->cad);
    if (!scene) return EXIT_BAD_INPUT;
    clearance_task t = {.scene = scene};
    clearance_found f = {0};
    out o = {0};
    int code = take_task(r, &t);
    if (!code) code = clearance_run(&t, r->threads ? (int)r->threads : pool_cores(), r->command, &f);
    if (!code) {
        code = clearance_judge(&t, &f);
        (r->given[JSON] ? clearance_json : r->given[CSV] ? clearance_csv : clearance_text)(&o, &t, &f);
        if (out_finish(&o)) code = EXIT_BAD_INPUT;
    }
    clearance_drop(&f);
    free(t.rules);
    wit_assembly_scene_destroy(scene);
    return code;
}

static int command_of(const char* command, bool still, int argc, char** argv)
{
    request r = {.command = command, .still = still, .since = NAN, .until = NAN, .at = NAN};
    bool done = false;
    int code = parse(argc, argv, &r, &done);
    return code || done ? code : run(&r);
}

int command_clearance(int argc, char** argv)
{
    return command_of("clearance", false, argc, argv);
}

int command_pairs(int argc, char** argv)
{
    return command_of("pairs", true, argc, argv);
}
