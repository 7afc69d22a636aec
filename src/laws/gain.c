/* SPDX-License-Identifier: MIT */
#include "gain.h"

#include <string.h>

#include "../base/interval.h"
#include "../base/solve.h"
#include "integrator.h"

/* Backward Euler and the adaptive method have no fastest gain; `auto` takes this much per step. */
#define AUTO_IMPLICIT 100.0
#define AUTO_ADAPTIVE 3.0

/* ---- the spectrum -------------------------------------------------------------------------- */

void wi_free_part_of(const law_state* at, unsigned held, free_part* out)
{
    double g[WIT_MAX_PARAMETERS], H[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
    int n = wi_condition_hessian(at->side[0], at->side[1], g, H);
    out->n = 0;
    for (int i = 0; i < n; ++i) {
        int which = i >= at->count_a, k = i - (which ? at->count_a : 0);
        if (!(held >> i & 1) && !wi_law_metric_of(at, which).dead[k]) out->index[out->n++] = i;
    }
    for (int i = 0; i < out->n; ++i) {
        out->g[i] = g[out->index[i]];
        for (int j = 0; j < out->n; ++j) {
            int p = out->index[i], q = out->index[j], which = p >= at->count_a, first = which ? at->count_a : 0;
            const wit_vec3* d = at->side[which]->d;
            out->H[i * out->n + j] = H[p * n + q];
            out->W[i * out->n + j] = which == (q >= at->count_a) ? dot3(d[p - first], d[q - first]) : 0;
        }
    }
}

/* H v = lambda W v: with W = L D L^T the eigenvalues of D^-1/2 L^-1 H L^-T D^-1/2. */
static bool spectrum_of(const free_part* f, double* values)
{
    int n = f->n;
    double l[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], c[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
    if (!wi_cholesky_factor(n, f->W, l)) return false;
    memcpy(c, f->H, (size_t)(n * n) * sizeof *c);
    for (int pass = 0; pass < 2; ++pass) { /* L^-1 from the left, then, transposed, again */
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                for (int k = 0; k < i; ++k) c[i * n + j] -= l[i * n + k] * c[k * n + j];
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < i; ++j) {
                double t = c[i * n + j];
                c[i * n + j] = c[j * n + i];
                c[j * n + i] = t;
            }
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) c[i * n + j] *= sqrt(l[i * n + i] * l[j * n + j]);
    return wi_eigen_symmetric(n, c, values, NULL);
}

int wi_gain_spectrum(const law_state* at, unsigned held, double* least, double* most)
{
    free_part f;
    double values[WIT_MAX_PARAMETERS];
    wi_free_part_of(at, held, &f);
    *least = *most = 1;
    if (f.n == 0 || !spectrum_of(&f, values)) return 0;
    *least = values[0];
    *most = values[f.n - 1];
    return f.n;
}

/* ---- the gain of a step -------------------------------------------------------------------- */

unsigned wi_gain_held(const wit_law_def* law, const law_state* at)
{
    gain_set one = {.scalar = 1, .side = {1, 1}, .parameter = {1, 1, 1, 1}, .cap = INFINITY};
    law_answer a;
    wi_law_answer_at(law, at, &one, NULL, LAW_FREE, &a);
    return a.held;
}

double wi_gain_fastest(const wit_law_def* law, const law_state* at, unsigned held, double dt)
{
    double least = 1, most = 1;
    if (law->kind != WIT_LAW_LINEARIZING) {
        if (wi_gain_spectrum(at, held, &least, &most) == 0 || !(most > 0)) least = most = 1;
        if (!(least > 0)) least = most; /* on a saddle nothing decays: the fast mode sets the pace */
    }
    return wi_integrator_fastest(integrator_of(law), least, most) / dt;
}

static double automatic(const wit_law_def* law, const law_state* at, double dt)
{
    unsigned held = wi_gain_held(law, at);
    double K = wi_gain_fastest(law, at, held, dt), least, most;
    if (isfinite(K)) return K;
    if (law->kind == WIT_LAW_LINEARIZING || wi_gain_spectrum(at, held, &least, &most) == 0 || !(most > 0)) most = 1;
    return (integrator_of(law) == WIT_INTEGRATOR_DOPRI5 ? AUTO_ADAPTIVE : AUTO_IMPLICIT) / (dt * most);
}

static double called(const wit_law_def* law, const law_state* at, double dt)
{
    pair_rows rows;
    wi_condition_rows(at->side[0], at->side[1], WIT_FORM_PAPERS, &rows);
    wit_gain_view view = {at->count, at->count_a, at->x, rows.psi, norm3(rows.gap), dt};
    double K = law->gain.choose(&view, law->gain.user);
    return K > 0 && isfinite(K) ? K : law->gain.value;
}

/* The least eigenvalue of the symmetric part: the gain where the matrix does not fit. */
static double matrix_floor(const wit_gain* g)
{
    double s[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], values[WIT_MAX_PARAMETERS];
    int n = g->count;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) s[i * n + j] = (g->matrix[i * n + j] + g->matrix[j * n + i]) / 2;
    return wi_eigen_symmetric(n, s, values, NULL) ? values[0] : 0;
}

void wi_gain_of_step(const wit_law_def* law, const law_state* at, double dt, gain_set* out)
{
    const wit_gain* g = &law->gain;
    memset(out, 0, sizeof *out);
    out->each = g->kind == WIT_GAIN_EACH;
    out->scalar = g->kind == WIT_GAIN_EACH       ? larger(g->side[0], g->side[1])
                  : g->kind == WIT_GAIN_MATRIX   ? matrix_floor(g)
                  : g->kind == WIT_GAIN_AUTO     ? automatic(law, at, dt)
                  : g->kind == WIT_GAIN_CALLBACK ? called(law, at, dt)
                                                 : g->value;
    for (int i = 0; i < 2; ++i) out->side[i] = out->each ? g->side[i] : out->scalar;
    for (int i = 0; i < 4; ++i) out->parameter[i] = out->each ? g->parameter[i] : out->scalar;
    if (g->kind == WIT_GAIN_MATRIX && g->count == at->count) {
        out->order = g->count;
        memcpy(out->matrix, g->matrix, sizeof out->matrix);
    }
    out->dt = dt;
    out->cap = law->cap;
    if (law->kind == WIT_LAW_EXPONENTIAL && law->cap == 0) out->cap = automatic(law, at, dt);
}
