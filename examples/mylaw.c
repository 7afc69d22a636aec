/* SPDX-License-Identifier: MIT */
/*
 * A law of your own as a shared object, for `witness track SCENE --law ./mylaw.so` and `witness lab basin ... --module
 * ./mylaw.so`:
 *
 *     cc -shared -fPIC -O2 -I include examples/mylaw.c -o mylaw.so
 *
 * The linearizing law x' = M^-1 (mu - b) with another outer loop: mu = -K Psi as long as Psi is small, but never more than
 * the speed at which |dR| would shrink in 1 / K. Far off, where M is nearly singular, mu = -K Psi asks for steps across
 * the whole patch; this one does not. Where M is not positive definite there is no answer, and the library's gradient takes
 * over.
 */
#include <math.h>
#include <witness/laws.h>

enum { N = WIT_MAX_PARAMETERS };

/* S M x = S right by elimination without pivoting: for a positive definite matrix that is stable. False: it is none. */
static bool solve(const wit_flow_view* view, const double* right, double* x)
{
    int index[N], n = 0;
    double m[N][N + 1];
    for (int i = 0; i < view->count; i++)
        if (!(view->held >> i & 1)) index[n++] = i;
    for (int i = 0; i < n; i++) {
        double S = index[i] < view->count_a ? 1 : -1;
        for (int j = 0; j < n; j++) m[i][j] = S * view->M[index[i] * view->count + index[j]];
        m[i][n] = S * right[index[i]];
    }
    for (int k = 0; k < n; k++) {
        if (!(m[k][k] > 0)) return false;
        for (int i = k + 1; i < n; i++)
            for (int j = n; j >= k; j--) m[i][j] -= m[k][j] * m[i][k] / m[k][k];
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = m[i][n];
        for (int j = i + 1; j < n; j++) sum -= m[i][j] * x[index[j]];
        x[index[i]] = sum / m[i][i];
    }
    return true;
}

static bool bounded_outer_loop(const wit_flow_view* view, double speeds[WIT_MAX_PARAMETERS], void* user)
{
    double right[N];
    (void)user;
    if (view->form != WIT_FORM_PAPERS) return false;
    for (int i = 0; i < view->count; i++) {
        double length = sqrt(view->I[i * view->count + i]), most = 0.5 * view->distance * length;
        double psi = fmax(-most, fmin(most, view->psi[i]));
        right[i] = -view->gain * psi - view->b[i];
    }
    return solve(view, right, speeds);
}

const wit_law_module witness_law = {sizeof(wit_law_module), "bounded_outer_loop", bounded_outer_loop, 0, 0};
