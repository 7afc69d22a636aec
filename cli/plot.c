/* SPDX-License-Identifier: MIT */
#include "plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "svg.h"

enum {
    LEFT = 84,
    RIGHT = 168, /* the legend stands there */
    TOP = 66,
    FOOT = 48,
    HIGH = 170, /* of a chart */
    BETWEEN = 22,
    MARK_ROWS = 4,
    MARK_LINE = 13,
    MARKS_THROUGH = 60
};

/* ---- one line ---------------------------------------------------------------------------------------------------- */

typedef struct pen {
    const plot_axis *x, *y;
    out* d;
    /* What fell into the half pixel at hand. */
    int64_t bucket;
    int held;
    double px[4], py[4]; /* first, least, largest, last */
    int64_t order[4];
    bool down; /* the line has begun */
    bool apart;
} pen;

static void put(pen* p, double x, double y)
{
    if (!p->down || p->apart) {
        svg_move(p->d, x, y);
        /* A lone point is seen as a dot: round caps. */
        svg_line(p->d, x, y);
    } else {
        svg_line(p->d, x, y);
    }
    p->down = true;
}

static void empty(pen* p)
{
    if (!p->held) return;
    /* In the order of time; equal ones once. */
    int64_t last = -1;
    for (int pass = 0; pass < 4; pass++) {
        int next = -1;
        for (int i = 0; i < 4; i++) {
            if (p->order[i] > last && (next < 0 || p->order[i] < p->order[next])) next = i;
        }
        if (next < 0) break;
        put(p, p->px[next], p->py[next]);
        last = p->order[next];
    }
    p->held = 0;
}

static void hold(pen* p, int slot, double x, double y, int64_t index)
{
    p->px[slot] = x;
    p->py[slot] = y;
    p->order[slot] = index;
}

static void add(pen* p, double x, double y, int64_t index)
{
    double px = plot_at(p->x, x), py = plot_at(p->y, y);
    int64_t bucket = (int64_t)floor(2 * px);
    if (p->held && bucket != p->bucket) empty(p);
    if (!p->held) {
        for (int i = 0; i < 4; i++) hold(p, i, px, py, index);
        p->bucket = bucket;
    }
    if (py > p->py[1]) hold(p, 1, px, py, index);
    if (py < p->py[2]) hold(p, 2, px, py, index);
    hold(p, 3, px, py, index);
    p->held++;
}

static const char* dash_class(const plot_series* s)
{
    static const char* const names[4] = {"", " dash", " dash2", " dash3"};
    return names[s->dashes & 3];
}

static void draw_series(out* o, const plot_page* page, const plot_series* s, int color, const plot_axis* x,
                        const plot_axis* y)
{
    out d = {0};
    pen p = {.x = x, .y = y, .d = &d, .apart = s->apart};
    for (int64_t i = 0; i < page->count; i++) {
        bool there = isfinite(s->y[i]) && isfinite(page->x[i]);
        if (s->aside) there = there && s->y[i] >= y->lo && s->y[i] <= y->hi;
        if (!there || (s->broken && s->broken[i])) {
            empty(&p);
            p.down = false;
        }
        if (there) add(&p, page->x[i], s->y[i], i);
    }
    empty(&p);
    char class_name[24];
    snprintf(class_name, sizeof class_name, "s%d%s%s", color % PLOT_COLORS, dash_class(s), s->apart ? " dots" : "");
    svg_path(o, class_name, &d, s->name);
    out_free(&d);
}

/* ---- one chart --------------------------------------------------------------------------------------------------- */

typedef struct extent {
    double lo, hi;
    bool zero;
} extent;

static void extend(extent* e, const plot_page* page, const plot_chart* c, const plot_series* s)
{
    for (int64_t i = 0; i < page->count; i++) {
        double y = c->log ? fabs(s->y[i]) : s->y[i];
        if (!isfinite(y)) continue;
        if (c->log && y < PLOT_ZERO) {
            e->zero = true;
            continue;
        }
        e->lo = fmin(e->lo, y);
        e->hi = fmax(e->hi, y);
    }
}

static plot_axis axis_of(const plot_page* page, const plot_chart* c, double from, double to)
{
    extent first = {HUGE_VAL, -HUGE_VAL, false}, all = first;
    for (int k = 0; k < c->series_count; k++) {
        if (!c->series[k].aside) extend(&first, page, c, &c->series[k]);
        extend(&all, page, c, &c->series[k]);
    }
    if (!c->log && first.lo <= first.hi) {
        double high = first.hi - first.lo;
        all.lo = fmax(all.lo, first.lo - high);
        all.hi = fmin(all.hi, first.hi + high);
    }
    return plot_axis_for(all.lo, all.hi, c->log, all.zero, from, to);
}

