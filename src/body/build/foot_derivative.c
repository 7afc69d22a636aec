/* SPDX-License-Identifier: MIT */
#include "foot_derivative.h"

#include "../../base/solve.h"
#include "invert.h"

/* In range, and exactly on a break that is within rounding: there sides matter. */
static double settled(const wit_surface* s, int d, double x, bool* on_break)
{
    wit_interval range = d == 0 ? s->u : s->v;
    x = wi_surface_wrap(x, range, d == 0 ? s->closed_u : s->closed_v);
    int count;
    const double* b = wit_surface_breaks(s, (wit_direction)d, &count);
    int lo = 0, hi = count - 1;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        if (x >= b[mid])
            lo = mid;
        else
            hi = mid;
    }
    double near = x - b[lo] <= b[hi] - x ? b[lo] : b[hi];
    *on_break = fabs(x - near) <= 1e-12 * iv_width(range);
    return *on_break ? near : x;
}

/* The foot with what was evaluated there. e = S - C. */
typedef struct foot_jet {
    wit_surface_jet j;
    double at[2]; /* (u, v) in the range */
    wit_vec3 e, c1, c2;
} foot_jet;

static double first_form(const foot_jet* f, int i, int k)
{
    const wit_vec3* d = &f->j.du;
    return dot3(d[i], d[k]);
}

static wit_vec3 second_of(const wit_surface_jet* j, int i, int k)
{
    return i + k == 0 ? j->duu : i + k == 1 ? j->duv : j->dvv;
}

/* e.S_ijk d_j d_k by the change of S_ij on a short way along d, to the side that the foot is seen from. */
static void third_along(const foot_at* foot, const foot_jet* f, const double d[2], double out[2])
{
    const wit_surface* s = foot->surface;
    double way = larger(fabs(d[0]) / iv_width(s->u), fabs(d[1]) / iv_width(s->v));
    out[0] = out[1] = 0;
    if (!(way > 0)) return;
    double step = (foot->toward < foot->t ? -1e-5 : 1e-5) / way;
    wit_surface_jet near;
    double u = wi_surface_wrap(f->at[0] + step * d[0], s->u, s->closed_u);
    double v = wi_surface_wrap(f->at[1] + step * d[1], s->v, s->closed_v);
    wit_surface_eval(s, u, v, WIT_KNOT_DEFAULT, NULL, &near);
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k)
            out[i] += d[k] / step * dot3(f->e, sub3(second_of(&near, i, k), second_of(&f->j, i, k)));
}

/*
 * The foot satisfies S_i.e = 0. Along t, with S' = S_j c'_j and e' = S' - C': H c' = (S_i.C'), H_ij = S_i.S_j + e.S_ij the
 * Hessian of half the squared distance, and once more
 *
 *   H_ij c''_j = S_i.(C'' - S_jk c'_j c'_k) - 2 S_ij c'_j.e' - e.S_ijk c'_j c'_k.
 *
 * Where e is nothing, H is the first fundamental form and the last two terms vanish.
 */
static bool second_along(const foot_at* foot, const foot_jet* f, const double d1[2], double d2[2])
{
    const wit_surface_jet* j = &f->j;
    wit_vec3 bend =
        addscaled3(addscaled3(scale3(d1[0] * d1[0], j->duu), 2 * d1[0] * d1[1], j->duv), d1[1] * d1[1], j->dvv);
    wit_vec3 unbent = sub3(f->c2, bend);
    double E = first_form(f, 0, 0), F = first_form(f, 0, 1), G = first_form(f, 1, 1), third[2];
    double r[2] = {dot3(j->du, unbent), dot3(j->dv, unbent)}, own[2] = {r[0], r[1]};
    if (norm3(f->e) > foot->blur) {
        wit_vec3 parting = sub3(addscaled3(scale3(d1[0], j->du), d1[1], j->dv), f->c1);
        third_along(foot, f, d1, third);
        for (int i = 0; i < 2; ++i)
            for (int k = 0; k < 2; ++k) own[i] -= 2 * d1[k] * dot3(second_of(j, i, k), parting);
        own[0] -= third[0];
        own[1] -= third[1];
        if (solve2_definite(E + dot3(f->e, j->duu), F + dot3(f->e, j->duv), G + dot3(f->e, j->dvv), own, d2))
            return true;
    }
    return solve2_definite(E, F, G, r, d2);
}

bool wi_foot_derivatives(const foot_at* foot, double d1[2], double d2[2])
{
    const wit_surface* s = foot->surface;
    const double *x = foot->x, blur = foot->blur;
    wit_curve_jet c;
    foot_jet f;
    wit_curve_eval(foot->curve, foot->t, foot->toward < foot->t ? WIT_KNOT_T_BELOW : 0, NULL, &c);
    unsigned side = 0;
    for (int d = 0; d < 2; ++d) {
        bool on_break;
        f.at[d] = settled(s, d, x[d], &on_break);
        if (on_break && foot->toward_x[d] < x[d]) side |= d == 0 ? WIT_KNOT_U_BELOW : WIT_KNOT_V_BELOW;
    }
    unsigned place = wit_surface_eval(s, f.at[0], f.at[1], side, NULL, &f.j);
    double E = first_form(&f, 0, 0), F = first_form(&f, 0, 1), G = first_form(&f, 1, 1);
    if (place & WIT_EVAL_DEGENERATE || sqrt(E) * iv_width(s->u) <= blur || sqrt(G) * iv_width(s->v) <= blur)
        return false;
    f.e = sub3(f.j.p, c.p);
    f.c1 = c.d1;
    f.c2 = c.d2;
    double g[2] = {dot3(f.j.du, c.d1), dot3(f.j.dv, c.d1)};
    if (!solve2_definite(E + dot3(f.e, f.j.duu), F + dot3(f.e, f.j.duv), G + dot3(f.e, f.j.dvv), g, d1) &&
        !solve2_definite(E, F, G, g, d1))
        return false;
    return second_along(foot, &f, d1, d2);
}
