/* SPDX-License-Identifier: MIT */
/* Names of what a tracker is set to and of what it says. */
#include "../../include/witness/track.h"

#define NAME_OF(list, value) ((unsigned)(value) < sizeof(list) / sizeof *(list) ? (list)[value] : "?")

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

const char* wit_contact_change_name(wit_contact_change change)
{
    static const char* const names[WIT_CONTACT_CHANGE_COUNT] = {"born", "died", "merged", "handed_over"};
    return NAME_OF(names, change);
}

const char* wit_contact_flag_name(unsigned flag)
{
    static const char* const names[WIT_CONTACT_FLAG_COUNT] = {"nearest", "holding", "new", "moved"};
    for (unsigned i = 0; i < WIT_CONTACT_FLAG_COUNT; ++i)
        if (flag == 1u << i) return names[i];
    return "?";
}
