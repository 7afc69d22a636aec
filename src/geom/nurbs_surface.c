/* SPDX-License-Identifier: MIT */
/* NURBS surfaces: from a def to cells. */
#include "../base/interval.h"
#include "kernel_set.h"
#include "nurbs.h"
#include "nurbs_enclose.h"
#include "nurbs_net.h"

static axis_input axis_in_u(const wit_surface_def* d)
{
    axis_input in = {d->degree_u, d->count_u, d->knot_count_u, d->periodic_u, d->knots_u,         "degree_u",
                     "points",    "knots_u",  d->weights,      d->count_v,    (size_t)d->count_v, 1};
    return in;
}

static axis_input axis_in_v(const wit_surface_def* d)
{
    axis_input in = {d->degree_v, d->count_v, d->knot_count_v, d->periodic_v, d->knots_v, "degree_v",
                     "points",    "knots_v",  d->weights,      d->count_u,    1,          (size_t)d->count_v};
    return in;
}

static net_input net_in(const wit_surface_def* d)
{
    net_input in = {d->count_u, d->count_v, d->points, d->weights};
    return in;
}

static wit_status check(const wit_surface_def* def, wit_error* error)
{
    axis_input u = axis_in_u(def), v = axis_in_v(def);
    net_input net = net_in(def);
    wit_status s = wi_axis_check(&u, error);
    if (!s) s = wi_axis_check(&v, error);
    if (s) return s;
    if ((int64_t)def->count_u * def->count_v > WIT_MAX_POINTS)
        return wi_error_fill(error, WIT_ERROR_COUNT, "points", "%d x %d control points; at most %d are taken",
                             def->count_u, def->count_v, WIT_MAX_POINTS);
    s = wi_net_check(&net, error);
    if (!s) s = wi_net_check_tears(&net, &u, true, error);
    if (!s) s = wi_net_check_tears(&net, &v, false, error);
    return s;
}

static size_t cell_doubles(const wit_surface_def* def)
{
    return (size_t)((def->degree_u + 1) * (def->degree_v + 1)) * 4;
}

/* Are its cells evaluated from powers? If not the nets are all there is. */
static bool powers_of(const wit_surface_def* def)
{
    return in_powers(def->degree_u) && in_powers(def->degree_v);
}

static size_t extra(const wit_surface_def* def)
{
    axis_input u = axis_in_u(def), v = axis_in_v(def);
    size_t cells = (size_t)wi_axis_cells(&u) * (size_t)wi_axis_cells(&v);
    return wi_axis_bytes(&u) + wi_axis_bytes(&v) +
           (powers_of(def) ? 2 : 1) * cells * cell_doubles(def) * sizeof(double);
}

enum { NET = (WIT_MAX_DEGREE + 1) * (WIT_MAX_DEGREE + 1) * 4 };

/* out = a net b^T for every coordinate; net is (p + 1) x (q + 1) x 4. */
static void transform(axis_matrix a, axis_matrix b, int p, int q, const twofold* net, double* out)
{
    double half[NET];
    int row = (q + 1) * 4;
    for (int i = 0; i <= p; ++i)
        for (int x = 0; x < row; ++x) {
            half[i * row + x] = 0;
            for (int k = 0; k <= p; ++k) half[i * row + x] += a[i][k] * net[k * row + x].hi;
        }
    for (int i = 0; i <= p; ++i)
        for (int x = 0; x < row; ++x) {
            out[i * row + x] = 0;
            for (int k = 0; k <= q; ++k) out[i * row + x] += b[x / 4][k] * half[i * row + 4 * k + x % 4];
        }
}

/* The same in twofold precision, rounded at the end. */
static void transform2(axis_matrix2 a, axis_matrix2 b, int p, int q, const twofold* net, double* out)
{
    twofold half[NET];
    int row = (q + 1) * 4;
    for (int i = 0; i <= p; ++i)
        for (int x = 0; x < row; ++x) {
            twofold sum = two(0);
            for (int k = 0; k <= p; ++k) sum = two_add(sum, two_mul(a[i][k], net[k * row + x]));
            half[i * row + x] = sum;
        }
    for (int i = 0; i <= p; ++i)
        for (int x = 0; x < row; ++x) {
            twofold sum = two(0);
            for (int k = 0; k <= q; ++k) sum = two_add(sum, two_mul(b[x / 4][k], half[i * row + 4 * k + x % 4]));
            out[i * row + x] = sum.hi;
        }
}

