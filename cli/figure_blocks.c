/* SPDX-License-Identifier: MIT */
/* Block diagrams: boxes and wires from tables, and beside them what goes over the wires in a run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure.h"
#include "svg.h"

static const char css[] =
    "path{fill:none;stroke-linecap:round;stroke-linejoin:round}\n"
    ".box{fill:#ffffff;stroke:#1a1a1a;stroke-width:1.5}.state{fill:#e3f1fa;stroke:#1a1a1a;stroke-width:1.5}\n"
    ".sum{fill:#ffffff;stroke:#1a1a1a;stroke-width:1.5}\n"
    ".wire{stroke:#0072b2;stroke-width:1.6}.back{stroke:#d55e00;stroke-width:1.6;stroke-dasharray:7 4}\n"
    ".frame{stroke:#999999;stroke-width:1.2;stroke-dasharray:3 4}\n"
    "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:13px;fill:#1a1a1a}\n"
    ".head{font-size:15px;font-weight:bold}.sub{font-size:12px;fill:#444444}\n"
    ".name{text-anchor:middle;font-size:13px}.on{text-anchor:middle;font-size:12.5px;paint-order:stroke;stroke:#ffffff;"
    "stroke-width:4px}\n";

/* In cells of the grid below, from the middle. No name: the circle of a sum. */
typedef struct block {
    double x, y, width;
    const char *name, *below;
    bool state; /* it has a state that is integrated */
} block;

enum { WIRE_POINTS = 5 };

/* Corners in cells. The text stands above the middle of the part `at`. */
typedef struct wire {
    double p[WIRE_POINTS][2];
    int count;
    const char* text;
    int at;
    bool back; /* feedback: dashed */
} wire;

typedef struct frame {
    double x0, y0, x1, y1;
    const char* name;
} frame;

typedef struct diagram {
    const char *title, *head;
    double columns, rows;
    const block* blocks;
    int block_count;
    const wire* wires;
    int wire_count;
    const frame* frames;
    int frame_count;
} diagram;

enum { CELL_X = 118, CELL_Y = 92, LEFT = 60, TOP = 122, BOX_HIGH = 46 };

static double at_x(double column)
{
    return LEFT + CELL_X * column;
}

static double at_y(double row)
{
    return TOP + CELL_Y * row;
}

static void put_frame(out* o, const frame* f)
{
    out d = {0};
    const double x[5] = {f->x0, f->x1, f->x1, f->x0, f->x0}, y[5] = {f->y0, f->y0, f->y1, f->y1, f->y0};
    svg_move(&d, at_x(x[0]), at_y(y[0]));
    for (int i = 1; i < 5; i++) svg_line(&d, at_x(x[i]), at_y(y[i]));
    svg_path(o, "frame", &d, NULL);
    out_free(&d);
    svg_text(o, "sub", at_x(f->x0) + 8, at_y(f->y0) + 16, f->name);
}

static void put_wire(out* o, const wire* w)
{
    out d = {0};
    int n = w->count;
    svg_move(&d, at_x(w->p[0][0]), at_y(w->p[0][1]));
    for (int i = 1; i < n; i++) svg_line(&d, at_x(w->p[i][0]), at_y(w->p[i][1]));
    double x = at_x(w->p[n - 1][0]), y = at_y(w->p[n - 1][1]);
    double dx = x - at_x(w->p[n - 2][0]), dy = y - at_y(w->p[n - 2][1]), l = hypot(dx, dy), ux = dx / l, uy = dy / l;
    svg_path(o, w->back ? "back" : "wire", &d, w->text);
    out_free(&d);
    out head = {0}; /* whole, also of a dashed line */
    for (int k = -1; k <= 1; k += 2) {
        svg_move(&head, x, y);
        svg_line(&head, x - 9 * ux + 4 * k * uy, y - 9 * uy - 4 * k * ux);
    }
    svg_path(o, "wire", &head, NULL);
    out_free(&head);
    if (!w->text) return;
    const double *a = w->p[w->at], *b = w->p[w->at + 1];
    svg_text(o, "on", (at_x(a[0]) + at_x(b[0])) / 2, (at_y(a[1]) + at_y(b[1])) / 2 - 7, w->text);
}

static void put_block(out* o, const block* b)
{
    double x = at_x(b->x), y = at_y(b->y), half = b->width * CELL_X / 2;
    if (!b->name) {
        svg_dot(o, "sum", x, y, 11, NULL);
        svg_text(o, "name", x, y + 5, "+");
        return;
    }
    out d = {0};
    svg_move(&d, x - half, y - BOX_HIGH / 2);
    svg_line(&d, x + half, y - BOX_HIGH / 2);
    svg_line(&d, x + half, y + BOX_HIGH / 2);
    svg_line(&d, x - half, y + BOX_HIGH / 2);
    svg_line(&d, x - half, y - BOX_HIGH / 2);
    svg_path(o, b->state ? "state" : "box", &d, b->name);
    out_free(&d);
    svg_text(o, "name", x, y + (b->below ? -3 : 5), b->name);
    if (b->below) svg_text(o, "name", x, y + 14, b->below);
}

