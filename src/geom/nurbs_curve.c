/* SPDX-License-Identifier: MIT */
/* NURBS curves: from a def to cells. */
#include "kernel_set.h"
#include "nurbs.h"
#include "nurbs_enclose.h"
#include "nurbs_net.h"

static axis_input axis_in(const wit_curve_def* d)
{
    axis_input in = {d->degree, d->count, d->knot_count, d->periodic, d->knots, "degree",
                     "points",  "knots",  d->weights,    1,           1,        0};
    return in;
}

static net_input net_in(const wit_curve_def* d)
{
    net_input in = {d->count, 0, d->points, d->weights};
    return in;
}

static wit_status check(const wit_curve_def* def, wit_error* error)
{
    axis_input axis = axis_in(def);
    net_input net = net_in(def);
    wit_status s = wi_axis_check(&axis, error);
    if (!s) s = wi_net_check(&net, error);
    if (!s) s = wi_net_check_tears(&net, &axis, true, error);
    return s;
}

/* Points (x, y, 0) of equal weights, as parameter curves have them. */
static bool is_flat(const wit_curve_def* def)
{
    net_input net = net_in(def);
    if (wi_net_rational(&net)) return false;
    for (int i = 0; i < def->count; ++i)
        if (def->points[3 * i + 2] != 0) return false;
    return !def->weights || def->weights[0] * wi_net_weight_scale(&net) == 1;
}

static size_t cell_doubles(const wit_curve_def* def)
{
    return (size_t)(def->degree + 1) * (is_flat(def) ? 2 : 4);
}

static size_t extra(const wit_curve_def* def)
{
    axis_input axis = axis_in(def);
    return wi_axis_bytes(&axis) +
           (in_powers(def->degree) ? 2 : 1) * (size_t)wi_axis_cells(&axis) * cell_doubles(def) * sizeof(double);
}

/* `power` is null where the net is all that is evaluated. */
static void build_cell(const wit_curve_def* def, double weight_scale, const axis_cell* cell, int stride, double* power,
                       double* bernstein)
{
    axis_input axis = axis_in(def);
    net_input net = net_in(def);
    int p = def->degree;
    axis_matrix to_bezier;
    axis_matrix2 to_power;
    wi_axis_extract(&axis, cell, to_bezier, power ? to_power : NULL);
    twofold h[WIT_MAX_DEGREE + 1][4];
    for (int i = 0; i <= p; ++i)
        wi_net_point(&net, weight_scale, (size_t)wi_axis_point(&axis, cell->knot - p + i), h[i]);
    for (int j = 0; j <= p; ++j)
        for (int x = 0; x < stride; ++x) {
            double hull = 0;
            twofold sum = two(0);
            for (int i = 0; i <= p; ++i) {
                hull += to_bezier[j][i] * h[i][x].hi;
                if (power) sum = two_add(sum, two_mul(to_power[j][i], h[i][x]));
            }
            bernstein[stride * j + x] = hull;
            if (power) power[stride * j + x] = sum.hi;
        }
}

static wit_status build(wit_curve* c, const wit_curve_def* def, wit_error* error)
{
    (void)error;
    axis_input axis = axis_in(def);
    net_input net = net_in(def);
    curve_spline* n = &c->spline;
    size_t per_cell = cell_doubles(def);
    wi_axis_build(&n->t, &axis, (char*)c, sizeof *c);
    n->power = sizeof *c + wi_axis_bytes(&axis);
    bool powers = in_powers(def->degree);
    n->bernstein = n->power + (powers ? (size_t)n->t.cells * per_cell * sizeof(double) : 0);
    n->rational = wi_net_rational(&net);
    n->flat = is_flat(def);
    n->kernel = wi_kernel_set_of(c->kernel)->curve(def->degree, n->rational, n->flat);

    double weight_scale = wi_net_weight_scale(&net);
    double* power = (double*)(void*)((char*)c + n->power);
    double* bernstein = (double*)(void*)((char*)c + n->bernstein);
    axis_cell cell = wi_axis_first(&axis);
    for (size_t i = 0; i < (size_t)n->t.cells; ++i, cell = wi_axis_next(&axis, cell))
        build_cell(def, weight_scale, &cell, (int)curve_stride(n), powers ? power + i * per_cell : NULL,
                   bernstein + i * per_cell);

    const double* b = axis_breaks(&n->t, c);
    c->range = iv(b[0], b[n->t.cells]);
    wit_curve_jet first, last;
    nurbs_curve_eval(c, c->range.lo, WIT_KNOT_DEFAULT, NULL, &first);
    nurbs_curve_eval(c, c->range.hi, WIT_KNOT_T_BELOW, NULL, &last);
    double size = 0;
    for (int i = 0; i < 3 * def->count; ++i) size = fmax(size, fabs(def->points[i]));
    c->gape = norm3(sub3(first.p, last.p));
    c->closed = c->gape <= 1e-12 * size;
    return WIT_OK;
}

const double* wi_curve_net(const wit_curve* curve, int cell, curve_net room)
{
    const curve_spline* n = &curve->spline;
    size_t count = (size_t)n->t.degree + 1;
    const double* net = (const double*)(const void*)((const char*)curve + n->bernstein);
    net += (size_t)cell * count * curve_stride(n);
    if (!n->flat) return net;
    for (size_t i = 0; i < count; ++i) {
        room[4 * i] = net[2 * i];
        room[4 * i + 1] = net[2 * i + 1];
        room[4 * i + 2] = 0;
        room[4 * i + 3] = 1;
    }
    return room;
}

static unsigned eval(const wit_curve* c, double t, unsigned side, wit_hint* hint, wit_curve_jet* out)
{
    nurbs_curve_eval(c, t, side, hint, out);
    return WIT_EVAL_REGULAR;
}

const curve_ops wi_curve_nurbs_ops = {"nurbs", check, extra, build, NULL, eval, wi_nurbs_curve_enclose};
