/* SPDX-License-Identifier: MIT */
/*
 * Open CASCADE beside the library under test, for the tests of witness/cad.h: files made by it, and what it says of files.
 */
#ifndef TESTS_CAD_SHAPES_H
#define TESTS_CAD_SHAPES_H

#include "../include/witness/cad.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What Open CASCADE itself reads in a STEP file, in millimetres. */
typedef struct cad_census {
    int solids, faces;
    int kinds[WIT_SURFACE_KIND_COUNT];
    bool closed;         /* every edge of the solids has two uses */
    double tolerance;    /* largest of edges and vertices */
    double volume, area; /* of all solids */
} cad_census;

/* `measured` false: without volume and area, which take Open CASCADE long. */
bool cad_census_of(const char* path, bool measured, cad_census* out);

/* The version of Open CASCADE that is used, as "7.6.3". */
const char* cad_version(void);

/* Shapes that the tests write to files. All in millimetres. */
typedef enum cad_shape {
    CAD_SHAPE_BOX,          /* 10 x 20 x 30 */
    CAD_SHAPE_PIPE,         /* outer radius 5, inner 4, height 10 */
    CAD_SHAPE_CONE,         /* radius 5, height 10 */
    CAD_SHAPE_HALF_CONE,    /* the same, half a turn */
    CAD_SHAPE_BALL,         /* radius 3 */
    CAD_SHAPE_RING,         /* torus 10, 2 */
    CAD_SHAPE_WAVE,         /* a vase: a B-spline turned about z, periodic B-spline surface, radius 3 at both ends */
    CAD_SHAPE_DRILLED,      /* the box with a hole of radius 2 through it along z */
    CAD_SHAPE_OFFSET,       /* a face on an offset surface, which is none of our kinds */
    CAD_SHAPE_LINE,         /* an edge and nothing else */
    CAD_SHAPE_APPLE,        /* the outside of a spindle torus, 2, 3 */
    CAD_SHAPE_LEMON,        /* its inside */
    CAD_SHAPE_LEAF,         /* a solid of two equal faces back to back, 10 x 20: no volume */
    CAD_SHAPE_SEVENTEEN,    /* a face of degree 17 x 12 */
    CAD_SHAPE_INSIDE_OUT,   /* the box, its faces the other side out */
    CAD_SHAPE_OFFSET_PLANE, /* faces on offsets of a plane, cylinder, cone, sphere and torus */
    CAD_SHAPE_OFFSET_CYLINDER,
    CAD_SHAPE_OFFSET_CONE,
    CAD_SHAPE_OFFSET_SPHERE,
    CAD_SHAPE_OFFSET_TORUS,
    CAD_SHAPE_HORN, /* a torus that touches its axis, 3, 3 */
    CAD_SHAPE_COUNT
} cad_shape;

/* Exact volume; 0 where there is none, or no closed form. */
double cad_shape_volume(cad_shape shape);
/* Writes it. `unit` is what STEP and IGES files say ("MM", "INCH"): lengths are converted by Open CASCADE. */
bool cad_write(cad_shape shape, wit_cad_format format, const char* unit, const char* path);
/* An assembly in STEP: bolt (BOX) twice and ring (RING), by names, places and colours; one face of the ring's own colour. */
bool cad_write_assembly(const char* path);

#ifdef __cplusplus
}
#endif

#endif
