/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "../src/base/vec.h"
#include "measure.h"

/* (1 -+ sqrt(5 -+ 2 sqrt(10/7)) / 3) / 2 and the weights that belong to them */
const double measure_node[GAUSS] = {0.046910077030668004, 0.23076534494715845, 0.5, 0.76923465505284155,
                                    0.953089922969332};
const double measure_weight[GAUSS] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                      0.23931433524968324, 0.11846344252809454};

/* Curvature at t, seen from inside [.., hi]; NaN where the curve stands still. */
static double curvature_at(const wit_curve* curve, double t, double hi, double size)
{
    wit_curve_jet jet;
    if (wit_curve_eval(curve, t, t == hi ? WIT_KNOT_T_BELOW : 0, NULL, &jet) & WIT_EVAL_DEGENERATE) return NAN;
    double k = wit_curve_curvature(&jet);
    return k * size <= 1e-9 ? 0 : k;
}

typedef struct candidate {
    extreme e;
    int cell;
} candidate;

/* Better by more than rounding: of equal places the first is kept. */
static void take(candidate* c, double value, double t, int cell, double sign)
{
    extreme* e = &c->e;
    if (isnan(value) || (e->known && !(sign * (value - e->value) > 1e-12 * e->value))) return;
    e->known = true;
    e->value = value;
    e->u = t;
    c->cell = cell;
}

/* Steps left and right in the cell, halved until they are 1e-9 of it. */
static void improve(const wit_curve* curve, wit_interval cell, double step, double size, double sign, candidate* c)
{
    double length = cell.hi - cell.lo;
    for (step *= length; step > 1e-9 * length; step *= 0.5) {
        for (int way = -1; way <= 1; way += 2) {
            double t = fmin(fmax(c->e.u + way * step, cell.lo), cell.hi);
            take(c, curvature_at(curve, t, cell.hi, size), t, c->cell, sign);
        }
    }
}

static double piece_length(const wit_curve* curve, double t, double length)
{
    double sum = 0;
    for (int g = 0; g < GAUSS; g++) {
        wit_curve_jet jet;
        wit_curve_eval(curve, t + measure_node[g] * length, 0, NULL, &jet);
        sum += measure_weight[g] * length * norm3(jet.d1);
    }
    return sum;
}

void measure_curve(const wit_curve* curve, curve_measure* out)
{
    static const curve_measure none;
    *out = none;
    out->box = measure_box(curve, NULL);
    out->size = norm3(sub3(out->box.hi, out->box.lo));
    int count;
    const double* breaks = wit_curve_breaks(curve, &count);
    int cells = count - 1;
    int pieces = cells < 64 ? (64 + cells - 1) / cells : 1, grid = 2 * pieces;
    candidate best[2] = {{{0}, 0}}; /* smallest, largest */
    for (int k = 0; k < cells; k++) {
        wit_interval cell = {breaks[k], breaks[k + 1]};
        double length = (cell.hi - cell.lo) / pieces;
        for (int i = 0; i < pieces; i++) out->length += piece_length(curve, cell.lo + i * length, length);
        for (int i = 0; i <= grid; i++) {
            double t = i == grid ? cell.hi : cell.lo + (cell.hi - cell.lo) * i / grid;
            double value = curvature_at(curve, t, cell.hi, out->size);
            take(&best[0], value, t, k, -1);
            take(&best[1], value, t, k, 1);
        }
    }
    for (int i = 0; i < 2; i++) {
        candidate* c = &best[i];
        if (!c->e.known) continue;
        wit_interval cell = {breaks[c->cell], breaks[c->cell + 1]};
        improve(curve, cell, 1.0 / grid, out->size, i ? 1 : -1, c);
        if (c->cell < cells - 1 && c->e.u == cell.hi) c->e.side |= WIT_KNOT_T_BELOW;
    }
    out->curvature_min = best[0].e;
    out->curvature_max = best[1].e;
    /* A cusp: the search came as near to it as its steps allow. */
    out->curvature_max.unbounded = best[1].e.known && best[1].e.value * out->size > 1e8;
}
