/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "closest.h"
#include "command.h"
#include "options.h"
#include "pool.h"

enum {
    POINT,
    POINTS,
    FORMAT,
    OUT,
    POSE_A,
    POSE_B,
    POSES,
    BODY,
    BODY_A,
    BODY_B,
    ONLY_A,
    ONLY_B,
    ALL,
    CONTACTS,
    WITHIN,
    TOLERANCE,
    RIGOROUS,
    STRICT,
    BUDGET,
    THREADS,
    PARTIAL,
    NO_CACHE,
    JSON,
    HELP,
    OPTIONS
};

static const option options[OPTIONS] = {
    [POINT] = {"--point", "a point X,Y,Z"},
    [POINTS] = {"--points", "a file name"},
    [FORMAT] = {"--format", "text, csv or npy"},
    [OUT] = {"--out", "a file name"},
    [POSE_A] = {"--pose-a", "a pose x,y,z,qw,qx,qy,qz"},
    [POSE_B] = {"--pose-b", "a pose x,y,z,qw,qx,qy,qz"},
    [POSES] = {"--poses", "a file name"},
    [BODY] = {"--body", "the name of a body"},
    [BODY_A] = {"--body-a", "the name of a body"},
    [BODY_B] = {"--body-b", "the name of a body"},
    [ONLY_A] = {"--only-a", "a list of features such as face:S1,edges"},
    [ONLY_B] = {"--only-b", "a list of features such as face:S1,edges"},
    [ALL] = {"--all", NULL},
    [CONTACTS] = {"--contacts", NULL},
    [WITHIN] = {"--within", "a length"},
    [TOLERANCE] = {"--tolerance", "a number"},
    [RIGOROUS] = {"--rigorous", NULL},
    [STRICT] = {"--strict", NULL},
    [BUDGET] = {"--budget", "a number of nodes"},
    [THREADS] = {"--threads", "a number of threads"},
    [PARTIAL] = {"--partial", NULL},
    [NO_CACHE] = {"--no-cache", NULL},
    [JSON] = {"--json", NULL},
    [HELP] = {"--help", NULL},
};

typedef struct request {
    closest_task task;
    closest_question question;
    closest_files batch; /* from null: no file */
    int threads;
} request;

static int help(void)
{
    puts(
        "usage: witness closest MODEL --point X,Y,Z | --points FILE\n"
        "       witness closest MODEL MODEL [--pose-a P] [--pose-b P] | --poses FILE\n"
        "\n"
        "The closest points of a body and a point, or of two bodies, with the proof: the true distance is within the\n"
        "bracket that is printed. A point inside a solid, or behind a sheet that has one side, is at a negative "
        "distance.\n"
        "\n"
        "  MODEL            a JSON model (docs/format.md), or Bezier patches (.bpt); - reads JSON from standard input\n"
        "  --point X,Y,Z    the distance of this point\n"
        "  --points FILE    of many: one line each, x y z; # begins a comment; - reads standard input;\n"
        "                   FILE.csv may have a line of names on top; FILE.npy is an array (n, 3) of NumPy\n"
        "  --format F       of --points where its name does not tell: text, csv, npy\n"
        "  --out FILE       the answers to --points as rows: FILE.npy (a structured array) or FILE.csv\n"
        "  --pose-a P       where the first body stands: x,y,z,qw,qx,qy,qz, a position and a unit quaternion\n"
        "  --pose-b P       where the second one stands; both stand as they are in the model if not told;\n"
        "                   a body that has a pose in its model keeps it, and P moves the model\n"
        "  --poses FILE     many pairs: one line each, the 7 numbers of a, then the 7 of b\n"
        "  --body NAME      which body of the model, where it has several; --body-a, --body-b for two models\n"
        "  --only-a LIST    only these features count: faces, edges, vertices, face:NAME, edge:NAME, vertex:NAME,\n"
        "                   separated by commas; a number in place of a name; --only-b for the second body\n"
        "  --all            every local minimum, not only the least\n"
        "  --contacts       of two bodies: every contact, with the points that hold lines and areas; farther ones "
        "than\n"
        "                   --within D, else 0.001 of the smaller body's size, are not listed\n"
        "  --within D       farther pairs are not looked for\n"
        "  --tolerance T    width of the bracket, relative to the larger of distance and body size (1e-9)\n"
        "  --rigorous       count every rounding error in the bounds\n"
        "  --strict         certified only if within T alone, the model's own tolerance not added\n"
        "  --budget N       units of work that a question may take (1000000)\n"
        "  --threads N      for batches; all cores if not told; the output is the same for any N\n"
        "  --partial        answers also where a part of a CAD file could not be read\n"
        "  --no-cache       reads CAD files anew, and does not keep what was read\n"
        "  --json           one JSON object per question, in one line\n"
        "\n"
        "Lengths are in the unit of the first model. How to read an answer: docs/closest.md.");
    return command_flush();
}

