/* SPDX-License-Identifier: MIT */
/* From defs with names in them to shapes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

enum { STATE_NEW, STATE_OPEN, STATE_BUILT };

static int order_names(const void* a, const void* b)
{
    const model_name *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->item > y->item) - (x->item < y->item);
}

bool wi_model_names_room(model_names* names, memory_pool* pool, int count)
{
    names->count = 0;
    names->list = wi_memory_pool_take(pool, ((size_t)count + 1) * sizeof *names->list);
    return names->list != NULL;
}

int wi_model_names_sort(model_names* names)
{
    qsort(names->list, (size_t)names->count, sizeof *names->list, order_names);
    for (int k = 1; k < names->count; k++) {
        if (strcmp(names->list[k - 1].name, names->list[k].name) == 0) return k;
    }
    return 0;
}

static wit_status collect_names(wit_model* m, const json_doc* doc, wit_error* error)
{
    model_names* names = &m->names;
    if (!wi_model_names_room(names, &m->pool, m->count))
        return wi_json_refuse(doc, 0, NULL, error, WIT_ERROR_MEMORY, "no memory for the names");
    for (int i = 0; i < m->count; i++) {
        if (!m->items[i].name) continue;
        names->list[names->count].name = m->items[i].name;
        names->list[names->count++].item = i;
    }
    int k = wi_model_names_sort(names);
    if (!k) return WIT_OK;
    int line, column;
    wi_json_position(doc, m->items[names->list[k - 1].item].token, &line, &column);
    return wi_json_refuse(doc, wi_json_member(doc, m->items[names->list[k].item].token, "name"), NULL, error,
                          WIT_ERROR_NAME, "the name \"%.100s\" is used twice; first by the shape on line %d",
                          names->list[k].name, line);
}

wit_status wi_model_resolve(const wit_model* m, const json_doc* doc, model_ref* ref, bool surface, wit_error* error)
{
    if (!ref->token || ref->inside) return WIT_OK;
    const char* sort = surface ? "surface" : "curve";
    char name[MODEL_MAX_NAME + 1];
    size_t n = wi_json_string(doc, ref->token, name, sizeof name);
    /* A longer name, or one with a zero byte, is none that a shape can have. */
    int found = n < sizeof name && strlen(name) == n ? wi_model_find(&m->names, name) : -1;
    if (found < 0)
        return wi_json_refuse(doc, ref->token, NULL, error, WIT_ERROR_NAME, "there is no %s \"%.100s\"", sort, name);
    if (m->items[found].sort != (surface ? SORT_SURFACE : SORT_CURVE))
        return wi_json_refuse(doc, ref->token, NULL, error, WIT_ERROR_NAME, "\"%.100s\" is not a %s; this needs one",
                              name, sort);
    ref->item = found;
    return WIT_OK;
}

static wit_status resolve_names(wit_model* m, const json_doc* doc, wit_error* error)
{
    wit_status status = WIT_OK;
    for (int i = 0; i < m->count; i++) {
        for (int k = 0; !status && k < REF_COUNT; k++)
            status = wi_model_resolve(m, doc, &m->items[i].ref[k], k == REF_SURFACE, error);
    }
    return status;
}

/* Fields of the def that have another name, or none, in the file. */
static const char* key_of_item(const char* item)
{
    static const char* const other[][2] = {
        {"count_u", "points"},        {"count_v", "points[0]"},
        {"count", "points"},          {"knot_count_u", "knots_u"},
        {"knot_count_v", "knots_v"},  {"knot_count", "knots"},
        {"struct_size", ""},          {"kernel", ""},
        {"polygon_count", "polygon"}, {"name", ""},
    };
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        if (strcmp(item, other[i][0]) == 0) return other[i][1];
    }
    return item;
}

/* The refusal of a create function: its item is a path within the object. */
static wit_status refuse_shape(const json_doc* doc, size_t object, const wit_error* core, wit_error* error)
{
    const char* item = key_of_item(core->item);
    size_t token = wi_json_resolve(doc, object, item);
    wi_json_refuse(doc, object, item[0] ? item : NULL, error, core->status, "%s", core->text);
    if (error) wi_json_position(doc, token, &error->line, &error->column);
    return core->status;
}

size_t wi_model_item_bytes(const model_item* item)
{
    if (item->surface) return wit_surface_describe(item->surface).bytes;
    if (item->solid) return wit_body_describe(item->solid).bytes;
    return item->curve ? wit_curve_describe(item->curve).bytes : 0;
}

