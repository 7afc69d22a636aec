/* SPDX-License-Identifier: MIT */
/* Basins as a page of squares, one per law: starts that reach the closest point are coloured, and a line runs round where
 * the Hessian is positive definite. The last square has the paths of all laws from one start. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_basin.h"
#include "plot.h"
#include "svg.h"

enum { COLUMNS = 3, SIDE = 230, STEP_X = 296, STEP_Y = 292, LEFT = 66, TOP = 92, FINE = 160 };

typedef struct square {
    plot_axis x, y;
} square;

static square square_at(const lab_patch* p, int index)
{
    double x = LEFT + STEP_X * (index % COLUMNS), y = TOP + STEP_Y * (double)(index / COLUMNS);
    square s = {{p->u.lo, p->u.hi, x, x + SIDE, false, false}, {p->v.lo, p->v.hi, y + SIDE, y, false, false}};
    return s;
}

/* ---- where the Hessian is positive definite ------------------------------------------------------------------------ */

/* (FINE + 1)^2 values of the least eigenvalue, u fastest. Null: no memory. */
static double* sample_curvature(const lab_patch* p)
{
    double* value = malloc((FINE + 1) * (FINE + 1) * sizeof *value);
    for (int j = 0; value && j <= FINE; j++) {
        for (int i = 0; i <= FINE; i++)
            value[j * (FINE + 1) + i] =
                basin_curvature(p, basin_parameter(p->u, i, FINE + 1), basin_parameter(p->v, j, FINE + 1));
    }
    return value;
}

typedef struct crossing {
    double i, j;
} crossing;

/* Where the value passes zero on the borders of cell (i, j); up to four places, in the order below, right, above, left. */
static int cross_cell(const double* value, int i, int j, crossing at[4])
{
    static const int corner[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    int n = 0;
    for (int k = 0; k < 4; k++) {
        const int *p = corner[k], *q = corner[k + 1];
        double a = value[(j + p[1]) * (FINE + 1) + i + p[0]], b = value[(j + q[1]) * (FINE + 1) + i + q[0]];
        if ((a > 0) == (b > 0)) continue;
        double t = a / (a - b);
        at[n++] = (crossing){i + p[0] + t * (q[0] - p[0]), j + p[1] + t * (q[1] - p[1])};
    }
    return n;
}

static void draw_definite(out* o, const lab_patch* p, const square* s, const double* value)
{
    out d = {0};
    double wide = (p->u.hi - p->u.lo) / FINE, high = (p->v.hi - p->v.lo) / FINE;
    for (int j = 0; j < FINE; j++) {
        for (int i = 0; i < FINE; i++) {
            crossing c[4];
            int n = cross_cell(value, i, j, c);
            for (int k = 0; k + 1 < n; k += 2) {
                svg_move(&d, plot_at(&s->x, p->u.lo + wide * c[k].i), plot_at(&s->y, p->v.lo + high * c[k].j));
                svg_line(&d, plot_at(&s->x, p->u.lo + wide * c[k + 1].i), plot_at(&s->y, p->v.lo + high * c[k + 1].j));
            }
        }
    }
    svg_path(o, "definite", &d, "Hessian positive definite: border");
    out_free(&d);
}

/* ---- squares ------------------------------------------------------------------------------------------------------- */

/* Rows of n x n cells, neighbours joined. */
static void draw_cells(out* o, const char* class_name, const uint8_t* set, int n, const square* s)
{
    out d = {0};
    double wide = (s->x.to - s->x.from) / n, high = (s->y.from - s->y.to) / n;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            if (!set[j * n + i]) continue;
            int first = i;
            while (i < n && set[j * n + i]) i++;
            double x0 = s->x.from + first * wide, x1 = s->x.from + i * wide, y0 = s->y.from - j * high, y1 = y0 - high;
            svg_move(&d, x0, y0);
            svg_line(&d, x1, y0);
            svg_line(&d, x1, y1);
            svg_line(&d, x0, y1);
            svg_line(&d, x0, y0);
        }
    }
    svg_path(o, class_name, &d, NULL);
    out_free(&d);
}

static void draw_border(out* o, const square* s)
{
    out d = {0};
    svg_move(&d, s->x.from, s->y.from);
    svg_line(&d, s->x.to, s->y.from);
    svg_line(&d, s->x.to, s->y.to);
    svg_line(&d, s->x.from, s->y.to);
    svg_line(&d, s->x.from, s->y.from);
    svg_path(o, "axis", &d, NULL);
    out_free(&d);
}

