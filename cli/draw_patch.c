/* SPDX-License-Identifier: MIT */
/* Faces on the page: grids of points, parameter lines, hatching. */
#include <math.h>
#include <stdlib.h>

#include "../src/geom/shape.h"
#include "draw.h"

bool patch_contains(const patch* p, double u, double v)
{
    if (!p->body) return true;
    /* Borders of the box are borders of the face or beyond: a hair inside, the answer is definite. */
    double hair_u = 1e-9 * (p->u.hi - p->u.lo), hair_v = 1e-9 * (p->v.hi - p->v.lo);
    u = fmin(fmax(u, p->u.lo + hair_u), p->u.hi - hair_u);
    v = fmin(fmax(v, p->v.lo + hair_v), p->v.hi - hair_v);
    return wit_body_face_contains(p->body, p->face, u, v);
}

double patch_facing(const patch* p, const view* eye, double u, double v)
{
    wit_surface_jet jet;
    wit_vec3 n;
    wit_surface_eval(p->surface, u, v, 0, NULL, &jet);
    n = unit3(cross3(unit3(jet.du), unit3(jet.dv)));
    if (dot3(n, n) > 0.5) return dot3(n, eye->toward);
    if (wit_surface_normal(p->surface, u, v, &n)) return dot3(n, eye->toward);
    u += 1e-6 * ((p->u.lo + p->u.hi) / 2 - u);
    v += 1e-6 * ((p->v.lo + p->v.hi) / 2 - v);
    return wit_surface_normal(p->surface, u, v, &n) ? dot3(n, eye->toward) : 0;
}

static spot patch_spot(const patch* p, const view* eye, double u, double v)
{
    wit_surface_jet jet;
    wit_surface_eval(p->surface, u, v, 0, NULL, &jet);
    return view_point(eye, jet.p);
}

/* Longest way on the page, of 5 lines of 16 steps; depth counts, or a face seen edge-on would have no cells. */
static double extent_along(const patch* p, const view* eye, wit_direction direction)
{
    double longest = 0;
    for (int line = 0; line < 5; line++) {
        double length = 0, across = (line + 0.5) / 5;
        spot last = {0, 0, 0};
        for (int k = 0; k <= 16; k++) {
            double along = k / 16.0, a = direction == WIT_U ? along : across, b = direction == WIT_U ? across : along;
            spot s = patch_spot(p, eye, p->u.lo + a * (p->u.hi - p->u.lo), p->v.lo + b * (p->v.hi - p->v.lo));
            if (k) length += norm3(vec3(s.x - last.x, s.y - last.y, s.z - last.z));
            last = s;
        }
        longest = fmax(longest, length);
    }
    return longest;
}

static int cells_for(double length)
{
    return (int)fmin(fmax(ceil(length / 8), 2), 240);
}

bool patch_sample(patch* p, const view* eye)
{
    p->cells_u = p->flat ? 1 : cells_for(extent_along(p, eye, WIT_U));
    p->cells_v = p->flat ? 1 : cells_for(extent_along(p, eye, WIT_V));
    size_t n = (size_t)(p->cells_u + 1) * (size_t)(p->cells_v + 1);
    p->grid = malloc(n * sizeof *p->grid);
    p->facing = malloc(n * sizeof *p->facing);
    if (!p->grid || !p->facing) return false;
    for (int i = 0; i <= p->cells_u; i++) {
        for (int j = 0; j <= p->cells_v; j++) {
            double u = p->u.lo + (p->u.hi - p->u.lo) * i / p->cells_u;
            double v = p->v.lo + (p->v.hi - p->v.lo) * j / p->cells_v;
            p->grid[i * (p->cells_v + 1) + j] = patch_spot(p, eye, u, v);
            p->facing[i * (p->cells_v + 1) + j] = patch_facing(p, eye, u, v);
        }
    }
    return true;
}

void patch_free(patch* p)
{
    free(p->grid);
    free(p->facing);
    free(p->label);
}

void draw_iso_lines(picture* pic, const patch* p)
{
    wit_surface_info info = wit_surface_describe(p->surface);
    for (int d = 0; d < 2; d++) {
        wit_direction fixed = d ? WIT_V : WIT_U;
        wit_interval r = d ? p->v : p->u, range = d ? info.range_v : info.range_u;
        bool closed = (d ? info.closed_v : info.closed_u) && r.hi - r.lo >= (range.hi - range.lo) * (1 - 1e-9);
        double length = extent_along(p, &pic->view, fixed);
        int n = closed    ? 2 * (int)fmin(fmax(floor(length / 200), 2), 6)
                : p->flat ? (int)fmin(floor(length / 100), 4)
                          : (int)fmin(floor(length / 70), 7);
        if (length < 40) continue;
        /* A closed direction has its first line at the seam, which is a parameter line like the others. */
        for (int k = closed ? 0 : 1; k < n; k++)
            draw_iso(pic, p, fixed, r.lo + (r.hi - r.lo) * k / n, STROKE_ISO, p->label);
    }
}

typedef struct hatch_line {
    const patch* p;
    const view* view;
    double u, v; /* at t = 0; both grow with t */
} hatch_line;

static spot hatch_at(const void* context, double t, unsigned side, spot* derivative)
{
    const hatch_line* h = context;
    (void)side;
    wit_surface_jet jet;
    wit_surface_eval(h->p->surface, h->u + t, h->v + t, 0, NULL, &jet);
    *derivative = view_vector(h->view, add3(jet.du, jet.dv));
    return view_point(h->view, jet.p);
}

static bool hatch_inside(const void* context, double t)
{
    const hatch_line* h = context;
    double u = h->u + t, v = h->v + t;
    return u >= h->p->u.lo && u <= h->p->u.hi && v >= h->p->v.lo && v <= h->p->v.hi && patch_contains(h->p, u, v);
}

void draw_hatch(picture* pic, const patch* p)
{
    double wide = p->u.hi - p->u.lo, high = p->v.hi - p->v.lo, apart = 14 * sqrt(2) / pic->view.scale;
    for (double c = apart / 2; c < wide + high; c += apart) {
        /* From the left or lower border of the box: the line v - u = const. */
        double u = p->u.lo + fmax(0, c - high), v = p->v.lo + fmax(0, high - c);
        hatch_line h = {p, &pic->view, u, v};
        trace t = {hatch_at, hatch_inside, &h, {0, fmin(p->u.hi - u, p->v.hi - v)}, NULL, 0, false};
        draw_trace(pic, &t, STROKE_HATCH, NULL);
    }
}
