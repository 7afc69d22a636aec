/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "../src/base/vec.h"
#include "measure.h"

/* Samples per direction over the whole range, spread evenly over the cells. The share of a region with a smooth
 * border is then good to about N^-1.5, 1.3e-4 for 400. */
enum { SHARE_SAMPLES = 400, EXTREME_SAMPLES = 96, AREA_PIECES = 24 };

/* A collapsed border is approached to this part of a cell: nearer, rounding would pass for curvature. */
#define MARGIN 1e-5

typedef struct cell {
    wit_interval u, v;   /* the cell */
    wit_interval su, sv; /* without the margins at collapsed borders */
    bool cut[BORDERS];
} cell;

typedef enum quantity { GAUSS_CURVATURE, LARGER_CURVATURE, SMALLER_CURVATURE } quantity;

typedef struct curvatures {
    bool known;
    double value[3]; /* by quantity */
} curvatures;

static unsigned side_in(const cell* c, double u, double v)
{
    return (u >= c->u.hi ? (unsigned)WIT_KNOT_U_BELOW : 0u) | (v >= c->v.hi ? (unsigned)WIT_KNOT_V_BELOW : 0u);
}

/* Curvatures with what cannot be told from rounding set to zero: a flat or ruled spline has no negative share. */
static curvatures curvatures_at(const wit_surface* s, const cell* c, double u, double v, double size, wit_hint* hint)
{
    wit_surface_jet jet;
    curvatures r = {false, {0, 0, 0}};
    if (wit_surface_eval(s, u, v, side_in(c, u, v), hint, &jet) & WIT_EVAL_DEGENERATE) return r;
    wit_surface_forms f = wit_surface_forms_of(&jet);
    if (!f.has_curvature) return r;
    r.known = true;
    double most = fmax(fabs(f.k1), fabs(f.k2)), least = 1e-9 * fmax(most, 1 / size);
    r.value[GAUSS_CURVATURE] = fabs(f.gauss) <= least * fmax(most, 1 / size) ? 0 : f.gauss;
    r.value[LARGER_CURVATURE] = fabs(f.k1) <= least ? 0 : f.k1;
    r.value[SMALLER_CURVATURE] = fabs(f.k2) <= least ? 0 : f.k2;
    return r;
}

/* ---- extremes ------------------------------------------------------------------------------- */

typedef struct candidate {
    extreme e;
    int i, j; /* the cell */
} candidate;

/* By more than rounding: of equal places the first is kept. */
static bool better(const extreme* e, double value, double sign)
{
    return !e->known || sign * (value - e->value) > 1e-12 * fabs(e->value);
}

static void set_extreme(extreme* e, double value, double u, double v)
{
    e->known = true;
    e->value = value;
    e->u = u;
    e->v = v;
}

