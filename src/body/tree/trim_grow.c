/* SPDX-License-Identifier: MIT */
/*
 * Growing the tree of trims from the top. A box is halved by a line; how its references look from either half follows
 * by comparing the numbers they hold, and by one root (where a segment passes the line) that both halves share the
 * meaning of. Sides are never found by asking for a point near curves: they follow from the parent's, so rounding
 * cannot make them contradict.
 */
#include "trim_grow.h"

enum {
    LEAF_REFERENCES = 4,
    LEAF_DEPTH = 16, /* below the grid */
};

/* A box with the references from `first` to the end of the work list, and the side of its lower left corner. */
typedef struct plot {
    wit_interval u, v;
    int first, count;
    bool in;
} plot;

static double clamped(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* u < s: what changes from s on is never reached. */
static bool left_of(trim_reference* r, double s)
{
    if (r->a >= s) return false;
    if (r->b >= s) r->flip_b = 0;
    return true;
}

/* u >= s: the changes up to s have been passed at the corner. */
static bool right_of(trim_reference* r, double s, bool* in)
{
    if (r->flip_a && r->a <= s) {
        r->flip_a = 0;
        *in = !*in;
    }
    if (r->flip_b && r->b <= s) {
        r->flip_b = 0;
        *in = !*in;
    }
    return r->b > s;
}

/* v < s: the part above the line is never crossed on the way up. */
static bool under(const trim_growth* g, trim_reference* r, wit_interval u, double s)
{
    const trim_segment* e = &g->segments[r->segment];
    if (e->v_lo >= s) return false;
    if (e->v_hi > s) {
        double at = clamped(wi_segment_u_at(e, &g->source, s), r->a, r->b);
        if (e->v1 >= e->v0)
            r->b = at;
        else
            r->a = at;
    }
    return r->b > u.lo && r->a < u.hi;
}

/*
 * v >= s: a part below the line is crossed on every way up from the old border over its range, so the side along the
 * new border differs from that along the old one exactly there. The ends of such ranges come in pairs (joints below
 * the line), but where a segment passes the line: a new flip. What lies at or before the left border goes into the
 * side of the corner.
 */
static bool over(const trim_growth* g, trim_reference* r, wit_interval u, double s, bool* in)
{
    const trim_segment* e = &g->segments[r->segment];
    if (e->v_lo >= s) return true;
    bool below_at_corner;
    if (e->v_hi < s) {
        if (r->a <= u.lo && u.lo < r->b) *in = !*in;
        return false;
    }
    double at = clamped(wi_segment_u_at(e, &g->source, s), r->a, r->b);
    if (e->v1 >= e->v0) {
        below_at_corner = r->a <= u.lo && u.lo < at;
        r->a = at;
        r->flip_a = at > u.lo;
    } else {
        below_at_corner = at <= u.lo && u.lo < r->b;
        r->b = at;
        r->flip_b = at > u.lo;
    }
    if (below_at_corner) *in = !*in;
    return r->b > u.lo && r->a < u.hi;
}

/* The plot on one side of the line u (or v) = s, its references added to the end of the work list. */
static plot half(trim_growth* g, const plot* p, bool across, bool upper, double s)
{
    plot h = *p;
    wit_interval* cut = across ? &h.v : &h.u;
    *(upper ? &cut->lo : &cut->hi) = s;
    h.first = g->work.count;
    for (int k = 0; k < p->count && !g->failed; ++k) {
        trim_reference r = *LIST_AT(trim_reference, g->work, p->first + k);
        bool keep = across ? (upper ? over(g, &r, p->u, s, &h.in) : under(g, &r, p->u, s))
                           : (upper ? right_of(&r, s, &h.in) : left_of(&r, s));
        if (!keep) continue;
        trim_reference* slot = list_add(&g->work, sizeof r, g->memory);
        g->failed = !slot;
        if (slot) *slot = r;
    }
    h.count = g->work.count - h.first;
    return h;
}

static void make_leaf(trim_growth* g, int node, const plot* p)
{
    trim_node* n = LIST_AT(trim_node, g->nodes, node);
    n->split = 0;
    n->first = g->references.count;
    n->info = node_info(NODE_LEAF, p->in, (uint32_t)p->count);
    for (int k = 0; k < p->count && !g->failed; ++k) {
        trim_reference* slot = list_add(&g->references, sizeof *slot, g->memory);
        g->failed = !slot;
        if (slot) *slot = *LIST_AT(trim_reference, g->work, p->first + k);
    }
}

static void grow_node(trim_growth* g, int node, const plot* p, int depth)
{
    const trim_region* r = g->region;
    if (p->count <= LEAF_REFERENCES || depth >= LEAF_DEPTH || g->below >= g->most_below || g->failed) {
        make_leaf(g, node, p);
        return;
    }
    int first = g->nodes.count;
    /* two, one after the other; NOLINTNEXTLINE(misc-redundant-expression) */
    if (!list_add(&g->nodes, sizeof(trim_node), g->memory) || !list_add(&g->nodes, sizeof(trim_node), g->memory)) {
        g->failed = true;
        return;
    }
    g->below += 2;
    bool across = iv_width(p->v) * r->step_u > iv_width(p->u) * r->step_v;
    double s = across ? iv_mid(p->v) : iv_mid(p->u);
    trim_node* n = LIST_AT(trim_node, g->nodes, node);
    n->split = s;
    n->first = first;
    n->info = node_info(across ? NODE_SPLIT_V : NODE_SPLIT_U, p->in, 0);
    for (int upper = 0; upper < 2; ++upper) {
        plot h = half(g, p, across, upper, s);
        grow_node(g, first + upper, &h, depth + 1);
        g->work.count = h.first;
    }
}

/* Cells i0 <= i < i1, j0 <= j < j1 of the grid. */
static void grow_cells(trim_growth* g, const plot* p, int i0, int i1, int j0, int j1)
{
    const trim_region* r = g->region;
    if (p->count == 0) {
        for (int j = j0; j < j1; ++j)
            for (int i = i0; i < i1; ++i) *LIST_AT(int32_t, g->grid, j * r->cells_u + i) = p->in ? NODE_IN : NODE_OUT;
        return;
    }
    if (i1 - i0 == 1 && j1 - j0 == 1) {
        int node = g->nodes.count;
        *LIST_AT(int32_t, g->grid, j0 * r->cells_u + i0) = node;
        g->failed = g->failed || !list_add(&g->nodes, sizeof(trim_node), g->memory);
        if (!g->failed) grow_node(g, node, p, 0);
        return;
    }
    bool across = j1 - j0 > i1 - i0;
    int middle = across ? (j0 + j1) / 2 : (i0 + i1) / 2;
    double s = across ? grid_line(r->grid_v, r->step_v, middle) : grid_line(r->grid_u, r->step_u, middle);
    for (int upper = 0; upper < 2 && !g->failed; ++upper) {
        plot h = half(g, p, across, upper, s);
        if (across)
            grow_cells(g, &h, i0, i1, upper ? middle : j0, upper ? j1 : middle);
        else
            grow_cells(g, &h, upper ? middle : i0, upper ? i1 : middle, j0, j1);
        g->work.count = h.first;
    }
}

void wi_trim_grow(trim_growth* g)
{
    const trim_region* r = g->region;
    int cells = r->cells_u * r->cells_v;
    g->most_below = 32 * r->segment_count + 256;
    for (int k = 0; k < cells && !g->failed; ++k) g->failed = !list_add(&g->grid, sizeof(int32_t), g->memory);
    for (int k = 0; k < NODES_SHARED && !g->failed; ++k) {
        trim_node* n = list_add(&g->nodes, sizeof(trim_node), g->memory);
        g->failed = !n;
        if (n) n->info = node_info(NODE_LEAF, k == NODE_IN, 0);
    }
    for (int k = 0; k < r->segment_count && !g->failed; ++k) {
        trim_reference* slot = list_add(&g->work, sizeof *slot, g->memory);
        g->failed = !slot;
        if (!slot) break;
        slot->a = g->segments[k].u0;
        slot->b = g->segments[k].u1;
        slot->segment = k;
    }
    if (g->failed) return;
    /* All of the plane, cut to the right of and above the grid's corner; what its corner's side was does not matter. */
    plot plane = {iv(-INFINITY, INFINITY), iv(-INFINITY, INFINITY), 0, r->segment_count, false};
    plot right = half(g, &plane, false, true, r->grid_u.lo);
    plot corner = half(g, &right, true, true, r->grid_v.lo);
    corner.u.hi = r->grid_u.hi;
    corner.v.hi = r->grid_v.hi;
    corner.in = false;
    grow_cells(g, &corner, 0, r->cells_u, 0, r->cells_v);
}
