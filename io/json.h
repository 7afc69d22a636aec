/* SPDX-License-Identifier: MIT */
/*
 * A strict JSON reader (RFC 8259) that knows where everything stood.
 *
 * One pass, no recursion, a flat array of tokens in the order of the text. A value is followed by
 * what it contains; tokens[i].next is the token after all of that, so walking takes one step per
 * element. A member of an object is a key (a string) and then its value. Positions are byte offsets;
 * line and column are counted when a message needs them.
 *
 * Refused besides what RFC 8259 refuses: a byte order mark, duplicate keys, bad UTF-8, and what goes
 * beyond the limits below. Limits are tested before memory is taken: a hundred megabytes of '[' end at
 * the 65th, with some kilobytes allocated.
 */
#ifndef IO_JSON_H
#define IO_JSON_H

#include "../include/witness/base.h"

#define JSON_MAX_DEPTH 64
#define JSON_MAX_MEMBERS 128 /* of one object: duplicate keys are found by comparing all pairs */
#define JSON_MAX_BYTES ((size_t)512 << 20)
#define JSON_MAX_TOKENS ((size_t)1 << 25)

typedef enum json_type {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_type;

typedef struct json_token {
    uint32_t type;  /* json_type */
    uint32_t start; /* bytes [start, end) of the text; of a string without its quotes */
    uint32_t end;
    uint32_t size; /* array: elements; object: members; string: hash of its decoded bytes */
    uint32_t next;
} json_token;

typedef struct json_doc {
    const char* text;
    size_t bytes;
    json_token* tokens; /* tokens[0] is the whole */
    size_t count;
    size_t token_room;
    char* buffer; /* the text, where it came from a stream */
    size_t buffer_room;
    wit_allocator allocator;
} json_doc;

/* Puts up to `room` bytes at `to`; fewer than asked only at the end. */
typedef size_t json_source(void* user, char* to, size_t room);

/* Reads a text that the caller keeps, or a stream. On failure *doc is empty and *error (may be null)
 * is filled: status, line, column, path, reason. */
wit_status wi_json_read_text(json_doc* doc, const char* text, size_t bytes, const wit_allocator* allocator,
                             wit_error* error);
wit_status wi_json_read_stream(json_doc* doc, json_source* source, void* user, const wit_allocator* allocator,
                               wit_error* error);
void wi_json_free(json_doc* doc);

/* "an array", "a string", ... */
const char* wi_json_type_name(json_type type);

/* Whether the string token's decoded bytes are those of `text`. */
bool wi_json_equal(const json_doc* doc, size_t token, const char* text);
/* Whether two string tokens decode to the same bytes. */
bool wi_json_same(const json_doc* doc, size_t a, size_t b);
/* Decodes a string token into `to` (terminated, cut to room - 1 bytes); returns the full decoded length. */
size_t wi_json_string(const json_doc* doc, size_t token, char* to, size_t room);
/* The value of a key, or 0 if the object has none (0 is the whole text, never a member). */
size_t wi_json_member(const json_doc* doc, size_t object, const char* key);
/* False when the number rounds to infinity. */
bool wi_json_number(const json_doc* doc, size_t token, double* out);

/* Line and column, both from 1, of a byte of the text. A string's position is that of its quote. */
void wi_json_position(const json_doc* doc, size_t token, int* line, int* column);
/* Path of a token from the whole, "surfaces[2].knots_u[5]", cut to room - 1 bytes. */
void wi_json_path(const json_doc* doc, size_t token, char* to, size_t room);
/* The token at `path` ("frame.x", "points[2][5]") from `token`; where the path leaves the text, the
 * last token on it. */
size_t wi_json_resolve(const json_doc* doc, size_t token, const char* path);

/* Puts '?' for every control character: messages end up on terminals. */
void wi_json_printable(char* s);

#if defined(__GNUC__)
#define JSON_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define JSON_PRINTF(text, first)
#endif

/* Fills *error (may be null) with the position and path of the token; `key`, if not null, is added to
 * the path. Returns the status. */
wit_status wi_json_refuse(const json_doc* doc, size_t token, const char* key, wit_error* error, wit_status status,
                          const char* text, ...) JSON_PRINTF(6, 7);

#endif
