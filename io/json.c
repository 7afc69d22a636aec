/* SPDX-License-Identifier: MIT */
/* The JSON parser. Walking what it made is in json_walk.c. */
#include "json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { FIRST_CHUNK = 1 << 16, FIRST_TOKENS = 256 };

typedef enum state {
    STATE_VALUE,       /* a value must come */
    STATE_FIRST_VALUE, /* after '[': a value or ']' */
    STATE_FIRST_KEY,   /* after '{': a key or '}' */
    STATE_KEY,         /* after ',' in an object */
    STATE_AFTER_VALUE, /* ',' or the closing bracket */
    STATE_DONE
} state;

typedef struct parser {
    json_doc* doc;
    json_source* source; /* null when all of the text is there */
    void* user;
    size_t at; /* next byte */
    state state;
    int depth;
    uint32_t open[JSON_MAX_DEPTH]; /* tokens of the open arrays and objects */
    uint32_t key[JSON_MAX_DEPTH];  /* last key of each open object */
    wit_error* error;
} parser;

static wit_status refuse(parser* p, size_t at, wit_status status, const char* text, ...) JSON_PRINTF(4, 5);

/* The path to the place being read, from the open brackets. */
static void path_here(const parser* p, char* to, size_t room)
{
    size_t n = 0;
    to[0] = 0;
    for (int k = 0; k < p->depth && n + 1 < room; k++) {
        const json_token* t = &p->doc->tokens[p->open[k]];
        bool inner = k == p->depth - 1;
        int wrote = 0;
        if (t->type == JSON_ARRAY) {
            uint32_t index = inner && p->state != STATE_AFTER_VALUE ? t->size : t->size - 1;
            wrote = snprintf(to + n, room - n, "[%lu]", (unsigned long)index);
        } else if (t->size > 0 && !(inner && p->state == STATE_KEY)) {
            char name[sizeof p->error->item];
            wi_json_string(p->doc, p->key[k], name, sizeof name);
            wrote = snprintf(to + n, room - n, "%s%s", n ? "." : "", name);
        }
        n += wrote > 0 ? (size_t)wrote : 0;
    }
    if (!to[0]) snprintf(to, room, "document");
}

static wit_status refuse(parser* p, size_t at, wit_status status, const char* text, ...)
{
    wit_error* e = p->error;
    if (e) {
        memset(e, 0, sizeof *e);
        e->status = status;
        e->line = 1;
        e->column = 1;
        for (size_t i = 0; i < at && i < p->doc->bytes; i++) {
            e->column++;
            if (p->doc->text[i] == '\n') {
                e->line++;
                e->column = 1;
            }
        }
        path_here(p, e->item, sizeof e->item);
        va_list args;
        va_start(args, text);
        vsnprintf(e->text, sizeof e->text, text, args);
        va_end(args);
        wi_json_printable(e->item);
        wi_json_printable(e->text);
    }
    return status;
}

/* ---- bytes ---------------------------------------------------------------------------------- */

/* Reads on from the stream. False at the end, or (p->at == p->doc->bytes still) when it does not fit. */
static bool more(parser* p)
{
    json_doc* d = p->doc;
    if (!p->source) return false;
    if (d->bytes == d->buffer_room) {
        size_t room = d->buffer_room ? 2 * d->buffer_room : FIRST_CHUNK;
        if (room > JSON_MAX_BYTES + FIRST_CHUNK) room = JSON_MAX_BYTES + FIRST_CHUNK;
        char* grown = d->bytes < room ? wi_memory_take(&d->allocator, room) : NULL;
        if (!grown) return false;
        if (d->bytes) memcpy(grown, d->buffer, d->bytes);
        wi_memory_give(&d->allocator, d->buffer, d->buffer_room);
        d->buffer = grown;
        d->buffer_room = room;
        d->text = grown;
    }
    size_t room = d->buffer_room - d->bytes;
    size_t got = p->source(p->user, d->buffer + d->bytes, room);
    if (got < room) p->source = NULL;
    d->bytes += got;
    return got > 0;
}

