/* SPDX-License-Identifier: MIT */
/* How each law of the list in laws.h is run. */
#ifndef LAWS_LAW_RUN_H
#define LAWS_LAW_RUN_H

#include "../../include/witness/laws.h"

typedef enum law_run {
    LAW_RUN_TRACKER,
    LAW_RUN_FLOW,
    LAW_RUN_NEWTON,
    LAW_RUN_FINDMIN,
    LAW_RUN_FUNCTION /* a flow that is one function: wi_law_NAME, which gets the papers' form of Psi, M and b */
} law_run;

/* TRACKER for what is no law. OWN counts as FUNCTION. */
law_run wi_law_run(wit_law_kind kind);
/* The function of a law of the kind FUNCTION, of OWN that of the def; null for the others. */
wit_flow_function* wi_law_function(const wit_law_def* law);

#endif
