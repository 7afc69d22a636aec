/* SPDX-License-Identifier: MIT */
#include "voronoi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/query.h"
#include "../src/base/vec.h"
#include "svg.h"

enum { WIDE = 900, HIGH = 700, HEAD = 60, CELL = 5, NX = WIDE / CELL, NY = (HIGH - HEAD) / CELL, HALVINGS = 9 };

/* Closest points this far apart, in pixels, seen from places that are 0.01 apart: a jump. */
static const double JUMP = 0.5;

/* What is the closest, seen from a place. */
typedef struct nearest {
    wit_feature_kind kind;
    int id;
    bool inside;
    wit_vec3 point;
} nearest;

typedef struct spot2 {
    double x, y; /* pixels */
} spot2;

/* A place on a side of a cell where the closest feature changes. */
typedef struct change {
    bool there, jump;
    spot2 at;
    nearest from, to;
} change;

typedef struct diagram {
    const wit_body* body;
    wit_query* query;
    wit_placed placed;
    wit_vec3 origin, right, up; /* of the plane; origin at the middle of the picture */
    double scale;               /* pixels per length */
    nearest* nodes;             /* (NX + 1) x (NY + 1), x fastest */
    change *across, *along;     /* on the sides between nodes: to the right of a node, below it */
    wit_status status;
} diagram;

/* ---- the plane ---------------------------------------------------------------------------------------------------- */

static spot2 on_page(const diagram* d, wit_vec3 p)
{
    wit_vec3 q = sub3(p, d->origin);
    spot2 s = {WIDE / 2.0 + d->scale * dot3(q, d->right), HEAD + (HIGH - HEAD) / 2.0 - d->scale * dot3(q, d->up)};
    return s;
}

static wit_vec3 in_plane(const diagram* d, spot2 s)
{
    double x = (s.x - WIDE / 2.0) / d->scale, y = (HEAD + (HIGH - HEAD) / 2.0 - s.y) / d->scale;
    return addscaled3(addscaled3(d->origin, x, d->right), y, d->up);
}

/* The body takes about half of the picture. */
static void fit(diagram* d)
{
    wit_face_info face = wit_body_face(d->body, 0);
    wit_surface_jet jet;
    wit_surface_eval(face.surface, face.u.lo, face.v.lo, 0, NULL, &jet);
    wit_vec3 normal = unit3(cross3(jet.du, jet.dv));
    d->right = fabs(normal.z) > 1 - 1e-9 ? vec3(1, 0, 0) : unit3(jet.du);
    d->up = cross3(normal.z < 0 ? scale3(-1, normal) : normal, d->right);
    double lo[2] = {HUGE_VAL, HUGE_VAL}, hi[2] = {-HUGE_VAL, -HUGE_VAL};
    int edges = wit_body_describe(d->body).edge_count;
    for (int i = 0; i < edges; i++) {
        wit_edge_info e = wit_body_edge(d->body, i);
        for (int k = 0; k <= 64; k++) {
            wit_curve_jet c;
            wit_curve_eval(e.curve, e.range.lo + (e.range.hi - e.range.lo) * k / 64, 0, NULL, &c);
            wit_vec3 p = sub3(c.p, jet.p);
            double at[2] = {dot3(p, d->right), dot3(p, d->up)};
            for (int j = 0; j < 2; j++) {
                lo[j] = fmin(lo[j], at[j]);
                hi[j] = fmax(hi[j], at[j]);
            }
        }
    }
    d->origin = addscaled3(addscaled3(jet.p, (lo[0] + hi[0]) / 2, d->right), (lo[1] + hi[1]) / 2, d->up);
    d->scale = fmin(0.5 * WIDE / fmax(hi[0] - lo[0], 1e-300), 0.55 * (HIGH - HEAD) / fmax(hi[1] - lo[1], 1e-300));
}

/* ---- asking -------------------------------------------------------------------------------------------------------- */

