/* SPDX-License-Identifier: MIT */
#include "cdt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int next[3] = {1, 2, 0}, prev[3] = {2, 0, 1};

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static bool grow(void** at, int count, int* room, size_t size)
{
    if (count < *room) return true;
    int more = *room ? 2 * *room : 256;
    void* moved = realloc(*at, (size_t)more * size);
    if (!moved) return false;
    *at = moved;
    *room = more;
    return true;
}

static int add_point(cdt* c, int32_t x, int32_t y)
{
    void* at = c->p;
    if (!grow(&at, c->point_count, &c->point_room, sizeof *c->p)) {
        c->failed = true;
        return -1;
    }
    c->p = at;
    c->p[c->point_count][0] = x;
    c->p[c->point_count][1] = y;
    return c->point_count++;
}

static int add_triangle(cdt* c)
{
    void* at = c->t;
    if (!grow(&at, c->count, &c->room, sizeof *c->t)) {
        c->failed = true;
        return -1;
    }
    c->t = at;
    memset(&c->t[c->count], 0, sizeof *c->t);
    return c->count++;
}

static void push(cdt* c, int triangle)
{
    void* at = c->stack;
    if (!grow(&at, c->stack_count, &c->stack_room, sizeof *c->stack)) {
        c->failed = true;
        return;
    }
    c->stack = at;
    c->stack[c->stack_count++] = triangle;
}

/* ---- exact tests ------------------------------------------------------------------------------------------------- */

/* Twice the signed area of a, b, c: at most 2^45. */
static int64_t area(const cdt* c, int i, int j, int k)
{
    const int32_t *a = c->p[i], *b = c->p[j], *d = c->p[k];
    return (int64_t)(b[0] - a[0]) * (d[1] - a[1]) - (int64_t)(b[1] - a[1]) * (d[0] - a[0]);
}

/* Is d inside the circle through the anticlockwise a, b, e? Terms are below 2^87; in doubles the sum is off by less than
 * 2^38. */
