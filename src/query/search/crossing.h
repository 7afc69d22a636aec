/* SPDX-License-Identifier: MIT */
/* Do two features meet? A proof that counts every rounding, those of the poses too. */
#ifndef QUERY_CROSSING_H
#define QUERY_CROSSING_H

#include "../search_task.h"

/*
 * Two faces, a face and an edge, or two edges of planar bodies, at places that are nearly the same point: true if they surely
 * have a common point next to there, inside both. *off: 0; of planar bodies how far the planes are apart there at most.
 */
bool wi_crossing_proved(const search_task* task, const place* a, const place* b, double* off);

#endif
