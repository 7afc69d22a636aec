/* SPDX-License-Identifier: MIT */
/* Rows of bad models, and the check that each is refused as it says. Quotes are written ' in the rows. */
#ifndef TESTS_REFUSAL_H
#define TESTS_REFUSAL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/io.h"

typedef struct refusal {
    const char* text;
    wit_status status;
    int line, column;
    const char* item; /* as a whole */
    const char* why;  /* part of the text */
} refusal;

static inline void check_refusal(const refusal* row)
{
    char text[4096];
    size_t n = strlen(row->text);
    assert_true(n < sizeof text);
    memcpy(text, row->text, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\'') text[i] = '"';
    }
    wit_error e;
    memset(&e, 0, sizeof e);
    wit_model* m = wit_model_read_text(text, n, NULL, &e);
    bool good = !m && e.status == row->status && e.line == row->line && (!row->column || e.column == row->column) &&
                (!row->item || strcmp(e.item, row->item) == 0) && strstr(e.text, row->why) && e.text[0] && e.item[0];
    if (!good)
        fail_msg("%s\n-> %s %d:%d: %s: %s\nexpected %s %d:%d: %s: ..%s..", text, wit_status_name(e.status), e.line,
                 e.column, e.item, e.text, wit_status_name(row->status), row->line, row->column,
                 row->item ? row->item : "*", row->why);
    /* A null error is allowed. */
    assert_null(wit_model_read_text(text, n, NULL, NULL));
}

#define CHECK_ALL(table)                                                                                               \
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) check_refusal(&table[row])

#endif
