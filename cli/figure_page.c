/* SPDX-License-Identifier: MIT */
/* Several pages on one: each keeps its own style sheet, whose selectors are put under the class of the panel. */
#include "figure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svg.h"

enum { HEAD = 58, BETWEEN = 10 };

out* figure_panel(figure_page* page)
{
    if (page->count < FIGURE_PANELS) return &page->panel[page->count++];
    page->error.status = WIT_ERROR_COUNT;
    return NULL;
}

void figure_release(figure_page* page)
{
    for (int i = 0; i < page->count; i++) out_free(&page->panel[i]);
    memset(page, 0, sizeof *page);
}

/* A panel cut into its parts. */
typedef struct part {
    int width, height;
    const char *css, *css_end, *body, *body_end;
} part;

static bool cut(const out* panel, part* p)
{
    const char *size = panel->text ? strstr(panel->text, "<svg ") : NULL, *rect;
    if (!size || panel->failed) return false;
    const char* width = strstr(size, "width=\"");
    const char* height = strstr(size, "height=\"");
    p->css = strstr(size, "<style>\n");
    p->css_end = strstr(size, "</style>");
    rect = p->css_end ? strstr(p->css_end, "<rect ") : NULL;
    p->body = rect ? strchr(rect, '\n') : NULL;
    p->body_end = strstr(size, "</svg>\n");
    if (!width || !height || !p->css || !p->body || !p->body_end) return false;
    p->css += strlen("<style>\n");
    p->width = (int)strtol(width + strlen("width=\""), NULL, 10);
    p->height = (int)strtol(height + strlen("height=\""), NULL, 10);
    return true;
}

/* "a,b{...}" becomes ".p2 a,.p2 b{...}". */
static void put_css(out* o, const part* p, int index)
{
    bool selector = true, start = true;
    for (const char* c = p->css; c < p->css_end; c++) {
        if (selector && start && *c != '\n' && *c != ' ') {
            out_text(o, ".p%d ", index);
            start = false;
        }
        out_text(o, "%c", *c);
        if (*c == '{') selector = false;
        if (*c == '}') selector = start = true;
        if (selector && *c == ',') start = true;
    }
}

typedef struct spot2 {
    int x, y;
} spot2;

/* Where the panels stand below y = 0. The size of all is handed back. */
static spot2 place(const part* parts, int count, int columns, spot2* at)
{
    spot2 size = {0, 0};
    int x = BETWEEN, y = 0, high = 0;
    for (int i = 0; i < count; i++) {
        bool stacked = columns == 0 && i > 1, next = columns > 0 && i && i % columns == 0;
        if (stacked) y += parts[i - 1].height + BETWEEN;
        if (next) x = BETWEEN, y += high + BETWEEN, high = 0;
        at[i] = (spot2){x, y};
        high = parts[i].height > high ? parts[i].height : high;
        size.x = x + parts[i].width > size.x ? x + parts[i].width : size.x;
        size.y = y + parts[i].height > size.y ? y + parts[i].height : size.y;
        if (columns > 0 || i == 0) x += parts[i].width + BETWEEN;
    }
    return size;
}

/* In lines of at most `most` characters. Returns how many. */
static int put_note(out* o, const char* note, int most)
{
    int lines = 0;
    while (*note) {
        size_t n = strlen(note);
        if (n > (size_t)most) {
            n = (size_t)most;
            while (n > 0 && note[n] != ' ') n--;
            if (n == 0) n = (size_t)most;
        }
        char line[400];
        snprintf(line, sizeof line, "%.*s", (int)n, note);
        if (o) svg_text(o, "note", 24, 50 + 17 * lines, line);
        lines++;
        note += n;
        while (*note == ' ') note++;
    }
    return lines;
}

void figure_compose(out* o, const figure_page* page, const char* title, const char* note)
{
    part parts[FIGURE_PANELS];
    spot2 at[FIGURE_PANELS];
    int count = 0;
    for (int i = 0; i < page->count; i++)
        if (cut(&page->panel[i], &parts[count])) count++;
    spot2 size = place(parts, count, page->columns, at);
    int most = size.x / 7 < 390 ? size.x / 7 : 390, head = HEAD + 17 * (put_note(NULL, note, most) - 1);
    out css = {0};
    out_text(&css, "text.title{font:bold 18px Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#1a1a1a}\n"
                   "text.note{font:12.5px Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#444444}\n"
                   "text.letter{font:bold 16px Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#1a1a1a}\n");
    for (int i = 0; i < count; i++) put_css(&css, &parts[i], i);
    svg_begin(o, size.x + BETWEEN, head + size.y + BETWEEN, title, css.text ? css.text : "");
    svg_text(o, "title", 24, 30, title);
    put_note(o, note, most);
    for (int i = 0; i < count; i++) {
        out_text(o, "<g class=\"p%d\" transform=\"translate(%d %d)\">\n", i, at[i].x, head + at[i].y);
        out_text(o, "%.*s", (int)(parts[i].body_end - parts[i].body), parts[i].body);
        svg_close(o);
        char letter[8];
        snprintf(letter, sizeof letter, "(%c)", 'A' + i);
        if (count > 1) svg_text(o, "letter", at[i].x + parts[i].width - 34, head + at[i].y + 26, letter);
    }
    svg_end(o);
    if (count < page->count) o->failed = true;
    out_free(&css);
}