/* The next byte without taking it, -1 at the end. */
static inline int peek(parser* p)
{
    if (p->at == p->doc->bytes && !more(p)) return -1;
    return (unsigned char)p->doc->text[p->at];
}

static int skip_space(parser* p)
{
    for (;;) {
        int c = peek(p);
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return c;
        p->at++;
    }
}

static wit_status refuse_end(parser* p)
{
    if (p->source) {
        if (p->doc->bytes >= JSON_MAX_BYTES)
            return refuse(p, p->at, WIT_ERROR_DEPTH, "the text is longer than %lu MB",
                          (unsigned long)(JSON_MAX_BYTES >> 20));
        return refuse(p, p->at, WIT_ERROR_MEMORY, "no memory for the text");
    }
    if (p->at == 0) return refuse(p, 0, WIT_ERROR_SYNTAX, "the text is empty");
    return refuse(p, p->at, WIT_ERROR_SYNTAX, "the text ends too early: something is cut off or not closed");
}

/* What stands at p->at does not belong there. */
static wit_status refuse_byte(parser* p, const char* expected)
{
    int c = peek(p);
    if (c < 0) return refuse_end(p);
    if (c == '/' || c == '#') return refuse(p, p->at, WIT_ERROR_SYNTAX, "expected %s; JSON has no comments", expected);
    if (c == '\'') return refuse(p, p->at, WIT_ERROR_SYNTAX, "expected %s; strings stand in double quotes", expected);
    if (c > 0x20 && c < 0x7f) return refuse(p, p->at, WIT_ERROR_SYNTAX, "expected %s, found '%c'", expected, c);
    return refuse(p, p->at, WIT_ERROR_SYNTAX, "expected %s, found the byte 0x%02x", expected, (unsigned)c);
}

/* ---- tokens --------------------------------------------------------------------------------- */

static wit_status add_token(parser* p, json_type type, size_t start, size_t end, uint32_t size)
{
    json_doc* d = p->doc;
    if (d->count == d->token_room) {
        if (d->count >= JSON_MAX_TOKENS)
            return refuse(p, start, WIT_ERROR_DEPTH, "the text has more than %lu values",
                          (unsigned long)JSON_MAX_TOKENS);
        size_t room = d->token_room ? 2 * d->token_room : FIRST_TOKENS;
        json_token* grown = wi_memory_take(&d->allocator, room * sizeof *grown);
        if (!grown) return refuse(p, start, WIT_ERROR_MEMORY, "no memory for %lu values", (unsigned long)room);
        if (d->count) memcpy(grown, d->tokens, d->count * sizeof *grown);
        wi_memory_give(&d->allocator, d->tokens, d->token_room * sizeof *grown);
        d->tokens = grown;
        d->token_room = room;
    }
    json_token t = {(uint32_t)type, (uint32_t)start, (uint32_t)end, size, (uint32_t)(d->count + 1)};
    d->tokens[d->count++] = t;
    return WIT_OK;
}

/* A value is an element of the innermost array; members were counted at their key. */
static wit_status add_value(parser* p, json_type type, size_t start, size_t end, uint32_t size)
{
    wit_status status = add_token(p, type, start, end, size);
    if (status) return status;
    if (p->depth > 0) {
        json_token* parent = &p->doc->tokens[p->open[p->depth - 1]];
        if (parent->type == JSON_ARRAY) parent->size++;
    }
    p->state = p->depth > 0 ? STATE_AFTER_VALUE : STATE_DONE;
    return WIT_OK;
}

/* ---- strings -------------------------------------------------------------------------------- */

static int hex4(parser* p, unsigned* out)
{
    *out = 0;
    for (int i = 0; i < 4; i++) {
        int c = peek(p);
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) return 0;
        *out = 16 * *out + (unsigned)digit;
        p->at++;
    }
    return 1;
}

