/* SPDX-License-Identifier: MIT */
#include "teaset.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "file_reason.h"
#include "number.h"

/* A place in the text. */
typedef struct cursor {
    const char* at;
    const char* end;
    const char* line_start;
    int line;
} cursor;

typedef struct place {
    int line, column;
} place;

typedef struct patch {
    int degree_u, degree_v;
    double* points;
    place at;      /* of the degrees */
    place* places; /* of the points */
} patch;

typedef struct reading {
    cursor text;
    wit_model* model;
    patch* patches;
    int count;
    wit_error* error;
} reading;

/* ---- text ----------------------------------------------------------------------------------- */

static place here(const cursor* c)
{
    place p = {c->line, (int)(c->at - c->line_start) + 1};
    return p;
}

static wit_status refuse(wit_error* error, place at, const char* item, wit_status status, const char* text, ...)
    JSON_PRINTF(5, 6);

static wit_status refuse(wit_error* error, place at, const char* item, wit_status status, const char* text, ...)
{
    if (!error) return status;
    memset(error, 0, sizeof *error);
    error->status = status;
    error->line = at.line;
    error->column = at.column;
    snprintf(error->item, sizeof error->item, "%s", item);
    va_list args;
    va_start(args, text);
    vsnprintf(error->text, sizeof error->text, text, args);
    va_end(args);
    for (char* c = error->text; *c; c++) {
        if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f) *c = '?';
    }
    return status;
}

static void skip_blank(cursor* c)
{
    for (; c->at < c->end && strchr(" \t\r\n", *c->at) && *c->at; c->at++) {
        if (*c->at != '\n') continue;
        c->line++;
        c->line_start = c->at + 1;
    }
}

static size_t take_digits(const char** s, const char* end, char* to, size_t n)
{
    for (; *s < end && **s >= '0' && **s <= '9'; ++*s) to[n++] = **s;
    return n;
}

/* The word as a JSON number, which needs digits on both sides of the point and has no +. 0: it is no number. */
static size_t plain_number(const char* s, size_t length, char to[2 * 64])
{
    const char* end = s + length;
    size_t n = 0;
    if (s < end && *s == '-') to[n++] = '-';
    if (s < end && (*s == '-' || *s == '+')) s++;
    while (s + 1 < end && s[0] == '0' && s[1] >= '0' && s[1] <= '9') s++;
    size_t begin = n;
    n = take_digits(&s, end, to, n);
    bool whole = n > begin, part = false;
    if (!whole) to[n++] = '0';
    if (s < end && *s == '.') {
        size_t point = n;
        to[n++] = *s++;
        n = take_digits(&s, end, to, n);
        part = n > point + 1;
        if (!part) to[n++] = '0';
    }
    if (!whole && !part) return 0;
    if (s < end && (*s == 'e' || *s == 'E')) {
        to[n++] = *s++;
        if (s < end && (*s == '-' || *s == '+')) to[n++] = *s++;
        size_t exponent = n;
        n = take_digits(&s, end, to, n);
        if (n == exponent) return 0;
    }
    return s == end ? n : 0;
}

static wit_status read_number(reading* r, const char* item, const char* what, double* out, place* at)
{
    cursor* c = &r->text;
    skip_blank(c);
    *at = here(c);
    if (c->at == c->end) return refuse(r->error, *at, item, WIT_ERROR_SYNTAX, "the text ends where %s should be", what);
    const char* start = c->at;
    while (c->at < c->end && (!*c->at || !strchr(" \t\r\n", *c->at))) c->at++;
    size_t length = (size_t)(c->at - start);
    char copy[2 * 64];
    size_t n = length < 64 ? plain_number(start, length, copy) : 0;
    if (!n)
        return refuse(r->error, *at, item, WIT_ERROR_SYNTAX, "expected %s, found '%.*s'", what,
                      (int)(length < 40 ? length : 40), start);
    if (!wi_number_read(copy, n, out)) return refuse(r->error, *at, item, WIT_ERROR_NUMBER, "the number is too large");
    return WIT_OK;
}

static wit_status read_count(reading* r, const char* item, const char* what, int lo, int hi, int* out, place* at)
{
    double x;
    wit_status status = read_number(r, item, what, &x, at);
    if (status) return status;
    if (!(x >= lo && x <= hi) || x != (double)(int)x)
        return refuse(r->error, *at, item, WIT_ERROR_COUNT, "%s must be a whole number from %d to %d", what, lo, hi);
    *out = (int)x;
    return WIT_OK;
}

