/* SPDX-License-Identifier: MIT */
/* The Taylor model of F over a cell, and what it leaves out; see point_local.h. */
#include "point_local.h"

/* The middle of an enclosure and its radius; rounding of the two counted. */
static wit_vec3 enclosed(const wit_interval d[3], double* radius)
{
    wit_vec3 m = vec3(iv_mid(d[0]), iv_mid(d[1]), iv_mid(d[2]));
    wit_vec3 w = vec3(iv_width(d[0]), iv_width(d[1]), iv_width(d[2]));
    *radius = 0.5 * norm3(w) * (1 + ROUNDING) + 2 * DBL_EPSILON * norm3(m);
    return m;
}

void wi_point_enclosed_jet(point_run* s, wit_feature_kind kind, int id, const double x[2], noisy_jet* out)
{
    static const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    work_tests(s->work, 1);
    noisy_jet n = {.p = 0};
    if (kind == WIT_FACE) {
        surface_enclosure e;
        wi_surface_enclose(body_surface(s->body, id), iv_point(x[0]), iv_point(x[1]), axes, &e);
        n.j.p = enclosed(e.d[D00], &n.p);
        n.j.du = enclosed(e.d[D10], &n.d1[0]);
        n.j.dv = enclosed(e.d[D01], &n.d1[1]);
        n.j.duu = enclosed(e.d[D20], &n.d2[0]);
        n.j.duv = enclosed(e.d[D11], &n.d2[1]);
        n.j.dvv = enclosed(e.d[D02], &n.d2[2]);
    } else {
        curve_enclosure e;
        wi_curve_enclose(body_curve(s->body, id), iv_point(x[0]), axes, &e);
        n.j.p = enclosed(e.d[0], &n.p);
        n.j.du = enclosed(e.d[1], &n.d1[0]);
        n.j.duu = enclosed(e.d[2], &n.d2[0]);
    }
    *out = n;
}

void wi_point_noise(const noisy_jet* n, const double d1[2], local* l)
{
    double r = sqrt(2 * l->f) * (1 + ROUNDING) + n->p;
    l->f_noise = r * n->p + ROUNDING * r * r;
    for (int i = 0; i < 2; ++i)
        l->g_noise[i] = n->p * (d1[i] + n->d1[i]) + r * n->d1[i] + ROUNDING * r * (d1[i] + n->d1[i]);
}

/* What is known of the derivatives at the middle sharpens the bounds of the cell: |S_i| <= |S_i(c)| + E2_i and so on. */
static void sharpen(point_cell* c, const noisy_jet* n, const double e2[2], const double e3[3], double slow[2])
{
    const wit_surface_jet* j = &n->j;
    slow[0] = norm3(j->du);
    slow[1] = norm3(j->dv);
    c->d1[0] = smaller(c->d1[0], (slow[0] + n->d1[0] + e2[0]) * (1 + ROUNDING));
    c->d1[1] = smaller(c->d1[1], (slow[1] + n->d1[1] + e2[1]) * (1 + ROUNDING));
    c->d2[0] = smaller(c->d2[0], (norm3(j->duu) + n->d2[0] + e3[0]) * (1 + ROUNDING));
    c->d2[1] = smaller(c->d2[1], (norm3(j->duv) + n->d2[1] + e3[1]) * (1 + ROUNDING));
    c->d2[2] = smaller(c->d2[2], (norm3(j->dvv) + n->d2[2] + e3[2]) * (1 + ROUNDING));
}

void wi_point_hessian_noise(const point_cell* c, const noisy_jet* n, double r, double remainder[3])
{
    const double *d1 = c->d1, *d2 = c->d2, a = d1[0] + n->d1[0], b = d1[1] + n->d1[1];
    double product[3] = {a * a, a * b, b * b};
    double error[3] = {2 * a * n->d1[0], a * n->d1[1] + b * n->d1[0], 2 * b * n->d1[1]};
    for (int i = 0; i < 3; ++i)
        remainder[i] += error[i] + (r + n->p) * n->d2[i] + n->p * d2[i] +
                        ROUNDING * (product[i] + r * (d2[i] + n->d2[i]) + remainder[i]);
}

/* Errors of the jet and of the arithmetic are added to the remainders. */
static void count_rounding(const point_cell* c, const noisy_jet* n, model* m)
{
    const double* h = m->h;
    double at[3] = {0, 0, 0}, r = m->reach + n->p;
    wi_point_noise(n, c->d1, &m->at);
    wi_point_hessian_noise(c, n, r, at);
    for (int i = 0; i < 3; ++i) m->h_remainder[i] = m->h_remainder[i] * (1 + ROUNDING) + at[i];
    for (int i = 0; i < 2; ++i) {
        double linear = h[i] * at[2 * i] + h[1 - i] * at[1];
        m->g_remainder[i] = m->g_remainder[i] * (1 + ROUNDING) + m->at.g_noise[i] + linear + ROUNDING * r * c->d1[i];
    }
    m->f_remainder = m->f_remainder * (1 + ROUNDING) + m->at.f_noise + h[0] * m->at.g_noise[0] +
                     h[1] * m->at.g_noise[1] +
                     0.5 * (h[0] * h[0] * at[0] + 2 * h[0] * h[1] * at[1] + h[1] * h[1] * at[2]);
}

