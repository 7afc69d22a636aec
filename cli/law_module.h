/* SPDX-License-Identifier: MIT */
/* Laws, outer loops and integrators of the user's in shared objects. */
#ifndef CLI_LAW_MODULE_H
#define CLI_LAW_MODULE_H

#include "../include/witness/laws.h"
#include "options.h"

/* What was loaded; null: nothing of that kind. They stay loaded. */
typedef struct law_plugins {
    const wit_law_module* law;
    const wit_outer_module* outer;
    const wit_integrator_module* integrator;
} law_plugins;

/* The option's value as a law or an integrator: a name, or a file that is loaded, which makes the index OWN. False after a
 * message. */
bool law_or_module(const option_reader* o, law_plugins* p, int* law);
bool integrator_or_module(const option_reader* o, law_plugins* p, int* integrator);
/* The value is a file with a law, or an outer loop. False after a message. */
bool law_module(const option_reader* o, law_plugins* p);
bool outer_module(const option_reader* o, law_plugins* p);

/* The law of the module, with the integrator and gain that *law has. */
void law_module_apply(const wit_law_module* module, wit_law_def* law);
/* Outer loop and integrator, where the law takes them: the one only linearizing, the other every flow. */
void law_plugins_apply(const law_plugins* p, wit_law_def* law);

#endif
