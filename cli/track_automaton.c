/* SPDX-License-Identifier: MIT */
/*
 * The hybrid automaton of a run: per body its features in three rows, faces above edges above vertices; faint lines where
 * they adjoin; an arrow for every hand-over that happened, with its times. Of large bodies only what was visited.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "svg.h"
#include "track.h"

enum { WIDE = 900, HEAD = 64, PANEL = 320, ROWS = 3, ALL_BELOW = 64, MOST_NODES = 200 };

typedef struct node {
    wit_feature_kind kind;
    int id;
    bool visited;
    double x, y;
    double weight; /* for the order in its row */
} node;

typedef struct arrow {
    int from, to; /* nodes */
    int64_t count;
    char times[64];
    bool jumped;
} arrow;

typedef struct automaton {
    const track_task* task;
    const track_sum* sum;
    const wit_body* body;
    int side;
    node* nodes;
    int node_count, left_out;
    arrow* arrows;
    int arrow_count;
    int row[ROWS]; /* of each kind on the page, -1: it has none */
    int rows;
} automaton;

/* ---- which features ---------------------------------------------------------------------------------------------- */

static int find_node(const automaton* m, wit_feature_kind kind, int id)
{
    for (int i = 0; i < m->node_count; i++) {
        if (m->nodes[i].kind == kind && m->nodes[i].id == id) return i;
    }
    return -1;
}

static int add_node(automaton* m, wit_feature_kind kind, int id)
{
    int at = find_node(m, kind, id);
    if (at >= 0) return at;
    if (m->node_count == MOST_NODES || kind == WIT_POINT) return -1;
    m->nodes[m->node_count] = (node){.kind = kind, .id = id};
    return m->node_count++;
}

static void choose_nodes(automaton* m)
{
    wit_body_info info = wit_body_describe(m->body);
    const int count[ROWS] = {info.planar ? 0 : info.face_count, info.edge_count, info.vertex_count};
    int all = count[0] + count[1] + count[2];
    for (int k = 0; k < ROWS && all <= ALL_BELOW; k++) {
        for (int i = 0; i < count[k]; i++) add_node(m, (wit_feature_kind)k, i);
    }
    for (int64_t i = 0; i < m->sum->transition_count; i++) {
        const wit_transition* t = &m->sum->transitions[i];
        if (t->side != m->side) continue;
        int at[2] = {add_node(m, t->from, t->from_id), add_node(m, t->to, t->to_id)};
        for (int k = 0; k < 2; k++)
            if (at[k] >= 0) m->nodes[at[k]].visited = true;
    }
    const wit_witness* w = &m->sum->least_pair[m->side]; /* where there was no hand-over */
    int at = add_node(m, w->feature, w->id);
    if (at >= 0) m->nodes[at].visited = true;
    m->left_out = all - m->node_count;
}

/* ---- how they adjoin --------------------------------------------------------------------------------------------- */

static bool adjoin(const wit_body* body, const node* upper, const node* lower)
{
    if (lower->kind == WIT_EDGE) {
        wit_use_info use;
        for (int k = 0; wit_body_edge_use(body, lower->id, k, &use) >= 0; k++)
            if (upper->kind == WIT_FACE && use.face == upper->id) return true;
        return false;
    }
    if (upper->kind == WIT_EDGE) {
        wit_edge_info e = wit_body_edge(body, upper->id);
        return e.start == lower->id || e.end == lower->id;
    }
    /* A face and a vertex: only an apex, else the lines run over the edges. */
    if (wit_body_vertex_edge(body, lower->id, 0) >= 0) return false;
    for (int k = 0, f; (f = wit_body_vertex_face(body, lower->id, k)) >= 0; k++)
        if (f == upper->id) return true;
    return false;
}

