/* SPDX-License-Identifier: MIT */
#include "lab_law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

const char* law_name(int index)
{
    return wit_law_name((wit_law_kind)index);
}

const char* integrator_name(int index)
{
    return wit_integrator_name((wit_integrator)index);
}

const char* form_name(int index)
{
    return wit_form_name((wit_form)index);
}

const char* feedback_name(int index)
{
    return wit_feedback_name((wit_feedback)index);
}

const char* switching_name(int index)
{
    return index == LAW_SWITCHING_NONE ? "none" : wit_switching_name((wit_switching)index);
}

const char* law_switching_of(const wit_track_def* def, const wit_law_def* law)
{
    return switching_name(def->keep_features ? LAW_SWITCHING_NONE : (int)law->switching);
}

const char* prediction_name(int index)
{
    return wit_prediction_name((wit_prediction)index);
}

enum { MOST_NAMES = 24 };

static bool unknown(const option_reader* r, const char* word, law_name_function* name, int count)
{
    const char* names[MOST_NAMES + 1] = {0};
    char text[400];
    size_t k = 0;
    for (int i = 0; i < count && i < MOST_NAMES; i++) {
        names[i] = name(i);
        if (k < sizeof text) k += (size_t)snprintf(text + k, sizeof text - k, "%s%s", i ? ", " : "", names[i]);
    }
    char message[480];
    snprintf(message, sizeof message, "%s has to be one of %s; not", r->word, text);
    command_usage(r->command, message, word, names);
    return false;
}

/* Index of the name that is word[0 .. n), -1 if there is none. */
static int find(const char* word, size_t n, law_name_function* name, int count)
{
    for (int i = 0; i < count; i++) {
        const char* s = name(i);
        size_t k = 0;
        while (k < n && s[k] && (s[k] == word[k] || (s[k] == '_' && word[k] == '-'))) k++;
        if (k == n && !s[k]) return i;
    }
    return -1;
}

bool law_choice(const option_reader* r, law_name_function* name, int count, int* out)
{
    int i = find(r->value, strlen(r->value), name, count);
    if (i < 0) return unknown(r, r->value, name, count);
    *out = i;
    return true;
}

bool law_choices(const option_reader* r, law_name_function* name, int count, unsigned* out)
{
    *out = 0;
    if (!strcmp(r->value, "all")) {
        *out = (1u << count) - 1;
        return true;
    }
    for (const char* item = r->value;;) {
        size_t n = strcspn(item, ",");
        int i = find(item, n, name, count);
        if (i < 0) {
            char word[64];
            snprintf(word, sizeof word, "%.*s", (int)n, item);
            return unknown(r, word, name, count);
        }
        *out |= 1u << i;
        if (!item[n]) return true;
        item += n + 1;
    }
}

bool law_gain(const option_reader* r, wit_gain* out)
{
    wit_gain g = {.kind = WIT_GAIN_SCALAR};
    if (!strcmp(r->value, "auto"))
        g.kind = WIT_GAIN_AUTO;
    else if (!strcmp(r->value, "adaptive"))
        g.kind = WIT_GAIN_ADAPTIVE;
    else if (!option_number(r, 0, 1e12, &g.value))
        return false;
    *out = g;
    return true;
}

bool law_ball(const option_reader* r, double* out)
{
    return option_number(r, 1e-15, 0.999, out);
}

bool law_cap(const option_reader* r, double* out)
{
    if (strcmp(r->value, "infinity") != 0) return option_number(r, 0, 1e12, out);
    *out = INFINITY;
    return true;
}

void law_settle_def(wit_track_def* def, wit_law_def* law)
{
    wit_law_def plain = wit_law_default_def(law->kind);
    if (!wit_law_is_flow(law->kind)) {
        law->integrator = WIT_INTEGRATOR_DEFAULT;
        law->gain = plain.gain;
        if (law->switching == WIT_SWITCHING_VORONOI) law->switching = plain.switching;
    }
    if (law->kind == WIT_LAW_EXPONENTIAL && law->gain.kind != WIT_GAIN_SCALAR) law->gain = plain.gain;
    if (law->kind != WIT_LAW_LINEARIZING) {
        law->feedback = WIT_FEEDBACK_DIRECT;
        if (law->gain.kind == WIT_GAIN_MATRIX) law->gain = plain.gain;
    }
    bool gradient = wit_law_is_flow(law->kind) && law->kind != WIT_LAW_LINEARIZING && law->kind != WIT_LAW_OWN;
    if (gradient) def->form = WIT_FORM_PAPERS; /* they descend on the distance itself */
}

void law_describe(const wit_law_def* law, char* to, size_t room)
{
    char gain[64] = "";
    if (wit_law_is_flow(law->kind)) {
        const wit_gain* g = &law->gain;
        wit_integrator i = law->integrator == WIT_INTEGRATOR_DEFAULT ? WIT_INTEGRATOR_RK2 : law->integrator;
        if (law->kind == WIT_LAW_EXPONENTIAL && !(law->cap > 0 && isfinite(law->cap)))
            snprintf(gain, sizeof gain, ", %s, gain %s", wit_integrator_name(i),
                     law->cap > 0 ? "without a cap" : "up to what it takes");
        else if (law->kind == WIT_LAW_EXPONENTIAL)
            snprintf(gain, sizeof gain, ", %s, gain up to %g / s", wit_integrator_name(i), law->cap);
        else if (g->kind == WIT_GAIN_SCALAR)
            snprintf(gain, sizeof gain, ", %s, gain %g / s", wit_integrator_name(i), g->value);
        else
            snprintf(gain, sizeof gain, ", %s, gain %s", wit_integrator_name(i), wit_gain_kind_name(g->kind));
    }
    snprintf(to, room, "%s%s", wit_law_name(law->kind), gain);
}
