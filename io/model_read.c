/* SPDX-License-Identifier: MIT */
/* JSON to defs. What the numbers mean is checked by the create functions, see model_build.c. */
#include <stdio.h>
#include <string.h>

#include "model.h"

typedef struct reader {
    const json_doc* doc;
    wit_model* model;
    wit_error* error;
} reader;

static const json_token* token_of(const reader* r, size_t token)
{
    return &r->doc->tokens[token];
}

static wit_status refuse_type(reader* r, size_t token, const char* expected)
{
    return json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_TYPE, "expected %s, found %s", expected,
                       json_type_name((json_type)token_of(r, token)->type));
}

static wit_status refuse_memory(reader* r, size_t token)
{
    return json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_MEMORY, "no memory for this");
}

static wit_status expect(reader* r, size_t token, json_type type)
{
    return token_of(r, token)->type == (uint32_t)type ? WIT_OK : refuse_type(r, token, json_type_name(type));
}

/* ---- values --------------------------------------------------------------------------------- */

static wit_status read_number(reader* r, size_t token, double* out)
{
    wit_status status = expect(r, token, JSON_NUMBER);
    if (status) return status;
    if (!json_number(r->doc, token, out))
        return json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NUMBER, "the number is too large for a double");
    return WIT_OK;
}

static wit_status read_integer(reader* r, size_t token, int* out)
{
    double x;
    wit_status status = read_number(r, token, &x);
    if (status) return status;
    if (!(x >= -1e9 && x <= 1e9) || x != (double)(int)x) return refuse_type(r, token, "a whole number");
    *out = (int)x;
    return WIT_OK;
}

static wit_status read_fixed_list(reader* r, size_t token, uint32_t n, const char* what, double* out)
{
    wit_status status = expect(r, token, JSON_ARRAY);
    if (status) return status;
    if (token_of(r, token)->size != n)
        return json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_COUNT, "expected %s, found %lu values", what,
                           (unsigned long)token_of(r, token)->size);
    size_t t = token + 1;
    for (uint32_t i = 0; i < n && !status; i++, t = token_of(r, t)->next) status = read_number(r, t, &out[i]);
    return status;
}

static wit_status read_vector(reader* r, size_t token, wit_vec3* out)
{
    double x[3];
    wit_status status = read_fixed_list(r, token, 3, "[x, y, z]", x);
    if (status) return status;
    out->x = x[0];
    out->y = x[1];
    out->z = x[2];
    return WIT_OK;
}

static wit_status read_range(reader* r, size_t token, wit_interval* out)
{
    double x[2];
    wit_status status = read_fixed_list(r, token, 2, "[lo, hi]", x);
    if (status) return status;
    /* In a def 0, 0 asks for the natural range; in a file that is said by leaving the key out. */
    if (x[0] == 0 && x[1] == 0)
        return json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_RANGE, "the range is empty: lo < hi is needed");
    out->lo = x[0];
    out->hi = x[1];
    return WIT_OK;
}

static wit_status read_frame(reader* r, size_t token, wit_frame* out)
{
    wit_status status = expect(r, token, JSON_OBJECT);
    size_t key = token + 1;
    for (uint32_t i = 0; !status && i < token_of(r, token)->size; i++, key = token_of(r, key + 1)->next) {
        if (json_equal(r->doc, key, "origin"))
            status = read_vector(r, key + 1, &out->origin);
        else if (json_equal(r->doc, key, "x"))
            status = read_vector(r, key + 1, &out->x);
        else if (json_equal(r->doc, key, "z"))
            status = read_vector(r, key + 1, &out->z);
        else
            status = json_refuse(r->doc, key, NULL, r->error, WIT_ERROR_KEY,
                                 "unknown key; a frame has origin, x, z (y is z cross x)");
    }
    return status;
}

/* Text without control characters (a note may have line breaks and tabs). */
static wit_status read_string(reader* r, size_t token, size_t limit, bool lines, const char** out)
{
    wit_status status = expect(r, token, JSON_STRING);
    if (status) return status;
    size_t n = json_string(r->doc, token, NULL, 0);
    if (n > limit)
        return json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_COUNT, "the text is longer than %lu bytes",
                           (unsigned long)limit);
    char* text = memory_pool_take(&r->model->pool, n + 1);
    if (!text) return refuse_memory(r, token);
    json_string(r->doc, token, text, n + 1);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < 0x20 && !(lines && (c == '\n' || c == '\t'))) || c == 0x7f)
            return json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME, "the text holds a control character");
    }
    *out = text;
    return WIT_OK;
}

