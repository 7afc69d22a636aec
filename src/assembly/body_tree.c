/* SPDX-License-Identifier: MIT */
#include "body_tree.h"

#include <math.h>

#include "../base/interval.h"
#include "../base/sort.h"
#include "../base/vec.h"

static double gap(double alo, double ahi, double blo, double bhi)
{
    return larger(0, larger(blo - ahi, alo - bhi));
}

bool wi_boxes_apart(const wit_box* a, const wit_box* b, double within)
{
    double x = gap(a->lo.x, a->hi.x, b->lo.x, b->hi.x);
    double y = gap(a->lo.y, a->hi.y, b->lo.y, b->hi.y);
    double z = gap(a->lo.z, a->hi.z, b->lo.z, b->hi.z);
    /* a handful of roundings, each half a unit in the last place */
    return (x * x + y * y + z * z) * (1 - 16 * DBL_EPSILON) > within * within;
}

static wit_box both(const wit_box* a, const wit_box* b)
{
    wit_box all = {{smaller(a->lo.x, b->lo.x), smaller(a->lo.y, b->lo.y), smaller(a->lo.z, b->lo.z)},
                   {larger(a->hi.x, b->hi.x), larger(a->hi.y, b->hi.y), larger(a->hi.z, b->hi.z)}};
    return all;
}

static int by_place(const void* x, const void* y)
{
    const tree_key *a = x, *b = y;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    return (a->body > b->body) - (a->body < b->body);
}

/* The middle of a side; that of a box without end is nowhere in particular. */
static double middle(double lo, double hi)
{
    double m = 0.5 * lo + 0.5 * hi;
    return isfinite(m) ? m : 0;
}

static double place_along(const wit_box* b, int axis)
{
    return axis == 0 ? middle(b->lo.x, b->hi.x) : axis == 1 ? middle(b->lo.y, b->hi.y) : middle(b->lo.z, b->hi.z);
}

static int widest_axis(const body_tree* t, int lo, int hi)
{
    int best = 0;
    double width = -1;
    for (int axis = 0; axis < 3; ++axis) {
        double least = INFINITY, most = -INFINITY;
        for (int i = lo; i < hi; ++i) {
            double x = place_along(&t->boxes[t->keys[i].body], axis);
            least = smaller(least, x);
            most = larger(most, x);
        }
        if (most - least > width) {
            width = most - least;
            best = axis;
        }
    }
    return best;
}

/* As deep as the tree: some 31 calls at most. */
static void build(body_tree* t, int node, int lo, int hi)
{
    if (hi - lo == 1) {
        t->nodes[node] = t->boxes[t->keys[lo].body];
        return;
    }
    int axis = widest_axis(t, lo, hi), mid = lo + (hi - lo) / 2;
    for (int i = lo; i < hi; ++i) t->keys[i].at = place_along(&t->boxes[t->keys[i].body], axis);
    wi_sort_items(t->keys + lo, (size_t)(hi - lo), sizeof *t->keys, by_place);
    int left = node + 1, right = node + 2 * (mid - lo);
    build(t, left, lo, mid);
    build(t, right, mid, hi);
    t->nodes[node] = both(&t->nodes[left], &t->nodes[right]);
}

void wi_body_tree_build(body_tree* t)
{
    for (int i = 0; i < t->count; ++i) t->keys[i] = (tree_key){0, i};
    if (t->count > 0) build(t, 0, 0, t->count);
}

typedef struct tree_part {
    int node, lo, hi;
} tree_part;

enum { DEEPEST = 64 };

void wi_body_tree_near(const body_tree* t, int body, double within, tree_visit* visit, void* user)
{
    tree_part open[DEEPEST];
    int n = 0;
    open[n++] = (tree_part){0, 0, t->count};
    while (n > 0) {
        tree_part p = open[--n];
        if (wi_boxes_apart(&t->nodes[p.node], &t->boxes[body], within)) continue;
        if (p.hi - p.lo == 1) {
            int other = t->keys[p.lo].body;
            if (other > body) visit(user, other);
            continue;
        }
        int mid = p.lo + (p.hi - p.lo) / 2;
        open[n++] = (tree_part){p.node + 1, p.lo, mid};
        open[n++] = (tree_part){p.node + 2 * (mid - p.lo), mid, p.hi};
    }
}