static void draw_goal(out* o, const lab_patch* p, const square* s)
{
    svg_dot(o, "goal", plot_at(&s->x, p->at[0]), plot_at(&s->y, p->at[1]), 4, "closest point");
}

static void draw_law(out* o, const basin_map* map, int index, const double* value)
{
    const basin* b = &map->basins[index];
    square s = square_at(map->patch, index);
    char text[96];
    double share = (double)b->count / ((double)map->grid * map->grid);
    if (b->refused[0])
        snprintf(text, sizeof text, "%s: refused", b->name);
    else
        snprintf(text, sizeof text, "%s: %.1f %%", b->name, 100 * share);
    svg_text(o, "name", s.x.from, s.y.to - 8, text);
    if (!b->refused[0]) draw_cells(o, "reached", b->reached, map->grid, &s);
    plot_frame(o, &s.x, &s.y, "u", "v");
    draw_definite(o, map->patch, &s, value);
    draw_border(o, &s);
    draw_goal(o, map->patch, &s);
}

/* The same area as the line around it, filled. */
static bool draw_area(out* o, const basin_map* map, const double* value)
{
    uint8_t* set = malloc(FINE * FINE);
    if (!set) return false;
    square s = square_at(map->patch, map->count);
    char text[96];
    for (int j = 0; j < FINE; j++) {
        for (int i = 0; i < FINE; i++) {
            const double* at = &value[j * (FINE + 1) + i];
            set[j * FINE + i] = at[0] + at[1] + at[FINE + 1] + at[FINE + 2] > 0;
        }
    }
    snprintf(text, sizeof text, "Hessian positive definite: %.1f %%", 100 * map->definite);
    svg_text(o, "name", s.x.from, s.y.to - 8, text);
    draw_cells(o, "area", set, FINE, &s);
    plot_frame(o, &s.x, &s.y, "u", "v");
    draw_definite(o, map->patch, &s, value);
    draw_border(o, &s);
    draw_goal(o, map->patch, &s);
    free(set);
    return true;
}

static void path_class(char to[16], int color)
{
    snprintf(to, 16, "s%d%s", color % PLOT_COLORS, color >= PLOT_COLORS ? " dash" : "");
}

static void draw_path(out* o, const basin* b, const square* s, int color)
{
    out d = {0};
    char class_name[16];
    path_class(class_name, color);
    for (int k = 0; k < b->path_count; k++) {
        double x = plot_at(&s->x, b->path[2 * k]), y = plot_at(&s->y, b->path[2 * k + 1]);
        if (k)
            svg_line(&d, x, y);
        else
            svg_move(&d, x, y);
    }
    svg_path(o, class_name, &d, b->name);
    out_free(&d);
}

static void draw_paths(out* o, const basin_map* map, const double* value)
{
    square s = square_at(map->patch, map->count + 1);
    svg_text(o, "name", s.x.from, s.y.to - 8, "paths from the start");
    plot_frame(o, &s.x, &s.y, "u", "v");
    draw_definite(o, map->patch, &s, value);
    draw_border(o, &s);
    double x = s.x.to + 14, y = s.y.to + 10;
    for (int i = 0, shown = 0; i < map->count; i++) {
        const basin* b = &map->basins[i];
        if (b->refused[0]) continue;
        draw_path(o, b, &s, shown);
        char class_name[16], text[64];
        path_class(class_name, shown);
        snprintf(text, sizeof text, "%s%s", b->name, b->path_reached ? "" : " (fails)");
        plot_segment(o, class_name, x, y + 17 * shown, x + 20, y + 17 * shown, NULL);
        svg_text(o, "legend", x + 26, y + 17 * shown + 4, text);
        shown++;
    }
    svg_dot(o, "start", plot_at(&s.x, map->start[0]), plot_at(&s.y, map->start[1]), 4, "start");
    draw_goal(o, map->patch, &s);
}

