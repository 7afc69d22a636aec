/* SPDX-License-Identifier: MIT */
/* Defs to JSON, in one layout: a key per line, a row of points per line, long lists wrapped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "number.h"

enum { WRAP_COLUMN = 110, CHUNK = 1 << 12 };

typedef struct writer {
    const wit_model* model;
    char* to; /* the caller's text, or a buffer in front of the file */
    size_t room;
    size_t used;   /* bytes of `to` */
    size_t length; /* of everything */
    int column;
    FILE* file; /* or null */
    bool failed;
} writer;

static void flush(writer* w)
{
    if (w->used && fwrite(w->to, 1, w->used, w->file) != w->used) w->failed = true;
    w->used = 0;
}

static void put(writer* w, const char* s)
{
    for (; *s; s++) {
        w->column = *s == '\n' ? 0 : w->column + 1;
        w->length++;
        if (w->file && w->used == w->room) flush(w);
        if (w->file || w->used + 1 < w->room) w->to[w->used++] = *s;
    }
}

static void put_line(writer* w, int indent)
{
    put(w, "\n");
    for (int i = 0; i < indent; i++) put(w, " ");
}

static void put_number(writer* w, double x)
{
    char text[NUMBER_ROOM];
    number_write(x, text);
    put(w, text);
}

static void put_string(writer* w, const char* s)
{
    put(w, "\"");
    for (; *s; s++) {
        char piece[8] = {*s, 0};
        if (*s == '"' || *s == '\\') {
            piece[0] = '\\';
            piece[1] = *s;
            piece[2] = 0;
        } else if ((unsigned char)*s < 0x20) {
            snprintf(piece, sizeof piece, "\\u%04x", (unsigned)(unsigned char)*s);
        }
        put(w, piece);
    }
    put(w, "\"");
}

/* `,` and a new line before every member but the first; then the key. */
static void put_key(writer* w, int indent, bool* first, const char* key)
{
    if (!*first) put(w, ",");
    *first = false;
    put_line(w, indent);
    put_string(w, key);
    put(w, ": ");
}

static void put_vector(writer* w, wit_vec3 v)
{
    put(w, "[");
    put_number(w, v.x);
    put(w, ", ");
    put_number(w, v.y);
    put(w, ", ");
    put_number(w, v.z);
    put(w, "]");
}

/* [a, b, ...] of n numbers (width 1) or points (width 3), wrapped; continuation lines are indented by `indent`. */
static void put_list(writer* w, int indent, const double* x, int n, int width)
{
    put(w, "[");
    for (int i = 0; i < n; i++) {
        if (i && w->column > WRAP_COLUMN) {
            put(w, ",");
            put_line(w, indent);
        } else if (i) {
            put(w, ", ");
        }
        if (width == 1) {
            put_number(w, x[i]);
        } else {
            wit_vec3 p = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
            put_vector(w, p);
        }
    }
    put(w, "]");
}

static void put_rows(writer* w, int indent, const double* x, int rows, int columns, int width)
{
    put(w, "[");
    for (int i = 0; i < rows; i++) {
        if (i) put(w, ",");
        put_line(w, indent + 2);
        put_list(w, indent + 3, x + (size_t)i * (size_t)columns * (size_t)width, columns, width);
    }
    put_line(w, indent);
    put(w, "]");
}

static void put_frame(writer* w, const wit_frame* frame)
{
    put(w, "{\"origin\": ");
    put_vector(w, frame->origin);
    put(w, ", \"x\": ");
    put_vector(w, frame->x);
    put(w, ", \"z\": ");
    put_vector(w, frame->z);
    put(w, "}");
}

static void put_item(writer* w, int indent, const model_item* item);

static void put_reference(writer* w, int indent, const model_ref* ref)
{
    const model_item* to = &w->model->items[ref->item];
    if (ref->inside)
        put_item(w, indent, to);
    else
        put_string(w, to->name);
}

/* Whether an optional field says what leaving it out says too. */
static bool is_default(const model_field* f, const char* def, const char* plain)
{
    const void* here = def + f->offset;
    switch (f->type) {
    case FIELD_FRAME:
        return memcmp(here, plain + f->offset, sizeof(wit_frame)) == 0;
    case FIELD_RANGE: {
        const wit_interval* r = here;
        return r->lo == 0 && r->hi == 0;
    }
    case FIELD_FLAG:
        return !*(const bool*)here;
    case FIELD_WEIGHTS:
    case FIELD_WEIGHT_ROWS:
        return !*(const double* const*)here;
    default:
        return false;
    }
}