static void draw_bands(out* o, const plot_page* page, const plot_axis* x, double top)
{
    for (int i = 0; i < page->band_count; i++) {
        const plot_band* b = &page->bands[i];
        double from = plot_at(x, b->from), to = plot_at(x, b->to);
        out d = {0};
        char class_name[24];
        if (to - from < 0.5) continue;
        svg_move(&d, from, top);
        svg_line(&d, to, top);
        svg_line(&d, to, top + HIGH);
        svg_line(&d, from, top + HIGH);
        snprintf(class_name, sizeof class_name, "band b%d", b->color % PLOT_COLORS);
        svg_path(o, class_name, &d, b->text);
        out_free(&d);
    }
}

static void draw_chart(out* o, const plot_page* page, int index, const plot_axis* x, double top)
{
    const plot_chart* c = &page->charts[index];
    bool last = index + 1 == page->chart_count;
    plot_axis y = axis_of(page, c, top + HIGH, top);
    out_text(o, "<g class=\"chart\">\n");
    draw_bands(o, page, x, top);
    plot_frame(o, x, &y, last ? page->x_label : NULL, c->label);
    /* What is aside lies below the others. */
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < c->series_count; k++)
            if (c->series[k].aside == (pass == 0)) draw_series(o, page, &c->series[k], k, x, &y);
    for (int k = 0; k < c->series_count; k++) {
        double at = top + 12 + 17 * k;
        char class_name[24];
        snprintf(class_name, sizeof class_name, "s%d%s%s", k % PLOT_COLORS, dash_class(&c->series[k]),
                 c->series[k].apart ? " dots" : "");
        plot_segment(o, class_name, x->to + 12, at, x->to + (c->series[k].apart ? 12 : 36), at, NULL);
        svg_text(o, "legend", x->to + 43, at + 4, c->series[k].name);
    }
    svg_close(o);
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* Rows of text above the charts that the marks need, at most MARK_ROWS; which[i] is the row of mark i, -1: no room. */
static int row_of(double end[MARK_ROWS], double at, const char* text)
{
    double half = 2.8 * svg_characters(text) + 3;
    for (int r = 0; r < MARK_ROWS; r++) {
        if (at - half > end[r]) {
            end[r] = at + half;
            return r;
        }
    }
    return -1;
}

/* The names of the bands, in rows as those of the marks. */
static int band_rows(const plot_page* page, const plot_axis* x, out* o, double top)
{
    double end[MARK_ROWS] = {0};
    int rows = 0;
    for (int i = 0; i < page->band_count; i++) {
        const plot_band* b = &page->bands[i];
        double middle = (plot_at(x, b->from) + plot_at(x, b->to)) / 2;
        middle = middle < x->from + 20 ? x->from + 20 : middle;
        int r = row_of(end, middle, b->text);
        if (r < 0) continue;
        if (o) svg_text(o, "small", middle, top - 8 - MARK_LINE * r, b->text);
        if (r + 1 > rows) rows = r + 1;
    }
    return rows;
}

static int mark_rows(const plot_page* page, const plot_axis* x)
{
    double end[MARK_ROWS] = {0};
    int rows = 0;
    for (int i = 0; i < page->mark_count; i++) {
        int r = row_of(end, plot_at(x, page->marks[i].x), page->marks[i].text);
        if (r + 1 > rows) rows = r + 1;
    }
    return rows;
}

static void draw_marks(out* o, const plot_page* page, const plot_axis* x, double top, double foot)
{
    double end[MARK_ROWS] = {0}, before = -10;
    svg_group(o, "marks");
    for (int i = 0; i < page->mark_count; i++) {
        double at = plot_at(x, page->marks[i].x);
        int r = row_of(end, at, page->marks[i].text);
        if (r >= 0) svg_text(o, "small", at, top - 8 - MARK_LINE * r, page->marks[i].text);
        if (at - before < 1) continue; /* one line for marks at one pixel */
        /* many of them would be a grey bar: then they are ticks at the upper end */
        plot_segment(o, "mark", at, top - 4, at, page->mark_count > MARKS_THROUGH ? top + 5 : foot,
                     page->marks[i].text);
        before = at;
    }
    svg_close(o);
}

wit_status plot_svg(out* o, const plot_page* page)
{
    double lo = page->count ? page->x[0] : 0, hi = page->count ? page->x[page->count - 1] : 1;
    if (!(hi > lo)) hi = lo + 1;
    plot_axis x = {lo, hi, LEFT, PLOT_WIDTH - RIGHT, false, false};
    int rows = mark_rows(page, &x), names = band_rows(page, &x, NULL, 0);
    double top = TOP + MARK_LINE * (rows + names);
    double foot = top + page->chart_count * (HIGH + BETWEEN) - BETWEEN;
    svg_begin(o, PLOT_WIDTH, (int)foot + FOOT, page->title, plot_css());
    svg_text(o, "head", 24, 30, page->title);
    svg_text(o, "about", 24, 48, page->head);
    for (int i = 0; i < page->chart_count; i++) draw_chart(o, page, i, &x, top + i * (HIGH + BETWEEN));
    if (page->mark_count) draw_marks(o, page, &x, top - MARK_LINE * names, foot);
    band_rows(page, &x, o, top);
    svg_end(o);
    return o->failed ? WIT_ERROR_MEMORY : WIT_OK;
}
