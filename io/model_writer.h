/* SPDX-License-Identifier: MIT */
/* JSON in one layout: a key per line, a row of points per line, long lists wrapped. */
#ifndef IO_MODEL_WRITER_H
#define IO_MODEL_WRITER_H

#include <stdio.h>

#include "model.h"

enum { WRITER_WRAP = 110 }; /* the column after which a list goes on in the next line */

typedef struct model_writer {
    const wit_model* model;
    char* to; /* the caller's text, or a buffer in front of the file */
    size_t room;
    size_t used;   /* bytes of `to` */
    size_t length; /* of everything */
    int column;
    FILE* file; /* or null */
    bool failed;
} model_writer;

/* One object being written. Members stand on lines of their own, or, with `compact`, all on one. */
typedef struct model_object {
    int indent; /* of the members */
    bool compact;
    bool begun;
} model_object;

/* Sends the buffer to the file. */
void wi_writer_flush(model_writer* w);
void wi_writer_put(model_writer* w, const char* s);
/* A new line and `indent` blanks. */
void wi_writer_line(model_writer* w, int indent);
void wi_writer_string(model_writer* w, const char* s);
void wi_writer_open(model_writer* w, model_object* object, int indent, bool compact);
void wi_writer_key(model_writer* w, model_object* object, const char* key);
void wi_writer_close(model_writer* w, model_object* object);
/* The members of a table: base of its offsets, the def that says what may be left out, what is referred to and
 * the colour (null where the table has none). */
void wi_writer_fields(model_writer* w, model_object* object, model_sort sort, int kind, const char* def,
                      const char* plain, const model_ref* ref, const model_color* color);
void wi_writer_item(model_writer* w, int indent, const model_item* item);
void wi_writer_body(model_writer* w, int indent, const model_body* body);

#endif
