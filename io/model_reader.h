/* SPDX-License-Identifier: MIT */
/* From tokens to values and to the fields of a record, by the tables of wi_model_fields.c. */
#ifndef IO_MODEL_READER_H
#define IO_MODEL_READER_H

#include "model.h"

typedef struct model_reader {
    const json_doc* doc;
    wit_model* model;
    wit_error* error;
} model_reader;

/* One JSON object and where its values go. Pointers that its table does not need may be null. */
typedef struct model_record {
    model_sort sort;
    int kind;
    size_t object;     /* token */
    char* def;         /* base of the table's offsets */
    const char** name; /* shapes in a list */
    const char** note; /* shapes and solids */
    model_ref* ref;    /* [REF_COUNT]: curves and surfaces referred to */
    uint32_t* link;    /* tokens of links and lists, by their number in the table */
    int* weights;      /* [2]: shape of the weights */
    model_color* color;
} model_record;

static inline const json_token* reader_token(const model_reader* r, size_t token)
{
    return &r->doc->tokens[token];
}

wit_status wi_reader_refuse_type(model_reader* r, size_t token, const char* expected);
wit_status wi_reader_refuse_memory(model_reader* r, size_t token);
wit_status wi_reader_expect(model_reader* r, size_t token, json_type type);
wit_status wi_reader_integer(model_reader* r, size_t token, int* out);
/* Text without control characters (with `lines`, line breaks and tabs may be in it). */
wit_status wi_reader_string(model_reader* r, size_t token, size_t limit, bool lines, const char** out);
wit_status wi_reader_name(model_reader* r, size_t token, const char** out);
/* All keys of an object: known ones into their places, others refused, missing ones too. */
wit_status wi_reader_record(model_reader* r, const model_record* record);

/* Adds an item; pointers to items are void afterwards. */
wit_status wi_reader_add_item(model_reader* r, size_t token, model_sort sort);
/* The shapes that a record defines in place become items. */
wit_status wi_reader_add_inside(model_reader* r, model_ref* ref, model_sort sort);
/* The list "bodies". */
wit_status wi_reader_bodies(model_reader* r, size_t list);

#endif
