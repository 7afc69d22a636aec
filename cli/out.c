/* SPDX-License-Identifier: MIT */
#include "out.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../io/number.h"

static bool reserve(out* o, size_t more)
{
    if (o->failed) return false;
    if (o->room - o->length > more) return true;
    size_t room = 2 * (o->room + more) + 1024;
    char* grown = realloc(o->text, room);
    if (!grown) {
        o->failed = true;
        return false;
    }
    o->text = grown;
    o->room = room;
    return true;
}

void out_text(out* o, const char* text, ...)
{
    va_list args;
    va_start(args, text);
    int n = vsnprintf(NULL, 0, text, args);
    va_end(args);
    if (n < 0 || !reserve(o, (size_t)n + 1)) return;
    va_start(args, text);
    vsnprintf(o->text + o->length, (size_t)n + 1, text, args);
    va_end(args);
    o->length += (size_t)n;
}

void out_free(out* o)
{
    free(o->text);
    memset(o, 0, sizeof *o);
}

int out_finish(out* o)
{
    bool failed = o->failed;
    if (failed) {
        fputs("witness: no memory for the output\n", stderr);
    } else if ((o->length && fwrite(o->text, 1, o->length, stdout) != o->length) || fflush(stdout) != 0) {
        fputs("witness: standard output cannot be written\n", stderr);
        failed = true;
    }
    out_free(o);
    return failed ? 1 : 0;
}

void out_number(out* o, double x, int digits)
{
    out_text(o, "%.*g", digits, x + 0.0);
}

void out_parameter(out* o, double x)
{
    /* Knots are often thirds, sixths, ...: what the author meant is easier to recognise than 0.666667. */
    static const int denominators[] = {3, 6, 7, 9, 11, 12};
    for (size_t i = 0; i < sizeof denominators / sizeof denominators[0]; i++) {
        double n = x * denominators[i];
        if (fabs(n) > 0.5 && fabs(n) < 100 && fabs(n - floor(n + 0.5)) <= 1e-15 * fabs(n) &&
            fabs(x - floor(x + 0.5)) > 1e-9) {
            if (fabs(x * 1000 - floor(x * 1000 + 0.5)) < 1e-9) break;
            out_text(o, "%d/%d (%.6g)", (int)floor(n + 0.5), denominators[i], x);
            return;
        }
    }
    out_text(o, "%.6g", x + 0.0);
}

static void key_or_comma(out* o, const char* key)
{
    if (o->comma) out_text(o, ", ");
    o->comma = true;
    if (key) out_text(o, "\"%s\": ", key);
}

void out_open(out* o, const char* key, char bracket)
{
    key_or_comma(o, key);
    out_text(o, "%c", bracket);
    o->comma = false;
}

void out_close(out* o, char bracket)
{
    out_text(o, "%c", bracket);
    o->comma = true;
}

void out_put_string(out* o, const char* key, const char* value)
{
    key_or_comma(o, key);
    out_text(o, "\"");
    for (const char* s = value; *s; s++) {
        if (*s == '"' || *s == '\\')
            out_text(o, "\\%c", *s);
        else if ((unsigned char)*s < 0x20)
            out_text(o, "\\u%04x", (unsigned)(unsigned char)*s);
        else
            out_text(o, "%c", *s);
    }
    out_text(o, "\"");
}

static void put_plain_number(out* o, double value)
{
    char text[NUMBER_ROOM] = "null";
    if (isfinite(value)) wi_number_write(value, text);
    out_text(o, "%s", text);
}

void out_put_number(out* o, const char* key, double value)
{
    key_or_comma(o, key);
    put_plain_number(o, value);
}

void out_put_integer(out* o, const char* key, long long value)
{
    key_or_comma(o, key);
    out_text(o, "%lld", value);
}

void out_put_bool(out* o, const char* key, bool value)
{
    key_or_comma(o, key);
    out_text(o, value ? "true" : "false");
}

void out_put_numbers(out* o, const char* key, const double* value, int n)
{
    out_open(o, key, '[');
    for (int i = 0; i < n; i++) out_put_number(o, NULL, value[i]);
    out_close(o, ']');
}
