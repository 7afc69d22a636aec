/* SPDX-License-Identifier: MIT */
/* Laws of the user's in shared objects. */
#ifndef CLI_LAW_MODULE_H
#define CLI_LAW_MODULE_H

#include "../include/witness/laws.h"

/* Is this the path of a file and not the name of a law? */
bool law_module_named(const char* word);
/* Loads it; null after a message on standard error. It stays loaded. */
const wit_law_module* law_module_load(const char* command, const char* path);
/* The law of the module, with the integrator and gain that *law has. */
void law_module_apply(const wit_law_module* module, wit_law_def* law);

#endif
