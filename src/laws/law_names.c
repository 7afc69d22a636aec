/* SPDX-License-Identifier: MIT */
/* Names of laws and of their settings. */
#include "../../include/witness/laws.h"

#define NAME_OF(list, value) ((unsigned)(value) < sizeof(list) / sizeof *(list) ? (list)[value] : "?")

const char* wit_law_name(wit_law_kind law)
{
    static const char* const names[WIT_LAW_COUNT] = {"deadbeat",     "linearizing", "switching",        "exponential",
                                                     "motion_aware", "newton",      "newton_saturated", "findmin"};
    return law == WIT_LAW_OWN ? "own" : NAME_OF(names, law);
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
    static const char* const names[WIT_SWITCHING_COUNT] = {"local", "voronoi"};
    return NAME_OF(names, switching);
}

bool wit_law_is_flow(wit_law_kind law)
{
    return law == WIT_LAW_LINEARIZING || law == WIT_LAW_SWITCHING || law == WIT_LAW_EXPONENTIAL ||
           law == WIT_LAW_MOTION_AWARE || law == WIT_LAW_OWN;
}
