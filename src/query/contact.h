/* SPDX-License-Identifier: MIT */
/* Local contacts of overlapping bodies. */
#ifndef QUERY_CONTACT_H
#define QUERY_CONTACT_H

#include "penetration.h"

/* The deepest local contact in place of the pair of *d, if there is one. */
void contact_deepest(const search_task* task, wit_work* work, penetration* d);

#endif
