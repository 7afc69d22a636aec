/* SPDX-License-Identifier: MIT */
/* Filling a wit_error. Used while building and reading, never while evaluating. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "../../include/witness/base.h"

#if defined(__GNUC__)
#ifdef __MINGW32__ /* where "printf" means the C library of Windows, which had no %zu; mingw's own does */
#define ERROR_PRINTF(at, first) __attribute__((format(gnu_printf, at, first)))
#else
#define ERROR_PRINTF(at, first) __attribute__((format(printf, at, first)))
#endif
#else
#define ERROR_PRINTF(at, first)
#endif

/* Writes status, item and the formatted text into *error, which may be null; clears the position.
 * Returns the status, so that a check can end with `return wi_error_fill(...)`. */
wit_status wi_error_fill(wit_error* error, wit_status status, const char* item, const char* text, ...)
    ERROR_PRINTF(4, 5);

/* As above, with the item built from a name and one or two indices: "knots_u[3]", "points[2][5]". j < 0: one index. */
wit_status wi_error_fill_at(wit_error* error, wit_status status, const char* name, long i, long j, const char* text,
                            ...) ERROR_PRINTF(6, 7);

/* Refuses a def whose struct_size is not `size`: made by another version, or not begun with `default_def`. */
wit_status wi_error_struct_size(size_t given, size_t size, const char* default_def, wit_error* error);

/* A formatted text, cut to the room: the path of an item, a name with a number. The only formatting of the library. */
void wi_text_format(char* out, size_t room, const char* format, ...) ERROR_PRINTF(3, 4);

/* Puts "prefix." in front of the item that *error names (or makes it "prefix" if it names none). */
void wi_error_prefix(wit_error* error, const char* prefix);

#endif
