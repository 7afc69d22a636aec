/* SPDX-License-Identifier: MIT */
/* Bounds for a step, cell by cell: across a knot the second derivatives may jump. */
#include "step_bounds.h"

/* a / b for b > 0; where the shape does not move at all there is nothing to bound. */
static double per(double a, double b)
{
    return b > 0 ? a / b : a > 0 ? INFINITY : 0;
}

static double cell_third(const wit_surface* s, wit_interval u, wit_interval v)
{
    wit_surface_bounds b;
    wit_surface_bound(s, u, v, &b);
    double su = s->speed_u, sv = s->speed_v;
    double most = larger(larger(per(b.duuu, su * su * su), per(b.dvvv, sv * sv * sv)),
                         larger(per(b.duuv, su * su * sv), per(b.duvv, su * sv * sv)));
    return isfinite(most) ? most : INFINITY;
}

double wi_surface_third(const wit_surface* s, wit_interval u, wit_interval v)
{
    if (s->kind == WIT_SURFACE_PLANE) return 0;
    int nu, nv;
    const double *bu = wit_surface_breaks(s, WIT_U, &nu), *bv = wit_surface_breaks(s, WIT_V, &nv);
    double most = 0;
    /* a closed parameter may run over the seam: all of its cells then */
    bool all_u = s->closed_u, all_v = s->closed_v;
    for (int i = 0; i + 1 < nu; ++i) {
        if (!all_u && (bu[i + 1] < u.lo || bu[i] > u.hi)) continue;
        for (int j = 0; j + 1 < nv; ++j) {
            if (!all_v && (bv[j + 1] < v.lo || bv[j] > v.hi)) continue;
            most = larger(most, cell_third(s, iv(bu[i], bu[i + 1]), iv(bv[j], bv[j + 1])));
        }
    }
    return most;
}

double wi_curve_third(const wit_curve* c, wit_interval t)
{
    int n;
    const double* breaks = wit_curve_breaks(c, &n);
    double most = 0, speed = c->speed;
    for (int i = 0; i + 1 < n; ++i) {
        if (!c->closed && (breaks[i + 1] < t.lo || breaks[i] > t.hi)) continue;
        wit_curve_bounds b;
        wit_curve_bound(c, iv(breaks[i], breaks[i + 1]), &b);
        double third = per(b.d3, speed * speed * speed);
        most = larger(most, isfinite(third) ? third : INFINITY);
    }
    return most;
}

/* Is the border at `value` one point? Seen at five places: a border of a kind the library builds is drawn together as a
 * whole or not at all. */
static bool is_pole(const wit_surface* s, wit_direction fixed, double value, wit_interval along)
{
    wit_vec3 n, first = {0, 0, 0};
    double speed = fixed == WIT_V ? s->speed_u : s->speed_v;
    for (int k = 0; k < 5; ++k) {
        double x = along.lo + iv_width(along) * (0.1 + 0.2 * k);
        double u = fixed == WIT_V ? x : value, v = fixed == WIT_V ? value : x;
        wit_surface_jet j;
        wit_surface_eval(s, u, v, WIT_KNOT_DEFAULT, NULL, &j);
        if (k == 0) first = j.p;
        if (!(norm3(fixed == WIT_V ? j.du : j.dv) <= 1e-9 * speed)) return false;
        if (!(norm3(sub3(j.p, first)) <= 1e-9 * speed * iv_width(along))) return false;
        if (!wit_surface_normal(s, u, v, &n)) return false; /* an apex */
    }
    return true;
}

unsigned wi_surface_poles(const wit_surface* s, wit_interval u, wit_interval v)
{
    unsigned poles = 0;
    if (!s->degenerate) return 0;
    if (!s->closed_u && u.lo <= s->u.lo && is_pole(s, WIT_U, s->u.lo, v)) poles |= POLE_U_LO;
    if (!s->closed_u && u.hi >= s->u.hi && is_pole(s, WIT_U, s->u.hi, v)) poles |= POLE_U_HI;
    if (!s->closed_v && v.lo <= s->v.lo && is_pole(s, WIT_V, s->v.lo, u)) poles |= POLE_V_LO;
    if (!s->closed_v && v.hi >= s->v.hi && is_pole(s, WIT_V, s->v.hi, u)) poles |= POLE_V_HI;
    return poles;
}
