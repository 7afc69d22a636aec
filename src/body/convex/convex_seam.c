/* SPDX-License-Identifier: MIT */
/*
 * The reflex turn across a line that two spline cells share, from a few places of it.
 *
 * With g the derivative of the first surface into it, across the line, and N = S_u x S_v of the second, outwards, the sine of the
 * reflex turn is R |C'| / (|N1| |N2|), R = g.N. Along a line of parameters of both cells R w1^2 w2^4 is a polynomial, of degree
 * 2 p1 + 4 p2 at most (without weights R is one of degree p1 + 2 p2), and a polynomial of degree m <= 80 is nowhere larger than 4
 * times its largest value at m + 1 Chebyshev points (Lebesgue constant (2 / pi) log(m + 1) + 1 at most). So what is found there
 * bounds R along all of the line. The same goes for how far apart the two lines are.
 */
#include "convex_seam.h"

#include "../../geom/bounds.h"
#include "../../geom/spline_axis.h"
#include "convex.h"

enum { PIECES = 8, MOST_NODES = 81 };
#define LEBESGUE 4.0

typedef struct measured {
    double reflex, apart; /* the largest R and distance at the places */
    double noise;         /* what rounding may make of R */
} measured;

static const spline_axis* axis_of(const wit_surface* s, bool u)
{
    return u ? &s->spline.u : &s->spline.v;
}

static double parameter_at(const seam_side* x, double t)
{
    return x->shift + x->scale * t;
}

static wit_surface_jet jet_at(const seam_side* x, double t)
{
    wit_surface_jet j;
    double along = parameter_at(x, t);
    wit_surface_eval(x->s, x->along_u ? along : x->fixed, x->along_u ? x->fixed : along, x->side, NULL, &j);
    return j;
}

static wit_vec3 into_of(const seam_side* x, const wit_surface_jet* j)
{
    return scale3(x->into, x->along_u ? j->dv : j->du);
}

static wit_vec3 normal_of(const seam_side* x, const wit_surface_jet* j)
{
    return scale3(x->reversed ? -1 : 1, cross3(j->du, j->dv));
}

/* First derivatives of a spline are good to this at a place: rounding of the coefficients over the length of the cell. */
static double derivative_noise(const seam_side* x, const wit_surface_jet* j)
{
    const spline_axis *u = &x->s->spline.u, *v = &x->s->spline.v;
    double per = 0;
    for (int i = 0; i < u->cells; ++i) per = larger(per, u->degree * axis_inverse(u, x->s)[i]);
    for (int i = 0; i < v->cells; ++i) per = larger(per, v->degree * axis_inverse(v, x->s)[i]);
    double over = per > 0 ? larger(x->s->speed_u, x->s->speed_v) / per : 0;
    return 32 * DBL_EPSILON * per * (norm3(j->p) + over);
}

static measured measure(const seam_side* a, const seam_side* b, wit_interval t, int degree)
{
    measured m = {0, 0, 0};
    for (int k = 0; k <= degree; ++k) {
        double sine, cosine;
        wit_sincos(PI * (k + 0.5) / (degree + 1), &sine, &cosine);
        double x = iv_mid(t) + 0.5 * iv_width(t) * cosine;
        wit_surface_jet p = jet_at(a, x), q = jet_at(b, x);
        wit_vec3 g = into_of(a, &p), n = normal_of(b, &q);
        m.reflex = larger(m.reflex, fabs(dot3(g, n)));
        m.apart = larger(m.apart, norm3(sub3(p.p, q.p)));
        m.noise = larger(m.noise, derivative_noise(a, &p) * norm3(n) +
                                      derivative_noise(b, &q) * norm3(g) * (norm3(q.du) + norm3(q.dv)));
    }
    return m;
}

/* Largest to smallest weight of the cell that holds the middle of the stretch. */
static double weight_ratio(const seam_side* x, wit_interval t)
{
    const surface_spline* n = &x->s->spline;
    double least = INFINITY, most = 0;
    if (!n->rational) return 1;
    int along = axis_locate(axis_of(x->s, x->along_u), x->s, parameter_at(x, iv_mid(t)), 0);
    int across = axis_locate(axis_of(x->s, !x->along_u), x->s, x->fixed, 0);
    unsigned below = x->along_u ? WIT_KNOT_V_BELOW : WIT_KNOT_U_BELOW;
    if ((x->side & below) && across > 0 && x->fixed == axis_breaks(axis_of(x->s, !x->along_u), x->s)[across]) --across;
    int i = x->along_u ? along : across, j = x->along_u ? across : along,
        points = (n->u.degree + 1) * (n->v.degree + 1);
    const double* net = (const double*)(const void*)((const char*)x->s + n->bernstein) +
                        ((size_t)i * (size_t)n->v.cells + (size_t)j) * (size_t)points * 4;
    for (int k = 0; k < points; ++k) {
        least = smaller(least, net[4 * k + 3]);
        most = larger(most, net[4 * k + 3]);
    }
    return most / least;
}

