/* SPDX-License-Identifier: MIT */
/* From the defs of bodies to bodies. */
#include <stdio.h>
#include <string.h>

#include "model.h"

/* ---- the sheet of a model that has only surfaces ---------------------------------------------- */

/* needed[i]: some surface is made from item i. Shapes are nested at most MODEL_MAX_NESTING deep. */
static void mark_needed(const wit_model* m, bool* needed)
{
    for (int round = 0; round < MODEL_MAX_NESTING; round++) {
        for (int i = 0; i < m->count; i++) {
            if (!needed[i] && m->items[i].sort != SORT_SURFACE) continue;
            for (int k = 0; k < REF_COUNT; k++) {
                if (m->items[i].ref[k].item >= 0) needed[m->items[i].ref[k].item] = true;
            }
        }
    }
}

bool wi_model_imply_body(wit_model* m)
{
    if (m->body_count || !m->surfaces) return true;
    bool* needed = wi_memory_pool_take(&m->pool, (size_t)m->count * sizeof *needed);
    model_body* b = wi_memory_pool_take(&m->pool, sizeof *b);
    size_t n = (size_t)m->surfaces;
    wit_face_def* faces = wi_memory_pool_take(&m->pool, n * sizeof *faces);
    model_ref* surfaces = wi_memory_pool_take(&m->pool, n * sizeof *surfaces);
    if (!needed || !b || !faces || !surfaces) return false;
    memset(needed, 0, (size_t)m->count * sizeof *needed);
    memset(b, 0, sizeof *b);
    memset(faces, 0, n * sizeof *faces);
    memset(surfaces, 0, n * sizeof *surfaces);
    mark_needed(m, needed);
    int count = 0;
    for (int i = m->curves; i < m->curves + m->surfaces; i++) {
        if (needed[i]) continue;
        faces[count].name = m->items[i].name;
        surfaces[count++].item = i;
    }
    b->solid = -1;
    b->implied = true;
    b->pose = wit_pose_identity();
    b->name = m->name;
    b->def = wit_body_default_def(WIT_BODY_SHEET2);
    b->def.name = m->name;
    b->def.face_count = count;
    b->def.faces = b->faces = faces;
    b->face_surfaces = surfaces;
    m->bodies = b;
    m->body_count = 1;
    return true;
}

/* ---- refusals ------------------------------------------------------------------------------- */

/* "faces[1].loops[0].uses[3].edge" becomes "faces[1].loops[0][3].edge"; "faces[1].loop_count" "faces[1].loops". */
void wi_model_json_path(const char* item, char* to, size_t room)
{
    static const char* const other[][2] = {
        {"vertex_count", "vertices"}, {"edge_count", "edges"}, {"face_count", "faces"},
        {"loop_count", "loops"},      {"use_count", ""},       {"struct_size", ""},
    };
    size_t n = 0;
    while (*item && n + 1 < room) {
        if (strncmp(item, ".uses[", 6) == 0) {
            item += 5;
            continue;
        }
        to[n++] = *item++;
    }
    to[n] = 0;
    char* last = strrchr(to, '.');
    char* word = last ? last + 1 : to;
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        if (strcmp(word, other[i][0]) != 0) continue;
        /* Each replacement is shorter than what it replaces. */
        strcpy(other[i][1][0] || !last ? word : last, other[i][1]);
        return;
    }
}

/* The face of an implied body stands in the text as its surface. */
static wit_status refuse_implied(const wit_model* m, const model_body* b, const json_doc* doc, const wit_error* core,
                                 wit_error* error)
{
    int face = -1;
    if (sscanf(core->item, "faces[%d]", &face) != 1 || face < 0 || face >= b->def.face_count)
        return wi_json_refuse(doc, wi_json_resolve(doc, 0, "surfaces"), NULL, error, core->status, "as one sheet: %s",
                              core->text);
    return wi_json_refuse(doc, m->items[b->face_surfaces[face].item].token, NULL, error, core->status, "as a face: %s",
                          core->text);
}

