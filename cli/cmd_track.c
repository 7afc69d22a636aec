/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../io/file_reason.h"
#include "command.h"
#include "lab_law.h"
#include "numbers.h"
#include "svg.h"
#include "track.h"

enum {
    LAW,
    FORM,
    INTEGRATOR,
    GAIN,
    EPS,
    CAP,
    FEEDBACK,
    SWITCHING,
    PREDICTION,
    RATE,
    DURATION,
    BUDGET,
    TOLERANCE,
    NO_REACQUIRE,
    CSV,
    JSON,
    SVG,
    AUTOMATON,
    SNAPSHOTS,
    HELP,
    OPTIONS
};

static const option options[OPTIONS] = {
    [LAW] = {"--law", "the name of a law"},
    [FORM] = {"--form", "contact or papers"},
    [INTEGRATOR] = {"--integrator", "the name of an integrator"},
    [GAIN] = {"--gain", "a number or auto"},
    [EPS] = {"--eps", "a normalised error"},
    [CAP] = {"--cap", "a number or infinity"},
    [FEEDBACK] = {"--feedback", "direct or integrated"},
    [SWITCHING] = {"--switching", "local, voronoi or none"},
    [PREDICTION] = {"--prediction", "the name of a prediction"},
    [RATE] = {"--rate", "a number of frames per second"},
    [DURATION] = {"--duration", "a number of seconds"},
    [BUDGET] = {"--budget", "a number of units of work"},
    [TOLERANCE] = {"--tolerance", "a number"},
    [NO_REACQUIRE] = {"--no-reacquire", NULL},
    [CSV] = {"--csv", "a file name"},
    [JSON] = {"--json", NULL},
    [SVG] = {"--svg", "a file name"},
    [AUTOMATON] = {"--automaton", "a file name"},
    [SNAPSHOTS] = {"--snapshots", "a list of times T1,T2 or the word scene"},
    [HELP] = {"--help", NULL},
};

enum { SNAPSHOTS_MOST = 64 };

typedef struct request {
    const char *path, *csv, *svg, *automaton, *snapshots;
    bool json, no_reacquire;
    int law, form, integrator, feedback, switching, prediction; /* -1: as the scene says */
    bool gain_given;
    wit_gain gain;
    double rate, duration, tolerance, ball, cap; /* negative: as the scene says */
    int64_t budget;
    double times[SNAPSHOTS_MOST];
    int time_count;
    const char* given[OPTIONS]; /* the values as they were written */
    option_reader reader;
} request;

