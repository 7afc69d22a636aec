/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "model_writer.h"
#include "number.h"

enum { CHUNK = 1 << 12 };

void wi_writer_flush(model_writer* w)
{
    if (w->used && fwrite(w->to, 1, w->used, w->file) != w->used) w->failed = true;
    w->used = 0;
}

void wi_writer_put(model_writer* w, const char* s)
{
    for (; *s; s++) {
        w->column = *s == '\n' ? 0 : w->column + 1;
        w->length++;
        if (w->file && w->used == w->room) wi_writer_flush(w);
        if (w->file || w->used + 1 < w->room) w->to[w->used++] = *s;
    }
}

void wi_writer_line(model_writer* w, int indent)
{
    wi_writer_put(w, "\n");
    for (int i = 0; i < indent; i++) wi_writer_put(w, " ");
}

static void put_number(model_writer* w, double x)
{
    char text[NUMBER_ROOM];
    wi_number_write(x, text);
    wi_writer_put(w, text);
}

void wi_writer_string(model_writer* w, const char* s)
{
    wi_writer_put(w, "\"");
    for (; *s; s++) {
        char piece[8] = {*s, 0};
        if (*s == '"' || *s == '\\') {
            piece[0] = '\\';
            piece[1] = *s;
            piece[2] = 0;
        } else if ((unsigned char)*s < 0x20) {
            snprintf(piece, sizeof piece, "\\u%04x", (unsigned)(unsigned char)*s);
        }
        wi_writer_put(w, piece);
    }
    wi_writer_put(w, "\"");
}

void wi_writer_open(model_writer* w, model_object* object, int indent, bool compact)
{
    object->indent = indent + 2;
    object->compact = compact;
    object->begun = false;
    wi_writer_put(w, "{");
}

void wi_writer_key(model_writer* w, model_object* object, const char* key)
{
    if (object->begun) wi_writer_put(w, object->compact ? ", " : ",");
    object->begun = true;
    if (!object->compact) wi_writer_line(w, object->indent);
    wi_writer_string(w, key);
    wi_writer_put(w, ": ");
}

void wi_writer_close(model_writer* w, model_object* object)
{
    if (!object->compact) wi_writer_line(w, object->indent - 2);
    wi_writer_put(w, "}");
}

static void put_vector(model_writer* w, wit_vec3 v)
{
    wi_writer_put(w, "[");
    put_number(w, v.x);
    wi_writer_put(w, ", ");
    put_number(w, v.y);
    wi_writer_put(w, ", ");
    put_number(w, v.z);
    wi_writer_put(w, "]");
}

/* [a, b, ...] of n numbers (width 1) or points (width 2, 3), wrapped; continuation lines are indented by `indent`. */
static void put_list(model_writer* w, int indent, const double* x, int n, int width)
{
    wi_writer_put(w, "[");
    for (int i = 0; i < n; i++) {
        if (i && w->column > WRITER_WRAP) {
            wi_writer_put(w, ",");
            wi_writer_line(w, indent);
        } else if (i) {
            wi_writer_put(w, ", ");
        }
        if (width == 1) {
            put_number(w, x[i]);
        } else if (width == 2) {
            wi_writer_put(w, "[");
            put_number(w, x[2 * i]);
            wi_writer_put(w, ", ");
            put_number(w, x[2 * i + 1]);
            wi_writer_put(w, "]");
        } else {
            wit_vec3 p = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
            put_vector(w, p);
        }
    }
    wi_writer_put(w, "]");
}

static void put_rows(model_writer* w, int indent, const double* x, int rows, int columns, int width)
{
    wi_writer_put(w, "[");
    for (int i = 0; i < rows; i++) {
        if (i) wi_writer_put(w, ",");
        wi_writer_line(w, indent + 2);
        put_list(w, indent + 3, x + (size_t)i * (size_t)columns * (size_t)width, columns, width);
    }
    wi_writer_line(w, indent);
    wi_writer_put(w, "]");
}

static void put_frame(model_writer* w, const wit_frame* frame)
{
    wi_writer_put(w, "{\"origin\": ");
    put_vector(w, frame->origin);
    wi_writer_put(w, ", \"x\": ");
    put_vector(w, frame->x);
    wi_writer_put(w, ", \"z\": ");
    put_vector(w, frame->z);
    wi_writer_put(w, "}");
}