void wi_point_spread(const point_cell* c, const double h[2], spread* e)
{
    const double u = h[0], v = h[1], *d2 = c->d2, *d3 = c->d3;
    e->e1 = u * c->d1[0] + v * c->d1[1];
    e->e2i[0] = u * d2[0] + v * d2[1];
    e->e2i[1] = u * d2[1] + v * d2[2];
    e->e2 = u * e->e2i[0] + v * e->e2i[1];
    for (int k = 0; k < 3; ++k) e->e3ij[k] = u * d3[k] + v * d3[k + 1];
    e->e3i[0] = u * e->e3ij[0] + v * e->e3ij[1];
    e->e3i[1] = u * e->e3ij[1] + v * e->e3ij[2];
}

void wi_point_hessian_remainder(const point_cell* c, const noisy_jet* n, const double h[2], const spread* e,
                                double reach, double remainder[3])
{
    const double u = h[0], v = h[1], *d1 = c->d1, *d2 = c->d2, *e2 = e->e2i, *e3 = e->e3i;
    const wit_surface_jet* j = &n->j;
    double su[3] = {fabs(dot3(j->du, j->duu)), fabs(dot3(j->du, j->duv)), fabs(dot3(j->du, j->dvv))};
    double sv[3] = {fabs(dot3(j->dv, j->duu)), fabs(dot3(j->dv, j->duv)), fabs(dot3(j->dv, j->dvv))};
    for (int k = 0; k < 3; ++k) { /* errors of the jet; of the arithmetic in any case */
        su[k] += ROUNDING * d1[0] * d2[k] + (d1[0] + n->d1[0]) * n->d2[k] + d2[k] * n->d1[0];
        sv[k] += ROUNDING * d1[1] * d2[k] + (d1[1] + n->d1[1]) * n->d2[k] + d2[k] * n->d1[1];
    }
    double uu = smaller(d1[0] * e2[0], u * su[0] + v * su[1] + e2[0] * e2[0] + d1[0] * e3[0]);
    double uv = smaller(d1[0] * e2[1], u * su[1] + v * su[2] + e2[0] * e2[1] + d1[0] * e3[1]);
    double vu = smaller(d1[1] * e2[0], u * sv[0] + v * sv[1] + e2[1] * e2[0] + d1[1] * e3[0]);
    double vv = smaller(d1[1] * e2[1], u * sv[1] + v * sv[2] + e2[1] * e2[1] + d1[1] * e3[1]);
    double both[3] = {2 * uu, uv + vu, 2 * vv};
    for (int k = 0; k < 3; ++k) {
        double a = smaller(e->e1 * d2[k], u * su[k] + v * sv[k] + e->e2 * d2[k] + e->e1 * e->e3ij[k]);
        remainder[k] = reach * e->e3ij[k] + both[k] + a;
    }
}

/*
 * Does some g_i keep its sign, by what is known before the bounds are sharpened? Half of all cells end here. With lengths
 * alone T_ij <= R E3_ij + |S_i| E2_j + |S_j| E2_i + E1 |S_ij|.
 */
static bool plainly_monotone(const point_cell* c, const local* l, const double h[2], const spread* e, double reach,
                             const double slack[2])
{
    const double *d1 = c->d1, *d2 = c->d2;
    double uu = reach * e->e3ij[0] + 2 * d1[0] * e->e2i[0] + e->e1 * d2[0];
    double uv = reach * e->e3ij[1] + d1[0] * e->e2i[1] + d1[1] * e->e2i[0] + e->e1 * d2[1];
    double vv = reach * e->e3ij[2] + 2 * d1[1] * e->e2i[1] + e->e1 * d2[2];
    double cross = fabs(l->h[1]) + 0.5 * uv;
    return fabs(l->g[0]) > (h[0] * (fabs(l->h[0]) + 0.5 * uu) + h[1] * cross) * (1 + ROUNDING) + slack[0] ||
           fabs(l->g[1]) > (h[0] * cross + h[1] * (fabs(l->h[2]) + 0.5 * vv)) * (1 + ROUNDING) + slack[1];
}

