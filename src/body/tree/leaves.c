/* SPDX-License-Identifier: MIT */
/* Leaves of the bounding tree from faces, edges and vertices. */
#include "leaves.h"

#include <string.h>

#include "../../base/allocator.h"

enum {
    LEAF_LIMIT = 1 << 30,
    CROWD = 24,      /* a box with more trim segments than this is worth halving */
    CROWD_DEPTH = 8, /* halvings for that reason */
    BEND_DEPTH = 10, /* halvings because it bends */
};
#define BEND (PI / 10) /* half angle of the cone of normals, or tangents, that a leaf may have */
#define SHARE 0.12     /* of the feature's size: leaves below it may bend more */

leaf_list wi_leaf_list_empty(const wit_allocator* allocator)
{
    leaf_list l = {NULL, NULL, 0, 0, wi_allocator_or_default(allocator)};
    return l;
}

void wi_leaf_list_release(leaf_list* list)
{
    wi_allocator_release(&list->allocator, list->nodes, (size_t)list->capacity * sizeof(tree_node));
    wi_allocator_release(&list->allocator, list->bounds, (size_t)list->capacity * sizeof(leaf_bounds));
    list->nodes = NULL;
    list->bounds = NULL;
    list->count = list->capacity = 0;
}

static bool grow(leaf_list* list)
{
    if (list->capacity >= LEAF_LIMIT) return false;
    int capacity = list->capacity ? 2 * list->capacity : 64;
    tree_node* nodes = wi_allocator_take(&list->allocator, (size_t)capacity * sizeof(tree_node));
    leaf_bounds* bounds = wi_allocator_take(&list->allocator, (size_t)capacity * sizeof(leaf_bounds));
    if (!nodes || !bounds) {
        wi_allocator_release(&list->allocator, nodes, (size_t)capacity * sizeof(tree_node));
        wi_allocator_release(&list->allocator, bounds, (size_t)capacity * sizeof(leaf_bounds));
        return false;
    }
    if (list->count) {
        memcpy(nodes, list->nodes, (size_t)list->count * sizeof(tree_node));
        memcpy(bounds, list->bounds, (size_t)list->count * sizeof(leaf_bounds));
    }
    wi_allocator_release(&list->allocator, list->nodes, (size_t)list->capacity * sizeof(tree_node));
    wi_allocator_release(&list->allocator, list->bounds, (size_t)list->capacity * sizeof(leaf_bounds));
    list->nodes = nodes;
    list->bounds = bounds;
    list->capacity = capacity;
    return true;
}

static bool add_leaf(leaf_list* list, const tree_node* leaf, const leaf_bounds* bounds)
{
    if (list->count == list->capacity && !grow(list)) return false;
    list->nodes[list->count] = *leaf;
    list->nodes[list->count].bounds = list->count;
    list->bounds[list->count++] = *bounds;
    return true;
}

static double diagonal(const wit_box* b)
{
    return norm3(sub3(b->hi, b->lo));
}

static tree_node leaf_of(wit_feature_kind kind, int feature, trim_tag tag, wit_box box, wit_interval u, wit_interval v)
{
    tree_node n = {.box = box,
                   .child = {-1, -1},
                   .feature = feature,
                   .kind = (uint8_t)kind,
                   .tag = (uint8_t)tag,
                   .kinds_below = (uint8_t)(1u << kind),
                   .u = u,
                   .v = v};
    return n;
}

/*
 * The first border of a cell above x, or `hi` if there is none before it. `x` may be beyond the range by some periods
 * when the parameter is closed. Borders nearer than 1e-9 of the range are passed over: a sliver is no use.
 */
static double next_break(const double* breaks, int count, bool closed, double x, double hi)
{
    double lo = breaks[0], width = breaks[count - 1] - lo, least = x + 1e-9 * width, turn = 0;
    if (closed) turn = floor((x - lo) / width) * width;
    for (int pass = 0; pass < (closed ? 2 : 1); ++pass, turn += width)
        for (int a = 0, b = count - 1; a <= b;) { /* the first break > least - turn */
            int m = (a + b) / 2;
            bool found = breaks[m] + turn > least && (m == 0 || breaks[m - 1] + turn <= least);
            if (found) return breaks[m] + turn < hi - 1e-9 * width ? breaks[m] + turn : hi;
            if (breaks[m] + turn > least)
                b = m - 1;
            else
                a = m + 1;
        }
    return hi;
}

/* ---- faces ------------------------------------------------------------------------------------- */

typedef struct face_cutter {
    const wit_surface* surface;
    const face_trims* trims; /* null: all of the box */
    int face;
    double size; /* of the whole face */
    leaf_list* out;
} face_cutter;

typedef struct piece {
    wit_interval u, v;
    int bends, crowds; /* halvings so far, by reason */
} piece;

enum { PIECES = BEND_DEPTH + CROWD_DEPTH + 2 };

/* The largest over both halves each way: enclosures of rational splines over a whole cell are several times too wide. */
static leaf_bounds tile_bounds(const wit_surface* surface, wit_interval u, wit_interval v, const wit_cone* normals)
{
    enum { PARTS = 2 };
    leaf_bounds r = {{0, 0}, {0, 0, 0}, {0, 0, 0, 0}, *normals};
    for (int i = 0; i < PARTS * PARTS; ++i) {
        double a = i / PARTS, b = i % PARTS, wu = iv_width(u) / PARTS, wv = iv_width(v) / PARTS;
        wit_interval pu = iv(u.lo + a * wu, a == PARTS - 1 ? u.hi : u.lo + (a + 1) * wu);
        wit_interval pv = iv(v.lo + b * wv, b == PARTS - 1 ? v.hi : v.lo + (b + 1) * wv);
        wit_surface_bounds s;
        wit_surface_bound(surface, pu, pv, &s);
        const double d1[2] = {s.du, s.dv}, d2[3] = {s.duu, s.duv, s.dvv}, d3[4] = {s.duuu, s.duuv, s.duvv, s.dvvv};
        for (int k = 0; k < 2; ++k) r.d1[k] = larger(r.d1[k], d1[k]);
        for (int k = 0; k < 3; ++k) r.d2[k] = larger(r.d2[k], d2[k]);
        for (int k = 0; k < 4; ++k) r.d3[k] = larger(r.d3[k], d3[k]);
    }
    return r;
}

