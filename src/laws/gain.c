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

/* H v = lambda W v: with W = L D L^T the eigenvalues of D^-1/2 L^-1 H L^-T D^-1/2; l gets L and 1/D. Its eigenvectors, rows of
 * `vectors` (may be null), are D^1/2 L^T v. */
static bool spectrum_of(const free_part* f, double* l, double* values, double* vectors)
{
    int n = f->n;
    double c[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
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
    return wi_eigen_symmetric(n, c, values, vectors);
}

/* The v themselves, rows of v, with v.W v = 1. */
static bool mode_vectors(const free_part* f, double* l, double* values, double* v)
{
    int n = f->n;
    if (!spectrum_of(f, l, values, v)) return false;
    for (int k = 0; k < n; ++k)
        for (int i = n - 1; i >= 0; --i) { /* L^T v = D^-1/2 y, from below */
            v[k * n + i] *= sqrt(l[i * n + i]);
            for (int j = i + 1; j < n; ++j) v[k * n + i] -= l[j * n + i] * v[k * n + j];
        }
    return true;
}

int wi_gain_spectrum(const law_state* at, unsigned held, double* least, double* most)
{
    free_part f;
    double values[WIT_MAX_PARAMETERS], l[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
    wi_free_part_of(at, held, &f);
    *least = *most = 1;
    if (f.n == 0 || !spectrum_of(&f, l, values, NULL)) return 0;
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

/* ---- the adaptive gain --------------------------------------------------------------------- */

/*
 * About the closest place x*, in the mode i with the eigenvalue lambda_i, let e_i be the error and c_i the speed of x*. A
 * step of a method with the factor R(z), z = K h lambda_i, leaves
 *     e_i -> R e_i - (1 - R) c_i / (K lambda_i),
 * as the lag c / (K lambda) is what every method keeps as it is. From afar the first term counts, and the fastest decay is
 * best; under way the second, and with it the largest gain that does not chatter. The gain for which the largest projection
 * error after the step is least does both, and turns from one to the other as the errors fall.
 */
enum { ADAPTIVE_TRIES = 48 };
#define ADAPTIVE_MARGIN 0.95 /* of the limit: the modes are those of where the witness stands */

/* The error and the speed of x* in modes, and what a unit of a mode is in projection errors |dR.d_j| / |d_j|. */
typedef struct mode_error {
    int n;
    double lambda[WIT_MAX_PARAMETERS], e[WIT_MAX_PARAMETERS], c[WIT_MAX_PARAMETERS];
    double shown[WIT_MAX_PARAMETERS][WIT_MAX_PARAMETERS]; /* [mode][parameter] */
} mode_error;

/* False: the Hessian is not positive definite, so that there is no closest place nearby. */
static bool modes_of(const law_state* at, unsigned held, mode_error* m)
{
    free_part f;
    pair_rows rows;
    double l[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], y[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
    wi_free_part_of(at, held, &f);
    wi_condition_rows(at->side[0], at->side[1], WIT_FORM_PAPERS, &rows);
    m->n = f.n;
    if (f.n == 0 || !mode_vectors(&f, l, m->lambda, y) || !(m->lambda[0] > 0)) return false;
    for (int k = 0; k < f.n; ++k) {
        double* v = &y[k * f.n]; /* W-orthonormal: e_k = v.W e = v.g / lambda */
        m->e[k] = m->c[k] = 0;
        for (int i = 0; i < f.n; ++i) {
            double S = f.index[i] < at->count_a ? 1 : -1;
            m->e[k] += v[i] * f.g[i] / m->lambda[k];
            m->c[k] -= v[i] * S * rows.b[f.index[i]] / m->lambda[k];
        }
        for (int i = 0; i < f.n; ++i) {
            m->shown[k][i] = 0;
            for (int j = 0; j < f.n; ++j)
                m->shown[k][i] += m->lambda[k] * f.W[i * f.n + j] * v[j] / sqrt(f.W[i * f.n + i]);
        }
    }
    return true;
}

/* The largest projection error after a step with the gain K. */
static double error_after(const mode_error* m, wit_integrator method, double K, double dt)
{
    double shown[WIT_MAX_PARAMETERS] = {0}, most = 0;
    for (int k = 0; k < m->n; ++k) {
        double z = K * dt * m->lambda[k], R = wi_integrator_factor(method, z);
        double e = R * m->e[k] - (1 - R) * m->c[k] / (K * m->lambda[k]);
        for (int i = 0; i < m->n; ++i) shown[i] += m->shown[k][i] * e;
    }
    for (int i = 0; i < m->n; ++i) most = larger(most, fabs(shown[i]));
    return most;
}

static double adaptive(const wit_law_def* law, const law_state* at, double dt)
{
    mode_error m;
    unsigned held = wi_gain_held(law, at);
    wit_integrator method = integrator_of(law);
    double calm = smaller(wi_integrator_limit(method), wi_integrator_calm(method));
    double K = automatic(law, at, dt);
    if (gain_feeds_forward(law) || !isfinite(calm) || !modes_of(at, held, &m)) return K;
    double most = ADAPTIVE_MARGIN * calm / (dt * m.lambda[m.n - 1]), best = K, least = INFINITY;
    for (int k = 0; k < ADAPTIVE_TRIES; ++k) {
        double tried = most * (1 - (double)k / ADAPTIVE_TRIES), left = error_after(&m, method, tried, dt);
        if (left < least) best = tried, least = left;
    }
    return best;
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
                  : g->kind == WIT_GAIN_ADAPTIVE ? adaptive(law, at, dt)
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
