/* SPDX-License-Identifier: MIT */
/* The two forms of `witness info`. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include "../include/witness/io.h"
#include "out.h"

/* The bodies, and with `shapes` the curves and surfaces. */
void info_text(out* o, const wit_model* model, const char* path, bool shapes);
void info_json(out* o, const wit_model* model, const char* path, bool shapes);

#endif
