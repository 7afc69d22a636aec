/* SPDX-License-Identifier: MIT */
/*
 * What a command will print, gathered in memory: standard output gets all of it or nothing.
 * Also a writer of JSON that puts the commas.
 */
#ifndef CLI_OUT_H
#define CLI_OUT_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define OUT_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define OUT_PRINTF(text, first)
#endif

typedef struct out {
    char* text;
    size_t length, room;
    bool failed; /* no memory */
    bool comma;  /* JSON: a comma is due before the next value */
} out;

void out_text(out* o, const char* text, ...) OUT_PRINTF(2, 3);
/* Writes it all to standard output and frees it. 0, or 1 with a message on standard error. */
int out_finish(out* o);
void out_free(out* o);

/* A number in plain decimals: `digits` significant ones, "1/3 (0.333333)" for thirds and the like. */
void out_number(out* o, double x, int digits);
void out_parameter(out* o, double x);

/* JSON. `key` null inside an array. Numbers are written so that they read back to the same bits; not finite: null. */
void out_open(out* o, const char* key, char bracket);
void out_close(out* o, char bracket);
void out_put_string(out* o, const char* key, const char* value);
void out_put_number(out* o, const char* key, double value);
void out_put_integer(out* o, const char* key, long long value);
void out_put_bool(out* o, const char* key, bool value);
void out_put_numbers(out* o, const char* key, const double* value, int n);

#endif