static int help(void)
{
    puts("usage: witness track SCENE [--law NAME] [--csv FILE] [--json] [--svg FILE] ...\n"
         "\n"
         "Follows the closest points of two bodies, or of a body and a point, over the motion of a scene, and says how "
         "it\n"
         "went: distance, first touch, hand-overs between features, what was certified, the work. What is given\n"
         "here goes before what the scene says.\n"
         "\n"
         "  SCENE             a JSON scene (docs/format.md); - reads it from standard input\n"
         "  --law NAME        deadbeat, linearizing, switching, exponential, motion_aware, newton, newton_saturated,\n"
         "                    findmin\n"
         "  --form F          contact (regular through touch) or papers\n"
         "  --integrator NAME euler, rk2, rk3, rk4, ab2, ab3, ab4, backward_euler, trapezoid, dopri5; for the laws "
         "from\n"
         "                    linearizing to motion_aware only, as is the gain\n"
         "  --gain K          1/s, or auto: the fastest stable one in every step; exponential makes its own:\n"
         "  --eps BALL        normalised error below which the gains of exponential stop growing (0.001)\n"
         "  --cap K           the largest of them: 1/s, 0 for what the integrator takes (if not told), or infinity\n"
         "  --feedback F      direct or integrated\n"
         "  --switching S     local, voronoi or none\n"
         "  --prediction P    best, none, linear, quadratic or twist\n"
         "  --rate HZ         frames per second\n"
         "  --duration S      seconds\n"
         "  --budget N        units of work per step at most\n"
         "  --tolerance T     of the distance, relative: when a step counts as converged\n"
         "  --no-reacquire    never search globally\n"
         "  --csv FILE        every frame as a line; - writes to standard output, and then nothing else\n"
         "  --json            the figures as one JSON object\n"
         "  --svg FILE        charts over time: distance, parameters, normalised projection errors\n"
         "  --automaton FILE  a picture (SVG) of the features and the hand-overs between them\n"
         "  --snapshots LIST  pictures at these times, T1,T2,..., or at those of the scene: the word scene; files\n"
         "                    NAME-0.25s.svg, NAME as in --svg, or that of the scene");
    return command_flush();
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static bool read_times(const option_reader* o, request* r)
{
    r->snapshots = o->value;
    if (!strcmp(o->value, "scene")) return true;
    number_line line;
    if (!numbers_read(o->value, strlen(o->value), &line)) {
        fprintf(stderr, "witness track: --snapshots '%s': column %d: %s\nTry 'witness track --help'.\n", o->value,
                line.column, line.reason);
        return false;
    }
    if (line.count > NUMBERS_MOST || line.count == 0) {
        fprintf(stderr, "witness track: --snapshots '%s': 1 to %d times are wanted\nTry 'witness track --help'.\n",
                o->value, NUMBERS_MOST);
        return false;
    }
    r->time_count = line.count;
    memcpy(r->times, line.value, (size_t)line.count * sizeof *r->times);
    return true;
}

static bool read_value(request* r, int index)
{
    const option_reader* o = &r->reader;
    switch (index) {
    case LAW:
        return law_choice(o, law_name, WIT_LAW_COUNT, &r->law);
    case FORM:
        return law_choice(o, form_name, WIT_FORM_COUNT, &r->form);
    case INTEGRATOR:
        return law_choice(o, integrator_name, WIT_INTEGRATOR_COUNT, &r->integrator);
    case GAIN:
        r->gain_given = true;
        return law_gain(o, &r->gain);
    case EPS:
        return law_ball(o, &r->ball);
    case CAP:
        return law_cap(o, &r->cap);
    case FEEDBACK:
        return law_choice(o, feedback_name, WIT_FEEDBACK_COUNT, &r->feedback);
    case SWITCHING:
        return law_choice(o, switching_name, LAW_SWITCHINGS, &r->switching);
    case PREDICTION:
        return law_choice(o, prediction_name, WIT_PREDICTION_COUNT, &r->prediction);
    case RATE:
        return option_number(o, 1e-6, 1e9, &r->rate);
    case DURATION:
        return option_number(o, 0, 1e9, &r->duration);
    case BUDGET:
        return option_count(o, 64, INT64_C(1000000000), &r->budget);
    case TOLERANCE:
        return option_number(o, 1e-15, 1e-3, &r->tolerance);
    case NO_REACQUIRE:
        r->no_reacquire = true;
        return true;
    case CSV:
        r->csv = o->value;
        return true;
    case JSON:
        r->json = true;
        return true;
    case SVG:
        r->svg = o->value;
        return true;
    case AUTOMATON:
        r->automaton = o->value;
        return true;
    default:
        return read_times(o, r);
    }
}

/* EXIT_GOOD, or what to end with; *done after --help. */
static int parse(int argc, char** argv, request* r, bool* done)
{
    r->reader = option_reader_at("track", options, OPTIONS, argc, argv);
    for (;;) {
        int index = option_next(&r->reader);
        if (index == OPTION_END) break;
        if (index == OPTION_WRONG) return EXIT_USAGE;
        if (index == HELP) {
            *done = true;
            return help();
        }
        if (index == OPTION_WORD && r->path)
            return command_usage("track", "one scene is enough; left over is", r->reader.word, NULL);
        if (index == OPTION_WORD) {
            r->path = r->reader.word;
            continue;
        }
        r->given[index] = r->reader.value;
        if (!read_value(r, index)) return EXIT_USAGE;
    }
    if (!r->path) return command_usage("track", "the scene is missing", NULL, NULL);
    if (r->json && r->csv && !strcmp(r->csv, "-"))
        return command_usage("track", "--json and --csv - together: both go to standard output; give the CSV a file",
                             NULL, NULL);
    return EXIT_GOOD;
}

/* ---- the task ---------------------------------------------------------------------------------------------------- */

static wit_status scene_motion(const void* scene, int side, double time, wit_motion* motion)
{
    return wit_scene_motion(scene, side, time, motion);
}

static void apply(const request* r, wit_track_def* d, wit_law_def* law)
{
    if (r->law >= 0) {
        law->kind = (wit_law_kind)r->law;
        law_settle_def(d, law);
    }
    if (r->form >= 0) d->form = (wit_form)r->form;
    if (r->integrator >= 0) law->integrator = (wit_integrator)r->integrator;
    if (r->gain_given) law->gain = r->gain;
    if (r->ball >= 0) law->ball = r->ball;
    if (r->cap >= 0) law->cap = r->cap;
    if (r->feedback >= 0) law->feedback = (wit_feedback)r->feedback;
    if (r->switching >= 0) {
        d->keep_features = r->switching == LAW_SWITCHING_NONE;
        law->switching = r->switching == WIT_SWITCHING_VORONOI ? WIT_SWITCHING_VORONOI : WIT_SWITCHING_LOCAL;
    }
    if (r->prediction >= 0) d->prediction = (wit_prediction)r->prediction;
    if (r->budget > 0) d->budget = r->budget;
    if (r->tolerance > 0) d->tolerance = r->tolerance;
    if (r->no_reacquire) d->reacquire = false;
}

static int check_gain(const request* r, wit_law_kind law)
{
    const char* name = wit_law_name(law);
    if (r->gain_given && law == WIT_LAW_EXPONENTIAL)
        return command_usage("track", "--gain: exponential makes its own gains; --eps and --cap bound them", NULL,
                             NULL);
    if (r->gain_given && !wit_law_is_flow(law))
        return command_usage("track", "--gain belongs to linearizing, switching and motion_aware, not to", name, NULL);
    if ((r->ball >= 0 || r->cap >= 0) && law != WIT_LAW_EXPONENTIAL)
        return command_usage(
            "track", r->ball >= 0 ? "--eps belongs to exponential, not to" : "--cap belongs to exponential, not to",
            name, NULL);
    return EXIT_GOOD;
}

static int make_task(const request* r, const wit_scene* scene, track_task* task)
{
    memset(task, 0, sizeof *task);
    task->name = wit_scene_name(scene);
    if (!task->name[0]) {
        const char* slash = strrchr(r->path, '/');
        task->name = slash ? slash + 1 : r->path;
    }
    for (int i = 0; i < 2; i++) {
        task->body[i] = wit_scene_body(scene, i);
        task->side[i] = wit_scene_side_name(scene, i);
    }
    wit_unit unit = wit_scene_unit(scene);
    task->unit = unit == WIT_UNIT_NONE ? "" : wit_unit_name(unit);
    task->motion = scene_motion;
    task->context = scene;
    task->rate = r->rate > 0 ? r->rate : wit_scene_rate(scene);
    double duration = r->duration >= 0 ? r->duration : wit_scene_duration(scene);
    /* Rounding of the product must not cost the last frame. */
    double frames = r->rate > 0 || r->duration >= 0 ? floor(duration * task->rate * (1 + 1e-12) + 1e-9)
                                                    : (double)wit_scene_frames(scene);
    if (frames > 1e9) {
        fprintf(stderr, "witness track: %.3g frames are too many: 1e9 at most\n", frames);
        return EXIT_BAD_INPUT;
    }
    task->frames = (int64_t)frames;
    task->def = wit_scene_track_def(scene);
    task->law = wit_scene_law_def(scene);
    apply(r, &task->def, &task->law);
    task->placed = wit_scene_start(scene, &task->start[0], &task->start[1]);
    return check_gain(r, task->law.kind);
}

/*
 * The tracker refuses a setting: what is to blame, the file or an option. An option may be at fault for a field that it does
 * not set, by what it asks of the others.
 */
static int refused(const request* r, const char* where, const wit_error* error)
{
    static const struct {
        const char* field; /* "gain" is that of "gain.kind" too */
        int by[3];         /* most likely first */
    } blame[] = {{"law", {LAW, LAW, LAW}},
                 {"form", {FORM, LAW, LAW}},
                 {"integrator", {INTEGRATOR, LAW, LAW}},
                 {"gain", {GAIN, LAW, LAW}},
                 {"ball", {EPS, EPS, EPS}},
                 {"cap", {CAP, CAP, CAP}},
                 {"feedback", {FEEDBACK, INTEGRATOR, LAW}},
                 {"switching", {SWITCHING, LAW, LAW}},
                 {"prediction", {PREDICTION, PREDICTION, PREDICTION}},
                 {"budget", {BUDGET, BUDGET, BUDGET}},
                 {"tolerance", {TOLERANCE, TOLERANCE, TOLERANCE}}};
    const char* field = !strncmp(error->item, "track.", 6) ? error->item + 6 : error->item;
    size_t n = strcspn(field, ".[");
    for (size_t i = 0; i < sizeof blame / sizeof blame[0]; i++) {
        if (strlen(blame[i].field) != n || strncmp(blame[i].field, field, n) != 0) continue;
        for (int k = 0; k < 3; k++) {
            int index = blame[i].by[k];
            if (!r->given[index]) continue;
            char text[512];
            snprintf(text, sizeof text, "%s %s: %s%s%s", options[index].name, r->given[index], k ? field : "",
                     k ? ": " : "", error->text);
            return command_usage("track", text, NULL, NULL);
        }
    }
    bool inside = where[0] && field == error->item;
    fprintf(stderr, "%s: %s%s%s%s%s\n", r->path, inside ? where : "", inside && field[0] ? "." : "", error->item,
            inside || field[0] ? ": " : "",
            error->text[0] ? error->text : wit_status_text(error->status ? error->status : WIT_ERROR_MEMORY));
    return EXIT_BAD_INPUT;
}

/* With dynamics the world moves the bodies. */
static int make_world(const request* r, const wit_scene* scene, track_task* task)
{
    wit_error error = {0};
    task->world = track_world_make(scene, task, r->svg || r->snapshots, &error);
    if (!task->world) return refused(r, "dynamics", &error);
    task->motion = track_world_motion;
    task->context = task->world;
    return EXIT_GOOD;
}

/* ---- what is written while it runs -------------------------------------------------------------------------------- */

typedef struct writer {
    FILE* csv; /* or null */
    const char* csv_path;
    out lines; /* not yet written */
    bool failed;
    /* Frames nearest to the times of the snapshots. */
    const double* times;
    wit_result* results;
    double* taken;
    int time_count;
} writer;

static void write_lines(writer* w)
{
    if (w->lines.failed || (w->lines.length && fwrite(w->lines.text, 1, w->lines.length, w->csv) != w->lines.length))
        w->failed = true;
    w->lines.length = 0;
}

static bool write_frame(void* user, const track_task* task, double time, const wit_result* r)
{
    writer* w = user;
    if (w->csv) {
        track_csv_row(&w->lines, task, time, r);
        if (w->lines.length > 1 << 16) write_lines(w);
    }
    for (int i = 0; i < w->time_count; i++) {
        bool first = isnan(w->taken[i]);
        if (!first && fabs(time - w->times[i]) >= fabs(w->taken[i] - w->times[i])) continue;
        w->taken[i] = time;
        w->results[i] = *r;
    }
    return !w->failed;
}

static int close_csv(writer* w)
{
    if (!w->csv) return EXIT_GOOD;
    write_lines(w);
    bool failed = w->failed || fflush(w->csv) != 0;
    if (w->csv != stdout && fclose(w->csv) != 0) failed = true;
    w->csv = NULL;
    if (!failed) return EXIT_GOOD;
    fprintf(stderr, "%s: the file cannot be written\n", w->csv_path);
    return EXIT_BAD_INPUT;
}

static int open_csv(writer* w, const track_task* task, const char* path)
{
    bool standard = !strcmp(path, "-");
    w->csv_path = standard ? "standard output" : path;
    errno = 0;
    w->csv = standard ? stdout : fopen(path, "wb");
    if (w->csv) {
        track_csv_head(&w->lines, task);
        return EXIT_GOOD;
    }
    fprintf(stderr, "%s: the file cannot be opened for writing%s\n", path, file_reason());
    return EXIT_BAD_INPUT;
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static int save(out* o, wit_status status, const char* path)
{
    wit_error error = {0};
    if (!status) status = svg_save(o, path, &error);
    out_free(o);
    if (!status) return EXIT_GOOD;
    fprintf(stderr, "%s: %s\n", path, error.text[0] ? error.text : wit_status_text(status));
    return EXIT_BAD_INPUT;
}

/* NAME-0.25s.svg, NAME as in --svg without its ending, or that of the scene without what a file name can't hold. */
static void snapshot_path(const request* r, const track_task* task, double time, char* to, size_t room)
{
    char name[512];
    snprintf(name, sizeof name, "%s", r->svg ? r->svg : task->name);
    char* dot = strrchr(name, '.');
    if (r->svg && dot && !strcmp(dot, ".svg")) *dot = 0;
    for (char* c = name; !r->svg && *c; c++)
        if (*c == '/' || (unsigned char)*c < 0x20) *c = '_';
    snprintf(to, room, "%s-%.6gs.svg", name, time);
}

static int write_pictures(const request* r, const track_task* task, const track_sum* sum, const track_series* series,
                          const writer* w)
{
    int code = EXIT_GOOD;
    out o = {0};
    if (r->svg) {
        wit_status status = track_chart(&o, task, sum, series);
        code = save(&o, status, r->svg);
    }
    if (!code && r->automaton) {
        wit_status status = track_automaton(&o, task, sum);
        code = save(&o, status, r->automaton);
    }
    for (int i = 0; i < w->time_count && !code; i++) {
        char path[640];
        snapshot_path(r, task, w->times[i], path, sizeof path);
        wit_status status = track_snapshot(&o, task, w->taken[i], &w->results[i]);
        code = save(&o, status, path);
    }
    return code;
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

static int run(request* r, const track_task* task)
{
    track_sum sum = {0};
    track_series series = {0};
    wit_result results[SNAPSHOTS_MOST] = {0};
    double taken[SNAPSHOTS_MOST];
    for (int i = 0; i < SNAPSHOTS_MOST; i++) taken[i] = NAN;
    writer w = {.times = r->times, .results = results, .taken = taken, .time_count = r->time_count};
    int code = r->csv ? open_csv(&w, task, r->csv) : EXIT_GOOD;
    if (code) return code;
    wit_error error = {0};
    wit_status status = track_run(task, &sum, r->svg ? &series : NULL, write_frame, &w, &error);
    code = close_csv(&w);
    if (status) code = refused(r, "", &error);
    if (!code) code = write_pictures(r, task, &sum, &series, &w);
    if (!code && !(r->csv && !strcmp(r->csv, "-"))) {
        out o = {0};
        (r->json ? track_json : track_text)(&o, task, &sum);
        code = out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
    }
    out_free(&w.lines);
    track_series_release(&series);
    track_sum_release(&sum);
    return code;
}

int command_track(int argc, char** argv)
{
    request r = {.law = -1,
                 .form = -1,
                 .integrator = -1,
                 .feedback = -1,
                 .switching = -1,
                 .prediction = -1,
                 .rate = -1,
                 .duration = -1,
                 .tolerance = -1,
                 .ball = -1,
                 .cap = -1};
    bool done = false;
    int code = parse(argc, argv, &r, &done);
    if (code || done) return code;
    wit_scene* scene = command_read_scene(r.path);
    if (!scene) return EXIT_BAD_INPUT;
    track_task task;
    code = make_task(&r, scene, &task);
    if (!code && r.snapshots && !r.time_count) {
        int n = wit_scene_snapshots(scene, r.times, SNAPSHOTS_MOST);
        r.time_count = n < SNAPSHOTS_MOST ? n : SNAPSHOTS_MOST;
        if (!n) fprintf(stderr, "%s: note: it has no \"snapshots\", so no pictures are made\n", r.path);
    }
    if (!code && wit_scene_dynamics(scene, NULL)) code = make_world(&r, scene, &task);
    if (!code) code = run(&r, &task);
    track_world_release(task.world);
    wit_scene_destroy(scene);
    return code;
}
