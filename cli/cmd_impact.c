/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/sweep.h"
#include "../io/file_reason.h"
#include "command.h"
#include "options.h"
#include "track.h"

enum {
    FROM_A,
    TO_A,
    FROM_B,
    TO_B,
    MOTION_A,
    MOTION_B,
    BODY_A,
    BODY_B,
    DURATION,
    SINCE,
    UNTIL,
    THRESHOLD,
    LEAST,
    TOLERANCE,
    BUDGET,
    PARTIAL,
    NO_CACHE,
    JSON,
    HELP,
    OPTIONS
};

static const option options[OPTIONS] = {
    [FROM_A] = {"--from-a", "a pose x,y,z,qw,qx,qy,qz"},
    [TO_A] = {"--to-a", "a pose x,y,z,qw,qx,qy,qz"},
    [FROM_B] = {"--from-b", "a pose x,y,z,qw,qx,qy,qz"},
    [TO_B] = {"--to-b", "a pose x,y,z,qw,qx,qy,qz"},
    [MOTION_A] = {"--motion-a", "a motion as in a scene, or a file with it"},
    [MOTION_B] = {"--motion", "a motion as in a scene, or a file with it"},
    [BODY_A] = {"--body-a", "the name of a body"},
    [BODY_B] = {"--body-b", "the name of a body"},
    [DURATION] = {"--duration", "a number of seconds"},
    [SINCE] = {"--since", "a time in seconds"},
    [UNTIL] = {"--until", "a time in seconds"},
    [THRESHOLD] = {"--threshold", "a length"},
    [LEAST] = {"--least", NULL},
    [TOLERANCE] = {"--tolerance", "a number"},
    [BUDGET] = {"--budget", "a number of units of work"},
    [PARTIAL] = {"--partial", NULL},
    [NO_CACHE] = {"--no-cache", NULL},
    [JSON] = {"--json", NULL},
    [HELP] = {"--help", NULL},
};

typedef struct request {
    const char* path[2]; /* two models, or a scene */
    int paths;
    const char* given[OPTIONS];
    wit_pose pose[4]; /* from and to of a, then of b */
    double duration, since, until;
    bool json, least;
    cad_options cad;
    wit_sweep_def def;
    option_reader reader;
} request;