static wit_status refuse_body(const wit_model* m, const model_body* b, const json_doc* doc, const wit_error* core,
                              wit_error* error)
{
    if (b->implied) return refuse_implied(m, b, doc, core, error);
    /* What is a wrong call in C is a wrong combination of keys in a file. */
    wit_status status = core->status == WIT_ERROR_ARGUMENT ? WIT_ERROR_KEY : core->status;
    char item[sizeof core->item];
    wi_model_json_path(core->item, item, sizeof item);
    size_t token = wi_json_resolve(doc, b->token, item);
    wi_json_refuse(doc, b->token, item[0] ? item : NULL, error, status, "%s", core->text);
    if (error) wi_json_position(doc, token, &error->line, &error->column);
    return status;
}

/* ---- building ------------------------------------------------------------------------------- */

static wit_status resolve_body(const wit_model* m, model_body* b, const json_doc* doc, wit_error* error)
{
    wit_status status = WIT_OK;
    if (b->implied) return WIT_OK;
    for (int i = 0; !status && i < b->def.edge_count; i++)
        status = wi_model_resolve(m, doc, &b->edge_curves[i], false, error);
    for (int i = 0; !status && i < b->def.face_count; i++)
        status = wi_model_resolve(m, doc, &b->face_surfaces[i], true, error);
    for (int i = 0; !status && i < b->use_count; i++)
        status = wi_model_resolve(m, doc, &b->use_curves[i], false, error);
    return status;
}

/* Puts the shapes into the def; returns the bytes of all of them: a body holds a copy of each. */
static uint64_t join_shapes(const wit_model* m, model_body* b)
{
    uint64_t bytes = 0;
    for (int i = 0; i < b->def.edge_count; i++) {
        if (b->edge_curves[i].item < 0) continue;
        b->edges[i].curve = m->items[b->edge_curves[i].item].curve;
        bytes += wi_model_item_bytes(&m->items[b->edge_curves[i].item]);
    }
    for (int i = 0; i < b->def.face_count; i++) {
        b->faces[i].surface = m->items[b->face_surfaces[i].item].surface;
        bytes += wi_model_item_bytes(&m->items[b->face_surfaces[i].item]);
    }
    for (int i = 0; i < b->use_count; i++) {
        if (b->use_curves[i].item < 0) continue;
        b->uses[i].parameter_curve = m->items[b->use_curves[i].item].curve;
        bytes += wi_model_item_bytes(&m->items[b->use_curves[i].item]);
    }
    return bytes;
}

static wit_status build_body(wit_model* m, model_body* b, const json_doc* doc, uint64_t* total, wit_error* error)
{
    if (b->solid >= 0) {
        b->body = m->items[b->solid].solid;
        return WIT_OK;
    }
    wit_status status = resolve_body(m, b, doc, error);
    if (status) return status;
    if (*total + join_shapes(m, b) > MODEL_MAX_MEMORY)
        return wi_json_refuse(
            doc, b->token, NULL, error, WIT_ERROR_MEMORY,
            "the shapes and bodies up to here take more than %lu GB: a body holds a copy of each shape",
            (unsigned long)(MODEL_MAX_MEMORY >> 30));
    wit_error core = {0};
    b->body = wit_body_create(&b->def, &m->pool.allocator, &core);
    if (!b->body) return refuse_body(m, b, doc, &core, error);
    *total += wit_body_describe(b->body).bytes;
    return WIT_OK;
}

wit_status wi_model_build_bodies(wit_model* m, const json_doc* doc, uint64_t* total, wit_error* error)
{
    if (!wi_model_imply_body(m))
        return wi_json_refuse(doc, 0, NULL, error, WIT_ERROR_MEMORY, "no memory for the sheet");
    wit_status status = WIT_OK;
    for (int i = 0; !status && i < m->body_count; i++) status = build_body(m, &m->bodies[i], doc, total, error);
    return status;
}
