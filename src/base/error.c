/* SPDX-License-Identifier: MIT */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fill(wit_error* error, wit_status status, const char* item, const char* text, va_list args)
{
    memset(error, 0, sizeof *error);
    error->status = status;
    snprintf(error->item, sizeof error->item, "%s", item);
    vsnprintf(error->text, sizeof error->text, text, args);
}

wit_status wi_error_fill(wit_error* error, wit_status status, const char* item, const char* text, ...)
{
    if (error) {
        va_list args;
        va_start(args, text);
        fill(error, status, item, text, args);
        va_end(args);
    }
    return status;
}

wit_status wi_error_fill_at(wit_error* error, wit_status status, const char* name, long i, long j, const char* text,
                            ...)
{
    if (error) {
        char item[sizeof error->item];
        if (j < 0)
            snprintf(item, sizeof item, "%s[%ld]", name, i);
        else
            snprintf(item, sizeof item, "%s[%ld][%ld]", name, i, j);
        va_list args;
        va_start(args, text);
        fill(error, status, item, text, args);
        va_end(args);
    }
    return status;
}

wit_status wi_error_struct_size(size_t given, size_t size, const char* default_def, wit_error* error)
{
    if (given == size) return WIT_OK;
    return wi_error_fill(error, WIT_ERROR_ARGUMENT, "struct_size", "struct_size is %zu, not %zu; start from %s", given,
                         size, default_def);
}

void wi_text_format(char* out, size_t room, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(out, room, format, args);
    va_end(args);
}

void wi_error_prefix(wit_error* error, const char* prefix)
{
    if (!error) return;
    char item[sizeof error->item];
    /* Cut from the right: the front of a path says where to look. */
    int n = snprintf(item, sizeof item, "%s%s", prefix, error->item[0] ? "." : "");
    if (n >= 0 && (size_t)n < sizeof item) snprintf(item + n, sizeof item - (size_t)n, "%s", error->item);
    memcpy(error->item, item, sizeof item);
}