/* After the backslash. */
static wit_status scan_escape(parser* p)
{
    size_t start = p->at - 1;
    int c = peek(p);
    if (c < 0) return refuse_end(p);
    p->at++;
    if (strchr("\"\\/bfnrt", c)) return WIT_OK;
    if (c != 'u') return refuse(p, start, WIT_ERROR_SYNTAX, "a backslash is followed by one of \" \\ / b f n r t u");
    unsigned unit, low;
    if (!hex4(p, &unit)) {
        if (peek(p) < 0) return refuse_end(p);
        return refuse(p, start, WIT_ERROR_SYNTAX, "\\u needs four hexadecimal digits");
    }
    if (unit >= 0xdc00 && unit <= 0xdfff)
        return refuse(p, start, WIT_ERROR_SYNTAX, "\\u%04x is the second half of a pair without its first", unit);
    if (unit < 0xd800 || unit > 0xdbff) return WIT_OK;
    bool pair = peek(p) == '\\';
    if (pair) p->at++;
    pair = pair && peek(p) == 'u';
    if (pair) p->at++;
    if (!pair || !hex4(p, &low) || low < 0xdc00 || low > 0xdfff) {
        if (peek(p) < 0) return refuse_end(p);
        return refuse(p, start, WIT_ERROR_SYNTAX, "\\u%04x is the first half of a pair without its second", unit);
    }
    return WIT_OK;
}

/* One character of two to four bytes: the shortest form, no surrogates, at most U+10FFFF. */
static wit_status scan_utf8(parser* p, int lead)
{
    size_t start = p->at;
    int length = lead >= 0xc2 && lead <= 0xdf ? 2 : (lead & 0xf0) == 0xe0 ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
    bool good = length > 0;
    p->at++;
    for (int i = 1; good && i < length; i++) {
        int c = peek(p);
        if (c < 0) return refuse_end(p);
        int lo = 0x80, hi = 0xbf;
        if (i == 1 && lead == 0xe0) lo = 0xa0;
        if (i == 1 && lead == 0xed) hi = 0x9f;
        if (i == 1 && lead == 0xf0) lo = 0x90;
        if (i == 1 && lead == 0xf4) hi = 0x8f;
        good = c >= lo && c <= hi;
        p->at++;
    }
    if (!good) return refuse(p, start, WIT_ERROR_SYNTAX, "the string is not UTF-8 here (byte 0x%02x)", (unsigned)lead);
    return WIT_OK;
}

/* At the opening quote; leaves p->at behind the closing one. */
static wit_status scan_string(parser* p, size_t* start, size_t* end)
{
    p->at++;
    *start = p->at;
    for (;;) {
        int c = peek(p);
        wit_status status = WIT_OK;
        if (c < 0) return refuse_end(p);
        if (c == '"') break;
        if (c < 0x20)
            return refuse(p, p->at, WIT_ERROR_SYNTAX,
                          "a string holds the control character 0x%02x; write it as \\u%04x", (unsigned)c, (unsigned)c);
        if (c >= 0x80) {
            status = scan_utf8(p, c);
        } else {
            p->at++;
            if (c == '\\') status = scan_escape(p);
        }
        if (status) return status;
    }
    *end = p->at++;
    return WIT_OK;
}

/* ---- numbers and words ---------------------------------------------------------------------- */

static bool scan_digits(parser* p)
{
    int c = peek(p);
    if (c < '0' || c > '9') return false;
    while (c >= '0' && c <= '9') {
        p->at++;
        c = peek(p);
    }
    return true;
}

static wit_status scan_number(parser* p)
{
    size_t start = p->at;
    if (peek(p) == '-') p->at++;
    int first = peek(p);
    if (first == 'I' || first == 'N' || first == 'i' || first == 'n')
        return refuse(p, start, WIT_ERROR_SYNTAX, "NaN and infinity are not JSON numbers");
    if (!scan_digits(p)) return refuse_byte(p, "a digit");
    if (first == '0' && p->at - start > (p->doc->text[start] == '-' ? 2u : 1u))
        return refuse(p, start, WIT_ERROR_SYNTAX, "a number does not start with a superfluous 0");
    if (peek(p) == '.') {
        p->at++;
        if (!scan_digits(p)) return refuse_byte(p, "a digit after the decimal point");
    }
    int c = peek(p);
    if (c == 'e' || c == 'E') {
        p->at++;
        c = peek(p);
        if (c == '+' || c == '-') p->at++;
        if (!scan_digits(p)) return refuse_byte(p, "a digit of the exponent");
    }
    /* A bare number at the end of the text may have lost its last digits, but no document is a bare number. */
    return add_value(p, JSON_NUMBER, start, p->at, 0);
}