static nearest ask(diagram* d, spot2 s)
{
    wit_closest c = {0};
    wit_status status = wit_closest_point(d->query, &d->placed, in_plane(d, s), &c);
    if (status && !d->status) d->status = status;
    nearest n = {c.a.feature, c.a.id, c.distance < 0, c.a.point};
    return n;
}

static double apart(const diagram* d, const nearest* a, const nearest* b)
{
    return d->scale * norm3(sub3(a->point, b->point)); /* pixels */
}

static bool alike(const nearest* a, const nearest* b)
{
    return a->kind == b->kind && a->id == b->id && a->inside == b->inside;
}

/* Not on two sides of the body's own line, and: another feature, or perhaps one whose closest point jumps. */
static bool differ(const diagram* d, const nearest* a, const nearest* b, double distance)
{
    if (a->inside != b->inside) return false;
    return !alike(a, b) || apart(d, a, b) > 2 * distance;
}

static change find_change(diagram* d, spot2 p, spot2 q, nearest a, nearest b)
{
    change none = {0};
    if (!differ(d, &a, &b, CELL)) return none;
    for (int k = 0; k < HALVINGS; k++) {
        spot2 m = {(p.x + q.x) / 2, (p.y + q.y) / 2};
        nearest x = ask(d, m);
        /* Of one feature on both sides: the one whose closest point is nearer. */
        bool as_a = alike(&a, &b) ? apart(d, &x, &a) <= apart(d, &x, &b) : alike(&x, &a);
        if (as_a) {
            p = m;
            a = x;
        } else {
            q = m;
            b = x;
        }
    }
    bool jump = apart(d, &a, &b) > JUMP;
    if (alike(&a, &b) && !jump) return none; /* it only moved fast */
    change c = {true, jump, {(p.x + q.x) / 2, (p.y + q.y) / 2}, a, b};
    return c;
}

static spot2 node_at(int i, int j)
{
    spot2 s = {CELL * (double)i, HEAD + CELL * (double)j};
    return s;
}

static void sample(diagram* d)
{
    for (int j = 0; j <= NY; j++)
        for (int i = 0; i <= NX; i++) d->nodes[j * (NX + 1) + i] = ask(d, node_at(i, j));
    for (int j = 0; j <= NY; j++) {
        for (int i = 0; i <= NX; i++) {
            int k = j * (NX + 1) + i;
            if (i < NX) d->across[k] = find_change(d, node_at(i, j), node_at(i + 1, j), d->nodes[k], d->nodes[k + 1]);
            if (j < NY)
                d->along[k] = find_change(d, node_at(i, j), node_at(i, j + 1), d->nodes[k], d->nodes[k + NX + 1]);
        }
    }
}

/* ---- lines --------------------------------------------------------------------------------------------------------- */

static void put_segment(out* line, spot2 a, spot2 b)
{
    svg_move(line, a.x, a.y);
    svg_line(line, b.x, b.y);
}

/* Borders that end on the body meet at a vertex: the nearest one, if it is at hand. */
static bool vertex_near(const diagram* d, spot2 s, spot2* at)
{
    int n = wit_body_describe(d->body).vertex_count;
    double best = 2.0 * CELL;
    bool found = false;
    for (int i = 0; i < n; i++) {
        spot2 v = on_page(d, wit_body_vertex(d->body, i).point);
        double r = sqrt((v.x - s.x) * (v.x - s.x) + (v.y - s.y) * (v.y - s.y));
        if (r >= best) continue;
        best = r;
        *at = v;
        found = true;
    }
    return found;
}

/* Between the same two features. */
static bool same_border(const change* a, const change* b)
{
    return a->jump == b->jump && ((alike(&a->from, &b->from) && alike(&a->to, &b->to)) ||
                                  (alike(&a->from, &b->to) && alike(&a->to, &b->from)));
}