static bool cut_tile(const face_cutter* c, wit_interval u, wit_interval v)
{
    piece stack[PIECES] = {{u, v, 0, 0}};
    for (int count = 1; count;) {
        piece t = stack[--count];
        const face_trims* f = c->trims;
        trim_tag tag = f ? wi_trim_classify(f->region, f->block, f->curves, t.u, t.v) : TRIM_IN;
        if (tag == TRIM_OUT) continue;
        wit_surface_bounds b;
        wit_surface_bound(c->surface, t.u, t.v, &b);
        bool bends = t.bends < BEND_DEPTH && b.normals.angle > BEND && diagonal(&b.box) > SHARE * c->size;
        bool crowded = !bends && tag == TRIM_MIXED && t.crowds < CROWD_DEPTH &&
                       wi_trim_crowd(f->region, f->block, t.u, t.v, CROWD + 1) > CROWD;
        if (!bends && !crowded) {
            tree_node leaf = leaf_of(WIT_FACE, c->face, tag, b.box, t.u, t.v);
            leaf_bounds bounds = tile_bounds(c->surface, t.u, t.v, &b.normals);
            if (!add_leaf(c->out, &leaf, &bounds)) return false;
            continue;
        }
        if (bends)
            ++t.bends;
        else
            ++t.crowds;
        piece lower = t, upper = t;
        if (b.du * iv_width(t.u) >= b.dv * iv_width(t.v))
            lower.u.hi = upper.u.lo = iv_mid(t.u);
        else
            lower.v.hi = upper.v.lo = iv_mid(t.v);
        stack[count++] = upper;
        stack[count++] = lower;
    }
    return true;
}

wit_status wi_leaves_of_face(const wit_surface* surface, wit_interval u, wit_interval v, const face_trims* trims,
                             int face, leaf_list* out)
{
    wit_surface_bounds all;
    wit_surface_bound(surface, u, v, &all);
    face_cutter c = {surface, trims, face, diagonal(&all.box), out};
    int count_u, count_v, before = out->count;
    const double* breaks_u = wit_surface_breaks(surface, WIT_U, &count_u);
    const double* breaks_v = wit_surface_breaks(surface, WIT_V, &count_v);
    for (double a = u.lo, b; a < u.hi; a = b) {
        b = next_break(breaks_u, count_u, surface->closed_u, a, u.hi);
        for (double p = v.lo, q; p < v.hi; p = q) {
            q = next_break(breaks_v, count_v, surface->closed_v, p, v.hi);
            if (cut_tile(&c, iv(a, b), iv(p, q))) continue;
            out->count = before;
            return WIT_ERROR_MEMORY;
        }
    }
    return WIT_OK;
}

/* ---- edges and vertices ------------------------------------------------------------------------ */

typedef struct stretch {
    wit_interval t;
    int bends;
} stretch;

static bool cut_stretch(const wit_curve* curve, wit_interval t, double size, int edge, leaf_list* out)
{
    stretch stack[BEND_DEPTH + 2] = {{t, 0}};
    for (int count = 1; count;) {
        stretch s = stack[--count];
        wit_curve_bounds b;
        wit_curve_bound(curve, s.t, &b);
        if (s.bends >= BEND_DEPTH || b.tangents.angle <= BEND || diagonal(&b.box) <= SHARE * size) {
            tree_node leaf = leaf_of(WIT_EDGE, edge, TRIM_IN, b.box, s.t, iv(0, 0));
            leaf_bounds bounds = {{b.d1, 0}, {b.d2, 0, 0}, {b.d3, 0, 0, 0}, b.tangents};
            if (!add_leaf(out, &leaf, &bounds)) return false;
            continue;
        }
        double m = iv_mid(s.t);
        stack[count++] = (stretch){iv(m, s.t.hi), s.bends + 1};
        stack[count++] = (stretch){iv(s.t.lo, m), s.bends + 1};
    }
    return true;
}

wit_status wi_leaves_of_edge(const wit_curve* curve, wit_interval range, int edge, leaf_list* out)
{
    wit_curve_bounds all;
    wit_curve_bound(curve, range, &all);
    int count, before = out->count;
    const double* breaks = wit_curve_breaks(curve, &count);
    for (double a = range.lo, b; a < range.hi; a = b) {
        b = next_break(breaks, count, curve->closed, a, range.hi);
        if (cut_stretch(curve, iv(a, b), diagonal(&all.box), edge, out)) continue;
        out->count = before;
        return WIT_ERROR_MEMORY;
    }
    return WIT_OK;
}

wit_status wi_leaves_of_vertex(wit_vec3 point, int vertex, leaf_list* out)
{
    wit_box box = {point, point};
    tree_node leaf = leaf_of(WIT_VERTEX, vertex, TRIM_IN, box, iv(0, 0), iv(0, 0));
    leaf_bounds bounds = {{0, 0}, {0, 0, 0}, {0, 0, 0, 0}, {vec3(0, 0, 1), PI}};
    return add_leaf(out, &leaf, &bounds) ? WIT_OK : WIT_ERROR_MEMORY;
}