static void build_cells(wit_surface* s, const wit_surface_def* def)
{
    axis_input u = axis_in_u(def), v = axis_in_v(def);
    net_input net = net_in(def);
    int p = def->degree_u, q = def->degree_v;
    size_t per_cell = cell_doubles(def);
    bool powers = powers_of(def);
    double weight_scale = wi_net_weight_scale(&net);
    double* power = (double*)(void*)((char*)s + s->spline.power);
    double* bernstein = (double*)(void*)((char*)s + s->spline.bernstein);
    axis_matrix bezier_u, bezier_v;
    axis_matrix2 power_u, power_v;

    axis_cell cu = wi_axis_first(&u);
    for (int i = 0; i < s->spline.u.cells; ++i, cu = wi_axis_next(&u, cu)) {
        wi_axis_extract(&u, &cu, bezier_u, powers ? power_u : NULL);
        axis_cell cv = wi_axis_first(&v);
        for (int j = 0; j < s->spline.v.cells; ++j, cv = wi_axis_next(&v, cv)) {
            wi_axis_extract(&v, &cv, bezier_v, powers ? power_v : NULL);
            twofold h[NET];
            for (int a = 0; a <= p; ++a)
                for (int b = 0; b <= q; ++b) {
                    int r = wi_axis_point(&u, cu.knot - p + a) * def->count_v + wi_axis_point(&v, cv.knot - q + b);
                    wi_net_point(&net, weight_scale, (size_t)r, h + (a * (q + 1) + b) * 4);
                }
            transform(bezier_u, bezier_v, p, q, h, bernstein);
            if (powers) transform2(power_u, power_v, p, q, h, power);
            bernstein += per_cell;
            power += per_cell;
        }
    }
}

/* Homogeneous point k of a line of constant u (v) over one cell: that at the lower or upper end of cell `at` of that direction. */
static const double* line_point(const wit_surface* s, wit_direction fixed, int at, bool upper, int cell, int k)
{
    const surface_spline* n = &s->spline;
    bool of_u = fixed == WIT_U;
    int row = n->v.degree + 1, i = of_u ? at : cell, j = of_u ? cell : at,
        across = !upper ? 0
                 : of_u ? n->u.degree
                        : n->v.degree;
    const double* net = (const double*)(const void*)((const char*)s + n->bernstein);
    net += (size_t)i * n->row + (size_t)j * n->stride;
    return net + 4 * (of_u ? across * row + k : k * row + across);
}

static const double* border_point(const wit_surface* s, wit_direction d, bool last, int cell, int k)
{
    return line_point(s, d, last ? (d == WIT_U ? s->spline.u.cells : s->spline.v.cells) - 1 : 0, last, cell, k);
}

/* Weights are positive, so a rational line lies in the hull of its points: they bound it without a margin for unlike weights. */
double wi_nurbs_line_reach(const wit_surface* s, wit_direction fixed, double value, wit_interval t)
{
    const spline_axis *across = fixed == WIT_U ? &s->spline.u : &s->spline.v,
                      *along = fixed == WIT_U ? &s->spline.v : &s->spline.u;
    const double* breaks = axis_breaks(along, s);
    double period = breaks[along->cells] - breaks[0], reach = 0;
    int at = spline_cell(across, s, value, true, 0);
    bool upper = value == axis_breaks(across, s)[at + 1], begun = false;
    if (!upper && value != axis_breaks(across, s)[at]) return INFINITY;
    wit_vec3 first = vec3(0, 0, 0);
    for (int cell = 0; cell < along->cells; ++cell) {
        bool in = false;
        for (int turn = -1; turn <= 1; ++turn)
            in |= breaks[cell] + turn * period < t.hi && breaks[cell + 1] + turn * period > t.lo;
        for (int k = 0; in && k <= along->degree; ++k) {
            const double* h = line_point(s, fixed, at, upper, cell, k);
            wit_vec3 p = vec3(h[0] / h[3], h[1] / h[3], h[2] / h[3]);
            if (!begun) first = p;
            begun = true;
            reach = larger(reach, norm3(sub3(p, first)));
        }
    }
    return reach;
}