static void put_diagram(out* o, const diagram* d)
{
    int width = (int)(2 * LEFT + CELL_X * d->columns), high = (int)(TOP + CELL_Y * d->rows + 40);
    svg_begin(o, width, high, d->title, css);
    svg_text(o, "head", 24, 28, d->title);
    svg_text(o, "sub", 24, 48, d->head);
    for (int i = 0; i < d->frame_count; i++) put_frame(o, &d->frames[i]);
    for (int i = 0; i < d->wire_count; i++) put_wire(o, &d->wires[i]);
    for (int i = 0; i < d->block_count; i++) put_block(o, &d->blocks[i]);
    svg_end(o);
}

#define LENGTH(list) (int)(sizeof(list) / sizeof(list)[0])

/* ---- tracking ---------------------------------------------------------------------------------------------------- */

/* The diagram, and the errors of a run with this feedback. */
static wit_status with_errors(figure_page* page, const diagram* d, wit_feedback feedback, const char* head)
{
    figure_run run;
    page->columns = 1;
    put_diagram(figure_panel(page), d);
    wit_status status = figure_run_scene(&run, "004-fig7.json", &(figure_change){.feedback = feedback}, &page->error);
    if (!status) status = figure_chart(figure_panel(page), &run, CHART_ERRORS, "What goes over the wire Psi", head);
    figure_run_release(&run);
    return status;
}

wit_status figure_000_2(figure_page* page)
{
    static const block blocks[] = {{0.6, 0, 0, NULL, NULL, false},
                                   {1.5, 0, 0.8, "K", NULL, false},
                                   {2.4, 0, 0, NULL, NULL, false},
                                   {3.4, 0, 0.9, "M^-1 (x, t)", NULL, false},
                                   {4.8, 0, 0.9, "integral", "x", true},
                                   {4.1, 1.1, 1.3, "Psi(x, t)", "projections", false},
                                   {2.4, 1.1, 0.9, "b(x, t)", "motion", false}};
    static const wire wires[] = {
        {{{-0.2, 0}, {0.5, 0}}, 2, "0", 0, false},
        {{{0.7, 0}, {1.1, 0}}, 2, NULL, 0, false},
        {{{1.9, 0}, {2.3, 0}}, 2, "-K Psi", 0, false},
        {{{2.5, 0}, {2.95, 0}}, 2, NULL, 0, false},
        {{{3.85, 0}, {4.35, 0}}, 2, "x'", 0, false},
        {{{5.25, 0}, {5.9, 0}}, 2, "x", 0, false},
        {{{5.55, 0}, {5.55, 1.1}, {4.75, 1.1}}, 3, NULL, 0, true},
        {{{2.4, 0.85}, {2.4, 0.12}}, 2, NULL, 0, false},
        {{{3.45, 1.1}, {3.2, 1.1}, {3.2, 1.7}, {0.6, 1.7}, {0.6, 0.12}}, 5, "Psi, subtracted", 2, true}};
    static const diagram d = {"Differential kinematics, integrated under feedback",
                              "x' = M^-1 (-K Psi - b): errors of the integration are fed back and decay",
                              6,
                              2,
                              blocks,
                              LENGTH(blocks),
                              wires,
                              LENGTH(wires),
                              NULL,
                              0};
    return with_errors(page, &d, WIT_FEEDBACK_DIRECT, "two ellipsoids (scenes/004-fig7.json), K = 50, RK2 at 1 kHz");
}

wit_status figure_001_3(figure_page* page)
{
    static const frame frames[] = {{2.2, -0.5, 6.15, 1.75, "inner loop: Psi' = mu"}};
    static const block blocks[] = {{1.1, 0, 0.8, "-K", "outer loop", false},  {2.6, 0, 0, NULL, NULL, false},
                                   {3.6, 0, 0.9, "M^-1 (x, t)", NULL, false}, {5, 0, 0.9, "integral", "x", true},
                                   {3, 1.2, 1, "b(x, t)", NULL, false},       {1.1, 1.2, 0.9, "integral", "Psi", true}};
    static const wire wires[] = {{{{1.5, 0}, {2.5, 0}}, 2, "mu", 0, false},
                                 {{{2.7, 0}, {3.15, 0}}, 2, NULL, 0, false},
                                 {{{4.05, 0}, {4.55, 0}}, 2, "x'", 0, false},
                                 {{{5.45, 0}, {6.5, 0}}, 2, "x", 0, false},
                                 {{{5.8, 0}, {5.8, 1.2}, {3.5, 1.2}}, 3, NULL, 0, true},
                                 {{{3.6, 1.2}, {3.6, 0.27}}, 2, NULL, 0, true},
                                 {{{2.6, 0.95}, {2.6, 0.12}}, 2, NULL, 0, false},
                                 {{{1.8, 0}, {1.8, 1.2}, {1.55, 1.2}}, 3, NULL, 0, false},
                                 {{{0.65, 1.2}, {0.3, 1.2}, {0.3, 0}, {0.7, 0}}, 4, NULL, 0, true}};
    static const diagram d = {"Inner and outer loop",
                              "Psi is integrated beside x: witness track --feedback integrated",
                              6.6,
                              2,
                              blocks,
                              LENGTH(blocks),
                              wires,
                              LENGTH(wires),
                              frames,
                              1};
    return with_errors(page, &d, WIT_FEEDBACK_INTEGRATED,
                       "integrated feedback: Psi computed from x, beside the integrated one that is fed back");
}

