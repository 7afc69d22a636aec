/* SPDX-License-Identifier: MIT */
/* A def that can be used: what every call looks at first. */
#ifndef ASSEMBLY_ASSEMBLY_CHECK_H
#define ASSEMBLY_ASSEMBLY_CHECK_H

#include "../../include/witness/assembly.h"

/* All but the lists. */
wit_status wi_assembly_check_numbers(const wit_assembly_def* def, wit_error* error);
/* The bodies and the skips too. */
wit_status wi_assembly_check_def(const wit_assembly_def* def, wit_error* error);
/* Is the pair asked for? */
bool wi_assembly_wants(const wit_assembly_def* def, int a, int b);
/* The beginning of piece k of the time; k = pieces: the end. */
double wi_assembly_piece(const wit_assembly_def* def, int k);
/* They never move against each other. */
static inline bool one_link(const wit_assembly_def* def, int a, int b)
{
    return def->bodies[a].link >= 0 && def->bodies[a].link == def->bodies[b].link;
}

#endif