wit_status basin_svg(out* o, const basin_map* map)
{
    const lab_patch* p = map->patch;
    double* value = sample_curvature(p);
    if (!value) return WIT_ERROR_MEMORY;
    int squares = map->count + (map->from ? 2 : 1), rows = (squares + COLUMNS - 1) / COLUMNS;
    char css[2048], head[200];
    snprintf(css, sizeof css,
             "%s.reached{fill:#bcd9f0;stroke:none}\n.definite{stroke:#c8501e;stroke-width:1.2}\n.area{fill:#f6dccf;"
             "stroke:none}\n"
             ".goal{fill:#1b7f3b}.start{fill:#1a1a1a}.name{font-size:12px;font-weight:bold}\n",
             plot_css());
    /* The legend of the paths stands beside the last square. */
    bool beside = map->from && squares % COLUMNS == 0;
    svg_begin(o, PLOT_WIDTH + (beside ? 150 : 0), TOP + rows * STEP_Y, "Regions of attraction", css);
    svg_text(o, "head", 24, 30, "Regions of attraction");
    snprintf(head, sizeof head,
             "point (%g, %g, %g); blue: starts that reach the closest point (green dot); "
             "orange: border of the region where the Hessian is positive definite",
             p->point.x, p->point.y, p->point.z);
    svg_text(o, "about", 24, 50, head);
    for (int i = 0; i < map->count; i++) draw_law(o, map, i, value);
    if (!draw_area(o, map, value)) o->failed = true;
    if (map->from) draw_paths(o, map, value);
    svg_end(o);
    free(value);
    return o->failed ? WIT_ERROR_MEMORY : WIT_OK;
}

/* ---- one square, as the paper draws it ------------------------------------------------------------------------------ */

enum { BIG = 420, BIG_LEFT = 70, BIG_TOP = 70 };

static void draw_starts(out* o, const basin_map* map, const basin* b, const square* s)
{
    int n = map->grid;
    double half = (s->x.to - s->x.from) / n / 2, r = 0.45 * half;
    for (int k = 0; k < n * n; k++) {
        double x = s->x.from + (2 * (k % n) + 1) * half, y = s->y.from - (2 * (k / n) + 1) * half;
        if (b->reached[k]) {
            svg_dot(o, "ring", x, y, r, NULL);
            continue;
        }
        out d = {0};
        svg_move(&d, x - r, y - r);
        svg_line(&d, x + r, y + r);
        svg_move(&d, x - r, y + r);
        svg_line(&d, x + r, y - r);
        svg_path(o, "cross", &d, NULL);
        out_free(&d);
    }
}

wit_status basin_square_svg(out* o, const basin_map* map, int index, const char* title)
{
    const lab_patch* p = map->patch;
    const basin* b = &map->basins[index];
    int n = map->grid;
    square s = {{p->u.lo, p->u.hi, BIG_LEFT, BIG_LEFT + BIG, false, false},
                {p->v.lo, p->v.hi, BIG_TOP + BIG, BIG_TOP, false, false}};
    char css[2048], head[160];
    uint8_t* missed = malloc((size_t)n * (size_t)n);
    if (!missed) return WIT_ERROR_MEMORY;
    for (int k = 0; k < n * n; k++) missed[k] = !b->reached[k];
    snprintf(css, sizeof css,
             "%s.missed{fill:#5a4a42;stroke:none}.ring{fill:none;stroke:#0072b2;stroke-width:.8}\n"
             ".cross{stroke:#ffffff;stroke-width:.9}.goal{fill:#d55e00;stroke:#ffffff}.start{fill:#1a1a1a;"
             "stroke:#ffffff}\n.path{stroke:#d55e00;stroke-width:1.8}.name{font-weight:bold;paint-order:stroke;"
             "stroke:#ffffff;stroke-width:3px}\n",
             plot_css());
    svg_begin(o, BIG_LEFT + BIG + 30, BIG_TOP + BIG + 50, title, css);
    svg_text(o, "head", 24, 30, title);
    snprintf(head, sizeof head, "%.1f %% of %d x %d starts reach P* (o); the others do not (x)",
             100.0 * (double)b->count / ((double)n * n), n, n);
    svg_text(o, "about", 24, 50, head);
    plot_frame(o, &s.x, &s.y, "u", "v");
    draw_cells(o, "missed", missed, n, &s);
    draw_starts(o, map, b, &s);
    if (map->from) {
        out d = {0};
        for (int k = 0; k < b->path_count; k++)
            (k ? svg_line : svg_move)(&d, plot_at(&s.x, b->path[2 * k]), plot_at(&s.y, b->path[2 * k + 1]));
        svg_path(o, "path", &d, "path");
        out_free(&d);
        double x = plot_at(&s.x, map->start[0]), y = plot_at(&s.y, map->start[1]);
        svg_dot(o, "start", x, y, 4.5, "P0");
        svg_text(o, "name", x + 7, y - 6, "P0");
    }
    double x = plot_at(&s.x, p->at[0]), y = plot_at(&s.y, p->at[1]);
    svg_dot(o, "goal", x, y, 5, "P*");
    svg_text(o, "name", x + 8, y - 6, "P*");
    draw_border(o, &s);
    svg_end(o);
    free(missed);
    return o->failed ? WIT_ERROR_MEMORY : WIT_OK;
}
