/* SPDX-License-Identifier: MIT */
/*
 * The Voronoi regions of a planar body as SVG, 900 x 700 pixels: which feature is the closest, around it and inside. Closest
 * points are asked for on a grid of 5 pixels; where neighbours differ, the border between them is found by bisection to
 * 0.01 pixel. A border across which the closest point stays is a normal at the end of an edge; one across which it jumps is
 * equally far from two places: the medial axis.
 */
#ifndef CLI_VORONOI_H
#define CLI_VORONOI_H

#include "../include/witness/body.h"
#include "out.h"

/* The body has to be planar. WIT_OK, or what a query refused. */
wit_status voronoi_svg(out* o, const wit_body* body, const char* unit);

#endif