/* Rows from left to right in the order of what they hang on: fewer lines cross. */
static void place_nodes(automaton* m, double top)
{
    for (int row = 0; row < ROWS; row++) {
        int members[MOST_NODES], n = 0;
        m->row[row] = -1;
        for (int i = 0; i < m->node_count; i++) {
            if ((int)m->nodes[i].kind != row) continue;
            double sum = 0, count = 0;
            for (int j = 0; j < m->node_count; j++) {
                if ((int)m->nodes[j].kind >= row || !adjoin(m->body, &m->nodes[j], &m->nodes[i])) continue;
                sum += m->nodes[j].x;
                count++;
            }
            m->nodes[i].weight = count > 0 ? sum / count : i;
            int at = n++;
            for (; at > 0 && m->nodes[members[at - 1]].weight > m->nodes[i].weight + 1e-9; at--)
                members[at] = members[at - 1];
            members[at] = i;
        }
        if (n) m->row[row] = m->rows++;
        for (int k = 0; k < n; k++) {
            node* v = &m->nodes[members[k]];
            v->x = 90 + (WIDE - 180) * (k + 0.5) / n;
            v->y = top + 58 + m->row[row] * 100 + (n > 12 && k % 2 ? 14 : 0);
        }
    }
}

static void gather_arrows(automaton* m)
{
    for (int64_t i = 0; i < m->sum->transition_count; i++) {
        const wit_transition* t = &m->sum->transitions[i];
        int from = t->side == m->side ? find_node(m, t->from, t->from_id) : -1;
        int to = t->side == m->side ? find_node(m, t->to, t->to_id) : -1;
        if (from < 0 || to < 0) continue;
        int k = 0;
        while (k < m->arrow_count && (m->arrows[k].from != from || m->arrows[k].to != to)) k++;
        if (k == m->arrow_count) m->arrows[m->arrow_count++] = (arrow){.from = from, .to = to};
        arrow* a = &m->arrows[k];
        size_t n = strlen(a->times);
        if (a->count < 3)
            snprintf(a->times + n, sizeof a->times - n, "%s%.4g", a->count ? ", " : "", t->time);
        else if (a->count == 3)
            snprintf(a->times + n, sizeof a->times - n, ", ...");
        a->count++;
        a->jumped = a->jumped || t->jumped;
    }
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* A bent arrow that passes to the right of the straight way, so that there and back are two. */
static void draw_arrow(out* o, const automaton* m, const arrow* a)
{
    const node *p = &m->nodes[a->from], *q = &m->nodes[a->to];
    double dx = q->x - p->x, dy = q->y - p->y, length = sqrt(dx * dx + dy * dy);
    if (length < 1) return;
    double ux = dx / length, uy = dy / length, bend = fabs(dy) < 30 ? 46 : 16;
    double gap = 13, x0 = p->x + gap * ux, y0 = p->y + gap * uy, x1 = q->x - gap * ux, y1 = q->y - gap * uy;
    double mx = (x0 + x1) / 2 - bend * uy, my = (y0 + y1) / 2 + bend * ux; /* top of the bend is half of it */
    const double c[6] = {
        x0 + (mx - x0) * 2 / 3, y0 + (my - y0) * 2 / 3, x1 + (mx - x1) * 2 / 3, y1 + (my - y1) * 2 / 3, x1, y1};
    const char* class_name = a->jumped ? "jump" : "go";
    char title[128];
    snprintf(title, sizeof title, "%lld times", (long long)a->count);
    out d = {0};
    svg_move(&d, x0, y0);
    svg_cubic(&d, c);
    double ex = x1 - c[2], ey = y1 - c[3], e = sqrt(ex * ex + ey * ey);
    for (int side = -1; side <= 1; side += 2) {
        double bx = (-0.906 * ex - side * 0.423 * ey) / e, by = (-0.906 * ey + side * 0.423 * ex) / e;
        svg_move(&d, x1, y1);
        svg_line(&d, x1 + 8 * bx, y1 + 8 * by);
    }
    svg_path(o, class_name, &d, title);
    out_free(&d);
}

/* The box of a text that is there already. */
typedef struct text_box {
    double x0, x1, y;
} text_box;

/* Pixels by which a box is inside others. */
static double crowding(const text_box* boxes, int count, text_box b)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double wide = fmin(b.x1, boxes[i].x1) - fmax(b.x0, boxes[i].x0), high = 13 - fabs(b.y - boxes[i].y);
        if (wide > 0 && high > 0) sum += wide * high;
    }
    return sum;
}

