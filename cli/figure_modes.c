/* SPDX-License-Identifier: MIT */
/* Automata that belong to no run: the modes of a patch (000 Fig. 4), the kinds of pairs (001 Fig. 13). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure.h"
#include "svg.h"

static const char css[] =
    "path{fill:none;stroke-linecap:round}\n"
    ".node{fill:#ffffff;stroke:#1a1a1a;stroke-width:1.6}.corner{fill:#fdeacb;stroke:#1a1a1a}\n"
    ".go{stroke:#0072b2;stroke-width:1.5}.came{stroke:#d55e00;stroke-width:2.2}\n"
    "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:12px;fill:#333333}\n"
    ".head{font-size:15px;font-weight:bold;fill:#1a1a1a}\n"
    ".name{font-weight:bold;text-anchor:middle;font-size:13px}.when{text-anchor:middle;font-size:11px;"
    "paint-order:stroke;stroke:#ffffff;stroke-width:4px}.left{text-anchor:end}.right{text-anchor:start}\n";

/* An arrow from near one node to near another, to the right of the straight way; its text beside its middle. */
static void arrow(out* o, const char* class_name, const double from[3], const double to[3], const char* text)
{
    double dx = to[0] - from[0], dy = to[1] - from[1], l = sqrt(dx * dx + dy * dy), ux = dx / l, uy = dy / l, off = 7;
    double x0 = from[0] + from[2] * ux - off * uy, y0 = from[1] + from[2] * uy + off * ux;
    double x1 = to[0] - to[2] * ux - off * uy, y1 = to[1] - to[2] * uy + off * ux;
    out d = {0};
    svg_move(&d, x0, y0);
    svg_line(&d, x1, y1);
    for (int k = -1; k <= 1; k += 2) {
        svg_move(&d, x1, y1);
        svg_line(&d, x1 - 9 * ux + 4 * k * uy, y1 - 9 * uy - 4 * k * ux);
    }
    svg_path(o, class_name, &d, text);
    out_free(&d);
    const char* side = uy > 0.5 ? "when left" : uy < -0.5 ? "when right" : "when";
    if (text[0]) svg_text(o, side, (x0 + x1) / 2 - 8 * uy, (y0 + y1) / 2 + 14 * ux + 4, text);
}

static void node(out* o, const char* class_name, const double at[3], const char* name, const char* below)
{
    svg_dot(o, class_name, at[0], at[1], at[2], name);
    svg_text(o, "name", at[0], at[1] + (below[0] ? 0 : 5), name);
    if (below[0]) svg_text(o, "when", at[0], at[1] + 16, below);
}

/* Which borders the run of Fig. 6 came to: bit of the border. */
static unsigned visited(const figure_run* run)
{
    unsigned set = 0;
    for (int64_t k = 0; k < run->count; k++) {
        const wit_result* r = &run->r[k];
        if (r->held & 1) set |= r->a.u < 0.5 ? 1u : 2u;
        if (r->held & 2) set |= r->a.v < 0.5 ? 4u : 8u;
    }
    return set;
}

wit_status figure_000_4(figure_page* page)
{
    static const double middle[3] = {450, 330, 46};
    static const double border[4][3] = {{150, 330, 40}, {750, 330, 40}, {450, 540, 40}, {450, 120, 40}};
    static const double corner[4][3] = {{150, 540, 24}, {750, 540, 24}, {150, 120, 24}, {750, 120, 24}};
    static const char* const names[4] = {"u = 0", "u = 1", "v = 0", "v = 1"};
    static const char* const laws[4] = {"v' = -k_v", "v' = -k_v", "u' = -k_u", "u' = -k_u"};
    static const char* const in[4] = {"u = 0, g_u < 0", "u = 1, g_u > 0", "v = 0, g_v < 0", "v = 1, g_v > 0"};
    static const char* const back[4] = {"g_u > 0", "g_u < 0", "g_v > 0", "g_v < 0"};
    static const char* const corners[4] = {"(0,0)", "(1,0)", "(0,1)", "(1,1)"};
    figure_run run;
    wit_status status = figure_run_scene(&run, "000-fig6.json", NULL, &page->error);
    unsigned came = status ? 0 : visited(&run);
    figure_run_release(&run);
    if (status) return status;
    out* o = figure_panel(page);
    svg_begin(o, 900, 620, "The modes of a patch", css);
    svg_text(o, "head", 24, 30, "The modes of a patch under `switching`");
    svg_text(
        o, "about", 24, 50,
        "g = -K I^-1 Psi, what the law wants; thick: taken in the run of Fig. 6; the corners are not in the paper");
    for (int i = 0; i < 4; i++) {
        bool taken = came >> i & 1;
        arrow(o, taken ? "came" : "go", middle, border[i], in[i]);
        arrow(o, taken ? "came" : "go", border[i], middle, back[i]);
        int u = i & 1, v = i >> 1 & 1;
        arrow(o, "go", border[u], corner[i], v ? "v = 1" : "v = 0");
        arrow(o, "go", border[2 + v], corner[i], u ? "u = 1" : "u = 0");
    }
    for (int i = 0; i < 4; i++) {
        node(o, "corner", corner[i], corners[i], "");
        node(o, "node", border[i], names[i], laws[i]);
    }
    node(o, "node", middle, "inside", "x' = g");
    svg_end(o);
    return o->failed ? WIT_ERROR_MEMORY : WIT_OK;
}

/* The kind of the pair: 0 vertex-vertex, 1 vertex-curve, 2 curve-curve. */
static int kind_of(const wit_result* r)
{
    return (r->a.feature == WIT_EDGE) + (r->b.feature == WIT_EDGE);
}

wit_status figure_001_13(figure_page* page)
{
    static const double at[3][3] = {{450, 130, 60}, {200, 420, 60}, {700, 420, 60}};
    static const char* const names[3] = {"V - V", "V - C", "C - C"};
    figure_run run;
    wit_status status = figure_run_scene(&run, "001-fig14-law.json", NULL, &page->error);
    int64_t count[3][3] = {{0}}, frames[3] = {0};
    for (int64_t k = 0; k < run.count; k++) {
        frames[kind_of(&run.r[k])]++;
        if (k) count[kind_of(&run.r[k - 1])][kind_of(&run.r[k])]++;
    }
    int64_t all = run.count;
    figure_run_release(&run);
    if (status) return status;
    out* o = figure_panel(page);
    svg_begin(o, 900, 540, "Kinds of pairs", css);
    svg_text(o, "head", 24, 30, "Pairs of features of two planar bodies");
    svg_text(o, "about", 24, 50,
             "numbers: hand-overs between the kinds in the run of Fig. 14, and the share of its frames");
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            char text[32];
            if (i == j) continue;
            snprintf(text, sizeof text, "%lld", (long long)count[i][j]);
            arrow(o, count[i][j] ? "came" : "go", at[i], at[j], text);
        }
        char share[32];
        snprintf(share, sizeof share, "%.0f %%", 100.0 * (double)frames[i] / (double)all);
        node(o, "node", at[i], names[i], share);
    }
    svg_end(o);
    return o->failed ? WIT_ERROR_MEMORY : WIT_OK;
}
