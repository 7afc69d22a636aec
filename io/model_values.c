/* SPDX-License-Identifier: MIT */
#include "model_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

wit_status wi_reader_refuse_type(model_reader* r, size_t token, const char* expected)
{
    return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_TYPE, "expected %s, found %s", expected,
                          wi_json_type_name((json_type)reader_token(r, token)->type));
}

wit_status wi_reader_refuse_memory(model_reader* r, size_t token)
{
    return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_MEMORY, "no memory for this");
}

wit_status wi_reader_expect(model_reader* r, size_t token, json_type type)
{
    return reader_token(r, token)->type == (uint32_t)type ? WIT_OK
                                                          : wi_reader_refuse_type(r, token, wi_json_type_name(type));
}

/* ---- values --------------------------------------------------------------------------------- */

static wit_status read_number(model_reader* r, size_t token, double* out)
{
    wit_status status = wi_reader_expect(r, token, JSON_NUMBER);
    if (status) return status;
    if (!wi_json_number(r->doc, token, out))
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NUMBER, "the number is too large for a double");
    return WIT_OK;
}

wit_status wi_reader_integer(model_reader* r, size_t token, int* out)
{
    double x;
    wit_status status = read_number(r, token, &x);
    if (status) return status;
    if (!(x >= -1e9 && x <= 1e9) || x != (double)(int)x) return wi_reader_refuse_type(r, token, "a whole number");
    *out = (int)x;
    return WIT_OK;
}

static wit_status read_fixed_list(model_reader* r, size_t token, uint32_t n, const char* what, double* out)
{
    wit_status status = wi_reader_expect(r, token, JSON_ARRAY);
    if (status) return status;
    if (reader_token(r, token)->size != n)
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_COUNT, "expected %s, found %lu values", what,
                              (unsigned long)reader_token(r, token)->size);
    size_t t = token + 1;
    for (uint32_t i = 0; i < n && !status; i++, t = reader_token(r, t)->next) status = read_number(r, t, &out[i]);
    return status;
}

static wit_status read_vector(model_reader* r, size_t token, wit_vec3* out)
{
    double x[3];
    wit_status status = read_fixed_list(r, token, 3, "[x, y, z]", x);
    if (status) return status;
    out->x = x[0];
    out->y = x[1];
    out->z = x[2];
    return WIT_OK;
}

static wit_status read_range(model_reader* r, size_t token, wit_interval* out)
{
    double x[2];
    wit_status status = read_fixed_list(r, token, 2, "[lo, hi]", x);
    if (status) return status;
    /* In a def 0, 0 asks for the natural range; in a file that is said by leaving the key out. */
    if (x[0] == 0 && x[1] == 0)
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_RANGE, "the range is empty: lo < hi is needed");
    out->lo = x[0];
    out->hi = x[1];
    return WIT_OK;
}

static wit_status read_frame(model_reader* r, size_t token, wit_frame* out)
{
    wit_status status = wi_reader_expect(r, token, JSON_OBJECT);
    size_t key = token + 1;
    for (uint32_t i = 0; !status && i < reader_token(r, token)->size; i++, key = reader_token(r, key + 1)->next) {
        if (wi_json_equal(r->doc, key, "origin"))
            status = read_vector(r, key + 1, &out->origin);
        else if (wi_json_equal(r->doc, key, "x"))
            status = read_vector(r, key + 1, &out->x);
        else if (wi_json_equal(r->doc, key, "z"))
            status = read_vector(r, key + 1, &out->z);
        else
            status = wi_json_refuse(r->doc, key, NULL, r->error, WIT_ERROR_KEY,
                                    "unknown key; a frame has origin, x, z (y is z cross x)");
    }
    return status;
}