static bool read_point(const option_reader* r, wit_vec3* point)
{
    double x[3];
    if (!option_numbers(r, 3, x)) return false;
    *point = (wit_vec3){x[0], x[1], x[2]};
    if (fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2]))) <= WIT_MAX_COORDINATE) return true;
    fprintf(stderr, "witness closest: %s '%s': a coordinate is too large\nTry 'witness closest --help'.\n", r->word,
            r->value);
    return false;
}

static bool read_budget(const option_reader* r, wit_query_def* def)
{
    if (!option_count(r, 1, INT64_C(1000000000), &def->budget)) return false;
    /* More work needs more room for what is left open. */
    int64_t room = def->budget / 4;
    if (room > def->capacity) def->capacity = room > (1 << 22) ? 1 << 22 : (int)room;
    return true;
}

static bool read_value(request* r, const option_reader* reader, int index)
{
    wit_query_def* def = &r->task.def;
    closest_side* side = r->task.side;
    int64_t count;
    switch (index) {
    case POINT:
        return read_point(reader, &r->question.point);
    case POINTS:
    case POSES:
        r->batch.from = reader->value;
        return true;
    case FORMAT:
        if (points_format_of_word(reader->value, &r->batch.format)) return true;
        command_usage("closest", "--format is text, csv or npy, not", reader->value, NULL);
        return false;
    case OUT:
        r->batch.to = reader->value;
        if (points_format_of_name(r->batch.to) != POINTS_TEXT) return true;
        command_usage("closest", "--out writes files that end in .npy or .csv, not", reader->value, NULL);
        return false;
    case POSE_A:
        return option_pose(reader, &side[0].pose);
    case POSE_B:
        return option_pose(reader, &side[1].pose);
    case BODY:
    case BODY_A:
        side[0].body_name = reader->value;
        return true;
    case BODY_B:
        side[1].body_name = reader->value;
        return true;
    case ONLY_A:
        side[0].only = reader->value;
        return true;
    case ONLY_B:
        side[1].only = reader->value;
        return true;
    case ALL:
        r->task.all = true;
        return true;
    case CONTACTS:
        r->task.contacts = true;
        return true;
    case WITHIN:
        return option_number(reader, 0, WIT_MAX_COORDINATE, &def->within);
    case TOLERANCE:
        return option_number(reader, 1e-15, 1, &def->tolerance);
    case RIGOROUS:
        def->rigorous = true;
        return true;
    case PARTIAL:
        r->task.cad.partial = true;
        return true;
    case NO_CACHE:
        r->task.cad.uncached = true;
        return true;
    case STRICT:
        def->strict = true;
        return true;
    case BUDGET:
        return read_budget(reader, def);
    case THREADS:
        if (!option_count(reader, 1, 256, &count)) return false;
        r->threads = (int)count;
        return true;
    case JSON:
        r->task.json = true;
        return true;
    default:
        return true;
    }
}