/* Where a place of the cell is nearest, |g_i| is no more: see crease.h; and the point of a jet is off by a few roundings of its
 * coordinates, which are at most |q| + R. */
static void slopes_that_are_none(const point_run* s, const point_cell* c, double reach, double slack[2])
{
    double rounding = ROUNDING * (reach + fabs(s->q.x) + fabs(s->q.y) + fabs(s->q.z));
    if (c->pieces) rounding += s->body->gape + CREASE * reach;
    for (int i = 0; i < 2; ++i) slack[i] = rounding * c->d1[i];
}

/* With R the reach, the arithmetic of the model adds up terms of at most 2 R^2 + R E2. */
model_end wi_point_model(point_run* s, point_cell* c, bool cull, model* m, double* bound)
{
    noisy_jet n;
    n.p = n.d1[0] = n.d1[1] = n.d2[0] = n.d2[1] = n.d2[2] = 0;
    for (int i = 0; i < 2; ++i) {
        m->x[i] = 0.5 * (c->lo[i] + c->hi[i]);
        m->h[i] = larger(c->hi[i] - m->x[i], m->x[i] - c->lo[i]) * (1 + 2 * DBL_EPSILON);
    }
    if (s->rigorous)
        wi_point_enclosed_jet(s, (wit_feature_kind)c->kind, c->feature, m->x, &n);
    else
        plain_jet(s, (wit_feature_kind)c->kind, c->feature, m->x, WIT_KNOT_DEFAULT, &n.j);
    localize(s, (wit_feature_kind)c->kind, &n.j, &m->at);
    double distance = sqrt(2 * m->at.f), e1 = m->h[0] * c->d1[0] + m->h[1] * c->d1[1];
    double near = distance * (1 - ROUNDING) - e1 * (1 + ROUNDING) - n.p;
    if (near > 0 && near * near > *bound) *bound = near * near;
    if (*bound >= s->keep) return MODEL_FAR;
    spread e;
    wi_point_spread(c, m->h, &e);
    slopes_that_are_none(s, c, distance + e.e1, m->slack);
    if (cull && !s->rigorous && plainly_monotone(c, &m->at, m->h, &e, distance + e.e1, m->slack)) return MODEL_EMPTY;
    sharpen(c, &n, e.e2i, e.e3ij, m->slow);
    wi_point_spread(c, m->h, &e);
    m->r = sub3(n.j.p, s->q);
    m->reach = distance + e.e1;
    wi_point_hessian_remainder(c, &n, m->h, &e, m->reach, m->h_remainder);
    const double *h = m->h, *T = m->h_remainder;
    m->g_remainder[0] = 0.5 * (h[0] * T[0] + h[1] * T[1]);
    m->g_remainder[1] = 0.5 * (h[0] * T[1] + h[1] * T[2]);
    m->f_remainder =
        (h[0] * m->g_remainder[0] + h[1] * m->g_remainder[1]) / 3 + ROUNDING * m->reach * (2 * m->reach + e.e2);
    if (s->rigorous) count_rounding(c, &n, m);
    for (int i = 0; i < 2; ++i) m->g_remainder[i] += m->slack[i];
    return MODEL_MADE;
}

/*
 * Inside only where H is definite, else on the border. Next to singular the place inside would be lost in rounding: H_uu is
 * then lowered until H is singular, which lowers the quadratic everywhere and puts its least on the border.
 */
double wi_point_least_quadratic(const local* l, const double h[2], double d[2])
{
    const double* g = l->g;
    double H[3] = {l->h[0], l->h[1], l->h[2]}, det = H[0] * H[2] - H[1] * H[1];
    if (H[0] > 0 && det > 0 && det <= 1e-6 * H[0] * H[2]) {
        H[0] = H[1] * H[1] / H[2] * (1 - ROUNDING);
    } else if (H[0] > 0 && det > 0) {
        double x = (H[1] * g[1] - H[2] * g[0]) / det, y = (H[1] * g[0] - H[0] * g[1]) / det;
        if (fabs(x) <= h[0] && fabs(y) <= h[1]) {
            d[0] = x, d[1] = y;
            return 0.5 * (g[0] * x + g[1] * y);
        }
    }
    double least = INFINITY;
    for (int i = 0; i < 2; ++i) {
        int k = 1 - i;
        for (int sign = -1; sign <= 1; sign += 2) { /* the side d_i = sign h_i */
            double at = sign * h[i], slope = g[k] + H[1] * at, a = H[2 * k];
            double f = (g[i] + 0.5 * H[2 * i] * at) * at + least_along(a, slope, h[k]);
            if (!(f < least)) continue;
            least = f;
            d[i] = at;
            d[k] = a * h[k] > fabs(slope) ? -slope / a : slope > 0 ? -h[k] : h[k];
        }
    }
    return least;
}
