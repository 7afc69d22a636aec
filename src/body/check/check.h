/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the check share: a region of a surface, its cells, its samples.
 *
 * A region is a parameter box of a surface, and of a trimmed face only what its loops hold. The box may run over the
 * seam of a closed parameter.
 */
#ifndef BODY_CHECK_H
#define BODY_CHECK_H

#include "../body_record.h"

typedef struct check_region {
    const wit_surface* surface;
    bool reversed;
    wit_interval u, v;
    double size;          /* of the face: diagonal of its box */
    const wit_body* body; /* null: all of the box */
    int face;
} check_region;

/* The whole range of a bare surface. */
check_region wi_check_region_of(const wit_surface* surface);
check_region wi_check_region_of_face(const wit_body* body, int face);
bool wi_check_region_trimmed(const check_region* region);
trim_tag wi_check_region_tag(const check_region* region, wit_interval u, wit_interval v);
bool wi_check_region_holds(const check_region* region, double u, double v);

/* The cells of the region along one direction, from low to high: start with *cell = iv(x, x), x the low end. False after
 * the last. */
bool wi_check_next_cell(const check_region* region, wit_direction direction, wit_interval* cell);
int wi_check_cell_count(const check_region* region, wit_direction direction);

/* One sample. Jets at the borders of cells are those from inside the cell. */
typedef struct check_sample {
    double u, v;
    unsigned side, place;
    wit_surface_jet jet;
} check_sample;

typedef void check_visit(const check_region* region, const check_sample* sample, void* user);
/* A grid of about `grid` by `grid` over the region, at least 2 per cell, borders of cells and of loops among them. */
void wi_check_scan(const check_region* region, int grid, check_visit* visit, void* user);

/* The unit normal that points out, by its limit at poles. */
bool wi_check_normal(const check_region* region, const check_sample* sample, wit_vec3* out);

/* Parts of wit_face_check. */
void wi_check_bend(const check_region* region, wit_face_check* out);
/* One box of parameters by bounds alone: convex all over (or, an extrusion, along its profile), surely not, or not known. */
typedef enum check_box_bend { CHECK_BOX_OPEN, CHECK_BOX_CONVEX, CHECK_BOX_OTHER } check_box_bend;
check_box_bend wi_check_box_bend(const check_region* region, wit_interval u, wit_interval v);
/* Do samples alone show a place that is hollow or a saddle? Then wi_check_bend says so too, after much more work. */
bool wi_check_seen_hollow(const check_region* region);
void wi_check_nice(const check_region* region, wit_face_check* out);
/* Weighted sums over places of the region, which stand for the integral over its parameters: `fine` 1 is the rule of wi_check_area,
 * 2 has twice as many pieces along each. */
typedef void check_integrand(const check_region* region, double u, double v, double weight, void* user);
void wi_check_integrate(const check_region* region, int fine, check_integrand* add, void* user);
/* Area, and the flux of p - centre through the region along the outward normal: three times the volume of its cone. */
void wi_check_area(const check_region* region, wit_vec3 centre, double* area, double* flux);
/* Of an edge only what tells whether the body closes: gap, uses, orientation; `character` is open, non-manifold or smooth. */
wit_edge_check wi_check_closing(const wit_body* body, int edge);
/* All of it. No area and no flux of unbounded faces. */
void wi_check_region_face(const check_region* region, wit_vec3 centre, wit_face_check* out, double* flux);

#endif