static wit_status read_patch(reading* r, int index)
{
    patch* p = &r->patches[index];
    char item[64];
    place at;
    snprintf(item, sizeof item, "patches[%d].degree_u", index);
    wit_status status = read_count(r, item, "the degree along u", 1, WIT_MAX_DEGREE, &p->degree_u, &p->at);
    snprintf(item, sizeof item, "patches[%d].degree_v", index);
    if (!status) status = read_count(r, item, "the degree along v", 1, WIT_MAX_DEGREE, &p->degree_v, &at);
    if (status) return status;
    int n = (p->degree_u + 1) * (p->degree_v + 1);
    p->points = wi_memory_pool_take(&r->model->pool, 3 * (size_t)n * sizeof *p->points);
    p->places = wi_memory_pool_take(&r->model->pool, (size_t)n * sizeof *p->places);
    if (!p->points || !p->places) return refuse(r->error, p->at, item, WIT_ERROR_MEMORY, "no memory for the patch");
    for (int k = 0; k < 3 * n && !status; k++) {
        snprintf(item, sizeof item, "patches[%d].points[%d][%d]", index, k / 3 / (p->degree_v + 1),
                 k / 3 % (p->degree_v + 1));
        status = read_number(r, item, "a coordinate", &p->points[k], &at);
        if (k % 3 == 0) p->places[k / 3] = at;
    }
    return status;
}

static wit_status read_patches(reading* r)
{
    place at;
    wit_status status = read_count(r, "count", "the number of patches", 1, TEASET_MAX_PATCHES, &r->count, &at);
    if (status) return status;
    /* A patch has at least two degrees and twelve numbers: 27 bytes. Checked before memory is taken. */
    if ((size_t)r->count > (size_t)(r->text.end - r->text.at) / 27 + 1)
        return refuse(r->error, at, "count", WIT_ERROR_COUNT, "the text is too short for %d patches", r->count);
    r->patches = wi_memory_pool_take(&r->model->pool, (size_t)r->count * sizeof *r->patches);
    if (!r->patches) return refuse(r->error, at, "count", WIT_ERROR_MEMORY, "no memory for %d patches", r->count);
    for (int i = 0; i < r->count && !status; i++) status = read_patch(r, i);
    if (status) return status;
    skip_blank(&r->text);
    if (r->text.at != r->text.end)
        return refuse(r->error, here(&r->text), "count", WIT_ERROR_COUNT, "there is more text after the last patch");
    return WIT_OK;
}

/* ---- shapes --------------------------------------------------------------------------------- */

enum { ORDER_MOST = WIT_MAX_DEGREE + 1 };
#define TEN(x) x, x, x, x, x, x, x, x, x, x
#define TWENTY_SIX(x) TEN(x), TEN(x), x, x, x, x, x, x
/* Clamped knots of a single Bezier piece. */
static const double bezier_knots[] = {TWENTY_SIX(0), TWENTY_SIX(1)};
_Static_assert(sizeof bezier_knots == 2 * ORDER_MOST * sizeof(double), "as many as the largest order");

static wit_status make_surface(reading* r, int index)
{
    const patch* p = &r->patches[index];
    model_item* item = &r->model->items[index];
    memset(item, 0, sizeof *item);
    item->sort = SORT_SURFACE;
    item->ref[REF_CURVE].item = item->ref[REF_SURFACE].item = -1;
    char* name = wi_memory_pool_take(&r->model->pool, 24);
    if (!name) return refuse(r->error, p->at, "count", WIT_ERROR_MEMORY, "no memory for a name");
    snprintf(name, 24, "patch %d", index + 1);
    item->name = name;
    wit_surface_def* d = &item->def.surface;
    *d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d->degree_u = p->degree_u;
    d->degree_v = p->degree_v;
    d->count_u = p->degree_u + 1;
    d->count_v = p->degree_v + 1;
    d->knot_count_u = 2 * d->count_u;
    d->knot_count_v = 2 * d->count_v;
    d->knots_u = bezier_knots + WIT_MAX_DEGREE - p->degree_u;
    d->knots_v = bezier_knots + WIT_MAX_DEGREE - p->degree_v;
    d->points = p->points;
    wit_error core = {0};
    item->surface = wit_surface_create(d, &r->model->pool.allocator, &core);
    if (item->surface) return WIT_OK;
    char path[96];
    snprintf(path, sizeof path, "patches[%d]%s%.60s", index, core.item[0] ? "." : "", core.item);
    int i, j;
    bool point =
        sscanf(core.item, "points[%d][%d]", &i, &j) == 2 && i >= 0 && i <= p->degree_u && j >= 0 && j <= p->degree_v;
    return refuse(r->error, point ? p->places[i * (p->degree_v + 1) + j] : p->at, path, core.status, "%s", core.text);
}

static double diagonal(const reading* r)
{
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY}, sum = 0;
    for (int i = 0; i < r->count; i++) {
        const patch* p = &r->patches[i];
        for (int k = 0; k < 3 * (p->degree_u + 1) * (p->degree_v + 1); k++) {
            lo[k % 3] = fmin(lo[k % 3], p->points[k]);
            hi[k % 3] = fmax(hi[k % 3], p->points[k]);
        }
    }
    for (int k = 0; k < 3; k++) sum += (hi[k] - lo[k]) * (hi[k] - lo[k]);
    return sqrt(sum);
}