static wit_status read_name(reader* r, size_t token, const char** out)
{
    wit_status status = read_string(r, token, MODEL_MAX_NAME, false, out);
    if (!status && !(*out)[0]) return json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME, "the name is empty");
    return status;
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* `width` 1: numbers; 3: points. Appends to *to, which has room. */
static wit_status read_row(reader* r, size_t token, int width, double** to)
{
    wit_status status = expect(r, token, JSON_ARRAY);
    size_t t = token + 1;
    for (uint32_t i = 0; !status && i < token_of(r, token)->size; i++, t = token_of(r, t)->next) {
        status = width == 1 ? read_number(r, t, *to) : read_fixed_list(r, t, 3, "a point [x, y, z]", *to);
        *to += width;
    }
    return status;
}

static wit_status read_list(reader* r, size_t token, int width, const double** out, int* count)
{
    wit_status status = expect(r, token, JSON_ARRAY);
    if (status) return status;
    size_t n = token_of(r, token)->size;
    double* to = memory_pool_take(&r->model->pool, (n + 1) * (size_t)width * sizeof *to);
    if (!to) return refuse_memory(r, token);
    *out = to;
    *count = (int)n;
    return read_row(r, token, width, &to);
}

/* A list of rows of equal length. */
static wit_status read_rows(reader* r, size_t token, int width, const double** out, int* rows, int* columns)
{
    wit_status status = expect(r, token, JSON_ARRAY);
    if (status) return status;
    uint32_t n = token_of(r, token)->size, m = 0;
    size_t t = token + 1;
    for (uint32_t i = 0; i < n; i++, t = token_of(r, t)->next) {
        status = expect(r, t, JSON_ARRAY);
        if (status) return status;
        if (i == 0) m = token_of(r, t)->size;
        if (token_of(r, t)->size != m)
            return json_refuse(r->doc, t, NULL, r->error, WIT_ERROR_COUNT,
                               "this row has %lu elements, the first has %lu; a row runs along v",
                               (unsigned long)token_of(r, t)->size, (unsigned long)m);
    }
    /* n * m elements are in the text, so the product is below the token limit. */
    double* to = memory_pool_take(&r->model->pool, ((size_t)n * m + 1) * (size_t)width * sizeof *to);
    if (!to) return refuse_memory(r, token);
    *out = to;
    *rows = (int)n;
    *columns = (int)m;
    t = token + 1;
    for (uint32_t i = 0; !status && i < n; i++, t = token_of(r, t)->next) status = read_row(r, t, width, &to);
    return status;
}

/* ---- shapes --------------------------------------------------------------------------------- */

static wit_status read_parameter(reader* r, size_t token, wit_direction* out)
{
    wit_status status = expect(r, token, JSON_STRING);
    if (status) return status;
    if (json_equal(r->doc, token, "u"))
        *out = WIT_U;
    else if (json_equal(r->doc, token, "v"))
        *out = WIT_V;
    else
        return json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME, "expected \"u\" or \"v\"");
    return WIT_OK;
}

static wit_status read_reference(reader* r, size_t token, model_item* item, bool surface)
{
    uint32_t type = token_of(r, token)->type;
    if (type != JSON_STRING && (surface || type != JSON_OBJECT))
        return refuse_type(r, token, surface ? "the name of a surface" : "the name of a curve or an object");
    model_ref* ref = &item->ref[surface ? REF_SURFACE : REF_CURVE];
    ref->token = (uint32_t)token;
    ref->inside = type == JSON_OBJECT;
    return WIT_OK;
}

