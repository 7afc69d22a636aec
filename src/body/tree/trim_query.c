/* SPDX-License-Identifier: MIT */
/* Asking the tree of trims. */
#include "trim_record.h"

typedef struct query {
    const trim_region* region;
    const trim_segment* segments;
    const trim_node* nodes;
    const trim_reference* references;
    const int32_t* grid;
    const trim_source* source;
} query;

static query query_of(const trim_region* r, const void* block, const trim_source* source)
{
    const char* at = block;
    query q = {r,
               (const trim_segment*)(const void*)(at + r->segments),
               (const trim_node*)(const void*)(at + r->nodes),
               (const trim_reference*)(const void*)(at + r->references),
               (const int32_t*)(const void*)(at + r->grid),
               source};
    return q;
}

static inline const trim_node* node_of_cell(const query* q, int i, int j)
{
    return &q->nodes[q->grid[j * q->region->cells_u + i]];
}

/* Into the grid's box: by whole periods, or held inside the margin, where nothing changes any more. */
static double into_box(double x, wit_interval box, double period, double step)
{
    if (x >= box.lo && x < box.hi) return x;
    if (period > 0) {
        double near = x < box.lo ? x + period : x - period; /* the usual case */
        x = near >= box.lo && near < box.hi ? near : x - period * floor((x - box.lo) / period);
        return x >= box.lo && x < box.hi ? x : box.lo;
    }
    return x < box.lo ? box.lo : box.hi - 1e-3 * step;
}

/* The cell of x, but for rounding at the lines. */
static inline int cell_near(double x, wit_interval box, int cells, double inverse)
{
    int i = (int)((x - box.lo) * inverse);
    return i < cells ? i : cells - 1;
}

static int cell_of(double x, wit_interval box, double step, int cells, double inverse)
{
    int i = cell_near(x, box, cells, inverse);
    i -= i > 0 && x < grid_line(box, step, i);
    i += i < cells - 1 && x >= grid_line(box, step, i + 1);
    return i;
}

static inline bool below(const query* q, const trim_segment* s, double u, double v)
{
    if (v >= s->v_hi) return true;
    if (v < s->v_lo) return false;
    double f = (u - s->u0) * (s->v1 - s->v0) - (v - s->v0) * (s->u1 - s->u0);
    if (f < s->f_lo) return true;
    if (f > s->f_hi) return false;
    return wi_segment_is_below(s, q->source, u, v);
}

static bool leaf_side(const query* q, const trim_node* leaf, double u, double v)
{
    unsigned in = leaf->info & 1;
    const trim_reference* r = &q->references[leaf->first];
    for (uint32_t n = node_references(leaf); n; --n, ++r) {
        unsigned from_a = u >= r->a, from_b = u >= r->b;
        in ^= (r->flip_a & from_a) ^ (r->flip_b & from_b);
        if (from_a & ~from_b & 1u) in ^= below(q, &q->segments[r->segment], u, v);
    }
    return in;
}

static bool inside(const query* q, double u, double v)
{
    const trim_region* g = q->region;
    bool far = !(u >= g->grid_u.lo && u < g->grid_u.hi && v >= g->grid_v.lo && v < g->grid_v.hi);
    if (far) {
        if (!(u - u == 0 && v - v == 0)) return false; /* NaN or infinite */
        u = into_box(u, g->grid_u, g->period_u, g->step_u);
        v = into_box(v, g->grid_v, g->period_v, g->step_v);
    }
    int i = cell_near(u, g->grid_u, g->cells_u, g->inverse_u), j = cell_near(v, g->grid_v, g->cells_v, g->inverse_v);
    int32_t shared = q->grid[j * g->cells_u + i];
    if (shared < NODES_SHARED) return shared == NODE_IN;
    /* Along u the cell must be exact, line by line as the tree was built: whether a way along a lower border has
     * passed a flip decides for points far above it. An error of rounding along v only moves the point by that much. */
    const trim_node* n = node_of_cell(q, cell_of(u, g->grid_u, g->step_u, g->cells_u, g->inverse_u), j);
    while (node_kind(n) != NODE_LEAF) {
        double x = node_kind(n) == NODE_SPLIT_U ? u : v;
        n = &q->nodes[n->first + (x >= n->split)];
    }
    return leaf_side(q, n, u, v);
}

