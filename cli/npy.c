/* SPDX-License-Identifier: MIT */
/*
 * The head of NumPy's binary files: "\x93NUMPY", version, length, then a dictionary as Python writes it,
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (1000, 3), }
 * padded with spaces to a newline.
 */
#include <stdlib.h>
#include <string.h>

#include "points.h"

enum { HEADER_MOST = 1 << 16 };
static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

/* The text behind 'key': in the dictionary, blanks skipped; null: there is none. */
static const char* value_of(const char* header, const char* key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", key);
    const char* at = strstr(header, quoted);
    if (!at) return NULL;
    at += strlen(quoted);
    at += strspn(at, " ");
    if (*at != ':') return NULL;
    return at + 1 + strspn(at + 1, " ");
}

static const char* parse(const char* header, int64_t* rows, char* text, size_t room)
{
    const char *descr = value_of(header, "descr"), *order = value_of(header, "fortran_order"),
               *shape = value_of(header, "shape");
    if (!descr || !order || !shape || *shape != '(') return "the header has no descr, fortran_order and shape";
    if (strncmp(descr, "'<f8'", 5) != 0) {
        int n = (int)strcspn(descr, ",}");
        snprintf(text, room, "the numbers are %.*s, not '<f8': save array.astype(float)", n > 40 ? 40 : n, descr);
        return text;
    }
    if (strncmp(order, "False", 5) != 0) return "the array is in Fortran order: save numpy.ascontiguousarray(array)";
    char* end;
    long long n = strtoll(shape + 1, &end, 10);
    bool two = end > shape + 1 && *end == ',' && n >= 0;
    long long columns = two ? strtoll(end + 1, &end, 10) : 0;
    end += strspn(end, " ,");
    if (!two || columns != 3 || *end != ')') {
        int length = (int)strcspn(shape, ")") + 1;
        snprintf(text, room, "the shape is %.*s, not (n, 3)", length > 40 ? 40 : length, shape);
        return text;
    }
    if (n > INT64_MAX / 64) return "it has too many rows";
    *rows = n;
    return NULL;
}

const char* npy_read_header(FILE* file, int64_t* rows, char* text, size_t room)
{
    unsigned char head[12];
    if (fread(head, 1, 8, file) != 8 || memcmp(head, magic, sizeof magic) != 0)
        return "it does not begin as .npy files do";
    size_t wide = head[6] == 1 ? 2 : 4, length = 0;
    if (head[6] < 1 || head[6] > 3) return "its version is none of 1, 2 and 3";
    if (fread(head + 8, 1, wide, file) != wide) return "the file ends within its header";
    for (size_t k = wide; k-- > 0;) length = length << 8 | head[8 + k];
    if (length > HEADER_MOST) return "its header is too long";
    char* header = malloc(length + 1);
    if (!header) return "there is no memory for its header";
    const char* reason = "the file ends within its header";
    if (fread(header, 1, length, file) == length) {
        header[length] = 0;
        reason = parse(header, rows, text, room);
    }
    free(header);
    return reason;
}

bool npy_write_header(FILE* file, const char* descr, int64_t rows)
{
    char header[1024];
    int n = snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': (%lld,), }", descr,
                     (long long)rows);
    if (n < 0 || (size_t)n >= sizeof header - 64) return false;
    size_t length = (size_t)n;
    while ((10 + length + 1) % 64) header[length++] = ' ';
    header[length++] = '\n';
    unsigned char head[10];
    memcpy(head, magic, sizeof magic);
    head[6] = 1, head[7] = 0;
    head[8] = (unsigned char)(length & 255), head[9] = (unsigned char)(length >> 8);
    return fwrite(head, 1, sizeof head, file) == sizeof head && fwrite(header, 1, length, file) == length;
}
