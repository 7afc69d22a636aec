/* SPDX-License-Identifier: MIT */
/* Regions of attraction over a face: what was found, and its picture. */
#ifndef CLI_LAB_BASIN_H
#define CLI_LAB_BASIN_H

#include "lab_patch.h"
#include "out.h"

enum { BASIN_LAWS = WIT_LAW_COUNT + 1, BASIN_PATH = 4096 };

/* One law. */
typedef struct basin {
    const char* name; /* "deadbeat local" is the default that never searches globally */
    wit_track_def def;
    wit_law_def law;
    int steps; /* at most */
    char refused[200];
    uint8_t* reached; /* per start, u fastest: the closest point was reached */
    int64_t count;    /* of those */
    double mean;      /* steps of those that did */
    double* path;     /* u, v of the run from --start, or null */
    int path_count;
    bool path_reached;
} basin;

typedef struct basin_map {
    const lab_patch* patch;
    int grid; /* starts in each direction, the borders too */
    basin basins[BASIN_LAWS];
    int count;
    bool from; /* there is a start for paths */
    double start[2];
    double definite; /* share of the starts where the Hessian is positive definite */
} basin_map;

/* Parameter of start i in 0 .. grid - 1. */
double basin_parameter(wit_interval r, int i, int grid);
/* The least eigenvalue of the Hessian of |f - Q|^2 / 2 over the parameters, in units of the face's widths. */
double basin_curvature(const lab_patch* p, double u, double v);

/* WIT_OK or WIT_ERROR_MEMORY. (lab_basin_draw.c) */
wit_status basin_svg(out* o, const basin_map* map);

#endif