static wit_status scan_word(parser* p)
{
    static const struct {
        const char* word;
        json_type type;
    } words[] = {{"null", JSON_NULL}, {"false", JSON_FALSE}, {"true", JSON_TRUE}};
    size_t start = p->at;
    char word[16];
    size_t n = 0;
    for (int c = peek(p); ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) && n < sizeof word - 1; c = peek(p)) {
        word[n++] = (char)c;
        p->at++;
    }
    word[n] = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i].word) == 0) return add_value(p, words[i].type, start, p->at, 0);
    }
    if (peek(p) < 0 && start > 0) return refuse_end(p);
    if (!strcmp(word, "NaN") || !strcmp(word, "nan") || !strcmp(word, "Infinity") || !strcmp(word, "inf"))
        return refuse(p, start, WIT_ERROR_SYNTAX, "NaN and infinity are not JSON numbers");
    return refuse(p, start, WIT_ERROR_SYNTAX, "expected a value, found '%s'; a string stands in double quotes", word);
}

/* ---- structure ------------------------------------------------------------------------------ */

static wit_status open_bracket(parser* p, json_type type)
{
    if (p->depth == JSON_MAX_DEPTH) return refuse(p, p->at, WIT_ERROR_DEPTH, "nested deeper than %d", JSON_MAX_DEPTH);
    wit_status status = add_value(p, type, p->at, p->at + 1, 0);
    if (status) return status;
    p->open[p->depth++] = (uint32_t)(p->doc->count - 1);
    p->state = type == JSON_ARRAY ? STATE_FIRST_VALUE : STATE_FIRST_KEY;
    p->at++;
    return WIT_OK;
}

static void close_bracket(parser* p)
{
    json_token* t = &p->doc->tokens[p->open[--p->depth]];
    p->at++;
    t->end = (uint32_t)p->at;
    t->next = (uint32_t)p->doc->count;
    p->state = p->depth > 0 ? STATE_AFTER_VALUE : STATE_DONE;
}

static wit_status scan_value(parser* p, int c)
{
    size_t start, end;
    if (c == '[') return open_bracket(p, JSON_ARRAY);
    if (c == '{') return open_bracket(p, JSON_OBJECT);
    if (c == '"') {
        wit_status status = scan_string(p, &start, &end);
        return status ? status : add_value(p, JSON_STRING, start, end, 0);
    }
    if (c == '-' || (c >= '0' && c <= '9')) return scan_number(p);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return scan_word(p);
    return refuse_byte(p, "a value");
}

