/* SPDX-License-Identifier: MIT */
/* Lines: cut into visible and hidden runs, each run written as cubic pieces within 0.1 pixel of the exact line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw.h"

#define TOLERANCE 0.1 /* pixels */

typedef enum run_state { RUN_OUTSIDE, RUN_HIDDEN, RUN_VISIBLE } run_state;

typedef struct sample {
    double t;
    spot s;
    run_state state;
} sample;

typedef struct run {
    double lo, hi;
    double length; /* pixels */
    run_state state;
} run;

static double apart(spot a, spot b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

static spot place(const trace* tr, double t)
{
    spot derivative;
    return tr->at(tr->context, t, 0, &derivative);
}

static run_state state_at(const picture* pic, const trace* tr, double t, spot s)
{
    if (tr->inside && !tr->inside(tr->context, t)) return RUN_OUTSIDE;
    return pic->hidden && hidden_test(pic->hidden, s) ? RUN_HIDDEN : RUN_VISIBLE;
}

/* ---- runs ------------------------------------------------------------------------------------------ */

/* The borders of the smooth pieces: ends of the range and the breaks strictly inside. Returns how many. */
static int piece_borders(const trace* tr, double* borders)
{
    int n = 0;
    double hair = 1e-12 * (tr->range.hi - tr->range.lo);
    borders[n++] = tr->range.lo;
    for (int i = 0; i < tr->break_count; i++)
        if (tr->breaks[i] > borders[n - 1] + hair && tr->breaks[i] < tr->range.hi - hair) borders[n++] = tr->breaks[i];
    borders[n++] = tr->range.hi;
    return n;
}

/* About one sample per 3 pixels of the piece, with eight at least where it is curved. */
static int samples_for(const trace* tr, double lo, double hi)
{
    if (tr->polyline) return (int)fmin(fmax(ceil(apart(place(tr, lo), place(tr, hi)) / 3), 1), 600);
    double length = 0;
    spot last = place(tr, lo);
    for (int k = 1; k <= 8; k++) {
        spot s = place(tr, lo + (hi - lo) * k / 8);
        length += apart(last, s);
        last = s;
    }
    return (int)fmin(fmax(ceil(length / 3), 8), 600);
}

static sample* take_samples(const picture* pic, const trace* tr, const double* borders, int count, int* taken)
{
    size_t n = 1;
    for (int i = 0; i + 1 < count; i++) n += (size_t)samples_for(tr, borders[i], borders[i + 1]);
    sample* s = malloc(n * sizeof *s);
    if (!s) return NULL;
    size_t k = 0;
    for (int i = 0; i + 1 < count; i++) {
        int pieces = samples_for(tr, borders[i], borders[i + 1]);
        for (int j = i ? 1 : 0; j <= pieces; j++) {
            sample* at = &s[k++];
            at->t = j == pieces ? borders[i + 1] : borders[i] + (borders[i + 1] - borders[i]) * j / pieces;
            at->s = place(tr, at->t);
            at->state = state_at(pic, tr, at->t, at->s);
        }
    }
    *taken = (int)k;
    return s;
}

/* Where the state changes between two samples. */
static double change_between(const picture* pic, const trace* tr, const sample* a, const sample* b)
{
    double lo = a->t, hi = b->t;
    for (int i = 0; i < 14; i++) {
        double mid = lo + (hi - lo) / 2;
        if (state_at(pic, tr, mid, place(tr, mid)) == a->state)
            lo = mid;
        else
            hi = mid;
    }
    return lo + (hi - lo) / 2;
}

/* Flicker of the raster: a hidden run below 4 pixels between visible ones joins them, and a visible run below 8 pixels
 * with nothing but hidden ones around it, also at an end, where the line comes out from behind its own corner. */
static int join_runs(run* runs, int count)
{
    for (int i = 0; i < count; i++) {
        run_state before = i > 0 ? runs[i - 1].state : RUN_HIDDEN,
                  after = i + 1 < count ? runs[i + 1].state : RUN_HIDDEN;
        if (count == 1) break;
        if (runs[i].state == RUN_VISIBLE && runs[i].length < 8 && before == RUN_HIDDEN && after == RUN_HIDDEN)
            runs[i].state = RUN_HIDDEN;
        if (runs[i].state == RUN_HIDDEN && runs[i].length < 4 && i > 0 && i + 1 < count && before == RUN_VISIBLE &&
            after == RUN_VISIBLE)
            runs[i].state = RUN_VISIBLE;
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept && runs[kept - 1].state == runs[i].state) {
            runs[kept - 1].hi = runs[i].hi;
            runs[kept - 1].length += runs[i].length;
        } else {
            runs[kept++] = runs[i];
        }
    }
    return kept;
}

