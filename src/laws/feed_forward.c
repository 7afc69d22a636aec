/* SPDX-License-Identifier: MIT */
/*
 * feed_forward: the gradient law with the motion fed forward exactly,
 *     x' = -K I^-1 g - (S M)^-1 S b,   g = S Psi the gradient of |dR|^2 / 2, S = diag(1, 1, -1, -1).
 *
 * 000, Remark 3 (motion_aware) cancels the motion q of the other point where it raises |dR|, by x' = I^-1 q, and lets it work
 * where it lowers |dR|. But the closest place moves with (S M)^-1 q, not with I^-1 q, which is more by 1 + d kappa: on the
 * convex side the witness overtakes it, and then the motion "helps", nothing is cancelled, and it falls behind again. So it
 * goes to and fro about the closest place by what the motion does in a step, whatever K is. Motion that lowers |dR| leads to
 * the closest place only until it leads past it: nothing is gained by sparing it.
 *
 * Where S M is not positive definite there is no closest place that moves so: then the gradient alone.
 */
#include "../base/solve.h"
#include "law_functions.h"

bool wi_law_feed_forward(const wit_flow_view* view, double speeds[WIT_MAX_PARAMETERS], void* user)
{
    int index[WIT_MAX_PARAMETERS], n = 0, count = view->count;
    double I[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], H[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
    double l[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], g[WIT_MAX_PARAMETERS], b[WIT_MAX_PARAMETERS];
    (void)user;
    for (int i = 0; i < count; ++i)
        if (!(view->held >> i & 1)) index[n++] = i;
    for (int i = 0; i < n; ++i) {
        int p = index[i];
        double S = p < view->count_a ? 1 : -1;
        g[i] = S * view->psi[p];
        b[i] = S * view->b[p];
        for (int j = 0; j < n; ++j) {
            I[i * n + j] = view->I[p * count + index[j]];
            H[i * n + j] = S * view->M[p * count + index[j]];
        }
    }
    if (n == 0) return true;
    if (!wi_cholesky_factor(n, I, l)) return false;
    wi_cholesky_solve(n, l, g, g);
    bool follows = wi_cholesky_factor(n, H, l);
    if (follows) wi_cholesky_solve(n, l, b, b);
    for (int i = 0; i < n; ++i) speeds[index[i]] = -view->gain * g[i] - (follows ? b[i] : 0);
    return true;
}
