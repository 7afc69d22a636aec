/* SPDX-License-Identifier: MIT */
/* The page around the picture: head line, axes, scale bar, legend, style sheet. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../io/number.h"
#include "draw.h"

static const char css[] = "path{fill:none;stroke-linecap:round;stroke-linejoin:round}\n"
                          ".convex,.edge{stroke:#1a1a1a;stroke-width:1.6}\n"
                          ".reflex{stroke:#b3261e;stroke-width:1.6}\n"
                          ".smooth{stroke:#5f6b76;stroke-width:.8}\n"
                          ".open{stroke:#1a1a1a;stroke-width:1.6;stroke-dasharray:7 4}\n"
                          ".multiple{stroke:#7a1fa2;stroke-width:2.2}\n"
                          ".curve{stroke:#0b57a4;stroke-width:1.6}\n"
                          ".endless{stroke:#5f6b76;stroke-width:1;stroke-dasharray:2 4}\n"
                          ".silhouette{stroke:#1a1a1a;stroke-width:1.1}\n"
                          ".iso{stroke:#c3ccd4;stroke-width:.7}\n"
                          ".hatch{stroke:#d5dce2;stroke-width:.7}\n"
                          ".hidden{stroke:#d0b48c;stroke-width:.8;stroke-dasharray:4 3}\n"
                          ".gap{stroke:#56b4e9;stroke-width:.9}\n"
                          ".way{stroke:#0072b2;stroke-width:1.8;stroke-dasharray:10 3}\n"
                          ".foot{stroke:#d55e00;stroke-width:2}\n"
                          ".vector{stroke:#009e73;stroke-width:1.8}\n"
                          ".error{stroke:#d55e00;stroke-width:1.4;stroke-dasharray:2 4}\n"
                          ".pair{stroke:#1a1a1a;stroke-width:1.3;stroke-dasharray:6 4}\n"
                          ".region{stroke:#009e73;stroke-width:1}\n"
                          ".two.convex,.two.edge,.two.silhouette,.two.open,.two.smooth{stroke:#8a4f7d}\n"
                          ".two.iso{stroke:#dcc5d6}\n"
                          ".mark-dot,.star{fill:#d55e00;stroke:#ffffff;stroke-width:.8}\n"
                          ".name-mark{text-anchor:middle;font-weight:bold;fill:#1a1a1a;paint-order:stroke;"
                          "stroke:#ffffff;stroke-width:3px;stroke-linejoin:round}\n"
                          ".leader{stroke:#8a949d;stroke-width:.6}\n"
                          ".axis{stroke:#444444;stroke-width:1.2}\n"
                          ".vertex{fill:#1a1a1a}\n"
                          ".vertex-hidden{fill:#d0b48c}\n"
                          "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:11px;fill:#333333}\n"
                          ".head{font-size:15px;font-weight:bold;fill:#1a1a1a}\n"
                          ".name-vertex,.name-face,.name-edge,.axis-name{text-anchor:middle}\n"
                          ".name-vertex,.name-face,.name-edge{paint-order:stroke;stroke:#ffffff;stroke-width:2.5px;"
                          "stroke-linejoin:round}\n"
                          ".name-vertex{fill:#1a1a1a}\n"
                          ".name-face{fill:#1b6e3a}\n"
                          ".name-edge{fill:#0b57a4}\n"
                          ".back{fill-opacity:.55;font-style:italic}\n";

const char* stroke_class(stroke s)
{
    static const char* const names[] = {
#define STROKE_NAME(id, name, text) name,
        STROKE_LIST(STROKE_NAME)
#undef STROKE_NAME
    };
    return names[s];
}

const char* stroke_text(stroke s)
{
    static const char* const texts[] = {
#define STROKE_TEXT(id, name, text) text,
        STROKE_LIST(STROKE_TEXT)
#undef STROKE_TEXT
    };
    return texts[s];
}

static void put_segment(out* o, const char* class_name, double x0, double y0, double x1, double y1)
{
    out d = {0};
    svg_move(&d, x0, y0);
    svg_line(&d, x1, y1);
    svg_path(o, class_name, &d, NULL);
    out_free(&d);
}

static void put_axes(out* o, const view* v)
{
    static const char* const names[3] = {"x", "y", "z"};
    const double cx = 52, cy = PAGE_HEIGHT - 52, length = 30;
    svg_group(o, "axes");
    for (int i = 0; i < 3; i++) {
        wit_vec3 e = vec3(i == 0, i == 1, i == 2);
        double x = length * dot3(v->right, e), y = -length * dot3(v->up, e), r = sqrt(x * x + y * y);
        if (r < 0.05 * length) continue; /* seen end-on */
        put_segment(o, "axis", cx, cy, cx + x, cy + y);
        /* two barbs of 6 pixels, 25 degrees off the shaft */
        for (int side = -1; side <= 1; side += 2) {
            double bx = (-0.906 * x - side * 0.423 * y) / r, by = (-0.906 * y + side * 0.423 * x) / r;
            put_segment(o, "axis", cx + x, cy + y, cx + x + 6 * bx, cy + y + 6 * by);
        }
        svg_text(o, "axis-name", cx + x + 11 * x / r, cy + y + 11 * y / r + 4, names[i]);
    }
    svg_close(o);
}

