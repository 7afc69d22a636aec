/* SPDX-License-Identifier: MIT */
/* The object "track": settings of the tracker and of its law, by the names of wit_track_def and wit_law_def. */
#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "scene.h"

typedef enum setting_type {
    SET_LAW,
    SET_FORM,
    SET_INTEGRATOR,
    SET_FEEDBACK,
    SET_SWITCHING,
    SET_PREDICTION,
    SET_GAIN,
    SET_FINDMIN,
    SET_NUMBER,   /* from lo to hi */
    SET_POSITIVE, /* up to hi */
    SET_LIMIT,    /* from lo, or "infinity" */
    SET_WHOLE,    /* int */
    SET_WHOLE64,
    SET_FLAG
} setting_type;

typedef struct setting {
    scene_key key;
    setting_type type;
    size_t offset;
    double lo, hi;
} setting;

/* What the object sets. */
typedef struct track_settings {
    wit_track_def track;
    wit_law_def law;
    int switching; /* by the names below */
} track_settings;

/* How a witness changes its feature: two ways of the law, or not at all. */
enum { SWITCHING_NONE = WIT_SWITCHING_COUNT, SWITCHINGS };

#define AT(field) offsetof(track_settings, track.field)
#define OF_LAW(field) offsetof(track_settings, law.field)
#define IN(field) offsetof(wit_findmin_def, field)

static const setting settings[] = {
    {{"law", 0, 1}, SET_LAW, OF_LAW(kind), 0, 0},
    {{"form", 0, 1}, SET_FORM, AT(form), 0, 0},
    {{"integrator", 0, 1}, SET_INTEGRATOR, OF_LAW(integrator), 0, 0},
    {{"gain", 0, 1}, SET_GAIN, OF_LAW(gain), 0, 0},
    {{"feedback", 0, 1}, SET_FEEDBACK, OF_LAW(feedback), 0, 0},
    {{"switching", 0, 1}, SET_SWITCHING, offsetof(track_settings, switching), 0, 0},
    {{"prediction", 0, 1}, SET_PREDICTION, AT(prediction), 0, 0},
    {{"tolerance", 0, 1}, SET_NUMBER, AT(tolerance), 1e-15, 1e-3},
    {{"certify", 0, 1}, SET_NUMBER, AT(certify), 1e-15, 1},
    {{"within", 0, 1}, SET_LIMIT, AT(within), 0, 0},
    {{"budget", 0, 1}, SET_WHOLE64, AT(budget), 64, 1e12},
    {{"reacquire", 0, 1}, SET_FLAG, AT(reacquire), 0, 0},
    {{"capacity", 0, 1}, SET_WHOLE, AT(capacity), 1, 1 << 24},
    {{"front", 0, 1}, SET_WHOLE, AT(front), 0, 1 << 20},
    {{"transitions", 0, 1}, SET_WHOLE, AT(transitions), 0, 1 << 20},
    {{"ball", 0, 1}, SET_POSITIVE, OF_LAW(ball), 0, 1},
    {{"cap", 0, 1}, SET_LIMIT, OF_LAW(cap), 0, 0},
    {{"findmin", 0, 1}, SET_FINDMIN, OF_LAW(findmin), 0, 0},
};

static const setting findmin_settings[] = {
    {{"joint_hessian", 0, 1}, SET_FLAG, IN(joint_hessian), 0, 0},
    {{"negative_restart", 0, 1}, SET_FLAG, IN(negative_restart), 0, 0},
    {{"antipode", 0, 1}, SET_FLAG, IN(antipode), 0, 0},
    {{"compare_lower", 0, 1}, SET_FLAG, IN(compare_lower), 0, 0},
    {{"bounded_refresh", 0, 1}, SET_FLAG, IN(bounded_refresh), 0, 0},
    {{"neighbours_only", 0, 1}, SET_FLAG, IN(neighbours_only), 0, 0},
    {{"keep", 0, 1}, SET_WHOLE, IN(keep), 0, 1 << 30},
    {{"iterations", 0, 1}, SET_WHOLE, IN(iterations), 1, 10000},
};

enum {
    SETTINGS = sizeof settings / sizeof settings[0],
    FINDMIN_SETTINGS = sizeof findmin_settings / sizeof findmin_settings[0]
};

const char* wi_scene_track_key(bool findmin, int index)
{
    if (index < 0 || index >= (findmin ? FINDMIN_SETTINGS : SETTINGS)) return NULL;
    return findmin ? findmin_settings[index].key.key : settings[index].key.key;
}

/* ---- gains ---------------------------------------------------------------------------------- */

