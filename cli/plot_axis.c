/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot.h"
#include "svg.h"

enum { LEAST_DECADE = -16 };

static plot_axis log_axis(double lo, double hi, bool zero, double from, double to)
{
    plot_axis a = {LEAST_DECADE, 0, from, to, true, zero};
    if (!(hi > 0) || !isfinite(hi)) return a;
    a.hi = fmax(ceil(log10(hi) - 1e-9), LEAST_DECADE + 1);
    a.lo = lo > 0 ? fmax(floor(log10(lo) + 1e-9), LEAST_DECADE) : LEAST_DECADE;
    if (zero) a.lo -= 1;
    if (a.lo > a.hi - 1) a.lo = a.hi - 1;
    return a;
}

plot_axis plot_axis_for(double lo, double hi, bool log, bool zero, double from, double to)
{
    if (log) return log_axis(lo, hi, zero, from, to);
    plot_axis a = {0, 1, from, to, false, false};
    if (!isfinite(lo) || !isfinite(hi) || lo > hi) return a;
    /* A line that does not change stands in the middle. */
    double room = hi - lo > 1e-12 * fmax(fabs(lo), fabs(hi)) ? 0.04 * (hi - lo) : fmax(0.05 * fabs(hi), 1e-9);
    a.lo = lo - room;
    a.hi = hi + room;
    return a;
}

double plot_at(const plot_axis* a, double value)
{
    double q = value;
    if (a->log) q = fabs(value) >= PLOT_ZERO ? log10(fabs(value)) : a->lo;
    q = (q - a->lo) / (a->hi - a->lo);
    q = fmin(fmax(q, 0), 1);
    return a->from + q * (a->to - a->from);
}

static int log_ticks(const plot_axis* a, int most, double* value, char (*text)[24])
{
    int lo = (int)a->lo, hi = (int)a->hi, every = 1, n = 0;
    while ((hi - lo) / every + 1 > most) every++;
    for (int k = hi; k >= lo && n < most; k -= every) {
        if (a->zero && k == lo) continue;
        value[n] = pow(10, k);
        if (k >= -2 && k <= 4)
            snprintf(text[n], sizeof text[n], "%.*f", k < 0 ? -k : 0, value[n]);
        else
            snprintf(text[n], sizeof text[n], "1e%d", k);
        n++;
    }
    if (a->zero && n < most) {
        value[n] = 0;
        snprintf(text[n], sizeof text[n], "0");
        n++;
    }
    return n;
}

/* The least of 1, 2, 5 times a power of ten that cuts the axis into fewer than `most` pieces. */
static double round_step(double span, int most)
{
    double rough = span / (most > 1 ? most - 1 : 1), power = pow(10, floor(log10(rough)));
    static const double digit[] = {1, 2, 5, 10};
    for (int i = 0; i < 4; i++) {
        if (digit[i] * power >= rough * (1 - 1e-9)) return digit[i] * power;
    }
    return 10 * power;
}

int plot_ticks(const plot_axis* a, int most, double* value, char (*text)[24])
{
    if (most > PLOT_MOST_TICKS) most = PLOT_MOST_TICKS;
    if (a->log) return log_ticks(a, most, value, text);
    double step = round_step(a->hi - a->lo, most), largest = fmax(fabs(a->lo), fabs(a->hi));
    int decimals = (int)fmax(0, -floor(log10(step) + 1e-9)), n = 0;
    bool plain = largest < 1e7 && decimals <= 9;
    for (double k = ceil(a->lo / step - 1e-9); k * step <= a->hi + 1e-9 * step && n < most; k++) {
        value[n] = k * step;
        if (plain)
            snprintf(text[n], sizeof text[n], "%.*f", decimals, value[n] + 0.0);
        else
            snprintf(text[n], sizeof text[n], "%.6g", value[n] + 0.0);
        n++;
    }
    return n;
}

const char* plot_css(void)
{
    return "path{fill:none;stroke-linejoin:round;stroke-linecap:round}\n"
           ".s0{stroke:#0b57a4}.s1{stroke:#c8501e}.s2{stroke:#1b7f3b}.s3{stroke:#7a1fa2}\n"
           ".s4{stroke:#a07800}.s5{stroke:#00808a}.s6{stroke:#c2185b}.s7{stroke:#5f6b76}\n"
           ".s0,.s1,.s2,.s3,.s4,.s5,.s6,.s7{stroke-width:1.4}\n"
           ".dash{stroke-dasharray:5 4}.dash2{stroke-dasharray:9 3 2 3}.dash3{stroke-dasharray:2 3}\n"
           ".dots{stroke-width:3}\n"
           ".band{stroke:none}.b0{fill:#e8eef3}.b1{fill:#fdeacb}.b2{fill:#d9f0e6}.b3{fill:#f6dfea}\n"
           ".b4{fill:#e3e3f5}.b5{fill:#f5f3d0}.b6{fill:#dcecf7}.b7{fill:#eeeeee}\n"
           ".grid{stroke:#e3e8ec;stroke-width:.8}\n"
           ".axis{stroke:#444444;stroke-width:1}\n"
           ".mark{stroke:#8a949d;stroke-width:.8;stroke-dasharray:2 3}\n"
           "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:11px;fill:#333333}\n"
           ".head{font-size:15px;font-weight:bold;fill:#1a1a1a}\n"
           ".middle{text-anchor:middle}.end{text-anchor:end}\n"
           ".small{font-size:10px;text-anchor:middle;fill:#5f6b76}\n";
}

void plot_segment(out* o, const char* class_name, double x0, double y0, double x1, double y1, const char* title)
{
    out d = {0};
    svg_move(&d, x0, y0);
    svg_line(&d, x1, y1);
    svg_path(o, class_name, &d, title);
    out_free(&d);
}

/* Upright text is turned about its place. */
static void put_turned(out* o, double x, double y, const char* text)
{
    out_text(o, "<text class=\"middle\" transform=\"translate(");
    svg_number(o, x);
    out_text(o, " ");
    svg_number(o, y);
    out_text(o, ") rotate(-90)\">");
    svg_escape(o, text);
    out_text(o, "</text>\n");
}

void plot_frame(out* o, const plot_axis* x, const plot_axis* y, const char* x_label, const char* y_label)
{
    double value[PLOT_MOST_TICKS];
    char text[PLOT_MOST_TICKS][24];
    double high = fabs(y->to - y->from), wide = fabs(x->to - x->from);
    int n = plot_ticks(y, (int)fmax(high / 26, 2), value, text);
    for (int i = 0; i < n; i++) {
        double at = plot_at(y, value[i]);
        plot_segment(o, "grid", x->from, at, x->to, at, NULL);
        if (y_label) svg_text(o, "end", x->from - 7, at + 4, text[i]);
    }
    n = plot_ticks(x, (int)fmax(wide / 62, 2), value, text);
    for (int i = 0; i < n; i++) {
        double at = plot_at(x, value[i]);
        plot_segment(o, "grid", at, y->from, at, y->to, NULL);
        if (x_label) plot_segment(o, "axis", at, y->from, at, y->from + 4, NULL);
        if (x_label) svg_text(o, "middle", at, y->from + 17, text[i]);
    }
    plot_segment(o, "axis", x->from, y->from, x->to, y->from, NULL);
    plot_segment(o, "axis", x->from, y->from, x->from, y->to, NULL);
    if (x_label) svg_text(o, "middle", (x->from + x->to) / 2, y->from + 34, x_label);
    if (y_label) put_turned(o, x->from - 54, (y->from + y->to) / 2, y_label);
}
