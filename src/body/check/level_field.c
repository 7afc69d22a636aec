/* SPDX-License-Identifier: MIT */
#include "level_field.h"

#include <string.h>

double wi_level_value(const level_cell* c, double u, double v)
{
    unsigned side = 0;
    if (u >= c->u.hi) side |= WIT_KNOT_U_BELOW;
    if (v >= c->v.hi) side |= WIT_KNOT_V_BELOW;
    wit_surface_jet j;
    wit_surface_eval(c->surface, u, v, side, NULL, &j);
    wit_vec3 n = cross3(j.du, j.dv);
    double m = dot3(j.duv, n);
    return dot3(j.duu, n) * dot3(j.dvv, n) - m * m;
}

typedef struct iv3 {
    wit_interval c[3];
} iv3;

static iv3 iv3_of(const wit_interval d[3])
{
    iv3 r = {{d[0], d[1], d[2]}};
    return r;
}

static iv3 iv3_add(iv3 a, iv3 b)
{
    for (int k = 0; k < 3; ++k) a.c[k] = iv_add(a.c[k], b.c[k]);
    return a;
}

static iv3 iv3_cross(iv3 a, iv3 b)
{
    iv3 r;
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        r.c[k] = iv_sub(iv_mul(a.c[i], b.c[j]), iv_mul(a.c[j], b.c[i]));
    }
    return r;
}

static wit_interval iv3_dot(iv3 a, iv3 b)
{
    return iv_add(iv_mul(a.c[0], b.c[0]), iv_add(iv_mul(a.c[1], b.c[1]), iv_mul(a.c[2], b.c[2])));
}

/* d(L N - M^2) = dL N + L dN - 2 M dM, with dL = (third . n) + (second . dn). */
static wit_interval derivative(const wit_interval lmn[3], const iv3 second[3], const iv3 third[3], iv3 n, iv3 dn)
{
    wit_interval d[3];
    for (int k = 0; k < 3; ++k) d[k] = iv_add(iv3_dot(third[k], n), iv3_dot(second[k], dn));
    wit_interval r = iv_add(iv_mul(d[0], lmn[2]), iv_mul(lmn[0], d[2]));
    return iv_sub(r, iv_scale(2, iv_mul(lmn[1], d[1])));
}

/* Four units in the last place inside the cell: at a knot an enclosure would look at the cell beyond it too. */
static wit_interval inside(wit_interval x, wit_interval cell)
{
    double nudge = 4 * DBL_EPSILON * (iv_mag(cell));
    if (x.lo < cell.lo + nudge) x.lo = cell.lo + nudge;
    if (x.hi > cell.hi - nudge) x.hi = cell.hi - nudge;
    if (x.lo > x.hi) x.lo = x.hi = iv_mid(x);
    return x;
}

static void natural_enclose(const level_cell* c, wit_interval u, wit_interval v, level_bound* out)
{
    wit_surface_jet mid;
    wit_surface_eval(c->surface, iv_mid(u), iv_mid(v), WIT_KNOT_DEFAULT, NULL, &mid);
    wit_vec3 axes[3];
    axes[2] = unit3(cross3(mid.du, mid.dv));
    axes[0] = unit3(mid.du);
    if (dot3(axes[2], axes[2]) > 0) {
        axes[1] = cross3(axes[2], axes[0]);
    } else {
        axes[0] = vec3(1, 0, 0);
        axes[1] = vec3(0, 1, 0);
        axes[2] = vec3(0, 0, 1);
    }
    surface_enclosure e;
    wi_surface_enclose(c->surface, inside(u, c->u), inside(v, c->v), axes, &e);
    iv3 d[SURFACE_DERIVATIVES];
    for (int k = 0; k < SURFACE_DERIVATIVES; ++k) d[k] = iv3_of(e.d[k]);
    iv3 n = iv3_cross(d[D10], d[D01]);
    iv3 nu = iv3_add(iv3_cross(d[D20], d[D01]), iv3_cross(d[D10], d[D11]));
    iv3 nv = iv3_add(iv3_cross(d[D11], d[D01]), iv3_cross(d[D10], d[D02]));
    iv3 second[3] = {d[D20], d[D11], d[D02]};
    iv3 third_u[3] = {d[D30], d[D21], d[D12]}, third_v[3] = {d[D21], d[D12], d[D03]};
    wit_interval lmn[3];
    for (int k = 0; k < 3; ++k) lmn[k] = iv3_dot(second[k], n);
    out->g = iv_sub(iv_mul(lmn[0], lmn[2]), iv_square(lmn[1]));
    out->gu = derivative(lmn, second, third_u, n, nu);
    out->gv = derivative(lmn, second, third_v, n, nv);
}

