/* SPDX-License-Identifier: MIT */
#ifndef BENCH_PEER_SISL_H
#define BENCH_PEER_SISL_H

#include <sisl.h>

#include "../include/witness/geom.h"

/* The same surface in SISL; null without memory. Freed by freeSurf. */
SISLSurf* sisl_surface(const wit_surface_def* def);

#endif
