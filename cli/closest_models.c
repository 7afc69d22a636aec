/* SPDX-License-Identifier: MIT */
#include "closest.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"

/* "first", "second", "body 2" in one line; cut where it gets long. */
static void list_bodies(const wit_model* model, char* to, size_t room)
{
    int n = wit_model_body_count(model);
    size_t k = 0;
    for (int i = 0; i < n && k + 2 < room; i++) {
        const char* name = wit_model_body_name(model, i);
        int more = name[0] ? snprintf(to + k, room - k, "%s'%s'", i ? ", " : "", name)
                           : snprintf(to + k, room - k, "%s%d (no name)", i ? ", " : "", i);
        if (more < 0 || (size_t)more >= room - k) {
            if (room > 4) memcpy(to + room - 4, "...", 4);
            return;
        }
        k += (size_t)more;
    }
}

static const char* file_of(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int choose_body(closest_side* s, const char* option)
{
    int n = wit_model_body_count(s->model), index = 0;
    char list[400] = "", message[640];
    if (n == 0) {
        fprintf(stderr, "%s: there is no body in this model, and no surface to make one of\n", s->path);
        return EXIT_BAD_INPUT;
    }
    list_bodies(s->model, list, sizeof list);
    if (s->body_name) {
        index = wit_model_find_body(s->model, s->body_name);
        if (index < 0) { /* a body without a name: by its number */
            char* end;
            long number = strtol(s->body_name, &end, 10);
            if (end != s->body_name && !*end && number >= 0 && number < n) index = (int)number;
        }
        if (index < 0) {
            snprintf(message, sizeof message, "%s has %s; there is no body", s->path, list);
            return command_usage("closest", message, s->body_name, NULL);
        }
    } else if (n > 1) {
        snprintf(message, sizeof message, "%s has %d bodies, %s: choose one by %s NAME", s->path, n, list, option);
        return command_usage("closest", message, NULL, NULL);
    }
    s->body = wit_model_body(s->model, index);
    wit_pose here = wit_pose_identity();
    s->stands = wit_model_body_pose(s->model, index);
    s->moved = memcmp(&s->stands, &here, sizeof here) != 0;
    s->name = wit_model_body_name(s->model, index);
    if (!s->name[0]) s->name = wit_model_name(s->model);
    if (!s->name[0]) s->name = file_of(s->path);
    return EXIT_GOOD;
}

/* ---- masks: "faces", "edges", "vertices", "face:S1", "edge:3", separated by commas ---------------------------- */

/* The features of the kind that `name` (n bytes) means: by name, else by number. -1: none. */
static int find_feature(const wit_body* body, wit_feature_kind kind, const char* name, size_t n, int count)
{
    char word[256];
    if (n == 0 || n >= sizeof word) return -1;
    memcpy(word, name, n);
    word[n] = 0;
    int id = wit_body_find(body, kind, word);
    if (id >= 0) return id;
    char* end;
    long number = strtol(word, &end, 10);
    return word[0] >= '0' && word[0] <= '9' && !*end && number < count ? (int)number : -1;
}

static int bad_feature(const closest_side* s, const char* item, size_t n)
{
    fprintf(stderr,
            "witness closest: '%.*s' is no feature of %s: say faces, edges, vertices, or face:NAME, edge:NAME, "
            "vertex:NAME (or the number in place of the name)\nTry 'witness info %s' for the names.\n",
            (int)(n > 200 ? 200 : n), item, s->name, s->path);
    return EXIT_USAGE;
}

static int make_mask(closest_side* s)
{
    static const char* const all[] = {"faces", "edges", "vertices"};
    wit_body_info info = wit_body_describe(s->body);
    const int count[] = {info.planar ? 0 : info.face_count, info.edge_count, info.vertex_count};
    /* The region of a planar body is no feature; its byte is there and stays 0. */
    size_t faces = (size_t)info.face_count, edges = (size_t)info.edge_count, vertices = (size_t)info.vertex_count;
    s->mask_bytes = calloc(faces + edges + vertices + 1, 1);
    if (!s->mask_bytes) {
        fputs("witness closest: no memory\n", stderr);
        return EXIT_BAD_INPUT;
    }
    uint8_t* bytes[] = {s->mask_bytes, s->mask_bytes + faces, s->mask_bytes + faces + edges};
    for (const char* item = s->only; *item;) {
        size_t n = strcspn(item, ",");
        int kind = 0;
        bool whole = false, found = false;
        for (; kind < WIT_FEATURE_KIND_COUNT; kind++) {
            const char* word = wit_feature_kind_name((wit_feature_kind)kind);
            size_t m = strlen(word);
            whole = strlen(all[kind]) == n && !strncmp(item, all[kind], n);
            found = !whole && n > m && item[m] == ':' && !strncmp(item, word, m);
            if (whole || found) break;
        }
        if (!whole && !found) return bad_feature(s, item, n);
        if (whole) memset(bytes[kind], 1, (size_t)count[kind]);
        if (found) {
            size_t m = strlen(wit_feature_kind_name((wit_feature_kind)kind)) + 1;
            int id = find_feature(s->body, (wit_feature_kind)kind, item + m, n - m, count[kind]);
            if (id < 0) return bad_feature(s, item, n);
            bytes[kind][id] = 1;
        }
        item += n + (item[n] == ',');
    }
    s->mask.faces = bytes[0];
    s->mask.edges = bytes[1];
    s->mask.vertices = bytes[2];
    return EXIT_GOOD;
}

/* ---- units ------------------------------------------------------------------------------------------------------ */

static int compare_units(const closest_task* task)
{
    wit_unit a = wit_model_unit(task->side[0].model), b = wit_model_unit(task->side[1].model);
    if (a == b) return EXIT_GOOD;
    const char* shown[] = {wit_unit_name(a), wit_unit_name(b)};
    if (a == WIT_UNIT_NONE || b == WIT_UNIT_NONE) {
        int none = a == WIT_UNIT_NONE ? 0 : 1;
        fprintf(stderr, "%s: note: it has no stated unit; its lengths are taken as %s, the unit of %s\n",
                task->side[none].path, shown[1 - none], task->side[1 - none].path);
        return EXIT_GOOD;
    }
    fprintf(stderr,
            "%s: its unit is \"%s\", that of %s is \"%s\": give both models in one unit (all lengths of the second "
            "times %.15g, and \"unit\": \"%s\")\n",
            task->side[1].path, shown[1], task->side[0].path, shown[0], wit_unit_metres(b) / wit_unit_metres(a),
            shown[0]);
    return EXIT_BAD_INPUT;
}

/* "edge C3": width of the longest. */
static int feature_width(const wit_body* body)
{
    enum { LONGEST = 32 };
    wit_body_info info = wit_body_describe(body);
    size_t longest = 8;
    for (int k = 0; k < WIT_FEATURE_KIND_COUNT; k++) {
        int n = k == WIT_FACE ? info.face_count : k == WIT_EDGE ? info.edge_count : info.vertex_count;
        for (int i = 0; i < n; i++) {
            const char* name = k == WIT_FACE   ? wit_body_face(body, i).name
                               : k == WIT_EDGE ? wit_body_edge(body, i).name
                                               : wit_body_vertex(body, i).name;
            size_t length = strlen(wit_feature_kind_name((wit_feature_kind)k)) + 1 + (name[0] ? strlen(name) : 5);
            if (length > longest) longest = length;
        }
    }
    return longest > LONGEST ? LONGEST : (int)longest;
}

int closest_load(closest_task* task)
{
    int sides = task->pair ? 2 : 1;
    for (int i = 0; i < sides; i++) {
        closest_side* s = &task->side[i];
        s->model = command_read_model(s->path, &task->cad);
        if (!s->model) return EXIT_BAD_INPUT;
        int code = choose_body(s, !task->pair ? "--body" : i ? "--body-b" : "--body-a");
        if (!code && s->only) code = make_mask(s);
        if (code) return code;
        task->width[i] = feature_width(s->body);
        /* As the library has it: a half-space has no size to measure by. */
        double size = wit_body_describe(s->body).size;
        if (task->size == 0 || (size > 0 && size < task->size)) task->size = size;
    }
    if (task->pair) {
        int code = compare_units(task);
        if (code) return code;
    }
    wit_unit unit = wit_model_unit(task->side[0].model);
    if (unit == WIT_UNIT_NONE && task->pair) unit = wit_model_unit(task->side[1].model);
    task->unit = unit == WIT_UNIT_NONE ? "" : wit_unit_name(unit);
    return EXIT_GOOD;
}

void closest_release(closest_task* task)
{
    for (int i = 0; i < 2; i++) {
        free(task->side[i].mask_bytes);
        wit_model_destroy(task->side[i].model);
    }
}
