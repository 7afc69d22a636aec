/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "command.h"
#include "lab_law.h"
#include "law_module.h"
#include "numbers.h"
#include "report.h"
#include "track.h"
#include "track_write.h"

enum {
    LAW,
    FORM,
    OUTER,
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
    BETWEEN,
    TOLERANCE,
    NO_REACQUIRE,
    PARTIAL,
    NO_CACHE,
    CSV,
    JSON,
    SVG,
    REPORT,
    AUTOMATON,
    SNAPSHOTS,
    TRAILS,
    CAMERA,
    ZOOM,
    HELP,
    OPTIONS
};

static const option options[OPTIONS] = {
    [LAW] = {"--law", "the name of a law"},
    [FORM] = {"--form", "contact or papers"},
    [OUTER] = {"--outer", "a shared object"},
    [INTEGRATOR] = {"--integrator", "the name of an integrator, or a shared object"},
    [GAIN] = {"--gain", "a number, auto or adaptive"},
    [EPS] = {"--eps", "a normalised error"},
    [CAP] = {"--cap", "a number or infinity"},
    [FEEDBACK] = {"--feedback", "direct or integrated"},
    [SWITCHING] = {"--switching", "local, voronoi or none"},
    [PREDICTION] = {"--prediction", "the name of a prediction"},
    [RATE] = {"--rate", "a number of frames per second"},
    [DURATION] = {"--duration", "a number of seconds"},
    [BUDGET] = {"--budget", "a number of units of work"},
    [BETWEEN] = {"--between", "a number of units of work"},
    [TOLERANCE] = {"--tolerance", "a number"},
    [NO_REACQUIRE] = {"--no-reacquire", NULL},
    [PARTIAL] = {"--partial", NULL},
    [NO_CACHE] = {"--no-cache", NULL},
    [CSV] = {"--csv", "a file name"},
    [JSON] = {"--json", NULL},
    [SVG] = {"--svg", "a file name"},
    [REPORT] = {"--report", "a file name"},
    [AUTOMATON] = {"--automaton", "a file name"},
    [SNAPSHOTS] = {"--snapshots", "a list of times T1,T2 or the word scene"},
    [TRAILS] = {"--trails", "a file name"},
    [CAMERA] = {"--camera", "a direction X,Y,Z"},
    [ZOOM] = {"--zoom", "a number"},
    [HELP] = {"--help", NULL},
};

typedef struct request {
    const char *path, *snapshots;
    track_files files;
    law_plugins own; /* of --law FILE, --outer FILE, --integrator FILE */
    bool json, no_reacquire;
    cad_options cad;
    int law, form, integrator, feedback, switching, prediction; /* -1: as the scene says */
    bool gain_given;
    wit_gain gain;
    double rate, duration, tolerance, ball, cap; /* negative: as the scene says */
    int64_t budget, between;
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
         "  --law NAME        one of the laws below, or a shared object with one of your own: ./mylaw.so\n"
         "  --form F          contact (regular through touch) or papers\n"
         "  --integrator NAME euler, rk2, rk3, rk4, ab2, ab3, ab4, backward_euler, trapezoid, dopri5; for the laws "
         "that\n"
         "                    are differential equations only, as is the gain; or one of your own: ./mine.so\n"
         "  --outer FILE      an outer loop of your own for linearizing: ./mine.so\n"
         "  --gain K          1/s, auto: the fastest stable one in every step, or adaptive: the one that leaves the\n"
         "                    least error, lag counted, without chatter; exponential makes its own:\n"
         "  --eps BALL        normalised error below which the gains of exponential stop growing (0.001)\n"
         "  --cap K           the largest of them: 1/s, 0 for what the integrator takes (if not told), or infinity\n"
         "  --feedback F      direct or integrated\n"
         "  --switching S     local, voronoi or none\n"
         "  --prediction P    best, none, linear, quadratic or twist\n"
         "  --rate HZ         frames per second\n"
         "  --duration S      seconds\n"
         "  --budget N        units of work per step at most\n"
         "  --between N       units of work in all to look between frames (50000000); 0: only at frames\n"
         "  --tolerance T     of the distance, relative: when a step counts as converged\n"
         "  --no-reacquire    never search globally\n"
         "  --partial         also where a part of a CAD file could not be read\n"
         "  --no-cache        reads CAD files anew, and does not keep what was read\n"
         "  --csv FILE        every frame as a line; - writes to standard output, and then nothing else\n"
         "  --json            the figures as one JSON object\n"
         "  --svg FILE        charts over time: distance, parameters, normalised projection errors\n"
         "  --report FILE     a page (HTML) with the run inside: bodies, witnesses, certificates and charts to play "
         "and to\n"
         "                    try; it opens in a browser without a network\n"
         "  --automaton FILE  a picture (SVG) of the features and the hand-overs between them\n"
         "  --snapshots LIST  pictures at these times, T1,T2,..., or at those of the scene: the word scene; files\n"
         "                    NAME-0.25s.svg, NAME as in --svg, or that of the scene\n"
         "  --trails FILE     a picture (SVG): the paths of both witnesses, the start, some gaps; b at five times\n"
         "  --camera X,Y,Z    from where pictures of bodies are seen: towards the eye (0.5,-0.78,0.5)\n"
         "  --zoom N          snapshots N times larger, about the middle of the gap");
    for (int i = 0; i < WIT_LAW_COUNT; i++) {
        bool flow = wit_law_is_flow((wit_law_kind)i);
        printf("%s%s%s", i ? ", " : "\nlaws (+: differential equations): ", law_name(i), flow ? "+" : "");
    }
    puts("");
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
    r->files.time_count = line.count;
    memcpy(r->files.times, line.value, (size_t)line.count * sizeof *r->files.times);
    return true;
}