bool wi_trim_inside(const trim_region* region, const void* block, const trim_source* source, double u, double v)
{
    query q = query_of(region, block, source);
    return inside(&q, u, v);
}

bool wi_trim_contains(const trim_region* region, const void* block, const trim_curves* curves, double u, double v)
{
    trim_source source = {NULL, curves};
    query q = query_of(region, block, &source);
    return inside(&q, u, v) && !trim_spent(curves);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

typedef struct rect {
    wit_interval u, v;
} rect;

/* Can the segment have a point in the box? By boxes, by the band about the chord, and last by its own height
 * over the box: it is monotone, so its values at both ends bound it. */
static bool meets(const query* q, const trim_segment* s, const rect* b)
{
    if (s->u1 < b->u.lo || s->u0 > b->u.hi || s->v_hi < b->v.lo || s->v_lo > b->v.hi) return false;
    double ua = larger(s->u0, b->u.lo), ub = smaller(s->u1, b->u.hi);
    double va = larger(s->v_lo, b->v.lo), vb = smaller(s->v_hi, b->v.hi);
    double du = s->u1 - s->u0, dv = s->v1 - s->v0;
    double fa = (ua - s->u0) * dv, fb = (ub - s->u0) * dv;
    if (smaller(fa, fb) - (vb - s->v0) * du > s->f_hi || larger(fa, fb) - (va - s->v0) * du < s->f_lo) return false;
    if (!(du > 0)) return true;
    double margin = 1e-14 * (fabs(s->v_lo) + fabs(s->v_hi)) + 1e-12 * (s->v_hi - s->v_lo);
    return !wi_segment_stays_below(s, q->source, dv > 0 ? ub : ua, b->v.lo - margin) &&
           !wi_segment_stays_above(s, q->source, dv > 0 ? ua : ub, b->v.hi + margin);
}

/* What the visited leaves have shown so far. */
typedef struct visit {
    query q;
    rect box;      /* within one period */
    bool counting; /* only count segments */
    int count, most;
    bool any, mixed;
    trim_tag tag;
} visit;

static void visit_leaf(visit* w, const trim_node* n, rect cell)
{
    rect part = {iv(larger(cell.u.lo, w->box.u.lo), smaller(cell.u.hi, w->box.u.hi)),
                 iv(larger(cell.v.lo, w->box.v.lo), smaller(cell.v.hi, w->box.v.hi))};
    uint32_t references = node_references(n);
    if (w->counting) {
        for (uint32_t k = 0; k < references; ++k) { /* each where it begins, not in every leaf it runs through */
            const trim_segment* e = &w->q.segments[w->q.references[n->first + (int)k].segment];
            w->count += e->u0 >= cell.u.lo && e->u0 < cell.u.hi && e->v0 >= cell.v.lo && e->v0 < cell.v.hi;
        }
        w->any = w->any || references;
        w->mixed = w->count >= w->most;
        return;
    }
    for (uint32_t k = 0; k < references; ++k)
        if (meets(&w->q, &w->q.segments[w->q.references[n->first + (int)k].segment], &part)) {
            w->mixed = true;
            return;
        }
    bool in = n->info & 1;
    if (references) in = leaf_side(&w->q, n, iv_mid(part.u), iv_mid(part.v));
    trim_tag tag = in ? TRIM_IN : TRIM_OUT;
    w->mixed = w->any && tag != w->tag;
    w->any = true;
    w->tag = tag;
}

static void visit_node(visit* w, const trim_node* n, rect cell)
{
    trim_node_kind kind = node_kind(n);
    if (kind == NODE_LEAF) {
        visit_leaf(w, n, cell);
        return;
    }
    rect low = cell, high = cell;
    wit_interval of = kind == NODE_SPLIT_U ? w->box.u : w->box.v;
    if (kind == NODE_SPLIT_U)
        low.u.hi = high.u.lo = n->split;
    else
        low.v.hi = high.v.lo = n->split;
    if (of.lo < n->split) visit_node(w, &w->q.nodes[n->first], low);
    if (of.hi >= n->split && !w->mixed) visit_node(w, &w->q.nodes[n->first + 1], high);
}

static void visit_box(visit* w, wit_interval u, wit_interval v)
{
    const trim_region* g = w->q.region;
    w->box.u = u;
    w->box.v = v;
    int i0 = cell_of(u.lo, g->grid_u, g->step_u, g->cells_u, g->inverse_u);
    int i1 = cell_of(u.hi, g->grid_u, g->step_u, g->cells_u, g->inverse_u);
    int j0 = cell_of(v.lo, g->grid_v, g->step_v, g->cells_v, g->inverse_v);
    int j1 = cell_of(v.hi, g->grid_v, g->step_v, g->cells_v, g->inverse_v);
    for (int j = j0; j <= j1; ++j)
        for (int i = i0; i <= i1 && !w->mixed; ++i) {
            rect cell = {iv(grid_line(g->grid_u, g->step_u, i), grid_line(g->grid_u, g->step_u, i + 1)),
                         iv(grid_line(g->grid_v, g->step_v, j), grid_line(g->grid_v, g->step_v, j + 1))};
            if (i == g->cells_u - 1) cell.u.hi = g->grid_u.hi;
            if (j == g->cells_v - 1) cell.v.hi = g->grid_v.hi;
            visit_node(w, node_of_cell(&w->q, i, j), cell);
        }
}

/* The box as parts of the grid's box: over the seam of a closed parameter there are two. */
static int parts_of(wit_interval x, wit_interval box, double period, double step, wit_interval out[2])
{
    if (!(period > 0)) {
        out[0] = iv(into_box(x.lo, box, 0, step), into_box(x.hi, box, 0, step));
        return 1;
    }
    if (x.hi - x.lo >= period) {
        out[0] = box;
        return 1;
    }
    double lo = into_box(x.lo, box, period, step), hi = lo + (x.hi - x.lo);
    out[0] = iv(lo, smaller(hi, box.hi));
    out[1] = iv(box.lo, hi - period);
    return hi > box.hi ? 2 : 1;
}

static bool visit_all(visit* w, wit_interval u, wit_interval v)
{
    const trim_region* g = w->q.region;
    if (!(u.lo <= u.hi && v.lo <= v.hi && u.hi - u.lo < INFINITY && v.hi - v.lo < INFINITY)) return false;
    wit_interval us[2], vs[2];
    int nu = parts_of(u, g->grid_u, g->period_u, g->step_u, us);
    int nv = parts_of(v, g->grid_v, g->period_v, g->step_v, vs);
    for (int k = 0; k < nu * nv && !w->mixed; ++k) visit_box(w, us[k % nu], vs[k / nu]);
    return true;
}

trim_tag wi_trim_classify(const trim_region* region, const void* block, const trim_curves* curves, wit_interval u,
                          wit_interval v)
{
    trim_source source = {NULL, curves};
    visit w = {.q = query_of(region, block, &source), .tag = TRIM_MIXED};
    if (!visit_all(&w, u, v) || w.mixed || trim_spent(curves)) return TRIM_MIXED;
    return w.tag;
}

int wi_trim_crowd(const trim_region* region, const void* block, wit_interval u, wit_interval v, int most)
{
    visit w = {.q = query_of(region, block, NULL), .counting = true, .most = most};
    visit_all(&w, u, v);
    if (w.count == 0 && w.any) w.count = 1;
    return w.count < most ? w.count : most;
}
