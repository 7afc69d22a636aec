/* SPDX-License-Identifier: MIT */
/* The papers' far phase within a limit of work: what was best when it ended. */
#ifndef QUERY_FAR_PHASE_H
#define QUERY_FAR_PHASE_H

#include "../base/work.h"

typedef struct far_effort {
    wit_work* work;
    int64_t units; /* that the account may reach; 0: no limit */
} far_effort;

/* False: no patch was reached; out is then WIT_POINT, -1. */
bool wi_far_phase_point(const far_effort* effort, const wit_placed* a, wit_vec3 point, wit_witness* out);
bool wi_far_phase_pair(const far_effort* effort, const wit_placed at[2], wit_witness out[2]);

#endif
