/* SPDX-License-Identifier: MIT */
/* Can the law of a def be run with the rest of it? Each refusal names the field and says what would be right. */
#include <math.h>

#include "../base/error.h"
#include "../base/solve.h"
#include "../body/body_record.h"
#include "findmin.h"
#include "integrator.h"
#include "law_check.h"

static wit_status check_names(const wit_law_def* d, wit_error* e)
{
    const struct {
        const char* item;
        int value, count;
    } list[] = {{"law", d->kind == WIT_LAW_OWN ? 0 : (int)d->kind, WIT_LAW_COUNT},
                {"integrator", d->integrator == WIT_INTEGRATOR_OWN ? 0 : (int)d->integrator, WIT_INTEGRATOR_COUNT},
                {"gain.kind", (int)d->gain.kind, WIT_GAIN_KIND_COUNT},
                {"feedback", (int)d->feedback, WIT_FEEDBACK_COUNT},
                {"switching", (int)d->switching, WIT_SWITCHING_COUNT}};
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i)
        if (list[i].value < 0 || list[i].value >= list[i].count)
            return wi_error_fill(e, WIT_ERROR_ARGUMENT, list[i].item, "%d is no value of this field; 0 to %d are",
                                 list[i].value, list[i].count - 1);
    return WIT_OK;
}

/* NaN fails every comparison, so each number is asked whether it is right. */
static wit_status check_numbers(const wit_law_def* d, wit_error* e)
{
    if (!(d->ball > 0 && d->ball < 1))
        return wi_error_fill(e, WIT_ERROR_RANGE, "ball", "is %g; must be a normalised error between 0 and 1", d->ball);
    if (!(d->cap >= 0))
        return wi_error_fill(e, WIT_ERROR_RANGE, "cap",
                             "is %g; must be a gain, 0 for the integrator's own, or infinity for none", d->cap);
    if (d->findmin.keep < 0)
        return wi_error_fill(e, WIT_ERROR_RANGE, "findmin.keep", "is %d; must be 0 or a number of frames",
                             d->findmin.keep);
    if (d->findmin.iterations < 1 || d->findmin.iterations > 1000)
        return wi_error_fill(e, WIT_ERROR_RANGE, "findmin.iterations", "is %d; must be from 1 to 1000",
                             d->findmin.iterations);
    return WIT_OK;
}

static int most_parameters(const wit_body* b)
{
    return !b ? 0 : b->face_count && !b->planar ? 2 : b->edge_count ? 1 : 0;
}

/* `most`: parameters of two features at most; `kept`: the tracker keeps its features, which may have less. */
static wit_status check_matrix(const wit_law_def* d, int most, bool kept, wit_error* e)
{
    const wit_gain* g = &d->gain;
    int n = g->count;
    if (d->kind != WIT_LAW_LINEARIZING)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "gain.kind",
                             "law %s takes one number for a side, not a matrix; only linearizing does",
                             wit_law_name(d->kind));
    if (n < 1 || n > WIT_MAX_PARAMETERS || n > most || (!kept && n != most))
        return wi_error_fill(e, WIT_ERROR_COUNT, "gain.count",
                             "is %d; must be %d, the number of parameters of these two%s", n, most,
                             most > 1 ? " (or less where features are kept, on lower ones)" : "");
    double s[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], l[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
    for (int i = 0; i < n * n; ++i)
        if (!isfinite(g->matrix[i]))
            return wi_error_fill_at(e, WIT_ERROR_NUMBER, "gain.matrix", i, -1, "is not finite");
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) s[i * n + j] = (g->matrix[i * n + j] + g->matrix[j * n + i]) / 2;
    if (!wi_cholesky_factor(n, s, l))
        return wi_error_fill(e, WIT_ERROR_RANGE, "gain.matrix",
                             "its symmetric part is not positive definite: Psi would not go to zero");
    return WIT_OK;
}

static wit_status check_each(const wit_gain* g, wit_error* e)
{
    for (int i = 0; i < 2; ++i)
        if (!(g->side[i] > 0 && isfinite(g->side[i])))
            return wi_error_fill_at(e, WIT_ERROR_RANGE, "gain.side", i, -1, "is %g; must be positive and finite",
                                    g->side[i]);
    for (int i = 0; i < 4; ++i)
        if (!(g->parameter[i] > 0 && isfinite(g->parameter[i])))
            return wi_error_fill_at(e, WIT_ERROR_RANGE, "gain.parameter", i, -1, "is %g; must be positive and finite",
                                    g->parameter[i]);
    return WIT_OK;
}