/* How many points of the arrows are in a box: of each 24. */
static double crossings(const automaton* m, text_box b)
{
    double n = 0;
    for (int i = 0; i < m->arrow_count; i++) {
        const node *p = &m->nodes[m->arrows[i].from], *q = &m->nodes[m->arrows[i].to];
        double dx = q->x - p->x, dy = q->y - p->y, l = sqrt(dx * dx + dy * dy) + 1e-9, bend = fabs(dy) < 30 ? 46 : 16;
        for (int k = 0; k < 24; k++) {
            double s = k / 23.0, swell = 2 * s * (1 - s) * bend;
            double x = p->x + s * dx - swell * dy / l, y = p->y + s * dy + swell * dx / l;
            n += x > b.x0 - 2 && x < b.x1 + 2 && y < b.y + 2 && y > b.y - 11;
        }
    }
    return n;
}

/* The times of an arrow, where along it there is room: best near its end, where arrows of one node stand apart. */
static void draw_times(out* o, const automaton* m, const arrow* a, text_box* boxes, int* count)
{
    const node *p = &m->nodes[a->from], *q = &m->nodes[a->to];
    double dx = q->x - p->x, dy = q->y - p->y, length = sqrt(dx * dx + dy * dy);
    if (length < 1) return;
    double ux = dx / length, uy = dy / length, bend = fabs(dy) < 30 ? 46 : 16, gap = 13;
    double x0 = p->x + gap * ux, y0 = p->y + gap * uy, x1 = q->x - gap * ux, y1 = q->y - gap * uy;
    double mx = (x0 + x1) / 2 - bend * uy, my = (y0 + y1) / 2 + bend * ux, best = HUGE_VAL, tx = 0, ty = 0;
    char text[80];
    snprintf(text, sizeof text, "%s s", a->times);
    /* On the outer side of the bend. */
    bool after = -uy > 0.3, before = -uy < -0.3;
    double wide = 5.6 * svg_characters(text);
    text_box taken = {0, 0, 0};
    for (int k = 0; k < 8; k++) {
        static const double along[8] = {0.62, 0.7, 0.54, 0.78, 0.46, 0.38, 0.3, 0.22};
        double s = along[k], r = 1 - s;
        double x = r * r * x0 + 2 * r * s * mx + s * s * x1 - 4 * uy;
        double y = r * r * y0 + 2 * r * s * my + s * s * y1 + 4 + 8 * ux;
        double from = after ? x : before ? x - wide : x - wide / 2;
        text_box box = {from, from + wide, y};
        double cost = crowding(boxes, *count, box) + 12 * crossings(m, box) + k;
        if (cost >= best) continue;
        best = cost;
        tx = x;
        ty = y;
        taken = box;
    }
    boxes[(*count)++] = taken;
    svg_text(o, after ? "when beside" : before ? "when before" : "when", tx, ty, text);
}