static int help(void)
{
    puts("usage: witness impact A B [--from-b P] [--to-b P] [--motion M] [--duration S] ...\n"
         "       witness impact SCENE ...\n"
         "\n"
         "When do two bodies first touch, where, and with which normal: with a bracket of the time, proved apart "
         "before it\n"
         "and touching at its end; or the proof that they do not touch. Nothing between two moments is overlooked.\n"
         "\n"
         "  A, B             models; B may be the word point. A stands still unless told\n"
         "  SCENE            a JSON scene: its bodies and motions\n"
         "  --from-a P       where a stands at the beginning: x,y,z,qw,qx,qy,qz, a position and a unit quaternion\n"
         "  --to-a P         and at the end: it goes there by a screw; --from-b, --to-b for b\n"
         "  --motion M       of b: a JSON object as \"motion\" in a scene (docs/format.md), or the name of a file with "
         "it;\n"
         "                   --motion-a for a\n"
         "  --body-a NAME    which body of the model, where it has several; --body-b for the second\n"
         "  --duration S     seconds from the beginning to the end (1, or that of the scene)\n"
         "  --since T        seconds: looked at from then on (0)\n"
         "  --until T        and until then (the duration)\n"
         "  --threshold D    not touch, but when they first come as near as this length\n"
         "  --least          the least distance over the motion, with a bracket, instead\n"
         "  --tolerance T    of distances, relative to the size of the smaller body (1e-12; --least: 1e-9)\n"
         "  --budget N       units of work that may be used (20000000)\n"
         "  --partial        also where a part of a CAD file could not be read\n"
         "  --no-cache       reads CAD files anew, and does not keep what was read\n"
         "  --json           one JSON object\n"
         "\n"
         "Lengths are in the unit of the first model. How to read the answer: docs/impact.md.");
    return command_flush();
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static bool read_value(request* r, int index)
{
    const option_reader* o = &r->reader;
    switch (index) {
    case FROM_A:
    case TO_A:
    case FROM_B:
    case TO_B:
        return option_pose(o, &r->pose[index - FROM_A]);
    case DURATION:
        return option_number(o, 0, 1e9, &r->duration);
    case SINCE:
        return option_number(o, -1e9, 1e9, &r->since);
    case UNTIL:
        return option_number(o, -1e9, 1e9, &r->until);
    case THRESHOLD:
        return option_number(o, -WIT_MAX_COORDINATE, WIT_MAX_COORDINATE, &r->def.threshold);
    case TOLERANCE:
        return option_number(o, 1e-15, 1, &r->def.tolerance);
    case BUDGET:
        return option_count(o, 64, INT64_C(1000000000000), &r->def.budget);
    case LEAST:
        r->least = true;
        return true;
    case PARTIAL:
        r->cad.partial = true;
        return true;
    case NO_CACHE:
        r->cad.uncached = true;
        return true;
    case JSON:
        r->json = true;
        return true;
    default:
        return true; /* kept as it is */
    }
}

static int check_together(const request* r)
{
    static const int pairs[2][3] = {{MOTION_A, FROM_A, TO_A}, {MOTION_B, FROM_B, TO_B}};
    if (r->paths == 0) return command_usage("impact", "two models, or a scene, are missing", NULL, NULL);
    for (int i = 0; i < 2; i++) {
        const int* p = pairs[i];
        if (r->given[p[0]] && (r->given[p[1]] || r->given[p[2]]))
            return command_usage("impact", "a motion and poses together: one or the other, not both; left over is",
                                 options[p[0]].name, NULL);
    }
    if (r->paths == 2) return EXIT_GOOD;
    static const int of_models[] = {FROM_A, TO_A, FROM_B, TO_B, MOTION_A, MOTION_B, BODY_A, BODY_B};
    for (size_t k = 0; k < sizeof of_models / sizeof of_models[0]; k++)
        if (r->given[of_models[k]])
            return command_usage("impact", "a scene has its own bodies and motions; for two models is",
                                 options[of_models[k]].name, NULL);
    return EXIT_GOOD;
}

/* EXIT_GOOD, or what to end with; *done after --help. */
static int parse(int argc, char** argv, request* r, bool* done)
{
    r->reader = option_reader_at("impact", options, OPTIONS, argc, argv);
    for (;;) {
        int index = option_next(&r->reader);
        if (index == OPTION_END) break;
        if (index == OPTION_WRONG) return EXIT_USAGE;
        if (index == HELP) {
            *done = true;
            return help();
        }
        if (index == OPTION_WORD && r->paths == 2)
            return command_usage("impact", "two models are enough; left over is", r->reader.word, NULL);
        if (index == OPTION_WORD) {
            r->path[r->paths++] = r->reader.word;
            continue;
        }
        r->given[index] = r->reader.value ? r->reader.value : "";
        if (!read_value(r, index)) return EXIT_USAGE;
    }
    return check_together(r);
}

/* ---- the scene --------------------------------------------------------------------------------------------------- */

static void put_pose(out* o, const wit_pose* p)
{
    const double x[7] = {p->position.x, p->position.y, p->position.z, p->rotation.w,
                         p->rotation.x, p->rotation.y, p->rotation.z};
    out_put_numbers(o, NULL, x, 7);
}

/* A motion as it is written: the text itself, or the file of that name. */
static bool put_motion(out* o, const char* text, const char* name)
{
    if (text[strspn(text, " \t\n")] == '{') {
        out_text(o, ", \"motion\": %s", text);
        return true;
    }
    errno = 0;
    FILE* f = fopen(text, "rb");
    if (!f) {
        fprintf(stderr, "witness impact: %s '%s': no JSON object, and no file that can be opened%s\n", name, text,
                file_reason());
        return false;
    }
    char part[4096];
    size_t n;
    out_text(o, ", \"motion\": ");
    while ((n = fread(part, 1, sizeof part, f)) > 0) out_text(o, "%.*s", (int)n, part);
    fclose(f);
    return true;
}

static bool put_side(out* o, const request* r, int i)
{
    int from = i ? FROM_B : FROM_A, to = i ? TO_B : TO_A, motion = i ? MOTION_B : MOTION_A, body = i ? BODY_B : BODY_A;
    out_text(o, ",\n\"%c\": {", "ab"[i]);
    o->comma = false;
    if (i && !strcmp(r->path[1], "point"))
        out_put_bool(o, "point", true);
    else
        out_put_string(o, "model", r->path[i]);
    if (r->given[body]) out_put_string(o, "body", r->given[body]);
    if (r->given[motion] && !put_motion(o, r->given[motion], options[motion].name)) return false;
    if (r->given[to]) {
        const double times[2] = {0, r->duration > 0 ? r->duration : 1};
        out_text(o, ", \"motion\": {\"kind\": \"keyframes\"");
        out_put_numbers(o, "times", times, 2);
        out_open(o, "poses", '[');
        put_pose(o, &r->pose[2 * i]);
        put_pose(o, &r->pose[2 * i + 1]);
        out_close(o, ']');
        out_text(o, "}");
    } else if (r->given[from]) {
        out_text(o, ", \"motion\": {\"kind\": \"still\", \"pose\": ");
        o->comma = false;
        put_pose(o, &r->pose[2 * i]);
        out_text(o, "}");
    }
    out_text(o, "}");
    return true;
}

static wit_scene* scene_of(const request* r)
{
    if (r->paths == 1) return command_read_scene(r->path[0], &r->cad);
    out o = {0};
    /* no frames are asked for, but a scene has some */
    double duration = r->duration > 0 ? r->duration : 1;
    out_text(&o, "{\"format\": \"witness-scene\", \"version\": 1, \"rate\": %.17g, \"duration\": %.17g", 10 / duration,
             duration);
    bool good = put_side(&o, r, 0) && put_side(&o, r, 1);
    out_text(&o, "}\n");
    wit_scene* scene = NULL;
    if (good && o.failed) fprintf(stderr, "witness impact: no memory\n");
    if (good && !o.failed) scene = command_read_scene_text(o.text, o.length, "witness impact", &r->cad);
    out_free(&o);
    return scene;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

typedef struct impact_side {
    const wit_scene* scene;
    int side;
} impact_side;

static wit_status side_at(const void* user, double time, wit_motion* motion)
{
    const impact_side* s = user;
    return wit_scene_motion(s->scene, s->side, time, motion);
}

static wit_status side_bounds(const void* user, double from, double to, wit_motion_bounds* bounds)
{
    const impact_side* s = user;
    return wit_scene_motion_bounds(s->scene, s->side, from, to, bounds);
}

static const char* unit_of(const wit_scene* scene)
{
    wit_unit unit = wit_scene_unit(scene);
    return unit == WIT_UNIT_NONE ? "" : wit_unit_name(unit);
}

static void put_place(out* o, const wit_scene* scene, int side, const wit_witness* w)
{
    char feature[64];
    track_feature(wit_scene_body(scene, side), w->feature, w->id, feature, sizeof feature);
    out_text(o, "%c          %s: %s, point (%.10g, %.10g, %.10g)\n", "ab"[side], wit_scene_side_name(scene, side),
             feature, w -> point.x + 0.0, w->point.y + 0.0, w->point.z + 0.0);
}

static void put_pair(out* o, const wit_scene* scene, const wit_closest* c)
{
    if (c->outcome == WIT_OUTCOME_BEYOND || c->outcome == WIT_OUTCOME_EMPTY) return;
    put_place(o, scene, 0, &c->a);
    put_place(o, scene, 1, &c->b);
    out_text(o, "normal     (%.10g, %.10g, %.10g), from a to b\n", c->normal.x + 0.0, c->normal.y + 0.0,
             c->normal.z + 0.0);
}

static void put_work(out* o, const wit_work* work, int64_t queries, int64_t intervals)
{
    out_text(o, "work       %lld queries, %lld intervals proved, %lld units\n", (long long)queries,
             (long long)intervals, (long long)work->units);
}

static void impact_text(out* o, const request* r, const wit_scene* scene, const wit_impact* hit)
{
    const char* unit = unit_of(scene);
    const char* space = unit[0] ? " " : "";
    char none[64] = "no touch";
    if (r->def.threshold != 0) snprintf(none, sizeof none, "not within %.6g%s%s", r->def.threshold, space, unit);
    switch (hit->outcome) {
    case WIT_SWEEP_CLEAR:
        out_text(o, "clear      proved: %s from %.10g s to %.10g s\n", none, hit->time.lo, hit->time.hi);
        break;
    case WIT_SWEEP_REACHED:
        out_text(o, "time       %.12g s%s\n", hit->time.hi, hit->at_start ? ": from the start" : "");
        break;
    case WIT_SWEEP_TOUCHING:
        out_text(o, "time       %.12g s%s: it grazes, or nearly; neither that nor a miss is proved\n", hit->time.hi,
                 hit->at_start ? ", from the start" : "");
        break;
    default:
        out_text(o, "open       proved: %s until %.12g s; after that not known, because: %s\n", none, hit->time.lo,
                 wit_reason_name(hit->reason));
    }
    bool met = hit->outcome == WIT_SWEEP_REACHED || hit->outcome == WIT_SWEEP_TOUCHING;
    if (met && !hit->at_start)
        out_text(o, "bracket    %.12g .. %.12g s, width %.2g s; apart until its beginning%s\n", hit->time.lo,
                 hit->time.hi, hit->time.hi - hit->time.lo, hit->certified ? ", certified" : "");
    if (hit->outcome == WIT_SWEEP_CLEAR || (met && !hit->at_start))
        out_text(o, "clearance  at least %.6g%s%s%s\n", hit->lower_bound, space, unit, met ? " before that" : "");
    if (met) put_pair(o, scene, &hit->closest);
    if (met && isfinite(hit->rate)) out_text(o, "rate       %.6g%s%s/s\n", hit->rate + 0.0, space, unit);
    put_work(o, &hit->work, hit->queries, hit->intervals);
}

static void least_text(out* o, const wit_scene* scene, const wit_least* l)
{
    const char* unit = unit_of(scene);
    const char* space = unit[0] ? " " : "";
    out_text(o, "least      %.12g%s%s at %.9g s%s\n", l->upper_bound + 0.0, space, unit, l->time,
             l->touched ? ": they touch or overlap then" : "");
    out_text(o, "bracket    %.12g .. %.12g, width %.2g; %s%s\n", l->lower_bound + 0.0, l->upper_bound + 0.0,
             l->upper_bound - l->lower_bound,
             l->certified ? "certified" : "NOT certified, because: ", l->certified ? "" : wit_reason_name(l->reason));
    put_pair(o, scene, &l->closest);
    put_work(o, &l->work, l->queries, l->intervals);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_vector(out* o, const char* key, wit_vec3 p)
{
    const double x[3] = {p.x, p.y, p.z};
    out_put_numbers(o, key, x, 3);
}

static void json_pair(out* o, const wit_scene* scene, const wit_closest* c)
{
    const wit_witness* const w[2] = {&c->a, &c->b};
    out_put_number(o, "distance", c->distance);
    json_vector(o, "normal", c->normal);
    for (int i = 0; i < 2; i++) {
        char name[64];
        track_feature(wit_scene_body(scene, i), w[i]->feature, w[i]->id, name, sizeof name);
        out_open(o, i ? "b" : "a", '{');
        out_put_string(o, "feature", wit_feature_kind_name(w[i]->feature));
        out_put_integer(o, "id", w[i]->id);
        out_put_string(o, "name", name);
        out_put_number(o, "u", w[i]->u);
        out_put_number(o, "v", w[i]->v);
        json_vector(o, "point", w[i]->point);
        out_close(o, '}');
    }
}

static void json_work(out* o, const wit_work* work, int64_t queries, int64_t intervals)
{
    out_put_integer(o, "queries", queries);
    out_put_integer(o, "intervals", intervals);
    out_put_integer(o, "work", work->units);
    out_close(o, '}');
    out_text(o, "\n");
}

static void impact_json(out* o, const wit_scene* scene, const wit_impact* hit)
{
    const double bracket[2] = {hit->time.lo, hit->time.hi};
    bool met = hit->outcome == WIT_SWEEP_REACHED || hit->outcome == WIT_SWEEP_TOUCHING;
    out_open(o, NULL, '{');
    out_put_string(o, "outcome", wit_sweep_outcome_name(hit->outcome));
    out_put_bool(o, "certified", hit->certified);
    out_put_string(o, "reason", wit_reason_name(hit->reason));
    out_put_bool(o, "at_start", hit->at_start);
    out_put_number(o, "time", met ? hit->time.hi : NAN);
    out_put_numbers(o, "bracket", bracket, 2);
    out_put_number(o, "lower_bound", hit->lower_bound);
    out_put_number(o, "rate", hit->rate);
    json_pair(o, scene, &hit->closest);
    json_work(o, &hit->work, hit->queries, hit->intervals);
}

static void least_json(out* o, const wit_scene* scene, const wit_least* l)
{
    out_open(o, NULL, '{');
    out_put_string(o, "outcome", l->touched ? "touched" : "apart");
    out_put_bool(o, "certified", l->certified);
    out_put_string(o, "reason", wit_reason_name(l->reason));
    out_put_number(o, "time", l->time);
    out_put_number(o, "lower_bound", l->lower_bound);
    out_put_number(o, "upper_bound", l->upper_bound);
    json_pair(o, scene, &l->closest);
    json_work(o, &l->work, l->queries, l->intervals);
}

static int answer(request* r, const wit_scene* scene)
{
    const impact_side own[2] = {{scene, 0}, {scene, 1}};
    wit_moving_body* const side[2] = {&r->def.a, &r->def.b};
    wit_error error = {0};
    for (int i = 0; i < 2; i++) {
        *side[i] = wit_moving_still(wit_scene_body(scene, i), wit_pose_identity());
        side[i]->at = side_at;
        side[i]->bounds = side_bounds;
        side[i]->user = &own[i];
    }
    double end = r->duration >= 0 ? r->duration : wit_scene_duration(scene);
    r->def.from = isnan(r->since) ? 0 : r->since;
    r->def.to = isnan(r->until) ? end : r->until;
    wit_query* query = wit_query_create(NULL, NULL, &error);
    wit_status status = query ? WIT_OK : WIT_ERROR_MEMORY;
    wit_impact hit = {0};
    wit_least least = {0};
    if (!status && r->least) status = wit_sweep_least(query, &r->def, &least, &error);
    if (!status && !r->least) status = wit_sweep_first(query, &r->def, &hit, &error);
    wit_query_destroy(query);
    if (status) {
        fprintf(stderr, "witness impact: %s%s%s\n", error.item, error.item[0] ? ": " : "",
                error.text[0] ? error.text : wit_status_text(status));
        return EXIT_BAD_INPUT;
    }
    out o = {0};
    if (r->least)
        (r->json ? least_json : least_text)(&o, scene, &least);
    else if (r->json)
        impact_json(&o, scene, &hit);
    else
        impact_text(&o, r, scene, &hit);
    return out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
}

int command_impact(int argc, char** argv)
{
    request r = {.duration = -1, .since = NAN, .until = NAN, .def = wit_sweep_default_def()};
    bool done = false;
    for (int i = 0; i < 4; i++) r.pose[i] = wit_pose_identity();
    int code = parse(argc, argv, &r, &done);
    if (code || done) return code;
    wit_scene* scene = scene_of(&r);
    if (!scene) return EXIT_BAD_INPUT;
    code = answer(&r, scene);
    wit_scene_destroy(scene);
    return code;
}
