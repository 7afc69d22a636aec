/* SPDX-License-Identifier: MIT */
/* JSON to a scene: the whole, the two sides and the files they name. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "file_reason.h"
#include "scene.h"

enum {
    KEY_FORMAT,
    KEY_VERSION,
    KEY_NAME,
    KEY_NOTE,
    KEY_UNIT,
    KEY_A,
    KEY_B,
    KEY_RATE,
    KEY_DURATION,
    KEY_TRACK,
    KEY_START,
    KEY_SNAPSHOTS,
    KEY_DYNAMICS,
    KEYS
};

static const scene_key keys[KEYS] = {{"format", 1, 0},   {"version", 1, 0}, {"name", 0, 1},  {"note", 0, 1},
                                     {"unit", 0, 1},     {"a", 1, 0},       {"b", 1, 0},     {"rate", 1, 0},
                                     {"duration", 1, 0}, {"track", 0, 1},   {"start", 0, 1}, {"snapshots", 0, 1},
                                     {"dynamics", 0, 1}};

const scene_key* wi_scene_keys(int* count)
{
    *count = KEYS;
    return keys;
}

/* Kind 0: a body, 1: a point. */
enum { SIDE_NAME, SIDE_MODEL, SIDE_BODY, SIDE_POINT, SIDE_MOTION, SIDE_KEYS };
static const scene_key side_keys[SIDE_KEYS] = {
    {"name", 0, 3}, {"model", 1, 0}, {"body", 0, 1}, {"point", 2, 0}, {"motion", 0, 3}};

const scene_key* wi_scene_side_keys(int* count)
{
    *count = SIDE_KEYS;
    return side_keys;
}

/* ---- files ---------------------------------------------------------------------------------- */

static bool is_absolute(const char* path)
{
    bool letter = (path[0] >= 'a' && path[0] <= 'z') || (path[0] >= 'A' && path[0] <= 'Z');
    return path[0] == '/' || path[0] == '\\' || (letter && path[1] == ':');
}

wit_status wi_scene_file(scene_reader* r, size_t token, const char** out)
{
    const char* name = NULL;
    wit_status status = wi_scene_string(r, token, 4095, false, &name);
    if (status) return status;
    size_t n = strlen(r->directory), m = strlen(name);
    if (!n || is_absolute(name)) {
        *out = name;
        return WIT_OK;
    }
    char* path = wi_memory_pool_take(&r->scene->pool, n + m + 2);
    if (!path) return wi_scene_no_memory(r, token);
    bool ends = r->directory[n - 1] == '/' || r->directory[n - 1] == '\\';
    snprintf(path, n + m + 2, "%s%s%s", r->directory, ends ? "" : "/", name);
    *out = path;
    return WIT_OK;
}

wit_status wi_scene_refuse_file(scene_reader* r, size_t token, const char* path)
{
    if (!r->error) return WIT_ERROR_FILE;
    wit_error e = *r->error;
    if (e.line == 0) /* not in the text of that file: it could not be opened, say */
        return wi_json_refuse(r->doc, token, NULL, r->error, e.status, "%.90s: %s", path, e.text);
    /* The path gets the room that the item leaves, and at least 40 bytes. */
    size_t room = sizeof e.item - 3, n = strlen(e.item);
    if (n > room - 40) n = room - 40;
    snprintf(r->error->item, sizeof r->error->item, "%.*s: %.*s", (int)(room - n), path, (int)n, e.item);
    wi_json_printable(r->error->item);
    return e.status;
}

static bool is_json(const char* path)
{
    static const char end[] = ".json";
    size_t n = strlen(path);
    if (n < sizeof end - 1) return false;
    for (size_t i = 0; i < sizeof end - 1; i++) {
        char c = path[n - (sizeof end - 1) + i];
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != end[i]) return false;
    }
    return true;
}

wit_status wi_scene_load_model(scene_reader* r, size_t token, wit_model** out)
{
    const char* path = NULL;
    wit_status status = wi_scene_file(r, token, &path);
    if (status) return status;
    wit_error e = {0};
    if (is_json(path))
        *out = wit_model_read_file(path, &r->scene->pool.allocator, &e);
    else if (r->load_in_unit)
        *out = r->load_in_unit(path, r->unit, r->user, &e);
    else if (r->load)
        *out = r->load(path, r->user, &e);
    else
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_UNSUPPORTED,
                              "models are read from files that end in .json; nothing is here to read others");
    if (*out) return WIT_OK;
    if (!e.status) e.status = WIT_ERROR_FILE;
    if (r->error) *r->error = e;
    wi_scene_refuse_file(r, token, path);
    return e.status;
}

