/* SPDX-License-Identifier: MIT */
/*
 * Triangles of a body, for drawing only: points on the exact surfaces with the exact normals there, edges as polylines that
 * both faces share, trims as they are. Nothing that measures ever looks at these.
 */
#ifndef WASM_MESH_H
#define WASM_MESH_H

#include "../include/witness/body.h"

typedef struct mesh_def {
    double chord;  /* largest distance from a triangle to the surface that is aimed at, a length */
    double angle;  /* largest turn of the normal along a side, radians */
    double extent; /* half the width at which unbounded faces are cut off, a length */
} mesh_def;

typedef struct mesh {
    double centre[3];           /* positions are relative to this, so that floats are good enough */
    float *positions, *normals; /* x, y, z of each point */
    float* parameters;          /* u, v of each point */
    int32_t* triangles;         /* three points each */
    int32_t* faces;             /* triangles of face f: faces[f] to faces[f + 1] */
    float* lines;               /* points of edges, x, y, z */
    int32_t* edges;             /* points of edge e: edges[e] to edges[e + 1] */
    float* corners;             /* vertices, x, y, z */
    int32_t point_count, triangle_count, line_count, face_count, edge_count, corner_count;
    int32_t dropped; /* pieces of borders that could not be kept: the drawing is coarse there */
} mesh;

/* Null: no memory. */
mesh* mesh_make(const wit_body* body, const mesh_def* def);
void mesh_free(mesh* m);

#endif
