/* SPDX-License-Identifier: MIT */
/* Evaluation of splines, inlined into the dispatchers: the hot path of the library. */
#ifndef GEOM_NURBS_H
#define GEOM_NURBS_H

#include "spline_axis.h"

/* How far the points of a line of constant parameter, over t of the other, are from one of them at most; infinite where the value
 * is no knot. */
double wi_nurbs_line_reach(const wit_surface* surface, wit_direction fixed, double value, wit_interval t);

/* Doubles from one coefficient of a curve to the next, as they are stored. */
static inline size_t curve_stride(const curve_spline* n)
{
    return n->flat ? 2 : 4;
}

/* The Bezier net of a cell, 4 doubles a point: where it is stored, or written out in `room`. */
typedef double curve_net[(WIT_MAX_DEGREE + 1) * 4];
const double* wi_curve_net(const wit_curve* curve, int cell, curve_net room);

static inline int spline_cell(const spline_axis* axis, const void* base, double x, bool below, int hint)
{
    int cell = axis_locate(axis, base, x, hint);
    if (below && cell > 0 && x == axis_breaks(axis, base)[cell]) --cell;
    return cell;
}

/* Position in the cell, -1/2 to 1/2; half as much rounding as from one end alone. */
static inline double spline_local(const spline_axis* axis, const void* base, int cell, double x)
{
    const double* b = axis_breaks(axis, base) + cell;
    return ((x - b[0]) - (b[1] - x)) * (0.5 * axis_inverse(axis, base)[cell]);
}

static inline void nurbs_curve_eval(const wit_curve* c, double t, unsigned side, wit_hint* hint, wit_curve_jet* out)
{
    const spline_axis* a = &c->spline.t;
    int cell = spline_cell(a, c, t, side & WIT_KNOT_T_BELOW, hint ? hint->cell[0] : 0);
    if (hint) hint->cell[0] = cell;
    const double* power = (const double*)(const void*)((const char*)c + c->spline.power);
    c->spline.kernel(power + (size_t)cell * (size_t)(a->degree + 1) * curve_stride(&c->spline), a->degree,
                     spline_local(a, c, cell, t), axis_inverse(a, c)[cell], out);
}

static inline void nurbs_surface_eval(const wit_surface* s, double u, double v, unsigned side, wit_hint* hint,
                                      wit_surface_jet* out)
{
    const surface_spline* n = &s->spline;
    int i = spline_cell(&n->u, s, u, side & WIT_KNOT_U_BELOW, hint ? hint->cell[0] : 0);
    int j = spline_cell(&n->v, s, v, side & WIT_KNOT_V_BELOW, hint ? hint->cell[1] : 0);
    if (hint) {
        hint->cell[0] = i;
        hint->cell[1] = j;
    }
    size_t cell = (size_t)i * (size_t)n->v.cells + (size_t)j;
    size_t per_cell = (size_t)((n->u.degree + 1) * (n->v.degree + 1)) * 4;
    const double* power = (const double*)(const void*)((const char*)s + n->power);
    n->kernel(power + cell * per_cell, n->u.degree, n->v.degree, spline_local(&n->u, s, i, u),
              spline_local(&n->v, s, j, v), axis_inverse(&n->u, s)[i], axis_inverse(&n->v, s)[j], out);
}

#endif
