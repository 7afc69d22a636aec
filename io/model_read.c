/* SPDX-License-Identifier: MIT */
/* JSON to defs. What the numbers mean is checked by the create functions, see wi_model_build.c. */
#include <stdio.h>
#include <string.h>

#include "file_reason.h"
#include "model_reader.h"

/* ---- shapes --------------------------------------------------------------------------------- */

static wit_status read_kind(model_reader* r, size_t object, model_item* item)
{
    size_t token = wi_json_member(r->doc, object, "kind");
    if (!token) return wi_json_refuse(r->doc, object, "kind", r->error, WIT_ERROR_KEY, "the key \"kind\" is missing");
    wit_status status = wi_reader_expect(r, token, JSON_STRING);
    if (status) return status;
    char known[160] = "";
    size_t n = 0;
    for (int k = 0; k < wi_model_kind_count(item->sort); k++) {
        const char* name = wi_model_kind_name(item->sort, k);
        if (wi_json_equal(r->doc, token, name)) {
            if (item->sort == SORT_CURVE)
                item->def.curve = wit_curve_default_def((wit_curve_kind)k);
            else if (item->sort == SORT_SURFACE)
                item->def.surface = wit_surface_default_def((wit_surface_kind)k);
            else
                item->def.solid = wit_solid_default_def((wit_solid_kind)k);
            return WIT_OK;
        }
        int wrote = snprintf(known + n, sizeof known - n, "%s%s", k ? ", " : "", name);
        n += wrote > 0 && n + (size_t)wrote < sizeof known ? (size_t)wrote : 0;
    }
    return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME, "unknown kind; there are %s", known);
}

/* The weights must have the shape of the points, whichever came first. */
static wit_status check_weights(model_reader* r, const model_item* item)
{
    bool surface = item->sort == SORT_SURFACE;
    if (item->sort == SORT_SOLID || !(surface ? item->def.surface.weights : item->def.curve.weights)) return WIT_OK;
    int rows = surface ? item->def.surface.count_u : item->def.curve.count;
    int columns = surface ? item->def.surface.count_v : 1;
    if (item->weights[0] == rows && item->weights[1] == columns) return WIT_OK;
    return wi_json_refuse(r->doc, wi_json_member(r->doc, item->token, "weights"), NULL, r->error, WIT_ERROR_COUNT,
                          "the weights are %d x %d, the points %d x %d", item->weights[0], item->weights[1], rows,
                          columns);
}

static wit_status read_item(model_reader* r, int index)
{
    model_item* item = &r->model->items[index];
    wit_status status = wi_reader_expect(r, item->token, JSON_OBJECT);
    if (!status) status = read_kind(r, item->token, item);
    if (status) return status;
    bool listed = index < r->model->curves + r->model->surfaces;
    model_record record = {.sort = item->sort,
                           .kind = item_kind(item),
                           .object = item->token,
                           .def = item_def(item),
                           .name = listed ? &item->name : NULL,
                           .note = &item->note,
                           .ref = item->ref,
                           .weights = item->weights};
    status = wi_reader_record(r, &record);
    return status ? status : check_weights(r, item);
}

wit_status wi_reader_add_item(model_reader* r, size_t token, model_sort sort)
{
    wit_model* m = r->model;
    if (m->count == m->room) {
        int room = m->room ? 2 * m->room : 8;
        model_item* grown = wi_memory_take(&m->pool.allocator, (size_t)room * sizeof *grown);
        if (!grown) return wi_reader_refuse_memory(r, token);
        if (m->count) memcpy(grown, m->items, (size_t)m->count * sizeof *grown);
        wi_memory_give(&m->pool.allocator, m->items, (size_t)m->room * sizeof *grown);
        m->items = grown;
        m->room = room;
    }
    model_item* item = &m->items[m->count++];
    memset(item, 0, sizeof *item);
    item->sort = sort;
    item->token = (uint32_t)token;
    item->ref[REF_CURVE].item = item->ref[REF_SURFACE].item = -1;
    return WIT_OK;
}

wit_status wi_reader_add_inside(model_reader* r, model_ref* ref, model_sort sort)
{
    if (!ref->inside) return WIT_OK;
    ref->item = r->model->count;
    return wi_reader_add_item(r, ref->token, sort);
}