/* FNV-1a over the decoded bytes, so that "a" and "\u0061" are the same key. */
static uint32_t key_hash(const json_doc* doc, size_t token)
{
    char name[64];
    wi_json_string(doc, token, name, sizeof name);
    uint32_t h = 2166136261u;
    for (const char* s = name; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

static wit_status scan_member(parser* p)
{
    json_doc* d = p->doc;
    size_t quote = p->at, start, end;
    uint32_t object = p->open[p->depth - 1];
    wit_status status = scan_string(p, &start, &end);
    if (!status) status = add_token(p, JSON_STRING, start, end, 0);
    if (status) return status;
    uint32_t key = (uint32_t)(d->count - 1);
    d->tokens[key].size = key_hash(d, key);
    p->key[p->depth - 1] = key;
    p->state = STATE_VALUE;
    if (d->tokens[object].size == JSON_MAX_MEMBERS)
        return refuse(p, quote, WIT_ERROR_DEPTH, "the object has more than %d members", JSON_MAX_MEMBERS);
    d->tokens[object].size++;
    for (uint32_t k = object + 1; k < key; k = d->tokens[k + 1].next) {
        if (d->tokens[k].size != d->tokens[key].size || !wi_json_same(d, k, key)) continue;
        int line, column;
        wi_json_position(d, k, &line, &column);
        return refuse(p, quote, WIT_ERROR_KEY, "this key was given before, on line %d", line);
    }
    if (skip_space(p) != ':') return refuse_byte(p, "':' after the key");
    p->at++;
    return WIT_OK;
}

static wit_status scan_after_value(parser* p, int c)
{
    bool array = p->doc->tokens[p->open[p->depth - 1]].type == JSON_ARRAY;
    if (c == ',') {
        p->at++;
        p->state = array ? STATE_VALUE : STATE_KEY;
        return WIT_OK;
    }
    if (c == (array ? ']' : '}')) {
        close_bracket(p);
        return WIT_OK;
    }
    return refuse_byte(p, array ? "',' or ']'" : "',' or '}'");
}

static wit_status check_start(parser* p)
{
    int c = peek(p);
    const unsigned char* s = (const unsigned char*)p->doc->text;
    size_t n = p->doc->bytes;
    if (c < 0) return refuse_end(p);
    if (n >= 3 && s[0] == 0xef && s[1] == 0xbb && s[2] == 0xbf)
        return refuse(p, 0, WIT_ERROR_SYNTAX, "the text starts with a byte order mark; save it as UTF-8 without one");
    if (n >= 2 && ((s[0] == 0xfe && s[1] == 0xff) || (s[0] == 0xff && s[1] == 0xfe) || s[0] == 0 || s[1] == 0))
        return refuse(p, 0, WIT_ERROR_SYNTAX, "the text is not UTF-8; it looks like UTF-16 or binary data");
    return WIT_OK;
}

static wit_status parse(parser* p)
{
    wit_status status = check_start(p);
    while (!status) {
        int c = skip_space(p);
        if (p->doc->bytes > JSON_MAX_BYTES)
            return refuse(p, p->at, WIT_ERROR_DEPTH, "the text is longer than %lu MB",
                          (unsigned long)(JSON_MAX_BYTES >> 20));
        if (p->state == STATE_DONE) {
            if (c >= 0) return refuse_byte(p, "the end of the text");
            return p->source ? refuse_end(p) : WIT_OK;
        }
        if (c < 0) return refuse_end(p);
        if ((c == ']' && p->state == STATE_FIRST_VALUE) || (c == '}' && p->state == STATE_FIRST_KEY))
            close_bracket(p);
        else if (p->state == STATE_AFTER_VALUE)
            status = scan_after_value(p, c);
        else if (p->state == STATE_VALUE || p->state == STATE_FIRST_VALUE)
            status = scan_value(p, c);
        else if (c == '"')
            status = scan_member(p);
        else
            status = refuse_byte(p, p->state == STATE_KEY ? "a key in double quotes" : "a key in double quotes or '}'");
    }
    return status;
}

static wit_status read_all(json_doc* doc, parser* p)
{
    p->doc = doc;
    wit_status status = parse(p);
    if (status) wi_json_free(doc);
    return status;
}

wit_status wi_json_read_text(json_doc* doc, const char* text, size_t bytes, const wit_allocator* allocator,
                             wit_error* error)
{
    parser p = {.error = error};
    memset(doc, 0, sizeof *doc);
    doc->allocator = wi_memory_allocator(allocator);
    doc->text = text;
    doc->bytes = bytes;
    return read_all(doc, &p);
}

wit_status wi_json_read_stream(json_doc* doc, json_source* source, void* user, const wit_allocator* allocator,
                               wit_error* error)
{
    parser p = {.error = error, .source = source, .user = user};
    memset(doc, 0, sizeof *doc);
    doc->allocator = wi_memory_allocator(allocator);
    return read_all(doc, &p);
}

void wi_json_free(json_doc* doc)
{
    wi_memory_give(&doc->allocator, doc->tokens, doc->token_room * sizeof *doc->tokens);
    wi_memory_give(&doc->allocator, doc->buffer, doc->buffer_room);
    memset(doc, 0, sizeof *doc);
}