/* The changes on the four sides of a cell, joined: those of one border by a line, what is left over through their middle, or
 * through the vertex where they begin. */
static void join_cell(const diagram* d, int i, int j, out lines[2])
{
    int k = j * (NX + 1) + i, n = 0;
    const change* side[4] = {&d->across[k], &d->along[k + 1], &d->across[k + NX + 1], &d->along[k]};
    const change* left[4];
    for (int s = 0; s < 4; s++) {
        if (!side[s]->there) continue;
        int at = 0;
        while (at < n && !same_border(left[at], side[s])) at++;
        if (at == n) {
            left[n++] = side[s];
        } else {
            put_segment(&lines[side[s]->jump], left[at]->at, side[s]->at);
            left[at] = left[--n];
        }
    }
    if (n == 0) return;
    spot2 middle = {0, 0};
    for (int s = 0; s < n; s++) {
        middle.x += left[s]->at.x / n;
        middle.y += left[s]->at.y / n;
    }
    if (!vertex_near(d, middle, &middle) && n == 1) return;
    for (int s = 0; s < n; s++) put_segment(&lines[left[s]->jump], left[s]->at, middle);
}

static void draw_borders(out* o, const diagram* d)
{
    out lines[2] = {{0}, {0}};
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) join_cell(d, i, j, lines);
    svg_path(o, "normal", &lines[0], NULL);
    svg_path(o, "medial", &lines[1], NULL);
    out_free(&lines[0]);
    out_free(&lines[1]);
}

static void draw_body(out* o, const diagram* d)
{
    wit_body_info info = wit_body_describe(d->body);
    for (int i = 0; i < info.edge_count; i++) {
        wit_edge_info e = wit_body_edge(d->body, i);
        out line = {0};
        for (int k = 0; k <= 256; k++) {
            wit_curve_jet c;
            wit_curve_eval(e.curve, e.range.lo + (e.range.hi - e.range.lo) * k / 256, 0, NULL, &c);
            spot2 s = on_page(d, c.p);
            if (k)
                svg_line(&line, s.x, s.y);
            else
                svg_move(&line, s.x, s.y);
        }
        svg_path(o, "edge", &line, e.name);
        out_free(&line);
    }
    for (int i = 0; i < info.vertex_count; i++) {
        wit_vertex_info v = wit_body_vertex(d->body, i);
        spot2 s = on_page(d, v.point);
        svg_dot(o, "vertex", s.x, s.y, 3, v.name);
    }
}

/* ---- names: where a region outside is widest ------------------------------------------------------------------------ */

typedef struct room {
    wit_feature_kind kind;
    int id, i, j, steps;
} room;

enum { NAMES = 120 };

/* Steps to the nearest node that is of another region, or to the border of the picture. */
static void measure_room(const diagram* d, int* steps)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int n = 0; n < (NX + 1) * (NY + 1); n++) {
            int k = pass ? (NX + 1) * (NY + 1) - 1 - n : n, i = k % (NX + 1), j = k / (NX + 1);
            if (!pass) steps[k] = NX;
            static const int before[4][2] = {{-1, 0}, {0, -1}, {-1, -1}, {1, -1}};
            for (int b = 0; b < 4; b++) {
                int x = i + (pass ? -before[b][0] : before[b][0]), y = j + (pass ? -before[b][1] : before[b][1]);
                bool off = x < 0 || y < 0 || x > NX || y > NY;
                const nearest *here = &d->nodes[k], *there = off ? here : &d->nodes[y * (NX + 1) + x];
                bool other = off || !alike(here, there);
                int from = other ? 0 : steps[y * (NX + 1) + x];
                if (from + 1 < steps[k]) steps[k] = from + 1;
            }
        }
    }
}

