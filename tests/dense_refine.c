/* SPDX-License-Identifier: MIT */
#include "dense_refine.h"

#include <string.h>

unsigned piece_jet(const piece* s, const frame* f, const double* x, jet* out)
{
    unsigned place = 0;
    memset(out, 0, sizeof *out);
    if (s->dim == 2) {
        wit_surface_jet j;
        place = wit_surface_eval(s->surface, x[0], x[1], 0, NULL, &j);
        jet all = {j.p, {j.du, j.dv}, {j.duu, j.duv, j.dvv}};
        *out = all;
    } else if (s->dim == 1) {
        wit_curve_jet j;
        place = wit_curve_eval(s->curve, x[0], 0, NULL, &j);
        out->p = j.p;
        out->d[0] = j.d1;
        out->dd[0] = j.d2;
    } else {
        out->p = s->point;
    }
    if (f) {
        out->p = place_in(f, out->p);
        for (int k = 0; k < 2; k++) out->d[k] = turn(f, out->d[k]);
        for (int k = 0; k < 3; k++) out->dd[k] = turn(f, out->dd[k]);
    }
    return place;
}

typedef struct model {
    double f, g[4], h[4][4];
    wit_vec3 r;
} model;

static double value_at(const task* t, const double* x)
{
    jet a, b;
    piece_jet(t->a, NULL, x, &a);
    if (t->b)
        piece_jet(t->b, t->f, x + 2, &b);
    else
        b.p = t->q;
    wit_vec3 r = sub3(a.p, b.p);
    return 0.5 * dot3(r, r);
}

static void model_at(const task* t, const double* x, model* m)
{
    jet a, b;
    memset(&b, 0, sizeof b);
    memset(m, 0, sizeof *m);
    piece_jet(t->a, NULL, x, &a);
    if (t->b)
        piece_jet(t->b, t->f, x + 2, &b);
    else
        b.p = t->q;
    wit_vec3 r = sub3(a.p, b.p);
    m->r = r;
    m->f = 0.5 * dot3(r, r);
    for (int i = 0; i < 2; i++) {
        m->g[i] = dot3(r, a.d[i]);
        m->g[2 + i] = -dot3(r, b.d[i]);
        for (int j = 0; j < 2; j++) {
            m->h[i][j] = dot3(a.d[i], a.d[j]) + dot3(r, a.dd[i + j]);
            m->h[2 + i][2 + j] = dot3(b.d[i], b.d[j]) - dot3(r, b.dd[i + j]);
            m->h[i][2 + j] = m->h[2 + j][i] = -dot3(a.d[i], b.d[j]);
        }
    }
}

/* (H + lambda D) s = -g over the free parameters, by Cholesky; false if not positive definite. */
static bool damped(const model* m, const int* free_, int n, const double* scale, double lambda, double* s)
{
    double l[4][4], y[4];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = m->h[free_[i]][free_[j]] + (i == j ? lambda * scale[free_[i]] : 0);
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            if (i == j) {
                if (!(sum > 1e-13 * scale[free_[i]])) return false;
                l[i][i] = sqrt(sum);
            } else {
                l[i][j] = sum / l[j][j];
            }
        }
        double sum = -m->g[free_[i]];
        for (int k = 0; k < i; k++) sum -= l[i][k] * y[k];
        y[i] = sum / l[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = y[i];
        for (int k = i + 1; k < n; k++) sum -= l[k][i] * s[free_[k]];
        s[free_[i]] = sum / l[i][i];
    }
    return true;
}

double refine(const task* t, double* x)
{
    const piece* side[2] = {t->a, t->b};
    model m;
    model_at(t, x, &m);
    double lambda = 1e-3;
    for (int round = 0; round < 100; round++) {
        int free_[4], n = 0;
        double scale[4] = {0}, s[4] = {0}, next[4], predicted = 0;
        for (int k = 0; k < 4; k++) {
            const piece* p = side[k / 2];
            if (!p || k % 2 >= p->dim) continue;
            wit_interval w = p->range[k % 2];
            bool bound = !p->wraps[k % 2] && !p->unbounded;
            if (bound && ((x[k] <= w.lo && m.g[k] >= 0) || (x[k] >= w.hi && m.g[k] <= 0))) continue;
            /* A pole has no speed of its own: a step by all of the range may then not be taken for a short one. */
            scale[k] = fabs(m.h[k][k]) + 1e-8 * m.f / (span(w) * span(w) + 1e-300) + 1e-300;
            free_[n++] = k;
        }
        if (!n) break;
        if (!damped(&m, free_, n, scale, lambda, s)) {
            lambda = lambda < 1e-3 ? 1e-3 : 4 * lambda;
            if (lambda > 1e12) break;
            continue;
        }
        for (int k = 0; k < 4; k++) {
            next[k] = x[k] + s[k];
            const piece* p = side[k / 2];
            if (!p || k % 2 >= p->dim || p->wraps[k % 2] || p->unbounded) continue;
            wit_interval w = p->range[k % 2];
            next[k] = next[k] < w.lo ? w.lo : next[k] > w.hi ? w.hi : next[k];
        }
        for (int k = 0; k < 4; k++) predicted += fabs(m.g[k] * (next[k] - x[k]));
        if (!(predicted > 1e-17 * m.f)) break;
        if (value_at(t, next) < m.f) {
            memcpy(x, next, sizeof next);
            model_at(t, x, &m);
            lambda = lambda > 1e-10 ? 0.1 * lambda : 0;
        } else {
            lambda = lambda < 1e-6 ? 1e-6 : 8 * lambda;
            if (lambda > 1e8) break;
        }
    }
    return norm3(m.r);
}
