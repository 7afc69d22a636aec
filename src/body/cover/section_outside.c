/* SPDX-License-Identifier: MIT */
/* What the hull of a section has beyond it: triangles of each notch and hole, joined where they are convex together. */
#include "section.h"

typedef struct ring {
    int count;
    point2 p[SECTION_CORNERS]; /* anticlockwise */
} ring;

typedef struct cells {
    convex_polygon* c;
    int count;
    double near;
    bool full;
} cells;

static bool in_triangle(point2 p, point2 a, point2 b, point2 c)
{
    return turn2(a, b, p) >= 0 && turn2(b, c, p) >= 0 && turn2(c, a, p) >= 0;
}

static bool same_point(point2 a, point2 b)
{
    return a.x == b.x && a.y == b.y;
}

static bool is_ear(const ring* r, int i)
{
    point2 a = r->p[(i + r->count - 1) % r->count], b = r->p[i], c = r->p[(i + 1) % r->count];
    if (!(turn2(a, b, c) > 0)) return false;
    for (int k = 0; k < r->count; ++k) {
        point2 q = r->p[k];
        if (same_point(q, a) || same_point(q, b) || same_point(q, c)) continue;
        if (in_triangle(q, a, b, c)) return false;
    }
    return true;
}

/* Do the cells share a side, and are they convex together? Then *out is both. */
static bool joined(const convex_polygon* a, const convex_polygon* b, double near, convex_polygon* out)
{
    for (int i = 0; i < a->count; ++i)
        for (int k = 0; k < b->count; ++k) {
            int in = (i + 1) % a->count, kn = (k + 1) % b->count;
            if (!same_point(a->p[i], b->p[kn]) || !same_point(a->p[in], b->p[k])) continue;
            convex_polygon r = {.count = 0};
            if (a->count + b->count - 2 > POLYGON_MOST) return false;
            for (int m = 0; m < a->count; ++m) r.p[r.count++] = a->p[(in + m) % a->count];
            for (int m = 1; m + 1 < b->count; ++m) r.p[r.count++] = b->p[(kn + m) % b->count];
            for (int m = 0; m < r.count; ++m) {
                point2 p = r.p[m], q = r.p[(m + 1) % r.count], s = r.p[(m + 2) % r.count];
                if (turn2(p, q, s) < -near * (fabs(s.x - p.x) + fabs(s.y - p.y))) return false;
            }
            *out = r;
            return true;
        }
    return false;
}

static void add_cell(cells* o, int from, const convex_polygon* c)
{
    convex_polygon whole = *c, both;
    for (int i = from; i < o->count;) {
        if (!joined(&o->c[i], &whole, o->near, &both)) {
            ++i;
            continue;
        }
        whole = both;
        o->c[i] = o->c[--o->count];
        i = from;
    }
    if (o->count == SECTION_CELLS)
        o->full = true;
    else
        o->c[o->count++] = whole;
}

static bool cut_up(cells* o, ring r)
{
    int from = o->count;
    while (r.count >= 3 && !o->full) {
        int ear = 0;
        while (ear < r.count && !is_ear(&r, ear)) ++ear;
        if (ear == r.count) return r.count == 3; /* what is left is flat */
        point2 a = r.p[(ear + r.count - 1) % r.count], c = r.p[(ear + 1) % r.count];
        convex_polygon t = {.count = 3, .p = {a, r.p[ear], c}};
        add_cell(o, from, &t);
        for (int k = ear; k + 1 < r.count; ++k) r.p[k] = r.p[k + 1];
        r.count--;
    }
    return !o->full;
}

/* On its border: a corner of it, or on one of its sides but for what coordinates are off. */
static bool on_hull(const convex_polygon* hull, point2 p, double error)
{
    for (int i = 0; i < hull->count; ++i)
        if (same_point(hull->p[i], p)) return true;
    for (int i = 0; i < hull->count; ++i) {
        point2 n = wi_polygon_normal(hull, i);
        if (dot2(n, p) >= dot2(n, hull->p[i]) - error) return true;
    }
    return false;
}

bool wi_section_outside(const section* s, double near, convex_polygon* hull, convex_polygon out[SECTION_CELLS],
                        int* count)
{
    cells o = {.c = out, .near = near};
    int n = s->first[1], start = 0;
    if (!wi_polygon_hull(s->p, n, 0, hull)) return false;
    while (start < n && !on_hull(hull, s->p[start], s->error)) ++start;
    for (int i = 0; i < n;) {
        /* from one corner of the hull to the next: what lies between is a notch, passed the other way round */
        ring r = {.count = 0};
        int k = 1;
        while (!on_hull(hull, s->p[(start + i + k) % n], s->error)) ++k;
        for (int m = k; m >= 0; --m) r.p[r.count++] = s->p[(start + i + m) % n];
        if (k > 1 && !cut_up(&o, r)) return false;
        i += k;
    }
    for (int l = 1; l < s->loops; ++l) {
        ring r = {.count = 0};
        for (int m = s->first[l + 1] - 1; m >= s->first[l]; --m) r.p[r.count++] = s->p[m];
        if (!cut_up(&o, r)) return false;
    }
    *count = o.count;
    return true;
}
