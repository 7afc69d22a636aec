/* SPDX-License-Identifier: MIT */
/* Reading a picture back: is it well-formed, what lines are on it. Include after cmocka.h. */
#ifndef TESTS_SVG_PAGE_H
#define TESTS_SVG_PAGE_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a small reader of XML --------------------------------------------------------------------- */

static inline bool is_entity(const char* s)
{
    return !strncmp(s, "&amp;", 5) || !strncmp(s, "&lt;", 4) || !strncmp(s, "&gt;", 4) || !strncmp(s, "&quot;", 6);
}

/* Bytes of a legal character of XML 1.0, counted from the definition of UTF-8 by decoding and encoding again. */
static inline int legal_character(const unsigned char* s)
{
    uint32_t code = s[0];
    int n = s[0] < 0x80 ? 1 : (s[0] & 0xe0) == 0xc0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : (s[0] & 0xf8) == 0xf0 ? 4 : 0;
    if (n == 0) return 0;
    if (n > 1) code &= 0xffu >> (n + 1);
    for (int i = 1; i < n; i++) {
        if (s[i] < 0x80 || s[i] > 0xbf) return 0;
        code = code * 64 + (s[i] - 0x80u);
    }
    int shortest = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    bool legal = code == 9 || code == 10 || code == 13 || (code >= 0x20 && code <= 0xd7ff) ||
                 (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
    return n == shortest && legal ? n : 0;
}

typedef struct xml {
    const char* s;
    char open[16][16]; /* names of the open elements */
    int depth;
    int elements;
    const char* wrong; /* null: nothing */
} xml;

static inline void xml_name(xml* x, char to[16])
{
    int n = 0;
    while ((isalnum((unsigned char)*x->s) || *x->s == '-') && n < 15) to[n++] = *x->s++;
    to[n] = 0;
    if (!n) x->wrong = "a name is missing";
}

/* Attributes up to ">" or "/>"; true: the element is empty. */
static inline bool xml_attributes(xml* x)
{
    char name[16], seen[256] = " ";
    for (;;) {
        while (*x->s == ' ') x->s++;
        if (!strncmp(x->s, "/>", 2)) {
            x->s += 2;
            return true;
        }
        if (*x->s == '>') {
            x->s++;
            return false;
        }
        char key[20];
        xml_name(x, name);
        snprintf(key, sizeof key, " %s ", name);
        if (strstr(seen, key)) x->wrong = "an attribute twice";
        strncat(seen, key + 1, sizeof seen - strlen(seen) - 1);
        if (x->s[0] != '=' || x->s[1] != '"') x->wrong = "an attribute without a value";
        if (x->wrong) return true;
        for (x->s += 2; *x->s && *x->s != '"'; x->s++)
            if (*x->s == '<' || (*x->s == '&' && !is_entity(x->s))) x->wrong = "a raw character in an attribute";
        if (*x->s) x->s++;
        if (x->wrong) return true;
    }
}

static inline void xml_tag(xml* x)
{
    char name[16];
    if (x->s[1] == '/') {
        x->s += 2;
        xml_name(x, name);
        if (!x->depth || strcmp(name, x->open[x->depth - 1]) != 0 || *x->s != '>') x->wrong = "a closing tag too many";
        x->depth--;
        x->s++;
        return;
    }
    x->s++;
    xml_name(x, name);
    x->elements++;
    if (!xml_attributes(x)) {
        if (x->depth == 16)
            x->wrong = "too deep";
        else
            memcpy(x->open[x->depth++], name, 16);
    }
}

/* Null if the text is well-formed and one <svg> element; else what is wrong. */
static inline const char* xml_fault(const char* text)
{
    static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    xml x = {text, {{0}}, 0, 0, NULL};
    if (strncmp(text, head, sizeof head - 1) != 0) return "no declaration";
    x.s += sizeof head - 1;
    if (strncmp(x.s, "<svg ", 5) != 0) return "no svg";
    while (*x.s && !x.wrong) {
        int n = legal_character((const unsigned char*)x.s);
        if (!n) return "an illegal character";
        if (*x.s == '<')
            xml_tag(&x);
        else if (*x.s == '&' && !is_entity(x.s))
            return "a raw &";
        else if (x.depth == 0 && *x.s != '\n')
            return "text outside";
        else
            x.s += n;
    }
    return x.wrong ? x.wrong : x.depth ? "an element is not closed" : NULL;
}

static inline int occurrences(const char* text, const char* part)
{
    int n = 0;
    for (const char* s = text; (s = strstr(s, part)); s += strlen(part)) n++;
    return n;
}

/* ---- points of the paths of a class, curves cut into 8 ------------------------------------------ */

typedef struct page_points {
    double (*xy)[2];
    int count, room;
    int paths;
} page_points;

static inline void add_point(page_points* p, double x, double y)
{
    if (p->count == p->room) {
        p->room = 2 * p->room + 256;
        p->xy = realloc(p->xy, (size_t)p->room * sizeof *p->xy);
        assert_non_null(p->xy);
    }
    p->xy[p->count][0] = x;
    p->xy[p->count++][1] = y;
}

static inline void path_points(page_points* p, const char* d)
{
    double x = 0, y = 0, c[6];
    while (*d && *d != '"') {
        char command = *d++, *end;
        int n = command == 'C' ? 6 : 2;
        for (int i = 0; i < n; i++) {
            c[i] = strtod(d, &end);
            assert_true(end != d);
            d = *end == ' ' ? end + 1 : end;
        }
        for (int k = 1; k <= 8 && command != 'M'; k++) {
            double q = k / 8.0, r = 1 - q;
            if (command == 'C')
                add_point(p, r * r * r * x + 3 * r * r * q * c[0] + 3 * r * q * q * c[2] + q * q * q * c[4],
                          r * r * r * y + 3 * r * r * q * c[1] + 3 * r * q * q * c[3] + q * q * q * c[5]);
            else
                add_point(p, r * x + q * c[0], r * y + q * c[1]);
        }
        if (command == 'M') add_point(p, c[0], c[1]);
        x = c[n - 2];
        y = c[n - 1];
    }
    p->paths++;
}

/* Without the sample in the legend. */
static inline page_points points_of(const char* svg, const char* class_name)
{
    page_points p = {NULL, 0, 0, 0};
    char tag[64];
    snprintf(tag, sizeof tag, "<path class=\"%s\" d=\"", class_name);
    const char* legend = strstr(svg, "<g id=\"legend\">");
    for (const char* s = svg; (s = strstr(s, tag)) && (!legend || s < legend);) {
        s += strlen(tag);
        path_points(&p, s);
    }
    return p;
}

static inline void assert_page(const char* svg, const char* what)
{
    const char* fault = xml_fault(svg);
    if (fault) fail_msg("%s: %s", what, fault);
    for (const char* s = svg; (s = strstr(s, "d=\"M")); s++)
        for (const char* c = s + 3; *c != '"'; c++)
            if (!strchr("MLC-. 0123456789", *c)) fail_msg("%s: '%c' in a path", what, *c);
}

#endif