static void put_field(writer* w, int indent, const model_item* item, const char* def, const model_field* f)
{
    const void* from = def + f->offset;
    int n = *(const int*)(const void*)(def + f->count);
    int m = *(const int*)(const void*)(def + f->count_inner);
    char digits[16];
    switch (f->type) {
    case FIELD_NUMBER:
        put_number(w, *(const double*)from);
        break;
    case FIELD_INTEGER:
        snprintf(digits, sizeof digits, "%d", *(const int*)from);
        put(w, digits);
        break;
    case FIELD_FLAG:
        put(w, *(const bool*)from ? "true" : "false");
        break;
    case FIELD_VECTOR:
        put_vector(w, *(const wit_vec3*)from);
        break;
    case FIELD_RANGE: {
        const wit_interval* r = from;
        double ends[2] = {r->lo, r->hi};
        put_list(w, indent, ends, 2, 1);
        break;
    }
    case FIELD_FRAME:
        put_frame(w, from);
        break;
    case FIELD_NUMBERS:
    case FIELD_WEIGHTS:
        put_list(w, indent + 1, *(const double* const*)from, n, 1);
        break;
    case FIELD_POINTS:
        put_list(w, indent + 1, *(const double* const*)from, n, 3);
        break;
    case FIELD_POINT_ROWS:
        put_rows(w, indent, *(const double* const*)from, n, m, 3);
        break;
    case FIELD_WEIGHT_ROWS:
        put_rows(w, indent, *(const double* const*)from, n, m, 1);
        break;
    case FIELD_PARAMETER:
        put_string(w, *(const wit_direction*)from == WIT_V ? "v" : "u");
        break;
    case FIELD_CURVE:
        put_reference(w, indent, &item->ref[REF_CURVE]);
        break;
    case FIELD_SURFACE:
        put_reference(w, indent, &item->ref[REF_SURFACE]);
        break;
    }
}

/* Nested no deeper than MODEL_MAX_NESTING. */
static void put_item(writer* w, int indent, const model_item* item)
{
    bool first = true;
    int fields, kind = item_kind(item);
    const model_field* f = model_fields(item->is_surface, &fields);
    wit_curve_def curve = wit_curve_default_def(item->is_surface ? WIT_CURVE_LINE : (wit_curve_kind)kind);
    wit_surface_def surface = wit_surface_default_def(item->is_surface ? (wit_surface_kind)kind : WIT_SURFACE_PLANE);
    const char* plain = item->is_surface ? (const char*)&surface : (const char*)&curve;
    const char* def = item->is_surface ? (const char*)&item->def.surface : (const char*)&item->def.curve;
    put(w, "{");
    if (item->name) {
        put_key(w, indent + 2, &first, "name");
        put_string(w, item->name);
    }
    put_key(w, indent + 2, &first, "kind");
    put_string(w, model_kind_name(item->is_surface, kind));
    if (item->note) {
        put_key(w, indent + 2, &first, "note");
        put_string(w, item->note);
    }
    for (int k = 0; k < fields; k++) {
        bool required = f[k].required >> kind & 1u, optional = f[k].optional >> kind & 1u;
        if (!required && (!optional || is_default(&f[k], def, plain))) continue;
        put_key(w, indent + 2, &first, f[k].key);
        put_field(w, indent + 2, item, def, &f[k]);
    }
    put_line(w, indent);
    put(w, "}");
}

static void put_shapes(writer* w, bool* first, const char* key, int start, int count)
{
    if (count == 0) return;
    put_key(w, 2, first, key);
    put(w, "[");
    for (int i = 0; i < count; i++) {
        if (i) put(w, ",");
        put_line(w, 4);
        put_item(w, 4, &w->model->items[start + i]);
    }
    put_line(w, 2);
    put(w, "]");
}

static void put_model(writer* w)
{
    const wit_model* m = w->model;
    bool first = true;
    put(w, "{");
    put_key(w, 2, &first, "format");
    put_string(w, "witness-model");
    put_key(w, 2, &first, "version");
    put(w, "1");
    if (m->name) {
        put_key(w, 2, &first, "name");
        put_string(w, m->name);
    }
    put_key(w, 2, &first, "unit");
    put_string(w, wit_unit_name(m->unit));
    if (m->note) {
        put_key(w, 2, &first, "note");
        put_string(w, m->note);
    }
    put_shapes(w, &first, "curves", 0, m->curves);
    put_shapes(w, &first, "surfaces", m->curves, m->surfaces);
    put(w, "\n}\n");
}

size_t wit_model_write_text(const wit_model* model, char* to, size_t room)
{
    if (!to) room = 0;
    if (room) to[0] = 0;
    if (!model) return 0;
    writer w = {.model = model, .to = to, .room = room};
    put_model(&w);
    if (room) to[w.used] = 0;
    return w.length;
}

static wit_status refuse_file(wit_error* error, wit_status status, const char* item, const char* text)
{
    if (error) {
        memset(error, 0, sizeof *error);
        error->status = status;
        snprintf(error->item, sizeof error->item, "%s", item);
        snprintf(error->text, sizeof error->text, "%s", text);
    }
    return status;
}

wit_status wit_model_write_file(const wit_model* model, const char* path, wit_error* error)
{
    if (!model) return refuse_file(error, WIT_ERROR_ARGUMENT, "model", "the pointer is null");
    if (!path) return refuse_file(error, WIT_ERROR_ARGUMENT, "path", "the pointer is null");
    FILE* file = fopen(path, "wb");
    if (!file) return refuse_file(error, WIT_ERROR_FILE, "file", "the file cannot be opened for writing");
    char chunk[CHUNK];
    writer w = {.model = model, .to = chunk, .room = sizeof chunk, .file = file};
    put_model(&w);
    flush(&w);
    bool failed = fclose(file) != 0 || w.failed;
    return failed ? refuse_file(error, WIT_ERROR_FILE, "file", "the file cannot be written in full") : WIT_OK;
}
