/* SPDX-License-Identifier: MIT */
/* The list "bodies": defs with names in them. */
#include <string.h>

#include "model_reader.h"

static void* take(model_reader* r, size_t count, size_t bytes)
{
    /* Counts are numbers of tokens, below 2^25, and records are small: no overflow. */
    void* memory = wi_memory_pool_take(&r->model->pool, (count + 1) * bytes);
    if (memory) memset(memory, 0, (count + 1) * bytes);
    return memory;
}

static uint32_t list_size(const model_reader* r, size_t list)
{
    return list ? reader_token(r, list)->size : 0;
}

/* ---- records -------------------------------------------------------------------------------- */

static wit_status read_vertices(model_reader* r, model_body* b, size_t list)
{
    uint32_t n = list_size(r, list);
    b->vertices = take(r, n, sizeof *b->vertices);
    if (!b->vertices) return wi_reader_refuse_memory(r, list);
    b->def.vertex_count = (int)n;
    wit_status status = WIT_OK;
    size_t t = list + 1;
    for (uint32_t i = 0; !status && i < n; i++, t = reader_token(r, t)->next) {
        model_record record = {.sort = SORT_VERTEX, .object = t, .def = (char*)&b->vertices[i]};
        status = wi_reader_record(r, &record);
    }
    return status;
}

static wit_status read_edges(model_reader* r, model_body* b, size_t list)
{
    uint32_t n = list_size(r, list);
    b->edges = take(r, n, sizeof *b->edges);
    b->edge_curves = take(r, n, sizeof *b->edge_curves);
    b->edge_ends = take(r, n, sizeof *b->edge_ends);
    if (!b->edges || !b->edge_curves || !b->edge_ends) return wi_reader_refuse_memory(r, list);
    b->def.edge_count = (int)n;
    wit_status status = WIT_OK;
    size_t t = list + 1;
    for (uint32_t i = 0; !status && i < n; i++, t = reader_token(r, t)->next) {
        model_ref ref[REF_COUNT] = {{-1, false, 0}, {-1, false, 0}};
        b->edges[i].start = b->edges[i].end = -1;
        model_record record = {
            .sort = SORT_EDGE, .object = t, .def = (char*)&b->edges[i], .ref = ref, .link = b->edge_ends[i]};
        status = wi_reader_record(r, &record);
        bool starts = b->edge_ends[i][LINK_START] != 0, ends = b->edge_ends[i][LINK_END] != 0;
        if (!status && starts != ends)
            status = wi_json_refuse(r->doc, t, starts ? "end" : "start", r->error, WIT_ERROR_KEY,
                                    "the key is missing; an edge has both start and end, or neither: a ring");
        if (!status) status = wi_reader_add_inside(r, &ref[REF_CURVE], SORT_CURVE);
        b->edge_curves[i] = ref[REF_CURVE];
    }
    return status;
}

static wit_status read_use(model_reader* r, model_body* b, size_t token)
{
    int i = b->use_count++;
    model_ref ref[REF_COUNT] = {{-1, false, 0}, {-1, false, 0}};
    model_record record = {
        .sort = SORT_USE, .object = token, .def = (char*)&b->uses[i], .ref = ref, .link = &b->use_edges[i]};
    b->uses[i].edge = -1;
    wit_status status = wi_reader_record(r, &record);
    if (!status && !b->use_edges[i] && !ref[REF_CURVE].token)
        status = wi_json_refuse(r->doc, token, "edge", r->error, WIT_ERROR_KEY,
                                "the key is missing; only along a pole there is no edge, but a parameter_curve");
    if (!status) status = wi_reader_add_inside(r, &ref[REF_CURVE], SORT_CURVE);
    b->use_curves[i] = ref[REF_CURVE];
    return status;
}

static wit_status read_loops(model_reader* r, model_body* b, wit_face_def* face, size_t list)
{
    face->loop_count = (int)list_size(r, list);
    face->loops = b->loops + b->loop_count;
    wit_status status = WIT_OK;
    size_t t = list + 1;
    for (int i = 0; !status && i < face->loop_count; i++, t = reader_token(r, t)->next) {
        wit_loop_def* loop = &b->loops[b->loop_count++];
        loop->use_count = (int)list_size(r, t);
        loop->uses = b->uses + b->use_count;
        size_t u = t + 1;
        for (int k = 0; !status && k < loop->use_count; k++, u = reader_token(r, u)->next) status = read_use(r, b, u);
    }
    return status;
}