enum { GAIN_SIDE, GAIN_PARAMETER, GAIN_MATRIX, GAIN_KEYS };
static const scene_key gain_keys[GAIN_KEYS] = {{"side", 1, 0}, {"parameter", 0, 1}, {"matrix", 2, 0}};

const scene_key* wi_scene_gain_keys(int* count)
{
    *count = GAIN_KEYS;
    return gain_keys;
}

static wit_status read_gains(scene_reader* r, size_t token, uint32_t n, const char* what, double* out)
{
    wit_status status = wi_scene_numbers(r, token, n, what, out);
    size_t t = token + 1;
    for (uint32_t i = 0; !status && i < n; i++, t = scene_token(r, t)->next)
        status = wi_scene_positive(r, t, MOTION_MAX_NUMBER, &out[i]);
    return status;
}

static wit_status read_matrix(scene_reader* r, size_t token, wit_gain* out)
{
    wit_status status = wi_scene_expect(r, token, JSON_ARRAY);
    if (status) return status;
    uint32_t n = scene_token(r, token)->size;
    if (n < 1 || n > WIT_MAX_PARAMETERS)
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_COUNT, "the matrix must have 1 to %d rows",
                              WIT_MAX_PARAMETERS);
    size_t t = token + 1;
    for (uint32_t i = 0; !status && i < n; i++, t = scene_token(r, t)->next)
        status = wi_scene_numbers(r, t, n, "as many numbers as there are rows", out->matrix + i * n);
    out->kind = WIT_GAIN_MATRIX;
    out->count = (int)n;
    return status;
}

static wit_status read_gain(scene_reader* r, size_t token, wit_gain* out)
{
    uint32_t type = scene_token(r, token)->type;
    if (type == JSON_NUMBER) {
        out->kind = WIT_GAIN_SCALAR;
        wit_status status = wi_scene_number(r, token, -DBL_MAX, MOTION_MAX_NUMBER, &out->value);
        if (status || out->value >= 0) return status; /* 0: whether the law takes it is the tracker's affair */
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_RANGE,
                              "the gain must be positive; 0 is the pure velocity formulation, for the law linearizing");
    }
    if (type == JSON_STRING && wi_json_equal(r->doc, token, "auto")) {
        out->kind = WIT_GAIN_AUTO;
        return WIT_OK;
    }
    if (type == JSON_STRING && wi_json_equal(r->doc, token, "adaptive")) {
        out->kind = WIT_GAIN_ADAPTIVE;
        return WIT_OK;
    }
    if (type != JSON_OBJECT)
        return wi_json_refuse(
            r->doc, token, NULL, r->error, WIT_ERROR_TYPE,
            "expected a number, \"auto\", \"adaptive\", {\"side\": [K_f, K_h], \"parameter\": [k_u, k_v, k_r, k_s]} or "
            "{\"matrix\": [[..], ..]}");
    size_t at[GAIN_KEYS];
    int kind = wi_json_member(r->doc, token, "matrix") != 0;
    wit_status status = wi_scene_object(r, token, kind ? "a gain with a matrix" : "a gain of each side", gain_keys,
                                        GAIN_KEYS, kind, at);
    if (status) return status;
    if (kind) return read_matrix(r, at[GAIN_MATRIX], out);
    out->kind = WIT_GAIN_EACH;
    status = read_gains(r, at[GAIN_SIDE], 2, "[K_f, K_h]", out->side);
    /* Borders and edges have the gain of their side where nothing is said. */
    for (int k = 0; !status && k < 4; k++) out->parameter[k] = out->side[k / 2];
    if (!status && at[GAIN_PARAMETER])
        status = read_gains(r, at[GAIN_PARAMETER], 4, "[k_u, k_v, k_r, k_s]", out->parameter);
    return status;
}

/* ---- settings ------------------------------------------------------------------------------- */

/* The names of an enum; how many there are. */
static int names_of(setting_type type, const char** names, const char** what)
{
    int n = 0;
    switch (type) {
    case SET_LAW:
        *what = "law";
        for (; n < WIT_LAW_COUNT; n++) names[n] = wit_law_name((wit_law_kind)n);
        break;
    case SET_FORM:
        *what = "form";
        for (; n < WIT_FORM_COUNT; n++) names[n] = wit_form_name((wit_form)n);
        break;
    case SET_INTEGRATOR:
        *what = "integrator";
        for (; n < WIT_INTEGRATOR_COUNT; n++) names[n] = wit_integrator_name((wit_integrator)n);
        break;
    case SET_FEEDBACK:
        *what = "feedback";
        for (; n < WIT_FEEDBACK_COUNT; n++) names[n] = wit_feedback_name((wit_feedback)n);
        break;
    case SET_SWITCHING:
        *what = "switching";
        for (; n < SWITCHINGS; n++) names[n] = n == SWITCHING_NONE ? "none" : wit_switching_name((wit_switching)n);
        break;
    default:
        *what = "prediction";
        for (; n < WIT_PREDICTION_COUNT; n++) names[n] = wit_prediction_name((wit_prediction)n);
        break;
    }
    return n;
}

