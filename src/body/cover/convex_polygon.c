/* SPDX-License-Identifier: MIT */
#include "convex_polygon.h"

#include <math.h>

#include "../../base/sort.h"

double wi_polygon_most(const convex_polygon* c, point2 u)
{
    double most = -INFINITY;
    for (int i = 0; i < c->count; ++i) most = fmax(most, dot2(u, c->p[i]));
    return most;
}

point2 wi_polygon_normal(const convex_polygon* c, int i)
{
    point2 a = c->p[i], b = c->p[(i + 1) % c->count];
    double x = b.y - a.y, y = a.x - b.x, length = sqrt(x * x + y * y);
    return (point2){x / length, y / length};
}

static bool apart(point2 a, point2 b, double near)
{
    return fabs(a.x - b.x) > near || fabs(a.y - b.y) > near;
}

static bool put(convex_polygon* c, point2 p, double near)
{
    if (c->count && !apart(c->p[c->count - 1], p, near)) return true;
    if (c->count == POLYGON_MOST) return false;
    c->p[c->count++] = p;
    return true;
}

static void close_up(convex_polygon* c, double near)
{
    while (c->count > 1 && !apart(c->p[0], c->p[c->count - 1], near)) c->count--;
}

bool wi_polygon_cut(const convex_polygon* c, point2 u, double least, double near, convex_polygon* out)
{
    convex_polygon r = {.count = 0};
    bool room = true;
    for (int i = 0; i < c->count && room; ++i) {
        point2 a = c->p[i], b = c->p[(i + 1) % c->count];
        double x = dot2(u, a) - least, y = dot2(u, b) - least;
        if (x >= 0) room = put(&r, a, near);
        if (!(x * y < 0) || !room) continue;
        double s = x / (x - y);
        point2 cut = {a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)};
        room = put(&r, cut, near);
    }
    close_up(&r, near);
    *out = r;
    return room;
}

static int by_place(const void* a, const void* b)
{
    const point2 *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

/* Is b, between a and c, no corner: on the way from one to the other, but for `near`? */
static bool straight(point2 a, point2 b, point2 c, double near)
{
    double x = c.x - a.x, y = c.y - a.y;
    return turn2(a, b, c) <= near * sqrt(x * x + y * y);
}

bool wi_polygon_hull(const point2* p, int count, double near, convex_polygon* out)
{
    point2 sorted[2 * POLYGON_MOST], chain[4 * POLYGON_MOST];
    int n = 0;
    out->count = 0;
    if (count > 2 * POLYGON_MOST) return false;
    for (int i = 0; i < count; ++i) sorted[i] = p[i];
    wi_sort_items(sorted, (size_t)count, sizeof *sorted, by_place);
    for (int pass = 0; pass < 2; ++pass) {
        int begin = n;
        for (int k = 0; k < count; ++k) {
            point2 q = sorted[pass ? count - 1 - k : k];
            while (n - begin >= 2 && straight(chain[n - 2], chain[n - 1], q, near)) n--;
            chain[n++] = q;
        }
        n--; /* the last one begins the way back */
    }
    bool room = true;
    for (int i = 0; i < n && room; ++i) room = put(out, chain[i], near);
    close_up(out, near);
    return room;
}

static bool beyond_a_side(const convex_polygon* a, const convex_polygon* b, double near)
{
    for (int i = 0; i < a->count; ++i) {
        point2 n = wi_polygon_normal(a, i), back = {-n.x, -n.y};
        if (-wi_polygon_most(b, back) >= dot2(n, a->p[i]) - near) return true;
    }
    return false;
}

bool wi_polygons_overlap(const convex_polygon* a, const convex_polygon* b, double near)
{
    return a->count > 2 && b->count > 2 && !beyond_a_side(a, b, near) && !beyond_a_side(b, a, near);
}

bool wi_polygon_holds(const convex_polygon* a, const convex_polygon* b, double near)
{
    for (int i = 0; i < a->count; ++i) {
        point2 n = wi_polygon_normal(a, i);
        if (wi_polygon_most(b, n) > dot2(n, a->p[i]) + near) return false;
    }
    return a->count > 2;
}
