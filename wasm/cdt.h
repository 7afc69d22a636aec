/* SPDX-License-Identifier: MIT */
/*
 * Constrained Delaunay triangulation of points on a lattice: what the page draws trimmed faces with. Coordinates are
 * integers from 0 to CDT_LATTICE, so that every test is exact and no order of points can break it.
 */
#ifndef WASM_CDT_H
#define WASM_CDT_H

#include <stdbool.h>
#include <stdint.h>

enum { CDT_LATTICE = 1 << 20 };

typedef struct cdt_triangle {
    int v[3];      /* points, anticlockwise */
    int n[3];      /* triangle across the side opposite v[i]; -1: none */
    bool fixed[3]; /* that side is part of a constraint */
    int region;    /* see cdt_regions */
} cdt_triangle;

typedef struct cdt {
    int32_t (*p)[2]; /* the first four are corners around everything */
    int point_count, point_room;
    cdt_triangle* t;
    int count, room;
    int* stack;
    int stack_count, stack_room;
    int last;    /* where the next walk starts */
    bool failed; /* no memory */
} cdt;

/* Points that belong to no input. */
enum { CDT_CORNERS = 4 };

bool cdt_begin(cdt* c);
void cdt_end(cdt* c);
/* The number of the point: that of an earlier one at the same place. -1: no memory. */
int cdt_point(cdt* c, int32_t x, int32_t y);
/* Makes the straight way from one point to the other a chain of sides. False: it would cross an earlier constraint, or
 * there is no memory; nothing else is lost then. */
bool cdt_constrain(cdt* c, int from, int to);
/* Numbers the parts into which the constraints cut the plane, from 0; returns how many. */
int cdt_regions(cdt* c);

#endif