/* ---- sides ---------------------------------------------------------------------------------- */

static wit_status choose_body(scene_reader* r, size_t side, size_t token, const wit_model* model, int* index)
{
    int count = wit_model_body_count(model);
    if (!token) {
        *index = 0;
        if (count == 1) return WIT_OK;
        return wi_json_refuse(r->doc, side, "body", r->error, WIT_ERROR_KEY,
                              "the model has %d bodies; say which one by \"body\"", count);
    }
    const char* name = NULL;
    wit_status status = wi_scene_string(r, token, SCENE_MAX_NAME, false, &name);
    if (status) return status;
    *index = wit_model_find_body(model, name);
    if (*index >= 0) return WIT_OK;
    char known[120] = "";
    size_t n = 0;
    for (int i = 0; i < count; i++) {
        const char* other = wit_model_body_name(model, i);
        int wrote = snprintf(known + n, sizeof known - n, "%s%s", i ? ", " : "", other);
        n += wrote > 0 && n + (size_t)wrote < sizeof known ? (size_t)wrote : 0;
    }
    return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME,
                          "the model has no body of that name; it has %s", known);
}

static bool same_model(scene_reader* r, size_t token)
{
    size_t a = wi_json_member(r->doc, wi_json_member(r->doc, 0, "a"), "model");
    return a && wi_json_same(r->doc, a, token);
}

static wit_status read_body(scene_reader* r, size_t token, const size_t* at, scene_side* side, int which)
{
    wit_scene* scene = r->scene;
    wit_status status = wi_scene_expect(r, at[SIDE_MODEL], JSON_STRING);
    if (status) return status;
    if (which == 1 && same_model(r, at[SIDE_MODEL]))
        side->model = scene->sides[0].model;
    else
        status = wi_scene_load_model(r, at[SIDE_MODEL], &side->model);
    if (status) return status;
    int index = 0;
    status = choose_body(r, token, at[SIDE_BODY], side->model, &index);
    if (status) return status;
    side->body = wit_model_body(side->model, index);
    side->place = wit_model_body_pose(side->model, index);
    const char* name = wit_model_body_name(side->model, index);
    if (!side->name) side->name = name[0] ? name : wit_model_name(side->model);
    return WIT_OK;
}