wit_status figure_001_4(figure_page* page)
{
    static const frame frames[] = {{2.2, -0.5, 6.15, 1.75, "inner loop: Psi' = mu"}};
    static const block blocks[] = {
        {1.1, 0, 0.8, "-K", "outer loop", false},  {2.6, 0, 0, NULL, NULL, false},
        {3.6, 0, 0.9, "M^-1 (x, t)", NULL, false}, {5, 0, 0.9, "integral", "x", true},
        {3, 1.2, 1, "b(x, t)", NULL, false},       {3.6, 2.4, 1.1, "Psi(x, t)", NULL, false}};
    static const wire wires[] = {{{{1.5, 0}, {2.5, 0}}, 2, "mu", 0, false},
                                 {{{2.7, 0}, {3.15, 0}}, 2, NULL, 0, false},
                                 {{{4.05, 0}, {4.55, 0}}, 2, "x'", 0, false},
                                 {{{5.45, 0}, {6.6, 0}}, 2, "x", 0, false},
                                 {{{5.8, 0}, {5.8, 1.2}, {3.5, 1.2}}, 3, NULL, 0, true},
                                 {{{3.6, 1.2}, {3.6, 0.27}}, 2, NULL, 0, true},
                                 {{{2.6, 0.95}, {2.6, 0.12}}, 2, NULL, 0, false},
                                 {{{6.4, 0}, {6.4, 2.4}, {4.15, 2.4}}, 3, NULL, 0, true},
                                 {{{3.05, 2.4}, {0.3, 2.4}, {0.3, 0}, {0.7, 0}}, 4, "Psi, from x", 0, true}};
    static const diagram d = {"The alternative: Psi is computed from x",
                              "no second state, no drift: witness track --feedback direct",
                              6.7,
                              2.9,
                              blocks,
                              LENGTH(blocks),
                              wires,
                              LENGTH(wires),
                              frames,
                              1};
    return with_errors(page, &d, WIT_FEEDBACK_DIRECT, "direct feedback: what is left is the error of RK2");
}

/* ---- with dynamics ----------------------------------------------------------------------------------------------- */

/* Forces, energies with their balance, and gaps of the run that is this diagram. */
static wit_status with_world(figure_page* page, const diagram* d)
{
    figure_run run;
    plot_series series[TRACK_WORLD_SERIES];
    plot_chart charts[TRACK_WORLD_CHARTS];
    page->columns = 1;
    put_diagram(figure_panel(page), d);
    wit_status status =
        figure_run_scene(&run, "003-block-diagram-rk4.json", &(figure_change){.world = true}, &page->error);
    if (!status) {
        int n = track_world_charts(run.task.world, series, charts);
        plot_page chart = {"All of it in one Runge-Kutta step",
                           "scenes/003-block-diagram-rk4.json, 1 kHz: human, device, coupler, proxy and two objects",
                           "time (s)",
                           run.series.t,
                           run.series.count,
                           charts,
                           n,
                           NULL,
                           0,
                           NULL,
                           0};
        status = plot_svg(figure_panel(page), &chart);
    }
    figure_run_release(&run);
    return status;
}