/* Room for the loops and uses of all faces; `lists` are the tokens of their loops, 0 where there are none. */
static wit_status count_loops(model_reader* r, model_body* b, const uint32_t* lists)
{
    size_t loops = 0, uses = 0;
    for (int i = 0; i < b->def.face_count; i++) {
        size_t t = lists[i] + 1;
        for (uint32_t k = 0; k < list_size(r, lists[i]); k++, t = reader_token(r, t)->next) {
            wit_status status = wi_reader_expect(r, t, JSON_ARRAY);
            if (status) return status;
            loops++;
            uses += list_size(r, t);
        }
    }
    b->loops = take(r, loops, sizeof *b->loops);
    b->uses = take(r, uses, sizeof *b->uses);
    b->use_curves = take(r, uses, sizeof *b->use_curves);
    b->use_edges = take(r, uses, sizeof *b->use_edges);
    return b->loops && b->uses && b->use_curves && b->use_edges ? WIT_OK : wi_reader_refuse_memory(r, b->token);
}

static wit_status read_faces(model_reader* r, model_body* b, size_t list)
{
    uint32_t n = list_size(r, list);
    b->faces = take(r, n, sizeof *b->faces);
    b->face_surfaces = take(r, n, sizeof *b->face_surfaces);
    b->face_colors = take(r, n, sizeof *b->face_colors);
    uint32_t* loops = take(r, n, sizeof *loops);
    if (!b->faces || !b->face_surfaces || !b->face_colors || !loops) return wi_reader_refuse_memory(r, list);
    b->def.face_count = (int)n;
    wit_status status = WIT_OK;
    size_t t = list + 1;
    for (uint32_t i = 0; !status && i < n; i++, t = reader_token(r, t)->next) {
        model_ref ref[REF_COUNT] = {{-1, false, 0}, {-1, false, 0}};
        model_record record = {.sort = SORT_FACE,
                               .object = t,
                               .def = (char*)&b->faces[i],
                               .ref = ref,
                               .link = &loops[i],
                               .color = &b->face_colors[i]};
        status = wi_reader_record(r, &record);
        if (!status) status = wi_reader_add_inside(r, &ref[REF_SURFACE], SORT_SURFACE);
        b->face_surfaces[i] = ref[REF_SURFACE];
    }
    if (!status) status = count_loops(r, b, loops);
    for (uint32_t i = 0; !status && i < n; i++) {
        if (loops[i]) status = read_loops(r, b, &b->faces[i], loops[i]);
        if (!status && b->faces[i].unbounded && b->faces[i].loop_count)
            status = wi_json_refuse(r->doc, loops[i], NULL, r->error, WIT_ERROR_KEY, "an unbounded face has no loops");
    }
    return status;
}

/* ---- names ---------------------------------------------------------------------------------- */

static wit_status refuse_twice(model_reader* r, const model_names* names, int k, const char* sort, size_t list)
{
    size_t token[2] = {0, 0};
    size_t t = list + 1;
    for (int i = 0; i <= names->list[k].item; i++, t = reader_token(r, t)->next) {
        if (i == names->list[k - 1].item) token[0] = t;
        token[1] = t;
    }
    int line, column;
    wi_json_position(r->doc, token[0], &line, &column);
    return wi_json_refuse(r->doc, wi_json_member(r->doc, token[1], "name"), NULL, r->error, WIT_ERROR_NAME,
                          "the name \"%.100s\" is used twice; first by the %s on line %d", names->list[k].name, sort,
                          line);
}

/* Names of records `stride` bytes apart, the name at `name` of each. */
static wit_status collect(model_reader* r, const void* name, size_t stride, int count, const char* sort, size_t list,
                          model_names* out)
{
    if (!wi_model_names_room(out, &r->model->pool, count)) return wi_reader_refuse_memory(r, list);
    for (int i = 0; i < count; i++) {
        const char* text = *(const char* const*)(const void*)((const char*)name + (size_t)i * stride);
        if (!text) continue;
        out->list[out->count].name = text;
        out->list[out->count++].item = i;
    }
    int twice = wi_model_names_sort(out);
    return twice ? refuse_twice(r, out, twice, sort, list) : WIT_OK;
}

