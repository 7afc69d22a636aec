/* SPDX-License-Identifier: MIT */
/*
 * Charts as SVG, 900 pixels wide: any number of them under one x axis, lines with a legend, upright marks through all of
 * them. Lines of many points are drawn by the first, least, largest and last of each half pixel, so that no peak is lost.
 */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include <stdint.h>

#include "../include/witness/base.h"
#include "out.h"

enum { PLOT_WIDTH = 900, PLOT_COLORS = 8, PLOT_MOST_TICKS = 24 };

typedef struct plot_series {
    const char* name;      /* in the legend */
    const double* y;       /* as many as the page has x; not finite: the line is broken there */
    int dashes;            /* a pattern of its own, 0 to 3; 0: none */
    bool apart;            /* dots, not joined */
    const uint8_t* broken; /* nonzero: the line begins anew at this point; null: nowhere */
    bool aside;            /* does not set the scale: shown where it is at most one height outside of the others */
} plot_series;

typedef struct plot_chart {
    const char* label; /* of the y axis, with the unit */
    bool log;          /* of |y|; what is below 1e-16 is zero: it stands at the foot, which is then marked 0 */
    const plot_series* series;
    int series_count;
} plot_chart;

typedef struct plot_mark {
    double x;
    const char* text;
} plot_mark;

/* A stretch of x in a pale colour behind the lines, its name above the charts. */
typedef struct plot_band {
    double from, to;
    int color;
    const char* text;
} plot_band;

typedef struct plot_page {
    const char *title, *head, *x_label; /* head: a line below the title */
    const double* x;                    /* ascending */
    int64_t count;
    const plot_chart* charts;
    int chart_count;
    const plot_mark* marks; /* ascending */
    int mark_count;
    const plot_band* bands; /* ascending */
    int band_count;
} plot_page;

/* The whole page. WIT_OK or WIT_ERROR_MEMORY. */
wit_status plot_svg(out* o, const plot_page* page);

/* ---- axes, for other pictures too (plot_axis.c) */

typedef struct plot_axis {
    double lo, hi; /* values at the ends; log: decades */
    double from, to;
    bool log;
    bool zero; /* log: the foot stands for 0 */
} plot_axis;

/* On a log axis, what is smaller counts as zero: the rounding of a cosine. */
#define PLOT_ZERO 1e-16

/* The axis for values from lo to hi (log: sizes, `zero` if some are 0), with some room, between two places of the page.
 * Values that are not finite, or lo > hi: an axis from 0 to 1. */
plot_axis plot_axis_for(double lo, double hi, bool log, bool zero, double from, double to);
double plot_at(const plot_axis* axis, double value);
/* At most `most` ticks (and PLOT_MOST_TICKS) at round values, with their texts. Returns how many. */
int plot_ticks(const plot_axis* axis, int most, double* value, char (*text)[24]);

/* Style sheet of charts: .s0 to .s7 lines, .dash, .grid, .axis, .mark, texts. */
const char* plot_css(void);
void plot_segment(out* o, const char* class_name, double x0, double y0, double x1, double y1, const char* title);
/* A frame between two corners with ticks, grid lines and labels at the left and the foot; labels may be null: then the
 * numbers of that axis are left out too. */
void plot_frame(out* o, const plot_axis* x, const plot_axis* y, const char* x_label, const char* y_label);

#endif