static wit_status read_field(reader* r, size_t token, model_item* item, const model_field* f)
{
    char* def = item_def(item);
    void* to = def + f->offset;
    int* count = (int*)(void*)(def + f->count);
    int* count_inner = (int*)(void*)(def + f->count_inner);
    wit_status status;
    switch (f->type) {
    case FIELD_NUMBER:
        return read_number(r, token, to);
    case FIELD_INTEGER:
        return read_integer(r, token, to);
    case FIELD_FLAG:
        if (token_of(r, token)->type != JSON_TRUE && token_of(r, token)->type != JSON_FALSE)
            return refuse_type(r, token, "true or false");
        *(bool*)to = token_of(r, token)->type == JSON_TRUE;
        return WIT_OK;
    case FIELD_VECTOR:
        return read_vector(r, token, to);
    case FIELD_RANGE:
        return read_range(r, token, to);
    case FIELD_FRAME:
        return read_frame(r, token, to);
    case FIELD_NUMBERS:
        return read_list(r, token, 1, to, count);
    case FIELD_POINTS:
        return read_list(r, token, 3, to, count);
    case FIELD_WEIGHTS:
        item->weights[1] = 1;
        return read_list(r, token, 1, to, &item->weights[0]);
    case FIELD_POINT_ROWS:
        status = read_rows(r, token, 3, to, count, count_inner);
        return status;
    case FIELD_WEIGHT_ROWS:
        return read_rows(r, token, 1, to, &item->weights[0], &item->weights[1]);
    case FIELD_PARAMETER:
        return read_parameter(r, token, to);
    case FIELD_CURVE:
        return read_reference(r, token, item, false);
    case FIELD_SURFACE:
        return read_reference(r, token, item, true);
    }
    return WIT_ERROR_ARGUMENT;
}

static wit_status read_kind(reader* r, size_t object, model_item* item)
{
    size_t token = json_member(r->doc, object, "kind");
    if (!token) return json_refuse(r->doc, object, "kind", r->error, WIT_ERROR_KEY, "the key \"kind\" is missing");
    wit_status status = expect(r, token, JSON_STRING);
    if (status) return status;
    char known[160] = "";
    size_t n = 0;
    for (int k = 0; k < model_kind_count(item->is_surface); k++) {
        const char* name = model_kind_name(item->is_surface, k);
        if (json_equal(r->doc, token, name)) {
            if (item->is_surface)
                item->def.surface = wit_surface_default_def((wit_surface_kind)k);
            else
                item->def.curve = wit_curve_default_def((wit_curve_kind)k);
            return WIT_OK;
        }
        int wrote = snprintf(known + n, sizeof known - n, "%s%s", k ? ", " : "", name);
        n += wrote > 0 && n + (size_t)wrote < sizeof known ? (size_t)wrote : 0;
    }
    return json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME, "unknown kind; there are %s", known);
}

static wit_status refuse_key(reader* r, size_t key, const model_item* item)
{
    int fields, kind = item_kind(item);
    const model_field* f = model_fields(item->is_surface, &fields);
    char known[160] = "";
    size_t n = 0;
    for (int i = 0; i < fields; i++) {
        if (!((f[i].required | f[i].optional) >> kind & 1u)) continue;
        int wrote = snprintf(known + n, sizeof known - n, ", %s", f[i].key);
        n += wrote > 0 && n + (size_t)wrote < sizeof known ? (size_t)wrote : 0;
    }
    return json_refuse(r->doc, key, NULL, r->error, WIT_ERROR_KEY, "unknown key; %s has kind, name, note%s",
                       model_kind_name(item->is_surface, kind), known);
}

/* The weights must have the shape of the points, whichever came first. */
static wit_status check_weights(reader* r, const model_item* item)
{
    bool surface = item->is_surface;
    if (!(surface ? item->def.surface.weights : item->def.curve.weights)) return WIT_OK;
    int rows = surface ? item->def.surface.count_u : item->def.curve.count;
    int columns = surface ? item->def.surface.count_v : 1;
    if (item->weights[0] == rows && item->weights[1] == columns) return WIT_OK;
    return json_refuse(r->doc, json_member(r->doc, item->token, "weights"), NULL, r->error, WIT_ERROR_COUNT,
                       "the weights are %d x %d, the points %d x %d", item->weights[0], item->weights[1], rows,
                       columns);
}

