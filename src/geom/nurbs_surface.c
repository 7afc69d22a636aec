/* SPDX-License-Identifier: MIT */
/* NURBS surfaces: from a def to cells. */
#include "kernel_set.h"
#include "nurbs.h"
#include "nurbs_enclose.h"
#include "nurbs_net.h"

static axis_input axis_in_u(const wit_surface_def* d)
{
    axis_input in = {d->degree_u, d->count_u, d->knot_count_u, d->periodic_u,
                     d->knots_u,  "degree_u", "points",        "knots_u"};
    return in;
}

static axis_input axis_in_v(const wit_surface_def* d)
{
    axis_input in = {d->degree_v, d->count_v, d->knot_count_v, d->periodic_v,
                     d->knots_v,  "degree_v", "points",        "knots_v"};
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

static size_t extra(const wit_surface_def* def)
{
    axis_input u = axis_in_u(def), v = axis_in_v(def);
    size_t cells = (size_t)wi_axis_cells(&u) * (size_t)wi_axis_cells(&v);
    return wi_axis_bytes(&u) + wi_axis_bytes(&v) + 2 * cells * cell_doubles(def) * sizeof(double);
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
    double weight_scale = wi_net_weight_scale(&net);
    double* power = (double*)(void*)((char*)s + s->spline.power);
    double* bernstein = (double*)(void*)((char*)s + s->spline.bernstein);
    axis_matrix bezier_u, bezier_v;
    axis_matrix2 power_u, power_v;

    axis_cell cu = wi_axis_first(&u);
    for (int i = 0; i < s->spline.u.cells; ++i, cu = wi_axis_next(&u, cu)) {
        wi_axis_extract(&u, &cu, bezier_u, power_u);
        axis_cell cv = wi_axis_first(&v);
        for (int j = 0; j < s->spline.v.cells; ++j, cv = wi_axis_next(&v, cv)) {
            wi_axis_extract(&v, &cv, bezier_v, power_v);
            twofold h[NET];
            for (int a = 0; a <= p; ++a)
                for (int b = 0; b <= q; ++b) {
                    int r = wi_axis_point(&u, cu.knot - p + a) * def->count_v + wi_axis_point(&v, cv.knot - q + b);
                    wi_net_point(&net, weight_scale, (size_t)r, h + (a * (q + 1) + b) * 4);
                }
            transform(bezier_u, bezier_v, p, q, h, bernstein);
            transform2(power_u, power_v, p, q, h, power);
            bernstein += per_cell;
            power += per_cell;
        }
    }
}

/* Do the two ends of direction `d` coincide? Both border curves are rational of degree n: equal at 2 n + 1
 * points of a cell means equal everywhere. */
static bool ends_meet(const wit_surface* s, wit_direction d, double tolerance)
{
    const spline_axis* along = d == WIT_U ? &s->spline.v : &s->spline.u;
    const double* b = axis_breaks(along, s);
    int samples = 2 * along->degree + 1;
    for (int cell = 0; cell < along->cells; ++cell)
        for (int i = 0; i < samples; ++i) {
            double x = b[cell] + (b[cell + 1] - b[cell]) * i / samples;
            wit_surface_jet first, last;
            if (d == WIT_U) {
                nurbs_surface_eval(s, s->u.lo, x, WIT_KNOT_DEFAULT, NULL, &first);
                nurbs_surface_eval(s, s->u.hi, x, WIT_KNOT_DEFAULT, NULL, &last);
            } else {
                nurbs_surface_eval(s, x, s->v.lo, WIT_KNOT_DEFAULT, NULL, &first);
                nurbs_surface_eval(s, x, s->v.hi, WIT_KNOT_DEFAULT, NULL, &last);
            }
            if (norm3(sub3(first.p, last.p)) > tolerance) return false;
        }
    return true;
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
    n->bernstein = n->power + (size_t)n->u.cells * (size_t)n->v.cells * cell_doubles(def) * sizeof(double);
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
    s->closed_u = ends_meet(s, WIT_U, 1e-12 * size);
    s->closed_v = ends_meet(s, WIT_V, 1e-12 * size);
    return WIT_OK;
}

static unsigned eval(const wit_surface* s, double u, double v, unsigned side, wit_hint* hint, wit_surface_jet* out)
{
    nurbs_surface_eval(s, u, v, side, hint, out);
    return WIT_EVAL_REGULAR;
}

const surface_ops wi_surface_nurbs_ops = {"nurbs", check, extra, build, NULL, eval, wi_nurbs_surface_enclose, NULL};