static wit_status follow(model_reader* r, size_t token, const char* sort, const model_names* names, int count, int* out)
{
    if (reader_token(r, token)->type == JSON_NUMBER) {
        wit_status status = wi_reader_integer(r, token, out);
        if (!status && (*out < 0 || *out >= count))
            return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_RANGE,
                                  "there is no %s %d; the body has %d, counted from 0", sort, *out, count);
        return status;
    }
    char name[MODEL_MAX_NAME + 1];
    size_t n = wi_json_string(r->doc, token, name, sizeof name);
    *out = n < sizeof name && strlen(name) == n ? wi_model_find(names, name) : -1;
    if (*out >= 0) return WIT_OK;
    return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME, "the body has no %s \"%.100s\"", sort, name);
}

static wit_status link_features(model_reader* r, model_body* b, const uint32_t* lists)
{
    model_names vertices = {0}, edges = {0}, faces = {0};
    wit_status status = collect(r, &b->vertices->name, sizeof *b->vertices, b->def.vertex_count, "vertex",
                                lists[LINK_VERTICES], &vertices);
    if (!status)
        status = collect(r, &b->edges->name, sizeof *b->edges, b->def.edge_count, "edge", lists[LINK_EDGES], &edges);
    if (!status)
        status = collect(r, &b->faces->name, sizeof *b->faces, b->def.face_count, "face", lists[LINK_FACES], &faces);
    for (int i = 0; !status && i < b->def.edge_count; i++) {
        if (!b->edge_ends[i][LINK_START]) continue;
        status = follow(r, b->edge_ends[i][LINK_START], "vertex", &vertices, b->def.vertex_count, &b->edges[i].start);
        if (!status)
            status = follow(r, b->edge_ends[i][LINK_END], "vertex", &vertices, b->def.vertex_count, &b->edges[i].end);
    }
    for (int i = 0; !status && i < b->use_count; i++) {
        if (!b->use_edges[i]) continue;
        status = follow(r, b->use_edges[i], "edge", &edges, b->def.edge_count, &b->uses[i].edge);
    }
    return status;
}

/* ---- the list ------------------------------------------------------------------------------- */

static wit_status read_body(model_reader* r, model_body* b)
{
    uint32_t lists[LINKS] = {0};
    wit_status status = wi_reader_expect(r, b->token, JSON_OBJECT);
    if (status) return status;
    bool solid = wi_json_member(r->doc, b->token, "solid") != 0;
    b->solid = -1;
    b->def = wit_body_default_def(WIT_BODY_SOLID);
    b->pose = wit_pose_identity();
    model_record record = {
        .sort = SORT_BODY, .kind = solid, .object = b->token, .def = (char*)b, .link = lists, .color = &b->color};
    status = wi_reader_record(r, &record);
    if (status) return status;
    if (solid) {
        b->solid = r->model->count;
        return wi_reader_add_item(r, lists[LINK_SOLID], SORT_SOLID);
    }
    status = read_vertices(r, b, lists[LINK_VERTICES]);
    if (!status) status = read_edges(r, b, lists[LINK_EDGES]);
    if (!status) status = read_faces(r, b, lists[LINK_FACES]);
    if (!status) status = link_features(r, b, lists);
    b->def.name = b->name;
    b->def.vertices = b->vertices;
    b->def.edges = b->edges;
    b->def.faces = b->faces;
    return status;
}

wit_status wi_reader_bodies(model_reader* r, size_t list)
{
    wit_model* m = r->model;
    wit_status status = wi_reader_expect(r, list, JSON_ARRAY);
    if (status) return status;
    uint32_t n = list_size(r, list);
    m->bodies = take(r, n, sizeof *m->bodies);
    if (!m->bodies) return wi_reader_refuse_memory(r, list);
    m->body_count = (int)n;
    size_t t = list + 1;
    for (uint32_t i = 0; !status && i < n; i++, t = reader_token(r, t)->next) {
        m->bodies[i].token = (uint32_t)t;
        status = read_body(r, &m->bodies[i]);
    }
    if (!status) status = collect(r, &m->bodies->name, sizeof *m->bodies, m->body_count, "body", list, &m->body_names);
    return status;
}