static wit_status read_members(reader* r, model_item* item, bool listed, unsigned long* seen)
{
    size_t object = item->token;
    int fields, kind = item_kind(item);
    const model_field* f = model_fields(item->is_surface, &fields);
    size_t key = object + 1;
    wit_status status = WIT_OK;
    for (uint32_t i = 0; !status && i < token_of(r, object)->size; i++, key = token_of(r, key + 1)->next) {
        if (json_equal(r->doc, key, "kind")) continue;
        if (json_equal(r->doc, key, "note")) {
            status = read_string(r, key + 1, JSON_MAX_BYTES, true, &item->note);
            continue;
        }
        if (listed && json_equal(r->doc, key, "name")) {
            status = read_name(r, key + 1, &item->name);
            continue;
        }
        int k = 0;
        while (k < fields && !json_equal(r->doc, key, f[k].key)) k++;
        if (k == fields || !((f[k].required | f[k].optional) >> kind & 1u)) return refuse_key(r, key, item);
        *seen |= 1ul << k;
        status = read_field(r, key + 1, item, &f[k]);
    }
    return status;
}

static wit_status read_item(reader* r, int index)
{
    model_item* item = &r->model->items[index];
    wit_status status = expect(r, item->token, JSON_OBJECT);
    if (!status) status = read_kind(r, item->token, item);
    unsigned long seen = 0;
    if (!status) status = read_members(r, item, index < r->model->curves + r->model->surfaces, &seen);
    if (status) return status;
    int fields;
    const model_field* f = model_fields(item->is_surface, &fields);
    for (int k = 0; k < fields; k++) {
        if ((f[k].required >> item_kind(item) & 1u) && !(seen >> k & 1ul))
            return json_refuse(r->doc, item->token, f[k].key, r->error, WIT_ERROR_KEY,
                               "the key \"%s\" is missing; a %s needs it", f[k].key,
                               model_kind_name(item->is_surface, item_kind(item)));
    }
    return check_weights(r, item);
}

/* Adds an item; pointers to items are void afterwards. */
static wit_status add_item(reader* r, size_t token, bool surface)
{
    wit_model* m = r->model;
    if (m->count == m->room) {
        int room = m->room ? 2 * m->room : 8;
        model_item* grown = memory_take(&m->pool.allocator, (size_t)room * sizeof *grown);
        if (!grown) return refuse_memory(r, token);
        if (m->count) memcpy(grown, m->items, (size_t)m->count * sizeof *grown);
        memory_give(&m->pool.allocator, m->items, (size_t)m->room * sizeof *grown);
        m->items = grown;
        m->room = room;
    }
    model_item* item = &m->items[m->count++];
    memset(item, 0, sizeof *item);
    item->is_surface = surface;
    item->token = (uint32_t)token;
    item->ref[REF_CURVE].item = item->ref[REF_SURFACE].item = -1;
    return WIT_OK;
}