wit_status figure_001_5(figure_page* page)
{
    static const frame frames[] = {{0.3, -0.5, 5.95, 1.6, "bodies"}, {0.3, 1.8, 5.95, 3.35, "closest points"}};
    static const block blocks[] = {{0, 0, 0, NULL, NULL, false},
                                   {0.9, 0, 0, NULL, NULL, false},
                                   {2, 0, 1, "mass^-1 (q)", NULL, false},
                                   {3.4, 0, 0.9, "integral", "q'", true},
                                   {4.8, 0, 0.9, "integral", "q", true},
                                   {2, 1.05, 1.3, "C q' + N", "Coriolis, loads", false},
                                   {4.8, 2.5, 1.3, "Psi, M, b", "of all pairs", false},
                                   {3, 2.5, 1.1, "M^-1 (mu - b)", "law", false},
                                   {1.4, 2.5, 0.9, "integral", "x", true}};
    static const wire wires[] = {{{{-0.45, 0}, {-0.1, 0}}, 2, "F(t)", 0, false},
                                 {{{0.1, 0}, {0.8, 0}}, 2, NULL, 0, false},
                                 {{{1, 0}, {1.5, 0}}, 2, NULL, 0, false},
                                 {{{2.5, 0}, {2.95, 0}}, 2, "q''", 0, false},
                                 {{{3.85, 0}, {4.35, 0}}, 2, "q'", 0, false},
                                 {{{5.25, 0}, {6.4, 0}}, 2, "q", 0, false},
                                 {{{4.1, 0}, {4.1, 1.05}, {2.65, 1.05}}, 3, NULL, 0, true},
                                 {{{1.35, 1.05}, {0.9, 1.05}, {0.9, 0.12}}, 3, "-", 0, true},
                                 {{{5.6, 0}, {5.6, 2.5}, {5.45, 2.5}}, 3, NULL, 0, false},
                                 {{{4.15, 2.5}, {3.55, 2.5}}, 2, NULL, 0, false},
                                 {{{2.45, 2.5}, {1.85, 2.5}}, 2, "x'", 0, false},
                                 {{{1.4, 2.75}, {1.4, 3.15}, {4.8, 3.15}, {4.8, 2.75}}, 4, "x", 1, true},
                                 {{{0.95, 2.5}, {0, 2.5}, {0, 0.12}}, 3, "forces", 0, true}};
    static const diagram d = {"Tracking and dynamics, one integration",
                              "blue: what is integrated, all of it in the same step",
                              6.4,
                              3.4,
                              blocks,
                              LENGTH(blocks),
                              wires,
                              LENGTH(wires),
                              frames,
                              2};
    return with_world(page, &d);
}

wit_status figure_003_1(figure_page* page)
{
    static const frame frames[] = {{-0.35, -0.55, 2.5, 0.75, "real"}, {2.6, -0.55, 7.15, 2.15, "computed"}};
    static const block blocks[] = {{0.3, 0, 0.9, "human", "hand", true},
                                   {1.8, 0, 0.9, "device", "E", true},
                                   {3.4, 0, 1.1, "coupler", "spring, damper", false},
                                   {5, 0, 0.9, "proxy", "P", true},
                                   {6.5, 0, 0.9, "object", "B", true},
                                   {5, 1.5, 0.9, "object", "A", true}};
    static const wire wires[] = {{{{0.75, 0}, {1.35, 0}}, 2, "grasp", 0, false},
                                 {{{2.25, 0}, {2.85, 0}}, 2, NULL, 0, false},
                                 {{{3.95, 0}, {4.55, 0}}, 2, NULL, 0, false},
                                 {{{5.45, 0}, {6.05, 0}}, 2, "contact", 0, false},
                                 {{{5, 0.25}, {5, 1.25}}, 2, "contact", 0, false},
                                 {{{6.5, 0.25}, {6.5, 1.5}, {5.45, 1.5}}, 3, "contact", 1, false}};
    static const diagram d = {"Haptic rendering",
                              "the parts of scenes/003-block-diagram-rk4.json; blue: they have a state",
                              7.1,
                              2.3,
                              blocks,
                              LENGTH(blocks),
                              wires,
                              LENGTH(wires),
                              frames,
                              2};
    return with_world(page, &d);
}

wit_status figure_003_2(figure_page* page)
{
    static const block blocks[] = {{0.4, 0.5, 0.9, "human", NULL, true},
                                   {2.2, 0.5, 0.9, "device", NULL, true},
                                   {4, 0.5, 0.9, "coupler", NULL, false},
                                   {6, 0.5, 1.3, "environment", "proxy, objects", true}};
    static const wire wires[] = {
        {{{0.85, 0.35}, {1.75, 0.35}}, 2, "force", 0, false},  {{{1.75, 0.65}, {0.85, 0.65}}, 2, "motion", 0, true},
        {{{2.65, 0.35}, {3.55, 0.35}}, 2, "motion", 0, false}, {{{3.55, 0.65}, {2.65, 0.65}}, 2, "force", 0, true},
        {{{4.45, 0.35}, {5.35, 0.35}}, 2, "force", 0, false},  {{{5.35, 0.65}, {4.45, 0.65}}, 2, "motion", 0, true}};
    static const diagram d = {"Who gives force, who gives motion",
                              "each block takes what the wire to it says",
                              6.6,
                              1.2,
                              blocks,
                              LENGTH(blocks),
                              wires,
                              LENGTH(wires),
                              NULL,
                              0};
    return with_world(page, &d);
}