static int find_runs(const picture* pic, const trace* tr, const sample* s, int n, run* runs)
{
    int count = 0;
    run now = {s[0].t, s[0].t, 0, s[0].state};
    for (int k = 0; k + 1 < n; k++) {
        double step = apart(s[k].s, s[k + 1].s);
        if (s[k + 1].state == s[k].state) {
            now.length += step;
            continue;
        }
        now.hi = change_between(pic, tr, &s[k], &s[k + 1]);
        now.length += step / 2;
        runs[count++] = now;
        now = (run){now.hi, now.hi, step / 2, s[k + 1].state};
    }
    now.hi = s[n - 1].t;
    runs[count++] = now;
    return join_runs(runs, count);
}

/* ---- writing --------------------------------------------------------------------------------------- */

/* The cubic with the ends and end derivatives of the line over [lo, hi], halved until it is near enough at its quarters. */
static void put_cubics(out* d, const trace* tr, double lo, double hi, unsigned last_side, int depth)
{
    spot da, db, dummy, a = tr->at(tr->context, lo, 0, &da), b = tr->at(tr->context, hi, last_side, &db);
    double h = (hi - lo) / 3, c[6] = {a.x + h * da.x, a.y + h * da.y, b.x - h * db.x, b.y - h * db.y, b.x, b.y};
    double worst = 0;
    for (int k = 1; k <= 3; k++) {
        double q = k / 4.0, p = 1 - q;
        spot s = tr->at(tr->context, lo + (hi - lo) * q, 0, &dummy);
        double x = p * p * p * a.x + 3 * p * p * q * c[0] + 3 * p * q * q * c[2] + q * q * q * b.x;
        double y = p * p * p * a.y + 3 * p * p * q * c[1] + 3 * p * q * q * c[3] + q * q * q * b.y;
        worst = fmax(worst, fmax(fabs(x - s.x), fabs(y - s.y)));
    }
    if (worst > TOLERANCE && depth < 12) {
        double mid = lo + (hi - lo) / 2;
        put_cubics(d, tr, lo, mid, 0, depth + 1);
        put_cubics(d, tr, mid, hi, last_side, depth + 1);
        return;
    }
    /* Straight when both control points are on the chord. */
    double ex = b.x - a.x, ey = b.y - a.y, length = sqrt(ex * ex + ey * ey);
    double off1 = fabs((c[0] - a.x) * ey - (c[1] - a.y) * ex), off2 = fabs((c[2] - a.x) * ey - (c[3] - a.y) * ex);
    if (fmax(off1, off2) <= 0.01 * length || worst > TOLERANCE)
        svg_line(d, b.x, b.y);
    else
        svg_cubic(d, c);
}

static double off_chord(spot a, spot b, spot p)
{
    double ex = b.x - a.x, ey = b.y - a.y, length = sqrt(ex * ex + ey * ey);
    if (length < 1e-3) return apart(a, p);
    return fabs((p.x - a.x) * ey - (p.y - a.y) * ex) / length;
}

/* Points of a polyline, leaving out those within 0.04 pixel of the chord. */
static void put_polyline(out* d, const trace* tr, const double* borders, int first, int last, double lo, double hi)
{
    spot from = place(tr, lo);
    int k = first;
    while (k <= last) {
        int reach = k;
        while (reach < last && reach < k + 40) {
            spot to = place(tr, borders[reach + 1]);
            bool near = true;
            for (int i = k; i <= reach && near; i++) near = off_chord(from, to, place(tr, borders[i])) <= 0.04;
            if (!near) break;
            reach++;
        }
        from = place(tr, borders[reach]);
        svg_line(d, from.x, from.y);
        k = reach + 1;
    }
    spot end = place(tr, hi);
    svg_line(d, end.x, end.y);
}

