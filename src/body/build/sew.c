/* SPDX-License-Identifier: MIT */
/*
 * Sewing: vertices within the tolerance become one; then edges between the same two vertices, or rings in the same place,
 * that keep within the tolerance of each other over their whole length become one. An edge with a curve of its own wins
 * over a lifted one. Cost: sorting, and comparing edges that share both vertices.
 */
#include <string.h>

#include "../../base/sort.h"
#include "draft.h"

typedef struct keyed {
    double key;
    int64_t pair; /* of edges: both vertices, the smaller first */
    int index;
    wit_vec3 centre; /* of rings */
    double slack;    /* of rings: how far the centres of two in the same place may be apart */
} keyed;

/* What an edge becomes: t of this edge = shift + scale * t of the target. */
typedef struct merged {
    int target; /* itself: it stays */
    bool reversed;
    bool remake; /* same place, other parametrisation: parameter curves must be made anew */
    double scale, shift;
} merged;

static int by_key(const void* a, const void* b)
{
    const keyed *x = a, *y = b;
    if (x->pair != y->pair) return x->pair < y->pair ? -1 : 1;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* ---- vertices -------------------------------------------------------------------------------- */

static int root_of(int* parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* Joins all vertices within the tolerance, found by a sweep. The lowest index represents. The direction is none that rows
 * of vertices are likely to be square to: there they would all stand at one place of the sweep. */
static void join_vertices(const draft* d, double tolerance, keyed* order, int* parent)
{
    const wit_vec3 along = {0.408248290463863, 0.577350269189626, 0.707106781186547}; /* 1, sqrt 2, sqrt 3 */
    double reach = tolerance;
    int n = d->vertices.count;
    for (int i = 0; i < n; ++i) {
        wit_vec3 p = draft_vertex_at(d, i)->point;
        keyed k = {dot3(along, p), 0, i, p, 0};
        order[i] = k;
        parent[i] = i;
        reach = larger(reach, tolerance + 8 * DBL_EPSILON * norm3(p)); /* rounding of the keys */
    }
    wi_sort_items(order, (size_t)n, sizeof *order, by_key);
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n && order[j].key - order[i].key <= reach; ++j) {
            wit_vec3 gap = sub3(draft_vertex_at(d, order[i].index)->point, draft_vertex_at(d, order[j].index)->point);
            if (norm3(gap) > tolerance) continue;
            int a = root_of(parent, order[i].index), b = root_of(parent, order[j].index);
            if (a < b)
                parent[b] = a;
            else
                parent[a] = b;
        }
}

/* ---- edges ----------------------------------------------------------------------------------- */

enum { SAMPLES = 24 };

static wit_vec3 at_fraction(const draft* d, int edge, double f)
{
    wit_interval r = draft_edge_at(d, edge)->range;
    return wi_draft_edge_point(d, edge, r.lo + f * iv_width(r));
}

static bool same_points(const draft* d, int a, int b, bool reversed, double tolerance)
{
    for (int k = 0; k <= SAMPLES; ++k) {
        double f = (double)k / SAMPLES;
        if (norm3(sub3(at_fraction(d, a, f), at_fraction(d, b, reversed ? 1 - f : f))) > tolerance) return false;
    }
    return true;
}

static void refine(const draft* d, int edge, wit_vec3 p, double lo, double hi, double* best, double* fraction)
{
    for (int k = 0; k < 60; ++k) {
        double x = lo + 0.381966011250105 * (hi - lo), y = hi - 0.381966011250105 * (hi - lo);
        if (norm3(sub3(at_fraction(d, edge, x), p)) < norm3(sub3(at_fraction(d, edge, y), p)))
            hi = y;
        else
            lo = x;
    }
    double gap = norm3(sub3(at_fraction(d, edge, 0.5 * (lo + hi)), p));
    if (gap > *best) return;
    *best = gap;
    *fraction = 0.5 * (lo + hi);
}

/* Distance of p from the edge: the best of many points, then a golden section between its neighbours. */
static double distance_to(const draft* d, int edge, wit_vec3 p, double* fraction)
{
    enum { COARSE = 64 };
    double best = INFINITY, at = 0;
    for (int k = 0; k <= COARSE; ++k) {
        double gap = norm3(sub3(at_fraction(d, edge, (double)k / COARSE), p));
        if (gap < best) {
            best = gap;
            at = (double)k / COARSE;
        }
    }
    *fraction = at;
    refine(d, edge, p, larger(at - 1.0 / COARSE, 0), smaller(at + 1.0 / COARSE, 1), &best, fraction);
    /* Both ends of a closed edge are one point: the nearest may be on the far side of it. */
    if (at == 0) refine(d, edge, p, 1 - 1.0 / COARSE, 1, &best, fraction);
    if (at == 1) refine(d, edge, p, 0, 1.0 / COARSE, &best, fraction);
    return best;
}

/* Same place though the parameters run differently: every sample of each lies on the other, in order. */
static bool same_place(const draft* d, int a, int b, double tolerance, bool* reversed)
{
    double before = 0;
    int rising = 0, falling = 0;
    for (int k = 0; k <= SAMPLES; ++k) {
        double f, g;
        if (distance_to(d, a, at_fraction(d, b, (double)k / SAMPLES), &f) > tolerance) return false;
        if (distance_to(d, b, at_fraction(d, a, (double)k / SAMPLES), &g) > tolerance) return false;
        if (k > 0) *(f > before ? &rising : &falling) += 1;
        before = f;
    }
    *reversed = falling > rising;
    return true;
}

static bool coincide(const draft* d, int keep, int other, double tolerance, merged* out)
{
    const draft_edge *a = draft_edge_at(d, keep), *b = draft_edge_at(d, other);
    if (norm3(sub3(at_fraction(d, keep, 0.5), at_fraction(d, other, 0.5))) > d->size) return false;
    bool forward = same_points(d, keep, other, false, tolerance);
    bool backward = !forward && same_points(d, keep, other, true, tolerance);
    bool reversed = backward;
    out->remake = !forward && !backward;
    if (out->remake && !same_place(d, keep, other, tolerance, &reversed)) return false;
    double w = iv_width(b->range) / iv_width(a->range);
    out->target = keep;
    out->reversed = reversed;
    out->scale = reversed ? -w : w;
    out->shift = reversed ? b->range.hi + w * a->range.lo : b->range.lo - w * a->range.lo;
    return true;
}

/* Edges with the same pair of vertices stand next to each other; rings, whose pair is -1, are sorted by x of their centre: the
 * mean of a polygon by length, which hardly depends on where they begin and on how their parameter runs. */
static keyed edge_key(const draft* d, int i, int* parent)
{
    const draft_edge* e = draft_edge_at(d, i);
    keyed k = {e->curve ? 0 : 1, -1, i, {0, 0, 0}, 0}; /* those with curves first: they win */
    if (e->start >= 0) {
        int a = root_of(parent, e->start), b = root_of(parent, e->end);
        k.pair = a < b ? ((int64_t)a << 32) | b : ((int64_t)b << 32) | a;
        return k;
    }
    enum { SIDES = 64 };
    double length = 0;
    wit_vec3 before = at_fraction(d, i, 0);
    for (int s = 1; s <= SIDES; ++s) {
        wit_vec3 here = at_fraction(d, i, (double)s / SIDES);
        double side = norm3(sub3(here, before));
        k.centre = addscaled3(k.centre, 0.5 * side, add3(before, here));
        length += side;
        before = here;
    }
    if (length > 0) k.centre = scale3(1 / length, k.centre);
    k.key = k.centre.x;
    k.slack = 0.05 * length;
    return k;
}

/* Edge i of the order takes in what coincides with it, after it (step 1) or before it (step -1). Those with curves have
 * their turn first; of rings they may stand after lifted ones. */
static void absorb(const draft* d, double tolerance, const keyed* order, int n, int i, int step, merged* map)
{
    double reach = tolerance + order[i].slack;
    bool ring = order[i].pair < 0;
    for (int j = i + step; j >= 0 && j < n && order[j].pair == order[i].pair; j += step) {
        if (ring && fabs(order[j].key - order[i].key) > reach) break;
        if (ring && norm3(sub3(order[j].centre, order[i].centre)) > reach) continue;
        int f = order[j].index;
        if (map[f].target != f || (step < 0 && draft_edge_at(d, f)->curve)) continue;
        merged m;
        if (coincide(d, order[i].index, f, tolerance, &m)) map[f] = m;
    }
}

static void join_edges(const draft* d, double tolerance, int* parent, keyed* order, merged* map)
{
    int n = d->edges.count;
    for (int i = 0; i < n; ++i) {
        order[i] = edge_key(d, i, parent);
        merged stay = {i, false, false, 1, 0};
        map[i] = stay;
    }
    wi_sort_items(order, (size_t)n, sizeof *order, by_key);
    for (int lifted = 0; lifted < 2; ++lifted)
        for (int i = 0; i < n; ++i) {
            if (map[order[i].index].target != order[i].index) continue;
            if ((draft_edge_at(d, order[i].index)->curve == NULL) != (lifted == 1)) continue;
            absorb(d, tolerance, order, n, i, 1, map);
            if (!lifted && order[i].pair < 0) absorb(d, tolerance, order, n, i, -1, map);
        }
}

/* ---- carrying it out ------------------------------------------------------------------------- */

static void renumber_uses(draft* d, const merged* map, const int* number)
{
    for (int i = 0; i < d->uses.count; ++i) {
        draft_use* u = draft_use_at(d, i);
        if (u->edge < 0) continue;
        const merged* m = &map[u->edge];
        if (m->target != u->edge) {
            u->shift += u->scale * m->shift;
            u->scale *= m->scale;
            u->reversed ^= m->reversed;
            if (m->remake) u->curve = NULL;
        }
        u->edge = number[m->target];
    }
}

static void drop_merged(draft* d, int* parent, const merged* map, int* vertex_number, int* edge_number)
{
    int kept = 0;
    for (int i = 0; i < d->vertices.count; ++i) {
        int r = root_of(parent, i);
        draft_vertex *v = draft_vertex_at(d, i), *to = draft_vertex_at(d, r == i ? kept : vertex_number[r]);
        if (r == i) {
            vertex_number[i] = kept++;
            *to = *v;
        } else {
            to->tolerance = larger(to->tolerance, norm3(sub3(to->point, v->point)));
            if (!to->name) to->name = v->name;
        }
    }
    for (int i = 0; i < d->vertices.count; ++i) vertex_number[i] = vertex_number[root_of(parent, i)];
    d->vertices.count = kept;

    kept = 0;
    for (int i = 0; i < d->edges.count; ++i) {
        if (map[i].target != i) continue;
        edge_number[i] = kept;
        draft_edge e = *draft_edge_at(d, i);
        if (e.start >= 0) {
            e.start = vertex_number[e.start];
            e.end = vertex_number[e.end];
        }
        *draft_edge_at(d, kept++) = e;
    }
    renumber_uses(d, map, edge_number);
    d->edges.count = kept;
    for (int i = 0; i < d->apexes.count; ++i) {
        draft_apex* a = draft_apex_at(d, i);
        a->vertex = vertex_number[a->vertex];
    }
}

/* An edge that lies within the tolerance as a whole would vanish: the tolerance is not one for this body. */
static wit_status check_swallowed(draft* d, double tolerance)
{
    for (int i = 0; i < d->edges.count; ++i) {
        double reach = 0;
        wit_vec3 start = at_fraction(d, i, 0);
        for (int k = 1; k <= SAMPLES; ++k)
            reach = larger(reach, norm3(sub3(at_fraction(d, i, (double)k / SAMPLES), start)));
        if (reach > tolerance) continue;
        char item[96];
        wi_draft_edge_item(d, i, item, sizeof item);
        return wi_error_fill(d->error, WIT_ERROR_RANGE, "sew_tolerance",
                             "is %g; an edge of %s reaches only %g and would vanish", tolerance, item, reach);
    }
    return WIT_OK;
}

wit_status wi_draft_sew(draft* d)
{
    double tolerance = d->def->sew_tolerance;
    if (!(tolerance > 0)) return WIT_OK;
    wit_status status = check_swallowed(d, tolerance);
    if (status) return status;
    int nv = d->vertices.count, ne = d->edges.count;
    size_t most = (size_t)(nv > ne ? nv : ne) + 1;
    size_t bytes =
        most * sizeof(keyed) + (2 * (size_t)nv + (size_t)ne + 3) * sizeof(int) + ((size_t)ne + 1) * sizeof(merged);
    char* block = wi_allocator_take(&d->memory, bytes);
    if (!block) return wi_draft_refuse_memory(d);
    merged* map = (merged*)(void*)block;
    keyed* order = (keyed*)(void*)(map + ne + 1);
    int* parent = (int*)(void*)(order + most);
    join_vertices(d, tolerance, order, parent);
    join_edges(d, tolerance, parent, order, map);
    drop_merged(d, parent, map, parent + nv + 1, parent + 2 * nv + 2);
    wi_allocator_release(&d->memory, block, bytes);
    return WIT_OK;
}