static void put_pose(model_writer* w, const wit_pose* pose)
{
    double q[4] = {pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z};
    wi_writer_put(w, "{\"position\": ");
    put_vector(w, pose->position);
    wi_writer_put(w, ", \"rotation\": [");
    for (int i = 0; i < 4; i++) {
        if (i) wi_writer_put(w, ", ");
        put_number(w, q[i]);
    }
    wi_writer_put(w, "]}");
}

static void put_reference(model_writer* w, int indent, const model_ref* ref)
{
    const model_item* to = &w->model->items[ref->item];
    if (ref->inside)
        wi_writer_item(w, indent, to);
    else
        wi_writer_string(w, to->name);
}

/* Whether an optional field says what leaving it out says too. */
static bool is_default(const model_field* f, const char* def, const char* plain)
{
    const void* here = def + f->offset;
    switch (f->type) {
    case FIELD_FRAME:
        return memcmp(here, plain + f->offset, sizeof(wit_frame)) == 0;
    case FIELD_POSE: {
        wit_pose none = wit_pose_identity();
        return memcmp(here, &none, sizeof none) == 0;
    }
    case FIELD_RANGE: {
        const wit_interval* r = here;
        return r->lo == 0 && r->hi == 0;
    }
    case FIELD_FLAG:
        return !*(const bool*)here;
    case FIELD_NUMBER:
        return *(const double*)here == 0;
    case FIELD_NAME:
    case FIELD_NOTE:
        return !*(const char* const*)here;
    case FIELD_WEIGHTS:
    case FIELD_WEIGHT_ROWS:
        return !*(const double* const*)here;
    default:
        return false;
    }
}

static void put_lists(model_writer* w, int indent, const char* def, const model_field* f)
{
    const double* x = *(const double* const*)(const void*)(def + f->offset);
    int n = *(const int*)(const void*)(def + f->count);
    int m = *(const int*)(const void*)(def + f->count_inner);
    if (f->type == FIELD_POINT_ROWS)
        put_rows(w, indent, x, n, m, 3);
    else if (f->type == FIELD_WEIGHT_ROWS)
        put_rows(w, indent, x, n, m, 1);
    else
        put_list(w, indent + 1, x, n, f->type == FIELD_POINTS ? 3 : f->type == FIELD_PAIRS ? 2 : 1);
}

static void put_field(model_writer* w, int indent, const char* def, const model_ref* ref, const model_color* color,
                      const model_field* f)
{
    const void* from = def + f->offset;
    char digits[16];
    switch (f->type) {
    case FIELD_NUMBER:
        put_number(w, *(const double*)from);
        break;
    case FIELD_INTEGER:
        snprintf(digits, sizeof digits, "%d", *(const int*)from);
        wi_writer_put(w, digits);
        break;
    case FIELD_FLAG:
        wi_writer_put(w, *(const bool*)from ? "true" : "false");
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
    case FIELD_PAIRS:
    case FIELD_POINTS:
    case FIELD_POINT_ROWS:
    case FIELD_WEIGHT_ROWS:
        put_lists(w, indent, def, f);
        break;
    case FIELD_PARAMETER:
        wi_writer_string(w, *(const wit_direction*)from == WIT_V ? "v" : "u");
        break;
    case FIELD_CURVE:
        put_reference(w, indent, &ref[REF_CURVE]);
        break;
    case FIELD_SURFACE:
    case FIELD_PATCH:
        put_reference(w, indent, &ref[REF_SURFACE]);
        break;
    case FIELD_NAME:
    case FIELD_NOTE:
        wi_writer_string(w, *(const char* const*)from);
        break;
    case FIELD_POSE:
        put_pose(w, from);
        break;
    case FIELD_BODY_KIND:
        wi_writer_string(w, wit_body_kind_name(*(const wit_body_kind*)from));
        break;
    case FIELD_COLOR:
        put_vector(w, color->value);
        break;
    case FIELD_LINK:
    case FIELD_LIST:
        break;
    }
}

/* Links and lists are left to the caller. */
static bool is_written(const model_field* f, int kind, const char* def, const char* plain, const model_ref* ref,
                       const model_color* color)
{
    if (f->type == FIELD_LINK || f->type == FIELD_LIST) return false;
    if (f->required >> kind & 1u) return true;
    if (!(f->optional >> kind & 1u)) return false;
    if (f->type == FIELD_COLOR) return color && color->given;
    return f->type == FIELD_CURVE ? ref[REF_CURVE].item >= 0 : !is_default(f, def, plain);
}