static bool read_value(request* r, int index)
{
    const option_reader* o = &r->reader;
    switch (index) {
    case LAW:
        return law_or_module(o, &r->own, &r->law);
    case OUTER:
        return outer_module(o, &r->own);
    case FORM:
        return law_choice(o, form_name, WIT_FORM_COUNT, &r->form);
    case INTEGRATOR:
        return integrator_or_module(o, &r->own, &r->integrator);
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
    case BETWEEN:
        return option_count(o, 0, INT64_C(1000000000000), &r->between);
    case TOLERANCE:
        return option_number(o, 1e-15, 1e-3, &r->tolerance);
    case PARTIAL:
        r->cad.partial = true;
        return true;
    case NO_CACHE:
        r->cad.uncached = true;
        return true;
    case NO_REACQUIRE:
        r->no_reacquire = true;
        return true;
    case CSV:
        r->files.csv = o->value;
        return true;
    case JSON:
        r->json = true;
        return true;
    case SVG:
        r->files.svg = o->value;
        return true;
    case REPORT:
        r->files.report = o->value;
        return true;
    case AUTOMATON:
        r->files.automaton = o->value;
        return true;
    case TRAILS:
        r->files.trails = o->value;
        return true;
    case CAMERA: {
        double x[3];
        if (!option_numbers(o, 3, x)) return false;
        r->files.view.camera = (wit_vec3){x[0], x[1], x[2]};
        return true;
    }
    case ZOOM:
        return option_number(o, 1, 1e6, &r->files.view.zoom);
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
    if (r->json && track_csv_is_standard(&r->files))
        return command_usage("track", "--json and --csv - together: both go to standard output; give the CSV a file",
                             NULL, NULL);
    return EXIT_GOOD;
}

/* ---- the task ---------------------------------------------------------------------------------------------------- */

static void apply(const request* r, wit_track_def* d, wit_law_def* law)
{
    if (r->law >= 0) {
        law->kind = (wit_law_kind)r->law;
        law_settle_def(d, law);
        if (r->own.law) law_module_apply(r->own.law, law);
    }
    if (r->form >= 0) d->form = (wit_form)r->form;
    if (r->integrator >= 0) law->integrator = (wit_integrator)r->integrator;
    law_plugins_apply(&r->own, law);
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
    if (r->own.outer && law != WIT_LAW_LINEARIZING)
        return command_usage("track", "--outer belongs to linearizing, not to", name, NULL);
    if (r->own.integrator && !wit_law_is_flow(law))
        return command_usage("track", "--integrator belongs to laws that are differential equations, not to", name,
                             NULL);
    if (r->gain_given && law == WIT_LAW_EXPONENTIAL)
        return command_usage("track", "--gain: exponential makes its own gains; --eps and --cap bound them", NULL,
                             NULL);
    if (r->gain_given && !wit_law_is_flow(law))
        return command_usage("track", "--gain belongs to laws that are differential equations, not to", name, NULL);
    if ((r->ball >= 0 || r->cap >= 0) && law != WIT_LAW_EXPONENTIAL)
        return command_usage(
            "track", r->ball >= 0 ? "--eps belongs to exponential, not to" : "--cap belongs to exponential, not to",
            name, NULL);
    return EXIT_GOOD;
}

static int make_task(const request* r, const wit_scene* scene, track_task* task)
{
    track_task_of_scene(task, scene, r->path);
    task->motion = track_scene_motion;
    task->bounds = track_scene_bounds;
    task->context = scene;
    if (r->rate > 0) task->rate = r->rate;
    double duration = r->duration >= 0 ? r->duration : wit_scene_duration(scene);
    /* Rounding of the product must not cost the last frame. */
    double frames = r->rate > 0 || r->duration >= 0 ? floor(duration * task->rate * (1 + 1e-12) + 1e-9)
                                                    : (double)wit_scene_frames(scene);
    if (frames > 1e9) {
        fprintf(stderr, "witness track: %.3g frames are too many: 1e9 at most\n", frames);
        return EXIT_BAD_INPUT;
    }
    task->frames = (int64_t)frames;
    apply(r, &task->def, &task->law);
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

static int make_between(const request* r, track_task* task)
{
    wit_error error = {0};
    if (r->between) task->between = track_between_make(r->between, &error);
    return r->between && !task->between ? refused(r, "", &error) : EXIT_GOOD;
}

/* With dynamics the world moves the bodies. */
static int make_world(const request* r, const wit_scene* scene, track_task* task)
{
    wit_error error = {0};
    task->world = track_world_make(scene, task, r->files.svg || r->snapshots || r->files.report, &error);
    if (!task->world) return refused(r, "dynamics", &error);
    task->motion = track_world_motion;
    task->bounds = NULL;
    task->context = task->world;
    return EXIT_GOOD;
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

static int run(const request* r, const wit_scene* scene, const track_task* task, report* page)
{
    track_sum sum = {0};
    track_series series = {0};
    wit_error error = {0};
    track_writer* w = NULL;
    int code = track_writer_open(&w, &r->files, task, page != NULL);
    if (code) return code;
    wit_status status = track_run(task, &sum, r->files.svg ? &series : NULL, track_write_frame, w, &error);
    code = track_writer_end(w);
    if (status) code = refused(r, "", &error);
    if (!code) code = track_write_pictures(w, &sum, &series);
    if (!code && page) code = track_write_report(w, scene, &sum, page);
    if (!code && !track_csv_is_standard(&r->files)) {
        out o = {0};
        (r->json ? track_json : track_text)(&o, task, &sum);
        code = out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
    }
    track_writer_free(w);
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
                 .cap = -1,
                 .between = 50000000};
    bool done = false;
    int code = parse(argc, argv, &r, &done);
    if (code || done) return code;
    wit_scene* scene = command_read_scene(r.path, &r.cad);
    if (!scene) return EXIT_BAD_INPUT;
    track_task task;
    code = make_task(&r, scene, &task);
    if (!code && r.snapshots && !r.files.time_count) {
        int n = wit_scene_snapshots(scene, r.files.times, TRACK_SNAPSHOTS_MOST);
        r.files.time_count = n < TRACK_SNAPSHOTS_MOST ? n : TRACK_SNAPSHOTS_MOST;
        if (!n) fprintf(stderr, "%s: note: it has no \"snapshots\", so no pictures are made\n", r.path);
    }
    if (!code && wit_scene_dynamics(scene, NULL)) code = make_world(&r, scene, &task);
    if (!code) code = make_between(&r, &task);
    report* page = !code && r.files.report ? report_begin("track", task.name) : NULL;
    if (!code && r.files.report && !page) code = EXIT_BAD_INPUT;
    if (!code) code = run(&r, scene, &task, page);
    report_free(page);
    track_between_release(task.between);
    track_world_release(task.world);
    wit_scene_destroy(scene);
    return code;
}
