/* SPDX-License-Identifier: MIT */
/* Names of laws and of their settings. */
#include "law_run.h"

#define NAME_OF(list, value) ((unsigned)(value) < sizeof(list) / sizeof *(list) ? (list)[value] : "?")

const char* wit_law_name(wit_law_kind law)
{
    static const char* const names[WIT_LAW_COUNT] = {
#define LAW_NAME(id, name, run) #name,
        WIT_LAW_LIST(LAW_NAME)
#undef LAW_NAME
    };
    return law == WIT_LAW_OWN ? "own" : NAME_OF(names, law);
}

const char* wit_integrator_name(wit_integrator integrator)
{
    static const char* const names[WIT_INTEGRATOR_COUNT] = {
        "default", "euler", "rk2", "rk3", "rk4", "ab2", "ab3", "ab4", "backward_euler", "trapezoid", "dopri5"};
    return integrator == WIT_INTEGRATOR_OWN ? "own" : NAME_OF(names, integrator);
}

const char* wit_gain_kind_name(wit_gain_kind kind)
{
    static const char* const names[WIT_GAIN_KIND_COUNT] = {"scalar", "each", "matrix", "auto", "callback", "adaptive"};
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

law_run wi_law_run(wit_law_kind law)
{
    static const law_run runs[WIT_LAW_COUNT] = {
#define LAW_RUN(id, name, run) LAW_RUN_##run,
        WIT_LAW_LIST(LAW_RUN)
#undef LAW_RUN
    };
    if (law == WIT_LAW_OWN) return LAW_RUN_FUNCTION;
    return (unsigned)law < WIT_LAW_COUNT ? runs[law] : LAW_RUN_TRACKER;
}

bool wit_law_is_flow(wit_law_kind law)
{
    return wi_law_run(law) == LAW_RUN_FLOW || wi_law_run(law) == LAW_RUN_FUNCTION;
}