static wit_status make_body(reading* r)
{
    wit_model* m = r->model;
    place start = {1, 1};
    if (!wi_model_imply_body(m)) return refuse(r->error, start, "count", WIT_ERROR_MEMORY, "no memory for the body");
    model_body* b = m->bodies;
    b->implied = false;
    b->def.sew_tolerance = WIT_BPT_SEW * diagonal(r);
    for (int i = 0; i < b->def.face_count; i++) b->faces[i].surface = m->items[b->face_surfaces[i].item].surface;
    wit_error core = {0};
    b->body = wit_body_create(&b->def, &m->pool.allocator, &core);
    if (b->body) return WIT_OK;
    int face = -1;
    bool known = sscanf(core.item, "faces[%d]", &face) == 1 && face >= 0 && face < r->count;
    char path[96];
    snprintf(path, sizeof path, "patches[%d]", known ? face : 0);
    return refuse(r->error, known ? r->patches[face].at : start, path, core.status, "%s", core.text);
}

static wit_status make_model(reading* r)
{
    wit_model* m = r->model;
    wit_status status = read_patches(r);
    if (status) return status;
    place start = {1, 1};
    m->items = wi_memory_take(&m->pool.allocator, (size_t)r->count * sizeof *m->items);
    if (!m->items || !wi_model_names_room(&m->names, &m->pool, r->count)) {
        m->room = m->items ? r->count : 0;
        return refuse(r->error, start, "count", WIT_ERROR_MEMORY, "no memory for the shapes");
    }
    m->room = r->count;
    for (int i = 0; i < r->count && !status; i++) {
        status = make_surface(r, i);
        if (status) break;
        m->count = m->surfaces = i + 1;
        m->names.list[i].name = m->items[i].name;
        m->names.list[i].item = i;
        m->names.count = i + 1;
    }
    if (status) return status;
    wi_model_names_sort(&m->names);
    return make_body(r);
}

/* ---- the calls ------------------------------------------------------------------------------ */

wit_model* wit_model_read_bpt_text(const char* text, size_t bytes, const wit_allocator* allocator, wit_error* error)
{
    place none = {0, 0}, start = {1, 1};
    if (!text) {
        refuse(error, none, "text", WIT_ERROR_ARGUMENT, "the pointer is null");
        return NULL;
    }
    if (bytes > TEASET_MAX_BYTES) {
        refuse(error, start, "text", WIT_ERROR_DEPTH, "the text is longer than 256 MB");
        return NULL;
    }
    wit_allocator a = wi_memory_allocator(allocator);
    wit_model* model = wi_memory_take(&a, sizeof *model);
    if (!model) {
        refuse(error, start, "text", WIT_ERROR_MEMORY, "no memory for the model");
        return NULL;
    }
    memset(model, 0, sizeof *model);
    model->pool.allocator = a;
    reading r = {{text, text + bytes, text, 1}, model, NULL, 0, error};
    if (!make_model(&r)) return model;
    wit_model_destroy(model);
    return NULL;
}

wit_model* wit_model_read_bpt(const char* path, const wit_allocator* allocator, wit_error* error)
{
    place none = {0, 0};
    wit_allocator a = wi_memory_allocator(allocator);
    char* text = NULL;
    size_t room = 0, bytes = 0;
    wit_status status = WIT_OK;
    errno = 0;
    FILE* file = path ? fopen(path, "rb") : NULL;
    if (!path)
        status = refuse(error, none, "path", WIT_ERROR_ARGUMENT, "the pointer is null");
    else if (!file)
        status = refuse(error, none, "file", WIT_ERROR_FILE, "the file cannot be opened%s", file_reason());
    errno = 0;
    while (!status) {
        if (bytes == room) {
            char* grown = wi_memory_take(&a, room ? 2 * room : 1 << 16);
            if (!grown) {
                status = refuse(error, none, "file", WIT_ERROR_MEMORY, "no memory for the text");
                break;
            }
            if (bytes) memcpy(grown, text, bytes);
            wi_memory_give(&a, text, room);
            text = grown;
            room = room ? 2 * room : 1 << 16;
        }
        size_t n = fread(text + bytes, 1, room - bytes, file);
        bytes += n;
        if (!n || bytes > TEASET_MAX_BYTES) break;
    }
    if (!status && ferror(file))
        status = refuse(error, none, "file", WIT_ERROR_FILE, "the file cannot be read%s", file_reason());
    if (file) fclose(file);
    wit_model* model = status ? NULL : wit_model_read_bpt_text(text, bytes, allocator, error);
    wi_memory_give(&a, text, room);
    return model;
}
