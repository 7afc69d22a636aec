/* SPDX-License-Identifier: MIT */
/*
 * Placing names. Greedy: one label after the other takes, of all places on rings around its feature, the one with
 * the least ink under it and the shortest way; a place where another label stands is never taken.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

enum { TAKEN = 255 };       /* ink under a label */
enum { MARGIN = 6 };        /* pixels to the border of the page */
#define FONT_SIZE 11.0      /* as in the style sheet of the page */
#define CHARACTER_WIDTH 6.3 /* a little more than the average of a sans-serif of that size */
#define LEADER_FROM 15.0    /* pixels between name and feature, from which on a thin line joins them */

/* sixteen directions, down first */
static const double direction[16][2] = {
    {0, 1},       {0, -1},       {1, 0},        {-1, 0},        {0.71, -0.71}, {-0.71, -0.71},
    {0.71, 0.71}, {-0.71, 0.71}, {0.38, 0.92},  {-0.38, 0.92},  {0.38, -0.92}, {-0.38, -0.92},
    {0.92, 0.38}, {0.92, -0.38}, {-0.92, 0.38}, {-0.92, -0.38},
};

typedef struct rectangle {
    double x0, y0, x1, y1;
} rectangle;

static rectangle box_at(double x, double y, double half_width, double half_height)
{
    rectangle r = {x - half_width, y - half_height, x + half_width, y + half_height};
    return r;
}

/* Ink under the box; -1 if another label is there or it leaves the page. */
static double ink_under(const picture* pic, rectangle r)
{
    if (!(r.x0 >= MARGIN && r.y0 >= MARGIN && r.x1 <= PAGE_WIDTH - MARGIN && r.y1 <= PAGE_HEIGHT - MARGIN)) return -1;
    double sum = 0;
    for (int y = (int)r.y0; y <= (int)r.y1; y++) {
        for (int x = (int)r.x0; x <= (int)r.x1; x++) {
            unsigned char ink = pic->ink[y * PAGE_WIDTH + x];
            if (ink == TAKEN) return -1;
            sum += ink;
        }
    }
    return sum;
}

static void take(picture* pic, rectangle r)
{
    int x1 = (int)fmin(r.x1, PAGE_WIDTH - 1), y1 = (int)fmin(r.y1, PAGE_HEIGHT - 1);
    for (int y = (int)fmax(r.y0, 0); y <= y1; y++)
        for (int x = (int)fmax(r.x0, 0); x <= x1; x++) pic->ink[y * PAGE_WIDTH + x] = TAKEN;
}

typedef struct site {
    double x, y, cost, away;
} site;

static site best_site(const picture* pic, const label* l, double half_width, double half_height)
{
    site best = {0, 0, HUGE_VAL, 0};
    double least = l->kind == LABEL_FACE ? 0 : l->kind == LABEL_VERTEX ? 4 : l->kind == LABEL_MARK ? 6 : 3;
    for (double away = least; away <= 70; away += away < 12 ? 3 : 8) {
        /* The longer way is never worth it once a place without ink is found. */
        if (best.cost <= 1.5 * away) break;
        for (int k = 0; k < 16; k++) {
            double dx = direction[k][0], dy = direction[k][1];
            bool centred = l->kind == LABEL_FACE && away == 0;
            double x = centred ? l->x : l->x + dx * (away + half_width),
                   y = centred ? l->y : l->y + dy * (away + half_height);
            double ink = ink_under(pic, box_at(x, y, half_width, half_height));
            double cost = ink + 1.5 * away + 0.1 * k;
            if (ink >= 0 && cost < best.cost) best = (site){x, y, cost, away};
            if (centred) break;
        }
    }
    return best;
}

/* Visible before hidden; vertices and faces before edges, which have the most room; then as given. */
static int by_rank(const void* a, const void* b)
{
    const label *p = a, *q = b;
    if (p->hidden != q->hidden) return p->hidden ? 1 : -1;
    if (p->kind != q->kind) return (int)p->kind - (int)q->kind;
    return p->order - q->order;
}

int draw_labels(picture* pic, label* labels, int count)
{
    static const char* const class_names[LABEL_KINDS] = {"name-mark", "name-vertex", "name-face", "name-edge"};
    static const char* const hidden_names[LABEL_KINDS] = {"name-mark", "name-vertex back", "name-face back",
                                                          "name-edge back"};
    int left_out = 0, lines = 0;
    for (int s = 0; s < STROKE_COUNT; s++) lines += pic->used[s];
    rectangle legend = {PAGE_WIDTH - LEGEND_WIDE, PAGE_HEIGHT - LEGEND_FOOT - LEGEND_LINE * lines, PAGE_WIDTH,
                        PAGE_HEIGHT};
    if (lines) take(pic, legend);
    for (int i = 0; i < count; i++) {
        labels[i].order = i;
        if (labels[i].kind == LABEL_VERTEX) take(pic, box_at(labels[i].x, labels[i].y, 2, 2));
        if (labels[i].kind == LABEL_MARK) take(pic, box_at(labels[i].x, labels[i].y, 4, 4));
    }
    if (count) qsort(labels, (size_t)count, sizeof *labels, by_rank);
    for (int i = 0; i < count; i++) {
        const label* l = &labels[i];
        double half_width = CHARACTER_WIDTH * svg_characters(l->text) / 2 + 1, half_height = FONT_SIZE / 2;
        site s = best_site(pic, l, half_width, half_height);
        if (s.cost == HUGE_VAL) {
            left_out++;
            continue;
        }
        take(pic, box_at(s.x, s.y, half_width, half_height));
        if (s.away > LEADER_FROM) {
            out d = {0};
            double dx = s.x - l->x, dy = s.y - l->y;
            double in = fmin(half_width / fmax(fabs(dx), 1e-9), half_height / fmax(fabs(dy), 1e-9));
            svg_move(&d, l->x, l->y);
            svg_line(&d, s.x - in * dx, s.y - in * dy);
            svg_path(&pic->layers[LAYER_TEXT], "leader", &d, NULL);
            out_free(&d);
        }
        svg_text(&pic->layers[LAYER_TEXT], l->hidden ? hidden_names[l->kind] : class_names[l->kind], s.x,
                 s.y + 0.35 * FONT_SIZE, l->text);
    }
    return left_out;
}
