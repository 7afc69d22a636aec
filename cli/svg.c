/* SPDX-License-Identifier: MIT */
#include "svg.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../io/file_reason.h"
#include "../src/base/error.h"
#include "command.h"

void svg_begin(out* o, int width, int height, const char* title, const char* css)
{
    out_text(o,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>",
             width, height, width, height);
    svg_escape(o, title);
    out_text(o, "</title>\n<style>\n%s</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", css, width,
             height);
}

void svg_end(out* o)
{
    out_text(o, "</svg>\n");
}

void svg_group(out* o, const char* id)
{
    out_text(o, "<g id=\"%s\">\n", id);
}

void svg_close(out* o)
{
    out_text(o, "</g>\n");
}

/* Bytes of the character at s, 0 if it is no UTF-8 (overlong and surrogates included) or not allowed in XML 1.0. */
static int character(const unsigned char* s)
{
    if (s[0] < 0x80) return s[0] >= 0x20 && s[0] != 0x7f ? 1 : 0;
    int n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    uint32_t code = (uint32_t)s[0] & (0x7fu >> n);
    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    bool bad = code < least[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || (code & 0xfffe) == 0xfffe ||
               (code >= 0x80 && code < 0xa0);
    return bad ? 0 : n;
}

void svg_escape(out* o, const char* text)
{
    const unsigned char* s = (const unsigned char*)text;
    while (*s) {
        int n = character(s);
        if (*s == '&')
            out_text(o, "&amp;");
        else if (*s == '<')
            out_text(o, "&lt;");
        else if (*s == '>')
            out_text(o, "&gt;");
        else if (*s == '"')
            out_text(o, "&quot;");
        else if (!n)
            out_text(o, "?");
        else
            out_text(o, "%.*s", n, (const char*)s);
        s += n ? n : 1;
    }
}

int svg_characters(const char* text)
{
    int count = 0;
    for (const unsigned char* s = (const unsigned char*)text; *s; count++) {
        int n = character(s);
        s += n ? n : 1;
    }
    return count;
}

void svg_number(out* o, double x)
{
    /* Pages are small: what is not within a million pixels is not on it. */
    if (!isfinite(x)) x = 0;
    x = fmin(fmax(x, -1e6), 1e6);
    long hundredths = lround(100 * x);
    const char* sign = hundredths < 0 ? "-" : "";
    if (hundredths < 0) hundredths = -hundredths;
    long whole = hundredths / 100, rest = hundredths % 100;
    if (rest == 0)
        out_text(o, "%s%ld", sign, whole);
    else if (rest % 10 == 0)
        out_text(o, "%s%ld.%ld", sign, whole, rest / 10);
    else
        out_text(o, "%s%ld.%02ld", sign, whole, rest);
}

static void put_pair(out* o, double x, double y)
{
    svg_number(o, x);
    out_text(o, " ");
    svg_number(o, y);
}

void svg_move(out* d, double x, double y)
{
    out_text(d, "M");
    put_pair(d, x, y);
}

void svg_line(out* d, double x, double y)
{
    out_text(d, "L");
    put_pair(d, x, y);
}

void svg_cubic(out* d, const double to[6])
{
    out_text(d, "C");
    for (int i = 0; i < 3; i++) {
        if (i) out_text(d, " ");
        put_pair(d, to[2 * i], to[2 * i + 1]);
    }
}

static void finish_element(out* o, const char* name, const char* title)
{
    if (!title) {
        out_text(o, "/>\n");
        return;
    }
    out_text(o, "><title>");
    svg_escape(o, title);
    out_text(o, "</title></%s>\n", name);
}

void svg_path(out* o, const char* class_name, const out* d, const char* title)
{
    if (d->failed) o->failed = true;
    if (d->failed || !d->length) return;
    out_text(o, "<path class=\"%s\" d=\"%s\"", class_name, d->text);
    finish_element(o, "path", title);
}

void svg_dot(out* o, const char* class_name, double x, double y, double radius, const char* title)
{
    out_text(o, "<circle class=\"%s\" cx=\"", class_name);
    svg_number(o, x);
    out_text(o, "\" cy=\"");
    svg_number(o, y);
    out_text(o, "\" r=\"");
    svg_number(o, radius);
    out_text(o, "\"");
    finish_element(o, "circle", title);
}

void svg_text(out* o, const char* class_name, double x, double y, const char* text)
{
    out_text(o, "<text class=\"%s\" x=\"", class_name);
    svg_number(o, x);
    out_text(o, "\" y=\"");
    svg_number(o, y);
    out_text(o, "\">");
    svg_escape(o, text);
    out_text(o, "</text>\n");
}

wit_status svg_save(const out* o, const char* path, wit_error* error)
{
    if (o->failed) return wi_error_fill(error, WIT_ERROR_MEMORY, path, "no memory for the picture");
    errno = 0;
    FILE* f = fopen(path, "wb");
    if (!f) return wi_error_fill(error, WIT_ERROR_FILE, path, "the file cannot be opened for writing%s", file_reason());
    bool good = !o->length || fwrite(o->text, 1, o->length, f) == o->length;
    if (fclose(f) != 0) good = false;
    return good ? WIT_OK : wi_error_fill(error, WIT_ERROR_FILE, path, "the file cannot be written");
}

int svg_finish(out* o, wit_status status, const char* path)
{
    wit_error error = {0};
    if (!status) status = svg_save(o, path, &error);
    out_free(o);
    if (!status) return EXIT_GOOD;
    fprintf(stderr, "%s: %s\n", path, error.text[0] ? error.text : wit_status_text(status));
    return EXIT_BAD_INPUT;
}