static wit_status create(wit_model* m, int index, const json_doc* doc, uint64_t* total, wit_error* error)
{
    model_item* item = &m->items[index];
    uint64_t embedded = 0;
    item->nesting = 1;
    for (int k = 0; k < REF_COUNT; k++) {
        if (item->ref[k].item < 0) continue;
        const model_item* to = &m->items[item->ref[k].item];
        embedded += wi_model_item_bytes(to);
        if (to->nesting >= item->nesting) item->nesting = to->nesting + 1;
        if (item->nesting > MODEL_MAX_NESTING)
            return wi_json_refuse(doc, item->ref[k].token, NULL, error, WIT_ERROR_DEPTH,
                                  "shapes within shapes deeper than %d", MODEL_MAX_NESTING);
        if (item->sort == SORT_SURFACE)
            item->def.surface.profile = to->curve;
        else if (item->sort == SORT_SOLID)
            item->def.solid.profile = to->curve;
        else if (k == REF_SURFACE)
            item->def.curve.surface = to->surface;
        else
            item->def.curve.parameter_curve = to->curve;
    }
    if (*total + embedded > MODEL_MAX_MEMORY)
        return wi_json_refuse(doc, item->token, NULL, error, WIT_ERROR_MEMORY,
                              "the shapes up to here take more than %lu GB: each holds a copy of what it refers to",
                              (unsigned long)(MODEL_MAX_MEMORY >> 30));
    wit_error core = {0};
    if (item->sort == SORT_SURFACE)
        item->surface = wit_surface_create(&item->def.surface, &m->pool.allocator, &core);
    else if (item->sort == SORT_SOLID)
        item->solid = wit_solid_create(&item->def.solid, &m->pool.allocator, &core);
    else
        item->curve = wit_curve_create(&item->def.curve, &m->pool.allocator, &core);
    if (!item->curve && !item->surface && !item->solid) return refuse_shape(doc, item->token, &core, error);
    *total += wi_model_item_bytes(item);
    return WIT_OK;
}

/* What an item refers to and is not built yet; -1: nothing. A shape that is still open is a cycle. */
static wit_status next_needed(wit_model* m, int index, const json_doc* doc, int* needed, wit_error* error)
{
    *needed = -1;
    for (int k = 0; k < REF_COUNT; k++) {
        const model_ref* ref = &m->items[index].ref[k];
        if (ref->item < 0 || m->items[ref->item].state == STATE_BUILT) continue;
        if (m->items[ref->item].state == STATE_OPEN) {
            const char* name = m->items[ref->item].name;
            return wi_json_refuse(doc, ref->token, NULL, error, WIT_ERROR_NAME,
                                  "the definition goes in a circle: \"%.100s\" needs this shape itself",
                                  name ? name : "");
        }
        *needed = ref->item;
        return WIT_OK;
    }
    return WIT_OK;
}

wit_status wi_model_build(wit_model* m, const json_doc* doc, wit_error* error)
{
    wit_status status = collect_names(m, doc, error);
    for (int i = 0; i < m->body_count; i++) {
        if (m->bodies[i].solid >= 0) m->items[m->bodies[i].solid].def.solid.name = m->bodies[i].name;
    }
    if (!status) status = resolve_names(m, doc, error);
    if (status) return status;
    /* Depth first with a stack of its own; an item is on it at most once, or there is a cycle. */
    int* stack = wi_memory_pool_take(&m->pool, ((size_t)m->count + 1) * sizeof *stack);
    if (!stack) return wi_json_refuse(doc, 0, NULL, error, WIT_ERROR_MEMORY, "no memory for the shapes");
    uint64_t total = 0;
    for (int i = 0; i < m->count; i++) {
        int depth = 0;
        if (m->items[i].state == STATE_NEW) stack[depth++] = i;
        while (depth > 0) {
            int top = stack[depth - 1], needed;
            m->items[top].state = STATE_OPEN;
            status = next_needed(m, top, doc, &needed, error);
            if (!status && needed >= 0) {
                stack[depth++] = needed;
                continue;
            }
            if (!status) status = create(m, top, doc, &total, error);
            if (status) return status;
            m->items[top].state = STATE_BUILT;
            depth--;
        }
    }
    return wi_model_build_bodies(m, doc, &total, error);
}
