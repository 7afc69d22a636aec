/* SPDX-License-Identifier: MIT */
/* The two forms of `witness info`. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include "../include/witness/io.h"
#include "out.h"

/* What its bodies are, and whether all of it is there. */
typedef struct info_verdict {
    const char* word; /* good, doubtful, open, incomplete */
    int lost, solids, sheets;
    int open, unproved; /* solids that do not close; closed ones of which it is not proved which side is inside */
    double tolerance;   /* the largest of all edges */
} info_verdict;

info_verdict info_verdict_of(const wit_model* model);

/* The bodies, and with `shapes` the curves and surfaces. */
void info_text(out* o, const wit_model* model, const char* path, bool shapes);
void info_json(out* o, const wit_model* model, const char* path, bool shapes);

#endif
