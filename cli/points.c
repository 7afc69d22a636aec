/* SPDX-License-Identifier: MIT */
#include "points.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../io/file_reason.h"
#include "numbers.h"

static const char* const words[] = {[POINTS_TEXT] = "text", [POINTS_CSV] = "csv", [POINTS_NPY] = "npy"};

bool points_format_of_word(const char* word, points_format* to)
{
    for (int k = POINTS_TEXT; k <= POINTS_NPY; ++k) {
        if (strcmp(word, words[k]) != 0) continue;
        *to = (points_format)k;
        return true;
    }
    return false;
}

points_format points_format_of_name(const char* path)
{
    const char* dot = strrchr(path, '.');
    points_format f = POINTS_TEXT;
    if (dot) points_format_of_word(dot + 1, &f);
    return f;
}

void points_free(point_list* list)
{
    free(list->xyz);
    free(list->line);
    memset(list, 0, sizeof *list);
}

void points_place(out* o, const char* shown, const point_list* list, int64_t i)
{
    if (list->line)
        out_text(o, "%s:%lld", shown, (long long)list->line[i]);
    else
        out_text(o, "%s: row %lld", shown, (long long)i + 1);
}

/* ---- reading ------------------------------------------------------------------------------- */

typedef struct reader {
    FILE* file;
    const char* shown;
    point_list list;
    int64_t room;
} reader;

static bool no_memory(const reader* r)
{
    fprintf(stderr, "%s: no memory for its points\n", r->shown);
    return false;
}

/* All of the file, with a zero behind; null after a message. */
static char* whole(const reader* r, size_t* bytes)
{
    size_t room = 1 << 16, used = 0;
    char* text = malloc(room);
    while (text) {
        used += fread(text + used, 1, room - used - 1, r->file);
        if (used + 1 < room) break;
        char* grown = room <= SIZE_MAX / 2 ? realloc(text, 2 * room) : NULL;
        if (!grown) free(text);
        text = grown;
        room *= 2;
    }
    if (!text) {
        no_memory(r);
    } else if (ferror(r->file)) {
        fprintf(stderr, "%s: it cannot be read%s\n", r->shown, file_reason());
        free(text);
        text = NULL;
    } else {
        text[used] = 0;
        *bytes = used;
    }
    return text;
}

static bool grow(reader* r)
{
    int64_t room = r->room ? 2 * r->room : 1024;
    double* xyz = realloc(r->list.xyz, (size_t)room * 3 * sizeof *xyz);
    if (xyz) r->list.xyz = xyz;
    int64_t* line = realloc(r->list.line, (size_t)room * sizeof *line);
    if (line) r->list.line = line;
    r->room = room;
    return xyz && line ? true : no_memory(r);
}

static bool add_line(reader* r, const char* text, size_t length, int64_t number)
{
    number_line n;
    bool good = numbers_read(text, length, &n);
    if (good && n.count == 0) return true;
    if (good && n.count != 3) {
        good = false;
        n.column = n.count > 3 ? n.at[3] : 1;
        snprintf(n.reason, sizeof n.reason, "%d number%s, not 3: x y z", n.count, n.count == 1 ? "" : "s");
    }
    for (int k = 0; good && k < 3; ++k) {
        if (fabs(n.value[k]) <= WIT_MAX_COORDINATE) continue;
        good = false;
        n.column = n.at[k];
        snprintf(n.reason, sizeof n.reason, "the coordinate is too large");
    }
    if (!good) {
        fprintf(stderr, "%s:%lld:%d: %s\n", r->shown, (long long)number, n.column, n.reason);
        return false;
    }
    if (r->list.count == r->room && !grow(r)) return false;
    memcpy(r->list.xyz + 3 * r->list.count, n.value, 3 * sizeof(double));
    r->list.line[r->list.count++] = number;
    return true;
}

