/* SPDX-License-Identifier: MIT */
#include "../include/witness/io.h"

#include <string.h>

#include "model.h"

const char* wit_unit_name(wit_unit unit)
{
    static const char* const names[] = {
#define UNIT_NAME(id, name, metres) name,
        WIT_UNIT_LIST(UNIT_NAME)
#undef UNIT_NAME
    };
    return (unsigned)unit < WIT_UNIT_COUNT ? names[unit] : "?";
}

double wit_unit_metres(wit_unit unit)
{
    static const double all[] = {
#define UNIT_METRES(id, name, metres) metres,
        WIT_UNIT_LIST(UNIT_METRES)
#undef UNIT_METRES
    };
    return (unsigned)unit < WIT_UNIT_COUNT ? all[unit] : 0;
}

void wit_model_destroy(wit_model* model)
{
    if (!model) return;
    for (int i = 0; i < model->count; i++) {
        wit_curve_destroy(model->items[i].curve);
        wit_surface_destroy(model->items[i].surface);
        wit_body_destroy(model->items[i].solid);
    }
    for (int i = 0; i < model->body_count; i++) {
        if (model->bodies[i].solid < 0) wit_body_destroy(model->bodies[i].body);
    }
    wit_allocator allocator = model->pool.allocator;
    wi_memory_pool_free(&model->pool);
    wi_memory_give(&allocator, model->items, (size_t)model->room * sizeof *model->items);
    wi_memory_give(&allocator, model, sizeof *model);
}

/* A listed curve or surface, null outside the list. */
static const model_item* listed(const wit_model* model, bool surface, int index)
{
    if (!model || index < 0 || index >= (surface ? model->surfaces : model->curves)) return NULL;
    return &model->items[surface ? model->curves + index : index];
}

static const char* text_or_empty(const char* text)
{
    return text ? text : "";
}

const char* wit_model_name(const wit_model* model)
{
    return text_or_empty(model ? model->name : NULL);
}

const char* wit_model_note(const wit_model* model)
{
    return text_or_empty(model ? model->note : NULL);
}

wit_unit wit_model_unit(const wit_model* model)
{
    return model ? model->unit : WIT_UNIT_NONE;
}

int wit_model_curve_count(const wit_model* model)
{
    return model ? model->curves : 0;
}

int wit_model_surface_count(const wit_model* model)
{
    return model ? model->surfaces : 0;
}

const wit_curve* wit_model_curve(const wit_model* model, int index)
{
    const model_item* item = listed(model, false, index);
    return item ? item->curve : NULL;
}

const wit_surface* wit_model_surface(const wit_model* model, int index)
{
    const model_item* item = listed(model, true, index);
    return item ? item->surface : NULL;
}

const wit_curve_def* wit_model_curve_def(const wit_model* model, int index)
{
    const model_item* item = listed(model, false, index);
    return item ? &item->def.curve : NULL;
}

const wit_surface_def* wit_model_surface_def(const wit_model* model, int index)
{
    const model_item* item = listed(model, true, index);
    return item ? &item->def.surface : NULL;
}

const char* wit_model_curve_name(const wit_model* model, int index)
{
    const model_item* item = listed(model, false, index);
    return item ? text_or_empty(item->name) : NULL;
}

const char* wit_model_surface_name(const wit_model* model, int index)
{
    const model_item* item = listed(model, true, index);
    return item ? text_or_empty(item->name) : NULL;
}

static const model_body* body_at(const wit_model* model, int index)
{
    return model && index >= 0 && index < model->body_count ? &model->bodies[index] : NULL;
}

int wit_model_body_count(const wit_model* model)
{
    return model ? model->body_count : 0;
}

const wit_body* wit_model_body(const wit_model* model, int index)
{
    const model_body* b = body_at(model, index);
    return b ? b->body : NULL;
}

const char* wit_model_body_name(const wit_model* model, int index)
{
    const model_body* b = body_at(model, index);
    return b ? text_or_empty(b->name) : NULL;
}

const wit_body_def* wit_model_body_def(const wit_model* model, int index)
{
    const model_body* b = body_at(model, index);
    return b && b->solid < 0 ? &b->def : NULL;
}

const wit_solid_def* wit_model_solid_def(const wit_model* model, int index)
{
    const model_body* b = body_at(model, index);
    return b && b->solid >= 0 ? &model->items[b->solid].def.solid : NULL;
}

wit_pose wit_model_body_pose(const wit_model* model, int index)
{
    const model_body* b = body_at(model, index);
    return b ? b->pose : wit_pose_identity();
}

static bool color_of(const model_color* color, wit_vec3* out)
{
    if (!color || !color->given) return false;
    if (out) *out = color->value;
    return true;
}

bool wit_model_body_color(const wit_model* model, int index, wit_vec3* out)
{
    const model_body* b = body_at(model, index);
    return color_of(b ? &b->color : NULL, out);
}

bool wit_model_face_color(const wit_model* model, int index, int face, wit_vec3* out)
{
    const model_body* b = body_at(model, index);
    bool listed = b && b->face_colors && face >= 0 && face < b->def.face_count;
    return color_of(listed ? &b->face_colors[face] : NULL, out);
}

bool wit_model_body_implied(const wit_model* model, int index)
{
    const model_body* b = body_at(model, index);
    return b && b->implied;
}

int wi_model_find(const model_names* names, const char* name)
{
    int lo = 0, hi = names->count;
    while (lo < hi) {
        int middle = lo + (hi - lo) / 2;
        int order = strcmp(names->list[middle].name, name);
        if (order == 0) return names->list[middle].item;
        if (order < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return -1;
}

int wit_model_find_curve(const wit_model* model, const char* name)
{
    int i = model && name ? wi_model_find(&model->names, name) : -1;
    return i >= 0 && i < model->curves ? i : -1;
}

int wit_model_find_surface(const wit_model* model, const char* name)
{
    int i = model && name ? wi_model_find(&model->names, name) : -1;
    return i >= 0 && i >= model->curves ? i - model->curves : -1;
}

int wit_model_find_body(const wit_model* model, const char* name)
{
    return model && name ? wi_model_find(&model->body_names, name) : -1;
}