static wit_status read_name(scene_reader* r, size_t token, setting_type type, void* to)
{
    const char *names[16], *what;
    int found = 0, n = names_of(type, names, &what);
    wit_status status = wi_scene_choice(r, token, what, names, n, &found);
    if (status) return status;
    switch (type) {
    case SET_LAW:
        *(wit_law_kind*)to = (wit_law_kind)found;
        break;
    case SET_FORM:
        *(wit_form*)to = (wit_form)found;
        break;
    case SET_INTEGRATOR:
        *(wit_integrator*)to = (wit_integrator)found;
        break;
    case SET_FEEDBACK:
        *(wit_feedback*)to = (wit_feedback)found;
        break;
    case SET_SWITCHING:
        *(int*)to = found;
        break;
    default:
        *(wit_prediction*)to = (wit_prediction)found;
        break;
    }
    return WIT_OK;
}

_Static_assert((int)WIT_LAW_COUNT <= 16 && (int)WIT_INTEGRATOR_COUNT <= 16, "read_name has room for 16 names");

static wit_status read_settings(scene_reader* r, size_t token, const char* what, const setting* list, int count,
                                char* def);

static wit_status read_setting(scene_reader* r, size_t token, const setting* s, void* to)
{
    int64_t whole = 0;
    wit_status status;
    switch (s->type) {
    case SET_GAIN:
        return read_gain(r, token, to);
    case SET_FINDMIN:
        return read_settings(r, token, "findmin", findmin_settings, FINDMIN_SETTINGS, to);
    case SET_NUMBER:
        return wi_scene_number(r, token, s->lo, s->hi, to);
    case SET_POSITIVE:
        return wi_scene_positive(r, token, s->hi, to);
    case SET_LIMIT:
        return wi_scene_limit(r, token, s->lo, to);
    case SET_WHOLE:
        status = wi_scene_whole(r, token, s->lo, s->hi, &whole);
        if (!status) *(int*)to = (int)whole;
        return status;
    case SET_WHOLE64:
        return wi_scene_whole(r, token, s->lo, s->hi, to);
    case SET_FLAG:
        return wi_scene_flag(r, token, to);
    default:
        return read_name(r, token, s->type, to);
    }
}

static wit_status read_settings(scene_reader* r, size_t token, const char* what, const setting* list, int count,
                                char* def)
{
    scene_key keys[SETTINGS] = {{0}};
    size_t at[SETTINGS];
    for (int k = 0; k < count; k++) keys[k] = list[k].key;
    wit_status status = wi_scene_object(r, token, what, keys, count, 0, at);
    for (int k = 0; !status && k < count; k++) {
        if (at[k]) status = read_setting(r, at[k], &list[k], def + list[k].offset);
    }
    return status;
}

wit_status wi_scene_read_track(scene_reader* r, size_t token)
{
    track_settings set = {.track = wit_track_default_def(), .law = wit_law_default_def(WIT_LAW_DEADBEAT)};
    wit_status status = token ? read_settings(r, token, "track", settings, SETTINGS, (char*)&set) : WIT_OK;
    set.track.keep_features = set.switching == SWITCHING_NONE;
    set.law.switching = set.switching == WIT_SWITCHING_VORONOI ? WIT_SWITCHING_VORONOI : WIT_SWITCHING_LOCAL;
    r->scene->track = set.track;
    r->scene->law = set.law;
    return status;
}

wit_status wi_scene_check_track(scene_reader* r, size_t token)
{
    const wit_scene* s = r->scene;
    wit_track_def def = s->track;
    def.law = &s->law;
    if (wit_tracker_size(s->sides[0].body, s->sides[1].body, &def)) return WIT_OK;
    wit_error why = {0};
    wit_tracker* t = wit_tracker_create(s->sides[0].body, s->sides[1].body, &def, &s->pool.allocator, &why);
    wit_tracker_destroy(t);
    if (t) return WIT_OK;
    /* What is not about a setting is about the two bodies. */
    size_t at = token && why.item[0] ? wi_json_resolve(r->doc, token, why.item) : wi_json_member(r->doc, 0, "b");
    return wi_json_refuse(r->doc, at, NULL, r->error, why.status ? why.status : WIT_ERROR_ARGUMENT, "%s",
                          why.text[0] ? why.text : "a tracker refuses these settings for these bodies");
}
