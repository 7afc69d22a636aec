/* SPDX-License-Identifier: MIT */
/*
 * The cross-section of a solid that is one, all along an axis: walls along it, a floor and a lid across it, all of them plane.
 * And what its hull has beyond it: notches and holes, cut into convex cells.
 */
#ifndef BODY_SECTION_H
#define BODY_SECTION_H

#include "../body_record.h"
#include "convex_polygon.h"

enum { SECTION_CORNERS = 40, SECTION_LOOPS = 8, SECTION_CELLS = 16 };

typedef struct section {
    wit_vec3 o, x, y, z; /* the floor lies in o + a x + b y, the lid at height z */
    double height;
    double error; /* corners of the solid are no farther from those of the section */
    int loops, first[SECTION_LOOPS + 1];
    point2 p[SECTION_CORNERS]; /* the first loop anticlockwise, holes clockwise: the solid is on their left */
} section;

/* False: the body is no such solid, or has too many corners. */
bool wi_section_of(const wit_body* body, section* out);

/* The hull of the section, and convex cells whose union is what the hull has beyond it. False: no room, or no digits. */
bool wi_section_outside(const section* s, double near, convex_polygon* hull, convex_polygon cells[SECTION_CELLS],
                        int* count);

#endif