/* Options that do not go together. */
static int check_together(const request* r, const option_reader* reader, int models)
{
    static const struct {
        int first, second;
        const char* text;
    } excluded[] = {
        {POINT, POINTS, "--point and --points together: one point, or a file of them"},
        {POSE_A, POSES, "--pose-a and --poses together: the file has the poses of both"},
        {POSE_B, POSES, "--pose-b and --poses together: the file has the poses of both"},
        {ALL, CONTACTS, "--all and --contacts together: minima of the distance, or contacts"},
        {POSES, CONTACTS, "--poses and --contacts together: contacts are listed for one pair of poses"},
        {ONLY_A, CONTACTS, "--only-a and --contacts together: contacts are of whole bodies"},
        {ONLY_B, CONTACTS, "--only-b and --contacts together: contacts are of whole bodies"},
        {RIGOROUS, CONTACTS, "--rigorous and --contacts together: contacts do not count every rounding error"},
        {OUT, ALL, "--out and --all together: the file has one row per point"},
        {OUT, JSON, "--out and --json together: the file has the answers"},
        {BODY, BODY_A, "--body and --body-a together: they are the same"},
    };
    for (size_t i = 0; i < sizeof excluded / sizeof excluded[0]; i++) {
        if (option_seen(reader, excluded[i].first) && option_seen(reader, excluded[i].second))
            return command_usage("closest", excluded[i].text, NULL, NULL);
    }
    bool point = option_seen(reader, POINT) || option_seen(reader, POINTS);
    if (models == 0) return command_usage("closest", "the model is missing", NULL, NULL);
    if (models == 2 && point)
        return command_usage("closest", "a point or a second model, not both; left over is", r->task.side[1].path,
                             NULL);
    if (models == 1 && !point)
        return command_usage("closest", "closest to what? --point X,Y,Z or --points FILE or a second model is missing",
                             NULL, NULL);
    static const int of_pairs[] = {POSE_B, POSES, BODY_B, ONLY_B, CONTACTS};
    for (int i = 0; models == 1 && i < 5; i++) {
        if (option_seen(reader, of_pairs[i]))
            return command_usage("closest", "a second model is missing for", options[of_pairs[i]].name, NULL);
    }
    static const int of_points[] = {FORMAT, OUT};
    for (int i = 0; !option_seen(reader, POINTS) && i < 2; i++) {
        if (option_seen(reader, of_points[i]))
            return command_usage("closest", "--points FILE is missing for", options[of_points[i]].name, NULL);
    }
    if (models == 2 && option_seen(reader, BODY))
        return command_usage("closest", "say --body-a or --body-b in place of", "--body", NULL);
    int standard = (r->batch.from && !strcmp(r->batch.from, "-")) + !strcmp(r->task.side[0].path, "-") +
                   (models == 2 && !strcmp(r->task.side[1].path, "-"));
    if (standard > 1)
        return command_usage("closest", "standard input can be read only once, but '-' is given twice", NULL, NULL);
    return EXIT_GOOD;
}

/* EXIT_GOOD, or what to end with; *done after --help. */
static int parse(int argc, char** argv, request* r, bool* done)
{
    option_reader reader = option_reader_at("closest", options, OPTIONS, argc, argv);
    int models = 0;
    r->task.def = wit_query_default_def();
    r->task.side[0].pose = r->task.side[1].pose = wit_pose_identity();
    for (;;) {
        int index = option_next(&reader);
        if (index == OPTION_END) break;
        if (index == OPTION_WRONG) return EXIT_USAGE;
        if (index == HELP) {
            *done = true;
            return help();
        }
        if (index != OPTION_WORD) {
            if (!read_value(r, &reader, index)) return EXIT_USAGE;
        } else if (models < 2) {
            r->task.side[models++].path = reader.word;
        } else {
            return command_usage("closest", "two models are enough; left over is", reader.word, NULL);
        }
    }
    r->task.pair = models == 2;
    return check_together(r, &reader, models);
}

static int ask_once(request* r)
{
    closest_worker worker = {0};
    closest_answer answer;
    out o = {0};
    for (int i = 0; i < 2; i++) r->question.pose[i] = r->task.side[i].pose;
    if (r->task.contacts) return closest_contacts(&r->task, &r->question);
    closest_ask(&r->task, &worker, &r->question, &answer);
    if (!answer.status) (r->task.json ? closest_json : closest_text)(&o, &r->task, &worker, &answer);
    closest_worker_release(&worker);
    if (!answer.status) return out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
    fprintf(stderr, "witness closest: %s\n", closest_refusal(&r->task, answer.status));
    return EXIT_BAD_INPUT;
}

int command_closest(int argc, char** argv)
{
    request r = {0};
    bool done = false;
    int code = parse(argc, argv, &r, &done);
    if (code || done) return code;
    code = closest_load(&r.task);
    if (!code)
        code = r.batch.from ? closest_batch(&r.task, &r.batch, r.threads ? r.threads : pool_cores()) : ask_once(&r);
    closest_release(&r.task);
    return code;
}