static wit_status read_pose(model_reader* r, size_t token, wit_pose* out)
{
    wit_status status = wi_reader_expect(r, token, JSON_OBJECT);
    size_t key = token + 1, rotation = token;
    for (uint32_t i = 0; !status && i < reader_token(r, token)->size; i++, key = reader_token(r, key + 1)->next) {
        double q[4];
        if (wi_json_equal(r->doc, key, "position")) {
            status = read_vector(r, key + 1, &out->position);
            if (!status && !(fabs(out->position.x) <= MODEL_MAX_LENGTH && fabs(out->position.y) <= MODEL_MAX_LENGTH &&
                             fabs(out->position.z) <= MODEL_MAX_LENGTH))
                status = wi_json_refuse(r->doc, key + 1, NULL, r->error, WIT_ERROR_NUMBER, "the position is beyond %g",
                                        MODEL_MAX_LENGTH);
        } else if (wi_json_equal(r->doc, key, "rotation")) {
            rotation = key + 1;
            status = read_fixed_list(r, rotation, 4, "[w, x, y, z]", q);
            if (!status) out->rotation = (wit_quat){q[0], q[1], q[2], q[3]};
        } else {
            status = wi_json_refuse(r->doc, key, NULL, r->error, WIT_ERROR_KEY,
                                    "unknown key; a pose has position, rotation");
        }
    }
    if (status) return status;
    status = wit_pose_check(out);
    return status ? wi_json_refuse(r->doc, rotation, NULL, r->error, status,
                                   "the rotation must be a quaternion [w, x, y, z] of length 1, to 1e-6")
                  : WIT_OK;
}

static wit_status read_color(model_reader* r, size_t token, model_color* out)
{
    double x[3];
    wit_status status = read_fixed_list(r, token, 3, "[red, green, blue]", x);
    size_t t = token + 1;
    for (int i = 0; !status && i < 3; i++, t = reader_token(r, t)->next) {
        if (!(x[i] >= 0 && x[i] <= 1))
            status = wi_json_refuse(r->doc, t, NULL, r->error, WIT_ERROR_RANGE, "a colour has values from 0 to 1");
    }
    if (status) return status;
    out->given = true;
    out->value = (wit_vec3){x[0], x[1], x[2]};
    return WIT_OK;
}

wit_status wi_reader_string(model_reader* r, size_t token, size_t limit, bool lines, const char** out)
{
    wit_status status = wi_reader_expect(r, token, JSON_STRING);
    if (status) return status;
    size_t n = wi_json_string(r->doc, token, NULL, 0);
    if (n > limit)
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_COUNT, "the text is longer than %lu bytes",
                              (unsigned long)limit);
    char* text = wi_memory_pool_take(&r->model->pool, n + 1);
    if (!text) return wi_reader_refuse_memory(r, token);
    wi_json_string(r->doc, token, text, n + 1);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < 0x20 && !(lines && (c == '\n' || c == '\t'))) || c == 0x7f)
            return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME, "the text holds a control character");
    }
    *out = text;
    return WIT_OK;
}

wit_status wi_reader_name(model_reader* r, size_t token, const char** out)
{
    wit_status status = wi_reader_string(r, token, MODEL_MAX_NAME, false, out);
    if (!status && !(*out)[0])
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME, "the name is empty");
    return status;
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* `width` 1: numbers; 2 and 3: points. Appends to *to, which has room. */
static wit_status read_row(model_reader* r, size_t token, int width, double** to)
{
    wit_status status = wi_reader_expect(r, token, JSON_ARRAY);
    size_t t = token + 1;
    for (uint32_t i = 0; !status && i < reader_token(r, token)->size; i++, t = reader_token(r, t)->next) {
        if (width == 1)
            status = read_number(r, t, *to);
        else
            status = read_fixed_list(r, t, (uint32_t)width, width == 2 ? "a point [x, y]" : "a point [x, y, z]", *to);
        *to += width;
    }
    return status;
}

static wit_status read_list(model_reader* r, size_t token, int width, const double** out, int* count)
{
    wit_status status = wi_reader_expect(r, token, JSON_ARRAY);
    if (status) return status;
    size_t n = reader_token(r, token)->size;
    double* to = wi_memory_pool_take(&r->model->pool, (n + 1) * (size_t)width * sizeof *to);
    if (!to) return wi_reader_refuse_memory(r, token);
    *out = to;
    *count = (int)n;
    return read_row(r, token, width, &to);
}