static void draw_panel(out* o, automaton* m, double top)
{
    char head[160];
    snprintf(head, sizeof head, "%s%s%s", m->task->side[m->side], m->left_out > 0 ? ": only what was visited" : "",
             m->arrow_count ? "" : " (no hand-over)");
    svg_text(o, "name", 24, top + 22, head);
    static const char* const rows[ROWS] = {"faces", "edges", "vertices"};
    for (int r = 0; r < ROWS; r++)
        if (m->row[r] >= 0) svg_text(o, "row", 24, top + 62 + m->row[r] * 100, rows[r]);
    for (int i = 0; i < m->node_count; i++) {
        for (int j = 0; j < m->node_count; j++) {
            if (m->nodes[i].kind < m->nodes[j].kind && adjoin(m->body, &m->nodes[i], &m->nodes[j]))
                plot_segment(o, "faint", m->nodes[i].x, m->nodes[i].y, m->nodes[j].x, m->nodes[j].y, NULL);
        }
    }
    for (int k = 0; k < m->arrow_count; k++) draw_arrow(o, m, &m->arrows[k]);
    int count = 0;
    text_box* boxes = calloc((size_t)(m->arrow_count + m->node_count) + 1, sizeof *boxes);
    for (int i = 0; boxes && i < m->node_count; i++)
        boxes[count++] = (text_box){m->nodes[i].x - 14, m->nodes[i].x + 30, m->nodes[i].y + 4};
    for (int k = 0; boxes && k < m->arrow_count; k++) draw_times(o, m, &m->arrows[k], boxes, &count);
    free(boxes);
    for (int i = 0; i < m->node_count; i++) {
        const node* v = &m->nodes[i];
        char text[64];
        track_feature(m->body, v->kind, v->id, text, sizeof text);
        svg_dot(o, v->visited ? "visited" : "node", v->x, v->y, v->visited ? 6 : 4, text);
        /* Off the arrows: above the first row, below the last, beside the others. */
        int row = m->row[v->kind];
        bool first = row == 0, last = row == m->rows - 1;
        char class_name[32];
        snprintf(class_name, sizeof class_name, "label%s%s", v->visited ? "" : " pale", first || last ? "" : " beside");
        svg_text(o, class_name, first || last ? v->x : v->x + 10,
                 first  ? v->y - 10
                 : last ? v->y + 18
                        : v->y + 4,
                 text);
    }
}

static bool draw_side(out* o, const track_task* task, const track_sum* sum, int side, double top)
{
    automaton m = {.task = task, .sum = sum, .body = task->body[side], .side = side};
    m.nodes = calloc(MOST_NODES, sizeof *m.nodes);
    m.arrows = calloc((size_t)sum->transition_count + 1, sizeof *m.arrows);
    bool good = m.nodes && m.arrows;
    if (good) {
        choose_nodes(&m);
        place_nodes(&m, top);
        gather_arrows(&m);
        draw_panel(o, &m, top);
    }
    free(m.nodes);
    free(m.arrows);
    return good;
}

wit_status track_automaton(out* o, const track_task* task, const track_sum* sum)
{
    static const char css[] =
        "path{fill:none;stroke-linecap:round}\n"
        ".faint{stroke:#d5dce2;stroke-width:.9}\n"
        ".go{stroke:#0b57a4;stroke-width:1.5}\n"
        ".jump{stroke:#c8501e;stroke-width:1.5;stroke-dasharray:6 3}\n"
        ".node{fill:#aab4bd}.visited{fill:#0b57a4}\n"
        "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:11px;fill:#333333}\n"
        ".head{font-size:15px;font-weight:bold;fill:#1a1a1a}.name{font-size:13px;font-weight:bold}\n"
        ".row{fill:#8a949d}\n"
        ".label,.when{text-anchor:middle;paint-order:stroke;stroke:#ffffff;stroke-width:3px}\n"
        ".label{font-weight:bold}.pale{fill:#8a949d;font-weight:normal}\n"
        ".when{font-size:10px;fill:#0b57a4}\n"
        ".beside{text-anchor:start}.before{text-anchor:end}\n";
    int panels = task->body[1] ? 2 : 1;
    bool jumped = false;
    for (int64_t i = 0; i < sum->transition_count; i++) jumped = jumped || sum->transitions[i].jumped;
    svg_begin(o, WIDE, HEAD + panels * PANEL, task->name, css);
    svg_text(o, "head", 24, 30, task->name);
    char about[160];
    snprintf(about, sizeof about, "features that carried a witness, and the hand-overs between them with their times%s",
             jumped ? "; dashed: jumps to a feature that is no neighbour" : "");
    svg_text(o, "about", 24, 48, about);
    bool good = true;
    for (int side = 0; side < panels; side++) good = draw_side(o, task, sum, side, HEAD + side * PANEL) && good;
    svg_end(o);
    return good && !o->failed ? WIT_OK : WIT_ERROR_MEMORY;
}