void wi_writer_fields(model_writer* w, model_object* object, model_sort sort, int kind, const char* def,
                      const char* plain, const model_ref* ref, const model_color* color)
{
    int fields;
    const model_field* f = wi_model_fields(sort, &fields);
    for (int k = 0; k < fields; k++) {
        if (!is_written(&f[k], kind, def, plain, ref, color)) continue;
        wi_writer_key(w, object, f[k].key);
        put_field(w, object->indent, def, ref, color, &f[k]);
    }
}

/* Nested no deeper than MODEL_MAX_NESTING. */
void wi_writer_item(model_writer* w, int indent, const model_item* item)
{
    int kind = item_kind(item);
    model_item plain;
    if (item->sort == SORT_CURVE)
        plain.def.curve = wit_curve_default_def((wit_curve_kind)kind);
    else if (item->sort == SORT_SURFACE)
        plain.def.surface = wit_surface_default_def((wit_surface_kind)kind);
    else
        plain.def.solid = wit_solid_default_def((wit_solid_kind)kind);
    model_object object;
    wi_writer_open(w, &object, indent, false);
    if (item->name) {
        wi_writer_key(w, &object, "name");
        wi_writer_string(w, item->name);
    }
    wi_writer_key(w, &object, "kind");
    wi_writer_string(w, wi_model_kind_name(item->sort, kind));
    if (item->note) {
        wi_writer_key(w, &object, "note");
        wi_writer_string(w, item->note);
    }
    wi_writer_fields(w, &object, item->sort, kind, (const char*)&item->def, (const char*)&plain.def, item->ref, NULL);
    wi_writer_close(w, &object);
}

static void put_shapes(model_writer* w, model_object* object, const char* key, int start, int count)
{
    if (count == 0) return;
    wi_writer_key(w, object, key);
    wi_writer_put(w, "[");
    for (int i = 0; i < count; i++) {
        if (i) wi_writer_put(w, ",");
        wi_writer_line(w, 4);
        wi_writer_item(w, 4, &w->model->items[start + i]);
    }
    wi_writer_line(w, 2);
    wi_writer_put(w, "]");
}

static void put_bodies(model_writer* w, model_object* object)
{
    const wit_model* m = w->model;
    if (!m->body_count || m->bodies[0].implied) return;
    wi_writer_key(w, object, "bodies");
    wi_writer_put(w, "[");
    for (int i = 0; i < m->body_count; i++) {
        if (i) wi_writer_put(w, ",");
        wi_writer_line(w, 4);
        wi_writer_body(w, 4, &m->bodies[i]);
    }
    wi_writer_line(w, 2);
    wi_writer_put(w, "]");
}

static void put_model(model_writer* w)
{
    const wit_model* m = w->model;
    model_object object;
    wi_writer_open(w, &object, 0, false);
    wi_writer_key(w, &object, "format");
    wi_writer_string(w, "witness-model");
    wi_writer_key(w, &object, "version");
    wi_writer_put(w, "1");
    if (m->name) {
        wi_writer_key(w, &object, "name");
        wi_writer_string(w, m->name);
    }
    wi_writer_key(w, &object, "unit");
    wi_writer_string(w, wit_unit_name(m->unit));
    if (m->note) {
        wi_writer_key(w, &object, "note");
        wi_writer_string(w, m->note);
    }
    put_shapes(w, &object, "curves", 0, m->curves);
    put_shapes(w, &object, "surfaces", m->curves, m->surfaces);
    put_bodies(w, &object);
    wi_writer_close(w, &object);
    wi_writer_put(w, "\n");
}

size_t wit_model_write_text(const wit_model* model, char* to, size_t room)
{
    if (!to) room = 0;
    if (room) to[0] = 0;
    if (!model) return 0;
    model_writer w = {.model = model, .to = to, .room = room};
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
    model_writer w = {.model = model, .to = chunk, .room = sizeof chunk, .file = file};
    put_model(&w);
    wi_writer_flush(&w);
    bool failed = fclose(file) != 0 || w.failed;
    return failed ? refuse_file(error, WIT_ERROR_FILE, "file", "the file cannot be written in full") : WIT_OK;
}