/* A list of rows of equal length. */
static wit_status read_rows(model_reader* r, size_t token, int width, const double** out, int* rows, int* columns)
{
    wit_status status = wi_reader_expect(r, token, JSON_ARRAY);
    if (status) return status;
    uint32_t n = reader_token(r, token)->size, m = 0;
    size_t t = token + 1;
    for (uint32_t i = 0; i < n; i++, t = reader_token(r, t)->next) {
        status = wi_reader_expect(r, t, JSON_ARRAY);
        if (status) return status;
        if (i == 0) m = reader_token(r, t)->size;
        if (reader_token(r, t)->size != m)
            return wi_json_refuse(r->doc, t, NULL, r->error, WIT_ERROR_COUNT,
                                  "this row has a length of %lu, the first one of %lu; a row runs along v",
                                  (unsigned long)reader_token(r, t)->size, (unsigned long)m);
    }
    /* n * m elements are in the text, so the product is below the token limit. */
    double* to = wi_memory_pool_take(&r->model->pool, ((size_t)n * m + 1) * (size_t)width * sizeof *to);
    if (!to) return wi_reader_refuse_memory(r, token);
    *out = to;
    *rows = (int)n;
    *columns = (int)m;
    t = token + 1;
    for (uint32_t i = 0; !status && i < n; i++, t = reader_token(r, t)->next) status = read_row(r, t, width, &to);
    return status;
}

/* ---- records -------------------------------------------------------------------------------- */

static wit_status read_parameter(model_reader* r, size_t token, wit_direction* out)
{
    wit_status status = wi_reader_expect(r, token, JSON_STRING);
    if (status) return status;
    if (wi_json_equal(r->doc, token, "u"))
        *out = WIT_U;
    else if (wi_json_equal(r->doc, token, "v"))
        *out = WIT_V;
    else
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME, "expected \"u\" or \"v\"");
    return WIT_OK;
}

static wit_status read_flag(model_reader* r, size_t token, bool* out)
{
    uint32_t type = reader_token(r, token)->type;
    if (type != JSON_TRUE && type != JSON_FALSE) return wi_reader_refuse_type(r, token, "true or false");
    *out = type == JSON_TRUE;
    return WIT_OK;
}

static wit_status read_body_kind(model_reader* r, size_t token, wit_body_kind* out)
{
    wit_status status = wi_reader_expect(r, token, JSON_STRING);
    if (status) return status;
    for (int k = 0; k < WIT_BODY_KIND_COUNT; k++) {
        if (!wi_json_equal(r->doc, token, wit_body_kind_name((wit_body_kind)k))) continue;
        *out = (wit_body_kind)k;
        return WIT_OK;
    }
    return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME,
                          "unknown kind; there are solid, sheet, sheet2");
}

static wit_status read_reference(model_reader* r, size_t token, model_ref* ref, field_type type)
{
    uint32_t is = reader_token(r, token)->type;
    if (is != JSON_STRING && (type == FIELD_SURFACE || is != JSON_OBJECT))
        return wi_reader_refuse_type(r, token,
                                     type == FIELD_SURFACE ? "the name of a surface"
                                     : type == FIELD_PATCH ? "the name of a surface or an object"
                                                           : "the name of a curve or an object");
    ref->token = (uint32_t)token;
    ref->inside = is == JSON_OBJECT;
    return WIT_OK;
}

static wit_status read_link(model_reader* r, size_t token, uint32_t* link)
{
    uint32_t type = reader_token(r, token)->type;
    if (type != JSON_STRING && type != JSON_NUMBER) return wi_reader_refuse_type(r, token, "a name or an index");
    *link = (uint32_t)token;
    return WIT_OK;
}

