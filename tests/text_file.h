/* SPDX-License-Identifier: MIT */
/* Files as text, text as models. Include it after cmocka.h. */
#ifndef TESTS_TEXT_FILE_H
#define TESTS_TEXT_FILE_H

#include <stdio.h>
#include <stdlib.h>

#include "../include/witness/io.h"

/* Ended by 0, below a megabyte; null where it cannot be opened. */
static inline char* text_file(const char* path, size_t* bytes)
{
    FILE* f = fopen(path, "rb");
    *bytes = 0;
    if (!f) return NULL;
    size_t room = 1 << 20;
    char* text = malloc(room);
    assert_non_null(text);
    *bytes = fread(text, 1, room - 1, f);
    text[*bytes] = 0;
    fclose(f);
    assert_true(*bytes < room - 1);
    return text;
}

/* One that has to be there. */
static inline char* tree_file(const char* path, size_t* bytes)
{
    char* text = text_file(path, bytes);
    if (!text) fail_msg("%s cannot be opened (tests run from the root of the tree)", path);
    return text;
}

static inline wit_model* model_of(const char* text, size_t bytes)
{
    wit_error e = {0};
    wit_model* m = wit_model_read_text(text, bytes, NULL, &e);
    if (!m) fail_msg("%d:%d: %s: %s", e.line, e.column, e.item, e.text);
    return m;
}

#endif