static bool in_circle(const cdt* c, int i, int j, int k, int l)
{
    int64_t x[3], y[3], s[3];
    const int at[3] = {i, j, k};
    for (int m = 0; m < 3; m++) {
        x[m] = c->p[at[m]][0] - c->p[l][0];
        y[m] = c->p[at[m]][1] - c->p[l][1];
        s[m] = x[m] * x[m] + y[m] * y[m];
    }
    double rough = 0;
    for (int m = 0; m < 3; m++) rough += (double)s[m] * (double)(x[next[m]] * y[prev[m]] - x[prev[m]] * y[next[m]]);
    if (fabs(rough) > 0x1p38) return rough > 0;
    __int128 sum = 0;
    for (int m = 0; m < 3; m++) sum += (__int128)s[m] * (x[next[m]] * y[prev[m]] - x[prev[m]] * y[next[m]]);
    return sum > 0;
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

static void replace(cdt* c, int triangle, int from, int to)
{
    if (triangle < 0) return;
    for (int i = 0; i < 3; i++)
        if (c->t[triangle].n[i] == from) c->t[triangle].n[i] = to;
}

static int side_towards(const cdt* c, int triangle, int other)
{
    for (int i = 0; i < 3; i++)
        if (c->t[triangle].n[i] == other) return i;
    return 0;
}

static void set(cdt_triangle* t, int a, int b, int d)
{
    t->v[0] = a;
    t->v[1] = b;
    t->v[2] = d;
}

static void set_side(cdt_triangle* t, int side, int neighbour, bool fixed)
{
    t->n[side] = neighbour;
    t->fixed[side] = fixed;
}

/* t = (p, a, b), u = (q, b, a) become t = (p, a, q), u = (q, b, p). */
static void flip(cdt* c, int it, int i)
{
    int iu = c->t[it].n[i], j = side_towards(c, iu, it);
    cdt_triangle t = c->t[it], u = c->t[iu];
    int p = t.v[i], a = t.v[next[i]], b = t.v[prev[i]], q = u.v[j];
    int pa = t.n[prev[i]], bp = t.n[next[i]], aq = u.n[next[j]], qb = u.n[prev[j]];
    bool fpa = t.fixed[prev[i]], fbp = t.fixed[next[i]], faq = u.fixed[next[j]], fqb = u.fixed[prev[j]];
    set(&c->t[it], p, a, q);
    set_side(&c->t[it], 0, aq, faq);
    set_side(&c->t[it], 1, iu, false);
    set_side(&c->t[it], 2, pa, fpa);
    set(&c->t[iu], q, b, p);
    set_side(&c->t[iu], 0, bp, fbp);
    set_side(&c->t[iu], 1, it, false);
    set_side(&c->t[iu], 2, qb, fqb);
    replace(c, aq, iu, it);
    replace(c, bp, it, iu);
}

/* Restores the property of Delaunay opposite `point` in all triangles of the stack. */
static void legalise(cdt* c, int point)
{
    while (c->stack_count > 0 && !c->failed) {
        int it = c->stack[--c->stack_count], i = 0;
        while (i < 2 && c->t[it].v[i] != point) i++;
        int iu = c->t[it].n[i];
        if (c->t[it].v[i] != point || iu < 0 || c->t[it].fixed[i]) continue;
        int q = c->t[iu].v[side_towards(c, iu, it)];
        if (!in_circle(c, c->t[it].v[0], c->t[it].v[1], c->t[it].v[2], q)) continue;
        flip(c, it, i);
        push(c, it);
        push(c, iu);
    }
}

static void split_inside(cdt* c, int it, int point)
{
    int i1 = add_triangle(c), i2 = add_triangle(c);
    if (i1 < 0 || i2 < 0) return;
    cdt_triangle t = c->t[it];
    const int id[3] = {it, i1, i2};
    for (int k = 0; k < 3; k++) { /* opposite v[k] */
        cdt_triangle* n = &c->t[id[k]];
        set(n, point, t.v[next[k]], t.v[prev[k]]);
        set_side(n, 0, t.n[k], t.fixed[k]);
        set_side(n, 1, id[next[k]], false);
        set_side(n, 2, id[prev[k]], false);
        replace(c, t.n[k], it, id[k]);
    }
    for (int k = 0; k < 3; k++) push(c, id[k]);
}

/* The point is on side i of it. */
static void split_side(cdt* c, int it, int i, int point)
{
    int iu = c->t[it].n[i];
    int i1 = add_triangle(c), i2 = iu >= 0 ? add_triangle(c) : -1;
    if (i1 < 0 || (iu >= 0 && i2 < 0)) return;
    cdt_triangle t = c->t[it];
    int p = t.v[i], a = t.v[next[i]], b = t.v[prev[i]];
    bool fixed = t.fixed[i];
    /* t = (p, a, b) becomes it = (point, p, a) and i1 = (point, b, p) */
    set(&c->t[it], point, p, a);
    set_side(&c->t[it], 0, t.n[prev[i]], t.fixed[prev[i]]);
    set_side(&c->t[it], 1, i2, fixed);
    set_side(&c->t[it], 2, i1, false);
    set(&c->t[i1], point, b, p);
    set_side(&c->t[i1], 0, t.n[next[i]], t.fixed[next[i]]);
    set_side(&c->t[i1], 1, it, false);
    set_side(&c->t[i1], 2, iu, fixed);
    replace(c, t.n[next[i]], it, i1);
    push(c, it);
    push(c, i1);
    if (iu < 0) return;
    cdt_triangle u = c->t[iu];
    int j = 0;
    while (j < 2 && (u.v[j] == a || u.v[j] == b)) j++;
    int q = u.v[j];
    /* u = (q, b, a) becomes iu = (point, q, b) and i2 = (point, a, q) */
    set(&c->t[iu], point, q, b);
    set_side(&c->t[iu], 0, u.n[prev[j]], u.fixed[prev[j]]);
    set_side(&c->t[iu], 1, i1, fixed);
    set_side(&c->t[iu], 2, i2, false);
    set(&c->t[i2], point, a, q);
    set_side(&c->t[i2], 0, u.n[next[j]], u.fixed[next[j]]);
    set_side(&c->t[i2], 1, iu, false);
    set_side(&c->t[i2], 2, it, fixed);
    replace(c, u.n[next[j]], iu, i2);
    push(c, iu);
    push(c, i2);
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

bool cdt_begin(cdt* c)
{
    memset(c, 0, sizeof *c);
    const int32_t lo = -CDT_LATTICE / 16, hi = CDT_LATTICE + CDT_LATTICE / 16;
    add_point(c, lo, lo);
    add_point(c, hi, lo);
    add_point(c, hi, hi);
    add_point(c, lo, hi);
    int s = add_triangle(c), t = add_triangle(c);
    if (c->failed) return false;
    set(&c->t[s], 0, 1, 2);
    set(&c->t[t], 0, 2, 3);
    for (int i = 0; i < 3; i++) c->t[s].n[i] = c->t[t].n[i] = -1;
    c->t[s].n[1] = t;
    c->t[t].n[2] = s;
    return true;
}

void cdt_end(cdt* c)
{
    free(c->p);
    free(c->t);
    free(c->stack);
    memset(c, 0, sizeof *c);
}

int cdt_point(cdt* c, int32_t x, int32_t y)
{
    int point = add_point(c, x, y);
    if (point < 0) return -1;
    int it = c->last;
    for (int i = 0; i < 3;) { /* walk: ends, since a Delaunay walk does not turn back; constraints come later */
        int a = c->t[it].v[next[i]], b = c->t[it].v[prev[i]];
        if (area(c, a, b, point) < 0 && c->t[it].n[i] >= 0) {
            it = c->t[it].n[i];
            i = 0;
        } else {
            i++;
        }
    }
    c->last = it;
    for (int i = 0; i < 3; i++) {
        const int32_t* v = c->p[c->t[it].v[i]];
        if (v[0] == x && v[1] == y) {
            c->point_count--;
            return c->t[it].v[i];
        }
    }
    int on = -1;
    for (int i = 0; i < 3; i++)
        if (area(c, c->t[it].v[next[i]], c->t[it].v[prev[i]], point) == 0) on = i;
    c->stack_count = 0;
    if (on >= 0)
        split_side(c, it, on, point);
    else
        split_inside(c, it, point);
    legalise(c, point);
    return c->failed ? -1 : point;
}

/* ---- constraints ------------------------------------------------------------------------------------------------- */

/* A triangle with the corner `point`. */
static int triangle_at(const cdt* c, int point)
{
    for (int i = c->count - 1; i >= 0; i--)
        for (int k = 0; k < 3; k++)
            if (c->t[i].v[k] == point) return i;
    return -1;
}

static void fix(cdt* c, int it, int side)
{
    c->t[it].fixed[side] = true;
    int iu = c->t[it].n[side];
    if (iu >= 0) c->t[iu].fixed[side_towards(c, iu, it)] = true;
}

/*
 * Around `from`: the triangle whose far side the way to `to` crosses, its corner in *corner. A point met on the way, or
 * `to` itself, is put in *met, and the side that leads there is fixed.
 */
static int leave(cdt* c, int start, int from, int to, int* corner, int* met)
{
    *met = -1;
    int it = start, turns = 0;
    do {
        int k = 0;
        while (k < 2 && c->t[it].v[k] != from) k++;
        int a = c->t[it].v[next[k]], b = c->t[it].v[prev[k]];
        int64_t to_a = area(c, from, a, to), to_b = area(c, from, b, to);
        const int32_t *o = c->p[from], *g = c->p[to], *q = c->p[a];
        bool ahead = (int64_t)(g[0] - o[0]) * (q[0] - o[0]) + (int64_t)(g[1] - o[1]) * (q[1] - o[1]) > 0;
        if (to_a == 0 && ahead) {
            fix(c, it, prev[k]);
            *met = a;
            return it;
        }
        if (to_a > 0 && to_b < 0) {
            *corner = k;
            return it;
        }
        it = c->t[it].n[next[k]]; /* across from - b: anticlockwise */
    } while (it >= 0 && it != start && ++turns < c->count);
    return -1;
}

typedef struct crossing {
    int a, b; /* a side that the way crosses */
} crossing;

/* A triangle with the side a - b, its place in *side. */
static int find_side(const cdt* c, int hint, int a, int b, int* side)
{
    /* the side was seen close by: look at the neighbourhood first, then everywhere */
    const int near[4] = {hint, c->t[hint].n[0], c->t[hint].n[1], c->t[hint].n[2]};
    for (int m = 0; m < 4 + c->count; m++) {
        int it = m < 4 ? near[m] : m - 4;
        if (it < 0) continue;
        for (int k = 0; k < 3; k++) {
            if (c->t[it].v[next[k]] == a && c->t[it].v[prev[k]] == b) {
                *side = k;
                return it;
            }
        }
    }
    return -1;
}

static bool crosses(const cdt* c, int a, int b, int from, int to)
{
    if (a == from || a == to || b == from || b == to) return false;
    int64_t s = area(c, from, to, a), t = area(c, from, to, b);
    return (s > 0 && t < 0) || (s < 0 && t > 0);
}

/* Flips the crossed sides away (Sloan). */
static bool flip_away(cdt* c, crossing* list, int count, int from, int to)
{
    int head = 0, left = count, hint = 0;
    for (int64_t tries = 0; left > 0 && tries < (int64_t)count * (count + 8) * 4; tries++) {
        crossing e = list[head];
        head = (head + 1) % count;
        left--;
        int i = 0, it = find_side(c, hint, e.a, e.b, &i);
        if (it < 0) return false;
        hint = it;
        int iu = c->t[it].n[i];
        int p = c->t[it].v[i], q = c->t[iu].v[side_towards(c, iu, it)];
        bool convex = area(c, p, e.a, q) > 0 && area(c, p, q, e.b) > 0;
        crossing again = e;
        if (convex) {
            flip(c, it, i);
            /* the new side p - q, as seen from `it` = (p, a, q): opposite a */
            again = (crossing){q, p};
        }
        if (!convex || crosses(c, p, q, from, to)) {
            list[(head + left) % count] = again;
            left++;
        }
    }
    return left == 0;
}

/* The sides between `from` and the point on the way that is met first, which is returned; -1: it can't be done. */
static int cross(cdt* c, int it, int corner, int from, int to)
{
    crossing* list = NULL;
    int count = 0, room = 0, met = -1;
    int i = corner;
    for (int guard = 0; guard < c->count; guard++) {
        if (c->t[it].fixed[i] || c->t[it].n[i] < 0) break;
        void* at = list;
        if (!grow(&at, count, &room, sizeof *list)) break;
        list = at;
        int a = c->t[it].v[next[i]], b = c->t[it].v[prev[i]];
        list[count++] = (crossing){a, b};
        int iu = c->t[it].n[i], j = side_towards(c, iu, it), q = c->t[iu].v[j];
        int64_t s = area(c, from, to, q);
        if (q == to || s == 0) {
            met = q;
            break;
        }
        it = iu;
        /* u = (q, b, a), a to the right of the way: with q to its left it leaves through q - a, opposite b */
        i = s > 0 ? next[j] : prev[j];
    }
    bool good = met >= 0 && flip_away(c, list, count, from, met);
    free(list);
    return good ? met : -1;
}

bool cdt_constrain(cdt* c, int from, int to)
{
    for (int guard = 0; from != to && guard < c->point_count; guard++) {
        int start = triangle_at(c, from), corner = 0, met = -1;
        int it = start < 0 ? -1 : leave(c, start, from, to, &corner, &met);
        if (it < 0) return false;
        if (met < 0) {
            if (cross(c, it, corner, from, to) < 0) return false;
            continue; /* now there is a side: the next round fixes it */
        }
        from = met;
    }
    return from == to;
}

int cdt_regions(cdt* c)
{
    int regions = 0;
    for (int i = 0; i < c->count; i++) c->t[i].region = -1;
    for (int i = 0; i < c->count; i++) {
        if (c->t[i].region >= 0) continue;
        c->stack_count = 0;
        c->t[i].region = regions;
        push(c, i);
        while (c->stack_count > 0) {
            int it = c->stack[--c->stack_count];
            for (int k = 0; k < 3; k++) {
                int iu = c->t[it].n[k];
                if (iu < 0 || c->t[it].fixed[k] || c->t[iu].region >= 0) continue;
                c->t[iu].region = regions;
                push(c, iu);
            }
        }
        regions++;
    }
    return regions;
}