/* Over a stretch of the line: |S_u x S_v| at least, the speed along it at most, the normal curvatures at most. */
typedef struct side_bounds {
    double normal, speed, bend;
} side_bounds;

static double length_of(const wit_interval d[3])
{
    double x = iv_mag(d[0]), y = iv_mag(d[1]), z = iv_mag(d[2]);
    return sqrt(x * x + y * y + z * z);
}

static side_bounds bounds_of(const seam_side* x, wit_interval t)
{
    side_bounds r = {0, INFINITY, INFINITY};
    double lo = parameter_at(x, t.lo), hi = parameter_at(x, t.hi);
    wit_interval along = iv(smaller(lo, hi), larger(lo, hi)), fixed = iv_point(x->fixed);
    /* some width into the side that counts: of a knot both sides would be taken */
    double width = 1e-9 * iv_width(x->along_u ? x->s->v : x->s->u);
    if (x->into > 0)
        fixed.hi += width;
    else
        fixed.lo -= width;
    wit_surface_jet j = jet_at(x, iv_mid(t));
    surface_enclosure e;
    wit_vec3 axes[3];
    axes[0] = unit3(j.du);
    axes[2] = unit3(cross3(axes[0], unit3(j.dv)));
    axes[1] = cross3(axes[2], axes[0]);
    if (!(dot3(axes[2], axes[2]) > 0.5)) return r;
    wi_surface_enclose(x->s, x->along_u ? along : fixed, x->along_u ? fixed : along, axes, &e);
    const wit_interval *a = e.d[D10], *b = e.d[D01];
    wit_interval n = iv_sub(iv_mul(a[0], b[1]), iv_mul(a[1], b[0]));
    double u = length_of(a), v = length_of(b);
    r.normal = larger(0, iv_widen(n, 8 * DBL_EPSILON * u * v).lo);
    r.speed = fabs(x->scale) * (x->along_u ? u : v);
    /* II <= (|S_uu| + 2 |S_uv| + |S_vv|) (du^2 + dv^2), and du^2 + dv^2 <= (|S_u|^2 + |S_v|^2) / |N|^2 for unit vectors */
    double second = length_of(e.d[D20]) + 2 * length_of(e.d[D11]) + length_of(e.d[D02]);
    if (r.normal > 0) r.bend = second * (u * u + v * v) / (r.normal * r.normal);
    return r;
}

/* The next border of a cell of either side after t, or the end. */
static double next_break(const seam_side* x, double t, double end)
{
    const spline_axis* a = axis_of(x->s, x->along_u);
    const double* breaks = axis_breaks(a, x->s);
    double near = 1e-9 * fabs(end - t), best = end;
    for (int k = 0; k <= a->cells; ++k) {
        double at = (breaks[k] - x->shift) / x->scale;
        if (at > t + near && at < best - near) best = at;
    }
    return best;
}

static double stretch_reflex(const seam_side* a, const seam_side* b, wit_interval t)
{
    int p = axis_of(a->s, a->along_u)->degree, q = axis_of(b->s, b->along_u)->degree;
    bool rational = a->s->spline.rational || b->s->spline.rational;
    int degree = rational ? 2 * p + 4 * q : p + 2 * q;
    if (degree >= MOST_NODES) return INFINITY;
    measured m = measure(a, b, t, degree);
    double ra = weight_ratio(a, t), rb = weight_ratio(b, t), grow = LEBESGUE * ra * ra * rb * rb * rb * rb, worst = 0;
    for (int k = 0; k < PIECES; ++k) {
        double h = iv_width(t) / PIECES;
        wit_interval piece = iv(t.lo + h * k, t.lo + h * (k + 1));
        side_bounds x = bounds_of(a, piece), y = bounds_of(b, piece);
        if (!(x.normal > 0) || !(y.normal > 0)) return INFINITY;
        /* |C'| with respect to t, and g is across the same line in the parameters of a */
        double sine = (m.reflex * grow + m.noise) * (x.speed / fabs(a->scale)) / (x.normal * y.normal);
        worst = larger(worst, sine + 2 * m.apart * grow * (x.bend + y.bend));
    }
    return worst < 0.1 ? 1.01 * worst + CONVEX_ROUNDING : INFINITY;
}

double wi_seam_reflex(const seam_side* a, const seam_side* b, wit_interval t, double* sum)
{
    double worst = 0;
    *sum = 0;
    for (double lo = t.lo; lo < t.hi && worst < INFINITY;) {
        double hi = smaller(next_break(a, lo, t.hi), next_break(b, lo, t.hi));
        double reflex = stretch_reflex(a, b, iv(lo, hi));
        int p = axis_of(a->s, a->along_u)->degree;
        worst = larger(worst, reflex);
        *sum += p * reflex;
        lo = hi;
    }
    return worst;
}