static wit_status add_list(reader* r, size_t list, bool surface)
{
    if (!list) return WIT_OK;
    wit_status status = expect(r, list, JSON_ARRAY);
    size_t t = list + 1;
    for (uint32_t i = 0; !status && i < token_of(r, list)->size; i++, t = token_of(r, t)->next)
        status = add_item(r, t, surface);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static wit_status read_head(reader* r)
{
    static const char* const known[] = {"format", "version", "name", "unit", "note", "curves", "surfaces"};
    size_t at[sizeof known / sizeof known[0]] = {0};
    wit_status status = expect(r, 0, JSON_OBJECT);
    if (status) return status;
    size_t stray = 0;
    size_t key = 1;
    for (uint32_t i = 0; i < token_of(r, 0)->size; i++, key = token_of(r, key + 1)->next) {
        size_t k = 0;
        while (k < sizeof known / sizeof known[0] && !json_equal(r->doc, key, known[k])) k++;
        if (k < sizeof known / sizeof known[0])
            at[k] = key + 1;
        else if (!stray)
            stray = key;
    }
    /* Whether it is a model at all comes first: another program's JSON has many strange keys. */
    if (!at[0])
        return json_refuse(r->doc, 0, "format", r->error, WIT_ERROR_KEY,
                           "the key \"format\" is missing; a model has \"format\": \"witness-model\"");
    status = expect(r, at[0], JSON_STRING);
    if (status) return status;
    if (!json_equal(r->doc, at[0], "witness-model"))
        return json_refuse(r->doc, at[0], NULL, r->error, WIT_ERROR_NAME, "expected \"witness-model\"");
    if (!at[1]) return json_refuse(r->doc, 0, "version", r->error, WIT_ERROR_KEY, "the key \"version\" is missing");
    int version = 0;
    status = read_integer(r, at[1], &version);
    if (status) return status;
    if (version != 1)
        return json_refuse(r->doc, at[1], NULL, r->error, WIT_ERROR_UNSUPPORTED,
                           "version %d of the format; this library reads version 1", version);
    if (stray)
        return json_refuse(r->doc, stray, NULL, r->error, WIT_ERROR_KEY,
                           "unknown key; a model has format, version, name, unit, note, curves, surfaces");
    if (!at[3])
        return json_refuse(r->doc, 0, "unit", r->error, WIT_ERROR_KEY,
                           "the key \"unit\" is missing; m, cm, mm, um, in, ft or none");
    status = expect(r, at[3], JSON_STRING);
    if (status) return status;
    int unit = 0;
    while (unit < WIT_UNIT_COUNT && !json_equal(r->doc, at[3], wit_unit_name((wit_unit)unit))) unit++;
    if (unit == WIT_UNIT_COUNT)
        return json_refuse(r->doc, at[3], NULL, r->error, WIT_ERROR_NAME,
                           "unknown unit; m, cm, mm, um, in, ft or none");
    r->model->unit = (wit_unit)unit;
    if (at[2]) status = read_name(r, at[2], &r->model->name);
    if (!status && at[4]) status = read_string(r, at[4], JSON_MAX_BYTES, true, &r->model->note);
    if (!status) status = add_list(r, at[5], false);
    r->model->curves = r->model->count;
    if (!status) status = add_list(r, at[6], true);
    r->model->surfaces = r->model->count - r->model->curves;
    return status;
}

static wit_status read_model(reader* r)
{
    wit_status status = read_head(r);
    /* Shapes defined in place are appended and met by the same loop: no recursion. */
    for (int i = 0; !status && i < r->model->count; i++) {
        status = read_item(r, i);
        model_ref* ref = &r->model->items[i].ref[REF_CURVE];
        if (!status && ref->inside) {
            ref->item = r->model->count;
            status = add_item(r, ref->token, false);
        }
    }
    return status ? status : model_build(r->model, r->doc, r->error);
}

static wit_model* model_from(json_doc* doc, const wit_allocator* allocator, wit_error* error)
{
    wit_allocator a = memory_allocator(allocator);
    wit_model* model = memory_take(&a, sizeof *model);
    wit_status status = WIT_ERROR_MEMORY;
    if (model) {
        memset(model, 0, sizeof *model);
        model->pool.allocator = a;
        reader r = {doc, model, error};
        status = read_model(&r);
    } else {
        json_refuse(doc, 0, NULL, error, WIT_ERROR_MEMORY, "no memory for the model");
    }
    json_free(doc);
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
    return json_read_text(&doc, text, bytes, allocator, error) ? NULL : model_from(&doc, allocator, error);
}

wit_model* wit_model_read_stream(wit_read_function* read, void* user, const wit_allocator* allocator, wit_error* error)
{
    json_doc doc;
    if (!read) return refuse_call(error, WIT_ERROR_ARGUMENT, "read", "the pointer is null");
    return json_read_stream(&doc, read, user, allocator, error) ? NULL : model_from(&doc, allocator, error);
}

static size_t read_from_file(void* user, char* to, size_t room)
{
    return fread(to, 1, room, user);
}

wit_model* wit_model_read_file(const char* path, const wit_allocator* allocator, wit_error* error)
{
    if (!path) return refuse_call(error, WIT_ERROR_ARGUMENT, "path", "the pointer is null");
    FILE* file = fopen(path, "rb");
    if (!file) return refuse_call(error, WIT_ERROR_FILE, "file", "the file cannot be opened");
    wit_model* model = wit_model_read_stream(read_from_file, file, allocator, error);
    bool failed = ferror(file) != 0;
    fclose(file);
    if (!failed) return model;
    wit_model_destroy(model);
    return refuse_call(error, WIT_ERROR_FILE, "file", "the file cannot be read");
}