/* Names of columns: the first line begins with a letter, or with one in quotes. */
static bool is_head(const char* text)
{
    char c = *text == '"' ? text[1] : *text;
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool read_lines(reader* r, bool head)
{
    size_t bytes = 0;
    char* text = whole(r, &bytes);
    bool good = text != NULL;
    int64_t number = 1;
    for (size_t at = 0; good && at < bytes; ++number) {
        const char* end = memchr(text + at, '\n', bytes - at);
        size_t length = end ? (size_t)(end - text) - at : bytes - at;
        if (number > 1 || !head || !is_head(text)) good = add_line(r, text + at, length, number);
        at += length + 1;
    }
    free(text);
    return good;
}

static bool little(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static bool read_npy(reader* r)
{
    char text[160];
    int64_t rows = 0;
    const char* reason = little() ? npy_read_header(r->file, &rows, text, sizeof text)
                                  : "this machine stores numbers the other way round";
    if (reason) {
        fprintf(stderr, "%s: %s\n", r->shown, reason);
        return false;
    }
    for (int64_t room = 0; r->list.count < rows;
         r->list.count += room) { /* as far as there are data, whatever the header says */
        room = rows - r->list.count < (1 << 20) ? rows - r->list.count : 1 << 20;
        double* grown = realloc(r->list.xyz, (size_t)(r->list.count + room) * 3 * sizeof *grown);
        if (!grown) return no_memory(r);
        r->list.xyz = grown;
        size_t got = fread(grown + 3 * r->list.count, 3 * sizeof *grown, (size_t)room, r->file);
        if (got == (size_t)room) continue;
        int64_t whole_rows = r->list.count + (int64_t)got;
        fprintf(stderr, "%s: it ends after %lld of %lld rows\n", r->shown, (long long)whole_rows, (long long)rows);
        return false;
    }
    if (fgetc(r->file) != EOF) {
        fprintf(stderr, "%s: something follows its %lld rows\n", r->shown, (long long)rows);
        return false;
    }
    for (int64_t k = 0; k < 3 * rows; ++k) {
        if (fabs(r->list.xyz[k]) <= WIT_MAX_COORDINATE) continue;
        int64_t row = k / 3 + 1;
        fprintf(stderr, "%s: row %lld, column %d: %s\n", r->shown, (long long)row, (int)(k % 3 + 1),
                isfinite(r->list.xyz[k]) ? "the coordinate is too large" : "not a finite number");
        return false;
    }
    return true;
}

bool points_read(const char* path, points_format format, point_list* to)
{
    bool standard = strcmp(path, "-") == 0;
    reader r = {.shown = standard ? "standard input" : path};
    if (format == POINTS_BY_NAME) format = points_format_of_name(path);
    memset(to, 0, sizeof *to);
    errno = 0;
    r.file = standard ? stdin : fopen(path, "rb");
    if (!r.file) {
        fprintf(stderr, "%s: the file cannot be opened%s\n", path, file_reason());
        return false;
    }
    bool good = format == POINTS_NPY ? read_npy(&r) : read_lines(&r, format == POINTS_CSV);
    if (!standard) fclose(r.file);
    if (good)
        *to = r.list;
    else
        points_free(&r.list);
    return good;
}

/* ---- answers ------------------------------------------------------------------------------- */

void answer_rows_ask(wit_batch_out* to, answer_row* rows)
{
    memset(to, 0, sizeof *to);
    wit_batch_ask(to, WIT_FIELD_DISTANCE, &rows->distance, sizeof *rows);
    wit_batch_ask(to, WIT_FIELD_LOWER_BOUND, &rows->lower_bound, sizeof *rows);
    wit_batch_ask(to, WIT_FIELD_UPPER_BOUND, &rows->upper_bound, sizeof *rows);
    wit_batch_ask(to, WIT_FIELD_MODEL_TOLERANCE, &rows->model_tolerance, sizeof *rows);
    wit_batch_ask(to, WIT_FIELD_NORMAL, rows->normal, sizeof *rows);
    wit_batch_ask(to, WIT_FIELD_POINT_A, rows->point, sizeof *rows);
    wit_batch_ask(to, WIT_FIELD_PARAMETERS_A, rows->parameters, sizeof *rows);
    wit_batch_ask(to, WIT_FIELD_FEATURE_A, rows->feature, sizeof *rows);
    wit_batch_ask(to, WIT_FIELD_OUTCOME, &rows->outcome, sizeof *rows);
    wit_batch_ask(to, WIT_FIELD_REASON, &rows->reason, sizeof *rows);
    wit_batch_ask(to, WIT_FIELD_SIGN, &rows->sign, sizeof *rows);
    wit_batch_ask(to, WIT_FIELD_CERTIFIED, &rows->certified, sizeof *rows);
}

bool answer_rows_begin(FILE* file, points_format format, int64_t count)
{
    static const char descr[] =
        "[('distance', '<f8'), ('lower_bound', '<f8'), ('upper_bound', '<f8'), ('model_tolerance', '<f8'), "
        "('normal', '<f8', (3,)), ('point', '<f8', (3,)), ('parameters', '<f8', (2,)), ('feature', '<i4', (2,)), "
        "('outcome', '<i4'), ('reason', '<i4'), ('sign', '<i4'), ('certified', '|b1'), ('', '|V3')]";
    static const char head[] = "distance,lower_bound,upper_bound,model_tolerance,nx,ny,nz,x,y,z,u,v,feature,id,outcome,"
                               "reason,sign,certified\n";
    if (format == POINTS_NPY) return npy_write_header(file, descr, count);
    return fputs(head, file) != EOF;
}

static const char* feature_word(int32_t kind)
{
    static const char* const kinds[] = {"face", "edge", "vertex", "point"};
    return kind >= 0 && kind < 4 ? kinds[kind] : "?";
}

bool answer_rows_write(FILE* file, points_format format, const answer_row* rows, int64_t count)
{
    if (format == POINTS_NPY) return fwrite(rows, sizeof *rows, (size_t)count, file) == (size_t)count;
    for (int64_t i = 0; i < count; ++i) {
        const answer_row* r = &rows[i];
        const double x[] = {r->distance,  r->lower_bound, r->upper_bound,   r->model_tolerance,
                            r->normal[0], r->normal[1],   r->normal[2],     r->point[0],
                            r->point[1],  r->point[2],    r->parameters[0], r->parameters[1]};
        for (size_t k = 0; k < sizeof x / sizeof *x; ++k)
            if (fprintf(file, "%.17g,", x[k]) < 0) return false;
        if (fprintf(file, "%s,%d,%s,%s,%s,%d\n", feature_word(r->feature[0]), (int)r->feature[1],
                    wit_outcome_name((wit_outcome)r->outcome), wit_reason_name((wit_reason)r->reason),
                    wit_sign_name((wit_sign)r->sign), r->certified) < 0)
            return false;
    }
    return true;
}