static wit_status add_list(model_reader* r, size_t list, model_sort sort)
{
    if (!list) return WIT_OK;
    wit_status status = wi_reader_expect(r, list, JSON_ARRAY);
    size_t t = list + 1;
    for (uint32_t i = 0; !status && i < reader_token(r, list)->size; i++, t = reader_token(r, t)->next)
        status = wi_reader_add_item(r, t, sort);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static wit_status read_head(model_reader* r)
{
    static const char* const known[] = {"format", "version", "name", "unit", "note", "curves", "surfaces", "bodies"};
    size_t at[sizeof known / sizeof known[0]] = {0};
    wit_status status = wi_reader_expect(r, 0, JSON_OBJECT);
    if (status) return status;
    size_t stray = 0;
    size_t key = 1;
    for (uint32_t i = 0; i < reader_token(r, 0)->size; i++, key = reader_token(r, key + 1)->next) {
        size_t k = 0;
        while (k < sizeof known / sizeof known[0] && !wi_json_equal(r->doc, key, known[k])) k++;
        if (k < sizeof known / sizeof known[0])
            at[k] = key + 1;
        else if (!stray)
            stray = key;
    }
    /* Whether it is a model at all comes first: another program's JSON has many strange keys. */
    if (!at[0])
        return wi_json_refuse(r->doc, 0, "format", r->error, WIT_ERROR_KEY,
                              "the key \"format\" is missing; a model has \"format\": \"witness-model\"");
    status = wi_reader_expect(r, at[0], JSON_STRING);
    if (status) return status;
    if (!wi_json_equal(r->doc, at[0], "witness-model"))
        return wi_json_refuse(r->doc, at[0], NULL, r->error, WIT_ERROR_NAME, "expected \"witness-model\"");
    if (!at[1]) return wi_json_refuse(r->doc, 0, "version", r->error, WIT_ERROR_KEY, "the key \"version\" is missing");
    int version = 0;
    status = wi_reader_integer(r, at[1], &version);
    if (status) return status;
    if (version != 1)
        return wi_json_refuse(r->doc, at[1], NULL, r->error, WIT_ERROR_UNSUPPORTED,
                              "version %d of the format; this library reads version 1", version);
    if (stray)
        return wi_json_refuse(r->doc, stray, NULL, r->error, WIT_ERROR_KEY,
                              "unknown key; a model has format, version, name, unit, note, curves, surfaces, bodies");
    if (!at[3])
        return wi_json_refuse(r->doc, 0, "unit", r->error, WIT_ERROR_KEY,
                              "the key \"unit\" is missing; m, cm, mm, um, in, ft or none");
    status = wi_reader_expect(r, at[3], JSON_STRING);
    if (status) return status;
    int unit = 0;
    while (unit < WIT_UNIT_COUNT && !wi_json_equal(r->doc, at[3], wit_unit_name((wit_unit)unit))) unit++;
    if (unit == WIT_UNIT_COUNT)
        return wi_json_refuse(r->doc, at[3], NULL, r->error, WIT_ERROR_NAME,
                              "unknown unit; m, cm, mm, um, in, ft or none");
    r->model->unit = (wit_unit)unit;
    if (at[2]) status = wi_reader_name(r, at[2], &r->model->name);
    if (!status && at[4]) status = wi_reader_string(r, at[4], JSON_MAX_BYTES, true, &r->model->note);
    if (!status) status = add_list(r, at[5], SORT_CURVE);
    r->model->curves = r->model->count;
    if (!status) status = add_list(r, at[6], SORT_SURFACE);
    r->model->surfaces = r->model->count - r->model->curves;
    return status || !at[7] ? status : wi_reader_bodies(r, at[7]);
}

static wit_status read_model(model_reader* r)
{
    wit_status status = read_head(r);
    /* Shapes defined in place are appended and met by the same loop: no recursion. */
    for (int i = 0; !status && i < r->model->count; i++) {
        status = read_item(r, i);
        model_ref ref = r->model->items[i].ref[REF_CURVE];
        if (!status) status = wi_reader_add_inside(r, &ref, SORT_CURVE);
        if (!status) r->model->items[i].ref[REF_CURVE] = ref;
    }
    return status ? status : wi_model_build(r->model, r->doc, r->error);
}

static wit_model* model_from(json_doc* doc, const wit_allocator* allocator, wit_error* error)
{
    wit_allocator a = wi_memory_allocator(allocator);
    wit_model* model = wi_memory_take(&a, sizeof *model);
    wit_status status = WIT_ERROR_MEMORY;
    if (model) {
        memset(model, 0, sizeof *model);
        model->pool.allocator = a;
        model_reader r = {doc, model, error};
        status = read_model(&r);
    } else {
        wi_json_refuse(doc, 0, NULL, error, WIT_ERROR_MEMORY, "no memory for the model");
    }
    wi_json_free(doc);
    if (!status) return model;
    wit_model_destroy(model);
    return NULL;
}

static wit_model* refuse_call(wit_error* error, wit_status status, const char* item, const char* text)
{
    if (error) {
        memset(error, 0, sizeof *error);
        error->status = status;
        snprintf(error->item, sizeof error->item, "%s", item);
        snprintf(error->text, sizeof error->text, "%s", text);
    }
    return NULL;
}

wit_model* wit_model_read_text(const char* text, size_t bytes, const wit_allocator* allocator, wit_error* error)
{
    json_doc doc;
    if (!text) return refuse_call(error, WIT_ERROR_ARGUMENT, "text", "the pointer is null");
    return wi_json_read_text(&doc, text, bytes, allocator, error) ? NULL : model_from(&doc, allocator, error);
}

wit_model* wit_model_read_stream(wit_read_function* read, void* user, const wit_allocator* allocator, wit_error* error)
{
    json_doc doc;
    if (!read) return refuse_call(error, WIT_ERROR_ARGUMENT, "read", "the pointer is null");
    return wi_json_read_stream(&doc, read, user, allocator, error) ? NULL : model_from(&doc, allocator, error);
}

static wit_model* refuse_file(wit_error* error, const char* text, const char* reason)
{
    char whole[80];
    snprintf(whole, sizeof whole, "%s%s", text, reason);
    return refuse_call(error, WIT_ERROR_FILE, "file", whole);
}

static size_t read_from_file(void* user, char* to, size_t room)
{
    return fread(to, 1, room, user);
}

wit_model* wit_model_read_file(const char* path, const wit_allocator* allocator, wit_error* error)
{
    if (!path) return refuse_call(error, WIT_ERROR_ARGUMENT, "path", "the pointer is null");
    errno = 0;
    FILE* file = fopen(path, "rb");
    if (!file) return refuse_file(error, "the file cannot be opened", file_reason());
    errno = 0;
    wit_model* model = wit_model_read_stream(read_from_file, file, allocator, error);
    bool failed = ferror(file) != 0;
    const char* reason = file_reason();
    fclose(file);
    if (!failed) return model;
    wit_model_destroy(model);
    return refuse_file(error, "the file cannot be read", reason);
}