/* The largest of 1, 2, 5 times a power of ten that is at most 180 pixels long. */
static void put_scale(out* o, const view* v, const char* unit)
{
    char text[NUMBER_ROOM], best[NUMBER_ROOM] = "0";
    double longest = 0, limit = 180 / v->scale;
    for (int e = -40; e <= 40; e++) {
        static const int digits[3] = {1, 2, 5};
        for (int k = 0; k < 3; k++) {
            double x;
            int n = snprintf(text, sizeof text, "%de%d", digits[k], e);
            if (n <= 0 || !wi_number_read(text, (size_t)n, &x) || x > limit) continue;
            longest = x;
            if (e >= -4 && e <= 5)
                wi_number_write(x, best);
            else
                memcpy(best, text, sizeof best);
        }
    }
    if (longest == 0) return;
    const double x0 = 130, y = PAGE_HEIGHT - 30, x1 = x0 + longest * v->scale;
    svg_group(o, "scale");
    put_segment(o, "axis", x0, y, x1, y);
    put_segment(o, "axis", x0, y - 4, x0, y + 4);
    put_segment(o, "axis", x1, y - 4, x1, y + 4);
    char name[96];
    bool named = unit && *unit && strcmp(unit, "none") != 0;
    snprintf(name, sizeof name, "%s%s%.32s", best, named ? " " : "", named ? unit : "");
    svg_text(o, "axis-name", (x0 + x1) / 2, y - 8, name);
    svg_close(o);
}

static void put_legend(out* o, const picture* pic)
{
    svg_group(o, "legend");
    double x = PAGE_WIDTH - 24, y = PAGE_HEIGHT - LEGEND_FOOT;
    for (int s = STROKE_COUNT - 1; s >= 0; s--) {
        if (!pic->used[s]) continue;
        put_segment(o, stroke_class((stroke)s), x - 166, y, x - 132, y);
        svg_text(o, "legend", x - 124, y + 4, stroke_text((stroke)s));
        y -= LEGEND_LINE;
    }
    svg_close(o);
}

static void put_layer(out* o, const char* id, out* content)
{
    if (content->failed) o->failed = true;
    svg_group(o, id);
    if (content->length) out_text(o, "%s", content->text);
    svg_close(o);
    out_free(content);
}

void draw_page(out* o, picture* pic, const char* title, const char* head, const char* unit, int left_out)
{
    static const char* const ids[LAYER_COUNT] = {"hidden", "faces", "lines", "vertices", "names"};
    svg_begin(o, PAGE_WIDTH, PAGE_HEIGHT, *title ? title : head, css);
    if (*title) svg_text(o, "head", 24, 32, title);
    svg_text(o, "about", 24, *title ? 50 : 32, head);
    if (left_out) {
        char note[96];
        snprintf(note, sizeof note, "%d names left out for want of room: point at a line to read its name", left_out);
        svg_text(o, "about", 24, *title ? 66 : 48, note);
    }
    for (int i = 0; i < LAYER_COUNT; i++) put_layer(o, ids[i], &pic->layers[i]);
    put_axes(o, &pic->view);
    put_legend(o, pic);
    put_scale(o, &pic->view, unit);
    svg_end(o);
}