void wi_level_enclose(const level_cell* c, wit_interval u, wit_interval v, level_bound* out)
{
    natural_enclose(c, u, v, out);
    /* g(x) = g(m) + g_u(x') (u - m_u) + g_v(x') (v - m_v); rounding of g(m) is far below LEVEL_ZERO yard / 100. */
    double m = wi_level_value(c, iv_mid(u), iv_mid(v)), hu = 0.5 * iv_width(u), hv = 0.5 * iv_width(v);
    double reach = iv_mag(out->gu) * hu + iv_mag(out->gv) * hv + 1e-2 * LEVEL_ZERO * c->yard;
    out->g.lo = larger(out->g.lo, m - reach);
    out->g.hi = smaller(out->g.hi, m + reach);
    if (out->g.lo > out->g.hi) out->g = iv(smaller(out->g.hi, m), larger(out->g.lo, m));
}

void wi_level_gradient(const level_cell* c, double u, double v, double out[2])
{
    level_bound b;
    natural_enclose(c, iv_point(u), iv_point(v), &b);
    out[0] = iv_mid(b.gu);
    out[1] = iv_mid(b.gv);
}

static double yardstick(const level_cell* c, const wit_surface_jet* j)
{
    wit_vec3 n = cross3(j->du, j->dv);
    double a = larger(norm3(j->duu), norm3(j->du) / iv_width(c->u));
    double b = larger(norm3(j->dvv), norm3(j->dv) / iv_width(c->v));
    return dot3(n, n) * larger(a * b, dot3(j->duv, j->duv));
}

static bool zero_along(const level_cell* c, bool along_u, double value)
{
    enum { SAMPLES = 33 };
    for (int i = 0; i < SAMPLES; ++i) {
        wit_interval r = along_u ? c->u : c->v;
        double t = i == SAMPLES - 1 ? r.hi : r.lo + iv_width(r) * i / (SAMPLES - 1);
        if (fabs(wi_level_value(c, along_u ? t : value, along_u ? value : t)) > LEVEL_ZERO * c->yard) return false;
    }
    return true;
}

void wi_level_cell_init(level_cell* c, const wit_surface* surface, wit_interval u, wit_interval v)
{
    /* More samples per direction than g has zeros along a line for degree 3: 2 (3 p - 2) for polynomial pieces. */
    enum { SAMPLES = 17 };
    memset(c, 0, sizeof *c);
    c->surface = surface;
    c->u = u;
    c->v = v;
    double largest = 0;
    for (int i = 0; i < SAMPLES; ++i)
        for (int j = 0; j < SAMPLES; ++j) {
            double x = u.lo + iv_width(u) * (i + 0.5) / SAMPLES, y = v.lo + iv_width(v) * (j + 0.5) / SAMPLES;
            wit_surface_jet jet;
            wit_surface_eval(surface, x, y, WIT_KNOT_DEFAULT, NULL, &jet);
            c->yard = larger(c->yard, yardstick(c, &jet));
            largest = larger(largest, fabs(wi_level_value(c, x, y)));
        }
    c->flat = largest <= LEVEL_ZERO * c->yard;
    if (c->flat) return;
    if (zero_along(c, false, u.lo)) c->zero_borders |= 1;
    if (zero_along(c, false, u.hi)) c->zero_borders |= 2;
    if (zero_along(c, true, v.lo)) c->zero_borders |= 4;
    if (zero_along(c, true, v.hi)) c->zero_borders |= 8;
}