static wit_status read_field(model_reader* r, size_t token, const model_record* record, const model_field* f)
{
    void* to = record->def + f->offset;
    int* count = (int*)(void*)(record->def + f->count);
    int* count_inner = (int*)(void*)(record->def + f->count_inner);
    switch (f->type) {
    case FIELD_NUMBER:
        return read_number(r, token, to);
    case FIELD_INTEGER:
        return wi_reader_integer(r, token, to);
    case FIELD_FLAG:
        return read_flag(r, token, to);
    case FIELD_VECTOR:
        return read_vector(r, token, to);
    case FIELD_RANGE:
        return read_range(r, token, to);
    case FIELD_FRAME:
        return read_frame(r, token, to);
    case FIELD_NUMBERS:
        return read_list(r, token, 1, to, count);
    case FIELD_PAIRS:
        return read_list(r, token, 2, to, count);
    case FIELD_POINTS:
        return read_list(r, token, 3, to, count);
    case FIELD_WEIGHTS:
        record->weights[1] = 1;
        return read_list(r, token, 1, to, &record->weights[0]);
    case FIELD_POINT_ROWS:
        return read_rows(r, token, 3, to, count, count_inner);
    case FIELD_WEIGHT_ROWS:
        return read_rows(r, token, 1, to, &record->weights[0], &record->weights[1]);
    case FIELD_PARAMETER:
        return read_parameter(r, token, to);
    case FIELD_CURVE:
        return read_reference(r, token, &record->ref[REF_CURVE], f->type);
    case FIELD_SURFACE:
    case FIELD_PATCH:
        return read_reference(r, token, &record->ref[REF_SURFACE], f->type);
    case FIELD_NAME:
        return wi_reader_name(r, token, to);
    case FIELD_NOTE:
        return wi_reader_string(r, token, JSON_MAX_BYTES, true, to);
    case FIELD_POSE:
        return read_pose(r, token, to);
    case FIELD_COLOR:
        return read_color(r, token, record->color);
    case FIELD_BODY_KIND:
        return read_body_kind(r, token, to);
    case FIELD_LINK:
        return read_link(r, token, &record->link[f->count]);
    case FIELD_LIST:
        record->link[f->count] = (uint32_t)token;
        return wi_reader_expect(r, token, f->count == LINK_SOLID ? JSON_OBJECT : JSON_ARRAY);
    }
    return WIT_ERROR_ARGUMENT;
}

static wit_status refuse_key(model_reader* r, size_t key, const model_record* record)
{
    int fields;
    const model_field* f = wi_model_fields(record->sort, &fields);
    char known[160] = "";
    size_t n = 0;
    for (int i = 0; i < fields; i++) {
        if (!((f[i].required | f[i].optional) >> record->kind & 1u)) continue;
        int wrote = snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", f[i].key);
        n += wrote > 0 && n + (size_t)wrote < sizeof known ? (size_t)wrote : 0;
    }
    return wi_json_refuse(r->doc, key, NULL, r->error, WIT_ERROR_KEY, "unknown key; %s has %s%s",
                          wi_model_kind_name(record->sort, record->kind),
                          record->name   ? "kind, name, note, "
                          : record->note ? "kind, note, "
                                         : "",
                          known);
}

/* Keys that every shape has, whatever its table. */
static bool read_common(model_reader* r, size_t key, const model_record* record, wit_status* status)
{
    if (!record->note) return false;
    if (wi_json_equal(r->doc, key, "kind")) return true;
    if (wi_json_equal(r->doc, key, "note")) {
        *status = wi_reader_string(r, key + 1, JSON_MAX_BYTES, true, record->note);
        return true;
    }
    if (!record->name || !wi_json_equal(r->doc, key, "name")) return false;
    *status = wi_reader_name(r, key + 1, record->name);
    return true;
}

wit_status wi_reader_record(model_reader* r, const model_record* record)
{
    int fields;
    const model_field* f = wi_model_fields(record->sort, &fields);
    unsigned long seen = 0;
    wit_status status = wi_reader_expect(r, record->object, JSON_OBJECT);
    if (status) return status;
    size_t key = record->object + 1;
    for (uint32_t i = 0; i < reader_token(r, record->object)->size; i++, key = reader_token(r, key + 1)->next) {
        if (!read_common(r, key, record, &status)) {
            int k = 0;
            while (k < fields && !wi_json_equal(r->doc, key, f[k].key)) k++;
            if (k == fields || !((f[k].required | f[k].optional) >> record->kind & 1u))
                return refuse_key(r, key, record);
            seen |= 1ul << k;
            status = read_field(r, key + 1, record, &f[k]);
        }
        if (status) return status;
    }
    for (int k = 0; k < fields; k++) {
        if ((f[k].required >> record->kind & 1u) && !(seen >> k & 1ul))
            return wi_json_refuse(r->doc, record->object, f[k].key, r->error, WIT_ERROR_KEY,
                                  "the key \"%s\" is missing; a %s needs it", f[k].key,
                                  wi_model_kind_name(record->sort, record->kind));
    }
    return WIT_OK;
}