static void put_run(out* d, const trace* tr, const double* borders, int count, const run* r)
{
    spot start = place(tr, r->lo);
    svg_move(d, start.x, start.y);
    int first = 0, last = count - 1;
    while (first < count && borders[first] <= r->lo) first++;
    while (last >= 0 && borders[last] >= r->hi) last--;
    if (tr->polyline) {
        put_polyline(d, tr, borders, first, last, r->lo, r->hi);
        return;
    }
    double lo = r->lo;
    for (int i = first; i <= last; i++) {
        put_cubics(d, tr, lo, borders[i], WIT_KNOT_T_BELOW, 0);
        lo = borders[i];
    }
    put_cubics(d, tr, lo, r->hi, WIT_KNOT_T_BELOW, 0);
}

/* Marks where the line runs, so that labels can keep off it. */
static void put_ink(picture* pic, const sample* s, int n, stroke style)
{
    for (int k = 0; k + 1 < n; k++) {
        if (s[k].state == RUN_OUTSIDE) continue;
        bool hidden = s[k].state == RUN_HIDDEN;
        if (hidden && (style == STROKE_ISO || style == STROKE_HATCH)) continue;
        unsigned char weight = hidden ? 2 : style == STROKE_ISO || style == STROKE_HATCH ? 1 : 8;
        int steps = (int)ceil(fmin(apart(s[k].s, s[k + 1].s), 1000)) + 1;
        for (int i = 0; i <= steps; i++) {
            double q = (double)i / steps;
            double x = s[k].s.x + q * (s[k + 1].s.x - s[k].s.x), y = s[k].s.y + q * (s[k + 1].s.y - s[k].s.y);
            if (!(x >= 0 && y >= 0 && x < PAGE_WIDTH && y < PAGE_HEIGHT)) continue;
            unsigned char* at = &pic->ink[(int)y * PAGE_WIDTH + (int)x];
            if (*at < weight) *at = weight;
        }
    }
}

static trace_middle middle_of(const trace* tr, const run* runs, int n)
{
    trace_middle m = {false, false, 0, 0};
    double longest = 0;
    for (int i = 0; i < n; i++) {
        if (runs[i].state == RUN_OUTSIDE) continue;
        bool hidden = runs[i].state == RUN_HIDDEN;
        if (m.found && (hidden > m.hidden || (hidden == m.hidden && runs[i].length <= longest))) continue;
        spot s = place(tr, runs[i].lo + (runs[i].hi - runs[i].lo) / 2);
        m = (trace_middle){true, hidden, s.x, s.y};
        longest = runs[i].length;
    }
    return m;
}

trace_middle draw_trace(picture* pic, const trace* tr, stroke style, const char* title)
{
    trace_middle none = {false, false, 0, 0};
    if (!(tr->range.hi > tr->range.lo)) return none;
    double* borders = malloc(((size_t)tr->break_count + 2) * sizeof *borders);
    int border_count = borders ? piece_borders(tr, borders) : 0, n = 0;
    sample* samples = borders ? take_samples(pic, tr, borders, border_count, &n) : NULL;
    run* runs = samples ? malloc((size_t)n * sizeof *runs) : NULL;
    trace_middle middle = none;
    if (runs) {
        bool light = style == STROKE_ISO || style == STROKE_HATCH;
        out visible = {0}, hidden = {0};
        int count = find_runs(pic, tr, samples, n, runs);
        for (int i = 0; i < count; i++) {
            if (runs[i].state == RUN_OUTSIDE || (light && runs[i].state == RUN_HIDDEN)) continue;
            put_run(runs[i].state == RUN_HIDDEN ? &hidden : &visible, tr, borders, border_count, &runs[i]);
        }
        pic->used[style] |= visible.length > 0;
        pic->used[STROKE_HIDDEN] |= hidden.length > 0;
        char class_name[32];
        snprintf(class_name, sizeof class_name, "%s%s", stroke_class(style), pic->second ? " two" : "");
        svg_path(&pic->layers[light ? LAYER_LIGHT : LAYER_LINES], class_name, &visible, title);
        svg_path(&pic->layers[LAYER_HIDDEN], stroke_class(STROKE_HIDDEN), &hidden, title);
        put_ink(pic, samples, n, style);
        middle = middle_of(tr, runs, count);
        out_free(&visible);
        out_free(&hidden);
    } else {
        pic->failed = true;
    }
    free(runs);
    free(samples);
    free(borders);
    return middle;
}