/*
 * How far apart the two ends of direction `d` are at most. With A / w and B / v the two border lines over one cell, in
 * Bernstein's form, A - B and w - v are no larger than w times the largest quotient of their coefficients by those of w:
 *     |A / w - B / v|  =  |A - B - (B / v) (w - v)| / w  <=  max (|A_k - B_k| + M |w_k - v_k|) / w_k,   M >= |B / v|.
 * Weights of one line may be those of the other times a factor. Samples would not do: unlike weights hide most of a line.
 */
static double ends_gap(const wit_surface* s, wit_direction d)
{
    const spline_axis* along = d == WIT_U ? &s->spline.v : &s->spline.u;
    double gap = 0;
    for (int cell = 0; cell < along->cells; ++cell) {
        double most = 0, w = 0, v = 0;
        for (int k = 0; k <= along->degree; ++k) {
            const double *a = border_point(s, d, false, cell, k), *b = border_point(s, d, true, cell, k);
            most = larger(most, norm3(vec3(b[0], b[1], b[2])) / b[3]);
            w += a[3];
            v += b[3];
        }
        for (int k = 0; k <= along->degree; ++k) {
            const double *a = border_point(s, d, false, cell, k), *b = border_point(s, d, true, cell, k);
            double f = w == v ? 1 : w / v;
            wit_vec3 off = vec3(a[0] - f * b[0], a[1] - f * b[1], a[2] - f * b[2]);
            gap = larger(gap, (norm3(off) + most * fabs(a[3] - f * b[3])) / a[3]);
        }
    }
    return gap;
}

static wit_status build(wit_surface* s, const wit_surface_def* def, wit_error* error)
{
    (void)error;
    axis_input u = axis_in_u(def), v = axis_in_v(def);
    net_input net = net_in(def);
    surface_spline* n = &s->spline;
    wi_axis_build(&n->u, &u, (char*)s, sizeof *s);
    wi_axis_build(&n->v, &v, (char*)s, sizeof *s + wi_axis_bytes(&u));
    n->power = sizeof *s + wi_axis_bytes(&u) + wi_axis_bytes(&v);
    n->bernstein = n->power;
    if (powers_of(def)) n->bernstein += (size_t)n->u.cells * (size_t)n->v.cells * cell_doubles(def) * sizeof(double);
    n->stride = cell_doubles(def);
    n->row = n->stride * (size_t)n->v.cells;
    n->rational = wi_net_rational(&net);
    n->kernel = wi_kernel_set_of(s->kernel)->surface(def->degree_u, def->degree_v, n->rational);
    build_cells(s, def);

    const double *bu = axis_breaks(&n->u, s), *bv = axis_breaks(&n->v, s);
    s->u = iv(bu[0], bu[n->u.cells]);
    s->v = iv(bv[0], bv[n->v.cells]);
    double size = 0;
    for (size_t i = 0; i < 3 * (size_t)def->count_u * (size_t)def->count_v; ++i)
        size = fmax(size, fabs(def->points[i]));
    double gap_u = ends_gap(s, WIT_U), gap_v = ends_gap(s, WIT_V);
    s->closed_u = gap_u <= 1e-12 * size;
    s->closed_v = gap_v <= 1e-12 * size;
    s->gape = larger(s->closed_u ? gap_u : 0, s->closed_v ? gap_v : 0);
    return WIT_OK;
}

static unsigned eval(const wit_surface* s, double u, double v, unsigned side, wit_hint* hint, wit_surface_jet* out)
{
    nurbs_surface_eval(s, u, v, side, hint, out);
    return WIT_EVAL_REGULAR;
}

const surface_ops wi_surface_nurbs_ops = {"nurbs", check, extra, build, NULL, eval, wi_nurbs_surface_enclose, NULL};