/* Compass search in the cell, from the best sample; steps halved until they are 1e-7 of the cell. */
static void improve(const wit_surface* s, const cell* c, quantity q, double sign, double size, int grid_u, int grid_v,
                    extreme* e)
{
    static const int way[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    double length_u = c->u.hi - c->u.lo, length_v = c->v.hi - c->v.lo;
    double scale = 1;
    wit_hint hint = {{0}};
    for (int tries = 0; scale > 1e-6 && tries < 2000; tries++) {
        bool moved = false;
        for (int k = 0; k < 8; k++) {
            double u = fmin(fmax(e->u + way[k][0] * scale * length_u / grid_u, c->su.lo), c->su.hi);
            double v = fmin(fmax(e->v + way[k][1] * scale * length_v / grid_v, c->sv.lo), c->sv.hi);
            curvatures x = curvatures_at(s, c, u, v, size, &hint);
            if (!x.known || !better(e, x.value[q], sign)) continue;
            set_extreme(e, x.value[q], u, v);
            moved = true;
        }
        if (!moved) scale *= 0.5;
    }
    /* At the margin of a collapsed border: does the value still grow when the distance is halved? */
    double du = e->u <= c->su.lo && c->cut[U_LOW] ? MARGIN : e->u >= c->su.hi && c->cut[U_HIGH] ? -MARGIN : 0;
    double dv = e->v <= c->sv.lo && c->cut[V_LOW] ? MARGIN : e->v >= c->sv.hi && c->cut[V_HIGH] ? -MARGIN : 0;
    if (du == 0 && dv == 0) return;
    curvatures x = curvatures_at(s, c, e->u + du * length_u, e->v + dv * length_v, size, &hint);
    e->unbounded = x.known && fabs(e->value) > 1.3 * fabs(x.value[q]);
    e->u = du > 0 ? c->u.lo : du < 0 ? c->u.hi : e->u;
    e->v = dv > 0 ? c->v.lo : dv < 0 ? c->v.hi : e->v;
}

/* ---- cells ---------------------------------------------------------------------------------- */

typedef struct patch {
    const wit_surface* surface;
    const double *u, *v; /* breaks */
    int cells_u, cells_v;
    const surface_measure* measure;
} patch;

static cell cell_at(const patch* p, int i, int j)
{
    cell c = {.u = {p->u[i], p->u[i + 1]}, .v = {p->v[j], p->v[j + 1]}};
    c.cut[U_LOW] = i == 0 && p->measure->collapsed[U_LOW];
    c.cut[U_HIGH] = i == p->cells_u - 1 && p->measure->collapsed[U_HIGH];
    c.cut[V_LOW] = j == 0 && p->measure->collapsed[V_LOW];
    c.cut[V_HIGH] = j == p->cells_v - 1 && p->measure->collapsed[V_HIGH];
    double mu = MARGIN * (c.u.hi - c.u.lo), mv = MARGIN * (c.v.hi - c.v.lo);
    c.su = c.u;
    c.sv = c.v;
    if (c.cut[U_LOW]) c.su.lo += mu;
    if (c.cut[U_HIGH]) c.su.hi -= mu;
    if (c.cut[V_LOW]) c.sv.lo += mv;
    if (c.cut[V_HIGH]) c.sv.hi -= mv;
    return c;
}

static int per_cell(int samples, int cells)
{
    return cells < samples ? (samples + cells - 1) / cells : 1;
}

static double along(wit_interval r, int i, int n)
{
    return i == n ? r.hi : r.lo + (r.hi - r.lo) * i / n;
}

static void find_extremes(const patch* p, surface_measure* out)
{
    static const struct {
        quantity q;
        double sign;
    } wanted[4] = {{GAUSS_CURVATURE, -1}, {GAUSS_CURVATURE, 1}, {SMALLER_CURVATURE, -1}, {LARGER_CURVATURE, 1}};
    candidate best[4] = {{{0}, 0, 0}};
    int n = per_cell(EXTREME_SAMPLES, p->cells_u), m = per_cell(EXTREME_SAMPLES, p->cells_v);
    wit_hint hint = {{0}};
    for (int i = 0; i < p->cells_u; i++) {
        for (int j = 0; j < p->cells_v; j++) {
            cell c = cell_at(p, i, j);
            for (int a = 0; a <= n; a++) {
                for (int b = 0; b <= m; b++) {
                    double u = along(c.su, a, n), v = along(c.sv, b, m);
                    curvatures x = curvatures_at(p->surface, &c, u, v, out->size, &hint);
                    for (int k = 0; x.known && k < 4; k++) {
                        if (!better(&best[k].e, x.value[wanted[k].q], wanted[k].sign)) continue;
                        set_extreme(&best[k].e, x.value[wanted[k].q], u, v);
                        best[k].i = i;
                        best[k].j = j;
                    }
                }
            }
        }
    }
    for (int k = 0; k < 4; k++) {
        cell c = cell_at(p, best[k].i, best[k].j);
        extreme* e = &best[k].e;
        if (!e->known) continue;
        improve(p->surface, &c, wanted[k].q, wanted[k].sign, out->size, n, m, e);
        if (best[k].i < p->cells_u - 1 && e->u == c.u.hi) e->side |= WIT_KNOT_U_BELOW;
        if (best[k].j < p->cells_v - 1 && e->v == c.v.hi) e->side |= WIT_KNOT_V_BELOW;
    }
    out->gauss_min = best[0].e;
    out->gauss_max = best[1].e;
    out->k_min = best[2].e;
    out->k_max = best[3].e;
}

static double area_element(const wit_surface* s, double u, double v, wit_hint* hint)
{
    wit_surface_jet jet;
    wit_surface_eval(s, u, v, 0, hint, &jet);
    return norm3(cross3(jet.du, jet.dv));
}

static double cell_area(const patch* p, const cell* c, int n, int m)
{
    double lu = (c->u.hi - c->u.lo) / n, lv = (c->v.hi - c->v.lo) / m, area = 0;
    wit_hint hint = {{0}};
    for (int a = 0; a < n * GAUSS; a++) {
        double u = c->u.lo + (a / GAUSS + measure_node[a % GAUSS]) * lu;
        for (int b = 0; b < m * GAUSS; b++) {
            double v = c->v.lo + (b / GAUSS + measure_node[b % GAUSS]) * lv;
            area += measure_weight[a % GAUSS] * measure_weight[b % GAUSS] * area_element(p->surface, u, v, &hint);
        }
    }
    return area * lu * lv;
}

/* Samples in the middles of small rectangles: never on a knot, so both sides of it are counted as they are. */
static void find_shares(const patch* p, surface_measure* out)
{
    int n = per_cell(SHARE_SAMPLES, p->cells_u), m = per_cell(SHARE_SAMPLES, p->cells_v);
    double total = 0, total_area = 0, negative = 0, negative_area = 0;
    wit_hint hint = {{0}};
    for (int i = 0; i < p->cells_u; i++) {
        for (int j = 0; j < p->cells_v; j++) {
            cell c = cell_at(p, i, j);
            double weight = (c.u.hi - c.u.lo) / n * (c.v.hi - c.v.lo) / m;
            for (int k = 0; k < n * m; k++) {
                double u = c.u.lo + (c.u.hi - c.u.lo) * (k / m + 0.5) / n;
                double v = c.v.lo + (c.v.hi - c.v.lo) * (k % m + 0.5) / m;
                curvatures x = curvatures_at(p->surface, &c, u, v, out->size, &hint);
                double area = weight * area_element(p->surface, u, v, &hint);
                bool is_negative = x.known && x.value[GAUSS_CURVATURE] < 0;
                total += weight;
                total_area += area;
                negative += is_negative ? weight : 0;
                negative_area += is_negative ? area : 0;
            }
        }
    }
    out->negative_parameter = total > 0 ? negative / total : 0;
    out->negative_area = total_area > 0 ? negative_area / total_area : 0;
}

/* A border is collapsed when the derivative along it vanishes at all samples. */
static void find_collapsed(const patch* p, surface_measure* out)
{
    wit_interval range_u = {p->u[0], p->u[p->cells_u]}, range_v = {p->v[0], p->v[p->cells_v]};
    wit_surface_bounds b;
    wit_surface_bound(p->surface, range_u, range_v, &b);
    for (int border = 0; border < BORDERS; border++) {
        bool of_u = border == U_LOW || border == U_HIGH;
        int n = 4 * (of_u ? p->cells_v : p->cells_u);
        bool collapsed = true;
        wit_surface_jet jet = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        for (int k = 0; k <= n && collapsed; k++) {
            double u = border == U_LOW ? range_u.lo : border == U_HIGH ? range_u.hi : along(range_u, k, n);
            double v = border == V_LOW ? range_v.lo : border == V_HIGH ? range_v.hi : along(range_v, k, n);
            wit_surface_eval(p->surface, u, v, 0, NULL, &jet);
            collapsed = norm3(of_u ? jet.dv : jet.du) <= 1e-10 * (of_u ? b.dv : b.du);
        }
        out->collapsed[border] = collapsed;
        if (collapsed) out->collapsed_at[border] = jet.p;
    }
}

void measure_surface(const wit_surface* surface, surface_measure* out)
{
    static const surface_measure none;
    int count_u, count_v;
    *out = none;
    patch p = {.surface = surface, .measure = out};
    p.u = wit_surface_breaks(surface, WIT_U, &count_u);
    p.v = wit_surface_breaks(surface, WIT_V, &count_v);
    p.cells_u = count_u - 1;
    p.cells_v = count_v - 1;
    out->box = measure_box(NULL, surface);
    out->size = norm3(sub3(out->box.hi, out->box.lo));
    find_collapsed(&p, out);
    int n = per_cell(AREA_PIECES, p.cells_u), m = per_cell(AREA_PIECES, p.cells_v);
    for (int i = 0; i < p.cells_u; i++) {
        for (int j = 0; j < p.cells_v; j++) {
            cell c = cell_at(&p, i, j);
            out->area += cell_area(&p, &c, n, m);
        }
    }
    find_extremes(&p, out);
    find_shares(&p, out);
}
