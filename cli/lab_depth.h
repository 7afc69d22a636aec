/* SPDX-License-Identifier: MIT */
/* Accuracy of the depth of convex solids that are 2 mm in each other: the second half of `witness lab accuracy`. */
#ifndef CLI_LAB_DEPTH_H
#define CLI_LAB_DEPTH_H

#include "../include/witness/query.h"
#include "lab_solid.h"
#include "out.h"

enum { LAB_DEPTH_SOLIDS = 5, LAB_DEPTH_PAIRS = LAB_DEPTH_SOLIDS * (LAB_DEPTH_SOLIDS + 1) / 2 };

typedef struct lab_depth_row {
    lab_solid a, b;
    long kept, certified;
    long excluded; /* brackets that a direction of the dense search, or the certified one at 1e-13, contradicts */
    double worst;  /* largest error of the distance */
    double widest; /* bracket */
    double nodes;  /* sum */
} lab_depth_row;

typedef struct lab_depth {
    wit_body* const* body; /* LAB_SOLIDS of them */
    wit_query_def def;
    int64_t placements, seed;
    int threads;
    lab_depth_row rows[LAB_DEPTH_PAIRS];
} lab_depth;

/* False: a message was printed. */
bool lab_depth_measure(lab_depth* e);
void lab_depth_json(out* o, const lab_depth* e);
void lab_depth_text(out* o, const lab_depth* e);

#endif