wit_status wi_scene_read_side(scene_reader* r, size_t token, scene_side* side, int which)
{
    wit_status status = wi_scene_expect(r, token, JSON_OBJECT);
    if (status) return status;
    size_t at[SIDE_KEYS], flag = wi_json_member(r->doc, token, "point");
    bool point = false;
    if (flag) status = wi_scene_flag(r, flag, &point);
    if (status) return status;
    if (flag && !point)
        return wi_json_refuse(r->doc, flag, NULL, r->error, WIT_ERROR_RANGE,
                              "only true has a meaning; a body has a \"model\" and no \"point\"");
    status = wi_scene_object(r, token, point ? "a point" : "a body", side_keys, SIDE_KEYS, point, at);
    if (!status && at[SIDE_NAME]) status = wi_scene_string(r, at[SIDE_NAME], SCENE_MAX_NAME, false, &side->name);
    if (!status && !point) status = read_body(r, token, at, side, which);
    if (status) return status;
    if (point && which == 0) {
        size_t other = wi_json_member(r->doc, 0, "b");
        bool both = scene_token(r, other)->type == JSON_OBJECT && wi_json_member(r->doc, other, "point");
        return wi_json_refuse(r->doc, flag, NULL, r->error, WIT_ERROR_ARGUMENT,
                              both ? "both sides are points; a must be a body"
                                   : "a must be a body; put the point in b");
    }
    if (!side->name) side->name = "point";
    status = wi_scene_read_motion(r, at[SIDE_MOTION], &side->motion);
    if (!status && side->body) wi_motion_place(&side->motion, &side->place);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Whether it is a scene at all comes first: a model in its place has many strange keys. */
static wit_status check_format(scene_reader* r)
{
    wit_status status = wi_scene_expect(r, 0, JSON_OBJECT);
    if (status) return status;
    size_t format = wi_json_member(r->doc, 0, "format"), version = wi_json_member(r->doc, 0, "version");
    if (!format)
        return wi_json_refuse(r->doc, 0, "format", r->error, WIT_ERROR_KEY,
                              "the key \"format\" is missing; a scene has \"format\": \"witness-scene\"");
    status = wi_scene_expect(r, format, JSON_STRING);
    if (status) return status;
    if (!wi_json_equal(r->doc, format, "witness-scene"))
        return wi_json_refuse(r->doc, format, NULL, r->error, WIT_ERROR_NAME, "expected \"witness-scene\"%s",
                              wi_json_equal(r->doc, format, "witness-model") ? "; this is a model" : "");
    if (!version)
        return wi_json_refuse(r->doc, 0, "version", r->error, WIT_ERROR_KEY, "the key \"version\" is missing");
    int64_t number = 0;
    status = wi_scene_whole(r, version, -1e9, 1e9, &number);
    if (status) return status;
    if (number != 1)
        return wi_json_refuse(r->doc, version, NULL, r->error, WIT_ERROR_UNSUPPORTED,
                              "version %d of the format; this library reads version 1", (int)number);
    return WIT_OK;
}

/* The unit of the scene is that of its models: nothing here changes the size of a body. */
static wit_status read_unit(scene_reader* r, const size_t* at)
{
    wit_scene* s = r->scene;
    int unit = 0;
    if (at[KEY_UNIT]) {
        const char* names[WIT_UNIT_COUNT];
        for (int k = 0; k < WIT_UNIT_COUNT; k++) names[k] = wit_unit_name((wit_unit)k);
        wit_status status = wi_scene_choice(r, at[KEY_UNIT], "unit", names, WIT_UNIT_COUNT, &unit);
        if (status) return status;
        s->unit = (wit_unit)unit;
    } else {
        s->unit = wit_model_unit(s->sides[0].model);
    }
    for (int i = 0; i < 2; i++) {
        wit_unit found = wit_model_unit(s->sides[i].model);
        if (!s->sides[i].model || found == s->unit) continue;
        return wi_json_refuse(r->doc, wi_json_member(r->doc, at[i ? KEY_B : KEY_A], "model"), NULL, r->error,
                              WIT_ERROR_RANGE,
                              "the model is in %s, the scene in %s; models are not scaled: a CAD file is imported in "
                              "this unit by `witness import --unit`",
                              wit_unit_name(found), wit_unit_name(s->unit));
    }
    return WIT_OK;
}

static wit_status read_times(scene_reader* r, const size_t* at)
{
    wit_scene* s = r->scene;
    wit_status status = wi_scene_positive(r, at[KEY_RATE], MOTION_MAX_NUMBER, &s->rate);
    if (!status) status = wi_scene_positive(r, at[KEY_DURATION], MOTION_MAX_TIME, &s->duration);
    if (status) return status;
    double frames = floor(s->rate * s->duration * (1 + 1e-12));
    if (!(frames >= 1 && frames <= SCENE_MAX_FRAMES))
        return wi_json_refuse(r->doc, at[KEY_DURATION], NULL, r->error, WIT_ERROR_RANGE,
                              "%g frames in all; rate times duration must be from 1 to %g", frames, SCENE_MAX_FRAMES);
    s->frames = (int64_t)frames;
    size_t list = at[KEY_SNAPSHOTS];
    if (!list) return WIT_OK;
    status = wi_scene_expect(r, list, JSON_ARRAY);
    if (status) return status;
    uint32_t n = scene_token(r, list)->size;
    s->snapshots = wi_memory_pool_take(&s->pool, (n + 1) * sizeof *s->snapshots);
    if (!s->snapshots) return wi_scene_no_memory(r, list);
    size_t t = list + 1;
    for (uint32_t i = 0; !status && i < n; i++, t = scene_token(r, t)->next) {
        status = wi_scene_number(r, t, 0, s->duration, &s->snapshots[i]);
        if (!status && i && !(s->snapshots[i] > s->snapshots[i - 1]))
            status = wi_json_refuse(r->doc, t, NULL, r->error, WIT_ERROR_RANGE, "the times of snapshots must increase");
    }
    s->snapshot_count = (int)n;
    return status;
}

static wit_status read_scene(scene_reader* r)
{
    size_t at[KEYS];
    wit_status status = check_format(r);
    if (!status) status = wi_scene_object(r, 0, "a scene", keys, KEYS, 0, at);
    if (!status && at[KEY_NAME]) status = wi_scene_string(r, at[KEY_NAME], SCENE_MAX_NAME, false, &r->scene->name);
    if (!status && at[KEY_NOTE]) status = wi_scene_string(r, at[KEY_NOTE], JSON_MAX_BYTES, true, &r->scene->note);
    if (!status) status = read_times(r, at);
    if (!status) status = wi_scene_read_track(r, at[KEY_TRACK]);
    if (!status) status = wi_scene_read_side(r, at[KEY_A], &r->scene->sides[0], 0);
    if (!status) status = wi_scene_read_side(r, at[KEY_B], &r->scene->sides[1], 1);
    if (!status) status = read_unit(r, at);
    if (!status) status = wi_scene_read_start(r, at[KEY_START]);
    if (!status) status = wi_scene_check_track(r, at[KEY_TRACK]);
    return status ? status : wi_scene_read_dynamics(r, at[KEY_DYNAMICS]);
}

void wi_scene_refuse_call(wit_error* error, wit_status status, const char* item, const char* text, const char* reason)
{
    if (!error) return;
    memset(error, 0, sizeof *error);
    error->status = status;
    snprintf(error->item, sizeof error->item, "%s", item);
    snprintf(error->text, sizeof error->text, "%s%s", text, reason);
}

static wit_scene* scene_from(json_doc* doc, scene_reader* r, const wit_allocator* allocator)
{
    wit_allocator a = wi_memory_allocator(allocator);
    wit_scene* scene = wi_memory_take(&a, sizeof *scene);
    wit_status status = WIT_ERROR_MEMORY;
    if (scene) {
        memset(scene, 0, sizeof *scene);
        scene->pool.allocator = a;
        r->scene = scene;
        r->doc = doc;
        status = read_scene(r);
    } else {
        wi_json_refuse(doc, 0, NULL, r->error, WIT_ERROR_MEMORY, "no memory for the scene");
    }
    wi_json_free(doc);
    if (!status) return scene;
    wit_scene_destroy(scene);
    return NULL;
}

wit_scene* wit_scene_read_text(const char* text, size_t bytes, const char* directory, wit_model_load_function* load,
                               void* user, const wit_allocator* allocator, wit_error* error)
{
    json_doc doc;
    if (!text) {
        wi_scene_refuse_call(error, WIT_ERROR_ARGUMENT, "text", "the pointer is null", "");
        return NULL;
    }
    scene_reader r = {.error = error, .directory = directory ? directory : "", .load = load, .user = user};
    return wi_json_read_text(&doc, text, bytes, allocator, error) ? NULL : scene_from(&doc, &r, allocator);
}

static size_t read_from_file(void* user, char* to, size_t room)
{
    return fread(to, 1, room, user);
}

bool wi_scene_open(const char* path, const wit_allocator* allocator, json_doc* doc, char** directory, wit_error* error)
{
    errno = 0;
    FILE* file = path ? fopen(path, "rb") : NULL;
    if (!path) wi_scene_refuse_call(error, WIT_ERROR_ARGUMENT, "path", "the pointer is null", "");
    if (path && !file) wi_scene_refuse_call(error, WIT_ERROR_FILE, "file", "the file cannot be opened", file_reason());
    if (!file) return false;
    errno = 0;
    wit_status status = wi_json_read_stream(doc, read_from_file, file, allocator, error);
    bool failed = ferror(file) != 0;
    const char* reason = file_reason();
    fclose(file);
    if (failed) {
        if (!status) wi_json_free(doc);
        wi_scene_refuse_call(error, WIT_ERROR_FILE, "file", "the file cannot be read", reason);
    }
    if (failed || status) return false;
    wit_allocator a = wi_memory_allocator(allocator);
    size_t n = strlen(path), end = n;
    while (end > 0 && path[end - 1] != '/' && path[end - 1] != '\\') end--;
    *directory = wi_memory_take(&a, n + 1);
    if (!*directory) {
        wi_json_refuse(doc, 0, NULL, error, WIT_ERROR_MEMORY, "no memory for the scene");
        wi_json_free(doc);
        return false;
    }
    memcpy(*directory, path, end);
    (*directory)[end] = 0;
    return true;
}

wit_scene* wit_scene_read_file(const char* path, wit_model_load_function* load, void* user,
                               const wit_allocator* allocator, wit_error* error)
{
    json_doc doc;
    char* directory = NULL;
    if (!wi_scene_open(path, allocator, &doc, &directory, error)) return NULL;
    scene_reader r = {.error = error, .directory = directory, .load = load, .user = user};
    wit_scene* scene = scene_from(&doc, &r, allocator);
    wit_allocator a = wi_memory_allocator(allocator);
    wi_memory_give(&a, directory, strlen(path) + 1);
    return scene;
}