static void draw_names(out* o, const diagram* d, const int* steps)
{
    room rooms[NAMES];
    int count = 0;
    for (int k = 0; k < (NX + 1) * (NY + 1); k++) {
        const nearest* n = &d->nodes[k];
        if (n->inside) continue;
        int r = 0;
        while (r < count && (rooms[r].kind != n->kind || rooms[r].id != n->id)) r++;
        if (r == NAMES) continue;
        if (r == count) rooms[count++] = (room){n->kind, n->id, 0, 0, 0};
        if (steps[k] > rooms[r].steps) rooms[r] = (room){n->kind, n->id, k % (NX + 1), k / (NX + 1), steps[k]};
    }
    for (int r = 0; r < count; r++) {
        const char* name = rooms[r].kind == WIT_EDGE ? wit_body_edge(d->body, rooms[r].id).name
                                                     : wit_body_vertex(d->body, rooms[r].id).name;
        char text[64];
        if (name[0])
            snprintf(text, sizeof text, "%s", name);
        else
            snprintf(text, sizeof text, "%c%d", rooms[r].kind == WIT_EDGE ? 'E' : 'V', rooms[r].id);
        if (rooms[r].steps < 2) continue;
        spot2 s = node_at(rooms[r].i, rooms[r].j);
        svg_text(o, rooms[r].kind == WIT_EDGE ? "name-edge" : "name-vertex", s.x, s.y + 4, text);
    }
}

/* ---- the page ------------------------------------------------------------------------------------------------------ */

static void draw(out* o, const diagram* d, const int* steps, const char* unit)
{
    static const char css[] = "path{fill:none;stroke-linecap:round;stroke-linejoin:round}\n"
                              ".edge{stroke:#1a1a1a;stroke-width:2}.vertex{fill:#1a1a1a}\n"
                              ".normal{stroke:#0b57a4;stroke-width:1.1}.medial{stroke:#c8501e;stroke-width:1.3}\n"
                              "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:11px;fill:#333333}\n"
                              ".head{font-size:15px;font-weight:bold;fill:#1a1a1a}\n"
                              ".name-edge,.name-vertex{text-anchor:middle;paint-order:stroke;stroke:#ffffff;"
                              "stroke-width:3px}\n.name-edge{fill:#0b57a4}.name-vertex{fill:#1a1a1a}\n";
    wit_body_info info = wit_body_describe(d->body);
    char title[128], head[200];
    snprintf(title, sizeof title, "%s: Voronoi regions", info.name[0] ? info.name : "planar body");
    bool named = unit && *unit && strcmp(unit, "none") != 0;
    snprintf(head, sizeof head,
             "blue: normals at the ends of edges; orange: equally far from two places (medial axis); %.4g%s%s wide",
             WIDE / d->scale, named ? " " : "", named ? unit : "");
    svg_begin(o, WIDE, HIGH, title, css);
    svg_text(o, "head", 24, 30, title);
    svg_text(o, "about", 24, 48, head);
    draw_borders(o, d);
    draw_body(o, d);
    draw_names(o, d, steps);
    svg_end(o);
}

wit_status voronoi_svg(out* o, const wit_body* body, const char* unit)
{
    diagram d = {.body = body, .placed = wit_placed_at(body, wit_pose_identity())};
    size_t n = (size_t)(NX + 1) * (NY + 1);
    d.nodes = calloc(n, sizeof *d.nodes);
    d.across = calloc(n, sizeof *d.across);
    d.along = calloc(n, sizeof *d.along);
    int* steps = calloc(n, sizeof *steps);
    d.query = wit_query_create(NULL, NULL, NULL);
    if (d.nodes && d.across && d.along && steps && d.query) {
        fit(&d);
        sample(&d);
        measure_room(&d, steps);
        if (!d.status) draw(o, &d, steps, unit);
    } else {
        d.status = WIT_ERROR_MEMORY;
    }
    wit_query_destroy(d.query);
    free(steps);
    free(d.nodes);
    free(d.across);
    free(d.along);
    return d.status ? d.status : o->failed ? WIT_ERROR_MEMORY : WIT_OK;
}
