/* SPDX-License-Identifier: MIT */
/* Walking the tokens of a JSON text, and saying where they stood. */
#include "json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

const char* wi_json_type_name(json_type type)
{
    static const char* const names[] = {"null", "false", "true", "a number", "a string", "an array", "an object"};
    return (unsigned)type < sizeof names / sizeof names[0] ? names[type] : "?";
}

static unsigned hex_value(const char* s)
{
    unsigned x = 0;
    for (int i = 0; i < 4; i++) {
        unsigned c = (unsigned char)s[i];
        x = 16 * x + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return x;
}

static int encode_utf8(unsigned x, char to[4])
{
    if (x < 0x80) {
        to[0] = (char)x;
        return 1;
    }
    int n = x < 0x800 ? 2 : x < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--, x >>= 6) to[i] = (char)(0x80 | (x & 0x3f));
    to[0] = (char)((n == 2 ? 0xc0 : n == 3 ? 0xe0 : 0xf0) | x);
    return n;
}

/* Takes one byte or one escape of a checked string; 1 to 4 bytes of UTF-8 come out. */
static int decode(const char** s, char to[4])
{
    const char* p = *s;
    if (*p != '\\') {
        to[0] = *p;
        *s = p + 1;
        return 1;
    }
    *s = p + 2;
    switch (p[1]) {
    case 'b':
        to[0] = '\b';
        return 1;
    case 'f':
        to[0] = '\f';
        return 1;
    case 'n':
        to[0] = '\n';
        return 1;
    case 'r':
        to[0] = '\r';
        return 1;
    case 't':
        to[0] = '\t';
        return 1;
    case 'u':
        break;
    default:
        to[0] = p[1];
        return 1;
    }
    unsigned x = hex_value(p + 2);
    *s = p + 6;
    if (x >= 0xd800 && x <= 0xdbff) {
        x = 0x10000 + ((x - 0xd800) << 10) + (hex_value(p + 8) - 0xdc00);
        *s = p + 12;
    }
    return encode_utf8(x, to);
}

size_t wi_json_string(const json_doc* doc, size_t token, char* to, size_t room)
{
    const char* s = doc->text + doc->tokens[token].start;
    const char* end = doc->text + doc->tokens[token].end;
    size_t length = 0;
    while (s < end) {
        char piece[4];
        int n = decode(&s, piece);
        for (int i = 0; i < n; i++, length++) {
            if (length + 1 < room) to[length] = piece[i];
        }
    }
    if (room) to[length < room ? length : room - 1] = 0;
    return length;
}

bool wi_json_equal(const json_doc* doc, size_t token, const char* text)
{
    const char* s = doc->text + doc->tokens[token].start;
    const char* end = doc->text + doc->tokens[token].end;
    while (s < end) {
        char piece[4];
        int n = decode(&s, piece);
        for (int i = 0; i < n; i++, text++) {
            if (!*text || *text != piece[i]) return false;
        }
    }
    return !*text;
}

bool wi_json_same(const json_doc* doc, size_t a, size_t b)
{
    const char *s = doc->text + doc->tokens[a].start, *s_end = doc->text + doc->tokens[a].end;
    const char *t = doc->text + doc->tokens[b].start, *t_end = doc->text + doc->tokens[b].end;
    char one[4], two[4];
    int n = 0, m = 0, i = 0, j = 0;
    for (;;) {
        if (i == n) {
            if (s == s_end) break;
            n = decode(&s, one);
            i = 0;
        }
        if (j == m) {
            if (t == t_end) return false;
            m = decode(&t, two);
            j = 0;
        }
        if (one[i++] != two[j++]) return false;
    }
    return t == t_end && j == m;
}

void wi_json_printable(char* s)
{
    for (; *s; s++) {
        if ((unsigned char)*s < 0x20 || *s == 0x7f) *s = '?';
    }
}

size_t wi_json_member(const json_doc* doc, size_t object, const char* key)
{
    size_t k = object + 1;
    for (uint32_t i = 0; i < doc->tokens[object].size; i++, k = doc->tokens[k + 1].next) {
        if (wi_json_equal(doc, k, key)) return k + 1;
    }
    return 0;
}

bool wi_json_number(const json_doc* doc, size_t token, double* out)
{
    const json_token* t = &doc->tokens[token];
    return wi_number_read(doc->text + t->start, t->end - t->start, out);
}

void wi_json_position(const json_doc* doc, size_t token, int* line, int* column)
{
    const json_token* t = &doc->tokens[token];
    size_t at = t->type == JSON_STRING ? t->start - 1 : t->start;
    const char* start = doc->text;
    *line = 1;
    for (const char* s; (s = memchr(start, '\n', (size_t)(doc->text + at - start))) != NULL; start = s + 1) ++*line;
    *column = (int)(doc->text + at - start) + 1;
}

void wi_json_path(const json_doc* doc, size_t token, char* to, size_t room)
{
    const json_token* t = doc->tokens;
    size_t at = 0, n = 0;
    to[0] = 0;
    while (at != token && n + 1 < room) {
        bool object = t[at].type == JSON_OBJECT;
        size_t child = at + 1;
        unsigned long index = 0;
        int wrote;
        if (object) {
            while (t[child + 1].next <= token) child = t[child + 1].next;
            char key[96];
            wi_json_string(doc, child, key, sizeof key);
            wrote = snprintf(to + n, room - n, "%s%s", n ? "." : "", key);
            at = child == token ? token : child + 1;
        } else {
            for (; t[child].next <= token; child = t[child].next) index++;
            wrote = snprintf(to + n, room - n, "[%lu]", index);
            at = child;
        }
        n += wrote > 0 ? (size_t)wrote : 0;
    }
}

size_t wi_json_resolve(const json_doc* doc, size_t token, const char* path)
{
    const json_token* t = doc->tokens;
    while (*path) {
        if (*path == '.') path++;
        if (*path == '[') {
            char* end;
            unsigned long index = strtoul(path + 1, &end, 10);
            if (t[token].type != JSON_ARRAY || index >= t[token].size) return token;
            for (token++; index > 0; index--) token = t[token].next;
            path = *end == ']' ? end + 1 : end;
        } else {
            char key[64];
            size_t n = strcspn(path, ".[");
            size_t value;
            if (n == 0 || n >= sizeof key || t[token].type != JSON_OBJECT) return token;
            memcpy(key, path, n);
            key[n] = 0;
            value = wi_json_member(doc, token, key);
            if (!value) return token;
            token = value;
            path += n;
        }
    }
    return token;
}

wit_status wi_json_refuse(const json_doc* doc, size_t token, const char* key, wit_error* error, wit_status status,
                          const char* text, ...)
{
    if (!error) return status;
    memset(error, 0, sizeof *error);
    error->status = status;
    wi_json_position(doc, token, &error->line, &error->column);
    wi_json_path(doc, token, error->item, sizeof error->item);
    size_t n = strlen(error->item);
    if (key) snprintf(error->item + n, sizeof error->item - n, "%s%s", n ? "." : "", key);
    if (!error->item[0]) snprintf(error->item, sizeof error->item, "document");
    va_list args;
    va_start(args, text);
    vsnprintf(error->text, sizeof error->text, text, args);
    va_end(args);
    wi_json_printable(error->item);
    wi_json_printable(error->text);
    return status;
}
