/* SPDX-License-Identifier: MIT */
/* Regions of attraction over a face: what was found, and its picture. */
#ifndef CLI_LAB_BASIN_H
#define CLI_LAB_BASIN_H

#include "lab_patch.h"
#include "out.h"

enum { BASIN_LAWS = WIT_LAW_COUNT + 1, BASIN_MOST = BASIN_LAWS + 1, BASIN_PATH = 1 << 14 };

/* One law. */
typedef struct basin {
    const char* name; /* "deadbeat local" is the default that never searches globally */
    wit_track_def def;
    wit_law_def law;
    double dt; /* of a step, seconds */
    int steps; /* at most */
    char refused[200];
    uint8_t* reached; /* per start, u fastest: the closest point was reached */
    int32_t* taken;   /* the steps it took; -1: it does not get there */
    int64_t count;    /* of those */
    double mean;      /* steps of those that did */
    double* path;     /* u, v of the run from --start, or null */
    int path_count;
    bool path_reached;
} basin;

typedef struct basin_map {
    const lab_patch* patch;
    int grid;                 /* starts in each direction, the borders too */
    basin basins[BASIN_MOST]; /* with one of the user's */
    int count;
    bool from; /* there is a start for paths */
    double start[2];
    double definite; /* share of the starts where the Hessian is positive definite */
} basin_map;

/* The basins of a set of laws (1 << law) as `witness lab basin` makes them without options, over grid x grid starts, with the
 * paths from `start` unless that is null. WIT_OK or WIT_ERROR_MEMORY; basin_release is due in any case. */
wit_status basin_make(basin_map* map, const lab_patch* patch, unsigned laws, int grid, const double start[2]);
void basin_release(basin_map* map);

/* Parameter of start i in 0 .. grid - 1. */
double basin_parameter(wit_interval r, int i, int grid);
/* The least eigenvalue of the Hessian of |f - Q|^2 / 2 over the parameters, in units of the face's widths. */
double basin_curvature(const lab_patch* p, double u, double v);

/* The starts, and the paths, as tables; and all of it as one JSON object, or as text. (lab_basin_out.c) */
void basin_csv(out* o, const basin_map* map);
void basin_paths_csv(out* o, const basin_map* map);
void basin_json(out* o, const basin_map* map);
void basin_text(out* o, const basin_map* map);

/* WIT_OK or WIT_ERROR_MEMORY. (lab_basin_draw.c) */
wit_status basin_svg(out* o, const basin_map* map);
/* One of them, with circles where it is reached and crosses where not, as the paper draws it. */
wit_status basin_square_svg(out* o, const basin_map* map, int index, const char* title);

#endif
