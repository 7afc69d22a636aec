/* SPDX-License-Identifier: MIT */
#include "numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../include/witness/geom.h"
#include "../io/number.h"

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static size_t digits(const char* text, size_t i, size_t end)
{
    while (i < end && digit(text[i])) i++;
    return i;
}

/* The word text[0 .. n) as a JSON number in `to`: no plus, a digit on both sides of the point. False: no number. */
static bool as_json(const char* text, size_t n, char* to, size_t* length)
{
    size_t i = 0, k = 0;
    if (i < n && (text[i] == '+' || text[i] == '-')) {
        if (text[i++] == '-') to[k++] = '-';
    }
    size_t whole = i;
    i = digits(text, i, n);
    size_t first = whole;
    while (first + 1 < i && text[first] == '0') first++; /* 007 */
    if (i == whole) to[k++] = '0';
    memcpy(to + k, text + first, i - first);
    k += i - first;
    bool any = i > whole;
    if (i < n && text[i] == '.') {
        size_t start = ++i;
        i = digits(text, i, n);
        any = any || i > start;
        if (i > start) {
            to[k++] = '.';
            memcpy(to + k, text + start, i - start);
            k += i - start;
        }
    }
    if (!any) return false;
    if (i < n && (text[i] == 'e' || text[i] == 'E')) {
        to[k++] = 'e';
        if (++i < n && (text[i] == '+' || text[i] == '-')) to[k++] = text[i++];
        size_t start = i;
        i = digits(text, i, n);
        if (i == start) return false;
        memcpy(to + k, text + start, i - start);
        k += i - start;
    }
    *length = k;
    return i == n;
}

static bool refuse(number_line* out, size_t column, const char* reason, const char* word, size_t length)
{
    out->column = (int)column + 1;
    int shown = length > 40 ? 40 : (int)length;
    for (int i = 0; i < shown; i++) {
        if ((unsigned char)word[i] < 0x20) shown = i;
    }
    if (word)
        snprintf(out->reason, sizeof out->reason, "'%.*s' %s", shown, word, reason);
    else
        snprintf(out->reason, sizeof out->reason, "%s", reason);
    return false;
}

/* NaN and infinity, as printf writes them. */
static bool not_finite(const char* word, size_t n)
{
    if (n > 0 && (*word == '-' || *word == '+')) word++, n--;
    if (n < 3) return false;
    char low[4] = {(char)(word[0] | 0x20), (char)(word[1] | 0x20), (char)(word[2] | 0x20), 0};
    return !strcmp(low, "nan") || !strcmp(low, "inf");
}

bool numbers_read(const char* text, size_t bytes, number_line* out)
{
    memset(out, 0, sizeof *out);
    size_t i = 0, start;
    bool comma = false; /* a number has to follow */
    for (;;) {
        while (i < bytes && blank(text[i])) i++;
        if (i == bytes || text[i] == '#') break;
        if (text[i] == ',') {
            if (comma || out->count == 0) return refuse(out, i, "a number is missing before this comma", NULL, 0);
            comma = true;
            i++;
            continue;
        }
        start = i;
        while (i < bytes && !blank(text[i]) && text[i] != ',' && text[i] != '#') i++;
        char word[256];
        size_t n = i - start, length = 0;
        double x = 0;
        if (not_finite(text + start, n)) return refuse(out, start, "is not a finite number", text + start, n);
        if (n > sizeof word - 4 || !as_json(text + start, n, word, &length))
            return refuse(out, start, "is not a number", text + start, n);
        if (!wi_number_read(word, length, &x)) return refuse(out, start, "is too large", text + start, n);
        if (out->count < NUMBERS_MOST) {
            out->value[out->count] = x;
            out->at[out->count] = (int)start + 1;
        }
        out->count++;
        comma = false;
    }
    if (comma) return refuse(out, i, "a number is missing after the last comma", NULL, 0);
    return true;
}

bool numbers_pose(number_line* line, int first, wit_pose* out)
{
    const double* x = line->value + first;
    for (int i = 0; i < 3; i++) {
        if (fabs(x[i]) > WIT_MAX_COORDINATE)
            return refuse(line, (size_t)line->at[first + i] - 1, "the coordinate is too large", NULL, 0);
    }
    double m = fmax(fmax(fabs(x[3]), fabs(x[4])), fmax(fabs(x[5]), fabs(x[6])));
    double length = m < 1e100 ? sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6]) : m;
    if (!(fabs(length - 1) <= 1e-6)) {
        char reason[112];
        snprintf(reason, sizeof reason, "the quaternion qw qx qy qz has length %.9g, not 1", length);
        return refuse(line, (size_t)line->at[first + 3] - 1, reason, NULL, 0);
    }
    wit_pose pose = {{x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}};
    /* Already a unit to rounding: the bits stay. */
    if (fabs(length - 1) > 4e-16)
        pose.rotation = (wit_quat){x[3] / length, x[4] / length, x[5] / length, x[6] / length};
    *out = pose;
    return true;
}
