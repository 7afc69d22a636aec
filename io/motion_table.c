/* SPDX-License-Identifier: MIT */
/* Tables of poses as text: comma-separated, with a header. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "motion.h"
#include "number.h"

enum { COLUMNS = 8, MAX_ROWS = 1 << 26 };

static const char* const names[COLUMNS] = {"t", "x", "y", "z", "qw", "qx", "qy", "qz"};
static const char header[] = "t,x,y,z,qw,qx,qy,qz";

typedef struct table_reader {
    const char *text, *end;
    const char* at;   /* next byte */
    const char* line; /* where the line begins */
    int number;       /* of the line, from 1 */
    wit_error* error;
} table_reader;

static wit_status refuse(const table_reader* r, const char* where, int column, wit_status status, const char* text)
{
    wit_error* e = r->error;
    if (!e) return status;
    memset(e, 0, sizeof *e);
    e->status = status;
    e->line = r->number;
    e->column = (int)(where - r->line) + 1;
    snprintf(e->item, sizeof e->item, "%s", column >= 0 ? names[column] : "header");
    snprintf(e->text, sizeof e->text, "%s", text);
    wi_json_printable(e->text);
    return status;
}

static void skip_blanks(table_reader* r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
}

static bool at_line_end(const table_reader* r)
{
    return r->at == r->end || *r->at == '\n' || (*r->at == '\r' && (r->at + 1 == r->end || r->at[1] == '\n'));
}

static void next_line(table_reader* r)
{
    if (r->at < r->end && *r->at == '\r') r->at++;
    if (r->at < r->end) r->at++;
    r->line = r->at;
    r->number++;
}

static size_t digits(const char* s, const char* end)
{
    size_t n = 0;
    while (s + n < end && s[n] >= '0' && s[n] <= '9') n++;
    return n;
}

/* Length of the JSON number at s, 0 if there is none. */
static size_t number_length(const char* s, const char* end)
{
    const char* p = s + (s < end && *s == '-');
    size_t n = digits(p, end);
    if (!n || (n > 1 && *p == '0')) return 0;
    p += n;
    if (p < end && *p == '.') {
        n = digits(p + 1, end);
        if (!n) return 0;
        p += n + 1;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char* q = p + 1 + (p + 1 < end && (p[1] == '+' || p[1] == '-'));
        n = digits(q, end);
        if (!n) return 0;
        p = q + n;
    }
    return (size_t)(p - s);
}

static wit_status read_header(table_reader* r)
{
    for (int k = 0; k < COLUMNS; k++) {
        skip_blanks(r);
        size_t n = strlen(names[k]);
        bool good = (size_t)(r->end - r->at) >= n && memcmp(r->at, names[k], n) == 0;
        if (good) r->at += n;
        skip_blanks(r);
        if (good && k + 1 < COLUMNS) good = r->at < r->end && *r->at++ == ',';
        if (!good || (k + 1 == COLUMNS && !at_line_end(r))) {
            char text[80];
            snprintf(text, sizeof text, "the first line must be the header %s", header);
            return refuse(r, r->line, -1, WIT_ERROR_SYNTAX, text);
        }
    }
    next_line(r);
    return WIT_OK;
}

static wit_status read_cell(table_reader* r, int column, double* out)
{
    skip_blanks(r);
    const char* start = r->at;
    size_t n = number_length(start, r->end);
    const char* after = start + n;
    bool ends = after == r->end || (*after && strchr(", \t\r\n", *after));
    if (!n || !ends) {
        size_t shown = 0;
        while (start + shown < r->end && shown < 24 && !strchr(",\r\n", start[shown])) shown++;
        char text[96];
        if (shown)
            snprintf(text, sizeof text, "expected a number, found %.*s", (int)shown, start);
        else
            snprintf(text, sizeof text, "expected a number, found nothing; a row has %s", header);
        return refuse(r, start, column, WIT_ERROR_SYNTAX, text);
    }
    if (!wi_number_read(start, n, out) || !(fabs(*out) <= MOTION_MAX_NUMBER))
        return refuse(r, start, column, WIT_ERROR_NUMBER, "the number is beyond 1e12");
    r->at = after;
    skip_blanks(r);
    if (column + 1 < COLUMNS) {
        if (r->at < r->end && *r->at == ',') {
            r->at++;
            return WIT_OK;
        }
        if (!at_line_end(r)) return refuse(r, r->at, column, WIT_ERROR_SYNTAX, "expected a comma after the number");
        return refuse(r, r->at, column + 1, WIT_ERROR_COUNT, "the row ends too early; it has t,x,y,z,qw,qx,qy,qz");
    }
    return at_line_end(r) ? WIT_OK : refuse(r, r->at, column, WIT_ERROR_COUNT, "the row is too long; it has 8 numbers");
}

static wit_status read_row(table_reader* r, motion_path* path)
{
    double x[COLUMNS];
    const char *start = r->at, *rotation = r->at;
    for (int k = 0; k < COLUMNS; k++) {
        if (k == 4) rotation = r->at;
        wit_status status = read_cell(r, k, &x[k]);
        if (status) return status;
    }
    int i = path->count;
    if (fabs(x[0]) > MOTION_MAX_TIME) return refuse(r, start, 0, WIT_ERROR_NUMBER, "the time is beyond 1e9 s");
    if (i && !(x[0] - path->times[i - 1] >= MOTION_MIN_STEP))
        return refuse(r, start, 0, WIT_ERROR_RANGE, "times must increase, by 1e-9 s at least");
    double n = sqrt(x[4] * x[4] + x[5] * x[5] + x[6] * x[6] + x[7] * x[7]);
    if (!(fabs(n - 1) <= 1e-3))
        return refuse(r, rotation, 4, WIT_ERROR_RANGE, "the quaternion qw,qx,qy,qz must have length 1, to 1e-3");
    path->times[i] = x[0];
    path->poses[i] = (wit_pose){{x[1], x[2], x[3]}, {x[4] / n, x[5] / n, x[6] / n, x[7] / n}};
    path->count++;
    return WIT_OK;
}

wit_status wi_motion_table_read(motion_path* path, const char* text, size_t bytes, memory_pool* pool, wit_error* error)
{
    table_reader r = {text, text + bytes, text, text, 1, error};
    size_t lines = 1;
    for (size_t i = 0; i < bytes; i++) lines += text[i] == '\n';
    if (lines > MAX_ROWS) return refuse(&r, text, -1, WIT_ERROR_COUNT, "the table has too many rows");
    path->count = 0;
    path->times = wi_memory_pool_take(pool, lines * sizeof *path->times);
    path->poses = wi_memory_pool_take(pool, lines * sizeof *path->poses);
    if (!path->times || !path->poses) return refuse(&r, text, -1, WIT_ERROR_MEMORY, "no memory for the table");
    wit_status status = read_header(&r);
    while (!status && r.at < r.end) {
        skip_blanks(&r);
        if (!at_line_end(&r)) status = read_row(&r, path);
        if (!status) next_line(&r);
    }
    if (!status && !path->count) status = refuse(&r, r.line, 0, WIT_ERROR_COUNT, "the table has no rows");
    return status;
}