/* ---- lines through points ---------------------------------------------------------------------------- */

typedef struct way_line {
    const wit_vec3* p;
    int count;
    const view* view;
} way_line;

static spot way_at(const void* context, double t, unsigned side, spot* derivative)
{
    const way_line* w = context;
    (void)side;
    int k = (int)fmin(fmax(floor(t), 0), w->count - 2);
    wit_vec3 d = sub3(w->p[k + 1], w->p[k]);
    *derivative = view_vector(w->view, d);
    return view_point(w->view, addscaled3(w->p[k], t - k, d));
}

void draw_way(picture* pic, const wit_vec3* p, int count, stroke style, const char* title)
{
    if (count < 2) return;
    double* breaks = malloc((size_t)count * sizeof *breaks);
    if (!breaks) {
        pic->failed = true;
        return;
    }
    for (int k = 0; k < count; k++) breaks[k] = k;
    way_line w = {p, count, &pic->view};
    trace t = {way_at, NULL, &w, {0, count - 1}, breaks, count, true};
    /* the pair of a frame is seen through everything */
    hidden_buffer* hidden = pic->hidden;
    if (style == STROKE_PAIR || style == STROKE_ERROR) pic->hidden = NULL;
    draw_trace(pic, &t, style, title);
    pic->hidden = hidden;
    free(breaks);
}

/* ---- curves and parameter lines ---------------------------------------------------------------------- */

typedef struct curve_line {
    const wit_curve* curve;
    const view* view;
} curve_line;

static spot curve_at(const void* context, double t, unsigned side, spot* derivative)
{
    const curve_line* c = context;
    wit_curve_jet jet;
    wit_curve_eval(c->curve, t, side, NULL, &jet);
    *derivative = view_vector(c->view, jet.d1);
    return view_point(c->view, jet.p);
}

trace_middle draw_curve(picture* pic, const wit_curve* curve, wit_interval range, stroke style, const char* title)
{
    curve_line c = {curve, &pic->view};
    int breaks = 0;
    const double* b = wit_curve_breaks(curve, &breaks);
    trace t = {curve_at, NULL, &c, range, b, breaks, false};
    return draw_trace(pic, &t, style, title);
}

typedef struct iso_line {
    const patch* p;
    const view* view;
    wit_direction fixed;
    double value;
} iso_line;

static spot iso_at(const void* context, double t, unsigned side, spot* derivative)
{
    const iso_line* c = context;
    bool along_u = c->fixed == WIT_V;
    unsigned sides = !side ? 0u : along_u ? (unsigned)WIT_KNOT_U_BELOW : (unsigned)WIT_KNOT_V_BELOW;
    wit_surface_jet jet;
    wit_surface_eval(c->p->surface, along_u ? t : c->value, along_u ? c->value : t, sides, NULL, &jet);
    *derivative = view_vector(c->view, along_u ? jet.du : jet.dv);
    return view_point(c->view, jet.p);
}

static bool iso_inside(const void* context, double t)
{
    const iso_line* c = context;
    return c->fixed == WIT_V ? patch_contains(c->p, t, c->value) : patch_contains(c->p, c->value, t);
}

trace_middle draw_iso(picture* pic, const patch* p, wit_direction fixed, double value, stroke style, const char* title)
{
    iso_line c = {p, &pic->view, fixed, value};
    int breaks = 0;
    const double* b = wit_surface_breaks(p->surface, fixed == WIT_U ? WIT_V : WIT_U, &breaks);
    trace t = {iso_at, p->body ? iso_inside : NULL, &c, fixed == WIT_U ? p->v : p->u, b, breaks, false};
    return draw_trace(pic, &t, style, title);
}
