/* SPDX-License-Identifier: MIT */
/* Names of what a tracker is set to and of what it says. */
#include "../../include/witness/track.h"

#define NAME_OF(list, value) ((unsigned)(value) < sizeof(list) / sizeof *(list) ? (list)[value] : "?")

const char* wit_law_name(wit_law law)
{
    static const char* const names[WIT_LAW_COUNT] = {"deadbeat",     "linearizing", "switching",        "exponential",
                                                     "motion_aware", "newton",      "newton_saturated", "findmin"};
    return NAME_OF(names, law);
}

const char* wit_integrator_name(wit_integrator integrator)
{
    static const char* const names[WIT_INTEGRATOR_COUNT] = {
        "default", "euler", "rk2", "rk3", "rk4", "ab2", "ab3", "ab4", "backward_euler", "trapezoid", "dopri5"};
    return NAME_OF(names, integrator);
}

const char* wit_gain_kind_name(wit_gain_kind kind)
{
    static const char* const names[WIT_GAIN_KIND_COUNT] = {"scalar", "each", "matrix", "auto", "callback"};
    return NAME_OF(names, kind);
}

const char* wit_feedback_name(wit_feedback feedback)
{
    static const char* const names[WIT_FEEDBACK_COUNT] = {"direct", "integrated"};
    return NAME_OF(names, feedback);
}

const char* wit_switching_name(wit_switching switching)
{
    static const char* const names[WIT_SWITCHING_COUNT] = {"local", "voronoi", "none"};
    return NAME_OF(names, switching);
}

const char* wit_prediction_name(wit_prediction prediction)
{
    static const char* const names[WIT_PREDICTION_COUNT] = {"best", "none", "linear", "quadratic", "twist"};
    return NAME_OF(names, prediction);
}

const char* wit_flag_name(unsigned flag)
{
    static const char* const names[WIT_FLAG_COUNT] = {
        "switched",  "saturated", "fell_back", "reacquired", "touching", "overlapping", "not_unique",
        "certified", "local",     "jumped",    "cycle",      "beyond",   "outside"};
    for (unsigned i = 0; i < WIT_FLAG_COUNT; ++i)
        if (flag == 1u << i) return names[i];
    return "?";
}

bool wit_law_is_flow(wit_law law)
{
    return law == WIT_LAW_LINEARIZING || law == WIT_LAW_SWITCHING || law == WIT_LAW_EXPONENTIAL ||
           law == WIT_LAW_MOTION_AWARE;
}