static wit_status check_gain(const wit_law_def* d, int most, bool kept, wit_error* e)
{
    const wit_gain* g = &d->gain;
    if (!wit_law_is_flow(d->kind) || d->kind == WIT_LAW_EXPONENTIAL) {
        if (g->kind == WIT_GAIN_SCALAR) return WIT_OK; /* not used */
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "gain.kind", "law %s %s; leave it scalar", wit_law_name(d->kind),
                             d->kind == WIT_LAW_EXPONENTIAL ? "makes its own gains (see ball and cap)"
                                                            : "takes no gain");
    }
    if (d->kind == WIT_LAW_OWN && g->kind != WIT_GAIN_SCALAR && g->kind != WIT_GAIN_CALLBACK)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "gain.kind",
                             "what a gain does to a flow of your own is not known; use scalar or callback");
    if (g->kind == WIT_GAIN_EACH) return check_each(g, e);
    if (g->kind == WIT_GAIN_MATRIX) return check_matrix(d, most, kept, e);
    if (g->kind == WIT_GAIN_CALLBACK && !g->choose)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "gain.choose", "is null; the kind callback needs a function");
    if (g->kind == WIT_GAIN_AUTO || g->kind == WIT_GAIN_ADAPTIVE) return WIT_OK;
    bool zero = g->value == 0 && d->kind == WIT_LAW_LINEARIZING && g->kind == WIT_GAIN_SCALAR;
    if (!zero && !(g->value > 0 && isfinite(g->value)))
        return wi_error_fill(e, WIT_ERROR_RANGE, "gain.value", "is %g; must be positive and finite, in 1/s%s", g->value,
                             d->kind == WIT_LAW_LINEARIZING ? " (scalar: or 0, the pure velocity formulation)" : "");
    return WIT_OK;
}

/* What is not known of functions of the user's. */
static wit_status check_own(const wit_law_def* d, wit_error* e)
{
    bool plain = d->gain.kind == WIT_GAIN_SCALAR || d->gain.kind == WIT_GAIN_CALLBACK;
    if (d->outer && d->kind != WIT_LAW_LINEARIZING)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "outer",
                             "law %s has no outer loop; linearizing has: x' = M^-1 (mu - b)", wit_law_name(d->kind));
    if (d->outer && !plain)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "gain.kind",
                             "what a gain does to an outer loop of your own is not known; use scalar or callback");
    if (d->integrator != WIT_INTEGRATOR_OWN) return WIT_OK;
    if (!d->advance)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "advance", "is null; the integrator own needs a function");
    if (d->gain.kind == WIT_GAIN_AUTO || d->gain.kind == WIT_GAIN_ADAPTIVE)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "gain.kind",
                             "what an integrator of your own takes is not known; %s is for those of the library",
                             wit_gain_kind_name(d->gain.kind));
    if (d->kind == WIT_LAW_EXPONENTIAL && d->cap == 0)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "cap",
                             "what an integrator of your own takes is not known; give the largest gain, or infinity");
    return WIT_OK;
}

static wit_status check_law(const wit_law_def* d, wit_error* e)
{
    bool flow = wit_law_is_flow(d->kind);
    if (d->kind == WIT_LAW_OWN && !d->flow)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "flow", "is null; the law own needs a function");
    if (!flow && d->integrator != WIT_INTEGRATOR_DEFAULT)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "integrator",
                             "law %s is no differential equation, so that nothing is integrated; must be default",
                             wit_law_name(d->kind));
    if (d->feedback == WIT_FEEDBACK_INTEGRATED) {
        if (d->kind != WIT_LAW_LINEARIZING)
            return wi_error_fill(
                e, WIT_ERROR_ARGUMENT, "feedback",
                "law %s does not make Psi' = -K Psi, so that Psi cannot be integrated apart; only linearizing does",
                wit_law_name(d->kind));
        wit_integrator i = integrator_of(d);
        if (wi_integrator_theta(i) > 0 || i == WIT_INTEGRATOR_DOPRI5)
            return wi_error_fill(e, WIT_ERROR_ARGUMENT, "feedback",
                                 "integrated feedback runs with euler, rk2 to rk4 and ab2 to ab4, not with %s",
                                 wit_integrator_name(i));
    }
    if (d->switching == WIT_SWITCHING_VORONOI && !flow)
        return wi_error_fill(
            e, WIT_ERROR_ARGUMENT, "switching",
            "law %s finds its features itself; voronoi is for laws that are differential equations, use local or none",
            wit_law_name(d->kind));
    return WIT_OK;
}

wit_status wi_law_check(const wit_body* a, const wit_body* b, const wit_track_def* def, wit_error* error)
{
    const wit_law_def* law = def->law;
    if (law->struct_size != sizeof *law)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "law", "start from wit_law_default_def");
    int most = most_parameters(a) + most_parameters(b);
    wit_status status = check_names(law, error);
    if (!status) status = check_numbers(law, error);
    if (!status) status = check_law(law, error);
    if (!status) status = check_own(law, error);
    if (!status) status = check_gain(law, most, def->keep_features, error);
    if (!status && law->kind == WIT_LAW_FINDMIN) status = wi_findmin_check(a, b, error);
    return status;
}
